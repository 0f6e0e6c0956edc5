/* model.json: all that is needed to repeat a fit and to place new rows by it.
 * SPDX-License-Identifier: MIT
 */
#include "fit/saved_model.h"

#include "base/json.h"
#include "base/record.h"

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

/* What the user gave for each row or column. */
static json_t *given_object(const cobloc_fit_options *o)
{
    return cob_record_json(o, &cob_fit_options_type, COB_SAVED_LABELS " row_effects col_effects");
}

/* ---- beside the result: what it was made of -------------------------------------------------- */

json_t *cob_names_json(const cob_names *list)
{
    json_t *array = list->count > 0 ? json_array() : json_null();
    for (int64_t i = 0; i < list->count; i++)
        json_array_append_new(array, cob_json_from_text(cob_names_get(list, i)));
    return array;
}

/* What is known of the columns: their names are the vocabulary, their frequencies the weights. */
static json_t *columns_object(const cobloc_saved *s)
{
    json_t *object = cob_record_json(s->result, &cob_result_type,
                                     "clusters=col_labels probabilities=col_probabilities");
    json_t *sums = cob_record_json(s, &cob_saved_type, "frequencies=col_frequencies sums=col_sums");
    json_object_update(object, sums);
    json_decref(sums);
    json_object_set_new(object, "names", cob_names_json(&s->col_names));
    return object;
}

static json_t *input_object(const cobloc_saved *s)
{
    json_t *object = cob_record_json(s, &cob_saved_type, COB_SAVED_INPUT);
    json_object_set_new(object, "row_names", json_boolean(s->row_names.count > 0));
    return object;
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

json_t *cob_model_json(const cobloc_saved *s)
{
    const cobloc_result *r = s->result;
    json_t *model = cob_record_json(r, &cob_result_type,
                                    COB_SAVED_NUMBERS " " COB_SAVED_MORE " " COB_SAVED_TABLES
                                                      " n d nnz empty_rows empty_cols model "
                                                      "criterion_name best_restart row_rule "
                                                      "row_sizes col_sizes "
                                                      "parameter_names sections=col_names");
    if (!model)
        return NULL;
    json_object_set_new(model, "cobloc", json_string(cobloc_version()));
    json_object_set_new(
        model, "options",
        cob_record_json(&s->options, &cob_fit_options_type, COB_SAVED_OPTIONS " model seed"));
    json_object_set_new(model, "merges", merges(r));
    json_object_set_new(model, "row_probabilities", json_boolean(r->row_probabilities != NULL));
    json_object_set_new(model, "input", input_object(s));
    json_object_set_new(model, "text",
                        s->text ? cob_json_parse(s->text, strlen(s->text), 0, NULL) : json_null());
    json_object_set_new(model, "categories", cob_names_json(&s->categories));
    json_object_set_new(model, "given", given_object(&s->options));
    json_object_set_new(model, "columns", columns_object(s));
    json_object_set_new(model, "centres", centres_list(r, s->centres));
    return model;
}

cobloc_status cob_model_file_write(const char *path, const cobloc_result *r,
                                   const cobloc_matrix *matrix, const cobloc_fit_options *o,
                                   const cob_digests *digests, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    json_t *model = NULL;
    char *text = NULL;
    cobloc_saved noted;
    COB_TRY(cob_saved_note(r, matrix, o, &noted, err));
    model = cob_model_json(&noted);
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
    cob_saved_forget(&noted);
    free(text);
    cob_file_close(file);
    return status;
}
