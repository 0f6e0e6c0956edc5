/* Comparisons: the same numbers as single fits, whatever the threads; what cannot be run says so;
 * finished runs survive a stop.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include <math.h>
#include <unistd.h>

enum { N = 48, D = 30, K = 3, RUNS = 4 };

static cobloc_matrix *matrix;
static int32_t truth[N];

/* Three blocks, well visible but not perfect; row 5 is empty. */
static int make_matrix(void **state)
{
    int32_t row[N * D], col[N * D];
    double value[N * D];
    int64_t count = 0;
    uint32_t noise = 7;
    cobloc_error err;
    (void)state;
    for (int32_t i = 0; i < N; i++) {
        truth[i] = i % K;
        for (int32_t j = 0; j < D; j++) {
            noise = noise * 1664525u + 1013904223u;
            if (i == 5 || (noise >> 16) % 100 >= (i % K == j % K ? 45u : 20u))
                continue;
            row[count] = i;
            col[count] = j;
            value[count++] = 1 + (noise >> 24) % 3;
        }
    }
    assert_ok(cobloc_matrix_from_triples(N, D, count, row, col, value, &matrix, &err), err);
    return 0;
}

static int free_matrix(void **state)
{
    (void)state;
    cobloc_matrix_free(matrix);
    return 0;
}

static cobloc_contender contender(const char *text)
{
    cobloc_contender c = {.name = ""};
    cobloc_error err;
    cob_fit_options_default(&c.options);
    c.options.k = K;
    c.options.restarts = 1;
    assert_ok(cob_contender_parse(text, &c, &err), err);
    return c;
}

enum { COUNT = 6 };
static cobloc_contender contenders[COUNT];

static cobloc_compare_options some_options(void)
{
    static const char *const words[COUNT] = {"coclus",      "coclus@tfidf", "splbm:exact:soft",
                                             "dcc@rownorm", "lbm@tfidf",    "dcc:soft"};
    cobloc_compare_options o;
    cob_compare_options_default(&o);
    for (int i = 0; i < COUNT; i++)
        contenders[i] = contender(words[i]);
    o.contenders = contenders;
    o.count = COUNT;
    o.runs = RUNS;
    o.seed = 11;
    return o;
}

static cobloc_comparison *must_compare(const cobloc_compare_options *o)
{
    cobloc_comparison *c = NULL;
    cobloc_error err;
    assert_ok(cobloc_compare(matrix, truth, o, &c, &err), err);
    return c;
}

/* Everything but the seconds. */
static void assert_same_runs(const cobloc_comparison *a, const cobloc_comparison *b, int runs)
{
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++)
        for (int r = 0; r < runs; r++) {
            cobloc_compared_run x = a->methods[i].runs[r], y = b->methods[i].runs[r];
            x.seconds = y.seconds = 0;
            assert_memory_equal(&x, &y, sizeof x);
        }
}

/* ---- words ----------------------------------------------------------------------------------- */

static void test_words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *model;
        cobloc_inference inference;
        cobloc_weight weight;
    } good[] = {
        {"coclus", "coclus", "coclus", COBLOC_HARD, COBLOC_WEIGHT_AUTO},
        {"coclus@tfidf", "coclus", "coclus", COBLOC_HARD, COBLOC_WEIGHT_TFIDF},
        {"splbm:exact", "splbm-exact", "splbm-exact", COBLOC_HARD, COBLOC_WEIGHT_AUTO},
        {"splbm:soft:exact@none", "splbm-exact:soft", "splbm-exact", COBLOC_SOFT,
         COBLOC_WEIGHT_NONE},
        {"splbm-exact:svem", "splbm-exact:svem", "splbm-exact", COBLOC_SVEM, COBLOC_WEIGHT_AUTO},
        {"splbm:soft:hard", "splbm", "splbm", COBLOC_HARD, COBLOC_WEIGHT_AUTO},
        {"socc", "socc", "socc", COBLOC_STOCHASTIC, COBLOC_WEIGHT_AUTO},
        {"socc:hard", "socc:hard", "socc", COBLOC_HARD, COBLOC_WEIGHT_AUTO},
    };
    static const char *const bad[] = {"",
                                      "nonsense",
                                      "coclus:",
                                      "coclus:fast",
                                      "coclus@",
                                      "coclus@tf",
                                      "@tfidf",
                                      "coclus@tfidf:soft",
                                      ":exact",
                                      "coclus:exact",
                                      "coclus soft",
                                      "coclus@none@none",
                                      "a-name-that-is-longer-than-any-model-has-ever-been-given"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        cobloc_contender c = contender(good[i].text);
        assert_string_equal(c.name, good[i].name);
        assert_string_equal(c.options.model, good[i].model);
        assert_int_equal(c.options.inference, good[i].inference);
        assert_int_equal(c.options.weight, good[i].weight);
        assert_int_equal(c.options.k, K);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cobloc_contender c = contender("plbm"), before = c;
        cobloc_error err = {COBLOC_OK, ""};
        assert_int_equal(cob_contender_parse(bad[i], &c, &err), COBLOC_BAD_ARGUMENT);
        assert_true(strlen(err.message) > 10);
        assert_memory_equal(&c, &before, sizeof c);
    }
}

/* ---- the numbers ----------------------------------------------------------------------------- */

/* Each run is what cobloc_fit and cobloc_score give for its seed. */
static void test_single_fits(void **state)
{
    (void)state;
    cobloc_compare_options o = some_options();
    cobloc_comparison *c = must_compare(&o);
    for (int i = 0; i < COUNT - 1; i++)
        for (int r = 0; r < RUNS; r++) {
            cobloc_fit_options f = contenders[i].options;
            cobloc_result *result = NULL;
            cobloc_scores scores;
            cobloc_error err;
            double mean = 0, squares = 0;
            f.seed = 11 + (uint64_t)r;
            f.threads = 1;
            assert_ok(cobloc_fit(matrix, &f, &result, &err), err);
            assert_ok(cob_score(result->row_labels, truth, N, &scores, &err), err);
            const cobloc_compared_run *run = &c->methods[i].runs[r];
            assert_int_equal(run->done, 1);
            assert_int_equal(run->seed, f.seed);
            assert_true(run->criterion == result->criterion);
            assert_true(run->acc == scores.acc && run->nmi == scores.nmi && run->ari == scores.ari);
            assert_int_equal(run->iterations, result->iterations);
            for (int k = 0; k < K; k++)
                mean += (double)result->row_sizes[k] / K;
            for (int k = 0; k < K; k++)
                squares += pow((double)result->row_sizes[k] - mean, 2);
            assert_true(fabs(run->sdcs - sqrt(squares / (K - 1))) < 1e-9);
            assert_int_equal(c->methods[i].weight, result->weight);
            cobloc_result_free(result);
        }
    cobloc_comparison_free(c);
}

static void test_summaries(void **state)
{
    (void)state;
    cobloc_compare_options o = some_options();
    cobloc_comparison *c = must_compare(&o);
    double first[RUNS], second[RUNS];
    for (int i = 0; i < COUNT - 1; i++) {
        const cobloc_compared *m = &c->methods[i];
        double sum = 0, squares = 0, most = -INFINITY;
        for (int r = 0; r < RUNS; r++) {
            sum += m->runs[r].nmi;
            if (m->runs[r].repaired == 0)
                most = fmax(most, m->runs[r].criterion);
        }
        for (int r = 0; r < RUNS; r++)
            squares += pow(m->runs[r].nmi - sum / RUNS, 2);
        assert_int_equal(m->done, RUNS);
        assert_true(fabs(m->nmi.mean - sum / RUNS) < 1e-12);
        assert_true(fabs(m->nmi.sd - sqrt(squares / (RUNS - 1))) < 1e-12);
        assert_true(m->runs[m->best_run].criterion == most);
        assert_true(m->criterion.best == most && m->nmi.best == m->runs[m->best_run].nmi);
        assert_true(m->nmi.mean <= c->methods[c->first].nmi.mean);
        assert_true(i == c->first || m->nmi.mean <= c->methods[c->second].nmi.mean);
    }
    for (int r = 0; r < RUNS; r++) {
        first[r] = c->methods[c->first].runs[r].nmi;
        second[r] = c->methods[c->second].runs[r].nmi;
    }
    cobloc_paired_test test;
    cobloc_error err;
    assert_ok(cob_test_paired(first, second, RUNS, &test, &err), err);
    assert_memory_equal(&test, &c->test, sizeof test);
    assert_true(fabs(c->truth_sdcs) < 1e-12); /* 16 rows of each class */
    /* What cannot be run says why, and the others are not held up by it. */
    const cobloc_compared *refused = &c->methods[COUNT - 1];
    assert_int_equal(refused->done, 0);
    assert_int_equal(refused->best_run, -1);
    assert_int_equal(refused->failure.status, COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(refused->failure.message, "dcc"));
    assert_true(isnan(refused->nmi.mean));
    cobloc_comparison_free(c);
}

static void test_threads(void **state)
{
    (void)state;
    cobloc_compare_options o = some_options();
    o.threads = 1;
    cobloc_comparison *one = must_compare(&o);
    for (int threads = 2; threads <= 7; threads += 5) {
        o.threads = threads;
        cobloc_comparison *other = must_compare(&o);
        assert_same_runs(one, other, RUNS);
        cobloc_comparison_free(other);
    }
    cobloc_comparison_free(one);
}

static void test_one_of_each(void **state)
{
    (void)state;
    cobloc_compare_options o = some_options();
    o.runs = o.count = 1;
    cobloc_comparison *c = must_compare(&o);
    assert_true(isnan(c->methods[0].nmi.sd) && !isnan(c->methods[0].nmi.mean));
    assert_int_equal(c->first, 0);
    assert_int_equal(c->second, -1);
    assert_int_equal(c->test.pairs, 0);
    cobloc_comparison_free(c);
}

/* ---- stopping and going on ------------------------------------------------------------------- */

static int stop_halfway(void *user, const char *what, double done)
{
    double *last = user;
    assert_string_equal(what, "comparing");
    assert_true(done >= *last - 1e-12 && done <= 1 + 1e-12);
    *last = done;
    return done > 0.5;
}

static int never_called_with_work(void *user, const char *what, double done)
{
    (void)what;
    (void)done;
    ++*(int *)user;
    return 0;
}

static int count_done(const cobloc_comparison *c)
{
    int done = 0;
    for (int i = 0; i < c->count; i++)
        done += c->methods[i].done;
    return done;
}

static void test_going_on(void **state)
{
    (void)state;
    const char *path = test_path("runs.tsv");
    double last = 0;
    cobloc_compare_options o = some_options();
    cobloc_comparison *whole = must_compare(&o);
    o.runs_file = path;
    o.threads = 1;
    o.progress = (cobloc_progress){stop_halfway, &last};
    cobloc_comparison *half = must_compare(&o);
    assert_int_equal(half->stopped, 1);
    int done = count_done(half);
    assert_true(done > 0 && done < (COUNT - 1) * RUNS);
    /* A line that was cut off by a crash does no harm. */
    FILE *file = fopen(path, "ab");
    fputs("coclus\thard\tno", file);
    fclose(file);
    int calls = 0;
    o.progress = (cobloc_progress){never_called_with_work, &calls};
    cobloc_comparison *rest = must_compare(&o);
    assert_int_equal(rest->kept, done);
    assert_int_equal(rest->stopped, 0);
    assert_same_runs(whole, rest, RUNS);
    /* All is there, and more can be asked for. */
    cobloc_comparison *again = must_compare(&o);
    assert_int_equal(again->kept, (COUNT - 1) * RUNS);
    assert_same_runs(whole, again, RUNS);
    assert_memory_equal(&again->test, &whole->test, sizeof whole->test);
    o.runs = RUNS + 2;
    cobloc_comparison *more = must_compare(&o);
    assert_int_equal(more->kept, (COUNT - 1) * RUNS);
    assert_same_runs(whole, more, RUNS);
    /* Other settings are other runs. */
    o = some_options();
    o.runs_file = path;
    for (int i = 0; i < COUNT; i++)
        contenders[i].options.max_iterations = 3;
    cobloc_comparison *other = must_compare(&o);
    assert_int_equal(other->kept, 0);
    cobloc_comparison *const all[] = {whole, half, rest, again, more, other};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        cobloc_comparison_free(all[i]);
}

static void assert_not_compared(const cobloc_compare_options *o, cobloc_status status,
                                const char *part)
{
    cobloc_comparison *c = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_status got = cobloc_compare(matrix, truth, o, &c, &err);
    if (got != status || !strstr(err.message, part))
        fail_msg("got %s: \"%s\", expected \"%s\"", cobloc_status_name(got), err.message, part);
    assert_null(c);
}

static void test_broken_files(void **state)
{
    (void)state;
    char text[2000];
    cobloc_compare_options o = some_options();
    o.count = o.runs = 1;
    o.runs_file = test_path("good.tsv");
    cobloc_comparison_free(must_compare(&o));
    FILE *file = fopen(o.runs_file, "rb");
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    char *line = strchr(strchr(text, '\n') + 1, '\n') + 1;
    const size_t head = (size_t)(line - text);
    static const char *const lines[][2] = {
        {"nonsense\n", ":3: is not a line of 18 fields"},
        {"coclus\thard\tnone\t3\t0\tauto\t1\t200\t1e-09\t11\t1\t1\t1\t1\t1\t1\t1\n", ":3:"},
        {"coclus\thard\tnone\t3\t0\tauto\t1\t200\t1e-09\t11\t1\tx\t1\t1\t1\t1\t0\t1\n",
         ":3: is not a finished run"},
        {"coclus\thard\tnone\t3\t0\tauto\t1\t200\t1e-09\t11\tnan\t1\t1\t1\t1\t1\t0\t1\n",
         ":3: is not a finished run"},
        {"coclus\thard\tnone\t3\t0\tauto\t1\t200\t1e-09\t11\t1\t1\t1\t1\t1\t1e99\t0\t1\n",
         ":3: is not a finished run"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char broken[2000];
        snprintf(broken, sizeof broken, "%.*s%s", (int)head, text, lines[i][0]);
        o.runs_file = test_text("broken.tsv", broken);
        assert_not_compared(&o, COBLOC_BAD_DATA, lines[i][1]);
    }
    o.runs_file = test_text("letter.tsv", "Dear Sir,\n");
    assert_not_compared(&o, COBLOC_BAD_DATA, "not a file of runs and was left unchanged");
    o.runs_file = test_text("empty.tsv", "");
    assert_not_compared(&o, COBLOC_BAD_DATA, "not a file of runs");
    o.runs_file = test_text("short.tsv", "# cobloc");
    assert_not_compared(&o, COBLOC_BAD_DATA, "short.tsv:1");
    truth[0] = 2;
    o.runs_file = test_path("good.tsv");
    assert_not_compared(&o, COBLOC_BAD_DATA, "other data, another truth");
    truth[0] = 0;
    o.runs_file = test_path("none/runs.tsv");
    assert_not_compared(&o, COBLOC_IO, "none/runs.tsv");
    o.runs_file = test_folder();
    assert_not_compared(&o, COBLOC_IO, "cannot be read");
    contenders[0].options.fix_rows = truth;
    o.runs_file = test_path("fixed.tsv");
    assert_not_compared(&o, COBLOC_BAD_ARGUMENT, "known labels");
    assert_int_not_equal(access(o.runs_file, F_OK), 0);
}

static void test_refused(void **state)
{
    (void)state;
    cobloc_compare_options o = some_options();
    o.count = 0;
    assert_not_compared(&o, COBLOC_BAD_ARGUMENT, "0 methods");
    o = some_options();
    contenders[2].options.model = "nonsense";
    assert_not_compared(&o, COBLOC_BAD_ARGUMENT, "'nonsense'");
    /* A truth that says nothing is told in every row. */
    int32_t unknown[N];
    cobloc_error err;
    cobloc_comparison *c = NULL;
    memset(unknown, 255, sizeof unknown);
    o = some_options();
    assert_ok(cobloc_compare(matrix, unknown, &o, &c, &err), err);
    assert_int_equal(count_done(c), 0);
    assert_int_equal(c->methods[0].failure.status, COBLOC_BAD_DATA);
    cobloc_comparison_free(c);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    cobloc_compare_options o = some_options();
    o.count = 2;
    o.runs = 2;
    o.threads = 1;
    for (int i = 0; i < 2; i++) { /* the fits have tests of their own: these are short */
        contenders[i].options.start = COBLOC_START_RANDOM;
        contenders[i].options.max_iterations = 1;
    }
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_comparison *c = NULL;
        o.runs_file = test_path("allocations.tsv");
        remove(o.runs_file);
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_compare(matrix, truth, &o, &c, &err);
        failed = allocation_failed(k, status, &err, 100);
        cobloc_comparison_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_single_fits),
        cmocka_unit_test(test_summaries),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_one_of_each),
        cmocka_unit_test(test_going_on),
        cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, make_matrix, free_matrix);
}
