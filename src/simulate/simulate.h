/* Drawing matrices from latent block models: shared by the files of this folder.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SIMULATE_SIMULATE_H
#define COB_SIMULATE_SIMULATE_H

#include "simulate/draw.h"
#include "simulate/simulation.h"

#include "matrix/matrix.h"

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

#endif
