/* cobloc_plot_result: pictures of a result, for papers.
 * SPDX-License-Identifier: MIT
 */
#include "report/panel.h"

#include "base/alloc.h"
#include "base/plain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PANEL = 220, GAP = 26; /* the longer side of a matrix; the gap between two */

/* ---- matrices -------------------------------------------------------------------------------- */

/* Panels from left to right, all of the same height. */
static cobloc_status plot_panels(const char *path, const cob_report_data *data, cob_panel *panels,
                                 int count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_figure *f = NULL;
    double top = cob_head_height(data->report.title) + COB_PANEL_TOP, x = COB_MARGIN, height = 0;
    for (int p = 0; p < count; p++) {
        panels[p].left = x + COB_PANEL_LEFT;
        panels[p].top = top;
        x = panels[p].left + panels[p].width + GAP;
        height = panels[p].height;
    }
    COB_TRY(cob_figure_create(path, x - GAP + COB_MARGIN, top + height + COB_MARGIN, &f, err));
    cob_draw_head(f, data->report.title);
    for (int p = 0; p < count; p++)
        COB_TRY(cob_draw_panel(f, data, &panels[p], err));
    COB_TRY(cob_figure_commit(f, err));
done:
    cob_figure_close(f);
    return status;
}

/* In proportion to the matrix, but never a thin strip. */
static double height_of(int64_t rows, int64_t cols)
{
    return PANEL * fmax(0.5, fmin(1.4, (double)rows / (double)cols));
}

static cobloc_status plot_matrix(const char *path, cob_report_data *data, cobloc_error *err)
{
    const cobloc_result *r = data->report.result;
    double height = height_of(r->n, r->d);
    cob_panel panels[2] = {
        {.col_to = r->d, .title = "original order", .width = PANEL, .height = height},
        {.in_order = true,
         .col_to = r->d,
         .title = "ordered by bloc",
         .width = PANEL,
         .height = height}};
    return plot_panels(path, data, panels, 2, err);
}

/* Whether two column clusters are of one kind: their names begin with the same word. */
static bool same_kind(const char *name, const char *other)
{
    size_t length = strcspn(name, " ");
    return strcspn(other, " ") == length && strncmp(name, other, length) == 0;
}

/* One panel for each kind of column cluster that has columns. */
static cobloc_status plot_sections(const char *path, cob_report_data *data, cobloc_error *err)
{
    enum { LONGEST_KIND = 32 };
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = data->report.result;
    char(*kinds)[LONGEST_KIND] = NULL;
    cob_panel *panels = NULL;
    int count = 0;
    COB_CHECK(r->col_names, COBLOC_BAD_ARGUMENT, "%s: the column clusters of %s have no sections",
              path, r->model);
    COB_NEW(panels, r->l);
    COB_NEW(kinds, r->l);
    for (int l = 0, next; l < r->l; l = next) {
        for (next = l + 1; next < r->l && same_kind(r->col_names[l], r->col_names[next]);)
            next++;
        snprintf(kinds[count], sizeof kinds[count], "%.*s", (int)strcspn(r->col_names[l], " "),
                 r->col_names[l]);
        panels[count] = (cob_panel){.in_order = true,
                                    .col_from = data->cols.starts[l],
                                    .col_to = data->cols.starts[next],
                                    .title = kinds[count],
                                    .width = PANEL * 0.75,
                                    .height = PANEL};
        count += panels[count].col_from < panels[count].col_to;
    }
    COB_CHECK(count > 0, COBLOC_BAD_ARGUMENT, "%s: no section has any columns", path);
    COB_TRY(plot_panels(path, data, panels, count, err));
done:
    cob_free(panels);
    cob_free(kinds);
    return status;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void row_cluster_name(const void *user, int k, char text[64])
{
    (void)user;
    snprintf(text, 64, "%d", k);
}

static void col_cluster_name(const void *user, int l, char text[64])
{
    char *const *names = ((const cob_report_data *)user)->report.result->col_names;
    if (names)
        snprintf(text, 64, "%s", names[l]);
    else
        snprintf(text, 64, "%d", l);
}

static double lift_of(const void *user, int k, int l)
{
    const cob_report_data *data = user;
    return data->lifts[(int64_t)k * data->report.result->l + l];
}

/* White up to a lift of 1, full colour at 8. */
static double lift_shade(const void *user, int k, int l)
{
    return log2(fmax(1, lift_of(user, k, l))) / 3;
}

static void lift_text(const void *user, int k, int l, char text[16])
{
    double lift = lift_of(user, k, l);
    if (lift > 0 && lift < 0.05)
        snprintf(text, 16, "<0.1");
    else
        cob_plain_print(text, 16, "%.*f", lift > 0 && lift < 9.95 ? 1 : 0, lift);
}

static cobloc_status plot_blocks(const char *path, cob_report_data *data, cobloc_error *err)
{
    const cobloc_result *r = data->report.result;
    cob_heat heat = {r->k,
                     r->l,
                     data->report.title,
                     data->report.row_word,
                     data->report.col_word,
                     row_cluster_name,
                     col_cluster_name,
                     lift_shade,
                     lift_text,
                     data};
    return cob_plot_heat(path, &heat, err);
}

typedef struct confusion_table {
    const cobloc_confusion *confusion;
    const char *const *class_names;
} confusion_table;

static void class_name(const void *user, int row, char text[64])
{
    const confusion_table *t = user;
    int32_t label = t->confusion->class_labels[row];
    if (t->class_names)
        snprintf(text, 64, "%s", t->class_names[label]);
    else
        snprintf(text, 64, "%d", (int)label);
}

static void cluster_name(const void *user, int col, char text[64])
{
    snprintf(text, 64, "%d", (int)((const confusion_table *)user)->confusion->cluster_labels[col]);
}

static int64_t confusion_count(const void *user, int row, int col)
{
    const cobloc_confusion *c = ((const confusion_table *)user)->confusion;
    return c->counts[(int64_t)row * c->clusters + col];
}

/* The share of the class that is in the cluster. */
static double confusion_shade(const void *user, int row, int col)
{
    const cobloc_confusion *c = ((const confusion_table *)user)->confusion;
    int64_t all = 0;
    for (int other = 0; other < c->clusters; other++)
        all += confusion_count(user, row, other);
    return all > 0 ? 0.9 * (double)confusion_count(user, row, col) / (double)all : 0;
}

static void confusion_text(const void *user, int row, int col, char text[16])
{
    snprintf(text, 16, "%lld", (long long)confusion_count(user, row, col));
}

static cobloc_status plot_confusion(const char *path, cob_report_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_report *report = &data->report;
    cobloc_confusion *confusion = NULL;
    COB_CHECK(report->truth, COBLOC_BAD_ARGUMENT,
              "%s: the classes of the %s are not known, so there is nothing to compare with", path,
              report->row_word);
    COB_TRY(cobloc_confusion_of(report->result->row_labels, report->truth, report->result->n,
                                &confusion, err));
    confusion_table table = {confusion, report->class_names};
    cob_heat heat = {
        confusion->classes, confusion->clusters, report->title,   "class",        "bloc",
        class_name,         cluster_name,        confusion_shade, confusion_text, &table};
    COB_TRY(cob_plot_heat(path, &heat, err));
done:
    cobloc_confusion_free(confusion);
    return status;
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* Plots values over 1, 2, ..., as a line if `joined`, otherwise as points. */
static cobloc_status plot_numbers(const char *path, const cob_report_data *data,
                                  const double *values, int count, bool joined, const char *x_title,
                                  double marked, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *x = NULL;
    cobloc_curves curves;
    COB_NEW(x, count);
    for (int i = 0; i < count; i++)
        x[i] = i + 1;
    cobloc_series series = {.count = count, .x = x, .y = values, .points_only = !joined};
    cob_curves_default(&curves);
    curves.count = 1;
    curves.series = &series;
    curves.title = data->report.title;
    curves.x_title = x_title;
    curves.y_title = data->report.result->criterion_name;
    curves.marked_x = marked;
    curves.marked_label = "best";
    COB_TRY(cobloc_plot_curves(path, &curves, err));
done:
    cob_free(x);
    return status;
}

static cobloc_status plot_convergence(const char *path, cob_report_data *data, cobloc_error *err)
{
    const cobloc_result *r = data->report.result;
    return plot_numbers(path, data, r->trace, r->trace_count, true, "iteration", NAN, err);
}

static cobloc_status plot_restarts(const char *path, cob_report_data *data, cobloc_error *err)
{
    const cobloc_result *r = data->report.result;
    return plot_numbers(path, data, r->restart_criteria, r->restarts, false, "start",
                        r->best_restart + 1, err);
}

enum { MOST_CURVES = 16 };

/* One series per model: the best value over all l for each k. `x` and `y` have room for all points.
 */
static int curve_series(const cobloc_report *report, cobloc_series *series, double *x, double *y)
{
    int count = 0;
    for (int i = 0, at = 0; i < cob_curve_length(report); i++) {
        const cobloc_curve_point *p = &report->curve->points[i];
        bool same = count > 0 && strcmp(series[count - 1].name, p->model) == 0;
        if (!same && count == MOST_CURVES)
            break;
        if (!same)
            series[count++] = (cobloc_series){.name = p->model, .x = x + at, .y = y + at};
        cobloc_series *now = &series[count - 1];
        int last = now->count - 1;
        if (last >= 0 && now->x[last] == p->k) {
            y[at - 1] = fmax(y[at - 1], p->value);
            continue;
        }
        x[at] = p->k;
        y[at++] = p->value;
        now->count++;
    }
    return count;
}

static cobloc_status plot_curve(const char *path, cob_report_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_report *report = &data->report;
    cobloc_series series[MOST_CURVES];
    double *x = NULL, *y = NULL;
    cobloc_curves curves;
    char label[32] = "";
    COB_CHECK(cob_curve_length(report) > 0, COBLOC_BAD_ARGUMENT,
              "%s: there is no curve of sizes; 'cobloc select' makes one", path);
    COB_NEW(x, cob_curve_length(report));
    COB_NEW(y, cob_curve_length(report));
    cob_curves_default(&curves);
    curves.count = curve_series(report, series, x, y);
    curves.series = series;
    if (curves.count == 1)
        series[0].name = NULL;
    curves.title = report->title;
    curves.x_title = "row clusters";
    curves.y_title = "ICL";
    for (int i = 0; i < cob_curve_length(report); i++) {
        const cobloc_curve_point *p = &report->curve->points[i];
        if (!(p->value == p->icl))
            curves.y_title = "modularity";
        if (p->chosen) {
            curves.marked_x = p->k;
            snprintf(label, sizeof label, "k = %d", p->k);
        }
    }
    curves.marked_label = label;
    COB_TRY(cobloc_plot_curves(path, &curves, err));
done:
    cob_free(x);
    cob_free(y);
    return status;
}

/* ---- the picture ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    cobloc_status (*plot)(const char *path, cob_report_data *data, cobloc_error *err);
} pictures[] = {[COBLOC_PICTURE_MATRIX] = {"matrix", plot_matrix},
                [COBLOC_PICTURE_BLOCKS] = {"blocks", plot_blocks},
                [COBLOC_PICTURE_GRAPH] = {"graph", cob_plot_graphs},
                [COBLOC_PICTURE_CONVERGENCE] = {"convergence", plot_convergence},
                [COBLOC_PICTURE_RESTARTS] = {"restarts", plot_restarts},
                [COBLOC_PICTURE_CURVE] = {"curve", plot_curve},
                [COBLOC_PICTURE_CONFUSION] = {"confusion", plot_confusion},
                [COBLOC_PICTURE_SECTIONS] = {"sections", plot_sections}};

int cobloc_picture_count(void)
{
    return (int)(sizeof pictures / sizeof *pictures);
}

static bool is_picture(cobloc_picture picture)
{
    return (int)picture >= 0 && (int)picture < cobloc_picture_count();
}

const char *cobloc_picture_name(cobloc_picture picture)
{
    return is_picture(picture) ? pictures[picture].name : "?";
}

cobloc_status cobloc_plot_result(const char *path, const cobloc_report *report,
                                 cobloc_picture picture, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_report_data data = {0};
    COB_TRY(cob_report_data_make(report, &data, err));
    COB_CHECK(is_picture(picture), COBLOC_BAD_ARGUMENT, "there is no picture number %d",
              (int)picture);
    COB_TRY(pictures[picture].plot(path, &data, err));
done:
    cob_report_data_free(&data);
    return status;
}
