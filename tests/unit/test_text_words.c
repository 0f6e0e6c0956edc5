/* The table of words and the order of terms: words that collide, tables that widen, n-grams against
 * a plain sort of their names.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "base/alloc.h"
#include "text/terms.h"

/* ---- words ----------------------------------------------------------------------------------- */

/* Finds a word whose slack holds something else each time. */
static cobloc_status find_word(cob_words *words, const char *word, size_t length,
                               cob_word_slot **slot, cobloc_error *err)
{
    static unsigned char rubbish;
    char room[300 + COB_WORD_SLACK];
    memset(room, ++rubbish, sizeof room);
    memcpy(room, word, length);
    return cob_words_find(words, cob_word_key_of(room, length), room, length, slot, err);
}

static int32_t number_of(cob_words *words, const char *word, size_t length)
{
    cobloc_error err;
    cob_word_slot *slot = NULL;
    assert_ok(find_word(words, word, length, &slot, &err), err);
    slot->count++;
    return slot->number;
}

/* Words of 1 to 40 bytes, all different. */
static size_t spell_number(int i, char word[64])
{
    size_t length = 0;
    for (int rest = i; rest > 0 || length == 0; rest /= 26)
        word[length++] = (char)('a' + rest % 26);
    size_t padding = (size_t)(i % 4) * 9;
    memset(word + length, '_', padding);
    return length + padding;
}

static void words_keep_their_numbers(void **state)
{
    enum { WORDS = 60000 };
    cob_words words = {0};
    char word[64];
    (void)state;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < WORDS; i++) {
            size_t length = spell_number(i, word);
            assert_int_equal(number_of(&words, word, length), i);
        }
    assert_int_equal(words.count, WORDS);
    for (int i = 0; i < WORDS; i += 97) {
        word[spell_number(i, word)] = '\0';
        assert_string_equal(cob_word_text(&words, (size_t)i), word);
    }
    cob_words_free(&words);
}

/* Two words of 24 bytes with the same hash, and all beginnings of one of them. */
static void words_may_collide(void **state)
{
    cob_words words = {0};
    char one[] = "abcdefghijklmnopqrstuvwx", two[] = "........ijklmnopyzabcdef";
    (void)state;
    /* The hash takes the last eight bytes, then the first: each step can be undone. */
    uint64_t first = cob_load8(one) ^ cob_load8(one + 16) ^ cob_load8(two + 16);
    memcpy(two, &first, sizeof first);
    assert_true(cob_word_key_of(one, 24).first == cob_word_key_of(two, 24).first);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(number_of(&words, one, 24), 0);
        assert_int_equal(number_of(&words, two, 24), 1);
        for (int length = 1; length < 24; length++)
            assert_int_equal(number_of(&words, one, (size_t)length), 1 + length);
    }
    cob_words_update_list(&words);
    for (size_t w = 0; w < words.count; w++)
        assert_int_equal(words.list[w].count, 2);
    cob_words_free(&words);
}

static void failing_allocations(void **state)
{
    (void)state;
    for (long k = 0, failed = 1; failed; k++) {
        cob_words words = {0};
        cobloc_error err;
        cobloc_status status = COBLOC_OK;
        cob_alloc_fail_at(k);
        for (int i = 0; i < 3000 && status == COBLOC_OK; i++) {
            char word[64];
            cob_word_slot *slot;
            size_t length = spell_number(i, word);
            status = find_word(&words, word, length, &slot, &err);
        }
        failed = allocation_failed(k, status, &err, 10);
        cob_words_free(&words);
    }
}

/* ---- order ----------------------------------------------------------------------------------- */

typedef struct named {
    char name[96];
    int32_t term;
} named;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

/* Terms of one to three words out of a few letters, in any order, against qsort by their names. */
static void order_is_that_of_names(void **state)
{
    enum { MOST = 4000 };
    static named list[MOST];
    static int32_t order[MOST], best[MOST];
    uint32_t random = 5;
    (void)state;
    for (int round = 0; round < 40; round++) {
        cob_words words = {0};
        cob_terms terms = {0};
        cobloc_error err;
        int wanted = round < 20 ? 1 + round * 3 : 2000,
            single = round % 2 ? wanted : wanted / 3 + 1;
        for (int tries = 0; tries < wanted * 2 && (int)terms.count < wanted; tries++) {
            random = random * 1664525 + 1013904223;
            int32_t term, count = (int32_t)terms.count, key;
            char word[64];
            if (count < single) {
                size_t length = 1 + (random >> 8) % (round % 3 ? 12 : 20);
                for (size_t i = 0; i < length; i++) /* long words share their beginnings */
                    word[i] = i < 9 && length > 9 ? 'q' : "ab.\xC3\xA9"[(random >> (i % 13)) % 5];
                key = number_of(&words, word, length);
                assert_ok(cob_terms_word(&terms, &words, key, &term, &err), err);
                best[term] = key;
            } else {
                int32_t left = (int32_t)((random >> 8) % (uint32_t)count),
                        right = (int32_t)((random >> 16) % (uint32_t)count);
                bool long_enough =
                    terms.list[left].right >= 0 && terms.list[terms.list[left].left].right >= 0;
                if (!long_enough && terms.list[right].right < 0)
                    assert_ok(cob_terms_pair(&terms, left, right, &term, &err), err);
            }
        }
        for (int32_t t = 0; t < (int32_t)terms.count; t++) {
            const cob_term *term = &terms.list[t];
            list[t].term = t;
            if (term->right < 0)
                strcpy(list[t].name, cob_word_text(&words, (size_t)best[t]));
            else /* the parts are older */
                snprintf(list[t].name, sizeof list[t].name, "%.60s %.20s", list[term->left].name,
                         list[term->right].name);
        }
        qsort(list, terms.count, sizeof *list, by_name);
        assert_ok(cob_terms_order(&words, &terms, best, order, &err), err);
        for (size_t i = 0; i < terms.count; i++)
            assert_int_equal(order[i], list[i].term);
        cob_terms_free(&terms);
        cob_words_free(&words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_keep_their_numbers),
        cmocka_unit_test(words_may_collide),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(order_is_that_of_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
