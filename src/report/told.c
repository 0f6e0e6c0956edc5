/* What a report and the pictures of a result share.
 * SPDX-License-Identifier: MIT
 */
#include "report/told.h"

#include "base/alloc.h"
#include "report/entries.h"

#include <string.h>

/* Where clusters are not in pairs, a block this much fuller than by chance belongs to a bloc. */
static const double OWN = 1.15;

void cob_told_free(cob_told *told)
{
    cob_order_free(&told->rows);
    cob_order_free(&told->cols);
    cob_free(told->counts);
    cob_free(told->lifts);
    cob_free(told->own);
    cob_free(told->col_blocs);
    cobloc_description_free(told->own_about);
}

static void fill_gaps(cob_told *told)
{
    cobloc_report *report = &told->report;
    const char *format = cobloc_matrix_format(report->matrix);
    bool text = format && (strstr(format, "UCI") || strstr(format, "LDA-C") ||
                           strstr(format, "CLUTO") || strstr(format, "text"));
    if (!report->row_word)
        report->row_word = text ? "documents" : "rows";
    if (!report->col_word)
        report->col_word = text ? "terms" : "columns";
    int model = cobloc_model_find(report->result->model);
    told->diagonal = cobloc_model_is_diagonal(model) || cobloc_model_is_one_sided(model);
    told->minimised = cobloc_model_is_minimised(model);
    told->model_title = cobloc_model_title(model);
    told->diagonal = told->diagonal && report->result->k == report->result->l;
}

static cobloc_status find_lifts(cob_told *told, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = told->report.result;
    double *row_sums = NULL, *col_sums = NULL, total = 0;
    COB_NEW_ZERO(row_sums, r->k);
    COB_NEW_ZERO(col_sums, r->l);
    COB_NEW_ZERO(told->lifts, (size_t)r->k * (size_t)r->l);
    for (int64_t b = 0; b < (int64_t)r->k * r->l; b++) {
        row_sums[b / r->l] += r->blocks[b];
        col_sums[b % r->l] += r->blocks[b];
        total += r->blocks[b];
    }
    for (int64_t b = 0; b < (int64_t)r->k * r->l; b++) {
        double expected = row_sums[b / r->l] * col_sums[b % r->l];
        told->lifts[b] = expected > 0 ? r->blocks[b] * total / expected : 0;
    }
done:
    cob_free(row_sums);
    cob_free(col_sums);
    return status;
}

static cobloc_status find_own(cob_told *told, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = told->report.result;
    COB_NEW_ZERO(told->own, (size_t)r->k * (size_t)r->l);
    COB_NEW(told->col_blocs, r->l);
    for (int l = 0; l < r->l; l++) {
        double most = OWN;
        told->col_blocs[l] = told->diagonal ? l : -1;
        for (int k = 0; k < r->k; k++) {
            int64_t b = (int64_t)k * r->l + l;
            told->own[b] = told->diagonal ? k == l : told->lifts[b] > OWN;
            if (!told->diagonal && told->lifts[b] > most) {
                most = told->lifts[b];
                told->col_blocs[l] = k;
            }
        }
    }
done:
    return status;
}

/* Whether all that was set belongs to one matrix. */
static cobloc_status check_report(const cobloc_report *report, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = report->result;
    COB_CHECK(report->matrix && r, COBLOC_BAD_ARGUMENT, "a report needs a matrix and a result");
    int64_t n = cobloc_matrix_rows(report->matrix), d = cobloc_matrix_cols(report->matrix);
    COB_CHECK(r->n == n && r->d == d, COBLOC_BAD_ARGUMENT,
              "the result is of another matrix, %lld by %lld, than this one, %lld by %lld",
              (long long)r->n, (long long)r->d, (long long)n, (long long)d);
    COB_CHECK(report->truth_count == 0 || report->truth_count == n, COBLOC_BAD_ARGUMENT,
              "truth has %lld elements, but the matrix has %lld rows",
              (long long)report->truth_count, (long long)n);
    for (int64_t i = 0; report->truth && report->class_count > 0 && i < n; i++)
        COB_CHECK(report->truth[i] < report->class_count, COBLOC_BAD_ARGUMENT,
                  "row %lld is of class %d, but only %d classes have names", (long long)(i + 1),
                  (int)report->truth[i], report->class_count);
done:
    return status;
}

cobloc_status cob_tell(const cobloc_report *report, cob_told *told, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = report->result;
    COB_TRY(check_report(report, err));
    told->report = *report;
    fill_gaps(told);
    COB_TRY(cobloc_matrix_verify(report->matrix, err));
    COB_TRY(cob_order_of(r->row_labels, r->n, r->k, &told->rows, err));
    COB_TRY(cob_order_of(r->col_labels, r->d, r->l, &told->cols, err));
    COB_TRY(cob_count_blocks(report->matrix, r, &told->counts, err));
    COB_TRY(find_lifts(told, err));
    COB_TRY(find_own(told, err));
done:
    return status;
}

cobloc_status cob_tell_about(cob_told *told, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_report *report = &told->report;
    if (!report->description)
        COB_TRY(cobloc_describe(report->result, report->matrix, NULL, &told->own_about, err));
    told->about = report->description ? report->description : told->own_about;
done:
    return status;
}
