/* RESULT, read back.
 * SPDX-License-Identifier: MIT
 */
#include "saved.h"

#include <stdlib.h>
#include <string.h>

void cli_story_free(cli_story *s)
{
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

static const char *word_for(const cli_args *args, const char *option, const char *usual)
{
    return cli_value(args, option) ? cli_value(args, option) : usual;
}

bool cli_story_read(const cli_args *args, cli_story *s, int *code)
{
    const char *folder = args->words[0];
    cobloc_error err;
    cobloc_report *r = &s->report;
    *code = CLI_FAILED;
    if (cobloc_saved_read(folder, &s->saved, &err) != COBLOC_OK ||
        cobloc_saved_matrix(s->saved, cli_value(args, "input"), NULL, &s->matrix, &err) !=
            COBLOC_OK ||
        cobloc_curve_read(folder, &s->curve, &err) != COBLOC_OK) {
        *code = cli_fail(&err);
        return false;
    }
    if (!cli_classes_read(cli_value(args, "truth"), s->matrix, &s->classes))
        return false;
    cob_report_default(r);
    s->title = title_of(s->saved->input);
    r->matrix = s->matrix;
    r->result = s->saved->result;
    r->truth = s->classes.labels;
    r->class_names = (const char *const *)s->classes.names;
    r->curve = s->curve;
    r->title = cli_value(args, "title") ? cli_value(args, "title") : s->title;
    r->row_word = word_for(args, "rows", s->saved->text ? "documents" : NULL);
    r->col_word = word_for(args, "cols", s->saved->text ? "terms" : NULL);
    return true;
}
