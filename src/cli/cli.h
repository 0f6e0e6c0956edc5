/* What the subcommands share: options described once (parsed, shown by --help and turned into man
 * pages from the same table), messages, tables, the progress bar.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_H
#define COBLOC_CLI_H

#include "cobloc.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* What a command returns to the shell. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_INTERRUPTED = 130 };

/* ---- commands and options (args.c, help.c) --------------------------------------------------- */

typedef struct cli_option {
    const char *name;  /* long name, without dashes; NULL ends a table; "": a section begins */
    char letter;       /* short name, or 0 */
    const char *value; /* what stands for its value in the help; NULL: a switch; words: so many
                          values, "LABELS TRUTH" */
    const char *path;  /* the option of the library that it sets, or two of them for "2:12", such as
                          "k_from:k_to"; NULL: the command does something else with it */
    const char *help;  /* a sentence; NULL: the library's own, with choices and default */
} cli_option;

/* Between options: those that follow are shown under this title. */
#define CLI_SECTION(TITLE)                                                                         \
    {                                                                                              \
        "", 0, NULL, NULL, TITLE                                                                   \
    }

/* A table of options that belong together. */
typedef struct cli_group {
    const char *title;                /* above them in the help; NULL: none */
    void *(*make)(cobloc_error *err); /* makes the library's options that they set; or NULL */
    void (*release)(void *options);
    const cli_option *options;
} cli_group;

/* The two functions of a group that sets a cobloc_NAME, as members of it. */
#define CLI_DEFINE_MAKER(NAME)                                                                     \
    static void *NAME##_make(cobloc_error *err)                                                    \
    {                                                                                              \
        cobloc_##NAME *made = NULL;                                                                \
        return cobloc_##NAME##_new(&made, err) == COBLOC_OK ? made : NULL;                         \
    }                                                                                              \
    static void NAME##_release(void *options)                                                      \
    {                                                                                              \
        cobloc_##NAME##_free(options);                                                             \
    }
#define CLI_MAKER(NAME) .make = NAME##_make, .release = NAME##_release

enum { CLI_MOST_GROUPS = 4, CLI_MOST_OPTIONS = 64, CLI_MOST_VALUES = 2, CLI_MOST_WORDS = 256 };

typedef struct cli_command cli_command;

/* A command that can be typed as it stands, save the names of files. */
typedef struct cli_example {
    const char *command; /* NULL ends a list */
    const char *what;    /* a sentence */
} cli_example;

typedef struct cli_args {
    const cli_command *command;
    const char *values[CLI_MOST_GROUPS][CLI_MOST_OPTIONS][CLI_MOST_VALUES]; /* by place in the
                                                                  tables; NULL: not given */
    void *made[CLI_MOST_GROUPS];       /* the library's options, set to what was given */
    const char *words[CLI_MOST_WORDS]; /* what is not an option */
    int word_count;
} cli_args;

struct cli_command {
    const char *name;
    const char *words;           /* its arguments, for the usage line: "IN OUT" */
    int word_count;              /* how many of them it takes */
    int optional_count;          /* how many of these, the last ones, may be missing */
    const char *summary;         /* one line */
    const char *details;         /* paragraphs, separated by empty lines */
    void (*more_help)(FILE *to); /* prints what only the program knows, a list; or NULL */
    const cli_example *examples;
    const cli_group *groups[CLI_MOST_GROUPS];
    bool shares; /* several processes (ranks.c) do it together */
    void (*run)(const cli_args *args);
};

extern const cli_command cli_fit;
extern const cli_command cli_select;
extern const cli_command cli_ensemble;
extern const cli_command cli_cut;
extern const cli_command cli_describe;
extern const cli_command cli_predict;
extern const cli_command cli_models;
extern const cli_command cli_score;
extern const cli_command cli_simulate;
extern const cli_command cli_compare;
extern const cli_command cli_report;
extern const cli_command cli_plot;
extern const cli_command cli_info;
extern const cli_command cli_convert;
extern const cli_command cli_vectorize;

/* The list of all commands, ended by NULL. */
extern const cli_command *const cli_commands[];

/* Parses what follows the command's name and sets the library's options to it. */
void cli_parse(const cli_command *command, int argc, char **argv, cli_args *args);
void cli_release(cli_args *args);

/* The value of an option by its long name; NULL if it was not given. A switch's value is "". */
const char *cli_value(const cli_args *args, const char *name);

/* All values of an option that takes several. */
const char *const *cli_values(const cli_args *args, const char *name);

/* The library's options that a group of the command made. */
void *cli_made(const cli_args *args, const cli_group *group);

/* Sets options to what the command line gives for this group. */
void cli_set_group(const cli_args *args, const cli_group *group, void *options);

/* Sets an option of the library to the value of an option of the command, if it is given. */
void cli_set(const cli_args *args, void *options, const char *path, const char *option);

/* A picture must be able to have the name that the option gives, if any: better before the work
 * than after it. */
void cli_check_picture(const cli_args *args, const char *name);

void cli_print_help(const cli_command *command, FILE *to);
void cli_print_overview(FILE *to);
void cli_print_man(const cli_command *command, FILE *to); /* NULL: the program's own page */

/* The command's sentence about an option or, where it has none, the library's with choices or the
 * default; `made`: the options that it sets. */
enum { CLI_HELP_ROOM = 800 };
void cli_option_help(const void *made, const cli_option *option, char text[CLI_HELP_ROOM]);

/* Completions for a shell (completions.c). */
void cli_print_completions(const char *shell, FILE *to);

/* ---- messages (args.c) ----------------------------------------------------------------------- */

/* What was meant by a word, found by looking at one name after the other. */
typedef struct cli_guess {
    const char *word, *best;
    int apart;
} cli_guess;
void cli_guess_try(cli_guess *guess, const char *name);

/* "; did you mean '--NAME'?", with these dashes, or nothing, in `text`, which is returned. */
enum { CLI_GUESS_ROOM = 80 };
const char *cli_guess_text(const cli_guess *guess, const char *dashes, char text[CLI_GUESS_ROOM]);

/* "cobloc: SENTENCE" on stderr. */
void cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A command that cannot go on ends the program, wherever it is; the system releases what it holds.
 * So no function here says whether it went well: where one returns, it did. */
_Noreturn void cli_end(int code);

/* Complains, and ends the program. */
_Noreturn void cli_stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for bad usage, with a pointer to --help. */
_Noreturn void cli_stop_usage(const cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Calls of the library put their sentence into cli_error; this prints it and ends the program, as
 * usage for a bad argument, unless all went well. */
extern cobloc_error cli_error;
void cli_must(cobloc_status status);

/* Prints a line that may hold names or paths, made harmless. */
void cli_say(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same as cli_complain for what is no failure, unless --quiet is given. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether --quiet is given: no notes, no progress, no report of what a file or folder now holds. */
bool cli_is_quiet(void);

/* Prints a line as cli_say does, unless --quiet is given. */
void cli_tell(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- several processes (ranks.c) ------------------------------------------------------------- */

/* Under mpirun or srun: meets the others. `shares`: all of them do the command together; else the
 * first alone does it. */
void cli_ranks_begin(bool shares);
/* Waits for the others, and says what to exit with. */
int cli_ranks_end(int code);

/* The number of this process; only the first, 0, writes and prints. */
int cli_rank(void);
/* Whether several do this command together. */
bool cli_is_shared(void);

/* Has options share their work, where several processes do the command, in groups if the command
 * line says so. */
void cli_share(const cli_args *args, void *options);

/* What another rank than the first complains about is printed only if that ends them all. */
void cli_keep_sentence(const char *sentence);
/* Another rank has failed, and prints why. */
void cli_failed_elsewhere(void);

/* ---- the terminal (terminal.c) --------------------------------------------------------------- */

bool cli_is_terminal(FILE *file);

/* Columns that a line may have: of the terminal, else 79. */
int cli_width(FILE *file);

/* What switches bold or red letters on, and off again; nothing where there is no terminal, or
 * where NO_COLOR is set. */
const char *cli_bold(FILE *file);
const char *cli_red(FILE *file);
const char *cli_plain(FILE *file);

/* ---- tables (table.c) ------------------------------------------------------------------------ */

/* A table grows cell by cell; columns are as wide as their widest cell. `alignment` has a letter
 * for each column: l for left, r for right; it is kept, not copied. */
typedef struct cli_table cli_table;
cli_table *cli_table_new(const char *alignment);
void cli_table_cell(cli_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Two cells: what something is called, and what it is. */
void cli_table_row(cli_table *table, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints it, indented by two blanks, and releases it. */
void cli_table_print(cli_table *table, FILE *to);

/* ---- names (words.c) ------------------------------------------------------------------------- */

/* The name of a line of the matrix; where it has none, its number, from 1, in `number`. */
enum { CLI_NUMBER_ROOM = 24 };
const char *cli_row_name(const cobloc_matrix *matrix, int64_t row, char *number);
const char *cli_col_name(const cobloc_matrix *matrix, int64_t col, char *number);

/* Characters, not bytes: names are UTF-8. */
int cli_text_width(const char *text);

/* A copy that is harmless to print, in new memory. */
char *cli_harmless(const char *text);

/* A name in a table, as in rows.tsv: tabs, line ends and backslashes as \t, \n, \r and \\. Exact,
 * except on a terminal, where it is made harmless. */
void cli_put_name(FILE *to, const char *name);

/* "s", or "" for one of a kind. */
const char *cli_plural(int64_t count);

typedef struct cli_words {
    int indent, column, count;
} cli_words;

/* Prints a title, indented by two blanks; what follows it begins, in every line, at `indent`. */
cli_words cli_words_begin(const char *title, int indent);

/* Prints one more, on a new line where this one is full. `after`: a comma, say. */
void cli_words_add(cli_words *words, const char *text, const char *after);

/* ---- progress (progress.c) ------------------------------------------------------------------- */

/* A line on stderr where that is a terminal, and Ctrl-C as a cancellation in any case, for whatever
 * these options are of, if it can report its progress. */
void cli_watch(void *options);

/* Says what is going on now, and how much of it is done, from 0 to 1. */
void cli_stage(const char *what, double done);

/* Removes the line; the next report brings it back. */
void cli_progress_end(void);

/* Whether Ctrl-C was pressed. */
bool cli_interrupted(void);

/* Ends the program with a sentence when a mapped file is cut short. */
void cli_watch_files(void);

/* What a matrix says about itself that does not follow from its entries; NULL: nothing. */
const char *cli_find_fault(const cobloc_matrix *matrix);

/* ---- files (files.c) ------------------------------------------------------------------------- */

/* The file that an option names, if it is given, must be one that can be written: checked before
 * the work, so that nothing is computed in vain. */
void cli_check_write(const cli_args *args, const char *option);

/* The same for -o DIR, with room for a result of the matrix, unless that is NULL; --force. */
void cli_check_write_result(const cli_args *args, const cobloc_matrix *matrix);
#define CLI_FORCE_OPTION                                                                           \
    {                                                                                              \
        "force", 0, NULL, NULL,                                                                    \
            "Write to the folder of -o even if files in it that are not from cobloc are replaced." \
    }

/* Writes a file by cobloc_write_file. */
void cli_write_file(const char *path, void (*write)(const void *data, FILE *to), const void *data);

/* Where to say what was written to a file: standard error if the file is standard output itself. */
FILE *cli_beside(const char *path);

/* A path inside a folder, in new memory. */
char *cli_path_inside(const char *folder, const char *name);

/* Makes a folder, unless it is there. */
void cli_make_folder(const char *path);

/* The memory that was asked for, if there is some. */
void *cli_memory(void *pointer);

/* Room for an excerpt of a document. */
enum { CLI_EXCERPT_ROOM = 240 };

/* ---- JSON (json.c) --------------------------------------------------------------------------- */

/* A number for JSON, which has no infinity and no NaN. */
json_t *cli_json_number(double value);

/* A value of an object of the library: arrays are lists, tables lists of lists, groups objects. */
json_t *cli_json_value(const void *object, const char *path);

/* An object of several: words, with `group` before the library's names; "key=name" where it has
 * another name in JSON. */
json_t *cli_json_object(const void *object, const char *group, const char *names);

/* A list of such objects, of all elements of a list. */
json_t *cli_json_list(const void *object, const char *list, const char *names);

/* A text for JSON, in which bytes that are no UTF-8 become question marks. */
json_t *cli_json_text(const char *text);

/* Prints the object on stdout, followed by a line end, and releases it. */
void cli_print_json(json_t *object);

#endif
