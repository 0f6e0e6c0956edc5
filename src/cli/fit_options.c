/* Parsing the options of a fit, and reading the files they name.
 * SPDX-License-Identifier: MIT
 */
#include "fit_options.h"
#include "labels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- names of choices ------------------------------------------------------------------------ */

static const char *const weights[] = {"auto", "none", "binary", "tfidf", "rownorm", NULL};

/* The place of a word in a list ended by NULL, or -1. */
static int place_of(const char *word, const char *const *list)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], word) == 0)
            return i;
    return -1;
}

bool cli_choose(const cli_args *args, const char *option, const char *const *list, int *choice)
{
    const char *word = cli_value(args, option);
    *choice = word ? place_of(word, list) : 0;
    if (*choice >= 0)
        return true;
    char all[128] = "";
    for (int i = 0; list[i]; i++) {
        strcat(all, i ? ", " : "");
        strcat(all, list[i]);
    }
    cli_usage_error(args->command, "--%s is '%s', expected one of: %s", option, word, all);
    return false;
}

bool cli_weight(const cli_args *args, cobloc_weight *weight)
{
    int choice;
    if (!cli_choose(args, "weight", weights, &choice))
        return false;
    if (cli_value(args, "weight"))
        *weight = (cobloc_weight)choice;
    return true;
}

bool cli_known_model(const cli_command *command, const char *name)
{
    if (cobloc_model_find(name) >= 0)
        return true;
    cli_usage_error(command, "there is no model '%s'; 'cobloc models' lists them", name);
    return false;
}

/* ---- options --------------------------------------------------------------------------------- */

bool cli_number(const cli_args *args, const char *option, double *value)
{
    const char *text = cli_value(args, option);
    char *end;
    if (!text)
        return true;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= 0)
        return true;
    cli_usage_error(args->command, "--%s is '%s', expected a number from 0", option, text);
    return false;
}

bool cli_bytes(const cli_args *args, const char *option, double *bytes)
{
    static const char units[] = "KMGT";
    const char *text = cli_value(args, option);
    char *end;
    if (!text)
        return true;
    *bytes = strtod(text, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (end != text && *bytes > 0 && (!*end || (unit && !end[1]))) {
        for (const char *u = units; unit && u <= unit; u++)
            *bytes *= 1024;
        return true;
    }
    cli_usage_error(args->command, "--%s is '%s', expected bytes, such as 500M or 4G", option,
                    text);
    return false;
}

bool cli_range(const cli_args *args, const char *option, int *from, int *to)
{
    const char *text = cli_value(args, option);
    char *end = NULL;
    if (!text)
        return true;
    errno = 0;
    long low = strtol(text, &end, 10), high = low;
    bool good = end != text;
    if (good && *end == ':') {
        const char *second = end + 1;
        high = strtol(second, &end, 10);
        good = end != second;
    }
    if (good && !*end && errno == 0 && low >= 1 && high >= low && high <= 10000) {
        *from = (int)low;
        *to = (int)high;
        return true;
    }
    cli_usage_error(args->command, "--%s is '%s', expected two sizes in order, such as 2:12",
                    option, text);
    return false;
}

bool cli_known_models(const cli_args *args, const char *option)
{
    char name[64];
    for (const char *list = cli_value(args, option); list; list = strchr(list, ',')) {
        list += *list == ',';
        snprintf(name, sizeof name, "%.*s", (int)strcspn(list, ","), list);
        if (!cli_known_model(args->command, name))
            return false;
    }
    return true;
}

bool cli_take_exact(const cli_args *args, void *options, const char *path, const char *model)
{
    const char *list = cli_value(args, "model");
    char models[1024] = "";
    int found = 0;
    if (!cli_value(args, "exact"))
        return true;
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
        cli_usage_error(args->command, "--exact: %s has no exact form",
                        list ? list : cobloc_text(options, "%s", model));
    else
        cobloc_set_text(options, path, models, NULL);
    return found > 0;
}

/* Whether a name is one of an option's choices. */
static bool is_choice(const void *options, const char *path, const char *name)
{
    const char *choice;
    for (int i = 0; (choice = cobloc_field_choice(options, path, i)); i++)
        if (strcmp(choice, name) == 0)
            return true;
    return false;
}

bool cli_fit_options(const cli_args *args, void *options, const char *group)
{
    const char *init = cli_value(args, "init");
    char path[32];
    snprintf(path, sizeof path, "%sstart", group);
    cli_watch(options);
    if (init) /* any other word is the name of a file */
        cobloc_set_text(options, path, is_choice(options, path, init) ? init : "labels", NULL);
    return cli_set(
        args, options, group,
        "inference weight restarts max-iter=max_iterations tol=tolerance seed max-seconds");
}

/* ---- files beside the matrix ----------------------------------------------------------------- */

/* Sets an array to the labels, or else the numbers, of the file that an option names. */
static bool set_from_file(const cli_args *args, const char *option, int64_t count, bool labels,
                          void *options, const char *path)
{
    const char *file = cli_value(args, option);
    cobloc_error err;
    if (!file)
        return true;
    int32_t *integers = labels ? cli_integer_labels(file, count) : NULL;
    double *numbers = labels ? NULL : cli_numbers(file, count);
    bool good = integers || numbers;
    if (good && (labels ? cobloc_set_ints(options, path, integers, count, &err)
                        : cobloc_set_reals(options, path, numbers, count, &err)) != COBLOC_OK) {
        cli_fail(&err);
        good = false;
    }
    free(integers);
    free(numbers);
    return good;
}

bool cli_read_truth(const cli_args *args, const cobloc_matrix *matrix, int32_t **truth)
{
    const char *path = cli_value(args, "truth");
    if (path)
        *truth = cli_row_classes(path, matrix);
    else if (cobloc_matrix_text(matrix) && cobloc_matrix_row_label(matrix, 0))
        *truth = cli_own_classes(matrix); /* text has labels only where they were asked for */
    else
        return true;
    return *truth != NULL;
}

bool cli_fit_files(const cli_args *args, const cobloc_matrix *matrix, void *options,
                   const char *group)
{
    static const struct {
        const char *option, *name;
        bool rows, labels;
    } files[] = {{"fix-rows", "fix_rows", true, true},
                 {"fix-cols", "fix_cols", false, true},
                 {"row-effects", "row_effects", true, false},
                 {"col-effects", "col_effects", false, false},
                 {"init", "start_rows", true, true}};
    int64_t rows = cobloc_matrix_rows(matrix), cols = cobloc_matrix_cols(matrix);
    bool init = cobloc_int(options, "%sstart", group) == COBLOC_START_LABELS;
    for (size_t f = 0; f < sizeof files / sizeof *files - !init; f++) {
        char path[32];
        snprintf(path, sizeof path, "%s%s", group, files[f].name);
        if (!set_from_file(args, files[f].option, files[f].rows ? rows : cols, files[f].labels,
                           options, path))
            return false;
    }
    return true;
}

bool cli_score_rows(const int32_t *truth, const cobloc_result *result, cobloc_scores **scores)
{
    int64_t rows;
    cobloc_error err;
    const int32_t *labels = cobloc_ints(result, &rows, "row_labels");
    if (!truth || cobloc_score(labels, truth, rows, scores, &err) == COBLOC_OK)
        return true;
    cli_fail(&err);
    return false;
}
