/* Reading INPUT, and the known classes of its rows.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* stat */
#include "input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- options --------------------------------------------------------------------------------- */

CLI_DEFINE_MAKER(io_options)
CLI_DEFINE_MAKER(text_options)

static const cli_option io_table[] = {
    {"format", 0, "NAME", "format", "Format of INPUT. By default it is detected."},
    {"variable", 0, "NAME", "variable", NULL},
    {"missing", 0, "HOW", "missing", NULL},
    {"values", 0, "WHAT", "values", NULL},
    {"threads", 't', "N", "threads", NULL},
    {"no-map", 0, NULL, "no_map", NULL},
    {"max-memory", 0, "SIZE", "max_memory",
     "Memory to hold at most, such as 500M or 4G. What is larger is kept in temporary files (in "
     "TMPDIR, else in /var/tmp), and the result is the same. By default no limit."},
    {NULL, 0, NULL, NULL, NULL},
};

const cli_group cli_io_group = {.title = "Reading", CLI_MAKER(io_options), .options = io_table};

#define DOCUMENTS                                                                                  \
    {"text", 0, "KIND", "corpus", NULL},                                                           \
        {"field", 0, "NAME", "field", "Field of a JSON line with the text. By default text."},     \
        {"column", 0, "NAME", "field", "Column of a CSV or TSV table with the text."},             \
        {"name-field", 0, "NAME", "name_field", NULL}, {"encoding", 0, "NAME", "encoding", NULL},  \
        {"include", 0, "PATTERNS", "include", NULL},                                               \
    {                                                                                              \
        "exclude", 0, "PATTERNS", "exclude", NULL                                                  \
    }

static const cli_option documents_table[] = {
    DOCUMENTS,
    {"clean", 0, "WHAT", "clean", NULL},
    {NULL, 0, NULL, NULL, NULL},
};

const cli_group cli_documents_group = {
    .title = "Text as INPUT", CLI_MAKER(text_options), .options = documents_table};

static const cli_option text_table[] = {
    DOCUMENTS,
    {"label-field", 0, "NAME", "label_field", NULL},
    {"labels-from-folders", 0, NULL, "labels_from_folders", NULL},
    {"clean", 0, "WHAT", "clean", NULL},
    {"tokens", 0, "RULE", "tokens", NULL},
    {"language", 0, "CODE", "language", NULL},
    {"stop-words", 0, "WHICH", "stop_words", NULL},
    {"stem", 0, "LANGUAGE", "stem", NULL},
    {"ngrams", 0, "A:B", "ngrams_from:ngrams_to", "Terms are sequences of A to B words."},
    {"phrases", 0, NULL, "phrases", NULL},
    {"min-df", 0, "N", "min_df", NULL},
    {"max-df", 0, "N", "max_df", NULL},
    {"max-terms", 0, "N", "max_terms", NULL},
    {"min-length", 0, "N", "min_length", NULL},
    {"numbers", 0, NULL, "numbers", NULL},
    {"excerpts", 0, "N", "excerpts", NULL},
    {"fields", 0, "NAMES", "fields", NULL},
    {"vocabulary", 0, "FILE", "vocabulary",
     "Count only the terms of this file: one per line, or the cols.tsv of a result."},
    {NULL, 0, NULL, NULL, NULL},
};

const cli_group cli_text_group = {
    .title = "Text as INPUT", CLI_MAKER(text_options), .options = text_table};

/* ---- standard input -------------------------------------------------------------------------- */

/* Copies standard input to a file without a name, which can be read again and again. */
static int spool_stdin(void)
{
    char bytes[1 << 16],
        *name = cli_path_inside(getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", "cobloc-XXXXXX");
    int file = mkstemp(name);
    ssize_t got = file >= 0 ? 1 : -1;
    if (file >= 0)
        unlink(name);
    while (got > 0 && (got = read(STDIN_FILENO, bytes, sizeof bytes)) > 0)
        for (ssize_t put = 0, some; put < got; put += some)
            if ((some = write(file, bytes + put, (size_t)(got - put))) <= 0) {
                got = -1;
                break;
            }
    if (got < 0)
        cli_stop("standard input cannot be kept in %s: %s", name, strerror(errno));
    free(name);
    return file;
}

const char *cli_input_path(const char *path)
{
    static char kept[32]; /* standard input can be read only once */
    if (strcmp(path, "-") != 0)
        return path;
    if (!*kept)
        snprintf(kept, sizeof kept, "/dev/fd/%d", spool_stdin());
    return kept;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *language_name(const char *code)
{
    for (int i = 0; i < cobloc_language_count(); i++)
        if (strcmp(cobloc_language_code(i), code) == 0)
            return cobloc_language_name(i);
    return NULL;
}

/* Adds to a list of what was removed; `count` things of a kind, if any. */
static void add_removed(char *list, size_t room, int64_t count, const char *what)
{
    size_t length = strlen(list);
    if (count > 0)
        snprintf(list + length, room - length, "%s%s %lld", length ? ", " : "", what,
                 (long long)count);
}

/* What was removed from the text, in a line. */
static void tell_cleaned(const cobloc_text_info *info)
{
    char list[256] = "";
    add_removed(list, sizeof list, cobloc_int(info, "mails"),
                "headers, quotes and signatures of mails:");
    add_removed(list, sizeof list, cobloc_int(info, "pages"), "documents with tags:");
    add_removed(list, sizeof list, cobloc_int(info, "addresses"), "addresses:");
    add_removed(list, sizeof list, cobloc_int(info, "blobs"), "blocks of encoded data:");
    if (*list)
        cli_complain("cleaned (--clean none keeps all): %s", list);
}

/* Files that were skipped or converted: how many, and the first. */
static void tell_files(const cobloc_text_info *info)
{
    long long binary = cobloc_int(info, "binary"), unreadable = cobloc_int(info, "unreadable");
    long long converted = cobloc_int(info, "converted");
    if (unreadable > 0)
        cli_complain("skipped, because unreadable: %lld file%s, first %s", unreadable,
                     cli_plural(unreadable), cobloc_text(info, "unreadable_where"));
    if (binary > 0)
        cli_complain("skipped, because no text: %lld file%s, first %s", binary, cli_plural(binary),
                     cobloc_text(info, "binary_where"));
    if (converted > 0)
        cli_complain("%lld file%s not UTF-8: read as %s, first %s", converted,
                     converted == 1 ? " is" : "s are", cobloc_text(info, "encoding"),
                     cobloc_text(info, "converted_where"));
}

/* What was found in text, in a line or two. */
static void tell(const cobloc_text_info *info)
{
    const char *code = cobloc_text(info, "language"), *language = language_name(code);
    const char *stem = cobloc_text(info, "stem");
    double share = cobloc_real(info, "language_share");
    char found[64] = "";
    if (share > 0)
        snprintf(found, sizeof found, " (detected: %.0f %% of a sample)", 100 * share);
    long long documents = cobloc_int(info, "documents"), terms = cobloc_int(info, "terms");
    cli_note("%lld document%s, %lld term%s; stop words: %s%s%s%s", documents, cli_plural(documents),
             terms, cli_plural(terms),
             language              ? language
             : strcmp(code, "own") ? "none"
                                   : "your list",
             language ? found : "", *stem ? "; stemmed: " : "", stem);
    if (cobloc_int(info, "phrases") > 0)
        cli_note("%lld phrases of two words that mostly occur together",
                 (long long)cobloc_int(info, "phrases"));
    tell_files(info);
    tell_cleaned(info);
    if (cobloc_int(info, "invalid_bytes") > 0)
        cli_note("%lld bytes are not UTF-8 text, first in %s: read as blanks",
                 (long long)cobloc_int(info, "invalid_bytes"), cobloc_text(info, "invalid_where"));
}

/* Adds to a sentence about a file that is no matrix that it may be text. */
static void hint_at_text(const char *path)
{
    char *sentence = cli_error.message;
    bool kept = strncmp(path, "/dev/fd/", 8) == 0 && strstr(sentence, "not recognised");
    const char *dot = kept ? ".txt" : strrchr(path, '.');
    const char *option = !dot || cli_error.status != COBLOC_BAD_DATA            ? NULL
                         : strcmp(dot, ".txt") == 0                             ? "--text lines"
                         : strcmp(dot, ".csv") == 0 || strcmp(dot, ".tsv") == 0 ? "--column NAME"
                                                                                : NULL;
    size_t length = strlen(sentence);
    if (option)
        snprintf(sentence + length, sizeof cli_error.message - length, " (is it text? %s)", option);
}

void cli_must_input(const char *path, cobloc_status status)
{
    static const char kept[] = "/dev/fd/";
    char rest[sizeof cli_error.message], *sentence = cli_error.message;
    size_t number = strspn(sentence + sizeof kept - 1, "0123456789");
    if (strcmp(path, "-") == 0 && strncmp(sentence, kept, sizeof kept - 1) == 0) {
        memcpy(rest, sentence, sizeof rest);
        snprintf(sentence, sizeof rest, "standard input%.480s", rest + sizeof kept - 1 + number);
    }
    cli_must(status);
}

/* --field and --column say what INPUT is. */
static void take_field(const cli_args *args, cobloc_text_options *text)
{
    bool field = cli_value(args, "field") != NULL, column = cli_value(args, "column") != NULL;
    if (field && column)
        cli_stop_usage(args->command,
                       "--field is for JSON lines, --column for tables: give one of them");
    if ((field || column) && cobloc_int(text, "corpus") == COBLOC_CORPUS_AUTO)
        cobloc_set_text(text, "corpus", field ? "jsonl" : "csv", NULL);
}

cobloc_matrix *cli_read_input(const cli_args *args, const char *path, cobloc_text_options *text)
{
    cobloc_matrix *matrix = NULL;
    cobloc_text_info *info = NULL;
    take_field(args, text);
    if (strcmp(path, "-") == 0 && cli_is_shared())
        cli_stop("standard input is that of one process, and %s is done by several: name a file",
                 args->command->name);
    const char *kept = cli_input_path(path);
    cobloc_status status =
        cobloc_read(kept, cli_made(args, &cli_io_group), text, &matrix, &info, &cli_error);
    if (status != COBLOC_OK && cobloc_int(text, "corpus") == COBLOC_CORPUS_AUTO)
        hint_at_text(kept);
    cli_must_input(path, status);
    if (info && text == cli_made(args, &cli_text_group))
        tell(info);
    cobloc_text_info_free(info);
    return matrix;
}

cobloc_matrix *cli_read_text(const cli_args *args, const char *path, cobloc_text_info **info)
{
    cobloc_matrix *matrix = NULL;
    cobloc_text_options *text = cli_made(args, &cli_text_group);
    take_field(args, text);
    cli_must_input(path, cobloc_text_read(cli_input_path(path), text, &matrix, info, &cli_error));
    tell(*info);
    return matrix;
}

/* ---- known classes --------------------------------------------------------------------------- */

cobloc_labels *cli_read_truth(const cli_args *args, const cobloc_matrix *matrix)
{
    const char *path = cli_value(args, "truth");
    cobloc_labels *truth = NULL;
    cli_must(path ? cobloc_labels_read(path, &truth, &cli_error)
                  : cobloc_labels_own(matrix, &truth, &cli_error));
    if (path)
        cli_must(cobloc_labels_match_rows(truth, matrix, &cli_error));
    if (truth)
        cli_warn_labels(truth);
    return truth;
}

cobloc_labels *cli_take_truth(const cli_args *args, cobloc_matrix *matrix)
{
    if (cli_rank() > 0)
        return NULL;
    cobloc_labels *truth = cli_read_truth(args, matrix);
    int64_t count = 0;
    const int32_t *labels = cobloc_ints(truth, &count, "labels");
    const char *const *classes = cobloc_texts(truth, NULL, "class_names");
    if (!cli_value(args, "truth") || count <= 0)
        return truth;
    const char **names = cli_memory(malloc((size_t)count * sizeof *names));
    for (int64_t i = 0; i < count; i++)
        names[i] = labels[i] < 0 ? "" : classes[labels[i]];
    cli_must(cobloc_matrix_set_row_labels(matrix, names, &cli_error));
    free(names);
    return truth;
}

void cli_warn_labels(const cobloc_labels *labels)
{
    const char *note = cobloc_text(labels, "note");
    if (*note)
        cli_note("%s", note);
}

/* ---- others ---------------------------------------------------------------------------------- */

bool cli_is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

bool cli_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

void cli_list_formats(FILE *to)
{
    fputs("Formats (name, ending, title):\n", to);
    for (int f = 0; f < cobloc_format_count(); f++)
        fprintf(to, "  %-10s %-15s %s\n", cobloc_format_name(f), cobloc_format_extension(f),
                cobloc_format_title(f));
}
