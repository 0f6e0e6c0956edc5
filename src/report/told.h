/* What a report and the pictures of a result share: its gaps filled in, lines in order, and which
 * blocks belong to which bloc.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_TOLD_H
#define COB_REPORT_TOLD_H

#include "report/order.h"
#include "score/scores.h"

#include <stdbool.h>

typedef struct cob_told {
    cobloc_report report; /* with words for rows and columns */
    bool diagonal;        /* row cluster k goes with column cluster k, and with no other */
    bool minimised;       /* the criterion */
    const char *model_title;
    cob_order rows, cols;
    int64_t *counts; /* k by l: how many entries there are */
    double *lifts;   /* k by l: times as many (by weight) as if rows knew nothing of columns */
    bool *own;       /* k by l: the block belongs to the bloc of its rows */
    const cobloc_description *about; /* NULL before cob_tell_about */
    cobloc_description *own_about;   /* where the report came without one */
    int *col_blocs;                  /* l: the bloc whose colour a column cluster wears; -1: none */
} cob_told;

/* How many sizes the report has a curve of. */
static inline int cob_curve_length(const cobloc_report *report)
{
    return report->curve ? report->curve->count : 0;
}

/* Zero-initialise `told`; release it in any case. */
cobloc_status cob_tell(const cobloc_report *report, cob_told *told, cobloc_error *err);
/* Sets `about`, too: that takes a look at all entries. */
cobloc_status cob_tell_about(cob_told *told, cobloc_error *err);
void cob_told_free(cob_told *told);

#endif
