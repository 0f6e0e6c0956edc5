/* cobloc vectorize: from text to a matrix of documents by terms.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"
#include "text_options.h"

#include <string.h>

static json_t *report(const cobloc_matrix *matrix, const cobloc_text_info *info)
{
    return json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:{s:I, s:I, s:I}, s:I, s:s, s:s, s:f, s:f}",
        "corpus", cobloc_corpus_name(info->corpus), "files", (json_int_t)info->files, "documents",
        (json_int_t)info->documents, "terms", (json_int_t)info->terms, "nnz",
        (json_int_t)cobloc_matrix_nnz(matrix), "tokens", (json_int_t)info->tokens,
        "empty_documents", (json_int_t)cobloc_matrix_empty_rows(matrix), "dropped_terms",
        (json_int_t)(info->rare + info->frequent + info->beyond), "dropped", "rare",
        (json_int_t)info->rare, "frequent", (json_int_t)info->frequent, "beyond",
        (json_int_t)info->beyond, "invalid_bytes", (json_int_t)info->invalid_bytes, "language",
        info->language, "stem", info->stem, "language_share", info->language_share, "seconds",
        info->seconds);
}

static void print_report(const char *path, const cobloc_matrix *matrix,
                         const cobloc_text_info *info)
{
    printf("%s: %lld documents, %lld terms, %lld non-zeros\n", path, (long long)info->documents,
           (long long)info->terms, (long long)cobloc_matrix_nnz(matrix));
    cli_table *t = cli_table_new("lr");
    const struct {
        const char *name;
        int64_t value;
    } lines[] = {{"files read", info->files},
                 {"words counted", info->tokens},
                 {"documents without a term", cobloc_matrix_empty_rows(matrix)},
                 {"terms dropped: in too few documents", info->rare},
                 {"terms dropped: in too many documents", info->frequent},
                 {"terms dropped: beyond --max-terms", info->beyond}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (i < 2 || lines[i].value > 0) {
            cli_table_cell(t, "%s", lines[i].name);
            cli_table_cell(t, "%lld", (long long)lines[i].value);
        }
    cli_table_print(t, stdout);
}

static int run(const cli_args *args)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    cobloc_io_options io;
    cobloc_text_info info;
    const char *path = cli_value(args, "output");
    int code = CLI_USAGE;
    if (!cli_io_options(args, &io))
        return CLI_USAGE;
    if (!path)
        return cli_usage_error(args->command, "the file to write is missing: -o");
    io.format = cli_value(args, "to");
    if (!cli_text_read(args, args->words[0], &io, &matrix, &info, &code))
        return code;
    if (cobloc_matrix_write(matrix, path, &io, &err) != COBLOC_OK) {
        code = cli_fail(&err);
    } else {
        code = CLI_DONE;
        cli_progress_end();
        if (cli_value(args, "json"))
            code = cli_print_json(report(matrix, &info));
        else
            print_report(path, matrix, &info);
    }
    cobloc_matrix_free(matrix);
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
