/* model.json: all that is needed to repeat a fit and to place new rows by it.
 * SPDX-License-Identifier: MIT
 */
#include "fit/saved_model.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/record.h"
#include "fit/centres.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The hierarchy: [a, b, criterion] for each step. */
static json_t *merges(const cobloc_result *r)
{
    json_t *steps = json_array();
    for (int s = 0; r->merges && s < r->k - 1; s++) {
        double criterion = r->merge_criteria[s];
        json_array_append_new(steps,
                              json_pack("[i, i, o]", r->merges[2 * s], r->merges[2 * s + 1],
                                        isfinite(criterion) ? json_real(criterion) : json_null()));
    }
    return steps;
}

/* With all that the model chose by itself. */
static json_t *options_object(const cobloc_result *r, const cobloc_fit_options *asked)
{
    cob_algorithm algorithm;
    cobloc_fit_options o = *asked;
    if (cob_algorithm_named(r->model, &algorithm))
        o = cob_algorithm_options(&algorithm, asked);
    o.weight = r->weight;
    return cob_record_json(&o, &cob_fit_options_type, COB_SAVED_OPTIONS " model seed");
}

/* What the user gave for each row or column. */
static json_t *given_object(const cobloc_result *r, const cobloc_fit_options *asked)
{
    cobloc_fit_options o = *asked;
    o.start_row_count = o.fix_row_count = o.row_effect_count = r->n;
    o.start_col_count = o.fix_col_count = o.col_effect_count = r->d;
    if (o.start != COBLOC_START_LABELS)
        o.start_rows = o.start_cols = NULL;
    return cob_record_json(&o, &cob_fit_options_type, COB_SAVED_LABELS " row_effects col_effects");
}

/* ---- beside the result: what it was made of ---------------------------------------------------
 */

static json_t *names(const cob_names *list)
{
    json_t *array = list->count > 0 ? json_array() : json_null();
    for (int64_t i = 0; i < list->count; i++)
        json_array_append_new(array, cob_json_from_text(cob_names_get(list, i)));
    return array;
}

/* What is known of the columns: their names are the vocabulary, their frequencies the weights. */
static json_t *columns_object(const cobloc_result *r, const cobloc_saved *s,
                              const cobloc_matrix *matrix)
{
    json_t *object =
        cob_record_json(r, &cob_result_type, "clusters=col_labels probabilities=col_probabilities");
    json_t *sums = cob_record_json(s, &cob_saved_type, "frequencies=col_frequencies sums=col_sums");
    json_object_update(object, sums);
    json_decref(sums);
    json_object_set_new(object, "names", names(&matrix->col_names));
    return object;
}

static json_t *input_object(const cobloc_saved *s, const cobloc_matrix *matrix)
{
    json_t *object = cob_record_json(s, &cob_saved_type, COB_SAVED_INPUT);
    json_object_set_new(object, "row_names", json_boolean(matrix->row_names.count > 0));
    return object;
}

/* What a saved result will know of the matrix; all is borrowed but the frequencies. */
static cobloc_status note_matrix(const cobloc_matrix *matrix, cobloc_saved *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const int64_t *offsets = matrix->by_col.offsets;
    s->input = matrix->source;
    s->variable = matrix->variable;
    s->missing = matrix->read_missing;
    s->values = matrix->read_values;
    s->total = matrix->total;
    s->cols = matrix->cols;
    s->col_sums = matrix->col_sums;
    s->format = NULL;
    for (int f = 0; matrix->format && f < cobloc_format_count(); f++)
        if (strcmp(cobloc_format_title(f), matrix->format) == 0)
            s->format = (char *)(uintptr_t)cobloc_format_name(f);
    COB_NEW(s->col_frequencies, matrix->cols);
    for (int64_t j = 0; j < matrix->cols; j++)
        s->col_frequencies[j] = offsets[j + 1] - offsets[j];
done:
    return status;
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
                json_array_append_new(line, json_real(sums[j * r->k + k]));
            }
        json_array_append_new(lines, line);
    }
    return lines;
}

static json_t *model_object(const cobloc_result *r, const cobloc_matrix *matrix,
                            const cobloc_fit_options *o, const cobloc_saved *s,
                            const double *centres)
{
    json_t *model = cob_record_json(r, &cob_result_type,
                                    COB_SAVED_NUMBERS " " COB_SAVED_TABLES
                                                      " n d nnz empty_rows empty_cols model "
                                                      "criterion_name best_restart row_rule "
                                                      "row_sizes col_sizes "
                                                      "parameter_names sections=col_names");
    if (!model)
        return NULL;
    json_object_set_new(model, "cobloc", json_string(cobloc_version()));
    json_object_set_new(model, "options", options_object(r, o));
    json_object_set_new(model, "merges", merges(r));
    json_object_set_new(model, "row_probabilities", json_boolean(r->row_probabilities != NULL));
    json_object_set_new(model, "input", input_object(s, matrix));
    json_object_set_new(model, "text",
                        matrix->text ? cob_json_parse(matrix->text, strlen(matrix->text), 0, NULL)
                                     : json_null());
    json_object_set_new(model, "categories", names(&matrix->categories));
    json_object_set_new(model, "given", given_object(r, o));
    json_object_set_new(model, "columns", columns_object(r, s, matrix));
    json_object_set_new(model, "centres", centres_list(r, centres));
    return model;
}

cobloc_status cob_model_file_write(const char *path, const cobloc_result *r,
                                   const cobloc_matrix *matrix, const cobloc_fit_options *o,
                                   const cob_digests *digests, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    double *centres = NULL;
    json_t *model = NULL;
    char *text = NULL;
    cobloc_saved saved;
    cob_init(&saved, &cob_saved_type);
    COB_TRY(note_matrix(matrix, &saved, err));
    COB_TRY(cob_centres_of(r, matrix, &centres, err));
    model = model_object(r, matrix, o, &saved, centres);
    json_object_set_new(model, "digests",
                        json_pack("{s:I, s:I}", "rows", (json_int_t)digests->rows, "probabilities",
                                  (json_int_t)digests->probabilities));
    text = cob_json_print(model, JSON_INDENT(1));
    COB_CHECK(text, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_text(file, text);
    cob_file_char(file, '\n');
    COB_TRY(cob_file_commit(file, err));
done:
    json_decref(model);
    cob_free(centres);
    cob_free(saved.col_frequencies);
    free(text);
    cob_file_close(file);
    return status;
}
