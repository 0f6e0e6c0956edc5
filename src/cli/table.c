/* The table printer.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct cli_table {
    const char *alignment;
    int columns;
    size_t count;
    size_t capacity;
    char **cells;
};

cli_table *cli_table_new(const char *alignment)
{
    cli_table *table = cli_memory(calloc(1, sizeof *table));
    table->alignment = alignment;
    table->columns = (int)strlen(alignment);
    return table;
}

static void add_cell(cli_table *table, const char *format, va_list list)
{
    char text[512];
    vsnprintf(text, sizeof text, format, list);
    if (table->count == table->capacity) {
        table->capacity = table->capacity * 2 + 16;
        table->cells = cli_memory(realloc(table->cells, table->capacity * sizeof *table->cells));
    }
    table->cells[table->count++] = cli_harmless(text);
}

void cli_table_cell(cli_table *table, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_cell(table, format, list);
    va_end(list);
}

void cli_table_row(cli_table *table, const char *title, const char *format, ...)
{
    va_list list;
    cli_table_cell(table, "%s", title);
    va_start(list, format);
    add_cell(table, format, list);
    va_end(list);
}

static int column_width(const cli_table *table, int column)
{
    int widest = 0;
    for (size_t c = (size_t)column; c < table->count; c += (size_t)table->columns)
        if (cli_text_width(table->cells[c]) > widest)
            widest = cli_text_width(table->cells[c]);
    return widest;
}

void cli_table_print(cli_table *table, FILE *to)
{
    for (size_t c = 0; c < table->count; c++) {
        int column = (int)(c % (size_t)table->columns);
        bool last = column == table->columns - 1;
        const char *text = table->cells[c];
        int padding = column_width(table, column) - cli_text_width(text);
        bool right = table->alignment[column] == 'r';
        fprintf(to, "  %*s%s%*s%s", right ? padding : 0, "", text, right || last ? 0 : padding, "",
                last ? "\n" : "");
    }
    for (size_t c = 0; c < table->count; c++)
        free(table->cells[c]);
    free(table->cells);
    free(table);
}
