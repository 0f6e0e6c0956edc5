/* Calls that make tables, and those that list what there is.
 *
 * SPDX-License-Identifier: MIT
 */
#include "calls.h"

#include <string.h>

/* ---- tables
 * ---------------------------------------------------------------------------------------- */

SEXP r_read(SEXP path, SEXP io_values, SEXP text_values, SEXP progress)
{
    static const char *const fields[] = {"table", "text"};
    call c;
    SEXP out = R_NilValue;
    cobloc_matrix *matrix = NULL;
    cobloc_io_options *io = NULL;
    cobloc_text_options *text = NULL;
    cobloc_text_info *info = NULL;
    call_begin(&c);
    MAKE(io_options, io);
    MAKE(text_options, text);
    TRY(set_options(io, io_values, &c.err));
    TRY(set_options(text, text_values, &c.err));
    call_watch(&c, io, progress);
    call_watch(&c, text, progress);
    TRY(cobloc_read(Rf_translateCharUTF8(STRING_ELT(path, 0)), io, text, &matrix, &info, &c.err));
    call_hold(&c, info, release_text_info);
    call_hold(&c, matrix, release_matrix);
    TRY(cobloc_matrix_verify(matrix, &c.err));
    out = PROTECT(answer_new(2, fields));
    SET_VECTOR_ELT(out, 0, matrix_to_r(matrix));
    SET_VECTOR_ELT(out, 1, info ? read_values(info, "") : R_NilValue);
    UNPROTECT(1);
done:
    return call_return(&c, out);
}

SEXP r_simulate(SEXP preset, SEXP values, SEXP progress)
{
    static const char *const fields[] = {"table", "truth"};
    call c;
    SEXP out = R_NilValue;
    cobloc_matrix *matrix = NULL;
    cobloc_simulation *simulation = NULL;
    cobloc_truth *truth = NULL;
    call_begin(&c);
    if (preset == R_NilValue)
        TRY(cobloc_simulation_new(&simulation, &c.err));
    else
        TRY(cobloc_simulation_preset(Rf_translateCharUTF8(STRING_ELT(preset, 0)), &simulation,
                                     &c.err));
    call_hold(&c, simulation, release_simulation);
    TRY(set_options(simulation, values, &c.err));
    call_watch(&c, simulation, progress);
    TRY(cobloc_simulate(simulation, &matrix, &truth, &c.err));
    call_hold(&c, matrix, release_matrix);
    call_hold(&c, truth, release_truth);
    out = PROTECT(answer_new(2, fields));
    SET_VECTOR_ELT(out, 0, matrix_to_r(matrix));
    SET_VECTOR_ELT(out, 1, read_values(truth, ""));
    UNPROTECT(1);
done:
    return call_return(&c, out);
}

/* ---- lists
 * ----------------------------------------------------------------------------------------- */

SEXP r_models(void)
{
    static const char *const fields[] = {"model",     "title",         "criterion", "minimised",
                                         "diagonal",  "rows_only",     "soft",      "predicts",
                                         "inference", "default_weight"};
    enum {
        NAME,
        TITLE,
        CRITERION,
        MINIMISED,
        DIAGONAL,
        ROWS_ONLY,
        SOFT,
        PREDICTS,
        INFERENCE,
        WEIGHT
    };
    int count = cobloc_model_count();
    SEXP out = PROTECT(answer_new(10, fields));
    for (int f = 0; f < 10; f++)
        SET_VECTOR_ELT(out, f,
                       Rf_allocVector(f >= MINIMISED && f <= PREDICTS ? LGLSXP : STRSXP, count));
    for (int m = 0; m < count; m++) {
        SET_STRING_ELT(VECTOR_ELT(out, NAME), m, Rf_mkChar(cobloc_model_name(m)));
        SET_STRING_ELT(VECTOR_ELT(out, TITLE), m, Rf_mkChar(cobloc_model_title(m)));
        SET_STRING_ELT(VECTOR_ELT(out, CRITERION), m, Rf_mkChar(cobloc_model_criterion(m)));
        LOGICAL(VECTOR_ELT(out, MINIMISED))[m] = cobloc_model_is_minimised(m) != 0;
        LOGICAL(VECTOR_ELT(out, DIAGONAL))[m] = cobloc_model_is_diagonal(m) != 0;
        LOGICAL(VECTOR_ELT(out, ROWS_ONLY))[m] = cobloc_model_is_one_sided(m) != 0;
        LOGICAL(VECTOR_ELT(out, SOFT))[m] = cobloc_model_takes_inference(m, COBLOC_SOFT) != 0;
        LOGICAL(VECTOR_ELT(out, PREDICTS))[m] = cobloc_model_predicts(m) != 0;
        SET_STRING_ELT(VECTOR_ELT(out, INFERENCE), m,
                       Rf_mkChar(cobloc_inference_name(cobloc_model_inference(m))));
        SET_STRING_ELT(VECTOR_ELT(out, WEIGHT), m,
                       Rf_mkChar(cobloc_weight_name(cobloc_model_weight(m))));
    }
    UNPROTECT(1);
    return out;
}

SEXP r_presets(void)
{
    static const char *const fields[] = {"preset", "title"};
    SEXP out = PROTECT(answer_new(2, fields));
    for (int f = 0; f < 2; f++)
        SET_VECTOR_ELT(out, f, Rf_allocVector(STRSXP, cobloc_preset_count()));
    for (int p = 0; p < cobloc_preset_count(); p++) {
        SET_STRING_ELT(VECTOR_ELT(out, 0), p, Rf_mkChar(cobloc_preset_name(p)));
        SET_STRING_ELT(VECTOR_ELT(out, 1), p, Rf_mkChar(cobloc_preset_title(p)));
    }
    UNPROTECT(1);
    return out;
}

/* The name, the default and the meaning of each option of an object. */
static SEXP list_options(const void *options)
{
    static const char *const fields[] = {"option", "default", "meaning"};
    int count = cobloc_field_count(options, "");
    SEXP out = PROTECT(answer_new(3, fields));
    SET_VECTOR_ELT(out, 0, Rf_allocVector(STRSXP, count));
    SET_VECTOR_ELT(out, 1, read_values(options, ""));
    SET_VECTOR_ELT(out, 2, Rf_allocVector(STRSXP, count));
    for (int f = 0; f < count; f++) {
        const char *name = cobloc_field_name(options, "", f);
        SET_STRING_ELT(VECTOR_ELT(out, 0), f, Rf_mkChar(name));
        SET_STRING_ELT(VECTOR_ELT(out, 2), f, Rf_mkChar(cobloc_field_help(options, name)));
    }
    UNPROTECT(1);
    return out;
}

SEXP r_options(SEXP of)
{
    call c;
    SEXP out = R_NilValue;
    cobloc_fit_options *fit = NULL;
    cobloc_select_options *select = NULL;
    cobloc_ensemble_options *ensemble = NULL;
    cobloc_text_options *text = NULL;
    cobloc_simulation *simulation = NULL;
    cobloc_describe_options *describe = NULL;
    cobloc_compare_options *compare = NULL;
    cobloc_io_options *io = NULL;
    call_begin(&c);
    MAKE(fit_options, fit);
    MAKE(select_options, select);
    MAKE(ensemble_options, ensemble);
    MAKE(text_options, text);
    MAKE(simulation, simulation);
    MAKE(describe_options, describe);
    MAKE(compare_options, compare);
    MAKE(io_options, io);
    const struct {
        const char *name;
        const void *options;
    } all[] = {{"fit", fit},
               {"select", select},
               {"ensemble", ensemble},
               {"text", text},
               {"simulation", simulation},
               {"describe", describe},
               {"compare", compare},
               {"io", io}};
    for (size_t a = 0; a < sizeof all / sizeof *all; a++)
        if (strcmp(CHAR(STRING_ELT(of, 0)), all[a].name) == 0)
            out = list_options(all[a].options);
done:
    return call_return(&c, out);
}

SEXP r_version(void)
{
    return text_to_r(cobloc_version());
}
