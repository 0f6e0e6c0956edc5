/* Latent Dirichlet allocation: sparse draws against the dense probabilities they stand for, a chain
 * against a posterior that is written down state by state, and the fit around them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "methods/topics.h"

/* ---- counts, from the tokens ----------------------------------------------------------------- */

typedef struct counts {
    int documents[MOST_LINES][MOST_CLUSTERS], words[MOST_LINES][MOST_CLUSTERS];
    int totals[MOST_CLUSTERS], tokens;
} counts;

/* Walks the tokens in their order; one of them, `without`, is left out (-1: none). */
static counts count_tokens(const cob_topics *s, int without)
{
    counts c = {.tokens = 0};
    for (int i = 0; i < s->rows->major; i++)
        for (int64_t e = s->rows->offsets[i]; e < s->rows->offsets[i + 1]; e++)
            for (int n = (int)cobloc_view_value(s->rows, e); n > 0; n--, c.tokens++)
                if (c.tokens != without) {
                    int topic = s->topics[c.tokens];
                    c.documents[i][topic]++;
                    c.words[s->rows->indices[e]][topic]++;
                    c.totals[topic]++;
                }
    return c;
}

static double probability(const cob_topics *s, const counts *c, int document, int word, int topic)
{
    return (s->alpha + c->documents[document][topic]) * (s->beta + c->words[word][topic]) /
           (s->beta * (double)s->rows->minor + c->totals[topic]);
}

static void check_counts(const cob_topics *s)
{
    counts c = count_tokens(s, -1);
    assert_int_equal(c.tokens, s->tokens);
    for (int t = 0; t < s->k; t++) {
        assert_int_equal(c.totals[t], s->totals[t]);
        assert_int_equal(s->in_document[t], 0);
    }
    for (int j = 0; j < s->rows->minor; j++) {
        int listed = 0;
        assert_true(s->word_used[j] <= s->word_first[j + 1] - s->word_first[j]);
        for (int i = 0; i < s->word_used[j]; i++) {
            const cob_topic_count *one = &s->word_counts[s->word_first[j] + i];
            assert_true(one->count > 0);
            assert_int_equal(one->count, c.words[j][one->topic]);
            listed += one->count;
        }
        for (int t = 0; t < s->k; t++)
            listed -= c.words[j][t];
        assert_int_equal(listed, 0);
    }
}

/* ---- draws ----------------------------------------------------------------------------------- */

/* The share of (0, 1) in which u leads to a topic is its probability: a topic has one interval in
 * each of three parts, so a grid misses it by three steps at most. */
static void check_draws(cob_topics *s, int document, int token, int word)
{
    enum { STEPS = 4000 };
    int drawn[MOST_CLUSTERS] = {0}, old = s->topics[token];
    counts c = count_tokens(s, token);
    double sum = 0, mass;
    cob_topics_take(s, word, old);
    for (int i = 0; i < STEPS; i++)
        drawn[cob_topics_draw(s, word, (i + 0.5) / STEPS, &mass)]++;
    for (int t = 0; t < s->k; t++)
        sum += probability(s, &c, document, word, t);
    assert_near(mass, sum, 1e-12 * sum, "mass");
    for (int t = 0; t < s->k; t++)
        assert_near((double)drawn[t] / STEPS, probability(s, &c, document, word, t) / sum,
                    3.0 / STEPS, "share of a topic");
    cob_topics_give(s, word, old);
}

static void test_draws(void **state)
{
    dice dc = dice_of(91);
    (void)state;
    for (int round = 0; round < rounds_of(20); round++) {
        table t = random_table(&dc, 12 + round, 6 + round, 0.4, false);
        cobloc_matrix *x = matrix_of(&t);
        cobloc_view rows = cobloc_matrix_by_rows(x), cols = cobloc_matrix_by_cols(x);
        cob_topics s;
        cobloc_error err;
        int token = 0;
        int32_t labels[MOST_LINES];
        assert_ok(cob_topics_alloc(&s, &rows, &cols, 0.1 + roll(&dc), 0.01 + roll(&dc),
                                   1 + round % 9, &err),
                  err);
        random_partition(&dc, t.n, s.k, labels);
        cob_topics_begin(&s, labels);
        check_counts(&s);
        for (uint32_t sweep = 1; sweep < 4; sweep++) {
            cob_topics_sweep(&s, cob_stream_at(1, (uint32_t)round, sweep, 0), INFINITY, NULL);
            check_counts(&s);
        }
        for (int i = 0; i < rows.major; i++) {
            cob_topics_open(&s, i, token);
            check_draws(&s, i, token, rows.indices[rows.offsets[i]]);
            cob_topics_close(&s);
            for (int64_t e = rows.offsets[i]; e < rows.offsets[i + 1]; e++)
                token += (int)cobloc_view_value(&rows, e);
        }
        check_counts(&s);
        cob_topics_free(&s);
        cobloc_matrix_free(x);
    }
}

/* ---- a whole posterior ----------------------------------------------------------------------- */

/* log p(z, w) up to a constant: Dirichlet integrals, by their definition. */
static double log_joint(const cob_topics *s)
{
    counts c = count_tokens(s, -1);
    double sum = 0;
    for (int i = 0; i < s->rows->major; i++)
        for (int t = 0; t < s->k; t++)
            sum += lgamma(c.documents[i][t] + s->alpha);
    for (int t = 0; t < s->k; t++) {
        sum -= lgamma(c.totals[t] + s->beta * (double)s->rows->minor);
        for (int j = 0; j < s->rows->minor; j++)
            sum += lgamma(c.words[j][t] + s->beta);
    }
    return sum;
}

/* Two documents of five tokens, two topics: 32 states. The chain visits each as often as its
 * posterior says: chi-square of every 20th sweep, which are nearly independent. */
static void test_posterior(void **state)
{
    static const table t = {.n = 2, .d = 3, .x = {2, 1, 0, 0, 1, 1}};
    enum { TOKENS = 5, STATES = 1 << TOKENS, VISITS = 40000, THIN = 20 };
    double posterior[STATES], sum = 0, chi = 0;
    int visits[STATES] = {0};
    cobloc_matrix *x = matrix_of(&t);
    cobloc_view rows = cobloc_matrix_by_rows(x), cols = cobloc_matrix_by_cols(x);
    cob_topics s;
    cobloc_error err;
    (void)state;
    assert_ok(cob_topics_alloc(&s, &rows, &cols, 0.5, 0.3, 2, &err), err);
    for (int z = 0; z < STATES; z++) {
        for (int i = 0; i < TOKENS; i++)
            s.topics[i] = (uint16_t)(z >> i & 1);
        posterior[z] = exp(log_joint(&s));
        sum += posterior[z];
    }
    cob_topics_begin(&s, (const int32_t[]){0, 1});
    for (uint32_t sweep = 1; sweep <= VISITS; sweep++) {
        for (uint32_t thin = 0; thin < THIN; thin++)
            cob_topics_sweep(&s, cob_stream_at(2, thin, sweep, 0), INFINITY, NULL);
        int z = 0;
        for (int i = 0; i < TOKENS; i++)
            z |= s.topics[i] << i;
        visits[z]++;
    }
    for (int z = 0; z < STATES; z++) {
        double expected = posterior[z] / sum * VISITS;
        chi += pow(visits[z] - expected, 2) / expected;
    }
    /* 31 degrees of freedom: mean 31, standard deviation 7.9; beyond 75 once in 50 000. */
    assert_true(chi < 75);
    cob_topics_free(&s);
    cobloc_matrix_free(x);
}

/* With one topic nothing is drawn, and every token is as likely as the others of its word. */
static void test_likelihood(void **state)
{
    dice dc = dice_of(92);
    table t = random_table(&dc, 12, 9, 0.5, false);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_view rows = cobloc_matrix_by_rows(x), cols = cobloc_matrix_by_cols(x);
    cob_topics s;
    cobloc_error err;
    double total = cobloc_matrix_total(x), expected = 0;
    (void)state;
    for (int j = 0; j < t.d; j++)
        expected += t.c[j] * log((t.c[j] - 1 + 0.4) / (total - 1 + 0.4 * t.d));
    assert_ok(cob_topics_alloc(&s, &rows, &cols, 0.7, 0.4, 1, &err), err);
    cob_topics_begin(&s, (const int32_t[12]){0});
    cob_topics_sweep(&s, cob_stream_at(3, 0, 1, 0), INFINITY, NULL);
    assert_near(s.log_likelihood, expected, 1e-9 * fabs(expected), "log-likelihood");
    cob_topics_free(&s);
    cobloc_matrix_free(x);
}

/* ---- the fit --------------------------------------------------------------------------------- */

static cobloc_result *fitted(const table *t, int k, cobloc_fit_options *o)
{
    cobloc_error err;
    cobloc_result *r = NULL;
    cobloc_matrix *x = matrix_of(t);
    o->model = "lda";
    o->k = k;
    assert_ok(cobloc_fit(x, o, &r, &err), err);
    cobloc_matrix_free(x);
    return r;
}

/* What documents and topics, as the result of `t` has them, say of tokens: the probability of a
 * word in a topic follows from those of the topics of all words. */
static double perplexity_of(const table *tokens, const table *t, const cobloc_result *r)
{
    double topic[MOST_CLUSTERS] = {0}, sum = 0, total = 0;
    for (int j = 0; j < t->d; j++)
        for (int k = 0; k < r->k; k++)
            topic[k] += r->col_probabilities[j * r->k + k] * (t->c[j] + 1);
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++) {
            double likely = 0;
            for (int k = 0; k < r->k; k++)
                likely += r->row_probabilities[i * r->k + k] * r->col_probabilities[j * r->k + k] *
                          (t->c[j] + 1) / topic[k];
            sum += cell(tokens, i, j) > 0 ? cell(tokens, i, j) * log(likely) : 0;
            total += cell(tokens, i, j);
        }
    return exp(-sum / total);
}

static double brute_perplexity(const table *t, const cobloc_result *r)
{
    return perplexity_of(t, t, r);
}

/* The share of lines whose class (of planted_table) is that of their cluster. */
static double agreement(const int32_t *labels, int count, int k)
{
    int32_t truth[MOST_LINES];
    cobloc_scores scores;
    cobloc_error err;
    for (int i = 0; i < count; i++)
        truth[i] = i % k;
    assert_ok(cob_score(labels, truth, count, &scores, &err), err);
    return scores.acc;
}

static void test_fit(void **state)
{
    dice dc = dice_of(93);
    (void)state;
    for (int round = 0; round < rounds_of(12); round++) {
        int k = 1 + round % 4;
        table t = planted_table(&dc, 60, 40, k, 0.5, 0.02);
        cobloc_fit_options o;
        cob_fit_options_default(&o);
        o.restarts = 3;
        cobloc_result *r = fitted(&t, k, &o);
        assert_near(r->criterion, brute_perplexity(&t, r), 1e-9 * r->criterion, "perplexity");
        assert_true(agreement(r->row_labels, t.n, k) >= 0.95);
        assert_true(agreement(r->col_labels, t.d, k) >= 0.9);
        assert_true(r->stop == COBLOC_STOP_CONVERGED && r->iterations < 200);
        cobloc_result_free(r);
    }
}

/* Documents of `k` topics with clear words, a fifth of their tokens held out; returns the
 * perplexity of these, by the shares and topics that they were drawn from. */
static double draw_tokens(dice *dc, int k, table *seen, table *held_out)
{
    double sum = 0;
    int held = 0;
    *seen = *held_out = (table){.n = 60, .d = 40};
    for (int i = 0; i < seen->n; i++)
        for (int n = 0; n < 150; n++) {
            int topic = roll(dc) < 0.7 ? i % k : roll_below(dc, k);
            int clear = roll(dc) < 0.8, word = roll_below(dc, seen->d / k) * k + topic;
            word = clear ? word : roll_below(dc, seen->d);
            (n % 5 ? seen : held_out)->x[i * seen->d + word] += 1;
            if (n % 5 == 0) {
                double share = 0.3 / k + (word % k == i % k ? 0.7 : 0);
                sum += log(0.8 * share * k / seen->d + 0.2 / seen->d);
                held++;
            }
        }
    for (int c = 0; c < seen->n * seen->d; c++)
        seen->c[c % seen->d] += seen->x[c];
    return exp(-sum / held);
}

/* Tokens that it has not seen are about as likely by what was found as by the truth. */
static void test_held_out(void **state)
{
    dice dc = dice_of(96);
    (void)state;
    for (int round = 0; round < rounds_of(6); round++) {
        int k = round % 2 ? 2 : 4;
        table seen, held_out;
        cobloc_fit_options o;
        double truth = draw_tokens(&dc, k, &seen, &held_out);
        cob_fit_options_default(&o);
        o.restarts = 3;
        cobloc_result *r = fitted(&seen, k, &o);
        double found = perplexity_of(&held_out, &seen, r);
        if (found > 1.05 * truth || found < 0.95 * truth)
            fail_msg("k = %d: held-out perplexity %g, by the truth %g", k, found, truth);
        cobloc_result_free(r);
    }
}

static int stop_at_once(void *user, const char *what, double done)
{
    (void)user;
    (void)what;
    return done >= 0;
}

/* Fewer iterations than draws, or none: there is an answer. */
static void test_short(void **state)
{
    dice dc = dice_of(94);
    table t = planted_table(&dc, 40, 30, 2, 0.5, 0.05);
    cobloc_fit_options o;
    (void)state;
    cob_fit_options_default(&o);
    o.max_iterations = 5;
    cobloc_result *r = fitted(&t, 2, &o);
    assert_int_equal(r->iterations, 5);
    assert_int_equal(r->stop, COBLOC_STOP_ITERATIONS);
    cobloc_result_free(r);
    o.max_iterations = 200;
    o.progress.report = stop_at_once;
    r = fitted(&t, 2, &o);
    assert_int_equal(r->stop, COBLOC_STOP_CANCELLED);
    assert_near(r->criterion, brute_perplexity(&t, r), 1e-9 * r->criterion, "perplexity");
    cobloc_result_free(r);
}

/* From labels: topics begin as the documents are labelled. */
static void test_labels(void **state)
{
    dice dc = dice_of(95);
    table t = planted_table(&dc, 60, 40, 3, 0.6, 0.01);
    int32_t labels[60];
    cobloc_fit_options o;
    (void)state;
    for (int i = 0; i < 60; i++)
        labels[i] = i % 3;
    cob_fit_options_default(&o);
    o.start = COBLOC_START_LABELS;
    o.start_rows = labels;
    o.restarts = 1;
    o.max_iterations = 1;
    cobloc_result *r = fitted(&t, 3, &o);
    for (int i = 0; i < 60; i++)
        assert_int_equal(r->row_labels[i], r->row_labels[i % 3]);
    cobloc_result_free(r);
}

static void test_refused(void **state)
{
    static const table reals = {.n = 2, .d = 2, .x = {0.5, 1, 2, 0}},
                       many = {.n = 2, .d = 2, .x = {4e9, 1, 1, 0}};
    const table *const tables[] = {&reals, &many};
    static const char *const said[] = {"so it needs counts",
                                       "4000000002 in 3 entries are too many"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        cobloc_matrix *x = matrix_of(tables[i]);
        cobloc_fit_options o;
        cobloc_result *r = NULL;
        cobloc_error err;
        cob_fit_options_default(&o);
        o.model = "lda";
        o.k = 2;
        assert_int_equal(cobloc_fit(x, &o, &r, &err), COBLOC_BAD_DATA);
        assert_non_null(strstr(err.message, said[i]));
        cobloc_matrix_free(x);
    }
}

/* A sweep over millions of words ends at the deadline, and the topics are still those of words. */
static void test_deadline(void **state)
{
    table t = {.n = 40, .d = 40};
    (void)state;
    for (int c = 0; c < t.n * t.d; c++)
        t.x[c] = c % (t.d + 1) == 0 ? 900 * 1000 : 1;
    cobloc_matrix *x = matrix_of(&t);
    cobloc_view rows = cobloc_matrix_by_rows(x), cols = cobloc_matrix_by_cols(x);
    static double sums[40 * 3];
    cobloc_error err;
    cob_topics s;
    assert_ok(cob_topics_alloc(&s, &rows, &cols, 0.5, 0.3, 3, &err), err);
    cob_topics_begin(&s, (const int32_t[40]){0, 1, 2});
    assert_false(cob_topics_sweep(&s, cob_stream_at(1, 0, 1, 0), cob_clock(), NULL));
    cob_topics_count(&s, sums);
    double total = 0, of_topics = 0;
    for (int i = 0; i < 40 * 3; i++)
        total += sums[i];
    for (int k = 0; k < 3; k++)
        of_topics += (double)s.totals[k];
    assert_true(total == cobloc_matrix_total(x) && of_topics == total);
    cob_topics_free(&s);
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws),      cmocka_unit_test(test_posterior),
        cmocka_unit_test(test_likelihood), cmocka_unit_test(test_fit),
        cmocka_unit_test(test_short),      cmocka_unit_test(test_labels),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_held_out),
        cmocka_unit_test(test_deadline),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
