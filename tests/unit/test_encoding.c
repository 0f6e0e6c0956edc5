/* Encodings: guessing and converting.
 * SPDX-License-Identifier: MIT
 */
#include "base/encoding.h"
#include "base/source.h"
#include "support.h"
#include "text/charset.h"

#include <iconv.h>
#include <string.h>

static const char sample[] = "\xC3\x89t\xC3\xA9, le caf\xC3\xA9 est tr\xC3\xA8s cher \xC3\xA0 la "
                             "plage; l'\xC3\xA9t\xC3\xA9 dernier aussi, d\xC3\xA9j\xC3\xA0.\n";

/* The sample in another encoding, by iconv itself. */
static size_t encoded(const char *encoding, const char *before, size_t before_size, char *to,
                      size_t room)
{
    iconv_t handle = iconv_open(encoding, "UTF-8");
    char *in = (char *)(uintptr_t)sample, *out = to + before_size;
    size_t left = sizeof sample - 1, rest = room - before_size;
    assert_true(handle != (iconv_t)-1);
    memcpy(to, before, before_size);
    assert_int_equal(iconv(handle, &in, &left, &out, &rest), 0);
    iconv_close(handle);
    return (size_t)(out - to);
}

static void guesses_and_conversions(void **state)
{
    (void)state;
    static const struct {
        const char *encoding, *mark;
        size_t mark_size;
        const char *guess; /* NULL: any that gives the same text */
    } cases[] = {
        {"UTF-8", "", 0, ""},
        {"UTF-8", "\xEF\xBB\xBF", 3, ""},
        {"UTF-16LE", "\xFF\xFE", 2, "UTF-16LE"},
        {"UTF-16BE", "\xFE\xFF", 2, "UTF-16BE"},
        {"UTF-32LE", "\xFF\xFE\0\0", 4, "UTF-32LE"},
        {"UTF-32BE", "\0\0\xFE\xFF", 4, "UTF-32BE"},
        {"UTF-16LE", "", 0, "UTF-16LE"},
        {"UTF-16BE", "", 0, "UTF-16BE"},
        {"UTF-32LE", "", 0, "UTF-32LE"},
        {"UTF-32BE", "", 0, "UTF-32BE"},
        {"ISO-8859-1", "", 0, NULL},
        {"WINDOWS-1252", "", 0, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char bytes[1024], guess[COB_ENCODING_ROOM], back[1024];
        size_t got, size = encoded(cases[i].encoding, cases[i].mark, cases[i].mark_size, bytes,
                                   sizeof bytes);
        cob_encoding_guess(bytes, size, guess);
        if (cases[i].guess)
            assert_string_equal(guess, cases[i].guess);
        else
            assert_true(*guess != '\0');
        assert_null(cob_binary_kind(bytes, size));
        if (!*guess)
            continue;
        cob_source *source = NULL;
        cobloc_error err;
        assert_ok(cob_source_open(test_file("in", bytes, size), &source, &err), err);
        assert_ok(cob_source_convert(source, guess, &err), err);
        for (int round = 0; round < 2; round++) { /* rewinding begins anew */
            assert_ok(cob_source_read(source, back, sizeof back, &got, &err), err);
            assert_int_equal(got, sizeof sample - 1);
            assert_memory_equal(back, sample, got);
            assert_ok(cob_source_rewind(source, &err), err);
        }
        for (size_t at = 0; at < sizeof sample - 1; at += got) { /* in small pieces */
            assert_ok(cob_source_read(source, back + at, 7, &got, &err), err);
            assert_true(got == 7 || at + got == sizeof sample - 1);
        }
        assert_memory_equal(back, sample, sizeof sample - 1);
        cob_source_close(source);
    }
}

static void long_texts(void **state)
{
    (void)state;
    enum { COPIES = 5000 };
    char one[512], *all, *back;
    size_t size = encoded("UTF-16LE", "", 0, one, sizeof one), got;
    all = malloc(size * COPIES);
    for (int i = 0; i < COPIES; i++)
        memcpy(all + (size_t)i * size, one, size);
    size_t expected = (sizeof sample - 1) * COPIES;
    back = malloc(expected + 10);
    cob_source *source = NULL;
    cobloc_error err;
    assert_ok(cob_source_open(test_file("long", all, size * COPIES), &source, &err), err);
    assert_ok(cob_source_convert(source, "UTF-16LE", &err), err);
    assert_ok(cob_source_read(source, back, expected + 10, &got, &err), err);
    assert_int_equal(got, expected);
    assert_memory_equal(back + expected - (sizeof sample - 1), sample, sizeof sample - 1);
    cob_source_close(source);
    free(all);
    free(back);
}

/* What means nothing becomes a byte that is not UTF-8; nothing is lost around it. */
static void broken_text(void **state)
{
    (void)state;
    static const struct {
        const char *encoding, *bytes;
        size_t size;
        const char *expected;
    } cases[] = {{"UTF-16LE",
                  "a\0\x00\xDC"
                  "b\0",
                  6,
                  "a\xFF"
                  "b"},
                 {"UTF-16LE", "a\0b", 3, "a\xFF"},
                 {"UTF-16LE", "", 0, ""},
                 {"SHIFT_JIS",
                  "a\xFF"
                  "b",
                  3,
                  "a\xFF"
                  "b"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cob_source *source = NULL;
        cobloc_error err;
        char back[64];
        size_t got;
        assert_ok(cob_source_open(test_file("x", cases[i].bytes, cases[i].size), &source, &err),
                  err);
        assert_ok(cob_source_convert(source, cases[i].encoding, &err), err);
        assert_ok(cob_source_read(source, back, sizeof back, &got, &err), err);
        assert_int_equal(got, strlen(cases[i].expected));
        assert_memory_equal(back, cases[i].expected, got);
        cob_source_close(source);
    }
    cob_conversion *conversion = NULL;
    cobloc_error err;
    assert_int_equal(cob_conversion_open("klingon", &conversion, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "klingon"));
}

static void binary_files(void **state)
{
    (void)state;
    assert_string_equal(cob_binary_kind("\x89PNG\r\n\x1A\nxx", 10), "a PNG picture");
    assert_string_equal(cob_binary_kind("\x7F"
                                        "ELF\2\1",
                                        6),
                        "a program (ELF)");
    assert_string_equal(cob_binary_kind("some\0bytes\0\1\2\3", 14), "binary data");
    assert_null(cob_binary_kind("plain text", 10));
    assert_null(cob_binary_kind("", 0));
}

/* A folder with everything in it: what can be read is read, the rest is counted and named. */
static void folders(void **state)
{
    (void)state;
    char bytes[1024];
    cobloc_error err;
    cobloc_text_info info;
    cobloc_matrix *m = NULL;
    cobloc_text_options o;
    cob_text_options_default(&o);
    o.min_df = o.max_df = 1;
    o.language = "none";
    char command[512];
    snprintf(command, sizeof command, "mkdir %s; ln -s nowhere %s/broken", test_path("mixed"),
             test_path("mixed"));
    assert_int_equal(system(command), 0);
    test_text("mixed/a.txt", "\xC3\xA9t\xC3\xA9 plage");
    test_file("mixed/b.png", "\x89PNG\r\n\x1A\nxx", 10);
    test_file("mixed/c.txt", bytes, encoded("UTF-16LE", "\xFF\xFE", 2, bytes, sizeof bytes));
    test_file("mixed/d.txt", bytes, encoded("ISO-8859-1", "", 0, bytes, sizeof bytes));
    test_file("mixed/e.gz", "\x1F\x8B\x08\0\0\0\0", 7);
    test_text("mixed/notes.md", "other words");
    assert_ok(cob_text_read(test_path("mixed"), &o, &m, &info, &err), err);
    assert_int_equal(info.documents, 4);
    assert_int_equal(info.binary, 1);
    assert_non_null(strstr(info.binary_where, "b.png"));
    assert_int_equal(info.unreadable, 2); /* the link, and what is no gzip file after all */
    assert_non_null(strstr(info.unreadable_where, "broken"));
    assert_int_equal(info.converted, 2);
    assert_string_equal(info.encoding, "UTF-16LE");
    assert_int_equal(info.invalid_bytes, 0);
    int32_t plage = -1;
    for (int64_t j = 0; j < cobloc_matrix_cols(m); j++)
        if (strcmp(cobloc_matrix_col_name(m, j), "\xC3\xA9t\xC3\xA9") == 0)
            plage = (int32_t)j;
    assert_true(plage >= 0);
    cobloc_view cols = cobloc_matrix_by_cols(m);
    assert_int_equal(cols.offsets[plage + 1] - cols.offsets[plage], 3);
    cobloc_matrix_free(m);
    o.include = "*.txt,*.md";
    o.exclude = "c.*";
    assert_ok(cob_text_read(test_path("mixed"), &o, &m, &info, &err), err);
    assert_int_equal(info.documents, 3);
    assert_int_equal(info.unreadable, 0);
    cobloc_matrix_free(m);
    o.include = "*.none";
    assert_int_equal(cob_text_read(test_path("mixed"), &o, &m, NULL, &err), COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "that are included"));
    assert_int_equal(cob_text_read(test_path("mixed/b.png"), NULL, &m, NULL, &err),
                     COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "PNG"));
}

/* A mail in 8 bits is what its headers say; without a word of theirs, a guess. */
static void mails(void **state)
{
    (void)state;
    static const struct {
        const char *mail, *encoding;
    } cases[] = {
        {"From: a\nTo: b\nContent-Type: text/plain; charset=koi8-r\n\n\xC7\xCF\xC4 word", "koi8-r"},
        {"From: a\nTo: b\nContent-Type: text/plain; charset=iso-8859-1\n\n\xC7\xCF\xC4 word",
         "WINDOWS-1252"},
        {"From: a\nTo: b\nContent-Type: text/plain; charset=none/such\n\ncaf\xE9 cr\xE8me word",
         NULL},
        {"From: a\nTo: b\nContent-Type: text/plain; charset=koi8-r\n\ncaf\xC3\xA9", ""},
        {"no mail; charset=koi8-r \xC7\xCF\xC4 word", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[COB_ENCODING_ROOM], guess[COB_ENCODING_ROOM];
        cob_encoding_of_document(cases[i].mail, strlen(cases[i].mail), name);
        cob_encoding_guess(cases[i].mail, strlen(cases[i].mail), guess);
        assert_string_equal(name, cases[i].encoding ? cases[i].encoding : guess);
    }
}

/* Tables, too: in UTF-16, and with names in Latin-1. */
static void matrices(void **state)
{
    (void)state;
    static const char table[] = ",caf\xE9,th\xE9\nx,1,2\ny,3,4\n";
    cobloc_matrix *m = must_read(test_text("latin.csv", table), NULL);
    assert_string_equal(cobloc_matrix_col_name(m, 0), "caf\xC3\xA9");
    cobloc_matrix_free(m);
    char wide[2 * sizeof table] = "\xFF\xFE";
    for (size_t i = 0; i + 1 < sizeof table; i++) {
        wide[2 + 2 * i] = table[i];
        wide[3 + 2 * i] = '\0';
    }
    m = must_read(test_file("wide.csv", wide, 2 * sizeof table), NULL);
    assert_string_equal(cobloc_matrix_col_name(m, 1), "th\xC3\xA9");
    cobloc_matrix_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses_and_conversions),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(broken_text),
        cmocka_unit_test(binary_files),
        cmocka_unit_test(folders),
        cmocka_unit_test(mails),
        cmocka_unit_test(matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
