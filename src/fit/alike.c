/* Restarts that end when so many of them have found the same best.
 * SPDX-License-Identifier: MIT
 */
#include "fit/alike.h"

#include "base/alloc.h"

#include <math.h>

/* The same partition may be numbered in other ways, and its terms added in another order. */
static bool is_same(double a, double b)
{
    return fabs(a - b) <= 1e-10 * fabs(b);
}

bool cob_enough_alike(const cob_task *task, const cob_restarts *r, const cob_outcome *best)
{
    int alike = 0;
    if (task->until_same == 0 || !best->row_labels || best->kept > 0)
        return false;
    for (int i = 0; i < task->restarts; i++)
        alike += is_same(r->criteria[i], best->criterion); /* no: a number that is not there */
    return alike >= task->until_same;
}

int cob_restarts_made(const cob_task *task, const cob_restarts *r, const cob_outcome *best)
{
    int made = 0;
    while (made < task->restarts && !isnan(r->criteria[made]))
        made++;
    return cob_enough_alike(task, r, best) ? made : task->restarts;
}

cobloc_status cob_turns_new(const cob_task *task, const cob_restarts *restarts, cob_turns *turns,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *turns = (cob_turns){.count = task->restarts};
    if (task->until_same == 0)
        return COBLOC_OK;
    COB_NEW_ZERO(turns->waiting, turns->count);
    while (turns->next < turns->count && !isnan(restarts->criteria[turns->next]))
        turns->next++;
done:
    return status;
}

void cob_turns_free(cob_turns *turns)
{
    for (int i = 0; turns->waiting && i < turns->count; i++)
        cob_outcome_free(&turns->waiting[i]);
    cob_free(turns->waiting);
    *turns = (cob_turns){0};
}

void cob_turns_put(cob_turns *turns, cob_outcome *outcome)
{
    turns->waiting[outcome->restart] = *outcome;
    *outcome = (cob_outcome){0};
}

bool cob_turns_take(cob_turns *turns, cob_outcome *outcome)
{
    if (turns->next >= turns->count || !turns->waiting[turns->next].row_labels)
        return false;
    *outcome = turns->waiting[turns->next];
    turns->waiting[turns->next++] = (cob_outcome){0};
    return true;
}
