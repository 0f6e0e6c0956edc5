/* Parsing the command line by a command's table of options; messages.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- messages -------------------------------------------------------------------------------- */

enum { LONGEST = 4096 };

/* Names and paths may hold anything, also what a terminal would obey. */
static void print_harmless(FILE *to, const char *format, va_list list)
{
    char text[LONGEST];
    vsnprintf(text, sizeof text, format, list);
    cobloc_make_harmless(text);
    fputs(text, to);
}

static void put_sentence(const char *style, const char *format, va_list list)
{
    cli_progress_end();
    if (cli_rank() > 0) {
        char text[LONGEST];
        vsnprintf(text, sizeof text, format, list);
        cobloc_make_harmless(text);
        cli_keep_sentence(text);
        return;
    }
    fprintf(stderr, "%scobloc:%s ", style, *style ? cli_plain(stderr) : "");
    print_harmless(stderr, format, list);
    fputc('\n', stderr);
}

void cli_complain(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put_sentence(cli_red(stderr), format, list);
    va_end(list);
}

static bool quiet;

bool cli_is_quiet(void)
{
    return quiet;
}

void cli_note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (!quiet && cli_rank() == 0)
        put_sentence("", format, list);
    va_end(list);
}

void cli_say(FILE *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_harmless(to, format, list);
    va_end(list);
    fputc('\n', to);
}

void cli_tell(FILE *to, const char *format, ...)
{
    va_list list;
    if (quiet)
        return;
    va_start(list, format);
    print_harmless(to, format, list);
    va_end(list);
    fputc('\n', to);
}

/* ---- the end of a command that cannot go on -------------------------------------------------- */

void cli_stop(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put_sentence(cli_red(stderr), format, list);
    va_end(list);
    cli_end(CLI_FAILED);
}

void cli_stop_usage(const cli_command *command, const char *format, ...)
{
    char sentence[LONGEST / 2];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    cli_complain("%s (see 'cobloc %s --help')", sentence, command->name);
    cli_end(CLI_USAGE);
}

cobloc_error cli_error;

void cli_must(cobloc_status status)
{
    if (status == COBLOC_OK)
        return;
    if (status == COBLOC_ELSEWHERE)
        cli_failed_elsewhere();
    else
        cli_complain("%s", cli_error.message);
    cli_end(status == COBLOC_BAD_ARGUMENT ? CLI_USAGE : CLI_FAILED);
}

/* ---- what was meant -------------------------------------------------------------------------- */

void cli_guess_try(cli_guess *g, const char *name)
{
    int apart = cobloc_letters_apart(g->word, name);
    if (apart >= 0 && (!g->best || apart < g->apart)) {
        g->best = name;
        g->apart = apart;
    }
}

const char *cli_guess_text(const cli_guess *g, const char *dashes, char text[CLI_GUESS_ROOM])
{
    text[0] = '\0';
    if (g->best)
        snprintf(text, CLI_GUESS_ROOM, "; did you mean '%s%s'?", dashes, g->best);
    return text;
}

/* ---- options --------------------------------------------------------------------------------- */

/* Where an option is in the tables of a command. */
typedef struct place {
    const cli_option *option; /* NULL: there is no such option */
    int group, index;
} place;

static place find_option(const cli_command *command, const char *name, size_t length, char letter)
{
    for (int g = 0; g < CLI_MOST_GROUPS && command->groups[g]; g++)
        for (const cli_option *o = command->groups[g]->options; o->name; o++)
            if (letter ? o->letter == letter
                       : length > 0 && strlen(o->name) == length &&
                             strncmp(o->name, name, length) == 0)
                return (place){o, g, (int)(o - command->groups[g]->options)};
    return (place){NULL, 0, 0};
}

/* How many values an option takes: the words of what stands for them. */
static int value_count(const cli_option *option)
{
    int count = option->value != NULL;
    for (const char *p = option->value; p && *p; p++)
        count += *p == ' ';
    return count;
}

/* Stops at an option that is none. */
static _Noreturn void stop_unknown(const cli_command *command, const char *word)
{
    char name[64], text[CLI_GUESS_ROOM];
    const char *bare = word + strspn(word, "-");
    cli_guess guess = {.word = name};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    bool long_one = strlen(name) > 1; /* also -model */
    for (int g = 0; long_one && g < CLI_MOST_GROUPS && command->groups[g]; g++)
        for (const cli_option *o = command->groups[g]->options; o->name; o++)
            if (o->name[0])
                cli_guess_try(&guess, o->name);
    if (long_one)
        cli_guess_try(&guess, "quiet");
    cli_stop_usage(command, "unknown option '%s'%s", word,
                   cli_guess_text(&guess, guess.best && guess.best[1] ? "--" : "-", text));
}

/* Takes argv[*at], which starts with a dash, and its values. */
static void take_option(cli_args *args, int argc, char **argv, int *at)
{
    const cli_command *command = args->command;
    const char *word = argv[*at], *attached = NULL;
    place p;
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        size_t length = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
        p = find_option(command, word + 2, length, 0);
        attached = equals ? equals + 1 : NULL;
    } else {
        p = find_option(command, NULL, 0, word[1]);
        attached = word[2] ? word + 2 : NULL;
    }
    if (!p.option)
        stop_unknown(command, word);
    int wanted = value_count(p.option);
    if (wanted == 0 && attached)
        cli_stop_usage(command, "option '%s' takes no value", word);
    const char **values = args->values[p.group][p.index];
    values[0] = attached ? attached : "";
    for (int v = attached ? 1 : 0; v < wanted; v++) {
        if (++*at >= argc)
            cli_stop_usage(command, "option '%s' needs a value%s%s", word, wanted > 1 ? ": " : "",
                           wanted > 1 ? p.option->value : "");
        values[v] = argv[*at];
    }
}

static void take_all(cli_args *args, int argc, char **argv)
{
    bool only_words = false;
    for (int at = 0; at < argc; at++) {
        const char *word = argv[at];
        if (!only_words && strcmp(word, "--") == 0)
            only_words = true;
        else if (!only_words && (strcmp(word, "--quiet") == 0 || strcmp(word, "-q") == 0))
            quiet = true;
        else if (!only_words && word[0] == '-' && word[1])
            take_option(args, argc, argv, &at);
        else if (args->word_count == args->command->word_count)
            cli_stop_usage(args->command, "'%s' is one argument too many", word);
        else
            args->words[args->word_count++] = word;
    }
}

const char *const *cli_values(const cli_args *args, const char *name)
{
    static const char *const none[CLI_MOST_VALUES] = {NULL};
    place p = find_option(args->command, name, strlen(name), 0);
    return p.option ? args->values[p.group][p.index] : none;
}

const char *cli_value(const cli_args *args, const char *name)
{
    return cli_values(args, name)[0];
}

/* ---- options of the library ------------------------------------------------------------------ */

/* The library must take a value; else the sentence calls the option by the name that it has here.
 */
static void must_set(const cli_args *args, const char *option, const char *path,
                     cobloc_status status)
{
    size_t length = strlen(path);
    bool named = strncmp(cli_error.message, path, length) == 0;
    if (status == COBLOC_BAD_ARGUMENT)
        cli_stop_usage(args->command, "--%s%s%s", option, named ? "" : ": ",
                       cli_error.message + (named ? length : 0));
    cli_must(status); /* it named a file */
}

/* "2:12", or "4" for both. */
static cobloc_status set_range(void *options, const char *path, const char *value,
                               cobloc_error *err)
{
    char from[64], to[64], first[32];
    const char *colon = strchr(value, ':');
    snprintf(from, sizeof from, "%.*s", (int)strcspn(path, ":"), path);
    snprintf(to, sizeof to, "%s", strchr(path, ':') + 1);
    snprintf(first, sizeof first, "%.*s", (int)strcspn(value, ":"), value);
    cobloc_status status = cobloc_set_text(options, from, first, err);
    if (status == COBLOC_OK)
        status = cobloc_set_text(options, to, colon ? colon + 1 : value, err);
    if (status == COBLOC_OK && cobloc_int(options, "%s", from) <= cobloc_int(options, "%s", to))
        return COBLOC_OK;
    double least = 1, most = 1;
    cobloc_field_range(options, to, &least, &most);
    snprintf(err->message, sizeof err->message, "%s is '%s', expected A:B with %g <= A <= B <= %g",
             path, value, least, most);
    return err->status = COBLOC_BAD_ARGUMENT;
}

/* Bytes: a number, or one with K, M, G or T behind it (of 1024). */
static cobloc_status set_bytes(void *options, const char *path, const char *value,
                               cobloc_error *err)
{
    static const char units[] = "KMGT";
    char *end;
    double bytes = strtod(value, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (end == value || !(bytes > 0) || (*end && (!unit || end[1]))) {
        snprintf(err->message, sizeof err->message,
                 "%s is '%s', expected bytes, such as 500M or 4G", path, value);
        return err->status = COBLOC_BAD_ARGUMENT;
    }
    for (const char *u = units; unit && u <= unit; u++)
        bytes *= 1024;
    return cobloc_set_real(options, path, bytes, err);
}

void cli_set(const cli_args *args, void *options, const char *path, const char *name)
{
    const char *value = cli_value(args, name);
    const cli_option *option = find_option(args->command, name, strlen(name), 0).option;
    cobloc_status status;
    if (!value)
        return;
    if (strchr(path, ':'))
        status = set_range(options, path, value, &cli_error);
    else if (cobloc_field_kind(options, path) == COBLOC_FLAG)
        status = cobloc_set_flag(options, path, 1, &cli_error);
    else if (strcmp(option->value, "SIZE") == 0)
        status = set_bytes(options, path, value, &cli_error);
    else if (strcmp(option->value, "FILE") == 0)
        status = cobloc_set_file(options, path, value, &cli_error);
    else
        status = cobloc_set_text(options, path, value, &cli_error);
    must_set(args, name, path, status);
}

void cli_set_group(const cli_args *args, const cli_group *group, void *options)
{
    for (const cli_option *o = group->options; o->name; o++)
        if (o->path)
            cli_set(args, options, o->path, o->name);
}

/* What has no option of its own, such as printing, keeps to the same number. */
static void limit_threads(int threads)
{
#ifdef _OPENMP
    if (threads > 0)
        omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

/* Makes the options of a group; they all take the number of threads and the memory. */
static void make_options(cli_args *args, int group)
{
    static const char *const threads[] = {"threads", "fit.threads"};
    static const char *const memory[] = {"max_memory", "fit.max_memory"};
    const cli_group *g = args->command->groups[group];
    void *made = args->made[group] = g->make(&cli_error);
    cli_must(made ? COBLOC_OK : cli_error.status);
    cli_watch(made);
    cli_share(args, made);
    for (int i = 0; i < 2; i++)
        if (cobloc_field_kind(made, threads[i]) != COBLOC_NONE) {
            cli_set(args, made, threads[i], "threads");
            limit_threads((int)cobloc_int(made, "%s", threads[i]));
        }
    for (int i = 0; i < 2; i++)
        if (cobloc_field_kind(made, memory[i]) != COBLOC_NONE)
            cli_set(args, made, memory[i], "max-memory");
    cli_set_group(args, g, made);
}

void *cli_made(const cli_args *args, const cli_group *group)
{
    for (int g = 0; g < CLI_MOST_GROUPS; g++)
        if (args->command->groups[g] == group)
            return args->made[g];
    return NULL;
}

void cli_release(cli_args *args)
{
    for (int g = 0; g < CLI_MOST_GROUPS; g++)
        if (args->made[g])
            args->command->groups[g]->release(args->made[g]);
}

/* ---- the whole ------------------------------------------------------------------------------- */

void cli_parse(const cli_command *command, int argc, char **argv, cli_args *args)
{
    *args = (cli_args){.command = command};
    for (int at = 0; at < argc && strcmp(argv[at], "--") != 0; at++) {
        bool help = strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0;
        if (help || strcmp(argv[at], "--man") == 0) {
            (help ? cli_print_help : cli_print_man)(command, stdout);
            cli_end(CLI_DONE);
        }
    }
    take_all(args, argc, argv);
    if (args->word_count < command->word_count - command->optional_count)
        cli_stop_usage(command, "expected %s", command->words);
    for (int g = 0; g < CLI_MOST_GROUPS && command->groups[g]; g++)
        if (command->groups[g]->make)
            make_options(args, g);
}

void cli_check_picture(const cli_args *args, const char *name)
{
    static const char *const endings[] = {".svg", ".pdf", ".png"};
    const char *path = cli_value(args, name), *dot = path ? strrchr(path, '.') : NULL;
    for (int i = 0; dot && i < 3; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return;
    if (path)
        cli_stop_usage(args->command,
                       "--%s is '%s', expected a file name that ends in .svg, .pdf or .png", name,
                       path);
}
