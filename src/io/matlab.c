/* MATLAB files: versions 5 to 7 and 7.3.
 *
 * A file holds named variables, and nothing marks the matrix. It is the variable the caller names;
 * else the only sparse one; else one with a usual name for such matrices; else the only one with
 * several rows and columns. Labels are a vector with a usual name. Names of rows and columns are
 * cell arrays of strings (or char arrays) of the right length: one with a usual name, or the only
 * one, provided it is clear whether it names rows or columns.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/plain.h"
#include "io/formats.h"
#include "io/matlab.h"

#include <stdio.h>

static const char *const usual_matrix[] = {
    "fea",
    "X",
    "A",
    "M",
    "data",
    "counts",
    "count",
    "matrix",
    "mat",
    "dtm",
    "tdm",
    "docterm",
    "doc_term",
    "doc_term_matrix",
    "docterm_matrix",
    "document_term_matrix",
    "features",
    "table",
    "train",
    "dataset",
    "tf",
    "bow",
    NULL,
};
static const char *const usual_labels[] = {
    "labels",      "label",      "gnd",       "y",          "class",    "classes",
    "classid",     "doc_labels", "doclabels", "row_labels", "truth",    "ground_truth",
    "groundtruth", "gt",         "target",    "targets",    "category", "categories",
    "topics",      "cluster",    "clusters",  NULL,
};
static const char *const usual_rows[] = {
    "rows",         "row_names", "rownames", "names", "docs", "documents",
    "doc_names",    "docnames",  "titles",   "ids",   "ts",   "samples",
    "sample_names", "cells",     "objects",  "users", NULL,
};
static const char *const usual_cols[] = {
    "terms",        "words",     "vocab",         "vocabulary",   "term_labels",
    "terms_labels", "features",  "feature_names", "featurenames", "cols",
    "columns",      "col_names", "colnames",      "column_names", "ms",
    "dictionary",   "dict",      "wordlist",      "tokens",       "genes",
    "gene_names",   "items",     "attributes",    "variables",    "votes",
    NULL,
};

static int recognise(const cob_head *head)
{
    const unsigned char *text = (const unsigned char *)head->text;
    if (head->size < COB_MAT_HEADER)
        return 0;
    bool big = text[126] == 'M' && text[127] == 'I';
    if (!big && !(text[126] == 'I' && text[127] == 'M'))
        return 0;
    uint16_t version = cob_load16(text + 124, big);
    return version == COB_MAT_VERSION_5 || version == COB_MAT_VERSION_73;
}

cobloc_status cob_mat_send(cob_number_type type, double value, int64_t row, int64_t col,
                           cob_mat_sink sink, void *context, cobloc_error *err)
{
    cobloc_status status = cob_number_check(type, value, err);
    return status ? status : sink(context, row, col, value, err);
}

cob_mat_variable *cob_mat_add(cob_mat *mat)
{
    if (!cob_grow(&mat->variables, &mat->capacity, mat->count + 1, sizeof *mat->variables))
        return NULL;
    cob_mat_variable *added = &mat->variables[mat->count++];
    *added = (cob_mat_variable){0};
    return added;
}

/* ---- which variable is what ------------------------------------------------------------------ */

/* The index of a name in a list, or -1. */
static int place_in(const char *const *list, const char *name)
{
    for (int i = 0; list[i]; i++)
        if (cob_plain_same(list[i], name))
            return i;
    return -1;
}

static bool is_matrix(const cob_mat_variable *v)
{
    return (v->kind == COB_MAT_FULL || v->kind == COB_MAT_SPARSE) && !v->complex && !v->solid;
}

static bool is_sparse(const cob_mat_variable *v)
{
    return is_matrix(v) && v->kind == COB_MAT_SPARSE;
}

static bool is_table(const cob_mat_variable *v)
{
    return is_matrix(v) && v->rows > 1 && v->cols > 1;
}

static bool is_usual_sparse(const cob_mat_variable *v)
{
    return is_sparse(v) && place_in(usual_matrix, v->name) >= 0;
}

static bool is_usual_table(const cob_mat_variable *v)
{
    return is_table(v) && place_in(usual_matrix, v->name) >= 0;
}

static const char *what_is(const cob_mat_variable *v)
{
    static const char *const kind[] = {"full", "sparse", "char", "cell", "structure or object"};
    return v->complex ? "complex" : kind[v->kind];
}

/* Prints "A (sparse, 3 by 4), B (...)": the variables accepted by `fits`, as many as there is room
 * for. */
static void list_variables(const cob_mat *mat, bool (*fits)(const cob_mat_variable *), char *text,
                           size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < mat->count; i++) {
        const cob_mat_variable *v = &mat->variables[i];
        if (fits && !fits(v))
            continue;
        char one[256];
        int length = snprintf(one, sizeof one, "%s%s (%s, %lld by %lld%s)", used ? ", " : "",
                              v->name, what_is(v), (long long)v->rows, (long long)v->cols,
                              v->solid ? " in more than two dimensions" : "");
        if (length < 0 || used + (size_t)length + sizeof ", ..." > room) {
            snprintf(text + used, room - used, ", ...");
            return;
        }
        memcpy(text + used, one, (size_t)length + 1);
        used += (size_t)length;
    }
    if (used == 0)
        snprintf(text, room, "none");
}

/* The only variable that fits; *several is set if there are more. */
static const cob_mat_variable *only(const cob_mat *mat, bool (*fits)(const cob_mat_variable *),
                                    bool *several)
{
    const cob_mat_variable *found = NULL;
    for (size_t i = 0; i < mat->count; i++)
        if (fits(&mat->variables[i])) {
            if (found) {
                *several = true;
                return NULL;
            }
            found = &mat->variables[i];
        }
    return found;
}

static cobloc_status named_matrix(const cob_mat *mat, const char *name,
                                  const cob_mat_variable **chosen, cobloc_error *err)
{
    char text[320];
    for (size_t i = 0; i < mat->count; i++) {
        const cob_mat_variable *v = &mat->variables[i];
        if (strcmp(v->name, name) != 0)
            continue;
        if (!is_matrix(v))
            return cob_fail(err, COBLOC_UNSUPPORTED,
                            "the variable '%s' is %s%s, expected a matrix of real numbers", name,
                            what_is(v), v->solid ? " of more than two dimensions" : "");
        *chosen = v;
        return COBLOC_OK;
    }
    list_variables(mat, NULL, text, sizeof text);
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "there is no variable '%.60s'; the file has: %s",
                    name, text);
}

static cobloc_status choose_matrix(const cob_mat *mat, const char *name,
                                   const cob_mat_variable **chosen, cobloc_error *err)
{
    static bool (*const rules[])(const cob_mat_variable *) = {is_sparse, is_usual_sparse,
                                                              is_usual_table, is_table, is_matrix};
    char text[320];
    bool several = false;
    if (name)
        return named_matrix(mat, name, chosen, err);
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        if (several && r == 2)
            break; /* several sparse ones and none clearly the matrix: do not guess a full one */
        *chosen = only(mat, rules[r], &several);
        if (*chosen)
            return COBLOC_OK;
    }
    if (only(mat, is_matrix, &several) || several) {
        list_variables(mat, is_matrix, text, sizeof text);
        return cob_fail(
            err, COBLOC_BAD_ARGUMENT,
            "holds several matrices; choose one with --variable NAME (options.variable): %s", text);
    }
    list_variables(mat, NULL, text, sizeof text);
    return cob_fail(err, COBLOC_BAD_DATA,
                    "holds no matrix of real numbers; the variables in it: %s", text);
}

/* ---- names and labels ------------------------------------------------------------------------ */

/* The number of strings a variable may hold; -1: it holds none. */
static int64_t strings_in(const cob_mat_variable *v)
{
    if (v->solid || (v->kind != COB_MAT_CELL && v->kind != COB_MAT_CHAR))
        return -1;
    if (v->kind == COB_MAT_CHAR)
        return v->rows;
    return v->rows == 1 ? v->cols : v->cols == 1 ? v->rows : -1;
}

static cobloc_status keep_value(void *context, int64_t row, int64_t col, double value,
                                cobloc_error *err)
{
    double *values = context;
    (void)err;
    values[row + col] = value; /* in a vector one of the two is 0 */
    return COBLOC_OK;
}

static cobloc_status read_number_labels(cob_mat *mat, const cob_mat_variable *v, cob_names *names,
                                        cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *values = NULL;
    int64_t count = v->rows * v->cols;
    COB_NEW_ZERO(values, count);
    COB_TRY(mat->reader->numbers(mat, v, keep_value, values, err));
    for (int64_t i = 0; i < count; i++)
        COB_TRY(cob_names_add_number(values[i], names, err));
done:
    cob_free(values);
    return status;
}

/* Reads a variable as `expected` strings into `to`, which stays empty if it holds anything else. */
static cobloc_status read_list(cob_mat *mat, const cob_mat_variable *v, int64_t expected,
                               cob_names *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names names = {0};
    int usable = 1;
    if (v->kind == COB_MAT_FULL)
        status = read_number_labels(mat, v, &names, err);
    else
        status = mat->reader->strings(mat, v, &names, &usable, err);
    if (status != COBLOC_OK)
        cob_fail_at(err, status, "variable '%s': ", v->name);
    else if (usable && names.count == expected)
        cob_names_move(to, &names);
    cob_names_free(&names);
    return status;
}

static bool is_labels(const cob_mat_variable *v, int64_t rows)
{
    bool numbers = v->kind == COB_MAT_FULL && !v->solid && !v->complex &&
                   ((v->rows == rows && v->cols == 1) || (v->rows == 1 && v->cols == rows));
    return numbers || strings_in(v) == rows;
}

/* Tries the variables with usual names, in the order of the list, until one gives the strings. */
static cobloc_status attach_usual(cob_mat *mat, const char *const *usual, bool labels,
                                  const cob_mat_variable *matrix, int64_t expected, cob_names *to,
                                  cobloc_error *err)
{
    for (int u = 0; usual[u]; u++)
        for (size_t i = 0; i < mat->count; i++) {
            const cob_mat_variable *v = &mat->variables[i];
            bool fits = labels ? is_labels(v, expected) : strings_in(v) == expected;
            if (v == matrix || !fits || !cob_plain_same(v->name, usual[u]))
                continue;
            cobloc_status status = read_list(mat, v, expected, to, err);
            if (status != COBLOC_OK || to->count > 0)
                return status;
        }
    return COBLOC_OK;
}

/* Otherwise, the only list of the right length whose name has no other meaning. */
static cobloc_status attach_only(cob_mat *mat, int64_t expected, cob_names *to, cobloc_error *err)
{
    const cob_mat_variable *found = NULL;
    if (to->count > 0 || expected < 2)
        return COBLOC_OK;
    for (size_t i = 0; i < mat->count; i++) {
        const cob_mat_variable *v = &mat->variables[i];
        if (strings_in(v) != expected || place_in(usual_labels, v->name) >= 0 ||
            place_in(usual_rows, v->name) >= 0 || place_in(usual_cols, v->name) >= 0)
            continue;
        if (found)
            return COBLOC_OK;
        found = v;
    }
    return found ? read_list(mat, found, expected, to, err) : COBLOC_OK;
}

static cobloc_status attach_lists(cob_mat *mat, const cob_mat_variable *chosen,
                                  cobloc_matrix *matrix, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t rows = matrix->rows, cols = matrix->cols;
    COB_TRY(attach_usual(mat, usual_labels, true, chosen, rows, &matrix->row_labels, err));
    COB_TRY(attach_usual(mat, usual_rows, false, chosen, rows, &matrix->row_names, err));
    COB_TRY(attach_usual(mat, usual_cols, false, chosen, cols, &matrix->col_names, err));
    if (rows != cols) {
        COB_TRY(attach_only(mat, rows, &matrix->row_names, err));
        COB_TRY(attach_only(mat, cols, &matrix->col_names, err));
    }
done:
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static cobloc_status open_file(cob_mat *mat, const cob_reading *reading, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char text[COB_MAT_HEADER];
    COB_TRY(cob_binary_open(&mat->file, reading->path, &reading->options->progress, err));
    cob_head head = {text, sizeof text, 0};
    COB_CHECK(mat->file.size >= COB_MAT_HEADER, COBLOC_BAD_DATA,
              "has %lld bytes, expected at least the %d of a MATLAB header",
              (long long)mat->file.size, COB_MAT_HEADER);
    COB_TRY(cob_binary_read(&mat->file, 0, text, sizeof text, err));
    COB_CHECK(recognise(&head), COBLOC_BAD_DATA,
              "is not a MATLAB file of version 5 to 7.3 (a version 4 file must be saved again)");
    mat->big = text[126] == 'M';
    bool old = cob_load16((const unsigned char *)text + 124, mat->big) == COB_MAT_VERSION_5;
    mat->reader = old ? &cob_mat_v5 : &cob_mat_v73;
    COB_TRY(mat->reader->open(mat, err));
done:
    return status;
}

static cobloc_status add_entry(void *context, int64_t row, int64_t col, double value,
                               cobloc_error *err)
{
    return cob_lane_add(context, row, col, value, err);
}

static cobloc_status read_matrix(cob_mat *mat, const cob_mat_variable *v, cobloc_missing missing,
                                 cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_builder builder = {0};
    COB_TRY(cob_builder_init(&builder, v->rows, v->cols, 1, 1, missing, err));
    COB_TRY(mat->reader->numbers(mat, v, add_entry, &builder.lanes[0], err));
    COB_TRY(cob_builder_finish(&builder, v->rows, v->cols, out, err));
done:
    if (status != COBLOC_OK)
        cob_fail_at(err, status, "variable '%s': ", v->name);
    cob_builder_free(&builder);
    return status;
}

static cobloc_status read(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mat mat = {.file.fd = -1};
    const cob_mat_variable *chosen = NULL;
    COB_TRY(open_file(&mat, reading, err));
    COB_TRY(choose_matrix(&mat, reading->options->variable, &chosen, err));
    COB_KNOWN(chosen);
    COB_TRY(read_matrix(&mat, chosen, reading->options->missing, out, err));
    COB_TRY(attach_lists(&mat, chosen, *out, err));
done:
    if (mat.reader)
        mat.reader->close(&mat);
    cob_free(mat.variables);
    cob_binary_close(&mat.file);
    return status;
}

const cob_format cob_format_matlab = {
    .name = "matlab",
    .title = "MATLAB",
    .extension = ".mat",
    .carries = COB_ROW_NAMES | COB_COL_NAMES | COB_ROW_LABELS | COB_NAN,
    .gzip = 0,
    .recognise = recognise,
    .read = read,
    .write = cob_mat_write,
};
