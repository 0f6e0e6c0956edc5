/* Showing scores.
 * SPDX-License-Identifier: MIT
 */
#include "score_report.h"

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

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *names_json(const char *const *names, const int32_t *labels, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_t *name = json_string(names[labels[i]]);
        json_array_append_new(list, name ? name : json_string("?")); /* not UTF-8 */
    }
    return list;
}

static json_t *confusion_json(const cli_score_side *side)
{
    const cobloc_confusion *c = side->confusion;
    json_t *counts = json_array();
    for (int j = 0; j < c->classes; j++) {
        json_t *row = json_array();
        for (int i = 0; i < c->clusters; i++)
            json_array_append_new(row, json_integer(c->counts[(int64_t)j * c->clusters + i]));
        json_array_append_new(counts, row);
    }
    return json_pack("{s:o, s:o, s:o}", "classes",
                     names_json(side->class_names, c->class_labels, c->classes), "clusters",
                     names_json(side->cluster_names, c->cluster_labels, c->clusters), "counts",
                     counts);
}

static json_t *side_json(const cli_score_side *side)
{
    const cobloc_scores *s = &side->scores;
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:i, s:I, s:I, s:o}", "acc", s->acc,
                     "nmi", s->nmi, "ari", s->ari, "purity", s->purity, "sdcs", s->sdcs,
                     "truth_sdcs", s->truth_sdcs, "clusters", s->clusters, "classes", s->classes,
                     "lines", (json_int_t)s->lines, "left_out", (json_int_t)side->left_out,
                     "confusion", confusion_json(side));
}

json_t *cli_score_json(const cli_score_report *r)
{
    json_t *object = r->rows ? side_json(r->rows) : json_object();
    if (r->cols) {
        json_object_set_new(object, "cols", side_json(r->cols));
        json_object_set_new(object, "cce", json_real(r->cce));
        json_object_set_new(object, "cari", json_real(r->cari));
    }
    if (r->model) {
        static const char *const keys[] = {"model", "criterion_name", "criterion"};
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            json_object_set(object, keys[k], json_object_get(r->model, keys[k]));
        for (int s = 0; s < INTERNAL; s++)
            json_object_set(object, internal[s].key, json_object_get(r->model, internal[s].key));
    }
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
    cli_table_cell(t, "model");
    cli_table_cell(t, "%s", name ? name : "?");
    cli_table_cell(t, "criterion (%s)", criterion ? criterion : "?");
    number_cell(t, json_object_get(model, "criterion"));
    for (int s = 0; s < INTERNAL; s++) {
        cli_table_cell(t, "%s", internal[s].title);
        number_cell(t, json_object_get(model, internal[s].key));
    }
    cli_table_print(t, stdout);
}

static void score_line(cli_table *t, const char *title, double rows, const cli_score_side *cols,
                       double of_cols, int digits)
{
    cli_table_cell(t, "%s", title);
    cli_table_cell(t, "%.*f", digits, rows);
    if (cols)
        cli_table_cell(t, "%.*f", digits, of_cols);
}

static void print_external(const cli_score_report *r)
{
    const cobloc_scores none = {0}, *a = &r->rows->scores, *b = r->cols ? &r->cols->scores : &none;
    cli_table *t = cli_table_new(r->cols ? "lrr" : "lr");
    if (r->cols) {
        cli_table_cell(t, "%s", "");
        cli_table_cell(t, "rows");
        cli_table_cell(t, "columns");
    }
    score_line(t, "accuracy", a->acc, r->cols, b->acc, 4);
    score_line(t, "NMI", a->nmi, r->cols, b->nmi, 4);
    score_line(t, "ARI", a->ari, r->cols, b->ari, 4);
    score_line(t, "purity", a->purity, r->cols, b->purity, 4);
    score_line(t, "SDCS", a->sdcs, r->cols, b->sdcs, 3);
    score_line(t, "SDCS of the truth", a->truth_sdcs, r->cols, b->truth_sdcs, 3);
    score_line(t, "lines scored", (double)a->lines, r->cols, (double)b->lines, 0);
    score_line(t, "left out", (double)r->rows->left_out, r->cols,
               r->cols ? (double)r->cols->left_out : 0, 0);
    cli_table_print(t, stdout);
    if (!r->cols)
        return;
    putchar('\n');
    t = cli_table_new("lr");
    score_line(t, "CCE", r->cce, NULL, 0, 4);
    score_line(t, "CARI", r->cari, NULL, 0, 4);
    cli_table_print(t, stdout);
}

enum { MOST_SHOWN = 40 };

/* Classes are rows, clusters columns. */
static void print_confusion(const cli_score_side *side, const char *what)
{
    const cobloc_confusion *c = side->confusion;
    char alignment[MOST_SHOWN + 2] = "l";
    if (c->classes > MOST_SHOWN || c->clusters > MOST_SHOWN) {
        printf("\n%d classes and %d clusters of %s: their confusion matrix is in --json\n",
               c->classes, c->clusters, what);
        return;
    }
    printf("\n%s: classes and the clusters they are in\n", what);
    memset(alignment + 1, 'r', (size_t)c->clusters);
    cli_table *t = cli_table_new(alignment);
    cli_table_cell(t, "%s", "");
    for (int i = 0; i < c->clusters; i++)
        cli_table_cell(t, "%s", side->cluster_names[c->cluster_labels[i]]);
    for (int j = 0; j < c->classes; j++) {
        cli_table_cell(t, "%s", side->class_names[c->class_labels[j]]);
        for (int i = 0; i < c->clusters; i++)
            cli_table_cell(t, "%lld", (long long)c->counts[(int64_t)j * c->clusters + i]);
    }
    cli_table_print(t, stdout);
}

void cli_score_print(const cli_score_report *r)
{
    if (r->model)
        print_internal(r->model);
    if (r->model && r->rows)
        putchar('\n');
    if (r->rows) {
        print_external(r);
        print_confusion(r->rows, "rows");
    }
    if (r->cols)
        print_confusion(r->cols, "columns");
}
