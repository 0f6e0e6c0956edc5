/* Tables in three styles.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"

#include <stdarg.h>
#include <string.h>

/* What LaTeX and Markdown would take for something else. */
static const char *const replacements[][3] = {
    {"±", NULL, "$\\pm$"},
    {"_", "\\_", "\\_"},
    {"&", NULL, "\\&"},
    {"%", NULL, "\\%"},
    {"#", NULL, "\\#"},
    {"$", NULL, "\\$"},
    {"{", NULL, "\\{"},
    {"}", NULL, "\\}"},
    {"|", "\\|", "\\textbar{}"},
    {"*", "\\*", NULL},
    {"<", "\\<", "$<$"},
    {"`", "\\`", NULL},
    {"~", NULL, "\\textasciitilde{}"},
    {"^", NULL, "\\textasciicircum{}"},
    {"\\", "\\\\", "\\textbackslash{}"},
};

void cli_styled_text(cli_style style, const char *text, FILE *to)
{
    const size_t count = sizeof replacements / sizeof *replacements;
    while (*text) {
        const char *with = NULL;
        size_t length = 1;
        for (size_t r = 0; style != CLI_TEXT && !with && r < count; r++)
            if (strncmp(text, replacements[r][0], strlen(replacements[r][0])) == 0) {
                with = replacements[r][style];
                length = with ? strlen(replacements[r][0]) : 1;
            }
        if (with)
            fputs(with, to);
        else
            fputc(*text, to);
        text += length;
    }
}

cli_sheet cli_sheet_start(cli_style style, const char *alignment, FILE *to)
{
    cli_sheet s = {style, to, alignment, (int)strlen(alignment), 0, NULL};
    if (style == CLI_TEXT)
        s.table = cli_table_new(alignment);
    else if (style == CLI_LATEX)
        fprintf(to, "\\begin{tabular}{%s}\n\\toprule\n", alignment);
    return s;
}

/* Below the header. */
static void rule(const cli_sheet *s)
{
    if (s->style == CLI_LATEX)
        fputs("\\midrule\n", s->to);
    for (int c = 0; s->style == CLI_MARKDOWN && c < s->columns; c++)
        fprintf(s->to, "|%s%s", s->alignment[c] == 'r' ? "---:" : "---",
                c == s->columns - 1 ? "|\n" : "");
}

void cli_sheet_cell(cli_sheet *s, bool bold, const char *format, ...)
{
    char text[640];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (s->style == CLI_TEXT) {
        cli_table_cell(s->table, "%s", text);
        return;
    }
    bool markdown = s->style == CLI_MARKDOWN, last = s->cells % s->columns == s->columns - 1;
    fputs(markdown ? "| " : "", s->to);
    fputs(!bold ? "" : markdown ? "**" : "\\textbf{", s->to);
    bool minus = !markdown && text[0] == '-' && text[1]; /* a hyphen would be too short */
    fputs(minus ? "$-$" : "", s->to);
    cli_styled_text(s->style, text + minus, s->to);
    fputs(!bold ? "" : markdown ? "**" : "}", s->to);
    fputs(markdown ? last ? " |\n" : " " : last ? " \\\\\n" : " & ", s->to);
    if (++s->cells == s->columns)
        rule(s);
}

void cli_sheet_end(cli_sheet *s)
{
    if (s->style == CLI_TEXT)
        cli_table_print(s->table, s->to);
    else if (s->style == CLI_LATEX)
        fputs("\\bottomrule\n\\end{tabular}\n", s->to);
}
