/* The fits of a selection.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SELECT_FITS_H
#define COB_SELECT_FITS_H

#include "select/select.h"

/* A selection that is being made. */
typedef struct cob_selecting {
    const cobloc_matrix *matrix;
    const cobloc_select_options *options;
    const char *const *models;
    int model_count;
    cobloc_selection *selection;
    double deadline;
    double begun;           /* of the progress, before the fits */
    double done, all, step; /* work done, total work and work of the current fit, in starts */
} cob_selecting;

/* Fits the sizes of the curve, those of one model behind each other, until time is over or the
 * caller cancels; the curve ends where no size has a result. */
cobloc_status cob_fit_sizes(cob_selecting *selecting, cobloc_error *err);

#endif
