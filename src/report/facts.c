/* The facts of a result for the page, as one JSON object.
 * SPDX-License-Identifier: MIT
 */
#include "report/report.h"

#include "fit/algorithm.h"
#include "report/figure.h"
#include "text/excerpt.h"

#include <stdio.h>

/* What an entry is in the layers of the rule, and whether its last layer counts missing cells. */
static void put_layers(cob_page_json *p, const cobloc_result *r)
{
    static const char *const kinds[] = {
        [COB_VALUES] = "values", [COB_MOMENTS] = "moments", [COB_CODES] = "codes"};
    cob_algorithm a;
    const cob_model *model = cob_algorithm_named(r->model, &a) ? a.model : NULL;
    cob_page_text(p, "entries", kinds[model ? model->entries : COB_VALUES]);
    cob_page_bool(p, "takesMissing", model && model->takes_missing);
}

static void put_model(cob_page_json *p, const cob_report_data *data)
{
    const cobloc_result *r = data->report.result;
    cob_page_open(p, "model", '{');
    cob_page_text(p, "name", r->model);
    cob_page_text(p, "title", data->model_title);
    cob_page_bool(p, "diagonal", data->diagonal);
    cob_page_bool(p, "minimised", data->minimised);
    cob_page_text(p, "criterion", r->criterion_name);
    cob_page_text(p, "inference", cobloc_inference_name(r->inference));
    cob_page_text(p, "weight", cobloc_weight_name(r->weight));
    cob_page_number(p, "unit", r->unit);
    cob_page_number(p, "meanLength", r->mean_length);
    cob_page_number(p, "scale", r->scale);
    cob_page_number(p, "effectScale", r->effect_scale);
    put_layers(p, r);
    cob_page_close(p, '}');
}

/* The colours of the blocs, as "#0072b2", for light and for dark screens. */
static void put_palette(cob_page_json *p, int clusters)
{
    enum { LEAST = 12 }; /* curves take some, too */
    cob_page_open(p, "palette", '{');
    for (int dark = 0; dark < 2; dark++) {
        cob_page_open(p, dark ? "dark" : "light", '[');
        for (int c = 0; c < (clusters > LEAST ? clusters : LEAST); c++) {
            char text[16];
            snprintf(text, sizeof text, "#%06x", (unsigned)cob_palette(c, dark));
            cob_page_text(p, NULL, text);
        }
        cob_page_close(p, ']');
    }
    cob_page_close(p, '}');
}

static void put_fit(cob_page_json *p, const cobloc_result *r)
{
    cob_page_open(p, "fit", '{');
    cob_page_number(p, "criterion", r->criterion);
    cob_page_number(p, "iterations", r->iterations);
    cob_page_text(p, "stop", cobloc_stop_name(r->stop));
    cob_page_number(p, "seed", (double)r->seed);
    cob_page_number(p, "repaired", r->repaired);
    cob_page_number(p, "bestRestart", r->best_restart);
    cob_page_numbers(p, "restarts", r->restart_criteria, r->restarts);
    cob_page_numbers(p, "trace", r->trace, r->trace_count);
    cob_page_number(p, "icl", r->icl);
    cob_page_number(p, "modularity", r->modularity);
    cob_page_number(p, "explained", r->explained_information);
    cob_page_number(p, "rHat", r->r_hat);
    cob_page_close(p, '}');
}

static void put_merges(cob_page_json *p, const cobloc_result *r)
{
    cob_page_open(p, "merges", '[');
    for (int s = 0; r->merges && s < r->k - 1; s++) {
        cob_page_open(p, NULL, '[');
        cob_page_number(p, NULL, r->merges[2 * s]);
        cob_page_number(p, NULL, r->merges[2 * s + 1]);
        cob_page_number(p, NULL, r->merge_criteria[s]);
        cob_page_close(p, ']');
    }
    cob_page_close(p, ']');
}

static void put_curve(cob_page_json *p, const cobloc_report *report)
{
    cob_page_open(p, "curve", '[');
    for (int i = 0; i < cob_curve_length(report); i++) {
        const cobloc_curve_point *point = &report->curve->points[i];
        cob_page_open(p, NULL, '{');
        cob_page_text(p, "model", point->model);
        cob_page_number(p, "k", point->k);
        cob_page_number(p, "l", point->l);
        cob_page_number(p, "value", point->value);
        cob_page_number(p, "icl", point->icl);
        cob_page_number(p, "modularity", point->modularity);
        cob_page_bool(p, "asGood", point->as_good);
        cob_page_bool(p, "chosen", point->chosen);
        cob_page_close(p, '}');
    }
    cob_page_close(p, ']');
}

/* The larger sizes, and colours for the blocs of all sizes. */
static void put_larger(cob_page_json *p, const cobloc_report *report)
{
    int most = report->result->k;
    cob_page_open(p, "larger", '[');
    for (int i = 0; i < cob_larger_count(report); i++) {
        int k = report->curve->larger[i].k;
        most = k > most ? k : most;
        cob_page_number(p, NULL, k);
    }
    cob_page_close(p, ']');
    put_palette(p, most);
}

cobloc_status cob_write_facts(const cob_report_data *data, cob_file *file, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_report *report = &data->report;
    const cobloc_result *r = report->result;
    const cobloc_matrix *matrix = report->matrix;
    cob_page_json put = {file, false}, *p = &put;
    cob_page_open(p, NULL, '{');
    cob_page_text(p, "version", cobloc_version());
    cob_page_text(p, "title", report->title);
    cob_page_text(p, "rowWord", report->row_word);
    cob_page_text(p, "colWord", report->col_word);
    cob_page_bool(p, "rowNamed", cobloc_matrix_row_name(matrix, 0) != NULL);
    cob_page_bool(p, "colNamed", cobloc_matrix_col_name(matrix, 0) != NULL);
    cob_page_number(p, "n", (double)r->n);
    cob_page_number(p, "d", (double)r->d);
    cob_page_number(p, "nnz", (double)cobloc_matrix_nnz(matrix));
    cob_page_number(p, "total", cobloc_matrix_total(matrix));
    cob_page_bool(p, "signed", matrix->negative);
    cob_page_bool(p, "texts", cob_matrix_has_excerpts(matrix));
    cob_page_text(p, "by", report->by_field);
    if (report->other) {
        cob_page_open(p, "other", '{');
        cob_page_text(p, "model", report->other->model);
        cob_page_number(p, "k", report->other->k);
        cob_page_close(p, '}');
    }
    cob_page_open(p, "names", '[');
    for (int i = 0; i < report->name_count; i++)
        cob_page_text(p, NULL, report->names[i]);
    cob_page_close(p, ']');
    put_larger(p, report);
    put_model(p, data);
    put_fit(p, r);
    put_merges(p, r);
    put_curve(p, report);
    COB_TRY(cob_page_level(p, data, NULL, err));
    cob_page_close(p, '}');
done:
    return status;
}
