/* cobloc report: a result as one page.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_group own_group;

/* The result to compare with; NULL where there is none. */
static cobloc_saved *read_other(const cli_args *args, cobloc_report *report)
{
    cobloc_saved *other = NULL;
    if (args->word_count < 2)
        return NULL;
    cli_must(cobloc_saved_read(args->words[1], &other, &cli_error));
    cobloc_set_object(report, "other", cobloc_object(other, "result"), NULL);
    return other;
}

/* Sets what the blocs are shown over: a field that the matrix has, or else a file. */
static void set_by(const cli_args *args, const cobloc_matrix *matrix, cobloc_report *report)
{
    const char *by = cli_value(args, "by"), *slash = by ? strrchr(by, '/') : NULL;
    if (!by)
        return;
    bool field = cobloc_matrix_find_field(matrix, by) >= 0 || strcmp(by, "class") == 0;
    bool is_file = !field && access(by, F_OK) == 0;
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(slash ? slash + 1 : by, "."),
             slash ? slash + 1 : by);
    if (is_file)
        cli_must(cobloc_set_file(report, "by", by, &cli_error));
    cli_must(cobloc_set_text(report, "by_field", is_file ? name : by, &cli_error));
}

static void run(const cli_args *args)
{
    cobloc_report *report = cli_made(args, &own_group);
    cli_check_write(args, "output");
    cli_story story = cli_story_read(args, report);
    set_by(args, story.matrix, report);
    cobloc_saved *other = read_other(args, report);
    char *usual = cli_path_inside(args->words[0], "report.html");
    const char *path = cli_value(args, "output") ? cli_value(args, "output") : usual;
    cli_must(cobloc_report_write(report, path, &cli_error));
    cli_progress_end();
    cli_tell(cli_beside(path), "written: %s", path);
    free(usual);
    cobloc_saved_free(other);
    cli_story_free(&story);
}

CLI_DEFINE_MAKER(report)

static const cli_option options[] = {
    {"output", 'o', "FILE", NULL,
     "File to write. Default: report.html in the folder of the result."},
    CLI_STORY_OPTIONS,
    {"by", 0, "FIELD", NULL,
     "Show the blocs over a field of the text, such as date, source or folder, over the known "
     "classes (class), or over the values of a file, one per row."},
    {"names", 0, "FILE", "names",
     "Names of blocs, as the page saves them: the clusters of a bloc, a tab, its name."},
    {"density", 0, NULL, "density_only", NULL},
    {"no-map", 0, NULL, "no_map", NULL},
    {"map-cols", 0, NULL, "map_cols", NULL},
    {"stability", 0, "N", "samples", NULL},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(report), .options = options};

static const cli_example examples[] = {
    {"cobloc report result", "Writes result/report.html."},
    {"cobloc report result --truth classes.txt -o page.html",
     "With the known classes beside the blocs."},
    {"cobloc report result --by date", "With the blocs over the dates of the documents."},
    {NULL, NULL},
};

const cli_command cli_report = {
    .name = "report",
    .words = "RESULT [OTHER]",
    .word_count = 2,
    .optional_count = 1,
    .summary = "Write a result as one web page: the matrix in blocs, and what they are about.",
    .details =
        "RESULT is a folder that 'cobloc fit -o' or 'cobloc select -o' wrote. The page is a "
        "single file that needs no network: it can be mailed, or opened years from now. It shows "
        "the matrix in its original order and in the order of the blocs (zoom in, hover to name a "
        "cell), what each bloc is about, the blocks, how the fit went, the curve of sizes if "
        "there is one, and the known classes beside the blocs. Any row or column can be found by "
        "its name.\n\n"
        "OTHER is another result for the same matrix: the page then shows which rows moved.\n\n"
        "Very large matrices (more than about 10 MB of entries) are shown by their density.",
    .examples = examples,
    .groups = {&own_group},
    .run = run,
};
