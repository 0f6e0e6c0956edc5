/* Fits on several ranks against fits of one process: the same result, to the bit. With the argument
 * "all", every model with every inference and weight on 2, 3 and 4 ranks with 1 and 2 threads, by
 * starts, by lines and by groups, streamed from a file and in memory; without it, these are dealt
 * out to most of them in turn.
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
        same(&a->criterion, &b->criterion, sizeof a->criterion) && a->restarts == b->restarts &&
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
    bool streamed;
} way;

static const way ways[] = {
    {COBLOC_SHARE_LINES, 2, 1, false},  {COBLOC_SHARE_LINES, 3, 2, false},
    {COBLOC_SHARE_LINES, 4, 1, false},  {COBLOC_SHARE_STARTS, 2, 2, false},
    {COBLOC_SHARE_GROUPS, 4, 1, false}, {COBLOC_SHARE_STARTS, 3, 1, false},
    {COBLOC_SHARE_LINES, 2, 2, false},  {COBLOC_SHARE_GROUPS, 3, 2, false},
    {COBLOC_SHARE_LINES, 3, 1, false},  {COBLOC_SHARE_LINES, 4, 2, false},
    {COBLOC_SHARE_STARTS, 4, 2, false},
};
enum { WAYS = sizeof ways / sizeof *ways };

static void check_way(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                      const cobloc_result *one, way how)
{
    rank_job j = {.matrix = matrix, .options = *options, .fails = -1};
    cobloc_status status[MOST_TEST_RANKS];
    cobloc_error err[MOST_TEST_RANKS];
    char what[200];
    snprintf(what, sizeof what, "%s, %s, %s, %s on %d ranks with %d threads%s", options->model,
             cobloc_inference_name(options->inference), cobloc_weight_name(options->weight),
             cob_share_names[how.share], how.ranks, how.threads, how.streamed ? ", streamed" : "");
    if (how.streamed)
        j.options.max_memory = 32 << 10;
    j.options.share = how.share;
    j.options.threads = how.threads;
    run_rank_job(&j, how.ranks, status, err);
    for (int r = 0; r < how.ranks; r++) {
        if (status[r] != COBLOC_OK)
            fail_msg("%s: rank %d: %s", what, r, err[r].message);
        check_same(one, j.results[r], what);
        assert_int_equal(j.results[r]->ranks, how.ranks);
        assert_true(j.results[r]->bytes_sent > 0);
        assert_true(j.results[r]->row_passes == j.results[0]->row_passes);
        assert_true(j.results[r]->row_passes > 0 || one->row_passes == 0);
    }
    free_rank_job(&j);
}

/* The next of the ways, or all of them. */
static void check_ways(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                       bool is_model)
{
    static int turn;
    cobloc_result *one = NULL;
    cobloc_error err;
    if (cobloc_fit(matrix, options, &one, &err) != COBLOC_OK)
        return; /* the model cannot take such a table */
    for (int i = 0; i < WAYS; i++)
        for (int streamed = 0; streamed < 1 + is_model; streamed++) /* methods need their memory */
            if (all_cases || (i == turn % WAYS && streamed == is_model * (turn % 2))) {
                way how = ways[i];
                how.streamed = streamed;
                check_way(matrix, options, one, how);
            }
    turn++;
    cobloc_result_free(one);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* The same matrix from a file, which is mapped. */
static cobloc_matrix *from_file(cobloc_matrix *made)
{
    cobloc_error err;
    const char *path = test_path("ranks.cbm");
    assert_ok(cobloc_matrix_write(made, path, NULL, &err), err);
    cobloc_matrix_free(made);
    return must_read(path, NULL);
}

static void every_model_is_the_same_on_ranks(void **state)
{
    static const cobloc_weight weights[] = {COBLOC_WEIGHT_NONE, COBLOC_WEIGHT_TFIDF,
                                            COBLOC_WEIGHT_BINARY};
    (void)state;
    cobloc_matrix *x = from_file(random_matrix(5, 60, 40, 0.2, COBLOC_U8, 0));
    for (int m = 0; m < cobloc_model_count(); m++) {
        cob_algorithm a;
        assert_true(cob_algorithm_at(m, &a));
        for (int i = COBLOC_HARD; i <= COBLOC_SVEM; i++)
            for (int w = 0; w < (a.model ? 3 : 1); w++) {
                cobloc_fit_options o = rank_options(a.name, 3);
                o.inference = (cobloc_inference)i;
                o.weight = weights[w];
                if (w > 0) {
                    o.start = COBLOC_START_RANDOM;
                    o.restarts = 1;
                }
                if (cobloc_model_takes_inference(m, o.inference) &&
                    (all_cases || w == 0 || i <= COBLOC_SOFT)) /* chains are long */
                    check_ways(x, &o, a.model != NULL);
            }
    }
    cobloc_matrix_free(x);
}

/* Starts that build on others, in rounds: two families. */
static void families_are_the_same_on_ranks(void **state)
{
    (void)state;
    cobloc_matrix *x = random_matrix(6, 100, 70, 0.1, COBLOC_U8, 0);
    cobloc_fit_options o = rank_options("plbm", 3);
    cobloc_result *one = NULL;
    cobloc_error err;
    o.restarts = 24;
    assert_ok(cobloc_fit(x, &o, &one, &err), err);
    check_way(x, &o, one, (way){COBLOC_SHARE_STARTS, 2, 1, false});
    check_way(x, &o, one, (way){COBLOC_SHARE_STARTS, 4, 2, false});
    check_way(x, &o, one, (way){COBLOC_SHARE_LINES, 3, 1, false});
    check_way(x, &o, one, (way){COBLOC_SHARE_GROUPS, 5, 1, false});
    cobloc_result_free(one);
    cobloc_matrix_free(x);
}

/* Starts that end when two have found the same: each may be the last. */
static void enough_starts_are_as_many_on_ranks(void **state)
{
    int fewer = 0;
    (void)state;
    for (uint64_t seed = 16; seed < 22; seed++) {
        cobloc_matrix *x = random_matrix(seed, 24, 16, 0.3, COBLOC_U8, 0);
        cobloc_fit_options o = rank_options("plbm", 2);
        cobloc_result *one = NULL;
        cobloc_error err;
        o.restarts = 6;
        o.until_same = 2;
        o.max_iterations = 30;
        assert_ok(cobloc_fit(x, &o, &one, &err), err);
        fewer += one->restarts > 2 && one->restarts < 6;
        check_way(x, &o, one, (way){COBLOC_SHARE_STARTS, 3, 2, false});
        check_way(x, &o, one, (way){COBLOC_SHARE_LINES, 2, 1, false});
        check_way(x, &o, one, (way){COBLOC_SHARE_GROUPS, 4, 1, false});
        cobloc_result_free(one);
        cobloc_matrix_free(x);
    }
    assert_true(fewer > 0);
}

/* Annealing begins at a temperature that depends on the weights of all entries. */
static void annealing_is_the_same_on_ranks(void **state)
{
    (void)state;
    cobloc_matrix *x = random_matrix(15, 60, 40, 0.2, COBLOC_U8, 0);
    cobloc_fit_options o = rank_options("fnmtf", 3);
    cobloc_result *one = NULL;
    cobloc_error err;
    o.inference = COBLOC_STOCHASTIC;
    o.weight = COBLOC_WEIGHT_TFIDF;
    o.start = COBLOC_START_RANDOM;
    assert_ok(cobloc_fit(x, &o, &one, &err), err);
    check_way(x, &o, one, (way){COBLOC_SHARE_LINES, 3, 1, false});
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
        cobloc_fit_options o = rank_options("plbm", sizes[i]);
        cobloc_result *one = NULL;
        cobloc_error err;
        o.restarts = 1;
        o.start = COBLOC_START_RANDOM;
        o.max_iterations = 3;
        assert_ok(cobloc_fit(x, &o, &one, &err), err);
        check_way(x, &o, one, (way){COBLOC_SHARE_LINES, 3, 1, false});
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
    return from_file(made);
}

static void parts_are_the_same_on_ranks(void **state)
{
    static const char *const models[] = {"coclus", "plbm", "itcc", "splbm", "dlbm3", "socc", "lbm"};
    static const cobloc_start starts[] = {COBLOC_START_AUTO, COBLOC_START_RANDOM,
                                          COBLOC_START_SPECTRAL};
    static const cobloc_weight weights[] = {COBLOC_WEIGHT_NONE, COBLOC_WEIGHT_BINARY,
                                            COBLOC_WEIGHT_TFIDF, COBLOC_WEIGHT_BM25IDF,
                                            COBLOC_WEIGHT_LOG};
    int turn = 0;
    (void)state;
    for (int m = 0; m < (int)(sizeof models / sizeof *models); m++)
        for (int i = COBLOC_HARD; i <= COBLOC_SOFT; i++)
            for (int start = 0; start < 3; start++, turn++) {
                cobloc_fit_options o = rank_options(models[m], 3);
                cobloc_result *one = NULL;
                cobloc_error err;
                o.inference = (cobloc_inference)i;
                o.start = starts[start];
                o.weight = weights[turn % 5];
                o.restarts = models[m][0] == 'l' ? 3 : 2; /* its third is from singular vectors */
                o.max_iterations = start == 1 ? 20 : 3;
                bool real = turn % 7 > 3;
                cobloc_matrix *x = large_table(real);
                if (cobloc_fit(x, &o, &one, &err) == COBLOC_OK) {
                    cobloc_matrix *unread = large_table(real); /* that ranks have to check */
                    check_way(unread, &o, one, (way){COBLOC_SHARE_LINES, 2 + turn % 3, 1, false});
                    check_way(unread, &o, one, (way){COBLOC_SHARE_LINES, 2, 2, false});
                    check_way(unread, &o, one, (way){COBLOC_SHARE_GROUPS, 4, 1, false});
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
            cobloc_fit_options o = rank_options(models[m], 2);
            cobloc_result *one = NULL;
            cobloc_error err;
            o.inference = (cobloc_inference)i;
            if (cobloc_fit(x, &o, &one, &err) != COBLOC_OK)
                continue;
            check_way(x, &o, one, (way){COBLOC_SHARE_LINES, 8, 1, false});
            check_way(x, &o, one, (way){COBLOC_SHARE_STARTS, 8, 1, false});
            check_way(x, &o, one, (way){COBLOC_SHARE_GROUPS, 8, 1, false});
            cobloc_result_free(one);
        }
    cobloc_matrix_free(x);
}

static void sizes_and_models_are_chosen_alike(void **state)
{
    (void)state;
    cobloc_matrix *x = random_matrix(9, 60, 40, 0.2, COBLOC_U8, 0);
    cobloc_fit_options o = rank_options("auto", 0);
    o.most = 4;
    o.restarts = 0;
    cobloc_result *one = NULL;
    cobloc_error err;
    assert_ok(cobloc_fit(x, &o, &one, &err), err);
    check_way(x, &o, one, (way){COBLOC_SHARE_STARTS, 2, 1, false});
    check_way(x, &o, one, (way){COBLOC_SHARE_LINES, 3, 1, false});
    check_way(x, &o, one, (way){COBLOC_SHARE_GROUPS, 3, 1, false});
    cobloc_result_free(one);
    cobloc_matrix_free(x);
}

/* Members of which each rank weighs its own lines. */
static void models_are_chosen_alike_by_parts(void **state)
{
    (void)state;
    cobloc_matrix *x = large_table(false), *unread = large_table(false);
    cobloc_fit_options o = rank_options("auto", 3);
    cobloc_result *one = NULL;
    cobloc_error err;
    o.restarts = 0;
    assert_ok(cobloc_fit(x, &o, &one, &err), err);
    check_way(unread, &o, one, (way){COBLOC_SHARE_LINES, 3, 1, false});
    cobloc_result_free(one);
    cobloc_matrix_free(x);
    cobloc_matrix_free(unread);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_is_the_same_on_ranks),
        cmocka_unit_test(families_are_the_same_on_ranks),
        cmocka_unit_test(enough_starts_are_as_many_on_ranks),
        cmocka_unit_test(annealing_is_the_same_on_ranks),
        cmocka_unit_test(many_clusters_are_the_same_on_ranks),
        cmocka_unit_test(parts_are_the_same_on_ranks),
        cmocka_unit_test(few_lines_are_the_same_on_ranks),
        cmocka_unit_test(sizes_and_models_are_chosen_alike),
        cmocka_unit_test(models_are_chosen_alike_by_parts),
    };
    all_cases = argc > 1 && strcmp(argv[1], "all") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
