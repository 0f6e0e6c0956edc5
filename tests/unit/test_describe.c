/* Descriptions, judged by a second computation on the dense table: terms, their weights, coherence,
 * graphs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "described.h"

/* ---- the judge ------------------------------------------------------------------------------- */

/* Rows and columns of a bloc, and the dense table. */
typedef struct judged {
    const double *x;
    bool row[ROWS], col[COLS];
    const cobloc_bloc *bloc;
} judged;

static double sum_in(const judged *w, int j, bool inside)
{
    double sum = 0;
    for (int i = 0; i < ROWS; i++)
        sum += w->row[i] == inside ? w->x[i * COLS + j] : 0;
    return sum;
}

static double all_in(const judged *w, bool inside)
{
    double sum = 0;
    for (int j = 0; j < COLS; j++)
        sum += sum_in(w, j, inside);
    return sum;
}

/* k log p + (n - k) log(1 - p): Dunning's own form of the ratio. */
static double binomial(double p, double k, double n)
{
    return (k > 0 ? k * log(p) : 0) + (n - k > 0 ? (n - k) * log(1 - p) : 0);
}

static double weight_of(const judged *w, int j)
{
    double a = sum_in(w, j, true), b = sum_in(w, j, false);
    double n = all_in(w, true), m = all_in(w, false), p = (a + b) / (n + m);
    if (m == 0)
        return 0;
    double ratio =
        2 * (binomial(a / n, a, n) + binomial(b / m, b, m) - binomial(p, a, n) - binomial(p, b, m));
    return a / n >= p ? ratio : -ratio;
}

static double together(const double *x, int rows, int cols, int a, int b)
{
    double count = 0;
    for (int i = 0; i < rows; i++)
        count += x[i * cols + a] > 0 && x[i * cols + b] > 0;
    return count;
}

static double npmi_of(const double *x, int rows, int cols, int a, int b)
{
    double p = together(x, rows, cols, a, a) / rows, q = together(x, rows, cols, b, b) / rows;
    double both = together(x, rows, cols, a, b) / rows;
    return both == 0 ? -1 : both == 1 ? 0 : (log(both) - log(p) - log(q)) / -log(both);
}

/* Terms of the bloc, the most frequent first. */
static int order_terms(const judged *w, int *terms)
{
    int count = 0;
    for (int j = 0; j < COLS; j++) {
        if (!w->col[j] || !(sum_in(w, j, true) > 0))
            continue;
        int at = count++;
        for (; at > 0 && sum_in(w, j, true) > sum_in(w, terms[at - 1], true); at--)
            terms[at] = terms[at - 1];
        terms[at] = j;
    }
    return count;
}

static double nearest_npmi(const double *x, const int *terms, int count, int t, int neighbours)
{
    double best[COLS], sum = 0;
    int found = 0;
    for (int u = 0; u < count; u++)
        if (u != t)
            best[found++] = npmi_of(x, ROWS, COLS, terms[t], terms[u]);
    for (int i = 0; i < neighbours && i < found; i++) {
        int largest = i;
        for (int j = i; j < found; j++)
            largest = best[j] > best[largest] ? j : largest;
        double swap = best[i];
        best[i] = best[largest];
        best[largest] = swap;
        sum += best[i];
    }
    return found == 0 ? NAN : sum / (found < neighbours ? found : neighbours);
}

/* ---- terms ----------------------------------------------------------------------------------- */

static void judge_terms(const judged *w, const cobloc_describe_options *o)
{
    int terms[COLS], count = order_terms(w, terms), pool = count < o->pool ? count : o->pool;
    const cobloc_bloc *b = w->bloc;
    assert_int_equal(b->frequent_count, count < o->terms ? count : o->terms);
    for (int t = 0; t < b->frequent_count; t++) {
        int j = terms[t];
        const cobloc_term *term = &b->frequent[t];
        assert_int_equal(term->col, j);
        near(term->sum, sum_in(w, j, true), "the sum");
        near(term->share, term->sum / (term->sum + sum_in(w, j, false)), "the share");
        near(term->weight, weight_of(w, j), "the weight");
        near(term->npmi, t < pool ? nearest_npmi(w->x, terms, pool, t, o->neighbours) : NAN,
             "NPMI_i");
    }
    for (int t = 1; t < b->telling_count; t++)
        assert_true(b->telling[t - 1].weight >= b->telling[t].weight);
    for (int t = 0; t < count; t++) { /* none that is left out tells more */
        bool listed = false;
        for (int u = 0; u < b->telling_count; u++)
            listed = listed || b->telling[u].col == terms[t];
        double least = b->telling[b->telling_count - 1].weight;
        assert_true(listed || weight_of(w, terms[t]) <= least + 1e-9 * fabs(least));
    }
    for (int t = 0; t < b->coherent_count; t++)
        assert_true(t == 0 || b->coherent[t - 1].npmi >= b->coherent[t].npmi);
}

static void judge_coherence(const judged *w)
{
    const cobloc_bloc *b = w->bloc;
    double jaccard = 0, npmi = 0, pairs = 0;
    for (int t = 0; t < b->frequent_count; t++)
        for (int u = t + 1; u < b->frequent_count; u++) {
            int a = (int)b->frequent[t].col, c = (int)b->frequent[u].col;
            double both = together(w->x, ROWS, COLS, a, c);
            jaccard +=
                both / (together(w->x, ROWS, COLS, a, a) + together(w->x, ROWS, COLS, c, c) - both);
            npmi += npmi_of(w->x, ROWS, COLS, a, c);
            pairs++;
        }
    near(b->jaccard, jaccard / pairs, "Jaccard");
    near(b->npmi, npmi / pairs, "NPMI");
}

static double cosine_of(const judged *w, int64_t a, int64_t b)
{
    double ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < ROWS; i++)
        if (w->row[i]) {
            ab += w->x[i * COLS + a] * w->x[i * COLS + b];
            aa += w->x[i * COLS + a] * w->x[i * COLS + a];
            bb += w->x[i * COLS + b] * w->x[i * COLS + b];
        }
    return ab / sqrt(aa * bb);
}

/* Every edge has its cosine, and joins a term with one of its nearest. */
static void judge_graph(const judged *w, const cobloc_describe_options *o)
{
    const cobloc_bloc *b = w->bloc;
    int edges = 0;
    for (int e = 0; e < b->edge_count; e++)
        near(b->edges[e].cosine, cosine_of(w, b->graph[b->edges[e].a], b->graph[b->edges[e].b]),
             "the cosine");
    for (int a = 0; a < b->graph_count; a++)
        for (int c = a + 1; c < b->graph_count; c++) {
            int before_a = 0, before_c = 0;
            double own = cosine_of(w, b->graph[a], b->graph[c]);
            for (int t = 0; t < b->graph_count; t++) {
                double from_a = t == a ? -1 : cosine_of(w, b->graph[a], b->graph[t]);
                double from_c = t == c ? -1 : cosine_of(w, b->graph[c], b->graph[t]);
                before_a += t != c && (from_a > own || (from_a == own && t < c));
                before_c += t != a && (from_c > own || (from_c == own && t < a));
            }
            edges += own > 0 && (before_a < o->neighbours || before_c < o->neighbours);
        }
    assert_int_equal(b->edge_count, edges);
}

/* Marks the lines of a cluster and of its partners. */
static judged judge_of(const cobloc_result *r, const double *x, const cobloc_bloc *b, int cluster,
                       bool of_rows)
{
    judged w = {.x = x, .bloc = b};
    double cells = 0, filled = 0;
    for (int p = 0; p < b->partner_count; p++) {
        int k = of_rows ? cluster : b->partners[p].cluster;
        int l = of_rows ? b->partners[p].cluster : cluster;
        for (int i = 0; i < ROWS; i++)
            w.row[i] = w.row[i] || r->row_labels[i] == k;
        for (int j = 0; j < COLS; j++)
            w.col[j] = w.col[j] || r->col_labels[j] == l;
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            cells += w.row[i] && w.col[j];
            filled += w.row[i] && w.col[j] && x[i * COLS + j] > 0;
        }
    near(b->density, filled / cells, "the density");
    return w;
}

static void judge(const cobloc_result *r, const cobloc_matrix *matrix,
                  const cobloc_describe_options *o)
{
    double *x = dense_of(matrix);
    cobloc_description *d = must_describe(r, matrix, o);
    assert_int_equal(d->k, r->k);
    assert_int_equal(d->l, r->l);
    assert_int_equal(d->topics == NULL, d->diagonal);
    for (int g = 0; g < d->k + (d->topics ? d->l : 0); g++) {
        bool of_rows = g < d->k;
        int cluster = of_rows ? g : g - d->k;
        const cobloc_bloc *b = of_rows ? &d->blocs[cluster] : &d->topics[cluster];
        judged w = judge_of(r, x, b, cluster, of_rows);
        judge_terms(&w, o);
        judge_coherence(&w);
        judge_graph(&w, o);
    }
    cobloc_description_free(d);
    free(x);
}

static void terms_are_right(void **state)
{
    static const struct {
        const char *model;
        int l;
    } models[] = {{"coclus", 0}, {"plbm", 4}, {"socc", 0}, {"itcc", 2}, {"kmeans", 0}, {"lbm", 3}};
    (void)state;
    for (int m = 0; m < 6; m++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            cobloc_describe_options o;
            cob_describe_options_default(&o);
            cobloc_matrix *matrix = planted(seed, NAMES_NONE);
            cobloc_result *r = must_fit(matrix, models[m].model, models[m].l, COBLOC_HARD);
            o.pool = seed == 2 ? 8 : o.pool;
            o.neighbours = seed == 3 ? 2 : o.neighbours;
            judge(r, matrix, &o);
            cobloc_result_free(r);
            cobloc_matrix_free(matrix);
        }
}

/* Worked by hand: four rows, both terms in one, one in two, the other in three. */
static void npmi_by_hand(void **state)
{
    (void)state;
    near(cob_npmi(1, 2, 3, 4), log(1 * 4.0 / 6) / log(4), "NPMI");
    near(cob_npmi(2, 2, 2, 4), 1, "NPMI of terms that are always together");
    near(cob_npmi(0, 2, 2, 4), -1, "NPMI of terms that never are");
    near(cob_npmi(2, 2, 4, 4), 0, "NPMI with a term of all rows");
    near(cob_npmi(4, 4, 4, 4), 0, "NPMI of two such terms");
    near(cob_npmi(0, 0, 2, 4), NAN, "NPMI with a term of no row");
}

/* ---- a reference ----------------------------------------------------------------------------- */

/* Its columns stand in another order, and one is missing. */
static void npmi_from_a_reference(void **state)
{
    cobloc_matrix *matrix = planted(1, NAMES_NONE), *other;
    cobloc_error err;
    char names[COLS][8], turned[COLS][8];
    const char *of_matrix[COLS], *of_other[COLS];
    cobloc_describe_options o;
    (void)state;
    for (int j = 0; j < COLS; j++) {
        snprintf(names[j], sizeof names[j], "t%d", j);
        snprintf(turned[j], sizeof turned[j], j == 0 ? "none" : "t%d", COLS - 1 - j);
        of_matrix[j] = names[j];
        of_other[j] = turned[j];
    }
    other = random_matrix(9, 80, COLS, 0.3, COBLOC_U8, NAMES_NONE);
    assert_ok(cobloc_matrix_set_col_names(matrix, of_matrix, &err), err);
    cobloc_result *r = must_fit(matrix, "coclus", 0, COBLOC_HARD);
    cob_describe_options_default(&o);
    o.reference = other;
    cobloc_description *d = NULL;
    assert_int_equal(cobloc_describe(r, matrix, &o, &d, &err), COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "names"));
    assert_ok(cobloc_matrix_set_col_names(other, of_other, &err), err);
    d = must_describe(r, matrix, &o);
    assert_int_equal(d->unknown, 1); /* t44 */
    double *x = dense_of(other);
    for (int k = 0; k < d->k; k++) {
        const cobloc_bloc *b = &d->blocs[k];
        double sum = 0, pairs = 0;
        for (int t = 0; t < b->frequent_count; t++)
            for (int u = 0; u < t; u++) {
                int64_t a = COLS - 1 - b->frequent[t].col, c = COLS - 1 - b->frequent[u].col;
                if (a == 0 || c == 0)
                    continue;
                sum += npmi_of(x, 80, COLS, (int)a, (int)c);
                pairs++;
            }
        near(b->npmi, sum / pairs, "NPMI in the reference");
        for (int t = 0; t < b->coherent_count; t++)
            assert_int_not_equal(b->coherent[t].col, COLS - 1);
    }
    of_other[3] = of_other[4];
    assert_ok(cobloc_matrix_set_col_names(other, of_other, &err), err);
    cobloc_description *none = NULL;
    assert_int_equal(cobloc_describe(r, matrix, &o, &none, &err), COBLOC_BAD_DATA);
    free(x);
    cobloc_description_free(d);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
    cobloc_matrix_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_right),
        cmocka_unit_test(npmi_by_hand),
        cmocka_unit_test(npmi_from_a_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
