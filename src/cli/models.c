/* cobloc models: what can be fitted.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <stdio.h>

enum { ROOM = 64 };

/* "hard, soft, ...": the inferences that a model takes. */
static void list_inferences(int model, char text[ROOM])
{
    size_t used = 0;
    for (int i = COBLOC_HARD; i <= COBLOC_SVEM; i++)
        if (cobloc_model_takes_inference(model, (cobloc_inference)i))
            used += (size_t)snprintf(text + used, ROOM - used, "%s%s", used ? ", " : "",
                                     cobloc_inference_name((cobloc_inference)i));
}

static void run(const cli_args *args)
{
    if (cli_value(args, "json")) {
        json_t *list = json_array();
        for (int m = 0; m < cobloc_model_count(); m++)
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:s, s:b, s:b, s:b, s:s}", "name", cobloc_model_name(m),
                                "title", cobloc_model_title(m), "criterion",
                                cobloc_model_criterion(m), "diagonal", cobloc_model_is_diagonal(m),
                                "probabilities", cobloc_model_has_probabilities(m), "one_sided",
                                cobloc_model_is_one_sided(m), "weight",
                                cobloc_weight_name(cobloc_model_weight(m))));
        cli_print_json(list);
        return;
    }
    char inferences[ROOM];
    cli_table *t = cli_table_new("llll");
    cli_table_cell(t, "model");
    cli_table_cell(t, "criterion");
    cli_table_cell(t, "inference");
    cli_table_cell(t, "what it is");
    for (int m = 0; m < cobloc_model_count(); m++) {
        cli_table_cell(t, "%s", cobloc_model_name(m));
        cli_table_cell(t, "%s", cobloc_model_criterion(m));
        list_inferences(m, inferences);
        cli_table_cell(t, "%s", inferences);
        cli_table_cell(t, "%s", cobloc_model_title(m));
    }
    cli_table_print(t, stdout);
}

static const cli_option options[] = {
    {"json", 0, NULL, NULL, "Print a JSON list."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {.options = options};

static const cli_example examples[] = {
    {"cobloc models", "A line for each model."},
    {"cobloc models --json", "For a program to read."},
    {NULL, NULL},
};

const cli_command cli_models = {
    .name = "models",
    .words = "",
    .word_count = 0,
    .summary = "List the models that cobloc fit knows.",
    .details = "Diagonal models give co-clusters: row cluster k belongs to column cluster k. All "
               "others except socc also take a number of column clusters, -l. --exact chooses "
               "NAME-exact.",
    .examples = examples,
    .groups = {&own_group},
    .run = run,
};
