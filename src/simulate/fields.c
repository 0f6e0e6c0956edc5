/* What to draw, and what is known about what was drawn.
 * SPDX-License-Identifier: MIT
 */
#include "simulate/simulate.h"

const char *const cob_law_names[] = {"poisson", "bernoulli", NULL};
static const char *const effect_names[] = {"constant",  "poisson", "gamma",
                                           "lognormal", "given",   NULL};

#define S cobloc_effects
static const cob_named_field effects[] = {
    COB_CHOICE(kind, effect_names, "Where they come from; see cobloc_effect_kind."),
    COB_REAL(mean, "Their mean.", COB_FROM_0(1)),
    COB_REAL(shape, "gamma: the shape; lognormal: the sd of the logarithm.", COB_FROM_0(0)),
    COB_REALS(values, count, "given: the effects themselves."),
};
static const cob_type effects_type = COB_TYPE("the effects", COB_PART, effects);
#undef S

#define S cobloc_simulation
static const cob_named_field simulation[] = {
    COB_CHOICE(law, cob_law_names, "The law of a cell; see cobloc_law."),
    COB_INT(rows, "Number of rows.", COB_RANGE(1, INT32_MAX, 0)),
    COB_INT(cols, "Number of columns.", COB_RANGE(1, INT32_MAX, 0)),
    COB_INT(k, "Number of row clusters.", COB_RANGE(1, COB_MOST_CLUSTERS, 0)),
    COB_INT(l, "Number of column clusters.", COB_RANGE(1, COB_MOST_CLUSTERS, 0)),
    COB_REALS(row_proportions, k,
              "Proportions of the k row clusters, of sum 1 (to 2 %, then "
              "normalised); default: equal.",
              .fixed = true),
    COB_REALS(col_proportions, l, "Proportions of the l column clusters.", .fixed = true),
    COB_REALS(parameters, k, "k by l: the parameters; must be set.", COB_BY(l, 0), .fixed = true),
    COB_GROUP(row_effects, effects_type, "Poisson: effects of the rows."),
    COB_GROUP(col_effects, effects_type, "Poisson: effects of the columns."),
    COB_REAL(density,
             "Scale the parameters so that this share of the cells is expected to be non-zero. By "
             "default they are used unchanged.",
             COB_RANGE(0, 1, 0)),
    COB_INT(seed, "Random seed. The same seed gives the same matrix for any number of threads.",
            COB_ANY_SEED),
    COB_INT(threads, COB_THREADS_HELP, COB_SOME_THREADS),
    COB_REAL(
        max_memory,
        "Memory that the process may hold while the matrix is in use, in bytes. What is larger is "
        "kept in temporary files, in the folder TMPDIR or /var/tmp. By default no limit.",
        COB_FROM_0(0)),
    COB_PROGRESS(progress),
};
const cob_type cob_simulation_type = COB_TYPE("the simulation", COB_OPTIONS, simulation);
#undef S

#define S cobloc_truth
static const cob_named_field truth[] = {
    COB_CHOICE(law, cob_law_names, "The law of a cell."),
    COB_INT(rows, "Rows."),
    COB_INT(cols, "Columns."),
    COB_INT(k, "Row clusters."),
    COB_INT(l, "Column clusters."),
    COB_INTS(row_labels, rows, "Cluster of each row."),
    COB_INTS(col_labels, cols, "Cluster of each column."),
    COB_INT64S(row_sizes, k, "Rows in each row cluster."),
    COB_INT64S(col_sizes, l, "Columns in each column cluster."),
    COB_REALS(parameters, k, "k by l: the parameters, scaled to the density.", COB_BY(l, 0)),
    COB_REALS(row_effects, rows, "Poisson: the effect of each row."),
    COB_REALS(col_effects, cols, "Poisson: the effect of each column."),
};
const cob_type cob_truth_type = COB_TYPE("the truth", COB_RESULT, truth);
#undef S

COB_DEFINE_OPTIONS(simulation)
COB_DEFINE_FREE(truth)

const char *cobloc_law_name(cobloc_law law)
{
    return cob_choice_name(cob_law_names, (int)law);
}
