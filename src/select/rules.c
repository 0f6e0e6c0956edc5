/* What sizes can be chosen by beside ICL and modularity: exact ICL, description length, the
 * likelihood of what was held out, stability, agreement.
 * SPDX-License-Identifier: MIT
 */
#include "select/rules.h"

#include "base/alloc.h"
#include "base/gamma.h"
#include "base/random.h"
#include "score/scores.h"

#include <math.h>

enum { SPLITS = 3 };
enum { PURPOSE_THIN = 96, PURPOSE_SUBSAMPLE = 97 }; /* random streams, above that of samples */
static const double SUBSAMPLE = 0.8;                /* of the rows */

/* ---- exact ICL ------------------------------------------------------------------------------- */

/* The probability of labels with these sizes: each sequence of sizes is as likely as any other. */
static double log_labels(const double *sizes, int clusters, double lines)
{
    double sum = cob_log_gamma(clusters) - cob_log_gamma(lines + clusters);
    for (int k = 0; k < clusters; k++)
        sum += cob_log_gamma(sizes[k] + 1);
    return sum;
}

static double log_beta(double a, double b)
{
    return cob_log_gamma(a) + cob_log_gamma(b) - cob_log_gamma(a + b);
}

double cob_exact_icl(const cob_stats *s, bool bernoulli)
{
    double sum = log_labels(s->z, s->g, s->n) + log_labels(s->w, s->m, s->d);
    for (int k = 0; k < s->g; k++)
        for (int l = 0; l < s->m; l++) {
            double b = cob_block(s, k, l);
            if (bernoulli)
                sum += log_beta(b + 0.5, cob_cells(s, k, l) - b + 0.5) - log_beta(0.5, 0.5);
            else
                sum += cob_log_gamma(1 + b) - (1 + b) * log1p(s->R[k] * s->C[l] / s->total);
        }
    return sum;
}

/* ---- description length ---------------------------------------------------------------------- */

static double log_choose(double n, double k)
{
    return cob_log_gamma(n + 1) - cob_log_gamma(k + 1) - cob_log_gamma(n - k + 1);
}

/* Of one side: which cluster each line is in, how the entries of a cluster are spread over its
 * lines, and in which order. */
static double length_of_side(const double *sizes, const double *masses, int clusters, double lines)
{
    double sum = log_choose(lines - 1, clusters - 1) + cob_log_gamma(lines + 1) + log(lines);
    for (int k = 0; k < clusters; k++)
        sum += log_choose(sizes[k] + masses[k] - 1, masses[k]) - cob_log_gamma(sizes[k] + 1) +
               cob_log_gamma(masses[k] + 1);
    return sum;
}

double cob_description_length(const cob_stats *s)
{
    double blocks = (double)s->g * s->m;
    double sum = log_choose(blocks + s->total - 1, s->total);
    sum += length_of_side(s->z, s->R, s->g, s->n) + length_of_side(s->w, s->C, s->m, s->d);
    for (int k = 0; k < s->g; k++)
        for (int l = 0; l < s->m; l++)
            sum -= cob_log_gamma(cob_block(s, k, l) + 1);
    return sum;
}

/* ---- held-out counts ------------------------------------------------------------------------- */

/* How many of `count` coins show heads: bits of random words. */
static double heads(const cob_stream *stream, uint64_t entry, uint32_t count)
{
    int found = 0;
    uint32_t words[4], left = count;
    for (uint32_t block = 0; left > 0; block++) {
        cob_random_words(stream, (entry << 25) + block, words);
        for (int w = 0; w < 4 && left > 0; w++) {
            uint32_t take = left < 32 ? left : 32;
            uint32_t bits = take < 32 ? words[w] & ((1u << take) - 1) : words[w];
            for (; bits; bits &= bits - 1)
                found++;
            left -= take;
        }
    }
    return found;
}

cobloc_status cob_thin(const cobloc_matrix *x, cob_stream stream, bool other, int threads,
                       cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *values = NULL;
    cob_side side = {0};
    cobloc_value_kind kind;
    int64_t entries = 0;
    COB_CHECK(x->kind <= COBLOC_U32, COBLOC_BAD_DATA,
              "only counts can be split: the table holds other numbers");
    COB_TRY(cob_side_alloc(&side, x->rows, x->nnz, COBLOC_ONES, err));
    COB_NEW(values, x->nnz);
    side.offsets[0] = 0;
    for (int64_t i = 0; i < x->rows; i++) {
        for (int64_t e = x->by_row.offsets[i]; e < x->by_row.offsets[i + 1]; e++) {
            double all = cob_value_get(x->kind, x->by_row.values, e);
            double part = heads(&stream, (uint64_t)e, (uint32_t)all);
            values[entries] = other ? all - part : part;
            side.indices[entries] = x->by_row.indices[e];
            entries += values[entries] > 0;
        }
        side.offsets[i + 1] = entries;
    }
    COB_CHECK(entries > 0, COBLOC_BAD_DATA, "there are too few counts to split");
    COB_TRY(cob_values_pack(&values, entries, (cob_between){0, entries}, NULL, &kind, &side.values,
                            err));
    COB_TRY(cob_matrix_own(x->rows, x->cols, kind, &side, threads, out, err));
done:
    cob_free(values);
    cob_side_free(&side);
    return status;
}

/* The lifts are the means of their distributions after the fitted half, with the prior of exact
 * ICL. */
double cob_held_out(const cob_stats *fitted, const cob_stats *held)
{
    double sum = 0;
    for (int k = 0; k < fitted->g; k++)
        for (int l = 0; l < fitted->m; l++) {
            double lift =
                (1 + cob_block(fitted, k, l)) / (1 + fitted->R[k] * fitted->C[l] / fitted->total);
            sum += cob_block(held, k, l) * log(lift) - held->R[k] * held->C[l] / held->total * lift;
        }
    return sum / held->total;
}

/* ---- sizes of a selection -------------------------------------------------------------------- */

typedef struct job {
    const cobloc_matrix *matrix;
    const cobloc_fit_options *options;
    cob_watch watch;
    cobloc_selection *selection;
} job;

/* The labels of another matrix with the same rows, with k and l clusters: one start each. */
static cobloc_status fit_other(const job *j, const cobloc_matrix *x, const cobloc_size *size,
                               uint64_t seed, cobloc_result **out, cobloc_error *err)
{
    cob_algorithm a = cob_algorithm_of(size->model);
    cobloc_fit_options o = *j->options;
    o.model = size->model;
    o.k = size->k;
    o.l = size->l;
    o.restarts = 1;
    o.seed = seed;
    o.progress = (cobloc_progress){0};
    return cob_fit(x, &o, &a, out, err);
}

/* Lines without entries are in no cluster: they are put into the first, as in all sizes. */
static void fill_labels(const int32_t *labels, int64_t count, int32_t *filled)
{
    for (int64_t i = 0; i < count; i++)
        filled[i] = labels[i] < 0 ? 0 : labels[i];
}

static cobloc_status stats_of(const cobloc_matrix *x, const cobloc_result *r, int threads,
                              cob_stats *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int32_t *rows = NULL, *cols = NULL;
    COB_NEW(rows, r->n);
    COB_NEW(cols, r->d);
    fill_labels(r->row_labels, r->n, rows);
    fill_labels(r->col_labels, r->d, cols);
    COB_TRY(cob_stats_alloc(s, r->k, r->l, err));
    COB_TRY(cob_measure_labels(x, rows, cols, threads, s, err));
done:
    cob_free(rows);
    cob_free(cols);
    return status;
}

static cobloc_status by_thinning(const job *j, int split, cobloc_size *size, double *value,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_stream stream = cob_stream_at(j->options->seed, (uint32_t)split, 0, PURPOSE_THIN);
    cobloc_matrix *half[2] = {NULL, NULL};
    cobloc_result *r = NULL;
    cob_stats fitted = {0}, held = {0};
    int threads = j->options->threads;
    COB_TRY(cob_thin(j->matrix, stream, false, threads, &half[0], err));
    COB_TRY(cob_thin(j->matrix, stream, true, threads, &half[1], err));
    COB_TRY(fit_other(j, half[0], size, j->options->seed, &r, err));
    COB_TRY(stats_of(half[0], r, threads, &fitted, err));
    COB_TRY(stats_of(half[1], r, threads, &held, err));
    *value = cob_held_out(&fitted, &held);
done:
    cob_stats_free(&fitted);
    cob_stats_free(&held);
    cobloc_result_free(r);
    cobloc_matrix_free(half[0]);
    cobloc_matrix_free(half[1]);
    return status;
}

/* Labels of all rows by a fit of some of them; the others have -1. */
static cobloc_status fit_some(const job *j, uint32_t sample, const cobloc_size *size,
                              int32_t *labels, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_matrix *x = j->matrix;
    cob_stream stream = cob_stream_at(j->options->seed, sample, 0, PURPOSE_SUBSAMPLE);
    cobloc_matrix *part = NULL;
    cobloc_result *r = NULL;
    int32_t next = 0;
    for (int64_t i = 0; i < x->rows; i++)
        labels[i] = cob_random_uniform(&stream, (uint64_t)i) < SUBSAMPLE ? next++ : -1;
    COB_TRY(cob_matrix_pick(x, labels, NULL, j->options->threads, &part, err));
    COB_TRY(fit_other(j, part, size, j->options->seed + sample, &r, err));
    for (int64_t i = 0; i < x->rows; i++)
        labels[i] = labels[i] < 0 ? -1 : r->row_labels[labels[i]];
done:
    cobloc_matrix_free(part);
    cobloc_result_free(r);
    return status;
}

static cobloc_status by_stability(const job *j, int split, cobloc_size *size, double *value,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t n = j->matrix->rows;
    int32_t *labels = NULL;
    cobloc_scores scores;
    COB_NEW(labels, 2 * n);
    for (uint32_t half = 0; half < 2; half++)
        COB_TRY(fit_some(j, 2 * (uint32_t)split + half, size, labels + half * n, err));
    COB_TRY(cob_score(labels, labels + n, n, &scores, err));
    *value = scores.ari;
done:
    cob_free(labels);
    return status;
}

/* Of the partition that was found: nothing is drawn. */
static cobloc_status by_labels(const job *j, cobloc_size *size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_stats s = {0};
    cob_algorithm a = cob_algorithm_of(size->model);
    COB_TRY(stats_of(j->matrix, size->result, j->options->threads, &s, err));
    size->value = j->selection->by == COBLOC_BY_EXACT_ICL ? cob_exact_icl(&s, a.binary)
                                                          : -cob_description_length(&s);
done:
    cob_stats_free(&s);
    return status;
}

/* Several draws: the mean, and its standard error. */
static cobloc_status by_draws(const job *j, cobloc_size *size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double drawn[SPLITS], squares = 0;
    size->value = 0;
    for (int split = 0; split < SPLITS; split++) {
        COB_TRY((j->selection->by == COBLOC_BY_THINNING ? by_thinning : by_stability)(
            j, split, size, &drawn[split], err));
        size->value += drawn[split] / SPLITS;
    }
    for (int split = 0; split < SPLITS; split++)
        squares += pow(drawn[split] - size->value, 2);
    size->spread = sqrt(squares / (SPLITS - 1) / SPLITS);
done:
    return status;
}

static cobloc_status by_agreement(const job *j, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_selection *s = j->selection;
    cob_agreed *sizes = NULL, *best = NULL;
    int from = s->curve[0].k, to = s->curve[s->count - 1].k, count = 0;
    COB_NEW(sizes, to - from + 1);
    COB_TRY(
        cob_agree(j->matrix, j->options, (cob_sizes){from, to, to}, j->watch, sizes, &count, err));
    for (int i = 0; i < count; i++)
        if (!best || cob_mean_agreement(&sizes[i]) > cob_mean_agreement(best))
            best = &sizes[i];
    for (int i = 0; i < s->count; i++)
        s->curve[i].value = NAN;
    for (int i = 0; i < count; i++) {
        cobloc_size *size = &s->curve[sizes[i].k - from];
        size->value = cob_mean_agreement(&sizes[i]);
        size->spread = cob_agreement_error(best, &sizes[i]);
    }
done:
    cob_free(sizes);
    return status;
}

cobloc_status cob_measure_sizes(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                cob_watch watch, cobloc_selection *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    job j = {matrix, options, watch, s};
    if (s->by == COBLOC_BY_AGREEMENT)
        return by_agreement(&j, err);
    for (int i = 0; i < s->count; i++) {
        if (s->by == COBLOC_BY_EXACT_ICL || s->by == COBLOC_BY_LENGTH)
            COB_TRY(by_labels(&j, &s->curve[i], err));
        else
            COB_TRY(by_draws(&j, &s->curve[i], err));
    }
done:
    return status;
}
