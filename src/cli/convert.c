/* cobloc convert: from one matrix file to another.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

#include <string.h>

#define WEIGHTS "none (default), binary, tfidf, rownorm, log, sqrt, bm25 or bm25idf"

static const cli_group own_group;

/* What --weight names; false after a complaint. */
static bool find_weight(const cli_args *args, cobloc_weight *weight)
{
    const char *name = cli_value(args, "weight");
    for (*weight = COBLOC_WEIGHT_NONE; name && *weight <= COBLOC_WEIGHT_BM25IDF; ++*weight)
        if (strcmp(cobloc_weight_name(*weight), name) == 0)
            return true;
    if (name)
        cli_usage_error(args->command, "--weight is '%s', expected " WEIGHTS, name);
    return !name;
}

/* Takes `made`, if it was made, in the place of *matrix. */
static void replace(cobloc_matrix **matrix, cobloc_matrix *made)
{
    if (made) {
        cobloc_matrix_free(*matrix);
        *matrix = made;
    }
}

static cobloc_status prepare(cobloc_matrix **matrix, cobloc_weight weight, bool drop_empty,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *filled = NULL, *weighted = NULL;
    if (drop_empty)
        status = cobloc_matrix_drop_empty(*matrix, &filled, NULL, NULL, err);
    replace(matrix, filled);
    if (status == COBLOC_OK && weight != COBLOC_WEIGHT_NONE)
        status = cobloc_matrix_weighted(*matrix, weight, &weighted, err);
    replace(matrix, weighted);
    return status;
}

static int run(const cli_args *args)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    cobloc_weight weight;
    int code = CLI_DONE;
    if (!find_weight(args, &weight))
        return CLI_USAGE;
    const char *from = cli_input_path(args->words[0]);
    if (!from)
        return CLI_FAILED;
    if (cli_value(args, "label-field"))
        cobloc_set_text(cli_made(args, &cli_io_group), "label_field",
                        cli_value(args, "label-field"), NULL);
    if (cobloc_write_check(args->words[1], &err) != COBLOC_OK ||
        cobloc_matrix_read(from, cli_made(args, &cli_io_group), &matrix, &err) != COBLOC_OK ||
        prepare(&matrix, weight, cli_value(args, "drop-empty") != NULL, &err) != COBLOC_OK ||
        cobloc_matrix_write(matrix, args->words[1], cli_made(args, &own_group), &err) !=
            COBLOC_OK) {
        code = cli_fail_input(args->words[0], &err);
    } else {
        cli_progress_end();
        cli_tell(cli_beside(args->words[1]), "%s: %lld rows, %lld columns, %lld non-zeros",
                 args->words[1], (long long)cobloc_matrix_rows(matrix),
                 (long long)cobloc_matrix_cols(matrix), (long long)cobloc_matrix_nnz(matrix));
    }
    cobloc_matrix_free(matrix);
    return code;
}

CLI_DEFINE_MAKER(io_options)

static const cli_option options[] = {
    {"to", 0, "NAME", "format", "Format to write. By default that of the ending of OUT."},
    {"weight", 'w', "NAME", NULL, "Weight the entries: " WEIGHTS "."},
    {"label-field", 0, "NAME", NULL,
     "Column of obs with the known classes of the rows, in an AnnData file."},
    {"drop-empty", 0, NULL, NULL, "Leave out empty rows and columns."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(io_options), .options = options};

static const cli_example examples[] = {
    {"cobloc convert docs.mtx.gz docs.cbm", "To a file that is mapped rather than read."},
    {"cobloc convert table.csv weighted.mtx --weight tfidf --drop-empty",
     "Weighted, without empty rows and columns."},
    {"cobloc convert cells.h5ad cells.cbm --variable layers/counts --label-field cell_type",
     "A layer of an AnnData file, with the known classes of the cells."},
    {NULL, NULL},
};

const cli_command cli_convert = {
    .name = "convert",
    .words = "IN OUT",
    .word_count = 2,
    .summary = "Convert a matrix from one file format to another.",
    .details =
        "The format of IN is detected from its content, that of OUT from its ending; text formats "
        "are compressed if OUT ends in .gz. Names and labels that the format of OUT cannot hold "
        "are written beside it, to NAME.rows.txt, NAME.terms.txt and NAME.labels.txt. OUT appears "
        "only when it is complete.\n\n"
        "A .cbm file is mapped rather than read, whatever its size: convert large matrices to it "
        "once.",
    .more_help = cli_list_formats,
    .examples = examples,
    .groups = {&own_group, &cli_io_group},
    .run = run,
};
