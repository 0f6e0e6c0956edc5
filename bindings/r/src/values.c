/* Named lists of R to options, results to named lists.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bridge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_PATH = 256 }; /* all paths are far shorter; longer names are cut, and not found */

/* ---- options
 * --------------------------------------------------------------------------------------- */

static const char *text_at(SEXP strings, R_xlen_t at)
{
    SEXP text = STRING_ELT(strings, at);
    return text == NA_STRING ? NULL : Rf_translateCharUTF8(text);
}

static cobloc_status complain(const char *path, const char *expected, cobloc_error *err)
{
    err->status = COBLOC_BAD_ARGUMENT;
    snprintf(err->message, sizeof err->message, "%s: expected %s", path, expected);
    return err->status;
}

static cobloc_status set_texts(void *options, const char *path, SEXP value, cobloc_error *err)
{
    R_xlen_t count = XLENGTH(value);
    const char **texts = (const char **)(void *)R_alloc((size_t)count + 1, sizeof *texts);
    for (R_xlen_t i = 0; i < count; i++) {
        texts[i] = text_at(value, i);
        if (!texts[i])
            return complain(path, "texts without NA", err);
    }
    return cobloc_set_texts(options, path, texts, count, err);
}

static cobloc_status set_number(void *options, const char *path, double value, cobloc_error *err)
{
    cobloc_kind kind = cobloc_field_kind(options, path);
    if (ISNAN(value))
        return complain(path, "a number, found NA", err);
    if (kind == COBLOC_FLAG)
        return cobloc_set_flag(options, path, value != 0, err);
    if (kind == COBLOC_INT && value == floor(value) && fabs(value) <= 9007199254740992.0)
        return cobloc_set_int(options, path, (int64_t)value, err);
    return cobloc_set_real(options, path, value, err);
}

static cobloc_status set_vector(void *options, const char *path, SEXP value, cobloc_error *err)
{
    cobloc_kind kind = cobloc_field_kind(options, path);
    cobloc_status status;
    if (kind == COBLOC_INTS) {
        value = PROTECT(Rf_coerceVector(value, INTSXP));
        status = cobloc_set_ints(options, path, INTEGER(value), XLENGTH(value), err);
    } else {
        value = PROTECT(Rf_coerceVector(value, REALSXP));
        status = cobloc_set_reals(options, path, REAL(value), XLENGTH(value), err);
    }
    UNPROTECT(1);
    return status;
}

static cobloc_status set_group(void *options, const char *path, SEXP values, cobloc_error *err);

static cobloc_status set_list(void *options, const char *path, SEXP value, cobloc_error *err)
{
    char last[LONGEST_PATH];
    if (cobloc_field_kind(options, path) == COBLOC_GROUP)
        return set_group(options, path, value, err);
    snprintf(last, sizeof last, "%.240s[-1]", path);
    for (R_xlen_t i = 0; i < XLENGTH(value); i++) {
        cobloc_status status = cobloc_append(options, path, err);
        if (status == COBLOC_OK)
            status = set_group(options, last, VECTOR_ELT(value, i), err);
        if (status != COBLOC_OK)
            return status;
    }
    return COBLOC_OK;
}

static cobloc_status set_value(void *options, const char *path, SEXP value, cobloc_error *err)
{
    cobloc_kind kind = cobloc_field_kind(options, path);
    int is_number = Rf_isReal(value) || Rf_isInteger(value) || Rf_isLogical(value);
    if (TYPEOF(value) == VECSXP)
        return set_list(options, path, value, err);
    if (TYPEOF(value) == STRSXP && kind == COBLOC_TEXTS)
        return set_texts(options, path, value, err);
    if (is_number && (kind == COBLOC_INTS || kind == COBLOC_REALS))
        return set_vector(options, path, value, err);
    if ((TYPEOF(value) != STRSXP && !is_number) || XLENGTH(value) != 1)
        return complain(path, "one number or text", err);
    if (TYPEOF(value) == STRSXP)
        return cobloc_set_text(options, path, text_at(value, 0), err);
    if (kind == COBLOC_NONE)
        return cobloc_set_text(options, path, "", err); /* says which names there are */
    return set_number(options, path, Rf_asReal(value), err);
}

static cobloc_status set_group(void *options, const char *path, SEXP values, cobloc_error *err)
{
    SEXP names = PROTECT(Rf_getAttrib(values, R_NamesSymbol));
    cobloc_status status = COBLOC_OK;
    char full[LONGEST_PATH];
    for (R_xlen_t i = 0; i < XLENGTH(values) && status == COBLOC_OK; i++) {
        SEXP value = VECTOR_ELT(values, i);
        const char *name = names == R_NilValue ? "" : text_at(names, i);
        snprintf(full, sizeof full, "%.180s%s%.60s", path, *path ? "." : "", name ? name : "");
        if (!name || !*name)
            status = complain("options", "all of them by name", err);
        else if (value != R_NilValue)
            status = set_value(options, full, value, err);
    }
    UNPROTECT(1);
    return status;
}

cobloc_status set_options(void *options, SEXP values, cobloc_error *err)
{
    const void *mark = vmaxget();
    cobloc_status status = set_group(options, "", values, err);
    vmaxset(mark);
    return status;
}

/* ---- results
 * --------------------------------------------------------------------------------------- */

SEXP text_to_r(const char *text)
{
    SEXP string = PROTECT(text ? Rf_mkCharCE(text, CE_UTF8) : NA_STRING);
    SEXP value = Rf_ScalarString(string);
    UNPROTECT(1);
    return value;
}

SEXP texts_to_r(const char *(*text)(const cobloc_matrix *, int64_t), const cobloc_matrix *matrix,
                int64_t count)
{
    if (count == 0 || !text(matrix, 0))
        return R_NilValue;
    SEXP value = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++)
        SET_STRING_ELT(value, (R_xlen_t)i, Rf_mkCharCE(text(matrix, i), CE_UTF8));
    UNPROTECT(1);
    return value;
}

/* Whole numbers that an integer of R cannot hold become reals. */
static SEXP int_to_r(int64_t value)
{
    return value > -2147483648LL && value <= 2147483647LL ? Rf_ScalarInteger((int)value)
                                                          : Rf_ScalarReal((double)value);
}

static SEXP reals_to_r(const void *object, const char *path)
{
    int64_t count, shape[2];
    const double *from = cobloc_reals(object, &count, "%s", path);
    if (!from || count <= 0)
        return R_NilValue;
    if (cobloc_shape(object, shape, "%s", path) != 2) {
        SEXP value = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)count));
        memcpy(REAL(value), from, (size_t)count * sizeof *from);
        UNPROTECT(1);
        return value;
    }
    SEXP value = PROTECT(Rf_allocMatrix(REALSXP, (int)shape[0], (int)shape[1]));
    for (int64_t i = 0; i < shape[0]; i++)
        for (int64_t j = 0; j < shape[1]; j++)
            REAL(value)[j * shape[0] + i] = from[i * shape[1] + j];
    UNPROTECT(1);
    return value;
}

static SEXP ints_to_r(const void *object, const char *path)
{
    int64_t count;
    const int32_t *from = cobloc_ints(object, &count, "%s", path);
    if (!from || count <= 0)
        return R_NilValue;
    SEXP value = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)count));
    memcpy(INTEGER(value), from, (size_t)count * sizeof *from);
    UNPROTECT(1);
    return value;
}

static SEXP int64s_to_r(const void *object, const char *path)
{
    int64_t count, shape[2];
    const int64_t *from = cobloc_int64s(object, &count, "%s", path);
    if (!from || count <= 0)
        return R_NilValue;
    int is_table = cobloc_shape(object, shape, "%s", path) == 2;
    SEXP value = PROTECT(is_table ? Rf_allocMatrix(REALSXP, (int)shape[0], (int)shape[1])
                                  : Rf_allocVector(REALSXP, (R_xlen_t)count));
    for (int64_t e = 0; e < count; e++) {
        int64_t to = is_table ? e % shape[1] * shape[0] + e / shape[1] : e;
        REAL(value)[to] = (double)from[e];
    }
    UNPROTECT(1);
    return value;
}

static SEXP text_array_to_r(const void *object, const char *path)
{
    int64_t count;
    const char *const *from = cobloc_texts(object, &count, "%s", path);
    if (!from || count <= 0)
        return R_NilValue;
    SEXP value = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++)
        SET_STRING_ELT(value, (R_xlen_t)i, from[i] ? Rf_mkCharCE(from[i], CE_UTF8) : NA_STRING);
    UNPROTECT(1);
    return value;
}

static SEXP list_to_r(const void *object, const char *path)
{
    char element[LONGEST_PATH];
    int64_t count = cobloc_count(object, "%s", path);
    SEXP value = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)(count > 0 ? count : 0)));
    for (int64_t i = 0; i < count; i++) {
        snprintf(element, sizeof element, "%.200s[%lld]", path, (long long)i);
        SET_VECTOR_ELT(value, (R_xlen_t)i, read_values(object, element));
    }
    UNPROTECT(1);
    return value;
}

static SEXP value_to_r(const void *object, const char *path)
{
    switch (cobloc_field_kind(object, path)) {
    case COBLOC_INT:
        return int_to_r(cobloc_int(object, "%s", path));
    case COBLOC_REAL:
        return Rf_ScalarReal(cobloc_real(object, "%s", path));
    case COBLOC_FLAG:
        return Rf_ScalarLogical(cobloc_int(object, "%s", path) != 0);
    case COBLOC_TEXT:
    case COBLOC_CHOICE:
        return text_to_r(cobloc_text(object, "%s", path));
    case COBLOC_INTS:
        return ints_to_r(object, path);
    case COBLOC_INT64S:
        return int64s_to_r(object, path);
    case COBLOC_REALS:
        return reals_to_r(object, path);
    case COBLOC_TEXTS:
        return text_array_to_r(object, path);
    case COBLOC_GROUP:
        return read_values(object, path);
    case COBLOC_LIST:
        return list_to_r(object, path);
    default:
        return R_NilValue;
    }
}

SEXP read_values(const void *object, const char *path)
{
    char full[LONGEST_PATH];
    int count = cobloc_field_count(object, path);
    SEXP values = PROTECT(Rf_allocVector(VECSXP, count > 0 ? count : 0));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, count > 0 ? count : 0));
    for (int f = 0; f < count; f++) {
        const char *name = cobloc_field_name(object, path, f);
        snprintf(full, sizeof full, "%.180s%s%.60s", path, *path ? "." : "", name);
        SET_STRING_ELT(names, f, Rf_mkChar(name));
        SET_VECTOR_ELT(values, f, value_to_r(object, full));
    }
    Rf_setAttrib(values, R_NamesSymbol, names);
    UNPROTECT(2);
    return values;
}
