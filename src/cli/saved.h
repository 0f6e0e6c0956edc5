/* RESULT: a folder that cobloc fit or cobloc select wrote, read back for a report or a picture.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_SAVED_H
#define COBLOC_CLI_SAVED_H

#include "labels.h"

/* The options that say what the numbers cannot, for the tables of the commands. */
#define CLI_STORY_OPTIONS                                                                          \
    {"input", 0, "FILE", "The matrix that was fitted, where it is no longer where it was then."},  \
        {"truth", 0, "FILE",                                                                       \
         "Known classes of the rows, one a line or a table with names (default: those of the "     \
         "matrix, if it has any)."},                                                               \
        {"title", 0, "TEXT", "A title (default: the name of the matrix's file)."},                 \
        {"rows", 0, "WORD", "What the rows are, in the plural: documents, countries, voters."},    \
    {                                                                                              \
        "cols", 0, "WORD", "What the columns are: terms, organisations, votes."                    \
    }

/* What belongs to a report. */
typedef struct cli_story {
    cobloc_saved *saved;
    cobloc_matrix *matrix;
    cli_classes classes;
    cobloc_curve *curve;
    char *title;
    cobloc_report *report; /* made of the above */
} cli_story;

/* Reads all of it; false after a complaint, with the exit code in *code. Free it in any case. */
bool cli_story_read(const cli_args *args, cli_story *story, int *code);
void cli_story_free(cli_story *story);

#endif
