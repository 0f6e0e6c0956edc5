/* Fits on several ranks against fits of one process: the same result, to the bit. With the argument
 * "all", every model with every inference and weight on 2, 3 and 4 ranks with 1 and 2 threads, by
 * starts and by lines; without it, these are dealt out to most of them in turn.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include "fit/algorithm.h"
#include "fit/result.h"
#include "ranks.h"

#include <math.h>

static bool all_cases;

/* ---- a fit on several ranks ------------------------------------------------------------------ */

typedef struct job {
    const cobloc_matrix *matrix;
    cobloc_fit_options options;
    cobloc_result *results[MOST_TEST_RANKS];
    int fails; /* this rank fails before it fits; -1: none */
} job;

static cobloc_status fit(const cobloc_communicator *c, void *data, cobloc_error *err)
{
    job *j = data;
    cobloc_fit_options o = j->options;
    if (c->rank == j->fails)
        return cob_fail(err, COBLOC_IO, "rank %d has no matrix", c->rank);
    cobloc_set_communicator(&o, c);
    return cobloc_fit(j->matrix, &o, &j->results[c->rank], err);
}

static void free_results(job *j)
{
    for (int r = 0; r < MOST_TEST_RANKS; r++)
        cobloc_result_free(j->results[r]);
}

static bool same(const void *a, const void *b, size_t bytes)
{
    return (!a && !b) || (a && b && memcmp(a, b, bytes) == 0);
}

static void check_same(const cobloc_result *a, const cobloc_result *b, const char *what)
{
    size_t n = (size_t)a->n, d = (size_t)a->d, k = (size_t)a->k, l = (size_t)a->l;
    bool good =
        same(a->row_labels, b->row_labels, n * sizeof(int32_t)) &&
        same(a->col_labels, b->col_labels, d * sizeof(int32_t)) &&
        same(&a->criterion, &b->criterion, sizeof a->criterion) &&
        a->best_restart == b->best_restart && a->iterations == b->iterations &&
        a->repaired == b->repaired && a->stop == b->stop &&
        same(a->restart_criteria, b->restart_criteria, (size_t)a->restarts * sizeof(double)) &&
        same(a->trace, b->trace, (size_t)a->trace_count * sizeof(double)) &&
        same(a->blocks, b->blocks, k * l * sizeof(double)) &&
        same(a->parameters, b->parameters, (size_t)a->parameter_count * k * l * sizeof(double)) &&
        same(a->row_probabilities, b->row_probabilities, n * k * sizeof(double)) &&
        same(a->col_probabilities, b->col_probabilities, d * l * sizeof(double)) &&
        same(&a->r_hat, &b->r_hat, sizeof a->r_hat) && same(&a->icl, &b->icl, sizeof a->icl) &&
        same(&a->explained_information, &b->explained_information, sizeof(double)) &&
        a->unit == b->unit && a->scale == b->scale && a->mean_length == b->mean_length;
    if (!good)
        fail_msg("%s: the ranks end elsewhere: %.17g, not %.17g", what, b->criterion, a->criterion);
}

/* One way to share a fit. */
typedef struct way {
    cobloc_share share;
    int ranks, threads;
} way;

static const way ways[] = {
    {COBLOC_SHARE_LINES, 2, 1},  {COBLOC_SHARE_LINES, 3, 2},  {COBLOC_SHARE_LINES, 4, 1},
    {COBLOC_SHARE_STARTS, 2, 2}, {COBLOC_SHARE_STARTS, 3, 1}, {COBLOC_SHARE_LINES, 2, 2},
    {COBLOC_SHARE_LINES, 3, 1},  {COBLOC_SHARE_LINES, 4, 2},  {COBLOC_SHARE_STARTS, 4, 2},
};
enum { WAYS = sizeof ways / sizeof *ways };

static void check_way(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                      const cobloc_result *one, way how)
{
    job j = {.matrix = matrix, .options = *options, .fails = -1};
    cobloc_status status[MOST_TEST_RANKS];
    cobloc_error err[MOST_TEST_RANKS];
    char what[200];
    snprintf(what, sizeof what, "%s, %s, %s, %s on %d ranks with %d threads", options->model,
             cobloc_inference_name(options->inference), cobloc_weight_name(options->weight),
             how.share == COBLOC_SHARE_LINES ? "lines" : "starts", how.ranks, how.threads);
    j.options.share = how.share;
    j.options.threads = how.threads;
    run_ranks(how.ranks, fit, &j, status, err);
    for (int r = 0; r < how.ranks; r++) {
        if (status[r] != COBLOC_OK)
            fail_msg("%s: rank %d: %s", what, r, err[r].message);
        check_same(one, j.results[r], what);
        assert_int_equal(j.results[r]->ranks, how.ranks);
        assert_true(j.results[r]->bytes_sent > 0);
        assert_true(j.results[r]->row_passes == j.results[0]->row_passes);
        assert_true(j.results[r]->row_passes > 0 || one->row_passes == 0);
    }
    free_results(&j);
}

/* The next of the ways, or all of them. */
static void check_ways(const cobloc_matrix *matrix, const cobloc_fit_options *options)
{
    static int turn;
    cobloc_result *one = NULL;
    cobloc_error err;
    if (cobloc_fit(matrix, options, &one, &err) != COBLOC_OK)
        return; /* the model cannot take such a table */
    for (int i = 0; i < WAYS; i++)
        if (all_cases || i == turn % WAYS)
            check_way(matrix, options, one, ways[i]);
    turn++;
    cobloc_result_free(one);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static cobloc_fit_options usual(const char *model, int k)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = k;
    o.restarts = 2;
    o.max_iterations = 4;
    o.threads = 1;
    return o;
}

static void every_model_is_the_same_on_ranks(void **state)
{
    static const cobloc_weight weights[] = {COBLOC_WEIGHT_NONE, COBLOC_WEIGHT_TFIDF,
                                            COBLOC_WEIGHT_BINARY};
    (void)state;
    cobloc_matrix *x = random_matrix(5, 60, 40, 0.2, COBLOC_U8, 0);
    for (int m = 0; m < cobloc_model_count(); m++) {
        cob_algorithm a;
        assert_true(cob_algorithm_at(m, &a));
        for (int i = COBLOC_HARD; i <= COBLOC_SVEM; i++)
            for (int w = 0; w < (a.model ? 3 : 1); w++) {
                cobloc_fit_options o = usual(a.name, 3);
                o.inference = (cobloc_inference)i;
                o.weight = weights[w];
                if (w > 0) {
                    o.start = COBLOC_START_RANDOM;
                    o.restarts = 1;
                }
                if (cobloc_model_takes_inference(m, o.inference) &&
                    (all_cases || w == 0 || i <= COBLOC_SOFT)) /* chains are long */
                    check_ways(x, &o);
            }
    }
    cobloc_matrix_free(x);
}

/* Starts that build on others, in rounds: two families. */
static void families_are_the_same_on_ranks(void **state)
{
    (void)state;
    cobloc_matrix *x = random_matrix(6, 100, 70, 0.1, COBLOC_U8, 0);
    cobloc_fit_options o = usual("plbm", 3);
    cobloc_result *one = NULL;
    cobloc_error err;
    o.restarts = 24;
    assert_ok(cobloc_fit(x, &o, &one, &err), err);
    check_way(x, &o, one, (way){COBLOC_SHARE_STARTS, 2, 1});
    check_way(x, &o, one, (way){COBLOC_SHARE_STARTS, 4, 2});
    check_way(x, &o, one, (way){COBLOC_SHARE_LINES, 3, 1});
    cobloc_result_free(one);
    cobloc_matrix_free(x);
}

/* More clusters than a byte can number; and so many for so few lines that some are held alive. */
static void many_clusters_are_the_same_on_ranks(void **state)
{
    static const int sizes[] = {255, 256};
    (void)state;
    cobloc_matrix *x = random_matrix(7, 320, 310, 0.02, COBLOC_U8, 0);
    for (int i = 0; i < 2; i++) {
        cobloc_fit_options o = usual("plbm", sizes[i]);
        cobloc_result *one = NULL;
        cobloc_error err;
        o.restarts = 1;
        o.start = COBLOC_START_RANDOM;
        o.max_iterations = 3;
        assert_ok(cobloc_fit(x, &o, &one, &err), err);
        check_way(x, &o, one, (way){COBLOC_SHARE_LINES, 3, 1});
        cobloc_result_free(one);
    }
    cobloc_matrix_free(x);
}

/* Blocks in a table with so many lines that starts take a sample, with empty lines among them, from
 * a file: then each rank looks at its own lines only. */
static cobloc_matrix *large_table(bool real)
{
    enum { ROWS = 9000, COLS = 8500, EACH = 5, BLOCKS = 3 };
    static int32_t row[ROWS * EACH], col[ROWS * EACH];
    static double value[ROWS * EACH];
    cob_stream stream = cob_stream_at(13, 0, 0, 0);
    cobloc_error err;
    cobloc_matrix *made = NULL;
    int64_t count = 0;
    for (int i = 0; i < ROWS; i++)
        for (int e = 0; e < EACH && i % 11 != 3; e++, count++) {
            double u = cob_random_uniform(&stream, (uint64_t)count * 2);
            int block = u < 0.8 ? i % BLOCKS : (int)(u * 1000) % BLOCKS;
            row[count] = i;
            col[count] = block + BLOCKS * (int32_t)cob_random_below(
                                              &stream, (uint64_t)count * 2 + 1, COLS / BLOCKS);
            value[count] = real ? 0.3 * (double)(1 + count % 7) : (double)(1 + count % 3);
        }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &made, &err), err);
    const char *path = test_path("ranks.cbm");
    assert_ok(cobloc_matrix_write(made, path, NULL, &err), err);
    cobloc_matrix_free(made);
    return must_read(path, NULL);
}

static void parts_are_the_same_on_ranks(void **state)
{
    static const char *const models[] = {"coclus", "plbm", "itcc", "splbm", "dlbm3", "socc"};
    static const cobloc_weight weights[] = {COBLOC_WEIGHT_NONE, COBLOC_WEIGHT_BINARY,
                                            COBLOC_WEIGHT_TFIDF, COBLOC_WEIGHT_BM25IDF,
                                            COBLOC_WEIGHT_LOG};
    int turn = 0;
    (void)state;
    for (int m = 0; m < (int)(sizeof models / sizeof *models); m++)
        for (int i = COBLOC_HARD; i <= COBLOC_SOFT; i++)
            for (int start = 0; start < 2; start++, turn++) {
                cobloc_fit_options o = usual(models[m], 3);
                cobloc_result *one = NULL;
                cobloc_error err;
                o.inference = (cobloc_inference)i;
                o.start = start ? COBLOC_START_RANDOM : COBLOC_START_AUTO;
                o.weight = weights[turn % 5];
                o.max_iterations = start ? 20 : 3;
                bool real = turn % 7 > 3;
                cobloc_matrix *x = large_table(real);
                if (cobloc_fit(x, &o, &one, &err) == COBLOC_OK) {
                    cobloc_matrix *unread = large_table(real); /* that ranks have to check */
                    check_way(unread, &o, one, (way){COBLOC_SHARE_LINES, 2 + turn % 3, 1});
                    check_way(unread, &o, one, (way){COBLOC_SHARE_LINES, 2, 2});
                    cobloc_matrix_free(unread);
                }
                cobloc_result_free(one);
                cobloc_matrix_free(x);
            }
}

/* Some ranks have no lines at all. */
static void few_lines_are_the_same_on_ranks(void **state)
{
    (void)state;
    cobloc_matrix *x = random_matrix(8, 5, 4, 0.9, COBLOC_F64, 0);
    static const char *const models[] = {"plbm", "coclus", "itcc", "fnmtf"};
    for (int m = 0; m < 4; m++)
        for (int i = COBLOC_HARD; i <= COBLOC_SOFT; i++) {
            cobloc_fit_options o = usual(models[m], 2);
            cobloc_result *one = NULL;
            cobloc_error err;
            o.inference = (cobloc_inference)i;
            if (cobloc_fit(x, &o, &one, &err) != COBLOC_OK)
                continue;
            check_way(x, &o, one, (way){COBLOC_SHARE_LINES, 8, 1});
            check_way(x, &o, one, (way){COBLOC_SHARE_STARTS, 8, 1});
            cobloc_result_free(one);
        }
    cobloc_matrix_free(x);
}

static void sizes_and_models_are_chosen_alike(void **state)
{
    (void)state;
    cobloc_matrix *x = random_matrix(9, 60, 40, 0.2, COBLOC_U8, 0);
    cobloc_fit_options o = usual("auto", 0);
    o.most = 4;
    o.restarts = 0;
    cobloc_result *one = NULL;
    cobloc_error err;
    assert_ok(cobloc_fit(x, &o, &one, &err), err);
    check_way(x, &o, one, (way){COBLOC_SHARE_STARTS, 2, 1});
    check_way(x, &o, one, (way){COBLOC_SHARE_LINES, 3, 1});
    cobloc_result_free(one);
    cobloc_matrix_free(x);
}

/* Members of which each rank weighs its own lines. */
static void models_are_chosen_alike_by_parts(void **state)
{
    (void)state;
    cobloc_matrix *x = large_table(false), *unread = large_table(false);
    cobloc_fit_options o = usual("auto", 3);
    cobloc_result *one = NULL;
    cobloc_error err;
    o.restarts = 0;
    assert_ok(cobloc_fit(x, &o, &one, &err), err);
    check_way(unread, &o, one, (way){COBLOC_SHARE_LINES, 3, 1});
    cobloc_result_free(one);
    cobloc_matrix_free(x);
    cobloc_matrix_free(unread);
}

/* A rank that fails alone ends the others, whatever they wait for; only it has the sentence. */
static void one_rank_that_fails_ends_all(void **state)
{
    (void)state;
    cobloc_matrix *x = random_matrix(10, 60, 40, 0.2, COBLOC_U8, 0);
    for (int share = COBLOC_SHARE_STARTS; share <= COBLOC_SHARE_LINES; share++) {
        job j = {.matrix = x, .options = usual("splbm", 3), .fails = 1};
        cobloc_status status[MOST_TEST_RANKS];
        cobloc_error err[MOST_TEST_RANKS];
        j.options.share = (cobloc_share)share;
        run_ranks(3, fit, &j, status, err);
        assert_int_equal(status[0], COBLOC_ELSEWHERE);
        assert_int_equal(status[1], COBLOC_IO);
        assert_int_equal(status[2], COBLOC_ELSEWHERE);
        assert_string_equal(err[1].message, "rank 1 has no matrix");
        free_results(&j);
    }
    cobloc_matrix_free(x);
}

/* What is wrong for all of them is said by the first. */
static void what_is_wrong_for_all_is_said_once(void **state)
{
    (void)state;
    cobloc_matrix *x = random_matrix(11, 6, 6, 0.9, COBLOC_U8, 0);
    job j = {.matrix = x, .options = usual("splbm", 50), .fails = -1};
    cobloc_status status[MOST_TEST_RANKS];
    cobloc_error err[MOST_TEST_RANKS];
    run_ranks(3, fit, &j, status, err);
    assert_true(status[0] != COBLOC_OK && status[0] != COBLOC_ELSEWHERE);
    assert_int_equal(status[1], COBLOC_ELSEWHERE);
    assert_int_equal(status[2], COBLOC_ELSEWHERE);
    free_results(&j);
    cobloc_matrix_free(x);
}

static int cancel(void *user, const char *what, double done)
{
    (void)user, (void)what, (void)done;
    return 1;
}

/* Ranks stop together, with a result. */
static void ranks_stop_together(void **state)
{
    (void)state;
    cobloc_matrix *x = random_matrix(12, 90, 60, 0.2, COBLOC_U8, 0);
    for (int share = COBLOC_SHARE_STARTS; share <= COBLOC_SHARE_LINES; share++)
        for (int cancelled = 0; cancelled < 2; cancelled++) {
            job j = {.matrix = x, .options = usual("splbm", 3), .fails = -1};
            cobloc_status status[MOST_TEST_RANKS];
            cobloc_error err[MOST_TEST_RANKS];
            j.options.share = (cobloc_share)share;
            j.options.restarts = 50;
            if (cancelled)
                j.options.progress = (cobloc_progress){cancel, NULL};
            else
                j.options.max_seconds = 1e-9;
            run_ranks(3, fit, &j, status, err);
            for (int r = 0; r < 3; r++) {
                assert_ok(status[r], err[r]);
                assert_int_equal(j.results[r]->stop,
                                 cancelled ? COBLOC_STOP_CANCELLED : COBLOC_STOP_TIME);
                assert_memory_equal(j.results[r]->row_labels, j.results[0]->row_labels,
                                    90 * sizeof(int32_t));
            }
            free_results(&j);
        }
    cobloc_matrix_free(x);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_is_the_same_on_ranks),
        cmocka_unit_test(families_are_the_same_on_ranks),
        cmocka_unit_test(many_clusters_are_the_same_on_ranks),
        cmocka_unit_test(parts_are_the_same_on_ranks),
        cmocka_unit_test(few_lines_are_the_same_on_ranks),
        cmocka_unit_test(sizes_and_models_are_chosen_alike),
        cmocka_unit_test(models_are_chosen_alike_by_parts),
        cmocka_unit_test(one_rank_that_fails_ends_all),
        cmocka_unit_test(what_is_wrong_for_all_is_said_once),
        cmocka_unit_test(ranks_stop_together),
    };
    all_cases = argc > 1 && strcmp(argv[1], "all") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
