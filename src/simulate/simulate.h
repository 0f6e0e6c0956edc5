/* Drawing matrices from latent block models: what the files of this folder share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SIMULATE_SIMULATE_H
#define COB_SIMULATE_SIMULATE_H

#include "simulate/draw.h"
#include "simulate/simulation.h"

#include "matrix/matrix.h"

/* ---- descriptions (check.c, presets.c, spec.c) ----------------------------------------------- */

/* A simulation that is being made, with its arrays, which it owns. */
typedef struct cob_simulation {
    cobloc_simulation *open;
    double *row_proportions;
    double *col_proportions;
    double *parameters;
} cob_simulation;

/* With room for the proportions and parameters of k by l clusters, all zero. */
cobloc_status cob_simulation_new(int k, int l, cob_simulation *out, cobloc_error *err);

/* The sentence for what is wrong with a description: COBLOC_BAD_ARGUMENT. */
cobloc_status cob_simulation_check(const cobloc_simulation *simulation, cobloc_error *err);

/* Refuses what is larger than this machine's memory, with so many entries. */
cobloc_status cob_simulation_fits(const cobloc_simulation *simulation, double entries,
                                  cobloc_error *err);

/* ---- before the entries (truth.c, density.c) ------------------------------------------------- */

/* Proportions that sum to 1, equal ones for NULL; `to` has room for `count`. */
void cob_proportions(const double *from, int count, double *to);

/* Draws labels and effects; parameters are copied. */
cobloc_status cob_truth_draw(const cobloc_simulation *simulation, cobloc_truth **out,
                             cobloc_error *err);

/* Scales the parameters so that the expected share of non-zero cells is `density`, over the
 * proportions of the clusters and the effects that were drawn. */
cobloc_status cob_truth_scale(const cobloc_simulation *simulation, cobloc_truth *truth,
                              cobloc_error *err);

/* ---- the entries (entries.c) ----------------------------------------------------------------- */

cobloc_status cob_entries_draw(const cobloc_simulation *simulation, const cobloc_truth *truth,
                               cobloc_matrix **out, cobloc_error *err);

#endif
