/* Reading model.json: nothing of it is believed before it is checked.
 * SPDX-License-Identifier: MIT
 */
#include "fit/saved_model.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/owned.h"
#include "io/options.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CLUSTERS = 10000 };

/* ---- parts ----------------------------------------------------------------------------------- */

static cobloc_status read_options(json_t *root, cobloc_fit_options *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *object;
    int64_t seed;
    int inference, weight, start;
    cob_fit_options_default(o);
    COB_TRY(cob_json_at(root, "options", &object, err));
    COB_TRY(cob_json_int(object, "k", 1, MOST_CLUSTERS, &o->k, err));
    COB_TRY(cob_json_int(object, "l", 0, MOST_CLUSTERS, &o->l, err));
    COB_TRY(cob_json_choice(object, "inference", cob_inference_names, &inference, err));
    COB_TRY(cob_json_choice(object, "weight", cob_weight_names, &weight, err));
    COB_TRY(cob_json_choice(object, "init", cob_start_names, &start, err));
    COB_TRY(cob_json_int(object, "restarts", 1, INT32_MAX, &o->restarts, err));
    COB_TRY(cob_json_int(object, "max_iter", 1, INT32_MAX, &o->max_iterations, err));
    COB_TRY(cob_json_real(object, "tol", &o->tolerance, err));
    COB_TRY(cob_json_real(object, "max_seconds", &o->max_seconds, err));
    COB_TRY(cob_json_integer(object, "seed", INT64_MIN, INT64_MAX, &seed, err));
    o->inference = (cobloc_inference)inference;
    o->weight = (cobloc_weight)weight;
    o->start = (cobloc_start)start;
    o->seed = (uint64_t)seed;
done:
    return status;
}

static cobloc_status read_model_name(json_t *root, cobloc_saved *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_algorithm algorithm;
    char *name = NULL;
    COB_TRY(cob_json_text(root, "model", &name, err));
    COB_CHECK(name && cob_algorithm_named(name, &algorithm), COBLOC_BAD_DATA,
              "'model' is nothing that cobloc knows");
    s->options.model = s->result->model = algorithm.name;
    s->result->criterion_name = algorithm.criterion;
done:
    cob_free(name);
    return status;
}

/* All of the result that is one number. */
static cobloc_status read_numbers(json_t *root, const cobloc_fit_options *o, cobloc_result *r,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int stop;
    /* A selection counts the starts from its neighbours, too, which no option asked for. */
    size_t restarts = json_array_size(json_object_get(root, "restart_criteria"));
    COB_CHECK(restarts >= 1 && restarts <= INT32_MAX, COBLOC_BAD_DATA,
              "'restart_criteria' does not hold a number for each start");
    r->inference = o->inference;
    r->weight = o->weight;
    r->seed = o->seed;
    r->restarts = (int)restarts;
    COB_TRY(cob_json_integer(root, "n", 1, INT32_MAX, &r->n, err));
    COB_TRY(cob_json_integer(root, "d", 1, INT32_MAX, &r->d, err));
    COB_TRY(cob_json_integer(root, "nnz", 1, INT64_MAX, &r->nnz, err));
    COB_TRY(cob_json_integer(root, "empty_rows", 0, r->n, &r->empty_rows, err));
    COB_TRY(cob_json_integer(root, "empty_cols", 0, r->d, &r->empty_cols, err));
    COB_TRY(cob_json_real(root, "criterion", &r->criterion, err));
    COB_TRY(cob_json_int(root, "iterations", 0, INT32_MAX, &r->iterations, err));
    COB_TRY(cob_json_choice(root, "stop", cob_stop_names, &stop, err));
    COB_TRY(cob_json_int(root, "repaired", 0, INT32_MAX, &r->repaired, err));
    COB_TRY(cob_json_int(root, "at_bound", 0, INT32_MAX, &r->at_bound, err));
    COB_TRY(cob_json_int(root, "best_restart", 0, r->restarts - 1, &r->best_restart, err));
    COB_TRY(cob_json_real(root, "r_hat", &r->r_hat, err));
    COB_TRY(cob_json_real(root, "icl", &r->icl, err));
    COB_TRY(cob_json_real(root, "modularity", &r->modularity, err));
    COB_TRY(cob_json_real(root, "explained_information", &r->explained_information, err));
    COB_TRY(cob_json_real(root, "effect_scale", &r->effect_scale, err));
    r->stop = (cobloc_stop)stop;
done:
    return status;
}

static cobloc_status read_texts(json_t *root, const char *key, int count, char ***texts,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names names = {0};
    COB_TRY(cob_json_names(root, key, count, &names, err));
    if (names.count == 0)
        goto done;
    COB_NEW_ZERO(*texts, count);
    for (int i = 0; i < count; i++)
        COB_TRY(cob_copy_text(cob_names_get(&names, i), &(*texts)[i], err));
done:
    cob_names_free(&names);
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

/* Parameters of blocks, and how rows choose by them. */
static cobloc_status read_parameters(json_t *root, cobloc_result *r, cobloc_error *err)
{
    enum { MOST = 256 };
    cobloc_status status = COBLOC_OK;
    size_t names = json_array_size(json_object_get(root, "parameter_names"));
    cob_algorithm a;
    bool known = cob_algorithm_named(r->model, &a);
    COB_CHECK(names <= MOST, COBLOC_BAD_DATA, "'parameter_names' is too long");
    r->parameter_count = names > 0 ? (int)names : 1;
    COB_TRY(read_texts(root, "parameter_names", r->parameter_count, &r->parameter_names, err));
    COB_TRY(cob_json_table(root, "parameters", (int64_t)r->parameter_count * r->k, r->l, true,
                           &r->parameters, err));
    if (!known || !a.model)
        goto done;
    int layers = count_layers(a.model, r->parameter_count);
    COB_CHECK(layers > 0, COBLOC_BAD_DATA, "'parameter_names' does not fit the model");
    r->rule_width = layers * r->l + 2;
    COB_TRY(cob_json_table(root, "row_rule", r->k, r->rule_width, false, &r->row_rule, err));
    if (!r->row_rule)
        r->rule_width = 0;
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
    COB_CHECK(k >= 1 && k <= MOST_CLUSTERS && l >= 1 && l <= INT32_MAX / MOST_CLUSTERS - 2,
              COBLOC_BAD_DATA, "'row_sizes' and 'col_sizes' do not hold the sizes of clusters");
    COB_CHECK(trace <= INT32_MAX, COBLOC_BAD_DATA, "'trace' is too long");
    r->k = (int)k;
    r->l = (int)l;
    COB_TRY(cob_json_integers(root, "row_sizes", r->k, 0, r->n, &r->row_sizes, err));
    COB_TRY(cob_json_integers(root, "col_sizes", r->l, 0, r->d, &r->col_sizes, err));
    COB_TRY(cob_json_list(root, "row_proportions", r->k, true, &r->row_proportions, err));
    COB_TRY(cob_json_list(root, "col_proportions", r->l, true, &r->col_proportions, err));
    COB_TRY(cob_json_table(root, "blocks", r->k, r->l, true, &r->blocks, err));
    COB_TRY(read_parameters(root, r, err));
    COB_TRY(cob_json_list(root, "restart_criteria", r->restarts, true, &r->restart_criteria, err));
    COB_TRY(cob_json_list(root, "trace", (int64_t)trace, true, &r->trace, err));
    r->trace_count = (int)trace;
    COB_CHECK(r->row_sizes && r->col_sizes && r->row_proportions && r->col_proportions &&
                  r->blocks && r->parameters && r->restart_criteria,
              COBLOC_BAD_DATA, "holds null for a list of the clusters");
done:
    return status;
}

/* [a, b, criterion] for each step. */
static cobloc_status read_merges(json_t *root, cobloc_result *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *list;
    COB_TRY(cob_json_at(root, "merges", &list, err));
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
                  "'merges' holds something else than two clusters and a criterion");
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
    json_t *object;
    COB_TRY(cob_json_at(root, "columns", &object, err));
    COB_TRY(cob_json_names(object, "names", r->d, &s->col_names, err));
    COB_TRY(cob_json_labels(object, "clusters", r->d, r->l, &r->col_labels, err));
    COB_TRY(cob_json_integers(object, "frequencies", r->d, 0, r->n, &s->col_frequencies, err));
    COB_TRY(cob_json_list(object, "sums", r->d, false, &s->col_sums, err));
    COB_TRY(cob_json_table(object, "probabilities", r->d, r->l, false, &r->col_probabilities, err));
    COB_CHECK(r->col_labels && s->col_frequencies && s->col_sums, COBLOC_BAD_DATA,
              "holds null for a list of the columns");
done:
    return status;
}

/* A list of labels that the options own; NULL where the file holds none. */
static cobloc_status read_labels(json_t *object, const char *key, int64_t count, int most,
                                 cobloc_fit_options *o, const int32_t **labels, cobloc_error *err)
{
    int32_t *read = NULL;
    cobloc_status status = cob_json_labels(object, key, count, most, &read, err);
    if (read && !(*labels = cob_adopt(&o->head, read, err)))
        return COBLOC_NO_MEMORY;
    return status;
}

static cobloc_status read_effects(json_t *object, const char *key, int64_t count,
                                  cobloc_fit_options *o, const double **effects, cobloc_error *err)
{
    double *read = NULL;
    cobloc_status status = cob_json_list(object, key, count, false, &read, err);
    if (read && !(*effects = cob_adopt(&o->head, read, err)))
        return COBLOC_NO_MEMORY;
    return status;
}

static cobloc_status read_given(json_t *root, cobloc_saved *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_fit_options *o = &s->options;
    const cobloc_result *r = s->result;
    int k = r->k > o->k ? r->k : o->k, l = r->l > o->l ? r->l : o->l;
    json_t *object;
    COB_TRY(cob_json_at(root, "given", &object, err));
    COB_TRY(read_labels(object, "start_rows", r->n, k, o, &o->start_rows, err));
    COB_TRY(read_labels(object, "start_cols", r->d, l, o, &o->start_cols, err));
    COB_TRY(read_labels(object, "fix_rows", r->n, k, o, &o->fix_rows, err));
    COB_TRY(read_labels(object, "fix_cols", r->d, l, o, &o->fix_cols, err));
    COB_TRY(read_effects(object, "row_effects", r->n, o, &o->row_effects, err));
    COB_TRY(read_effects(object, "col_effects", r->d, o, &o->col_effects, err));
    o->start_row_count = o->fix_row_count = o->row_effect_count = s->result->n;
    o->start_col_count = o->fix_col_count = o->col_effect_count = s->result->d;
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
    text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
    COB_CHECK(text, COBLOC_NO_MEMORY, "out of memory");
    status = cob_copy_text(text, &saved->text, err);
done:
    free(text);
    return status;
}

static cobloc_status read_input(json_t *root, cobloc_saved *saved, cob_saved_flags *flags,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *object;
    int missing, values;
    COB_TRY(cob_json_at(root, "input", &object, err));
    COB_TRY(cob_json_text(object, "path", &saved->input, err));
    COB_TRY(cob_json_text(object, "format", &saved->format, err));
    COB_TRY(cob_json_text(object, "variable", &saved->variable, err));
    COB_TRY(cob_json_choice(object, "missing", cob_missing_names, &missing, err));
    COB_TRY(cob_json_choice(object, "values", cob_values_names, &values, err));
    saved->missing = (cobloc_missing)missing;
    saved->values = (cobloc_values)values;
    COB_TRY(cob_json_real(object, "total", &saved->total, err));
    COB_TRY(cob_json_bool(object, "row_names", &flags->row_names, err));
    COB_TRY(cob_json_bool(root, "row_probabilities", &flags->row_probabilities, err));
    status = read_text(root, saved, err);
done:
    return status;
}

/* Lines of [column, sum, ...], into columns by clusters. */
static cobloc_status read_centres(json_t *root, cobloc_saved *saved, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t k = saved->result->k, d = saved->result->d;
    json_t *lines;
    COB_TRY(cob_json_at(root, "centres", &lines, err));
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
                      COBLOC_BAD_DATA, "'centres' holds something else than columns and sums");
            saved->centres[j * k + c] = json_number_value(sum);
        }
    }
done:
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static cobloc_status read_all(json_t *root, cobloc_saved *s, cob_saved_flags *flags,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_result *r = s->result;
    COB_CHECK(json_is_object(root) && json_object_get(root, "columns"), COBLOC_BAD_DATA,
              "was not written by this version of cobloc");
    COB_TRY(read_options(root, &s->options, err));
    COB_TRY(read_model_name(root, s, err));
    COB_TRY(read_numbers(root, &s->options, r, err));
    COB_TRY(read_clusters(root, r, err));
    COB_TRY(read_merges(root, r, err));
    COB_TRY(read_texts(root, "sections", r->l, &r->col_names, err));
    COB_TRY(read_columns(root, s, err));
    if (json_is_array(json_object_get(root, "categories")))
        COB_TRY(cob_json_names(root, "categories", r->parameter_count, &s->categories, err));
    COB_TRY(read_given(root, s, err));
    s->cols = r->d;
    s->k = r->k;
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
    COB_MAKE(s->result, cob_result_type);
    COB_TRY(cob_json_read(path, &root, err));
    status = read_all(root, s, flags, err);
    if (status != COBLOC_OK)
        status = cob_fail_at(err, status, "%s: ", path);
done:
    json_decref(root);
    return status;
}
