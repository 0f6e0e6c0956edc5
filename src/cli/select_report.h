/* Showing a selection.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_SELECT_REPORT_H
#define COBLOC_CLI_SELECT_REPORT_H

#include "cli.h"

/* The fit of the size that was chosen. */
const cobloc_result *cli_chosen(const cobloc_selection *selection);

/* `scores` of the chosen fit; or NULL. */
json_t *cli_select_json(const cobloc_selection *selection, const cobloc_scores *scores);

/* Prints the curve as a table, and what it says. */
void cli_select_print(const cobloc_selection *selection);

/* Draws it, a line for each model, or for each number of columns in a grid. */
void cli_select_plot(const cobloc_selection *selection, const char *path);

#endif
