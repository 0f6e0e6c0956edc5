/* cobloc convert: from one matrix file to another.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

#include <string.h>

#define WEIGHTS "none (default), binary, tfidf, rownorm, log, sqrt, bm25 or bm25idf"

static const cli_group own_group;

/* What --weight names. */
static cobloc_weight find_weight(const cli_args *args)
{
    const char *name = cli_value(args, "weight");
    if (!name)
        return COBLOC_WEIGHT_NONE;
    for (cobloc_weight w = COBLOC_WEIGHT_NONE; w <= COBLOC_WEIGHT_BM25IDF; w++)
        if (strcmp(cobloc_weight_name(w), name) == 0)
            return w;
    cli_stop_usage(args->command, "--weight is '%s', expected " WEIGHTS, name);
}

/* Takes `made`, if it was made, in the place of *matrix. */
static void replace(cobloc_matrix **matrix, cobloc_matrix *made)
{
    if (made) {
        cobloc_matrix_free(*matrix);
        *matrix = made;
    }
}

static void run(const cli_args *args)
{
    const char *in = args->words[0], *out = args->words[1];
    cobloc_matrix *matrix = NULL, *filled = NULL, *weighted = NULL;
    cobloc_weight weight = find_weight(args);
    const char *from = cli_input_path(in);
    if (cli_value(args, "label-field"))
        cobloc_set_text(cli_made(args, &cli_io_group), "label_field",
                        cli_value(args, "label-field"), NULL);
    if (!cli_value(args, "shards"))
        cli_must(cobloc_write_check(out, &cli_error));
    cli_must_input(in,
                   cobloc_matrix_read(from, cli_made(args, &cli_io_group), &matrix, &cli_error));
    if (cli_value(args, "drop-empty"))
        cli_must_input(in, cobloc_matrix_drop_empty(matrix, &filled, NULL, NULL, &cli_error));
    replace(&matrix, filled);
    if (weight != COBLOC_WEIGHT_NONE)
        cli_must_input(in, cobloc_matrix_weighted(matrix, weight, &weighted, &cli_error));
    replace(&matrix, weighted);
    cli_must_input(in, cobloc_matrix_write(matrix, out, cli_made(args, &own_group), &cli_error));
    cli_progress_end();
    cli_tell(cli_beside(out), "%s: %lld rows, %lld columns, %lld non-zeros", out,
             (long long)cobloc_matrix_rows(matrix), (long long)cobloc_matrix_cols(matrix),
             (long long)cobloc_matrix_nnz(matrix));
    cobloc_matrix_free(matrix);
}

CLI_DEFINE_MAKER(io_options)

static const cli_option options[] = {
    {"to", 0, "NAME", "format", "Format to write. By default that of the ending of OUT."},
    {"weight", 'w', "NAME", NULL, "Weight the entries: " WEIGHTS "."},
    {"label-field", 0, "NAME", NULL,
     "Column of obs with the known classes of the rows, in an AnnData file."},
    {"shards", 0, "N", "shards",
     "Write a folder of N .cbm files, each with a share of the rows and of the columns, for N "
     "machines that have no common disk."},
    {"drop-empty", 0, NULL, NULL, "Leave out empty rows and columns."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(io_options), .options = options};

static const cli_example examples[] = {
    {"cobloc convert docs.mtx.gz docs.cbm", "To a file that is mapped rather than read."},
    {"cobloc convert table.csv weighted.mtx --weight tfidf --drop-empty",
     "Weighted, without empty rows and columns."},
    {"cobloc convert big.mtx big/ --shards 8", "A folder of 8 files, for as many machines."},
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
        "once. With --shards, OUT is a folder that is read as if it were that file; under mpirun, "
        "a machine needs only the files of its own share of it.",
    .more_help = cli_list_formats,
    .examples = examples,
    .groups = {&own_group, &cli_io_group},
    .run = run,
};
