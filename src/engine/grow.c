/* Starts of many clusters: of few, which are split and refined, and merged to half as many again,
 * until there are as many as are wanted.
 *
 * Clusters are found where others were, so that the large ones of few become many, and they need
 * not be told from all the others at once: k-means of so many centres would take most of the time,
 * and gives clusters of one size. Steps grow with their clusters, so that all of them together cost
 * little more than the last.
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/starts.h"

#include "base/alloc.h"

/* Purposes of random numbers: above those of choosing sizes, two a step. */
enum { PURPOSE_GROW = 100 };

enum { FIRST_ITERATIONS = 5, ITERATIONS = 2 };

/* So many clusters come before these. */
static int clusters_before(int clusters)
{
    return (2 * clusters + 2) / 3;
}

int cob_begun_with(int clusters)
{
    while (clusters > COB_FEW)
        clusters = clusters_before(clusters);
    return clusters;
}

/* And so many after these, on the way to `wanted`. */
static int clusters_after(int clusters, int wanted)
{
    while (clusters_before(wanted) > clusters)
        wanted = clusters_before(wanted);
    return wanted;
}

/* Where one side has as many as are wanted before the other does, it is split all the same. */
bool cob_can_grow(const cob_problem *p, int g, int m)
{
    int before[] = {g == m ? clusters_before(g) : g, g == m ? clusters_before(m) : m};
    return (g > COB_FEW || m > COB_FEW) &&
           2 * (int64_t)before[COB_ROWS] <= cob_line_count(p, COB_ROWS) &&
           2 * (int64_t)before[COB_COLS] <= cob_line_count(p, COB_COLS);
}

/* A start that comes too late, or that was to end early, is only to be complete. */
static int iterations(const cob_run *run, int wanted)
{
    return run->disturbed || cob_clock() > run->problem->watch.deadline ? 0 : wanted;
}

static cobloc_status grow_once(const cob_run *now, const cob_start_data *data, uint32_t step,
                               cob_run *next, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_run *fine = NULL;
    COB_TRY(cob_run_new(now->problem, 2 * now->side[COB_ROWS].clusters,
                        2 * now->side[COB_COLS].clusters, now->restart, now->threads, &fine, err));
    COB_TRY(cob_split_run(now, data, PURPOSE_GROW + 2 * step, fine, err));
    fine->disturbed = now->disturbed;
    COB_TRY(cob_merge_into(fine, iterations(fine, ITERATIONS), next, err));
done:
    cob_run_free(fine);
    return status;
}

cobloc_status cob_grow_clusters(cob_run **few, const cob_start_data *data, cob_run *run,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = (*few)->problem;
    cob_run *next = NULL;
    int k = run->side[COB_ROWS].clusters, l = run->side[COB_COLS].clusters;
    COB_TRY(cob_run_refine(*few, iterations(*few, FIRST_ITERATIONS), err));
    for (uint32_t step = 0; *few; step++) {
        int g = clusters_after((*few)->side[COB_ROWS].clusters, k);
        int m = clusters_after((*few)->side[COB_COLS].clusters, l);
        if (g < k || m < l)
            COB_TRY(cob_run_new(p, g, m, run->restart, run->threads, &next, err));
        COB_TRY(grow_once(*few, data, step, next ? next : run, err));
        if (next)
            COB_TRY(cob_run_refine(next, iterations(next, ITERATIONS), err));
        cob_run_free(*few);
        *few = next;
        next = NULL;
    }
done:
    cob_run_free(next);
    return status;
}
