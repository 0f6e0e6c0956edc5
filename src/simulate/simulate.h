/* Drawing matrices from latent block models: shared by the files of this folder.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SIMULATE_SIMULATE_H
#define COB_SIMULATE_SIMULATE_H

#include "base/fields.h"
#include "base/random.h"
#include "matrix/matrix.h"

#include <stddef.h>

/* ---- options and results --------------------------------------------------------------------- */

typedef struct cobloc_effects {
    cobloc_effect_kind kind;
    double mean, shape;
    int64_t count;
    const double *values;
} cobloc_effects;

struct cobloc_simulation {
    cob_object head;
    cobloc_law law;
    int64_t rows, cols;
    int k, l;
    const double *row_proportions, *col_proportions, *parameters;
    cobloc_effects row_effects, col_effects;
    double density;
    uint64_t seed;
    int threads;
    double max_memory;
    cobloc_progress progress;
};

struct cobloc_truth {
    cob_object head;
    cobloc_law law;
    int64_t rows, cols;
    int k, l;
    int32_t *row_labels, *col_labels;
    int64_t *row_sizes, *col_sizes;
    double *parameters, *row_effects, *col_effects;
};

extern const cob_type cob_simulation_type, cob_truth_type;
extern const char *const cob_law_names[];

void cob_simulation_default(cobloc_simulation *simulation);

/* ---- descriptions (check.c, presets.c, spec.c) ----------------------------------------------- */

/* A simulation under construction, with the arrays it owns. */
typedef struct cob_simulation {
    cobloc_simulation *open;
    double *row_proportions;
    double *col_proportions;
    double *parameters;
} cob_simulation;

/* Allocates proportions and parameters for k by l clusters, all zero. */
cobloc_status cob_simulation_new(int k, int l, cob_simulation *out, cobloc_error *err);

/* COBLOC_BAD_ARGUMENT, with a message, if the description is invalid. */
cobloc_status cob_simulation_check(const cobloc_simulation *simulation, cobloc_error *err);

/* Fails if a matrix with this many entries would not fit into memory. */
cobloc_status cob_simulation_fits(const cobloc_simulation *simulation, double entries,
                                  cobloc_error *err);

/* ---- before the entries (truth.c, density.c) ------------------------------------------------- */

/* Proportions scaled to sum to 1; equal ones for NULL. `to` has room for `count`. */
void cob_proportions(const double *from, int count, double *to);

/* Draws labels and effects; parameters are copied. */
cobloc_status cob_truth_draw(const cobloc_simulation *simulation, cobloc_truth **out,
                             cobloc_error *err);

/* Scales the parameters so that the expected share of non-zero cells is `density`, given the
 * cluster proportions and the effects drawn. */
cobloc_status cob_truth_scale(const cobloc_simulation *simulation, cobloc_truth *truth,
                              cobloc_error *err);

/* ---- the entries (entries.c) ----------------------------------------------------------------- */

cobloc_status cob_entries_draw(const cobloc_simulation *simulation, const cobloc_truth *truth,
                               cobloc_matrix **out, cobloc_error *err);

/* ---- single draws (draw.c) ------------------------------------------------------------------- */

/* Draws from distributions. Every row or column has its own sequence of random numbers, so that the
 * draws do not depend on the number of threads. */

/* What random numbers are used for; each use has its own stream. */
enum {
    COB_DRAW_ROW_LABELS,
    COB_DRAW_COL_LABELS,
    COB_DRAW_ROW_EFFECTS,
    COB_DRAW_COL_EFFECTS,
    COB_DRAW_ENTRIES
};

/* The sequence of one row or column: up to 2^33 numbers. */
typedef struct cob_draws {
    cob_stream stream;
    uint64_t item;
    uint32_t words[4];
    int left; /* pairs of words not yet used */
} cob_draws;

cob_draws cob_draws_at(uint64_t seed, uint32_t purpose, int64_t line);

/* Uniform in (0, 1), never 0 or 1. */
static inline double cob_draw_uniform(cob_draws *draws)
{
    if (draws->left == 0) {
        cob_random_words(&draws->stream, draws->item++, draws->words);
        draws->left = 2;
    }
    const uint32_t *pair = draws->words + 2 * --draws->left;
    uint64_t bits = ((uint64_t)pair[0] << 32 | pair[1]) >> 11;
    return ((double)bits + 0.5) * 0x1p-53;
}

double cob_draw_normal(cob_draws *draws);

/* The gamma distribution with scale 1; shape > 0. */
double cob_draw_gamma(cob_draws *draws, double shape);

/* A count with this mean, from 0 to 10^15. */
int64_t cob_draw_poisson(cob_draws *draws, double mean);

/* ---- categories by alias tables (Walker, Vose) ----------------------------------------------- */

/* The alias method: draws one of several numbers in constant time. A slot is chosen uniformly and
 * gives its own number with probability `keep`, otherwise another. All that a draw needs is in one
 * slot. */
typedef struct cob_alias {
    double keep;
    int32_t own;
    int32_t other;
} cob_alias;

/* Fills `count` slots for numbers with these weights (non-negative, some positive). `room` is
 * scratch space for `count` numbers. */
void cob_alias_fill(cob_alias *places, int64_t count, const int32_t *numbers, const double *weights,
                    int32_t *room);

static inline int32_t cob_alias_draw(const cob_alias *places, int64_t count, cob_draws *draws)
{
    double x = cob_draw_uniform(draws) * (double)count;
    int64_t place = (int64_t)x;
    place -= place == count; /* x may have been rounded up */
    const cob_alias *at = &places[place];
    int32_t keeps =
        -(int32_t)(x - (double)place < at->keep); /* no branch: it would be unpredictable */
    return (at->own & keeps) | (at->other & ~keeps);
}

#endif
