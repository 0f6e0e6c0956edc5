/* cobloc convert: from one matrix file to another.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    cobloc_weight weight;
} weights[] = {{"none", COBLOC_WEIGHT_NONE},
               {"binary", COBLOC_WEIGHT_BINARY},
               {"tfidf", COBLOC_WEIGHT_TFIDF},
               {"rownorm", COBLOC_WEIGHT_ROWNORM}};

static bool parse_weight(const cli_args *args, cobloc_weight *weight)
{
    const char *name = cli_value(args, "weight");
    *weight = COBLOC_WEIGHT_NONE;
    if (!name)
        return true;
    for (size_t w = 0; w < sizeof weights / sizeof *weights; w++)
        if (strcmp(weights[w].name, name) == 0) {
            *weight = weights[w].weight;
            return true;
        }
    cli_usage_error(args->command, "--weight is '%s', expected none, binary, tfidf or rownorm",
                    name);
    return false;
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

static int convert(const cli_args *args, const cobloc_io_options *in, const cobloc_io_options *out,
                   cobloc_weight weight)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    int code = CLI_DONE;
    if (cobloc_matrix_read(args->words[0], in, &matrix, &err) != COBLOC_OK ||
        prepare(&matrix, weight, cli_value(args, "drop-empty") != NULL, &err) != COBLOC_OK ||
        cobloc_matrix_write(matrix, args->words[1], out, &err) != COBLOC_OK) {
        code = cli_fail(&err);
    } else {
        cli_progress_end();
        printf("%s: %lld rows, %lld columns, %lld non-zeros\n", args->words[1],
               (long long)cobloc_matrix_rows(matrix), (long long)cobloc_matrix_cols(matrix),
               (long long)cobloc_matrix_nnz(matrix));
    }
    cobloc_matrix_free(matrix);
    return code;
}

static int run(const cli_args *args)
{
    cobloc_io_options *in = NULL, *out = NULL;
    cobloc_weight weight;
    int code = CLI_USAGE;
    if (cli_io_options(args, &in) && cli_io_options(args, &out) && parse_weight(args, &weight)) {
        cobloc_set_text(out, "format", cli_value(args, "to"), NULL);
        code = convert(args, in, out, weight);
    }
    cobloc_io_options_free(in);
    cobloc_io_options_free(out);
    return code;
}

static const cli_option options[] = {
    {"to", 0, "NAME", "Write this format, instead of going by the ending of OUT."},
    {"weight", 'w', "NAME", "Weigh the entries: none (default), binary, tfidf or rownorm."},
    {"drop-empty", 0, NULL, "Leave out rows and columns that hold nothing."},
    CLI_INPUT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const cli_command cli_convert = {
    .name = "convert",
    .words = "IN OUT",
    .word_count = 2,
    .summary = "Convert a matrix from one file format to another.",
    .details =
        "IN is recognised by its content, OUT by its ending; text formats are compressed where "
        "OUT ends in .gz. Names and labels that the format of OUT cannot hold are written "
        "beside it, to NAME.rows.txt, NAME.terms.txt and NAME.labels.txt. OUT appears only when "
        "it is complete.\n\n"
        "A .cbm file is opened without being read, whatever its size: convert large matrices "
        "to it once.",
    .more_help = cli_list_formats,
    .options = options,
    .run = run,
};
