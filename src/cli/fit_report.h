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

/* Adds what the blocs are about. */
void cli_fit_json_blocs(json_t *object, const cobloc_result *result, const cobloc_matrix *matrix);

/* Adds the cluster of every row and column: row_labels and col_labels, and with names rows and
 * cols. */
void cli_fit_json_labels(json_t *object, const cobloc_result *result, const cobloc_matrix *matrix);

/* Says which files a folder holds now; `more` begins with a comma. */
void cli_say_written(const char *folder, const char *more, const cobloc_matrix *matrix);

/* The names of the row clusters, and their ten most telling columns. */
cobloc_description *cli_describe_few(const cobloc_result *result, const cobloc_matrix *matrix);

#define CLI_FULL_OPTION                                                                            \
    {                                                                                              \
        "full", 0, NULL, NULL, "Show the rows and columns of every bloc, however many there are."  \
    }

/* Prints the blocs: sizes, members, defining columns; unless `full`, many blocs have a line each.
 */
void cli_fit_print(const cobloc_result *result, const cobloc_matrix *matrix,
                   const cobloc_scores *scores, const char *folder, bool full);

/* Prints an estimate of the memory that a fit takes. */
void cli_fit_memory(const cobloc_matrix *matrix, const cobloc_fit_options *options);

#endif
