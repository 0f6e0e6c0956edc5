/* The list of all that can be fitted, and the part of the public header that tells of it.
 * SPDX-License-Identifier: MIT
 */
#include "fit/algorithm.h"

#include "base/guess.h"
#include "methods/registry.h"
#include "models/registry.h"

#include <string.h>

/* ---- both kinds ------------------------------------------------------------------------------ */

cob_algorithm cob_algorithm_of_model(const cob_model *model)
{
    return (cob_algorithm){.name = model->name,
                           .title = model->title,
                           .criterion = model->criterion,
                           .minimised = model->minimised,
                           .zeros_matter = cob_zeros_matter(model),
                           .binary = model->law == COB_LAW_BERNOULLI,
                           .counts = model->law == COB_LAW_POISSON,
                           .unit_rows = model->law == COB_LAW_DIRECTIONAL,
                           .takes_negative = model->entries == COB_MOMENTS,
                           .takes_missing = model->takes_missing,
                           .weight = COBLOC_WEIGHT_NONE,
                           .structure = model->structure,
                           .model = model};
}

cob_algorithm cob_algorithm_of_method(const cob_method *method)
{
    bool paired = method->diagonal || method->one_sided;
    return (cob_algorithm){.name = method->name,
                           .title = method->title,
                           .criterion = method->criterion,
                           .minimised = method->minimised,
                           .one_sided = method->one_sided,
                           .zeros_matter = method->zeros_matter,
                           .binary = method->binary,
                           .unit_rows = method->unit_rows,
                           .weight = method->weight,
                           .structure = paired ? &cob_paired_columns : &cob_free_columns,
                           .method = method};
}

bool cob_algorithm_at(int index, cob_algorithm *algorithm)
{
    int models = 0;
    while (cob_model_at(models))
        models++;
    if (cob_model_at(index))
        *algorithm = cob_algorithm_of_model(cob_model_at(index));
    else if (cob_method_at(index - models))
        *algorithm = cob_algorithm_of_method(cob_method_at(index - models));
    else
        return false;
    return true;
}

bool cob_algorithm_named(const char *name, cob_algorithm *algorithm)
{
    return cob_algorithm_at(cobloc_model_find(name), algorithm);
}

bool cob_is_auto(const char *model)
{
    return model && strcmp(model, "auto") == 0;
}

const char *cob_one_model(const char *model)
{
    return cob_is_auto(model) ? cob_model_at(0)->name : model;
}

cobloc_status cob_algorithm_find(const char *name, cob_algorithm *algorithm, cobloc_error *err)
{
    char did_you_mean[COB_GUESS_ROOM];
    cob_algorithm other;
    name = name ? name : "";
    cob_guess guess = cob_guess_begin(name, strlen(name));
    if (cob_algorithm_named(name, algorithm))
        return COBLOC_OK;
    if (cob_is_auto(name))
        return cob_fail(err, COBLOC_BAD_ARGUMENT,
                        "auto chooses a model for a single fit: name a model here");
    for (int i = 0; cob_algorithm_at(i, &other); i++)
        cob_guess_try(&guess, other.name);
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "there is no model '%s'%s", name,
                    cob_guess_text(&guess, did_you_mean));
}

bool cob_algorithm_takes(const cob_algorithm *a, cobloc_inference inference)
{
    if (a->method)
        return inference == COBLOC_HARD || (inference == COBLOC_SOFT && a->method->soft);
    return a->model->likelihood ? inference >= COBLOC_HARD && inference <= COBLOC_SVEM
                                : inference == COBLOC_HARD || inference == COBLOC_STOCHASTIC;
}

cobloc_inference cob_algorithm_inference(const cob_algorithm *a)
{
    return a->model && a->model->inference ? a->model->inference : COBLOC_HARD;
}

int cob_algorithm_restarts(const cob_algorithm *a)
{
    enum { RESTARTS = 6 };
    if (a->method && a->method->certain)
        return 1;
    if (a->method && a->method->restarts)
        return a->method->restarts;
    return a->structure->restarts ? a->structure->restarts : RESTARTS;
}

cobloc_fit_options cob_algorithm_options(const cob_algorithm *a, const cobloc_fit_options *asked)
{
    cobloc_fit_options o = *asked;
    if (o.inference == COBLOC_INFERENCE_AUTO)
        o.inference = cob_algorithm_inference(a);
    if (o.restarts == 0)
        o.restarts = cob_algorithm_restarts(a);
    return o;
}

bool cob_algorithm_prefers(const cob_algorithm *a, double first, int first_held, double second,
                           int second_held)
{
    if (!a->structure->may_be_empty && (first_held == 0) != (second_held == 0))
        return first_held == 0;
    return a->minimised ? first < second : first > second;
}

int cob_algorithm_columns(const cob_algorithm *a, int k)
{
    return cob_column_clusters(a->structure, k, 0);
}

cobloc_weight cob_algorithm_weight(const cob_algorithm *a, cobloc_weight asked)
{
    if (a->binary)
        return COBLOC_WEIGHT_BINARY;
    if (a->model && a->model->law == COB_LAW_CATEGORICAL)
        return COBLOC_WEIGHT_NONE; /* codes are no numbers */
    cobloc_weight weight = asked ? asked : a->weight ? a->weight : COBLOC_WEIGHT_NONE;
    return a->unit_rows && weight != COBLOC_WEIGHT_TFIDF ? COBLOC_WEIGHT_ROWNORM : weight;
}

cob_weighing cob_algorithm_weighing(const cob_algorithm *a, cobloc_weight asked)
{
    return (cob_weighing){.weight = cob_algorithm_weight(a, asked), .as_counts = a->counts};
}

/* ---- the public list ------------------------------------------------------------------------- */

/* The one at an index; beyond the list, one that has and can nothing. */
static cob_algorithm at(int index)
{
    cob_algorithm a;
    return cob_algorithm_at(index, &a) ? a : (cob_algorithm){.structure = &cob_free_columns};
}

int cobloc_model_count(void)
{
    int count = 0;
    while (at(count).name)
        count++;
    return count;
}

int cobloc_model_find(const char *name)
{
    const char *known;
    for (int i = 0; name && (known = at(i).name) != NULL; i++)
        if (strcmp(known, name) == 0)
            return i;
    return -1;
}

const char *cobloc_model_name(int index)
{
    return at(index).name;
}

const char *cobloc_model_title(int index)
{
    return at(index).title;
}

const char *cobloc_model_criterion(int index)
{
    return at(index).criterion;
}

int cobloc_model_is_minimised(int index)
{
    return at(index).minimised;
}

int cobloc_model_is_diagonal(int index)
{
    return at(index).structure->paired;
}

int cobloc_model_is_one_sided(int index)
{
    return at(index).one_sided;
}

int cobloc_model_has_probabilities(int index)
{
    const cob_model *model = at(index).model;
    return model && model->likelihood;
}

int cobloc_model_takes_inference(int index, cobloc_inference inference)
{
    cob_algorithm a;
    return cob_algorithm_at(index, &a) && cob_algorithm_takes(&a, inference);
}

cobloc_inference cobloc_model_inference(int index)
{
    cob_algorithm a;
    return cob_algorithm_at(index, &a) ? cob_algorithm_inference(&a) : COBLOC_HARD;
}

int cobloc_model_restarts(int index)
{
    cob_algorithm a;
    return cob_algorithm_at(index, &a) ? cob_algorithm_restarts(&a) : 0;
}

cobloc_weight cobloc_model_weight(int index)
{
    return cobloc_model_weight_for(index, COBLOC_WEIGHT_AUTO);
}

cobloc_weight cobloc_model_weight_for(int index, cobloc_weight asked)
{
    cob_algorithm a;
    return cob_algorithm_at(index, &a) ? cob_algorithm_weight(&a, asked) : COBLOC_WEIGHT_NONE;
}

int cobloc_model_predicts(int index)
{
    cob_algorithm a;
    return cob_algorithm_at(index, &a) && (a.model || a.method->placement);
}
