/* A matrix drawn as a picture, and tables as heat maps.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_PANEL_H
#define COB_REPORT_PANEL_H

#include "report/axes.h"
#include "report/data.h"

/* Draws the columns at places col_from to col_to - 1: in the order of the blocs and in their
 * colours, or in the original order and in black. */
typedef struct cob_panel {
    bool in_order;
    int64_t col_from, col_to;
    const char *title;
    double left, top, width, height; /* of the cells only */
} cob_panel;

/* The space around the cells, for the title and the cluster numbers. */
#define COB_PANEL_LEFT 16.0
#define COB_PANEL_TOP 30.0

cobloc_status cob_draw_panel(cob_figure *figure, const cob_report_data *data,
                             const cob_panel *panel, cobloc_error *err);

/* The columns of each bloc that go together, as graphs side by side. */
cobloc_status cob_plot_graphs(const char *path, cob_report_data *data, cobloc_error *err);

/* A table whose cells have a shade (0 to 1) and a text. */
typedef struct cob_heat {
    int rows, cols;
    const char *title, *row_title, *col_title; /* NULL: none */
    void (*row_name)(const void *user, int row, char text[64]);
    void (*col_name)(const void *user, int col, char text[64]);
    double (*shade)(const void *user, int row, int col);
    void (*text)(const void *user, int row, int col, char text[16]);
    const void *user;
} cob_heat;

cobloc_status cob_plot_heat(const char *path, const cob_heat *heat, cobloc_error *err);

#endif
