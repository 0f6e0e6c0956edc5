/* cobloc_plot_curves: series of y over x, with error bars and one marked x.
 * SPDX-License-Identifier: MIT
 */
#include "report/axes.h"

#include <math.h>

static const double LINE = 1.4, MARKER = 2.2, CAP = 2.5;

/* ---- the points to draw ---------------------------------------------------------------------- */

static bool is_drawn(const cobloc_series *s, int i)
{
    return cob_is_drawable(s->x[i]) && cob_is_drawable(s->y[i]);
}

static double error_of(const cobloc_series *s, int i)
{
    return s->errors && cob_is_drawable(s->errors[i]) ? fabs(s->errors[i]) : 0;
}

/* Finds the ranges of all points; returns whether every x is a whole number. */
static bool see_all(const cobloc_curves *c, cob_range *x, cob_range *y)
{
    bool whole = true;
    *x = cob_range_empty();
    *y = cob_range_empty();
    for (int s = 0; s < c->count; s++)
        for (int i = 0; i < c->series[s].count; i++) {
            const cobloc_series *one = &c->series[s];
            if (!is_drawn(one, i))
                continue;
            double error = error_of(one, i);
            whole = whole && one->x[i] == floor(one->x[i]);
            cob_range_include(x, one->x[i]);
            cob_range_include(y, one->y[i] - error);
            cob_range_include(y, one->y[i] + error);
        }
    cob_range_include(x, c->marked_x);
    return whole && fmax(fabs(x->low), fabs(x->high)) < 1e6;
}

/* ---- series ---------------------------------------------------------------------------------- */

/* Series differ by colour, by marker and, after all colours are used, by dashes. */
static void start_line(cob_figure *f, int series)
{
    cob_ink_colour(f, series, 1);
    f->cairo.set_line_width(f->cr, LINE);
    cob_draw_dashed(f, series / COB_COLOURS % 2);
}

static void draw_errors(cob_figure *f, const cobloc_series *s, const cob_scale *x,
                        const cob_scale *y)
{
    for (int i = 0; i < s->count; i++) {
        double error = error_of(s, i);
        if (!is_drawn(s, i) || error == 0)
            continue;
        double at = cob_position(x, s->x[i]);
        double low = cob_position(y, s->y[i] - error), high = cob_position(y, s->y[i] + error);
        cob_draw_line(f, at, low, at, high, 0.8);
        cob_draw_line(f, at - CAP, low, at + CAP, low, 0.8);
        cob_draw_line(f, at - CAP, high, at + CAP, high, 0.8);
    }
}

static void draw_series(cob_figure *f, const cobloc_series *s, int number, const cob_scale *x,
                        const cob_scale *y)
{
    start_line(f, number);
    bool pen_down = false;
    for (int i = 0; i < s->count && !s->points_only; i++) {
        if (is_drawn(s, i) && pen_down)
            f->cairo.line_to(f->cr, cob_position(x, s->x[i]), cob_position(y, s->y[i]));
        else if (is_drawn(s, i))
            f->cairo.move_to(f->cr, cob_position(x, s->x[i]), cob_position(y, s->y[i]));
        pen_down = is_drawn(s, i);
    }
    f->cairo.stroke(f->cr);
    cob_draw_dashed(f, false);
    draw_errors(f, s, x, y);
    cob_ink_colour(f, number, s->points_only ? 0.55 : 1);
    for (int i = 0; i < s->count; i++)
        if (is_drawn(s, i))
            cob_draw_marker(f, cob_position(x, s->x[i]), cob_position(y, s->y[i]), MARKER, number);
}

static const char *series_name(const void *user, int series)
{
    return ((const cobloc_curves *)user)->series[series].name;
}

static void series_key(cob_figure *f, const void *user, int series, double x, double y)
{
    start_line(f, series);
    if (!((const cobloc_curves *)user)->series[series].points_only)
        cob_draw_line(f, x - COB_LEGEND_KEY / 2.0, y, x + COB_LEGEND_KEY / 2.0, y, LINE);
    cob_draw_dashed(f, false);
    cob_draw_marker(f, x, y, MARKER, series);
}

/* ---- the marked x ---------------------------------------------------------------------------- */

static void draw_mark(cob_figure *f, const cobloc_curves *c, const cob_scale *x, const cob_scale *y)
{
    if (!cob_is_drawable(c->marked_x))
        return;
    double at = cob_position(x, c->marked_x);
    cob_ink_grey(f, 0.45);
    cob_draw_dashed(f, true);
    cob_draw_line(f, at, y->start, at, y->end, 0.9);
    cob_draw_dashed(f, false);
    cob_ink_grey(f, 0);
    for (int s = 0; s < c->count; s++)
        for (int i = 0; i < c->series[s].count; i++)
            if (!c->series[s].points_only && is_drawn(&c->series[s], i) &&
                c->series[s].x[i] == c->marked_x) {
                cob_draw_ring(f, at, cob_position(y, c->series[s].y[i]), 2.2 * MARKER, 1);
            }
}

/* Above the plot, centred on the marked line but inside the figure. */
static void draw_mark_label(cob_figure *f, const cobloc_curves *c, const cob_scale *x, double y)
{
    if (!cob_is_drawable(c->marked_x) || !c->marked_label)
        return;
    cob_font(f, COB_TICK_FONT, true);
    cob_ink_grey(f, 0);
    double half = cob_text_width(f, c->marked_label) / 2, at = cob_position(x, c->marked_x);
    at = fmin(at, f->width - COB_MARGIN - half);
    cob_draw_text(f, fmax(at, COB_MARGIN + half), y, COB_CENTRE, c->marked_label);
}

/* ---- the chart ------------------------------------------------------------------------------- */

static void draw(cob_figure *f, const cobloc_curves *c, cob_scale x, cob_scale y)
{
    double top = cob_head_height(c->title);
    double left = COB_MARGIN + (c->y_title ? COB_TITLE_FONT + 5 : 0);
    cob_legend legend = {c->count, series_name, series_key, c};
    x.start = left + cob_tick_width(f, &y) + 7;
    x.end = f->width - COB_MARGIN - 4;
    cob_draw_head(f, c->title);
    top += cob_draw_legend(f, &legend, x.start, x.end, top, true);
    bool label = cob_is_drawable(c->marked_x) && c->marked_label;
    double above = (label || y.exponent ? COB_TICK_FONT + 6 : 0);
    y.start = f->height - COB_MARGIN - cob_x_axis_height(&x, c->x_title);
    y.end = top + above;
    cob_draw_y_axis(f, &x, &y, c->y_title, COB_MARGIN + COB_TITLE_FONT / 2);
    cob_draw_x_axis(f, &x, &y, false, c->x_title);
    draw_mark(f, c, &x, &y);
    draw_mark_label(f, c, &x, y.end - COB_TICK_FONT / 2 - 2);
    for (int behind = 1; behind >= 0;
         behind--) /* points first, so that they do not hide the curves */
        for (int s = 0; s < c->count; s++)
            if ((c->series[s].points_only != 0) == behind)
                draw_series(f, &c->series[s], s, &x, &y);
}

cobloc_status cobloc_plot_curves(const char *path, const cobloc_curves *curves, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_figure *figure = NULL;
    cob_range x, y;
    bool whole = see_all(curves, &x, &y);
    COB_CHECK(y.low <= y.high, COBLOC_BAD_ARGUMENT, "%s: there is no point to draw", path);
    COB_TRY(cob_figure_create(path, curves->width, curves->height, &figure, err));
    draw(figure, curves, cob_scale_for(x, whole ? 14 : 7, whole), cob_scale_for(y, 6, false));
    COB_TRY(cob_figure_commit(figure, err));
done:
    cob_figure_close(figure);
    return status;
}
