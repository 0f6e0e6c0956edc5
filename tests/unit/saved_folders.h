/* Folders of results for tests: made, opened, compared, and their files changed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_SAVED_FOLDERS_H
#define COB_TESTS_SAVED_FOLDERS_H

#include "support.h"

#include "base/parallel.h"
#include "base/random.h"

#include <math.h>

static inline cobloc_fit_options options_for(const char *model)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = 3;
    o.restarts = 2;
    o.threads = 1;
    o.tolerance = 0;
    o.seed = 7;
    return o;
}

/* Three diagonal blocks of counts, an empty row and an empty column, names that try to break it. */
static inline cobloc_matrix *planted(int names)
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
        assert_ok(cob_matrix_copy_names(matrix, nasty, NULL, NULL, &err), err);
        cobloc_matrix_free(nasty);
    }
    return matrix;
}

static inline cobloc_result *must_fit(const cobloc_matrix *matrix, const cobloc_fit_options *o)
{
    cobloc_error err;
    cobloc_result *result = NULL;
    assert_ok(cobloc_fit(matrix, o, &result, &err), err);
    return result;
}

static inline void must_write(const cobloc_result *r, const cobloc_matrix *matrix,
                              const cobloc_fit_options *o, const char *folder)
{
    cobloc_error err;
    assert_ok(cobloc_result_write(r, matrix, o, folder, &err), err);
}

static inline cobloc_saved *must_open(const char *folder)
{
    cobloc_error err;
    cobloc_saved *saved = NULL;
    assert_ok(cobloc_saved_read(folder, &saved, &err), err);
    return saved;
}

static inline void must_refuse(const char *folder, cobloc_status expected, const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_saved *saved = NULL;
    cobloc_status status = cobloc_saved_read(folder, &saved, &err);
    if (status != expected || !strstr(err.message, part))
        fail_msg("got \"%s\": %s, expected \"%s\": ...%s...", cobloc_status_name(status),
                 err.message, cobloc_status_name(expected), part);
    assert_null(saved);
}

static inline void assert_numbers(const double *a, const double *b, int64_t count, double within,
                                  const char *what)
{
    assert_int_equal(a == NULL, b == NULL);
    for (int64_t i = 0; a && i < count; i++)
        if (a[i] != b[i] && !(!isfinite(a[i]) && isnan(b[i])) && /* files know no infinity */
            !(fabs(a[i] - b[i]) <= within))
            fail_msg("%s %d: got %.17g, expected %.17g", what, (int)i, b[i], a[i]);
}

static inline void assert_same_result(const cobloc_result *a, const cobloc_result *b)
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
    const double *const lists[][2] = {{&a->criterion, &b->criterion},
                                      {&a->icl, &b->icl},
                                      {&a->modularity, &b->modularity},
                                      {&a->explained_information, &b->explained_information},
                                      {&a->r_hat, &b->r_hat},
                                      {&a->effect_scale, &b->effect_scale},
                                      {&a->log_likelihood, &b->log_likelihood},
                                      {&a->free_parameters, &b->free_parameters}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        assert_numbers(lists[i][0], lists[i][1], 1, 0, "number");
    int64_t blocks = (int64_t)a->k * a->l;
    assert_numbers(a->restart_criteria, b->restart_criteria, a->restarts, 0, "criterion");
    assert_numbers(a->trace, b->trace, a->trace_count, 0, "trace");
    assert_numbers(a->blocks, b->blocks, blocks, 0, "block");
    assert_int_equal(a->parameter_count, b->parameter_count);
    assert_int_equal(a->rule_width, b->rule_width);
    for (int c = 0; a->parameter_names && c < a->parameter_count; c++)
        assert_string_equal(a->parameter_names[c], b->parameter_names[c]);
    assert_numbers(a->parameters, b->parameters, a->parameter_count * blocks, 0, "parameter");
    assert_numbers(a->row_rule, b->row_rule, (int64_t)a->k * a->rule_width, 0, "rule");
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

static inline void assert_names(const cobloc_matrix *matrix, const cobloc_saved *saved)
{
    for (int64_t i = 0; i < matrix->rows; i++)
        assert_string_equal(cobloc_matrix_row_name(matrix, i), cobloc_saved_row_name(saved, i));
    for (int64_t j = 0; j < matrix->cols; j++)
        assert_string_equal(cobloc_matrix_col_name(matrix, j), cobloc_saved_col_name(saved, j));
}

/* The whole text of a file; free() it. */
static inline char *text_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = malloc(1 << 20);
    *size = fread(text, 1, (1 << 20) - 1, file);
    text[*size] = '\0';
    fclose(file);
    return text;
}

static inline void put_text(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

/* A folder of a soft fit, and the text of one of its files. */
static inline char *soft_folder(const char *folder, const char *file, size_t *size)
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

#endif
