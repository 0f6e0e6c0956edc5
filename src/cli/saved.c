/* RESULT, read back.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

#include <string.h>

void cli_story_free(cli_story *s)
{
    cobloc_curve_free(s->curve);
    cobloc_labels_free(s->classes);
    cobloc_matrix_free(s->matrix);
    cobloc_saved_free(s->saved);
}

/* Sets a text that the command line did not give. */
static void set_usual(cobloc_report *r, const char *path, const char *text)
{
    if (!cobloc_text(r, "%s", path))
        cli_must(cobloc_set_text(r, path, text, &cli_error));
}

/* The title is "nations" for /some/where/nations.csv.gz; without a file, the folder's name. */
static void set_title(cobloc_report *r, const cobloc_saved *saved)
{
    const char *path = cobloc_text(saved, cobloc_text(saved, "input") ? "input" : "folder");
    char title[256] = "";
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    if (!name || !*name)
        return;
    snprintf(title, sizeof title, "%.*s", 1 + (int)strcspn(name + 1, "."), name);
    set_usual(r, "title", title);
}

/* Points the report at what was read. */
static void fill(cobloc_report *r, const cli_story *s)
{
    bool text = cobloc_text(s->saved, "text") != NULL;
    cobloc_set_object(r, "matrix", s->matrix, NULL);
    cobloc_set_object(r, "result", cobloc_object(s->saved, "result"), NULL);
    cobloc_set_object(r, "curve", s->curve, NULL);
    int64_t count = 0;
    const int32_t *classes = cobloc_ints(s->classes, &count, "labels");
    const char *const *names = cobloc_texts(s->classes, NULL, "class_names");
    cli_must(cobloc_set_ints(r, "truth", classes, count, &cli_error));
    cli_must(cobloc_set_texts(r, "class_names", names, cobloc_count(s->classes, "class_names"),
                              &cli_error));
    set_title(r, s->saved);
    if (text) {
        set_usual(r, "row_word", "documents");
        set_usual(r, "col_word", "terms");
    }
}

cli_story cli_story_read(const cli_args *args, cobloc_report *report)
{
    const char *folder = args->words[0];
    cli_story s = {0};
    cli_must(cobloc_saved_read(folder, &s.saved, &cli_error));
    cli_must(cobloc_saved_matrix(s.saved, cli_value(args, "input"), NULL, &s.matrix, &cli_error));
    cli_must(cobloc_curve_read(folder, &s.curve, &cli_error));
    s.classes = cli_read_truth(args, s.matrix);
    fill(report, &s);
    return s;
}
