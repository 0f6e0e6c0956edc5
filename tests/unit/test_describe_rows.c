/* Descriptions: how well rows fit, of every model, of next to nothing; graphs as files, whatever
 * the names.
 *
 * SPDX-License-Identifier: MIT
 */
#include "described.h"

#include <unistd.h>

/* ---- rows ------------------------------------------------------------------------------------ */

/* What a row would add to the modularity of each bloc. */
static double modularity_gain(const cobloc_result *r, const cobloc_matrix *m, const double *x,
                              int64_t row, int k)
{
    double inside = 0, mass = 0;
    for (int64_t j = 0; j < r->d; j++)
        if (r->col_labels[j] == k) {
            inside += x[row * r->d + j];
            mass += m->col_sums[j];
        }
    return inside - m->row_sums[row] * mass / m->total;
}

static void rows_by_modularity(void **state)
{
    cobloc_matrix *matrix = planted(4, NAMES_NONE);
    static const char *const models[] = {"coclus", "kmeans"}; /* its own rule, and the fallback */
    (void)state;
    for (int m = 0; m < 2; m++) {
        cobloc_result *r = must_fit(matrix, models[m], 0, COBLOC_HARD);
        cobloc_describe_options o;
        cob_describe_options_default(&o);
        o.rows = ROWS;
        cobloc_description *d = must_describe(r, matrix, &o);
        double *x = dense_of(matrix);
        for (int k = 0; k < K; k++) {
            const cobloc_bloc *b = &d->blocs[k];
            assert_int_equal(b->typical_count, r->row_sizes[k]);
            assert_int_equal(b->borderline_count, r->row_sizes[k]);
            for (int t = 0; t < b->typical_count; t++) {
                const cobloc_described_row *row = &b->typical[t];
                double next = -INFINITY, own = modularity_gain(r, matrix, x, row->row, k);
                assert_int_equal(r->row_labels[row->row], k);
                for (int c = 0; c < K; c++)
                    next = c == k ? next : fmax(next, modularity_gain(r, matrix, x, row->row, c));
                near(row->margin, own - next, "the margin");
                near(modularity_gain(r, matrix, x, row->row, row->next), next, "the next");
                assert_true(isnan(row->probability));
                assert_true(t == 0 || b->typical[t - 1].margin >= row->margin);
                assert_true(t == 0 || b->borderline[t - 1].margin <= b->borderline[t].margin);
            }
        }
        free(x);
        cobloc_description_free(d);
        cobloc_result_free(r);
    }
    cobloc_matrix_free(matrix);
}

/* A soft fit knows its probabilities; a hard one of a model with a likelihood works them out. */
static void rows_by_probability(void **state)
{
    cobloc_matrix *matrix = planted(5, NAMES_NONE);
    static const char *const models[] = {"plbm", "bmm", "lda"};
    (void)state;
    for (int m = 0; m < 3; m++) {
        cobloc_result *r = must_fit(matrix, models[m], 0, COBLOC_SOFT);
        cobloc_description *d = must_describe(r, matrix, NULL);
        for (int k = 0; k < K; k++) {
            const cobloc_bloc *b = &d->blocs[k];
            for (int t = 0; t < b->borderline_count; t++) {
                const cobloc_described_row *row = &b->borderline[t];
                near(row->probability, r->row_probabilities[row->row * K + k], "the probability");
                assert_true(row->next >= 0 && row->next != k);
            }
        }
        cobloc_description_free(d);
        cobloc_result_free(r);
    }
    cobloc_result *hard = must_fit(matrix, "plbm", 0, COBLOC_HARD);
    cobloc_description *d = must_describe(hard, matrix, NULL);
    for (int k = 0; k < K; k++)
        assert_true(d->blocs[k].typical[0].probability > 0.99 &&
                    d->blocs[k].typical[0].probability <= 1);
    cobloc_description_free(d);
    cobloc_result_free(hard);
    cobloc_matrix_free(matrix);
}

/* ---- every model ----------------------------------------------------------------------------- */

static void every_model_is_described(void **state)
{
    cobloc_matrix *matrix = planted(6, NAMES_NASTY);
    (void)state;
    for (int m = 0; m < cobloc_model_count(); m++) {
        cobloc_result *r = must_fit(matrix, cobloc_model_name(m), 0, cobloc_model_inference(m));
        cobloc_description *d = must_describe(r, matrix, NULL);
        for (int k = 0; k < d->k; k++) {
            assert_true(d->blocs[k].rows > 0 && d->blocs[k].name);
            assert_true(d->blocs[k].typical_count > 0 && d->blocs[k].borderline_count > 0);
        }
        cobloc_description_free(d);
        cobloc_result_free(r);
    }
    cobloc_matrix_free(matrix);
}

/* One cluster, and one term. */
static void next_to_nothing(void **state)
{
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    cobloc_result *r = NULL;
    cobloc_fit_options o;
    const int32_t row[] = {0, 1}, col[] = {0, 0};
    (void)state;
    assert_ok(cobloc_matrix_from_triples(2, 1, 2, row, col, NULL, &matrix, &err), err);
    cob_fit_options_default(&o);
    o.k = 1;
    assert_ok(cobloc_fit(matrix, &o, &r, &err), err);
    cobloc_description *d = must_describe(r, matrix, NULL);
    assert_int_equal(d->blocs[0].frequent_count, 1);
    assert_int_equal(d->blocs[0].coherent_count, 0);
    assert_int_equal(d->blocs[0].edge_count, 0);
    assert_true(isnan(d->blocs[0].jaccard) && isnan(d->jaccard) && isnan(d->npmi));
    assert_int_equal(d->blocs[0].typical[0].next, -1);
    assert_string_equal(d->blocs[0].name, "columns 1");
    near(d->blocs[0].frequent[0].weight, 0, "the weight against no other rows");
    cobloc_description_free(d);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

static void bad_options_are_refused(void **state)
{
    cobloc_matrix *matrix = planted(6, NAMES_NONE), *small = NULL;
    cobloc_result *r = must_fit(matrix, "coclus", 0, COBLOC_HARD);
    cobloc_describe_options *o = NULL;
    cobloc_description *d = NULL;
    cobloc_error err;
    (void)state;
    assert_ok(cobloc_describe_options_new(&o, &err), err);
    assert_int_equal(cobloc_set_int(o, "pool", 65, &err), COBLOC_BAD_ARGUMENT);
    assert_int_equal(cobloc_set_int(o, "terms", 0, &err), COBLOC_BAD_ARGUMENT);
    cobloc_describe_options_free(o);
    small = random_matrix(1, 5, 5, 0.5, COBLOC_U8, NAMES_NONE);
    assert_int_equal(cobloc_describe(r, small, NULL, &d, &err), COBLOC_BAD_ARGUMENT);
    assert_null(d);
    cobloc_matrix_free(small);
    cobloc_matrix_free(matrix);
    cobloc_result_free(r);
}

/* ---- values of both signs -------------------------------------------------------------------- */

/* Blocks of a table with a missing cell have means, and partners by them, but no lifts. */
static void means_of_blocks(void **state)
{
    static const double cells[6][4] = {{5, 6, -4, -5}, {4, 5, NAN, -6}, {6, 4, -5, -4},
                                       {-3, -2, 1, 2}, {-2, -4, 2, 1},  {-3, -3, 1, 3}};
    const char *path = test_text("signed.csv", "a,b,c,d\n5,6,-4,-5\n4,5,NA,-6\n6,4,-5,-4\n"
                                               "-3,-2,1,2\n-2,-4,2,1\n-3,-3,1,3\n");
    cobloc_io_options reading;
    cobloc_fit_options fitting;
    cobloc_matrix *matrix = NULL;
    cobloc_result *r = NULL;
    cobloc_error err;
    (void)state;
    cob_io_options_default(&reading);
    reading.missing = COBLOC_MISSING_IGNORE;
    assert_ok(cobloc_matrix_read(path, &reading, &matrix, &err), err);
    cob_fit_options_default(&fitting);
    fitting.model = "glbm";
    fitting.k = fitting.l = 2;
    assert_ok(cobloc_fit(matrix, &fitting, &r, &err), err);
    cobloc_description *d = must_describe(r, matrix, NULL);
    for (int b = 0; b < 4; b++) {
        double sum = 0, count = 0;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 4; j++)
                if (r->row_labels[i] == b / 2 && r->col_labels[j] == b % 2 && !isnan(cells[i][j])) {
                    sum += cells[i][j];
                    count++;
                }
        near(d->means[b], sum / count, "the mean");
        assert_true(isnan(d->lifts[b]));
        const cobloc_bloc *bloc = &d->blocs[b / 2];
        assert_int_equal(bloc->partner_count, 1);
        assert_int_equal(bloc->partners[0].cluster == b % 2, sum > 0);
    }
    cobloc_description_free(d);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

/* ---- graphs as files ------------------------------------------------------------------------- */

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void names_are_escaped(void **state)
{
    cobloc_matrix *matrix = planted(7, NAMES_NONE);
    const char *names[COLS];
    cobloc_error err;
    (void)state;
    for (int j = 0; j < COLS; j++)
        names[j] = j % 3 == 0   ? "a \"quoted\" \\ word\twith\nall"
                   : j % 3 == 1 ? "<script>alert('x & y')</script>"
                                : "caf\xc3\xa9 \xff\x01 \xed\xa0\x80 -- {}";
    assert_ok(cobloc_matrix_set_col_names(matrix, names, &err), err);
    cobloc_result *r = must_fit(matrix, "coclus", 0, COBLOC_HARD);
    cobloc_description *d = must_describe(r, matrix, NULL);
    assert_ok(cobloc_description_graph(d, matrix, -1, test_path("g.dot"), &err), err);
    assert_ok(cobloc_description_graph(d, matrix, -1, test_path("g.graphml"), &err), err);
    assert_ok(cobloc_description_graph(d, matrix, 1, test_path("one.GV"), &err), err);
    assert_int_equal(cobloc_description_graph(d, matrix, -1, test_path("g.txt"), &err),
                     COBLOC_BAD_ARGUMENT);
    assert_int_equal(cobloc_description_graph(d, matrix, K, test_path("g.dot"), &err),
                     COBLOC_BAD_ARGUMENT);
    char *dot = text_of(test_path("g.dot")), *xml = text_of(test_path("g.graphml"));
    char *one = text_of(test_path("one.GV"));
    assert_non_null(strstr(dot, "[label=\"a \\\"quoted\\\" \\\\ word with all\"]"));
    assert_non_null(strstr(dot, "caf\xc3\xa9 ?? ??? -- {}"));
    assert_non_null(strstr(xml, "&lt;script&gt;alert(&apos;x &amp; y&apos;)&lt;/script&gt;"));
    assert_null(strstr(xml, "<script>"));
    assert_null(strstr(xml, "\xff"));
    assert_null(strstr(one, "cluster_0"));
    assert_non_null(strstr(one, "cluster_1"));
    free(dot);
    free(xml);
    free(one);
    cobloc_description_free(d);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void no_memory(void **state)
{
    cobloc_matrix *matrix = planted(8, NAMES_NASTY);
    cobloc_result *r = must_fit(matrix, "plbm", 2, COBLOC_SOFT);
    (void)state;
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_description *d = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_describe(r, matrix, NULL, &d, &err);
        failed = allocation_failed(k, status, &err, 20);
        cobloc_description_free(d);
    }
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_by_modularity),       cmocka_unit_test(rows_by_probability),
        cmocka_unit_test(every_model_is_described), cmocka_unit_test(next_to_nothing),
        cmocka_unit_test(bad_options_are_refused),  cmocka_unit_test(means_of_blocks),
        cmocka_unit_test(names_are_escaped),        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
