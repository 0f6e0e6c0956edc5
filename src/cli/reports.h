/* Showing what a command found: in the terminal, as tables, JSON and pictures.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_REPORTS_H
#define COBLOC_CLI_REPORTS_H

#include "cli.h"

/* ---- a fit (fit_report.c, fit_json.c) -------------------------------------------------------- */

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

/* ---- a selection (select_report.c) ----------------------------------------------------------- */

/* The fit of the size that was chosen. */
const cobloc_result *cli_chosen(const cobloc_selection *selection);

/* `scores` of the chosen fit; or NULL. */
json_t *cli_select_json(const cobloc_selection *selection, const cobloc_scores *scores);

/* Prints the curve as a table, and what it says. */
void cli_select_print(const cobloc_selection *selection);

/* Draws it, a line for each model, or for each number of columns in a grid. */
void cli_select_plot(const cobloc_selection *selection, const char *path);

/* ---- a description (describe_report.c, describe_json.c) -------------------------------------- */

/* What is described. */
typedef struct cli_described {
    const cobloc_result *result;
    const cobloc_matrix *matrix;
    const cobloc_description *description;
} cli_described;

void cli_describe_print(const cli_described *d);
void cli_describe_tsv(const cli_described *d);
json_t *cli_describe_json(const cli_described *d);

/* ---- scores (score_report.c) ----------------------------------------------------------------- */

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

/* ---- tables of texts in the style of the terminal, of Markdown or of LaTeX (sheet.c) --------- */

typedef enum cli_style { CLI_TEXT = 0, CLI_MARKDOWN, CLI_LATEX } cli_style;

typedef struct cli_sheet {
    cli_style style;
    FILE *to;
    const char *alignment; /* a letter for each column: l or r */
    int columns;
    long cells;       /* so far */
    cli_table *table; /* of the style text */
} cli_sheet;

/* The first line is the header. */
cli_sheet cli_sheet_start(cli_style style, const char *alignment, FILE *to);
/* A bold cell stands out, save in the terminal. */
void cli_sheet_cell(cli_sheet *sheet, bool bold, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void cli_sheet_end(cli_sheet *sheet);

/* Prints a text that stands outside a table in the sheet's style. */
void cli_styled_text(cli_style style, const char *text, FILE *to);

/* ---- a comparison (compare_report.c) --------------------------------------------------------- */

/* Prints two tables, means and deviations, and the runs with the best criteria; and what the test
 * of the best two says. */
void cli_compare_print(const cobloc_comparison *comparison, cli_style style, FILE *to);

/* A line for each method, with everything. */
void cli_compare_csv(const cobloc_comparison *comparison, FILE *to);

json_t *cli_compare_json(const cobloc_comparison *comparison,
                         const cobloc_compare_options *options);

/* Draws accuracy, NMI and ARI of all runs as box plots. */
void cli_compare_plot(const cobloc_comparison *comparison, const char *path);

/* ---- what info shows besides matrices (info_result.c, devices.c) ----------------------------- */

/* Shows the result in the folder that is the first argument. */
void cli_info_result(const cli_args *args);

/* Lists the devices that a fit can run on. */
void cli_info_devices(const cli_args *args);

#endif
