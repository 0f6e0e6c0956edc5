/* Tables of R to matrices of the library, and back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bridge.h"

#include <string.h>

/* An element of a list by name; R's NULL where there is none. */
static SEXP element(SEXP list, const char *name)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; i < XLENGTH(list); i++)
        if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0)
            return VECTOR_ELT(list, i);
    return R_NilValue;
}

static const char **strings(SEXP texts)
{
    R_xlen_t count = texts == R_NilValue ? 0 : XLENGTH(texts);
    const char **out = count ? (const char **)(void *)R_alloc((size_t)count, sizeof *out) : NULL;
    for (R_xlen_t i = 0; i < count; i++)
        out[i] = Rf_translateCharUTF8(STRING_ELT(texts, i));
    return out;
}

/* Nothing to do: the arrays are R's, and are there until the call ends. */
static void leave(void *unused)
{
    (void)unused;
}

cobloc_status matrix_from_r(call *c, SEXP table, cobloc_matrix **out)
{
    cobloc_status status;
    const void *mark = vmaxget();
    int rows = Rf_asInteger(element(table, "rows")), cols = Rf_asInteger(element(table, "cols"));
    const char *layout = CHAR(STRING_ELT(element(table, "layout"), 0));
    SEXP i = element(table, "i"), p = element(table, "p"), x = element(table, "x");
    const double *values = x == R_NilValue ? NULL : REAL(x);
    if (strcmp(layout, "triples") == 0)
        status = cobloc_matrix_from_triples(rows, cols, XLENGTH(i), INTEGER(i), INTEGER(p), values,
                                            out, &c->err);
    else
        status = cobloc_matrix_from_compressed(
            rows, cols, strcmp(layout, "columns") == 0, INTEGER(p), COBLOC_ARRAY_I32, INTEGER(i),
            COBLOC_ARRAY_I32, values, values ? COBLOC_ARRAY_F64 : COBLOC_ARRAY_NONE, leave, NULL,
            out, &c->err);
    if (status != COBLOC_OK)
        return status;
    call_hold(c, *out, release_matrix);
    const char **row_names = strings(element(table, "row_names"));
    const char **col_names = strings(element(table, "col_names"));
    SEXP words = element(table, "categories");
    if (row_names)
        status = cobloc_matrix_set_row_names(*out, row_names, &c->err);
    if (status == COBLOC_OK && col_names)
        status = cobloc_matrix_set_col_names(*out, col_names, &c->err);
    if (status == COBLOC_OK && words != R_NilValue)
        status = cobloc_matrix_set_categories(*out, strings(words), XLENGTH(words), &c->err);
    vmaxset(mark);
    return status;
}

/* Entries by columns, with the missing cells among them as NA: both are sorted, and merge. */
static void fill_columns(const cobloc_matrix *matrix, int *p, int *i, double *x)
{
    const cobloc_matrix *missing = cobloc_matrix_missing(matrix);
    cobloc_view entries = cobloc_matrix_by_cols(matrix), holes = {0};
    int64_t to = 0;
    if (missing)
        holes = cobloc_matrix_by_cols(missing);
    for (int64_t j = 0; j < entries.major; j++) {
        int64_t e = entries.offsets[j], h = missing ? holes.offsets[j] : 0;
        int64_t entry_end = entries.offsets[j + 1], hole_end = missing ? holes.offsets[j + 1] : 0;
        p[j] = (int)to;
        for (; e < entry_end || h < hole_end; to++) {
            int is_hole = e == entry_end || (h < hole_end && holes.indices[h] < entries.indices[e]);
            i[to] = is_hole ? holes.indices[h] : entries.indices[e];
            x[to] = is_hole ? NA_REAL : cobloc_view_value(&entries, e);
            e += !is_hole;
            h += is_hole;
        }
    }
    p[entries.major] = (int)to;
}

SEXP matrix_to_r(const cobloc_matrix *matrix)
{
    static const char *const fields[] = {"rows",      "cols",      "p",      "i",         "x",
                                         "row_names", "col_names", "labels", "categories"};
    enum { FIELDS = sizeof fields / sizeof *fields };
    int64_t rows = cobloc_matrix_rows(matrix), cols = cobloc_matrix_cols(matrix);
    int64_t count = cobloc_matrix_nnz(matrix) + cobloc_matrix_missing_count(matrix);
    if (count > 2147483647LL)
        Rf_error("the table has more entries than a sparse matrix of R can hold");
    SEXP table = PROTECT(Rf_allocVector(VECSXP, FIELDS));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, FIELDS));
    for (int f = 0; f < FIELDS; f++)
        SET_STRING_ELT(names, f, Rf_mkChar(fields[f]));
    Rf_setAttrib(table, R_NamesSymbol, names);
    SET_VECTOR_ELT(table, 0, Rf_ScalarInteger((int)rows));
    SET_VECTOR_ELT(table, 1, Rf_ScalarInteger((int)cols));
    SET_VECTOR_ELT(table, 2, Rf_allocVector(INTSXP, (R_xlen_t)cols + 1));
    SET_VECTOR_ELT(table, 3, Rf_allocVector(INTSXP, (R_xlen_t)count));
    SET_VECTOR_ELT(table, 4, Rf_allocVector(REALSXP, (R_xlen_t)count));
    fill_columns(matrix, INTEGER(VECTOR_ELT(table, 2)), INTEGER(VECTOR_ELT(table, 3)),
                 REAL(VECTOR_ELT(table, 4)));
    SET_VECTOR_ELT(table, 5, texts_to_r(cobloc_matrix_row_name, matrix, rows));
    SET_VECTOR_ELT(table, 6, texts_to_r(cobloc_matrix_col_name, matrix, cols));
    SET_VECTOR_ELT(table, 7, texts_to_r(cobloc_matrix_row_label, matrix, rows));
    SET_VECTOR_ELT(
        table, 8,
        texts_to_r(cobloc_matrix_category_name, matrix, cobloc_matrix_category_count(matrix)));
    UNPROTECT(2);
    return table;
}
