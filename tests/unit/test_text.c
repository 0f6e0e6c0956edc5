/* From text to a matrix: every kind of corpus, limits, n-grams, stems, languages, vocabularies,
 * settings kept and read back, broken input. Expected counts are worked by hand.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "support.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- helpers --------------------------------------------------------------------------------- */

/* Options that keep everything. */
static cobloc_text_options all_words(void)
{
    cobloc_text_options o;
    cobloc_text_options_default(&o);
    o.language = "none";
    o.min_df = 1;
    o.max_df = 1;
    o.min_length = 1;
    o.threads = 2;
    return o;
}

static cobloc_matrix *must_count(const char *path, const cobloc_text_options *o,
                                 cobloc_text_info *info)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    assert_ok(cobloc_text_read(path, o, &matrix, info, &err), err);
    return matrix;
}

/* Counts texts in memory; ends in NULL. */
static cobloc_matrix *count_texts(const char *const *texts, const cobloc_text_options *o)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    int64_t count = 0;
    while (texts[count])
        count++;
    assert_ok(cobloc_text_count(texts, NULL, count, o, &matrix, NULL, &err), err);
    return matrix;
}

/* All terms, a bar behind each. */
static const char *terms_of(const cobloc_matrix *matrix)
{
    static char all[4096];
    all[0] = '\0';
    for (int64_t j = 0; j < cobloc_matrix_cols(matrix); j++) {
        strcat(all, cobloc_matrix_col_name(matrix, j));
        strcat(all, "|");
    }
    return all;
}

static double count_at(const cobloc_matrix *matrix, int64_t row, const char *term)
{
    cobloc_view view = cobloc_matrix_by_rows(matrix);
    for (int64_t e = view.offsets[row]; e < view.offsets[row + 1]; e++)
        if (strcmp(cobloc_matrix_col_name(matrix, view.indices[e]), term) == 0)
            return cobloc_view_value(&view, e);
    return 0;
}

static void assert_text_refused(const char *path, const cobloc_text_options *o,
                                cobloc_status status, const char *part)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_status got = cobloc_text_read(path, o, &matrix, NULL, &err);
    if (got != status || !strstr(err.message, part) || matrix)
        fail_msg("%s: %s: '%s', expected '%s'", path, cobloc_status_name(got), err.message, part);
}

static void make_folder(const char *name)
{
    assert_int_equal(mkdir(test_path(name), 0777), 0);
}

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
    assert_string_equal(cobloc_matrix_row_name(m, 1), "3: blue");
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

/* ---- terms ----------------------------------------------------------------------------------- */

static const char *const fruit[] = {"apple pear apple 12", "apple plum", "pear plum fig", "fig a",
                                    NULL};

static void limits(void **state)
{
    (void)state;
    cobloc_text_options o = all_words();
    static const struct {
        double min_df, max_df;
        int max_terms, min_length, numbers;
        const char *expected;
    } cases[] = {
        {1, 1, 0, 1, 1, "12|a|apple|fig|pear|plum|"},
        {1, 1, 0, 1, 0, "a|apple|fig|pear|plum|"},
        {1, 1, 0, 2, 0, "apple|fig|pear|plum|"},
        {2, 1, 0, 1, 1, "apple|fig|pear|plum|"},
        {0.5, 1, 0, 1, 1, "apple|fig|pear|plum|"},
        {1, 0.25, 0, 1, 1, "12|a|"},
        {1, 1, 2, 1, 1, "apple|fig|"}, /* apple 3 times, then three terms twice: the alphabet */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        o.min_df = cases[i].min_df;
        o.max_df = cases[i].max_df;
        o.max_terms = cases[i].max_terms;
        o.min_length = cases[i].min_length;
        o.numbers = cases[i].numbers;
        cobloc_matrix *m = count_texts(fruit, &o);
        assert_string_equal(terms_of(m), cases[i].expected);
        cobloc_matrix_free(m);
    }
}

static void ngrams(void **state)
{
    (void)state;
    static const char *const texts[] = {"the cat sat on the cat sat", "sat", NULL};
    static const char *const stop[] = {"on", "The"};
    cobloc_text_options o = all_words();
    o.ngrams_to = 2;
    cobloc_matrix *m = count_texts(texts, &o);
    assert_string_equal(terms_of(m), "cat|cat sat|on|on the|sat|sat on|the|the cat|");
    assert_dense(m, 2, 8, (double[]){2, 2, 1, 1, 2, 1, 2, 2, 0, 0, 0, 0, 1, 0, 0, 0});
    cobloc_matrix_free(m);
    o.ngrams_from = 3;
    o.ngrams_to = 3;
    o.stop_list = stop;
    o.stop_count = 2;
    m = count_texts(texts, &o);
    assert_string_equal(terms_of(m), "cat sat cat|sat cat sat|");
    cobloc_matrix_free(m);
}

/* Stems by Snowball's published examples; a term is called by its most frequent word. */
static void stems(void **state)
{
    (void)state;
    static const char *const english[] = {"connection connections connected", "connections fishing",
                                          "fished fishing", NULL};
    static const char *const russian[] = {
        "\xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB0 \xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB8",
        "\xD0\x9A\xD0\x9D\xD0\x98\xD0\x93\xD0\x98", NULL};
    static const char *const german[] = {"Stra\xC3\x9F"
                                         "e STRASSE",
                                         "Stra\xC3\x9F"
                                         "en",
                                         NULL};
    cobloc_text_options o = all_words();
    o.stem = "english";
    cobloc_matrix *m = count_texts(english, &o);
    assert_string_equal(terms_of(m), "connections|fishing|");
    assert_dense(m, 3, 2, (double[]){3, 0, 1, 1, 0, 2});
    cobloc_matrix_free(m);
    o.stem = "ru";
    m = count_texts(russian, &o);
    assert_string_equal(terms_of(m), "\xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB8|");
    assert_dense(m, 2, 1, (double[]){2, 1});
    cobloc_matrix_free(m);
    o.stem = "german";
    m = count_texts(german, &o);
    assert_dense(m, 2, 1, (double[]){2, 1});
    cobloc_matrix_free(m);
    o.stem = NULL; /* case is folded: a sharp s is the same as two */
    m = count_texts(german, &o);
    assert_int_equal(cobloc_matrix_cols(m), 2);
    assert_string_equal(cobloc_matrix_col_name(m, 0), "strasse");
    cobloc_matrix_free(m);
}

static void languages(void **state)
{
    static const struct {
        const char *code, *text;
    } cases[] = {
        {"en", "It was the best of times, it was the worst of times; we had everything before us."},
        {"fr", "Il \xC3\xA9tait une fois un homme qui vivait dans la for\xC3\xAAt avec son chien."},
        {"de",
         "Als Gregor Samsa eines Morgens aus unruhigen Tr\xC3\xA4umen erwachte, fand er sich in "
         "seinem Bett."},
        {"es",
         "En un lugar de la Mancha, de cuyo nombre no quiero acordarme, no ha mucho tiempo que "
         "viv\xC3\xAD"
         "a un hidalgo."},
        {"it",
         "Nel mezzo del cammin di nostra vita mi ritrovai per una selva oscura, che la diritta "
         "via era smarrita."},
        {"pt", "As armas e os bar\xC3\xB5"
               "es assinalados que da ocidental praia lusitana por mares nunca de antes navegados "
               "passaram ainda al\xC3\xA9m."},
        {"nl",
         "Het was een mooie dag en de kinderen gingen met hun moeder naar het strand, waar zij "
         "in het zand speelden."},
        {"ru",
         "\xD0\x92\xD1\x81\xD0\xB5 \xD1\x81\xD1\x87\xD0\xB0\xD1\x81\xD1\x82\xD0\xBB\xD0\xB8\xD0"
         "\xB2\xD1\x8B\xD0\xB5 \xD1\x81\xD0\xB5\xD0\xBC\xD1\x8C\xD0\xB8 \xD0\xBF\xD0\xBE\xD1\x85"
         "\xD0\xBE\xD0\xB6\xD0\xB8 \xD0\xB4\xD1\x80\xD1\x83\xD0\xB3 \xD0\xBD\xD0\xB0 \xD0\xB4\xD1"
         "\x80\xD1\x83\xD0\xB3\xD0\xB0"},
        {"none", "lorem ipsum dolor sit amet consectetur adipiscing elit sed eiusmod tempor"},
    };
    (void)state;
    assert_int_equal(cobloc_language_count(), 8);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cobloc_text_options o = all_words();
        cobloc_text_info info;
        cobloc_matrix *m = NULL;
        cobloc_error err;
        o.language = "auto";
        assert_ok(cobloc_text_count(&cases[i].text, NULL, 1, &o, &m, &info, &err), err);
        assert_string_equal(info.language, cases[i].code);
        assert_true(strcmp(cases[i].code, "none") == 0 || info.language_share > 0.2);
        cobloc_matrix_free(m);
    }
}

/* Every list is of its own language: no word twice, all in the form that the tokenizer gives. */
static void stop_lists(void **state)
{
    static const char *const the[] = {"the", "le", "der", "el", "il", "o", "de", "\xD0\xB8"};
    (void)state;
    for (int i = 0; i < cobloc_language_count(); i++) {
        cobloc_text_options o = all_words();
        const char *texts[] = {the[i], "zebra", NULL};
        o.language = cobloc_language_code(i);
        cobloc_matrix *m = count_texts(texts, &o);
        assert_string_equal(terms_of(m), "zebra|");
        cobloc_matrix_free(m);
    }
}

static void vocabularies(void **state)
{
    (void)state;
    static const char *const texts[] = {"Connected cats", "dogs connect new york", "york new",
                                        NULL};
    static const char *const terms[] = {"york", "connections", "never", "new york", "the"};
    static const char *const twice[] = {"cat", "cats"};
    cobloc_text_options o = all_words();
    cobloc_matrix *m = NULL;
    cobloc_error err;
    o.stem = "english";
    o.language = "en";
    o.ngrams_to = 2;
    o.vocabulary = terms;
    o.vocabulary_count = 5;
    m = count_texts(texts, &o);
    assert_string_equal(terms_of(m), "york|connections|never|new york|the|");
    assert_dense(m, 3, 5, (double[]){0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0});
    cobloc_matrix_free(m);
    m = NULL;
    o.vocabulary = twice;
    o.vocabulary_count = 2;
    assert_int_equal(cobloc_text_count(texts, NULL, 3, &o, &m, NULL, &err), COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "'cat' and 'cats'"));
}

/* New documents by the settings and terms of the old: the old ones give the same matrix again. */
static void settings_come_back(void **state)
{
    (void)state;
    static const char *const texts[] = {"The cats sat on the mats", "a cat, a mat and 12 hats",
                                        "hat and mat of the cat", NULL};
    static const char *const own[] = {"sat", "of"};
    for (int round = 0; round < 3; round++) {
        cobloc_text_options o = all_words(), *again = NULL;
        cobloc_error err;
        const char *names[16];
        o.stem = round == 1 ? NULL : "auto";
        o.language = "auto";
        o.tokens = round == 2 ? COBLOC_TOKENS_WORD2 : COBLOC_TOKENS_WORDS;
        o.numbers = round == 1;
        o.ngrams_to = 2;
        o.stop_list = round == 2 ? own : NULL;
        o.stop_count = 2;
        cobloc_matrix *m = count_texts(texts, &o);
        assert_true(cobloc_matrix_cols(m) <= 16);
        for (int64_t j = 0; j < cobloc_matrix_cols(m); j++)
            names[j] = cobloc_matrix_col_name(m, j);
        assert_ok(cobloc_text_options_from_json(cobloc_matrix_text(m), &again, &err), err);
        again->vocabulary = names;
        again->vocabulary_count = cobloc_matrix_cols(m);
        cobloc_matrix *same = count_texts(texts, again);
        assert_same_matrix(m, same);
        assert_string_equal(cobloc_matrix_text(m), cobloc_matrix_text(same));
        cobloc_matrix_free(m);
        cobloc_matrix_free(same);
        cobloc_text_options_free(again);
    }
}

static void settings_may_be_damaged(void **state)
{
    static const char *const cases[] = {"", "[]", "{}", "{\"corpus\": 1}", "{\"corpus\": \"odd\"}"};
    cobloc_text_options *o = NULL;
    cobloc_error err;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(cobloc_text_options_from_json(cases[i], &o, &err), COBLOC_BAD_DATA);
        assert_null(o);
    }
    cobloc_text_options_free(NULL);
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

static void bad_options(void **state)
{
    cobloc_text_options good = all_words(), cases[8];
    static const char *const parts[] = {
        "n-grams are 2:1", "n-grams are 0:1",
        "language 'xx'",   "stemmer for 'klingon'; there are: arabic",
        "vocabulary",      "negative",
        "min_df",          "nowhere.txt"};
    const char *path = test_text("good.txt", "a b\n");
    (void)state;
    for (int i = 0; i < 8; i++)
        cases[i] = good;
    cases[0].ngrams_from = 2;
    cases[1].ngrams_from = 0;
    cases[2].language = "xx";
    cases[3].stem = "klingon";
    cases[4].vocabulary = parts;
    cases[5].max_terms = -1;
    cases[6].min_df = -1;
    cases[7].stop_words = "nowhere.txt";
    for (int i = 0; i < 8; i++)
        assert_text_refused(path, &cases[i], i < 7 ? COBLOC_BAD_ARGUMENT : COBLOC_IO, parts[i]);
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
        cobloc_status status = cobloc_text_read(test_path("little"), &o, &matrix, NULL, &err);
        failed = allocation_failed(k, status, &err, 30);
        cobloc_matrix_free(matrix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),
        cmocka_unit_test(folders),
        cmocka_unit_test(smart),
        cmocka_unit_test(json_lines),
        cmocka_unit_test(tables),
        cmocka_unit_test(gzip_is_the_same),
        cmocka_unit_test(recognition),
        cmocka_unit_test(limits),
        cmocka_unit_test(ngrams),
        cmocka_unit_test(stems),
        cmocka_unit_test(languages),
        cmocka_unit_test(stop_lists),
        cmocka_unit_test(vocabularies),
        cmocka_unit_test(settings_come_back),
        cmocka_unit_test(settings_may_be_damaged),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(broken),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(cancelling),
        cmocka_unit_test(one_long_line),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
