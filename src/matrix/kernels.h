/* The kernels: the only code that walks the non-zeros of a matrix on behalf of the engine.
 *
 * One pass goes over the lines of one side (rows, say). For each line it sums the entries over the
 * clusters of the other side (reduce), scores every cluster by the rule, assigns the line, and adds
 * it to the statistics of its new cluster: one look at each entry for all four.
 *
 * Sums over entries are sums of integers (grid.h): no sum depends on the order of lines, on the
 * number of threads or on the processor. Soft memberships are real numbers: their lines are taken
 * in a fixed number of chunks, whose statistics are added in their order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_KERNELS_H
#define COB_MATRIX_KERNELS_H

#include "base/error.h"
#include "base/random.h"
#include "matrix/grid.h"

#include <stdbool.h>

/* The rule by which lines choose among `to` clusters, given their sums over `from` clusters of the
 * other side: s_k = sum over l of sum_l A_kl + effect b_k + e_k. Where entries have several layers,
 * the clusters of the other side count once for each: `from` is layers times clusters, one layer
 * behind the other. A diagonal rule has as many clusters on both sides and A_kl = 0 off the
 * diagonal of each layer: A then holds the diagonals alone. */
typedef struct cob_rule {
    int to, from;
    bool diagonal;
    double *A; /* diagonal: `from` numbers; else A_kl stands at l * to + k */
    double *b;
    double *e;
} cob_rule;

/* How many numbers A has. */
static inline size_t cob_rule_cells(const cob_rule *rule)
{
    return (size_t)rule->from * (rule->diagonal ? 1 : (size_t)rule->to);
}

typedef enum cob_assign {
    COB_ASSIGN_KEEP, /* memberships stay: only the statistics are wanted */
    COB_ASSIGN_HARD, /* the cluster of the largest score */
    COB_ASSIGN_SOFT, /* probabilities proportional to exp(score) */
    COB_ASSIGN_DRAW, /* one cluster, drawn from those probabilities */
    COB_ASSIGN_SHARE /* one cluster, drawn in proportion to the scores, none of which is negative */
} cob_assign;

/* Room that a pass needs, made once for many passes. */
typedef struct cob_pass_room cob_pass_room;
/* For lines of `view` between any numbers of clusters up to these. `spare`: bytes that it may take
 * to save looking at entries again. */
cobloc_status cob_pass_room_new(const cobloc_view *view, int most_to, int most_from, int threads,
                                size_t spare, cob_pass_room **out, cobloc_error *err);
void cob_pass_room_free(cob_pass_room *room);
/* As if it were new. */
void cob_pass_room_renew(cob_pass_room *room);

/* Somebody else who holds the lines, and their labels, and takes the place of this processor's
 * loops: a device. */
struct cob_pass;
struct cob_hard;
struct cob_desk;
typedef struct cob_holder {
    /* What a pass will want that many runs do together, before it is done. */
    void (*announce)(struct cob_holder *holder, const struct cob_hard *hard);
    /* All lines of a hard pass; what they add to the statistics goes to the desk, and if a cluster
     * lost all members, also its keeper. */
    void (*lines)(struct cob_holder *holder, struct cob_pass *pass, const struct cob_hard *hard,
                  struct cob_desk *desk);
    /* All lines of a soft pass; sets `moved`, and returns the statistics of the chunks of lines as
     * soft.c has them; NULL after a failure. `units`: of each cluster of the other side. */
    const double *(*soft_lines)(struct cob_holder *holder, struct cob_pass *pass,
                                const double *units);
    /* The cluster in which the keeper of cluster k is, and its sums; and it goes back to k. */
    int (*recall)(struct cob_holder *holder, const struct cob_pass *pass, int k, int64_t line,
                  int64_t *sums);
    void (*put_back)(struct cob_holder *holder, const struct cob_pass *pass, int k, int64_t line);
} cob_holder;

/* Where several ranks share the lines (share.h): those of this one. */
typedef struct cob_share cob_share;

/* The entries of lines that other ranks have (elsewhere.h). */
typedef struct cob_elsewhere cob_elsewhere;

typedef struct cob_pass {
    const cobloc_view *view; /* the lines are its major side; all values are integers (grid.h) */
    const double *effects;   /* of each line */
    int to, from;
    int layers; /* the entries of a line stand layer behind layer, each with its own part of the
                   minor side and of `from`; 0 is 1 */
    const double *units;         /* of the entries of each layer; NULL: 1 */
    cob_value_grid effect_grid;  /* for sums of effects */
    const int32_t *other_labels; /* clusters of the other side: labels below `from`, */
    const double *other_soft;    /* or, where not NULL, memberships: (minor by `from`) / layers */

    cob_assign assign;
    const cob_rule *rule;       /* not for COB_ASSIGN_KEEP */
    const int32_t *fixed;       /* known labels of lines, -1: free; NULL: all free */
    cob_stream stream;          /* for draws: the random numbers, one a line */
    double temperature;         /* COB_ASSIGN_DRAW: scores are divided by this, */
    bool temperature_by_effect; /* and by the line's effect */

    int32_t *labels; /* in: of the last pass; out: the new ones (the most probable, if soft) */
    double *soft; /* out, COB_ASSIGN_SOFT: memberships, lines by `to`; in, COB_ASSIGN_KEEP: if not
                     NULL */

    /* The lines of the other side, where the statistics below are, before the pass, those of the
     * labels as they stand, and effects are the lines' sums: hard passes then look only at lines
     * that may move. Else NULL. */
    const cobloc_view *turned;
    cob_elsewhere *elsewhere; /* entries of some of these; NULL: all are there */

    cob_holder *holder; /* NULL: nobody else holds the lines */

    /* NULL: all lines are here. Else `view` has those of this rank, and arrays with something for
     * each line are whole: they begin that much before `effects`, `fixed`, `labels`, `soft`. */
    const cob_share *share;
    int64_t first; /* the number of the first line among all */

    double *block;         /* out: to by from, the sums of the blocks; NULL: not wanted */
    size_t down, across;   /* the block of k and l stands at k * down + l * across, */
    size_t layer;          /* and so much behind in the next layer, where l begins anew */
    double *sizes;         /* out: of the `to` clusters */
    double *masses;        /* out: the effects of their lines; NULL: not wanted */
    int64_t *exact_block;  /* out: blocks and masses in units, where no membership is soft: */
    int64_t *exact_masses; /* what the others are made of */
    double entropy;        /* out: of the soft memberships */
    int64_t moved;         /* out: how many labels changed */
    int kept;              /* out: how many lines were held back so that no cluster became empty */
} cob_pass;

static inline size_t cob_pass_block(const cob_pass *pass, int k, int l)
{
    if (pass->layers <= 1)
        return (size_t)k * pass->down + (size_t)l * pass->across;
    int clusters = pass->from / pass->layers;
    return (size_t)k * pass->down + (size_t)(l / clusters) * pass->layer +
           (size_t)(l % clusters) * pass->across;
}

static inline double cob_pass_unit(const cob_pass *pass, int l)
{
    if (!pass->units)
        return 1;
    return pass->layers > 1 ? pass->units[l / (pass->from / pass->layers)] : *pass->units;
}

/* Labels or statistics were changed outside of passes: nothing that is known of them holds. */
void cob_pass_forget(cob_pass_room *room);

/* How many whole passes those of this room so far amount to, by the entries that they looked at. */
double cob_pass_count(const cob_pass_room *room, const cobloc_view *view);

/* Runs a pass. A hard or drawn cluster never loses its last member: of those that were in it, the
 * one that loses least by staying stays. */
void cob_pass_run(cob_pass *pass, cob_pass_room *room);

/* Says what a hard pass will want of its holder, who is to do it together with others: between this
 * and cob_pass_run. */
void cob_pass_announce(cob_pass *pass, cob_pass_room *room);

/* out (major by columns) = view . dense (minor by columns). */
void cob_multiply(const cobloc_view *view, const double *dense, int columns, int threads,
                  double *out);

/* The same for one column, the fastest way. */
void cob_multiply_vector(const cobloc_view *view, const double *dense, int threads, double *out);

/* One line times all columns of `dense` (minor by columns), and times `count` of them: equal to the
 * bit. */
void cob_line_times(const cobloc_view *view, int64_t line, const double *dense, int columns,
                    double *out);
void cob_line_times_some(const cobloc_view *view, int64_t line, const double *dense, int columns,
                         const int *which, int count, double *out);

/* out (major by columns) = Q . other (minor by columns), with Q the entries of `view` over those of
 * the product own . other' (own: major by columns). `logs`, if not NULL: for each line, the sum of
 * its entries times the logarithms of their quotients. Where the product is 0 to the computer, the
 * quotient counts as 0 and the logarithm is large. */
void cob_multiply_quotients(const cobloc_view *view, const double *own, const double *other,
                            int columns, int threads, double *out, double *logs);

/* out (major by clusters): the entries of each line summed over the clusters of the other side. */
void cob_reduce(const cobloc_view *view, const int32_t *labels, int clusters, int threads,
                double *out);

#endif
