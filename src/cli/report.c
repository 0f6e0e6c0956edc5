/* cobloc report: a result as one page.
 * SPDX-License-Identifier: MIT
 */
#include "saved.h"

#include <stdlib.h>

static int write_report(const cobloc_report *report, const char *path)
{
    cobloc_error err;
    if (cobloc_report_write(report, path, &err) != COBLOC_OK)
        return cli_fail(&err);
    cli_progress_end();
    printf("written: %s\n", path);
    return CLI_DONE;
}

static int run(const cli_args *args)
{
    cli_story story = {0};
    int code;
    if (cli_story_read(args, &story, &code)) {
        cobloc_set_flag(story.report, "density_only", cli_value(args, "density") != NULL, NULL);
        const char *given = cli_value(args, "output");
        char *path = given ? NULL : cli_path_inside(args->words[0], "report.html");
        code = given || path ? write_report(story.report, given ? given : path) : CLI_FAILED;
        free(path);
    }
    cli_story_free(&story);
    return code;
}

static const cli_option options[] = {
    {"output", 'o', "FILE",
     "Where to write it (default: report.html in the folder of the result)."},
    CLI_STORY_OPTIONS,
    {"density", 0, NULL, "Show how dense the matrix is, not each entry: a smaller page."},
    {NULL, 0, NULL, NULL},
};

const cli_command cli_report = {
    .name = "report",
    .words = "RESULT",
    .word_count = 1,
    .summary = "Write a result as one web page: the matrix in blocs, and what they are about.",
    .details =
        "RESULT is a folder that 'cobloc fit -o' or 'cobloc select -o' wrote. The page needs "
        "nothing else and asks nobody for anything: it can be sent by mail, or opened years from "
        "now. It shows the matrix as it came and in the order of the blocs (zoom in, hover to "
        "name a cell), what each bloc is about, the blocks, how the fit went, the curve of sizes "
        "where there is one, and the known classes beside the blocs; and it finds any row or "
        "column by its name.\n\n"
        "Very large matrices (more than about 10 MB of entries) are shown by their density.",
    .options = options,
    .run = run,
};
