/* Text as INPUT: its options, described and parsed once, and the reading of any INPUT.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_TEXT_OPTIONS_H
#define COBLOC_CLI_TEXT_OPTIONS_H

#include "labels.h"

/* Where documents are, for the tables of the commands. */
#define CLI_TEXT_SOURCE_OPTIONS                                                                    \
    {"text", 0, "KIND",                                                                            \
     "Text: what INPUT holds: files (one document each), lines, jsonl, csv or smart (default: "    \
     "recognised)."},                                                                              \
        {"field", 0, "NAME", "Text: the field of a JSON line that holds it (default text)."},      \
        {"column", 0, "NAME", "Text: the column of a CSV or TSV table that holds it."},            \
    {                                                                                              \
        "name-field", 0, "NAME", "Text: the field or column with the documents' names."            \
    }

/* And how they become terms. */
#define CLI_TEXT_OPTIONS                                                                           \
    CLI_TEXT_SOURCE_OPTIONS,                                                                       \
        {"label-field", 0, "NAME",                                                                 \
         "Text: the field or column with known classes: they are scored."},                        \
        {"labels-from-folders", 0, NULL,                                                           \
         "Text: sub-folders are known classes (SMART: files): they are scored."},                  \
        {"tokens", 0, "RULE",                                                                      \
         "Text: words (default: Unicode's word boundaries) or word2 (runs of two or more "         \
         "letters and digits)."},                                                                  \
        {"language", 0, "CODE",                                                                    \
         "Text: en, fr, de, es, it, pt, nl, ru, none, or auto (default: by its stop words)."},     \
        {"stop-words", 0, "WHICH",                                                                 \
         "Text: words to leave out: a language, a file, or none (default: the text's language)."}, \
        {"stem", 0, "LANGUAGE",                                                                    \
         "Text: cut off endings, as english or fr; auto: the text's language (default: not)."},    \
        {"ngrams", 0, "A:B", "Text: terms of A to B words (default 1:1)."},                        \
        {"min-df", 0, "N",                                                                         \
         "Text: drop terms in fewer documents (default 3; below 1: a share of them)."},            \
        {"max-df", 0, "N",                                                                         \
         "Text: drop terms in more documents (default 0.95; up to 1: a share of them)."},          \
        {"max-terms", 0, "N", "Text: keep the N most frequent terms (default: all)."},             \
        {"min-length", 0, "N", "Text: drop words of fewer letters (default 2)."},                  \
        {"numbers", 0, NULL, "Text: keep words without a letter."},                                \
    {                                                                                              \
        "vocabulary", 0, "FILE",                                                                   \
            "Text: count these terms, one a line, or those of a result's cols.tsv, and no "        \
            "others."                                                                              \
    }

/* Where documents are, from the command line; what it does not say stays. False after a complaint
 * (usage). */
bool cli_text_source(const cli_args *args, cobloc_text_options *options);

/* Whether `path` is text: a folder, or what one of the options or the content says is. */
cobloc_status cli_is_text(const cli_args *args, const char *path, bool *text, cobloc_error *err);

/* Adds to a sentence about a file that is no matrix that it may be text, which nobody said it was.
 */
void cli_text_hint(const char *path, cobloc_error *err);

/* Reads the text at `path`; says on stderr what was found. False after a complaint. */
bool cli_text_read(const cli_args *args, const char *path, cobloc_matrix **matrix,
                   cobloc_text_info **info, int *code);

/* Reads INPUT, a matrix or text; false after a complaint, with the exit code. */
bool cli_read_input(const cli_args *args, const cobloc_io_options *io, cobloc_matrix **matrix,
                    int *code);

/* Keeps a matrix that was made from text in the folder of its result, as matrix.cbm; false after a
 * complaint. */
bool cli_keep_matrix(const cobloc_matrix *matrix, const char *folder);

#endif
