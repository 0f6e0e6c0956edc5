/* A simulation described by a JSON file.
 * SPDX-License-Identifier: MIT
 */
#include "simulate/simulate.h"

#include "base/json.h"
#include "base/owned.h"

#include <stdio.h>
#include <string.h>

static cobloc_status only_keys(json_t *object, const char *const *keys, const char *where,
                               cobloc_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        int known = 0;
        for (int i = 0; keys[i]; i++)
            known |= strcmp(keys[i], key) == 0;
        if (!known)
            return cob_fail(err, COBLOC_BAD_DATA, "'%s' is not a key of %s", key, where);
    }
    return COBLOC_OK;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Allocates the description for the size of the parameter table, and reads the table. */
static cobloc_status read_parameters(json_t *root, cob_simulation *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *table = json_object_get(root, "parameters");
    size_t k = json_array_size(table), l = json_array_size(json_array_get(table, 0));
    COB_CHECK(table, COBLOC_BAD_DATA, "'parameters' is missing, expected a list of rows of blocks");
    COB_CHECK(k > 0 && k <= 10000 && l > 0 && l <= 10000, COBLOC_BAD_DATA,
              "'parameters' is not a list of 1 to 10000 rows of equally many blocks");
    COB_TRY(cob_simulation_new((int)k, (int)l, out, err));
    for (size_t i = 0; i < k; i++) {
        char name[64];
        snprintf(name, sizeof name, "row %zu of 'parameters'", i + 1);
        COB_TRY(cob_json_numbers(json_array_get(table, i), name, l, out->parameters + i * l, err));
    }
done:
    return status;
}

static cobloc_status read_proportions(json_t *root, const char *key, int count, double *to,
                                      cobloc_error *err)
{
    char name[64];
    json_t *list = json_object_get(root, key);
    snprintf(name, sizeof name, "'%s'", key);
    if (list)
        return cob_json_numbers(list, name, (size_t)count, to, err);
    cob_proportions(NULL, count, to);
    return COBLOC_OK;
}

/* {"distribution": NAME, "mean": M, ...} */
static cobloc_status read_distribution(json_t *object, const char *key, cobloc_effects *effects,
                                       cobloc_error *err)
{
    static const struct {
        const char *name;
        cobloc_effect_kind kind;
        const char *shape;
    } kinds[] = {{"constant", COBLOC_EFFECT_CONSTANT, NULL},
                 {"poisson", COBLOC_EFFECT_POISSON, NULL},
                 {"gamma", COBLOC_EFFECT_GAMMA, "shape"},
                 {"lognormal", COBLOC_EFFECT_LOGNORMAL, "sigma"}};
    const char *name = json_string_value(json_object_get(object, "distribution"));
    cobloc_status status = COBLOC_OK;
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, name) != 0)
            continue;
        const char *const keys[] = {"distribution", "mean", kinds[i].shape, NULL};
        effects->kind = kinds[i].kind;
        COB_TRY(only_keys(object, keys, key, err));
        COB_CHECK(!kinds[i].shape || json_object_get(object, kinds[i].shape), COBLOC_BAD_DATA,
                  "'%s' has no '%s', which a %s distribution needs", key, kinds[i].shape, name);
        COB_TRY(cob_json_number(object, "mean", 1, &effects->mean, err));
        if (kinds[i].shape)
            COB_TRY(cob_json_number(object, kinds[i].shape, 1, &effects->shape, err));
        goto done;
    }
    status =
        cob_fail(err, COBLOC_BAD_DATA,
                 "'%s' has no 'distribution' that is constant, poisson, gamma or lognormal", key);
done:
    return status;
}

/* A number, a list, or a distribution. */
static cobloc_status read_effects(json_t *root, const char *key, cobloc_simulation *s,
                                  cobloc_effects *effects, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *found = json_object_get(root, key);
    if (json_is_array(found)) {
        char name[64];
        size_t count = json_array_size(found);
        snprintf(name, sizeof name, "'%s'", key);
        double *values = cob_own(&s->head, count, sizeof *values, err);
        if (!values)
            return COBLOC_NO_MEMORY;
        COB_TRY(cob_json_numbers(found, name, count, values, err));
        *effects = (cobloc_effects){
            .kind = COBLOC_EFFECT_GIVEN, .count = (int64_t)count, .values = values};
    } else if (json_is_object(found)) {
        COB_TRY(read_distribution(found, key, effects, err));
    } else {
        COB_TRY(cob_json_number(root, key, 1, &effects->mean, err));
    }
done:
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static cobloc_status read_scalars(json_t *root, cobloc_simulation *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *model = json_string_value(json_object_get(root, "model"));
    int64_t seed;
    COB_CHECK(model && (strcmp(model, "poisson") == 0 || strcmp(model, "bernoulli") == 0),
              COBLOC_BAD_DATA, "'model' is %s%s%s, expected \"poisson\" or \"bernoulli\"",
              model ? "\"" : "", model ? model : "missing", model ? "\"" : "");
    s->law = strcmp(model, "poisson") == 0 ? COBLOC_POISSON : COBLOC_BERNOULLI;
    COB_TRY(cob_json_whole(root, "n", -1, &s->rows, err));
    COB_TRY(cob_json_whole(root, "d", -1, &s->cols, err));
    COB_TRY(cob_json_whole(root, "seed", 1, &seed, err));
    COB_TRY(cob_json_number(root, "density", 0, &s->density, err));
    s->seed = (uint64_t)seed;
done:
    return status;
}

static cobloc_status describe(json_t *root, cobloc_simulation **out, cobloc_error *err)
{
    static const char *const keys[] = {
        "model",           "n",          "d",           "row_proportions",
        "col_proportions", "parameters", "row_effects", "col_effects",
        "density",         "seed",       NULL};
    cobloc_status status = COBLOC_OK;
    cob_simulation made = {0};
    COB_CHECK(json_is_object(root), COBLOC_BAD_DATA, "expected a JSON object");
    COB_TRY(only_keys(root, keys, "a simulation", err));
    COB_TRY(read_parameters(root, &made, err));
    cobloc_simulation *s = made.open;
    COB_TRY(read_scalars(root, s, err));
    COB_TRY(read_proportions(root, "row_proportions", s->k, made.row_proportions, err));
    COB_TRY(read_proportions(root, "col_proportions", s->l, made.col_proportions, err));
    COB_TRY(read_effects(root, "row_effects", s, &s->row_effects, err));
    COB_TRY(read_effects(root, "col_effects", s, &s->col_effects, err));
    status = cob_simulation_check(s, err) == COBLOC_OK ? COBLOC_OK : COBLOC_BAD_DATA;
done:
    if (status == COBLOC_OK)
        *out = made.open;
    else
        cobloc_simulation_free(made.open);
    return status;
}

cobloc_status cobloc_simulation_read(const char *path, cobloc_simulation **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_simulation *made = NULL;
    json_t *root = NULL;
    COB_TRY(cob_json_read(path, &root, err));
    status = describe(root, &made, err);
    if (status != COBLOC_OK) {
        status = cob_fail_at(err, status, "%s: ", path);
        goto done;
    }
    *out = made;
done:
    json_decref(root);
    return status;
}
