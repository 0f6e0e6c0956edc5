/* Text as INPUT.
 * SPDX-License-Identifier: MIT
 */
#include "text_options.h"
#include "fit_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- options --------------------------------------------------------------------------------- */

bool cli_text_source(const cli_args *args, cobloc_text_options *o)
{
    if (cli_value(args, "field") && cli_value(args, "column")) {
        cli_usage_error(args->command, "--field is for JSON lines, --column for tables: give one");
        return false;
    }
    return cli_set(args, o, "", "text=corpus field column=field name-field");
}

/* The terms that are to be counted, from a file. */
static bool read_vocabulary(const char *path, cobloc_text_options *o)
{
    cli_lines lines;
    cobloc_error err;
    if (!cli_read_lines(path, &lines))
        return false;
    bool good = cobloc_set_texts(o, "vocabulary", lines.name ? lines.name : lines.line, lines.count,
                                 &err) == COBLOC_OK;
    if (!good)
        cli_fail(&err);
    cli_lines_free(&lines);
    return good;
}

/* Sets the options from the command line; false after a complaint, with the exit code in *code. */
static bool parse_options(const cli_args *args, cobloc_text_options *o, int *code)
{
    const char *vocabulary = cli_value(args, "vocabulary");
    *code = CLI_USAGE;
    cli_watch(o);
    if (!cli_text_source(args, o) ||
        !cli_set(args, o, "",
                 "threads tokens label-field labels-from-folders language stop-words stem numbers "
                 "min-df max-df max-terms min-length") ||
        !cli_set_range(args, o, "ngrams", "ngrams_from", "ngrams_to"))
        return false;
    *code = CLI_FAILED;
    return !vocabulary || read_vocabulary(vocabulary, o);
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
    const char *code = cobloc_text(info, "language"), *language = language_name(code);
    const char *stem = cobloc_text(info, "stem");
    double share = cobloc_real(info, "language_share");
    char found[64] = "";
    if (share > 0)
        snprintf(found, sizeof found, " (recognised: %.0f %% of a sample)", 100 * share);
    cli_complain("%lld documents, %lld terms; stop words: %s%s%s%s",
                 (long long)cobloc_int(info, "documents"), (long long)cobloc_int(info, "terms"),
                 language              ? language
                 : strcmp(code, "own") ? "none"
                                       : "your list",
                 language ? found : "", *stem ? "; stemmed: " : "", stem);
    if (cobloc_int(info, "invalid_bytes") > 0)
        cli_complain("%lld bytes are not UTF-8 text, first in %s: taken for blanks",
                     (long long)cobloc_int(info, "invalid_bytes"),
                     cobloc_text(info, "invalid_where"));
}

bool cli_text_read(const cli_args *args, const char *path, cobloc_matrix **matrix,
                   cobloc_text_info **info, int *code)
{
    cobloc_text_options *o = NULL;
    cobloc_error err;
    cobloc_status status = cobloc_text_options_new(&o, &err);
    bool good = status == COBLOC_OK && parse_options(args, o, code);
    if (good)
        status = cobloc_text_read(path, o, matrix, info, &err);
    if (status == COBLOC_OK && good)
        tell(*info);
    else if (status != COBLOC_OK)
        *code = cli_fail(&err);
    cobloc_text_options_free(o);
    return good && status == COBLOC_OK;
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
    bool text = false;
    cobloc_status status = cli_is_text(args, path, &text, &err);
    if (status == COBLOC_OK && text) {
        cobloc_text_info *info = NULL;
        bool good = cli_text_read(args, path, matrix, &info, code);
        cobloc_text_info_free(info);
        return good;
    }
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
