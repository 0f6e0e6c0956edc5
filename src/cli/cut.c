/* cobloc cut: a result with fewer blocs, by its hierarchy.
 * SPDX-License-Identifier: MIT
 */
#include "fit_report.h"
#include "saved.h"

static const cli_group own_group;

/* The effects that the result was fitted with, if any. */
static cobloc_status set_effects(const cobloc_saved *saved, cobloc_fit_options *o,
                                 cobloc_error *err)
{
    static const char *const names[] = {"row_effects", "col_effects"};
    cobloc_status status = COBLOC_OK;
    for (int side = 0; status == COBLOC_OK && side < 2; side++) {
        int64_t count = 0;
        const double *effects = cobloc_reals(saved, &count, "options.%s", names[side]);
        if (effects)
            status = cobloc_set_reals(o, names[side], effects, count, err);
    }
    return status;
}

/* Cuts, and writes where -o asks for it. */
static cobloc_status cut(const cli_args *args, const cobloc_saved *saved,
                         const cobloc_matrix *matrix, cobloc_result **result, cobloc_error *err)
{
    cobloc_fit_options *o = cli_made(args, &own_group);
    const cobloc_result *whole = cobloc_object(saved, "result");
    int k = (int)cobloc_int(o, "k");
    cobloc_curve *curve = NULL;
    cobloc_status status = cobloc_curve_read(args->words[0], &curve, err);
    if (status == COBLOC_OK)
        status = k <= cobloc_int(whole, "k") ? cobloc_cut_options(whole, k, o, err)
                                             : cobloc_curve_options(curve, whole, k, o, err);
    if (status == COBLOC_OK)
        status = set_effects(saved, o, err);
    if (status == COBLOC_OK)
        status = cobloc_fit(matrix, o, result, err);
    if (status == COBLOC_OK && cli_value(args, "output"))
        status = cobloc_result_write(*result, matrix, o, cli_value(args, "output"), err);
    cobloc_curve_free(curve);
    return status;
}

static int print(const cli_args *args, const cobloc_matrix *matrix, const cobloc_result *result)
{
    cli_progress_end();
    if (cli_value(args, "json"))
        return cli_print_json(cli_fit_json(result, NULL));
    cli_fit_print(result, matrix, NULL, cli_value(args, "output"), cli_value(args, "full") != NULL);
    return CLI_DONE;
}

static int run(const cli_args *args)
{
    cobloc_saved *saved = NULL;
    cobloc_matrix *matrix = NULL;
    cobloc_result *result = NULL;
    cobloc_error err;
    int code;
    if (!cli_value(args, "k"))
        return cli_usage_error(args->command, "the number of blocs is missing: -k K");
    if (cobloc_saved_read(args->words[0], &saved, &err) != COBLOC_OK ||
        cobloc_saved_matrix(saved, cli_value(args, "input"), NULL, &matrix, &err) != COBLOC_OK ||
        cut(args, saved, matrix, &result, &err) != COBLOC_OK)
        code = cli_fail(&err);
    else
        code = print(args, matrix, result);
    cobloc_result_free(result);
    cobloc_matrix_free(matrix);
    cobloc_saved_free(saved);
    return code;
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
