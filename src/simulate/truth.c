/* The latent part of a simulation: clusters and effects.
 * SPDX-License-Identifier: MIT
 */
#include "simulate/simulate.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "io/formats.h"

#include <math.h>
#include <string.h>

/* ---- drawing --------------------------------------------------------------------------------- */

void cob_proportions(const double *from, int count, double *to)
{
    double sum = 0;
    for (int c = 0; from && c < count; c++)
        sum += from[c];
    for (int c = 0; c < count; c++)
        to[c] = from ? from[c] / sum : 1.0 / count;
}

/* The clusters of one side, with their sizes. */
static cobloc_status draw_labels(uint64_t seed, uint32_t purpose, int64_t lines,
                                 const double *proportions, int clusters, int threads,
                                 int32_t **labels, int64_t **sizes, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *upto = NULL; /* cumulative proportions */
    cob_stream stream = cob_stream_at(seed, 0, 0, purpose);
    COB_NEW(upto, clusters);
    COB_NEW(*labels, lines);
    COB_NEW_ZERO(*sizes, clusters);
    cob_proportions(proportions, clusters, upto);
    for (int c = 1; c < clusters; c++)
        upto[c] += upto[c - 1];
    int32_t *to = *labels;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < lines; i++) {
        double u = cob_random_uniform(&stream, (uint64_t)i);
        int low = 0,
            high = clusters -
                   1; /* the first cluster whose cumulative proportion exceeds u, or the last */
        while (low < high) {
            int middle = (low + high) / 2;
            if (u < upto[middle])
                high = middle;
            else
                low = middle + 1;
        }
        to[i] = low;
    }
    for (int64_t i = 0; i < lines; i++)
        (*sizes)[to[i]]++;
done:
    cob_free(upto);
    return status;
}

static double draw_effect(const cobloc_effects *effects, cob_draws *draws)
{
    int64_t count;
    switch (effects->kind) {
    case COBLOC_EFFECT_POISSON:
        count = cob_draw_poisson(draws, effects->mean);
        return count > 0 ? (double)count : 1;
    case COBLOC_EFFECT_GAMMA:
        return effects->mean / effects->shape * cob_draw_gamma(draws, effects->shape);
    case COBLOC_EFFECT_LOGNORMAL:
        return effects->mean * exp(effects->shape * (cob_draw_normal(draws) - effects->shape / 2));
    case COBLOC_EFFECT_CONSTANT:
    case COBLOC_EFFECT_GIVEN:
        break;
    }
    return effects->mean;
}

static cobloc_status draw_effects(uint64_t seed, uint32_t purpose, int64_t lines,
                                  const cobloc_effects *effects, int threads, double **out,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(*out, lines);
    double *to = *out;
    if (effects->kind == COBLOC_EFFECT_GIVEN) {
        memcpy(to, effects->values, (size_t)lines * sizeof *to);
        goto done;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < lines; i++) {
        cob_draws draws = cob_draws_at(seed, purpose, i);
        double effect = draw_effect(effects, &draws);
        to[i] =
            effect > 1e-300 ? effect : 1e-300; /* extreme shapes underflow; effects stay positive */
    }
done:
    return status;
}

cobloc_status cob_truth_draw(const cobloc_simulation *s, cobloc_truth **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_truth *t = NULL;
    size_t blocks = (size_t)s->k * (size_t)s->l;
    int threads = cob_threads(s->threads);
    COB_MAKE(t, cob_truth_type);
    t->law = s->law;
    t->rows = s->rows;
    t->cols = s->cols;
    t->k = s->k;
    t->l = s->l;
    COB_NEW(t->parameters, blocks);
    memcpy(t->parameters, s->parameters, blocks * sizeof *t->parameters);
    COB_TRY(draw_labels(s->seed, COB_DRAW_ROW_LABELS, s->rows, s->row_proportions, s->k, threads,
                        &t->row_labels, &t->row_sizes, err));
    COB_TRY(draw_labels(s->seed, COB_DRAW_COL_LABELS, s->cols, s->col_proportions, s->l, threads,
                        &t->col_labels, &t->col_sizes, err));
    if (s->law == COBLOC_POISSON) {
        COB_TRY(draw_effects(s->seed, COB_DRAW_ROW_EFFECTS, s->rows, &s->row_effects, threads,
                             &t->row_effects, err));
        COB_TRY(draw_effects(s->seed, COB_DRAW_COL_EFFECTS, s->cols, &s->col_effects, threads,
                             &t->col_effects, err));
    }
    *out = t;
    t = NULL;
done:
    cobloc_truth_free(t);
    return status;
}

cobloc_status cobloc_simulate(const cobloc_simulation *simulation, cobloc_matrix **matrix,
                              cobloc_truth **truth, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_truth *drawn = NULL;
    cob_budget *budget = NULL;
    COB_TRY(cob_simulation_check(simulation, err));
    COB_TRY(cob_budget_begin(simulation->max_memory, &budget, err));
    COB_TRY(cob_simulation_fits(
        simulation, simulation->density * (double)simulation->rows * (double)simulation->cols,
        err));
    COB_TRY(cob_truth_draw(simulation, &drawn, err));
    if (simulation->density > 0)
        COB_TRY(cob_truth_scale(simulation, drawn, err));
    COB_TRY(cob_entries_draw(simulation, drawn, matrix, err));
    (*matrix)->budget = budget;
    budget = NULL;
    if (truth) {
        *truth = drawn;
        drawn = NULL;
    }
done:
    cobloc_truth_free(drawn);
    cob_budget_end(budget);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes one label or effect per line to NAME + suffix; the caller commits the file. */
static cobloc_status prepare(const char *path, const char *suffix, int64_t lines,
                             const int32_t *labels, const double *effects, cob_file **out,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_sidecar_create(path, suffix, out, err));
    for (int64_t i = 0; *out && i < lines; i++) {
        if (labels)
            cob_file_integer(*out, labels[i]);
        else if (effects)
            cob_file_number(*out, effects[i]);
        cob_file_char(*out, '\n');
    }
done:
    return status;
}

cobloc_status cobloc_truth_write(const cobloc_truth *t, const cobloc_matrix *matrix,
                                 const char *path, const cobloc_io_options *options,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *files[4] = {NULL};
    int count = t->row_effects ? 4 : 2;
    COB_TRY(prepare(path, ".labels.txt", t->rows, t->row_labels, NULL, &files[0], err));
    COB_TRY(prepare(path, ".collabels.txt", t->cols, t->col_labels, NULL, &files[1], err));
    if (t->row_effects) {
        COB_TRY(prepare(path, ".row-effects.txt", t->rows, NULL, t->row_effects, &files[2], err));
        COB_TRY(prepare(path, ".col-effects.txt", t->cols, NULL, t->col_effects, &files[3], err));
    }
    COB_TRY(cob_matrix_write_with(matrix, path, options, files, count, err));
done:
    for (int f = 0; f < 4; f++)
        cob_file_close(files[f]);
    return status;
}
