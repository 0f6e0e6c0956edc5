/* cobloc predict: new rows into the blocs of a result.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"
#include "text_options.h"

#include <stdlib.h>
#include <string.h>

/* Everything that is shown. */
typedef struct placed {
    const cobloc_matrix *matrix;
    const cobloc_prediction *prediction;
    const char *model;
    int64_t n, k;
    const int32_t *labels;
    const double *probabilities; /* n by k, or NULL */
    bool all;                    /* the probabilities of all clusters */
} placed;

/* ---- showing --------------------------------------------------------------------------------- */

static double probability_of(const placed *d, int64_t row)
{
    return d->labels[row] < 0 ? 0 : d->probabilities[row * d->k + d->labels[row]];
}

/* What is next to nothing is shown as nothing. */
static double shown(double probability)
{
    return probability < 1e-12 ? 0 : probability;
}

static void write_table(const void *data, FILE *to)
{
    const placed *d = data;
    bool all = d->all && d->probabilities;
    char number[CLI_NUMBER_ROOM];
    fprintf(to, "name\tcluster%s", d->probabilities ? "\tprobability" : "");
    for (int k = 0; all && k < d->k; k++)
        fprintf(to, "\t%d", k);
    putc('\n', to);
    for (int64_t i = 0; i < d->n; i++) {
        cli_put_name(to, cli_row_name(d->matrix, i, number));
        fprintf(to, "\t%d", (int)d->labels[i]);
        if (d->probabilities)
            fprintf(to, "\t%.10g", probability_of(d, i));
        for (int64_t k = 0; all && k < d->k; k++)
            fprintf(to, "\t%.10g", shown(d->probabilities[i * d->k + k]));
        putc('\n', to);
    }
}

static json_t *row_object(const placed *d, int64_t row)
{
    char number[CLI_NUMBER_ROOM];
    json_t *object =
        json_pack("{s:o, s:i}", "name", cli_json_text(cli_row_name(d->matrix, row, number)),
                  "cluster", (int)d->labels[row]);
    if (d->probabilities)
        json_object_set_new(object, "probability", cli_json_number(probability_of(d, row)));
    if (d->probabilities && d->all) {
        json_t *list = json_array();
        for (int64_t k = 0; k < d->k; k++)
            json_array_append_new(list, cli_json_number(d->probabilities[row * d->k + k]));
        json_object_set_new(object, "probabilities", list);
    }
    return object;
}

static json_t *all_object(const placed *d)
{
    json_t *rows = json_array(), *object = json_pack("{s:s}", "model", d->model);
    for (int64_t i = 0; i < d->n; i++)
        json_array_append_new(rows, row_object(d, i));
    json_object_update_new(
        object, cli_json_object(d->prediction, "",
                                "k n by_name unknown_cols unknown_share missing_cols unplaced"));
    json_object_set_new(object, "rows", rows);
    return object;
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* What is not as it was when the blocs were made. */
static void warn(const cobloc_prediction *p)
{
    long long unknown = cobloc_int(p, "unknown_cols"), missing = cobloc_int(p, "missing_cols");
    long long unplaced = cobloc_int(p, "unplaced");
    if (unknown > 0)
        cli_complain(
            "left out: %lld column%s that the result knows nothing of, with %.3g %% of all "
            "entries",
            unknown, plural(unknown), 100 * cobloc_real(p, "unknown_share"));
    if (missing > 0)
        cli_complain("missing: %lld column%s of the result, taken as 0", missing, plural(missing));
    if (unplaced > 0)
        cli_complain("in no cluster (-1): %lld row%s without an entry that is known", unplaced,
                     plural(unplaced));
}

/* ---- running --------------------------------------------------------------------------------- */

static int show(const cli_args *args, const placed *d)
{
    const char *path = cli_value(args, "output");
    cli_progress_end();
    if (path && !cli_write_file(path, write_table, d))
        return CLI_FAILED;
    warn(d->prediction);
    if (cli_value(args, "json"))
        return cli_print_json(all_object(d));
    if (!path)
        write_table(d, stdout);
    return CLI_DONE;
}

static int predict(const cli_args *args, const cobloc_saved *saved, const cobloc_matrix *matrix)
{
    const char *effects_path = cli_value(args, "row-effects");
    double *effects = NULL;
    cobloc_prediction *prediction = NULL;
    cobloc_error err;
    int code = CLI_FAILED;
    if (effects_path && !(effects = cli_numbers(effects_path, cobloc_matrix_rows(matrix))))
        return CLI_FAILED;
    if (cobloc_predict(saved, matrix, effects, &prediction, &err) == COBLOC_OK) {
        placed d = {.matrix = matrix, .prediction = prediction};
        d.model = cobloc_text(saved, "result.model");
        d.k = cobloc_int(prediction, "k");
        d.labels = cobloc_ints(prediction, &d.n, "labels");
        d.probabilities = cobloc_reals(prediction, NULL, "probabilities");
        d.all = cli_value(args, "all") != NULL;
        code = show(args, &d);
    } else {
        code = cli_fail(&err);
    }
    cobloc_prediction_free(prediction);
    free(effects);
    return code;
}

/* Counts the terms of the fit in new documents, found as they were then; false after a complaint.
 */
static bool read_text(const cli_args *args, const cobloc_saved *saved, cobloc_matrix **matrix,
                      int *code)
{
    cobloc_text_options *o = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    int64_t d = cobloc_int(saved, "result.d");
    const char *settings = cobloc_text(saved, "text"), **terms = malloc((size_t)d * sizeof *terms);
    bool good = false;
    *code = CLI_FAILED;
    for (int64_t j = 0; terms && j < d; j++)
        terms[j] = cobloc_saved_col_name(saved, j);
    if (!terms)
        cli_complain("out of memory");
    else if (!settings)
        cli_complain("%s was not made from text: '%s' must be a matrix with the same columns",
                     cobloc_text(saved, "folder"), args->words[1]);
    else if (cobloc_text_options_from_json(settings, &o, &err) != COBLOC_OK ||
             cobloc_set_text(o, "corpus", "auto", &err) != COBLOC_OK ||
             cobloc_set_texts(o, "vocabulary", terms, d, &err) != COBLOC_OK)
        *code = cli_fail(&err);
    else if (!cli_text_source(args, o) || !cli_set(args, o, "", "threads"))
        *code = CLI_USAGE;
    else {
        cli_watch(o);
        good = cobloc_text_read(args->words[1], o, matrix, NULL, &err) == COBLOC_OK;
        if (!good)
            *code = cli_fail(&err);
    }
    cobloc_text_options_free(o);
    free(terms);
    return good;
}

/* A table may be a matrix or text: text, if the result was made from a field of its documents. */
static bool is_table_of_text(const cli_args *args, const cobloc_saved *saved)
{
    const char *dot = strrchr(args->words[1], '.');
    cobloc_text_options *o = NULL;
    cobloc_error err;
    bool table = dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".tsv") == 0);
    const char *settings = cobloc_text(saved, "text");
    if (!table || !settings || cli_value(args, "format") ||
        cobloc_text_options_from_json(settings, &o, &err) != COBLOC_OK)
        return false;
    table = cobloc_text(o, "field") != NULL;
    cobloc_text_options_free(o);
    return table;
}

/* Reads INPUT, a matrix or text; false after a complaint. */
static bool read_rows(const cli_args *args, const cobloc_saved *saved, const cobloc_io_options *io,
                      cobloc_matrix **matrix, int *code)
{
    cobloc_error err;
    bool text = false;
    cobloc_status status = cli_is_text(args, args->words[1], &text, &err);
    if (status == COBLOC_OK && (text || is_table_of_text(args, saved)))
        return read_text(args, saved, matrix, code);
    if (status == COBLOC_OK &&
        (status = cobloc_matrix_read(args->words[1], io, matrix, &err)) != COBLOC_OK)
        cli_text_hint(args->words[1], &err);
    if (status != COBLOC_OK)
        *code = cli_fail(&err);
    return status == COBLOC_OK;
}

static int run(const cli_args *args)
{
    cobloc_saved *saved = NULL;
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    cobloc_io_options *io = NULL;
    int code = CLI_USAGE;
    if (!cli_io_options(args, &io))
        ;
    else if (cobloc_saved_read(args->words[0], &saved, &err) != COBLOC_OK)
        code = cli_fail(&err);
    else if (read_rows(args, saved, io, &matrix, &code))
        code = predict(args, saved, matrix);
    cobloc_matrix_free(matrix);
    cobloc_saved_free(saved);
    cobloc_io_options_free(io);
    return code;
}

/* Prints which models can. */
static void list_models(FILE *to)
{
    fputs("New rows can be placed by:", to);
    for (int m = 0; m < cobloc_model_count(); m++)
        if (cobloc_model_predicts(m))
            fprintf(to, " %s", cobloc_model_name(m));
    putc('\n', to);
}

static const cli_option options[] = {
    {"output", 'o', "FILE", "Write the table to this file, instead of standard output."},
    {"all", 0, NULL, "Show the probabilities of all clusters, not of the own one alone."},
    {"row-effects", 0, "FILE",
     "Known margins of the new rows, for the Poisson models, instead of their sums."},
    {"json", 0, NULL, "Print one JSON object."},
    CLI_TEXT_SOURCE_OPTIONS,
    CLI_INPUT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const cli_command cli_predict = {
    .name = "predict",
    .words = "RESULT INPUT",
    .word_count = 2,
    .summary = "Place new rows into the blocs of a result.",
    .details =
        "RESULT is a folder that cobloc fit or select wrote with -o, INPUT a matrix with new rows "
        "in any format that 'cobloc info' reads or, where RESULT was made from text, new text: its "
        "terms are found as those of the fitted text were. It prints a table as rows.tsv: name, "
        "cluster and, "
        "for models that have them, the probability of that cluster.\n\n"
        "Columns are matched by name where both matrices have names: columns that were not fitted "
        "are left out, those that are missing are taken as 0, and it is said how many there are. "
        "Else both must have as many. Weights are those of the fit: TF-IDF goes by the "
        "frequencies in the fitted matrix.\n\n"
        "Rows choose their cluster by the rule that the fitted rows chose by last; rows without an "
        "entry in a known column are in none (-1), save for models that count zeros.",
    .more_help = list_models,
    .options = options,
    .run = run,
};
