/* INPUT, a matrix or text, with the options that all commands share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_INPUT_H
#define COBLOC_CLI_INPUT_H

#include "cli.h"

/* How a file is read (cobloc_io_options). */
extern const cli_group cli_io_group;

/* Where the documents of a text are, for text that is read as that of a result was. */
extern const cli_group cli_documents_group;

/* The same, and how they become terms (cobloc_text_options). */
extern const cli_group cli_text_group;

/* Reads a matrix or text, and says on stderr what was found in text, where the command has options
 * for that. */
cobloc_matrix *cli_read_input(const cli_args *args, const char *path, cobloc_text_options *text);

/* The same for text alone. */
cobloc_matrix *cli_read_text(const cli_args *args, const char *path, cobloc_text_info **info);

/* Where INPUT can be opened: the path itself or, for "-", a copy of standard input. */
const char *cli_input_path(const char *path);

/* As cli_must, for INPUT: a sentence about that copy speaks of standard input. */
void cli_must_input(const char *path, cobloc_status status);

/* Known classes of the rows: from --truth, or those that the matrix holds; NULL where there are
 * none. */
cobloc_labels *cli_read_truth(const cli_args *args, const cobloc_matrix *matrix);

/* The same, and the matrix gets those of --truth, so that what is written holds them. Of several
 * ranks, the first writes and says what the scores are. */
cobloc_labels *cli_take_truth(const cli_args *args, cobloc_matrix *matrix);

/* Says on stderr what the matching of labels left out. */
void cli_warn_labels(const cobloc_labels *labels);

/* Whether the path is a folder. */
bool cli_is_folder(const char *path);
bool cli_is_there(const char *path);

/* Prints the list of formats, for --help. */
void cli_list_formats(FILE *to);

/* ---- RESULT: a folder that cobloc fit or cobloc select wrote (saved.c) ----------------------- */

/* The options of a report (cobloc_report) that say what the numbers cannot, for the tables of the
 * commands. */
#define CLI_STORY_OPTIONS                                                                          \
    {"input", 0, "FILE", NULL, "The matrix that was fitted, if it has moved."},                    \
        {"truth", 0, "FILE", NULL,                                                                 \
         "Known classes of the rows: one per line, or a table with names. By default the labels "  \
         "that the matrix holds, if any."},                                                        \
        {"title", 0, "TEXT", "title", "Title. By default the name of the matrix's file."},         \
        {"rows", 0, "WORD", "row_word", NULL},                                                     \
    {                                                                                              \
        "cols", 0, "WORD", "col_word", NULL                                                        \
    }

/* What belongs to a report. */
typedef struct cli_story {
    cobloc_saved *saved;
    cobloc_matrix *matrix;
    cobloc_labels *classes;
    cobloc_curve *curve;
} cli_story;

/* Reads all of it and points the report at it. */
cli_story cli_story_read(const cli_args *args, cobloc_report *report);
void cli_story_free(cli_story *story);

#endif
