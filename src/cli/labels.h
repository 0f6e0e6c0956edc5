/* Files of labels and numbers: one a line, or a column of a table that also has names.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_LABELS_H
#define COBLOC_CLI_LABELS_H

#include "cli.h"

/* ---- lines (lines.c) ------------------------------------------------------------------------- */

/* The lines of a text file. Or those of a table, separated by tabs or commas, whose header has a
 * `cluster`, `label` or `class` and may have a `name` (such as rows.tsv): then `line` is the
 * former. */
typedef struct cli_lines {
    const char **line;
    const char **name; /* of a table that has them; else NULL */
    int64_t *number;   /* where each stands in the file, from 1 */
    int64_t count;
    int64_t blank; /* blank lines at the end, which are not counted */
    char *text;    /* what they are part of */
} cli_lines;

/* False after a complaint; free with cli_lines_free in any case. */
bool cli_read_lines(const char *path, cli_lines *lines);
void cli_lines_free(cli_lines *lines);

/* Takes blank lines at the end for lines where that makes them `count`. */
bool cli_lines_are(cli_lines *lines, int64_t count);

/* Puts a table's lines into the order of `names`, which are those of the file or matrix `other`;
 * lines with other names are left out, names without a line get an empty one, and stderr says so.
 * False, after a complaint, where names are not unique (unless both have the same in the same
 * order) or none is known. */
bool cli_follow_names(const char *path, cli_lines *lines, const char *other,
                      const char *const *names, int64_t count);

/* ---- labels (labels.c) ----------------------------------------------------------------------- */

/* Numbers the different texts 0, 1, ...: numbers by their size, then names by the alphabet; "",
 * "?",
 * "-", "NA", "NaN" and -1 mean no label: -1. NULL: out of memory. free() it. */
int32_t *cli_number_labels(const cli_lines *lines);

/* The texts behind these numbers. NULL: out of memory. free() it. */
const char **cli_label_texts(const cli_lines *lines, const int32_t *labels);

/* Known classes of a matrix's rows, numbered as above; a table with names is matched with the names
 * of the rows. NULL after a complaint. free() it. */
int32_t *cli_row_classes(const char *path, const cobloc_matrix *matrix);
int32_t *cli_col_classes(const char *path, const cobloc_matrix *matrix); /* of its columns */

/* The classes that the matrix itself has of its rows, numbered in the same way. */
int32_t *cli_own_classes(const cobloc_matrix *matrix);

/* The same with the texts behind the numbers. */
typedef struct cli_classes {
    cli_lines lines;
    int32_t *labels;    /* NULL: nothing is known */
    const char **names; /* of each number */
} cli_classes;

/* From a file, or, where `path` is NULL, from the matrix. False after a complaint; free with
 * cli_classes_free in any case. */
bool cli_classes_read(const char *path, const cobloc_matrix *matrix, cli_classes *classes);
void cli_classes_free(cli_classes *classes);

/* Labels as they are: whole numbers from -1. NULL after a complaint. free() it. */
int32_t *cli_integer_labels(const char *path, int64_t expected);

/* Positive numbers. NULL after a complaint. free() it. */
double *cli_numbers(const char *path, int64_t expected);

#endif
