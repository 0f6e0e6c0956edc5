/* Scores of one labeling against another, and of a pair of labelings (rows and columns) against
 * another pair.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/matching.h"
#include "score/scores.h"

#include <math.h>

/* ---- sums over a table ----------------------------------------------------------------------- */

static double entropy(const double *counts, int count, double total)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        if (counts[i] > 0)
            sum -= counts[i] / total * log(counts[i] / total);
    return sum;
}

static double squares(const double *counts, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += counts[i] * counts[i];
    return sum;
}

static int occurring(const double *sizes, int count)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += sizes[i] > 0;
    return found;
}

/* ---- scores of one side ---------------------------------------------------------------------- */

/* I / sqrt(H H); two labelings with one cluster each agree perfectly. */
static double nmi(const cob_contingency *t)
{
    double information = 0, h = entropy(t->cluster_sizes, t->clusters, t->total),
           k = entropy(t->class_sizes, t->classes, t->total);
    for (int i = 0; i < t->clusters; i++)
        for (int j = 0; j < t->classes; j++) {
            double cell = t->cells[(int64_t)i * t->classes + j];
            if (cell > 0)
                information += cell / t->total *
                               log(cell * t->total / (t->cluster_sizes[i] * t->class_sizes[j]));
        }
    if (h == 0 && k == 0)
        return 1;
    if (h == 0 || k == 0 || information < 1e-15)
        return 0;
    double value = information / sqrt(h * k);
    return value < 1 ? value : 1;
}

/* What the adjusted Rand index needs: sums of squared sizes of the clusters, of the classes and of
 * their intersections, for `total` items. */
typedef struct agreement {
    double clusters, classes, both, total;
} agreement;

static agreement agreement_of(const cob_contingency *t)
{
    return (agreement){.clusters = squares(t->cluster_sizes, t->clusters),
                       .classes = squares(t->class_sizes, t->classes),
                       .both = squares(t->cells, (int64_t)t->clusters * t->classes),
                       .total = t->total};
}

/* For the cells of a table: the size of cell (i, j) is the product of those of row i and column j,
 * so all sums are products. */
static agreement agreement_of_cells(const agreement *rows, const agreement *cols)
{
    return (agreement){.clusters = rows->clusters * cols->clusters,
                       .classes = rows->classes * cols->classes,
                       .both = rows->both * cols->both,
                       .total = rows->total * cols->total};
}

/* Pairs of items in the same set: (sum of squares - total) / 2. */
static double adjusted_rand(const agreement *a)
{
    double both = (a->both - a->total) / 2, clusters = (a->clusters - a->total) / 2;
    double classes = (a->classes - a->total) / 2, all = (a->total * a->total - a->total) / 2;
    if (clusters == classes && (clusters == 0 || clusters == all))
        return 1; /* both all singletons, or both a single set */
    double expected = clusters * classes / all, most = (clusters + classes) / 2;
    return (both - expected) / (most - expected);
}

static double purity(const cob_contingency *t)
{
    double sum = 0;
    for (int i = 0; i < t->clusters; i++) {
        double most = 0;
        for (int j = 0; j < t->classes; j++)
            most = fmax(most, t->cells[(int64_t)i * t->classes + j]);
        sum += most;
    }
    return sum / t->total;
}

static double deviation_of_sizes(const double *sizes, int count)
{
    double sum = 0, total = 0;
    int found = occurring(sizes, count);
    for (int i = 0; i < count; i++)
        total += sizes[i];
    for (int i = 0; i < count; i++)
        if (sizes[i] > 0)
            sum += (sizes[i] - total / found) * (sizes[i] - total / found);
    return found > 1 ? sqrt(sum / (found - 1)) : 0;
}

static cobloc_status score_table(const cob_contingency *t, cobloc_scores *scores, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double matched = 0;
    agreement sets = agreement_of(t);
    COB_TRY(cob_best_matching(t->cells, t->clusters, t->classes, &matched, NULL, err));
    *scores = (cobloc_scores){.head.type = &cob_scores_type,
                              .acc = matched / t->total,
                              .nmi = nmi(t),
                              .ari = adjusted_rand(&sets),
                              .purity = purity(t),
                              .sdcs = deviation_of_sizes(t->cluster_sizes, t->clusters),
                              .truth_sdcs = deviation_of_sizes(t->class_sizes, t->classes),
                              .clusters = occurring(t->cluster_sizes, t->clusters),
                              .classes = occurring(t->class_sizes, t->classes),
                              .lines = (int64_t)t->total};
done:
    return status;
}

/* ---- the public functions -------------------------------------------------------------------- */

cobloc_status cob_score(const int32_t *labels, const int32_t *truth, int64_t count,
                        cobloc_scores *scores, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_contingency t = {0};
    COB_TRY(cob_contingency_count(labels, truth, count, &t, err));
    COB_TRY(score_table(&t, scores, err));
done:
    cob_contingency_free(&t);
    return status;
}

cobloc_status cob_coscore(const int32_t *row_labels, const int32_t *row_truth, int64_t rows,
                          const int32_t *col_labels, const int32_t *col_truth, int64_t cols,
                          cobloc_coscores *scores, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_contingency by_rows = {0}, by_cols = {0};
    cobloc_coscores found = {.head.type = &cob_coscores_type};
    COB_TRY(cob_contingency_count(row_labels, row_truth, rows, &by_rows, err));
    COB_TRY(cob_contingency_count(col_labels, col_truth, cols, &by_cols, err));
    COB_TRY(score_table(&by_rows, &found.rows, err));
    COB_TRY(score_table(&by_cols, &found.cols, err));
    double wrong_rows = 1 - found.rows.acc, wrong_cols = 1 - found.cols.acc;
    agreement sets[] = {agreement_of(&by_rows), agreement_of(&by_cols)};
    agreement cells = agreement_of_cells(&sets[0], &sets[1]);
    found.cce = wrong_rows + wrong_cols - wrong_rows * wrong_cols;
    found.cari = adjusted_rand(&cells);
    *scores = found;
done:
    cob_contingency_free(&by_rows);
    cob_contingency_free(&by_cols);
    return status;
}

cobloc_status cobloc_score(const int32_t *labels, const int32_t *truth, int64_t count,
                           cobloc_scores **out, cobloc_error *err)
{
    cobloc_scores scores;
    cobloc_status status = cob_score(labels, truth, count, &scores, err);
    return status ? status : cob_hand_out(&scores, &cob_scores_type, out, err);
}

cobloc_status cobloc_coscore(const int32_t *row_labels, const int32_t *row_truth, int64_t rows,
                             const int32_t *col_labels, const int32_t *col_truth, int64_t cols,
                             cobloc_coscores **out, cobloc_error *err)
{
    cobloc_coscores scores;
    cobloc_status status =
        cob_coscore(row_labels, row_truth, rows, col_labels, col_truth, cols, &scores, err);
    return status ? status : cob_hand_out(&scores, &cob_coscores_type, out, err);
}
