/* Reading INPUT.
 * SPDX-License-Identifier: MIT
 */
#include "fit_options.h"
#include "input.h"

bool cli_io_options(const cli_args *args, cobloc_io_options *options)
{
    static const char *const missing_names[] = {"auto", "zero", "ignore", NULL};
    static const char *const values_names[] = {"auto", "numbers", "categories", NULL};
    long threads;
    int missing, values;
    cobloc_io_options_default(options);
    if (!cli_integer(args, "threads", 1, 1024, 0, &threads) ||
        !cli_choose(args, "missing", missing_names, &missing) ||
        !cli_choose(args, "values", values_names, &values))
        return false;
    options->threads = (int)threads;
    options->format = cli_value(args, "format");
    options->variable = cli_value(args, "variable");
    options->progress = cli_progress();
    options->missing = (cobloc_missing)missing;
    options->values = (cobloc_values)values;
    return true;
}

void cli_list_formats(FILE *to)
{
    fputs("Formats (name, ending, title):\n", to);
    for (int f = 0; f < cobloc_format_count(); f++)
        fprintf(to, "  %-10s %-15s %s\n", cobloc_format_name(f), cobloc_format_extension(f),
                cobloc_format_title(f));
}
