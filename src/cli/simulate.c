/* cobloc simulate: draws a matrix whose clusters are known.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

/* ---- what to draw ---------------------------------------------------------------------------- */

/* What the command line says beside the preset or the file. */
static bool override(const cli_args *args, cobloc_simulation *s)
{
    const char *density = cli_value(args, "density");
    cli_watch(s);
    if (!cli_set(args, s, "", "rows cols seed threads"))
        return false;
    if (!density || (cobloc_set_text(s, "density", density, NULL) == COBLOC_OK &&
                     cobloc_real(s, "density") > 0 && cobloc_real(s, "density") < 1))
        return true;
    cli_usage_error(args->command, "--density is '%s', expected a number above 0 and below 1",
                    density);
    return false;
}

/* The description that was asked for; NULL, with the exit code, after a complaint. */
static cobloc_simulation *describe(const cli_args *args, int *code)
{
    cobloc_simulation *simulation = NULL;
    cobloc_error err;
    const char *spec = cli_value(args, "spec"), *preset = args->word_count ? args->words[0] : NULL;
    if ((spec != NULL) == (preset != NULL)) {
        *code = cli_usage_error(args->command, "expected either a PRESET or --spec FILE");
        return NULL;
    }
    if (preset && cobloc_simulation_preset(preset, &simulation, &err) != COBLOC_OK)
        *code = cli_usage_error(args->command, "%s", err.message);
    else if (spec && cobloc_simulation_read(spec, &simulation, &err) != COBLOC_OK)
        *code = cli_fail(&err);
    return simulation;
}

/* ---- reporting ------------------------------------------------------------------------------- */

static double zeros(const cobloc_matrix *matrix)
{
    double cells = (double)cobloc_matrix_rows(matrix) * (double)cobloc_matrix_cols(matrix);
    return 1 - (double)cobloc_matrix_nnz(matrix) / cells;
}

static json_t *table(const cobloc_truth *t)
{
    json_t *rows = json_array();
    int64_t k = cobloc_int(t, "k"), l = cobloc_int(t, "l");
    const double *values = cobloc_reals(t, NULL, "parameters");
    for (int64_t i = 0; i < k; i++) {
        json_t *row = json_array();
        for (int64_t j = 0; j < l; j++)
            json_array_append_new(row, json_real(values[i * l + j]));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *report(const cobloc_simulation *s, const cobloc_truth *t, const cobloc_matrix *m)
{
    json_t *object = cli_json_object(t, "", "k l row_sizes col_sizes");
    json_object_set_new(object, "model", cli_json_value(t, "law"));
    json_object_set_new(object, "n", cli_json_value(t, "rows"));
    json_object_set_new(object, "d", cli_json_value(t, "cols"));
    json_object_set_new(object, "nnz", json_integer(cobloc_matrix_nnz(m)));
    json_object_set_new(object, "zeros", json_real(zeros(m)));
    json_object_set_new(object, "total", json_real(cobloc_matrix_total(m)));
    json_object_set_new(object, "seed", cli_json_value(s, "seed"));
    json_object_set_new(object, "parameters", table(t));
    return object;
}

static void print_sizes(const char *side, const cobloc_truth *t, const char *name)
{
    enum { MOST_SHOWN = 20 };
    int64_t count;
    const int64_t *sizes = cobloc_int64s(t, &count, "%s", name);
    printf("  %lld %s cluster%s of", (long long)count, side, count == 1 ? "" : "s");
    for (int64_t c = 0; c < count && c < MOST_SHOWN; c++)
        printf(" %lld", (long long)sizes[c]);
    puts(count > MOST_SHOWN ? " ..." : "");
}

static void print_report(const char *path, const cobloc_truth *t, const cobloc_matrix *m)
{
    printf("%s: %lld rows, %lld columns, %lld non-zeros, %.2f %% zeros\n", path,
           (long long)cobloc_matrix_rows(m), (long long)cobloc_matrix_cols(m),
           (long long)cobloc_matrix_nnz(m), 100 * zeros(m));
    print_sizes("row", t, "row_sizes");
    print_sizes("column", t, "col_sizes");
}

/* ---- running --------------------------------------------------------------------------------- */

static void list_presets(FILE *to)
{
    fputs("Presets:\n", to);
    for (int p = 0; p < cobloc_preset_count(); p++)
        fprintf(to, "  %-33s %s\n", cobloc_preset_name(p), cobloc_preset_title(p));
}

static int draw(const cli_args *args, const cobloc_simulation *s, const cobloc_io_options *io)
{
    cobloc_matrix *matrix = NULL;
    cobloc_truth *truth = NULL;
    cobloc_error err;
    const char *path = cli_value(args, "output");
    int code = CLI_DONE;
    if (cobloc_simulate(s, &matrix, &truth, &err) != COBLOC_OK ||
        cobloc_truth_write(truth, matrix, path, io, &err) != COBLOC_OK) {
        code = cli_fail(&err);
    } else {
        cli_progress_end();
        if (cli_value(args, "json"))
            code = cli_print_json(report(s, truth, matrix));
        else
            print_report(path, truth, matrix);
    }
    cobloc_matrix_free(matrix);
    cobloc_truth_free(truth);
    return code;
}

static int run(const cli_args *args)
{
    cobloc_simulation *simulation = NULL;
    cobloc_io_options *io = NULL;
    int code = CLI_USAGE;
    if (cli_value(args, "list")) {
        list_presets(stdout);
        return CLI_DONE;
    }
    if (!cli_value(args, "output"))
        cli_usage_error(args->command, "the file to write is missing: -o");
    else if (cli_io_options(args, &io) && cli_set(args, io, "", "to=format") &&
             (simulation = describe(args, &code)) && override(args, simulation))
        code = draw(args, simulation, io);
    cobloc_simulation_free(simulation);
    cobloc_io_options_free(io);
    return code;
}

static const cli_option options[] = {
    {"spec", 0, "FILE", "Draw what this JSON file describes, instead of a preset."},
    {"output", 'o', "FILE", "The matrix to write, in the format that its ending names."},
    {"to", 0, "NAME", "Write this format, instead of going by the ending."},
    {"rows", 0, "N", "So many rows, instead of the preset's or the file's number."},
    {"cols", 0, "D", "So many columns."},
    {"density", 0, "P", "Scale the parameters so that this share of the cells is not zero."},
    {"seed", 's', "S", "Same seed, same matrix, whatever the threads (default 1)."},
    {"threads", 't', "N", "Use this many threads (default: one for each core)."},
    {"list", 0, NULL, "List the presets, and stop."},
    {"json", 0, NULL, "Print one JSON object."},
    {NULL, 0, NULL, NULL},
};

const cli_command cli_simulate = {
    .name = "simulate",
    .words = "[PRESET]",
    .word_count = 1,
    .optional_count = 1,
    .summary = "Draw a matrix from a latent block model, with the clusters it was drawn from.",
    .details =
        "Beside the matrix NAME.mtx (or .cbm, .npz, ...) the truth is written, one a line: the "
        "clusters of the rows to NAME.labels.txt and those of the columns to NAME.collabels.txt; "
        "for Poisson models the effects to NAME.row-effects.txt and NAME.col-effects.txt, which "
        "'cobloc fit' takes by its options of these names.\n\n"
        "--rows and --cols change the size of a preset and nothing else: the cells keep their "
        "distribution. Time and memory follow the non-zeros; --density sets their share.\n\n"
        "The JSON file has the keys model (poisson or bernoulli), n, d, parameters (a list of rows "
        "of blocks) and, where wanted, row_proportions, col_proportions, row_effects, col_effects "
        "(a number, a list, or {\"distribution\": \"lognormal\", \"mean\": 80, \"sigma\": 0.5}; "
        "also constant, poisson, and gamma with a shape), density and seed.",
    .more_help = list_presets,
    .options = options,
    .run = run,
};
