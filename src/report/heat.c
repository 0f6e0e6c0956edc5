/* A table as a heat map.
 * SPDX-License-Identifier: MIT
 */
#include "report/panel.h"

#include <math.h>

static const double CELL_HEIGHT = 17, MOST_NAME = 190, LEAST_CELL = 30;

static double widest(cob_figure *f, const cob_heat *h, bool cols)
{
    double most = 0;
    cob_font(f, COB_TICK_FONT, false);
    for (int i = 0; i < (cols ? h->cols : h->rows); i++) {
        char text[64];
        (cols ? h->col_name : h->row_name)(h->user, i, text);
        most = fmax(most, cob_text_width(f, text));
    }
    return fmin(most, MOST_NAME);
}

static void draw_cell(cob_figure *f, const cob_heat *h, int row, int col, double x, double y,
                      double width)
{
    char text[16];
    double shade = fmax(0, fmin(1, h->shade(h->user, row, col))), red, green, blue;
    cob_colour(0, &red, &green, &blue);
    f->cairo.set_source_rgb(f->cr, 1 - (1 - red) * shade, 1 - (1 - green) * shade,
                            1 - (1 - blue) * shade);
    f->cairo.rectangle(f->cr, x, y, width, CELL_HEIGHT);
    f->cairo.fill(f->cr);
    h->text(h->user, row, col, text);
    cob_ink_grey(f, shade > 0.6 ? 1 : 0);
    cob_font(f, COB_TICK_FONT, false);
    cob_draw_text(f, x + width / 2, y + CELL_HEIGHT / 2, COB_CENTRE, text);
}

static void draw_table(cob_figure *f, const cob_heat *h, double left, double top, double cell)
{
    char text[64];
    for (int col = 0; col < h->cols; col++) {
        h->col_name(h->user, col, text);
        cob_ink_grey(f, 0);
        cob_font(f, COB_TICK_FONT, false);
        cob_draw_text(f, left + (col + 0.5) * cell, top - 7, COB_CENTRE, text);
    }
    for (int row = 0; row < h->rows; row++) {
        double y = top + row * CELL_HEIGHT;
        h->row_name(h->user, row, text);
        cob_ink_grey(f, 0);
        cob_font(f, COB_TICK_FONT, false);
        cob_draw_text(f, left - 6, y + CELL_HEIGHT / 2, COB_RIGHT, text);
        for (int col = 0; col < h->cols; col++)
            draw_cell(f, h, row, col, left + col * cell, y, cell);
    }
    cob_ink_grey(f, 0.4);
    f->cairo.set_line_width(f->cr, COB_THIN);
    f->cairo.rectangle(f->cr, left, top, h->cols * cell, h->rows * CELL_HEIGHT);
    f->cairo.stroke(f->cr);
}

/* The names decide the margins: a first figure measures them, the second is kept. */
static void measure(cob_figure *f, const cob_heat *h, double *left, double *cell)
{
    *left = COB_MARGIN + (h->row_title ? COB_TITLE_FONT + 6 : 0) + widest(f, h, false) + 8;
    *cell = fmax(LEAST_CELL, widest(f, h, true) + 8);
}

cobloc_status cob_plot_heat(const char *path, const cob_heat *h, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_figure *f = NULL;
    double left, cell, top = cob_head_height(h->title) + (h->col_title ? 14 : 0) + 14;
    COB_TRY(cob_figure_create(path, 100, 100, &f, err));
    measure(f, h, &left, &cell);
    cob_figure_close(f);
    f = NULL;
    double width = left + h->cols * cell + COB_MARGIN, height = top + h->rows * CELL_HEIGHT;
    COB_TRY(cob_figure_create(path, width, height + COB_MARGIN, &f, err));
    cob_draw_head(f, h->title);
    draw_table(f, h, left, top, cell);
    cob_ink_grey(f, 0);
    cob_font(f, COB_TITLE_FONT, false);
    if (h->col_title)
        cob_draw_text(f, left + h->cols * cell / 2, top - 21, COB_CENTRE, h->col_title);
    if (h->row_title)
        cob_draw_text_upwards(f, COB_MARGIN + COB_TITLE_FONT / 2, (top + height) / 2, h->row_title);
    COB_TRY(cob_figure_commit(f, err));
done:
    cob_figure_close(f);
    return status;
}
