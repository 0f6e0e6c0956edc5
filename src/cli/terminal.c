/* The terminal: how wide it is, and whether it shows bold letters.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* ioctl, fileno, isatty */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool cli_is_terminal(FILE *file)
{
    int descriptor = fileno(file); /* -1: memory */
    return descriptor >= 0 && isatty(descriptor);
}

int cli_width(FILE *file)
{
    enum { USUAL = 80, LEAST = 40, MOST = 120 }; /* longer lines are hard to read */
    struct winsize size = {0};
    const char *given = getenv("COLUMNS");
    int columns = USUAL;
    if (cli_is_terminal(file)) {
        if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
            columns = size.ws_col;
        else if (given && atoi(given) > 0)
            columns = atoi(given);
    }
    return (columns < LEAST ? LEAST : columns > MOST ? MOST : columns) - 1;
}

/* https://no-color.org: set, and not empty. */
static bool has_styles(FILE *file)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return cli_is_terminal(file) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

const char *cli_bold(FILE *file)
{
    return has_styles(file) ? "\033[1m" : "";
}

const char *cli_red(FILE *file)
{
    return has_styles(file) ? "\033[1;31m" : "";
}

const char *cli_plain(FILE *file)
{
    return has_styles(file) ? "\033[0m" : "";
}
