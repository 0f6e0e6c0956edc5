/* Descriptions, judged by a second computation on the dense table: terms, their weights, coherence,
 * graphs, margins. And graphs as files, whatever the names.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "base/random.h"
#include "describe/describe.h"

#include <math.h>
#include <unistd.h>

/* ---- tables ---------------------------------------------------------------------------------- */

enum { ROWS = 60, COLS = 45, K = 3 };

/* Blocks of counts on the diagonal, noise beside them, one empty row and column. */
static cobloc_matrix *planted(uint64_t seed, int names)
{
    cob_stream stream = cob_stream_at(seed, 0, 0, 0);
    int32_t row[ROWS * COLS], col[ROWS * COLS];
    double value[ROWS * COLS];
    int64_t count = 0;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    for (int c = 0; c < ROWS * COLS; c++) {
        int i = c / COLS, j = c % COLS;
        double chance = i % K == j % K ? 0.5 : 0.12, at = cob_random_uniform(&stream, (uint64_t)c);
        if (i == 17 || j == 20 || at >= chance)
            continue;
        row[count] = i;
        col[count] = j;
        value[count++] = 1 + floor(at / chance * 5);
    }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &matrix, &err), err);
    if (names) {
        cobloc_matrix *nasty = random_matrix(3, ROWS, COLS, 0.5, COBLOC_U8, NAMES_NASTY);
        assert_ok(cob_matrix_copy_names(matrix, nasty, &err), err);
        cobloc_matrix_free(nasty);
    }
    return matrix;
}

static cobloc_result *must_fit(const cobloc_matrix *matrix, const char *model, int l,
                               cobloc_inference inference)
{
    cobloc_error err;
    cobloc_result *result = NULL;
    cobloc_fit_options o;
    cobloc_fit_options_default(&o);
    o.model = model;
    o.k = K;
    o.l = l;
    o.inference = inference;
    o.restarts = 2;
    o.threads = 1;
    assert_ok(cobloc_fit(matrix, &o, &result, &err), err);
    return result;
}

static cobloc_description *must_describe(const cobloc_result *r, const cobloc_matrix *matrix,
                                         const cobloc_describe_options *o)
{
    cobloc_error err;
    cobloc_description *d = NULL;
    assert_ok(cobloc_describe(r, matrix, o, &d, &err), err);
    return d;
}

static void near(double got, double expected, const char *what)
{
    if (isnan(got) != isnan(expected) || fabs(got - expected) > 1e-9 * (1 + fabs(expected)))
        fail_msg("%s is %.15g, expected %.15g", what, got, expected);
}

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
            cobloc_describe_options_default(&o);
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
    cobloc_describe_options_default(&o);
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
        cobloc_describe_options_default(&o);
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
    cobloc_fit_options_default(&o);
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
    cobloc_describe_options o;
    cobloc_description *d = NULL;
    cobloc_error err;
    (void)state;
    cobloc_describe_options_default(&o);
    o.pool = 65;
    assert_int_equal(cobloc_describe(r, matrix, &o, &d, &err), COBLOC_BAD_ARGUMENT);
    o.pool = 30;
    o.terms = 0;
    assert_int_equal(cobloc_describe(r, matrix, &o, &d, &err), COBLOC_BAD_ARGUMENT);
    small = random_matrix(1, 5, 5, 0.5, COBLOC_U8, NAMES_NONE);
    assert_int_equal(cobloc_describe(r, small, NULL, &d, &err), COBLOC_BAD_ARGUMENT);
    assert_null(d);
    cobloc_matrix_free(small);
    cobloc_matrix_free(matrix);
    cobloc_result_free(r);
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
        cmocka_unit_test(terms_are_right),       cmocka_unit_test(npmi_by_hand),
        cmocka_unit_test(npmi_from_a_reference), cmocka_unit_test(rows_by_modularity),
        cmocka_unit_test(rows_by_probability),   cmocka_unit_test(every_model_is_described),
        cmocka_unit_test(next_to_nothing),       cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(names_are_escaped),     cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
