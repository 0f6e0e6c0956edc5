/* Sparse collapsed Gibbs sampling.
 * SPDX-License-Identifier: MIT
 */
#include "methods/topics.h"

#include "base/alloc.h"
#include "base/watch.h"

#include <math.h>

/* ---- memory ---------------------------------------------------------------------------------- */

/* The position of each word's list: no word has more topics than tokens. */
static void place_lists(cob_topics *s, const cobloc_view *cols)
{
    int64_t at = 0;
    for (int64_t j = 0; j < cols->major; j++) {
        int64_t tokens = 0;
        for (int64_t e = cols->offsets[j]; e < cols->offsets[j + 1]; e++)
            tokens += (int64_t)cobloc_view_value(cols, e);
        s->word_first[j] = at;
        at += tokens < s->k ? tokens : s->k;
        s->tokens += tokens;
    }
    s->word_first[cols->major] = at;
}

cobloc_status cob_topics_alloc(cob_topics *s, const cobloc_view *rows, const cobloc_view *cols,
                               double alpha, double beta, int k, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *s = (cob_topics){.rows = rows, .k = k, .alpha = alpha, .beta = beta};
    COB_NEW(s->word_first, cols->major + 1);
    place_lists(s, cols);
    COB_NEW_ZERO(s->topics, s->tokens);
    COB_NEW_ZERO(s->totals, k);
    COB_NEW(s->word_counts, s->word_first[cols->major]);
    COB_NEW_ZERO(s->word_used, cols->major);
    COB_NEW_ZERO(s->in_document, k);
    COB_NEW(s->listed, k);
    COB_NEW(s->inverse, k);
    COB_NEW(s->coefficient, k);
    COB_NEW(s->masses, k);
    for (int t = 0; t < k; t++) {
        s->inverse[t] = 1 / (beta * (double)rows->minor);
        s->coefficient[t] = alpha * s->inverse[t];
    }
done:
    return status;
}

void cob_topics_free(cob_topics *s)
{
    void *const arrays[] = {s->topics,      s->totals, s->word_counts, s->word_first,  s->word_used,
                            s->in_document, s->listed, s->inverse,     s->coefficient, s->masses};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        cob_free(arrays[i]);
    *s = (cob_topics){0};
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Adds `by` tokens to a topic in the document, and updates everything that depends on its counts.
 */
static inline void change(cob_topics *s, int topic, int by)
{
    double inverse = s->inverse[topic], there = s->in_document[topic];
    s->common -= s->alpha * s->beta * inverse;
    s->ours -= there * s->beta * inverse;
    s->totals[topic] += by;
    s->in_document[topic] += by;
    inverse = 1 / (s->beta * (double)s->rows->minor + (double)s->totals[topic]);
    there += by;
    s->common += s->alpha * s->beta * inverse;
    s->ours += there * s->beta * inverse;
    s->inverse[topic] = inverse;
    s->coefficient[topic] = (s->alpha + there) * inverse;
}

static void unlist(cob_topics *s, int topic)
{
    int at = 0;
    while (s->listed[at] != topic)
        at++;
    s->listed[at] = s->listed[--s->listed_count];
}

void cob_topics_take(cob_topics *s, int32_t word, int topic)
{
    cob_topic_count *list = s->word_counts + s->word_first[word];
    int at = 0;
    while (list[at].topic != topic)
        at++;
    if (--list[at].count == 0)
        list[at] = list[--s->word_used[word]];
    change(s, topic, -1);
    if (s->in_document[topic] == 0)
        unlist(s, topic);
}

void cob_topics_give(cob_topics *s, int32_t word, int topic)
{
    cob_topic_count *list = s->word_counts + s->word_first[word];
    int used = s->word_used[word], at = 0;
    while (at < used && list[at].topic != topic)
        at++;
    if (at == used) {
        list[at] = (cob_topic_count){topic, 0};
        s->word_used[word]++;
    }
    list[at].count++;
    if (s->in_document[topic] == 0)
        s->listed[s->listed_count++] = topic;
    change(s, topic, 1);
}

void cob_topics_open(cob_topics *s, int64_t document, int64_t token)
{
    const cobloc_view *rows = s->rows;
    for (int64_t e = rows->offsets[document]; e < rows->offsets[document + 1]; e++)
        for (int64_t left = (int64_t)cobloc_view_value(rows, e); left > 0; left--) {
            int topic = s->topics[token++];
            if (s->in_document[topic]++ == 0)
                s->listed[s->listed_count++] = topic;
        }
    s->common = s->ours = 0; /* recomputed, so that rounding errors do not add up */
    for (int t = 0; t < s->k; t++)
        s->common += s->alpha * s->beta * s->inverse[t];
    for (int i = 0; i < s->listed_count; i++) {
        int t = s->listed[i];
        s->ours += s->in_document[t] * s->beta * s->inverse[t];
        s->coefficient[t] = (s->alpha + s->in_document[t]) * s->inverse[t];
    }
}

void cob_topics_close(cob_topics *s)
{
    for (int i = 0; i < s->listed_count; i++) {
        int t = s->listed[i];
        s->in_document[t] = 0;
        s->coefficient[t] = s->alpha * s->inverse[t];
    }
    s->listed_count = 0;
}

/* ---- draws ----------------------------------------------------------------------------------- */

/* The topic at u within the parts that do not depend on the word. */
static int draw_without_word(const cob_topics *s, double u)
{
    if (u < s->ours)
        for (int i = 0; i < s->listed_count; i++) {
            int t = s->listed[i];
            u -= s->in_document[t] * s->beta * s->inverse[t];
            if (u <= 0 || i == s->listed_count - 1)
                return t;
        }
    u -= s->ours;
    for (int t = 0; t < s->k; t++) {
        u -= s->alpha * s->beta * s->inverse[t];
        if (u <= 0)
            return t;
    }
    return s->k - 1; /* rounding */
}

int cob_topics_draw(cob_topics *s, int32_t word, double u, double *mass)
{
    const cob_topic_count *list = s->word_counts + s->word_first[word];
    int used = s->word_used[word];
    double sum = 0;
    for (int i = 0; i < used; i++) {
        sum += s->coefficient[list[i].topic] * list[i].count;
        s->masses[i] = sum;
    }
    *mass = s->common + s->ours + sum;
    u *= *mass;
    if (u >= sum)
        return draw_without_word(s, u - sum);
    int at = 0;
    while (s->masses[at] <= u)
        at++;
    return list[at].topic;
}

/* Sums logarithms as products, whose logarithm is taken from time to time. */
typedef struct running_log {
    double product, sum;
    int factors;
} running_log;

static inline void multiply(running_log *log_of, double factor)
{
    log_of->product *= factor;
    if (++log_of->factors == 16) {
        log_of->sum += log(log_of->product);
        log_of->product = 1;
        log_of->factors = 0;
    }
}

/* Draws the topic of each token of a document, given those of all others. Returns the index after
 * its last token; -1: after the deadline, which is looked at once in a while. */
static int64_t draw_document(cob_topics *s, int64_t document, int64_t token, cob_stream stream,
                             double deadline, int64_t *looked, running_log *likelihood)
{
    enum { ONCE_IN = 1 << 18 };
    const cobloc_view *rows = s->rows;
    double others = s->k * s->alpha - 1; /* tokens of the document except the current one */
    for (int i = 0; i < s->listed_count; i++)
        others += s->in_document[s->listed[i]];
    for (int64_t e = rows->offsets[document]; e < rows->offsets[document + 1]; e++) {
        int32_t word = rows->indices[e];
        if (token - *looked > ONCE_IN) {
            *looked = token;
            if (cob_clock() > deadline)
                return -1;
        }
        for (int64_t left = (int64_t)cobloc_view_value(rows, e); left > 0; left--, token++) {
            double mass, u = cob_random_uniform(&stream, (uint64_t)token);
            cob_topics_take(s, word, s->topics[token]);
            int topic = cob_topics_draw(s, word, u, &mass);
            s->topics[token] = (uint16_t)topic;
            cob_topics_give(s, word, topic);
            multiply(likelihood, mass / others);
        }
    }
    return token;
}

void cob_topics_begin(cob_topics *s, const int32_t *labels)
{
    const cobloc_view *rows = s->rows;
    int64_t token = 0;
    for (int64_t i = 0; i < rows->major; i++) {
        for (int64_t e = rows->offsets[i]; e < rows->offsets[i + 1]; e++)
            for (int64_t left = (int64_t)cobloc_view_value(rows, e); left > 0; left--) {
                s->topics[token++] = (uint16_t)labels[i];
                cob_topics_give(s, rows->indices[e], labels[i]);
            }
        cob_topics_close(s);
    }
}

bool cob_topics_sweep(cob_topics *s, cob_stream stream, double deadline, double *sums)
{
    running_log likelihood = {1, 0, 0};
    int64_t token = 0, looked = 0;
    for (int64_t i = 0; i < s->rows->major && token >= 0; i++) {
        cob_topics_open(s, i, token);
        token = draw_document(s, i, token, stream, deadline, &looked, &likelihood);
        cob_topics_close(s);
    }
    if (token < 0)
        return false;
    s->log_likelihood = likelihood.sum + log(likelihood.product);
    if (sums)
        cob_topics_count(s, sums);
    return true;
}

void cob_topics_count(cob_topics *s, double *sums)
{
    const cobloc_view *rows = s->rows;
    int64_t token = 0;
    for (int64_t i = 0; i < rows->major; i++)
        for (int64_t e = rows->offsets[i]; e < rows->offsets[i + 1]; e++)
            for (int64_t left = (int64_t)cobloc_view_value(rows, e); left > 0; left--)
                sums[i * s->k + s->topics[token++]]++;
}
