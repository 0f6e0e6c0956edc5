/* Fits on a device: every model and kind of entries gives the labels that it gives on
 * the processor, however little memory a block has; what fails there is a status; and nothing is
 * left behind. The device is an emulated one, which runs the kernels' own source.
 *
 * SPDX-License-Identifier: MIT
 */
#include "on_device.h"

#include "device/held.h"
#include "device/slices.h"

/* ---- fits ------------------------------------------------------------------------------------ */

static void check_fit(const cobloc_matrix *x, const char *model, int k, cobloc_weight weight,
                      int processors, size_t near)
{
    check_inference(x, model, k, weight, COBLOC_HARD, processors, near);
}

static void every_model_is_the_same(void **state)
{
    cobloc_matrix *counts = random_matrix(1, 90, 70, 0.2, COBLOC_U8, NAMES_NONE);
    cobloc_matrix *ones = random_matrix(2, 90, 70, 0.3, COBLOC_ONES, NAMES_NONE);
    (void)state;
    for (int m = 0; m < cobloc_model_count(); m++)
        if (is_block_model(m)) {
            check_fit(ones, cobloc_model_name(m), 4, COBLOC_WEIGHT_AUTO, 3, NEAR);
            if (strcmp(cobloc_model_name(m), "clbm") != 0) /* it takes few categories */
                check_fit(counts, cobloc_model_name(m), 4, COBLOC_WEIGHT_AUTO, 3, NEAR);
        }
    cobloc_matrix_free(counts);
    cobloc_matrix_free(ones);
}

static void every_kind_is_the_same(void **state)
{
    static const char *const models[] = {"coclus", "plbm"};
    (void)state;
    for (int kind = COBLOC_ONES; kind <= COBLOC_F64; kind++) {
        cobloc_matrix *x =
            random_matrix((uint64_t)kind, 80, 60, 0.2, (cobloc_value_kind)kind, NAMES_NONE);
        for (int m = 0; m < 2; m++) {
            check_fit(x, models[m], 3, COBLOC_WEIGHT_NONE, 2, NEAR);
            if (kind <= COBLOC_U16)
                check_fit(x, models[m], 3, COBLOC_WEIGHT_TFIDF, 2, NEAR);
        }
        cobloc_matrix_free(x);
    }
}

/* With little memory the table, then the labels, are not near; many clusters have wide labels; and
 * where clusters outnumber what is in the data, some become empty. */
static void any_memory_is_the_same(void **state)
{
    static const size_t near[] = {NEAR, 30000, 12000, 6000};
    cobloc_matrix *x = random_matrix(7, 300, 200, 0.1, COBLOC_U8, NAMES_NONE);
    (void)state;
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        check_fit(x, "itcc", 9, COBLOC_WEIGHT_NONE, 2, near[i]);
    check_fit(x, "coclus", 60, COBLOC_WEIGHT_NONE, 2, NEAR);
    check_fit(x, "itcc", 70, COBLOC_WEIGHT_NONE, 2, NEAR);
    cobloc_matrix_free(x);
}

/* A start that has all threads for itself leaves them idle. */
static void threads_make_no_difference(void **state)
{
    emulated_device device = emulated_open(3, NEAR);
    cobloc_matrix *x = random_matrix(8, 90, 70, 0.2, COBLOC_U8, NAMES_NONE);
    cobloc_result *results[2] = {NULL, NULL};
    cobloc_error err;
    cobloc_fit_options o;
    (void)state;
    cob_fit_options_default(&o);
    o.model = "itcc";
    o.k = 4;
    o.restarts = 1;
    o.threads = 3;
    for (int there = 0; there < 2; there++) {
        o.device = there ? "gpu" : "cpu";
        o.opened = there ? &device.base : NULL;
        assert_ok(cobloc_fit(x, &o, &results[there], &err), err);
    }
    assert_same(results[0], results[1]);
    cobloc_result_free(results[0]);
    cobloc_result_free(results[1]);
    cobloc_matrix_free(x);
}

static void too_many_clusters_are_refused(void **state)
{
    emulated_device device = emulated_open(2, 1000);
    cobloc_matrix *x = random_matrix(7, 60, 50, 0.2, COBLOC_U8, NAMES_NONE);
    cobloc_fit_options o;
    cobloc_result *result = NULL;
    cobloc_error err;
    (void)state;
    cob_fit_options_default(&o);
    o.model = "itcc";
    o.k = 9;
    o.device = "gpu";
    o.opened = &device.base;
    assert_int_equal(cobloc_fit(x, &o, &result, &err), COBLOC_UNSUPPORTED);
    assert_non_null(strstr(err.message, "emulated"));
    o.device = "auto"; /* such runs stay here */
    assert_ok(cobloc_fit(x, &o, &result, &err), err);
    assert_int_equal(device.blocks, 0);
    cobloc_result_free(result);
    cobloc_matrix_free(x);
}

/* Whatever call fails: a status, and all memory is given back. With auto, what fails before the
 * first pass leads to a fit, or a run, on the processor; restarts that cannot go together go alone.
 */
static void check_failures(const cobloc_matrix *x, const char *model, int k, int restarts,
                           cobloc_inference inference)
{
    for (int optional = 0; optional < 2; optional++)
        for (long long call = 1, failed = 1; failed; call += call < 60 ? 1 : 41) {
            emulated_device device = emulated_open(2, NEAR);
            cobloc_fit_options o;
            cobloc_result *result = NULL;
            cobloc_error err = {COBLOC_OK, ""};
            cob_fit_options_default(&o);
            o.model = model;
            o.inference = inference;
            o.k = k;
            o.restarts = restarts;
            o.threads = 1;
            o.max_iterations = 3;
            o.start = COBLOC_START_RANDOM;
            o.device = optional ? "auto" : "gpu";
            o.opened = &device.base;
            device.fails = call;
            cobloc_status status = cobloc_fit(x, &o, &result, &err);
            failed = device.calls >= call;
            assert_true(!failed || status == COBLOC_NO_MEMORY || optional || restarts > 1);
            assert_true(failed || status == COBLOC_OK);
            assert_true(status != COBLOC_OK || failed || strcmp(result->device, "cpu") != 0);
            assert_int_equal(device.blocks, 0);
            cobloc_result_free(result);
        }
}

static void any_failure_is_a_status(void **state)
{
    cobloc_matrix *x = random_matrix(3, 40, 30, 0.2, COBLOC_U8, NAMES_NONE);
    (void)state;
    check_failures(x, "coclus", 3, 1, COBLOC_HARD);
    check_failures(x, "splbm", 12, 5, COBLOC_HARD);
    check_failures(x, "coclus", 3, 1, COBLOC_STOCHASTIC);
    check_failures(x, "plbm", 3, 1, COBLOC_SVEM);
    cobloc_matrix_free(x);
}

/* ---- kept sums ------------------------------------------------------------------------------- */

/* Kept lines whose sums need 16, 32 and 64 bits, and more of them than a block has room for. */
static void check_places(int64_t lines, cobloc_value_kind kind, int largest, size_t near)
{
    cob_stream stream = cob_stream_at(9, (uint32_t)lines, (uint32_t)kind, 0);
    int64_t count = 12 * lines, next = 0;
    int32_t *row = malloc((size_t)count * sizeof *row), *col = malloc((size_t)count * sizeof *col);
    double *value = malloc((size_t)count * sizeof *value);
    cobloc_matrix *x = NULL;
    cobloc_error err;
    for (int64_t i = 0; i < count; i++) { /* a few columns have nearly all rows */
        row[i] = (int32_t)(i % (lines + 50));
        col[i] =
            (int32_t)(i % 3 == 0 ? i % 7
                                 : cob_random_below(&stream, (uint64_t)next++, (uint32_t)lines));
        value[i] = 1 + (double)cob_random_below(&stream, (uint64_t)next++, (uint32_t)largest);
    }
    assert_ok(cobloc_matrix_from_triples(lines + 50, lines, count, row, col, value, &x, &err), err);
    assert_int_equal(x->kind, kind);
    check_fit(x, "coclus", 5, COBLOC_WEIGHT_NONE, 3, near);
    check_fit(x, "itcc", 4, COBLOC_WEIGHT_TFIDF, 3, near);
    cobloc_matrix_free(x);
    free(row);
    free(col);
    free(value);
}

static void kept_lines_have_places_or_none(void **state)
{
    (void)state;
    check_places(400, COBLOC_U8, 70, NEAR);
    check_places(4000, COBLOC_U8, 30, 6000);
    check_places(3500, COBLOC_U16, 16000, 6000);
    check_places(900, COBLOC_U16, 16000, NEAR);
    check_places(900, COBLOC_U32, 1 << 20, 6000);
}

/* ---- teams ----------------------------------------------------------------------------------- */

/* Restarts from random labels go together, in teams, whatever the number of threads. Returns how
 * many passes left clusters without members. */
static long long check_together(const cobloc_matrix *x, const char *model, int k, int restarts)
{
    emulated_device device = emulated_open(3, NEAR);
    cobloc_result *results[2] = {NULL, NULL};
    cobloc_error err;
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = k;
    o.inference = COBLOC_HARD;
    o.restarts = restarts;
    o.start = COBLOC_START_RANDOM;
    for (int there = 0; there < 2; there++) {
        o.threads = there ? 3 : 1; /* a team on each */
        o.device = there ? "gpu" : "cpu";
        o.opened = there ? &device.base : NULL;
        assert_ok(cobloc_fit(x, &o, &results[there], &err), err);
    }
    assert_same(results[0], results[1]);
    assert_int_equal(device.blocks, 0);
    assert_true(device.together > 0);
    cobloc_result_free(results[0]);
    cobloc_result_free(results[1]);
    return device.keeping;
}

static void restarts_go_together(void **state)
{
    cobloc_matrix *counts = random_matrix(11, 120, 80, 0.2, COBLOC_U8, NAMES_NONE);
    cobloc_matrix *ones = random_matrix(12, 70, 110, 0.3, COBLOC_ONES, NAMES_NONE);
    cobloc_matrix *long_lines = uneven();
    (void)state;
    for (int m = 0; m < cobloc_model_count(); m++)
        if (is_block_model(m))
            check_together(ones, cobloc_model_name(m), 4, 5);
    check_together(counts, "coclus", 4, 70);
    check_together(counts, "itcc", 9, 40);
    check_together(counts, "plbm", 20, 6); /* some clusters become empty */
    check_together(long_lines, "coclus", 3, 5);
    cobloc_matrix_free(counts);
    cobloc_matrix_free(ones);
    cobloc_matrix_free(long_lines);
}

/* Clusters that lose all members get one back, with bytes and with words as labels, whether rules
 * are diagonal or not, and of every layer. */
static void emptied_clusters_are_the_same(void **state)
{
    cobloc_matrix *counts = random_matrix(13, 330, 280, 0.1, COBLOC_U8, NAMES_NONE);
    cobloc_matrix *ones = random_matrix(14, 90, 120, 0.2, COBLOC_ONES, NAMES_NONE);
    cobloc_matrix *small = random_matrix(15, 60, 50, 0.1, COBLOC_U8, NAMES_NONE);
    (void)state;
    assert_true(check_together(counts, "splbm", 30, 6) > 0);
    assert_true(check_together(counts, "coclus", 270, 5) > 0);
    assert_true(check_together(small, "fnmtf", 30, 40) > 0);
    assert_true(check_together(counts, "dcc", 30, 5) > 0);
    assert_true(check_together(ones, "glbm", 30, 6) > 0);
    cobloc_matrix_free(small);
    cobloc_matrix_free(counts);
    cobloc_matrix_free(ones);
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* Every entry of a line is in one piece, slices are no longer than the longest of theirs, and no
 * piece leaves its chunk. */
static void check_job(const cobloc_view *view, const cob_slices *cut, const cob_job *job,
                      bool whole, int64_t *entries)
{
    int64_t first = whole ? 0 : cut->whole_count;
    for (int64_t s = first + job->first; s < first + job->last; s++) {
        int longest = 0;
        for (int i = 0; i < COB_WARP; i++) {
            cob_piece piece = cut->pieces[s * COB_WARP + i];
            assert_true(piece.count >= 0 && piece.count <= COB_QUAD * cut->slices[s].quads);
            longest = piece.count > longest ? piece.count : longest;
            if (piece.count == 0)
                continue;
            int64_t line = whole ? piece.slot : cut->slots[piece.slot];
            assert_true(piece.first >= view->offsets[line] &&
                        piece.first + piece.count <= view->offsets[line + 1]);
            for (int64_t e = piece.first; e < piece.first + piece.count; e++)
                assert_true(view->indices[e] >= job->base &&
                            view->indices[e] < job->base + job->span);
            entries[line] += piece.count;
        }
        assert_true(longest > COB_QUAD * (cut->slices[s].quads - 1));
    }
}

static void check_slices(const cobloc_view *view, int64_t near)
{
    cob_slices cut = {0};
    cobloc_error err;
    int64_t *entries = calloc((size_t)view->major, sizeof *entries), quads = 0;
    assert_ok(cob_slices_cut(view, near, 3, &cut, &err), err);
    assert_int_equal(cut.longest, view->minor > near ? -1 : COB_WHOLE);
    for (int64_t j = 0; j < cut.job_count; j++)
        check_job(view, &cut, &cut.jobs[j], j < cut.whole_jobs, entries);
    for (int64_t i = 0; i < view->major; i++)
        assert_int_equal(entries[i], view->offsets[i + 1] - view->offsets[i]);
    for (int64_t s = 0; s < cut.count; s++) {
        assert_int_equal(cut.slices[s].first, quads);
        quads += cut.slices[s].quads;
    }
    assert_int_equal(cut.quads, quads);
    free(entries);
    cob_slices_free(&cut);
}

static void long_lines_are_cut(void **state)
{
    cobloc_matrix *x = uneven();
    cobloc_view rows = cobloc_matrix_by_rows(x), cols = cobloc_matrix_by_cols(x);
    (void)state;
    check_slices(&rows, 1000);
    check_slices(&rows, rows.minor);
    check_slices(&cols, 1000);
    check_fit(x, "coclus", 3, COBLOC_WEIGHT_NONE, 2, NEAR);
    check_fit(x, "itcc", 3, COBLOC_WEIGHT_TFIDF, 2, NEAR);
    cobloc_matrix_free(x);
}

/* A line of so many entries of 255 that they are just beyond what 32 bits hold, and one entry less.
 */
static void heavy_lines_are_found(void **state)
{
    int64_t count = (int64_t)UINT32_MAX / UINT8_MAX + 1;
    uint8_t *values = malloc((size_t)count);
    int64_t offsets[] = {0, 2, count};
    cobloc_view view = {.major = 2, .offsets = offsets, .values = values, .kind = COBLOC_U8};
    (void)state;
    assert_non_null(values);
    memset(values, UINT8_MAX, (size_t)count);
    assert_false(cob_has_heavy_line(&view));
    offsets[1] = 0;
    assert_true(cob_has_heavy_line(&view));
    values[count - 1] = 0;
    values[count - 2] = UINT8_MAX - 1;
    assert_false(cob_has_heavy_line(&view));
    view.kind = COBLOC_U32; /* its sums have 64 bits anyway */
    assert_false(cob_has_heavy_line(&view));
    free(values);
}

/* ---- choices --------------------------------------------------------------------------------- */

static void devices_are_named(void **state)
{
    static const char *const right[] = {"auto", "cpu", "gpu", "gpu:0", "gpu:12"};
    static const char *const wrong[] = {"", "GPU", "gpu:", "gpu:x", "gpu:1x", "gpu:-1", "tpu"};
    cobloc_error err;
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_ok(cob_check_device(right[i], &err), err);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(cob_check_device(wrong[i], &err), COBLOC_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_is_the_same),
        cmocka_unit_test(every_kind_is_the_same),
        cmocka_unit_test(any_memory_is_the_same),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(too_many_clusters_are_refused),
        cmocka_unit_test(any_failure_is_a_status),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(kept_lines_have_places_or_none),
        cmocka_unit_test(restarts_go_together),
        cmocka_unit_test(emptied_clusters_are_the_same),
        cmocka_unit_test(heavy_lines_are_found),
        cmocka_unit_test(devices_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
