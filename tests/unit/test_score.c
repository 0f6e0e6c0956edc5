/* Scores against slow but plain versions of themselves: counting all pairs of lines or cells,
 * trying all matchings.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "base/matching.h"

enum { LINES = 40, LABELS = 6 };

/* ---- plain versions -------------------------------------------------------------------------- */

/* The adjusted Rand index by its definition: pairs of lines that are together in both, in one, in
 * none. */
static double plain_ari(const int32_t *a, const int32_t *b, int count)
{
    double both = 0, in_a = 0, in_b = 0, all = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            if (a[i] < 0 || b[i] < 0 || a[j] < 0 || b[j] < 0)
                continue;
            all++;
            in_a += a[i] == a[j];
            in_b += b[i] == b[j];
            both += a[i] == a[j] && b[i] == b[j];
        }
    double expected = all > 0 ? in_a * in_b / all : 0, most = (in_a + in_b) / 2;
    return most == expected ? 1 : (both - expected) / (most - expected);
}

static double share(const int32_t *a, const int32_t *b, int count, int k, int l)
{
    double found = 0, all = 0;
    for (int i = 0; i < count; i++)
        if (a[i] >= 0 && b[i] >= 0) {
            all++;
            found += (k < 0 || a[i] == k) && (l < 0 || b[i] == l);
        }
    return found / all;
}

static double plain_nmi(const int32_t *a, const int32_t *b, int count)
{
    double information = 0, in_a = 0, in_b = 0;
    for (int k = 0; k < LABELS; k++) {
        double p = share(a, b, count, k, -1), q = share(a, b, count, -1, k);
        in_a -= p > 0 ? p * log(p) : 0;
        in_b -= q > 0 ? q * log(q) : 0;
        for (int l = 0; l < LABELS; l++) {
            double both = share(a, b, count, k, l);
            if (both > 0)
                information += both * log(both / (p * share(a, b, count, -1, l)));
        }
    }
    if (in_a == 0 && in_b == 0)
        return 1;
    return in_a == 0 || in_b == 0 ? 0 : information / sqrt(in_a * in_b);
}

/* The best sum over all ways to give rows `row`, ... different columns that are not in `used`. */
static double best_matching(const double *gain, int rows, int cols, int row, int used)
{
    double best = -INFINITY;
    if (row == rows)
        return 0;
    for (int col = 0; col < cols; col++)
        if (!(used >> col & 1))
            best = fmax(best, gain[row * cols + col] +
                                  best_matching(gain, rows, cols, row + 1, used | 1 << col));
    if (rows > cols) /* a row may have to go without */
        best = fmax(best, best_matching(gain, rows, cols, row + 1, used));
    return best;
}

static double plain_acc(const int32_t *a, const int32_t *b, int count)
{
    double shares[LABELS * LABELS];
    for (int k = 0; k < LABELS; k++)
        for (int l = 0; l < LABELS; l++)
            shares[k * LABELS + l] = share(a, b, count, k, l);
    return best_matching(shares, LABELS, LABELS, 0, 0);
}

static double plain_purity(const int32_t *a, const int32_t *b, int count)
{
    double sum = 0;
    for (int k = 0; k < LABELS; k++) {
        double most = 0;
        for (int l = 0; l < LABELS; l++)
            most = fmax(most, share(a, b, count, k, l));
        sum += most;
    }
    return sum;
}

/* The standard deviation of the sizes of the clusters of `a`. */
static double plain_sdcs(const int32_t *a, const int32_t *b, int count)
{
    double sizes[LABELS], mean = 0, sum = 0, lines = 0;
    int found = 0;
    for (int i = 0; i < count; i++)
        lines += a[i] >= 0 && b[i] >= 0;
    for (int k = 0; k < LABELS; k++) {
        double size = round(share(a, b, count, k, -1) * lines);
        if (size > 0)
            sizes[found++] = size;
    }
    for (int k = 0; k < found; k++)
        mean += sizes[k] / found;
    for (int k = 0; k < found; k++)
        sum += (sizes[k] - mean) * (sizes[k] - mean);
    return found > 1 ? sqrt(sum / (found - 1)) : 0;
}

/* ---- labelings ------------------------------------------------------------------------------- */

static cobloc_scores score_of(const int32_t *a, const int32_t *b, int count)
{
    cobloc_error err;
    cobloc_scores scores;
    assert_ok(cob_score(a, b, count, &scores, &err), err);
    return scores;
}

/* Every count is right, every line counted, and what agrees stands on the diagonal. */
static void check_confusion(const int32_t *a, const int32_t *b, int count, const cobloc_scores *s)
{
    cobloc_error err;
    cobloc_confusion *c = NULL;
    int64_t all = 0, diagonal = 0;
    int seen[2] = {0, 0};
    assert_ok(cobloc_confusion_of(a, b, count, &c, &err), err);
    assert_int_equal(c->classes, s->classes);
    assert_int_equal(c->clusters, s->clusters);
    for (int j = 0; j < c->classes; j++)
        for (int i = 0; i < c->clusters; i++) {
            int64_t found = 0;
            for (int line = 0; line < count; line++)
                found += a[line] == c->cluster_labels[i] && b[line] == c->class_labels[j];
            assert_int_equal(c->counts[j * c->clusters + i], found);
            all += found;
            diagonal += i == j ? found : 0;
        }
    for (int j = 0; j < c->classes; j++)
        seen[0] |= 1 << c->class_labels[j];
    for (int i = 0; i < c->clusters; i++)
        seen[1] |= 1 << c->cluster_labels[i];
    assert_int_equal(__builtin_popcount((unsigned)seen[0]), c->classes);
    assert_int_equal(__builtin_popcount((unsigned)seen[1]), c->clusters);
    assert_int_equal(all, s->lines);
    assert_near((double)diagonal / (double)all, s->acc, 1e-12, "diagonal of the confusion matrix");
    cobloc_confusion_free(c);
}

static void test_random_labelings(void **state)
{
    dice dc = dice_of(21);
    (void)state;
    for (int round = 0; round < 2000; round++) {
        int32_t a[LINES], b[LINES];
        int count = 1 + roll_below(&dc, LINES), k = 1 + roll_below(&dc, LABELS);
        int l = 1 + roll_below(&dc, LABELS);
        bool alike = round % 3 == 0;
        for (int i = 0; i < count; i++) {
            a[i] = roll_below(&dc, k);
            b[i] = alike && roll(&dc) < 0.7 ? a[i] : roll_below(&dc, l);
            if (i > 0 && round % 5 == 0 && roll(&dc) < 0.2)
                *(roll(&dc) < 0.5 ? &a[i] : &b[i]) = -1 - roll_below(&dc, 3);
        }
        cobloc_scores s = score_of(a, b, count);
        assert_near(s.ari, plain_ari(a, b, count), 1e-12, "ARI");
        assert_near(s.nmi, plain_nmi(a, b, count), 1e-12, "NMI");
        assert_near(s.acc, plain_acc(a, b, count), 1e-12, "accuracy");
        assert_near(s.purity, plain_purity(a, b, count), 1e-12, "purity");
        assert_near(s.sdcs, plain_sdcs(a, b, count), 1e-12, "SDCS");
        assert_near(s.truth_sdcs, plain_sdcs(b, a, count), 1e-12, "SDCS of the truth");
        check_confusion(a, b, count, &s);
        cobloc_scores turned = score_of(b, a, count);
        assert_near(turned.ari, s.ari, 1e-12, "ARI, turned round");
        assert_near(turned.nmi, s.nmi, 1e-12, "NMI, turned round");
        assert_near(turned.acc, s.acc, 1e-12, "accuracy, turned round");
    }
}

static void test_renamed_labels(void **state)
{
    dice dc = dice_of(22);
    (void)state;
    for (int round = 0; round < 500; round++) {
        int32_t a[LINES], b[LINES];
        int k = 1 + roll_below(&dc, LABELS), shift = roll_below(&dc, 20);
        random_partition(&dc, LINES, k, a);
        for (int i = 0; i < LINES; i++)
            b[i] = (a[i] * 7 + 3) % 31 + shift; /* other numbers, with gaps */
        cobloc_scores s = score_of(a, b, LINES);
        assert_true(s.acc == 1);
        assert_near(s.nmi, 1, 1e-12, "NMI");
        assert_near(s.ari, 1, 1e-12, "ARI");
    }
}

static void test_by_hand(void **state)
{
    static const int32_t a[] = {0, 0, 0, 1, 1, 1}, b[] = {0, 0, 1, 1, 2, 2},
                         one[] = {0, 0, 0, 0, 0, 0};
    static const int32_t each[] = {0, 1, 2, 3, 4, 5};
    (void)state;
    cobloc_scores s = score_of(a, b, 6); /* scikit-learn's documentation: ARI 0.24242424 */
    assert_near(s.ari, 0.24242424242424243, 1e-12, "ARI");
    assert_near(s.acc, 4.0 / 6, 1e-12, "accuracy");
    assert_near(s.nmi, 2.0 / 3 * log(2) / sqrt(log(2) * log(3)), 1e-12, "NMI");
    s = score_of(a, one, 6);
    assert_true(s.acc == 0.5 && s.nmi == 0 && s.ari == 0);
    s = score_of(one, one, 6);
    assert_true(s.acc == 1 && s.nmi == 1 && s.ari == 1);
    s = score_of(each, each, 6);
    assert_true(s.acc == 1 && s.ari == 1);
    assert_near(s.nmi, 1, 1e-12, "NMI");
    s = score_of(one, one, 1);
    assert_true(s.acc == 1 && s.nmi == 1 && s.ari == 1);
}

/* ---- rows and columns together --------------------------------------------------------------- */

enum { SIDE = 9 };

/* Labels the cells of a table by their row and column, one after the other. */
static int label_cells(const int32_t *rows, const int32_t *cols, int n, int d, int32_t *cells)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            cells[i * d + j] = rows[i] < 0 || cols[j] < 0 ? -1 : rows[i] * LABELS + cols[j];
    return n * d;
}

/* Permutation number `which` of 0 .. 3. */
static void permute(int which, int map[4])
{
    for (int k = 0; k < 4; k++)
        map[k] = k;
    for (int k = 3; k > 0; which /= k + 1, k--) {
        int at = which % (k + 1), last = map[k];
        map[k] = map[at];
        map[at] = last;
    }
}

/* The share of cells that are wrong, in the best of all ways to match four labels of rows, and of
 * columns: cells are right where both their row and their column are. */
static double plain_cce(int32_t sides[4][SIDE], int n, int d)
{
    double most = 0;
    for (int way = 0; way < 24 * 24; way++) {
        int rows[4], cols[4];
        double right = 0, all = 0;
        permute(way % 24, rows);
        permute(way / 24, cols);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < d; j++) {
                if (sides[0][i] < 0 || sides[1][i] < 0 || sides[2][j] < 0 || sides[3][j] < 0)
                    continue;
                all++;
                right += rows[sides[0][i]] == sides[1][i] && cols[sides[2][j]] == sides[3][j];
            }
        most = fmax(most, right / all);
    }
    return 1 - most;
}

static void test_rows_and_columns(void **state)
{
    dice dc = dice_of(24);
    cobloc_error err;
    (void)state;
    for (int round = 0; round < rounds_of(600); round++) {
        int32_t sides[4][SIDE], cells[2][SIDE * SIDE];
        int n = 2 + roll_below(&dc, SIDE - 1), d = 2 + roll_below(&dc, SIDE - 1);
        for (int s = 0; s < 4; s++)
            for (int i = 0; i < SIDE; i++) {
                bool same = s % 2 == 1 && roll(&dc) < (round % 4) * 0.3;
                bool unknown = i > 1 && round % 5 == 0 && roll(&dc) < 0.15;
                sides[s][i] = unknown ? -1
                              : same  ? sides[s - 1][i]
                                      : roll_below(&dc, 1 + round % 4);
            }
        cobloc_coscores found;
        assert_ok(cob_coscore(sides[0], sides[1], n, sides[2], sides[3], d, &found, &err), err);
        int count = label_cells(sides[0], sides[2], n, d, cells[0]);
        label_cells(sides[1], sides[3], n, d, cells[1]);
        assert_near(found.cari, plain_ari(cells[0], cells[1], count), 1e-11, "CARI");
        assert_near(found.cce, plain_cce(sides, n, d), 1e-12, "CCE");
        cobloc_scores rows = score_of(sides[0], sides[1], n),
                      cols = score_of(sides[2], sides[3], d);
        assert_memory_equal(&found.rows, &rows, sizeof rows);
        assert_memory_equal(&found.cols, &cols, sizeof cols);
    }
}

/* All right, all together, all apart; and a table whose cells would not fit into memory. */
static void test_rows_and_columns_at_the_edge(void **state)
{
    enum { MANY = 100000 };
    static int32_t many[MANY], halves[MANY], one[4] = {0, 0, 0, 0}, each[4] = {0, 1, 2, 3};
    cobloc_error err;
    cobloc_coscores found;
    (void)state;
    for (int i = 0; i < MANY; i++) {
        many[i] = i % 7;
        halves[i] = i % 2;
    }
    assert_ok(cob_coscore(many, many, MANY, halves, halves, MANY, &found, &err), err);
    assert_true(found.cce == 0);
    assert_near(found.cari, 1, 1e-12, "CARI of the same");
    assert_ok(cob_coscore(one, one, 4, one, one, 4, &found, &err), err);
    assert_true(found.cari == 1 && found.cce == 0);
    assert_ok(cob_coscore(each, each, 4, each, each, 4, &found, &err), err);
    assert_true(found.cari == 1 && found.cce == 0);
    assert_ok(cob_coscore(one, each, 4, one, each, 4, &found, &err), err);
    assert_true(found.cari == 0);
    assert_near(found.cce, 15.0 / 16, 1e-15, "CCE of one against each");
    assert_ok(cob_coscore(many, halves, MANY, one, one, 4, &found, &err), err);
    assert_true(fabs(found.cari) < 1e-2);
    many[0] = -1;
    assert_int_equal(cob_coscore(one, one, 4, many, one, 1, &found, &err), COBLOC_BAD_DATA);
}

static void test_refused(void **state)
{
    static const int32_t a[] = {0, -1, 1}, b[] = {-1, 0, -2}, huge[] = {0, 1, 2000000000};
    cobloc_error err;
    cobloc_scores scores;
    (void)state;
    assert_int_equal(cob_score(a, b, 3, &scores, &err), COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "no item has both labels"));
    assert_int_equal(cob_score(a, b, 0, &scores, &err), COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "no item has both labels"));
    assert_int_equal(cob_score(huge, huge, 3, &scores, &err), COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "too many"));
    assert_int_equal(cob_score(a, b, 3, &scores, NULL), COBLOC_BAD_DATA);
}

static void test_failing_allocations(void **state)
{
    static const int32_t a[] = {0, 1, 1}, b[] = {2, 0, 1};
    (void)state;
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_scores scores;
        cobloc_coscores coscores;
        cobloc_confusion *confusion = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cob_score(a, b, 3, &scores, &err);
        if (status == COBLOC_OK)
            status = cob_coscore(a, b, 3, b, a, 3, &coscores, &err);
        if (status == COBLOC_OK)
            status = cobloc_confusion_of(a, b, 3, &confusion, &err);
        failed = allocation_failed(k, status, &err, 20);
        assert_true((confusion == NULL) == failed);
        cobloc_confusion_free(confusion);
    }
}

/* ---- matching -------------------------------------------------------------------------------- */

static void check_matching(const double *gain, int rows, int cols)
{
    cobloc_error err;
    double sum = 0, again = 0;
    int match[LABELS], used = 0, matched = 0;
    assert_ok(cob_best_matching(gain, rows, cols, &sum, match, &err), err);
    for (int i = 0; i < rows; i++)
        if (match[i] >= 0) {
            assert_true(match[i] < cols && !(used >> match[i] & 1));
            used |= 1 << match[i];
            again += gain[i * cols + match[i]];
            matched++;
        }
    assert_int_equal(matched, rows < cols ? rows : cols);
    assert_near(sum, again, 1e-12, "sum of the matching");
    assert_near(sum, best_matching(gain, rows, cols, 0, 0), 1e-9, "best matching");
    assert_ok(cob_best_matching(gain, rows, cols, &again, NULL, &err), err);
    assert_true(sum == again);
}

/* Whatever the gains are, the matching ends, and is one. */
static void test_matching_ends(void **state)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1};
    dice dc = dice_of(24);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        cobloc_error err;
        double gain[LABELS * LABELS], sum;
        int match[LABELS], used = 0, matched = 0;
        int rows = 1 + roll_below(&dc, LABELS), cols = 1 + roll_below(&dc, LABELS);
        for (int c = 0; c < rows * cols; c++)
            gain[c] = odd[roll_below(&dc, 4)];
        assert_ok(cob_best_matching(gain, rows, cols, &sum, match, &err), err);
        for (int i = 0; i < rows; i++)
            if (match[i] >= 0) {
                assert_true(match[i] < cols && !(used >> match[i] & 1));
                used |= 1 << match[i];
                matched++;
            }
        assert_int_equal(matched, rows < cols ? rows : cols);
    }
}

/* Wide, tall and square; gains are never negative here, so leaving a row out never pays. */
static void test_matching(void **state)
{
    dice dc = dice_of(23);
    (void)state;
    for (int round = 0; round < 3000; round++) {
        double gain[LABELS * LABELS];
        int rows = 1 + roll_below(&dc, LABELS), cols = 1 + roll_below(&dc, LABELS);
        for (int c = 0; c < rows * cols; c++)
            gain[c] = round % 2 ? roll(&dc) * 100 : roll_below(&dc, 4);
        check_matching(gain, rows, cols);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_labelings),
        cmocka_unit_test(test_renamed_labels),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_rows_and_columns),
        cmocka_unit_test(test_rows_and_columns_at_the_edge),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_matching),
        cmocka_unit_test(test_matching_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
