/* How many restarts go on at the same time.
 * SPDX-License-Identifier: MIT
 */
#include "fit/fit.h"

#include "base/parallel.h"

/* One restart after another, each on all threads, leaves no thread waiting for those that others
 * build on, and needs the memory of one. Passes over fewer entries are too short to share. */
int cob_runs_at_once(const cob_algorithm *algorithm, int64_t entries, int restarts, int threads)
{
    enum { WORTH_SHARING = 10000000 };
    if (algorithm->model && entries >= WORTH_SHARING)
        return 1;
    return restarts < threads ? restarts : threads;
}

int cob_task_at_once(const cob_task *task)
{
    if (task->group) /* its ranks are all in the same run */
        return 1;
    return cob_runs_at_once(&task->algorithm, task->prepared.x->nnz,
                            (task->restarts + task->groups - 1) / task->groups,
                            cob_threads(task->threads));
}

/* Of restarts from random labels, some are drawn here while others pass over the lines on a device;
 * other starts take longer here than their passes there. */
int cob_task_beside_device(const cob_task *task)
{
    enum { MOST_ALONE = 8 };
    int threads = cob_threads(task->threads);
    if (!task->problem.held || task->ranks || task->start != COBLOC_START_RANDOM)
        return cob_task_at_once(task);
    threads = threads < MOST_ALONE ? threads : MOST_ALONE;
    return task->restarts < threads ? task->restarts : threads;
}
