/* Contenders as text: "splbm:exact:soft@tfidf".
 * SPDX-License-Identifier: MIT
 */
#include "fit/algorithm.h"

#include "base/error.h"

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

static bool find_inference(const char *word, cobloc_inference *inference)
{
    for (int i = COBLOC_HARD; i <= COBLOC_SVEM; i++)
        if (strcmp(cobloc_inference_name((cobloc_inference)i), word) == 0) {
            *inference = (cobloc_inference)i;
            return true;
        }
    return false;
}

static bool find_weight(const char *word, cobloc_weight *weight)
{
    for (int i = COBLOC_WEIGHT_NONE; i <= COBLOC_WEIGHT_AUTO; i++)
        if (strcmp(cobloc_weight_name((cobloc_weight)i), word) == 0) {
            *weight = (cobloc_weight)i;
            return true;
        }
    return false;
}

/* The model and its non-default settings; the weight is kept separately. */
static void make_name(const cob_algorithm *a, cobloc_contender *c)
{
    bool usual = c->options.inference == cob_algorithm_inference(a);
    snprintf(c->name, sizeof c->name, "%s%s%s%s", a->name, usual ? "" : ":",
             usual ? "" : cobloc_inference_name(c->options.inference),
             c->options.exact ? ":exact" : "");
}

cobloc_status cobloc_contender_parse(const char *text, cobloc_contender *contender,
                                     cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_contender made = *contender;
    cob_algorithm a = {0};
    const char *at = text;
    char word[32];
    COB_CHECK(take_word(&at, word, sizeof word) && cob_algorithm_named(word, &a),
              COBLOC_BAD_ARGUMENT, "there is no model '%.*s'", (int)strcspn(text, ":@"), text);
    made.options.model = a.name;
    made.options.inference = cob_algorithm_inference(&a);
    made.options.exact = 0;
    while (*at == ':') {
        at++;
        bool known = take_word(&at, word, sizeof word);
        if (known && strcmp(word, "exact") == 0)
            made.options.exact = 1;
        else
            COB_CHECK(known && find_inference(word, &made.options.inference), COBLOC_BAD_ARGUMENT,
                      "'%s': a colon must be followed by hard, soft, stochastic, svem or exact",
                      text);
    }
    COB_CHECK(*at != '@' || find_weight(at + 1, &made.options.weight), COBLOC_BAD_ARGUMENT,
              "'%s': @ must be followed by none, binary, tfidf, rownorm or auto", text);
    make_name(&a, &made);
    *contender = made;
done:
    return status;
}
