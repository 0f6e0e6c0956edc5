/* What a model is: a few small functions of the statistics. It never sees the matrix.
 *
 * With XW = X.W the score of row i for cluster k is
 *
 *     s_ik = sum over l of XW_il A_kl  +  r_i b_k  +  e_k
 *
 * and a model says what (A, b, e) are. Columns follow the same rule on the statistics as they see
 * them. Where an entry says several things (see cob_entries), each has its own XW and its own A.
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
    COB_LAW_NONE,        /* a weight, of which only sums matter */
    COB_LAW_POISSON,     /* a count; rows and columns have effects, which may be known */
    COB_LAW_BERNOULLI,   /* zero or not, and a zero says as much as a one */
    COB_LAW_GAUSSIAN,    /* a real number with a density; a zero is a number like others */
    COB_LAW_CATEGORICAL, /* the code of a category, and 0 is one of them */
    COB_LAW_DIRECTIONAL  /* a part of a row of unit length */
} cob_law;

/* What an entry x says: the layers of the statistics. */
typedef enum cob_entries {
    COB_VALUES,  /* x */
    COB_MOMENTS, /* x and x^2, of any sign; two parameters a block, the mean and the variance */
    COB_CODES    /* x = 1, x = 2, ...; a parameter for each category, 0 the first */
} cob_entries;

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
    cob_entries entries;
    cob_ascent ascent;
    cobloc_inference inference; /* what it was published with */

    bool minimised;         /* a smaller criterion is better */
    bool likelihood;        /* scores are log-probabilities: soft inference is legal */
    bool takes_missing;     /* cells without a value: its rule and estimates take them out */
    bool equal_proportions; /* its clusters' proportions are equal, not estimated */
    bool diagonal_rule;     /* A is 0 off the diagonal: a line is scored by its own co-cluster */
    bool of_stats;          /* its criterion is one of the statistics, whatever the parameters */
    bool by_blocks;         /* its criterion is a sum over blocks and clusters, each of which has
                               its own parameters; but for `rest` */
    bool by_lift;           /* which is that of B log (B / RC), and of z log z unless proportions are
                               equal; or in proportion to it, but for what merges do not change */

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

    /* What a criterion holds beside its co-clusters: by how much is inside all of them, and how
     * much they cover; NULL: nothing. */
    double (*rest)(const cob_stats *stats, double inside, double covered);

    /* The complete log-likelihood, for ICL, where the criterion is something else; NULL: it is not.
     */
    double (*log_likelihood)(const cob_stats *stats, const cob_theta *theta);

    /* K of ICL = L_c - (g-1)/2 log n - (m-1)/2 log d - K/2 log(nd), in which the terms of g and m
     * are for proportions that are estimated; NULL where L_c has no such reading. `values` is the
     * number of layers of what entries say. */
    double (*free_parameters)(int g, int m, int values);
} cob_model;

/* Whether rows and columns without entries say something. */
static inline bool cob_zeros_matter(const cob_model *model)
{
    return model->law == COB_LAW_BERNOULLI || model->law == COB_LAW_GAUSSIAN ||
           model->law == COB_LAW_CATEGORICAL;
}

/* What an entry is in a layer. */
static inline double cob_in_layer(cob_entries entries, int layer, double x)
{
    if (entries == COB_CODES)
        return x == layer + 1;
    return layer == 0 ? x : x * x;
}

/* How many numbers it estimates for each block, where entries have so many layers. */
static inline int cob_parameter_count(const cob_model *model, int values)
{
    return model->entries == COB_CODES ? values + 1 : model->entries == COB_MOMENTS ? 2 : 1;
}

/* The weight of layer c in the score of cluster k for what lies in cluster l of the other side; of
 * diagonal rules, k and l are the same. */
static inline double *cob_weight_of(const cob_rule *rule, const cob_stats *stats, int c, int k,
                                    int l)
{
    size_t from = (size_t)c * (size_t)stats->m + (size_t)l;
    return rule->A + (rule->diagonal ? from : from * (size_t)rule->to + (size_t)k);
}

#endif
