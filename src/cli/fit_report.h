/* Showing a fit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_FIT_REPORT_H
#define COBLOC_CLI_FIT_REPORT_H

#include "cli.h"

/* Says on stderr what the user should know: lines left out, a fit that stopped early. */
void cli_fit_warn(const cobloc_result *result);

json_t *cli_fit_json(const cobloc_result *result, const cobloc_scores *scores);

/* Says which files a folder holds now; `more` begins with a comma. */
void cli_say_written(const char *folder, const char *more, const cobloc_matrix *matrix);

/* Prints the blocs: sizes, members, defining columns. */
void cli_fit_print(const cobloc_result *result, const cobloc_matrix *matrix,
                   const cobloc_scores *scores, const char *folder);

/* Prints an estimate of the memory that a fit takes; returns the exit code. */
int cli_fit_memory(const cobloc_matrix *matrix, const cobloc_fit_options *options);

#endif
