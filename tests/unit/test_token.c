/* Words out of text: both rules, many scripts, broken bytes; the quick way and Unicode's agree.
 * Expected words are worked out by hand from UAX 29 and the rules in cobloc.h.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "text/title.h"
#include "text/token.h"

#include <ctype.h>

typedef struct found {
    char text[4096]; /* each word, then a bar */
    size_t size;
} found;

static void keep(found *f, const char *word, size_t length)
{
    assert_true(length > 0 && length <= COB_LONGEST_WORD && !memchr(word, '\0', length));
    if (f->size + length + 2 < sizeof f->text) {
        memcpy(f->text + f->size, word, length);
        f->text[f->size + length] = '|';
        f->size += length + 1;
    }
}

static cobloc_status take(void *context, const cob_batch *batch, cobloc_error *err)
{
    (void)err;
    assert_true(batch->count >= 0 && batch->count <= COB_MOST_TOKENS);
    for (int i = 0; i < batch->count; i++)
        keep(context, batch->tokens[i].text, batch->tokens[i].length);
    return COBLOC_OK;
}

static int64_t split(cobloc_tokens rule, const char *text, size_t size, found *f)
{
    cobloc_error err;
    *f = (found){.size = 0};
    cob_tokenizer tokenizer = {.rule = rule, .take = take, .context = f};
    assert_ok(cob_tokenize(&tokenizer, text, size, &err), err);
    assert_ok(cob_tokenizer_flush(&tokenizer, &err), err);
    return tokenizer.invalid_bytes;
}

static void expect(cobloc_tokens rule, const char *text, const char *expected)
{
    found f;
    assert_int_equal(split(rule, text, strlen(text), &f), 0);
    assert_string_equal(f.text, expected);
}

static void words(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""},
        {" \t\r\n ", ""},
        {"The quick-brown FOX.", "the|quick|brown|fox|"},
        {"don't l'homme king\xE2\x80\x99s", "don|t|l|homme|king|s|"},
        {"note:this e.g. example.com end.", "note|this|e.g|example.com|end|"},
        {"3.14 1,000 1.2.3 a1 x_y _ 2nd", "3.14|1,000|1.2.3|a1|x_y|2nd|"},
        {"a.1 1.a a..b a,b", "a|1|1|a|a|b|a|b|"},
        {"Caf\xC3\xA9 CAF\xC3\x89 cafe\xCC\x81", "caf\xC3\xA9|caf\xC3\xA9|caf\xC3\xA9|"},
        {"\xEF\xAC\x81ne x\xC2\xB2", "fine|x2|"}, /* normal form: the ligature, the square */
        {"Stra\xC3\x9F"
         "e",
         "stra\xC3\x9F"
         "e|"},
        {"\xD0\x92\xD0\x9E\xD0\x99\xD0\x9D\xD0\x90 \xD0\xB8 \xD0\xBC\xD0\xB8\xD1\x80",
         "\xD0\xB2\xD0\xBE\xD0\xB9\xD0\xBD\xD0\xB0|\xD0\xB8|\xD0\xBC\xD0\xB8\xD1\x80|"},
        {"\xCE\x9F\xCE\x94\xCE\x9F\xCE\xA3", "\xCE\xBF\xCE\xB4\xCE\xBF\xCF\x82|"}, /* final sigma */
        {"\xE4\xB8\xAD\xE5\x9B\xBD\xE4\xBA\xBA",
         "\xE4\xB8\xAD\xE5\x9B\xBD|\xE5\x9B\xBD\xE4\xBA\xBA|"},
        {"\xE4\xB8\xAD, \xE5\x9B\xBD", "\xE4\xB8\xAD|\xE5\x9B\xBD|"},
        {"a\xE4\xB8\xAD\xE5\x9B\xBD"
         "b",
         "a|\xE4\xB8\xAD\xE5\x9B\xBD|b|"},
        {"\xE3\x82\xAB\xE3\x82\xBF\xE3\x82\xAB\xE3\x83\x8A", /* katakana is a word */
         "\xE3\x82\xAB\xE3\x82\xBF\xE3\x82\xAB\xE3\x83\x8A|"},
        {"\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4", "\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4|"},
        {"\xF0\x9F\x98\x80 \xE2\x80\xA6 \xC2\xAB", ""}, /* an emoji, an ellipsis, a quote */
        {"\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80", /* with marks
                                                                                      */
         "\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(COBLOC_TOKENS_WORDS, cases[i][0], cases[i][1]);
}

static void word2(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a bb C DD x_ _ __ 1 22", "bb|dd|x_|__|22|"},
        {"don't e.g. 3.14 no-one", "don|14|no|one|"},
        {"na\xC3\xAFve \xC3\x89 \xC3\x89t", "na\xC3\xAFve|\xC3\xA9t|"},
        {"e\xCC\x81te", "te|"}, /* a mark is no letter there */
        {"\xE4\xB8\xAD\xE5\x9B\xBD\xE4\xBA\xBA", "\xE4\xB8\xAD\xE5\x9B\xBD\xE4\xBA\xBA|"},
        {"\xE4\xB8\xAD", ""},
        {"x\xC2\xB2 \xC2\xBD", "x\xC2\xB2|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(COBLOC_TOKENS_WORD2, cases[i][0], cases[i][1]);
}

/* An ASCII word gets the same answer whether its stretch is plain or not: a letter that is not
 * ASCII, apart by a dash, sends the stretch the long way. */
static void both_ways_agree(void **state)
{
    static const char letters[] = "aB1_.,;:'-\"!9z";
    found plain, long_way;
    uint32_t random = 7;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char text[32];
        size_t size = 1 + (size_t)round % 12;
        for (size_t i = 0; i < size; i++) {
            random = random * 1664525 + 1013904223;
            text[i] = letters[(random >> 16) % (sizeof letters - 1)];
        }
        for (int rule = COBLOC_TOKENS_WORDS; rule <= COBLOC_TOKENS_WORD2; rule++) {
            split((cobloc_tokens)rule, text, size, &plain);
            memcpy(text + size, "-\xC2\xAB", 3);
            split((cobloc_tokens)rule, text, size + 3, &long_way);
            if (strcmp(plain.text, long_way.text) != 0)
                fail_msg("'%.*s': %s and %s", (int)size, text, plain.text, long_way.text);
        }
    }
}

static uint32_t next_random(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525 + 1013904223;
    return (*state >> 8) % below;
}

/* Runs of two to 255 letters, digits and underscores, found byte by byte. */
static void find_slowly(const char *text, size_t size, found *f)
{
    *f = (found){.size = 0};
    char word[1000];
    size_t length = 0;
    for (size_t i = 0; i <= size; i++) {
        if (i < size && (isalnum((unsigned char)text[i]) || text[i] == '_')) {
            word[length++] = (char)tolower((unsigned char)text[i]);
            continue;
        }
        if (length >= 2 && length <= COB_LONGEST_WORD)
            keep(f, word, length);
        length = 0;
    }
}

/* ASCII goes 64 bytes at a time: words of all lengths begin and end at all places of these. The
 * text ends where its memory does. */
static void words_across_the_seams(void **state)
{
    static const char others[] = " .-\t/@[`{\x7F\x01";
    found quick, slow;
    uint32_t random = 1;
    (void)state;
    for (int round = 0; round < 3000; round++) {
        size_t size = 1 + next_random(&random, 700), at = 0;
        char *text = malloc(size);
        while (at < size) {
            size_t length = next_random(&random, round % 50 == 0 ? 300 : 12);
            for (; length > 0 && at < size; length--)
                text[at++] = "azAZ09_mM"[next_random(&random, 9)];
            if (at < size)
                text[at++] = others[next_random(&random, sizeof others - 1)];
        }
        split(COBLOC_TOKENS_WORD2, text, size, &quick);
        find_slowly(text, size, &slow);
        assert_string_equal(quick.text, slow.text);
        free(text);
    }
}

/* What comes of a text does not depend on what stands beside it, a blank apart: with a word of
 * another script in it, its parts come the same. */
static void scripts_side_by_side(void **state)
{
    static const char *const parts[] = {"The cat, e.g. 3.14 x_y",
                                        "na\xC3\xAFve\xE2\x80\x94Z",
                                        "\xD0\x9C\xD0\x98\xD0\xA0 abc",
                                        "\xE4\xB8\xAD\xE5\x9B\xBD",
                                        "caf\xE9 \xFF",
                                        "a_word_of_more_than_eight_bytes 1,000"};
    enum { PARTS = sizeof parts / sizeof *parts };
    found alone, all;
    uint32_t random = 3;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        char text[1024] = "", expected[4096] = "";
        for (int k = 0; k < 12; k++) {
            const char *part = parts[next_random(&random, PARTS)];
            split(COBLOC_TOKENS_WORDS, part, strlen(part), &alone);
            strcat(expected, alone.text);
            strcat(strcat(text, part), " ");
        }
        split(COBLOC_TOKENS_WORDS, text, strlen(text), &all);
        assert_string_equal(all.text, expected);
    }
}

static void broken_bytes(void **state)
{
    static const struct {
        const char *text;
        size_t size;
        const char *expected;
        int invalid;
    } cases[] = {
        {"caf\xE9 ok", 7, "caf|ok|", 1},
        {"a\0b", 3, "a|b|", 1},
        {"\xFF\xFE\xFD", 3, "", 3},
        {"x\xC3", 2, "x|", 1},
        {"x\xE2\x80y", 4, "x|y|", 2},
        {"\xED\xA0\x80", 3, "", 3}, /* half of a pair of UTF-16 */
        {"\xC0\xAF", 2, "", 2},     /* too long a form */
        {"d\xC3\xA9j\xC3\xA0\xFFvu", 9, "d\xC3\xA9j\xC3\xA0|vu|", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found f;
        assert_int_equal(split(COBLOC_TOKENS_WORDS, cases[i].text, cases[i].size, &f),
                         cases[i].invalid);
        assert_string_equal(f.text, cases[i].expected);
    }
}

/* No blank for megabytes: neither slow nor a crash, and no word comes of it. */
static void endless_stretches(void **state)
{
    enum { SIZE = 3000000 };
    static const char *const units[] = {"a", "\xC3\xA9", "\xFF", "\xE4\xB8\xAD", "\xCC\x81", "\0"};
    char *text = malloc(SIZE);
    found f;
    (void)state;
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        size_t width = u == 5 ? 1 : strlen(units[u]);
        for (size_t i = 0; i + width <= SIZE; i += width)
            memcpy(text + i, units[u], width);
        int64_t invalid = split(COBLOC_TOKENS_WORDS, text, SIZE / 6 * 6, &f);
        assert_int_equal(invalid, u == 2 || u == 5 ? SIZE : 0);
    }
    free(text);
}

static void titles(void **state)
{
    char title[COB_TITLE_ROOM];
    static const struct {
        const char *prefix, *text, *expected;
    } cases[] = {
        {"", "", "12"},
        {"CISI", "  A  title\n of two lines ", "CISI 12: A title of two lines"},
        {"", "one two three four five six seven eight nine ten eleven twelve thirteen fourteen",
         "12: one two three four five six seven eight nine ten eleven\xE2\x80\xA6"},
        {"f", "bad \xFF bytes\x01here", "f 12: bad bytes here"},
        {"", "\xD0\xBC\xD0\xB8\xD1\x80", "12: \xD0\xBC\xD0\xB8\xD1\x80"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length = cob_title(title, cases[i].prefix, strlen(cases[i].prefix), 12,
                                  cases[i].text, strlen(cases[i].text));
        title[length] = '\0';
        assert_string_equal(title, cases[i].expected);
    }
}

/* A blank in front changes no title, but sends it the slow way. */
static void titles_both_ways(void **state)
{
    uint32_t random = 9;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char text[100] = " ", quick[COB_TITLE_ROOM], slow[COB_TITLE_ROOM];
        size_t size = next_random(&random, 80);
        for (size_t i = 1; i <= size; i++)
            text[i] = "ab   .c~\x7F\n"[next_random(&random, round % 2 ? 8 : 10)];
        for (size_t i = 2; round % 4 == 1 && i <= size; i++)
            if (text[i] == ' ' && text[i - 1] == ' ')
                text[i] = 'x';
        size_t one = cob_title(quick, "", 0, 7, text + 1, size);
        size_t two = cob_title(slow, "", 0, 7, text, size + 1);
        assert_int_equal(one, two);
        assert_memory_equal(quick, slow, one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(word2),
        cmocka_unit_test(both_ways_agree),
        cmocka_unit_test(words_across_the_seams),
        cmocka_unit_test(scripts_side_by_side),
        cmocka_unit_test(broken_bytes),
        cmocka_unit_test(endless_stretches),
        cmocka_unit_test(titles),
        cmocka_unit_test(titles_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
