/* Lists of names in the terminal, broken into lines.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

enum { WIDTH = 79 };

/* Characters, not bytes: names are UTF-8. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

/* Control characters could do things to a terminal. */
static void print_safely(const char *text)
{
    for (; *text; text++)
        putchar((unsigned char)*text < ' ' || *text == 127 ? '?' : *text);
}

cli_words cli_words_begin(const char *title, int indent)
{
    printf("  %-*s", indent - 2, title);
    return (cli_words){.indent = indent, .column = indent};
}

void cli_words_add(cli_words *words, const char *text, const char *after)
{
    int width = width_of(text) + (int)strlen(after);
    if (words->count > 0 && words->column + width + 1 > WIDTH) {
        printf("\n%*s", words->indent, "");
        words->column = words->indent;
    } else if (words->count > 0) {
        putchar(' ');
        words->column++;
    }
    print_safely(text);
    fputs(after, stdout);
    words->column += width;
    words->count++;
}
