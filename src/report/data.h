/* What a report and the pictures of a result share: defaults filled in, rows and columns in order,
 * and which blocks belong to which bloc.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_DATA_H
#define COB_REPORT_DATA_H

#include "report/charts.h"
#include "report/entries.h"
#include "score/scores.h"

#include <stdbool.h>

typedef struct cob_report_data {
    cobloc_report report; /* with defaults for row_word and col_word */
    bool diagonal;        /* row cluster k is paired with column cluster k */
    bool minimised;       /* the criterion is minimised */
    const char *model_title;
    cob_order rows, cols;
    int64_t *counts; /* k by l: number of entries */
    double *lifts;   /* k by l: sum of the block, relative to independent rows and columns */
    bool *own;       /* k by l: whether the block belongs to the bloc of its rows */
    const cobloc_description *about; /* NULL before cob_report_data_describe */
    cobloc_description *own_about;   /* made here if the report has none */
    int *col_blocs;                  /* l: the bloc whose colour a column cluster has; -1: none */
} cob_report_data;

/* The number of points in the report's curve. */
static inline int cob_curve_length(const cobloc_report *report)
{
    return report->curve ? report->curve->count : 0;
}

/* `data` must be zero-initialised; free it even after a failure. */
cobloc_status cob_report_data_make(const cobloc_report *report, cob_report_data *data,
                                   cobloc_error *err);
/* Sets `about`. This reads all entries. */
cobloc_status cob_report_data_describe(cob_report_data *data, cobloc_error *err);
void cob_report_data_free(cob_report_data *data);

/* ---- positions for the nodes of a graph (layout.c) ------------------------------------------- */

/* Sets x and y of each node, from 0 to 1. The result is deterministic. */
cobloc_status cob_layout_graph(int nodes, const cobloc_edge *edges, int edge_count, double *x,
                               double *y, cobloc_error *err);

#endif
