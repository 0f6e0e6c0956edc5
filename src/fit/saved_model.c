/* Reading model.json: nothing of it is believed before it is checked.
 * SPDX-License-Identifier: MIT
 */
#include "fit/saved_model.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/record.h"

#include <math.h>
#include <stdlib.h>

static const cob_record_rule by_table = {0};

/* ---- parts ----------------------------------------------------------------------------------- */

static cobloc_status read_options(json_t *root, cobloc_fit_options *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *object = json_object_get(root, "options");
    const cob_record_rule any = {.limited = true, .least = INT64_MIN, .most = INT64_MAX};
    cob_fit_options_default(o);
    COB_TRY(cob_record_read(object, &cob_fit_options_type, COB_SAVED_OPTIONS, by_table, o, err));
    COB_CHECK(o->k > 0 && o->restarts > 0, COBLOC_BAD_DATA, "'k' or 'restarts' is 0");
    COB_TRY(cob_record_read(object, &cob_fit_options_type, "seed", any, o, err));
done:
    return status;
}

static cobloc_status read_model_name(json_t *root, cobloc_saved *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_algorithm algorithm;
    char *name = NULL;
    COB_CHECK(json_object_get(root, "model"), COBLOC_BAD_DATA, "'model' is missing");
    COB_TRY(cob_json_to_text(json_object_get(root, "model"), &name, err));
    COB_CHECK(name && cob_algorithm_named(name, &algorithm), COBLOC_BAD_DATA,
              "'model' is nothing that cobloc knows");
    s->options.model = s->result->model = algorithm.name;
    s->result->criterion_name = algorithm.criterion;
done:
    cob_free(name);
    return status;
}

static cobloc_status read_result(json_t *root, const char *names, int64_t least, int64_t most,
                                 cobloc_result *r, cobloc_error *err)
{
    return cob_record_read(root, &cob_result_type, names,
                           (cob_record_rule){true, false, true, least, most}, r, err);
}

/* All of the result that is one number. */
static cobloc_status read_numbers(json_t *root, const cobloc_fit_options *o, cobloc_result *r,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    /* A selection counts the starts from its neighbours, too, which no option asked for. */
    size_t restarts = json_array_size(json_object_get(root, "restart_criteria"));
    COB_CHECK(restarts >= 1 && restarts <= INT32_MAX, COBLOC_BAD_DATA,
              "'restart_criteria' does not hold a number for each start");
    r->inference = o->inference;
    r->weight = o->weight;
    r->seed = o->seed;
    r->restarts = (int)restarts;
    COB_TRY(read_result(root, "n d", 1, INT32_MAX, r, err));
    COB_TRY(read_result(root, "nnz", 1, INT64_MAX, r, err));
    COB_TRY(read_result(root, "empty_rows", 0, r->n, r, err));
    COB_TRY(read_result(root, "empty_cols", 0, r->d, r, err));
    COB_TRY(read_result(root, "best_restart", 0, r->restarts - 1, r, err));
    COB_TRY(cob_record_read(root, &cob_result_type, COB_SAVED_NUMBERS, by_table, r, err));
    r->log_likelihood = r->free_parameters = NAN;
    if (json_object_get(root, "log_likelihood"))
        COB_TRY(cob_record_read(root, &cob_result_type, COB_SAVED_MORE, by_table, r, err));
done:
    return status;
}

/* The layers that the rule of a model has, where its blocks have so many parameters; 0: it cannot
 * have these. */
static int count_layers(const cob_model *model, int parameters)
{
    int values = model->entries == COB_CODES     ? parameters - 1
                 : model->entries == COB_MOMENTS ? 2
                                                 : 1;
    return values > 0 && cob_parameter_count(model, values) == parameters
               ? values + model->takes_missing
               : 0;
}

/* How many parameters blocks have, and how wide that makes the rule that rows choose by. */
static cobloc_status read_layers(json_t *root, cobloc_result *r, cobloc_error *err)
{
    enum { MOST = 256 };
    cobloc_status status = COBLOC_OK;
    size_t names = json_array_size(json_object_get(root, "parameter_names"));
    cob_algorithm a;
    COB_CHECK(names <= MOST, COBLOC_BAD_DATA, "'parameter_names' is too long");
    r->parameter_count = names > 0 ? (int)names : 1;
    COB_TRY(cob_record_read(root, &cob_result_type, "parameter_names", by_table, r, err));
    if (!cob_algorithm_named(r->model, &a) || !a.model)
        goto done;
    int layers = count_layers(a.model, r->parameter_count);
    COB_CHECK(layers > 0, COBLOC_BAD_DATA, "'parameter_names' does not fit the model");
    r->rule_width = layers * r->l + 2;
done:
    return status;
}

/* The tables of the clusters, of which there are as many as sizes. */
static cobloc_status read_clusters(json_t *root, cobloc_result *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t k = json_array_size(json_object_get(root, "row_sizes"));
    size_t l = json_array_size(json_object_get(root, "col_sizes"));
    size_t trace = json_array_size(json_object_get(root, "trace"));
    COB_CHECK(k >= 1 && k <= COB_MOST_CLUSTERS && l >= 1 && l <= INT32_MAX / COB_MOST_CLUSTERS - 2,
              COBLOC_BAD_DATA, "'row_sizes' and 'col_sizes' do not hold the sizes of clusters");
    COB_CHECK(trace <= INT32_MAX, COBLOC_BAD_DATA, "'trace' is too long");
    r->k = (int)k;
    r->l = (int)l;
    r->trace_count = (int)trace;
    COB_TRY(read_result(root, "row_sizes", 0, r->n, r, err));
    COB_TRY(read_result(root, "col_sizes", 0, r->d, r, err));
    COB_TRY(read_layers(root, r, err));
    COB_TRY(cob_record_read(root, &cob_result_type, COB_SAVED_TABLES,
                            (cob_record_rule){.needed = true, .holes = true}, r, err));
    COB_TRY(
        cob_record_read(root, &cob_result_type, "row_rule sections=col_names", by_table, r, err));
    if (!r->row_rule)
        r->rule_width = 0;
done:
    return status;
}

/* [a, b, criterion] for each step. */
static cobloc_status read_merges(json_t *root, cobloc_result *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *list = json_object_get(root, "merges");
    if (json_array_size(list) == 0)
        goto done;
    COB_CHECK(json_array_size(list) == (size_t)r->k - 1, COBLOC_BAD_DATA,
              "'merges' does not hold %d steps", r->k - 1);
    COB_NEW(r->merges, 2 * ((size_t)r->k - 1));
    COB_NEW(r->merge_criteria, r->k - 1);
    for (int s = 0; s < r->k - 1; s++) {
        json_t *step = json_array_get(list, (size_t)s), *last = json_array_get(step, 2);
        json_int_t a = json_integer_value(json_array_get(step, 0));
        json_int_t b = json_integer_value(json_array_get(step, 1));
        COB_CHECK(json_array_size(step) == 3 && a >= 0 && a < b && b < r->k, COBLOC_BAD_DATA,
                  "'merges' holds something other than two clusters and a criterion");
        r->merges[2 * s] = (int32_t)a;
        r->merges[2 * s + 1] = (int32_t)b;
        r->merge_criteria[s] = json_is_number(last) ? json_number_value(last) : NAN;
    }
done:
    return status;
}

static cobloc_status read_columns(json_t *root, cobloc_saved *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_result *r = s->result;
    json_t *object = json_object_get(root, "columns");
    const cob_record_rule counts = {.needed = true, .limited = true, .most = r->n};
    s->cols = r->d;
    s->k = r->k;
    COB_CHECK(json_object_get(object, "names"), COBLOC_BAD_DATA, "'names' is missing");
    COB_TRY(cob_json_names(object, "names", r->d, &s->col_names, err));
    COB_TRY(read_result(object, "clusters=col_labels", -1, r->l - 1, r, err));
    COB_TRY(cob_record_read(object, &cob_saved_type, "frequencies=col_frequencies sums=col_sums",
                            counts, s, err));
    COB_TRY(cob_record_read(object, &cob_result_type, "probabilities=col_probabilities", by_table,
                            r, err));
done:
    return status;
}

static cobloc_status read_given(json_t *root, cobloc_saved *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_fit_options *o = &s->options;
    const cobloc_result *r = s->result;
    const cob_record_rule rows = {
        .limited = true, .least = -1, .most = (r->k > o->k ? r->k : o->k) - 1};
    const cob_record_rule cols = {
        .limited = true, .least = -1, .most = (r->l > o->l ? r->l : o->l) - 1};
    json_t *object = json_object_get(root, "given");
    const cob_type *type = &cob_fit_options_type;
    o->start_row_count = o->fix_row_count = o->row_effect_count = r->n;
    o->start_col_count = o->fix_col_count = o->col_effect_count = r->d;
    COB_TRY(cob_record_read(object, type, "start_rows fix_rows row_effects", rows, o, err));
    COB_TRY(cob_record_read(object, type, "start_cols fix_cols col_effects", cols, o, err));
done:
    return status;
}

/* The settings of text stay as they are: JSON. */
static cobloc_status read_text(json_t *root, cobloc_saved *saved, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *object = json_object_get(root, "text");
    char *text = NULL;
    if (!json_is_object(object))
        goto done;
    text = cob_json_print(object, JSON_COMPACT);
    COB_CHECK(text, COBLOC_NO_MEMORY, "out of memory");
    status = cob_copy_text(text, &saved->text, err);
done:
    free(text);
    return status;
}

static cobloc_status read_flag(json_t *object, const char *key, bool *value, cobloc_error *err)
{
    json_t *found = json_object_get(object, key);
    *value = json_is_true(found);
    return json_is_boolean(found)
               ? COBLOC_OK
               : cob_fail(err, COBLOC_BAD_DATA, "'%s' is neither true nor false", key);
}

static cobloc_status read_input(json_t *root, cobloc_saved *saved, cob_saved_flags *flags,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *object = json_object_get(root, "input");
    COB_TRY(cob_record_read(object, &cob_saved_type, COB_SAVED_INPUT, by_table, saved, err));
    COB_TRY(read_flag(object, "row_names", &flags->row_names, err));
    COB_TRY(read_flag(root, "row_probabilities", &flags->row_probabilities, err));
    json_t *digests = json_object_get(root, "digests");
    flags->digests.rows = (uint32_t)json_integer_value(json_object_get(digests, "rows"));
    flags->digests.probabilities =
        (uint32_t)json_integer_value(json_object_get(digests, "probabilities"));
    status = read_text(root, saved, err);
done:
    return status;
}

/* Lines of [column, sum, ...], into columns by clusters. */
static cobloc_status read_centres(json_t *root, cobloc_saved *saved, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t k = saved->result->k, d = saved->result->d;
    json_t *lines = json_object_get(root, "centres");
    if (json_is_null(lines))
        goto done;
    COB_CHECK(json_array_size(lines) == (size_t)k, COBLOC_BAD_DATA,
              "'centres' does not hold a line for each cluster");
    COB_NEW_ZERO(saved->centres, (size_t)d * (size_t)k);
    for (int64_t c = 0; c < k; c++) {
        json_t *line = json_array_get(lines, (size_t)c);
        for (size_t at = 0; at + 1 < json_array_size(line); at += 2) {
            json_t *col = json_array_get(line, at), *sum = json_array_get(line, at + 1);
            int64_t j = json_integer_value(col);
            COB_CHECK(json_is_integer(col) && j >= 0 && j < d && json_is_number(sum),
                      COBLOC_BAD_DATA, "'centres' holds something other than columns and sums");
            saved->centres[j * k + c] = json_number_value(sum);
        }
    }
done:
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

cobloc_status cob_saved_model_take(json_t *root, cobloc_saved *s, cob_saved_flags *flags,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_MAKE(s->result, cob_result_type);
    cobloc_result *r = s->result;
    COB_CHECK(json_is_object(root) && json_object_get(root, "columns"), COBLOC_BAD_DATA,
              "was not written by this version of cobloc");
    COB_TRY(read_options(root, &s->options, err));
    COB_TRY(read_model_name(root, s, err));
    COB_TRY(read_numbers(root, &s->options, r, err));
    COB_TRY(read_clusters(root, r, err));
    COB_TRY(read_merges(root, r, err));
    COB_TRY(read_columns(root, s, err));
    if (json_is_array(json_object_get(root, "categories")))
        COB_TRY(cob_json_names(root, "categories", r->parameter_count, &s->categories, err));
    COB_TRY(read_given(root, s, err));
    COB_TRY(read_input(root, s, flags, err));
    COB_TRY(read_centres(root, s, err));
done:
    return status;
}

cobloc_status cob_saved_model_read(const char *path, cobloc_saved *s, cob_saved_flags *flags,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *root = NULL;
    COB_TRY(cob_json_read(path, &root, err));
    status = cob_saved_model_take(root, s, flags, err);
    if (status != COBLOC_OK)
        status = cob_fail_at(err, status, "%s: ", path);
done:
    json_decref(root);
    return status;
}
