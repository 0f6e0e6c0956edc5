/* Reading the INPUT of a command with the options that all of them share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_INPUT_H
#define COBLOC_CLI_INPUT_H

#include "cli.h"

/* The shared options, for the tables of the commands. */
#define CLI_INPUT_OPTIONS                                                                          \
    {"format", 0, "NAME", "Read INPUT as this format, instead of recognising it by its content."}, \
        {"variable", 0, "NAME", "The variable to read from a MATLAB file."},                       \
        {"missing", 0, "HOW", "Cells without a value are 0 (zero) or missing (ignore)."},          \
        {"values", 0, "WHAT", "Cells are numbers (default) or categories."},                       \
    {                                                                                              \
        "threads", 't', "N", "Use this many threads (default: one for each core)."                 \
    }

/* Makes the options from the command line; false after a complaint (usage). The caller frees them
 * in any case. */
bool cli_io_options(const cli_args *args, cobloc_io_options **options);

/* Prints the list of formats, for --help. */
void cli_list_formats(FILE *to);

#endif
