/* Help and man pages, both made from the commands' tables.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <math.h>
#include <string.h>

#define QUIET_HELP "Print errors and what was asked for, but no progress and no notes."

/* Prints text from column `indent` on, broken at blanks; the first line is already indented.
 * Paragraphs are separated by empty lines. */
static void print_wrapped(const char *text, int indent, FILE *to)
{
    int column = indent, width = cli_width(to);
    for (const char *p = text; *p;) {
        if (*p == '\n') {
            fprintf(to, "\n\n%*s", indent, "");
            column = indent;
            p += strspn(p, "\n");
            continue;
        }
        size_t word = strcspn(p, " \n");
        if (column > indent && column + 1 + (int)word > width) {
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

/* ---- what an option means -------------------------------------------------------------------- */

static void add(char *text, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, CLI_HELP_ROOM - used, "%s", more);
}

/* " One of: auto (default), hard, soft." */
static void add_choices(const void *made, const char *path, char *text)
{
    const char *choice;
    for (int i = 0; (choice = cobloc_field_choice(made, path, i)); i++) {
        add(text, i ? ", " : " One of: ");
        add(text, choice);
        add(text, i == cobloc_int(made, "%s", path) ? " (default)" : "");
    }
    add(text, ".");
}

/* " Default: 200."; a default outside the range means that the sentence says what happens. */
static void add_default(const void *made, const char *path, char *text)
{
    char number[48];
    double least = -INFINITY, most = INFINITY, value = cobloc_real(made, "%s", path);
    const char *words = cobloc_text(made, "%s", path);
    bool limits = cobloc_field_range(made, path, &least, &most);
    snprintf(number, sizeof number, " Default: %.15g.", value);
    if (words)
        snprintf(number, sizeof number, " Default: %s.", words);
    if (words || (limits && value >= least && value <= most && !(value == 0 && isinf(most))))
        add(text, number);
}

void cli_option_help(const void *made, const cli_option *option, char text[CLI_HELP_ROOM])
{
    const char *path = option->path, *colon = path ? strchr(path, ':') : NULL;
    snprintf(text, CLI_HELP_ROOM, "%s",
             option->help ? option->help : cobloc_field_help(made, path));
    if (!path || strstr(text, "default"))
        return;
    cobloc_kind kind = cobloc_field_kind(made, path);
    if (colon && cobloc_int(made, "%s", colon + 1) > 0) {
        char range[64];
        snprintf(range, sizeof range, " Default: %lld:%lld.",
                 (long long)cobloc_int(made, "%.*s", (int)(colon - path), path),
                 (long long)cobloc_int(made, "%s", colon + 1));
        add(text, range);
    } else if (kind == COBLOC_CHOICE) {
        add_choices(made, path, text);
    } else if (kind == COBLOC_INT || kind == COBLOC_REAL || kind == COBLOC_TEXT) {
        add_default(made, path, text);
    }
}

/* Calls `print` for every group, then for each of its options. */
static void for_options(const cli_command *command, FILE *to,
                        void (*print_group)(const char *title, FILE *to),
                        void (*print)(const char *title, const char *help, FILE *to))
{
    for (int g = 0; g < CLI_MOST_GROUPS && command->groups[g]; g++) {
        const cli_group *group = command->groups[g];
        void *made = group->make ? group->make(NULL) : NULL;
        bool untitled = !group->options->name || group->options->name[0];
        if (untitled && (group->title || g == 0))
            print_group(group->title ? group->title : "Options", to);
        for (const cli_option *option = group->options; option->name; option++) {
            if (!option->name[0]) {
                print_group(option->help, to);
                continue;
            }
            char title[80], help[CLI_HELP_ROOM];
            option_title(option, title, sizeof title);
            cli_option_help(made, option, help);
            print(title, help, to);
        }
        if (made)
            group->release(made);
    }
}

/* ---- help ------------------------------------------------------------------------------------ */

static void help_group(const char *title, FILE *to)
{
    fprintf(to, "\n%s%s:%s\n", cli_bold(to), title, cli_plain(to));
}

static void help_option(const char *title, const char *help, FILE *to)
{
    if (strlen(title) > 24)
        fprintf(to, "  %s\n%27s", title, "");
    else
        fprintf(to, "  %-24s ", title);
    print_wrapped(help, 27, to);
}

void cli_print_help(const cli_command *command, FILE *to)
{
    fprintf(to, "Usage: cobloc %s %s [options]\n\n", command->name, command->words);
    print_wrapped(command->summary, 0, to);
    fputc('\n', to);
    print_wrapped(command->details, 0, to);
    if (command->more_help) {
        fputc('\n', to);
        command->more_help(to);
    }
    for_options(command, to, help_group, help_option);
    fputc('\n', to);
    help_option("-q, --quiet", QUIET_HELP, to);
    help_option("-h, --help", "Show this text.", to);
    help_group("Examples", to);
    for (const cli_example *e = command->examples; e->command; e++) {
        fprintf(to, "  %s\n      ", e->command);
        print_wrapped(e->what, 6, to);
    }
}

void cli_print_overview(FILE *to)
{
    fputs("cobloc groups the rows and the columns of a sparse table at the same time.\n\n"
          "Usage: cobloc COMMAND ...\n\nCommands:\n",
          to);
    for (int c = 0; cli_commands[c]; c++)
        fprintf(to, "  %-10s %s\n", cli_commands[c]->name, cli_commands[c]->summary);
    fputs("\nA first look, at a table or at a folder of texts:\n"
          "    cobloc fit table.csv\n"
          "    cobloc fit texts/ -o result\n"
          "    cobloc report result\n"
          "\nSee 'cobloc COMMAND --help' or 'cobloc help COMMAND' for details.\n"
          "Exit status: 0 done, 1 a failed run, 2 bad usage, 130 stopped by Ctrl-C.\n",
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

static void man_group(const char *title, FILE *to)
{
    fprintf(to, ".SS %s\n", title);
}

static void man_option(const char *title, const char *help, FILE *to)
{
    fputs(".TP\n.B ", to);
    print_roff(title + strspn(title, " "), to);
    print_roff(help, to);
}

static void print_command_man(const cli_command *command, FILE *to)
{
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
    for_options(command, to, man_group, man_option);
    man_option("-q, --quiet", QUIET_HELP, to);
    fputs(".SH EXAMPLES\n", to);
    for (const cli_example *e = command->examples; e->command; e++) {
        fputs(".TP\n.B ", to);
        print_roff(e->command, to);
        print_roff(e->what, to);
    }
    fputs(".SH EXIT STATUS\n0 done, 1 a failed run, 2 bad usage, 130 stopped by Ctrl\\-C.\n.SH SEE "
          "ALSO\n.BR cobloc (1)\n",
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
    fputs(".SH EXIT STATUS\n0 done, 1 a failed run, 2 bad usage, 130 stopped by Ctrl\\-C.\n", to);
}
