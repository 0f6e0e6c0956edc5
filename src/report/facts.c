/* What the page tells, as one JSON object.
 * SPDX-License-Identifier: MIT
 */
#include "report/report.h"

static void put_strings(cob_put *p, const char *key, char *const *texts, int count)
{
    cob_put_open(p, key, '[');
    for (int i = 0; texts && i < count; i++)
        cob_put_text(p, NULL, texts[i]);
    cob_put_close(p, ']');
}

static void put_model(cob_put *p, const cob_told *told)
{
    const cobloc_result *r = told->report.result;
    cob_put_open(p, "model", '{');
    cob_put_text(p, "name", r->model);
    cob_put_text(p, "title", told->model_title);
    cob_put_bool(p, "diagonal", told->diagonal);
    cob_put_bool(p, "minimised", told->minimised);
    cob_put_text(p, "criterion", r->criterion_name);
    cob_put_text(p, "inference", cobloc_inference_name(r->inference));
    cob_put_text(p, "weight", cobloc_weight_name(r->weight));
    cob_put_close(p, '}');
}

/* Blocks: what they hold, and whose they are. */
static void put_blocks(cob_put *p, const cob_told *told)
{
    const cobloc_result *r = told->report.result;
    int64_t blocks = (int64_t)r->k * r->l;
    cob_put_numbers(p, "blocks", r->blocks, blocks);
    cob_put_numbers(p, "lifts", told->lifts, blocks);
    cob_put_integers(p, "counts", told->counts, blocks);
    cob_put_open(p, "own", '[');
    for (int64_t b = 0; b < blocks; b++)
        cob_put_number(p, NULL, told->own[b]);
    cob_put_close(p, ']');
    cob_put_open(p, "colBlocs", '[');
    for (int l = 0; l < r->l; l++)
        cob_put_number(p, NULL, told->col_blocs[l]);
    cob_put_close(p, ']');
}

static void put_fit(cob_put *p, const cobloc_result *r)
{
    cob_put_open(p, "fit", '{');
    cob_put_number(p, "criterion", r->criterion);
    cob_put_number(p, "iterations", r->iterations);
    cob_put_text(p, "stop", cobloc_stop_name(r->stop));
    cob_put_number(p, "seed", (double)r->seed);
    cob_put_number(p, "repaired", r->repaired);
    cob_put_number(p, "bestRestart", r->best_restart);
    cob_put_numbers(p, "restarts", r->restart_criteria, r->restarts);
    cob_put_numbers(p, "trace", r->trace, r->trace_count);
    cob_put_number(p, "icl", r->icl);
    cob_put_number(p, "modularity", r->modularity);
    cob_put_number(p, "explained", r->explained_information);
    cob_put_number(p, "rHat", r->r_hat);
    cob_put_close(p, '}');
}

static void put_merges(cob_put *p, const cobloc_result *r)
{
    cob_put_open(p, "merges", '[');
    for (int s = 0; r->merges && s < r->k - 1; s++) {
        cob_put_open(p, NULL, '[');
        cob_put_number(p, NULL, r->merges[2 * s]);
        cob_put_number(p, NULL, r->merges[2 * s + 1]);
        cob_put_number(p, NULL, r->merge_criteria[s]);
        cob_put_close(p, ']');
    }
    cob_put_close(p, ']');
}

static void put_curve(cob_put *p, const cobloc_report *report)
{
    cob_put_open(p, "curve", '[');
    for (int i = 0; i < cob_curve_length(report); i++) {
        const cobloc_curve_point *point = &report->curve->points[i];
        cob_put_open(p, NULL, '{');
        cob_put_text(p, "model", point->model);
        cob_put_number(p, "k", point->k);
        cob_put_number(p, "l", point->l);
        cob_put_number(p, "value", point->value);
        cob_put_number(p, "icl", point->icl);
        cob_put_number(p, "modularity", point->modularity);
        cob_put_bool(p, "asGood", point->as_good);
        cob_put_bool(p, "chosen", point->chosen);
        cob_put_close(p, '}');
    }
    cob_put_close(p, ']');
}

static void put_confusion(cob_put *p, const cobloc_confusion *c, const cobloc_scores *s,
                          const char *const *names)
{
    cob_put_open(p, "truth", '{');
    cob_put_number(p, "acc", s->acc);
    cob_put_number(p, "nmi", s->nmi);
    cob_put_number(p, "ari", s->ari);
    cob_put_open(p, "classes", '[');
    for (int i = 0; i < c->classes; i++)
        if (names)
            cob_put_text(p, NULL, names[c->class_labels[i]]);
        else
            cob_put_number(p, NULL, c->class_labels[i]);
    cob_put_close(p, ']');
    cob_put_open(p, "clusters", '[');
    for (int i = 0; i < c->clusters; i++)
        cob_put_number(p, NULL, c->cluster_labels[i]);
    cob_put_close(p, ']');
    cob_put_integers(p, "counts", c->counts, (int64_t)c->classes * c->clusters);
    cob_put_close(p, '}');
}

static cobloc_status put_truth(cob_put *p, const cobloc_report *report, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_confusion *confusion = NULL;
    cobloc_scores scores;
    const cobloc_result *r = report->result;
    int64_t known = 0;
    for (int64_t i = 0; report->truth && i < r->n; i++)
        known += report->truth[i] >= 0 && r->row_labels[i] >= 0;
    if (known == 0)
        return COBLOC_OK;
    COB_TRY(cob_score(r->row_labels, report->truth, r->n, &scores, err));
    COB_TRY(cobloc_confusion_of(r->row_labels, report->truth, r->n, &confusion, err));
    put_confusion(p, confusion, &scores, report->class_names);
done:
    cobloc_confusion_free(confusion);
    return status;
}

cobloc_status cob_write_facts(const cob_told *told, cob_file *file, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_report *report = &told->report;
    const cobloc_result *r = report->result;
    const cobloc_matrix *matrix = report->matrix;
    cob_put put = {file, false}, *p = &put;
    cob_put_open(p, NULL, '{');
    cob_put_text(p, "version", cobloc_version());
    cob_put_text(p, "title", report->title);
    cob_put_text(p, "rowWord", report->row_word);
    cob_put_text(p, "colWord", report->col_word);
    cob_put_bool(p, "rowNamed", cobloc_matrix_row_name(matrix, 0) != NULL);
    cob_put_bool(p, "colNamed", cobloc_matrix_col_name(matrix, 0) != NULL);
    cob_put_number(p, "n", (double)r->n);
    cob_put_number(p, "d", (double)r->d);
    cob_put_number(p, "nnz", (double)cobloc_matrix_nnz(matrix));
    cob_put_number(p, "total", cobloc_matrix_total(matrix));
    cob_put_number(p, "k", r->k);
    cob_put_number(p, "l", r->l);
    put_model(p, told);
    put_fit(p, r);
    cob_put_integers(p, "rowSizes", r->row_sizes, r->k);
    cob_put_integers(p, "colSizes", r->col_sizes, r->l);
    put_blocks(p, told);
    put_strings(p, "colNames", r->col_names, r->l);
    put_merges(p, r);
    put_curve(p, report);
    COB_TRY(cob_put_about(p, told, err));
    COB_TRY(put_truth(p, report, err));
    cob_put_close(p, '}');
done:
    return status;
}
