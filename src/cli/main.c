/* The command line: finds the subcommand and runs it. It uses the public header alone.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* A full disk or a closed pipe is noticed here at the latest. */
void cli_end(int code)
{
    cli_progress_end();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_complain("the results could not be written to standard output");
        code = CLI_FAILED;
    }
    code = cli_interrupted() && code != CLI_USAGE ? CLI_INTERRUPTED : code;
    exit(cli_ranks_end(code));
}

static void run(const cli_command *command, int argc, char **argv)
{
    cli_args args;
    cli_ranks_begin(command->shares);
    if (cli_rank() > 0 && !command->shares)
        return;
    cli_parse(command, argc, argv, &args);
    command->run(&args);
    cli_release(&args);
}

static _Noreturn void stop_command(const char *name)
{
    static const char *const options[] = {"--help", "--version", NULL};
    char text[CLI_GUESS_ROOM];
    cli_guess guess = {.word = name};
    for (int c = 0; *name != '-' && cli_commands[c]; c++)
        cli_guess_try(&guess, cli_commands[c]->name);
    for (int i = 0; *name == '-' && options[i]; i++)
        cli_guess_try(&guess, options[i]);
    cli_complain("there is no command '%s'%s (see 'cobloc --help')", name,
                 cli_guess_text(&guess, "", text));
    cli_end(CLI_USAGE);
}

static const cli_command *find(const char *name)
{
    for (int c = 0; cli_commands[c]; c++)
        if (strcmp(name, cli_commands[c]->name) == 0)
            return cli_commands[c];
    stop_command(name);
}

/* ---- help and version ------------------------------------------------------------------------ */

static void run_help(const cli_args *args)
{
    if (args->word_count > 0)
        cli_print_help(find(args->words[0]), stdout);
    else
        cli_print_overview(stdout);
}

static void run_version(const cli_args *args)
{
    (void)args;
    printf("cobloc %s\n", cobloc_version());
}

static const cli_option none[] = {{NULL, 0, NULL, NULL, NULL}};
static const cli_group no_options = {.options = none};

static const cli_example help_examples[] = {
    {"cobloc help", "Lists the commands."},
    {"cobloc help fit", "All about one of them."},
    {NULL, NULL},
};
static const cli_example version_examples[] = {
    {"cobloc version", "Also cobloc --version and cobloc -V."},
    {NULL, NULL},
};

static const cli_command help = {
    .name = "help",
    .words = "[COMMAND]",
    .word_count = 1,
    .optional_count = 1,
    .summary = "List the commands, or explain one of them.",
    .details = "'cobloc help fit' prints the same as 'cobloc fit --help'.",
    .examples = help_examples,
    .groups = {&no_options},
    .run = run_help,
};

static const cli_command version = {
    .name = "version",
    .words = "",
    .summary = "Print the version.",
    .details = "The same as 'cobloc --version' and 'cobloc -V'.",
    .examples = version_examples,
    .groups = {&no_options},
    .run = run_version,
};

const cli_command *const cli_commands[] = {
    &cli_fit,     &cli_select,  &cli_ensemble,  &cli_models, &cli_cut,     &cli_describe,
    &cli_predict, &cli_report,  &cli_plot,      &cli_score,  &cli_compare, &cli_simulate,
    &cli_info,    &cli_convert, &cli_vectorize, &help,       &version,     NULL};

/* Where memory is limited, a stack that cannot grow any more ends the program without a word, and a
 * failed allocation does not. So it grows first. */
static void grow_stack(void)
{
    enum { ROOM = 1 << 18, PAGE = 1 << 12 };
    volatile char room[ROOM];
    for (int at = 0; at < ROOM; at += PAGE)
        room[at] = (char)at;
    (void)room[0];
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    grow_stack();
    cli_watch_files();
    if (!word) {
        cli_print_overview(stderr);
        return CLI_USAGE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        word = "help";
    else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        word = "version";
    if (strcmp(word, "--man") == 0)
        cli_print_man(NULL, stdout);
    else if (strcmp(word, "--completions") == 0)
        cli_print_completions(argc > 2 ? argv[2] : NULL, stdout);
    else
        run(find(word), argc - 2, argv + 2);
    cli_end(CLI_DONE);
}
