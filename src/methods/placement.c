/* Ways of assigning new rows that several methods share.
 * SPDX-License-Identifier: MIT
 */
#include "methods/placement.h"

#include "base/alloc.h"
#include "matrix/kernels.h"

#include <string.h>

cobloc_status cob_placer_open(const cob_placement *by, const cob_fitted *fitted, cob_placer *p,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *p = (cob_placer){.by = by, .fitted = fitted};
    COB_CHECK(!by->centres || fitted->centres, COBLOC_BAD_DATA, "has no centres");
    if (by->open)
        COB_TRY(by->open(p, err));
done:
    return status;
}

void cob_placer_free(cob_placer *p)
{
    cob_free(p->table);
    cob_free(p->plus);
    cob_free(p->gram);
    cob_free(p->blocs);
    *p = (cob_placer){0};
}

double cob_fitted_size(const cob_fitted *f, int k)
{
    double sum = 0;
    if (!f->row_probabilities)
        return (double)f->row_sizes[k];
    for (int64_t i = 0; i < f->n; i++)
        sum += f->row_probabilities[i * f->k + k];
    return sum;
}

/* ---- a number for each column and cluster ---------------------------------------------------- */

cobloc_status cob_open_table(cob_placer *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW_ZERO(p->table, (size_t)p->fitted->d * (size_t)p->fitted->k);
    COB_NEW_ZERO(p->plus, p->fitted->k);
done:
    return status;
}

void cob_score_by_table(const cob_placer *p, const cobloc_view *rows, int64_t row, double *room,
                        double *scores)
{
    (void)room;
    cob_line_times(rows, row, p->table, p->fitted->k, scores);
    for (int k = 0; k < p->fitted->k; k++)
        scores[k] += p->plus[k];
}

/* ---- what a row adds to the criterion -------------------------------------------------------- */

cobloc_status cob_open_blocs(cob_placer *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_fitted *f = p->fitted;
    double total = 0;
    COB_NEW_ZERO(p->blocs, f->k);
    for (int k = 0; k < f->k; k++)
        for (int l = 0; l < f->k; l++) {
            double block = f->blocks[(int64_t)k * f->k + l];
            p->blocs[k].rows += block;
            p->blocs[l].cols += block;
            p->blocs[k].held += k == l ? block : 0;
            total += block;
        }
    for (int k = 0; k < f->k; k++) {
        p->blocs[k].row_count = (double)f->row_sizes[k];
        p->blocs[k].col_count = (double)f->col_sizes[k];
        p->blocs[k].total = total;
    }
done:
    return status;
}

void cob_score_by_gain(const cob_placer *p, const cobloc_view *rows, int64_t row, double *room,
                       double *scores)
{
    const cob_fitted *f = p->fitted;
    double sum = 0;
    memset(room, 0, (size_t)f->k * sizeof *room);
    for (int64_t e = rows->offsets[row]; e < rows->offsets[row + 1]; e++) {
        int32_t label = f->col_labels[rows->indices[e]];
        double value = cobloc_view_value(rows, e);
        sum += value;
        if (label >= 0)
            room[label] += value;
    }
    for (int k = 0; k < f->k; k++) {
        cob_bloc without = p->blocs[k];
        without.total += sum;
        without.cols += room[k]; /* for any cluster of the row */
        cob_bloc with = without;
        with.held += room[k];
        with.rows += sum;
        with.row_count += 1;
        scores[k] = p->by->worth(&with) - p->by->worth(&without);
    }
}
