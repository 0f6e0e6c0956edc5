/* Outcomes: made, filled, released.
 * SPDX-License-Identifier: MIT
 */
#include "engine/outcome.h"

#include "base/alloc.h"

void cob_outcome_of_run(cob_run *run, cob_outcome *out)
{
    const cob_run_side *rows = &run->side[COB_ROWS], *cols = &run->side[COB_COLS];
    *out = (cob_outcome){.g = rows->clusters,
                         .m = cols->clusters,
                         .restart = run->restart,
                         .row_labels = rows->labels,
                         .col_labels = cols->labels,
                         .row_soft = rows->soft,
                         .col_soft = cols->soft,
                         .block = run->stats.block,
                         .parameters = run->theta.delta,
                         .pi = run->theta.pi,
                         .rho = run->theta.rho,
                         .criterion = run->criterion,
                         .iterations = (int)run->trace_count,
                         .trace = run->trace,
                         .trace_count = run->trace_count,
                         .kept = run->kept,
                         .stop = run->stop,
                         .run = run};
}

cobloc_status cob_outcome_alloc(cob_outcome *o, int64_t rows, int64_t cols, int g, int m,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *o = (cob_outcome){.g = g, .m = m};
    COB_NEW_ZERO(o->row_labels, rows);
    COB_NEW_ZERO(o->col_labels, cols);
done:
    return status;
}

void cob_outcome_free(cob_outcome *o)
{
    void *const arrays[] = {o->row_labels, o->col_labels, o->row_soft, o->col_soft, o->block,
                            o->parameters, o->pi,         o->rho,      o->trace,    o->components};
    if (o->run)
        cob_run_free(o->run);
    else
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            cob_free(arrays[i]);
    *o = (cob_outcome){0};
}

cobloc_status cob_outcome_note(cob_outcome *o, double criterion, cobloc_error *err)
{
    o->criterion = criterion;
    o->iterations++;
    return cob_push_number(&o->trace, &o->trace_count, &o->trace_capacity, criterion, err);
}
