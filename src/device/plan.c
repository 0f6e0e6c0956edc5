/* What the blocks of a kernel have in their shared memory, and how many warps they are.
 * SPDX-License-Identifier: MIT
 */
#include "device/holding.h"

/* What each warp has for itself: the sums that it makes, or a list of lines that move. */
static long long near_of_warp(const cob_lines_args *a, const cob_launch *launch)
{
    if (launch->kernel == COB_PLACE_KEPT)
        return (long long)sizeof(cob_moves);
    if (launch->kernel == COB_PLACE_SLOTS || launch->kernel == COB_CLEAR_RUNS)
        return 0;
    return cob_near_sums(a->from, launch->variant.packed, cob_sum_bytes(launch->variant.kind));
}

static bool fits(const cob_device *device, const cob_lines_args *a, cob_launch *launch,
                 int64_t labels, int warps)
{
    int label = launch->variant.few ? 1 : (int)sizeof(int32_t);
    int runs = cob_block_runs(a->lanes);
    launch->warps = warps;
    launch->near = (size_t)(COB_NEAR_START + (a->labels_near ? cob_near_labels(labels, label) : 0) +
                            (a->rule_near ? cob_near_rule(a->to, a->from, a->diagonal, runs) : 0) +
                            (a->counts_near ? cob_near_counts(a->to, runs) : 0) +
                            (a->table_near ? cob_near_table(a->to, a->from, runs) : 0) +
                            warps * near_of_warp(a, launch));
    return launch->near <= device->most_near;
}

/* What blocks may keep near, and how many warps they have: the best that fits. */
static bool plan_warps(const cob_device *device, cob_lines_args *a, cob_launch *launch,
                       int64_t labels, int fewest)
{
    static const struct {
        int warps, rule, counts;
    } wishes[] = {{32, 1, 1}, {24, 1, 1}, {16, 1, 1}, {16, 0, 1}, {13, 1, 1}, {12, 1, 1},
                  {12, 0, 1}, {8, 1, 1},  {8, 0, 1},  {6, 1, 1},  {4, 1, 1},  {4, 0, 1},
                  {4, 0, 0},  {2, 1, 1},  {2, 0, 1},  {2, 0, 0},  {1, 0, 1},  {1, 0, 0}};
    bool places = launch->kernel != COB_SUM_PIECES && launch->kernel != COB_SUM_RUNS &&
                  launch->kernel != COB_CLEAR_RUNS;
    int most = launch->kernel == COB_PLACE_KEPT ? COB_KEPT_WARPS : COB_WARPS;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes && wishes[i].warps >= fewest; i++) {
        if (wishes[i].warps > most)
            continue;
        a->rule_near = wishes[i].rule && places && !a->keep;
        a->counts_near = wishes[i].counts && places;
        if (fits(device, a, launch, labels, wishes[i].warps))
            return true;
    }
    return false;
}

/* Labels first, since these are looked up most, and the table; unless too few warps are left. */
bool cob_plan_blocks(const cob_device *device, cob_lines_args *a, cob_launch *launch,
                     int64_t labels)
{
    enum { FEW_WARPS = 4 };
    bool near = launch->variant.few && labels > 0, table = a->table != 0;
    a->labels_near = near;
    a->table_near = table;
    if ((near || table) && plan_warps(device, a, launch, labels, FEW_WARPS))
        return true;
    a->labels_near = a->table_near = false;
    return plan_warps(device, a, launch, labels, 1);
}
