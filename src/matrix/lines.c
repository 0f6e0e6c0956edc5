/* Hard lines of counts. Other files include this one to compile it for other processors.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/lines.h"

#include "base/vectors.h"
#include "matrix/tally.h"

#include <math.h>
#include <string.h>

#ifndef COB_LINES_VARIANT
#define COB_LINES_VARIANT cob_lines_portable
#endif

/* Lines are scored side by side, one in each lane of a register. Vectors are as wide as those of
 * the processor; compilers split wider ones. */
#if defined(__AVX512F__)
enum { LANES = 8 };
#define IN_LANES(x)                                                                                \
    {                                                                                              \
        x, x, x, x, x, x, x, x                                                                     \
    }
#elif defined(__AVX2__)
enum { LANES = 4 };
#define IN_LANES(x)                                                                                \
    {                                                                                              \
        x, x, x, x                                                                                 \
    }
#else
enum { LANES = 2 };
#define IN_LANES(x)                                                                                \
    {                                                                                              \
        x, x                                                                                       \
    }
#endif
typedef double numbers __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));
typedef int64_t bits __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));

/* Clusters of one line, four at a time. */
typedef int32_t four __attribute__((vector_size(4 * sizeof(int32_t)), aligned(4), may_alias));

/* Where the sums of a line are stored. */
COB_INLINE int32_t *sums_of(const cob_hard *h, int64_t line, int32_t *parts, int wide)
{
    return h->sums ? h->sums + line * wide : parts;
}

/* The sums of each line; in two parts unless whole[i]. */
static void count_batch(const cob_hard *h, const int64_t *lines, int count, const cob_desk *desk,
                        bool *whole)
{
    int wide = cob_wide(h->from);
    bool packed = TALLY_LANES == 0 && h->from <= COB_PACKED && h->view->kind <= COBLOC_U8;
    for (int i = 0; i < count; i++) {
        int32_t *parts = desk->counts + 2 * wide * i;
        whole[i] = tally_in_lanes(h->view, lines[i], h->other_labels, wide,
                                  sums_of(h, lines[i], parts, wide));
        if (whole[i])
            continue;
        memset(parts, 0, 2 * (size_t)wide * sizeof *parts);
        if (packed)
            cob_count_packed(h->view, lines[i], h->other_labels, parts);
        else
            tally_in_memory(h->view, h->view->offsets[lines[i]], h->view->offsets[lines[i] + 1],
                            h->other_labels, wide, parts);
    }
}

/* Lines that are scored together. If they are fewer than the lanes, the last one fills the rest. */
typedef struct group {
    int count;
    int64_t lines[LANES];
    int32_t *sums[LANES];
    double *by_cluster, *scores; /* a number for each lane, cluster after cluster */
} group;

/* Joins the two parts of the sums of each line, in h->sums if they are to be kept. */
COB_INLINE group join_sums(const cob_hard *h, const int64_t *lines, const bool *whole, int count,
                           int32_t *counts, int wide)
{
    group g = {.count = count};
    for (int i = 0; i < LANES; i++) {
        int one = i < count ? i : count - 1;
        int32_t *parts = counts + 2 * wide * one;
        g.lines[i] = lines[one];
        g.sums[i] = sums_of(h, lines[one], parts, wide);
        for (int l = 0; l < wide && !whole[one] && i < count; l += 4)
            *(four *)(g.sums[i] + l) =
                *(const four *)(parts + l) + *(const four *)(parts + wide + l);
    }
    return g;
}

#if defined(__AVX2__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define TRANSPOSES_IN_REGISTERS
#endif
#endif

/* Transposes the sums, from line after line to cluster after cluster, as doubles. */
#ifdef TRANSPOSES_IN_REGISTERS
typedef double four_numbers __attribute__((vector_size(4 * sizeof(double)), aligned(8), may_alias));

COB_INLINE void transpose_four(int32_t *const *lines, int l, double *to)
{
    four a = *(const four *)(lines[0] + l), b = *(const four *)(lines[1] + l);
    four c = *(const four *)(lines[2] + l), d = *(const four *)(lines[3] + l);
    four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    four ef = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    four gh = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    four columns[4] = {
        __builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
        __builtin_shufflevector(ef, gh, 0, 1, 4, 5), __builtin_shufflevector(ef, gh, 2, 3, 6, 7)};
    for (int i = 0; i < 4; i++)
        *(four_numbers *)(to + i * LANES) = __builtin_convertvector(columns[i], four_numbers);
}

COB_INLINE void transpose_sums(const group *g, int from)
{
    for (int l = 0; l < from; l += 4)
        for (int i = 0; i < LANES; i += 4)
            transpose_four(g->sums + i, l, g->by_cluster + l * LANES + i);
}
#else
COB_INLINE void transpose_sums(const group *g, int from)
{
    for (int l = 0; l < from; l++)
        for (int i = 0; i < LANES; i++)
            g->by_cluster[l * LANES + i] = g->sums[i][l];
}
#endif

/* The best score of each lane, its cluster (the first one of a tie), and the second best. */
typedef struct best {
    numbers most, next;
    bits cluster;
} best;

COB_INLINE void update_best(best *b, numbers score, int k)
{
    bits more = score > b->most, over = score > b->next;
    bits next =
        (more & (bits)b->most) | (~more & over & (bits)score) | (~more & ~over & (bits)b->next);
    b->next = (numbers)next;
    b->most = (numbers)((more & (bits)score) | (~more & (bits)b->most));
    b->cluster = (more & ((bits)IN_LANES(k))) | (~more & b->cluster);
}

COB_INLINE void score_diagonal(const cob_rule *rule, const group *g, numbers effects, best *found)
{
    for (int k = 0; k < rule->to; k++) {
        numbers sums = *(const numbers *)(g->by_cluster + k * LANES);
        numbers score = sums * rule->A[k] + rule->b[k] * effects + rule->e[k];
        *(numbers *)(g->scores + k * LANES) = score;
        update_best(found, score, k);
    }
}

/* Several clusters are scored at a time, because each addition waits for the one before: as many as
 * there are registers for. */
#if defined(__AVX512F__)
enum { CLUSTERS_AT_A_TIME = 8 };
#else
enum { CLUSTERS_AT_A_TIME = 4 };
#endif

COB_INLINE void score_some(const cob_rule *rule, const group *g, numbers effects, int k, int count,
                           best *found)
{
    numbers scores[CLUSTERS_AT_A_TIME];
    for (int i = 0; i < count; i++)
        scores[i] = rule->b[k + i] * effects + rule->e[k + i];
    for (int l = 0; l < rule->from; l++) {
        numbers sums = *(const numbers *)(g->by_cluster + l * LANES);
        const double *A = rule->A + (int64_t)l * rule->to + k;
        for (int i = 0; i < count; i++)
            scores[i] += A[i] * sums;
    }
    for (int i = 0; i < count; i++) {
        *(numbers *)(g->scores + (k + i) * LANES) = scores[i];
        update_best(found, scores[i], k + i);
    }
}

COB_INLINE best score_group(const cob_hard *h, const group *g)
{
    const cob_rule *rule = h->rule;
    best found = {IN_LANES(-INFINITY), IN_LANES(-INFINITY), IN_LANES(0)};
    numbers effects;
    for (int i = 0; i < LANES; i++)
        effects[i] = h->effects[g->lines[i]];
    if (rule->diagonal) {
        score_diagonal(rule, g, effects, &found);
        return found;
    }
    int k = 0;
    for (; k + CLUSTERS_AT_A_TIME <= rule->to; k += CLUSTERS_AT_A_TIME)
        score_some(rule, g, effects, k, CLUSTERS_AT_A_TIME, &found);
    for (; k + 2 <= rule->to; k += 2)
        score_some(rule, g, effects, k, 2, &found);
    if (k < rule->to)
        score_some(rule, g, effects, k, 1, &found);
    return found;
}

/* The rows of a chunk's block are as wide as the sums. */
COB_INLINE void add_line(const cob_hard *h, cob_part *c, int64_t line, int k, const int32_t *sums,
                         int wide, double sign)
{
    double *row = c->block + (int64_t)k * wide;
    COB_SIMD
    for (int l = 0; l < wide; l++)
        row[l] += sign * sums[l];
    c->sizes[k] += sign;
    c->masses[k] += sign * h->effects[line];
}

COB_INLINE void move_line(const cob_hard *h, cob_part *c, int64_t line, int to, const int32_t *sums,
                          int wide)
{
    add_line(h, c, line, h->labels[line], sums, wide, -1);
    add_line(h, c, line, to, sums, wide, 1);
    h->labels[line] = to;
    c->moved++;
}

COB_INLINE void update_keeper(cob_part *c, int64_t line, int own, double loss)
{
    if (c->keepers[own].line < 0 || loss < c->keepers[own].loss)
        c->keepers[own] = (cob_keeper){line, loss};
}

/* The new cluster of a line; in a tie, it keeps its own. */
COB_INLINE int choose(const cob_hard *h, cob_part *c, const group *g, const best *found, int i)
{
    int64_t line = g->lines[i];
    if (h->fixed && h->fixed[line] >= 0) {
        if (h->slack)
            h->slack[line] = INFINITY;
        return h->fixed[line];
    }
    int own = h->labels[line];
    double of_own = g->scores[own * LANES + i];
    int chosen = of_own == found->most[i] ? own : (int)found->cluster[i];
    update_keeper(c, line, own, found->most[i] - of_own);
    if (h->slack)
        h->slack[line] = found->most[i] - found->next[i] +
                         h->effects[line] * (h->drift[chosen] - h->round_A) +
                         (h->shift[chosen] - h->round_e);
    return chosen;
}

static void process_group(const cob_hard *h, cob_part *c, const group *g)
{
    int wide = cob_wide(h->from);
    if (h->keep) {
        for (int i = 0; i < g->count; i++)
            add_line(h, c, g->lines[i], h->labels[g->lines[i]], g->sums[i], wide, 1);
        return;
    }
    transpose_sums(g, h->from);
    best found = score_group(h, g);
    for (int i = 0; i < g->count; i++) {
        int chosen = choose(h, c, g, &found, i);
        if (chosen != h->labels[g->lines[i]])
            move_line(h, c, g->lines[i], chosen, g->sums[i], wide);
    }
}

static void process_batch(const cob_hard *h, cob_part *c, const int64_t *lines, int count,
                          const cob_desk *desk)
{
    int wide = cob_wide(h->from);
    bool whole[COB_BATCH];
    memset(whole, true, sizeof whole);
    if (!h->summed)
        count_batch(h, lines, count, desk, whole);
    for (int first = 0; first < count; first += LANES) {
        int some = count - first < LANES ? count - first : LANES;
        group g =
            join_sums(h, lines + first, whole + first, some, desk->counts + 2 * wide * first, wide);
        g.by_cluster = desk->sums;
        g.scores = desk->scores;
        process_group(h, c, &g);
    }
}

static void hard_lines(const cob_hard *h, cob_part *c, const cob_desk *desk)
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
            process_batch(h, c, batch, count, desk);
            count = 0;
        }
    }
    process_batch(h, c, batch, count, desk);
    c->looked = h->summed ? 0 : looked;
}

cob_lines_fn *const COB_LINES_VARIANT = hard_lines;
