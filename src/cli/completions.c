/* Completions for bash, zsh and fish, made from the tables of the commands.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

/* ---- what can follow an option --------------------------------------------------------------- */

typedef enum what { NOTHING, WORDS, FILES, FOLDERS } what;

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

enum { LONGEST_LIST = 4000 };

static void add(char *list, const char *word)
{
    size_t used = strlen(list);
    snprintf(list + used, LONGEST_LIST - used, "%s%s", used ? " " : "", word);
}

/* The words that an option takes, into `list`; or files or folders. */
static what values_of(const void *made, const cli_option *o, char list[LONGEST_LIST])
{
    static const char *const of_models[] = {"model", "methods", "base", NULL};
    static const char *const of_formats[] = {"format", "to", NULL};
    const char *choice;
    list[0] = '\0';
    if (!o->value)
        return NOTHING;
    if (strcmp(o->value, "DIR") == 0)
        return FOLDERS;
    for (int m = 0; is_one_of(o->name, of_models) && m < cobloc_model_count(); m++)
        add(list, cobloc_model_name(m));
    for (int f = 0; is_one_of(o->name, of_formats) && f < cobloc_format_count(); f++)
        add(list, cobloc_format_name(f));
    for (int p = 0; strcmp(o->name, "what") == 0 && p < cobloc_picture_count(); p++)
        add(list, cobloc_picture_name((cobloc_picture)p));
    for (int i = 0; made && o->path && (choice = cobloc_field_choice(made, o->path, i)); i++)
        add(list, choice);
    if (*list)
        return WORDS;
    return strstr(o->value, "FILE") || strstr(o->value, "TRUTH") ? FILES : NOTHING;
}

/* The first sentence of an option's help, without what the shells would read. */
static void first_sentence(const void *made, const cli_option *o, char *text, size_t room)
{
    char help[CLI_HELP_ROOM];
    cli_option_help(made, o, help);
    const char *end = strstr(help, ". ");
    size_t length = end ? (size_t)(end - help) : strlen(help);
    if (length > 0 && help[length - 1] == '.')
        length--;
    snprintf(text, room, "%.*s", (int)length, help);
    for (char *p = text; *p; p++)
        *p = *p == '\'' || *p == '"' || *p == '`' ? ' ' : *p;
    for (char *p = text; *p; p++) /* of zsh */
        *p = *p == '[' ? '(' : *p == ']' ? ')' : *p == ':' ? ',' : *p;
}

/* ---- all options ----------------------------------------------------------------------------- */

/* How a shell is told of an option. */
typedef void (*option_fn)(const cli_command *command, const cli_option *option, const void *made,
                          FILE *to);

static void for_options(const cli_command *command, option_fn put, FILE *to)
{
    static const cli_option always[] = {
        {"quiet", 'q', NULL, NULL, "Print errors and what was asked for alone."},
        {"help", 'h', NULL, NULL, "Show the help."},
    };
    for (int g = 0; g < CLI_MOST_GROUPS && command->groups[g]; g++) {
        const cli_group *group = command->groups[g];
        void *made = group->make ? group->make(NULL) : NULL;
        for (const cli_option *o = group->options; o->name; o++)
            if (o->name[0])
                put(command, o, made, to);
        if (made)
            group->release(made);
    }
    for (int i = 0; i < 2; i++)
        put(command, &always[i], NULL, to);
}

/* What the arguments of a command are, if not files. */
static void list_arguments(const cli_command *command, char list[LONGEST_LIST])
{
    list[0] = '\0';
    for (int c = 0; strcmp(command->name, "help") == 0 && cli_commands[c]; c++)
        add(list, cli_commands[c]->name);
    for (int p = 0; strcmp(command->name, "simulate") == 0 && p < cobloc_preset_count(); p++)
        add(list, cobloc_preset_name(p));
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void bash_value(const cli_command *command, const cli_option *o, const void *made, FILE *to)
{
    char list[LONGEST_LIST];
    what kind = values_of(made, o, list);
    if (!o->value)
        return;
    fprintf(to, "    %s:--%s", command->name, o->name);
    if (o->letter)
        fprintf(to, " | %s:-%c", command->name, o->letter);
    if (kind == WORDS)
        fprintf(to, ") words='%s' ;;\n", list);
    else
        fprintf(to, ") %s ;;\n",
                kind == FOLDERS ? "COMPREPLY=($(compgen -d -- \"$current\")); return" : "return");
}

static void bash_name(const cli_command *command, const cli_option *o, const void *made, FILE *to)
{
    (void)command, (void)made;
    fprintf(to, " --%s", o->name);
}

static void print_bash(FILE *to)
{
    char list[LONGEST_LIST];
    fputs("# Completion of cobloc's commands and options in bash; made by 'cobloc --completions "
          "bash'.\n"
          "_cobloc() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command=${COMP_WORDS[1]} words=\n"
          "    COMPREPLY=()\n"
          "    [ \"$current\" != = ] || current=\n"
          "    [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='",
          to);
    for (int c = 0; cli_commands[c]; c++)
        fprintf(to, "%s ", cli_commands[c]->name);
    fputs("--help --version'\n    else\n    case $command:$before in\n", to);
    for (int c = 0; cli_commands[c]; c++)
        for_options(cli_commands[c], bash_value, to);
    fputs("    *)\n        case $command:$current in\n", to);
    for (int c = 0; cli_commands[c]; c++) {
        fprintf(to, "        %s:-*) words='", cli_commands[c]->name);
        for_options(cli_commands[c], bash_name, to);
        fputs("' ;;\n", to);
        list_arguments(cli_commands[c], list);
        if (*list)
            fprintf(to, "        %s:*) words='%s' ;;\n", cli_commands[c]->name, list);
    }
    fputs("        esac ;;\n    esac\n    fi\n"
          "    # shellcheck disable=SC2207 # names without blanks\n"
          "    [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
          "}\n"
          "complete -o bashdefault -o default -F _cobloc cobloc\n",
          to);
}

/* ---- zsh ------------------------------------------------------------------------------------- */

static void zsh_option(const cli_command *command, const cli_option *o, const void *made, FILE *to)
{
    char list[LONGEST_LIST], help[160], values[LONGEST_LIST + 80] = "";
    what kind = values_of(made, o, list);
    (void)command;
    first_sentence(made, o, help, sizeof help);
    for (const char *word = o->value; word && *word; word += strcspn(word, " ")) {
        word += *word == ' ';
        size_t used = strlen(values), room = sizeof values - used;
        snprintf(values + used, room, kind == WORDS ? ":%.*s:(%s)" : ":%.*s:%s",
                 (int)strcspn(word, " :"), word,
                 kind == WORDS     ? list
                 : kind == FILES   ? "_files"
                 : kind == FOLDERS ? "_files -/"
                                   : " ");
    }
    bool one = o->value && !strchr(o->value, ' ');
    fputs("        ", to);
    if (o->letter)
        fprintf(to, "'(-%c --%s)'{-%c%s,--%s%s}", o->letter, o->name, o->letter, one ? "+" : "",
                o->name, one ? "=" : "");
    else
        fprintf(to, "'--%s%s'", o->name, one ? "=" : "");
    fprintf(to, "'[%s]%s' \\\n", help, values);
}

static void print_zsh(FILE *to)
{
    char list[LONGEST_LIST];
    fputs("#compdef cobloc\n"
          "# Completion of cobloc's commands and options in zsh; made by 'cobloc --completions "
          "zsh'.\n"
          "_cobloc() {\n"
          "    local -a commands\n"
          "    commands=(\n",
          to);
    for (int c = 0; cli_commands[c]; c++)
        fprintf(to, "        \"%s:%s\"\n", cli_commands[c]->name, cli_commands[c]->summary);
    fputs("    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $words[1] in\n",
          to);
    for (int c = 0; cli_commands[c]; c++) {
        fprintf(to, "    %s)\n        _arguments -s \\\n", cli_commands[c]->name);
        for_options(cli_commands[c], zsh_option, to);
        list_arguments(cli_commands[c], list);
        fprintf(to,
                *list ? "        '*:name:(%s)'\n        ;;\n"
                      : "        '*:file:_files%s'\n        ;;\n",
                list);
    }
    fputs("    esac\n}\n_cobloc \"$@\"\n", to);
}

/* ---- fish ------------------------------------------------------------------------------------ */

static void fish_option(const cli_command *command, const cli_option *o, const void *made, FILE *to)
{
    char list[LONGEST_LIST], help[160];
    what kind = values_of(made, o, list);
    first_sentence(made, o, help, sizeof help);
    fprintf(to, "complete -c cobloc -n '__fish_seen_subcommand_from %s' -l %s", command->name,
            o->name);
    if (o->letter)
        fprintf(to, " -s %c", o->letter);
    if (kind == WORDS)
        fprintf(to, " -x -a '%s'", list);
    else if (kind == FOLDERS)
        fputs(" -x -a '(__fish_complete_directories)'", to);
    else if (o->value)
        fputs(kind == FILES ? " -r -F" : " -x", to);
    fprintf(to, " -d '%s'\n", help);
}

static void print_fish(FILE *to)
{
    char list[LONGEST_LIST];
    fputs("# Completion of cobloc's commands and options in fish; made by 'cobloc --completions "
          "fish'.\n"
          "complete -c cobloc -n __fish_use_subcommand -f\n"
          "complete -c cobloc -n __fish_use_subcommand -l help -s h -d 'Show the help'\n"
          "complete -c cobloc -n __fish_use_subcommand -l version -s V -d 'Print the version'\n",
          to);
    for (int c = 0; cli_commands[c]; c++)
        fprintf(to, "complete -c cobloc -n __fish_use_subcommand -a %s -d \"%s\"\n",
                cli_commands[c]->name, cli_commands[c]->summary);
    for (int c = 0; cli_commands[c]; c++) {
        list_arguments(cli_commands[c], list);
        if (*list)
            fprintf(to, "complete -c cobloc -n '__fish_seen_subcommand_from %s' -f -a '%s'\n",
                    cli_commands[c]->name, list);
        for_options(cli_commands[c], fish_option, to);
    }
}

void cli_print_completions(const char *shell, FILE *to)
{
    static const struct {
        const char *name;
        void (*print)(FILE *to);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (shell && strcmp(shell, shells[i].name) == 0) {
            shells[i].print(to);
            return;
        }
    cli_complain("--completions is '%s', expected bash, zsh or fish", shell ? shell : "");
    cli_end(CLI_USAGE);
}
