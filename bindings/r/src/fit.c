/* Calls that fit: one size, several sizes, a consensus; and what a fit leaves for later calls.
 *
 * SPDX-License-Identifier: MIT
 */
#include "calls.h"

#include <string.h>

/* ---- answers
 * --------------------------------------------------------------------------------------- */

SEXP answer_new(int count, const char *const *names)
{
    SEXP answer = PROTECT(Rf_allocVector(VECSXP, count));
    SEXP r_names = PROTECT(Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++)
        SET_STRING_ELT(r_names, i, Rf_mkChar(names[i]));
    Rf_setAttrib(answer, R_NamesSymbol, r_names);
    UNPROTECT(2);
    return answer;
}

static void free_bytes(void *bytes)
{
    cobloc_bytes_free(bytes);
}

/* The model as bytes, which R can save as it saves anything else. */
static cobloc_status pack(call *c, const cobloc_saved *saved, SEXP *out)
{
    void *bytes = NULL;
    size_t count = 0;
    cobloc_status status = cobloc_saved_pack(saved, &bytes, &count, &c->err);
    if (status != COBLOC_OK)
        return status;
    call_hold(c, bytes, free_bytes);
    *out = Rf_allocVector(RAWSXP, (R_xlen_t)count);
    memcpy(RAW(*out), bytes, count);
    return COBLOC_OK;
}

cobloc_status unpack(call *c, SEXP bytes, cobloc_saved **out)
{
    cobloc_status status = cobloc_saved_unpack(RAW(bytes), (size_t)XLENGTH(bytes), out, &c->err);
    if (status == COBLOC_OK)
        call_hold(c, *out, release_saved);
    return status;
}

static const char *const fit_fields[] = {"result", "model", "interrupted", "more", "sums"};
enum { RESULT, MODEL, INTERRUPTED, MORE, SUMS, FIT_FIELDS };

static SEXP copy_reals(const double *from, int64_t count)
{
    SEXP to = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)count));
    memcpy(REAL(to), from, (size_t)count * sizeof *from);
    UNPROTECT(1);
    return to;
}

/* Sums of the rows and columns as the model saw them: fitted values are made of these. */
static cobloc_status add_sums(call *c, const cobloc_matrix *matrix, const cobloc_result *result,
                              SEXP answer)
{
    cobloc_matrix *weighted = NULL;
    cobloc_weight weight = (cobloc_weight)cobloc_int(result, "weight");
    if (weight != COBLOC_WEIGHT_NONE) {
        cobloc_status status = cobloc_matrix_weighted(matrix, weight, &weighted, &c->err);
        if (status != COBLOC_OK)
            return status;
        call_hold(c, weighted, release_matrix);
        matrix = weighted;
    }
    SEXP sums = Rf_allocVector(VECSXP, 2);
    SET_VECTOR_ELT(answer, SUMS, sums);
    SET_VECTOR_ELT(sums, 0, copy_reals(cobloc_matrix_row_sums(matrix), cobloc_matrix_rows(matrix)));
    SET_VECTOR_ELT(sums, 1, copy_reals(cobloc_matrix_col_sums(matrix), cobloc_matrix_cols(matrix)));
    return COBLOC_OK;
}

/* The answer to a fit: the result as a list, and the model that later calls need. */
static cobloc_status answer_fit(call *c, const cobloc_result *result, const cobloc_matrix *matrix,
                                const cobloc_fit_options *options, SEXP *out)
{
    cobloc_saved *saved = NULL;
    SEXP model = R_NilValue;
    cobloc_status status = cobloc_saved_of(result, matrix, options, &saved, &c->err);
    if (status != COBLOC_OK)
        return status;
    call_hold(c, saved, release_saved);
    SEXP answer = PROTECT(answer_new(FIT_FIELDS, fit_fields));
    status = pack(c, saved, &model);
    SET_VECTOR_ELT(answer, MODEL, model);
    if (status == COBLOC_OK)
        status = add_sums(c, matrix, result, answer);
    SET_VECTOR_ELT(answer, RESULT, read_values(result, ""));
    SET_VECTOR_ELT(answer, INTERRUPTED, Rf_ScalarLogical(c->interrupted));
    *out = answer;
    UNPROTECT(1);
    return status;
}

/* ---- fits
 * ------------------------------------------------------------------------------------------ */

SEXP r_fit(SEXP table, SEXP values, SEXP greedy, SEXP progress)
{
    call c;
    SEXP out = R_NilValue;
    cobloc_matrix *matrix = NULL;
    cobloc_fit_options *options = NULL;
    cobloc_result *result = NULL;
    call_begin(&c);
    TRY(matrix_from_r(&c, table, &matrix));
    MAKE(fit_options, options);
    TRY(set_options(options, values, &c.err));
    call_watch(&c, options, progress);
    TRY((Rf_asLogical(greedy) ? cobloc_fit_greedy : cobloc_fit)(matrix, options, &result, &c.err));
    call_hold(&c, result, release_result);
    TRY(answer_fit(&c, result, matrix, options, &out));
done:
    return call_return(&c, out);
}

/* Options that give a result again which was found by other means: a start from its clusters. */
static cobloc_status repeat(const cobloc_result *result, cobloc_fit_options *options,
                            cobloc_error *err)
{
    static const char *const texts[] = {"model", "weight", "inference"};
    static const char *const numbers[] = {"k", "l", "seed", "restarts"};
    int64_t rows, cols;
    const int32_t *row_labels = cobloc_ints(result, &rows, "row_labels");
    const int32_t *col_labels = cobloc_ints(result, &cols, "col_labels");
    cobloc_status status = COBLOC_OK;
    for (size_t t = 0; t < sizeof texts / sizeof *texts && status == COBLOC_OK; t++)
        status = cobloc_set_text(options, texts[t], cobloc_text(result, "%s", texts[t]), err);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers && status == COBLOC_OK; n++)
        status = cobloc_set_int(options, numbers[n], cobloc_int(result, "%s", numbers[n]), err);
    if (status == COBLOC_OK)
        status = cobloc_set_ints(options, "start_rows", row_labels, rows, err);
    if (status == COBLOC_OK)
        status = cobloc_set_ints(options, "start_cols", col_labels, cols, err);
    if (status == COBLOC_OK)
        status = cobloc_set_text(options, "start", "labels", err);
    return status;
}

SEXP r_select(SEXP table, SEXP values, SEXP fit_values, SEXP progress)
{
    call c;
    SEXP out = R_NilValue;
    cobloc_matrix *matrix = NULL;
    cobloc_select_options *options = NULL;
    cobloc_fit_options *fit = NULL;
    cobloc_selection *selection = NULL;
    call_begin(&c);
    TRY(matrix_from_r(&c, table, &matrix));
    MAKE(select_options, options);
    MAKE(fit_options, fit);
    TRY(set_options(fit, fit_values, &c.err)); /* complains by the names of a fit */
    TRY(set_options(options, values, &c.err));
    call_watch(&c, options, progress);
    TRY(cobloc_select(matrix, options, &selection, &c.err));
    call_hold(&c, selection, release_selection);
    const cobloc_result *result =
        cobloc_object(selection, "curve[%d].result", (int)cobloc_int(selection, "chosen"));
    TRY(repeat(result, fit, &c.err));
    TRY(answer_fit(&c, result, matrix, fit, &out));
    PROTECT(out);
    SET_VECTOR_ELT(out, MORE, read_values(selection, ""));
    UNPROTECT(1);
done:
    return call_return(&c, out);
}

/* What the selection of a consensus tried: its names, as those of r_select. */
static SEXP consensus_to_r(const cobloc_consensus *consensus)
{
    static const char *const fields[] = {"members", "kept", "selection"};
    const void *selection = cobloc_object(consensus, "selection");
    SEXP all = PROTECT(read_values(consensus, ""));
    SEXP more = PROTECT(answer_new(3, fields));
    SET_VECTOR_ELT(more, 0, VECTOR_ELT(all, 0));
    SET_VECTOR_ELT(more, 1, Rf_ScalarReal((double)cobloc_int(consensus, "kept")));
    SET_VECTOR_ELT(more, 2, selection ? read_values(selection, "") : R_NilValue);
    UNPROTECT(2);
    return more;
}

SEXP r_ensemble(SEXP table, SEXP values, SEXP progress)
{
    call c;
    SEXP out = R_NilValue;
    cobloc_matrix *matrix = NULL;
    cobloc_ensemble_options *options = NULL;
    cobloc_fit_options *fit = NULL;
    cobloc_consensus *consensus = NULL;
    call_begin(&c);
    TRY(matrix_from_r(&c, table, &matrix));
    MAKE(ensemble_options, options);
    MAKE(fit_options, fit);
    TRY(set_options(options, values, &c.err));
    call_watch(&c, options, progress);
    TRY(cobloc_ensemble(matrix, options, &consensus, &c.err));
    call_hold(&c, consensus, release_consensus);
    const cobloc_result *result = cobloc_object(consensus, "result");
    TRY(repeat(result, fit, &c.err));
    TRY(answer_fit(&c, result, matrix, fit, &out));
    PROTECT(out);
    SET_VECTOR_ELT(out, MORE, consensus_to_r(consensus));
    UNPROTECT(1);
done:
    return call_return(&c, out);
}

/* ---- what was fitted before
 * ------------------------------------------------------------------------ */

SEXP r_predict(SEXP bytes, SEXP table, SEXP values)
{
    call c;
    SEXP out = R_NilValue;
    cobloc_matrix *matrix = NULL;
    cobloc_saved *saved = NULL;
    cobloc_predict_options *options = NULL;
    cobloc_prediction *prediction = NULL;
    call_begin(&c);
    TRY(matrix_from_r(&c, table, &matrix));
    TRY(unpack(&c, bytes, &saved));
    MAKE(predict_options, options);
    TRY(set_options(options, values, &c.err));
    TRY(cobloc_predict(saved, matrix, options, &prediction, &c.err));
    call_hold(&c, prediction, release_prediction);
    out = read_values(prediction, "");
done:
    return call_return(&c, out);
}

SEXP r_save(SEXP bytes, SEXP table, SEXP folder)
{
    call c;
    SEXP out = R_NilValue;
    cobloc_matrix *matrix = NULL;
    cobloc_saved *saved = NULL;
    call_begin(&c);
    TRY(matrix_from_r(&c, table, &matrix));
    TRY(unpack(&c, bytes, &saved));
    TRY(cobloc_result_write(cobloc_object(saved, "result"), matrix, cobloc_object(saved, "options"),
                            Rf_translateCharUTF8(STRING_ELT(folder, 0)), &c.err));
done:
    return call_return(&c, out);
}

/* A folder that was written before; the table is read from where it was then, or from `path`. */
SEXP r_load(SEXP folder, SEXP path)
{
    static const char *const fields[] = {"fit", "table"};
    call c;
    SEXP out = R_NilValue, fit = R_NilValue;
    cobloc_matrix *matrix = NULL;
    cobloc_saved *saved = NULL;
    const char *from = path == R_NilValue ? NULL : Rf_translateCharUTF8(STRING_ELT(path, 0));
    call_begin(&c);
    TRY(cobloc_saved_read(Rf_translateCharUTF8(STRING_ELT(folder, 0)), &saved, &c.err));
    call_hold(&c, saved, release_saved);
    TRY(cobloc_saved_matrix(saved, from, NULL, &matrix, &c.err));
    call_hold(&c, matrix, release_matrix);
    TRY(answer_fit(&c, cobloc_object(saved, "result"), matrix, cobloc_object(saved, "options"),
                   &fit));
    PROTECT(fit);
    out = PROTECT(answer_new(2, fields));
    SET_VECTOR_ELT(out, 0, fit);
    SET_VECTOR_ELT(out, 1, matrix_to_r(matrix));
    UNPROTECT(2);
done:
    return call_return(&c, out);
}
