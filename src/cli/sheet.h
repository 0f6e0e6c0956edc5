/* A table of texts in the style of the terminal, of Markdown or of LaTeX.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_SHEET_H
#define COBLOC_CLI_SHEET_H

#include "cli.h"

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

#endif
