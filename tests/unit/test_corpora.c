/* From text to a matrix: every kind of corpus, on any number of threads, and broken input. Expected
 * counts are worked by hand.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "text_counts.h"

#include <unistd.h>

/* ---- corpora --------------------------------------------------------------------------------- */

static void lines(void **state)
{
    (void)state;
    cobloc_text_options o = all_words();
    cobloc_text_info info;
    const char *path = test_text("lines.txt", "\xEF\xBB\xBFThe cat\r\n\nthe the dog");
    cobloc_matrix *m = must_count(path, &o, &info);
    assert_string_equal(terms_of(m), "cat|dog|the|");
    assert_dense(m, 3, 3, (double[]){1, 0, 1, 0, 0, 0, 0, 1, 2});
    assert_string_equal(cobloc_matrix_row_name(m, 0), "1: The cat");
    assert_string_equal(cobloc_matrix_row_name(m, 1), "2");
    assert_null(cobloc_matrix_row_label(m, 0));
    assert_int_equal(info.documents, 3);
    assert_int_equal(info.tokens, 5);
    assert_int_equal(info.corpus, COBLOC_CORPUS_LINES);
    assert_string_equal(info.language, "none");
    cobloc_matrix_free(m);
}

static void folders(void **state)
{
    (void)state;
    cobloc_text_options o = all_words();
    cobloc_text_info info;
    make_folder("tree");
    make_folder("tree/b");
    make_folder("tree/b/deep");
    make_folder("tree/a");
    test_text("tree/b/two.txt", "dog dog");
    test_text("tree/b/deep/three.txt", "bird\nbird\ncat");
    test_text("tree/a/one.txt", "cat");
    test_text("tree/a/.hidden", "mouse");
    test_text("tree/a/empty.txt", "");
    o.labels_from_folders = 1;
    cobloc_matrix *m = must_count(test_path("tree"), &o, &info);
    static const char *const names[] = {"a/empty.txt", "a/one.txt", "b/deep/three.txt",
                                        "b/two.txt"};
    static const char *const labels[] = {"a", "a", "deep", "b"};
    assert_string_equal(terms_of(m), "bird|cat|dog|");
    assert_dense(m, 4, 3, (double[]){0, 0, 0, 0, 1, 0, 2, 1, 0, 0, 0, 2});
    for (int i = 0; i < 4; i++) {
        assert_string_equal(cobloc_matrix_row_name(m, i), names[i]);
        assert_string_equal(cobloc_matrix_row_label(m, i), labels[i]);
    }
    assert_int_equal(info.files, 4);
    cobloc_matrix_free(m);
    o.corpus = COBLOC_CORPUS_LINES;
    m = must_count(test_path("tree"), &o, &info);
    assert_int_equal(info.documents, 5); /* 0, 1, 3 and 1 lines */
    assert_string_equal(cobloc_matrix_row_name(m, 2), "b/deep/three.txt 2: bird");
    cobloc_matrix_free(m);
}

static const char smart_text[] =
    ".I 1\n.T\nFirst\ntitle\n.A\nNobody, N.\n.W\nwords here\n.X\n1 5 1\n"
    ".I 2\n.W \n  only words .\n.5 of them\n.I 30\n.T\nNo words\n";

static void smart(void **state)
{
    (void)state;
    cobloc_text_options o = all_words();
    make_folder("classic");
    test_text("classic/CISI.ALL", smart_text);
    test_text("classic/med.all.1", ".I 7\r\n.W\r\ncells\r\n");
    o.labels_from_folders = 1;
    cobloc_matrix *m = must_count(test_path("classic"), &o, NULL);
    static const char *const names[] = {"CISI 1: First title", "CISI 2: only words . .5 of them",
                                        "CISI 30: No words", "med 7: cells"};
    static const char *const labels[] = {"CISI", "CISI", "CISI", "med"};
    assert_string_equal(terms_of(m), "cells|first|here|no|of|only|them|title|words|");
    for (int i = 0; i < 4; i++) {
        assert_string_equal(cobloc_matrix_row_name(m, i), names[i]);
        assert_string_equal(cobloc_matrix_row_label(m, i), labels[i]);
    }
    assert_true(count_at(m, 0, "words") == 1 && count_at(m, 0, "title") == 1);
    assert_true(count_at(m, 2, "words") == 1);
    cobloc_matrix_free(m);
}

static void json_lines(void **state)
{
    (void)state;
    cobloc_text_options o = all_words();
    cobloc_text_info info;
    const char *path =
        test_text("x.jsonl", "{\"id\": 5, \"text\": \"red fish\", \"kind\": \"a\"}\n\n"
                             "{\"id\": \"b\\n6\", \"text\": [\"blue\", \"fish\"]}\r\n"
                             "{\"id\": 7, \"text\": null, \"kind\": 3}\n"
                             "{\"other\": 1}");
    cobloc_matrix *m = must_count(path, &o, &info);
    assert_int_equal(info.corpus, COBLOC_CORPUS_JSONL);
    assert_string_equal(terms_of(m), "blue|fish|red|");
    assert_dense(m, 4, 3, (double[]){0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0});
    assert_string_equal(cobloc_matrix_row_name(m, 1), "3: blue fish");
    cobloc_matrix_free(m);
    o.name_field = "id";
    o.label_field = "kind";
    m = must_count(path, &o, &info);
    assert_string_equal(cobloc_matrix_row_name(m, 0), "5");
    assert_string_equal(cobloc_matrix_row_name(m, 1), "b 6");
    assert_string_equal(cobloc_matrix_row_label(m, 0), "a");
    assert_string_equal(cobloc_matrix_row_label(m, 1), "");
    assert_string_equal(cobloc_matrix_row_label(m, 2), "3");
    cobloc_matrix_free(m);
    o = all_words();
    m = must_count(test_text("bad8.jsonl", "{\"text\": \"caf\xE9 noir\"}\n"), &o, &info);
    assert_string_equal(terms_of(m), "caf\xC3\xA9|noir|");
    assert_int_equal(info.converted, 1);
    cobloc_matrix_free(m);
    o.encoding = "utf-8";
    m = must_count(test_path("bad8.jsonl"), &o, &info);
    assert_string_equal(terms_of(m), "caf|noir|");
    assert_int_equal(info.invalid_bytes, 1);
    assert_non_null(strstr(info.invalid_where, "bad8.jsonl"));
    cobloc_matrix_free(m);
}

static void tables(void **state)
{
    (void)state;
    cobloc_text_options o = all_words();
    const char *path =
        test_file("t.csv", "id,body,class\n1,\"red, \"\"fish\"\"\ntwo lines\",x\n2,blue\0fish,y\n",
                  sizeof "id,body,class\n1,\"red, \"\"fish\"\"\ntwo lines\",x\n"
                         "2,blue\0fish,y\n" -
                      1);
    cobloc_text_info info;
    o.field = "body";
    o.label_field = "class";
    cobloc_matrix *m = must_count(path, &o, &info);
    assert_string_equal(terms_of(m), "blue|fish|lines|red|two|");
    assert_dense(m, 2, 5, (double[]){0, 1, 1, 1, 1, 1, 1, 0, 0, 0});
    assert_string_equal(cobloc_matrix_row_name(m, 0), "2: red, \"fish\" two lines");
    assert_string_equal(cobloc_matrix_row_label(m, 1), "y");
    assert_int_equal(info.invalid_bytes, 1);
    cobloc_matrix_free(m);
    o.field = "text";
    o.label_field = NULL;
    o.name_field = "n";
    m = must_count(test_text("t.tsv", "n\ttext\nfirst\ta b\nsecond\t\n"), &o, &info);
    assert_dense(m, 2, 2, (double[]){1, 1, 0, 0});
    assert_string_equal(cobloc_matrix_row_name(m, 1), "second");
    cobloc_matrix_free(m);
}

static void gzip_is_the_same(void **state)
{
    (void)state;
    cobloc_text_options o = all_words();
    char command[600];
    const char *plain = test_text("z.txt", "one two\nthree\n");
    snprintf(command, sizeof command, "gzip -c '%s' >'%s.gz'", plain, plain);
    assert_int_equal(system(command), 0);
    cobloc_matrix *a = must_count(plain, &o, NULL),
                  *b = must_count(test_path("z.txt.gz"), &o, NULL);
    assert_same_matrix(a, b);
    cobloc_matrix_free(a);
    cobloc_matrix_free(b);
}

static void recognition(void **state)
{
    static const struct {
        const char *name, *text;
        cobloc_corpus corpus;
    } cases[] = {
        {"r1.all", ".I 1\n.W\nx\n", COBLOC_CORPUS_SMART},
        {"r2.x", "{\"a\": 1}\n{\"a\": 2}\n", COBLOC_CORPUS_JSONL},
        {"r3.x", "{not json\n", COBLOC_CORPUS_AUTO},
        {"r4.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n", COBLOC_CORPUS_AUTO},
        {"r5.csv", "a,b\n1,2\n", COBLOC_CORPUS_AUTO},
        {"r6.txt", "just a text\n", COBLOC_CORPUS_AUTO},
        {"r7.x", ".I want this\n", COBLOC_CORPUS_AUTO},
        {"r8.x", "[1, 2]\n", COBLOC_CORPUS_AUTO},
    };
    cobloc_corpus found;
    cobloc_error err;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(cobloc_text_recognise(test_text(cases[i].name, cases[i].text), &found, &err),
                  err);
        assert_int_equal(found, cases[i].corpus);
    }
    assert_ok(cobloc_text_recognise(test_folder(), &found, &err), err);
    assert_int_equal(found, COBLOC_CORPUS_FILES);
    assert_int_equal(cobloc_text_recognise("none", &found, &err), COBLOC_IO);
}

/* ---- whatever the threads -------------------------------------------------------------------- */

/* Several megabytes, in many blocks and files, counted on one thread and on many. */
static void any_number_of_threads(void **state)
{
    (void)state;
    enum { SIZE = 3000000 };
    char *text = malloc(SIZE);
    uint32_t random = 3;
    for (size_t i = 0; i < SIZE; i++) {
        random = random * 1664525 + 1013904223;
        text[i] = "abcdeeeeetaoin  \n"[(random >> 20) % 17];
    }
    make_folder("many");
    test_file("many/a.txt", text, SIZE);
    test_file("many/b.txt", text, 1000);
    test_file("many/c.txt", text + 5000, SIZE / 2);
    free(text);
    cobloc_text_options o = all_words();
    o.corpus = COBLOC_CORPUS_LINES;
    o.ngrams_to = 2;
    o.min_df = 20;
    o.max_terms = 3000;
    o.threads = 1;
    cobloc_matrix *one = must_count(test_path("many"), &o, NULL);
    for (int threads = 2; threads <= 5; threads += 3) {
        o.threads = threads;
        cobloc_matrix *more = must_count(test_path("many"), &o, NULL);
        assert_same_matrix(one, more);
        cobloc_matrix_free(more);
    }
    cobloc_matrix_free(one);
}

/* ---- broken input ---------------------------------------------------------------------------- */

static void broken(void **state)
{
    (void)state;
    cobloc_text_options o = all_words();
    static const struct {
        const char *name, *text, *part;
        cobloc_status status;
    } cases[] = {
        {"e.txt", "", "no documents", COBLOC_BAD_DATA},
        {"e.jsonl", "{\"text\": \"x\"}\n{\"text\": \n", "e.jsonl:2: is not JSON", COBLOC_BAD_DATA},
        {"e2.jsonl", "{\"a\": \"x\", \"b\": 1}\n", "no field 'text'; there are: a, b",
         COBLOC_BAD_ARGUMENT},
        {"e3.jsonl", "{\"text\": \"x\"}\n\n[1]\n", "e3.jsonl:3: is JSON, but not an object",
         COBLOC_BAD_DATA},
        {"e4.jsonl", "{\"text\": {\"x\": 1}}\n", "neither a text nor a list", COBLOC_BAD_DATA},
        {"e.csv", "a,b\nx,y\n", "no column 'text'; there are: a, b", COBLOC_BAD_ARGUMENT},
        {"e2.csv", "text,b\nx,y\nx\n", "e2.csv:3: has 1 fields, expected 2", COBLOC_BAD_DATA},
        {"e3.csv", "", "the file is empty", COBLOC_BAD_DATA},
        {"e5.txt", "12 13\n", "hold no words that count", COBLOC_BAD_DATA},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_text_refused(test_text(cases[i].name, cases[i].text), &o, cases[i].status,
                            cases[i].part);
    assert_text_refused("nowhere", &o, COBLOC_IO, "nowhere");
    make_folder("hollow");
    assert_text_refused(test_path("hollow"), &o, COBLOC_BAD_DATA, "holds no files");
    o.min_df = 5;
    assert_text_refused(test_text("few.txt", "a b\na c\n"), &o, COBLOC_BAD_DATA,
                        "3 are in fewer than min_df = 5");
    if (geteuid() != 0) {
        chmod(test_text("hollow/locked.txt", "x"), 0);
        assert_text_refused(test_path("hollow"), &o, COBLOC_IO, "locked.txt");
    }
}

static int refuse(void *user, const char *what, double done)
{
    assert_string_equal(what, "reading");
    assert_true(done >= 0 && done <= 1);
    return ++*(int *)user > 0;
}

static void cancelling(void **state)
{
    int calls = 0;
    cobloc_text_options o = all_words();
    (void)state;
    o.progress = (cobloc_progress){refuse, &calls};
    assert_text_refused(test_text("long.txt", "a b\n"), &o, COBLOC_CANCELLED, "cancelled");
    assert_int_equal(calls, 1);
}

/* A document may be as long as it likes, up to a limit that is told. */
static void one_long_line(void **state)
{
    (void)state;
    enum { SIZE = 12000000 };
    char *text = malloc(SIZE);
    cobloc_text_options o = all_words();
    for (size_t i = 0; i < SIZE; i++)
        text[i] = "word \xC3\xA9t\xC3\xA9 "[i % 12];
    cobloc_matrix *m = must_count(test_file("long.txt", text, SIZE), &o, NULL);
    assert_int_equal(cobloc_matrix_rows(m), 1);
    assert_true(count_at(m, 0, "word") == SIZE / 12);
    cobloc_matrix_free(m);
    free(text);
}

/* ---- no memory ------------------------------------------------------------------------------- */

static void failing_allocations(void **state)
{
    (void)state;
    cobloc_text_options o = all_words();
    make_folder("little");
    test_text("little/a.ALL", smart_text);
    test_text("little/b.jsonl", "{\"text\": [\"x y\", \"z\"], \"id\": 1, \"c\": \"k\"}\n");
    test_text("little/c.csv", "text,id,c\n\"p \"\"q\"\"\",5,k\n");
    o.threads = 1;
    o.language = "auto";
    o.stem = "english";
    o.ngrams_to = 2;
    o.field = "text";
    o.name_field = "id";
    o.label_field = "c";
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_matrix *matrix = NULL;
        cobloc_error err;
        cob_alloc_fail_at(k);
        cobloc_status status = cob_text_read(test_path("little"), &o, &matrix, NULL, &err);
        failed = allocation_failed(k, status, &err, 30);
        cobloc_matrix_free(matrix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),         cmocka_unit_test(folders),
        cmocka_unit_test(smart),         cmocka_unit_test(json_lines),
        cmocka_unit_test(tables),        cmocka_unit_test(gzip_is_the_same),
        cmocka_unit_test(recognition),   cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(broken),        cmocka_unit_test(cancelling),
        cmocka_unit_test(one_long_line), cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
