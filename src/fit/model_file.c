/* model.json: all that is needed to repeat a fit and to place new rows by it.
 * SPDX-License-Identifier: MIT
 */
#include "fit/saved.h"

#include "base/alloc.h"
#include "fit/centres.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* JSON has no infinity and no NaN. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *numbers(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, number(values[i]));
    return array;
}

static json_t *integers(const int64_t *values, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_integer(values[i]));
    return array;
}

/* k rows of l numbers. */
static json_t *table(const double *values, int k, int l)
{
    json_t *rows = json_array();
    for (int i = 0; i < k; i++)
        json_array_append_new(rows, numbers(values + (int64_t)i * l, (size_t)l));
    return rows;
}

/* The hierarchy: [a, b, criterion] for each step. */
static json_t *merges(const cobloc_result *r)
{
    json_t *steps = json_array();
    for (int s = 0; r->merges && s < r->k - 1; s++)
        json_array_append_new(steps, json_pack("[i, i, o]", r->merges[2 * s], r->merges[2 * s + 1],
                                               number(r->merge_criteria[s])));
    return steps;
}

static json_t *options_object(const cobloc_result *r, const cobloc_fit_options *asked)
{
    cob_algorithm algorithm;
    cobloc_fit_options own = *asked, *o = &own;
    if (cob_algorithm_named(r->model, &algorithm))
        own = cob_algorithm_options(&algorithm, asked);
    return json_pack("{s:s, s:i, s:i, s:s, s:s, s:s, s:i, s:i, s:o, s:I, s:b, s:b, s:b, s:b, s:o}",
                     "model", o->model, "k", o->k, "l", o->l, "inference",
                     cobloc_inference_name(o->inference), "weight", cobloc_weight_name(r->weight),
                     "init", cobloc_start_name(o->start), "restarts", o->restarts, "max_iter",
                     o->max_iterations, "tol", number(o->tolerance), "seed", (json_int_t)o->seed,
                     "fix_rows", o->fix_rows != NULL, "fix_cols", o->fix_cols != NULL,
                     "row_effects", o->row_effects != NULL, "col_effects", o->col_effects != NULL,
                     "max_seconds", number(o->max_seconds));
}

/* ---- beside the result: what it was made of ---------------------------------------------------
 */

/* A name that is not UTF-8 cannot be a JSON text: it becomes a list of its bytes. */
static json_t *name_value(const char *name)
{
    json_t *text = json_string(name), *bytes = NULL;
    if (text)
        return text;
    bytes = json_array();
    for (; *name; name++)
        json_array_append_new(bytes, json_integer((unsigned char)*name));
    return bytes;
}

static json_t *names(const cob_names *list)
{
    json_t *array = list->count > 0 ? json_array() : json_null();
    for (int64_t i = 0; i < list->count; i++)
        json_array_append_new(array, name_value(cob_names_get(list, i)));
    return array;
}

static json_t *labels(const int32_t *values, int64_t count)
{
    json_t *array = values ? json_array() : json_null();
    for (int64_t i = 0; values && i < count; i++)
        json_array_append_new(array, json_integer(values[i]));
    return array;
}

static json_t *effects(const double *values, int64_t count)
{
    return values ? numbers(values, (size_t)count) : json_null();
}

/* What is known of the columns: their names are the vocabulary, their frequencies the weights. */
static json_t *columns_object(const cobloc_result *r, const cobloc_matrix *matrix)
{
    json_t *frequencies = json_array(), *probabilities = json_null();
    for (int64_t j = 0; j < r->d; j++)
        json_array_append_new(
            frequencies, json_integer(matrix->by_col.offsets[j + 1] - matrix->by_col.offsets[j]));
    if (r->col_probabilities) {
        probabilities = json_array();
        for (int64_t j = 0; j < r->d; j++)
            json_array_append_new(probabilities,
                                  numbers(r->col_probabilities + j * r->l, (size_t)r->l));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "names", names(&matrix->col_names), "clusters",
                     labels(r->col_labels, r->d), "frequencies", frequencies, "sums",
                     numbers(matrix->col_sums, (size_t)r->d), "probabilities", probabilities);
}

/* What the user gave for each row or column. */
static json_t *given_object(const cobloc_result *r, const cobloc_fit_options *o)
{
    bool starts = o->start == COBLOC_START_LABELS;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "start_rows", labels(starts ? o->start_rows : NULL, r->n),
        "start_cols", labels(starts ? o->start_cols : NULL, r->d), "fix_rows",
        labels(o->fix_rows, r->n), "fix_cols", labels(o->fix_cols, r->d), "row_effects",
        effects(o->row_effects, r->n), "col_effects", effects(o->col_effects, r->d));
}

static json_t *text_or_null(const char *text)
{
    return text ? name_value(text) : json_null();
}

static json_t *input_object(const cobloc_matrix *matrix)
{
    const char *format = NULL;
    for (int f = 0; matrix->format && f < cobloc_format_count(); f++)
        if (strcmp(cobloc_format_title(f), matrix->format) == 0)
            format = cobloc_format_name(f);
    return json_pack("{s:o, s:o, s:o, s:s, s:s, s:o, s:b}", "path", text_or_null(matrix->source),
                     "format", text_or_null(format), "variable", text_or_null(matrix->variable),
                     "missing", cobloc_missing_name(matrix->read_missing), "values",
                     cobloc_values_name(matrix->read_values), "total", number(matrix->total),
                     "row_names", matrix->row_names.count > 0);
}

static json_t *texts(char *const *list, int count)
{
    json_t *array = list ? json_array() : json_null();
    for (int i = 0; list && i < count; i++)
        json_array_append_new(array, name_value(list[i]));
    return array;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* A line for each cluster: [column, sum, column, sum, ...], without the zeros. */
static json_t *centres_list(const cobloc_result *r, const double *sums)
{
    json_t *lines = sums ? json_array() : json_null();
    for (int k = 0; sums && k < r->k; k++) {
        json_t *line = json_array();
        for (int64_t j = 0; j < r->d; j++)
            if (sums[j * r->k + k] > 0) {
                json_array_append_new(line, json_integer(j));
                json_array_append_new(line, number(sums[j * r->k + k]));
            }
        json_array_append_new(lines, line);
    }
    return lines;
}

static json_t *model_object(const cobloc_result *r, const cobloc_matrix *matrix,
                            const cobloc_fit_options *o, const double *centres)
{
    json_t *model =
        json_pack("{s:s, s:s, s:o, s:I, s:I, s:I, s:s, s:o, s:i, s:s, s:i, s:i, s:i}", "cobloc",
                  cobloc_version(), "model", r->model, "options", options_object(r, o), "n",
                  (json_int_t)r->n, "d", (json_int_t)r->d, "nnz", (json_int_t)r->nnz,
                  "criterion_name", r->criterion_name, "criterion", number(r->criterion),
                  "iterations", r->iterations, "stop", cobloc_stop_name(r->stop), "repaired",
                  r->repaired, "at_bound", r->at_bound, "best_restart", r->best_restart);
    if (!model)
        return NULL;
    json_object_set_new(model, "restart_criteria",
                        numbers(r->restart_criteria, (size_t)r->restarts));
    json_object_set_new(model, "trace", numbers(r->trace, (size_t)r->trace_count));
    json_object_set_new(model, "r_hat", number(r->r_hat));
    json_object_set_new(model, "icl", number(r->icl));
    json_object_set_new(model, "modularity", number(r->modularity));
    json_object_set_new(model, "explained_information", number(r->explained_information));
    json_object_set_new(model, "merges", merges(r));
    json_object_set_new(model, "row_sizes", integers(r->row_sizes, r->k));
    json_object_set_new(model, "col_sizes", integers(r->col_sizes, r->l));
    json_object_set_new(model, "row_proportions", numbers(r->row_proportions, (size_t)r->k));
    json_object_set_new(model, "col_proportions", numbers(r->col_proportions, (size_t)r->l));
    json_object_set_new(model, "blocks", table(r->blocks, r->k, r->l));
    json_object_set_new(model, "parameters", table(r->parameters, r->parameter_count * r->k, r->l));
    json_object_set_new(model, "parameter_names", texts(r->parameter_names, r->parameter_count));
    json_object_set_new(model, "row_rule",
                        r->row_rule ? table(r->row_rule, r->k, r->rule_width) : json_null());
    json_object_set_new(model, "effect_scale", number(r->effect_scale));
    json_object_set_new(model, "sections", texts(r->col_names, r->l));
    json_object_set_new(model, "empty_rows", json_integer(r->empty_rows));
    json_object_set_new(model, "empty_cols", json_integer(r->empty_cols));
    json_object_set_new(model, "row_probabilities", json_boolean(r->row_probabilities != NULL));
    json_object_set_new(model, "input", input_object(matrix));
    json_object_set_new(model, "text",
                        matrix->text ? json_loads(matrix->text, 0, NULL) : json_null());
    json_object_set_new(model, "categories", names(&matrix->categories));
    json_object_set_new(model, "given", given_object(r, o));
    json_object_set_new(model, "columns", columns_object(r, matrix));
    json_object_set_new(model, "centres", centres_list(r, centres));
    return model;
}

cobloc_status cob_model_file_write(const char *path, const cobloc_result *r,
                                   const cobloc_matrix *matrix, const cobloc_fit_options *o,
                                   cob_file **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    double *centres = NULL;
    json_t *model = NULL;
    char *text = NULL;
    COB_TRY(cob_centres_of(r, matrix, &centres, err));
    model = model_object(r, matrix, o, centres);
    text = model ? json_dumps(model, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    COB_CHECK(text, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_text(file, text);
    cob_file_char(file, '\n');
    *out = file;
    file = NULL;
done:
    json_decref(model);
    cob_free(centres);
    free(text);
    cob_file_close(file);
    return status;
}
