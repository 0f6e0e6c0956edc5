/* Lines with hard labels. Other files include this one to compile it for other processors.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/lines.h"

#include "base/vectors.h"
#include "matrix/tally.h"
#include "matrix/touched.h"

#include <math.h>
#include <string.h>

#ifndef COB_LINES_VARIANT
#define COB_LINES_VARIANT cob_lines_portable
#endif

/* Lines are scored side by side, one in each lane of a register. Vectors are as wide as those of
 * the processor; compilers split wider ones. */
#if defined(__AVX512F__)
enum { LANES = 8 };
#elif defined(__AVX2__)
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif
typedef double numbers __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));
typedef int64_t bits __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));

/* Clusters of one line, four at a time. */
typedef int32_t four __attribute__((vector_size(4 * sizeof(int32_t)), aligned(4), may_alias));

/* ---- sums ------------------------------------------------------------------------------------ */

/* Where the sums of a line are stored. */
COB_INLINE void *sums_of(const cob_hard *h, int64_t line, void *parts, int wide, bool longs)
{
    return h->sums ? cob_sum_place(h->sums, longs, line * wide) : parts;
}

/* The sums of each line; in two parts unless whole[i]. */
COB_INLINE void count_batch(const cob_hard *h, const int64_t *lines, int count, void *batch,
                            bool *whole, bool longs)
{
    const cobloc_view *view = h->pass->view;
    int from = h->pass->from, wide = cob_wide(from);
    tallied t = {view->kind, view->indices, view->values, h->other};
    for (int i = 0; i < count; i++) {
        void *parts = cob_sum_place(batch, longs, 2 * wide * i);
        int64_t first = view->offsets[lines[i]], last = view->offsets[lines[i] + 1];
        whole[i] = !longs &&
                   tally_in_lanes(&t, first, last, wide, sums_of(h, lines[i], parts, wide, longs));
        if (whole[i])
            continue;
        memset(parts, 0, 2 * (size_t)wide * (longs ? sizeof(int64_t) : sizeof(int32_t)));
        tally_in_memory(&t, longs, first, last, wide, parts);
    }
}

/* Lines that are scored together. If they are fewer than the lanes, the last one fills the rest. */
typedef struct group {
    int count;
    int64_t lines[LANES];
    void *sums[LANES];
    double *by_cluster, *scores; /* a number for each lane, cluster after cluster */
} group;

/* Joins the two parts of the sums of each line, in h->sums if they are to be kept. */
COB_INLINE void join_parts(const void *parts, int wide, void *sums, bool longs)
{
    COB_SIMD
    for (int l = 0; l < wide; l++) {
        if (longs)
            ((int64_t *)sums)[l] = cob_sum_get(parts, true, l) + cob_sum_get(parts, true, wide + l);
        else
            ((int32_t *)sums)[l] = ((const int32_t *)parts)[l] + ((const int32_t *)parts)[wide + l];
    }
}

COB_INLINE group join_sums(const cob_hard *h, const int64_t *lines, const bool *whole, int count,
                           void *batch, int wide, bool longs)
{
    group g = {.count = count};
    for (int i = 0; i < LANES; i++) {
        int one = i < count ? i : count - 1;
        void *parts = cob_sum_place(batch, longs, 2 * wide * one);
        g.lines[i] = lines[one];
        g.sums[i] = sums_of(h, lines[one], parts, wide, longs);
        if (!whole[one] && i < count)
            join_parts(parts, wide, g.sums[i], longs);
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

COB_INLINE void transpose_four(void *const *lines, int l, double *to)
{
    four a = *(const four *)((const int32_t *)lines[0] + l);
    four b = *(const four *)((const int32_t *)lines[1] + l);
    four c = *(const four *)((const int32_t *)lines[2] + l);
    four d = *(const four *)((const int32_t *)lines[3] + l);
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

COB_INLINE void transpose_counts(const group *g, int from)
{
    for (int l = 0; l < from; l += 4)
        for (int i = 0; i < LANES; i += 4)
            transpose_four(g->sums + i, l, g->by_cluster + l * LANES + i);
}
#endif

COB_INLINE void transpose_sums(const cob_hard *h, const group *g, int from, bool longs)
{
#ifdef TRANSPOSES_IN_REGISTERS
    if (!longs) { /* counts have a unit of 1 */
        transpose_counts(g, from);
        return;
    }
#endif
    for (int l = 0; l < from; l++)
        for (int i = 0; i < LANES; i++)
            g->by_cluster[l * LANES + i] = (double)cob_sum_get(g->sums[i], longs, l) * h->units[l];
}

/* ---- scores ---------------------------------------------------------------------------------- */

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
    b->cluster = (more & ((bits){0} + k)) | (~more & b->cluster);
}

COB_INLINE void score_diagonal(const cob_rule *rule, const group *g, numbers effects, best *found)
{
    for (int k = 0; k < rule->to; k++) {
        numbers sums = *(const numbers *)(g->by_cluster + k * LANES);
        numbers score = sums * rule->A[k] + rule->b[k] * effects + rule->e[k];
        for (int l = k + rule->to; l < rule->from; l += rule->to) /* of further layers */
            score += *(const numbers *)(g->by_cluster + l * LANES) * rule->A[l];
        *(numbers *)(g->scores + k * LANES) = score;
        update_best(found, score, k);
    }
}

/* Several clusters are scored at a time, because each addition waits for the one before: as many as
 * there are registers for. */
enum { CLUSTERS_AT_A_TIME = LANES == 8 ? 8 : 4 };

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

COB_INLINE best score_group(const cob_pass *pass, const group *g)
{
    const cob_rule *rule = pass->rule;
    const numbers least = (numbers){0} - INFINITY;
    best found = {least, least, {0}};
    numbers effects;
    for (int i = 0; i < LANES; i++)
        effects[i] = pass->effects[g->lines[i]];
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

/* ---- scores among many clusters -------------------------------------------------------------- */

/* A line touches few of many clusters. So it is scored by itself, by those of its sums that are not
 * 0; in each lane of a register is one cluster that it may choose. */
static bool are_many(const cob_rule *rule)
{
    enum { MANY_FROM = 32, MANY_TO = 32 };
    return !rule->diagonal && rule->from > MANY_FROM && rule->to >= MANY_TO;
}

/* Scores of the last lanes, and in the others none. */
COB_INLINE numbers keep_last(numbers scores, int count)
{
    numbers kept = scores;
    for (int i = 0; i < LANES; i++)
        kept[i] = i < LANES - count ? -INFINITY : scores[i];
    return kept;
}

/* The scores of clusters k and following, so many registers of them. Of the last register, `fresh`
 * clusters were not scored before. */
COB_INLINE void score_registers(const cob_rule *rule, const touched *t, double effect, int k,
                                int count, int fresh, double *scores, best *found)
{
    numbers some[CLUSTERS_AT_A_TIME];
    for (int i = 0; i < count; i++)
        some[i] = *(const numbers *)(rule->b + k + i * LANES) * effect +
                  *(const numbers *)(rule->e + k + i * LANES);
    for (int l = 0; l < t->count; l++) {
        const double *A = rule->A + (int64_t)t->clusters[l] * rule->to + k;
        for (int i = 0; i < count; i++)
            some[i] += *(const numbers *)(A + i * LANES) * t->sums[l];
    }
    for (int i = 0; i < count; i++) {
        *(numbers *)(scores + k + i * LANES) = some[i];
        update_best(found, fresh < LANES ? keep_last(some[i], fresh) : some[i], k + i * LANES);
    }
}

/* What a line is to choose by: its best score, the cluster that has it, and the next best. */
typedef struct choice {
    double most, next;
    int cluster;
    const double *scores; /* of all clusters, */
    int apart;            /* which stand so far apart */
} choice;

static void offer(choice *c, double score, int k)
{
    bool more = score > c->most || (score == c->most && k < c->cluster);
    double less = more ? c->most : score;
    c->next = less > c->next ? less : c->next;
    c->cluster = more ? k : c->cluster;
    c->most = more ? score : c->most;
}

static choice score_line(const cob_rule *rule, const touched *t, double effect, double *scores)
{
    const numbers least = (numbers){0} - INFINITY;
    best found = {least, least, {0}};
    choice c = {.most = -INFINITY, .next = -INFINITY, .scores = scores, .apart = 1};
    int k = 0;
    for (; k + CLUSTERS_AT_A_TIME * LANES <= rule->to; k += CLUSTERS_AT_A_TIME * LANES)
        score_registers(rule, t, effect, k, CLUSTERS_AT_A_TIME, LANES, scores, &found);
    if (CLUSTERS_AT_A_TIME > 4 && k + 4 * LANES <= rule->to) {
        score_registers(rule, t, effect, k, 4, LANES, scores, &found);
        k += 4 * LANES;
    }
    for (; k + 2 * LANES <= rule->to; k += 2 * LANES)
        score_registers(rule, t, effect, k, 2, LANES, scores, &found);
    for (; k + LANES <= rule->to; k += LANES)
        score_registers(rule, t, effect, k, 1, LANES, scores, &found);
    if (k < rule->to) /* of many clusters, so that there are enough before */
        score_registers(rule, t, effect, rule->to - LANES, 1, rule->to - k, scores, &found);
    for (int i = 0; i < LANES; i++) {
        offer(&c, found.most[i], (int)found.cluster[i] + i);
        c.next = found.next[i] > c.next ? found.next[i] : c.next;
    }
    return c;
}

/* ---- labels and statistics ------------------------------------------------------------------- */

static int draw(const cob_hard *h, int64_t line, const choice *c, double *scores)
{
    for (int k = 0; k < h->pass->to; k++)
        scores[k] = c->scores[k * c->apart];
    return h->draw(h->pass, line, scores);
}

/* The new cluster of a line; in a tie, it keeps its own. */
COB_INLINE int choose(const cob_hard *h, cob_desk *desk, int64_t line, const choice *c)
{
    const cob_pass *pass = h->pass;
    int own = pass->labels[line];
    if (pass->fixed && pass->fixed[line] >= 0) {
        if (h->slack)
            h->slack[line] = INFINITY;
        return pass->fixed[line];
    }
    double of_own = own >= 0 ? c->scores[own * c->apart] : -INFINITY;
    if (own >= 0)
        cob_update_keeper(&desk->keepers[own], (cob_keeper){line, c->most - of_own});
    if (h->draw)
        return draw(h, line, c, desk->scores + COB_LANES * pass->to);
    int chosen = of_own == c->most ? own : c->cluster;
    if (h->slack)
        h->slack[line] = c->most - c->next + pass->effects[line] * (h->drift[chosen] - h->round_A) +
                         (h->shift[chosen] - h->round_e);
    return chosen;
}

COB_INLINE void add_line(const cob_pass *pass, cob_desk *desk, int64_t line, int k,
                         const void *sums, int sign, bool longs)
{
    int wide = cob_wide(pass->from);
    int64_t *row = desk->block + (int64_t)k * wide;
    COB_SIMD
    for (int l = 0; l < wide; l++)
        row[l] += sign * cob_sum_get(sums, longs, l);
    desk->sizes[k] += sign;
    if (pass->masses)
        desk->masses[k] += sign * cob_mass(pass, line);
}

COB_INLINE void place_line(const cob_hard *h, cob_desk *desk, int64_t line, int chosen,
                           const void *sums, bool longs)
{
    int32_t *label = &h->pass->labels[line];
    bool moved = *label != chosen;
    if (h->anew || moved)
        add_line(h->pass, desk, line, chosen, sums, 1, longs);
    if (!h->anew && moved)
        add_line(h->pass, desk, line, *label, sums, -1, longs);
    if (moved) {
        desk->moved++;
        *label = chosen;
    }
}

COB_INLINE choice choice_of(const cob_hard *h, cob_desk *desk, const group *g, const best *found,
                            int i, bool longs)
{
    if (!are_many(h->pass->rule))
        return (choice){found->most[i], found->next[i], (int)found->cluster[i], g->scores + i,
                        LANES};
    touched t = find_touched(h, g->sums[i], longs, desk->sums);
    return score_line(h->pass->rule, &t, h->pass->effects[g->lines[i]], desk->scores);
}

COB_INLINE void process_group(const cob_hard *h, cob_desk *desk, const group *g, bool longs)
{
    const cob_pass *pass = h->pass;
    bool keep = pass->assign == COB_ASSIGN_KEEP;
    best found;
    if (!keep && !are_many(pass->rule)) {
        transpose_sums(h, g, pass->from, longs);
        found = score_group(pass, g);
    }
    for (int i = 0; i < g->count; i++) {
        int chosen = pass->labels[g->lines[i]];
        if (!keep) {
            choice c = choice_of(h, desk, g, &found, i, longs);
            chosen = choose(h, desk, g->lines[i], &c);
        }
        place_line(h, desk, g->lines[i], chosen, g->sums[i], longs);
    }
}

COB_INLINE void process_batch(const cob_hard *h, cob_desk *desk, const int64_t *lines, int count,
                              bool longs)
{
    int wide = cob_wide(h->pass->from);
    bool whole[COB_BATCH];
    memset(whole, true, sizeof whole);
    if (!h->summed)
        count_batch(h, lines, count, desk->parts, whole, longs);
    for (int first = 0; first < count; first += LANES) {
        int some = count - first < LANES ? count - first : LANES;
        void *parts = cob_sum_place(desk->parts, longs, 2 * wide * first);
        group g = join_sums(h, lines + first, whole + first, some, parts, wide, longs);
        g.by_cluster = desk->sums;
        g.scores = desk->scores;
        process_group(h, desk, &g, longs);
    }
}

static void process(const cob_hard *h, cob_desk *desk, const int64_t *lines, int count)
{
    if (h->longs)
        process_batch(h, desk, lines, count, true);
    else
        process_batch(h, desk, lines, count, false);
}

static void hard_lines(const cob_hard *h, int64_t first, int64_t last, cob_desk *desk)
{
    const cob_pass *pass = h->pass;
    int64_t batch[COB_BATCH], looked = 0;
    int count = 0;
    for (int64_t line = first; line < last; line++) {
        int own = pass->labels[line];
        if (h->skip && h->slack[line] > pass->effects[line] * h->drift[own] + h->shift[own])
            continue;
        looked += pass->view->offsets[line + 1] - pass->view->offsets[line];
        batch[count++] = line;
        if (count == COB_BATCH) {
            process(h, desk, batch, count);
            count = 0;
        }
    }
    process(h, desk, batch, count);
    desk->looked += h->summed ? 0 : looked;
}

cob_lines_fn *const COB_LINES_VARIANT = hard_lines;
