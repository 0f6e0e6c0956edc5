/* What a model is: a few small functions of the statistics. It never sees the matrix.
 *
 * With XW = X.W the score of row i for cluster k is
 *
 *     s_ik = sum over l of XW_il A_kl  +  r_i b_k  +  e_k
 *
 * and a model says what (A, b, e) are. Columns follow the same rule on the statistics as they see
 * them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_MODEL_H
#define COB_ENGINE_MODEL_H

#include "engine/structure.h"
#include "matrix/kernels.h"

#include <stdbool.h>

/* What an entry is to a model. */
typedef enum cob_law {
    COB_LAW_NONE,       /* a weight, of which only sums matter */
    COB_LAW_POISSON,    /* a count; rows and columns have effects, which may be known */
    COB_LAW_BERNOULLI,  /* zero or not, and a zero says as much as a one */
    COB_LAW_GAUSSIAN,   /* a real number with a density; a zero is a number like others */
    COB_LAW_DIRECTIONAL /* a part of a row of unit length */
} cob_law;

/* What a step by the rule does to the criterion. */
typedef enum cob_ascent {
    COB_ASCENDS,    /* never makes it worse */
    COB_TAKES_BACK, /* may make it worse: such steps are taken back */
    COB_WANDERS     /* may make it worse, and is taken all the same, as it was published */
} cob_ascent;

typedef struct cob_model {
    const char *name;
    const char *title;
    const char *criterion;          /* its name, in results */
    const cob_structure *structure; /* what its column clusters mean */
    cob_law law;
    cob_ascent ascent;
    cobloc_inference inference; /* what it was published with */

    bool minimised;         /* a smaller criterion is better */
    bool likelihood;        /* scores are log-probabilities: soft inference is legal */
    bool equal_proportions; /* its clusters' proportions are equal, not estimated */
    bool diagonal_rule;     /* A is 0 off the diagonal: a line is scored by its own co-cluster */
    bool of_stats;          /* its criterion is one of the statistics, whatever the parameters */
    bool by_blocks;         /* its criterion is a sum over blocks and clusters, each of which has
                               its own parameters */

    /* A start policy: where every hard start of this model ends with clusters that had to be held,
     * the optimum of this other one is a further start, which is taken as it is; NULL: none. */
    const struct cob_model *further_start;

    /* The M-step: proportions and block parameters that maximise the criterion. Always as the rows
     * see it, the tables row after row. */
    void (*estimate)(const cob_stats *stats, cob_theta *theta);

    /* The rule for rows; for columns it is called with all as the columns see it. */
    void (*rule)(const cob_stats *stats, const cob_theta *theta, cob_rule *rule);

    /* The criterion as it is reported, for hard memberships; soft inference adds the entropies. */
    double (*value)(const cob_stats *stats, const cob_theta *theta);

    /* The complete log-likelihood, for ICL, where the criterion is something else; NULL: it is not.
     */
    double (*log_likelihood)(const cob_stats *stats, const cob_theta *theta);

    /* K of ICL = L_c - (g-1)/2 log n - (m-1)/2 log d - K/2 log(nd), in which the terms of g and m
     * are for proportions that are estimated; NULL where L_c has no such reading. */
    double (*free_parameters)(int g, int m);
} cob_model;

/* Whether rows and columns without entries say something. */
static inline bool cob_zeros_matter(const cob_model *model)
{
    return model->law == COB_LAW_BERNOULLI || model->law == COB_LAW_GAUSSIAN;
}

#endif
