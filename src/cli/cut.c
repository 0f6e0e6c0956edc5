/* cobloc cut: a result with fewer blocs, by its hierarchy.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"
#include "input.h"

static const cli_group own_group;

/* The effects that the result was fitted with, if any. */
static void set_effects(const cobloc_saved *saved, cobloc_fit_options *o)
{
    static const char *const names[] = {"row_effects", "col_effects"};
    for (int side = 0; side < 2; side++) {
        int64_t count = 0;
        const double *effects = cobloc_reals(saved, &count, "options.%s", names[side]);
        if (effects)
            cli_must(cobloc_set_reals(o, names[side], effects, count, &cli_error));
    }
}

/* The blocs as they are to be, for a fit that leaves them so. */
static void set_labels(const cli_args *args, const cobloc_result *whole, cobloc_fit_options *o)
{
    int k = (int)cobloc_int(o, "k");
    cobloc_curve *curve = NULL;
    cli_must(cobloc_curve_read(args->words[0], &curve, &cli_error));
    cli_must(k <= cobloc_int(whole, "k") ? cobloc_cut_options(whole, k, o, &cli_error)
                                         : cobloc_curve_options(curve, whole, k, o, &cli_error));
    cobloc_curve_free(curve);
}

static void run(const cli_args *args)
{
    const char *folder = cli_value(args, "output");
    cobloc_fit_options *o = cli_made(args, &own_group);
    cobloc_saved *saved = NULL;
    cobloc_matrix *matrix = NULL;
    cobloc_result *result = NULL;
    if (!cli_value(args, "k"))
        cli_stop_usage(args->command, "the number of blocs is missing: -k K");
    cli_must(cobloc_saved_read(args->words[0], &saved, &cli_error));
    cli_must(cobloc_saved_matrix(saved, cli_value(args, "input"), NULL, &matrix, &cli_error));
    set_labels(args, cobloc_object(saved, "result"), o);
    set_effects(saved, o);
    cli_must(cobloc_fit(matrix, o, &result, &cli_error));
    if (folder)
        cli_must(cobloc_result_write(result, matrix, o, folder, &cli_error));
    cli_progress_end();
    if (cli_value(args, "json"))
        cli_print_json(cli_fit_json(result, NULL));
    else
        cli_fit_print(result, matrix, NULL, folder, cli_value(args, "full") != NULL);
    cobloc_result_free(result);
    cobloc_matrix_free(matrix);
    cobloc_saved_free(saved);
}

CLI_DEFINE_MAKER(fit_options)

static const cli_option options[] = {
    {"k", 'k', "K", "k",
     "Number of blocs to cut into. More than RESULT has only where 'cobloc select' kept them."},
    {"output", 'o', "DIR", NULL, "Write the other result into this folder, as 'cobloc fit' does."},
    {"input", 0, "FILE", NULL, "The matrix that was fitted, if it has moved."},
    CLI_FULL_OPTION,
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(fit_options), .options = options};

static const cli_example examples[] = {
    {"cobloc cut out -k 4 -o out4", "Merge the blocs of a fit until four are left."},
    {NULL, NULL},
};

const cli_command cli_cut = {
    .name = "cut",
    .words = "RESULT",
    .word_count = 1,
    .summary = "Merge the blocs of a result into fewer, by its hierarchy.",
    .details =
        "RESULT is a folder that 'cobloc fit -o' or 'cobloc select -o' wrote. Its blocs are merged "
        "two at a time, the pair that costs the least of the criterion first, until K are left. "
        "What is printed and written is a result like any other, without a new fit of the labels: "
        "'cobloc describe', 'report', 'predict' and 'cut' take it.\n\n"
        "'cobloc select -o' also keeps the sizes above the chosen one that it fitted: with such a "
        "K, "
        "the result is that fit, not a split of the blocs.\n\n"
        "Block models have a hierarchy, except socc; other methods have none.",
    .examples = examples,
    .groups = {&own_group},
    .run = run,
};
