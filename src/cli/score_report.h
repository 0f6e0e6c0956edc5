/* Showing scores: as JSON, and as tables in the terminal.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_SCORE_REPORT_H
#define COBLOC_CLI_SCORE_REPORT_H

#include "cli.h"

/* Of rows, or of columns; all NULL: not scored. */
typedef struct cli_score_side {
    cobloc_labels *labels, *truth;
    cobloc_confusion *confusion;
} cli_score_side;

typedef struct cli_score_report {
    json_t *model; /* a fit's model.json, or NULL */
    cli_score_side rows, cols;
    cobloc_scores *of_rows; /* without columns */
    cobloc_coscores *both;  /* with columns */
} cli_score_report;

json_t *cli_score_json(const cli_score_report *report);
void cli_score_print(const cli_score_report *report);

#endif
