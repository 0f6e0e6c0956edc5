/* cobloc_predict: new rows into the clusters of a result.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "fit/saved.h"
#include "fit/place.h"
#include "matrix/scores.h"

#include <string.h>

/* What rows are scored by: the rule of a block model, or the method's own way. */
typedef struct predictor {
    const cobloc_result *r;
    cob_algorithm algorithm;
    cob_placing placing; /* block models */
    cob_fitted fitted;   /* methods: */
    cob_placer placer;
    bool probable; /* scores are log-probabilities */
} predictor;

static void predictor_free(predictor *p)
{
    cob_placing_free(&p->placing);
    cob_placer_free(&p->placer);
}

static cobloc_status open_model(predictor *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = p->r;
    COB_CHECK(r->row_rule, COBLOC_BAD_DATA, "has no 'row_rule'");
    COB_TRY(cob_placing_open(&p->placing, p->algorithm.model, r->row_rule, r->k, r->l,
                             r->rule_width, err));
    p->placing.labels = r->col_labels;
    p->placing.soft = r->col_probabilities;
    p->probable = p->algorithm.model->likelihood;
done:
    return status;
}

static cobloc_status open_method(predictor *p, const cobloc_saved *saved, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = p->r;
    const cob_placement *by = p->algorithm.method->placement;
    p->fitted = (cob_fitted){.n = r->n,
                             .d = r->d,
                             .k = r->k,
                             .l = r->l,
                             .weight = r->weight,
                             .row_sizes = r->row_sizes,
                             .col_sizes = r->col_sizes,
                             .row_probabilities = r->row_probabilities,
                             .col_labels = r->col_labels,
                             .col_probabilities = r->col_probabilities,
                             .col_frequencies = saved->col_frequencies,
                             .col_sums = saved->col_sums,
                             .blocks = r->blocks,
                             .centres = saved->centres};
    COB_TRY(cob_placer_open(by, &p->fitted, &p->placer, err));
    p->probable = by->probable;
done:
    return status;
}

static cobloc_status predictor_open(const cobloc_saved *saved, predictor *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = p->r = saved->result;
    COB_TRY(cob_algorithm_find(r->model, &p->algorithm, err));
    COB_CHECK(
        p->algorithm.model || p->algorithm.method->placement, COBLOC_UNSUPPORTED,
        "cannot predict with %s: its clusters are of the matrix as a whole, and leave no rule "
        "for new rows; a block model can go on from them (start from their labels)",
        r->model);
    status = p->algorithm.model ? open_model(p, err) : open_method(p, saved, err);
    if (status == COBLOC_BAD_DATA && saved->folder)
        status = cob_fail_at(err, status, "%s/model.json: ", saved->folder);
done:
    return status;
}

/* ---- scoring --------------------------------------------------------------------------------- */

static int64_t longest_of(const cobloc_view *rows)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < rows->major; i++) {
        int64_t length = rows->offsets[i + 1] - rows->offsets[i];
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Room of one thread: what a method may ask for (see cob_placement), or the sums of a row over the
 * column clusters; and its scores. */
static size_t room_of(const predictor *p, const cobloc_view *rows)
{
    size_t k = (size_t)p->r->k, spare = 16; /* threads must not share a cache line */
    size_t of_row =
        p->algorithm.model ? (size_t)p->r->rule_width : ((size_t)longest_of(rows) + 1) * k;
    return of_row + k + spare;
}

/* `room` begins with the scores. */
static void place_row(const predictor *p, const cobloc_view *rows, int64_t row, double *room,
                      cobloc_prediction *out)
{
    double *scores = room;
    out->labels[row] = -1;
    if (rows->offsets[row + 1] == rows->offsets[row] && !p->algorithm.zeros_matter)
        return;
    if (p->algorithm.model)
        cob_score_row(&p->placing, row, room + out->k, scores);
    else
        p->placer.by->score(&p->placer, rows, row, room + out->k, scores);
    out->labels[row] = cob_best_of(scores, out->k, -1);
    if (out->scores)
        memcpy(out->scores + row * out->k, scores, (size_t)out->k * sizeof *scores);
    if (!p->probable)
        return;
    cob_to_probabilities(scores, out->k, 1);
    memcpy(out->probabilities + row * out->k, scores, (size_t)out->k * sizeof *scores);
}

/* Completes what each rank has of its own rows. */
static cobloc_status gather(const cob_part *part, const cobloc_prediction *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t width = (size_t)out->k * sizeof(double);
    COB_TRY(cob_part_gather(part, 0, out->labels, sizeof *out->labels, err));
    if (out->probabilities)
        COB_TRY(cob_part_gather(part, 0, out->probabilities, width, err));
    if (out->scores)
        COB_TRY(cob_part_gather(part, 0, out->scores, width, err));
done:
    return status;
}

/* Rows know nothing of each other: any number of threads and ranks gives the same. */
static cobloc_status place_all(predictor *p, const cobloc_matrix *x, const cob_part *part,
                               const cobloc_predict_options *o, cobloc_prediction *out,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int threads = cob_threads(o->threads);
    cobloc_view rows = cobloc_matrix_by_rows(x);
    cob_between own = cob_part_lines(part, 0, out->n);
    size_t each = room_of(p, &rows);
    double *room = NULL;
    COB_NEW(room, (size_t)threads * each);
    COB_NEW(out->labels, out->n);
    if (p->probable)
        COB_NEW_ZERO(out->probabilities, (size_t)out->n * (size_t)out->k);
    if (o->scores)
        COB_NEW_ZERO(out->scores, (size_t)out->n * (size_t)out->k);
    cob_placing_take(&p->placing, x);
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (int64_t i = own.first; i < own.last; i++)
        place_row(p, &rows, i, room + (size_t)cob_thread() * each, out);
    COB_TRY(gather(part, out, err));
    for (int64_t i = 0; i < out->n; i++)
        out->unplaced += out->labels[i] < 0;
done:
    cob_free(room);
    return status;
}

static cobloc_status check_effects(const predictor *p, const cobloc_predict_options *o,
                                   int64_t rows, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const double *effects = o->row_effects;
    COB_CHECK(!effects || o->row_effect_count == rows, COBLOC_BAD_DATA,
              "row_effects has %lld elements, but the matrix has %lld rows",
              (long long)o->row_effect_count, (long long)rows);
    COB_CHECK(!effects || (p->algorithm.model && p->algorithm.model->law == COB_LAW_POISSON),
              COBLOC_BAD_ARGUMENT, "%s takes no row effects: these are for the Poisson models",
              p->r->model);
    for (int64_t i = 0; effects && i < rows; i++)
        COB_TRY(cob_check_effect(effects[i], i, "row", err));
done:
    return status;
}

/* Checks the matrix, of which ranks need their own rows only, and finds out which these are. */
static cobloc_status share_rows(const predictor *p, const cobloc_matrix *matrix, cob_ranks *ranks,
                                cob_part *part, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_model *model = p->algorithm.model;
    if (!ranks || matrix->kind > COBLOC_U32 || (model && model->entries != COB_VALUES))
        COB_TRY(cob_matrix_demand_all(matrix, err));
    COB_TRY(cob_matrix_verify(matrix, ranks, err));
    COB_TRY(cob_check_entries(matrix, &p->algorithm, err));
    if (ranks)
        *part = cob_part_of(&(cob_parts){ranks, false}, matrix);
done:
    return status;
}

cobloc_status cobloc_predict(const cobloc_saved *saved, const cobloc_matrix *matrix,
                             const cobloc_predict_options *options, cobloc_prediction **out,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    predictor p = {.r = NULL};
    cobloc_prediction *made = NULL;
    cobloc_matrix *known = NULL;
    cob_ranks *ranks = NULL;
    cob_part part = {0};
    cobloc_predict_options own;
    cob_predict_options_default(&own);
    const cobloc_predict_options *o = options ? options : &own;
    COB_TRY(predictor_open(saved, &p, err));
    COB_TRY(check_effects(&p, o, matrix->rows, err));
    COB_TRY(cob_ranks_open(&o->communicator, &ranks, err));
    COB_TRY(share_rows(&p, matrix, ranks, &part, err));
    COB_MAKE(made, cob_prediction_type);
    made->n = matrix->rows;
    made->k = saved->result->k;
    COB_TRY(cob_make_known(saved, &p.algorithm, matrix, cob_part_lines(&part, 0, matrix->rows),
                           made, &known, err));
    p.placing.effects = o->row_effects ? o->row_effects : cobloc_matrix_row_sums(known);
    p.placing.effect_scale = o->row_effects ? 1 : saved->result->effect_scale;
    COB_TRY(place_all(&p, known, &part, o, made, err));
    *out = made;
    made = NULL;
done:
    cobloc_prediction_free(made);
    cobloc_matrix_free(known);
    cob_ranks_close(ranks);
    predictor_free(&p);
    return status;
}
