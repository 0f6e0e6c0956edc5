/* Showing a description: for people, as a table, as JSON.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_DESCRIBE_REPORT_H
#define COBLOC_CLI_DESCRIBE_REPORT_H

#include "cli.h"

/* What is described. */
typedef struct cli_described {
    const cobloc_result *result;
    const cobloc_matrix *matrix;
    const cobloc_description *description;
} cli_described;

void cli_describe_print(const cli_described *d);
void cli_describe_tsv(const cli_described *d);
json_t *cli_describe_json(const cli_described *d);

/* The name of a line of the matrix; where it has none, its number, from 1, in `number`. */
enum { CLI_NUMBER_ROOM = 24 };
const char *cli_row_name(const cobloc_matrix *matrix, int64_t row, char *number);
const char *cli_col_name(const cobloc_matrix *matrix, int64_t col, char *number);

#endif
