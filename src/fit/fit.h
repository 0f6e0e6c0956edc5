/* Behind cobloc_fit: preparing the matrix, running the restarts, numbering the clusters.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_FIT_H
#define COB_FIT_FIT_H

#include "engine/starts.h"
#include "fit/algorithm.h"

/* The matrix as the algorithm wants it, and the way back to the user's rows and columns. */
typedef struct cob_prepared {
    const cobloc_matrix *x; /* one of the two below, a shared copy, or the user's own */
    cob_weighing how;       /* what was done to the entries */
    cobloc_matrix *weighted, *filled;
    cob_part part;              /* with ranks in it: entries of x are there for these lines only; */
    bool apart;                 /* some rank has its own share of the entries only; */
    cob_weigher *weigher;       /* what weighs those of all, or NULL, */
    const cobloc_matrix *from;  /* in the user's matrix; NULL: x has them, but for their weight; */
    const cobloc_matrix *file;  /* and that matrix; NULL without ranks in the part */
    int32_t *row_map, *col_map; /* the number in x of each row and column of the user's, or -1 */
    int32_t *fix_rows, *fix_cols, *start_rows, *start_cols; /* of x; or NULL */
    double *row_effects, *col_effects;
    cobloc_copartition *base; /* what the user wants joined, of x, */
    int32_t *base_labels;     /* in here: rows and columns of each */
} cob_prepared;

/* Weighted copies of one matrix, made once for many fits; NULL where there is none. */
typedef struct cob_copies {
    cobloc_matrix *of[2][COB_WEIGHTS]; /* as they are, and as counts */
    cob_weighing how[2][COB_WEIGHTS];
    bool narrow; /* weights are floats */
} cob_copies;

/* Makes the copy that is weighed so, if the matrix itself does not do. They borrow from it. */
cobloc_status cob_copies_make(cob_copies *copies, const cobloc_matrix *matrix, cob_weighing how,
                              cobloc_error *err);
void cob_copies_free(cob_copies *copies);
/* The matrix that is weighed so: the copy, or itself. */
const cobloc_matrix *cob_copies_find(const cob_copies *copies, const cobloc_matrix *matrix,
                                     cob_weighing how);

/* How the entries were weighed that a result is of. */
cob_weighing cob_result_weighing(const cobloc_result *result);

/* Options that were set by name know how long their arrays are: these must fit the matrix. */
cobloc_status cob_check_lengths(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                cobloc_error *err);

/* Where `copies` are given, a weighted copy is taken from these, or made there, unless ranks have
 * parts of it. `sharing`: ranks that share the lines, or NULL. */
cobloc_status cob_prepare(const cobloc_matrix *matrix, cob_copies *copies,
                          const cobloc_fit_options *options, const cob_algorithm *algorithm, int k,
                          int l, cob_ranks *sharing, cob_prepared *prepared, cobloc_error *err);
void cob_prepared_free(cob_prepared *prepared);

/* cobloc_matrix_verify where the ranks of a fit, if there are any, share the work. */
cobloc_status cob_verify_together(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                  cobloc_error *err);

/* Whether all that a fit does to its matrix can be done by ranks of which each looks at its own
 * lines only. Otherwise they share passes, and each prepares all lines. */
bool cob_can_part(const cobloc_matrix *x, const cobloc_fit_options *options,
                  const cob_algorithm *algorithm, int k, int l);

/* How many lines of a side differ from each other; or `enough` and more, once so many are found. */
cobloc_status cob_count_different(const cobloc_view *view, int64_t enough, const cob_part *part,
                                  int side, int64_t *different, cobloc_error *err);

/* Refuses what an algorithm cannot take: negative values, missing cells, numbers that are no codes.
 */
cobloc_status cob_check_entries(const cobloc_matrix *matrix, const cob_algorithm *algorithm,
                                cobloc_error *err);

/* Refuses an effect that is not positive, or too large or small to compute with; `what`: of a row
 * or column. */
cobloc_status cob_check_effect(double effect, int64_t line, const char *what, cobloc_error *err);

/* What is to be done: shared by all restarts. */
typedef struct cob_task {
    cob_algorithm algorithm;
    int k, l;
    cobloc_inference inference;
    cobloc_start start;
    uint64_t seed;
    int restarts, threads;
    int until_same; /* no more restarts once so many have found the same best; 0: all of them */
    cob_watch watch;
    cob_checkpoint *kept; /* NULL: none is kept */
    uint64_t key;         /* of this fit in it */
    cob_ranks *ranks;     /* NULL: there is one process */
    cob_ranks *group;     /* those that share every start with this one; NULL: none do */
    int groups, own;      /* how many groups there are, and which this is: start number i is that */
                          /* of group i modulo their number */
    double keep_every;    /* seconds */
    double progress_made;
    cob_standing standing;
    cob_prepared prepared;
    cob_problem problem; /* of a model, */
    cob_start_data data;
    cob_method_problem method; /* or of a method, */
    void *method_shared;       /* with what it prepared */
} cob_task;

/* What the restarts gave, beside the best outcome. */
typedef struct cob_restarts {
    cobloc_stop stop; /* why not all were run; COBLOC_STOP_CONVERGED: all were */
    double *criteria; /* of each; NaN: not run */
    double *means,
        *squares; /* with SEM-Gibbs: of the block parameters that each chain drew, its
                     clusters in canonical order, restarts by parameters by (g by m); else NULL */
    int *draws;   /* how many each drew */
} cob_restarts;

cobloc_status cob_restarts_alloc(const cob_task *task, cob_restarts *restarts, cobloc_error *err);
void cob_restarts_free(cob_restarts *restarts);

/* Keeps what a chain drew, its clusters numbered canonically so that chains can be compared. */
cobloc_status cob_keep_chain(const cob_task *task, const cob_outcome *outcome, cob_restarts *r,
                             cobloc_error *err);

/* From so many entries on, what fits and restarts free is returned before the next; of a smaller
 * table it is too little to be worth a call. */
enum { COB_WORTH_RETURNING = 500000 };

/* Whether one outcome is to be kept rather than another: of equals the earlier one. */
bool cob_outcome_beats(const cob_algorithm *algorithm, const cob_outcome *a, const cob_outcome *b);

/* Rejects a limit that is less than what a start keeps of every row and column; 0: no limit. */
cobloc_status cob_check_budget(const cobloc_matrix *matrix, double max_memory, cobloc_error *err);

/* Rejects a time limit where ranks choose among fits: by their clocks, they would not all make the
 * same ones. */
cobloc_status cob_check_time_limit(const cobloc_fit_options *options, cobloc_error *err);

/* How many restarts run at the same time: one on all threads, or each on one. */
int cob_runs_at_once(const cob_algorithm *algorithm, int64_t entries, int restarts, int threads);

/* The same for the starts that this process runs. */
int cob_task_at_once(const cob_task *task);

/* The same where a device may do their passes, and they do not go in step. */
int cob_task_beside_device(const cob_task *task);

/* Runs all restarts; `best` may hold an outcome that they have to better. `restarts` is the
 * caller's to free, also on failure. */
cobloc_status cob_run_race(const cob_task *task, cob_restarts *restarts, cob_outcome *best,
                           cobloc_error *err);

/* The same with the further start that the model may have (see cob_model). */
cobloc_status cob_run_restarts(const cob_task *task, cob_restarts *restarts, cob_outcome *best,
                               cobloc_error *err);

/* The largest Gelman-Rubin statistic of all block parameters over the chains; NaN with fewer than
 * two. */
double cob_r_hat(const cob_restarts *restarts, int count, int cells);

/* New numbers of the clusters, largest first: rows[k] is the new number of k. */
cobloc_status cob_canonical_order(const cob_task *task, const cob_outcome *outcome, int *rows,
                                  int *cols, cobloc_error *err);

/* A row cluster with fewer rows than so many is dust: a handful beside giants. */
double cob_dust_below(const cobloc_result *result);

/* Makes the user's result of the best outcome. */
cobloc_status cob_make_result(const cobloc_matrix *matrix, const cob_task *task,
                              const cob_outcome *outcome, cobloc_result **out, cobloc_error *err);

/* cobloc_fit with an algorithm that need not be in the list. */
cobloc_status cob_fit(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                      const cob_algorithm *algorithm, cobloc_result **out, cobloc_error *err);

/* The same, with copies of the matrix that several fits share. */
cobloc_status cob_fit_sharing(const cobloc_matrix *matrix, cob_copies *copies,
                              const cobloc_fit_options *options, const cob_algorithm *algorithm,
                              cobloc_result **out, cobloc_error *err);

/* cobloc_fit where k is left open: chooses it first (src/select/size.c). */
cobloc_status cob_fit_sized(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                            cobloc_result **out, cobloc_error *err);

/* Fills in ICL, modularity and explained information, all of the labels as they stand: a model's
 * run is measured by them, memberships and averages of draws are left aside. */
cobloc_status cob_assess(const cob_task *task, const cob_outcome *outcome, cobloc_result *result,
                         cobloc_error *err);

/* Sets options for a fit of the model and weight of `result` whose labels are these, kept fixed. */
cobloc_status cob_keep_options(const cobloc_result *result, int k, int l, const int32_t *rows,
                               const int32_t *cols, cobloc_fit_options *options, cobloc_error *err);

#endif
