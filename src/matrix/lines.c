/* Hard lines of counts. Other files include this one to compile it for other processors.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/lines.h"

#include "base/vectors.h"

#include <math.h>
#include <string.h>

#ifndef COB_LINES_VARIANT
#define COB_LINES_VARIANT cob_lines_portable
#endif

/* Neighbouring entries often fall into the same cluster, and each addition would wait for the one
 * before: so every other entry goes to the second half. */
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

static const bits lane_numbers = {0, 1, 2, 3, 4, 5, 6, 7};

/* The same in every lane. */
#define lanes_of(x) ((bits){x, x, x, x, x, x, x, x})
#define numbers_of(x) ((numbers){x, x, x, x, x, x, x, x})

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
COB_INLINE void sum_line(const cob_hard *h, int64_t line, const int32_t *counts, int wide,
                         double *to)
{
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
        *(numbers *)(to + l) = __builtin_convertvector(sums, numbers);
    }
}

/* Where a line's sums are, and where its scores go. */
typedef struct scored {
    double effect;
    const double *sums;
    double *scores;
} scored;

COB_INLINE void score_diagonal(const cob_hard *h, scored s, int wide)
{
    for (int k = 0; k < wide; k += COB_LANES)
        *(numbers *)(s.scores + k) = *(const numbers *)(s.sums + k) * *(const numbers *)(h->A + k) +
                                     *(const numbers *)(h->b + k) * s.effect +
                                     *(const numbers *)(h->e + k);
}

/* The scores of two lines for `count` registers of clusters from k on: so many at a time because
 * each addition has to wait for the one before. */
COB_INLINE void score_some(const cob_hard *h, scored s, scored t, int wide, int k, int count)
{
    enum { MOST = 4 };
    numbers first[MOST], second[MOST];
    for (int i = 0; i < count; i++) {
        numbers b = *(const numbers *)(h->b + k + i * COB_LANES);
        numbers e = *(const numbers *)(h->e + k + i * COB_LANES);
        first[i] = b * s.effect + e;
        second[i] = b * t.effect + e;
    }
    for (int l = 0; l < h->from; l++)
        for (int i = 0; i < count; i++) {
            numbers A = *(const numbers *)(h->A + (int64_t)l * wide + k + i * COB_LANES);
            first[i] += A * s.sums[l];
            second[i] += A * t.sums[l];
        }
    for (int i = 0; i < count; i++) {
        *(numbers *)(s.scores + k + i * COB_LANES) = first[i];
        *(numbers *)(t.scores + k + i * COB_LANES) = second[i];
    }
}

COB_INLINE void score_two(const cob_hard *h, scored s, scored t, int wide)
{
    int k = 0;
    for (; wide - k > 3 * COB_LANES; k += 4 * COB_LANES)
        score_some(h, s, t, wide, k, 4);
    if (wide - k == 3 * COB_LANES)
        score_some(h, s, t, wide, k, 3);
    else if (wide - k == 2 * COB_LANES)
        score_some(h, s, t, wide, k, 2);
    else if (wide - k == COB_LANES)
        score_some(h, s, t, wide, k, 1);
}

COB_INLINE void score_batch(const cob_hard *h, const int64_t *lines, int count, int to, int from,
                            const cob_desk *desk)
{
    scored all[COB_BATCH];
    for (int i = 0; i < count; i++)
        all[i] = (scored){h->effects[lines[i]], desk->sums + from * i, desk->scores + to * i};
    for (int i = 0; i < count && h->diagonal; i++)
        score_diagonal(h, all[i], to);
    for (int i = 0; i < count && !h->diagonal; i += 2) /* a last one alone is taken twice */
        score_two(h, all[i], all[i + 1 < count ? i + 1 : i], to);
}

COB_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The largest score of all clusters but one. */
COB_INLINE double largest_but(const double *scores, int wide, int64_t but)
{
    numbers most = numbers_of(-INFINITY);
    double m[COB_LANES];
    for (int k = 0; k < wide; k += COB_LANES) {
        numbers next = *(const numbers *)(scores + k);
        bits more = (next > most) & (lane_numbers != but - k);
        most = (numbers)((more & (bits)next) | (~more & (bits)most));
    }
    memcpy(m, &most, sizeof m);
    return larger(larger(larger(m[0], m[4]), larger(m[2], m[6])),
                  larger(larger(m[1], m[5]), larger(m[3], m[7])));
}

/* The first cluster with this score; without a branch that nobody can foresee. */
COB_INLINE int first_with(const double *scores, int wide, double score)
{
    bits first = lanes_of(INT64_MAX);
    int64_t f[COB_LANES];
    for (int k = 0; k < wide; k += COB_LANES) {
        bits here = lane_numbers + k;
        bits found = (*(const numbers *)(scores + k) == score) & (here < first);
        first = (found & here) | (~found & first);
    }
    memcpy(f, &first, sizeof f);
    for (int half = COB_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            f[i] = f[i + half] < f[i] ? f[i + half] : f[i];
    return (int)f[0];
}

/* The cluster of the largest score; of equal ones the line's own, else the first. */
COB_INLINE int best_of(const double *scores, int wide, double most, int own)
{
    int first = first_with(scores, wide, most);
    return scores[own] == most ? own : first;
}

COB_INLINE void add_to_row(double *row, const double *sums, int wide, double sign)
{
    for (int l = 0; l < wide; l += COB_LANES)
        *(numbers *)(row + l) += *(const numbers *)(sums + l) * sign;
}

/* Rows of a chunk's block are as wide as sums. */
COB_INLINE void add_line(const cob_hard *h, cob_chunk *c, int64_t line, int k, const double *sums,
                         int wide, double sign)
{
    add_to_row(c->block + (int64_t)k * wide, sums, wide, sign);
    c->sizes[k] += sign;
    c->masses[k] += sign * h->effects[line];
}

COB_INLINE void move_line(const cob_hard *h, cob_chunk *c, int64_t line, int to, const double *sums,
                          int wide)
{
    add_line(h, c, line, h->labels[line], sums, wide, -1);
    add_line(h, c, line, to, sums, wide, 1);
    h->labels[line] = to;
    c->moved++;
}

COB_INLINE void note_keeper(cob_chunk *c, int64_t line, int own, double loss)
{
    if (c->keepers[own].line < 0 || loss < c->keepers[own].loss)
        c->keepers[own] = (cob_keeper){line, loss};
}

/* The new cluster of a line. */
COB_INLINE int choose(const cob_hard *h, cob_chunk *c, int64_t line, const double *scores, int wide)
{
    int own = h->labels[line];
    double effect = h->effects[line];
    if (h->fixed && h->fixed[line] >= 0) {
        if (h->slack)
            h->slack[line] = INFINITY;
        return h->fixed[line];
    }
    double most = largest_but(scores, wide, -1);
    int best = best_of(scores, wide, most, own);
    note_keeper(c, line, own, most - scores[own]);
    if (h->slack)
        h->slack[line] = most - largest_but(scores, wide, best) +
                         effect * (h->drift[best] - h->round_A) + (h->shift[best] - h->round_e);
    return best;
}

/* `to` and `from`: how wide they are. Where these are constants, the loops over clusters vanish. */
COB_INLINE void take_batch_of(const cob_hard *h, cob_chunk *c, const int64_t *lines, int count,
                              int to, int from, const cob_desk *desk)
{
    for (int i = 0; i < count; i++)
        sum_line(h, lines[i], desk->counts + 2 * from * i, from, desk->sums + from * i);
    if (h->keep) {
        for (int i = 0; i < count; i++)
            add_line(h, c, lines[i], h->labels[lines[i]], desk->sums + from * i, from, 1);
        return;
    }
    score_batch(h, lines, count, to, from, desk);
    for (int i = 0; i < count; i++) {
        int best = choose(h, c, lines[i], desk->scores + to * i, to);
        if (best != h->labels[lines[i]])
            move_line(h, c, lines[i], best, desk->sums + from * i, from);
    }
}

static void take_batch(const cob_hard *h, cob_chunk *c, const int64_t *lines, int count,
                       const cob_desk *desk)
{
    int to = cob_wide(h->to), from = cob_wide(h->from);
    if (!h->summed)
        count_batch(h, lines, count, desk);
    switch (to == from ? to / COB_LANES : 0) {
    case 1:
        take_batch_of(h, c, lines, count, COB_LANES, COB_LANES, desk);
        break;
    case 2:
        take_batch_of(h, c, lines, count, 2 * COB_LANES, 2 * COB_LANES, desk);
        break;
    case 3:
        take_batch_of(h, c, lines, count, 3 * COB_LANES, 3 * COB_LANES, desk);
        break;
    case 4:
        take_batch_of(h, c, lines, count, 4 * COB_LANES, 4 * COB_LANES, desk);
        break;
    default:
        take_batch_of(h, c, lines, count, to, from, desk);
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
