/* chisim and Ward's clustering against dense, greedy versions of both.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "base/ward.h"

/* ---- Ward ------------------------------------------------------------------------------------ */

/* Merges the closest two of all clusters, again and again; sizes and distances in long double. */
static double brute_ward(const double *squares, int count, int k, int32_t *labels)
{
    static long double apart[MOST_LINES][MOST_LINES];
    double size[MOST_LINES], cost = 0;
    for (int i = 0; i < count; i++) {
        labels[i] = i;
        size[i] = 1;
        for (int j = 0; j < count; j++)
            apart[i][j] = squares[i * count + j];
    }
    for (int left = count; left > k; left--) {
        int a = -1, b = -1;
        for (int i = 0; i < count; i++)
            for (int j = i + 1; j < count; j++)
                if (size[i] > 0 && size[j] > 0 && (a < 0 || apart[i][j] < apart[a][b])) {
                    a = i;
                    b = j;
                }
        cost += (double)apart[a][b];
        for (int j = 0; j < count; j++)
            if (j != a && j != b && size[j] > 0)
                apart[a][j] = apart[j][a] =
                    ((size[a] + size[j]) * apart[a][j] + (size[b] + size[j]) * apart[b][j] -
                     size[j] * apart[a][b]) /
                    (size[a] + size[b] + size[j]);
        size[a] += size[b];
        size[b] = 0;
        for (int i = 0; i < count; i++)
            labels[i] = labels[i] == b ? a : labels[i];
    }
    return cost;
}

static void assert_same_partition(const int32_t *a, const int32_t *b, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if ((a[i] == a[j]) != (b[i] == b[j]))
                fail_msg("lines %d and %d: together in one partition only", i, j);
}

static void test_ward(void **state)
{
    dice dc = dice_of(51);
    static double squares[MOST_LINES * MOST_LINES];
    (void)state;
    for (int round = 0; round < rounds_of(60); round++) {
        int count = 1 + roll_below(&dc, 40), k = 1 + roll_below(&dc, count);
        int32_t expected[MOST_LINES], labels[MOST_LINES];
        double cost = -1;
        cobloc_error err;
        for (int i = 0; i < count; i++)
            for (int j = 0; j <= i; j++)
                squares[i * count + j] = squares[j * count + i] = i == j ? 0 : 0.1 + roll(&dc);
        double best = brute_ward(squares, count, k, expected);
        assert_ok(cob_ward(squares, count, k, labels, &cost, &err), err);
        assert_same_partition(labels, expected, count);
        assert_near(cost, best, 1e-10, "cost");
        int32_t next = 0; /* numbered by their first points */
        for (int i = 0; i < count; i++) {
            assert_true(labels[i] <= next);
            next += labels[i] == next;
        }
        assert_int_equal(next, k);
    }
}

/* ---- chi-Sim --------------------------------------------------------------------------------- */

static void brute_similarities(const table *t, double *rows, double *cols)
{
    static double new_rows[MOST_LINES * MOST_LINES], new_cols[MOST_LINES * MOST_LINES];
    int n = t->n, d = t->d;
    for (int i = 0; i < n * n; i++)
        rows[i] = i % (n + 1) == 0;
    for (int j = 0; j < d * d; j++)
        cols[j] = j % (d + 1) == 0;
    for (int round = 0; round < 4; round++) {
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++) {
                double sum = 0;
                for (int i = 0; i < d; i++)
                    for (int j = 0; j < d; j++)
                        sum += cell(t, a, i) * cols[i * d + j] * cell(t, b, j);
                new_rows[a * n + b] = a == b ? 1 : sum / (t->r[a] * t->r[b]);
            }
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++) {
                double sum = 0;
                for (int i = 0; i < n; i++)
                    for (int j = 0; j < n; j++)
                        sum += cell(t, i, a) * rows[i * n + j] * cell(t, j, b);
                new_cols[a * d + b] = a == b ? 1 : sum / (t->c[a] * t->c[b]);
            }
        memcpy(rows, new_rows, (size_t)(n * n) * sizeof *rows);
        memcpy(cols, new_cols, (size_t)(d * d) * sizeof *cols);
    }
    for (int i = 0; i < n * n; i++)
        rows[i] = 1 - rows[i];
    for (int j = 0; j < d * d; j++)
        cols[j] = 1 - cols[j];
}

static cobloc_fit_options options_for(int k, int l)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = "chisim";
    o.k = k;
    o.l = l;
    o.threads = 1;
    return o;
}

static void test_similarities(void **state)
{
    dice dc = dice_of(52);
    static double rows[MOST_LINES * MOST_LINES], cols[MOST_LINES * MOST_LINES];
    (void)state;
    for (int round = 0; round < rounds_of(20); round++) {
        int n = 6 + roll_below(&dc, 12), d = 6 + roll_below(&dc, 12);
        table t = distinct_table(&dc, n, d, 0.5, true);
        cobloc_matrix *x = matrix_of(&t);
        cobloc_fit_options o = options_for(3, 4);
        int32_t row_labels[MOST_LINES], col_labels[MOST_LINES];
        cobloc_result *r = NULL;
        cobloc_error err;
        brute_similarities(&t, rows, cols);
        double cost = brute_ward(rows, n, 3, row_labels) + brute_ward(cols, d, 4, col_labels);
        assert_ok(cobloc_fit(x, &o, &r, &err), err);
        assert_near(r->criterion, cost, 1e-9, "criterion");
        assert_same_partition(r->row_labels, row_labels, n);
        assert_same_partition(r->col_labels, col_labels, d);
        assert_int_equal(r->iterations, 4);
        cobloc_result_free(r);
        cobloc_matrix_free(x);
    }
}

static void test_memory(void **state)
{
    dice dc = dice_of(53);
    table t = distinct_table(&dc, 30, 20, 0.5, true);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_fit_options o = options_for(3, 3);
    cobloc_result *r = NULL;
    cobloc_fit_need need;
    cobloc_error err;
    (void)state;
    o.max_memory = 8 * (30 * 30 + 2 * 20 * 20) - 1;
    assert_int_equal(cobloc_fit(x, &o, &r, &err), COBLOC_NO_MEMORY);
    assert_non_null(strstr(err.message, "of memory for 30 rows and 20 columns, more than"));
    assert_non_null(strstr(err.message, "chisim needs 1.27e-05 GiB")); /* 13600 / 2^30 */
    assert_ok(cob_fit_memory(x, &o, &need, &err), err);
    assert_true(need.similarities == 13600);
    o.max_memory++;
    assert_ok(cobloc_fit(x, &o, &r, &err), err);
    cobloc_result_free(r);
    o.max_memory = 0; /* half of the machine's */
    assert_ok(cobloc_fit(x, &o, &r, &err), err);
    cobloc_result_free(r);
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ward),
        cmocka_unit_test(test_similarities),
        cmocka_unit_test(test_memory),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
