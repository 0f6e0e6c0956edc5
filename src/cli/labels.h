/* Files of labels and numbers, one a line.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_LABELS_H
#define COBLOC_CLI_LABELS_H

#include "cli.h"

/* The lines of a text file, or the `cluster` column of a rows.tsv; blank lines at the end and
 * carriage returns are dropped. NULL after a complaint. Free with cli_lines_free. */
typedef struct cli_lines {
    const char **line;
    int64_t count;
    char *text;        /* what they are part of */
    const char **room; /* what `line` is part of */
} cli_lines;

bool cli_read_lines(const char *path, cli_lines *lines);
void cli_lines_free(cli_lines *lines);

/* Numbers the different texts 0, 1, ... in the order of their first appearance; "", "?", "-" and
 * "-1" mean no label: -1. NULL: out of memory. free() it. */
int32_t *cli_number_labels(const cli_lines *lines);

/* Labels as they are: whole numbers from -1. NULL after a complaint. free() it. */
int32_t *cli_integer_labels(const char *path, int64_t expected);

/* Positive numbers. NULL after a complaint. free() it. */
double *cli_numbers(const char *path, int64_t expected);

#endif
