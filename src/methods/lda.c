/* lda: latent Dirichlet allocation (Blei, Ng and Jordan 2003). Documents are mixtures of topics,
 * and topics are distributions over words; each document and each word is assigned to its most
 * probable topic. methods/topics.h samples the topics of the tokens.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "engine/means.h"
#include "matrix/scores.h"
#include "methods/registry.h"
#include "methods/topics.h"
#include "models/common.h"

enum { PURPOSE_BEGIN = 35, PURPOSE_SWEEP, START_ITERATIONS = 10 };

/* The chain has converged when the mean of WINDOW sweeps is no better than that of the WINDOW
 * sweeps before, up to a relative SETTLED; the counts of DRAWS more sweeps are then averaged. */
enum { WINDOW = 20, DRAWS = 20 };
static const double SETTLED = 1e-3;

typedef struct chain {
    const cob_method_problem *p;
    cob_topics topics;
    double *documents; /* rows by k: tokens of each topic, summed over the draws */
    double *words;     /* columns by k: the same; later p(word | topic) */
    int draws;
} chain;

static void chain_free(chain *c)
{
    cob_topics_free(&c->topics);
    cob_free(c->documents);
    cob_free(c->words);
}

/* Memory and time follow the tokens. They also follow the size of the matrix: a few huge counts,
 * which no text has, are rejected. */
static double most_tokens(int64_t entries)
{
    return fmin(1e6 + 1000 * (double)entries, INT32_MAX);
}

static double memory(const cobloc_matrix *x, int k)
{
    double tokens = fmin(cobloc_matrix_total(x), most_tokens(x->nnz)),
           lines = (double)(x->rows + x->cols);
    return tokens * sizeof(uint16_t) + fmin(tokens, (double)x->cols * k) * sizeof(cob_topic_count) +
           2 * lines * k * sizeof(double);
}

/* Both priors are 1/k, as in scikit-learn and gensim. */
static cobloc_status chain_alloc(chain *c, const cob_method_problem *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double total = cobloc_matrix_total(p->x);
    c->p = p;
    COB_CHECK(p->rows.kind <= COBLOC_U32, COBLOC_BAD_DATA,
              "lda draws a topic for each word of a document, so it needs counts, but the matrix "
              "holds other numbers");
    COB_CHECK(
        total <= most_tokens(p->rows.nnz), COBLOC_BAD_DATA,
        "lda draws a topic for each count: %.0f in %lld entries are too many, expected at most "
        "%.0f; divide the counts, or use the weight 'binary'",
        total, (long long)p->rows.nnz, most_tokens(p->rows.nnz));
    COB_TRY(cob_topics_alloc(&c->topics, &p->rows, &p->cols, 1.0 / p->k, 1.0 / p->k, p->k, err));
    COB_NEW_ZERO(c->documents, (size_t)p->rows.major * (size_t)p->k);
    COB_NEW_ZERO(c->words, (size_t)p->cols.major * (size_t)p->k);
done:
    return status;
}

/* ---- the chain ------------------------------------------------------------------------------- */

/* Spherical k-means of the documents by TF-IDF: chains that start with its labels converge sooner,
 * and seldom merge two topics. */
static cobloc_status begin(chain *c, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_method_problem *p = c->p;
    if (p->start == COBLOC_START_AUTO) {
        cob_weighed rows = cob_method_directed(p, 0);
        rows.deadline = p->watch->deadline;
        COB_TRY(cob_means_start(&rows, p->k, true, START_ITERATIONS,
                                cob_stream_at(p->seed, p->restart, 0, PURPOSE_BEGIN), p->threads,
                                out->row_labels, err));
    } else {
        COB_TRY(cob_method_labels(p, out->row_labels, err));
    }
    cob_topics_begin(&c->topics, out->row_labels);
done:
    return status;
}

static double mean_of(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

/* Perplexity falls to a level and then fluctuates about it. */
static bool has_settled(const cob_outcome *out, double tolerance)
{
    if (out->trace_count < 2 * WINDOW)
        return false;
    const double *last = out->trace + out->trace_count - WINDOW;
    double before = log(mean_of(last - WINDOW, WINDOW)), now = log(mean_of(last, WINDOW));
    return before - now <= (tolerance > 0 ? fmax(tolerance, SETTLED) * before : 0);
}

static void add_words(chain *c)
{
    const cob_topics *s = &c->topics;
    for (int64_t j = 0; j < c->p->cols.major; j++)
        for (int i = 0; i < s->word_used[j]; i++) {
            const cob_topic_count *one = &s->word_counts[s->word_first[j] + i];
            c->words[j * s->k + one->topic] += one->count;
        }
    c->draws++;
}

/* Sweeps until the chain has converged, then some more, whose counts are kept. If it never
 * converges, the counts of the last sweeps are kept. */
static cobloc_status run(chain *c, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_method_problem *p = c->p;
    bool ends = false, settled = false;
    while (!ends && c->draws < DRAWS) {
        bool keeps = settled || out->iterations + DRAWS >= p->max_iterations;
        cob_stream stream =
            cob_stream_at(p->seed, p->restart, (uint32_t)out->iterations + 1, PURPOSE_SWEEP);
        if (!cob_topics_sweep(&c->topics, stream, p->watch->deadline,
                              keeps ? c->documents : NULL)) {
            out->stop = COBLOC_STOP_TIME;
            break;
        }
        if (keeps)
            add_words(c);
        COB_TRY(cob_method_note(p, exp(-c->topics.log_likelihood / (double)c->topics.tokens), &ends,
                                out, err));
        settled = settled || has_settled(out, p->tolerance);
    }
    if (out->stop == COBLOC_STOP_ITERATIONS && settled)
        out->stop = COBLOC_STOP_CONVERGED;
    if (c->draws == 0) { /* stopped early: use the current topics */
        cob_topics_count(&c->topics, c->documents);
        add_words(c);
    }
done:
    return status;
}

/* ---- the result ------------------------------------------------------------------------------ */

/* Memberships of lines from their counts and a prior; labels by the largest. */
static void estimate_lines(const double *counts, int64_t lines, int k, int draws, double prior,
                           double *soft, int32_t *labels)
{
    for (int64_t i = 0; i < lines; i++) {
        for (int t = 0; t < k; t++)
            soft[i * k + t] = counts[i * k + t] / draws + prior;
        labels[i] = cob_to_shares(soft + i * k, k);
    }
}

/* Turns the counts of the words into their probabilities in each topic. */
static void estimate_topics(chain *c)
{
    int k = c->p->k;
    int64_t d = c->p->cols.major;
    for (int t = 0; t < k; t++) {
        double sum = 0;
        for (int64_t j = 0; j < d; j++) {
            c->words[j * k + t] = c->words[j * k + t] / c->draws + c->topics.beta;
            sum += c->words[j * k + t];
        }
        for (int64_t j = 0; j < d; j++)
            c->words[j * k + t] /= sum;
    }
}

/* exp(-mean log p(token)), where p(token) follows from the documents and topics. */
static cobloc_status perplexity(const chain *c, const double *shares, double *value,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *rows = &c->p->rows;
    double *of_row = NULL, sum = 0;
    int k = c->p->k;
    COB_NEW_ZERO(of_row, rows->major);
#pragma omp parallel for schedule(dynamic, 64) num_threads(c->p->threads)
    for (int64_t i = 0; i < rows->major; i++)
        for (int64_t e = rows->offsets[i]; e < rows->offsets[i + 1]; e++) {
            const double *word = c->words + (int64_t)rows->indices[e] * k;
            double likely = 0;
            for (int t = 0; t < k; t++)
                likely += shares[i * k + t] * word[t];
            of_row[i] += cobloc_view_value(rows, e) * cob_log(likely);
        }
    for (int64_t i = 0; i < rows->major; i++)
        sum += of_row[i];
    *value = exp(-sum / cobloc_matrix_total(c->p->x));
done:
    cob_free(of_row);
    return status;
}

/* A topic without lines gets the line in which it is strongest. */
static cobloc_status take_side(const double *counts, int64_t lines, const chain *c, double prior,
                               double **soft, int32_t *labels, int *kept, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int repaired, k = c->p->k;
    COB_NEW(*soft, (size_t)lines * (size_t)k);
    estimate_lines(counts, lines, k, c->draws, prior, *soft, labels);
    cob_shares s = {*soft, labels, k};
    COB_TRY(cob_repair_empty(labels, lines, k, NULL, cob_loss_by_share, &s, &repaired, err));
    *kept += repaired;
done:
    return status;
}

static cobloc_status fit(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    chain c = {0};
    COB_TRY(chain_alloc(&c, p, err));
    COB_TRY(begin(&c, out, err));
    COB_TRY(run(&c, out, err));
    COB_TRY(take_side(c.documents, p->rows.major, &c, c.topics.alpha, &out->row_soft,
                      out->row_labels, &out->kept, err));
    COB_TRY(take_side(c.words, p->cols.major, &c, c.topics.beta, &out->col_soft, out->col_labels,
                      &out->kept, err));
    estimate_topics(&c);
    COB_TRY(perplexity(&c, out->row_soft, &out->criterion, err));
done:
    chain_free(&c);
    return status;
}

/* ---- new rows -------------------------------------------------------------------------------- */

/* p(word | topic) from p(topic | word), which was made from counts and a prior of 1 / k. */
static cobloc_status open_topics(cob_placer *placer, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_fitted *f = placer->fitted;
    COB_CHECK(f->col_probabilities, COBLOC_BAD_DATA, "has no column probabilities");
    COB_TRY(cob_open_table(placer, err));
    for (int k = 0; k < f->k; k++) {
        double sum = 0;
        for (int64_t j = 0; j < f->d; j++) {
            double tokens =
                f->weight == COBLOC_WEIGHT_BINARY ? (double)f->col_frequencies[j] : f->col_sums[j];
            double count =
                f->col_labels[j] < 0 ? 0 : f->col_probabilities[j * f->k + k] * (tokens + 1);
            placer->table[j * f->k + k] = count;
            sum += count;
        }
        for (int64_t j = 0; j < f->d; j++)
            placer->table[j * f->k + k] = cob_ratio(placer->table[j * f->k + k], sum);
    }
done:
    return status;
}

/* The shares of the topics in a document, as the mean of Gibbs sampling (CVB0: Asuncion, Welling,
 * Smyth, Teh 2009); the scores are their logarithms. `room`: scratch for the document's words by
 * topics. */
static void score_document(const cob_placer *p, const cobloc_view *rows, int64_t row, double *room,
                           double *scores)
{
    enum { MOST_ROUNDS = 200 };
    int k = p->fitted->k;
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
            const double *word = p->table + (int64_t)rows->indices[first + w] * k;
            double count = cobloc_view_value(rows, first + w), sum = 0, *own = room + w * k;
            for (int t = 0; t < k; t++) /* without one token of this word */
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

static const cob_placement by_topics = {
    .probable = true, .open = open_topics, .score = score_document};

const cob_method cob_method_lda = {
    .name = "lda",
    .title = "latent Dirichlet allocation, diagonal",
    .criterion = "perplexity",
    .minimised = true,
    .diagonal = true,
    .soft = true,
    .starts = COB_METHOD_STARTS,
    .restarts = 3, /* chains take long, and differ less than other starts */
    .placement = &by_topics,
    .memory = memory,
    .prepare = cob_method_directions,
    .release = cob_method_directions_free,
    .fit = fit,
};
