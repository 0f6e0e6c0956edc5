/* The columns of each bloc that go together, as graphs side by side.
 * SPDX-License-Identifier: MIT
 */
#include "report/panel.h"

#include "base/alloc.h"
#include "report/data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double WIDTH = 180, HEIGHT = 150, SIDE = 34, HEAD = 22;
enum { IN_A_ROW = 3 };

/* Copies as much of a text as fits, cut between characters. */
static void fit_text(cob_figure *f, const char *text, double room, char *out, size_t size)
{
    size_t length = strlen(text);
    bool whole = length < size;
    if (whole)
        memcpy(out, text, length + 1);
    for (length = whole ? length : size - 4; !whole || cob_text_width(f, out) > room;
         whole = true) {
        do
            length -= length > 0;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80);
        snprintf(out, size, "%.*s\u2026", (int)length, text);
        if (length == 0)
            break;
    }
}

typedef struct drawing {
    cob_figure *figure;
    const cob_report_data *data;
    const cobloc_bloc *bloc;
    int colour;
    double left, top;
    double *x, *y;
} drawing;

static double place_x(const drawing *d, int node)
{
    return d->left + SIDE + d->x[node] * (WIDTH - 2 * SIDE);
}

static double place_y(const drawing *d, int node)
{
    return d->top + HEAD + 12 + d->y[node] * (HEIGHT - HEAD - 22);
}

static void draw_edges(const drawing *d)
{
    double strongest = 1e-9;
    for (int e = 0; e < d->bloc->edge_count; e++)
        strongest = fmax(strongest, d->bloc->edges[e].cosine);
    for (int e = 0; e < d->bloc->edge_count; e++) {
        const cobloc_edge *edge = &d->bloc->edges[e];
        double share = edge->cosine / strongest;
        cob_ink_colour(d->figure, d->colour, 0.15 + 0.45 * share);
        cob_draw_line(d->figure, place_x(d, edge->a), place_y(d, edge->a), place_x(d, edge->b),
                      place_y(d, edge->b), 0.4 + 1.4 * share);
    }
}

static void draw_nodes(const drawing *d)
{
    cob_figure *f = d->figure;
    const double *sums = cobloc_matrix_col_sums(d->data->report.matrix);
    double most = 1e-300;
    for (int i = 0; i < d->bloc->graph_count; i++)
        most = fmax(most, sums[d->bloc->graph[i]]);
    for (int i = 0; i < d->bloc->graph_count; i++) {
        int64_t col = d->bloc->graph[i];
        const char *name = cobloc_matrix_col_name(d->data->report.matrix, col);
        char number[32], text[96];
        snprintf(number, sizeof number, "%lld", (long long)col + 1);
        cob_ink_colour(f, d->colour, 1);
        cob_draw_marker(f, place_x(d, i), place_y(d, i), 1.2 + 2.2 * sqrt(sums[col] / most), 0);
        cob_font(f, COB_TICK_FONT - 1, false);
        cob_ink_grey(f, 0);
        fit_text(f, name ? name : number, 2 * SIDE, text, sizeof text);
        cob_draw_text(f, place_x(d, i), place_y(d, i) - 7, COB_CENTRE, text);
    }
}

static cobloc_status draw_bloc(drawing *d, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_bloc *b = d->bloc;
    char text[96];
    COB_NEW(d->x, b->graph_count);
    COB_NEW(d->y, b->graph_count);
    COB_TRY(cob_layout_graph(b->graph_count, b->edges, b->edge_count, d->x, d->y, err));
    snprintf(text, sizeof text, "%d", d->colour);
    cob_font(d->figure, COB_TITLE_FONT, true);
    cob_ink_colour(d->figure, d->colour, 1);
    cob_draw_text(d->figure, d->left + 4, d->top + 8, COB_LEFT, text);
    double number = cob_text_width(d->figure, text) + 10;
    cob_ink_grey(d->figure, 0);
    cob_font(d->figure, COB_TITLE_FONT, false);
    fit_text(d->figure, b->name, WIDTH - number - 6, text, sizeof text);
    cob_draw_text(d->figure, d->left + number, d->top + 8, COB_LEFT, text);
    draw_edges(d);
    draw_nodes(d);
done:
    cob_free(d->x);
    cob_free(d->y);
    return status;
}

cobloc_status cob_plot_graphs(const char *path, cob_report_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_figure *f = NULL;
    COB_TRY(cob_report_data_describe(data, err));
    int count = data->about->k, in_a_row = count < IN_A_ROW ? count : IN_A_ROW;
    int rows = (count + in_a_row - 1) / in_a_row;
    double top = cob_head_height(data->report.title);
    COB_TRY(cob_figure_create(path, 2 * COB_MARGIN + in_a_row * WIDTH,
                              top + rows * HEIGHT + COB_MARGIN, &f, err));
    cob_draw_head(f, data->report.title);
    for (int k = 0; k < count; k++) {
        drawing d = {.figure = f,
                     .data = data,
                     .bloc = &data->about->blocs[k],
                     .colour = k,
                     .left = COB_MARGIN + k % in_a_row * WIDTH,
                     .top = top + k / in_a_row * HEIGHT};
        COB_TRY(draw_bloc(&d, err));
    }
    COB_TRY(cob_figure_commit(f, err));
done:
    cob_figure_close(f);
    return status;
}
