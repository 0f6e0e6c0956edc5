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
#include "device/held.h"
#include "engine/operand.h"
#include "matrix/elsewhere.h"
#include "matrix/share.h"

static inline cobloc_view cob_matrix_view(const cobloc_matrix *x, cob_axis side)
{
    return side == COB_ROWS ? cobloc_matrix_by_rows(x) : cobloc_matrix_by_cols(x);
}

static inline const double *cob_matrix_sums(const cobloc_matrix *x, cob_axis side)
{
    return side == COB_ROWS ? cobloc_matrix_row_sums(x) : cobloc_matrix_col_sums(x);
}

/* What a problem knows of its rows, or of its columns. */
typedef struct cob_problem_side {
    cobloc_view view;
    const double *sums;    /* of each line, of values on the operand's grid */
    double *own_sums;      /* these, if they are not the matrix's own */
    const double *effects; /* of each line: its sum, where the user gave no others */
    cob_value_grid grid;   /* of the effects */
    const int32_t *fixed;  /* known labels, -1: free; or NULL */
    double effect;         /* the sum of the effects */
    int clusters;
} cob_problem_side;

/* What is to be clustered, and how: shared by all runs, never changed by them. */
typedef struct cob_problem {
    const cobloc_matrix *x;
    cob_problem_side side[2];
    const cob_model *model;
    cob_operand operand; /* what passes go over */

    cobloc_inference inference;
    int max_iterations;
    double tolerance;   /* of the criterion, relative */
    double temperature; /* stochastic inference of models without probabilities: at its start */
    int drawn;      /* so many iterations first draw the columns in proportion to their scores */
    int stochastic; /* iterations of the stochastic part, */
    int burn_in;    /* and how many of them are not averaged */
    uint64_t seed;

    cob_device *device;   /* to pass over the lines, where it can; NULL: this processor does */
    bool device_optional; /* a device that cannot hold the matrix is no failure */
    cob_held *held;       /* the lines on the device; NULL: they are not there */

    cob_ranks *ranks;   /* that share the lines of every pass; NULL: all are this process's */
    cob_share share[2]; /* those of this rank, if they do */
    cob_part part;      /* with ranks in it: entries of x are there for these lines only */
    bool apart;         /* some rank has its own entries only: none looks at those of others */
    const cobloc_matrix *whole;  /* then, or NULL: x before it was weighed, with its empty lines, */
    const cobloc_matrix *file;   /* what both were made from, or NULL; */
    const int32_t *numbers[2];   /* the numbers of its rows and columns in x, NULL: the same; */
    const cob_weigher *weigher;  /* what it was weighed by, or NULL */
    cob_known_sums *known;       /* sums over its values that other fits have made; or NULL */
    cob_elsewhere *elsewhere[2]; /* entries of the lines of other ranks; NULL: all are there */

    cob_watch watch;
    int at_once; /* runs that go on at the same time; 0: one */
    int threads; /* for what is made once; 0: as many as there are */

    /* Sums over the matrix, made once. */
    double total, squares, constant;
    size_t spare; /* bytes that a run may take for each side to save looking at entries again */
    bool sums_as_effects;
} cob_problem;

/* Fills in the operand, the views and the sums from x, the effects (the margins where NULL) and the
 * model. */
cobloc_status cob_problem_measure(cob_problem *problem, cobloc_error *err);
/* Releases what that made. */
void cob_problem_free(cob_problem *problem);

/* The memberships of rows, or of columns, and the room for their passes. */
typedef struct cob_run_side {
    int clusters;
    int32_t *labels;
    double *soft;     /* lines by clusters; only with soft inference */
    uint16_t *counts; /* lines by clusters: how often each label was drawn */
    int64_t *masses;  /* the effects of each cluster's lines, in units */
    double entropy;   /* of the soft memberships */
    cob_rule rule;
    cob_lent lent; /* these memberships, as the other side takes them */
    cob_pass_room *room;
} cob_run_side;

/* Labels of rows and of columns. */
typedef struct cob_labels {
    int32_t *of[2];
} cob_labels;

/* What a run is doing, where its state can be kept between two steps of it (engine/resume.h). */
typedef enum cob_phase {
    COB_NO_PHASE,  /* what is done from the beginning again */
    COB_REFINING,  /* iterations after the start */
    COB_POLISHING, /* clusters are split and merged; a step is a round */
    COB_SAMPLING,  /* SEM-Gibbs: parameters are drawn, */
    COB_DRAWING,   /* then labels */
    COB_ANNEALING,
    COB_SETTLING, /* the last iterations */
    COB_DONE
} cob_phase;

/* A place in such work. */
typedef struct cob_place {
    cob_phase phase;
    int step;     /* that comes next, */
    int more;     /* and what else goes on: polishing: failures; iterations: 1, they have settled */
    double value; /* annealing: the best criterion so far */
    bool resumed; /* the run was read back, and has not gone on yet */
} cob_place;

typedef struct cob_keeper cob_keeper;

/* One run: its memberships, and all the room it needs. */
typedef struct cob_run {
    const cob_problem *problem;
    int threads;
    cob_run_side side[2];
    cob_stats stats;
    int64_t *blocks; /* the blocks of the statistics, in units */
    cob_theta theta;
    cob_held_run *held;     /* the labels on the device, between the first pass and the last */
    cob_labels best;        /* of the best partition seen, for stochastic inference */
    cob_theta mean, square; /* of the parameters drawn after the burn-in, */
    int draws;              /* of which there are so many */

    uint32_t restart;
    uint32_t iteration; /* of all phases together: addresses the random numbers */
    double criterion;
    double *trace; /* the criterion after each iteration */
    size_t trace_count, trace_capacity;
    int kept; /* clusters held alive in the last iteration */
    cobloc_stop stop;

    cob_place place;
    cob_keeper *keeper; /* of its states; NULL: nobody keeps them */
    double keep_at;     /* on cob_clock: when the next is due */
    bool disturbed;     /* it was to end early: what it does from here on, it would not have done */
    bool sealed;        /* no further state is kept */
} cob_run;

/* Room for `g` by `m` clusters, which may differ from the problem's (starts use more). */
cobloc_status cob_run_new(const cob_problem *problem, int g, int m, uint32_t restart, int threads,
                          cob_run **out, cobloc_error *err);
void cob_run_free(cob_run *run);
/* The same for another restart of a run that has ended, whose room for passes it takes: what the
 * system has cleared once need not be cleared again. *ended is freed, and NULL afterwards. */
cobloc_status cob_run_again(cob_run **ended, uint32_t restart, cob_run **out, cobloc_error *err);

/* Gives every cluster without members a line of the largest, on both sides; fixed lines stay.
 * `filled`, which may be NULL, counts these clusters. */
cobloc_status cob_run_fill_empty(cob_run *run, int *filled, cobloc_error *err);

/* Room for labels; a run's labels aside, and back. */
cobloc_status cob_labels_alloc(cob_labels *labels, const cob_problem *problem, cobloc_error *err);
void cob_labels_free(cob_labels *labels);
void cob_keep_labels(const cob_run *run, const cob_labels *to);
void cob_take_labels(cob_run *run, const cob_labels *from);

/* Takes the labels as they stand and computes statistics, parameters and criterion. */
void cob_run_measure(cob_run *run);

/* The statistics of hard labels, with the sums of the matrix as effects; `stats` has room for them.
 */
cobloc_status cob_measure_labels(const cobloc_matrix *x, const int32_t *rows, const int32_t *cols,
                                 int threads, cob_stats *stats, cobloc_error *err);

/* Iterates from the labels as they stand, with the problem's inference. */
cobloc_status cob_run_iterate(cob_run *run, cobloc_error *err);

/* Hard inference of many runs from random labels, in step: their restarts follow each other, and
 * they have joined a team whose passes a device does together, in this order. Labels stay there. */
cobloc_status cob_iterate_together(cob_team *team, cob_run *const *runs, int count,
                                   cobloc_error *err);

/* At most `iterations` of hard inference: for starts. */
cobloc_status cob_run_refine(cob_run *run, int iterations, cobloc_error *err);

/* Brings labels back that a device holds, and in soft iterations memberships. */
void cob_fetch_labels(cob_run *run);

/* Whether a device that holds them has failed: passes do not say so. */
cobloc_status cob_check_held(const cob_run *run, cobloc_error *err);

/* How many rows, or columns, a problem has. */
static inline int64_t cob_line_count(const cob_problem *problem, cob_axis side)
{
    return problem->side[side].view.major;
}

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
