/* Help and man pages, both made from the commands' tables.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

enum { WIDTH = 79 };

/* Prints text from column `indent` on, broken at blanks; the first line is already indented.
 * Paragraphs are separated by empty lines. */
static void print_wrapped(const char *text, int indent, FILE *to)
{
    int column = indent;
    for (const char *p = text; *p;) {
        if (*p == '\n') {
            fprintf(to, "\n\n%*s", indent, "");
            column = indent;
            p += strspn(p, "\n");
            continue;
        }
        size_t word = strcspn(p, " \n");
        if (column > indent && column + 1 + (int)word > WIDTH) {
            fprintf(to, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', to);
            column++;
        }
        fprintf(to, "%.*s", (int)word, p);
        column += (int)word;
        p += word;
        p += *p == ' ';
    }
    fputc('\n', to);
}

static void option_title(const cli_option *option, char *title, size_t room)
{
    snprintf(title, room, "%c%c%s--%s%s%s", option->letter ? '-' : ' ',
             option->letter ? option->letter : ' ', option->letter ? ", " : "  ", option->name,
             option->value ? " " : "", option->value ? option->value : "");
}

void cli_print_help(const cli_command *command, FILE *to)
{
    char title[80];
    fprintf(to, "Usage: cobloc %s %s [options]\n\n", command->name, command->words);
    print_wrapped(command->summary, 0, to);
    fputc('\n', to);
    print_wrapped(command->details, 0, to);
    if (command->more_help) {
        fputc('\n', to);
        command->more_help(to);
    }
    fputs("\nOptions:\n", to);
    for (const cli_option *option = command->options; option->name; option++) {
        option_title(option, title, sizeof title);
        fprintf(to, "  %-24s ", title);
        if (strlen(title) > 24)
            fprintf(to, "\n%27s", "");
        print_wrapped(option->help, 27, to);
    }
    fprintf(to, "  %-24s %s\n", "-h, --help", "Show this text.");
}

void cli_print_overview(FILE *to)
{
    fputs("cobloc groups the rows and the columns of a sparse table at the same time.\n\n"
          "Usage: cobloc COMMAND ...\n\nCommands:\n",
          to);
    for (int c = 0; cli_commands[c]; c++)
        fprintf(to, "  %-10s %s\n", cli_commands[c]->name, cli_commands[c]->summary);
    fputs("\n'cobloc COMMAND --help' tells more; 'cobloc --version' tells the version.\n"
          "Exit status: 0 done, 1 a failed run, 2 bad usage.\n",
          to);
}

/* ---- man pages ------------------------------------------------------------------------------- */

/* Text for roff: a backslash is doubled, a dash is a minus, a line must not start with a dot. */
static void print_roff(const char *text, FILE *to)
{
    for (const char *p = text; *p; p++) {
        if (*p == '\\')
            fputs("\\e", to);
        else if (*p == '-')
            fputs("\\-", to);
        else if (*p == '\n')
            fputs("\n.PP\n", to), p += strspn(p, "\n") - 1;
        else if ((*p == '.' || *p == '\'') && (p == text || p[-1] == '\n'))
            fputs("\\&", to), fputc(*p, to);
        else
            fputc(*p, to);
    }
    fputc('\n', to);
}

static void print_command_man(const cli_command *command, FILE *to)
{
    char title[80];
    fprintf(to, ".TH COBLOC-%s 1 \"\" \"cobloc %s\"\n.SH NAME\ncobloc\\-%s \\- ", command->name,
            cobloc_version(), command->name);
    print_roff(command->summary, to);
    fprintf(to, ".SH SYNOPSIS\n.B cobloc %s\n%s [options]\n.SH DESCRIPTION\n", command->name,
            command->words);
    print_roff(command->details, to);
    if (command->more_help) {
        fputs(".PP\n.nf\n", to);
        command->more_help(to);
        fputs(".fi\n", to);
    }
    fputs(".SH OPTIONS\n", to);
    for (const cli_option *option = command->options; option->name; option++) {
        option_title(option, title, sizeof title);
        fputs(".TP\n.B ", to);
        print_roff(title + strspn(title, " "), to);
        print_roff(option->help, to);
    }
    fputs(".SH EXIT STATUS\n0 done, 1 a failed run, 2 bad usage.\n.SH SEE ALSO\n.BR cobloc (1)\n",
          to);
}

void cli_print_man(const cli_command *command, FILE *to)
{
    if (command) {
        print_command_man(command, to);
        return;
    }
    fprintf(
        to,
        ".TH COBLOC 1 \"\" \"cobloc %s\"\n.SH NAME\ncobloc \\- co\\-clustering of sparse tables\n",
        cobloc_version());
    fputs(".SH SYNOPSIS\n.B cobloc\nCOMMAND ...\n.SH DESCRIPTION\n"
          "cobloc groups the rows and the columns of a sparse, non\\-negative table at the same "
          "time.\n"
          ".SH COMMANDS\n",
          to);
    for (int c = 0; cli_commands[c]; c++) {
        fprintf(to, ".TP\n.BR cobloc\\-%s (1)\n", cli_commands[c]->name);
        print_roff(cli_commands[c]->summary, to);
    }
    fputs(".SH EXIT STATUS\n0 done, 1 a failed run, 2 bad usage.\n", to);
}
