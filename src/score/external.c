/* Scores of one labeling against another: accuracy, NMI, ARI.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/matching.h"

#include <math.h>
#include <string.h>

/* Counts of pairs of labels: `rows` by `cols`, lines with a negative label left out. */
typedef struct contingency {
    int rows, cols;
    double *cells, *row_sums, *col_sums;
    double total;
} contingency;

static int largest(const int32_t *labels, int64_t count)
{
    int most = -1;
    for (int64_t i = 0; i < count; i++)
        if (labels[i] > most)
            most = labels[i];
    return most;
}

static cobloc_status count_pairs(const int32_t *labels, const int32_t *truth, int64_t count,
                                 contingency *t, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    t->rows = largest(labels, count) + 1;
    t->cols = largest(truth, count) + 1;
    COB_CHECK(t->rows > 0 && t->cols > 0, COBLOC_BAD_DATA, "there is no line with both labels");
    COB_CHECK((double)t->rows * t->cols < 1e8, COBLOC_BAD_DATA,
              "%d and %d different labels are too many to compare", t->rows, t->cols);
    COB_NEW_ZERO(t->cells, (size_t)t->rows * (size_t)t->cols);
    COB_NEW_ZERO(t->row_sums, t->rows);
    COB_NEW_ZERO(t->col_sums, t->cols);
    for (int64_t i = 0; i < count; i++)
        if (labels[i] >= 0 && truth[i] >= 0) {
            t->cells[(int64_t)labels[i] * t->cols + truth[i]]++;
            t->row_sums[labels[i]]++;
            t->col_sums[truth[i]]++;
            t->total++;
        }
    COB_CHECK(t->total > 0, COBLOC_BAD_DATA, "there is no line with both labels");
done:
    return status;
}

static double entropy(const double *counts, int count, double total)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        if (counts[i] > 0)
            sum -= counts[i] / total * log(counts[i] / total);
    return sum;
}

/* I / sqrt(H H); two labelings of one cluster each agree perfectly. */
static double nmi(const contingency *t)
{
    double information = 0;
    double h = entropy(t->row_sums, t->rows, t->total), k = entropy(t->col_sums, t->cols, t->total);
    for (int i = 0; i < t->rows; i++)
        for (int j = 0; j < t->cols; j++) {
            double cell = t->cells[(int64_t)i * t->cols + j];
            if (cell > 0)
                information +=
                    cell / t->total * log(cell * t->total / (t->row_sums[i] * t->col_sums[j]));
        }
    if (h == 0 && k == 0)
        return 1;
    if (h == 0 || k == 0 || information < 1e-15)
        return 0;
    double value = information / sqrt(h * k);
    return value < 1 ? value : 1;
}

static double pairs(double n)
{
    return n * (n - 1) / 2;
}

static double ari(const contingency *t)
{
    double both = 0, rows = 0, cols = 0;
    for (int64_t c = 0; c < (int64_t)t->rows * t->cols; c++)
        both += pairs(t->cells[c]);
    for (int i = 0; i < t->rows; i++)
        rows += pairs(t->row_sums[i]);
    for (int j = 0; j < t->cols; j++)
        cols += pairs(t->col_sums[j]);
    double all = pairs(t->total), expected = all > 0 ? rows * cols / all : 0;
    double most = (rows + cols) / 2;
    return most == expected ? 1 : (both - expected) / (most - expected);
}

cobloc_status cobloc_score(const int32_t *labels, const int32_t *truth, int64_t count,
                           cobloc_scores *scores, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    contingency t = {0};
    double matched = 0;
    COB_TRY(count_pairs(labels, truth, count, &t, err));
    COB_TRY(cob_best_matching(t.cells, t.rows, t.cols, &matched, NULL, err));
    *scores = (cobloc_scores){.acc = matched / t.total, .nmi = nmi(&t), .ari = ari(&t)};
done:
    cob_free(t.cells);
    cob_free(t.row_sums);
    cob_free(t.col_sums);
    return status;
}
