/* cobloc vectorize: from text to a matrix of documents by terms.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

static const cli_group own_group;

static json_t *report(const cobloc_matrix *matrix, const cobloc_text_info *info)
{
    json_t *object = cli_json_object(info, "",
                                     "corpus files documents terms phrases tokens invalid_bytes "
                                     "binary unreadable converted encoding mails pages addresses "
                                     "blobs language "
                                     "stem language_share seconds");
    int64_t all =
        cobloc_int(info, "rare") + cobloc_int(info, "frequent") + cobloc_int(info, "beyond");
    json_object_set_new(object, "nnz", json_integer(cobloc_matrix_nnz(matrix)));
    json_object_set_new(object, "empty_documents", json_integer(cobloc_matrix_empty_rows(matrix)));
    json_object_set_new(object, "dropped_terms", json_integer(all));
    json_object_set_new(object, "dropped", cli_json_object(info, "", "rare frequent beyond"));
    return object;
}

static void print_report(const char *path, const cobloc_matrix *matrix,
                         const cobloc_text_info *info)
{
    FILE *to = cli_beside(path);
    long long documents = cobloc_int(info, "documents"), terms = cobloc_int(info, "terms");
    cli_say(to, "%s: %lld document%s, %lld term%s, %lld non-zeros", path, documents,
            cli_plural(documents), terms, cli_plural(terms), (long long)cobloc_matrix_nnz(matrix));
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
        if (i < 2 || lines[i].value > 0)
            cli_table_row(t, lines[i].name, "%lld", (long long)lines[i].value);
    cli_table_print(t, to);
}

static void run(const cli_args *args)
{
    const char *path = cli_value(args, "output");
    cobloc_text_info *info = NULL;
    if (!path)
        cli_stop_usage(args->command, "the file to write is missing: -o");
    cli_check_write(args, "output");
    cobloc_matrix *matrix = cli_read_text(args, args->words[0], &info);
    cli_must(cobloc_matrix_write(matrix, path, cli_made(args, &own_group), &cli_error));
    cli_progress_end();
    if (cli_value(args, "json"))
        cli_print_json(report(matrix, info));
    else if (!cli_is_quiet())
        print_report(path, matrix, info);
    cobloc_matrix_free(matrix);
    cobloc_text_info_free(info);
}

CLI_DEFINE_MAKER(io_options)

static const cli_option options[] = {
    {"output", 'o', "FILE", NULL, "Matrix to write, in the format given by its ending."},
    {"to", 0, "NAME", "format", "Format to write. By default that of the file's ending."},
    {"threads", 't', "N", "threads", NULL},
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(io_options), .options = options};

static const cli_example examples[] = {
    {"cobloc vectorize texts/ -o docs.cbm", "A row for each file of a folder."},
    {"cobloc vectorize reviews.csv --column text --label-field stars -o docs.mtx",
     "A column of a table, with labels."},
    {"cobloc vectorize posts.jsonl --field body --stem english --ngrams 1:2 -o docs.cbm",
     "Stems, and pairs of them."},
    {NULL, NULL},
};

const cli_command cli_vectorize = {
    .name = "vectorize",
    .words = "CORPUS",
    .word_count = 1,
    .summary = "Turn text into a matrix with a row for each document and a column for each term.",
    .details =
        "CORPUS is a folder (each file in it or below is a document), a file with one document "
        "per line, JSON lines (--field), a CSV or TSV table (--column), or a file in the SMART "
        "format of the classic collections. Each may be gzip-compressed. Text is UTF-8; other "
        "bytes are read as blanks, and a message says how many there were. Commands that take "
        "INPUT read text with the same options.\n\n"
        "Words are found by Unicode's rules, in lower case. Stop words, numbers and single letters "
        "are left out, then terms in fewer than 3 documents or in more than 95 % of them. The "
        "language of the stop words is the one whose stop words are the most frequent in a "
        "sample, if they make up a tenth of it. Columns are sorted by term.\n\n"
        "The counts equal those of scikit-learn's CountVectorizer with --tokens word2 --numbers "
        "--stop-words none --min-df 1 --max-df 1 --clean none.",
    .examples = examples,
    .groups = {&own_group, &cli_text_group},
    .run = run,
};
