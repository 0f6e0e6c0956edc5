/* RESULT, read back.
 * SPDX-License-Identifier: MIT
 */
#include "saved.h"
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
static cobloc_status set_usual(cobloc_report *r, const char *path, const char *text,
                               cobloc_error *err)
{
    return cobloc_text(r, "%s", path) ? COBLOC_OK : cobloc_set_text(r, path, text, err);
}

/* The title is "nations" for /some/where/nations.csv.gz; without a file, the folder's name. */
static cobloc_status set_title(cobloc_report *r, const cobloc_saved *saved, cobloc_error *err)
{
    const char *path = cobloc_text(saved, cobloc_text(saved, "input") ? "input" : "folder");
    char title[256] = "";
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    if (!name || !*name)
        return COBLOC_OK;
    snprintf(title, sizeof title, "%.*s", 1 + (int)strcspn(name + 1, "."), name);
    return set_usual(r, "title", title, err);
}

/* Points the report at what was read. */
static cobloc_status fill(cobloc_report *r, const cli_story *s, cobloc_error *err)
{
    bool text = cobloc_text(s->saved, "text") != NULL;
    cobloc_set_object(r, "matrix", s->matrix, NULL);
    cobloc_set_object(r, "result", cobloc_object(s->saved, "result"), NULL);
    cobloc_set_object(r, "curve", s->curve, NULL);
    int64_t count = 0;
    const int32_t *classes = cobloc_ints(s->classes, &count, "labels");
    const char *const *names = cobloc_texts(s->classes, NULL, "class_names");
    cobloc_status status = cobloc_set_ints(r, "truth", classes, count, err);
    if (status == COBLOC_OK)
        status =
            cobloc_set_texts(r, "class_names", names, cobloc_count(s->classes, "class_names"), err);
    if (status == COBLOC_OK)
        status = set_title(r, s->saved, err);
    if (status == COBLOC_OK && text)
        status = set_usual(r, "row_word", "documents", err);
    if (status == COBLOC_OK && text)
        status = set_usual(r, "col_word", "terms", err);
    return status;
}

bool cli_story_read(const cli_args *args, cobloc_report *report, cli_story *s, int *code)
{
    const char *folder = args->words[0];
    cobloc_error err;
    *code = CLI_FAILED;
    if (cobloc_saved_read(folder, &s->saved, &err) != COBLOC_OK ||
        cobloc_saved_matrix(s->saved, cli_value(args, "input"), NULL, &s->matrix, &err) !=
            COBLOC_OK ||
        cobloc_curve_read(folder, &s->curve, &err) != COBLOC_OK) {
        *code = cli_fail(&err);
        return false;
    }
    if (!cli_read_truth(args, s->matrix, true, &s->classes))
        return false;
    if (fill(report, s, &err) == COBLOC_OK)
        return true;
    *code = cli_fail(&err);
    return false;
}
