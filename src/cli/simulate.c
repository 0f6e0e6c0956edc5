/* cobloc simulate: draws a matrix whose clusters are known.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

/* ---- what to draw ---------------------------------------------------------------------------- */

static const cli_group own_group, file_group;

/* The description that was asked for. */
static cobloc_simulation *describe(const cli_args *args)
{
    cobloc_simulation *simulation = NULL;
    const char *spec = cli_value(args, "spec"), *preset = args->word_count ? args->words[0] : NULL;
    if ((spec != NULL) == (preset != NULL))
        cli_stop_usage(args->command, "expected either a PRESET or --spec FILE");
    if (preset && cobloc_simulation_preset(preset, &simulation, &cli_error) != COBLOC_OK)
        cli_stop_usage(args->command, "%s", cli_error.message);
    if (spec)
        cli_must(cobloc_simulation_read(spec, &simulation, &cli_error));
    cli_watch(simulation);
    cli_set_group(args, &own_group, simulation);
    return simulation;
}

/* ---- reporting ------------------------------------------------------------------------------- */

static double zeros(const cobloc_matrix *matrix)
{
    double cells = (double)cobloc_matrix_rows(matrix) * (double)cobloc_matrix_cols(matrix);
    return 1 - (double)cobloc_matrix_nnz(matrix) / cells;
}

static json_t *report(const cobloc_simulation *s, const cobloc_truth *t, const cobloc_matrix *m)
{
    json_t *object =
        cli_json_object(t, "", "k l row_sizes col_sizes parameters model=law n=rows d=cols");
    json_object_set_new(object, "nnz", json_integer(cobloc_matrix_nnz(m)));
    json_object_set_new(object, "zeros", json_real(zeros(m)));
    json_object_set_new(object, "total", json_real(cobloc_matrix_total(m)));
    json_object_set_new(object, "seed", cli_json_value(s, "seed"));
    return object;
}

static void print_sizes(FILE *to, const char *side, const cobloc_truth *t, const char *name)
{
    enum { MOST_SHOWN = 20 };
    int64_t count;
    const int64_t *sizes = cobloc_int64s(t, &count, "%s", name);
    fprintf(to, "  %lld %s cluster%s of", (long long)count, side, count == 1 ? "" : "s");
    for (int64_t c = 0; c < count && c < MOST_SHOWN; c++)
        fprintf(to, " %lld", (long long)sizes[c]);
    fputs(count > MOST_SHOWN ? " ...\n" : "\n", to);
}

static void print_report(const char *path, const cobloc_truth *t, const cobloc_matrix *m)
{
    FILE *to = cli_beside(path);
    cli_say(to, "%s: %lld rows, %lld columns, %lld non-zeros, %.2f %% zeros", path,
            (long long)cobloc_matrix_rows(m), (long long)cobloc_matrix_cols(m),
            (long long)cobloc_matrix_nnz(m), 100 * zeros(m));
    print_sizes(to, "row", t, "row_sizes");
    print_sizes(to, "column", t, "col_sizes");
}

/* ---- running --------------------------------------------------------------------------------- */

static void list_presets(FILE *to)
{
    fputs("Presets:\n", to);
    for (int p = 0; p < cobloc_preset_count(); p++)
        fprintf(to, "  %-33s %s\n", cobloc_preset_name(p), cobloc_preset_title(p));
}

static void run(const cli_args *args)
{
    cobloc_matrix *matrix = NULL;
    cobloc_truth *truth = NULL;
    const char *path = cli_value(args, "output");
    if (cli_value(args, "list")) {
        list_presets(stdout);
        return;
    }
    if (!path)
        cli_stop_usage(args->command, "the file to write is missing: -o");
    cli_check_write(args, "output");
    cobloc_simulation *simulation = describe(args);
    cli_must(cobloc_simulate(simulation, &matrix, &truth, &cli_error));
    cli_must(cobloc_truth_write(truth, matrix, path, cli_made(args, &file_group), &cli_error));
    cli_progress_end();
    if (cli_value(args, "json"))
        cli_print_json(report(simulation, truth, matrix));
    else if (!cli_is_quiet())
        print_report(path, truth, matrix);
    cobloc_matrix_free(matrix);
    cobloc_truth_free(truth);
    cobloc_simulation_free(simulation);
}

CLI_DEFINE_MAKER(simulation)
CLI_DEFINE_MAKER(io_options)

static const cli_option options[] = {
    {"spec", 0, "FILE", NULL, "Draw what this JSON file describes, instead of a preset."},
    {"rows", 0, "N", "rows", "Number of rows, instead of the preset's or the file's."},
    {"cols", 0, "D", "cols", "Number of columns."},
    {"density", 0, "P", "density", NULL},
    {"seed", 's', "S", "seed", NULL},
    {"threads", 't', "N", "threads", NULL},
    {"max-memory", 0, "SIZE", "max_memory",
     "Memory to hold at most, such as 500M or 4G. What is larger is kept in temporary files (in "
     "TMPDIR, else in /var/tmp), and the matrix is the same. By default no limit."},
    {"list", 0, NULL, NULL, "List the presets, and stop."},
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {"output", 'o', "FILE", NULL, "Matrix to write, in the format given by its ending."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_option file_table[] = {
    {"to", 0, "NAME", "format", "Format to write. By default that of the file's ending."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(simulation), .options = options};
static const cli_group file_group = {CLI_MAKER(io_options), .options = file_table};

static const cli_example examples[] = {
    {"cobloc simulate --list", "The presets."},
    {"cobloc simulate splbm --rows 5000 --cols 2000 -o drawn.mtx",
     "A larger table from a preset, with its truth beside it."},
    {"cobloc simulate --spec mine.json --seed 7 -o drawn.cbm", "A model of your own."},
    {NULL, NULL},
};

const cli_command cli_simulate = {
    .name = "simulate",
    .words = "[PRESET]",
    .word_count = 1,
    .optional_count = 1,
    .summary = "Draw a matrix from a latent block model, together with its true clusters.",
    .details =
        "The truth is written beside the matrix NAME.mtx (or .cbm, .npz, ...), one value per line: "
        "the clusters of the rows to NAME.labels.txt and those of the columns to "
        "NAME.collabels.txt; for Poisson models the effects to NAME.row-effects.txt and "
        "NAME.col-effects.txt, which 'cobloc fit' takes by its options of the same names.\n\n"
        "--rows and --cols change the size of a preset and nothing else: the cells keep their "
        "distribution. Time and memory grow with the non-zeros; --density sets their share.\n\n"
        "The JSON file has the keys model (poisson or bernoulli), n, d, parameters (a list of rows "
        "of blocks) and, optionally, row_proportions, col_proportions, row_effects, col_effects "
        "(a number, a list, or {\"distribution\": \"lognormal\", \"mean\": 80, \"sigma\": 0.5}; "
        "also constant, poisson, and gamma with a shape), density and seed.",
    .more_help = list_presets,
    .examples = examples,
    .groups = {&own_group, &file_group},
    .run = run,
};
