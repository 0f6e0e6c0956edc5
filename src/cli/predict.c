/* cobloc predict: new rows into the blocs of a result.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

#include <stdlib.h>
#include <string.h>

static const cli_group own_group;

/* Everything that is shown. */
typedef struct placed {
    const cobloc_matrix *matrix;
    const cobloc_prediction *prediction;
    const char *model;
    int64_t n, k;
    const int32_t *labels;
    const double *probabilities; /* n by k, or NULL */
    bool all;                    /* the probabilities of all clusters */
    bool excerpts;
    const cobloc_scores *scores; /* against known classes; NULL: there are none */
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
    char number[CLI_NUMBER_ROOM], text[CLI_EXCERPT_ROOM];
    fprintf(to, "name\tcluster%s", d->probabilities ? "\tprobability" : "");
    for (int k = 0; all && k < d->k; k++)
        fprintf(to, "\t%d", k);
    fputs(d->excerpts ? "\texcerpt\n" : "\n", to);
    for (int64_t i = 0; i < d->n; i++) {
        cli_put_name(to, cli_row_name(d->matrix, i, number));
        fprintf(to, "\t%d", (int)d->labels[i]);
        if (d->probabilities)
            fprintf(to, "\t%.10g", probability_of(d, i));
        for (int64_t k = 0; all && k < d->k; k++)
            fprintf(to, "\t%.10g", shown(d->probabilities[i * d->k + k]));
        if (d->excerpts) {
            cobloc_matrix_excerpt(d->matrix, i, NULL, text, sizeof text);
            putc('\t', to);
            cli_put_name(to, text);
        }
        putc('\n', to);
    }
}

static json_t *row_object(const placed *d, int64_t row)
{
    char number[CLI_NUMBER_ROOM];
    json_t *object = json_object();
    json_object_set_new(object, "name", cli_json_text(cli_row_name(d->matrix, row, number)));
    json_object_set_new(object, "cluster", json_integer(d->labels[row]));
    if (d->probabilities)
        json_object_set_new(object, "probability", cli_json_number(probability_of(d, row)));
    if (d->probabilities && d->all) {
        json_t *list = json_array();
        for (int64_t k = 0; k < d->k; k++)
            json_array_append_new(list, cli_json_number(d->probabilities[row * d->k + k]));
        json_object_set_new(object, "probabilities", list);
    }
    if (d->excerpts) {
        char text[CLI_EXCERPT_ROOM];
        cobloc_matrix_excerpt(d->matrix, row, NULL, text, sizeof text);
        json_object_set_new(object, "excerpt", cli_json_text(text));
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
    if (d->scores)
        json_object_set_new(object, "scores", cli_json_object(d->scores, "", "acc nmi ari"));
    return object;
}

/* What is not as it was when the blocs were made. */
static void warn(const cobloc_prediction *p)
{
    long long unknown = cobloc_int(p, "unknown_cols"), missing = cobloc_int(p, "missing_cols");
    long long unplaced = cobloc_int(p, "unplaced");
    if (unknown > 0)
        cli_note("left out: %lld column%s that the result knows nothing of, with %.3g %% of all "
                 "entries",
                 unknown, cli_plural(unknown), 100 * cobloc_real(p, "unknown_share"));
    if (missing > 0)
        cli_note("missing: %lld column%s of the result, taken as 0", missing, cli_plural(missing));
    if (unplaced > 0)
        cli_note("in no cluster (-1): %lld row%s without an entry that is known", unplaced,
                 cli_plural(unplaced));
}

/* ---- running --------------------------------------------------------------------------------- */

static void show(const cli_args *args, const placed *d)
{
    const char *path = cli_value(args, "output");
    cli_progress_end();
    if (path)
        cli_write_file(path, write_table, d);
    warn(d->prediction);
    if (d->scores && (cli_value(args, "truth") || cli_value(args, "labels-from-folders")))
        cli_note("against the truth: accuracy %.3f, NMI %.3f, ARI %.3f",
                 cobloc_real(d->scores, "acc"), cobloc_real(d->scores, "nmi"),
                 cobloc_real(d->scores, "ari"));
    if (cli_value(args, "json"))
        cli_print_json(all_object(d));
    else if (!path)
        write_table(d, stdout);
}

static void predict(const cli_args *args, const cobloc_saved *saved, const cobloc_matrix *matrix)
{
    int64_t known = 0;
    cobloc_prediction *prediction = NULL;
    cobloc_scores *scores = NULL;
    cobloc_labels *truth = cli_read_truth(args, matrix);
    const int32_t *classes = cobloc_ints(truth, &known, "labels");
    cli_must(cobloc_predict(saved, matrix, cli_made(args, &own_group), &prediction, &cli_error));
    placed d = {.matrix = matrix, .prediction = prediction};
    d.model = cobloc_text(saved, "result.model");
    d.k = cobloc_int(prediction, "k");
    d.labels = cobloc_ints(prediction, &d.n, "labels");
    d.probabilities = cobloc_reals(prediction, NULL, "probabilities");
    d.all = cli_value(args, "all") != NULL;
    d.excerpts = cli_value(args, "excerpts") != NULL;
    if (known > 0)
        cli_must(cobloc_score(d.labels, classes, d.n, &scores, &cli_error));
    d.scores = scores;
    if (cli_rank() == 0)
        show(args, &d);
    cobloc_scores_free(scores);
    cobloc_labels_free(truth);
    cobloc_prediction_free(prediction);
}

/* A table may be a matrix or text: text, if the result was made from a field of its documents. */
static bool is_table_of_text(const cli_args *args, const cobloc_text_options *o)
{
    const char *dot = strrchr(args->words[1], '.');
    return dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".tsv") == 0) &&
           !cli_value(args, "format") && cobloc_text(o, "field");
}

/* Options that find the terms of the fit in new documents as they were found then. */
static cobloc_text_options *text_as_fitted(const cobloc_saved *saved)
{
    int64_t d = cobloc_int(saved, "result.d");
    cobloc_text_options *o = NULL;
    const char **terms = cli_memory(malloc((size_t)d * sizeof *terms));
    cli_must(cobloc_text_options_from_json(cobloc_text(saved, "text"), &o, &cli_error));
    for (int64_t j = 0; j < d; j++)
        terms[j] = cobloc_saved_col_name(saved, j);
    cli_must(cobloc_set_texts(o, "vocabulary", terms, d, &cli_error));
    free(terms);
    return o;
}

/* Reads INPUT for a result that was not made from text. */
static cobloc_matrix *read_matrix(const cli_args *args, const cobloc_saved *saved)
{
    cobloc_matrix *matrix = NULL;
    cobloc_corpus corpus = COBLOC_CORPUS_AUTO;
    cobloc_status status =
        cobloc_matrix_read(args->words[1], cli_made(args, &cli_io_group), &matrix, &cli_error);
    if (status != COBLOC_OK)
        cobloc_text_recognise(args->words[1], &corpus, NULL);
    if (corpus != COBLOC_CORPUS_AUTO)
        snprintf(cli_error.message, sizeof cli_error.message,
                 "%s was not made from text: '%s' must be a matrix with the same columns",
                 cobloc_text(saved, "folder"), args->words[1]);
    cli_must(status);
    return matrix;
}

/* Reads INPUT for a result that was made from text: a matrix, or text. */
static cobloc_matrix *read_text(const cli_args *args, const cobloc_saved *saved)
{
    cobloc_text_options *o = text_as_fitted(saved);
    cobloc_set_text(o, "corpus", is_table_of_text(args, o) ? "csv" : "auto", NULL);
    cli_watch(o);
    if (cli_value(args, "labels-from-folders"))
        cobloc_set_flag(o, "labels_from_folders", 1, NULL);
    cli_set_group(args, &cli_documents_group, o);
    cli_set(args, o, "threads", "threads");
    cobloc_matrix *matrix = cli_read_input(args, args->words[1], o);
    cobloc_text_options_free(o);
    return matrix;
}

static void run(const cli_args *args)
{
    cobloc_saved *saved = NULL;
    cli_check_write(args, "output");
    cli_must(cobloc_saved_read(args->words[0], &saved, &cli_error));
    cobloc_matrix *matrix = (cobloc_text(saved, "text") ? read_text : read_matrix)(args, saved);
    predict(args, saved, matrix);
    cobloc_matrix_free(matrix);
    cobloc_saved_free(saved);
}

/* Prints which models can. */
static void list_models(FILE *to)
{
    fputs("Models that can place new rows:", to);
    for (int m = 0; m < cobloc_model_count(); m++)
        if (cobloc_model_predicts(m))
            fprintf(to, " %s", cobloc_model_name(m));
    putc('\n', to);
}

CLI_DEFINE_MAKER(predict_options)

static const cli_option options[] = {
    {"output", 'o', "FILE", NULL, "Write the table to this file, instead of standard output."},
    {"all", 0, NULL, NULL, "Show the probabilities of all clusters, not only of the best one."},
    {"excerpts", 0, NULL, NULL, "Show how each document begins, where INPUT is text."},
    {"row-effects", 0, "FILE", "row_effects", NULL},
    {"truth", 0, "FILE", NULL,
     "Known classes of the new rows, to score the prediction against. By default the labels that "
     "INPUT holds, if any."},
    {"labels-from-folders", 0, NULL, NULL,
     "Text: take the folder of a file as the known class of its document."},
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(predict_options), .options = options};

static const cli_example examples[] = {
    {"cobloc predict result new.mtx", "The bloc of each new row."},
    {"cobloc predict result texts/ --all -o placed.tsv",
     "New texts, with the probabilities of all clusters."},
    {NULL, NULL},
};

const cli_command cli_predict = {
    .name = "predict",
    .words = "RESULT INPUT",
    .word_count = 2,
    .summary = "Place new rows into the blocs of a result.",
    .details =
        "RESULT is a folder that cobloc fit or select wrote with -o. INPUT is a matrix with new "
        "rows in any format that 'cobloc info' reads or, if RESULT was made from text, new text: "
        "its terms are found in the same way as those of the fitted text. Prints a table like "
        "rows.tsv: name, cluster and, for models that have it, the probability of that "
        "cluster.\n\n"
        "Columns are matched by name if both matrices have names: columns that were not fitted are "
        "left out, those that are missing count as 0, and a message says how many there are. "
        "Otherwise both must have the same number of columns. Weights are those of the fit: TF-IDF "
        "uses the frequencies in the fitted matrix.\n\n"
        "Rows are assigned by the rule that the fitted rows were assigned by last. Rows without an "
        "entry in a known column are in no cluster (-1), except for models that count zeros.",
    .more_help = list_models,
    .examples = examples,
    .groups = {&own_group, &cli_documents_group, &cli_io_group},
    .shares = true,
    .run = run,
};
