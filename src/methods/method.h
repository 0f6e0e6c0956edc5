/* A method clusters without the engine's loop (spectral methods, factorisations, k-means and the
 * like), behind the same fit.
 *
 * A method does one start. The fit around it weights the matrix, drops empty lines, runs the
 * restarts in parallel, keeps the best, numbers the clusters and makes the result; cob_method_start
 * does what all methods share (columns of one-sided methods, blocks, proportions).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_METHOD_H
#define COB_METHODS_METHOD_H

#include "base/empty.h"
#include "base/kmeans.h"
#include "engine/outcome.h"
#include "matrix/directions.h"
#include "methods/copartition.h"
#include "methods/placement.h"

/* One start: what to cluster, and how. */
typedef struct cob_method_problem {
    const cobloc_matrix *x; /* weighted, without empty lines */
    cobloc_view rows, cols; /* of x */
    cobloc_weight weight;   /* how its entries were weighted; never auto */
    int k, l;
    cobloc_inference inference;             /* one that the method supports */
    cobloc_start start;                     /* auto, or one that the method supports */
    const int32_t *start_rows, *start_cols; /* with COBLOC_START_LABELS; cols may be NULL */
    const int32_t *fix_rows, *fix_cols;     /* known labels, -1: free; NULL unless the method
                                               supports them */
    const cobloc_copartition *base;         /* co-clusterings of x to combine, */
    int base_count;                         /* if the method supports them; otherwise 0 */
    int max_iterations;
    double tolerance; /* relative change of the criterion */

    uint64_t seed;          /* random numbers: cob_stream_at(seed, restart, iteration, purpose) */
    uint32_t restart;       /* number of this start; how many there are is not known */
    int threads;            /* for this start; the result must not depend on it */
    const cob_watch *watch; /* call cob_method_must_end once per iteration */
    const void *shared;     /* what `prepare` made */
} cob_method_problem;

typedef struct cob_method {
    const char *name;
    const char *title;     /* one-sided methods mention it */
    const char *criterion; /* name of the criterion, in results */
    bool minimised;        /* a smaller criterion is better */
    bool diagonal;         /* row cluster k goes with column cluster k, so l = k */
    bool one_sided;        /* clusters only rows; columns are assigned to row clusters, so l = k */
    bool zeros_matter;     /* rows and columns without entries are informative */
    bool binary;           /* uses only whether a cell is non-zero */
    bool unit_rows;        /* rows of X must have unit length: by row norm or TF-IDF */
    bool soft;             /* it also has soft inference: memberships that sum to 1 */
    bool members;          /* it combines co-clusterings: it uses `base` */
    bool certain;          /* deterministic: one start is enough */
    bool known_labels;     /* it supports fix_rows and fix_cols */
    unsigned starts;       /* supported starts besides auto: 1u << COBLOC_START_RANDOM | ... */
    cobloc_weight weight;  /* the default */
    int restarts;          /* the usual number of starts; 0: that of most */
    const cob_placement *placement; /* of new rows; NULL: not possible */

    /* Bytes that a start needs, if they grow faster than the entries of x: with the square of the
     * rows and columns, or with the counts; NULL: they do not. */
    double (*memory)(const cobloc_matrix *x, int k);

    /* Makes what all starts share, once, with all threads (problem->restart is 0); NULL: nothing.
     * It is passed to every start as problem->shared, and to `release` at the end (never NULL). */
    cobloc_status (*prepare)(const cob_method_problem *problem, void **shared, cobloc_error *err);
    void (*release)(void *shared);

    /* One start. `out` has memory for the labels; everything else is 0 or NULL. Fills the row
     * labels (each of 0 .. k-1 at least once: see cob_repair_empty), the column labels unless the
     * method is one-sided, the criterion, iterations and stop (if not converged); and if it has
     * them the trace (cob_outcome_note does all three), memberships, parameters (NULL: the lift of
     * each block), components and kept. It allocates arrays with COB_NEW; they belong to `out`,
     * also on failure.
     */
    cobloc_status (*fit)(const cob_method_problem *problem, cob_outcome *out, cobloc_error *err);
} cob_method;

/* Runs one start of a method and completes its outcome. On failure `out` holds nothing. */
cobloc_status cob_method_start(const cob_method *method, const cob_method_problem *problem,
                               cob_outcome *out, cobloc_error *err);

/* ---- for methods ----------------------------------------------------------------------------- */

/* Whether a start, which is `done` (0 to 1) of the way, must end: it is cancelled or out of time.
 * out->stop then says which, and the current labels are the answer. */
bool cob_method_must_end(const cob_method_problem *problem, double done, cob_outcome *out);

/* For methods that begin with row labels: the starts (besides auto) that cob_method_labels
 * supports, random labels and the user's, and these labels. No cluster is left empty. */
#define COB_METHOD_STARTS (1u << COBLOC_START_RANDOM | 1u << COBLOC_START_LABELS)
cobloc_status cob_method_labels(const cob_method_problem *problem, int32_t *labels,
                                cobloc_error *err);

/* For `prepare` and `release` of methods that begin with k-means of directions: their factors.
 * Nothing if the matrix is already weighted like that, or the start is another. */
cobloc_status cob_method_directions(const cob_method_problem *problem, void **shared,
                                    cobloc_error *err);
void cob_method_directions_free(void *shared);
/* Rows (side 0) or columns (1), weighted with these factors. */
cob_weighed cob_method_directed(const cob_method_problem *problem, int side);

/* Runs rounds of k-means (data, round and value are set) within the problem's limits. Sets out's
 * iterations and stop, and if the value is the criterion, the trace and kept. */
cobloc_status cob_method_settle(const cob_method_problem *problem, cob_rounds rounds,
                                bool is_criterion, cob_outcome *out, cobloc_error *err);

/* Counts an iteration with its criterion. *ends: the start must end, because this was the last
 * iteration, or it is cancelled or out of time. */
cobloc_status cob_method_note(const cob_method_problem *problem, double criterion, bool *ends,
                              cob_outcome *out, cobloc_error *err);

#endif
