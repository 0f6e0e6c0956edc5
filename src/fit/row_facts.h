/* What the folder of a result says about each row besides its cluster. The room of descriptions
 * finds it (describe/row_facts.c), because it knows what clusters are about.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_ROW_FACTS_H
#define COB_FIT_ROW_FACTS_H

#include "fit/fit.h"

typedef struct cob_row_facts {
    int k;
    char **bloc_names; /* of the row clusters: their most telling columns */
    double *margins;   /* how far a row's score is above that of its second choice; infinite: there
                          is none */
    int32_t *seconds;  /* the second choice; -1: none */
} cob_row_facts;

/* The caller frees them, also after a failure. */
cobloc_status cob_row_facts_find(const cobloc_result *result, const cobloc_matrix *matrix,
                                 cob_row_facts *facts, cobloc_error *err);
void cob_row_facts_free(cob_row_facts *facts);

#endif
