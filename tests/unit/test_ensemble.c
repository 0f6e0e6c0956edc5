/* Ensembles against a brute force that makes the dense table of rows by columns.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute_ensemble.h"

/* ---- the dense table ------------------------------------------------------------------------- */

/* The mean of the scaled tables of same co-clusters: cell by cell. */
static void brute_mean(const collection *c, int n, int d, double *mean)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++) {
            mean[i * d + j] = 0;
            for (int m = 0; m < c->count; m++) {
                int k = c->rows[m][i];
                if (k >= 0 && k == c->cols[m][j])
                    mean[i * d + j] +=
                        1 /
                        sqrt((double)members_of(c->rows[m], n, k) * members_of(c->cols[m], d, k)) /
                        c->count;
            }
        }
}

/* The sum of the table over the co-clusters, scaled. */
static double brute_consensus(const double *mean, int n, int d, int k, const int32_t *rows,
                              const int32_t *cols)
{
    double sum = 0;
    for (int c = 0; c < k; c++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < d; j++)
                if (rows[i] == c && cols[j] == c)
                    sum += mean[i * d + j] /
                           sqrt((double)members_of(rows, n, c) * members_of(cols, d, c));
    return sum;
}

static void test_factors(void **state)
{
    dice dc = dice_of(31);
    static collection c;
    static double mean[MOST_LINES * MOST_LINES];
    (void)state;
    for (int round = 0; round < rounds_of(20); round++) {
        int n = 3 + roll_below(&dc, 20), d = 3 + roll_below(&dc, 20);
        cob_member members[MOST_MEMBERS] = {{0}};
        cob_stack f = {0};
        cobloc_error err;
        make_collection(&dc, &c, 1 + roll_below(&dc, MOST_MEMBERS), n, d);
        for (int m = 0; m < c.count; m++)
            members[m] = (cob_member){c.rows[m], c.cols[m], 6, 0, NULL};
        assert_ok(cob_stack_make(members, c.count, n, d, COB_STACK_BY_SIZE, &f, &err), err);
        assert_int_equal(f.clusters, 6 * c.count);
        brute_mean(&c, n, d, mean);
        double *rows = dense_of(f.rows), *cols = dense_of(f.cols);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < d; j++) {
                double sum = 0;
                for (int at = 0; at < f.clusters; at++)
                    sum += rows[i * f.clusters + at] * f.scale[at] * cols[j * f.clusters + at];
                assert_near(sum, mean[i * d + j], 1e-12, "cell of the mean");
            }
        free(rows);
        free(cols);
        cob_stack_free(&f);
    }
}

/* ---- the consensus --------------------------------------------------------------------------- */

static cobloc_fit_options consensus_of(const collection *c, int k)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = "ebco";
    o.k = k;
    o.weight = COBLOC_WEIGHT_NONE;
    o.threads = 1;
    o.base = c->list;
    o.base_count = c->count;
    return o;
}

/* The best cluster of every line by the dense table, the other side and the sizes as they stand. */
static void brute_step(const double *mean, int n, int d, int k, bool of_rows, const int32_t *rows,
                       const int32_t *cols, int32_t *out)
{
    for (int line = 0; line < (of_rows ? n : d); line++) {
        double best = -1;
        for (int c = 0; c < k; c++) {
            double sum = 0;
            for (int other = 0; other < (of_rows ? d : n); other++)
                if ((of_rows ? cols : rows)[other] == c)
                    sum += of_rows ? mean[line * d + other] : mean[other * d + line];
            sum /= sqrt((double)members_of(rows, n, c) * members_of(cols, d, c));
            if (sum > best + 1e-12) {
                best = sum;
                out[line] = c;
            }
        }
    }
}

static bool all_filled(const int32_t *labels, int count, int k)
{
    for (int c = 0; c < k; c++)
        if (members_of(labels, count, c) == 0)
            return false;
    return true;
}

/* The criterion is that of the dense table, and no half-iteration by it would make it better. */
static void test_consensus(void **state)
{
    dice dc = dice_of(32);
    static collection c;
    static double mean[MOST_LINES * MOST_LINES];
    (void)state;
    for (int round = 0; round < rounds_of(20); round++) {
        int n = 8 + roll_below(&dc, 20), d = 8 + roll_below(&dc, 20), k = 2 + round % 3;
        table t = full_table(&dc, n, d);
        cobloc_matrix *x = matrix_of(&t);
        int32_t moved[MOST_LINES];
        cobloc_result *r = NULL;
        cobloc_error err;
        make_collection(&dc, &c, 3 + roll_below(&dc, 9), n, d);
        brute_mean(&c, n, d, mean);
        cobloc_fit_options o = consensus_of(&c, k);
        assert_ok(cobloc_fit(x, &o, &r, &err), err);
        double value = brute_consensus(mean, n, d, k, r->row_labels, r->col_labels);
        assert_near(r->criterion, value, 1e-10, "consensus");
        assert_int_equal(r->stop, COBLOC_STOP_CONVERGED);
        brute_step(mean, n, d, k, true, r->row_labels, r->col_labels, moved);
        if (all_filled(moved, n, k))
            assert_true(brute_consensus(mean, n, d, k, moved, r->col_labels) <= value + 1e-9);
        brute_step(mean, n, d, k, false, r->row_labels, r->col_labels, moved);
        if (all_filled(moved, d, k))
            assert_true(brute_consensus(mean, n, d, k, r->row_labels, moved) <= value + 1e-9);
        cobloc_result_free(r);
        cobloc_matrix_free(x);
    }
}

/* From given labels nothing is drawn: every iteration can be followed by the dense table. */
static void test_iterations(void **state)
{
    dice dc = dice_of(33);
    static collection c;
    static double mean[MOST_LINES * MOST_LINES];
    int followed = 0;
    (void)state;
    for (int round = 0; round < 40; round++) {
        int n = 12 + roll_below(&dc, 12), d = 12 + roll_below(&dc, 12), k = 2;
        table t = full_table(&dc, n, d);
        cobloc_matrix *x = matrix_of(&t);
        int32_t rows[MOST_LINES], cols[MOST_LINES], next[MOST_LINES];
        cobloc_result *r = NULL;
        cobloc_error err;
        make_collection(&dc, &c, 8, n, d);
        brute_mean(&c, n, d, mean);
        random_partition(&dc, n, k, rows);
        random_partition(&dc, d, k, cols);
        cobloc_fit_options o = consensus_of(&c, k);
        o.start = COBLOC_START_LABELS;
        o.start_rows = rows;
        o.start_cols = cols;
        o.max_iterations = 1;
        o.restarts = 1;
        assert_ok(cobloc_fit(x, &o, &r, &err), err);
        double value = brute_consensus(mean, n, d, k, rows, cols);
        brute_step(mean, n, d, k, true, rows, cols, next);
        bool whole = all_filled(next, n, k);
        if (whole && brute_consensus(mean, n, d, k, next, cols) >= value) {
            memcpy(rows, next, sizeof rows);
            value = brute_consensus(mean, n, d, k, rows, cols);
        }
        brute_step(mean, n, d, k, false, rows, cols, next);
        whole = whole && all_filled(next, d, k);
        if (whole && brute_consensus(mean, n, d, k, rows, next) >= value)
            value = brute_consensus(mean, n, d, k, rows, next);
        if (whole) {
            assert_near(r->criterion, value, 1e-10, "after an iteration");
            followed++;
        }
        cobloc_result_free(r);
        cobloc_matrix_free(x);
    }
    assert_true(followed > 20);
}

/* ---- members --------------------------------------------------------------------------------- */

/* Worked by hand: N = 20; rows 0, 1 hold 4 and 5 in columns 0, 1, rows 2, 3 hold 6 and 5 in columns
 * 2, 3. */
static const table two = {.n = 4,
                          .d = 4,
                          .x = {3, 1, 0, 0, /**/ 2, 3, 0, 0, /**/
                                0, 0, 4, 2, /**/ 0, 0, 1, 4}};

static void check_member(const int32_t *rows, const int32_t *cols, int paired,
                         const int32_t *expected, double modularity)
{
    cobloc_matrix *x = matrix_of(&two);
    cobloc_copartition given = {.row_labels = rows, .col_labels = cols, .paired = paired};
    cob_member m = {0};
    cobloc_error err;
    assert_ok(cob_member_make(x, &given, 1, &m, &err), err);
    assert_memory_equal(m.rows, rows, 4 * sizeof *rows);
    assert_memory_equal(m.cols, expected, 4 * sizeof *expected);
    assert_near(m.modularity, modularity, 1e-12, "modularity");
    cob_free(m.rows);
    cob_free(m.cols);
    cob_free(m.relevance);
    cobloc_matrix_free(x);
}

static void test_pairs(void **state)
{
    static const int32_t rows[] = {0, 0, 1, 1}, same[] = {0, 0, 1, 1}, turned[] = {1, 1, 0, 0},
                         three[] = {2, 1, 0, 0}, to_three[] = {0, 0, 1, 1}, none[] = {1, -1, 0, 0},
                         to_none[] = {0, -1, 1, 1}, some[] = {0, -1, 1, 1};
    double both = (9 - 9.0 * 9 / 20 + 11 - 11.0 * 11 / 20) / 20;
    (void)state;
    check_member(rows, same, 1, same, both);
    check_member(rows, turned, 0, same, both);
    check_member(rows, turned, 1, turned, (0 - 9.0 * 11 / 20 * 2) / 20);
    check_member(rows, three, 0, to_three, both);
    check_member(rows, none, 0, to_none, (5 - 9.0 * 5 / 20 + 11 - 11.0 * 11 / 20) / 20);
    check_member(rows, NULL, 0, same, both); /* columns beside the rows */
    check_member(some, NULL, 0, same, (4 - 4.0 * 9 / 20 + 11 - 11.0 * 11 / 20) / 20);
}

static void test_keep(void **state)
{
    cob_member *members = cob_alloc_zero(4, sizeof *members);
    static const double values[] = {0.30, 0.50, 0.40, 0.39};
    (void)state;
    for (int m = 0; m < 4; m++)
        members[m] = (cob_member){cob_alloc(1, 4), cob_alloc(1, 4), 2, values[m], NULL};
    cob_members_keep(members, 4, 0.8);
    assert_null(members[0].rows);
    assert_non_null(members[1].rows);
    assert_non_null(members[2].rows);
    assert_null(members[3].rows);
    cob_members_keep(members, 4, 1);
    assert_null(members[2].rows);
    cob_members_free(members, 4);
}

/* ---- cobloc_ensemble ------------------------------------------------------------------------- */

static cobloc_ensemble_options usual(int k)
{
    cobloc_ensemble_options o;
    cob_ensemble_options_default(&o);
    o.k = k;
    o.size_to = 6;
    o.restarts = 4;
    o.threads = 1;
    return o;
}

static void assert_same_consensus(const cobloc_consensus *a, const cobloc_consensus *b)
{
    const cobloc_result *r = a->result, *s = b->result;
    assert_int_equal(a->count, b->count);
    for (int m = 0; m < a->count; m++)
        assert_memory_equal(&a->members[m].modularity, &b->members[m].modularity, sizeof(double));
    assert_int_equal(r->k, s->k);
    assert_memory_equal(&r->criterion, &s->criterion, sizeof r->criterion);
    assert_memory_equal(r->row_labels, s->row_labels, (size_t)r->n * sizeof *r->row_labels);
    assert_memory_equal(r->col_labels, s->col_labels, (size_t)r->d * sizeof *r->col_labels);
}

/* Three planted blocks are found, also their number, on any number of threads. */
static void test_planted(void **state)
{
    dice dc = dice_of(34);
    table t = planted_table(&dc, 60, 45, 3, 0.7, 0.05);
    cobloc_matrix *x = matrix_of(&t);
    static const char *const models[] = {"dcc", "coclus", "itcc"};
    (void)state;
    for (int how = 0; how < 4; how++) {
        cobloc_ensemble_options o = usual(how == 1 ? 0 : 3);
        cobloc_consensus *one = NULL, *three = NULL;
        cobloc_error err;
        if (how == 2) {
            o.models = models;
            o.model_count = 3;
            o.runs = 2;
        }
        if (how == 3)
            o.method = "coce";
        assert_ok(cobloc_ensemble(x, &o, &one, &err), err);
        o.threads = 3;
        assert_ok(cobloc_ensemble(x, &o, &three, &err), err);
        assert_same_consensus(one, three);
        assert_int_equal(one->count, how == 2 ? 30 : 5);
        assert_int_equal(one->result->k, 3);
        assert_true((one->selection != NULL) == (how == 1));
        assert_true(one->kept > 0 && one->kept <= one->count);
        assert_string_equal(one->result->model, how == 3 ? "coce" : "ebco");
        int first = 0; /* rows of one block together */
        for (int i = 0; i < 60; i++)
            first += one->result->row_labels[i] == one->result->row_labels[i % 20 + i / 20 * 20];
        assert_int_equal(first, 60);
        cobloc_consensus_free(one);
        cobloc_consensus_free(three);
    }
    cobloc_matrix_free(x);
}

static void test_given(void **state)
{
    dice dc = dice_of(35);
    static collection c;
    table t = full_table(&dc, 20, 16);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_ensemble_options o = usual(2);
    cobloc_consensus *e = NULL;
    cobloc_error err;
    static const char *const models[] = {"coclus"};
    (void)state;
    make_collection(&dc, &c, 6, 20, 16);
    c.list[0].name = "first";
    o.given = c.list;
    o.given_count = c.count;
    o.keep = 0;
    assert_ok(cobloc_ensemble(x, &o, &e, &err), err);
    assert_int_equal(e->count, 6);
    assert_int_equal(e->kept, 6);
    assert_null(e->members[0].model);
    assert_string_equal(e->members[0].name, "first");
    cobloc_consensus_free(e);
    o.models = models;
    o.model_count = 1;
    assert_ok(cobloc_ensemble(x, &o, &e, &err), err);
    assert_int_equal(e->count, 11);
    assert_string_equal(e->members[6].model, "coclus");
    cobloc_consensus_free(e);
    cobloc_matrix_free(x);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuse(const cobloc_matrix *x, cobloc_ensemble_options o, cobloc_status wanted,
                   const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_consensus *e = NULL;
    cobloc_status status = cobloc_ensemble(x, &o, &e, &err);
    if (status != wanted || !strstr(err.message, part))
        fail_msg("status %d, \"%s\", expected %d and \"%s\"", (int)status, err.message, (int)wanted,
                 part);
    assert_null(e);
}

static void test_refused(void **state)
{
    cobloc_matrix *x = matrix_of(&two);
    static const char *const unknown[] = {"nonsense"};
    static const int32_t good[] = {0, 0, 1, 1}, nobody[] = {-1, -1, -1, -1},
                         large[] = {0, 0, 1, 10000};
    cobloc_copartition given = {.row_labels = good, .col_labels = nobody};
    cobloc_fit_options f;
    cobloc_result *r = NULL;
    cobloc_error err;
    cobloc_ensemble_options o = usual(2);
    (void)state;
    o.size_to = 0;
    o.method = "coclus";
    refuse(x, o, COBLOC_BAD_ARGUMENT, "'coclus' does not join co-clusterings");
    o.method = NULL;
    refuse(x, o, COBLOC_BAD_ARGUMENT, "expected ebco or coce");
    o.method = "ebco";
    o.size_from = 5;
    o.size_to = 4;
    refuse(x, o, COBLOC_BAD_ARGUMENT, "sizes of the members are 5 to 4");
    o.size_to = 9;
    refuse(x, o, COBLOC_BAD_DATA, "clusters were asked for");
    o.size_from = 2;
    o.size_to = 0;
    o.models = unknown;
    o.model_count = 1;
    refuse(x, o, COBLOC_BAD_ARGUMENT, "nonsense");
    o.model_count = 0;
    refuse(x, o, COBLOC_BAD_ARGUMENT, "no models");
    o.models = NULL;
    o.given = &given;
    o.given_count = 1;
    refuse(x, o, COBLOC_BAD_DATA, "co-clustering 1: a co-clustering has no clusters of columns");
    given.col_labels = large;
    refuse(x, o, COBLOC_BAD_DATA, "co-clustering 1: the label of column 4 is 10000");
    given.col_labels = good;
    o.k = 5;
    refuse(x, o, COBLOC_BAD_DATA, "5 clusters were asked for");
    cob_fit_options_default(&f);
    f.k = 2;
    f.base = &given;
    f.base_count = 1;
    assert_int_equal(cobloc_fit(x, &f, &r, &err), COBLOC_BAD_ARGUMENT);
    assert_string_equal(err.message, "coclus joins no co-clusterings");
    cobloc_matrix_free(x);
}

static int stop_at_once(void *user, const char *what, double done)
{
    (void)user;
    (void)what;
    (void)done;
    return 1;
}

static void test_stopped(void **state)
{
    dice dc = dice_of(36);
    table t = planted_table(&dc, 30, 30, 3, 0.7, 0.05);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_ensemble_options o = usual(0);
    cobloc_consensus *e = NULL;
    cobloc_error err;
    (void)state;
    o.max_seconds = 1e-9;
    assert_ok(cobloc_ensemble(x, &o, &e, &err), err);
    assert_int_equal(e->result->stop, COBLOC_STOP_TIME);
    cobloc_consensus_free(e);
    o.max_seconds = 0;
    o.progress = (cobloc_progress){stop_at_once, NULL};
    assert_ok(cobloc_ensemble(x, &o, &e, &err), err);
    assert_int_equal(e->result->stop, COBLOC_STOP_CANCELLED);
    cobloc_consensus_free(e);
    cobloc_matrix_free(x);
}

static void test_failing_allocations(void **state)
{
    static const int32_t rows[] = {0, 0, 1, 1}, cols[] = {0, 0, 1, 1};
    cobloc_copartition given = {.row_labels = rows, .col_labels = cols, .name = "mine"};
    static const char *const models[] = {"coclus"};
    cobloc_matrix *x = matrix_of(&two);
    (void)state;
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_ensemble_options o = usual(0);
        cobloc_consensus *e = NULL;
        cobloc_error err = {COBLOC_OK, ""};
        o.models = models;
        o.model_count = 1;
        o.given = &given;
        o.given_count = 1;
        o.size_to = 2;
        o.k_to = 3;
        o.restarts = 2;
        o.max_iterations = 3;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_ensemble(x, &o, &e, &err);
        if (status == COBLOC_OK)
            status = cobloc_consensus_write(e, x, &o, test_path("failing"), &err);
        failed = allocation_failed(k, status, &err, 50);
        cobloc_consensus_free(e);
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_factors),    cmocka_unit_test(test_consensus),
        cmocka_unit_test(test_iterations), cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_keep),       cmocka_unit_test(test_planted),
        cmocka_unit_test(test_given),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_stopped),    cmocka_unit_test(test_failing_allocations),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
