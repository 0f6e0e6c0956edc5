/* Terms in alphabetical order.
 *
 * Words are sorted eight bytes at a time. N-grams are not compared by bytes: they form a tree in
 * which a term's children have one word more. Visiting the children of each term in the order of
 * their last words gives the order of all.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text/terms.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>

/* ---- sorting --------------------------------------------------------------------------------- */

typedef struct keyed {
    uint64_t key;
    int32_t term;
} keyed;

static void insert_by_key(keyed *list, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        keyed moved = list[i];
        int64_t to = i;
        for (; to > 0 && list[to - 1].key > moved.key; to--)
            list[to] = list[to - 1];
        list[to] = moved;
    }
}

enum { FEW = 48, DIGITS = 8, DIGIT_VALUES = 256 };

/* Radix sort by the bytes of the keys, from the last; bytes that are equal in all keys are skipped.
 */
static void sort_many(keyed *list, keyed *room, int64_t count)
{
    int64_t counts[DIGITS][DIGIT_VALUES] = {{0}};
    keyed *from = list, *to = room;
    for (int64_t i = 0; i < count; i++)
        for (int d = 0; d < DIGITS; d++)
            counts[d][list[i].key >> 8 * d & 255]++;
    for (int d = 0; d < DIGITS; d++) {
        int64_t place = 0;
        if (counts[d][list[0].key >> 8 * d & 255] == count)
            continue;
        for (int v = 0; v < DIGIT_VALUES; v++) {
            int64_t of_value = counts[d][v];
            counts[d][v] = place;
            place += of_value;
        }
        for (int64_t i = 0; i < count; i++)
            to[counts[d][from[i].key >> 8 * d & 255]++] = from[i];
        keyed *swap = from;
        from = to;
        to = swap;
    }
    if (from != list)
        memcpy(list, from, (size_t)count * sizeof *list);
}

static void sort_by_key(keyed *list, keyed *room, int64_t count)
{
    if (count <= FEW)
        insert_by_key(list, count);
    else
        sort_many(list, room, count);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Eight bytes of a word from `at` on, most significant first, padded with zeros. */
static uint64_t bytes_at(const cob_words *words, int32_t number, size_t at)
{
    const cob_word *word = &words->list[number];
    if (at >= word->length)
        return 0;
    size_t left = word->length - at;
    uint64_t bytes = cob_load_first(words->text + word->text + at, left < 8 ? left : 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

/* Sorts single-word terms that are equal before byte `at`. */
static void sort_words(const cob_words *words, const int32_t *best, size_t at, keyed *list,
                       keyed *room, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        list[i].key = bytes_at(words, best[list[i].term], at);
    sort_by_key(list, room, count);
    for (int64_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && list[next].key == list[i].key;)
            next++;
        if (next > i + 1)
            sort_words(words, best, at + 8, list + i, room, next - i);
    }
}

/* ---- n-grams --------------------------------------------------------------------------------- */

/* The n-grams, with the children of each term contiguous and in order. */
typedef struct tree {
    const keyed *list; /* key: the parent, then the rank of the last word */
    int64_t count;
    const int64_t *first; /* first child of each term; -1: none */
    int32_t *order;
    int64_t placed;
} tree;

static void place(tree *t, int32_t term)
{
    t->order[t->placed++] = term;
    if (t->first[term] < 0)
        return;
    for (int64_t i = t->first[term]; i < t->count && t->list[i].key >> 32 == (uint32_t)term; i++)
        place(t, t->list[i].term);
}

static cobloc_status order_ngrams(const cob_terms *terms, keyed *list, keyed *room,
                                  int64_t word_count, int32_t *order, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint32_t *rank = NULL;
    int64_t *first = NULL, all = (int64_t)terms->count;
    keyed *ngrams = list + word_count;
    tree t = {ngrams, all - word_count, NULL, order, 0};
    COB_NEW(rank, all);
    COB_NEW(first, all);
    for (int64_t i = 0; i < word_count; i++)
        rank[list[i].term] = (uint32_t)i;
    for (int64_t i = 0; i < t.count; i++) {
        const cob_term *term = &terms->list[ngrams[i].term];
        ngrams[i].key = (uint64_t)term->left << 32 | rank[term->right];
    }
    sort_by_key(ngrams, room, t.count);
    for (int64_t i = 0; i < all; i++)
        first[i] = -1;
    for (int64_t i = t.count - 1; i >= 0; i--)
        first[ngrams[i].key >> 32] = i;
    t.first = first;
    for (int64_t i = 0; i < word_count; i++)
        place(&t, list[i].term);
done:
    cob_free(rank);
    cob_free(first);
    return status;
}

cobloc_status cob_terms_order(const cob_words *words, const cob_terms *terms, const int32_t *best,
                              int32_t *order, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    keyed *list = NULL, *room = NULL;
    int64_t all = (int64_t)terms->count, singles = 0, ngrams = all;
    COB_NEW(list, all);
    COB_NEW(room, all);
    for (int32_t t = 0; t < all; t++)
        list[terms->list[t].right < 0 ? singles++ : --ngrams].term = t;
    sort_words(words, best, 0, list, room, singles);
    if (singles < all)
        status = order_ngrams(terms, list, room, singles, order, err);
    for (int64_t i = 0; singles == all && i < all; i++)
        order[i] = list[i].term;
done:
    cob_free(list);
    cob_free(room);
    return status;
}
