/* The passes over the non-zeros against sums over all cells, for every kind of values: reduce,
 * score, assign, statistics; clusters that may not become empty; any number of threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "matrix/kernels.h"

enum { ROWS = 150, COLS = 40, LINES = 150, FEW = 8, MOST = 45 }; /* clusters: as a rule few */

/* ---- a matrix, a rule, and the naive scores -------------------------------------------------- */

static double value_of_kind(dice *dc, cobloc_value_kind kind)
{
    static const double largest[] = {1, 255, 65535, 4294967295.0};
    if (kind <= COBLOC_U32)
        return 1 + floor(roll(dc) * (largest[kind] - 1));
    return kind == COBLOC_F32 ? (double)(float)(roll(dc) + 0.01) : roll(dc) + 0.01;
}

static cobloc_matrix *matrix_of_kind(dice *dc, cobloc_value_kind kind)
{
    static const double telling[] = {1, 255, 65535, 4294967295.0, 0.5, 0.1};
    static int32_t row[ROWS * COLS], col[ROWS * COLS];
    static double value[ROWS * COLS];
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    int count = 0;
    for (int c = 0; c < ROWS * COLS; c++)
        if (roll(dc) < 0.2 || c == ROWS * COLS - 1) {
            row[count] = c / COLS;
            col[count] = c % COLS;
            value[count++] = c == ROWS * COLS - 1 ? telling[kind] : value_of_kind(dc, kind);
        }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &matrix, &err), err);
    assert_int_equal(cobloc_matrix_kind(matrix), kind);
    return matrix;
}

/* All that one pass takes and gives, with room for the largest. */
typedef struct trial {
    cobloc_view view, real; /* on the grid, and as it is */
    double *dense;          /* lines by the other side */
    int lines, others;
    double scale; /* of the values: 1 / mean */
    cob_pass pass;
    cob_rule rule;
    double A[MOST * MOST], b[MOST], e[MOST];
    double effects[LINES];
    int32_t other_labels[LINES], before[LINES], labels[LINES], fixed[LINES];
    double other_soft[LINES * MOST], soft[LINES * MOST];
    double block[MOST * MOST], sizes[MOST], masses[MOST];
    int64_t exact_block[MOST * MOST], exact_masses[MOST];
    cob_value_grid grid;
    void *values; /* on the grid */
} trial;

static void trial_matrix(trial *t, const cobloc_matrix *matrix, bool by_cols)
{
    double *dense = dense_of(matrix), sum = 0;
    t->view = t->real = by_cols ? cobloc_matrix_by_cols(matrix) : cobloc_matrix_by_rows(matrix);
    t->lines = (int)t->view.major;
    t->others = (int)t->view.minor;
    t->dense = malloc((size_t)ROWS * COLS * sizeof *t->dense);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            t->dense[by_cols ? j * ROWS + i : i * COLS + j] = dense[i * COLS + j];
            sum += dense[i * COLS + j];
        }
    t->scale = (double)t->view.nnz / sum;
    t->grid =
        cob_grid_of_entries(&t->view, (cob_between){0, t->view.major}, NULL, COB_GRID_MOST_BITS);
    cobloc_error err;
    assert_ok(cob_view_on_grid(&t->view, (cob_between){0, t->view.major}, t->grid,
                               COB_GRID_MOST_BITS, &t->view, &t->values, &err),
              err);
    free(dense);
}

static void trial_clear(trial *t)
{
    free(t->dense);
    free(t->values);
    t->dense = NULL;
    t->values = NULL;
}

static void trial_fill(trial *t, dice *dc, int to, int from, bool diagonal, cob_assign assign,
                       bool soft)
{
    for (int c = 0; c < to * from; c++)
        t->A[c] = (roll(dc) - 0.5) * t->scale;
    for (int k = 0; k < to; k++) {
        t->b[k] = roll(dc) - 0.5;
        t->e[k] = roll(dc);
    }
    for (int i = 0; i < t->lines; i++) {
        t->effects[i] = 0.5 + roll(dc);
        t->before[i] = t->labels[i] = roll_below(dc, to);
        t->fixed[i] = roll_below(dc, 5) ? -1 : t->before[i];
    }
    for (int j = 0; j < t->others; j++) {
        double sum = 0;
        t->other_labels[j] = roll_below(dc, from);
        for (int l = 0; l < from; l++)
            sum += t->other_soft[j * from + l] = roll(dc);
        for (int l = 0; l < from; l++)
            t->other_soft[j * from + l] /= sum;
    }
    t->rule = (cob_rule){to, from, diagonal, t->A, t->b, t->e};
    t->pass = (cob_pass){.view = &t->view,
                         .effects = t->effects,
                         .to = to,
                         .from = from,
                         .units = &t->grid.unit,
                         .effect_grid = cob_grid_for(1.5, t->lines, COB_GRID_MOST_BITS),
                         .other_labels = t->other_labels,
                         .other_soft = soft ? t->other_soft : NULL,
                         .assign = assign,
                         .rule = &t->rule,
                         .temperature = 1,
                         .stream = cob_stream_at(9, 8, 7, 6),
                         .labels = t->labels,
                         .soft = assign == COB_ASSIGN_SOFT ? t->soft : NULL,
                         .block = t->block,
                         .down = (size_t)from,
                         .across = 1,
                         .sizes = t->sizes,
                         .masses = t->masses,
                         .exact_block = t->exact_block,
                         .exact_masses = t->exact_masses};
}

static void trial_run(trial *t, int threads)
{
    cobloc_error err;
    cob_pass_room *room = NULL;
    assert_ok(cob_pass_room_new(&t->view, MOST, MOST, threads, 0, &room, &err), err);
    cob_pass_run(&t->pass, room);
    cob_pass_room_free(room);
}

static long double naive_sum(const trial *t, int line, int l)
{
    long double sum = 0;
    for (int j = 0; j < t->others; j++)
        sum += (long double)t->dense[line * t->others + j] *
               (t->pass.other_soft ? t->other_soft[j * t->pass.from + l] : t->other_labels[j] == l);
    return sum;
}

static void naive_scores(const trial *t, int line, long double *scores)
{
    for (int k = 0; k < t->pass.to; k++) {
        scores[k] = (long double)t->effects[line] * t->b[k] + t->e[k];
        for (int l = 0; l < t->pass.from; l++) {
            double a = !t->rule.diagonal ? t->A[l * t->pass.to + k] : k == l ? t->A[k] : 0;
            scores[k] += naive_sum(t, line, l) * a;
        }
    }
}

static int naive_best(const long double *scores, int to)
{
    int best = 0;
    for (int k = 1; k < to; k++)
        if (scores[k] > scores[best])
            best = k;
    return best;
}

static void naive_probabilities(const trial *t, int line, double temperature, long double *p)
{
    long double sum = 0;
    naive_scores(t, line, p);
    long double largest = p[naive_best(p, t->pass.to)];
    for (int k = 0; k < t->pass.to; k++)
        sum += p[k] = expl((p[k] - largest) / temperature);
    for (int k = 0; k < t->pass.to; k++)
        p[k] /= sum;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void assert_close(double got, long double expected, double scale, const char *what)
{
    if (!(fabs(got - (double)expected) <= 1e-12 * fmax(scale, fabs((double)expected))))
        fail_msg("%s: got %.17g, expected %.17Lg", what, got, expected);
}

static void check_statistics(const trial *t)
{
    int to = t->pass.to, from = t->pass.from;
    for (int k = 0; k < to; k++) {
        long double size = 0, mass = 0, block[MOST] = {0};
        for (int i = 0; i < t->lines; i++) {
            long double share = t->pass.soft ? t->soft[i * to + k] : t->labels[i] == k;
            size += share;
            mass += share * t->effects[i];
            for (int l = 0; l < from && share > 0; l++)
                block[l] += share * naive_sum(t, i, l);
        }
        assert_close(t->sizes[k], size, 1, "size");
        assert_close(t->masses[k], mass, 1, "mass");
        for (int l = 0; l < from; l++)
            assert_close(t->block[k * from + l], block[l], 1 / t->scale, "block");
    }
}

static void check_moved(const trial *t)
{
    int moved = 0;
    for (int i = 0; i < t->lines; i++)
        moved += t->labels[i] != t->before[i];
    assert_int_equal(t->pass.moved, moved);
}

/* Every line has its best label, or was held back. */
static void check_hard(const trial *t)
{
    int held = 0;
    for (int i = 0; i < t->lines; i++) {
        long double s[MOST];
        naive_scores(t, i, s);
        if (t->pass.fixed && t->fixed[i] >= 0)
            assert_int_equal(t->labels[i], t->fixed[i]);
        else if (s[t->labels[i]] < s[naive_best(s, t->pass.to)] - 1e-9L) {
            assert_int_equal(t->labels[i], t->before[i]);
            held++;
        }
    }
    assert_int_equal(t->pass.kept, held);
}

static void check_soft(const trial *t)
{
    long double entropy = 0;
    int to = t->pass.to;
    for (int i = 0; i < t->lines; i++) {
        long double p[MOST];
        double sum = 0, most = t->soft[i * to + t->labels[i]];
        naive_probabilities(t, i, 1, p);
        for (int k = 0; k < to; k++) {
            if (t->pass.fixed && t->fixed[i] >= 0)
                p[k] = t->fixed[i] == k;
            assert_near(t->soft[i * to + k], (double)p[k], 1e-12, "probability");
            entropy -= p[k] > 0 ? p[k] * logl(p[k]) : 0;
            sum += t->soft[i * to + k];
            assert_true(t->soft[i * to + k] <= most);
        }
        assert_near(sum, 1, 1e-14, "sum of probabilities");
    }
    assert_near(t->pass.entropy, (double)entropy, 1e-11, "entropy");
}

/* The first label whose cumulated probability passes the line's number. */
static void check_draws(const trial *t, bool by_effect)
{
    for (int i = 0; i < t->lines; i++) {
        long double p[MOST], sum = 0, u = cob_random_uniform(&t->pass.stream, (uint64_t)i);
        naive_probabilities(t, i, t->pass.temperature * (by_effect ? t->effects[i] : 1), p);
        if (t->pass.fixed && t->fixed[i] >= 0) {
            assert_int_equal(t->labels[i], t->fixed[i]);
            continue;
        }
        int k = 0;
        while (k < t->pass.to - 1 && u >= (sum += p[k]))
            k++;
        if (t->labels[i] != k && fabsl(u - sum) > 1e-12L)
            assert_int_equal(t->labels[i], t->before[i]); /* held back */
    }
}

static void check_pass(dice *dc, trial *t, int variant)
{
    static const cob_assign assigns[] = {COB_ASSIGN_KEEP, COB_ASSIGN_HARD, COB_ASSIGN_SOFT,
                                         COB_ASSIGN_DRAW};
    cob_assign assign = assigns[variant % 4];
    bool diagonal = variant / 4 % 2, soft = variant / 8 % 2;
    int to = 1 + roll_below(dc, FEW), from = diagonal ? to : 1 + roll_below(dc, FEW);
    trial_fill(t, dc, to, from, diagonal, assign, soft);
    t->pass.fixed = variant / 16 % 2 ? t->fixed : NULL;
    t->pass.temperature = assign == COB_ASSIGN_DRAW ? 0.25 + roll(dc) : 1;
    t->pass.temperature_by_effect = variant / 16 % 2;
    trial_run(t, 1 + variant % 3);
    check_statistics(t);
    check_moved(t);
    if (assign == COB_ASSIGN_KEEP)
        assert_memory_equal(t->labels, t->before, (size_t)t->lines * sizeof *t->labels);
    else if (assign == COB_ASSIGN_HARD)
        check_hard(t);
    else if (assign == COB_ASSIGN_SOFT)
        check_soft(t);
    else
        check_draws(t, t->pass.temperature_by_effect);
}

static void test_passes(void **state)
{
    dice dc = dice_of(11);
    trial *t = calloc(1, sizeof *t);
    (void)state;
    for (int kind = COBLOC_ONES; kind <= COBLOC_F64; kind++) {
        cobloc_matrix *matrix = matrix_of_kind(&dc, (cobloc_value_kind)kind);
        for (int by_cols = 0; by_cols < 2; by_cols++) {
            trial_matrix(t, matrix, by_cols);
            for (int variant = 0; variant < 32; variant++)
                check_pass(&dc, t, variant);
            trial_clear(t);
        }
        cobloc_matrix_free(matrix);
    }
    free(t);
}

/* Lines are scored by themselves, however many registers the clusters fill. */
static void test_many_clusters(void **state)
{
    dice dc = dice_of(17);
    trial *t = calloc(1, sizeof *t);
    cobloc_matrix *matrix = matrix_of_kind(&dc, COBLOC_U8);
    (void)state;
    trial_matrix(t, matrix, false);
    for (int to = 30; to <= MOST; to++) {
        bool hard = to % 3 > 0;
        trial_fill(t, &dc, to, 33 + to % 4, false, hard ? COB_ASSIGN_HARD : COB_ASSIGN_DRAW, false);
        trial_run(t, 1);
        check_statistics(t);
        if (hard)
            check_hard(t);
        else
            check_draws(t, false);
    }
    trial_clear(t);
    cobloc_matrix_free(matrix);
    free(t);
}

/* Statistics of soft memberships that stay as they are. */
static void test_keep_soft(void **state)
{
    dice dc = dice_of(12);
    trial *t = calloc(1, sizeof *t);
    cobloc_matrix *matrix = matrix_of_kind(&dc, COBLOC_U8);
    (void)state;
    trial_matrix(t, matrix, false);
    trial_fill(t, &dc, 4, 3, false, COB_ASSIGN_SOFT, true);
    trial_run(t, 2);
    static trial again;
    again = *t;
    again.pass.view = &again.view, again.pass.soft = again.soft,
    again.pass.other_soft = again.other_soft;
    again.pass.effects = again.effects, again.pass.labels = again.labels;
    again.pass.block = again.block, again.pass.sizes = again.sizes,
    again.pass.masses = again.masses;
    again.pass.rule = NULL;
    again.pass.assign = COB_ASSIGN_KEEP;
    trial_run(&again, 1);
    assert_memory_equal(again.block, t->block, 12 * sizeof *t->block);
    assert_memory_equal(again.sizes, t->sizes, 4 * sizeof *t->sizes);
    assert_memory_equal(again.soft, t->soft, (size_t)t->lines * 4 * sizeof *t->soft);
    again.pass.block = NULL; /* not wanted */
    trial_run(&again, 1);
    assert_memory_equal(again.masses, t->masses, 4 * sizeof *t->masses);
    trial_clear(t);
    free(t);
    cobloc_matrix_free(matrix);
}

static void test_same_on_any_threads(void **state)
{
    static const int threads[] = {2, 3, 8};
    trial *first = calloc(1, sizeof *first), *other = calloc(1, sizeof *other);
    dice seed = dice_of(13);
    cobloc_matrix *matrix = matrix_of_kind(&seed, COBLOC_F64);
    (void)state;
    trial_matrix(first, matrix, false);
    trial_matrix(other, matrix, false);
    for (int assign = COB_ASSIGN_KEEP; assign <= COB_ASSIGN_DRAW; assign++) {
        dice dc = dice_of(14);
        trial_fill(first, &dc, 5, 6, false, (cob_assign)assign, assign == COB_ASSIGN_SOFT);
        trial_run(first, 1);
        for (int i = 0; i < 3; i++) {
            dc = dice_of(14);
            trial_fill(other, &dc, 5, 6, false, (cob_assign)assign, assign == COB_ASSIGN_SOFT);
            trial_run(other, threads[i]);
            assert_memory_equal(first->labels, other->labels, sizeof first->labels);
            assert_memory_equal(first->soft, other->soft, sizeof first->soft);
            assert_memory_equal(first->block, other->block, sizeof first->block);
            assert_memory_equal(first->sizes, other->sizes, sizeof first->sizes);
            assert_memory_equal(first->masses, other->masses, sizeof first->masses);
            assert_memory_equal(&first->pass.entropy, &other->pass.entropy, sizeof(double));
            assert_int_equal(first->pass.moved, other->pass.moved);
        }
    }
    trial_clear(first);
    trial_clear(other);
    free(first);
    free(other);
    cobloc_matrix_free(matrix);
}

/* ---- clusters stay alive --------------------------------------------------------------------- */

static long double total_score(const trial *t, const int32_t *labels)
{
    long double total = 0, s[MOST];
    for (int i = 0; i < t->lines; i++) {
        naive_scores(t, i, s);
        total += s[labels[i]];
    }
    return total;
}

/* Of the members that cluster k had, the one that loses least by staying must be the one that
 * stayed. */
static void check_keeper(const trial *t, int k)
{
    long double least = INFINITY, lost = -1, s[MOST];
    for (int i = 0; i < t->lines; i++)
        if (t->before[i] == k && !(t->pass.fixed && t->fixed[i] >= 0)) {
            naive_scores(t, i, s);
            long double loss = s[naive_best(s, t->pass.to)] - s[k];
            least = fminl(least, loss);
            if (t->labels[i] == k)
                lost = loss;
        }
    assert_true(lost < 0 || lost <= least + 1e-9L || t->sizes[k] > 1);
}

static void check_alive(const trial *t, bool hard)
{
    int had[MOST] = {0}, has[MOST] = {0};
    for (int i = 0; i < t->lines; i++) {
        had[t->before[i]]++;
        has[t->labels[i]]++;
    }
    for (int k = 0; k < t->pass.to; k++) {
        assert_true(had[k] == 0 || has[k] > 0);
        assert_int_equal(has[k], (int)t->sizes[k]);
        if (hard && has[k] == 1)
            check_keeper(t, k);
    }
    if (hard)
        assert_true(total_score(t, t->labels) >= total_score(t, t->before) - 1e-9L);
}

/* Rules that would empty most clusters. */
static int check_emptying(dice *dc, trial *t)
{
    int kept = 0;
    for (int round = 0; round < rounds_of(240); round++) {
        bool hard = round % 2 == 0;
        trial_fill(t, dc, FEW, FEW, round % 4 < 2, hard ? COB_ASSIGN_HARD : COB_ASSIGN_DRAW, false);
        for (int k = 0; k < FEW; k++)
            t->e[k] = round % 3 == 0 ? 4 * k : (double)roll_below(dc, 3) * 20;
        t->pass.fixed = round % 5 == 0 ? t->fixed : NULL;
        trial_run(t, 1 + round % 2);
        check_alive(t, hard);
        check_statistics(t);
        check_moved(t);
        kept += t->pass.kept;
    }
    return kept;
}

/* By columns each chunk of the pass has one line at most; by rows it has several. */
static void test_clusters_stay_alive(void **state)
{
    dice dc = dice_of(15);
    trial *t = calloc(1, sizeof *t);
    cobloc_matrix *matrix = matrix_of_kind(&dc, COBLOC_U8);
    (void)state;
    for (int by_cols = 0; by_cols < 2; by_cols++) {
        trial_matrix(t, matrix, by_cols);
        assert_true(check_emptying(&dc, t) > rounds_of(240));
        trial_clear(t);
    }
    free(t);
    cobloc_matrix_free(matrix);
}

/* ---- plain products -------------------------------------------------------------------------- */

static void test_products(void **state)
{
    dice dc = dice_of(16);
    trial *t = calloc(1, sizeof *t);
    static double out[LINES * MOST];
    (void)state;
    for (int kind = COBLOC_ONES; kind <= COBLOC_F64; kind++) {
        cobloc_matrix *matrix = matrix_of_kind(&dc, (cobloc_value_kind)kind);
        for (int round = 0; round < 4; round++) {
            trial_matrix(t, matrix, round % 2);
            trial_fill(t, &dc, 1, 5, false, COB_ASSIGN_KEEP, round / 2);
            if (round / 2)
                cob_multiply(&t->real, t->other_soft, 5, 1 + round, out);
            else
                cob_reduce(&t->real, t->other_labels, 5, 1 + round, out);
            for (int c = 0; c < t->lines * 5; c++)
                assert_close(out[c], naive_sum(t, c / 5, c % 5), 1 / t->scale, "product");
            trial_clear(t);
        }
        cobloc_matrix_free(matrix);
    }
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_many_clusters),
        cmocka_unit_test(test_keep_soft),
        cmocka_unit_test(test_same_on_any_threads),
        cmocka_unit_test(test_clusters_stay_alive),
        cmocka_unit_test(test_products),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
