/* cobloc_plot_boxes: groups of values as box plots, a panel for each kind of value.
 * SPDX-License-Identifier: MIT
 */
#include "report/axes.h"

#include "base/alloc.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Boxes are horizontal, so that the names beside them stay readable. */
static const double ROW = 17, PANEL = 150, GAP = 14, BOX = 9, MOST_NAME = 220;

/* ---- the five numbers ------------------------------------------------------------------------ */

typedef struct summary {
    double low, q1, median, q3, high; /* low and high are the ends of the whiskers */
    int count;
} summary;

static int ascending(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int count, double share)
{
    double at = share * (count - 1);
    int below = (int)at;
    int above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

/* Whiskers reach to the last value within 1.5 box lengths of the box. */
static summary summarise(const double *values, int count, double *sorted)
{
    summary s = {0};
    for (int i = 0; i < count; i++)
        if (cob_is_drawable(values[i]))
            sorted[s.count++] = values[i];
    if (s.count == 0)
        return s;
    qsort(sorted, (size_t)s.count, sizeof *sorted, ascending);
    s.q1 = quantile(sorted, s.count, 0.25);
    s.median = quantile(sorted, s.count, 0.5);
    s.q3 = quantile(sorted, s.count, 0.75);
    double reach = 1.5 * (s.q3 - s.q1);
    s.low = s.q1;
    s.high = s.q3;
    for (int i = 0; i < s.count; i++) {
        if (sorted[i] >= s.q1 - reach)
            s.low = fmin(s.low, sorted[i]);
        if (sorted[i] <= s.q3 + reach)
            s.high = fmax(s.high, sorted[i]);
    }
    return s;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static const double *panel_values(const cobloc_box_group *group, int panel)
{
    return group->count > 0 ? group->values + (size_t)panel * (size_t)group->count : NULL;
}

static const char *group_name(const cobloc_boxes *b, int group)
{
    return b->groups[group].name ? b->groups[group].name : "";
}

static void draw_box(cob_figure *f, const summary *s, int colour, const cob_scale *x, double y)
{
    double q1 = cob_position(x, s->q1), q3 = cob_position(x, s->q3),
           median = cob_position(x, s->median);
    cob_ink_colour(f, colour, 1);
    cob_draw_line(f, cob_position(x, s->low), y, q1, y, 0.9);
    cob_draw_line(f, q3, y, cob_position(x, s->high), y, 0.9);
    f->cairo.rectangle(f->cr, q1, y - BOX / 2, q3 - q1, BOX);
    cob_ink_grey(f, 1);
    f->cairo.fill_preserve(f->cr);
    cob_ink_colour(f, colour, 0.25);
    f->cairo.fill_preserve(f->cr);
    cob_ink_colour(f, colour, 1);
    f->cairo.set_line_width(f->cr, 0.9);
    f->cairo.stroke(f->cr);
    cob_draw_line(f, median, y - BOX / 2, median, y + BOX / 2, 2);
}

/* Points are spread vertically, each at a fixed offset. */
static void draw_points(cob_figure *f, const double *values, int count, int colour,
                        const cob_scale *x, double y)
{
    cob_stream stream = cob_stream_at(1, 0, 0, 0);
    cob_ink_colour(f, colour, 0.75);
    for (int i = 0; i < count; i++) {
        double aside = (cob_random_uniform(&stream, (uint64_t)i) - 0.5) * (BOX - 1);
        if (cob_is_drawable(values[i]))
            cob_draw_marker(f, cob_position(x, values[i]), y + aside, 1.1, 0);
    }
}

static void draw_panel(cob_figure *f, const cobloc_boxes *b, int panel, const cob_scale *x,
                       const cob_scale *rows, double *sorted)
{
    const char *name = b->panel_names ? b->panel_names[panel] : NULL;
    cob_draw_x_axis(f, x, rows, true, name);
    for (int g = 0; g < b->count; g++) {
        const cobloc_box_group *group = &b->groups[g];
        double y = cob_position(rows, g + 0.5);
        summary s = summarise(panel_values(group, panel), group->count, sorted);
        if (s.count > 0)
            draw_box(f, &s, group->colour, x, y);
        draw_points(f, panel_values(group, panel), group->count, group->colour, x, y);
    }
}

static const char *colour_name(const void *user, int colour)
{
    return ((const cobloc_boxes *)user)->colour_names[colour];
}

static void colour_key(cob_figure *f, const void *user, int colour, double x, double y)
{
    (void)user;
    f->cairo.rectangle(f->cr, x - 8, y - 4, 16, 8);
    cob_ink_colour(f, colour, 0.25);
    f->cairo.fill_preserve(f->cr);
    cob_ink_colour(f, colour, 1);
    f->cairo.set_line_width(f->cr, 0.9);
    f->cairo.stroke(f->cr);
}

/* The next group with a different name. */
static int next_name(const cobloc_boxes *b, int group)
{
    int next = group + 1;
    while (next < b->count && strcmp(group_name(b, next), group_name(b, group)) == 0)
        next++;
    return next;
}

/* Names are to the left of the first panel; a name that is too long is condensed. Neighbours with
 * the same name share it; lines then separate the names. */
static void draw_names(cob_figure *f, const cobloc_boxes *b, const cob_scale *rows, double right)
{
    bool shared = false;
    cob_font(f, COB_TITLE_FONT, false);
    for (int g = 0; g < b->count; g = next_name(b, g))
        shared = shared || next_name(b, g) > g + 1;
    for (int g = 0; g < b->count; g = next_name(b, g)) {
        double width = cob_text_width(f, group_name(b, g)), edge = cob_position(rows, g);
        cob_ink_grey(f, 0.8);
        if (shared && g > 0)
            cob_draw_line(f, COB_MARGIN, edge, f->width - COB_MARGIN, edge, COB_THIN);
        cob_ink_grey(f, 0);
        f->cairo.save(f->cr);
        f->cairo.translate(f->cr, right, cob_position(rows, (g + next_name(b, g)) / 2.0));
        if (width > MOST_NAME)
            f->cairo.scale(f->cr, MOST_NAME / width, 1);
        cob_draw_text(f, 0, 0, COB_RIGHT, group_name(b, g));
        f->cairo.restore(f->cr);
    }
}

/* ---- the chart ------------------------------------------------------------------------------- */

static cob_range panel_range(const cobloc_boxes *b, int panel)
{
    cob_range range = cob_range_empty();
    for (int g = 0; g < b->count; g++)
        for (int i = 0; i < b->groups[g].count; i++)
            cob_range_include(&range, panel_values(&b->groups[g], panel)[i]);
    return range;
}

static cob_scale panel_scale(const cobloc_boxes *b, int panel)
{
    return cob_scale_for(panel_range(b, panel), 5, false);
}

typedef struct layout {
    double names;            /* width of the names */
    double width, height;    /* of the figure */
    double left, right, top; /* of the panels */
    double axis;             /* height of the tick labels and titles below the panels */
    cob_legend legend;
} layout;

/* Text can only be measured on a surface: this one is never shown. */
static layout make_layout(const cobloc_boxes *b, const cob_cairo *cairo)
{
    cairo_surface_t *surface = cairo->recording_surface_create(CAIRO_CONTENT_ALPHA, NULL);
    cob_figure paper = {.cairo = *cairo, .cr = cairo->create(surface)};
    layout at = {.legend = {b->colour_names ? b->colour_count : 0, colour_name, colour_key, b}};
    cob_font(&paper, COB_TITLE_FONT, false);
    for (int g = 0; g < b->count; g++)
        at.names = fmax(at.names, cob_text_width(&paper, group_name(b, g)));
    at.names = fmin(at.names, MOST_NAME);
    at.left = COB_MARGIN + at.names + 8;
    at.width = b->width > 0 ? b->width : at.left + b->panels * (PANEL + GAP) - GAP + COB_MARGIN + 4;
    for (int p = 0; p < b->panels; p++) {
        cob_scale x = panel_scale(b, p);
        at.axis = fmax(at.axis, cob_x_axis_height(&x, b->panel_names ? b->panel_names[p] : NULL));
    }
    at.right = at.width - COB_MARGIN - 4;
    at.top = cob_head_height(b->title);
    double legend = cob_draw_legend(&paper, &at.legend, at.left, at.right, at.top, false);
    at.height = b->height > 0 ? b->height : at.top + legend + ROW * b->count + COB_MARGIN + at.axis;
    cairo->destroy(paper.cr);
    cairo->surface_destroy(surface);
    return at;
}

static void draw(cob_figure *f, const cobloc_boxes *b, const layout *at, double *sorted)
{
    double width = (at->right - at->left - GAP * (b->panels - 1)) / b->panels;
    cob_draw_head(f, b->title);
    double top = at->top + cob_draw_legend(f, &at->legend, at->left, at->right, at->top, true);
    cob_scale rows = {
        .low = b->count, .high = 0, .start = f->height - COB_MARGIN - at->axis, .end = top};
    draw_names(f, b, &rows, at->left - 8);
    for (int p = 0; p < b->panels; p++) {
        cob_scale x = panel_scale(b, p);
        x.start = at->left + p * (width + GAP);
        x.end = x.start + width;
        draw_panel(f, b, p, &x, &rows, sorted);
    }
}

/* Arrays that were set by name know how long they are. */
static cobloc_status check_lengths(const cobloc_boxes *b, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(b->panel_name_count == 0 || b->panel_name_count == b->panels, COBLOC_BAD_ARGUMENT,
              "there are %d panel names for %d panels", b->panel_name_count, b->panels);
    for (int g = 0; g < b->count; g++) {
        const cobloc_box_group *group = &b->groups[g];
        int64_t needed = (int64_t)b->panels * group->count;
        COB_CHECK(needed == 0 ||
                      (group->values && (group->value_count == 0 || group->value_count == needed)),
                  COBLOC_BAD_ARGUMENT, "group %d has %d values, expected %lld: panels by count", g,
                  group->value_count, (long long)needed);
    }
done:
    return status;
}

cobloc_status cobloc_plot_boxes(const char *path, const cobloc_boxes *boxes, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_cairo cairo = {0};
    cob_figure *figure = NULL;
    double *sorted = NULL;
    int most = 0;
    bool any = false;
    COB_TRY(check_lengths(boxes, err));
    for (int g = 0; g < boxes->count; g++)
        most = boxes->groups[g].count > most ? boxes->groups[g].count : most;
    for (int p = 0; p < boxes->panels; p++) {
        cob_range range = panel_range(boxes, p);
        any = any || range.low <= range.high;
    }
    COB_CHECK(any, COBLOC_BAD_ARGUMENT, "%s: there is no value to draw", path);
    COB_NEW(sorted, most);
    COB_TRY(cob_cairo_open(&cairo, path, err));
    layout at = make_layout(boxes, &cairo);
    COB_TRY(cob_figure_create(path, at.width, at.height, &figure, err));
    draw(figure, boxes, &at, sorted);
    COB_TRY(cob_figure_commit(figure, err));
done:
    cob_figure_close(figure);
    cob_cairo_close(&cairo);
    cob_free(sorted);
    return status;
}
