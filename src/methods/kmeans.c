/* kmeans and skmeans: rows by their distance from, or angle to, the means of their clusters.
 *
 * Lloyd, "Least squares quantization in PCM", 1982; Dhillon and Modha, "Concept decompositions for
 * large sparse text data using clustering", 2001. engine/means.h does the work.
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/means.h"
#include "methods/registry.h"
#include "models/common.h"

#include <math.h>

enum { PURPOSE_SEED = 31 };

static cobloc_status start(const cob_method_problem *p, bool spherical, int32_t *labels,
                           cobloc_error *err)
{
    cob_stream stream = cob_stream_at(p->seed, p->restart, 0, PURPOSE_SEED);
    cob_weighed rows = {.view = p->rows, .turned = p->cols, .deadline = p->watch->deadline};
    if (p->start != COBLOC_START_AUTO)
        return cob_method_labels(p, labels, err);
    return cob_seed_lines(&rows, p->k, spherical, cob_kmeans_trials(p->k), stream, labels, NULL,
                          err);
}

static cobloc_status fit(const cob_method_problem *p, bool spherical, cob_outcome *out,
                         cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_means m = {0};
    COB_TRY(
        cob_means_alloc(&m, &p->rows, &p->cols, p->k, spherical, p->threads, out->row_labels, err));
    COB_TRY(start(p, spherical, m.labels, err));
    cob_means_centre(&m);
    cob_rounds rounds = {.data = &m, .round = cob_means_round, .value = m.value};
    COB_TRY(cob_method_settle(p, rounds, true, out, err));
done:
    cob_means_free(&m);
    return status;
}

static cobloc_status fit_plain(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    return fit(p, false, out, err);
}

static cobloc_status fit_spherical(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    return fit(p, true, out, err);
}

/* ---- new rows -------------------------------------------------------------------------------- */

/* 2 x.c - |c|^2 is largest where |x - c|^2 is smallest. */
static cobloc_status open_distances(cob_placer *placer, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_fitted *f = placer->fitted;
    COB_TRY(cob_open_table(placer, err));
    for (int k = 0; k < f->k; k++) {
        double size = cob_fitted_size(f, k);
        for (int64_t j = 0; j < f->d; j++) {
            double mean = cob_ratio(f->centres[j * f->k + k], size);
            placer->table[j * f->k + k] = 2 * mean;
            placer->plus[k] -= mean * mean;
        }
    }
done:
    return status;
}

static cobloc_status open_directions(cob_placer *placer, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_fitted *f = placer->fitted;
    COB_TRY(cob_open_table(placer, err));
    for (int k = 0; k < f->k; k++) {
        double squares = 0;
        for (int64_t j = 0; j < f->d; j++)
            squares += f->centres[j * f->k + k] * f->centres[j * f->k + k];
        for (int64_t j = 0; j < f->d; j++)
            placer->table[j * f->k + k] = cob_ratio(f->centres[j * f->k + k], sqrt(squares));
    }
done:
    return status;
}

static const cob_placement to_nearest = {
    .centres = true, .open = open_distances, .score = cob_score_by_table};
static const cob_placement to_direction = {
    .centres = true, .open = open_directions, .score = cob_score_by_table};

/* ---- the methods ----------------------------------------------------------------------------- */

const cob_method cob_method_kmeans = {
    .name = "kmeans",
    .title = "k-means (rows only)",
    .criterion = "squared error",
    .minimised = true,
    .one_sided = true,
    .zeros_matter = true,
    .starts = COB_METHOD_STARTS,
    .placement = &to_nearest,
    .fit = fit_plain,
};

const cob_method cob_method_skmeans = {
    .name = "skmeans",
    .title = "spherical k-means (rows only)",
    .criterion = "sum of cosines",
    .one_sided = true,
    .unit_rows = true,
    .weight = COBLOC_WEIGHT_TFIDF,
    .starts = COB_METHOD_STARTS,
    .placement = &to_direction,
    .fit = fit_spherical,
};
