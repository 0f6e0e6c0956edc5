/* cobloc predict: new rows into the blocs of a result.
 * SPDX-License-Identifier: MIT
 */
#include "fit_report.h"
#include "input.h"
#include "text_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Everything that is shown. */
typedef struct placed {
    const cobloc_result *result;
    const cobloc_matrix *matrix;
    const cobloc_prediction *prediction;
    bool all; /* the probabilities of all clusters */
} placed;

/* ---- showing --------------------------------------------------------------------------------- */

static double probability_of(const cobloc_prediction *p, int64_t row)
{
    return p->labels[row] < 0 ? 0 : p->probabilities[row * p->k + p->labels[row]];
}

/* What is next to nothing is shown as nothing. */
static double shown(double probability)
{
    return probability < 1e-12 ? 0 : probability;
}

static void write_table(const void *data, FILE *to)
{
    const placed *d = data;
    const cobloc_prediction *p = d->prediction;
    bool all = d->all && p->probabilities;
    char number[CLI_NUMBER_ROOM];
    fprintf(to, "name\tcluster%s", p->probabilities ? "\tprobability" : "");
    for (int k = 0; all && k < p->k; k++)
        fprintf(to, "\t%d", k);
    putc('\n', to);
    for (int64_t i = 0; i < p->n; i++) {
        cli_put_name(to, cli_row_name(d->matrix, i, number));
        fprintf(to, "\t%d", (int)p->labels[i]);
        if (p->probabilities)
            fprintf(to, "\t%.10g", probability_of(p, i));
        for (int k = 0; all && k < p->k; k++)
            fprintf(to, "\t%.10g", shown(p->probabilities[i * p->k + k]));
        putc('\n', to);
    }
}

static json_t *row_object(const placed *d, int64_t row)
{
    const cobloc_prediction *p = d->prediction;
    char number[CLI_NUMBER_ROOM];
    json_t *object =
        json_pack("{s:o, s:i}", "name", cli_json_text(cli_row_name(d->matrix, row, number)),
                  "cluster", (int)p->labels[row]);
    if (p->probabilities)
        json_object_set_new(object, "probability", cli_json_number(probability_of(p, row)));
    if (p->probabilities && d->all) {
        json_t *list = json_array();
        for (int k = 0; k < p->k; k++)
            json_array_append_new(list, cli_json_number(p->probabilities[row * p->k + k]));
        json_object_set_new(object, "probabilities", list);
    }
    return object;
}

static json_t *all_object(const placed *d)
{
    const cobloc_prediction *p = d->prediction;
    json_t *rows = json_array();
    for (int64_t i = 0; i < p->n; i++)
        json_array_append_new(rows, row_object(d, i));
    return json_pack("{s:s, s:i, s:I, s:b, s:I, s:o, s:I, s:I, s:o}", "model", d->result->model,
                     "k", p->k, "n", (json_int_t)p->n, "by_name", p->by_name, "unknown_cols",
                     (json_int_t)p->unknown_cols, "unknown_share",
                     cli_json_number(p->unknown_share), "missing_cols", (json_int_t)p->missing_cols,
                     "unplaced", (json_int_t)p->unplaced, "rows", rows);
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* What is not as it was when the blocs were made. */
static void warn(const cobloc_prediction *p)
{
    if (p->unknown_cols > 0)
        cli_complain(
            "left out: %lld column%s that the result knows nothing of, with %.3g %% of all "
            "entries",
            (long long)p->unknown_cols, plural(p->unknown_cols), 100 * p->unknown_share);
    if (p->missing_cols > 0)
        cli_complain("missing: %lld column%s of the result, taken as 0", (long long)p->missing_cols,
                     plural(p->missing_cols));
    if (p->unplaced > 0)
        cli_complain("in no cluster (-1): %lld row%s without an entry that is known",
                     (long long)p->unplaced, plural(p->unplaced));
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
        placed d = {saved->result, matrix, prediction, cli_value(args, "all") != NULL};
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
static bool read_text(const cli_args *args, const cobloc_saved *saved, const cobloc_io_options *io,
                      cobloc_matrix **matrix, int *code)
{
    cobloc_text_options *o = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    int64_t d = saved->result->d;
    const char **terms = malloc((size_t)d * sizeof *terms);
    bool good = false;
    *code = CLI_FAILED;
    if (!terms)
        cli_complain("out of memory");
    else if (!saved->text)
        cli_complain("%s was not made from text: '%s' must be a matrix with the same columns",
                     saved->folder, args->words[1]);
    else if (cobloc_text_options_from_json(saved->text, &o, &err) != COBLOC_OK)
        *code = cli_fail(&err);
    else if (!cli_text_source(args, o))
        *code = CLI_USAGE;
    else {
        for (int64_t j = 0; j < d; j++)
            terms[j] = cobloc_saved_col_name(saved, j);
        o->vocabulary = terms;
        o->vocabulary_count = d;
        o->threads = io->threads;
        o->progress = io->progress;
        good = cob_text_read(args->words[1], o, matrix, NULL, &err) == COBLOC_OK;
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
    if (!table || !saved->text || cli_value(args, "format") ||
        cobloc_text_options_from_json(saved->text, &o, &err) != COBLOC_OK)
        return false;
    table = o->field != NULL;
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
        return read_text(args, saved, io, matrix, code);
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
    cobloc_io_options io;
    int code;
    if (!cli_io_options(args, &io))
        return CLI_USAGE;
    if (cobloc_saved_read(args->words[0], &saved, &err) != COBLOC_OK)
        code = cli_fail(&err);
    else if (read_rows(args, saved, &io, &matrix, &code))
        code = predict(args, saved, matrix);
    cobloc_matrix_free(matrix);
    cobloc_saved_free(saved);
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
