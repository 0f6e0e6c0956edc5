/* A matrix drawn as a picture: every entry if there are few, otherwise their density.
 * SPDX-License-Identifier: MIT
 */
#include "report/panel.h"

#include "report/entries.h"

#include <math.h>
#include <stdio.h>

static const double PIXELS = 3;           /* per point, for densities */
static const int64_t MOST_SHAPES = 20000; /* above this, densities are drawn instead of entries */
static const double TINT = 0.1, OUTSIDE_GREY = 0.62;

typedef struct rgb {
    double red, green, blue;
} rgb;

static rgb blend(rgb back, rgb front, double share)
{
    return (rgb){back.red + (front.red - back.red) * share,
                 back.green + (front.green - back.green) * share,
                 back.blue + (front.blue - back.blue) * share};
}

/* The bloc whose colour the entries of a block have; -1: none. */
static int colour_of(const cob_report_data *data, const cob_panel *p, int k, int l)
{
    return p->in_order && k >= 0 && l >= 0 && data->own[(int64_t)k * data->report.result->l + l]
               ? k
               : -1;
}

static rgb ink_of(const cob_panel *p, int colour)
{
    rgb ink = {0.1, 0.1, 0.1};
    if (colour >= 0)
        cob_colour(colour, &ink.red, &ink.green, &ink.blue);
    else if (p->in_order)
        ink = (rgb){OUTSIDE_GREY, OUTSIDE_GREY, OUTSIDE_GREY};
    return ink;
}

/* The cluster at a place; -1: none. */
static int cluster_at(const cob_order *order, int64_t place)
{
    int low = 0, high = order->clusters;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (order->starts[middle] <= place)
            low = middle;
        else
            high = middle - 1;
    }
    return low == order->clusters ? -1 : low;
}

/* ---- few entries ----------------------------------------------------------------------------- */

static void set_ink(cob_figure *f, rgb c)
{
    f->cairo.set_source_rgb(f->cr, c.red, c.green, c.blue);
}

static void draw_tints(cob_figure *f, const cob_report_data *data, const cob_panel *p)
{
    const cobloc_result *r = data->report.result;
    double cell_width = p->width / (double)(p->col_to - p->col_from),
           cell_height = p->height / (double)r->n;
    for (int k = 0; k < r->k; k++)
        for (int l = 0; l < r->l; l++) {
            int64_t from = data->cols.starts[l], to = data->cols.starts[l + 1];
            if (colour_of(data, p, k, l) < 0 || from < p->col_from || to > p->col_to)
                continue;
            set_ink(f, blend((rgb){1, 1, 1}, ink_of(p, k), TINT));
            f->cairo.rectangle(f->cr, p->left + (double)(from - p->col_from) * cell_width,
                               p->top + (double)data->rows.starts[k] * cell_height,
                               (double)(to - from) * cell_width,
                               (double)r->row_sizes[k] * cell_height);
            f->cairo.fill(f->cr);
        }
}

/* One path per colour keeps files small. */
static void draw_colour(cob_figure *f, const cob_report_data *data, const cob_panel *p, int colour)
{
    const cobloc_result *r = data->report.result;
    cobloc_view view = cobloc_matrix_by_rows(data->report.matrix);
    double cell_width = p->width / (double)(p->col_to - p->col_from),
           cell_height = p->height / (double)r->n;
    for (int64_t i = 0; i < r->n; i++)
        for (int64_t e = view.offsets[i]; e < view.offsets[i + 1]; e++) {
            int32_t j = view.indices[e];
            int64_t row = p->in_order ? data->rows.place[i] : i;
            int64_t col = p->in_order ? data->cols.place[j] : j;
            if (col >= p->col_from && col < p->col_to &&
                colour_of(data, p, r->row_labels[i], r->col_labels[j]) == colour)
                f->cairo.rectangle(f->cr, p->left + (double)(col - p->col_from) * cell_width,
                                   p->top + (double)row * cell_height, cell_width, cell_height);
        }
    f->cairo.fill(f->cr);
}

static void draw_shapes(cob_figure *f, const cob_report_data *data, const cob_panel *p)
{
    draw_tints(f, data, p);
    for (int k = -1; k < data->report.result->k; k++) {
        set_ink(f, ink_of(p, k));
        draw_colour(f, data, p, k);
    }
}

/* ---- many entries ---------------------------------------------------------------------------- */

/* The count that only one in a hundred non-empty cells exceeds. */
static uint32_t full_ink(const cob_grid *grid)
{
    enum { LEVELS = 4096 };
    int64_t fields[LEVELS] = {0}, some = 0, above = 0;
    for (int64_t f = 0; f < (int64_t)grid->rows * grid->cols; f++)
        if (grid->counts[f] > 0) {
            fields[grid->counts[f] < LEVELS ? grid->counts[f] : LEVELS - 1]++;
            some++;
        }
    uint32_t level = LEVELS - 1;
    for (above = fields[level]; level > 1 && above * 100 < some; above += fields[level])
        level--;
    return level;
}

static uint32_t pixel_of(rgb c)
{
    return (uint32_t)lround(c.red * 255) << 16 | (uint32_t)lround(c.green * 255) << 8 |
           (uint32_t)lround(c.blue * 255);
}

static void fill_pixels(const cob_figure *f, cairo_surface_t *image, const cob_grid *grid,
                        const cob_report_data *data, const cob_panel *p)
{
    unsigned char *bytes = f->cairo.image_surface_get_data(image);
    int stride = f->cairo.image_surface_get_stride(image);
    uint32_t full = full_ink(grid);
    int64_t n = data->rows.count, width = p->col_to - p->col_from;
    for (int y = 0; y < grid->rows; y++) {
        uint32_t *line = (uint32_t *)(void *)(bytes + (size_t)y * (size_t)stride);
        int k = cluster_at(&data->rows, (2 * y + 1) * n / (2 * grid->rows));
        for (int x = 0; x < grid->cols; x++) {
            int l = cluster_at(&data->cols, p->col_from + (2 * x + 1) * width / (2 * grid->cols));
            int colour = colour_of(data, p, k, l);
            rgb ink = ink_of(p, colour), back = {1, 1, 1};
            double amount = fmin(1, grid->counts[(int64_t)y * grid->cols + x] / (double)full);
            if (colour >= 0)
                back = blend(back, ink, TINT);
            line[x] = pixel_of(blend(back, ink, amount > 0 ? 0.12 + 0.88 * pow(amount, 0.75) : 0));
        }
    }
    f->cairo.surface_mark_dirty(image);
}

static cobloc_status draw_density(cob_figure *f, const cob_report_data *data, const cob_panel *p,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_grid grid = {0};
    cairo_surface_t *image = NULL;
    int64_t n = data->rows.count, width = p->col_to - p->col_from;
    int rows = (int)fmin((double)n, p->height * PIXELS),
        cols = (int)fmin((double)width, p->width * PIXELS);
    COB_TRY(cob_grid_of(data->report.matrix, p->in_order ? &data->rows : NULL,
                        p->in_order ? &data->cols : NULL, p->col_from, p->col_to, rows, cols, &grid,
                        err));
    image = f->cairo.image_surface_create(CAIRO_FORMAT_RGB24, cols, rows);
    COB_CHECK(f->cairo.surface_status(image) == CAIRO_STATUS_SUCCESS, COBLOC_NO_MEMORY,
              "out of memory");
    fill_pixels(f, image, &grid, data, p);
    f->cairo.save(f->cr);
    f->cairo.translate(f->cr, p->left, p->top);
    f->cairo.scale(f->cr, p->width / cols, p->height / rows);
    f->cairo.set_source_surface(f->cr, image, 0, 0);
    f->cairo.pattern_set_filter(f->cairo.get_source(f->cr), CAIRO_FILTER_NEAREST);
    f->cairo.paint(f->cr);
    f->cairo.restore(f->cr);
done:
    if (image)
        f->cairo.surface_destroy(image);
    cob_grid_free(&grid);
    return status;
}

/* ---- around the cells ------------------------------------------------------------------------ */

/* Lines between clusters and, if there is room, cluster numbers. */
static void draw_clusters(cob_figure *f, const cob_report_data *data, const cob_panel *p)
{
    const cobloc_result *r = data->report.result;
    double cell_width = p->width / (double)(p->col_to - p->col_from),
           cell_height = p->height / (double)r->n;
    char text[16];
    cob_font(f, COB_TICK_FONT, false);
    for (int k = 0; k < r->k; k++) {
        double from = p->top + (double)data->rows.starts[k] * cell_height,
               to = p->top + (double)data->rows.starts[k + 1] * cell_height;
        cob_ink_grey(f, 0.6);
        cob_draw_line(f, p->left, to, p->left + p->width, to, COB_THIN / 2);
        cob_ink_grey(f, 0);
        snprintf(text, sizeof text, "%d", k);
        if (to - from >= COB_TICK_FONT)
            cob_draw_text(f, p->left - 5, (from + to) / 2, COB_RIGHT, text);
    }
    for (int l = 0; l < r->l; l++) {
        double from = p->left + (double)(data->cols.starts[l] - p->col_from) * cell_width,
               to = p->left + (double)(data->cols.starts[l + 1] - p->col_from) * cell_width;
        if (data->cols.starts[l] < p->col_from || data->cols.starts[l + 1] > p->col_to)
            continue;
        cob_ink_grey(f, 0.6);
        cob_draw_line(f, to, p->top, to, p->top + p->height, COB_THIN / 2);
        cob_ink_grey(f, 0);
        snprintf(text, sizeof text, "%d", l);
        if (to - from >= cob_text_width(f, text) + 2)
            cob_draw_text(f, (from + to) / 2, p->top - 6, COB_CENTRE, text);
    }
}

cobloc_status cob_draw_panel(cob_figure *f, const cob_report_data *data, const cob_panel *p,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (cobloc_matrix_nnz(data->report.matrix) <= MOST_SHAPES)
        draw_shapes(f, data, p);
    else
        COB_TRY(draw_density(f, data, p, err));
    if (p->in_order)
        draw_clusters(f, data, p);
    cob_ink_grey(f, 0.4);
    f->cairo.set_line_width(f->cr, COB_THIN);
    f->cairo.rectangle(f->cr, p->left, p->top, p->width, p->height);
    f->cairo.stroke(f->cr);
    cob_ink_grey(f, 0);
    cob_font(f, COB_TITLE_FONT, false);
    cob_draw_text(f, p->left + p->width / 2, p->top - COB_PANEL_TOP + 10, COB_CENTRE, p->title);
done:
    return status;
}
