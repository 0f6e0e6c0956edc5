/* What one start gives, by whichever way: a model in the engine, or a method of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_OUTCOME_H
#define COB_ENGINE_OUTCOME_H

#include "engine/engine.h"

typedef struct cob_outcome {
    int g, m;
    uint32_t restart;
    int32_t *row_labels, *col_labels; /* of the rows and columns that are clustered */
    double *row_soft, *col_soft;      /* rows by g, columns by m; NULL: there are none */
    double *block;                    /* g by m: the sums of the entries */
    double *parameters;               /* g by m */
    double *pi, *rho;                 /* the shares of the clusters */
    double *components;               /* columns by g: what rows are made of; NULL: of nothing */
    double criterion;
    int iterations;
    double *trace; /* the criterion after each iteration */
    size_t trace_count, trace_capacity;
    double modularity; /* where `own_modularity`: of what a method clusters, if that is not X */
    bool own_modularity;
    int kept; /* clusters that hold only because none may become empty */
    cobloc_stop stop;
    cob_run *run; /* the engine's, to which the arrays belong; NULL: they belong to this */
} cob_outcome;

/* Takes the run over. */
void cob_outcome_of_run(cob_run *run, cob_outcome *out);

/* Room for the labels of `rows` and `cols` lines, all 0; nothing else. */
cobloc_status cob_outcome_alloc(cob_outcome *outcome, int64_t rows, int64_t cols, int g, int m,
                                cobloc_error *err);
void cob_outcome_free(cob_outcome *outcome);

/* Sets the criterion, adds it to the trace and counts an iteration. */
cobloc_status cob_outcome_note(cob_outcome *outcome, double criterion, cobloc_error *err);

#endif
