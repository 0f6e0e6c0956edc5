/* What the commands that fit share.
 * SPDX-License-Identifier: MIT
 */
#include "fit_options.h"

#include <string.h>

void cli_take_exact(const cli_args *args, void *options, const char *path)
{
    const char *list = cli_value(args, "model"), *usual = cobloc_text(options, "model");
    char models[1024] = "";
    int found = 0;
    if (!list)
        list = usual ? usual : cobloc_text(options, "fit.model");
    if (!cli_value(args, "exact"))
        return;
    for (const char *at = list; at; at = strchr(at, ',')) {
        char exact[64];
        at += *at == ',';
        snprintf(exact, sizeof exact, "%.*s-exact", (int)strcspn(at, ","), at);
        bool known = cobloc_model_find(exact) >= 0;
        size_t length = strlen(models);
        snprintf(models + length, sizeof models - length, "%s%.*s", length ? "," : "",
                 (int)(known ? strlen(exact) : strcspn(at, ",")), known ? exact : at);
        found += known;
    }
    if (found == 0)
        cli_stop_usage(args->command, "--exact: %s has no exact form", list);
    cobloc_set_text(options, path, models, NULL);
}

cobloc_scores *cli_score_rows(const cobloc_labels *truth, const cobloc_result *result)
{
    int64_t rows, known = 0;
    cobloc_scores *scores = NULL;
    const int32_t *labels = cobloc_ints(result, &rows, "row_labels");
    const int32_t *classes = cobloc_ints(truth, &known, "labels");
    if (known > 0)
        cli_must(cobloc_score(labels, classes, rows, &scores, &cli_error));
    return scores;
}

void cli_end_checkpoint(const void *options, const char *path, int stop)
{
    const char *folder = cobloc_text(options, "%s", path);
    if (folder && (stop == COBLOC_STOP_TIME || stop == COBLOC_STOP_CANCELLED))
        cli_note("stopped early: the same command with --resume goes on from %s", folder);
    else if (folder)
        cli_must(cobloc_checkpoint_remove(folder, &cli_error));
}
