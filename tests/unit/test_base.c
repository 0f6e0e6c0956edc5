/* src/base: errors, allocation, random numbers, scanning, names, atomic files.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* strdup */
#include "support.h"

#include "base/crc.h"
#include "base/failures.h"
#include "base/file.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/scan.h"
#include "base/utf8.h"

#include <dirent.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- threads --------------------------------------------------------------------------------- */

static int threads_of_process(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *one; folder && (one = readdir(folder));)
        count += one->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

/* Not when a loop first needs them: memory may be short by then. */
static void threads_are_made_at_once(void **state)
{
    (void)state;
    if (threads_of_process() == 0) /* no /proc */
        skip();
    int threads = cob_threads(3);
    assert_true(threads == 3 || threads == 1);
    assert_true(threads_of_process() >= threads);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void every_status_has_a_name(void **state)
{
    (void)state;
    for (int s = -1; s <= COBLOC_ELSEWHERE + 1; s++) {
        const char *name = cobloc_status_name((cobloc_status)s);
        int known = s >= COBLOC_OK && s <= COBLOC_ELSEWHERE;
        assert_non_null(name);
        assert_true((strcmp(name, "unknown status") != 0) == known);
    }
}

/* Whichever thread is first to tell. */
static void the_earliest_failure_counts(void **state)
{
    (void)state;
    cobloc_error err;
    for (int threads = 1; threads <= 4; threads++) {
        cob_failures failed = COB_NO_FAILURE;
        assert_int_equal(cob_failures_end(&failed, &err), COBLOC_OK);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
        for (int64_t i = 99; i >= 0; i--) {
            cobloc_error own;
            cob_failures_note(
                &failed, i, i % 10 == 7 ? cob_fail(&own, COBLOC_IO, "piece %d", (int)i) : COBLOC_OK,
                &own);
        }
        assert_false(cob_failed_before(&failed, 7));
        assert_true(cob_failed_before(&failed, 8));
        assert_int_equal(cob_failures_end(&failed, &err), COBLOC_IO);
        assert_string_equal(err.message, "piece 7");
    }
}

static void long_sentences_are_cut_between_characters(void **state)
{
    (void)state;
    char text[1200];
    cobloc_error err;
    for (int lead = 0; lead < 4; lead++) {
        memset(text, 'a', sizeof text);
        for (size_t i = (size_t)lead; i + 2 < sizeof text; i += 2)
            memcpy(text + i, "é", 2);
        text[sizeof text - 3] = '\0';
        assert_int_equal(cob_fail(&err, COBLOC_IO, "%s", text), COBLOC_IO);
        size_t length = strlen(err.message);
        assert_true(length >= sizeof err.message - 3);
        assert_int_equal((length - (size_t)lead) % 2, 0);
    }
    assert_int_equal(cob_fail(NULL, COBLOC_BAD_DATA, "nobody listens"), COBLOC_BAD_DATA);
}

static void places_stand_before_sentences(void **state)
{
    (void)state;
    cobloc_error err;
    cob_fail(&err, COBLOC_BAD_DATA, "it is broken");
    cob_fail_at(&err, COBLOC_BAD_DATA, "%s:%d: ", "file", 7);
    assert_string_equal(err.message, "file:7: it is broken");
    cob_fail_memory(&err, 1, 1);
    cob_fail_at(&err, COBLOC_NO_MEMORY, "file: ");
    assert_string_equal(err.message, "out of memory");
}

/* ---- allocation ------------------------------------------------------------------------------ */

static void products_that_overflow_are_refused(void **state)
{
    (void)state;
    assert_null(cob_alloc(SIZE_MAX / 2, 3));
    assert_null(cob_alloc_zero(SIZE_MAX, 2));
    assert_null(cob_realloc(NULL, (size_t)1 << 62, 4));
    void *nothing = cob_alloc(0, 8);
    assert_non_null(nothing);
    cob_free(nothing);
}

static void the_chosen_allocation_fails(void **state)
{
    (void)state;
    cob_alloc_fail_at(1);
    void *first = cob_alloc(1, 1), *second = cob_alloc(1, 1), *third = cob_alloc(1, 1);
    assert_true(cob_alloc_has_failed());
    cob_alloc_fail_at(-1);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    cob_free(first);
    cob_free(third);
}

static void growing_keeps_what_is_there(void **state)
{
    (void)state;
    int *array = NULL;
    size_t capacity = 0;
    for (size_t i = 0; i < 1000; i++) {
        assert_true(cob_grow(&array, &capacity, i + 1, sizeof *array));
        array[i] = (int)i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(array[i], i);
    assert_false(cob_grow(&array, &capacity, SIZE_MAX / 2, sizeof *array));
    assert_int_equal(array[999], 999);
    cob_free(array);
}

/* ---- random numbers -------------------------------------------------------------------------- */

/* The known answers that come with Random123 for philox4x32-10. */
static void philox_gives_the_known_answers(void **state)
{
    (void)state;
    const struct {
        cob_stream stream;
        uint64_t item;
        uint32_t words[4];
    } known[] = {
        {{{0, 0}, {0, 0}}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{{UINT32_MAX, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}},
         UINT64_MAX,
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{{0xa4093822, 0x299f31d0}, {0x13198a2e, 0x03707344}},
         0x85a308d3243f6a88,
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (int k = 0; k < 3; k++) {
        uint32_t words[4];
        cob_random_words(&known[k].stream, known[k].item, words);
        assert_memory_equal(words, known[k].words, sizeof words);
    }
}

static void streams_differ_in_every_coordinate(void **state)
{
    (void)state;
    const cob_stream streams[] = {cob_stream_at(1, 2, 3, 4), cob_stream_at(2, 2, 3, 4),
                                  cob_stream_at(1, 3, 3, 4), cob_stream_at(1, 2, 4, 4),
                                  cob_stream_at(1, 2, 3, 5), cob_stream_at(1ull << 40, 2, 3, 4)};
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < a; b++)
            assert_true(cob_random_uniform(&streams[a], 9) != cob_random_uniform(&streams[b], 9));
}

/* Means within five standard errors, and every value of a small range about equally often. */
static void numbers_are_uniform(void **state)
{
    (void)state;
    enum { DRAWS = 100000, BOUND = 7 };
    cob_stream stream = cob_stream_at(42, 0, 0, 0);
    double sum = 0, chi = 0;
    int hits[BOUND] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        double u = cob_random_uniform(&stream, i);
        assert_true(u > 0 && u < 1);
        sum += u;
        uint32_t v = cob_random_below(&stream, i + DRAWS, BOUND);
        assert_true(v < BOUND);
        hits[v]++;
    }
    assert_true(fabs(sum / DRAWS - 0.5) < 5 * sqrt(1.0 / 12 / DRAWS));
    for (int v = 0; v < BOUND; v++)
        chi += pow(hits[v] - DRAWS / (double)BOUND, 2) / (DRAWS / (double)BOUND);
    assert_true(chi < 35); /* six degrees of freedom: beyond that one in 200 000 */
}

/* ---- scanning -------------------------------------------------------------------------------- */

static void numbers_scan_as_the_c_library_does(void **state)
{
    (void)state;
    static const char *const texts[] = {"0",
                                        "1",
                                        "12.5",
                                        "0.1",
                                        "1e3",
                                        "1E-3",
                                        "3.",
                                        ".5",
                                        "-7",
                                        "+2",
                                        "-0.25e2",
                                        "1e400",
                                        "1e-400",
                                        "123456789012345678901234567890",
                                        "0.30000000000000004",
                                        "9007199254740993",
                                        "2.2250738585072014e-308",
                                        "00012",
                                        "1.7976931348623157e308"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *p = texts[i];
        double value;
        assert_true(cob_scan_number(&p, &value));
        assert_true(*p == '\0');
        assert_true(value == strtod(texts[i], NULL));
        p = texts[i];
        assert_true(cob_scan_value(&p, &value));
        assert_true(value == strtod(texts[i], NULL));
    }
}

static void gaps_between_digits_are_found(void **state)
{
    char text[300 + COB_SCAN_SLACK];
    uint16_t gaps[300 + COB_SCAN_SLACK];
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++)
        for (size_t size = 0; size < 300; size += 7) {
            for (size_t i = 0; i < sizeof text; i++)
                text[i] = (char)(i * i % 5 == 1 ? byte : '0' + i % 10);
            int count = cob_find_gaps(text, size, gaps), at = 0;
            for (size_t i = 0; i < size; i++)
                if (!cob_is_digit(text[i])) {
                    assert_true(at < count);
                    assert_int_equal(gaps[at++], i);
                }
            assert_int_equal(at, count);
        }
}

static void short_counts_are_read(void **state)
{
    char text[8 + COB_SCAN_SLACK];
    (void)state;
    for (uint32_t value = 0; value < 100000000; value = value * 7 / 3 + 1) {
        int length = snprintf(text, sizeof text, "%u", value);
        memset(text + length, '9', sizeof text - (size_t)length);
        assert_int_equal(cob_short_count(text, length), value);
    }
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "x", "-", "+", ".", "e5", "0x10", "--1", "y"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *p = texts[i];
        double value;
        assert_false(cob_scan_number(&p, &value));
        assert_ptr_equal(p, texts[i]);
    }
    const char *long_count = "1234567890123456789";
    int64_t count;
    assert_false(cob_scan_count(&long_count, &count));
    const char *minus = "-12 ";
    assert_true(cob_scan_integer(&minus, &count));
    assert_int_equal(count, -12);
    assert_true(*minus == ' ');
}

static void formatted_numbers_read_back_exactly(void **state)
{
    (void)state;
    cob_stream stream = cob_stream_at(5, 0, 0, 0);
    for (uint64_t i = 0; i < 20000; i++) {
        uint32_t words[4];
        double value;
        cob_random_words(&stream, i, words);
        memcpy(&value, words, sizeof value);
        if (!isfinite(value))
            continue;
        if (i % 2)
            value = (double)(float)value;
        if (!isfinite(value))
            continue;
        char text[32];
        int length = cob_format_number(text, value);
        assert_int_equal(length, strlen(text));
        const char *p = text;
        double back;
        assert_true(cob_scan_number(&p, &back));
        assert_true(back == value && *p == '\0');
    }
    char text[32];
    cob_format_number(text, 0.1);
    assert_string_equal(text, "0.1");
    cob_format_number(text, 12);
    assert_string_equal(text, "12");
}

/* ---- names ----------------------------------------------------------------------------------- */

static void names_are_kept_and_checked(void **state)
{
    (void)state;
    cobloc_error err;
    cob_names names = {0}, copy = {0};
    assert_ok(cob_names_add(&names, "first", 5, &err), err);
    assert_ok(cob_names_add(&names, "", 0, &err), err);
    assert_ok(cob_names_add(&names, "third one", 5, &err), err);
    assert_string_equal(cob_names_get(&names, 0), "first");
    assert_string_equal(cob_names_get(&names, 1), "");
    assert_string_equal(cob_names_get(&names, 2), "third");
    assert_null(cob_names_get(&names, 3));
    assert_null(cob_names_get(&names, -1));
    assert_ok(cob_names_copy(&copy, &names, &err), err);
    assert_true(cob_names_equal(&names, &copy));
    assert_ok(cob_names_append(&copy, &names, 1, 2, &err), err);
    assert_ok(cob_names_append(&copy, &names, 0, 2, &err), err);
    assert_int_equal(copy.count, 7);
    for (int i = 0; i < 4; i++)
        assert_string_equal(cob_names_get(&copy, 3 + i), cob_names_get(&names, (i + 1) % 3));
    names.offsets[1] = 1000; /* as a damaged file would have it */
    assert_string_equal(cob_names_get(&names, 1), "");
    names.offsets[1] = -5;
    assert_string_equal(cob_names_get(&names, 1), "");
    cob_names_free(&names);
    cob_names_free(&copy);
}

/* ---- atomic files ---------------------------------------------------------------------------- */

static char *content_of(const char *path)
{
    static char text[4096];
    gzFile file = gzopen(path, "rb"); /* reads plain files as they are */
    assert_non_null(file);
    int n = gzread(file, text, sizeof text - 1);
    assert_true(n >= 0);
    text[n] = '\0';
    gzclose(file);
    return text;
}

static void files_appear_whole_or_not_at_all(void **state)
{
    (void)state;
    cobloc_error err;
    const char *names[] = {"atomic.txt", "atomic.txt.gz"};
    for (int i = 0; i < 2; i++) {
        const char *path = test_path(names[i]);
        cob_file *file = NULL;
        assert_ok(cob_file_create(path, &file, &err), err);
        cob_file_text(file, "one ");
        cob_file_integer(file, INT64_MIN);
        cob_file_char(file, ' ');
        cob_file_number(file, 0.1);
        assert_int_equal(access(path, F_OK), -1);
        assert_ok(cob_file_commit(file, &err), err);
        cob_file_close(file);
        assert_string_equal(content_of(path), "one -9223372036854775808 0.1");

        assert_ok(cob_file_create(path, &file, &err), err);
        cob_file_text(file, "never seen");
        char *temporary = strdup(cob_file_temporary_path(file));
        cob_file_close(file);
        assert_int_equal(access(temporary, F_OK), -1);
        free(temporary);
        assert_string_equal(content_of(path), "one -9223372036854775808 0.1");
    }
}

static void files_that_cannot_be_written_say_so(void **state)
{
    (void)state;
    cobloc_error err;
    cob_file *file = NULL;
    assert_int_equal(cob_file_create(test_path("no/such/folder.txt"), &file, &err), COBLOC_IO);
    assert_non_null(strstr(err.message, "no/such/folder.txt"));
    assert_null(file);
    const char *folder = test_path("folder");
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(cob_file_create(folder, &file, &err), COBLOC_IO);
    assert_non_null(strstr(err.message, "it is a folder"));
    assert_null(file);
}

/* ---- paths and UTF-8 ------------------------------------------------------------------------- */

static void paths_end_in_either_case(void **state)
{
    (void)state;
    assert_true(cob_path_ends("a.svg", ".svg"));
    assert_true(cob_path_ends("b/a.SVG", ".svg"));
    assert_false(cob_path_ends(".svg", ".svg"));
    assert_false(cob_path_ends("a.svg.gz", ".svg"));
    assert_true(cob_path_ends_gz("a.svg.gz", ".svg"));
    assert_true(cob_path_ends_gz("a.svg.GZ", ".svg"));
    assert_true(cob_path_ends_gz("a.svg", ".svg"));
    assert_false(cob_path_ends_gz("a.gz", ".svg"));
    assert_false(cob_path_ends_gz("", ".svg"));
}

/* Every code point is encoded by the definition (RFC 3629) and decoded; surrogates are not UTF-8,
 * and neither is a sequence that is cut. */
static void utf8_is_decoded(void **state)
{
    (void)state;
    for (uint32_t c = 1; c < 0x110000; c++) {
        unsigned char b[5] = {0};
        size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        for (size_t i = length - 1; i > 0; i--)
            b[i] = (unsigned char)(0x80 | (c >> 6 * (length - 1 - i) & 0x3F));
        static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
        b[0] = (unsigned char)(lead[length] | c >> 6 * (length - 1));
        uint32_t point = 0;
        bool surrogate = c >= 0xD800 && c < 0xE000;
        assert_int_equal(cob_utf8_next(b, COB_UTF8_LONGEST, &point), surrogate ? 0 : length);
        assert_int_equal(point, surrogate ? 0 : c);
        b[length - 1] = '\0';
        if (length > 1)
            assert_int_equal(cob_utf8_next(b, COB_UTF8_LONGEST, &point), 0);
    }
    uint32_t point;
    assert_int_equal(cob_utf8_next((const unsigned char *)"\xC0\xAF", 2, &point), 0);
    assert_int_equal(cob_utf8_next((const unsigned char *)"\xF4\x90\x80\x80", 4, &point), 0);
    assert_int_equal(cob_utf8_next((const unsigned char *)"\xC3\xA9", 1, &point), 0);
}

/* ---- checksums ------------------------------------------------------------------------------- */

static void checksums_are_those_of_zlib(void **state)
{
    enum { MOST = 1500, SHIFTS = 20 };
    static unsigned char bytes[MOST + SHIFTS];
    cob_stream stream = cob_stream_at(92, 0, 0, 1);
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)cob_random_below(&stream, i, 256);
    assert_int_equal(cob_crc32(0, "123456789", 9), 0xcbf43926);
    for (size_t count = 0; count <= MOST; count++) {
        const unsigned char *from = bytes + count % SHIFTS;
        uint32_t before = cob_random_below(&stream, MOST * 2 + count, UINT32_MAX);
        uint32_t whole = cob_crc32(before, from, count);
        assert_int_equal(whole, crc32(before, from, (uInt)count));
        assert_int_equal(whole, cob_crc32(cob_crc32(before, from, count / 3), from + count / 3,
                                          count - count / 3));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name),
        cmocka_unit_test(the_earliest_failure_counts),
        cmocka_unit_test(long_sentences_are_cut_between_characters),
        cmocka_unit_test(places_stand_before_sentences),
        cmocka_unit_test(products_that_overflow_are_refused),
        cmocka_unit_test(the_chosen_allocation_fails),
        cmocka_unit_test(growing_keeps_what_is_there),
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(streams_differ_in_every_coordinate),
        cmocka_unit_test(numbers_are_uniform),
        cmocka_unit_test(numbers_scan_as_the_c_library_does),
        cmocka_unit_test(gaps_between_digits_are_found),
        cmocka_unit_test(short_counts_are_read),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(formatted_numbers_read_back_exactly),
        cmocka_unit_test(names_are_kept_and_checked),
        cmocka_unit_test(files_appear_whole_or_not_at_all),
        cmocka_unit_test(files_that_cannot_be_written_say_so),
        cmocka_unit_test(paths_end_in_either_case),
        cmocka_unit_test(utf8_is_decoded),
        cmocka_unit_test(threads_are_made_at_once),
        cmocka_unit_test(checksums_are_those_of_zlib),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
