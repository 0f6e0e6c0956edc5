/* The models and weights that are fitted side by side, where the user names none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_PANEL_H
#define COB_FIT_PANEL_H

#include "fit/fit.h"

enum { COB_MOST_MEMBERS = 10 };

typedef struct cob_member {
    const char *model;
    cobloc_weight weight;
    int starts; /* where the user says nothing */
    bool sizes; /* also asked how many clusters there are: not all are good at it */
} cob_member;

/* The members for a matrix that can do what the options ask for, with the weight that these ask
 * for; returns how many there are. */
int cob_panel(const cobloc_matrix *matrix, const cobloc_fit_options *options, cob_member *members);

#endif
