/* Showing a comparison: as tables for the terminal or a paper, as CSV and JSON, as box plots.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_COMPARE_REPORT_H
#define COBLOC_CLI_COMPARE_REPORT_H

#include "sheet.h"

/* Prints two tables, means and deviations, and the runs with the best criteria; and what the test
 * of the best two says. */
void cli_compare_print(const cobloc_comparison *comparison, cli_style style, FILE *to);

/* A line for each method, with everything. */
void cli_compare_csv(const cobloc_comparison *comparison, FILE *to);

json_t *cli_compare_json(const cobloc_comparison *comparison,
                         const cobloc_compare_options *options);

/* Draws accuracy, NMI and ARI of all runs as box plots. */
void cli_compare_plot(const cobloc_comparison *comparison, const char *path);

#endif
