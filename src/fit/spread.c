/* The starts of a fit on several groups of ranks.
 * SPDX-License-Identifier: MIT
 */
#include "fit/spread.h"

#include "base/alloc.h"
#include "fit/checkpoint.h"

#include <math.h>
#include <string.h>

int cob_round_end(const cob_task *task, const cob_family *family, int first, int at_once)
{
    int end = task->restarts, place = first % COB_FAMILY;
    if (task->until_same) /* each may be the last */
        end = first + 1;
    else if (family->crosses)
        end = first - place + (place < COB_FOUNDERS ? COB_FOUNDERS : COB_FAMILY);
    else if (task->kept)
        end = first + task->groups * at_once;
    return end < task->restarts ? end : task->restarts;
}

static cobloc_status pack(const cob_task *task, const cob_restarts *restarts,
                          const cob_family *family, const cob_outcome *best, char **bytes,
                          size_t *count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_sections_file *file = NULL;
    int32_t stop = (int32_t)restarts->stop;
    COB_TRY(cob_sections_create(NULL, &file, err));
    cob_sections_put(file, "stop", &stop, sizeof stop);
    cob_table_put(task, restarts, family, best, file);
done:
    return cob_sections_take(file, status, bytes, count, err);
}

static void take_chain(const cob_task *task, const cob_restarts *theirs, int i, cob_restarts *own)
{
    size_t cells =
        (size_t)task->k * (size_t)task->l * (size_t)task->problem.operand.depth.parameters;
    size_t at = (size_t)i * cells, bytes = cells * sizeof *own->means;
    if (!own->means)
        return;
    memcpy(own->means + at, theirs->means + at, bytes);
    memcpy(own->squares + at, theirs->squares + at, bytes);
    own->draws[i] = theirs->draws[i];
}

/* What a start of another group has come to. */
static void take_start(const cob_task *task, const cob_restarts *theirs, cob_family *found, int i,
                       cob_restarts *restarts, cob_family *family)
{
    int place = cob_places(family, i).first;
    restarts->criteria[i] = theirs->criteria[i];
    take_chain(task, theirs, i, restarts);
    if (!family->crosses || !cob_is_founder(family, i) || !found->has[place])
        return;
    cob_labels_free(&family->found[place]);
    family->found[place] = found->found[place];
    family->has[place] = true;
    found->found[place] = (cob_labels){{NULL, NULL}};
    found->has[place] = false;
}

static cobloc_status take(const cob_task *task, int group, const cob_sections *from, int first,
                          int last, cob_restarts *restarts, cob_family *family, cob_outcome *best,
                          cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_restarts theirs = {0};
    cob_family found = {.crosses = family->crosses};
    cob_outcome outcome = {0};
    COB_TRY(cob_restarts_alloc(task, &theirs, err));
    COB_TRY(cob_table_get(task, from, &theirs, &found, &outcome, err));
    for (int i = first; i < last; i++)
        if (i % task->groups == group && !isnan(theirs.criteria[i]))
            take_start(task, &theirs, &found, i, restarts, family);
    if (outcome.row_labels && cob_outcome_beats(&task->algorithm, &outcome, best)) {
        cob_outcome worse = *best;
        *best = outcome;
        outcome = worse;
    }
done:
    cob_outcome_free(&outcome);
    cob_family_free(&found);
    cob_restarts_free(&theirs);
    return status;
}

/* All that was gathered, in the order of the groups. */
static cobloc_status take_all(const cob_task *task, int first, int last, cob_restarts *restarts,
                              cob_family *family, cob_outcome *best, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_ranks *ranks = task->ranks;
    const char *bytes = ranks->all;
    cob_sections *from = NULL;
    for (int rank = 0, group = 0; rank < ranks->size; bytes += ranks->counts[rank++]) {
        int32_t stop;
        if (ranks->counts[rank] == 0) /* another rank of its group has spoken */
            continue;
        COB_TRY(cob_sections_open("a rank", bytes, (size_t)ranks->counts[rank], &from, err));
        COB_TRY(cob_sections_get(from, "stop", &stop, sizeof stop, err));
        if (stop > (int32_t)restarts->stop)
            restarts->stop = (cobloc_stop)stop;
        if (group != task->own)
            COB_TRY(take(task, group, from, first, last, restarts, family, best, err));
        group++;
        cob_sections_free(from);
        from = NULL;
    }
done:
    cob_sections_free(from);
    return status;
}

cobloc_status cob_round_share(const cob_task *task, int first, int last, cob_restarts *restarts,
                              cob_family *family, cob_outcome *best, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *bytes = NULL;
    size_t count = 0;
    if (!task->group || task->group->rank == 0)
        COB_TRY(pack(task, restarts, family, best, &bytes, &count, err));
    if (!cob_ranks_gather(task->ranks, bytes, (int64_t)count))
        COB_TRY(cob_ranks_check(task->ranks, err));
    status = take_all(task, first, last, restarts, family, best, err);
    COB_TRY(cob_group_end(task->ranks, task->group, status, err));
    family->finished = last;
    if (last % COB_FAMILY == 0)
        memset(family->has, 0, sizeof family->has);
done:
    cob_free(bytes);
    return status;
}
