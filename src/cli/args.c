/* Parsing the command line by a command's table of options; messages.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- messages -------------------------------------------------------------------------------- */

void cli_complain(const char *format, ...)
{
    va_list list;
    cli_progress_end();
    fputs("cobloc: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
}

int cli_usage_error(const cli_command *command, const char *format, ...)
{
    char sentence[512];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    cli_complain("%s (see 'cobloc %s --help')", sentence, command->name);
    return CLI_USAGE;
}

int cli_fail(const cobloc_error *err)
{
    cli_complain("%s", err->message);
    return err->status == COBLOC_BAD_ARGUMENT ? CLI_USAGE : CLI_FAILED;
}

/* ---- options --------------------------------------------------------------------------------- */

static int find_long(const cli_option *options, const char *name, size_t length)
{
    for (int i = 0; options[i].name; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0)
            return i;
    return -1;
}

static int find_letter(const cli_option *options, char letter)
{
    for (int i = 0; options[i].name; i++)
        if (options[i].letter == letter && letter)
            return i;
    return -1;
}

/* How many values an option takes: the words of what stands for them. */
static int value_count(const cli_option *option)
{
    int count = option->value != NULL;
    for (const char *p = option->value; p && *p; p++)
        count += *p == ' ';
    return count;
}

/* Takes argv[*at], which starts with a dash, and its values; false after a complaint. */
static bool take_option(cli_args *args, int argc, char **argv, int *at)
{
    const cli_command *command = args->command;
    const char *word = argv[*at], *attached = NULL;
    int option;
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        size_t length = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
        option = find_long(command->options, word + 2, length);
        attached = equals ? equals + 1 : NULL;
    } else {
        option = find_letter(command->options, word[1]);
        attached = word[2] ? word + 2 : NULL;
    }
    if (option < 0) {
        cli_usage_error(command, "unknown option '%s'", word);
        return false;
    }
    int wanted = value_count(&command->options[option]);
    if (wanted == 0 && attached) {
        cli_usage_error(command, "option '%s' takes no value", word);
        return false;
    }
    args->values[option][0] = attached ? attached : "";
    for (int v = attached ? 1 : 0; v < wanted; v++) {
        if (++*at >= argc) {
            cli_usage_error(command, "option '%s' needs a value%s%s", word, wanted > 1 ? ": " : "",
                            wanted > 1 ? command->options[option].value : "");
            return false;
        }
        args->values[option][v] = argv[*at];
    }
    return true;
}

static bool take_all(cli_args *args, int argc, char **argv)
{
    bool only_words = false;
    for (int at = 0; at < argc; at++) {
        const char *word = argv[at];
        if (!only_words && strcmp(word, "--") == 0) {
            only_words = true;
        } else if (!only_words && word[0] == '-' && word[1]) {
            if (!take_option(args, argc, argv, &at))
                return false;
        } else if (args->word_count == args->command->word_count) {
            cli_usage_error(args->command, "'%s' is one argument too many", word);
            return false;
        } else {
            args->words[args->word_count++] = word;
        }
    }
    return true;
}

bool cli_parse(const cli_command *command, int argc, char **argv, cli_args *args, int *code)
{
    *args = (cli_args){.command = command};
    *code = CLI_DONE;
    for (int at = 0; at < argc && strcmp(argv[at], "--") != 0; at++) {
        if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            cli_print_help(command, stdout);
            return false;
        }
        if (strcmp(argv[at], "--man") == 0) {
            cli_print_man(command, stdout);
            return false;
        }
    }
    *code = CLI_USAGE;
    if (!take_all(args, argc, argv))
        return false;
    if (args->word_count < command->word_count - command->optional_count) {
        cli_usage_error(command, "expected %s", command->words);
        return false;
    }
    return true;
}

const char *const *cli_values(const cli_args *args, const char *name)
{
    static const char *const none[CLI_MOST_VALUES] = {NULL};
    int option = find_long(args->command->options, name, strlen(name));
    return option < 0 ? none : args->values[option];
}

const char *cli_value(const cli_args *args, const char *name)
{
    return cli_values(args, name)[0];
}

bool cli_integer(const cli_args *args, const char *name, long least, long most, long fallback,
                 long *value)
{
    const char *text = cli_value(args, name);
    char *end;
    *value = fallback;
    if (!text)
        return true;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (errno == 0 && end != text && *end == '\0' && *value >= least && *value <= most)
        return true;
    cli_usage_error(args->command, "--%s is '%s', expected a whole number from %ld to %ld", name,
                    text, least, most);
    return false;
}

bool cli_picture_name(const cli_args *args, const char *name)
{
    static const char *const endings[] = {".svg", ".pdf", ".png"};
    const char *path = cli_value(args, name), *dot = path ? strrchr(path, '.') : NULL;
    for (int i = 0; dot && i < 3; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return true;
    if (path)
        cli_usage_error(args->command,
                        "--%s is '%s', expected a name that ends in .svg, .pdf or "
                        ".png",
                        name, path);
    return !path;
}
