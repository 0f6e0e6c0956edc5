/* One level of the hierarchy for the page: everything that follows the number of blocs.
 * SPDX-License-Identifier: MIT
 */
#include "report/report.h"

#include "base/alloc.h"
#include "describe/describe.h"

static void put_strings(cob_page_json *p, const char *key, char *const *texts, int count)
{
    cob_page_open(p, key, '[');
    for (int i = 0; texts && i < count; i++)
        cob_page_text(p, NULL, texts[i]);
    cob_page_close(p, ']');
}

/* The blocks: what they hold, and which bloc they belong to. */
static void put_blocks(cob_page_json *p, const cob_report_data *data)
{
    const cobloc_result *r = data->report.result;
    int64_t blocks = (int64_t)r->k * r->l;
    cob_page_numbers(p, "blocks", r->blocks, blocks);
    if (data->report.matrix->negative)
        cob_page_numbers(p, "means", data->about->means, blocks);
    cob_page_numbers(p, "lifts", data->about->lifts, blocks);
    cob_page_integers(p, "counts", data->counts, blocks);
    cob_page_open(p, "own", '[');
    for (int64_t b = 0; b < blocks; b++)
        cob_page_number(p, NULL, data->own[b]);
    cob_page_close(p, ']');
    cob_page_open(p, "colBlocs", '[');
    for (int l = 0; l < r->l; l++)
        cob_page_number(p, NULL, data->col_blocs[l]);
    cob_page_close(p, ']');
}

static void put_confusion(cob_page_json *p, const cobloc_confusion *c, const cobloc_scores *s,
                          const char *const *names)
{
    cob_page_open(p, "truth", '{');
    cob_page_number(p, "acc", s->acc);
    cob_page_number(p, "nmi", s->nmi);
    cob_page_number(p, "ari", s->ari);
    cob_page_open(p, "classes", '[');
    for (int i = 0; i < c->classes; i++)
        if (names)
            cob_page_text(p, NULL, names[c->class_labels[i]]);
        else
            cob_page_number(p, NULL, c->class_labels[i]);
    cob_page_close(p, ']');
    cob_page_open(p, "clusters", '[');
    for (int i = 0; i < c->clusters; i++)
        cob_page_number(p, NULL, c->cluster_labels[i]);
    cob_page_close(p, ']');
    cob_page_integers(p, "counts", c->counts, (int64_t)c->classes * c->clusters);
    cob_page_close(p, '}');
}

static cobloc_status put_truth(cob_page_json *p, const cobloc_report *report, cobloc_error *err)
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

/* What the criteria say at this size. */
static void put_quality(cob_page_json *p, const cobloc_result *r)
{
    cob_page_open(p, "now", '{');
    cob_page_number(p, "criterion", r->criterion);
    cob_page_number(p, "icl", r->icl);
    cob_page_number(p, "modularity", r->modularity);
    cob_page_number(p, "explained", r->explained_information);
    cob_page_close(p, '}');
}

/* How rows are scored, as in a description: a line for each cluster, a number for each layer and
 * column cluster, one for the sum of the row, one alone. Not where scores are more than that: soft
 * columns, probabilities without a rule. */
static cobloc_status put_rule(cob_page_json *p, const cob_report_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = data->report.result;
    const double *of_cols = cobloc_matrix_col_sums(data->report.matrix);
    int64_t width = r->row_rule ? r->rule_width : r->l + 2;
    double *rule = NULL, *sums = NULL;
    cob_page_bool(p, "modelRule", r->row_rule != NULL);
    if (r->row_rule ? r->col_probabilities != NULL : r->row_probabilities != NULL)
        goto done;
    COB_NEW_ZERO(rule, r->k * width);
    COB_NEW_ZERO(sums, r->l);
    for (int64_t j = 0; j < r->d; j++)
        if (r->col_labels[j] >= 0)
            sums[r->col_labels[j]] += of_cols[j];
    if (!r->row_rule)
        cob_shares_rule(data->about->lifts, sums, r->k, r->l, data->about->diagonal, rule);
    cob_page_numbers(p, "rule", r->row_rule ? r->row_rule : rule, r->k * width);
done:
    cob_free(rule);
    cob_free(sums);
    return status;
}

/* of[c]: the cluster of this level that holds cluster c of the whole result. A larger level has
 * labels of its own instead. */
static cobloc_status put_members(cob_page_json *p, const char *key, const int32_t *whole,
                                 int clusters, const int32_t *labels, int64_t count,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t *of = NULL;
    COB_NEW_ZERO(of, clusters);
    for (int64_t i = 0; i < count; i++)
        if (whole[i] >= 0)
            of[whole[i]] = labels[i];
    cob_page_integers(p, key, of, clusters);
done:
    cob_free(of);
    return status;
}

cobloc_status cob_page_level(cob_page_json *p, const cob_report_data *data,
                             const cobloc_result *whole, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = data->report.result;
    whole = whole ? whole : r;
    cob_page_number(p, "k", r->k);
    cob_page_number(p, "l", r->l);
    if (r->k <= whole->k) {
        COB_TRY(put_members(p, "rowOf", whole->row_labels, whole->k, r->row_labels, r->n, err));
        COB_TRY(put_members(p, "colOf", whole->col_labels, whole->l, r->col_labels, r->d, err));
    }
    cob_page_integers(p, "rowSizes", r->row_sizes, r->k);
    cob_page_integers(p, "colSizes", r->col_sizes, r->l);
    put_quality(p, r);
    put_blocks(p, data);
    put_strings(p, "colNames", r->col_names, r->l);
    COB_TRY(put_rule(p, data, err));
    COB_TRY(cob_page_about(p, data, err));
    COB_TRY(put_truth(p, &data->report, err));
done:
    return status;
}

/* ---- other levels ---------------------------------------------------------------------------- */

/* A smaller size of the same result, or a larger one that its selection kept. */
cobloc_status cob_level_of(const cobloc_report *report, int k, cobloc_result **out,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_fit_options *options = NULL;
    COB_TRY(cobloc_fit_options_new(&options, err));
    if (k <= report->result->k)
        COB_TRY(cobloc_cut_options(report->result, k, options, err));
    else
        COB_TRY(cobloc_curve_options(report->curve, report->result, k, options, err));
    COB_TRY(cobloc_fit(report->matrix, options, out, err));
done:
    cobloc_fit_options_free(options);
    return status;
}

cobloc_status cob_write_level(const cobloc_report *whole, const cobloc_result *level,
                              cob_file *file, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_report_data data = {0};
    cobloc_report report = *whole;
    cob_page_json put = {file, false};
    report.result = level;
    report.description = NULL;
    report.samples = 0; /* the hierarchy is not fitted again */
    COB_TRY(cob_report_data_make(&report, &data, err));
    COB_TRY(cob_report_data_describe(&data, err));
    cob_page_open(&put, NULL, '{');
    COB_TRY(cob_page_level(&put, &data, whole->result, err));
    cob_page_close(&put, '}');
done:
    cob_report_data_free(&data);
    return status;
}
