/* Showing scores: as JSON, and as tables in the terminal.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_SCORE_REPORT_H
#define COBLOC_CLI_SCORE_REPORT_H

#include "cli.h"
#include "score/scores.h"

/* Of rows, or of columns. */
typedef struct cli_score_side {
    cobloc_scores scores;
    cobloc_confusion *confusion;
    const char **cluster_names, **class_names; /* by label */
    int64_t left_out;
} cli_score_side;

typedef struct cli_score_report {
    const json_t *model; /* a fit's model.json, or NULL */
    const cli_score_side *rows, *cols;
    double cce, cari; /* with columns */
} cli_score_report;

json_t *cli_score_json(const cli_score_report *report);
void cli_score_print(const cli_score_report *report);

#endif
