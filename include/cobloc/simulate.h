/* cobloc: matrices drawn from latent block models.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_SIMULATE_H
#define COBLOC_SIMULATE_H

#include "cobloc/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Matrices drawn from a latent block model: every row and column gets a cluster at random, and a
 * cell of row cluster k and column cluster l then is 1 with probability parameters[k, l]
 * (Bernoulli), or a Poisson count with the mean (row effect) * (column effect) * parameters[k, l].
 * The non-zeros are drawn, not the cells: time and memory follow the number of non-zeros. */

typedef enum cobloc_law { COBLOC_POISSON = 0, COBLOC_BERNOULLI } cobloc_law;

COBLOC_API const char *cobloc_law_name(cobloc_law law);

/* Where the effects of the rows or columns of a Poisson model (what a fit takes as their margins)
 * come from. */
typedef enum cobloc_effect_kind {
    COBLOC_EFFECT_CONSTANT = 0, /* all are `mean` */
    COBLOC_EFFECT_POISSON,      /* drawn with this mean; a 0 becomes 1 */
    COBLOC_EFFECT_GAMMA,        /* drawn with this mean and `shape` */
    COBLOC_EFFECT_LOGNORMAL,    /* drawn with this mean; `shape` is the sd of the logarithm */
    COBLOC_EFFECT_GIVEN         /* `values`, one for each line */
} cobloc_effect_kind;

/* What to draw: law, sizes, parameters, ... Set k and l before the arrays that have so many
 * elements. */
typedef struct cobloc_simulation cobloc_simulation;
COBLOC_API cobloc_status cobloc_simulation_new(cobloc_simulation **out, cobloc_error *err);
COBLOC_API void cobloc_simulation_free(cobloc_simulation *simulation);

/* The presets, simulations of the papers: 0 <= index < cobloc_preset_count(). A part of a name in
 * capitals stands for a number: "dlbm-sparse:ZEROS" is taken as "dlbm-sparse:90". */
COBLOC_API int cobloc_preset_count(void);
COBLOC_API const char *cobloc_preset_name(int index);
COBLOC_API const char *cobloc_preset_title(int index);

/* A preset by its name, or what a JSON file describes; it may be changed. */
COBLOC_API cobloc_status cobloc_simulation_preset(const char *name, cobloc_simulation **out,
                                                  cobloc_error *err);
COBLOC_API cobloc_status cobloc_simulation_read(const char *path, cobloc_simulation **out,
                                                cobloc_error *err);

/* What is known about a simulated matrix: labels, sizes, parameters, effects. */
typedef struct cobloc_truth cobloc_truth;

/* Draws a matrix. `truth` may be NULL. */
COBLOC_API cobloc_status cobloc_simulate(const cobloc_simulation *simulation,
                                         cobloc_matrix **matrix, cobloc_truth **truth,
                                         cobloc_error *err);
COBLOC_API void cobloc_truth_free(cobloc_truth *truth);

/* Writes a simulated matrix as cobloc_matrix_write does, and beside it NAME.labels.txt and
 * NAME.collabels.txt, for Poisson also NAME.row-effects.txt and NAME.col-effects.txt: one a line.
 * The matrix appears last. */
COBLOC_API cobloc_status cobloc_truth_write(const cobloc_truth *truth, const cobloc_matrix *matrix,
                                            const char *path, const cobloc_io_options *options,
                                            cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
