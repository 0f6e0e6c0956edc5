/* Merging of many clusters, where what was computed is kept from merge to merge: the merges are
 * those of a greedy search that computes all anew. */
#include "support.h"

#include "brute.h"
#include "engine/affinity.h"
#include "engine/starts.h"
#include "models/registry.h"

#include <string.h>

/* More than lines that are computed anew have, on both sides. */
enum { G = 134, M = 132, STEPS = 2, FURTHER = 19, ALL = G > M ? G : M };

/* Statistics of blocks that are drawn: a band of full ones, and counts or reals elsewhere. */
static void draw_stats(dice *dc, cob_stats *s, bool reals)
{
    for (int k = 0; k < s->g; k++)
        for (int l = 0; l < s->m; l++) {
            int most = abs(k - l) < 4 ? 400 : 12;
            double drawn = reals ? most * roll(dc) : roll_below(dc, most);
            s->block[(size_t)k * s->down + (size_t)l] = drawn;
            s->R[k] += drawn;
            s->C[l] += drawn;
            s->total += drawn;
        }
    for (int k = 0; k < s->g; k++)
        s->n += s->z[k] = 1 + roll_below(dc, 9);
    for (int l = 0; l < s->m; l++)
        s->d += s->w[l] = 1 + roll_below(dc, 9);
    s->row_effect = s->col_effect = s->total;
    s->sums_as_effects = true;
}

typedef struct choice {
    int a, b;
    bool rows, cols;
    double value;
} choice;

/* The best merge of clusters of one side, or of co-clusters, with one of their partners. */
static void choose(const cob_model *model, const cob_stats *s, bool rows, bool cols, choice *best)
{
    cob_stats seen = cob_stats_from(s, rows ? COB_ROWS : COB_COLS);
    cob_products products = {0};
    cob_gaps none = {0};
    bool tried[ALL][ALL] = {{false}};
    double room[ALL];
    cobloc_error err;
    assert_ok(cob_gaps_alloc(&none, seen.g, &err), err);
    assert_ok(cob_products_alloc(&products, seen.g, seen.m, rows && cols, &err), err);
    cob_products_measure(&products, &seen);
    for (int a = 0; a < seen.g; a++) {
        int partner[COB_PARTNERS];
        int found = cob_find_partners(&seen, &products, &none, a, room, partner);
        for (int p = 0; p < found; p++) {
            int low = a < partner[p] ? a : partner[p], high = a < partner[p] ? partner[p] : a;
            double value;
            if (tried[low][high])
                continue;
            tried[low][high] = true;
            assert_ok(cob_value_of_merge(model, s, rows, cols, low, high, &value, &err), err);
            if (best->a < 0 || cob_better(model, value, best->value))
                *best = (choice){low, high, rows, cols, value};
        }
    }
    cob_products_free(&products);
    cob_gaps_free(&none);
}

static void renumber(int *numbers, int count, const choice *merged)
{
    for (int k = 0; k < count; k++)
        numbers[k] = cob_number_merged(numbers[k], merged->a, merged->b);
}

static void merge_anew(const cob_model *model, cob_stats *s, int g, int m, int *rows, int *cols)
{
    cob_stats other;
    cobloc_error err;
    assert_ok(cob_stats_alloc(&other, s->g, s->m, &err), err);
    while (s->g > g || s->m > m) {
        choice best = {.a = -1};
        bool paired = model->structure->paired;
        if (s->g > g)
            choose(model, s, true, paired, &best);
        if (s->m > m && !paired)
            choose(model, s, false, true, &best);
        cob_stats_merge(s, best.rows, best.cols, best.a, best.b, &other);
        cob_stats kept = *s;
        *s = other;
        other = kept;
        if (best.rows)
            renumber(rows, G, &best);
        if (best.cols)
            renumber(cols, G > M ? G : M, &best);
    }
    cob_stats_free(&other);
}

/* So many clusters of rows and of columns, and how many are to be left; so many twins. */
typedef struct task {
    int g, m, g_left, m_left, twins;
} task;

/* Rows 0 and 1 become nearly equal, and the pairs that follow the same two with their columns
 * turned. Merges of each pair cost the same, but for how the terms of their sums are rounded. */
static void make_twins(cob_stats *s, int twins)
{
    for (int k = 1; k < twins; k++) {
        int like = k > 1 ? k % 2 : 0;
        for (int l = 0; l < s->m; l++) {
            double more = k == 1 && l == 0 ? 1 : 0;
            double change = cob_block(s, like, (l + k / 2) % s->m) + more - cob_block(s, k, l);
            s->block[(size_t)k * s->down + (size_t)l] += change;
            s->R[k] += change;
            s->C[l] += change;
            s->total += change;
        }
        s->n += s->z[like] - s->z[k];
        s->z[k] = s->z[like];
    }
    s->row_effect = s->col_effect = s->total;
}

static void check(dice *dc, const char *name, bool reals, task t)
{
    const cob_model *model = cob_model_named(name);
    int rows[2][ALL], cols[2][ALL];
    cob_problem problem = {.model = model, .watch.deadline = INFINITY};
    cob_run fine = {.problem = &problem};
    cobloc_error err;
    if (model->structure->paired)
        t.m = t.g, t.m_left = t.g_left;
    fine.side[COB_ROWS].clusters = t.g;
    fine.side[COB_COLS].clusters = t.m;
    assert_ok(cob_stats_alloc(&fine.stats, t.g, t.m, &err), err);
    draw_stats(dc, &fine.stats, reals);
    make_twins(&fine.stats, t.twins);
    for (int k = 0; k < ALL; k++)
        rows[1][k] = cols[1][k] = k;
    assert_ok(cob_merge_clusters(&fine, t.g_left, t.m_left, rows[0], cols[0], NULL, &err), err);
    merge_anew(model, &fine.stats, t.g_left, t.m_left, rows[1], cols[1]);
    assert_memory_equal(rows[0], rows[1], (size_t)t.g * sizeof(int));
    assert_memory_equal(cols[0], cols[1], (size_t)t.m * sizeof(int));
    cob_stats_free(&fine.stats);
}

static void test_many_clusters(void **state)
{
    static const char *const names[] = {"plbm", "coclus", "itcc", "splbm-exact"};
    dice dc = dice_of(71);
    (void)state;
    for (int pair = 0; pair < rounds_of(2); pair++)
        for (int at = 0; at < 2; at++)
            check(&dc, names[2 * pair + at], at, (task){G, M, G - STEPS, M - STEPS, 0});
}

/* So many merges that gaps between clusters are closed, and then some more. */
static void test_gaps_are_closed(void **state)
{
    dice dc = dice_of(74);
    (void)state;
    check(&dc, "coclus", true, (task){G, M, G - FURTHER, M - FURTHER, 0});
    check(&dc, "plbm", false, (task){G, M, G - FURTHER, M - 1, 0});
}

/* Of fewer, merges are found by a quick look, and where it finds several as good, exactly. */
static void test_few_clusters(void **state)
{
    static const char *const names[] = {"plbm", "itcc"};
    dice dc = dice_of(73);
    (void)state;
    for (int round = 0; round < rounds_of(3); round++)
        for (int n = 0; n < 4; n++) {
            check(&dc, names[n / 2], n % 2, (task){40, 33, 7, 5, 0});
            check(&dc, names[n / 2], n % 2, (task){24, 30, 6, 9, 8});
            for (int merges = 1; merges < 4; merges++) /* which of the twins come first */
                check(&dc, names[n / 2], n % 2, (task){16, 13, 16 - merges, 13, 8});
        }
}

/* Products that are kept are those that are measured anew: exactly, where these are integers. */
static void test_products(void **state)
{
    dice dc = dice_of(72);
    cob_stats s, after;
    cob_products kept, anew;
    cobloc_error err;
    (void)state;
    assert_ok(cob_stats_alloc(&s, 9, 7, &err), err);
    assert_ok(cob_stats_alloc(&after, 9, 7, &err), err);
    draw_stats(&dc, &s, false);
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        for (int own = 0; own <= 1; own++) {
            bool rows = own ? side == COB_ROWS : side == COB_COLS;
            cob_stats seen = cob_stats_from(&s, side);
            assert_ok(cob_products_alloc(&kept, seen.g, seen.m, false, &err), err);
            assert_ok(cob_products_alloc(&anew, seen.g, seen.m, false, &err), err);
            cob_products_measure(&kept, &seen);
            if (!own)
                cob_products_follow(&kept, &seen, 2, 5);
            cob_stats_merge(&s, rows, !rows, 2, 5, &after);
            cob_stats now = cob_stats_from(&after, side);
            if (own) {
                cob_gaps gaps = {0};
                assert_ok(cob_gaps_alloc(&gaps, seen.g, &err), err);
                cob_gaps_add(&gaps, 5);
                cob_products_join(&kept, seen.g, 2, 5);
                cob_products_close(&kept, seen.g, &gaps);
                cob_gaps_free(&gaps);
            }
            cob_products_measure(&anew, &now);
            for (int a = 0; a < now.g; a++) {
                assert_memory_equal(kept.of + (size_t)a * kept.room,
                                    anew.of + (size_t)a * anew.room,
                                    (size_t)now.g * sizeof *kept.of);
                assert_true(kept.squares[a] == anew.squares[a]);
            }
            cob_products_free(&kept);
            cob_products_free(&anew);
        }
    cob_stats_free(&s);
    cob_stats_free(&after);
}

static void assert_same_stats(const cob_stats *a, const cob_stats *b)
{
    assert_true(a->g == b->g && a->m == b->m);
    for (int c = 0; c < a->layers; c++)
        for (int k = 0; k < a->g; k++)
            for (int l = 0; l < a->m; l++)
                assert_true(cob_block_of(a, c, k, l) == cob_block_of(b, c, k, l));
    assert_memory_equal(a->z, b->z, (size_t)a->g * sizeof *a->z);
    assert_memory_equal(a->R, b->R, (size_t)a->g * sizeof *a->R);
    assert_memory_equal(a->w, b->w, (size_t)a->m * sizeof *a->w);
    assert_memory_equal(a->C, b->C, (size_t)a->m * sizeof *a->C);
}

/* Clusters that are joined in place, with gaps that are closed now and then, are those that are
 * copied without the joined one each time: to the last bit, also of reals. */
static void test_joining_in_place(void **state)
{
    enum { CLUSTERS = 12, DEPTH = 2 };
    dice dc = dice_of(75);
    cobloc_error err;
    (void)state;
    for (int round = 0; round < 60; round++) {
        cob_stats copied, other, joined;
        cob_gaps gaps[2] = {{0}, {0}};
        cob_depth depth = {DEPTH, DEPTH, 1};
        bool rows = round % 3 != 0, cols = round % 3 != 1;
        int now[CLUSTERS]; /* the number of each in the copy; -1: it was joined to another */
        assert_ok(cob_stats_alloc_deep(&copied, CLUSTERS, CLUSTERS, depth, &err), err);
        assert_ok(cob_stats_alloc_deep(&other, CLUSTERS, CLUSTERS, depth, &err), err);
        assert_ok(cob_stats_alloc_deep(&joined, CLUSTERS, CLUSTERS, depth, &err), err);
        assert_ok(cob_gaps_alloc(&gaps[COB_ROWS], CLUSTERS, &err), err);
        assert_ok(cob_gaps_alloc(&gaps[COB_COLS], CLUSTERS, &err), err);
        draw_stats(&dc, &copied, true);
        for (size_t i = copied.layer; i < DEPTH * copied.layer; i++)
            copied.block[i] = roll(&dc);
        cob_stats_copy(&joined, &copied);
        for (int k = 0; k < CLUSTERS; k++)
            now[k] = k;
        for (int left = CLUSTERS, slots = CLUSTERS; left > 2; left--) {
            int a, b;
            do {
                a = roll_below(&dc, slots);
                b = roll_below(&dc, slots);
            } while (a >= b || now[a] < 0 || now[b] < 0);
            cob_stats_merge(&copied, rows, cols, now[a], now[b], &other);
            cob_stats kept = copied;
            copied = other;
            other = kept;
            cob_stats_join(&joined, rows, cols, a, b);
            for (int k = b + 1; k < slots; k++)
                now[k] -= now[k] >= 0;
            now[b] = -1;
            for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
                if (side == COB_ROWS ? rows : cols)
                    cob_gaps_add(&gaps[side], b);
            if (roll_below(&dc, 3) > 0 && left > 3)
                continue;
            cob_stats_close(&joined, &gaps[COB_ROWS], &gaps[COB_COLS]);
            cob_gaps_clear(&gaps[COB_ROWS]);
            cob_gaps_clear(&gaps[COB_COLS]);
            assert_same_stats(&joined, &copied);
            slots = left - 1;
            for (int k = 0; k < slots; k++)
                now[k] = k;
        }
        cob_gaps_free(&gaps[COB_ROWS]);
        cob_gaps_free(&gaps[COB_COLS]);
        cob_stats_free(&copied);
        cob_stats_free(&other);
        cob_stats_free(&joined);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_clusters),    cmocka_unit_test(test_few_clusters),
        cmocka_unit_test(test_gaps_are_closed),  cmocka_unit_test(test_products),
        cmocka_unit_test(test_joining_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
