/* Hard lines of counts. Other files include this one to compile it for other processors.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/lines.h"

#include <math.h>
#include <string.h>

#ifndef COB_LINES_VARIANT
#define COB_LINES_VARIANT cob_lines_portable
#endif

/* Writes the sums as numbers. Neighbouring entries often fall into the same cluster, and each
 * addition would wait for the one before: so every other entry goes to the second half. */
#define SUM_COUNTS(value)                                                                          \
    do {                                                                                           \
        for (; e + 1 < last; e += 2) {                                                             \
            counts[labels[indices[e]]] += value(e);                                                \
            spare[labels[indices[e + 1]]] += value(e + 1);                                         \
        }                                                                                          \
        if (e < last)                                                                              \
            counts[labels[indices[e]]] += value(e);                                                \
    } while (0)
#define ONE(e) 1
#define U8(e) ((const uint8_t *)view->values)[e]
#define U16(e) ((const uint16_t *)view->values)[e]

/* Numbers and their bits, a whole register of them (or as many registers as that takes). */
typedef double numbers
    __attribute__((vector_size(COB_LANES * sizeof(double)), aligned(8), may_alias));
typedef int64_t bits
    __attribute__((vector_size(COB_LANES * sizeof(double)), aligned(8), may_alias));
typedef int32_t integers
    __attribute__((vector_size(COB_LANES * sizeof(int32_t)), aligned(4), may_alias));

/* Two parts of the sums of a line, which are 0 before. */
static inline void count_line(const cobloc_view *view, int64_t line, const uint8_t *labels,
                              int wide, int32_t *restrict counts)
{
    const int32_t *restrict indices = view->indices;
    int64_t e = view->offsets[line], last = view->offsets[line + 1];
    int32_t *restrict spare = counts + wide;
    if (view->kind == COBLOC_ONES)
        SUM_COUNTS(ONE);
    else if (view->kind == COBLOC_U8)
        SUM_COUNTS(U8);
    else
        SUM_COUNTS(U16);
}

static void count_batch(const cob_hard *h, const int64_t *lines, int count, const cob_desk *desk)
{
    int wide = cob_wide(h->from);
    bool packed = h->from <= COB_PACKED && h->view->kind <= COBLOC_U8;
    memset(desk->counts, 0, (size_t)(2 * wide * count) * sizeof *desk->counts);
    for (int i = 0; i < count; i++) {
        int32_t *counts = desk->counts + 2 * wide * i;
        if (packed)
            cob_count_packed(h->view, lines[i], h->other_labels, counts);
        else
            count_line(h->view, lines[i], h->other_labels, wide, counts);
    }
}

/* The sums of a line as numbers; they are kept where that is wanted. */
static inline void sum_line(const cob_hard *h, int64_t line, const int32_t *counts,
                            const cob_desk *desk)
{
    int wide = cob_wide(h->from);
    int32_t *kept = h->sums ? h->sums + line * wide : NULL;
    for (int l = 0; l < wide; l += COB_LANES) {
        integers sums;
        if (h->summed) {
            sums = *(const integers *)(kept + l);
        } else {
            sums = *(const integers *)(counts + l) + *(const integers *)(counts + wide + l);
            if (kept)
                *(integers *)(kept + l) = sums;
        }
        *(numbers *)(desk->sums + l) = __builtin_convertvector(sums, numbers);
    }
}

/* The scores of `count` registers of clusters from k on. Several at a time: each addition has to
 * wait for the one before. */
static inline void score_some(const cob_hard *h, double effect, const cob_desk *desk, int k,
                              int count)
{
    enum { MOST = 4 };
    int wide = cob_wide(h->to);
    numbers scores[MOST];
    for (int i = 0; i < count; i++)
        scores[i] = *(const numbers *)(h->b + k + i * COB_LANES) * effect +
                    *(const numbers *)(h->e + k + i * COB_LANES);
    for (int l = 0; l < h->from; l++)
        for (int i = 0; i < count; i++)
            scores[i] +=
                *(const numbers *)(h->A + (int64_t)l * wide + k + i * COB_LANES) * desk->sums[l];
    for (int i = 0; i < count; i++)
        *(numbers *)(desk->scores + k + i * COB_LANES) = scores[i];
}

static inline void score_line(const cob_hard *h, double effect, const cob_desk *desk)
{
    int wide = cob_wide(h->to);
    const double *sums = desk->sums;
    if (h->diagonal) {
        for (int k = 0; k < wide; k += COB_LANES)
            *(numbers *)(desk->scores + k) =
                *(const numbers *)(sums + k) * *(const numbers *)(h->A + k) +
                *(const numbers *)(h->b + k) * effect + *(const numbers *)(h->e + k);
        return;
    }
    int k = 0;
    for (; wide - k > 3 * COB_LANES; k += 4 * COB_LANES)
        score_some(h, effect, desk, k, 4);
    if (wide - k == 3 * COB_LANES)
        score_some(h, effect, desk, k, 3);
    else if (wide - k == 2 * COB_LANES)
        score_some(h, effect, desk, k, 2);
    else if (wide - k == COB_LANES)
        score_some(h, effect, desk, k, 1);
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The largest score of all clusters but one. */
static inline double largest_but(const double *scores, int wide, int64_t but)
{
    static const bits lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    static const numbers none = {-INFINITY, -INFINITY, -INFINITY, -INFINITY,
                                 -INFINITY, -INFINITY, -INFINITY, -INFINITY};
    numbers most = none;
    double m[COB_LANES];
    for (int k = 0; k < wide; k += COB_LANES) {
        numbers next = *(const numbers *)(scores + k);
        bits more = (next > most) & (lanes != but - k);
        most = (numbers)((more & (bits)next) | (~more & (bits)most));
    }
    memcpy(m, &most, sizeof m);
    return larger(larger(larger(m[0], m[4]), larger(m[2], m[6])),
                  larger(larger(m[1], m[5]), larger(m[3], m[7])));
}

/* The cluster of the largest score; of equal ones the line's own, else the first. */
static inline int best_of(const double *scores, double most, int own)
{
    int best = 0;
    if (scores[own] == most)
        return own;
    while (scores[best] != most)
        best++;
    return best;
}

static void move_line(const cob_hard *h, cob_chunk *c, int64_t line, int to, const double *sums)
{
    int from = h->labels[line];
    double *old_row = c->block + (int64_t)from * h->from;
    double *new_row = c->block + (int64_t)to * h->from;
    for (int l = 0; l < h->from; l++) {
        old_row[l] -= sums[l];
        new_row[l] += sums[l];
    }
    c->sizes[from] -= 1;
    c->sizes[to] += 1;
    c->masses[from] -= h->effects[line];
    c->masses[to] += h->effects[line];
    h->labels[line] = to;
    c->moved++;
}

static inline void note_keeper(cob_chunk *c, int64_t line, int own, double loss)
{
    if (c->keepers[own].line < 0 || loss < c->keepers[own].loss)
        c->keepers[own] = (cob_keeper){line, loss};
}

static void add_line(const cob_hard *h, cob_chunk *c, int64_t line, const double *sums)
{
    int own = h->labels[line];
    double *row = c->block + (int64_t)own * h->from;
    for (int l = 0; l < h->from; l++)
        row[l] += sums[l];
    c->sizes[own] += 1;
    c->masses[own] += h->effects[line];
}

/* The new cluster of a line. */
static inline int choose(const cob_hard *h, cob_chunk *c, int64_t line, const cob_desk *desk)
{
    int own = h->labels[line], wide = cob_wide(h->to);
    double effect = h->effects[line], *scores = desk->scores;
    if (h->fixed && h->fixed[line] >= 0) {
        if (h->slack)
            h->slack[line] = INFINITY;
        return h->fixed[line];
    }
    score_line(h, effect, desk);
    double most = largest_but(scores, wide, -1);
    int best = best_of(scores, most, own);
    note_keeper(c, line, own, most - scores[own]);
    if (h->slack)
        h->slack[line] = most - largest_but(scores, wide, best) +
                         effect * (h->drift[best] - h->round_A) + (h->shift[best] - h->round_e);
    return best;
}

static void take_batch(const cob_hard *h, cob_chunk *c, const int64_t *lines, int count,
                       const cob_desk *desk)
{
    int wide = cob_wide(h->from);
    if (!h->summed)
        count_batch(h, lines, count, desk);
    for (int i = 0; i < count; i++) {
        sum_line(h, lines[i], desk->counts + 2 * wide * i, desk);
        if (h->keep) {
            add_line(h, c, lines[i], desk->sums);
            continue;
        }
        int best = choose(h, c, lines[i], desk);
        if (best != h->labels[lines[i]])
            move_line(h, c, lines[i], best, desk->sums);
    }
}

static void hard_lines(const cob_hard *h, cob_chunk *c, const cob_desk *desk)
{
    int64_t batch[COB_BATCH], looked = 0;
    int count = 0;
    for (int64_t line = c->first; line < c->last; line++) {
        int own = h->labels[line];
        if (h->skip && h->slack[line] > h->effects[line] * h->drift[own] + h->shift[own])
            continue;
        looked += h->view->offsets[line + 1] - h->view->offsets[line];
        batch[count++] = line;
        if (count == COB_BATCH) {
            take_batch(h, c, batch, count, desk);
            count = 0;
        }
    }
    take_batch(h, c, batch, count, desk);
    c->looked = h->summed ? 0 : looked;
}

cob_lines_fn *const COB_LINES_VARIANT = hard_lines;
