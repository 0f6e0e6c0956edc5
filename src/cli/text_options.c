/* Text as INPUT.
 * SPDX-License-Identifier: MIT
 */
#include "text_options.h"
#include "fit_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

static bool parse_ngrams(const cli_args *args, cobloc_text_options *o)
{
    return cli_range(args, "ngrams", &o->ngrams_from, &o->ngrams_to);
}

bool cli_text_source(const cli_args *args, cobloc_text_options *o)
{
    static const char *const kinds[] = {"auto", "files", "lines", "jsonl", "csv", "smart", NULL};
    const char *field = cli_value(args, "field"), *column = cli_value(args, "column");
    int kind;
    if (!cli_choose(args, "text", kinds, &kind))
        return false;
    if (field && column) {
        cli_usage_error(args->command, "--field is for JSON lines, --column for tables: give one");
        return false;
    }
    o->corpus = (cobloc_corpus)kind;
    if (field || column)
        o->field = field ? field : column;
    if (cli_value(args, "name-field"))
        o->name_field = cli_value(args, "name-field");
    return true;
}

static bool parse_words(const cli_args *args, cobloc_text_options *o)
{
    static const char *const rules[] = {"words", "word2", NULL};
    int rule;
    if (!cli_choose(args, "tokens", rules, &rule))
        return false;
    o->tokens = (cobloc_tokens)rule;
    o->label_field = cli_value(args, "label-field");
    o->labels_from_folders = cli_value(args, "labels-from-folders") != NULL;
    if (cli_value(args, "language"))
        o->language = cli_value(args, "language");
    o->stop_words = cli_value(args, "stop-words");
    o->stem = cli_value(args, "stem");
    o->numbers = cli_value(args, "numbers") != NULL;
    return true;
}

static bool parse_limits(const cli_args *args, cobloc_text_options *o)
{
    long terms, length;
    if (!cli_number(args, "min-df", &o->min_df) || !cli_number(args, "max-df", &o->max_df) ||
        !cli_integer(args, "max-terms", 1, INT32_MAX, 0, &terms) ||
        !cli_integer(args, "min-length", 1, 100, o->min_length, &length))
        return false;
    o->max_terms = terms;
    o->min_length = (int)length;
    return true;
}

bool cli_text_options(const cli_args *args, const cobloc_io_options *io, cli_text *text, int *code)
{
    cobloc_text_options *o = &text->options;
    const char *vocabulary = cli_value(args, "vocabulary");
    *text = (cli_text){0};
    cob_text_options_default(o);
    o->threads = io->threads;
    o->progress = io->progress;
    *code = CLI_USAGE;
    if (!cli_text_source(args, o) || !parse_words(args, o) || !parse_limits(args, o) ||
        !parse_ngrams(args, o))
        return false;
    *code = CLI_FAILED;
    if (vocabulary) {
        if (!cli_read_lines(vocabulary, &text->vocabulary))
            return false;
        o->vocabulary = text->vocabulary.name ? text->vocabulary.name : text->vocabulary.line;
        o->vocabulary_count = text->vocabulary.count;
    }
    return true;
}

void cli_text_free(cli_text *text)
{
    cli_lines_free(&text->vocabulary);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *language_name(const char *code)
{
    for (int i = 0; i < cobloc_language_count(); i++)
        if (strcmp(cobloc_language_code(i), code) == 0)
            return cobloc_language_name(i);
    return NULL;
}

/* What was found, in a line or two. */
static void tell(const cobloc_text_info *info)
{
    const char *language = language_name(info->language);
    char found[64] = "";
    if (info->language_share > 0)
        snprintf(found, sizeof found, " (recognised: %.0f %% of a sample)",
                 100 * info->language_share);
    cli_complain("%lld documents, %lld terms; stop words: %s%s%s%s", (long long)info->documents,
                 (long long)info->terms,
                 language                        ? language
                 : strcmp(info->language, "own") ? "none"
                                                 : "your list",
                 language ? found : "", *info->stem ? "; stemmed: " : "", info->stem);
    if (info->invalid_bytes > 0)
        cli_complain("%lld bytes are not UTF-8 text, first in %s: taken for blanks",
                     (long long)info->invalid_bytes, info->invalid_where);
}

bool cli_text_read(const cli_args *args, const char *path, const cobloc_io_options *io,
                   cobloc_matrix **matrix, cobloc_text_info *info, int *code)
{
    cli_text text;
    cobloc_error err;
    bool good = cli_text_options(args, io, &text, code);
    if (good && cob_text_read(path, &text.options, matrix, info, &err) != COBLOC_OK) {
        *code = cli_fail(&err);
        good = false;
    }
    if (good)
        tell(info);
    cli_text_free(&text);
    return good;
}

cobloc_status cli_is_text(const cli_args *args, const char *path, bool *text, cobloc_error *err)
{
    cobloc_corpus corpus = COBLOC_CORPUS_AUTO;
    *text = cli_value(args, "text") || cli_value(args, "field") || cli_value(args, "column");
    if (*text || cli_value(args, "format"))
        return COBLOC_OK;
    cobloc_status status = cobloc_text_recognise(path, &corpus, err);
    *text = corpus != COBLOC_CORPUS_AUTO;
    return status;
}

void cli_text_hint(const char *path, cobloc_error *err)
{
    const char *dot = strrchr(path, '.');
    const char *option = !dot || err->status != COBLOC_BAD_DATA                 ? NULL
                         : strcmp(dot, ".txt") == 0                             ? "--text lines"
                         : strcmp(dot, ".csv") == 0 || strcmp(dot, ".tsv") == 0 ? "--column NAME"
                                                                                : NULL;
    size_t length = strlen(err->message);
    if (option)
        snprintf(err->message + length, sizeof err->message - length, " (is it text? %s)", option);
}

bool cli_read_input(const cli_args *args, const cobloc_io_options *io, cobloc_matrix **matrix,
                    int *code)
{
    const char *path = args->words[0];
    cobloc_error err;
    cobloc_text_info info;
    bool text = false;
    cobloc_status status = cli_is_text(args, path, &text, &err);
    if (status == COBLOC_OK && text)
        return cli_text_read(args, path, io, matrix, &info, code);
    if (status == COBLOC_OK && (status = cobloc_matrix_read(path, io, matrix, &err)) != COBLOC_OK)
        cli_text_hint(path, &err);
    if (status != COBLOC_OK)
        *code = cli_fail(&err);
    return status == COBLOC_OK;
}

bool cli_keep_matrix(const cobloc_matrix *matrix, const char *folder)
{
    cobloc_error err;
    if (!folder || !cobloc_matrix_text(matrix))
        return true;
    char *path = cli_make_folder(folder) ? cli_path_inside(folder, "matrix.cbm") : NULL;
    bool good = path && cobloc_matrix_write(matrix, path, NULL, &err) == COBLOC_OK;
    if (path && !good)
        cli_fail(&err);
    free(path);
    return good;
}
