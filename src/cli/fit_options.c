/* Parsing the options of a fit, and reading the files they name.
 * SPDX-License-Identifier: MIT
 */
#include "fit_options.h"
#include "labels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- names of choices ------------------------------------------------------------------------ */

static const char *const inferences[] = {"auto", "hard", "soft", "stochastic", "svem", NULL};
static const char *const weights[] = {"auto", "none", "binary", "tfidf", "rownorm", NULL};
static const char *const starts[] = {"auto", "merge", "skmeans", "spectral", "random", NULL};

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

/* The library's own word for NAME-exact, or NULL. */
static const char *exact_form(const char *name)
{
    char exact[64];
    snprintf(exact, sizeof exact, "%s-exact", name);
    int model = cobloc_model_find(exact);
    return model >= 0 ? cobloc_model_name(model) : NULL;
}

bool cli_take_exact(const cli_args *args, const char **names, int count)
{
    int found = 0;
    if (!cli_value(args, "exact"))
        return true;
    for (int i = 0; i < count; i++) {
        const char *exact = exact_form(names[i]);
        found += exact != NULL;
        names[i] = exact ? exact : names[i];
    }
    if (found == 0)
        cli_usage_error(args->command, "--exact: %s has no exact form", names[0]);
    return found > 0;
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

bool cli_model_list(const cli_args *args, const char *option, const char *fallback,
                    cli_models_named *models)
{
    const char *given = cli_value(args, option) ? cli_value(args, option) : fallback;
    char *next = models->text = malloc(strlen(given) + 1);
    models->count = 0;
    if (!next) {
        cli_complain("out of memory");
        return false;
    }
    strcpy(next, given);
    while (next) {
        char *name = next, *comma = strchr(name, ',');
        next = comma ? comma + 1 : NULL;
        if (comma)
            *comma = '\0';
        if (models->count == CLI_MOST_MODELS) {
            cli_usage_error(args->command, "--%s lists more than %d models", option,
                            CLI_MOST_MODELS);
            return false;
        }
        if (!cli_known_model(args->command, name))
            return false;
        models->names[models->count++] = name;
    }
    return true;
}

static bool parse_counts(const cli_args *args, cobloc_fit_options *o)
{
    long restarts, iterations, seed;
    if (!cli_integer(args, "restarts", 1, 100000, o->restarts, &restarts) ||
        !cli_integer(args, "max-iter", 1, 1000000, o->max_iterations, &iterations) ||
        !cli_integer(args, "seed", 0, INT32_MAX, (long)o->seed, &seed))
        return false;
    o->restarts = (int)restarts;
    o->max_iterations = (int)iterations;
    o->seed = (uint64_t)seed;
    return true;
}

bool cli_fit_options(const cli_args *args, cobloc_fit_options *o)
{
    int inference, start = 0;
    const char *init = cli_value(args, "init");
    cob_fit_options_default(o);
    if (!parse_counts(args, o) || !cli_choose(args, "inference", inferences, &inference) ||
        !cli_weight(args, &o->weight) || !cli_number(args, "tol", &o->tolerance) ||
        !cli_number(args, "max-seconds", &o->max_seconds))
        return false;
    if (init) /* any other word is the name of a file */
        start = place_of(init, starts) >= 0 ? place_of(init, starts) : COBLOC_START_LABELS;
    if (cli_value(args, "inference"))
        o->inference = (cobloc_inference)inference;
    o->start = (cobloc_start)start;
    o->progress = cli_progress();
    return true;
}

/* ---- files beside the matrix ----------------------------------------------------------------- */

static bool read_labels(const cli_args *args, const char *option, int64_t count, int32_t **labels)
{
    const char *path = cli_value(args, option);
    return !path || (*labels = cli_integer_labels(path, count)) != NULL;
}

static bool read_effects(const cli_args *args, const char *option, int64_t count, double **effects)
{
    const char *path = cli_value(args, option);
    return !path || (*effects = cli_numbers(path, count)) != NULL;
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

bool cli_fit_files_read(const cli_args *args, const cobloc_matrix *matrix, cli_fit_files *f,
                        cobloc_fit_options *o)
{
    int64_t rows = cobloc_matrix_rows(matrix), cols = cobloc_matrix_cols(matrix);
    *f = (cli_fit_files){0};
    if (!cli_read_truth(args, matrix, &f->truth) ||
        !read_labels(args, "fix-rows", rows, &f->fix_rows) ||
        !read_labels(args, "fix-cols", cols, &f->fix_cols) ||
        !read_effects(args, "row-effects", rows, &f->row_effects) ||
        !read_effects(args, "col-effects", cols, &f->col_effects) ||
        (o->start == COBLOC_START_LABELS && !read_labels(args, "init", rows, &f->start_rows)))
        return false;
    o->fix_rows = f->fix_rows;
    o->fix_cols = f->fix_cols;
    o->row_effects = f->row_effects;
    o->col_effects = f->col_effects;
    o->start_rows = f->start_rows;
    return true;
}

void cli_fit_files_free(cli_fit_files *f)
{
    free(f->truth);
    free(f->fix_rows);
    free(f->fix_cols);
    free(f->start_rows);
    free(f->row_effects);
    free(f->col_effects);
    *f = (cli_fit_files){0};
}
