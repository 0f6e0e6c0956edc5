/* Names of blocs, margins and second choices: the parts of a description that rows.tsv has.
 * SPDX-License-Identifier: MIT
 */
#include "fit/row_facts.h"

#include "base/alloc.h"
#include "describe/describe.h"

static cobloc_status take_names(cob_describing *d, cob_row_facts *facts, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW_ZERO(facts->bloc_names, d->r->k);
    facts->k = d->r->k;
    for (int k = 0; k < d->r->k; k++) {
        COB_TRY(cob_name_bloc(d->matrix, &d->out->blocs[k], err));
        COB_TRY(cob_copy_text(d->out->blocs[k].name, &facts->bloc_names[k], err));
    }
done:
    return status;
}

cobloc_status cob_row_facts_find(const cobloc_result *result, const cobloc_matrix *matrix,
                                 cob_row_facts *facts, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_describe_options few;
    cob_describing d = {.r = result, .matrix = matrix, .o = &few};
    cob_describe_options_default(&few);
    few.terms = COB_NAME_TERMS;
    few.pool = few.graph_terms = 1;
    COB_TRY(cob_describing_open(&d, err));
    COB_TRY(cob_find_terms(&d, err));
    COB_TRY(take_names(&d, facts, err));
    COB_NEW(facts->margins, result->n);
    COB_NEW(facts->seconds, result->n);
    COB_TRY(cob_find_margins(&d, facts->margins, facts->seconds, err));
done:
    cob_describing_free(&d);
    return status;
}

void cob_row_facts_free(cob_row_facts *facts)
{
    for (int k = 0; facts->bloc_names && k < facts->k; k++)
        cob_free(facts->bloc_names[k]);
    cob_free(facts->bloc_names);
    cob_free(facts->margins);
    cob_free(facts->seconds);
    *facts = (cob_row_facts){0};
}
