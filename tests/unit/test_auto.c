/* Model auto: its result is one of its members', the one that the others agree with most; it takes
 * any table, and what members cannot do chooses among them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "base/random.h"
#include "fit/auto.h"
#include "score/scores.h"

#include <math.h>

enum { ROWS = 80, COLS = 60, K = 3 };

typedef enum contents { COUNTS, ONES, REALS, SIGNED } contents;

static cobloc_matrix *planted(uint64_t seed, contents what)
{
    cob_stream stream = cob_stream_at(seed, 0, 0, 0);
    int32_t row[ROWS * COLS], col[ROWS * COLS];
    double value[ROWS * COLS];
    int64_t count = 0;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    for (int c = 0; c < ROWS * COLS; c++) {
        double chance = c / COLS % K == c % COLS % K ? 0.4 : 0.08;
        double at = cob_random_uniform(&stream, (uint64_t)c) / chance;
        if (at >= 1)
            continue;
        row[count] = c / COLS;
        col[count] = c % COLS;
        value[count++] = what == COUNTS  ? 1 + floor(5 * at)
                         : what == ONES  ? 1
                         : what == REALS ? 0.3 + at
                                         : at - 0.3;
    }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &matrix, &err), err);
    return matrix;
}

static cobloc_fit_options usual(void)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.k = K;
    return o;
}

static cobloc_result *must_fit(const cobloc_matrix *matrix, const cobloc_fit_options *o)
{
    cobloc_error err;
    cobloc_result *result = NULL;
    assert_ok(cobloc_fit(matrix, o, &result, &err), err);
    return result;
}

/* Of k clusters, those that are not dust, and what dust holds of so many rows that it were none. */
static double share_given(const cobloc_result *r, int64_t rows, int *dust)
{
    double sum = 0;
    *dust = 0;
    for (int k = 0; k < r->k; k++) {
        bool is_dust = (double)r->row_sizes[k] < 0.2 * (double)rows / r->k;
        *dust += is_dust;
        sum += is_dust ? (double)r->row_sizes[k] / (0.2 * (double)rows / r->k) : 1;
    }
    return sum / r->k;
}

/* The members are fitted again by themselves, and the choice is made anew; returns how many of
 * their clusters are dust. */
static int check_choice(const cobloc_matrix *matrix, int k)
{
    cobloc_fit_options o = usual(), own;
    size_t rows = (size_t)matrix->rows, cols = (size_t)matrix->cols;
    o.k = k;
    cobloc_result *chosen = must_fit(matrix, &o), *all[16] = {0};
    int count = 0, best = 0, found = 0, dust;
    double most = -1;
    assert_string_equal(o.model, "auto");
    while (cob_auto_member(matrix, &o, count, &own))
        all[count++] = must_fit(matrix, &own);
    assert_int_equal(chosen->candidate_count, count);
    for (int a = 0; a < count; a++) {
        double sum = 0, given = share_given(all[a], matrix->rows, &dust);
        for (int b = 0; b < count; b++) {
            cobloc_scores s;
            assert_int_equal(
                cob_score(all[a]->row_labels, all[b]->row_labels, matrix->rows, &s, NULL),
                COBLOC_OK);
            sum += a == b ? 0 : s.nmi;
        }
        assert_true(fabs(chosen->candidates[a].agreement - sum / (count - 1)) < 1e-12);
        assert_int_equal(chosen->candidates[a].dust, dust);
        assert_string_equal(chosen->candidates[a].model, all[a]->model);
        found += dust;
        if (sum * given > most * (1 + 1e-12)) {
            most = sum * given;
            best = a;
        }
    }
    assert_string_equal(chosen->model, all[best]->model);
    assert_int_equal(chosen->weight, all[best]->weight);
    assert_memory_equal(chosen->row_labels, all[best]->row_labels, rows * sizeof(int32_t));
    assert_memory_equal(chosen->col_labels, all[best]->col_labels, cols * sizeof(int32_t));
    /* Together they are given their entries as floats. */
    assert_true(fabs(chosen->criterion / all[best]->criterion - 1) < 1e-7);
    assert_true(chosen->agreement > 0.2 && chosen->agreement <= 1);
    for (int m = 0; m < count; m++)
        cobloc_result_free(all[m]);
    cobloc_result_free(chosen);
    return found;
}

static void the_one_that_others_agree_with(void **state)
{
    (void)state;
    for (contents what = COUNTS; what <= REALS; what++) {
        cobloc_matrix *matrix = planted(what + 1, what);
        check_choice(matrix, K);
        cobloc_matrix_free(matrix);
    }
}

static void threads_change_nothing(void **state)
{
    cobloc_matrix *matrix = planted(5, COUNTS);
    cobloc_fit_options o = usual();
    (void)state;
    o.threads = 1;
    cobloc_result *one = must_fit(matrix, &o);
    o.threads = 3;
    cobloc_result *three = must_fit(matrix, &o);
    assert_string_equal(one->model, three->model);
    assert_true(one->agreement == three->agreement && one->criterion == three->criterion);
    assert_memory_equal(one->row_labels, three->row_labels, ROWS * sizeof(int32_t));
    cobloc_result_free(one);
    cobloc_result_free(three);
    cobloc_matrix_free(matrix);
}

/* After how many starts two of them have found the best so far. */
static int enough_of(const double *criteria, int count)
{
    for (int made = 2; made <= count; made++) {
        int alike = 0, best = 0;
        for (int i = 1; i < made; i++) /* modularity, likelihood, information: the larger */
            best = criteria[i] > criteria[best] ? i : best;
        for (int i = 0; i < made; i++)
            alike += fabs(criteria[i] - criteria[best]) <= 1e-10 * fabs(criteria[best]);
        if (alike >= 2)
            return made;
    }
    return count;
}

/* A member makes no more starts then, on any number of threads, and so many starts that are asked
 * for give the same. */
static void two_alike_are_enough(void **state)
{
    int fewer = 0, more = 0;
    (void)state;
    for (uint64_t seed = 10; seed < 14; seed++) {
        cobloc_matrix *matrix =
            seed % 2 ? random_matrix(seed, 50, 30, 0.2, COBLOC_U8, 0) : planted(seed, COUNTS);
        cobloc_fit_options asked = usual(), own;
        for (int m = 0; cob_auto_member(matrix, &asked, m, &own); m++) {
            assert_int_equal(own.until_same, 2);
            cobloc_fit_options all = own, given = own;
            all.until_same = given.until_same = 0;
            own.threads = 1 + m % 3;
            cobloc_result *some = must_fit(matrix, &own), *every = must_fit(matrix, &all);
            int made = enough_of(every->restart_criteria, every->restarts);
            if (some->repaired == 0 && every->repaired == 0)
                assert_int_equal(some->restarts, made);
            fewer += some->restarts < every->restarts;
            more += some->restarts > 2;
            assert_memory_equal(some->restart_criteria, every->restart_criteria,
                                (size_t)some->restarts * sizeof(double));
            given.restarts = some->restarts;
            cobloc_result *again = must_fit(matrix, &given);
            assert_true(again->criterion == some->criterion);
            assert_int_equal(again->best_restart, some->best_restart);
            assert_memory_equal(again->row_labels, some->row_labels,
                                (size_t)matrix->rows * sizeof(int32_t));
            cobloc_result_free(again);
            cobloc_result_free(every);
            cobloc_result_free(some);
        }
        asked.restarts = 3; /* as many as the user asks for */
        assert_true(cob_auto_member(matrix, &asked, 0, &own));
        assert_int_equal(own.until_same, 0);
        cobloc_matrix_free(matrix);
    }
    assert_true(fewer > 0 && more > 0);
}

/* What is asked for leaves those that can do it. */
static void options_choose(void **state)
{
    cobloc_matrix *matrix = planted(6, COUNTS), *negative = planted(6, SIGNED);
    cobloc_fit_options o = usual();
    cobloc_result *r = must_fit(negative, &o);
    cobloc_error err;
    (void)state;
    assert_string_equal(r->model, "glbm");
    assert_true(isnan(r->agreement));
    assert_int_equal(r->candidate_count, 1);
    cobloc_result_free(r);
    o.l = 2;
    r = must_fit(matrix, &o);
    assert_int_equal(r->l, 2);
    cobloc_result_free(r);
    o = usual();
    o.inference = COBLOC_SOFT;
    r = must_fit(matrix, &o);
    assert_non_null(r->row_probabilities);
    cobloc_result_free(r);
    o = usual();
    o.weight = COBLOC_WEIGHT_TFIDF;
    o.restarts = 1;
    r = must_fit(matrix, &o);
    assert_int_equal(r->weight, COBLOC_WEIGHT_TFIDF);
    assert_int_equal(r->restarts, 1);
    assert_int_equal(r->candidate_count, 5);
    cobloc_result_free(r);
    o = usual();
    o.row_effects = matrix->row_sums;
    r = must_fit(matrix, &o);
    assert_non_null(strstr(r->model, "splbm"));
    cobloc_result_free(r);
    o.l = 2;
    o.inference = COBLOC_SVEM;
    r = must_fit(matrix, &o);
    assert_string_equal(r->model, "plbm");
    cobloc_result_free(r);
    o = usual();
    o.row_effects = matrix->row_sums;
    assert_int_equal(cobloc_fit(negative, &o, &r, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "name one"));
    o = usual();
    o.k = ROWS + 1;
    assert_int_equal(cobloc_fit(matrix, &o, &r, &err), COBLOC_BAD_DATA);
    cobloc_matrix_free(matrix);
    cobloc_matrix_free(negative);
}

/* Ones of rows and columns that have many or few are taken for counts; where all have as many, a 0
 * says as much as a 1. */
static void ones_of_two_kinds(void **state)
{
    cobloc_matrix *even = planted(7, ONES), *uneven = NULL;
    cob_stream stream = cob_stream_at(8, 0, 0, 0);
    int32_t row[ROWS * COLS], col[ROWS * COLS];
    int64_t count = 0;
    double value[ROWS * COLS];
    cobloc_fit_options o = usual(), own;
    cobloc_error err;
    (void)state;
    for (int64_t c = 0; c < ROWS * COLS; c++)
        if (cob_random_uniform(&stream, (uint64_t)c) < 1.5 / (double)(1 + c % COLS)) {
            row[count] = (int32_t)(c / COLS);
            col[count] = (int32_t)(c % COLS);
            value[count++] = 1;
        }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &uneven, &err), err);
    assert_true(cob_auto_member(even, &o, 0, &own));
    assert_string_equal(own.model, "lbm");
    assert_true(cob_auto_member(uneven, &o, 0, &own));
    assert_string_equal(own.model, "coclus");
    cobloc_matrix_free(even);
    cobloc_matrix_free(uneven);
}

static int stop_soon(void *user, const char *what, double done)
{
    (void)what;
    assert_true(done >= 0 && done <= 1);
    return ++*(int *)user > 3;
}

/* The best so far, be it of one member. */
static void stopped_early(void **state)
{
    cobloc_matrix *matrix = planted(7, COUNTS);
    cobloc_fit_options o = usual();
    int calls = 0;
    (void)state;
    o.progress = (cobloc_progress){stop_soon, &calls};
    cobloc_result *r = must_fit(matrix, &o);
    assert_int_equal(r->stop, COBLOC_STOP_CANCELLED);
    cobloc_result_free(r);
    o = usual();
    o.max_seconds = 1e-6;
    r = must_fit(matrix, &o);
    assert_int_equal(r->stop, COBLOC_STOP_TIME);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

/* A saved result names the model, and gives itself again. */
static void saved_as_what_was_chosen(void **state)
{
    cobloc_matrix *matrix = planted(8, COUNTS);
    cobloc_fit_options o = usual();
    cobloc_result *r = must_fit(matrix, &o);
    cobloc_saved *saved = NULL;
    cobloc_error err;
    const char *folder = test_path("auto");
    (void)state;
    assert_ok(cobloc_result_write(r, matrix, &o, folder, &err), err);
    assert_ok(cobloc_saved_read(folder, &saved, &err), err);
    assert_string_equal(saved->options.model, r->model);
    assert_true(saved->result->agreement == r->agreement && saved->result->dust == r->dust);
    cobloc_result *again = must_fit(matrix, &saved->options);
    assert_memory_equal(again->row_labels, r->row_labels, ROWS * sizeof(int32_t));
    assert_true(again->criterion == r->criterion);
    cobloc_result_free(again);
    cobloc_saved_free(saved);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

/* Texts of several classes, with words of their class and of all. Each writer has two texts; one of
 * five writers signs them with a word that nobody else has, more often than all others together. */
enum { TEXTS = 600, CLASSES = 20 };

static cobloc_matrix *letters(void)
{
    enum { WORDS = 60, OWN = 30, COMMON = 200, WRITERS_FOR_ONE = 5 };
    const int cols = CLASSES * OWN + COMMON + TEXTS / 2 / WRITERS_FOR_ONE;
    static int32_t row[TEXTS * (WORDS + 1)], col[TEXTS * (WORDS + 1)];
    static double value[TEXTS * (WORDS + 1)];
    cob_stream stream = cob_stream_at(3, 0, 0, 0);
    int64_t count = 0;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    for (int t = 0; t < TEXTS; t++) {
        int class = t % CLASSES, writer = t / CLASSES / 2 * CLASSES + class;
        for (int w = 0; w < WORDS; w++) {
            double u = cob_random_uniform(&stream, (uint64_t)(2 * (t * WORDS + w)));
            double v = cob_random_uniform(&stream, (uint64_t)(2 * (t * WORDS + w) + 1));
            row[count] = t;
            col[count] =
                u < 0.5 ? class * OWN + (int)(v * v * OWN) : CLASSES * OWN + (int)(v * v * COMMON);
            value[count++] = 1;
        }
        if (writer % WRITERS_FOR_ONE == 0) {
            row[count] = t;
            col[count] = CLASSES * OWN + COMMON + writer / WRITERS_FOR_ONE;
            value[count++] = 3 * WORDS;
        }
    }
    assert_ok(cobloc_matrix_from_triples(TEXTS, cols, count, row, col, value, &matrix, &err), err);
    return matrix;
}

/* The smallest cluster of a model, and how well it finds the classes. */
static int64_t smallest(const cobloc_matrix *matrix, const char *model, double *ari)
{
    cobloc_fit_options o = usual();
    cobloc_scores s;
    int32_t truth[TEXTS];
    o.k = CLASSES;
    o.model = model;
    cobloc_result *r = must_fit(matrix, &o);
    int64_t rows = TEXTS;
    for (int32_t t = 0; t < TEXTS; t++)
        truth[t] = t % CLASSES;
    for (int k = 0; k < CLASSES; k++)
        rows = r->row_sizes[k] < rows ? r->row_sizes[k] : rows;
    assert_int_equal(cob_score(r->row_labels, truth, TEXTS, &s, NULL), COBLOC_OK);
    *ari = s.ari;
    cobloc_result_free(r);
    return rows;
}

/* Words that few rows repeat make clusters of these for some models, not for the default. */
static void no_dust(void **state)
{
    cobloc_matrix *matrix = letters();
    double ari;
    (void)state;
    assert_true(smallest(matrix, "coclus", &ari) < TEXTS / 100);
    assert_true(smallest(matrix, "auto", &ari) >= TEXTS / 100);
    assert_true(ari > 0.95);
    cobloc_matrix_free(matrix);
}

static void dust_counts_by_its_size(void **state)
{
    cobloc_matrix *matrix = letters();
    int dust = 0;
    (void)state;
    for (int k = CLASSES; k <= CLASSES + 8; k += 4)
        dust += check_choice(matrix, k);
    assert_true(dust > 0);
    cobloc_matrix_free(matrix);
}

/* Even of very many clusters, if the model of all blocks leaves many small ones. */
static void dust_asks_all(void **state)
{
    cobloc_matrix *matrix = letters();
    cobloc_fit_options o = usual();
    (void)state;
    o.k = 2 * CLASSES;
    cobloc_result *r = must_fit(matrix, &o);
    assert_int_equal(r->candidate_count, 10);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

static void no_memory(void **state)
{
    enum { SOME = 13 }; /* not each of them: there are many fits */
    cobloc_matrix *matrix = planted(9, ONES);
    cobloc_fit_options o = usual();
    (void)state;
    o.restarts = 1;
    o.threads = 1;
    for (long k = 0, failed = 1; failed; k += SOME) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_result *r = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_fit(matrix, &o, &r, &err);
        failed = allocation_failed(k, status, &err, 30);
        cobloc_result_free(r);
    }
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_one_that_others_agree_with),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(two_alike_are_enough),
        cmocka_unit_test(options_choose),
        cmocka_unit_test(ones_of_two_kinds),
        cmocka_unit_test(stopped_early),
        cmocka_unit_test(saved_as_what_was_chosen),
        cmocka_unit_test(no_dust),
        cmocka_unit_test(dust_counts_by_its_size),
        cmocka_unit_test(dust_asks_all),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
