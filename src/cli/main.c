/* The command line: finds the subcommand and runs it. It uses the public header alone.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

const cli_command *const cli_commands[] = {
    &cli_fit,      &cli_select, &cli_ensemble, &cli_models,    &cli_describe,
    &cli_predict,  &cli_report, &cli_plot,     &cli_score,     &cli_compare,
    &cli_simulate, &cli_info,   &cli_convert,  &cli_vectorize, NULL};

static int run(const cli_command *command, int argc, char **argv)
{
    cli_args args;
    int code;
    if (!cli_parse(command, argc, argv, &args, &code))
        return code;
    code = command->run(&args);
    cli_progress_end();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_complain("the results could not be written to standard output");
        return CLI_FAILED;
    }
    return code;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) {
        cli_print_overview(stderr);
        return CLI_USAGE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        cli_print_overview(stdout);
        return CLI_DONE;
    }
    if (strcmp(word, "--version") == 0) {
        printf("cobloc %s\n", cobloc_version());
        return CLI_DONE;
    }
    if (strcmp(word, "--man") == 0) {
        cli_print_man(NULL, stdout);
        return CLI_DONE;
    }
    for (int c = 0; cli_commands[c]; c++)
        if (strcmp(word, cli_commands[c]->name) == 0)
            return run(cli_commands[c], argc - 2, argv + 2);
    cli_complain("there is no command '%s' (see 'cobloc --help')", word);
    return CLI_USAGE;
}
