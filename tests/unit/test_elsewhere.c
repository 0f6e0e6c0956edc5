/* Entries of lines that other ranks have: lines longer than the buffer, and gaps between them.
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "base/alloc.h"
#include "matrix/elsewhere.h"

enum { LINES = 6, MINOR = 300000, EMPTY = 1000 };

/* Line l has every (l + 1)th index; values are the index modulo 251, plus one. */
static int64_t fill(int64_t *offsets, int32_t *indices, uint8_t *values)
{
    int64_t e = 0;
    for (int l = 0; l < LINES; l++) {
        offsets[l] = e;
        for (int32_t i = 0; i < MINOR; i += l + 1, e++) {
            indices[e] = i;
            values[e] = (uint8_t)(i % 251 + 1);
        }
    }
    offsets[LINES] = e;
    return e;
}

/* Takes a line out of the buffer, filled as often as it needs; returns how many entries are own
 * ones, which are compared with what `numbers` (or NULL) make of them. */
static int64_t take_line(cob_elsewhere *x, int64_t line, cob_between own, const int32_t *numbers)
{
    cob_between left = {x->lines.offsets[line], x->lines.offsets[line + 1]};
    int64_t found = 0, at = 0;
    left = cob_elsewhere_narrow(x, left, own);
    while (left.first < left.last) {
        cob_elsewhere_clear(x);
        int64_t first = left.first, count = cob_elsewhere_add(x, left, &at);
        assert_true(count > 0);
        left.first += count;
        for (int run = 0; run < x->run_count; run++)
            cob_elsewhere_read(x, run);
        cob_between some = cob_elsewhere_remake(x, first, (cob_between){at, at + count}, own);
        for (int64_t e = some.first; e < some.last; e++, found++) {
            int64_t in_file = first + e - at;
            int32_t index = x->lines.indices[in_file];
            assert_int_equal(x->buffer.indices[e], numbers ? numbers[index] : index);
            assert_int_equal(cobloc_view_value(&x->buffer, e), index % 251 + 1);
        }
    }
    return found;
}

static void test_lines(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *nowhere = cob_alloc_zero(1, sizeof *nowhere);
    int64_t offsets[LINES + 1];
    int32_t *indices = cob_alloc((size_t)LINES * MINOR, sizeof *indices);
    int32_t *numbers = cob_alloc(MINOR, sizeof *numbers);
    uint8_t *values = cob_alloc((size_t)LINES * MINOR, 1);
    int64_t entries = fill(offsets, indices, values);
    for (int32_t i = 0; i < MINOR; i++)
        numbers[i] = i < EMPTY ? 0 : i - EMPTY;
    const cob_between owns[] = {{0, 200000}, {200000, MINOR - EMPTY}, {150000, 150010}};
    for (int numbered = 0; numbered < 2; numbered++) {
        cob_elsewhere *x = NULL, with = {.file = nowhere,
                                         .lines = {.major = LINES,
                                                   .minor = numbered ? MINOR - EMPTY : MINOR,
                                                   .nnz = entries,
                                                   .kind = COBLOC_U8,
                                                   .offsets = offsets,
                                                   .indices = indices,
                                                   .values = values},
                                         .numbers = numbered ? numbers : NULL};
        assert_ok(cob_elsewhere_new(&with, COBLOC_U8, &x, &err), err);
        for (size_t o = 0; o < sizeof owns / sizeof *owns; o++)
            for (int line = 0; line < LINES; line++) {
                int64_t expected = 0;
                for (int64_t e = offsets[line]; e < offsets[line + 1]; e++) {
                    int32_t at = numbered ? numbers[indices[e]] : indices[e];
                    expected += at >= owns[o].first && at < owns[o].last;
                }
                assert_int_equal(take_line(x, line, owns[o], x->numbers), expected);
            }
        cob_elsewhere_free(x);
    }
    cob_free(values);
    cob_free(numbers);
    cob_free(indices);
    cob_free(nowhere);
}

/* What is near is read together, what is far apart is not, and all stands where it should. */
static void test_gaps(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *nowhere = cob_alloc_zero(1, sizeof *nowhere);
    int64_t offsets[LINES + 1], at[3];
    int32_t *indices = cob_alloc((size_t)LINES * MINOR, sizeof *indices);
    uint8_t *values = cob_alloc((size_t)LINES * MINOR, 1);
    int64_t entries = fill(offsets, indices, values);
    cob_elsewhere *x = NULL, with = {.file = nowhere,
                                     .lines = {.major = LINES,
                                               .minor = MINOR,
                                               .nnz = entries,
                                               .kind = COBLOC_U8,
                                               .offsets = offsets,
                                               .indices = indices,
                                               .values = values}};
    const cob_between some[] = {{10, 20}, {30, 35}, {100000, 100100}};
    assert_ok(cob_elsewhere_new(&with, COBLOC_U8, &x, &err), err);
    for (int s = 0; s < 3; s++)
        assert_int_equal(cob_elsewhere_add(x, some[s], &at[s]), some[s].last - some[s].first);
    assert_int_equal(x->run_count, 2);
    for (int run = 0; run < x->run_count; run++)
        cob_elsewhere_read(x, run);
    for (int s = 0; s < 3; s++)
        for (int64_t e = some[s].first; e < some[s].last; e++)
            assert_int_equal(x->indices[at[s] + e - some[s].first], indices[e]);
    cob_elsewhere_free(x);
    cob_free(values);
    cob_free(indices);
    cob_free(nowhere);
}

/* Lines that are kept come back as they were, by numbers of 16 bits or of 32, until one has no
 * room. */
static void test_kept(void **state)
{
    (void)state;
    enum { ROOM = 1500, COUNT = 100, FIRST = 70000 };
    cobloc_error err;
    int32_t indices[2 * COUNT], back[2 * COUNT];
    uint16_t values[2 * COUNT], values_back[2 * COUNT];
    const cob_between owns[] = {{FIRST, FIRST + 65536}, {FIRST, FIRST + 65537}};
    for (size_t o = 0; o < sizeof owns / sizeof *owns; o++) {
        cob_between own = owns[o];
        cob_kept kept;
        assert_ok(cob_kept_alloc(&kept, LINES, ROOM, &err), err);
        int put = 0;
        for (int line = 0; line < LINES && !kept.full; line++) {
            for (int i = 0; i < COUNT; i++) {
                indices[i] = (int32_t)own.last - COUNT + i - (i < COUNT / 2 ? 1000 * line : 0);
                values[i] = (uint16_t)(1000 * line + i);
            }
            assert_false(cob_keeps(&kept, line));
            cob_kept_put(&kept, line, own, (cob_between){0, line == 0 ? 0 : COUNT}, indices, values,
                         sizeof *values);
            put += cob_keeps(&kept, line);
        }
        assert_true(kept.full);
        assert_in_range(put, 3, LINES - 1);
        for (int line = put - 1; line >= 0; line--) {
            int64_t count = cob_kept_count(&kept, line);
            assert_int_equal(count, line == 0 ? 0 : COUNT);
            cob_kept_take(&kept, line, own, 5, back, values_back, sizeof *values);
            for (int i = 0; i < count; i++) {
                assert_int_equal(back[5 + i],
                                 own.last - COUNT + i - (i < COUNT / 2 ? 1000 * line : 0));
                assert_int_equal(values_back[5 + i], 1000 * line + i);
            }
        }
        cob_kept_renew(&kept);
        for (int line = 0; line < LINES; line++)
            assert_false(cob_keeps(&kept, line));
        cob_kept_put(&kept, 1, own, (cob_between){0, COUNT}, indices, values, sizeof *values);
        cob_kept_renew(&kept); /* nothing was lacking */
        assert_true(cob_keeps(&kept, 1));
        cob_kept_free(&kept);
    }
}

/* Kept lines fill the buffer from its end, and what is near is still read together. */
static void test_recall(void **state)
{
    (void)state;
    enum { WIDTH = 40000 };
    cobloc_error err;
    cobloc_matrix *nowhere = cob_alloc_zero(1, sizeof *nowhere);
    int64_t offsets[LINES + 1], at;
    int32_t *indices = cob_alloc((size_t)LINES * MINOR, sizeof *indices);
    uint8_t *values = cob_alloc((size_t)LINES * MINOR, 1);
    int64_t entries = fill(offsets, indices, values);
    const cob_between own = {0, MINOR};
    cob_elsewhere *x = NULL, with = {.file = nowhere,
                                     .here = {0, LINES},
                                     .lines = {.major = LINES,
                                               .minor = MINOR,
                                               .nnz = entries,
                                               .kind = COBLOC_U8,
                                               .offsets = offsets,
                                               .indices = indices,
                                               .values = values}};
    assert_ok(cob_elsewhere_new(&with, COBLOC_U8, &x, &err), err);
    cob_between kept, some = {offsets[2], offsets[2] + WIDTH};
    assert_int_equal(cob_elsewhere_add(x, some, &at), WIDTH);
    cob_elsewhere_read(x, 0);
    cob_elsewhere_keep(x, 2, (cob_between){at, at + WIDTH}, own);
    cob_elsewhere_clear(x);
    assert_true(cob_keeps(&x->kept, 2));
    assert_int_equal(cob_elsewhere_add(x, (cob_between){0, 100}, &at), 100);
    assert_true(cob_elsewhere_recall(x, 2, &kept));
    assert_int_equal(cob_elsewhere_add(x, (cob_between){110, 200}, &at), 90);
    assert_int_equal(x->run_count, 1);
    assert_false(cob_elsewhere_recall(x, 2, &kept));
    for (int run = 0; run < x->run_count; run++)
        cob_elsewhere_read(x, run);
    cob_elsewhere_take(x, 2, kept, own);
    assert_int_equal(kept.last - kept.first, WIDTH);
    for (int64_t e = 0; e < WIDTH; e++) {
        assert_int_equal(x->buffer.indices[kept.first + e], indices[some.first + e]);
        assert_int_equal(cobloc_view_value(&x->buffer, kept.first + e),
                         indices[some.first + e] % 251 + 1);
    }
    for (int64_t e = 110; e < 200; e++)
        assert_int_equal(x->buffer.indices[at + e - 110], indices[e]);
    cob_elsewhere_free(x);
    cob_free(values);
    cob_free(indices);
    cob_free(nowhere);
}

/* ---- searches -------------------------------------------------------------------------------- */

/* Of a line, whose entries may be anywhere, those in a range: as many as a count says. */
static void test_entries_in_a_range(void **state)
{
    enum { MOST = 300, NUMBERS = 1000, TRIES = 20000 };
    static int32_t numbers[NUMBERS + NUMBERS / 10 + 1];
    int32_t indices[MOST];
    dice dc = dice_of(91);
    (void)state;
    for (int32_t i = 0; i < (int32_t)(sizeof numbers / sizeof *numbers); i++)
        numbers[i] = i % 11 == 0 ? -1 : i - i / 11 - 1; /* one in eleven is empty */
    for (int t = 0; t < TRIES; t++) {
        bool numbered = t % 2 == 0;
        int64_t count = 0, inside = 0;
        int dense = 1 + roll_below(&dc, 50), first = roll_below(&dc, NUMBERS + 1);
        for (int32_t i = roll_below(&dc, NUMBERS); i < NUMBERS && count < MOST; i++)
            if (roll_below(&dc, dense) == 0 && !(numbered && numbers[i] < 0))
                indices[count++] = i;
        cob_between range = {first, first + roll_below(&dc, NUMBERS + 1 - first)};
        cobloc_view view = {.major = 1, .minor = NUMBERS, .indices = indices};
        cob_between line = {roll_below(&dc, 3), count};
        line.first = line.first < count ? line.first : count;
        cob_between found = cob_entries_in(&view, numbered ? numbers : NULL, line, range);
        for (int64_t e = line.first; e < line.last; e++) {
            int32_t at = numbered ? numbers[indices[e]] : indices[e];
            inside += at >= range.first && at < range.last;
            assert_true((at >= range.first && at < range.last) ==
                        (e >= found.first && e < found.last));
        }
        assert_int_equal(found.last > found.first ? found.last - found.first : 0, inside);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_recall),
        cmocka_unit_test(test_entries_in_a_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
