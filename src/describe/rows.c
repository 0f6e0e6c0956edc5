/* Typical and borderline rows of each cluster.
 * SPDX-License-Identifier: MIT
 */
#include "describe/describe.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/top.h"
#include "fit/place.h"
#include "matrix/scores.h"
#include "matrix/transpose.h"
#include "models/common.h"

#include <math.h>

/* How rows are scored: by the model's own rule; without one, by its probabilities; without these,
 * by a rule that suits any clusters. */
typedef struct scoring {
    const cobloc_result *r;
    cob_placing placing;
    cob_copies copies;
    cob_weigher *weigher;
    double *own_rule;
    bool likely;  /* scores are log-probabilities */
    double *room; /* for each thread: sums and scores */
} scoring;

static void scoring_free(scoring *s)
{
    cob_copies_free(&s->copies);
    cob_weigher_free(s->weigher);
    cob_free(s->own_rule);
    cob_placing_free(&s->placing);
    cob_free(s->room);
}

/* The place of the largest score but one of them; -1: there is no other. */
static int best_but(const double *scores, int count, int but)
{
    int best = -1;
    for (int k = 0; k < count; k++)
        if (k != but && (best < 0 || scores[k] > scores[best]))
            best = k;
    return best;
}

void cob_shares_rule(const double *lifts, const double *col_sums, int k, int l, bool diagonal,
                     double *rule)
{
    double total = 0;
    for (int b = 0; b < l; b++)
        total += col_sums[b];
    for (int a = 0; a < k; a++) {
        double *line = rule + (int64_t)a * (l + 2);
        for (int b = 0; b < l; b++) {
            bool own = diagonal ? a == b : lifts[(int64_t)a * l + b] > 1;
            line[b] = own ? 1 : 0;
            line[l] -= own ? cob_ratio(col_sums[b], total) : 0;
        }
    }
}

static cobloc_status scoring_open(const cob_describing *d, scoring *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = d->r;
    cob_algorithm a;
    bool own = r->row_rule != NULL && cob_algorithm_named(r->model, &a);
    const cobloc_matrix *x = d->matrix;
    cob_weighing how = cob_result_weighing(r);
    int width = own ? r->rule_width : r->l + 2;
    if (!own)
        COB_NEW_ZERO(s->own_rule, (size_t)r->k * ((size_t)r->l + 2));
    if (!own)
        cob_shares_rule(d->out->lifts, d->col_sums, r->k, r->l, d->out->diagonal, s->own_rule);
    else if (how.weight == COBLOC_WEIGHT_BINARY)
        COB_TRY(cob_copies_make(&s->copies, x, how, err));
    else if (cob_weighing_changes(x, &how))
        COB_TRY(cob_weigher_new(x, how, &s->weigher, err)); /* there may be no room for a copy */
    x = cob_copies_find(&s->copies, x, how);
    s->r = r;
    s->likely = own ? a.model && a.model->likelihood : r->row_probabilities != NULL;
    s->placing = (cob_placing){.labels = r->col_labels,
                               .soft = own ? r->col_probabilities : NULL,
                               .weigher = s->weigher,
                               .effects = s->weigher ? NULL : cobloc_matrix_row_sums(x),
                               .effect_scale = own ? r->effect_scale : 1};
    if (own)
        cob_placing_take(&s->placing, x);
    else
        s->placing.rows = cobloc_matrix_by_rows(x);
    COB_TRY(cob_placing_open(&s->placing, own ? a.model : NULL, own ? r->row_rule : s->own_rule,
                             r->k, r->l, width, err));
    COB_NEW(s->room, (int64_t)d->threads * (width + r->k));
done:
    return status;
}

/* The row with its margin and probability. */
static cobloc_described_row row_of(const scoring *s, int64_t row)
{
    const cobloc_result *r = s->r;
    int own = r->row_labels[row];
    cobloc_described_row found = {.row = row, .probability = NAN};
    const double *kept = r->row_probabilities ? r->row_probabilities + row * r->k : NULL;
    int width = s->placing.rule.from + 2;
    double *sums = s->room + (int64_t)cob_thread() * (width + r->k), *scores = sums + width;
    if (kept && !r->row_rule)
        for (int k = 0; k < r->k; k++)
            scores[k] = cob_log(kept[k]);
    else
        cob_score_row(&s->placing, row, sums, scores);
    found.next = best_but(scores, r->k, own);
    found.margin = found.next < 0 ? INFINITY : scores[own] - scores[found.next];
    if (s->likely)
        cob_to_probabilities(scores, r->k, 1);
    if (kept || s->likely)
        found.probability = kept ? kept[own] : scores[own];
    return found;
}

static bool surer(const void *a, const void *b)
{
    return ((const cobloc_described_row *)a)->margin > ((const cobloc_described_row *)b)->margin;
}

static bool less_sure(const void *a, const void *b)
{
    return surer(b, a);
}

static void offer_row(cobloc_bloc *b, int most, const cobloc_described_row *row)
{
    cob_top_offer(b->typical, &b->typical_count, most, sizeof *row, row, surer);
    cob_top_offer(b->borderline, &b->borderline_count, most, sizeof *row, row, less_sure);
}

/* Some rows at a time are scored on all threads, then offered in their order. */
cobloc_status cob_find_rows(cob_describing *d, cobloc_error *err)
{
    enum { AT_ONCE = 8192 };
    cobloc_status status = COBLOC_OK;
    scoring s = {0};
    cobloc_described_row *some = NULL;
    if (d->o->rows == 0)
        return COBLOC_OK;
    COB_TRY(scoring_open(d, &s, err));
    for (int k = 0; k < d->r->k; k++) {
        COB_NEW(d->out->blocs[k].typical, d->o->rows);
        COB_NEW(d->out->blocs[k].borderline, d->o->rows);
    }
    COB_NEW(some, AT_ONCE);
    for (int64_t first = 0; first < d->r->n; first += AT_ONCE) {
        int64_t last = first + AT_ONCE < d->r->n ? first + AT_ONCE : d->r->n;
#pragma omp parallel for schedule(dynamic, 64) num_threads(d->threads)
        for (int64_t i = first; i < last; i++)
            if (d->r->row_labels[i] >= 0)
                some[i - first] = row_of(&s, i);
        for (int64_t i = first; i < last; i++)
            if (d->r->row_labels[i] >= 0)
                offer_row(&d->out->blocs[d->r->row_labels[i]], d->o->rows, &some[i - first]);
    }
done:
    cob_free(some);
    scoring_free(&s);
    return status;
}

cobloc_status cob_find_margins(const cob_describing *d, double *margins, int32_t *seconds,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    scoring s = {0};
    COB_TRY(scoring_open(d, &s, err));
    const cobloc_view *rows = &s.placing.rows;
    int chunks = cob_chunk_count(rows, d->threads);
#pragma omp parallel for schedule(dynamic) num_threads(d->threads)
    for (int c = 0; c < chunks; c++) {
        int64_t first = cob_chunk_begin(rows->offsets, rows->major, c, chunks);
        int64_t last = cob_chunk_begin(rows->offsets, rows->major, c + 1, chunks);
        int64_t left = rows->offsets[first];
        for (int64_t i = first; i < last; i++) {
            cobloc_described_row row = {.next = -1, .margin = NAN};
            if (d->r->row_labels[i] >= 0)
                row = row_of(&s, i);
            margins[i] = row.margin;
            seconds[i] = row.next;
            left = cob_leave_behind(rows, left, rows->offsets[i + 1], i + 1 == last);
        }
    }
done:
    scoring_free(&s);
    return status;
}
