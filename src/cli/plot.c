/* cobloc plot: pictures of a result, for papers.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

#include <string.h>

static const cli_group own_group;

/* The picture that --what names. */
static cobloc_picture wanted_picture(const cli_args *args)
{
    const char *what = cli_value(args, "what") ? cli_value(args, "what") : "matrix";
    char known[256] = "", text[CLI_GUESS_ROOM];
    cli_guess guess = {.word = what};
    for (int p = 0; p < cobloc_picture_count(); p++) {
        const char *name = cobloc_picture_name((cobloc_picture)p);
        if (strcmp(name, what) == 0)
            return (cobloc_picture)p;
        cli_guess_try(&guess, name);
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", p > 0 ? ", " : "", name);
    }
    cli_stop_usage(args->command, "--what is '%s', expected one of: %s%s", what, known,
                   cli_guess_text(&guess, "", text));
}

static void run(const cli_args *args)
{
    cobloc_report *report = cli_made(args, &own_group);
    const char *path = cli_value(args, "output");
    cobloc_picture picture = wanted_picture(args);
    if (!path)
        cli_stop_usage(args->command, "the picture's name is missing: -o FILE.svg");
    cli_check_picture(args, "output");
    cli_check_write(args, "output");
    cli_story story = cli_story_read(args, report);
    cobloc_set_text(report, "title", cli_value(args, "title"), NULL); /* papers have captions */
    cli_must(cobloc_plot_result(path, report, picture, &cli_error));
    cli_tell(stdout, "written: %s", path);
    cli_story_free(&story);
}

CLI_DEFINE_MAKER(report)

static const cli_option options[] = {
    {"output", 'o', "FILE", NULL, "Picture to write: a .svg, .pdf or .png file."},
    {"what", 'w', "NAME", NULL,
     "What to draw: matrix (default), blocks, graph, convergence, restarts, curve, confusion or "
     "sections."},
    CLI_STORY_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(report), .options = options};

static const cli_example examples[] = {
    {"cobloc plot result -o matrix.pdf", "The matrix, before and after."},
    {"cobloc plot result --what graph -o terms.svg", "The columns of each bloc that go together."},
    {NULL, NULL},
};

const cli_command cli_plot = {
    .name = "plot",
    .words = "RESULT",
    .word_count = 1,
    .summary = "Draw a result for a paper: the matrix in blocs, the blocks, the curves.",
    .details =
        "RESULT is a folder that 'cobloc fit -o' or 'cobloc select -o' wrote.\n\n"
        "matrix: in its original order and in the order of the blocs. blocks: how many times "
        "denser each block is than if rows and columns were independent. graph: the columns of "
        "each bloc that go together. convergence: the criterion over the iterations. restarts: "
        "what each start reached. curve: the sizes that 'cobloc select' tried. confusion: the "
        "known classes beside the blocs. sections: socc's main, second and common columns.",
    .examples = examples,
    .groups = {&own_group},
    .run = run,
};
