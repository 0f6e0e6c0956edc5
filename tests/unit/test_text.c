/* From text to a matrix: limits, n-grams, stems, languages, vocabularies, settings kept and read
 * back. Expected counts are worked by hand.
 * SPDX-License-Identifier: MIT
 */
#include "text_counts.h"

#include <math.h>

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
        assert_ok(cob_text_count(&cases[i].text, NULL, 1, &o, &m, &info, &err), err);
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
    assert_int_equal(cob_text_count(texts, NULL, 3, &o, &m, NULL, &err), COBLOC_BAD_DATA);
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

static void bad_options(void **state)
{
    enum { CASES = 6 };
    cobloc_text_options good = all_words(), cases[CASES];
    static const char *const parts[] = {
        "n-grams are 2:1", "max_df 0, expected",
        "language 'xx'",   "stemmer for 'klingon'; there are: arabic",
        "vocabulary",      "nowhere.txt"};
    const char *path = test_text("good.txt", "a b\n");
    (void)state;
    for (int i = 0; i < CASES; i++)
        cases[i] = good;
    cases[0].ngrams_from = 2;
    cases[1].max_df = 0;
    cases[2].language = "xx";
    cases[3].stem = "klingon";
    cases[4].vocabulary = parts;
    cases[5].stop_words = "nowhere.txt";
    for (int i = 0; i < CASES; i++)
        assert_text_refused(path, &cases[i], i < 5 ? COBLOC_BAD_ARGUMENT : COBLOC_IO, parts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits),
        cmocka_unit_test(ngrams),
        cmocka_unit_test(stems),
        cmocka_unit_test(languages),
        cmocka_unit_test(stop_lists),
        cmocka_unit_test(vocabularies),
        cmocka_unit_test(settings_come_back),
        cmocka_unit_test(settings_may_be_damaged),
        cmocka_unit_test(bad_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
