/* Calls about a result: descriptions, reports, scores, methods side by side.
 *
 * SPDX-License-Identifier: MIT
 */
#include "calls.h"

SEXP r_describe(SEXP bytes, SEXP table, SEXP values)
{
    call c;
    SEXP out = R_NilValue;
    cobloc_matrix *matrix = NULL;
    cobloc_saved *saved = NULL;
    cobloc_describe_options *options = NULL;
    cobloc_description *description = NULL;
    call_begin(&c);
    TRY(matrix_from_r(&c, table, &matrix));
    TRY(unpack(&c, bytes, &saved));
    MAKE(describe_options, options);
    TRY(set_options(options, values, &c.err));
    TRY(cobloc_describe(cobloc_object(saved, "result"), matrix, options, &description, &c.err));
    call_hold(&c, description, release_description);
    out = read_values(description, "");
done:
    return call_return(&c, out);
}

SEXP r_report(SEXP bytes, SEXP table, SEXP values, SEXP path)
{
    call c;
    SEXP out = R_NilValue;
    cobloc_matrix *matrix = NULL;
    cobloc_saved *saved = NULL;
    cobloc_report *report = NULL;
    call_begin(&c);
    TRY(matrix_from_r(&c, table, &matrix));
    TRY(unpack(&c, bytes, &saved));
    MAKE(report, report);
    TRY(set_options(report, values, &c.err));
    TRY(cobloc_set_object(report, "matrix", matrix, &c.err));
    TRY(cobloc_set_object(report, "result", cobloc_object(saved, "result"), &c.err));
    TRY(cobloc_report_write(report, Rf_translateCharUTF8(STRING_ELT(path, 0)), &c.err));
done:
    return call_return(&c, out);
}

/* `methods` are texts such as "splbm:soft@tfidf"; all share the options of a fit. */
SEXP r_compare(SEXP table, SEXP truth, SEXP methods, SEXP fit_values, SEXP values, SEXP progress)
{
    call c;
    SEXP out = R_NilValue;
    cobloc_matrix *matrix = NULL;
    cobloc_compare_options *options = NULL;
    cobloc_fit_options *fit = NULL;
    cobloc_comparison *comparison = NULL;
    call_begin(&c);
    TRY(matrix_from_r(&c, table, &matrix));
    MAKE(fit_options, fit);
    MAKE(compare_options, options);
    TRY(set_options(fit, fit_values, &c.err));
    TRY(set_options(options, values, &c.err));
    for (R_xlen_t m = 0; m < XLENGTH(methods); m++)
        TRY(cobloc_compare_add(options, Rf_translateCharUTF8(STRING_ELT(methods, m)), fit, &c.err));
    call_watch(&c, options, progress);
    TRY(cobloc_compare(matrix, INTEGER(truth), options, &comparison, &c.err));
    call_hold(&c, comparison, release_comparison);
    out = read_values(comparison, "");
done:
    return call_return(&c, out);
}

SEXP r_score(SEXP labels, SEXP truth)
{
    static const char *const fields[] = {"scores", "confusion"};
    call c;
    SEXP out = R_NilValue;
    cobloc_scores *scores = NULL;
    cobloc_confusion *confusion = NULL;
    call_begin(&c);
    TRY(cobloc_score(INTEGER(labels), INTEGER(truth), XLENGTH(labels), &scores, &c.err));
    call_hold(&c, scores, release_scores);
    TRY(cobloc_confusion_of(INTEGER(labels), INTEGER(truth), XLENGTH(labels), &confusion, &c.err));
    call_hold(&c, confusion, release_confusion);
    out = PROTECT(answer_new(2, fields));
    SET_VECTOR_ELT(out, 0, read_values(scores, ""));
    SET_VECTOR_ELT(out, 1, read_values(confusion, ""));
    UNPROTECT(1);
done:
    return call_return(&c, out);
}

SEXP r_coscore(SEXP row_labels, SEXP row_truth, SEXP col_labels, SEXP col_truth)
{
    call c;
    SEXP out = R_NilValue;
    cobloc_coscores *scores = NULL;
    call_begin(&c);
    TRY(cobloc_coscore(INTEGER(row_labels), INTEGER(row_truth), XLENGTH(row_labels),
                       INTEGER(col_labels), INTEGER(col_truth), XLENGTH(col_labels), &scores,
                       &c.err));
    call_hold(&c, scores, release_coscores);
    out = read_values(scores, "");
done:
    return call_return(&c, out);
}
