/* Names: of lines that may have none, in lists that are broken into lines, and in tables.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

int cli_text_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

char *cli_harmless(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = memcpy(cli_memory(malloc(size)), text, size);
    cobloc_make_harmless(copy);
    return copy;
}

cli_words cli_words_begin(const char *title, int indent)
{
    printf("  %-*s", indent - 2, title);
    return (cli_words){.indent = indent, .column = indent};
}

void cli_words_add(cli_words *words, const char *text, const char *after)
{
    char *shown = cli_harmless(text);
    int width = cli_text_width(shown) + (int)strlen(after);
    if (words->count > 0 && words->column + width + 1 > cli_width(stdout)) {
        printf("\n%*s", words->indent, "");
        words->column = words->indent;
    } else if (words->count > 0) {
        putchar(' ');
        words->column++;
    }
    fputs(shown, stdout);
    fputs(after, stdout);
    free(shown);
    words->column += width;
    words->count++;
}

const char *cli_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- names of lines -------------------------------------------------------------------------- */

static const char *name_or_number(const char *name, int64_t line, char *number)
{
    snprintf(number, CLI_NUMBER_ROOM, "%lld", (long long)(line + 1));
    return name ? name : number;
}

const char *cli_row_name(const cobloc_matrix *matrix, int64_t row, char *number)
{
    return name_or_number(cobloc_matrix_row_name(matrix, row), row, number);
}

const char *cli_col_name(const cobloc_matrix *matrix, int64_t col, char *number)
{
    return name_or_number(cobloc_matrix_col_name(matrix, col), col, number);
}

static void put_escaped(FILE *to, const char *name)
{
    for (; *name; name++) {
        const char *special = strchr("\t\n\r\\", *name);
        if (special)
            fprintf(to, "\\%c", "tnr\\"[special - "\t\n\r\\"]);
        else
            putc(*name, to);
    }
}

void cli_put_name(FILE *to, const char *name)
{
    char *shown = cli_is_terminal(to) ? cli_harmless(name) : NULL;
    put_escaped(to, shown ? shown : name);
    free(shown);
}
