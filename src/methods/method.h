/* What a method is: something that clusters without the engine's loop (spectral methods,
 * factorisations, k-means and its kin), behind the same fit.
 *
 * A method does one start. The fit around it weighs the matrix, leaves out empty lines, runs the
 * restarts in parallel, keeps the best, numbers the clusters and makes the result; what is shared
 * by all methods (columns of one-sided ones, blocks, proportions) is done by cob_method_start.
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

/* One start: what is to be clustered, and how. */
typedef struct cob_method_problem {
    const cobloc_matrix *x; /* weighted, without the lines that hold nothing */
    cobloc_view rows, cols; /* of x */
    cobloc_weight weight;   /* what was done to its entries; never auto */
    int k, l;
    cobloc_inference inference;             /* one that the method takes */
    cobloc_start start;                     /* auto, or one that the method takes */
    const int32_t *start_rows, *start_cols; /* with COBLOC_START_LABELS; cols may be NULL */
    const int32_t *fix_rows, *fix_cols;     /* known labels, -1: free; NULL, save where the method
                                               takes them */
    const cobloc_copartition *base;         /* co-clusterings to join, of x, */
    int base_count;                         /* where the method takes them; 0: there are none */
    int max_iterations;
    double tolerance; /* of the criterion, relative */

    uint64_t seed;          /* random numbers: cob_stream_at(seed, restart, iteration, purpose) */
    uint32_t restart;       /* a start knows its number, and not how many there are */
    int threads;            /* for this start; the result must not depend on it */
    const cob_watch *watch; /* ask cob_method_must_end once an iteration */
    const void *shared;     /* what `prepare` made */
} cob_method_problem;

typedef struct cob_method {
    const char *name;
    const char *title;     /* a one-sided method says so in it */
    const char *criterion; /* its name, in results */
    bool minimised;        /* a smaller criterion is better */
    bool diagonal;         /* row cluster k goes with column cluster k, so l = k */
    bool one_sided;        /* clusters rows alone: columns are placed beside them, so l = k */
    bool zeros_matter;     /* rows and columns without entries say something */
    bool binary;           /* of X it takes only where it is not zero */
    bool unit_rows;        /* rows of X are of unit length: by row norm, or TF-IDF */
    bool soft;             /* it has soft inference, too: memberships that sum to 1 */
    bool members;          /* it joins co-clusterings: it takes `base` */
    bool certain;          /* nothing in it is random: one start is as good as many */
    bool known_labels;     /* it keeps to fix_rows and fix_cols */
    unsigned starts;       /* the starts it takes beside auto: 1u << COBLOC_START_RANDOM | ... */
    cobloc_weight weight;  /* what it wants where the user says nothing */
    const cob_placement *placement; /* of new rows; NULL: clusters are of the matrix as a whole */

    /* Bytes that it needs by the square of the rows and columns; NULL: its memory follows x. */
    double (*memory)(int64_t rows, int64_t cols);

    /* What all starts share, made once, with all threads (problem->restart is 0); NULL: nothing. It
     * is handed to every start as problem->shared, and to `release` in the end (never NULL). */
    cobloc_status (*prepare)(const cob_method_problem *problem, void **shared, cobloc_error *err);
    void (*release)(void *shared);

    /* One start. `out` comes with room for the labels, everything else 0 or NULL. Fills the row
     * labels (each of 0 .. k-1 at least once: see cob_repair_empty), the column labels unless the
     * method is one-sided, the criterion, iterations and stop (where it was not converged); and
     * where it has them the trace (cob_outcome_note does all three), memberships, parameters
     * (NULL: how much more a block holds than its margins would give it), components and kept.
     * Arrays it allocates with COB_NEW; they belong to `out`, also on failure. */
    cobloc_status (*fit)(const cob_method_problem *problem, cob_outcome *out, cobloc_error *err);
} cob_method;

/* Runs one start of a method and completes its outcome. On failure `out` holds nothing. */
cobloc_status cob_method_start(const cob_method *method, const cob_method_problem *problem,
                               cob_outcome *out, cobloc_error *err);

/* ---- for methods ----------------------------------------------------------------------------- */

/* True when a start must end, `done` (0 to 1) of the way: cancelled, or out of time; out->stop then
 * says which, and the labels as they stand are the answer. */
bool cob_method_must_end(const cob_method_problem *problem, double done, cob_outcome *out);

/* For methods that begin with labels of the rows: the starts (beside auto) that cob_method_labels
 * knows, random labels and the user's, and these labels. No cluster is left empty. */
#define COB_METHOD_STARTS (1u << COBLOC_START_RANDOM | 1u << COBLOC_START_LABELS)
cobloc_status cob_method_labels(const cob_method_problem *problem, int32_t *labels,
                                cobloc_error *err);

/* For `prepare` and `release` of methods that begin with k-means of directions: their factors;
 * nothing where the matrix is weighted so already, or the start is another. */
cobloc_status cob_method_directions(const cob_method_problem *problem, void **shared,
                                    cobloc_error *err);
void cob_method_directions_free(void *shared);
/* Rows (side 0) or columns (1) by these factors. */
cob_weighed cob_method_directed(const cob_method_problem *problem, int side);

/* Rounds of k-means (data, round and value are set) within the problem's limits; sets out's
 * iterations and stop, and where the value is the criterion, the trace and kept. */
cobloc_status cob_method_settle(const cob_method_problem *problem, cob_rounds rounds,
                                bool is_criterion, cob_outcome *out, cobloc_error *err);

/* Counts an iteration with its criterion; true when the start must end: at the last iteration it
 * may take, cancelled, or out of time. */
cobloc_status cob_method_note(const cob_method_problem *problem, double criterion, bool *ends,
                              cob_outcome *out, cobloc_error *err);

#endif
