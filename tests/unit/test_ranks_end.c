/* Fits on several ranks that fail, or are stopped; and how much they send.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include "base/alloc.h"
#include "fit/result.h"
#include "ranks.h"

static int64_t bytes_of(const cobloc_matrix *x, int k, int iterations, int ranks)
{
    rank_job j = {.matrix = x, .options = rank_options("plbm", k), .fails = -1};
    cobloc_status status[MOST_TEST_RANKS];
    cobloc_error err[MOST_TEST_RANKS];
    j.options.share = COBLOC_SHARE_LINES;
    j.options.start = COBLOC_START_RANDOM;
    j.options.restarts = 1;
    j.options.max_iterations = iterations;
    j.options.tolerance = 0;
    run_rank_job(&j, ranks, status, err);
    assert_ok(status[0], err[0]);
    assert_int_equal(j.results[0]->iterations, iterations);
    int64_t bytes = j.results[0]->bytes_sent;
    free_rank_job(&j);
    return bytes;
}

/* An iteration sends at most a byte for each row and column, 64 for each block, and 4 KiB, times
 * the number of ranks. */
static void an_iteration_sends_little(void **state)
{
    enum { ROWS = 4000, COLS = 3000 };
    static const int sizes[] = {2, 5, 20};
    (void)state;
    cobloc_matrix *x = random_matrix(16, ROWS, COLS, 0.01, COBLOC_U8, 0);
    for (int ranks = 2; ranks <= MOST_TEST_RANKS; ranks += 3)
        for (int i = 0; i < 3; i++) {
            int64_t k = sizes[i], before = bytes_of(x, sizes[i], 1, ranks);
            for (int iterations = 2; iterations <= 3; iterations++) {
                int64_t now = bytes_of(x, sizes[i], iterations, ranks);
                assert_true(now > before);
                assert_true(now - before <= (ROWS + COLS + 64 * k * k + 4096) * ranks);
                before = now;
            }
        }
    cobloc_matrix_free(x);
}

/* A rank that fails alone ends the others, whatever they wait for; only it has the sentence. */
static void one_rank_that_fails_ends_all(void **state)
{
    (void)state;
    cobloc_matrix *x = random_matrix(10, 60, 40, 0.2, COBLOC_U8, 0);
    for (int share = COBLOC_SHARE_STARTS; share <= COBLOC_SHARE_GROUPS; share++) {
        rank_job j = {.matrix = x, .options = rank_options("splbm", 3), .fails = 1};
        cobloc_status status[MOST_TEST_RANKS];
        cobloc_error err[MOST_TEST_RANKS];
        j.options.share = (cobloc_share)share;
        run_rank_job(&j, 3, status, err);
        assert_int_equal(status[0], COBLOC_ELSEWHERE);
        assert_int_equal(status[1], COBLOC_IO);
        assert_int_equal(status[2], COBLOC_ELSEWHERE);
        assert_string_equal(err[1].message, "rank 1 has no matrix");
        free_rank_job(&j);
    }
    cobloc_matrix_free(x);
}

/* The first, second, ... allocation fails, of whichever rank makes it: that one says so, and all
 * end. A rank that keeps waiting would hang here. */
static void one_rank_without_memory_ends_all(void **state)
{
    enum { RANKS = 3, SOME = 7 }; /* not each of them: there are many */
    (void)state;
    cobloc_matrix *x = random_matrix(14, 30, 20, 0.3, COBLOC_U8, 0);
    for (int share = COBLOC_SHARE_STARTS; share <= COBLOC_SHARE_GROUPS; share++)
        for (long k = 0, failed = 1; failed; k += SOME) {
            rank_job j = {.matrix = x, .options = rank_options("plbm", 2), .fails = -1};
            cobloc_status status[MOST_TEST_RANKS], worst = COBLOC_OK;
            cobloc_error err[MOST_TEST_RANKS];
            int said = 0;
            j.options.share = (cobloc_share)share;
            j.options.start = COBLOC_START_RANDOM;
            cob_alloc_fail_at(k);
            run_rank_job(&j, RANKS, status, err);
            for (int r = 0; r < RANKS; r++) {
                said += status[r] == COBLOC_NO_MEMORY;
                worst = status[r] != COBLOC_OK ? COBLOC_NO_MEMORY : worst;
                assert_true(status[r] == COBLOC_OK || status[r] == COBLOC_ELSEWHERE ||
                            status[r] == COBLOC_NO_MEMORY);
            }
            if (said != (worst != COBLOC_OK))
                fail_msg("share %d, allocation %ld: %d ranks say it", share, k, said);
            failed = allocation_failed(k, worst, &(cobloc_error){worst, "out of memory"}, 50);
            free_rank_job(&j);
        }
    cobloc_matrix_free(x);
}

/* What is wrong for all of them is said by the first. */
static void what_is_wrong_for_all_is_said_once(void **state)
{
    (void)state;
    cobloc_matrix *x = random_matrix(11, 6, 6, 0.9, COBLOC_U8, 0);
    rank_job j = {.matrix = x, .options = rank_options("splbm", 50), .fails = -1};
    cobloc_status status[MOST_TEST_RANKS];
    cobloc_error err[MOST_TEST_RANKS];
    run_rank_job(&j, 3, status, err);
    assert_true(status[0] != COBLOC_OK && status[0] != COBLOC_ELSEWHERE);
    assert_int_equal(status[1], COBLOC_ELSEWHERE);
    assert_int_equal(status[2], COBLOC_ELSEWHERE);
    free_rank_job(&j);
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
    for (int share = COBLOC_SHARE_STARTS; share <= COBLOC_SHARE_GROUPS; share++)
        for (int cancelled = 0; cancelled < 2; cancelled++) {
            rank_job j = {.matrix = x, .options = rank_options("splbm", 3), .fails = -1};
            cobloc_status status[MOST_TEST_RANKS];
            cobloc_error err[MOST_TEST_RANKS];
            j.options.share = (cobloc_share)share;
            j.options.restarts = 50;
            if (cancelled)
                j.options.progress = (cobloc_progress){cancel, NULL};
            else
                j.options.max_seconds = 1e-9;
            run_rank_job(&j, 3, status, err);
            for (int r = 0; r < 3; r++) {
                assert_ok(status[r], err[r]);
                assert_int_equal(j.results[r]->stop,
                                 cancelled ? COBLOC_STOP_CANCELLED : COBLOC_STOP_TIME);
                assert_memory_equal(j.results[r]->row_labels, j.results[0]->row_labels,
                                    90 * sizeof(int32_t));
            }
            free_rank_job(&j);
        }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_iteration_sends_little),
        cmocka_unit_test(one_rank_that_fails_ends_all),
        cmocka_unit_test(one_rank_without_memory_ends_all),
        cmocka_unit_test(what_is_wrong_for_all_is_said_once),
        cmocka_unit_test(ranks_stop_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
