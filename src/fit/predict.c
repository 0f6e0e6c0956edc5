/* cobloc_predict: new rows into the clusters of a result.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "fit/known.h"
#include "fit/place.h"
#include "methods/bernoulli.h"
#include "models/common.h"

#include <math.h>
#include <string.h>

void cobloc_prediction_free(cobloc_prediction *p)
{
    if (!p)
        return;
    cob_free(p->labels);
    cob_free(p->probabilities);
    cob_free(p);
}

/* What rows are scored by: the rule of a block model, or a number for each column and cluster. */
typedef struct predictor {
    const cobloc_saved *saved;
    const cobloc_result *r;
    cob_algorithm algorithm;
    cob_placing placing;    /* block models */
    double *weights, *plus; /* methods: columns by k, and k */
    bool probable;          /* scores are log-probabilities */
} predictor;

/* ---- methods --------------------------------------------------------------------------------- */

/* How many rows each cluster has, in parts where they have probabilities. */
static double size_of(const cobloc_result *r, int k)
{
    double sum = 0;
    if (!r->row_probabilities)
        return (double)r->row_sizes[k];
    for (int64_t i = 0; i < r->n; i++)
        sum += r->row_probabilities[i * r->k + k];
    return sum;
}

/* 2 x.c - |c|^2 is largest where |x - c|^2 is smallest. */
static void by_distance(predictor *p)
{
    const cobloc_result *r = p->r;
    for (int k = 0; k < r->k; k++) {
        double size = size_of(r, k);
        for (int64_t j = 0; j < r->d; j++) {
            double mean = cob_ratio(p->saved->centres[j * r->k + k], size);
            p->weights[j * r->k + k] = 2 * mean;
            p->plus[k] -= mean * mean;
        }
    }
}

static void by_direction(predictor *p)
{
    const cobloc_result *r = p->r;
    for (int k = 0; k < r->k; k++) {
        double squares = 0;
        for (int64_t j = 0; j < r->d; j++)
            squares += p->saved->centres[j * r->k + k] * p->saved->centres[j * r->k + k];
        for (int64_t j = 0; j < r->d; j++)
            p->weights[j * r->k + k] = cob_ratio(p->saved->centres[j * r->k + k], sqrt(squares));
    }
}

static void by_bernoulli(predictor *p)
{
    const cobloc_result *r = p->r;
    for (int k = 0; k < r->k; k++) {
        double size = size_of(r, k);
        p->plus[k] = cob_log(size / (double)r->n);
        for (int64_t j = 0; j < r->d; j++) {
            cob_cell cell = cob_cell_of(p->saved->centres[j * r->k + k], size);
            p->weights[j * r->k + k] = cell.logit;
            p->plus[k] += cell.log_without;
        }
    }
}

/* The probabilities of words in topics, from those of topics given words: of these, counts and a
 * prior of 1 / k were made. */
static void by_topics(predictor *p)
{
    const cobloc_result *r = p->r;
    for (int k = 0; k < r->k; k++) {
        double sum = 0;
        for (int64_t j = 0; j < r->d; j++) {
            double tokens = r->weight == COBLOC_WEIGHT_BINARY ? (double)p->saved->col_frequencies[j]
                                                              : p->saved->col_sums[j];
            double count =
                r->col_labels[j] < 0 ? 0 : r->col_probabilities[j * r->k + k] * (tokens + 1);
            p->weights[j * r->k + k] = count;
            sum += count;
        }
        for (int64_t j = 0; j < r->d; j++)
            p->weights[j * r->k + k] = cob_ratio(p->weights[j * r->k + k], sum);
    }
}

static cobloc_status open_method(predictor *p, cobloc_error *err)
{
    static void (*const make[])(predictor *) = {[COB_PLACE_NEAREST] = by_distance,
                                                [COB_PLACE_DIRECTION] = by_direction,
                                                [COB_PLACE_BERNOULLI] = by_bernoulli,
                                                [COB_PLACE_TOPICS] = by_topics};
    cobloc_status status = COBLOC_OK;
    cob_placement by = p->algorithm.method->placement;
    COB_CHECK(
        by != COB_PLACE_NOT, COBLOC_UNSUPPORTED,
        "cannot predict with %s: its clusters are of the matrix as a whole, and leave no rule "
        "for new rows; a block model can go on from them (start from their labels)",
        p->r->model);
    COB_CHECK(by == COB_PLACE_TOPICS ? p->r->col_probabilities != NULL : p->saved->centres != NULL,
              COBLOC_BAD_DATA, "%s/model.json: has no centres of %s", p->saved->folder,
              p->r->model);
    COB_NEW(p->weights, (size_t)p->r->d * (size_t)p->r->k);
    COB_NEW_ZERO(p->plus, p->r->k);
    make[by](p);
    p->probable = by == COB_PLACE_BERNOULLI || by == COB_PLACE_TOPICS;
done:
    return status;
}

/* Shares of topics in a document, as the mean of what Gibbs sampling would draw (CVB0: Asuncion,
 * Welling, Smyth, Teh 2009); their logarithms are the scores. `room` is for the document's words by
 * topics. */
static void score_document(const predictor *p, const cobloc_view *rows, int64_t row, double *room,
                           double *scores)
{
    enum { MOST_ROUNDS = 200 };
    int k = p->r->k;
    int64_t first = rows->offsets[row], words = rows->offsets[row + 1] - first;
    double moved = 1, total = 0, alpha = 1.0 / k;
    for (int t = 0; t < k; t++)
        scores[t] = 0;
    for (int64_t w = 0; w < words; w++) {
        double count = cobloc_view_value(rows, first + w);
        total += count;
        for (int t = 0; t < k; t++) {
            room[w * k + t] = alpha;
            scores[t] += count * alpha;
        }
    }
    for (int round = 0; moved > 1e-9 * total && round < MOST_ROUNDS; round++) {
        moved = 0;
        for (int64_t w = 0; w < words; w++) {
            const double *word = p->weights + (int64_t)rows->indices[first + w] * k;
            double count = cobloc_view_value(rows, first + w), sum = 0, *own = room + w * k;
            for (int t = 0; t < k; t++) /* without one of this word itself */
                sum += (scores[t] - own[t] + alpha) * word[t];
            for (int t = 0; t < k && sum > 0; t++) {
                double share = (scores[t] - own[t] + alpha) * word[t] / sum;
                moved += count * fabs(share - own[t]);
                room[words * k + t] = count * (share - own[t]);
                own[t] = share;
            }
            for (int t = 0; t < k && sum > 0; t++)
                scores[t] += room[words * k + t];
        }
    }
    for (int t = 0; t < k; t++)
        scores[t] = cob_log((scores[t] + alpha) / (total + 1));
}

/* ---- scoring --------------------------------------------------------------------------------- */

static void predictor_free(predictor *p)
{
    cob_free(p->weights);
    cob_free(p->plus);
}

static cobloc_status predictor_open(const cobloc_saved *saved, predictor *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = saved->result;
    *p = (predictor){.saved = saved, .r = r};
    COB_CHECK(cob_algorithm_named(r->model, &p->algorithm), COBLOC_BAD_ARGUMENT,
              "there is no model '%s'", r->model);
    if (p->algorithm.method) {
        COB_TRY(open_method(p, err));
        goto done;
    }
    COB_CHECK(r->row_rule, COBLOC_BAD_DATA, "%s/model.json: has no 'row_rule'", saved->folder);
    p->probable = p->algorithm.model->likelihood;
    p->placing = (cob_placing){.k = r->k,
                               .l = r->l,
                               .rule = r->row_rule,
                               .labels = r->col_labels,
                               .soft = r->col_probabilities,
                               .effect_scale = r->effect_scale};
done:
    return status;
}

/* Room for one row: sums over column clusters, or words by topics. */
static size_t room_of(const predictor *p, const cobloc_view *rows)
{
    int64_t longest = 0;
    if (p->algorithm.model)
        return (size_t)p->r->l;
    for (int64_t i = 0; i < rows->major; i++) {
        int64_t length = rows->offsets[i + 1] - rows->offsets[i];
        longest = length > longest ? length : longest;
    }
    return ((size_t)longest + 1) * (size_t)p->r->k;
}

static void score(const predictor *p, const cobloc_view *rows, int64_t row, double *room,
                  double *scores)
{
    if (p->algorithm.model) {
        cob_score_row(&p->placing, row, room, scores);
    } else if (p->algorithm.method->placement == COB_PLACE_TOPICS) {
        score_document(p, rows, row, room, scores);
    } else {
        cob_line_times(rows, row, p->weights, p->r->k, scores);
        for (int k = 0; k < p->r->k; k++)
            scores[k] += p->plus[k];
    }
}

static cobloc_status place_all(predictor *p, const cobloc_matrix *x, cobloc_prediction *out,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view rows = cobloc_matrix_by_rows(x);
    double *room = NULL, *scores = NULL;
    size_t k = (size_t)out->k;
    COB_NEW(room, room_of(p, &rows));
    COB_NEW(scores, k);
    COB_NEW(out->labels, out->n);
    if (p->probable)
        COB_NEW_ZERO(out->probabilities, (size_t)out->n * k);
    p->placing.rows = rows;
    for (int64_t i = 0; i < out->n; i++) {
        out->labels[i] = -1;
        if (rows.offsets[i + 1] == rows.offsets[i] && !p->algorithm.zeros_matter) {
            out->unplaced++;
            continue;
        }
        score(p, &rows, i, room, scores);
        out->labels[i] = cob_largest(scores, out->k, -1);
        if (p->probable) {
            cob_softmax(scores, out->k);
            memcpy(out->probabilities + i * out->k, scores, k * sizeof *scores);
        }
    }
done:
    cob_free(room);
    cob_free(scores);
    return status;
}

static cobloc_status check_effects(const predictor *p, const double *effects, int64_t rows,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(!effects || (p->algorithm.model && p->algorithm.model->effects), COBLOC_BAD_ARGUMENT,
              "%s takes no row effects: these are for the Poisson models", p->r->model);
    for (int64_t i = 0; effects && i < rows; i++)
        COB_CHECK(effects[i] > 0 && isfinite(effects[i]), COBLOC_BAD_ARGUMENT,
                  "the row effect of line %lld is %g, expected a positive number",
                  (long long)(i + 1), effects[i]);
done:
    return status;
}

cobloc_status cobloc_predict(const cobloc_saved *saved, const cobloc_matrix *matrix,
                             const double *row_effects, cobloc_prediction **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    predictor p = {0};
    cobloc_prediction *made = NULL;
    cobloc_matrix *known = NULL;
    COB_TRY(predictor_open(saved, &p, err));
    COB_TRY(check_effects(&p, row_effects, matrix->rows, err));
    COB_TRY(cobloc_matrix_verify(matrix, err));
    COB_TRY(cob_matrix_check_cells(matrix, p.algorithm.name, p.algorithm.takes_negative,
                                   p.algorithm.takes_missing, err));
    COB_NEW_ZERO(made, 1);
    made->n = matrix->rows;
    made->k = saved->result->k;
    COB_TRY(cob_make_known(saved, matrix, made, &known, err));
    p.placing.effects = row_effects ? row_effects : cobloc_matrix_row_sums(known);
    p.placing.effect_scale = row_effects ? 1 : saved->result->effect_scale;
    COB_TRY(place_all(&p, known, made, err));
    *out = made;
    made = NULL;
done:
    cobloc_prediction_free(made);
    cobloc_matrix_free(known);
    predictor_free(&p);
    return status;
}
