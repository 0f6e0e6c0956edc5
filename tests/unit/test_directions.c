/* Lines that are weighed: factors beside a copy, products and nearest centres beside dense tables,
 * and k-means starts that look at a sample.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "brute.h"

#include "engine/means.h"
#include "matrix/directions.h"

#include <sys/mman.h>
#include <unistd.h>

enum { LINES = 41, OTHERS = 33, MOST_CENTRES = 150 };

/* The weighed table, straight from the factors. */
static double *dense_weighed(const cob_directions *d)
{
    double *dense = dense_of(d->matrix);
    for (int64_t i = 0; i < d->matrix->rows; i++)
        for (int64_t j = 0; j < d->matrix->cols; j++)
            dense[i * d->matrix->cols + j] *= d->rows[i] * d->cols[j];
    return dense;
}

static void test_factors_are_those_of_the_weighted_copy(void **state)
{
    (void)state;
    for (int kind = COBLOC_ONES; kind <= COBLOC_F64; kind++) {
        cobloc_error err;
        cob_directions d;
        cobloc_matrix *copy,
            *x = random_matrix(71, LINES, OTHERS, 0.2, (cobloc_value_kind)kind, NAMES_NONE);
        assert_ok(cob_directions_make(&d, x, NULL, &err), err);
        assert_ok(cobloc_matrix_weighted(x, COBLOC_WEIGHT_TFIDF, &copy, &err), err);
        double *factored = dense_weighed(&d), *weighted = dense_of(copy);
        for (int c = 0; c < LINES * OTHERS; c++)
            assert_near(factored[c], weighted[c], 1e-14, "weight");
        free(factored);
        free(weighted);
        cob_directions_free(&d);
        cobloc_matrix_free(copy);
        cobloc_matrix_free(x);
    }
}

/* Rows first, then columns; the table is turned with them. */
static void check_products(const cob_weighed *lines, const double *dense, bool columns)
{
    double products[LINES + OTHERS];
    int n = (int)lines->view.major, d = (int)lines->view.minor;
    for (int chosen = 0; chosen < n; chosen++) {
        cob_products_with(lines, chosen, products);
        for (int i = 0; i < n; i++) {
            long double sum = 0;
            for (int j = 0; j < d; j++)
                sum += columns ? (long double)dense[j * n + chosen] * dense[j * n + i]
                               : (long double)dense[chosen * d + j] * dense[i * d + j];
            assert_near(products[i], (double)sum, 1e-13, "product of lines");
        }
    }
}

static void test_products_of_lines(void **state)
{
    (void)state;
    for (int kind = COBLOC_ONES; kind <= COBLOC_F64; kind++) {
        cobloc_error err;
        cob_directions d;
        cobloc_matrix *x =
            random_matrix(72, LINES, OTHERS, 0.3, (cobloc_value_kind)kind, NAMES_NONE);
        assert_ok(cob_directions_make(&d, x, NULL, &err), err);
        double *dense = dense_weighed(&d);
        cob_weighed rows = cob_directions_by_rows(&d), cols = cob_directions_by_cols(&d);
        check_products(&rows, dense, false);
        check_products(&cols, dense, true);
        free(dense);
        cob_directions_free(&d);
        cobloc_matrix_free(x);
    }
}

/* Centres of the labels, straight from their definition; those without lines are 0. */
static void dense_centres(const double *dense, const int32_t *labels, int k, bool spherical,
                          double *centres)
{
    memset(centres, 0, (size_t)k * OTHERS * sizeof *centres);
    for (int c = 0; c < k; c++) {
        double size = 0, squares = 0;
        for (int i = 0; i < LINES; i++)
            for (int j = 0; j < OTHERS && labels[i] == c; j++)
                centres[c * OTHERS + j] += dense[i * OTHERS + j];
        for (int j = 0; j < OTHERS; j++)
            squares += centres[c * OTHERS + j] * centres[c * OTHERS + j];
        for (int i = 0; i < LINES; i++)
            size += labels[i] == c;
        for (int j = 0; j < OTHERS && size > 0; j++)
            centres[c * OTHERS + j] /= spherical ? sqrt(squares) : size;
    }
}

/* What a line gains by a centre: its cosine, or half of its squared distance, negated. */
static double gain(const double *line, const double *centre, bool spherical)
{
    double sum = 0;
    for (int j = 0; j < OTHERS; j++)
        sum += spherical ? line[j] * centre[j] : -(line[j] - centre[j]) * (line[j] - centre[j]) / 2;
    return sum;
}

/* Copies of the lines that have a label, in a side that is theirs to free. */
static cob_line_copies copies_of(const cob_weighed *rows, const int32_t *labels, int64_t *lines,
                                 cob_side *side)
{
    cobloc_error err;
    int64_t count = 0, nnz = 0;
    assert_ok(cob_side_alloc(side, LINES, rows->view.nnz, COBLOC_F64, &err), err);
    for (int64_t i = 0; i < LINES; i++) {
        if (labels[i] < 0)
            continue;
        lines[count] = i;
        side->offsets[count++] = nnz;
        for (int64_t e = rows->view.offsets[i]; e < rows->view.offsets[i + 1]; e++, nnz++) {
            side->indices[nnz] = rows->view.indices[e];
            ((double *)side->values)[nnz] = cob_weighed_value(rows, i, e);
        }
    }
    side->offsets[count] = nnz;
    return (cob_line_copies){{.major = count,
                              .minor = OTHERS,
                              .nnz = nnz,
                              .kind = COBLOC_F64,
                              .offsets = side->offsets,
                              .indices = side->indices,
                              .values = side->values},
                             side,
                             lines};
}

/* The centre that was chosen is as good as any, to the precision of a float. One line in so many
 * has a label, and is in a centre at first; of such lines there may be copies. */
static void check_nearest(const cobloc_matrix *x, int k, bool spherical, bool copied, int labelled,
                          dice *dc)
{
    static double centres[MOST_CENTRES * OTHERS];
    int32_t labels[LINES], before[LINES];
    cobloc_error err;
    cob_directions d;
    assert_ok(cob_directions_make(&d, x, NULL, &err), err);
    double *dense = dense_weighed(&d);
    cob_weighed rows = cob_directions_by_rows(&d);
    for (int i = 0; i < LINES; i++)
        labels[i] = before[i] = roll_below(dc, labelled) == 0 ? roll_below(dc, k + 1) - 1 : -1;
    dense_centres(dense, before, k, spherical, centres);
    cob_side side = {0};
    int64_t lines[LINES];
    cob_line_copies copies = copies_of(&rows, labels, lines, &side);
    assert_ok(cob_nearest(&rows, copied ? &copies : NULL, k, spherical, 1, 2, labels, &err), err);
    for (int i = 0; i < LINES; i++) {
        double best = -INFINITY;
        for (int c = 0; c < k; c++)
            best = fmax(best, gain(dense + i * OTHERS, centres + c * OTHERS, spherical));
        assert_in_range(labels[i], 0, k - 1);
        assert_true(gain(dense + i * OTHERS, centres + labels[i] * OTHERS, spherical) >
                    best - 1e-5);
    }
    for (int round = 1; round < 5; round++) /* sums follow the moves, or are made anew */
        assert_ok(cob_nearest(&rows, NULL, k, spherical, 1, 1, labels, &err), err);
    assert_ok(cob_nearest(&rows, NULL, k, spherical, 5, 1, before, &err), err);
    assert_memory_equal(before, labels, sizeof labels);
    cob_side_free(&side); /* unless it was freed */
    free(dense);
    cob_directions_free(&d);
}

static void test_nearest_centres(void **state)
{
    static const int widths[] = {1,  2,  4,  5,  8,  9,  15,  16,
                                 17, 32, 33, 48, 64, 65, 100, MOST_CENTRES};
    dice dc = dice_of(73);
    (void)state;
    for (int kind = COBLOC_ONES; kind <= COBLOC_F64; kind++) {
        cobloc_matrix *x =
            random_matrix(74, LINES, OTHERS, 0.3, (cobloc_value_kind)kind, NAMES_NONE);
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            for (int way = 0; way < 8; way++)
                check_nearest(x, widths[w], way % 2 == 0, way >= 4, way % 4 < 2 ? 1 : 8, &dc);
        cobloc_matrix_free(x);
    }
}

/* ---- a rank's own entries -------------------------------------------------------------------- */

static int say_nothing(void *user, const void *own, void *all, const int64_t *counts)
{
    (void)user, (void)own, (void)all, (void)counts;
    return 0;
}

static int add_nothing(void *user, int64_t *numbers, int64_t count)
{
    (void)user, (void)numbers, (void)count;
    return 0;
}

static int send_nothing(void *user, void *bytes, int64_t count, int from)
{
    (void)user, (void)bytes, (void)count, (void)from;
    return 0;
}

/* The first of two ranks has the entries of the first half of the rows. Those of the others are in
 * memory that may not be read, as where it has no more than its own shard. */
static void test_entries_of_others_are_not_read(void **state)
{
    enum { K = 20, ROWS = 64, COLS = 1024 };
    cobloc_communicator two = {
        .size = 2, .gather = say_nothing, .add = add_nothing, .broadcast = send_nothing};
    size_t page = (size_t)sysconf(_SC_PAGESIZE), entries = page / sizeof(int32_t);
    static int64_t offsets[2 * ROWS + 1], turned_offsets[COLS + 1];
    int32_t labels[2 * ROWS], *turned = malloc(page);
    cob_ranks *ranks = NULL;
    cobloc_error err;
    (void)state;
    int32_t *indices =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(indices != MAP_FAILED && turned);
    assert_int_equal(mprotect((char *)indices + page, page, PROT_NONE), 0);
    int64_t each = (int64_t)entries / ROWS, at = 0;
    for (int i = 0; i < 2 * ROWS; i++) {
        offsets[i + 1] = offsets[i] + each;
        labels[i] = i % K;
        for (int32_t e = 0; i < ROWS && e < each; e++)
            indices[i * each + e] = e * (COLS / (int32_t)each) + i % (COLS / (int32_t)each);
    }
    for (int32_t j = 0; j < COLS; j++) {
        for (int32_t e = 0; e < (int32_t)entries; e++)
            if (indices[e] == j)
                turned[at++] = e / (int32_t)each;
        turned_offsets[j + 1] = at;
    }
    assert_ok(cob_ranks_open(&two, &ranks, &err), err);
    cob_weighed rows = {.view = {.major = 2 * ROWS,
                                 .minor = COLS,
                                 .nnz = 2 * (int64_t)entries,
                                 .offsets = offsets,
                                 .indices = indices},
                        .turned = {.major = COLS,
                                   .minor = 2 * ROWS,
                                   .nnz = at,
                                   .offsets = turned_offsets,
                                   .indices = turned},
                        .part = {ranks, {{0, ROWS}, {0, COLS}}}};
    assert_ok(cob_nearest(&rows, NULL, K, true, 2, 1, labels, &err), err);
    for (int i = 0; i < 2 * ROWS; i++)
        assert_in_range(labels[i], 0, K - 1);
    cob_ranks_close(ranks);
    munmap(indices, 2 * page);
    free(turned);
}

/* ---- a sample -------------------------------------------------------------------------------- */

enum { MANY = 9000, KINDS = 5, WORDS_A_KIND = 30, WORDS = KINDS * WORDS_A_KIND, TOKENS = 12 };

/* Rows of five kinds that share one word in six: so many that starts look at a sample. */
static cobloc_matrix *many_rows(void)
{
    static int64_t offsets[MANY + 1];
    static int32_t indices[MANY * TOKENS];
    dice dc = dice_of(75);
    cobloc_matrix *x = NULL;
    cobloc_error err;
    for (int i = 0; i < MANY; i++) {
        bool has[WORDS] = {false};
        for (int t = 0; t < TOKENS; t++)
            has[roll_below(&dc, 6) == 0
                    ? roll_below(&dc, WORDS)
                    : i % KINDS * WORDS_A_KIND + roll_below(&dc, WORDS_A_KIND)] = true;
        offsets[i + 1] = offsets[i];
        for (int32_t j = 0; j < WORDS; j++)
            if (has[j])
                indices[offsets[i + 1]++] = j;
    }
    assert_ok(cobloc_matrix_from_compressed(MANY, WORDS, 0, offsets, COBLOC_ARRAY_I64, indices,
                                            COBLOC_ARRAY_I32, NULL, COBLOC_ARRAY_NONE, NULL, NULL,
                                            &x, &err),
              err);
    return x;
}

static void test_start_from_a_sample(void **state)
{
    static int32_t labels[MANY], again[MANY], truth[MANY];
    cobloc_matrix *x = many_rows();
    cobloc_error err;
    cob_directions d;
    int found = 0;
    (void)state;
    assert_ok(cob_directions_make(&d, x, NULL, &err), err);
    cob_weighed rows = cob_directions_by_rows(&d);
    for (int i = 0; i < MANY; i++)
        truth[i] = i % KINDS;
    for (uint32_t seed = 0; seed < 8; seed++) {
        bool spherical = seed % 2 == 0;
        cob_stream stream = cob_stream_at(5, seed, 0, 1);
        cobloc_scores scores;
        assert_ok(cob_means_start(&rows, 2 * KINDS, spherical, 10, stream, 1, labels, &err), err);
        assert_ok(cob_means_start(&rows, 2 * KINDS, spherical, 10, stream, 2, again, &err), err);
        assert_memory_equal(labels, again, sizeof labels);
        assert_ok(cob_score(labels, truth, MANY, &scores, &err), err);
        found += scores.purity > 0.95;
    }
    assert_true(found >= 7);
    cob_directions_free(&d);
    cobloc_matrix_free(x);
}

static void test_failing_allocations(void **state)
{
    static int32_t labels[MANY];
    cobloc_matrix *x = many_rows();
    (void)state;
    for (long at = 0, failed = 1; failed; at++) {
        cobloc_error err = {COBLOC_OK, ""};
        cob_directions d = {0};
        cob_alloc_fail_at(at);
        cobloc_status status = cob_directions_make(&d, x, NULL, &err);
        if (status == COBLOC_OK) {
            cob_weighed rows = cob_directions_by_rows(&d);
            status =
                cob_means_start(&rows, KINDS, true, 1, cob_stream_at(5, 1, 0, 1), 1, labels, &err);
        }
        failed = allocation_failed(at, status, &err, 20);
        cob_directions_free(&d);
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors_are_those_of_the_weighted_copy),
        cmocka_unit_test(test_products_of_lines),
        cmocka_unit_test(test_nearest_centres),
        cmocka_unit_test(test_entries_of_others_are_not_read),
        cmocka_unit_test(test_start_from_a_sample),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
