/* cobloc vectorize: from text to a matrix of documents by terms.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"
#include "text_options.h"

static json_t *report(const cobloc_matrix *matrix, const cobloc_text_info *info)
{
    json_t *object = cli_json_object(info, "",
                                     "corpus files documents terms tokens invalid_bytes language "
                                     "stem language_share seconds");
    json_t *dropped = cli_json_object(info, "", "rare frequent beyond");
    int64_t all =
        cobloc_int(info, "rare") + cobloc_int(info, "frequent") + cobloc_int(info, "beyond");
    json_object_set_new(object, "nnz", json_integer(cobloc_matrix_nnz(matrix)));
    json_object_set_new(object, "empty_documents", json_integer(cobloc_matrix_empty_rows(matrix)));
    json_object_set_new(object, "dropped_terms", json_integer(all));
    json_object_set_new(object, "dropped", dropped);
    return object;
}

static void print_report(const char *path, const cobloc_matrix *matrix,
                         const cobloc_text_info *info)
{
    printf("%s: %lld documents, %lld terms, %lld non-zeros\n", path,
           (long long)cobloc_int(info, "documents"), (long long)cobloc_int(info, "terms"),
           (long long)cobloc_matrix_nnz(matrix));
    cli_table *t = cli_table_new("lr");
    const struct {
        const char *name;
        int64_t value;
    } lines[] = {{"files read", cobloc_int(info, "files")},
                 {"words counted", cobloc_int(info, "tokens")},
                 {"documents without a term", cobloc_matrix_empty_rows(matrix)},
                 {"terms dropped: in too few documents", cobloc_int(info, "rare")},
                 {"terms dropped: in too many documents", cobloc_int(info, "frequent")},
                 {"terms dropped: beyond --max-terms", cobloc_int(info, "beyond")}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (i < 2 || lines[i].value > 0) {
            cli_table_cell(t, "%s", lines[i].name);
            cli_table_cell(t, "%lld", (long long)lines[i].value);
        }
    cli_table_print(t, stdout);
}

static int vectorize(const cli_args *args, const cobloc_io_options *io, const char *path)
{
    cobloc_matrix *matrix = NULL;
    cobloc_text_info *info = NULL;
    cobloc_error err;
    int code = CLI_USAGE;
    if (!cli_text_read(args, args->words[0], &matrix, &info, &code))
        return code;
    if (cobloc_matrix_write(matrix, path, io, &err) != COBLOC_OK) {
        code = cli_fail(&err);
    } else {
        code = CLI_DONE;
        cli_progress_end();
        if (cli_value(args, "json"))
            code = cli_print_json(report(matrix, info));
        else
            print_report(path, matrix, info);
    }
    cobloc_matrix_free(matrix);
    cobloc_text_info_free(info);
    return code;
}

static int run(const cli_args *args)
{
    cobloc_io_options *io = NULL;
    const char *path = cli_value(args, "output");
    int code = CLI_USAGE;
    if (!path)
        cli_usage_error(args->command, "the file to write is missing: -o");
    else if (cli_io_options(args, &io) && cli_set(args, io, "", "to=format"))
        code = vectorize(args, io, path);
    cobloc_io_options_free(io);
    return code;
}

static const cli_option options[] = {
    {"output", 'o', "FILE", "The matrix to write, in the format that its ending names."},
    {"to", 0, "NAME", "Write this format, instead of going by the ending."},
    CLI_TEXT_OPTIONS,
    {"threads", 't', "N", "Use this many threads (default: one for each core)."},
    {"json", 0, NULL, "Print one JSON object."},
    {NULL, 0, NULL, NULL},
};

const cli_command cli_vectorize = {
    .name = "vectorize",
    .words = "CORPUS",
    .word_count = 1,
    .summary = "Turn text into a matrix: a row a document, a column a term.",
    .details =
        "CORPUS is a folder (each file in it or below is a document), a file with a document a "
        "line, JSON lines (--field), a CSV or TSV table (--column), or the SMART format of the "
        "classic collections; each may be gzip-compressed. Text is UTF-8; bytes that are not count "
        "as blanks, and stderr says how many there were. 'cobloc fit' and its kin take text by the "
        "same options.\n\n"
        "Words are taken by Unicode's rules, in lower case; stop words, numbers and single letters "
        "are left out, then terms in fewer than 3 documents or more than 95 % of them. The "
        "language of the stop words is that whose own are the most frequent in a sample, if they "
        "are a tenth of it. Columns are sorted by term.\n\n"
        "The counts are those of scikit-learn's CountVectorizer with --tokens word2 --numbers "
        "--stop-words none --min-df 1 --max-df 1.",
    .options = options,
    .run = run,
};
