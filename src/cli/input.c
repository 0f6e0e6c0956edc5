/* Reading INPUT.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

bool cli_io_options(const cli_args *args, cobloc_io_options *options)
{
    long threads;
    cob_io_options_default(options);
    if (!cli_integer(args, "threads", 1, 1024, 0, &threads))
        return false;
    options->threads = (int)threads;
    options->format = cli_value(args, "format");
    options->variable = cli_value(args, "variable");
    options->progress = cli_progress();
    return true;
}

void cli_list_formats(FILE *to)
{
    fputs("Formats (name, ending, title):\n", to);
    for (int f = 0; f < cobloc_format_count(); f++)
        fprintf(to, "  %-10s %-15s %s\n", cobloc_format_name(f), cobloc_format_extension(f),
                cobloc_format_title(f));
}
