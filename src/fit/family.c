/* Restarts that build on others.
 * SPDX-License-Identifier: MIT
 */
#include "fit/family.h"

#include <string.h>

bool cob_has_families(const cob_task *task)
{
    const cob_problem *p = &task->problem;
    double k = task->k, l = task->l;
    return task->algorithm.model && task->start == COBLOC_START_AUTO &&
           task->restarts > COB_FOUNDERS && p->model->structure->merges &&
           !p->side[COB_ROWS].fixed && !p->side[COB_COLS].fixed &&
           !cob_is_stochastic(task->inference) && k * k <= (double)cob_line_count(p, COB_ROWS) &&
           l * l <= (double)cob_line_count(p, COB_COLS);
}

bool cob_is_founder(const cob_family *family, int restart)
{
    return !family->crosses || restart % COB_FAMILY < COB_FOUNDERS;
}

cob_pair cob_places(const cob_family *family, int restart)
{
    int place = restart % COB_FAMILY, pair = place - COB_FOUNDERS, second = 1;
    if (cob_is_founder(family, restart))
        return (cob_pair){place % COB_FOUNDERS, place % COB_FOUNDERS};
    while (pair >= second) /* (0, 1); (0, 2), (1, 2); ... */
        pair -= second++;
    return (cob_pair){pair, second};
}

bool cob_can_begin(const cob_family *family, int restart)
{
    cob_pair on = cob_places(family, restart);
    if (!family->crosses)
        return true;
    if (family->finished < restart - restart % COB_FAMILY)
        return false;
    return cob_is_founder(family, restart) || (family->has[on.first] && family->has[on.second]);
}

cobloc_status cob_family_note(const cob_task *task, cob_family *family, const cob_outcome *outcome,
                              cobloc_error *err)
{
    int restart = (int)outcome->restart, place = cob_places(family, restart).first;
    if (!family->crosses)
        return COBLOC_OK;
    if (++family->finished % COB_FAMILY == 0)
        memset(family->has, 0, sizeof family->has);
    if (!cob_is_founder(family, restart))
        return COBLOC_OK;
    cob_labels_free(&family->found[place]); /* another family's may be there */
    cobloc_status status = cob_labels_alloc(&family->found[place], &task->problem, err);
    if (status == COBLOC_OK)
        cob_keep_labels(outcome->run, &family->found[place]);
    family->has[place] = status == COBLOC_OK;
    return status;
}

void cob_family_free(cob_family *family)
{
    for (int i = 0; i < COB_FOUNDERS; i++)
        cob_labels_free(&family->found[i]);
    *family = (cob_family){0};
}
