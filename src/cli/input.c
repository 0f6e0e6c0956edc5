/* Reading INPUT.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

bool cli_io_options(const cli_args *args, cobloc_io_options **options)
{
    cobloc_error err;
    if (cobloc_io_options_new(options, &err) != COBLOC_OK) {
        cli_fail(&err);
        return false;
    }
    cli_watch(*options);
    return cli_set(args, *options, "", "threads format variable missing values");
}

void cli_list_formats(FILE *to)
{
    fputs("Formats (name, ending, title):\n", to);
    for (int f = 0; f < cobloc_format_count(); f++)
        fprintf(to, "  %-10s %-15s %s\n", cobloc_format_name(f), cobloc_format_extension(f),
                cobloc_format_title(f));
}
