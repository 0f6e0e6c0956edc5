/* Showing scores.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"

#include <stdlib.h>
#include <string.h>

/* Scores that a fit has without a truth, by their keys in model.json. */
static const struct {
    const char *key, *title;
} internal[] = {
    {"icl", "ICL"},
    {"modularity", "modularity"},
    {"explained_information", "explained information"},
};

enum { INTERNAL = sizeof internal / sizeof *internal };

/* The scores of the rows, wherever they are, and those of the columns. */
static double row_score(const cli_score_report *r, const char *name)
{
    return r->both ? cobloc_real(r->both, "rows.%s", name) : cobloc_real(r->of_rows, "%s", name);
}

static int64_t left_out(const cli_score_side *side, double scored)
{
    return cobloc_int(side->labels, "count") - (int64_t)scored;
}

/* The text of a class or cluster of the confusion table. */
static const char *label_of(const cobloc_labels *labels, const cobloc_confusion *c,
                            const char *list, int i)
{
    return cobloc_text(labels, "class_names[%d]", (int)cobloc_int(c, "%s[%d]", list, i));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *names_json(const cobloc_labels *labels, const cobloc_confusion *c, const char *list)
{
    json_t *names = json_array();
    for (int i = 0; i < cobloc_count(c, "%s", list); i++)
        json_array_append_new(names, cli_json_text(label_of(labels, c, list, i)));
    return names;
}

static json_t *side_json(const cli_score_side *side, const void *scores, const char *group)
{
    const cobloc_confusion *c = side->confusion;
    json_t *object =
        cli_json_object(scores, group, "acc nmi ari purity sdcs truth_sdcs clusters classes lines");
    json_t *confusion = cli_json_object(c, "", "counts");
    json_object_set_new(confusion, "classes", names_json(side->truth, c, "class_labels"));
    json_object_set_new(confusion, "clusters", names_json(side->labels, c, "cluster_labels"));
    json_object_set_new(object, "left_out",
                        json_integer(left_out(side, cobloc_real(scores, "%slines", group))));
    json_object_set_new(object, "confusion", confusion);
    return object;
}

json_t *cli_score_json(const cli_score_report *r)
{
    static const char *const keys[] = {"model", "criterion_name", "criterion",
                                       "icl",   "modularity",     "explained_information"};
    json_t *object = r->both      ? side_json(&r->rows, r->both, "rows.")
                     : r->of_rows ? side_json(&r->rows, r->of_rows, "")
                                  : json_object();
    if (r->both) {
        json_object_set_new(object, "cols", side_json(&r->cols, r->both, "cols."));
        json_object_update_new(object, cli_json_object(r->both, "", "cce cari"));
    }
    for (size_t k = 0; r->model && k < sizeof keys / sizeof *keys; k++)
        json_object_set(object, keys[k], json_object_get(r->model, keys[k]));
    return object;
}

/* ---- in the terminal ------------------------------------------------------------------------- */

static void number_cell(cli_table *t, const json_t *value)
{
    if (json_is_number(value))
        cli_table_cell(t, "%.6g", json_number_value(value));
    else
        cli_table_cell(t, "-"); /* the model has no such thing */
}

static void print_internal(const json_t *model)
{
    const char *name = json_string_value(json_object_get(model, "model"));
    const char *criterion = json_string_value(json_object_get(model, "criterion_name"));
    cli_table *t = cli_table_new("lr");
    cli_table_row(t, "model", "%s", name ? name : "?");
    cli_table_cell(t, "criterion (%s)", criterion ? criterion : "?");
    number_cell(t, json_object_get(model, "criterion"));
    for (int s = 0; s < INTERNAL; s++) {
        cli_table_cell(t, "%s", internal[s].title);
        number_cell(t, json_object_get(model, internal[s].key));
    }
    cli_table_print(t, stdout);
}

static void score_line(cli_table *t, const cli_score_report *r, const char *title, const char *name,
                       int digits)
{
    cli_table_row(t, title, "%.*f", digits, row_score(r, name));
    if (r->both)
        cli_table_cell(t, "%.*f", digits, cobloc_real(r->both, "cols.%s", name));
}

static void print_external(const cli_score_report *r)
{
    cli_table *t = cli_table_new(r->both ? "lrr" : "lr");
    if (r->both) {
        cli_table_cell(t, "%s", "");
        cli_table_cell(t, "rows");
        cli_table_cell(t, "columns");
    }
    score_line(t, r, "accuracy", "acc", 4);
    score_line(t, r, "NMI", "nmi", 4);
    score_line(t, r, "ARI", "ari", 4);
    score_line(t, r, "purity", "purity", 4);
    score_line(t, r, "SDCS", "sdcs", 3);
    score_line(t, r, "SDCS of the truth", "truth_sdcs", 3);
    score_line(t, r, "lines scored", "lines", 0);
    cli_table_row(t, "left out", "%lld", (long long)left_out(&r->rows, row_score(r, "lines")));
    if (r->both)
        cli_table_cell(t, "%lld",
                       (long long)left_out(&r->cols, cobloc_real(r->both, "cols.lines")));
    cli_table_print(t, stdout);
    if (!r->both)
        return;
    putchar('\n');
    t = cli_table_new("lr");
    cli_table_row(t, "CCE", "%.4f", cobloc_real(r->both, "cce"));
    cli_table_row(t, "CARI", "%.4f", cobloc_real(r->both, "cari"));
    cli_table_print(t, stdout);
}

enum { MOST_SHOWN = 40 };

/* Classes are rows, clusters columns. */
static void print_confusion(const cli_score_side *side, const char *what)
{
    const cobloc_confusion *c = side->confusion;
    char alignment[MOST_SHOWN + 2] = "l";
    int classes = (int)cobloc_int(c, "classes"), clusters = (int)cobloc_int(c, "clusters");
    if (classes > MOST_SHOWN || clusters > MOST_SHOWN) {
        printf("\n%d classes and %d clusters of %s: their confusion matrix is in --json\n", classes,
               clusters, what);
        return;
    }
    printf("\n%s: classes and the clusters they are in\n", what);
    memset(alignment + 1, 'r', (size_t)clusters);
    cli_table *t = cli_table_new(alignment);
    cli_table_cell(t, "%s", "");
    for (int i = 0; i < clusters; i++)
        cli_table_cell(t, "%s", label_of(side->labels, c, "cluster_labels", i));
    for (int j = 0; j < classes; j++) {
        cli_table_cell(t, "%s", label_of(side->truth, c, "class_labels", j));
        for (int i = 0; i < clusters; i++)
            cli_table_cell(t, "%lld", (long long)cobloc_int(c, "counts[%d]", j * clusters + i));
    }
    cli_table_print(t, stdout);
}

void cli_score_print(const cli_score_report *r)
{
    bool scored = r->rows.labels != NULL;
    if (r->model)
        print_internal(r->model);
    if (r->model && scored)
        putchar('\n');
    if (scored) {
        print_external(r);
        print_confusion(&r->rows, "rows");
    }
    if (r->both)
        print_confusion(&r->cols, "columns");
}
