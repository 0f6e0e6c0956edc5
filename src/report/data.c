/* What a report and the pictures of a result share.
 * SPDX-License-Identifier: MIT
 */
#include "report/data.h"

#include "base/alloc.h"
#include "report/entries.h"

#include <stdio.h>
#include <string.h>

/* Without paired clusters, a block belongs to a bloc if its lift is larger than this. */
static const double OWN = 1.15;

void cob_report_data_free(cob_report_data *data)
{
    cob_order_free(&data->rows);
    cob_order_free(&data->cols);
    cob_free(data->counts);
    cob_free(data->lifts);
    cob_free(data->own);
    cob_free(data->col_blocs);
    cobloc_description_free(data->own_about);
}

static void fill_gaps(cob_report_data *data)
{
    cobloc_report *report = &data->report;
    const char *format = cobloc_matrix_format(report->matrix);
    bool text = format && (strstr(format, "UCI") || strstr(format, "LDA-C") ||
                           strstr(format, "CLUTO") || strstr(format, "text"));
    if (!report->row_word)
        report->row_word = text ? "documents" : "rows";
    if (!report->col_word)
        report->col_word = text ? "terms" : "columns";
    int model = cobloc_model_find(report->result->model);
    data->diagonal = cobloc_model_is_diagonal(model) || cobloc_model_is_one_sided(model);
    data->minimised = cobloc_model_is_minimised(model);
    data->model_title = cobloc_model_title(model);
    data->diagonal = data->diagonal && report->result->k == report->result->l;
}

static cobloc_status find_lifts(cob_report_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = data->report.result;
    double *row_sums = NULL, *col_sums = NULL, total = 0;
    COB_NEW_ZERO(row_sums, r->k);
    COB_NEW_ZERO(col_sums, r->l);
    COB_NEW_ZERO(data->lifts, (size_t)r->k * (size_t)r->l);
    for (int64_t b = 0; b < (int64_t)r->k * r->l; b++) {
        row_sums[b / r->l] += r->blocks[b];
        col_sums[b % r->l] += r->blocks[b];
        total += r->blocks[b];
    }
    for (int64_t b = 0; b < (int64_t)r->k * r->l; b++) {
        double expected = row_sums[b / r->l] * col_sums[b % r->l];
        data->lifts[b] = expected > 0 ? r->blocks[b] * total / expected : 0;
    }
done:
    cob_free(row_sums);
    cob_free(col_sums);
    return status;
}

static cobloc_status find_own(cob_report_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = data->report.result;
    COB_NEW_ZERO(data->own, (size_t)r->k * (size_t)r->l);
    COB_NEW(data->col_blocs, r->l);
    for (int l = 0; l < r->l; l++) {
        double most = OWN;
        data->col_blocs[l] = data->diagonal ? l : -1;
        for (int k = 0; k < r->k; k++) {
            int64_t b = (int64_t)k * r->l + l;
            data->own[b] = data->diagonal ? k == l : data->lifts[b] > OWN;
            if (!data->diagonal && data->lifts[b] > most) {
                most = data->lifts[b];
                data->col_blocs[l] = k;
            }
        }
    }
done:
    return status;
}

/* Whether the matrix has the field that blocs are to be shown over. */
static cobloc_status check_field(const cobloc_report *report, cobloc_error *err)
{
    const cobloc_matrix *matrix = report->matrix;
    int64_t count = cobloc_matrix_field_count(matrix);
    bool labels = cobloc_matrix_row_label(matrix, 0) != NULL;
    char known[256] = "";
    if (report->by_count > 0 || !report->by_field ||
        cobloc_matrix_find_field(matrix, report->by_field) >= 0 ||
        (labels && strcmp(report->by_field, "class") == 0))
        return COBLOC_OK;
    for (int64_t f = 0; f < count + labels; f++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%.40s", f ? ", " : "",
                 f < count ? cobloc_matrix_field_name(matrix, f) : "class");
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "the matrix has no field '%.60s'; it has: %s",
                    report->by_field, *known ? known : "none");
}

/* Whether everything that was set belongs to one matrix. */
static cobloc_status check_report(const cobloc_report *report, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = report->result;
    COB_CHECK(report->matrix && r, COBLOC_BAD_ARGUMENT, "a report needs a matrix and a result");
    int64_t n = cobloc_matrix_rows(report->matrix), d = cobloc_matrix_cols(report->matrix);
    COB_CHECK(r->n == n && r->d == d, COBLOC_BAD_ARGUMENT,
              "the result is for a matrix of %lld by %lld, but this one is %lld by %lld",
              (long long)r->n, (long long)r->d, (long long)n, (long long)d);
    COB_CHECK(!report->other || report->other->n == n, COBLOC_BAD_ARGUMENT,
              "the other result has %lld rows, but the matrix has %lld",
              (long long)(report->other ? report->other->n : 0), (long long)n);
    COB_CHECK(report->by_count == 0 || report->by_count == n, COBLOC_BAD_ARGUMENT,
              "by has %lld values, but the matrix has %lld rows", (long long)report->by_count,
              (long long)n);
    COB_CHECK(report->truth_count == 0 || report->truth_count == n, COBLOC_BAD_ARGUMENT,
              "truth has %lld elements, but the matrix has %lld rows",
              (long long)report->truth_count, (long long)n);
    COB_TRY(check_field(report, err));
    for (int64_t i = 0; report->truth && report->class_count > 0 && i < n; i++)
        COB_CHECK(report->truth[i] < report->class_count, COBLOC_BAD_ARGUMENT,
                  "row %lld is of class %d, but only %d classes have names", (long long)(i + 1),
                  (int)report->truth[i], report->class_count);
done:
    return status;
}

cobloc_status cob_report_data_make(const cobloc_report *report, cob_report_data *data,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = report->result;
    COB_TRY(check_report(report, err));
    data->report = *report;
    fill_gaps(data);
    COB_TRY(cobloc_matrix_verify(report->matrix, err));
    COB_TRY(cob_order_of(r->row_labels, r->n, r->k, &data->rows, err));
    COB_TRY(cob_order_of(r->col_labels, r->d, r->l, &data->cols, err));
    COB_TRY(cob_count_blocks(report->matrix, r, &data->counts, err));
    COB_TRY(find_lifts(data, err));
    COB_TRY(find_own(data, err));
done:
    return status;
}

cobloc_status cob_report_data_describe(cob_report_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_report *report = &data->report;
    cobloc_describe_options *options = NULL;
    if (!report->description) {
        COB_TRY(cobloc_describe_options_new(&options, err));
        options->samples = report->samples;
        COB_TRY(cobloc_describe(report->result, report->matrix, options, &data->own_about, err));
    }
    data->about = report->description ? report->description : data->own_about;
done:
    cobloc_describe_options_free(options);
    return status;
}
