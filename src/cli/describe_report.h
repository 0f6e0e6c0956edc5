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

#endif
