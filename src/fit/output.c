/* The output folder: rows.tsv, cols.tsv, model.json.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "base/alloc.h"
#include "base/file.h"
#include "fit/fit.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- tables ---------------------------------------------------------------------------------- */

static cobloc_status write_table(const char *path, int64_t count, const int32_t *labels,
                                 const double *probabilities, int clusters,
                                 const cobloc_matrix *matrix,
                                 const char *(*name_of)(const cobloc_matrix *, int64_t),
                                 char *const *cluster_names, cob_file **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_text(file, "name\tcluster");
    cob_file_text(file, cluster_names ? "\tsection" : "");
    cob_file_text(file, probabilities ? "\tprobability\n" : "\n");
    for (int64_t i = 0; i < count; i++) {
        const char *name = name_of(matrix, i);
        if (name)
            cob_file_name(file, name);
        else
            cob_file_integer(file, i + 1);
        cob_file_char(file, '\t');
        cob_file_integer(file, labels[i]);
        if (cluster_names) {
            cob_file_char(file, '\t');
            cob_file_text(file, labels[i] < 0 ? "" : cluster_names[labels[i]]);
        }
        if (probabilities) {
            cob_file_char(file, '\t');
            cob_file_number(file, labels[i] < 0 ? 0 : probabilities[i * clusters + labels[i]]);
        }
        cob_file_char(file, '\n');
    }
    *out = file;
    file = NULL;
done:
    cob_file_close(file);
    return status;
}

/* ---- model.json ------------------------------------------------------------------------------ */

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

static json_t *options_object(const cobloc_result *r, const cobloc_fit_options *o)
{
    return json_pack(
        "{s:s, s:i, s:i, s:s, s:s, s:s, s:i, s:i, s:o, s:I, s:b, s:b, s:b, s:b, s:b}", "model",
        o->model, "k", o->k, "l", o->l, "inference", cobloc_inference_name(o->inference), "weight",
        cobloc_weight_name(r->weight), "init", cobloc_start_name(o->start), "restarts", o->restarts,
        "max_iter", o->max_iterations, "tol", number(o->tolerance), "seed", (json_int_t)o->seed,
        "exact", o->exact, "fix_rows", o->fix_rows != NULL, "fix_cols", o->fix_cols != NULL,
        "row_effects", o->row_effects != NULL, "col_effects", o->col_effects != NULL);
}

static json_t *model_object(const cobloc_result *r, const cobloc_fit_options *o)
{
    json_t *model = json_pack(
        "{s:s, s:s, s:o, s:I, s:I, s:I, s:s, s:o, s:i, s:s, s:i, s:i}", "cobloc", cobloc_version(),
        "model", r->model, "options", options_object(r, o), "n", (json_int_t)r->n, "d",
        (json_int_t)r->d, "nnz", (json_int_t)r->nnz, "criterion_name", r->criterion_name,
        "criterion", number(r->criterion), "iterations", r->iterations, "stop",
        cobloc_stop_name(r->stop), "repaired", r->repaired, "best_restart", r->best_restart);
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
    json_object_set_new(model, "parameters", table(r->parameters, r->k, r->l));
    return model;
}

static cobloc_status write_model(const char *path, const cobloc_result *r,
                                 const cobloc_fit_options *o, cob_file **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    json_t *model = model_object(r, o);
    char *text = model ? json_dumps(model, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    COB_CHECK(text, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_text(file, text);
    cob_file_char(file, '\n');
    *out = file;
    file = NULL;
done:
    json_decref(model);
    free(text);
    cob_file_close(file);
    return status;
}

/* ---- the folder ------------------------------------------------------------------------------ */

cobloc_status cobloc_result_write(const cobloc_result *r, const cobloc_matrix *matrix,
                                  const cobloc_fit_options *options, const char *folder,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *files[3] = {NULL};
    size_t room = strlen(folder) + sizeof "/model.json";
    char *path = NULL;
    COB_NEW(path, room);
    COB_CHECK(mkdir(folder, 0777) == 0 || errno == EEXIST, COBLOC_IO, "%s: cannot be made: %s",
              folder, strerror(errno));
    snprintf(path, room, "%s/rows.tsv", folder);
    COB_TRY(write_table(path, r->n, r->row_labels, r->row_probabilities, r->k, matrix,
                        cobloc_matrix_row_name, NULL, &files[0], err));
    snprintf(path, room, "%s/cols.tsv", folder);
    COB_TRY(write_table(path, r->d, r->col_labels, r->col_probabilities, r->l, matrix,
                        cobloc_matrix_col_name, r->col_names, &files[1], err));
    snprintf(path, room, "%s/model.json", folder);
    COB_TRY(write_model(path, r, options, &files[2], err));
    for (int f = 0; f < 3; f++)
        COB_TRY(cob_file_commit(files[f], err));
done:
    for (int f = 0; f < 3; f++)
        cob_file_close(files[f]);
    cob_free(path);
    return status;
}
