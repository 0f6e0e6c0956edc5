/* Columns for given rows: each goes where the model's structure places it by its sums.
 * SPDX-License-Identifier: MIT
 */
#include "engine/starts.h"

#include "base/alloc.h"
#include "base/parallel.h"

/* Blocks of lines are always the same ones, and their sums are added in order. */
static cobloc_status sum_effects(const double *effects, const int32_t *labels, int64_t count, int g,
                                 int threads, double **mass, cobloc_error *err)
{
    enum { BLOCK = 1 << 16 };
    cobloc_status status = COBLOC_OK;
    int64_t blocks = (count + BLOCK - 1) / BLOCK;
    double *of_block = NULL;
    COB_NEW_ZERO(*mass, g);
    COB_NEW_ZERO(of_block, (size_t)blocks * (size_t)g);
#pragma omp parallel for schedule(static) num_threads(threads) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t i = b * BLOCK; i < count && i < (b + 1) * BLOCK; i++)
            of_block[b * g + labels[i]] += effects[i];
    for (int64_t b = 0; b < blocks; b++)
        for (int k = 0; k < g; k++)
            (*mass)[k] += of_block[b * g + k];
done:
    cob_free(of_block);
    return status;
}

cobloc_status cob_sum_columns(const cobloc_view *cols, const double *row_effects,
                              const int32_t *row_labels, int g, int threads, double **sums,
                              double **mass, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(*sums, (size_t)cols->major * (size_t)g);
    COB_TRY(sum_effects(row_effects, row_labels, cols->minor, g, cob_threads(threads), mass, err));
    cob_reduce(cols, row_labels, g, threads, *sums);
done:
    return status;
}

/* The sums of some columns at a time stay in the nearest cache. */
cobloc_status cob_place_columns(cob_run *run, cobloc_error *err)
{
    enum { SOME = 32 };
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    const cob_problem_side *rows = &p->side[COB_ROWS], *cols = &p->side[COB_COLS];
    const int32_t *row_labels = run->side[COB_ROWS].labels;
    int32_t *col_labels = run->side[COB_COLS].labels;
    cob_between own_cols = cob_part_lines(&p->part, COB_COLS, cols->view.major);
    int threads = cob_threads(run->threads), g = run->side[COB_ROWS].clusters;
    size_t room = (size_t)SOME * (size_t)g;
    double *sums = NULL, *mass = NULL;
    COB_NEW(sums, (size_t)threads * room);
    COB_TRY(sum_effects(rows->effects, row_labels, rows->view.major, g, threads, &mass, err));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t first = own_cols.first; first < own_cols.last; first += SOME) {
        double *own = sums + (size_t)cob_thread() * room;
        cobloc_view some = cols->view;
        int64_t left = own_cols.last - first;
        some.offsets += first;
        some.major = left < SOME ? left : SOME;
        cob_reduce(&some, row_labels, g, 1, own);
        for (int64_t j = 0; j < some.major; j++)
            col_labels[first + j] = p->model->structure->place(g, own + j * g, mass);
    }
    COB_TRY(cob_part_gather(&p->part, COB_COLS, col_labels, sizeof *col_labels, err));
done:
    cob_free(sums);
    cob_free(mass);
    return status;
}
