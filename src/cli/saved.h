/* RESULT: a folder that cobloc fit or cobloc select wrote, read back for a report or a picture.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_SAVED_H
#define COBLOC_CLI_SAVED_H

#include "cli.h"

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
