/* Budgets of memory: what is larger lies in temporary files, and nothing else changes.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* setenv, usleep */
#include "support.h"

#include "base/budget.h"
#include "fit/fit.h"

#include <sys/stat.h>
#include <unistd.h>

/* So little that every array of a page lies in a file, and that pages are given back all the time.
 */
enum { TINY = 32 << 10, PAGE = 4096 };

static cob_budget *begin(double bytes)
{
    cob_budget *budget = NULL;
    cobloc_error err;
    assert_ok(cob_budget_begin(bytes, &budget, &err), err);
    return budget;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void test_blocks_keep_what_they_hold(void **state)
{
    enum { COUNT = 1 << 18 };
    cob_budget *budget = begin(TINY);
    (void)state;
    int32_t *numbers = cob_alloc(COUNT, sizeof *numbers), *zeros = cob_alloc_zero(COUNT, 4);
    assert_non_null(numbers);
    assert_non_null(zeros);
    assert_true(cob_block_bytes(numbers) == COUNT * sizeof *numbers);
    for (int32_t i = 0; i < COUNT; i++)
        numbers[i] = i;
    for (int round = 0; round < 20; round++) {
        usleep(3000); /* pages are given back in the meantime */
        for (int32_t i = 0; i < COUNT; i++)
            assert_true(numbers[i] == i && zeros[i] == 0);
    }
    numbers = cob_realloc(numbers, 2 * COUNT, sizeof *numbers);
    assert_non_null(numbers);
    for (int32_t i = 0; i < COUNT; i++)
        assert_int_equal(numbers[i], i);
    cob_budget_end(budget);
    for (int32_t i = 0; i < COUNT; i++) /* they outlive it */
        assert_int_equal(numbers[i], i);
    cob_free(numbers);
    cob_free(zeros);
}

static void test_the_smallest_budget_holds(void **state)
{
    (void)state;
    assert_true(cob_budget_now() == 0);
    assert_false(cob_is_large_block(1 << 30));
    assert_null(begin(0));
    cob_budget *large = begin(0x1p40), *small = begin(TINY), *middle = begin(0x1p30);
    assert_true(cob_budget_now() == TINY);
    assert_true(cob_is_large_block(PAGE));
    assert_false(cob_is_large_block(PAGE - 1));
    cob_budget_end(small);
    assert_true(cob_budget_now() == 0x1p30);
    cob_budget_end(large);
    assert_true(cob_budget_now() == 0x1p30);
    cob_budget_end(middle);
    assert_true(cob_budget_now() == 0);
}

static void test_no_folder_for_files(void **state)
{
    cob_budget *budget = begin(TINY);
    cobloc_error err;
    (void)state;
    setenv("TMPDIR", test_path("nowhere"), 1);
    void *none = cob_alloc(1 << 20, 1);
    setenv("TMPDIR", test_folder(), 1);
    assert_null(none);
    assert_int_equal(cob_fail_memory(&err, 1 << 20, 1), COBLOC_IO);
    assert_non_null(strstr(err.message, "nowhere, cannot be written to: No such file"));
    assert_null(cob_alloc((size_t)1 << 60, 1)); /* no disk has that */
    assert_int_equal(cob_fail_memory(&err, 1 << 20, 1), COBLOC_IO);
    assert_non_null(strstr(err.message, "cannot be kept in the folder for temporary files"));
    assert_int_equal(cob_fail_memory(&err, 1, 1), COBLOC_NO_MEMORY); /* said once */
    cob_budget_end(budget);
}

/* ---- fits ------------------------------------------------------------------------------------ */

static bool same_numbers(const double *a, const double *b, size_t count)
{
    return (!a && !b) || (a && b && memcmp(a, b, count * sizeof *a) == 0);
}

static void assert_same_result(const cobloc_result *a, const cobloc_result *b, const char *what)
{
    size_t n = (size_t)a->n, d = (size_t)a->d, k = (size_t)a->k, l = (size_t)a->l;
    if (a->k != b->k || a->l != b->l || a->iterations != b->iterations ||
        memcmp(&a->criterion, &b->criterion, sizeof a->criterion) != 0 ||
        memcmp(a->row_labels, b->row_labels, n * sizeof *a->row_labels) != 0 ||
        memcmp(a->col_labels, b->col_labels, d * sizeof *a->col_labels) != 0 ||
        !same_numbers(a->row_probabilities, b->row_probabilities, n * k) ||
        !same_numbers(a->col_probabilities, b->col_probabilities, d * l) ||
        !same_numbers(a->blocks, b->blocks, k * l) ||
        !same_numbers(a->parameters, b->parameters, (size_t)a->parameter_count * k * l))
        fail_msg("%s: the result depends on the memory", what);
}

/* The same options in memory, and from a mapped file with next to no memory. */
static void check_fit(const cobloc_matrix *in_memory, const cobloc_matrix *mapped,
                      cobloc_fit_options o)
{
    char what[128];
    cobloc_error err = {COBLOC_OK, ""}, other = {COBLOC_OK, ""};
    cobloc_result *expected = NULL, *found = NULL;
    snprintf(what, sizeof what, "%s, inference %d, weight %d, %d threads", o.model,
             (int)o.inference, (int)o.weight, o.threads);
    cobloc_status status = cobloc_fit(in_memory, &o, &expected, &err);
    o.max_memory = TINY;
    cobloc_status streamed = cobloc_fit(mapped, &o, &found, &other);
    if (status != streamed || strcmp(err.message, other.message) != 0)
        fail_msg("%s: '%s' in memory, '%s' without", what, err.message, other.message);
    if (status == COBLOC_OK)
        assert_same_result(expected, found, what);
    cobloc_result_free(expected);
    cobloc_result_free(found);
}

static cobloc_matrix *map(const char *path, double max_memory)
{
    cobloc_io_options io;
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    cob_io_options_default(&io);
    io.max_memory = max_memory;
    assert_ok(cobloc_matrix_read(path, &io, &matrix, &err), err);
    return matrix;
}

static void test_fits_are_the_same(void **state)
{
    static const cobloc_weight weights[] = {COBLOC_WEIGHT_NONE, COBLOC_WEIGHT_TFIDF,
                                            COBLOC_WEIGHT_BINARY};
    static const cobloc_inference inferences[] = {COBLOC_HARD, COBLOC_SOFT, COBLOC_STOCHASTIC};
    cobloc_matrix *x = random_matrix(5, 110, 95, 0.12, COBLOC_U8, NAMES_NONE);
    cobloc_fit_options o;
    cobloc_error err;
    (void)state;
    assert_ok(cobloc_matrix_write(x, test_path("x.cbm"), NULL, &err), err);
    cobloc_matrix *mapped = map(test_path("x.cbm"), TINY);
    assert_non_null(mapped->files); /* it is mapped, small as it is */
    cob_fit_options_default(&o);
    o.k = 3;
    o.restarts = 1;
    o.max_iterations = 5;
    for (int m = 0; m < cobloc_model_count(); m++)
        for (int i = 0; i < 3; i++)
            for (int w = 0; w < 3; w++) {
                cob_algorithm a;
                o.model = cobloc_model_name(m);
                o.inference = inferences[i];
                o.weight = weights[w];
                o.threads = m == 0 ? 2 : 1;
                if (cob_algorithm_named(o.model, &a) && a.model)
                    check_fit(x, mapped, o);
            }
    cobloc_matrix_free(mapped);
    cobloc_matrix_free(x);
}

/* The other methods, and what is chosen by itself. */
static void test_methods_are_the_same(void **state)
{
    cobloc_matrix *x = random_matrix(6, 70, 60, 0.2, COBLOC_F64, NAMES_NONE);
    cobloc_fit_options o;
    cobloc_error err;
    (void)state;
    assert_ok(cobloc_matrix_write(x, test_path("y.cbm"), NULL, &err), err);
    cobloc_matrix *mapped = map(test_path("y.cbm"), TINY);
    cob_fit_options_default(&o);
    o.k = 3;
    o.restarts = o.threads = 1;
    o.max_iterations = 6;
    for (int m = 0; m < cobloc_model_count(); m++) {
        cob_algorithm a;
        o.model = cobloc_model_name(m);
        if (cob_algorithm_named(o.model, &a) && !a.model && strcmp(o.model, "chisim") != 0 &&
            strcmp(o.model, "lda") != 0) /* these two are refused if they do not fit */
            check_fit(x, mapped, o);
    }
    o.model = "auto";
    check_fit(x, mapped, o);
    cobloc_matrix_free(mapped);
    cobloc_matrix_free(x);
}

static void test_too_little_memory(void **state)
{
    cobloc_matrix *x = random_matrix(7, 50, 40, 0.2, COBLOC_U8, NAMES_NONE);
    cobloc_fit_options o;
    cobloc_result *result = NULL;
    cobloc_error err;
    (void)state;
    cob_fit_options_default(&o);
    o.model = "coclus";
    o.k = 3;
    o.threads = 1;
    o.max_memory = 100;
    assert_int_equal(cobloc_fit(x, &o, &result, &err), COBLOC_NO_MEMORY);
    assert_non_null(strstr(err.message, "the least that works is"));
    cobloc_matrix_free(x);
}

/* ---- reading and drawing --------------------------------------------------------------------- */

static void assert_same_files(const char *a, const char *b)
{
    struct stat first, second;
    assert_true(stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_size == second.st_size);
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    assert_true(x && y);
    for (int c = 0; c != EOF;) {
        c = getc(x);
        assert_int_equal(c, getc(y));
    }
    fclose(x);
    fclose(y);
}

/* What is read with next to no memory is the same .cbm, byte for byte. */
static void check_reading(const char *path)
{
    cobloc_error err;
    cobloc_matrix *expected = map(path, 0), *found = map(path, TINY);
    assert_same_matrix(expected, found);
    assert_ok(cobloc_matrix_write(expected, test_path("expected.cbm"), NULL, &err), err);
    assert_ok(cobloc_matrix_write(found, test_path("found.cbm"), NULL, &err), err);
    assert_same_files(test_path("expected.cbm"), test_path("found.cbm"));
    cobloc_matrix_free(expected);
    cobloc_matrix_free(found);
}

static void test_every_format_is_read_alike(void **state)
{
    static const char *const files[] = {"z.mtx",   "z.triples.csv", "z.csv", "z.svm",
                                        "z.cluto", "z.ldac",        "z.npz", "z.mtx.gz"};
    static const cobloc_value_kind kinds[] = {COBLOC_ONES, COBLOC_U8, COBLOC_U32, COBLOC_F64};
    (void)state;
    for (int k = 0; k < 4; k++) {
        cobloc_matrix *x = random_matrix(8, 400, 90, 0.15, kinds[k], NAMES_NONE);
        for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
            cobloc_error err;
            if (cobloc_matrix_write(x, test_path(files[f]), NULL, &err) == COBLOC_OK)
                check_reading(test_path(files[f]));
        }
        cobloc_matrix_free(x);
    }
}

/* Entries in no order, some of them several times. */
static void test_any_order_is_read_alike(void **state)
{
    enum { ROWS = 3000, COLS = 500, ENTRIES = 20000 };
    FILE *file = fopen(test_path("shuffled.mtx"), "w");
    uint64_t random = 12345;
    (void)state;
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", ROWS, COLS,
            ENTRIES);
    for (int e = 0; e < ENTRIES; e++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        fprintf(file, "%d %d %.3g\n", 1 + (int)((random >> 40) % ROWS * (e % 3 > 0)),
                1 + (int)((random >> 20) % COLS), (double)((random >> 50) % 1000 + 1) / 7);
    }
    fclose(file);
    check_reading(test_path("shuffled.mtx"));
}

static void test_drawing_alike(void **state)
{
    static const char *const presets[] = {"splbm", "dlbm-table4:1000x500:+:equal"};
    (void)state;
    for (int p = 0; p < 2; p++) {
        cobloc_simulation *simulation = NULL;
        cobloc_matrix *expected = NULL, *found = NULL;
        cobloc_error err;
        assert_ok(cobloc_simulation_preset(presets[p], &simulation, &err), err);
        simulation->rows = 900;
        assert_ok(cobloc_simulate(simulation, &expected, NULL, &err), err);
        simulation->max_memory = TINY;
        assert_ok(cobloc_simulate(simulation, &found, NULL, &err), err);
        assert_same_matrix(expected, found);
        cobloc_matrix_free(expected);
        cobloc_matrix_free(found);
        cobloc_simulation_free(simulation);
    }
}

static void test_weighted_copies_alike(void **state)
{
    cobloc_matrix *x = random_matrix(9, 300, 200, 0.05, COBLOC_U16, NAMES_NASTY);
    cobloc_error err;
    (void)state;
    assert_ok(cobloc_matrix_write(x, test_path("w.cbm"), NULL, &err), err);
    cobloc_matrix *mapped = map(test_path("w.cbm"), TINY);
    for (cobloc_weight w = COBLOC_WEIGHT_BINARY; w <= COBLOC_WEIGHT_BM25IDF; w++) {
        cobloc_matrix *expected = NULL, *found = NULL;
        assert_ok(cobloc_matrix_weighted(x, w, &expected, &err), err);
        assert_ok(cobloc_matrix_weighted(mapped, w, &found, &err), err);
        assert_same_matrix(expected, found);
        assert_true(cob_budget_bytes(found->budget) == TINY); /* it is held to the same */
        cobloc_matrix_free(expected);
        cobloc_matrix_free(found);
    }
    cobloc_matrix_free(mapped);
    cobloc_matrix_free(x);
    assert_true(cob_budget_now() == 0);
}

/* Where every allocation may fail, also those that are files. */
static void test_failing_allocations(void **state)
{
    cobloc_matrix *x = random_matrix(10, 60, 50, 0.2, COBLOC_U8, NAMES_NONE);
    cobloc_fit_options o;
    cobloc_error err;
    (void)state;
    cob_fit_options_default(&o);
    o.model = "splbm";
    o.weight = COBLOC_WEIGHT_TFIDF;
    o.k = 2;
    o.restarts = 1;
    o.threads = 1;
    o.max_memory = TINY;
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_result *result = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_fit(x, &o, &result, &err);
        failed = allocation_failed(k, status, &err, 20);
        cobloc_result_free(result);
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fits_are_the_same),
        cmocka_unit_test(test_methods_are_the_same),
        cmocka_unit_test(test_every_format_is_read_alike),
        cmocka_unit_test(test_any_order_is_read_alike),
        cmocka_unit_test(test_drawing_alike),
        cmocka_unit_test(test_weighted_copies_alike),
        cmocka_unit_test(test_blocks_keep_what_they_hold),
        cmocka_unit_test(test_the_smallest_budget_holds),
        cmocka_unit_test(test_no_folder_for_files),
        cmocka_unit_test(test_too_little_memory),
        cmocka_unit_test(test_failing_allocations),
    };
    setenv("TMPDIR", test_folder(), 1); /* in memory where possible: there are thousands of files */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
