/* The folder of a result, read back: everything in it returns, a fit can be repeated from it, and a
 * folder that was moved, damaged or mixed up ends in a sentence.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "base/parallel.h"
#include "base/random.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- tools ----------------------------------------------------------------------------------- */

static cobloc_fit_options options_for(const char *model)
{
    cobloc_fit_options o;
    cobloc_fit_options_default(&o);
    o.model = model;
    o.k = 3;
    o.restarts = 2;
    o.threads = 1;
    o.tolerance = 0;
    o.seed = 7;
    return o;
}

/* Three diagonal blocks of counts, an empty row and an empty column, names that try to break it. */
static cobloc_matrix *planted(int names)
{
    enum { ROWS = 42, COLS = 30 };
    cob_stream stream = cob_stream_at(5, 0, 0, 0);
    int32_t row[ROWS * COLS], col[ROWS * COLS];
    double value[ROWS * COLS];
    int64_t count = 0;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    for (int c = 0; c < ROWS * COLS; c++) {
        int i = c / COLS, j = c % COLS;
        double chance = i % 3 == j % 3 ? 0.7 : 0.1;
        if (i == 20 || j == 11 || cob_random_uniform(&stream, (uint64_t)c) >= chance)
            continue;
        row[count] = i;
        col[count] = j;
        value[count++] = 1 + c % 4;
    }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &matrix, &err), err);
    if (names) {
        cobloc_matrix *nasty = random_matrix(3, ROWS, COLS, 0.5, COBLOC_U8, NAMES_NASTY);
        assert_ok(cob_matrix_copy_names(matrix, nasty, &err), err);
        cobloc_matrix_free(nasty);
    }
    return matrix;
}

static cobloc_result *must_fit(const cobloc_matrix *matrix, const cobloc_fit_options *o)
{
    cobloc_error err;
    cobloc_result *result = NULL;
    assert_ok(cobloc_fit(matrix, o, &result, &err), err);
    return result;
}

static void must_write(const cobloc_result *r, const cobloc_matrix *matrix,
                       const cobloc_fit_options *o, const char *folder)
{
    cobloc_error err;
    assert_ok(cobloc_result_write(r, matrix, o, folder, &err), err);
}

static cobloc_saved *must_open(const char *folder)
{
    cobloc_error err;
    cobloc_saved *saved = NULL;
    assert_ok(cobloc_saved_read(folder, &saved, &err), err);
    return saved;
}

static void must_refuse(const char *folder, cobloc_status expected, const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_saved *saved = NULL;
    cobloc_status status = cobloc_saved_read(folder, &saved, &err);
    if (status != expected || !strstr(err.message, part))
        fail_msg("got \"%s\": %s, expected \"%s\": ...%s...", cobloc_status_name(status),
                 err.message, cobloc_status_name(expected), part);
    assert_null(saved);
}

static void assert_numbers(const double *a, const double *b, int64_t count, double within,
                           const char *what)
{
    assert_int_equal(a == NULL, b == NULL);
    for (int64_t i = 0; a && i < count; i++)
        if (!(isnan(a[i]) && isnan(b[i])) && !(fabs(a[i] - b[i]) <= within))
            fail_msg("%s %d: got %.17g, expected %.17g", what, (int)i, b[i], a[i]);
}

static void assert_same_result(const cobloc_result *a, const cobloc_result *b)
{
    assert_string_equal(a->model, b->model);
    assert_string_equal(a->criterion_name, b->criterion_name);
    assert_int_equal(a->inference, b->inference);
    assert_int_equal(a->weight, b->weight);
    assert_true(a->k == b->k && a->l == b->l && a->n == b->n && a->d == b->d && a->nnz == b->nnz);
    assert_true(a->seed == b->seed && a->restarts == b->restarts && a->stop == b->stop);
    assert_true(a->best_restart == b->best_restart && a->iterations == b->iterations);
    assert_true(a->repaired == b->repaired && a->trace_count == b->trace_count);
    assert_true(a->empty_rows == b->empty_rows && a->empty_cols == b->empty_cols);
    assert_memory_equal(a->row_labels, b->row_labels, (size_t)a->n * sizeof *a->row_labels);
    assert_memory_equal(a->col_labels, b->col_labels, (size_t)a->d * sizeof *a->col_labels);
    assert_memory_equal(a->row_sizes, b->row_sizes, (size_t)a->k * sizeof *a->row_sizes);
    assert_memory_equal(a->col_sizes, b->col_sizes, (size_t)a->l * sizeof *a->col_sizes);
    const double *const lists[][2] = {
        {&a->criterion, &b->criterion},   {&a->icl, &b->icl},
        {&a->modularity, &b->modularity}, {&a->explained_information, &b->explained_information},
        {&a->r_hat, &b->r_hat},           {&a->effect_scale, &b->effect_scale}};
    for (int i = 0; i < 6; i++)
        assert_numbers(lists[i][0], lists[i][1], 1, 0, "number");
    int64_t blocks = (int64_t)a->k * a->l;
    assert_numbers(a->restart_criteria, b->restart_criteria, a->restarts, 0, "criterion");
    assert_numbers(a->trace, b->trace, a->trace_count, 0, "trace");
    assert_numbers(a->blocks, b->blocks, blocks, 0, "block");
    assert_numbers(a->parameters, b->parameters, blocks, 0, "parameter");
    assert_numbers(a->row_rule, b->row_rule, blocks + 2 * a->k, 0, "rule");
    assert_numbers(a->row_proportions, b->row_proportions, a->k, 0, "proportion");
    assert_numbers(a->col_proportions, b->col_proportions, a->l, 0, "proportion");
    assert_numbers(a->merge_criteria, b->merge_criteria, a->k - 1, 0, "merge");
    assert_numbers(a->row_probabilities, b->row_probabilities, a->n * a->k, 1e-12, "probability");
    assert_numbers(a->col_probabilities, b->col_probabilities, a->d * a->l, 0, "probability");
    if (a->merges)
        assert_memory_equal(a->merges, b->merges, 2 * (size_t)(a->k - 1) * sizeof *a->merges);
    for (int l = 0; a->col_names && l < a->l; l++)
        assert_string_equal(a->col_names[l], b->col_names[l]);
}

static void assert_names(const cobloc_matrix *matrix, const cobloc_saved *saved)
{
    for (int64_t i = 0; i < matrix->rows; i++)
        assert_string_equal(cobloc_matrix_row_name(matrix, i), cobloc_saved_row_name(saved, i));
    for (int64_t j = 0; j < matrix->cols; j++)
        assert_string_equal(cobloc_matrix_col_name(matrix, j), cobloc_saved_col_name(saved, j));
}

/* The whole text of a file; free() it. */
static char *text_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = malloc(1 << 20);
    *size = fread(text, 1, (1 << 20) - 1, file);
    text[*size] = '\0';
    fclose(file);
    return text;
}

static void put_text(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

/* ---- round trips ----------------------------------------------------------------------------- */

/* Every model by every inference: read back, and fitted again by what was read. */
static void all_comes_back(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NASTY);
    const char *folder = test_path("all");
    (void)state;
    for (int m = 0; m < cobloc_model_count(); m++)
        for (int inference = COBLOC_HARD; inference <= COBLOC_SVEM; inference++) {
            if (!cobloc_model_takes_inference(m, (cobloc_inference)inference))
                continue;
            cobloc_fit_options o = options_for(cobloc_model_name(m));
            o.inference = (cobloc_inference)inference;
            o.max_iterations = 30;
            cobloc_result *r = must_fit(matrix, &o), *again;
            must_write(r, matrix, &o, folder);
            cobloc_saved *saved = must_open(folder);
            assert_same_result(r, saved->result);
            assert_names(matrix, saved);
            assert_null(saved->input);
            again = must_fit(matrix, &saved->options);
            assert_same_result(r, again);
            cobloc_result_free(again);
            cobloc_result_free(r);
            cobloc_saved_free(saved);
        }
    cobloc_matrix_free(matrix);
}

/* What the user gives for each line comes back, too. */
static void given_lists_come_back(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    int32_t fix_rows[42], fix_cols[30], start_rows[42];
    double row_effects[42], col_effects[30];
    (void)state;
    for (int i = 0; i < 42; i++) {
        fix_rows[i] = i < 6 ? i % 3 : -1;
        start_rows[i] = i == 20 ? -1 : i % 3; /* an empty row needs no label */
        row_effects[i] = 1 + i / 7.0;
    }
    for (int j = 0; j < 30; j++) {
        fix_cols[j] = j == 4 ? 1 : -1;
        col_effects[j] = 2 + j / 3.0;
    }
    cobloc_fit_options o = options_for("plbm");
    o.fix_rows = fix_rows;
    o.fix_cols = fix_cols;
    o.row_effects = row_effects;
    o.col_effects = col_effects;
    o.start = COBLOC_START_LABELS;
    o.start_rows = start_rows;
    cobloc_result *r = must_fit(matrix, &o);
    must_write(r, matrix, &o, test_path("given"));
    cobloc_saved *saved = must_open(test_path("given"));
    assert_memory_equal(saved->options.fix_rows, fix_rows, sizeof fix_rows);
    assert_memory_equal(saved->options.fix_cols, fix_cols, sizeof fix_cols);
    assert_memory_equal(saved->options.start_rows, start_rows, sizeof start_rows);
    assert_memory_equal(saved->options.row_effects, row_effects, sizeof row_effects);
    assert_memory_equal(saved->options.col_effects, col_effects, sizeof col_effects);
    assert_null(saved->options.start_cols);
    assert_null(cobloc_saved_row_name(saved, 0));
    assert_null(cobloc_saved_col_name(saved, 0));
    double effects = 0;
    for (int i = 0; i < 42; i++)
        effects += i == 20 ? 0 : row_effects[i];
    assert_true(fabs(saved->result->effect_scale - effects / matrix->total) < 1e-12);
    cobloc_result *again = must_fit(matrix, &saved->options);
    assert_same_result(r, again);
    cobloc_result_free(again);
    cobloc_result_free(r);
    cobloc_saved_free(saved);
    cobloc_matrix_free(matrix);
}

/* Frequencies and sums of the columns, counted once more. */
static void columns_are_counted(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    double *dense = dense_of(matrix);
    cobloc_fit_options o = options_for("coclus");
    cobloc_result *r = must_fit(matrix, &o);
    (void)state;
    must_write(r, matrix, &o, test_path("columns"));
    cobloc_saved *saved = must_open(test_path("columns"));
    for (int64_t j = 0; j < matrix->cols; j++) {
        int64_t frequency = 0;
        double sum = 0;
        for (int64_t i = 0; i < matrix->rows; i++) {
            frequency += dense[i * matrix->cols + j] > 0;
            sum += dense[i * matrix->cols + j];
        }
        assert_int_equal(saved->col_frequencies[j], frequency);
        assert_true(saved->col_sums[j] == sum);
    }
    free(dense);
    cobloc_result_free(r);
    cobloc_saved_free(saved);
    cobloc_matrix_free(matrix);
}

/* The scores of the rule, worked out entry by entry: each row is where it is largest. */
static void rule_places_rows(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    double *dense = dense_of(matrix);
    (void)state;
    static const char *const models[] = {"coclus", "plbm", "splbm", "socc", "itcc"};
    for (int m = 0; m < 5; m++) {
        cobloc_fit_options o = options_for(models[m]);
        cobloc_result *r = must_fit(matrix, &o);
        int width = r->l + 2;
        for (int64_t i = 0; i < r->n; i++) {
            double best = -INFINITY, own = 0;
            for (int k = 0; k < r->k; k++) {
                const double *rule = r->row_rule + (int64_t)k * width;
                double score = matrix->row_sums[i] * rule[r->l] + rule[r->l + 1];
                for (int64_t j = 0; j < r->d; j++)
                    if (r->col_labels[j] >= 0)
                        score += dense[i * r->d + j] * rule[r->col_labels[j]];
                best = score > best ? score : best;
                own = k == r->row_labels[i] ? score : own;
            }
            assert_true(r->row_labels[i] < 0 || own >= best - 1e-9 * fabs(best));
        }
        cobloc_result_free(r);
    }
    free(dense);
    cobloc_matrix_free(matrix);
}

/* A name that is not UTF-8 is no text of JSON. */
static void any_bytes_are_names(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NASTY);
    const char *names[30];
    cobloc_error err;
    (void)state;
    for (int j = 0; j < 30; j++)
        names[j] = j == 7 ? "caf\xe9 \xff" : "same";
    assert_ok(cobloc_matrix_set_col_names(matrix, names, &err), err);
    cobloc_fit_options o = options_for("coclus");
    cobloc_result *r = must_fit(matrix, &o);
    must_write(r, matrix, &o, test_path("bytes"));
    cobloc_saved *saved = must_open(test_path("bytes"));
    assert_names(matrix, saved);
    cobloc_result_free(r);
    cobloc_saved_free(saved);
    cobloc_matrix_free(matrix);
}

/* A hard fit into the folder of a soft one, and of a selection: nothing of those stays. */
static void nothing_old_stays(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    cobloc_fit_options o = options_for("plbm");
    (void)state;
    o.inference = COBLOC_SOFT;
    cobloc_result *soft = must_fit(matrix, &o);
    must_write(soft, matrix, &o, test_path("reused"));
    assert_int_equal(access(test_path("reused/rows.probabilities.tsv"), F_OK), 0);
    put_text(test_path("reused/curve.tsv"), "x", 1);
    o.inference = COBLOC_HARD;
    cobloc_result *hard = must_fit(matrix, &o);
    must_write(hard, matrix, &o, test_path("reused"));
    assert_int_not_equal(access(test_path("reused/rows.probabilities.tsv"), F_OK), 0);
    assert_int_not_equal(access(test_path("reused/curve.tsv"), F_OK), 0);
    cobloc_saved *saved = must_open(test_path("reused"));
    assert_same_result(hard, saved->result);
    cobloc_saved_free(saved);
    cobloc_result_free(soft);
    cobloc_result_free(hard);
    cobloc_matrix_free(matrix);
}

/* The fit that a selection chose, whatever it started from, comes back; a fit by its options ends
 * in the same clusters. */
static void selections_come_back(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NASTY);
    cobloc_select_options o;
    cobloc_selection *selection = NULL;
    cobloc_error err;
    (void)state;
    cobloc_select_options_default(&o);
    o.fit = options_for("coclus");
    o.k_to = 5;
    assert_ok(cobloc_select(matrix, &o, &selection, &err), err);
    for (int at = 0; at < selection->count; at++) {
        const cobloc_result *r = selection->curve[at].result;
        selection->chosen = at;
        assert_ok(cobloc_selection_write(selection, matrix, &o, test_path("selected"), &err), err);
        cobloc_saved *saved = must_open(test_path("selected"));
        assert_same_result(r, saved->result);
        cobloc_result *again = must_fit(matrix, &saved->options);
        assert_memory_equal(r->row_labels, again->row_labels, (size_t)r->n * sizeof(int32_t));
        cobloc_result_free(again);
        cobloc_saved_free(saved);
    }
    cobloc_selection_free(selection);
    cobloc_matrix_free(matrix);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static void refuse_matrix(const cobloc_saved *saved, const char *path, cobloc_status expected,
                          const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *matrix = NULL;
    cobloc_status status = cobloc_saved_matrix(saved, path, NULL, &matrix, &err);
    if (status != expected || !strstr(err.message, part))
        fail_msg("got \"%s\": %s, expected \"%s\": ...%s...", cobloc_status_name(status),
                 err.message, cobloc_status_name(expected), part);
    assert_null(matrix);
}

static void the_matrix_is_found_again(void **state)
{
    cobloc_error err;
    const char *text = ",a,b,c,d\nr1,1,0,2,0\nr2,0,3,0,1\nr3,2,0,1,0\nr4,0,1,0,2\n";
    const char *path = test_text("input.csv", text);
    cobloc_matrix *matrix = must_read(path, NULL), *back = NULL;
    cobloc_fit_options o = options_for("coclus");
    (void)state;
    o.k = 2;
    cobloc_result *r = must_fit(matrix, &o);
    must_write(r, matrix, &o, test_path("found"));
    cobloc_saved *saved = must_open(test_path("found"));
    assert_string_equal(saved->format, "csv");
    assert_int_equal(saved->input[0], '/');
    assert_ok(cobloc_saved_matrix(saved, NULL, NULL, &back, &err), err);
    assert_same_matrix(matrix, back);
    cobloc_matrix_free(back);
    refuse_matrix(saved, test_text("more.csv", ",a,b,c,d\nr1,1,1,1,1\n"), COBLOC_BAD_DATA,
                  "is not the matrix that");
    refuse_matrix(saved, test_text("more.csv", ",a,b,c,d\nr1,1,1,1,1\n"), COBLOC_BAD_DATA,
                  "1 rows, not 4");
    test_text("input.csv", ",a,b,c,d\nr1,1,0,2,0\nr2,0,3,0,1\nr3,2,0,1,0\nr4,0,1,0,3\n");
    refuse_matrix(saved, NULL, COBLOC_BAD_DATA, "sum up to 14, not 13");
    test_text("input.csv", ",a,b,x,d\nr1,1,0,2,0\nr2,0,3,0,1\nr3,2,0,1,0\nr4,0,1,0,2\n");
    refuse_matrix(saved, NULL, COBLOC_BAD_DATA, "its column 3 is 'x', not 'c'");
    unlink(test_path("input.csv"));
    refuse_matrix(saved, NULL, COBLOC_IO, "is not there any more");
    assert_ok(cobloc_matrix_write(matrix, test_path("found/matrix.cbm"), NULL, &err), err);
    assert_ok(cobloc_saved_matrix(saved, NULL, NULL, &back, &err), err);
    assert_same_matrix(matrix, back);
    cobloc_matrix_free(back);
    cobloc_saved_free(saved);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

static void made_in_memory(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    cobloc_fit_options o = options_for("coclus");
    cobloc_result *r = must_fit(matrix, &o);
    (void)state;
    must_write(r, matrix, &o, test_path("memory"));
    cobloc_saved *saved = must_open(test_path("memory"));
    refuse_matrix(saved, NULL, COBLOC_BAD_ARGUMENT, "does not say which file");
    cobloc_saved_free(saved);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* A folder of a soft fit, and the text of one of its files. */
static char *soft_folder(const char *folder, const char *file, size_t *size)
{
    char path[256];
    cobloc_matrix *matrix = planted(NAMES_NASTY);
    cobloc_fit_options o = options_for("plbm");
    o.inference = COBLOC_SOFT;
    o.max_iterations = 5;
    cobloc_result *r = must_fit(matrix, &o);
    must_write(r, matrix, &o, folder);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return text_of(path, size);
}

/* The text with the first `from` replaced by `to`; free() it. */
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("there is no %s", from);
    char *made = malloc(strlen(text) + strlen(to) + 1);
    sprintf(made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return made;
}

typedef struct damage {
    const char *file, *from, *to, *part;
} damage;

static void damaged_folders_are_refused(void **state)
{
    static const damage list[] = {
        {"model.json", "\"columns\"", "\"pillars\"", "this version"},
        {"model.json", "\"k\": 3", "\"k\": -3", "'k' is not a whole number"},
        {"model.json", "\"k\": 3", "\"k\": \"3\"", "'k' is not a whole number"},
        {"model.json", "\"n\": 42", "\"n\": 43", "rows.tsv: holds 42 rows"},
        {"model.json", "\"n\": 42", "\"n\": 99999999999", "'n' is not"},
        {"model.json", "\"d\": 30", "\"d\": 31", "not a list of 31 names"},
        {"model.json", "\"inference\": \"soft\"", "\"inference\": \"firm\"", "'inference'"},
        {"model.json", "\"model\": \"plbm\"", "\"model\": \"plum\"", "'model'"},
        {"model.json", "\"row_sizes\": [", "\"row_sizes\": [4, ", "'row_proportions'"},
        {"model.json", "\"row_sizes\": [", "\"row_sizes\": [\"x\", ", "'row_sizes' holds"},
        {"model.json", "\"col_sizes\": [", "\"col_sizes\": [1], \"x\": [", "'col_proportions'"},
        {"model.json", "\"trace\": [", "\"trace\": [{}, ", "'trace' holds something else"},
        {"model.json", "\"clusters\": [", "\"clusters\": [7], \"x\": [", "'clusters'"},
        {"model.json", "\"best_restart\": ", "\"best_restart\": 9", "'best_restart'"},
        {"model.json", "\"row_rule\": [", "\"row_rule\": [[1]], \"x\": [", "'row_rule'"},
        {"model.json", "\"merges\": [", "\"merges\": [[2, 1, 0], [0, 1, 0]], \"x\": [", "merges"},
        {"model.json", "\"exact\": false", "\"exact\": 0", "'exact' is neither"},
        {"model.json", "{", "[", "model.json:"},
        {"rows.tsv", "name\tcluster", "cluster\tname", "rows.tsv:1: the header"},
        {"rows.tsv", "\t0\t", "\t3\t", "expected -1 to 2"},
        {"rows.tsv", "\t0\t", "\t1\t", "not of one fit"},
        {"rows.tsv", "\t0\t", " 0 ", "rows.tsv:"},
        {"rows.probabilities.tsv", "name\t0", "0\tname", "rows.probabilities.tsv:1"},
        {"rows.probabilities.tsv", "\n", "\nx\t2\t0\t0\n", "expected 3 probabilities"},
        {"rows.probabilities.tsv", "\n", "\nx\t0\t0\n", "expected 3 probabilities"},
        {"rows.probabilities.tsv", "\n", "\nx\t1\t0\t0\t0\n", "more than 3"},
        {"rows.probabilities.tsv", "\n", "\nx\t1\t0\t0\n", "holds 43 rows"},
    };
    const char *folder = test_path("damaged");
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        size_t size;
        char *text = soft_folder(folder, list[i].file, &size), path[256];
        char *broken = replaced(text, list[i].from, list[i].to);
        snprintf(path, sizeof path, "%s/%s", folder, list[i].file);
        put_text(path, broken, strlen(broken));
        must_refuse(folder, COBLOC_BAD_DATA, list[i].part);
        free(text);
        free(broken);
    }
}

static void missing_files_are_named(void **state)
{
    static const char *const files[] = {"model.json", "rows.tsv", "rows.probabilities.tsv"};
    (void)state;
    must_refuse(test_path("nowhere"), COBLOC_IO, "nowhere/model.json");
    for (int i = 0; i < 3; i++) {
        size_t size;
        const char *folder = test_path("missing");
        char path[256];
        free(soft_folder(folder, "rows.tsv", &size));
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
        must_refuse(folder, COBLOC_IO, files[i]);
    }
}

/* A file that ends too early is refused wherever that is, save for its last line end. */
static void short_files_are_refused(void **state)
{
    static const char *const files[] = {"model.json", "rows.tsv", "rows.probabilities.tsv"};
    (void)state;
    for (int f = 0; f < 3; f++) {
        const char *folder = test_path("short");
        size_t size;
        char *text = soft_folder(folder, files[f], &size), path[256];
        snprintf(path, sizeof path, "%s/%s", folder, files[f]);
        for (size_t kept = 0; kept + 30 < size; kept += 1 + size / 150) {
            put_text(path, text, kept);
            must_refuse(folder, COBLOC_BAD_DATA, files[f]);
        }
        free(text);
    }
}

/* Any byte may be any other: that ends in a sentence, or changes nothing that matters. */
static void any_byte_may_be_wrong(void **state)
{
    static const char *const files[] = {"model.json", "rows.tsv", "rows.probabilities.tsv"};
    cob_stream stream = cob_stream_at(11, 0, 0, 0);
    (void)state;
    for (int f = 0; f < 3; f++) {
        const char *folder = test_path("bytes");
        size_t size;
        char *text = soft_folder(folder, files[f], &size), path[256];
        snprintf(path, sizeof path, "%s/%s", folder, files[f]);
        for (uint64_t i = 0; i < 150; i++) {
            size_t at = (size_t)(cob_random_uniform(&stream, 4 * i) * (double)size);
            char was = text[at];
            text[at] = (char)(int)(cob_random_uniform(&stream, 4 * i + 1) * 256 - 128);
            put_text(path, text, size);
            cobloc_error err = {COBLOC_OK, ""};
            cobloc_saved *saved = NULL;
            if (cobloc_saved_read(folder, &saved, &err) != COBLOC_OK)
                assert_true(strlen(err.message) > 10);
            cobloc_saved_free(saved);
            text[at] = was;
        }
        free(text);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void no_memory(void **state)
{
    const char *folder = test_path("memory-soft");
    size_t size;
    (void)state;
    free(soft_folder(folder, "rows.tsv", &size));
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_saved *saved = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_saved_read(folder, &saved, &err);
        failed = allocation_failed(k, status, &err, 20);
        cobloc_saved_free(saved);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_comes_back),          cmocka_unit_test(given_lists_come_back),
        cmocka_unit_test(columns_are_counted),     cmocka_unit_test(rule_places_rows),
        cmocka_unit_test(any_bytes_are_names),     cmocka_unit_test(nothing_old_stays),
        cmocka_unit_test(selections_come_back),    cmocka_unit_test(the_matrix_is_found_again),
        cmocka_unit_test(made_in_memory),          cmocka_unit_test(damaged_folders_are_refused),
        cmocka_unit_test(missing_files_are_named), cmocka_unit_test(short_files_are_refused),
        cmocka_unit_test(any_byte_may_be_wrong),   cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
