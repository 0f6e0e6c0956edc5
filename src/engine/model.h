/* What a model is: a few small functions of the statistics. It never sees the matrix.
 *
 * With XW = X.W the score of row i for cluster k is
 *
 *     s_ik = sum over l of XW_il A_kl  +  r_i b_k  +  e_k
 *
 * and a model says what (A, b, e) are. Columns follow the same rule on the transposed statistics.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_MODEL_H
#define COB_ENGINE_MODEL_H

#include "engine/stats.h"
#include "matrix/kernels.h"

#include <stdbool.h>

/* What a model may be told. */
typedef struct cob_model_settings {
    bool exact; /* splbm: the exact maximiser of its likelihood, not the form of the slides */
} cob_model_settings;

typedef struct cob_model {
    const char *name;
    const char *title;
    const char *criterion; /* its name, in results */
    bool minimised;        /* a smaller criterion is better */
    bool diagonal;         /* co-clusters: row cluster k goes with column cluster k, so m = g */
    bool likelihood;       /* scores are log-probabilities: soft inference is legal */
    bool effects;          /* Poisson: rows and columns have effects, which may be known */
    bool binary;           /* of X it takes only where it is not zero */
    bool unit_rows;        /* rows of X are scaled to unit length first */
    bool may_worsen;       /* its rule does not promise a better criterion: steps that worsen it are
                              taken back */
    bool of_stats;         /* its criterion is one of the statistics, whatever the parameters */
    bool by_blocks;        /* its criterion is a sum over blocks and clusters, each of which has its
                              own parameters */
    bool needs_exact;      /* its rule ascends the criterion only where settings.exact is set */
    bool zeros_matter;     /* rows and columns without entries say something */
    bool equal_proportions; /* its clusters' proportions are equal, not estimated */
    bool dense_rule;        /* diagonal, but its rule has numbers off the diagonal, too */
    bool density;           /* its log-likelihood is that of a density: not to be compared with the
                               probabilities of counts */

    cobloc_inference usual_inference; /* what it was published with */
    int usual_restarts;               /* 0: as many as most */
    bool settles; /* stochastic inference ends with hard iterations: where lines hold few counts,
                     the labels drawn most often still scatter about the optimum */

    /* Whose labels are taken where every hard start of this one ends with clusters that had to be
     * held; NULL: none. */
    const struct cob_model *instead;

    /* The number of column clusters for g row clusters; NULL: as many as the user says. */
    int (*col_clusters)(int g);

    /* Where a column with the sums `sums` over row clusters of the masses `mass` starts; NULL:
     * column clusters have no meaning of their own. */
    int (*place_column)(int g, const double *sums, const double *mass);

    /* The M-step: proportions and block parameters that maximise the criterion. */
    void (*estimate)(const cob_stats *stats, cob_theta *theta);

    /* The rule for rows; for columns it is called with everything transposed. */
    void (*rule)(const cob_stats *stats, const cob_theta *theta, const cob_model_settings *settings,
                 cob_rule *rule);

    /* The criterion as it is reported, for hard memberships; soft inference adds the entropies. */
    double (*value)(const cob_stats *stats, const cob_theta *theta);

    /* The complete log-likelihood, for ICL, where the criterion is something else; NULL: it is not.
     */
    double (*log_likelihood)(const cob_stats *stats, const cob_theta *theta);

    /* K of ICL = L_c - (g-1)/2 log n - (m-1)/2 log d - K/2 log(nd), in which the terms of g and m
     * are for proportions that are estimated; NULL where L_c has no such reading. */
    double (*free_parameters)(int g, int m);
} cob_model;

#endif
