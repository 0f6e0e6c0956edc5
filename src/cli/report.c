/* cobloc report: a result as one page.
 * SPDX-License-Identifier: MIT
 */
#include "saved.h"

#include <stdlib.h>

static const cli_group own_group;

static int write_report(const cobloc_report *report, const char *path)
{
    cobloc_error err;
    if (cobloc_report_write(report, path, &err) != COBLOC_OK)
        return cli_fail(&err);
    cli_progress_end();
    cli_tell(cli_beside(path), "written: %s", path);
    return CLI_DONE;
}

static int run(const cli_args *args)
{
    cobloc_report *report = cli_made(args, &own_group);
    cli_story story = {0};
    int code;
    if (!cli_can_write(args, "output"))
        return CLI_FAILED;
    if (cli_story_read(args, report, &story, &code)) {
        const char *given = cli_value(args, "output");
        char *path = given ? NULL : cli_path_inside(args->words[0], "report.html");
        code = given || path ? write_report(report, given ? given : path) : CLI_FAILED;
        free(path);
    }
    cli_story_free(&story);
    return code;
}

CLI_DEFINE_MAKER(report)

static const cli_option options[] = {
    {"output", 'o', "FILE", NULL,
     "File to write. Default: report.html in the folder of the result."},
    CLI_STORY_OPTIONS,
    {"density", 0, NULL, "density_only", NULL},
    {"no-map", 0, NULL, "no_map", NULL},
    {"stability", 0, "N", "samples", NULL},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(report), .options = options};

static const cli_example examples[] = {
    {"cobloc report result", "Writes result/report.html."},
    {"cobloc report result --truth classes.txt -o page.html",
     "With the known classes beside the blocs."},
    {NULL, NULL},
};

const cli_command cli_report = {
    .name = "report",
    .words = "RESULT",
    .word_count = 1,
    .summary = "Write a result as one web page: the matrix in blocs, and what they are about.",
    .details =
        "RESULT is a folder that 'cobloc fit -o' or 'cobloc select -o' wrote. The page is a "
        "single file that needs no network: it can be mailed, or opened years from now. It shows "
        "the matrix in its original order and in the order of the blocs (zoom in, hover to name a "
        "cell), what each bloc is about, the blocks, how the fit went, the curve of sizes if "
        "there is one, and the known classes beside the blocs. Any row or column can be found by "
        "its name.\n\n"
        "Very large matrices (more than about 10 MB of entries) are shown by their density.",
    .examples = examples,
    .groups = {&own_group},
    .run = run,
};
