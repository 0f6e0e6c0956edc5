/* The engine: the one loop that every block model runs in.
 *
 *     repeat
 *       XW = X.W;   score the rows;     assign them;     statistics;  parameters
 *       XZ = X'.Z;  score the columns;  assign them;     statistics;  parameters
 *     until nothing moves, or the criterion stops moving
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_ENGINE_H
#define COB_ENGINE_ENGINE_H

#include "base/watch.h"
#include "base/empty.h"
#include "engine/model.h"
#include "matrix/matrix.h"

/* What is to be clustered, and how: shared by all runs, never changed by them. */
typedef struct cob_problem {
    const cobloc_matrix *x;
    cobloc_view rows, cols;
    const double *row_effects, *col_effects;
    const cob_model *model;
    cob_model_settings settings;
    int g, m;
    const int32_t *fix_rows, *fix_cols; /* known labels, -1: free; or NULL */

    cobloc_inference inference;
    int max_iterations;
    double tolerance;   /* of the criterion, relative */
    double temperature; /* stochastic inference of models without probabilities: at its start */
    int stochastic;     /* iterations of the stochastic part, */
    int burn_in;        /* and how many of them are not averaged */
    uint64_t seed;

    cob_watch watch;
    int at_once; /* runs that go on at the same time; 0: one */

    /* Sums over the matrix, made once. */
    double total, row_effect, col_effect, squares, constant;
    size_t spare; /* bytes that a run may take for each side to save looking at entries again */
    bool sums_as_effects;
} cob_problem;

/* Fills in the views and sums from x, the effects (the margins where NULL) and the model. */
void cob_problem_measure(cob_problem *problem);

/* One run: its memberships, and all the room it needs. */
typedef struct cob_run {
    const cob_problem *problem;
    int g, m, threads;
    int32_t *row_labels, *col_labels;
    double *row_soft, *col_soft; /* only with soft inference */
    cob_stats stats, turned;     /* `turned` and `turned_theta`: room for the columns' rule */
    cob_theta theta, turned_theta;
    cob_rule row_rule, col_rule;
    cob_pass_room *row_room, *col_room;
    int32_t *best_rows, *best_cols; /* the best partition seen, for stochastic inference */

    uint16_t *row_counts, *col_counts; /* how often each label was drawn */
    cob_theta mean, square;            /* of the parameters drawn after the burn-in, */
    int draws;                         /* of which there are so many */

    uint32_t restart;
    uint32_t iteration; /* of all phases together: addresses the random numbers */
    double entropy_rows, entropy_cols;
    double criterion;
    double *trace; /* the criterion after each iteration */
    size_t trace_count, trace_capacity;
    int kept; /* clusters held alive in the last iteration */
    cobloc_stop stop;
} cob_run;

/* Room for `g` by `m` clusters, which may differ from the problem's (starts use more). */
cobloc_status cob_run_new(const cob_problem *problem, int g, int m, uint32_t restart, int threads,
                          cob_run **out, cobloc_error *err);
void cob_run_free(cob_run *run);

/* Takes the labels as they stand and computes statistics, parameters and criterion. */
void cob_run_measure(cob_run *run);

/* The statistics of hard labels, with the sums of the matrix as effects; `stats` has room for them.
 */
cobloc_status cob_measure_labels(const cobloc_matrix *x, const int32_t *rows, const int32_t *cols,
                                 int threads, cob_stats *stats, cobloc_error *err);

/* Iterates from the labels as they stand, with the problem's inference. */
cobloc_status cob_run_iterate(cob_run *run, cobloc_error *err);

/* At most `iterations` of hard inference: for starts. */
cobloc_status cob_run_refine(cob_run *run, int iterations, cobloc_error *err);

static inline bool cob_is_soft(cobloc_inference inference)
{
    return inference == COBLOC_SOFT || inference == COBLOC_SVEM;
}

static inline bool cob_is_stochastic(cobloc_inference inference)
{
    return inference == COBLOC_STOCHASTIC || inference == COBLOC_SVEM;
}

/* True where criterion a is better than b, for the model. */
static inline bool cob_better(const cob_model *model, double a, double b)
{
    return model->minimised ? a < b : a > b;
}

#endif
