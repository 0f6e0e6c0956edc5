/* Phrases, against counting by brute force.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"
#include "text/read.h"

#include <math.h>
#include <string.h>

enum { DOCUMENTS = 60, WORDS = 40, VOCABULARY = 25 };

static char texts[DOCUMENTS][WORDS * 8];
static int words_of[DOCUMENTS][WORDS];
static const char *list[DOCUMENTS];

/* Random words; word 1 mostly follows word 0, word 3 sometimes follows word 2. */
static void make_documents(void)
{
    uint32_t random = 7;
    for (int d = 0; d < DOCUMENTS; d++) {
        texts[d][0] = '\0';
        for (int w = 0; w < WORDS; w++) {
            random = random * 1664525u + 1013904223u;
            int before = w > 0 ? words_of[d][w - 1] : -1, word = (int)(random >> 16) % VOCABULARY;
            uint32_t chance = (random >> 8) % 100;
            word = word == 1 ? 4 : word; /* word 1 only comes after word 0 */
            word = before == 0 && chance < 90 ? 1 : before == 2 && chance < 40 ? 3 : word;
            words_of[d][w] = word;
            char one[8];
            snprintf(one, sizeof one, "w%c%c ", 'a' + word, 'a' + word);
            strcat(texts[d], one);
        }
        list[d] = texts[d];
    }
}

static bool brute_is_phrase(int a, int b)
{
    double both = 0, left = 0, right = 0, all = DOCUMENTS * WORDS;
    int documents = 0;
    for (int d = 0; d < DOCUMENTS; d++) {
        bool here = false;
        for (int w = 0; w < WORDS; w++) {
            left += words_of[d][w] == a;
            right += words_of[d][w] == b;
            bool pair = w > 0 && words_of[d][w - 1] == a && words_of[d][w] == b;
            both += pair;
            here = here || pair;
        }
        documents += here;
    }
    return both >= 10 && documents >= 3 &&
           (log(both) + log(all) - log(left) - log(right)) / (log(all) - log(both)) >= 0.5;
}

static cobloc_text_options options(void)
{
    cobloc_text_options o;
    cob_text_options_default(&o);
    o.language = "none";
    o.min_df = o.max_df = 1;
    o.phrases = 1;
    return o;
}

static double entry(const cobloc_matrix *m, int64_t row, const char *name)
{
    cobloc_view rows = cobloc_matrix_by_rows(m);
    for (int64_t e = rows.offsets[row]; e < rows.offsets[row + 1]; e++)
        if (strcmp(cobloc_matrix_col_name(m, rows.indices[e]), name) == 0)
            return cobloc_view_value(&rows, e);
    return 0;
}

/* The counts of a document: phrases from left to right, then what is left. */
static void brute_row(int d, double single[VOCABULARY], double pair[VOCABULARY][VOCABULARY])
{
    memset(single, 0, VOCABULARY * sizeof *single);
    memset(pair, 0, VOCABULARY * sizeof *pair);
    for (int w = 0; w < WORDS; w++) {
        int a = words_of[d][w], b = w + 1 < WORDS ? words_of[d][w + 1] : -1;
        if (b >= 0 && brute_is_phrase(a, b)) {
            pair[a][b]++;
            w++;
        } else {
            single[a]++;
        }
    }
}

static void as_by_brute_force(void **state)
{
    (void)state;
    cobloc_text_options o = options();
    cobloc_matrix *m = NULL;
    cobloc_text_info info;
    cobloc_error err;
    int phrases = 0;
    make_documents();
    for (int threads = 1; threads <= 3; threads += 2) {
        o.threads = threads;
        assert_ok(cob_text_count(list, NULL, DOCUMENTS, &o, &m, &info, &err), err);
        phrases = 0;
        for (int a = 0; a < VOCABULARY; a++)
            for (int b = 0; b < VOCABULARY; b++)
                phrases += brute_is_phrase(a, b);
        assert_true(phrases >= 1);
        assert_int_equal(info.phrases, phrases);
        for (int d = 0; d < DOCUMENTS; d++) {
            double single[VOCABULARY], pair[VOCABULARY][VOCABULARY];
            brute_row(d, single, pair);
            for (int a = 0; a < VOCABULARY; a++) {
                char name[16];
                snprintf(name, sizeof name, "w%c%c", 'a' + a, 'a' + a);
                assert_true(entry(m, d, name) == single[a]);
                for (int b = 0; b < VOCABULARY; b++) {
                    snprintf(name, sizeof name, "w%c%c w%c%c", 'a' + a, 'a' + a, 'a' + b, 'a' + b);
                    assert_true(entry(m, d, name) == pair[a][b]);
                }
            }
        }
        cobloc_matrix_free(m);
    }
}

/* New documents get the same phrases, whatever is in them. */
static void again_from_settings(void **state)
{
    (void)state;
    cobloc_text_options o = options(), *again = NULL;
    cobloc_matrix *m = NULL, *n = NULL;
    cobloc_error err;
    make_documents();
    assert_ok(cob_text_count(list, NULL, DOCUMENTS, &o, &m, NULL, &err), err);
    assert_ok(cobloc_text_options_from_json(cobloc_matrix_text(m), &again, &err), err);
    const char *terms[VOCABULARY * 2];
    int64_t count = cobloc_matrix_cols(m);
    for (int64_t j = 0; j < count; j++)
        terms[j] = cobloc_matrix_col_name(m, j);
    assert_ok(cobloc_set_texts(again, "vocabulary", terms, count, &err), err);
    const char *fresh[] = {"waa wbb wkk", "wkk waa"};
    assert_ok(cob_text_count(fresh, NULL, 2, again, &n, NULL, &err), err);
    assert_true(entry(n, 0, "waa wbb") == 1 && entry(n, 0, "waa") == 0 && entry(n, 0, "wkk") == 1);
    assert_true(entry(n, 1, "waa wbb") == 0 && entry(n, 1, "waa") == 1 && entry(n, 1, "wkk") == 1);
    cobloc_text_options_free(again);
    cobloc_matrix_free(m);
    cobloc_matrix_free(n);
}

static void not_with_ngrams(void **state)
{
    (void)state;
    cobloc_text_options o = options();
    cobloc_matrix *m = NULL;
    cobloc_error err;
    make_documents();
    o.ngrams_to = 2;
    assert_int_equal(cob_text_count(list, NULL, DOCUMENTS, &o, &m, NULL, &err),
                     COBLOC_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_by_brute_force),
        cmocka_unit_test(again_from_settings),
        cmocka_unit_test(not_with_ngrams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
