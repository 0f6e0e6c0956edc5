/* One target a format of matrices (TARGET, set by the build; "text": a corpus): any bytes must end
 * in a matrix that is sound or in a sentence; never in a crash, a leak or a hang.
 *
 * SPDX-License-Identifier: MIT
 */
#include "target.h"

#include <float.h>
#include <math.h>

static void check_view(const cobloc_view *view, int negative)
{
    demand(view->offsets[0] == 0 && view->offsets[view->major] == view->nnz, "offsets");
    for (int64_t i = 0; i < view->major; i++) {
        demand(view->offsets[i] <= view->offsets[i + 1], "offsets");
        for (int64_t e = view->offsets[i]; e < view->offsets[i + 1]; e++) {
            int32_t before = e > view->offsets[i] ? view->indices[e - 1] : -1;
            double value = cobloc_view_value(view, e);
            demand(view->indices[e] > before && view->indices[e] < view->minor, "indices");
            demand(value != 0 && fabs(value) <= DBL_MAX && (negative || value > 0), "values");
        }
    }
}

static void check_names(const cobloc_matrix *matrix)
{
    size_t bytes = 0;
    for (int64_t i = 0; i < cobloc_matrix_rows(matrix) && cobloc_matrix_row_name(matrix, i); i++)
        bytes += strlen(cobloc_matrix_row_name(matrix, i));
    for (int64_t j = 0; j < cobloc_matrix_cols(matrix) && cobloc_matrix_col_name(matrix, j); j++)
        bytes += strlen(cobloc_matrix_col_name(matrix, j));
    for (int64_t i = 0; i < cobloc_matrix_rows(matrix) && cobloc_matrix_row_label(matrix, i); i++)
        bytes += strlen(cobloc_matrix_row_label(matrix, i));
    for (int64_t c = 0; c < cobloc_matrix_category_count(matrix); c++)
        bytes += strlen(cobloc_matrix_category_name(matrix, c));
    char text[100];
    for (int64_t i = 0; i < cobloc_matrix_rows(matrix) && i < 1000; i++)
        bytes += cobloc_matrix_excerpt(matrix, i, "text", text, sizeof text);
    demand(bytes < (size_t)1 << 40, "names");
}

/* The last byte of a file chooses the kind of corpus and how its words are taken. */
static int last_byte(const char *path)
{
    FILE *file = fopen(path, "rb");
    int last = 0;
    if (file && fseek(file, -1, SEEK_END) == 0)
        last = fgetc(file);
    if (file)
        fclose(file);
    return last < 0 ? 0 : last;
}

static cobloc_status read_text(const char *path, cobloc_matrix **matrix, cobloc_error *err)
{
    cobloc_text_options *options = NULL;
    int choice = last_byte(path);
    if (cobloc_text_options_new(&options, err) != COBLOC_OK)
        return err->status;
    cobloc_set_int(options, "corpus", choice % 8, NULL);
    cobloc_set_int(options, "tokens", choice / 8 % 2, NULL);
    cobloc_set_text(options, "stem", choice / 16 % 2 ? "auto" : NULL, NULL);
    cobloc_set_text(options, "language", choice % 32 == 0 ? "auto" : "none", NULL);
    cobloc_set_int(options, "ngrams_to", 1 + choice / 64 % 3, NULL);
    cobloc_set_text(options, "name_field", choice > 150 ? "id" : NULL, NULL);
    cobloc_set_text(options, "label_field", choice > 150 ? "label" : NULL, NULL);
    cobloc_set_real(options, "min_df", 1, NULL);
    cobloc_set_real(options, "max_df", 1, NULL);
    cobloc_set_int(options, "threads", 1, NULL);
    cobloc_status status = cobloc_text_read(path, options, matrix, NULL, err);
    cobloc_text_options_free(options);
    return status;
}

static cobloc_status read_matrix(const char *path, cobloc_missing missing, cobloc_values values,
                                 cobloc_matrix **matrix, cobloc_error *err)
{
    cobloc_io_options *options = NULL;
    if (strcmp(TARGET, "text") == 0)
        return read_text(path, matrix, err);
    if (cobloc_io_options_new(&options, err) != COBLOC_OK)
        return err->status;
    cobloc_set_text(options, "format", TARGET, NULL);
    cobloc_set_int(options, "missing", missing, NULL);
    cobloc_set_int(options, "values", values, NULL);
    cobloc_set_int(options, "threads", 1, NULL);
    cobloc_status status = cobloc_matrix_read(path, options, matrix, err);
    cobloc_io_options_free(options);
    return status;
}

static void check_matrix(const cobloc_matrix *matrix)
{
    cobloc_view rows = cobloc_matrix_by_rows(matrix), cols = cobloc_matrix_by_cols(matrix);
    check_view(&rows, cobloc_matrix_has_negative(matrix));
    check_view(&cols, cobloc_matrix_has_negative(matrix));
    if (cobloc_matrix_missing(matrix))
        check_matrix(cobloc_matrix_missing(matrix));
}

static void read_as(const char *path, cobloc_missing missing, cobloc_values values)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_status status = read_matrix(path, missing, values, &matrix, &err);
    demand_sentence(status, matrix, &err);
    if (status != COBLOC_OK)
        return;
    check_names(matrix);
    if (cobloc_matrix_verify(matrix, &err) == COBLOC_OK)
        check_matrix(matrix);
    cobloc_matrix_free(matrix);
}

#ifndef REPLAY
/* Any number that the bytes of a file make. */
static int sum_of_bytes(const char *path)
{
    FILE *file = fopen(path, "rb");
    int sum = 0;
    for (int byte; file && (byte = fgetc(file)) >= 0;)
        sum = (sum + byte) % 65521;
    if (file)
        fclose(file);
    return sum;
}
#endif

/* A replay reads each file in every way; a fuzzer, which has many inputs, each in one. */
void read_path(const char *path)
{
    static const struct {
        cobloc_missing missing;
        cobloc_values values;
    } ways[] = {{COBLOC_MISSING_AUTO, COBLOC_VALUES_AUTO},
                {COBLOC_MISSING_IGNORE, COBLOC_VALUES_NUMBERS},
                {COBLOC_MISSING_ZERO, COBLOC_VALUES_CATEGORIES},
                {COBLOC_MISSING_IGNORE, COBLOC_VALUES_CATEGORIES}};
    enum { WAYS = sizeof ways / sizeof *ways };
#ifdef REPLAY
    int from = 0, to = strcmp(TARGET, "text") == 0 ? 1 : WAYS;
#else
    int from = sum_of_bytes(path) % WAYS, to = from + 1;
#endif
    for (int i = from; i < to; i++)
        read_as(path, ways[i].missing, ways[i].values);
}
