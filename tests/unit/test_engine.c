/* cobloc_fit judged from outside: what the result says of itself, what may not change it (threads,
 * the order of rows, a common factor), and whether it finds what was planted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute_assess.h"

static cobloc_fit_options options_for(const known *model, int k)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model->name;
    o.k = k;
    o.threads = 1;
    o.restarts = 2;
    return o;
}

static cobloc_result *must_fit(const cobloc_matrix *x, const cobloc_fit_options *o)
{
    cobloc_error err;
    cobloc_result *result = NULL;
    cobloc_status status = cobloc_fit(x, o, &result, &err);
    if (status != COBLOC_OK)
        fail_msg("%s, %s: %s", o->model, cobloc_inference_name(o->inference), err.message);
    return result;
}

static bool legal(const known *model, cobloc_inference inference)
{
    return model->likelihood || inference == COBLOC_HARD || inference == COBLOC_STOCHASTIC;
}

/* ---- what a result says of itself ------------------------------------------------------------ */

/* The table without its empty rows and columns, and the labels and memberships of what is left. */
static table without_empty(const table *t, const cobloc_result *r, bool drop, int32_t *rows,
                           int32_t *cols, parts *s)
{
    table out = {.n = 0, .d = 0};
    int col_of[MOST_LINES];
    s->g = r->k;
    s->m = r->l;
    for (int j = 0; j < t->d; j++) {
        assert_int_equal(r->col_labels[j] < 0, drop && t->c[j] == 0);
        if (r->col_labels[j] < 0)
            continue;
        for (int l = 0; l < r->l && r->col_probabilities; l++)
            s->q[out.d * r->l + l] = r->col_probabilities[j * r->l + l];
        cols[out.d] = r->col_labels[j];
        col_of[out.d++] = j;
    }
    for (int i = 0; i < t->n; i++) {
        assert_int_equal(r->row_labels[i] < 0, drop && t->r[i] == 0);
        if (r->row_labels[i] < 0)
            continue;
        for (int k = 0; k < r->k && r->row_probabilities; k++)
            s->p[out.n * r->k + k] = r->row_probabilities[i * r->k + k];
        rows[out.n] = r->row_labels[i];
        for (int j = 0; j < out.d; j++)
            out.x[out.n * out.d + j] = cell(t, i, col_of[j]);
        out.n++;
    }
    if (!r->row_probabilities)
        one_hot_parts(s, &out, r->k, r->l, rows, cols);
    take_margins(&out);
    return out;
}

static void check_sizes(const int64_t *sizes, int clusters, const int32_t *labels, int count,
                        bool ordered)
{
    for (int k = 0; k < clusters; k++) {
        int found = 0;
        for (int i = 0; i < count; i++)
            found += labels[i] == k;
        assert_int_equal(sizes[k], found);
        assert_true(found > 0);
        assert_true(!ordered || k == 0 || sizes[k] <= sizes[k - 1]);
    }
}

static void check_tables(const known *model, const cobloc_result *r, const table *t, const parts *s)
{
    static long double rate[MOST_CLUSTERS * MOST_CLUSTERS];
    brute_rates(model, t, s, rate);
    for (int k = 0; k < r->k; k++)
        for (int l = 0; l < r->l; l++) {
            double sum = 0, own = (double)rate[k * r->l + l];
            for (int i = 0; i < t->n; i++)
                for (int j = 0; j < t->d; j++)
                    sum += s->p[i * r->k + k] * s->q[j * r->l + l] * cell(t, i, j);
            assert_near(r->blocks[k * r->l + l], sum, rounding(t, 1e-10), "block");
            if (model->likelihood || model->family == SQUARES)
                assert_near(r->parameters[k * r->l + l], model->bounded && k == l ? 1 - own : own,
                            nearness(model, t, 1e-10), "parameter");
        }
}

/* The most probable cluster is the label, unless that would leave another without any line. */
static void check_labels(const double *p, const int32_t *labels, int lines, int clusters, int *odd)
{
    for (int i = 0; i < lines; i++)
        for (int k = 0; k < clusters; k++)
            if (p[i * clusters + k] > p[i * clusters + labels[i]]) {
                ++*odd;
                break;
            }
}

/* Merging the clusters as the hierarchy says gives the criteria it says. */
static void check_hierarchy(const known *model, const cobloc_result *r, const table *t,
                            int32_t *rows, int32_t *cols)
{
    for (int s = 0; r->merges && s < r->k - 1; s++) {
        int a = r->merges[2 * s], b = r->merges[2 * s + 1], gone[MOST_CLUSTERS] = {0}, before = 0;
        int32_t row[MOST_LINES], col[MOST_LINES];
        assert_true(a >= 0 && a < b && b < r->k);
        for (int i = 0; i < t->n; i++)
            rows[i] = rows[i] == b ? a : rows[i];
        for (int j = 0; j < t->d && model->diagonal; j++)
            cols[j] = cols[j] == b ? a : cols[j];
        for (int step = 0; step <= s; step++)
            gone[r->merges[2 * step + 1]]++;
        int number[MOST_CLUSTERS]; /* without gaps */
        for (int k = 0; k < r->k; k++) {
            assert_true(gone[k] <= 1);
            number[k] = k - before;
            before += gone[k];
        }
        for (int i = 0; i < t->n; i++)
            row[i] = number[rows[i]];
        for (int j = 0; j < t->d; j++)
            col[j] = model->diagonal ? number[cols[j]] : cols[j];
        assert_near(
            r->merge_criteria[s],
            brute_value(model, t, r->k - 1 - s, model->diagonal ? r->k - 1 - s : r->l, row, col),
            1e-9, "criterion of a merge");
    }
}

/* ICL, modularity and explained information are those of the labels, whatever the inference. */
static void check_assessment(const known *model, const cobloc_result *r, const table *t,
                             const int32_t *rows, const int32_t *cols)
{
    double likelihood = brute_log_likelihood(model, t, r->k, r->l, rows, cols);
    assert_int_equal(isnan(likelihood), isnan(r->log_likelihood));
    assert_int_equal(isnan(likelihood), isnan(r->free_parameters));
    if (isnan(likelihood)) {
        assert_true(isnan(r->icl));
    } else {
        assert_near(r->log_likelihood, likelihood, nearness(model, t, 1e-9), "log-likelihood");
        assert_near(r->icl, likelihood - brute_penalty(model, t, r->k, r->l),
                    nearness(model, t, 1e-9), "ICL");
    }
    if (r->k == r->l)
        assert_near(r->modularity, brute_modularity(t, r->k, model->diagonal, rows, cols),
                    rounding(t, 1e-11), "modularity");
    else
        assert_true(isnan(r->modularity));
    assert_near(r->explained_information, brute_explained(t, rows, cols), rounding(t, 1e-10),
                "explained information");
}

static void check_result(const known *model, const cobloc_result *r, const table *given)
{
    static parts s;
    int32_t rows[MOST_LINES], cols[MOST_LINES];
    int odd = 0;
    table t = without_empty(given, r, !model->zeros_matter, rows, cols, &s);
    bool soft = r->row_probabilities != NULL;
    assert_int_equal(soft, r->inference == COBLOC_SOFT || r->inference == COBLOC_SVEM);
    assert_near(r->criterion,
                soft ? brute_likelihood(model, &t, &s)
                     : brute_value(model, &t, r->k, r->l, rows, cols),
                nearness(model, &t, 1e-9), model->name);
    assert_true(r->criterion == r->restart_criteria[r->best_restart]);
    assert_int_equal(r->trace_count, r->iterations);
    assert_int_equal(r->empty_rows, given->n - t.n);
    assert_int_equal(r->empty_cols, given->d - t.d);
    check_sizes(r->row_sizes, r->k, rows, t.n, true);
    check_sizes(r->col_sizes, r->l, cols, t.d, !model->diagonal && !is_model(model, "socc"));
    check_tables(model, r, &t, &s);
    check_assessment(model, r, &t, rows, cols);
    if (soft) {
        check_labels(s.p, rows, t.n, r->k, &odd);
        check_labels(s.q, cols, t.d, r->l, &odd);
        if (scales_effects(model, &t)) /* sections without a lift are equally probable */
            assert_true(odd <= r->repaired);
        else
            assert_int_equal(odd, r->repaired);
    } else {
        check_hierarchy(model, r, &t, rows, cols);
    }
}

static void judge(dice *dc, const known *model, cobloc_inference inference, int round)
{
    cobloc_error err;
    cobloc_matrix *weighted = NULL;
    table t = distinct_table(dc, 12 + roll_below(dc, 6), 12 + roll_below(dc, 4), 0.5, round % 2);
    int empty_row = roll_below(dc, t.n), empty_col = roll_below(dc, t.d);
    for (int c = 0; c < t.n * t.d && round % 3 == 0; c++)
        if (c / t.d == empty_row || c % t.d == empty_col)
            t.x[c] = 0;
    cobloc_fit_options o = options_for(model, 2 + roll_below(dc, 2));
    o.inference = inference;
    o.seed = (uint64_t)round;
    o.weight = round % 4 == 3 ? COBLOC_WEIGHT_TFIDF : COBLOC_WEIGHT_NONE;
    o.l = columns_for(model, o.k, 4);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_result *result = must_fit(x, &o);
    assert_ok(cobloc_matrix_weighted(x, o.weight, &weighted, &err), err);
    double total = natural_total(&t);
    t = table_of(weighted);
    t = table_for(model, &t);
    if (model->family == POISSON)
        scale_to(&t, total);
    take_margins(&t);
    check_result(model, result, &t);
    cobloc_result_free(result);
    cobloc_matrix_free(weighted);
    cobloc_matrix_free(x);
}

static void test_results(void **state)
{
    dice dc = dice_of(51);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int inference = COBLOC_HARD; inference <= COBLOC_SVEM; inference++)
            for (int round = 0; round < rounds_of(12); round++)
                if (legal(&known_models[at], (cobloc_inference)inference))
                    judge(&dc, &known_models[at], (cobloc_inference)inference,
                          round + at + inference - COBLOC_HARD);
}

/* ---- any number of threads ------------------------------------------------------------------- */

#define ASSERT_SAME_ARRAY(a, b, field, count)                                                      \
    do {                                                                                           \
        assert_int_equal((a)->field == NULL, (b)->field == NULL);                                  \
        if ((a)->field && memcmp((a)->field, (b)->field, (size_t)(count) * sizeof *(a)->field))    \
            fail_msg("%s, %s: " #field " differ", (a)->model,                                      \
                     cobloc_inference_name((a)->inference));                                       \
    } while (0)

static void assert_same_result(const cobloc_result *a, const cobloc_result *b)
{
    int cells = a->k * a->l;
    ASSERT_SAME_ARRAY(a, b, row_labels, a->n);
    ASSERT_SAME_ARRAY(a, b, col_labels, a->d);
    ASSERT_SAME_ARRAY(a, b, row_probabilities, a->n * a->k);
    ASSERT_SAME_ARRAY(a, b, col_probabilities, a->d * a->l);
    ASSERT_SAME_ARRAY(a, b, restart_criteria, a->restarts);
    ASSERT_SAME_ARRAY(a, b, blocks, cells);
    ASSERT_SAME_ARRAY(a, b, parameters, cells);
    ASSERT_SAME_ARRAY(a, b, row_proportions, a->k);
    ASSERT_SAME_ARRAY(a, b, col_proportions, a->l);
    ASSERT_SAME_ARRAY(a, b, merges, 2 * (a->k - 1));
    ASSERT_SAME_ARRAY(a, b, merge_criteria, a->k - 1);
    assert_int_equal(a->trace_count, b->trace_count);
    ASSERT_SAME_ARRAY(a, b, trace, a->trace_count);
    assert_memory_equal(&a->criterion, &b->criterion, sizeof a->criterion);
    assert_memory_equal(&a->icl, &b->icl, sizeof a->icl);
    assert_memory_equal(&a->modularity, &b->modularity, sizeof a->modularity);
    assert_memory_equal(&a->explained_information, &b->explained_information,
                        sizeof a->explained_information);
    assert_true(a->r_hat == b->r_hat || (isnan(a->r_hat) && isnan(b->r_hat)));
    assert_int_equal(a->best_restart, b->best_restart);
    assert_int_equal(a->repaired, b->repaired);
    assert_int_equal(a->stop, b->stop);
}

static void check_threads(const known *model, const cobloc_matrix *x, cobloc_inference inference,
                          cobloc_weight weight)
{
    static const int threads[] = {2, 3, 8};
    cobloc_fit_options o = options_for(model, 3);
    o.inference = inference;
    o.weight = weight;
    o.restarts = 3;
    o.start = weight == COBLOC_WEIGHT_NONE ? COBLOC_START_AUTO : COBLOC_START_MERGE;
    cobloc_result *first = must_fit(x, &o);
    for (int t = 0; t < 3; t++) {
        o.threads = threads[t];
        cobloc_result *other = must_fit(x, &o);
        assert_same_result(first, other);
        cobloc_result_free(other);
    }
    o.restarts = 6; /* more restarts leave the first ones as they are */
    o.threads = 2;
    cobloc_result *more = must_fit(x, &o);
    if (strcmp(model->name, "dlbm3") != 0) /* its best may be that of another model's starts */
        ASSERT_SAME_ARRAY(first, more, restart_criteria, 3);
    cobloc_result_free(more);
    cobloc_result_free(first);
}

static void test_same_on_any_threads(void **state)
{
    dice dc = dice_of(52);
    table t = planted_table(&dc, 50, 40, 4, 0.3, 0.08);
    cobloc_matrix *x = matrix_of(&t);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int inference = COBLOC_HARD; inference <= COBLOC_SVEM; inference++)
            if (legal(&known_models[at], (cobloc_inference)inference)) {
                for (int w = 0; w < rounds_of(2); w++)
                    check_threads(&known_models[at], x, (cobloc_inference)inference,
                                  (w + at + inference) % 2 ? COBLOC_WEIGHT_TFIDF
                                                           : COBLOC_WEIGHT_NONE);
            }
    cobloc_matrix_free(x);
}

/* ---- order and scale ------------------------------------------------------------------------- */

static void shuffle(dice *dc, int *order, int count)
{
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = roll_below(dc, i + 1), keep = order[i];
        order[i] = order[j];
        order[j] = keep;
    }
}

static void assert_same_partition(const int32_t *a, const int32_t *b, const int *order, int count,
                                  const char *what)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if ((a[order[i]] == a[order[j]]) != (b[i] == b[j]))
                fail_msg("%s: another partition", what);
}

static void check_order(dice *dc, const known *model)
{
    table t = planted_table(dc, 20, 18, 3, 0.6, 0.2), turned = t;
    int rows[MOST_LINES], cols[MOST_LINES];
    int32_t row_labels[MOST_LINES], col_labels[MOST_LINES], row_turned[MOST_LINES],
        col_turned[MOST_LINES];
    cobloc_fit_options o = options_for(model, 3);
    for (int c = 0; c < t.n * t.d; c++) /* so that ties are rare */
        t.x[c] = t.x[c] > 0 ? t.x[c] * 40 + roll_below(dc, 40) : 0;
    /* Not far from the blocks: a cluster that has to be held by one of several equal rows would
     * make the order of the rows matter. */
    random_partition(dc, t.n, 3, row_labels);
    random_partition(dc, t.d, columns_for(model, 3, 3), col_labels);
    for (int i = 0; i < t.n; i++)
        row_labels[i] = i % 4 ? i % 3 : row_labels[i];
    for (int j = 0; j < t.d && !is_model(model, "socc"); j++)
        col_labels[j] = j % 4 ? j % 3 : col_labels[j];
    shuffle(dc, rows, t.n);
    shuffle(dc, cols, t.d);
    for (int i = 0; i < t.n; i++)
        row_turned[i] = row_labels[rows[i]];
    for (int j = 0; j < t.d; j++)
        col_turned[j] = col_labels[cols[j]];
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.d; j++)
            turned.x[i * t.d + j] = cell(&t, rows[i], cols[j]);
    cobloc_matrix *x = matrix_of(&t), *y = matrix_of(&turned);
    take_margins(&t);
    take_margins(&turned);
    o.start = COBLOC_START_LABELS;
    o.restarts = 1;
    o.inference = COBLOC_HARD;
    if (is_model(model, "socc")) /* sections without a lift are all alike */
        o.row_effects = t.r, o.col_effects = t.c;
    o.start_rows = row_labels, o.start_cols = col_labels;
    cobloc_result *a = must_fit(x, &o);
    o.start_rows = row_turned, o.start_cols = col_turned;
    if (o.row_effects)
        o.row_effects = turned.r, o.col_effects = turned.c;
    cobloc_result *b = must_fit(y, &o);
    assert_near(b->criterion, a->criterion, 1e-10, model->name);
    assert_same_partition(a->row_labels, b->row_labels, rows, t.n, model->name);
    assert_same_partition(a->col_labels, b->col_labels, cols, t.d, model->name);
    cobloc_result_free(a);
    cobloc_result_free(b);
    cobloc_matrix_free(x);
    cobloc_matrix_free(y);
}

static void test_order_does_not_matter(void **state)
{
    dice dc = dice_of(53);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int round = 0; round < rounds_of(20); round++)
            check_order(&dc, &known_models[at]);
}

static void test_scale_does_not_matter(void **state)
{
    static const int factors[] = {2, 3, 7, 1000};
    dice dc = dice_of(54);
    (void)state;
    for (int round = 0; round < rounds_of(40); round++) {
        table t = planted_table(&dc, 25, 20, 3, 0.5, 0.15), scaled = t;
        int order[MOST_LINES];
        for (int c = 0; c < t.n * t.d; c++)
            scaled.x[c] = t.x[c] * factors[round % 4];
        for (int i = 0; i < MOST_LINES; i++)
            order[i] = i;
        cobloc_fit_options o = options_for(&known_models[0], 3);
        o.start = round % 2 ? COBLOC_START_RANDOM : COBLOC_START_AUTO;
        cobloc_matrix *x = matrix_of(&t), *y = matrix_of(&scaled);
        cobloc_result *a = must_fit(x, &o), *b = must_fit(y, &o);
        assert_near(b->criterion, a->criterion, 1e-12, "modularity");
        assert_same_partition(a->row_labels, b->row_labels, order, t.n, "rows");
        assert_same_partition(a->col_labels, b->col_labels, order, t.d, "columns");
        cobloc_result_free(a);
        cobloc_result_free(b);
        cobloc_matrix_free(x);
        cobloc_matrix_free(y);
    }
}

/* ---- what was planted ------------------------------------------------------------------------ */

static void check_planted(dice *dc, const known *model, cobloc_inference inference)
{
    cobloc_error err;
    cobloc_scores rows, cols;
    int32_t row_truth[MOST_LINES], col_truth[MOST_LINES];
    table t = planted_table(dc, 60, 48, 4, 0.85, 0.04);
    for (int i = 0; i < MOST_LINES; i++)
        row_truth[i] = col_truth[i] = i % 4;
    cobloc_matrix *x = matrix_of(&t);
    cobloc_fit_options o = options_for(model, 4);
    o.inference = inference;
    o.restarts = 6;
    cobloc_result *result = must_fit(x, &o);
    assert_ok(cob_score(result->row_labels, row_truth, t.n, &rows, &err), err);
    assert_ok(cob_score(result->col_labels, col_truth, t.d, &cols, &err), err);
    /* A label drawn most often may, for a row between two clusters, be the other one. */
    if (rows.ari < (inference == COBLOC_STOCHASTIC ? 0.9 : 1))
        fail_msg("%s, %s: rows ARI %g", model->name, cobloc_inference_name(inference), rows.ari);
    /* All of socc's sections have a column, whether it belongs there or not. */
    if (cols.ari != 1 && !is_model(model, "socc"))
        fail_msg("%s, %s: columns ARI %g", model->name, cobloc_inference_name(inference), cols.ari);
    cobloc_result_free(result);
    cobloc_matrix_free(x);
}

static void test_planted_blocks(void **state)
{
    dice dc = dice_of(55);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int inference = COBLOC_HARD; inference <= COBLOC_SVEM; inference++)
            for (int round = 0; round < rounds_of(2); round++)
                if (legal(&known_models[at], (cobloc_inference)inference))
                    check_planted(&dc, &known_models[at], (cobloc_inference)inference);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_same_on_any_threads),
        cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_scale_does_not_matter),
        cmocka_unit_test(test_planted_blocks),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
