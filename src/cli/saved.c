/* RESULT, read back.
 * SPDX-License-Identifier: MIT
 */
#include "saved.h"

#include <stdlib.h>
#include <string.h>

void cli_story_free(cli_story *s)
{
    cobloc_report_free(s->report);
    cobloc_curve_free(s->curve);
    cli_classes_free(&s->classes);
    cobloc_matrix_free(s->matrix);
    cobloc_saved_free(s->saved);
    free(s->title);
}

/* "nations" of /some/where/nations.csv.gz; NULL where there is no file, or no memory. */
static char *title_of(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    char *title = name ? malloc(strlen(name) + 1) : NULL;
    if (!title)
        return NULL;
    strcpy(title, name);
    char *dot = strchr(title + 1, '.');
    if (dot)
        *dot = '\0';
    return title;
}

/* How many classes there are, by their largest number. */
static int64_t class_count(const cli_classes *classes, int64_t rows)
{
    int64_t count = 0;
    for (int64_t i = 0; classes->labels && classes->names && i < rows; i++)
        count = classes->labels[i] >= count ? classes->labels[i] + 1 : count;
    return count;
}

/* Points the report at what was read. */
static cobloc_status fill(const cli_args *args, cli_story *s, cobloc_error *err)
{
    cobloc_report *r = s->report;
    bool text = cobloc_text(s->saved, "text") != NULL;
    const char *const *names = (const char *const *)s->classes.names;
    const int64_t rows = cobloc_matrix_rows(s->matrix);
    const struct {
        const char *path, *option, *usual;
    } texts[] = {{"title", "title", s->title},
                 {"row_word", "rows", text ? "documents" : NULL},
                 {"col_word", "cols", text ? "terms" : NULL}};
    cobloc_set_object(r, "matrix", s->matrix, NULL);
    cobloc_set_object(r, "result", cobloc_object(s->saved, "result"), NULL);
    cobloc_set_object(r, "curve", s->curve, NULL);
    cobloc_status status =
        cobloc_set_ints(r, "truth", s->classes.labels, s->classes.labels ? rows : 0, err);
    if (status == COBLOC_OK)
        status = cobloc_set_texts(r, "class_names", names, class_count(&s->classes, rows), err);
    for (size_t i = 0; status == COBLOC_OK && i < sizeof texts / sizeof *texts; i++) {
        const char *given = cli_value(args, texts[i].option);
        status = cobloc_set_text(r, texts[i].path, given ? given : texts[i].usual, err);
    }
    return status;
}

bool cli_story_read(const cli_args *args, cli_story *s, int *code)
{
    const char *folder = args->words[0];
    cobloc_error err;
    *code = CLI_FAILED;
    if (cobloc_saved_read(folder, &s->saved, &err) != COBLOC_OK ||
        cobloc_saved_matrix(s->saved, cli_value(args, "input"), NULL, &s->matrix, &err) !=
            COBLOC_OK ||
        cobloc_curve_read(folder, &s->curve, &err) != COBLOC_OK ||
        cobloc_report_new(&s->report, &err) != COBLOC_OK) {
        *code = cli_fail(&err);
        return false;
    }
    if (!cli_classes_read(cli_value(args, "truth"), s->matrix, &s->classes))
        return false;
    s->title = title_of(cobloc_text(s->saved, "input"));
    if (fill(args, s, &err) == COBLOC_OK)
        return true;
    *code = cli_fail(&err);
    return false;
}
