/* Contenders as text: "splbm:exact:soft@tfidf".
 * SPDX-License-Identifier: MIT
 */
#include "compare/compare.h"

#include "base/error.h"
#include "fit/algorithm.h"

#include <stdio.h>
#include <string.h>

/* Reads the word up to the next colon, @ or the end; false if it does not fit. */
static bool take_word(const char **text, char *word, size_t room)
{
    size_t length = strcspn(*text, ":@");
    if (length >= room)
        return false;
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length;
    return true;
}

/* The model and its non-default settings; the weight is kept separately. */
static void make_name(const cob_algorithm *a, cobloc_contender *c)
{
    bool usual = c->options.inference == cob_algorithm_inference(a);
    snprintf(c->name, sizeof c->name, "%s%s%s", a->name, usual ? "" : ":",
             usual ? "" : cobloc_inference_name(c->options.inference));
}

/* "exact" behind a model's name: the model that maximises the same criterion exactly. */
static bool find_exact(cob_algorithm *a)
{
    char name[64];
    snprintf(name, sizeof name, "%s-exact", a->name);
    return cob_algorithm_named(name, a);
}

cobloc_status cob_contender_parse(const char *text, cobloc_contender *contender, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_contender made = *contender;
    cob_algorithm a = {0};
    const char *at = text;
    char word[32];
    int inference = 0;
    COB_TRY(cob_algorithm_find(take_word(&at, word, sizeof word) ? word : text, &a, err));
    made.options.inference = cob_algorithm_inference(&a);
    while (*at == ':') {
        at++;
        bool known = take_word(&at, word, sizeof word);
        if (known && strcmp(word, "exact") == 0)
            COB_CHECK(find_exact(&a), COBLOC_BAD_ARGUMENT, "'%s': this model has no exact form",
                      text);
        else
            COB_CHECK(known && (inference = cob_choice_find(cob_inference_names, word)) > 0,
                      COBLOC_BAD_ARGUMENT,
                      "'%s': a colon must be followed by hard, soft, stochastic, svem or exact",
                      text);
    }
    if (inference > 0)
        made.options.inference = (cobloc_inference)inference;
    if (*at == '@') {
        int weight = cob_choice_find(cob_weight_names, at + 1);
        COB_CHECK(weight >= 0, COBLOC_BAD_ARGUMENT,
                  "'%s': @ must be followed by none, binary, tfidf, rownorm or auto", text);
        made.options.weight = (cobloc_weight)weight;
    }
    made.options.model = a.name;
    make_name(&a, &made);
    *contender = made;
done:
    return status;
}

/* Some models take only some weights: asked for two, they may be the same twice. */
static bool is_there(const cobloc_compare_options *o, const cobloc_contender *one)
{
    cob_algorithm a = {0};
    cob_algorithm_named(one->options.model, &a);
    cobloc_weight weight = cob_algorithm_weight(&a, one->options.weight);
    for (int i = 0; i < o->count; i++)
        if (strcmp(o->contenders[i].name, one->name) == 0 &&
            cob_algorithm_weight(&a, o->contenders[i].options.weight) == weight)
            return true;
    return false;
}

cobloc_status cobloc_compare_add(cobloc_compare_options *options, const char *method,
                                 const cobloc_fit_options *fit, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_contender made = {.options = *fit};
    COB_TRY(cob_contender_parse(method, &made, err));
    if (is_there(options, &made))
        goto done;
    COB_TRY(cobloc_append(options, "contenders", err));
    cobloc_contender *last =
        cob_member_pointer(options, offsetof(cobloc_compare_options, contenders));
    last[options->count - 1] = made;
done:
    return status;
}
