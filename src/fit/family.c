/* Restarts that build on others.
 * SPDX-License-Identifier: MIT
 */
#include "fit/family.h"

#include "base/alloc.h"

#include <string.h>

bool cob_has_families(const cob_task *task)
{
    const cob_problem *p = &task->problem;
    double k = task->k, l = task->l;
    return task->algorithm.model && task->start == COBLOC_START_AUTO &&
           task->restarts > COB_FOUNDERS && !p->model->place_column && !p->fix_rows &&
           !p->fix_cols && !cob_is_stochastic(task->inference) && k * k <= (double)p->rows.major &&
           l * l <= (double)p->cols.major;
}

bool cob_is_founder(const cob_family *family, uint32_t restart)
{
    return !family->crosses || restart % COB_FAMILY < COB_FOUNDERS;
}

uint32_t cob_next_generation(const cob_family *family, uint32_t restart)
{
    uint32_t first = restart - restart % COB_FAMILY;
    if (!family->crosses)
        return UINT32_MAX;
    return first + (cob_is_founder(family, restart) ? COB_FOUNDERS : COB_FAMILY);
}

cobloc_status cob_keep_founder(const cob_task *task, cob_family *family, const cob_outcome *outcome,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t n = (size_t)task->problem.rows.major, d = (size_t)task->problem.cols.major;
    cob_founder *founder = &family->founders[outcome->restart % COB_FAMILY];
    cob_free(founder->rows);
    cob_free(founder->cols);
    *founder = (cob_founder){
        .criterion = outcome->criterion, .kept = outcome->kept, .restart = outcome->restart};
    COB_NEW(founder->rows, n);
    COB_NEW(founder->cols, d);
    memcpy(founder->rows, outcome->row_labels, n * sizeof *founder->rows);
    memcpy(founder->cols, outcome->col_labels, d * sizeof *founder->cols);
done:
    return status;
}

/* Of equals the earlier one. */
static bool comes_before(const cob_algorithm *algorithm, const cob_founder *a, const cob_founder *b)
{
    if (cob_algorithm_prefers(algorithm, a->criterion, a->kept, b->criterion, b->kept))
        return true;
    return !cob_algorithm_prefers(algorithm, b->criterion, b->kept, a->criterion, a->kept) &&
           a->restart < b->restart;
}

void cob_rank_founders(const cob_task *task, cob_family *family)
{
    for (int i = 1; i < COB_FOUNDERS; i++) {
        cob_founder one = family->founders[i];
        int at = i;
        for (; at > 0 && comes_before(&task->algorithm, &one, &family->founders[at - 1]); at--)
            family->founders[at] = family->founders[at - 1];
        family->founders[at] = one;
    }
}

void cob_parents(const cob_family *family, uint32_t restart, cob_labels parents[2])
{
    uint32_t pair = restart % COB_FAMILY - COB_FOUNDERS, second = 1;
    while (pair >= second) /* (0, 1); (0, 2), (1, 2); ... */
        pair -= second++;
    const cob_founder *a = &family->founders[pair], *b = &family->founders[second];
    parents[0] = (cob_labels){a->rows, a->cols};
    parents[1] = (cob_labels){b->rows, b->cols};
}

void cob_family_free(cob_family *family)
{
    for (int i = 0; i < COB_FOUNDERS; i++) {
        cob_free(family->founders[i].rows);
        cob_free(family->founders[i].cols);
    }
    *family = (cob_family){0};
}
