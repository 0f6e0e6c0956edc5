/* What a report and the pictures of a result share: its gaps filled in, lines in order, and which
 * blocks belong to which bloc.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_DATA_H
#define COB_REPORT_DATA_H

#include "report/order.h"

#include <stdbool.h>

typedef struct cob_report_data {
    cobloc_report report; /* with words for rows and columns */
    bool diagonal;        /* row cluster k goes with column cluster k, and with no other */
    bool minimised;       /* the criterion */
    const char *model_title;
    cob_order rows, cols;
    int64_t *counts; /* k by l: how many entries there are */
    double *lifts;   /* k by l: times as many (by weight) as if rows knew nothing of columns */
    bool *own;       /* k by l: the block belongs to the bloc of its rows */
    const cobloc_description *about; /* NULL before cob_report_data_describe */
    cobloc_description *own_about;   /* where the report came without one */
    int *col_blocs;                  /* l: the bloc whose colour a column cluster wears; -1: none */
} cob_report_data;

/* Zero-initialise `data`; release it in any case. */
cobloc_status cob_report_data_make(const cobloc_report *report, cob_report_data *data,
                                   cobloc_error *err);
/* Sets `about`, too: that takes a look at all entries. */
cobloc_status cob_report_data_describe(cob_report_data *data, cobloc_error *err);
void cob_report_data_free(cob_report_data *data);

#endif
