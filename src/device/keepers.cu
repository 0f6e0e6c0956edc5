/* Kernels for several runs at once that look for keepers: of the lines that were in a cluster before
 * a pass, the one that loses least by staying, of equal ones the first. They are wanted of few
 * clusters, those which a pass left with few lines where some have none: so lines are scored again.
 *
 * SPDX-License-Identifier: MIT
 */
#if WITH_HARD

/* What a line loses that goes back to its cluster. */
HERE double loss_of(const cob_lines_args *a, const line_rule *rule, const line_seen *seen)
{
    line_best best = {NEGATIVE_INFINITY, NEGATIVE_INFINITY, 0};
    for (int first = 0; first < a->to; first += SCORED_AT_ONCE) {
        double scores[SCORED_AT_ONCE];
        score_some(a, rule, seen, 1, SCORED_AT_ONCE, first, scores);
        consider(&best, scores, SCORED_AT_ONCE, first, a->to, seen->own);
    }
    return best.score - best.of_own;
}

/* The first look finds the least loss of each cluster, the second which line has it. No loss is
 * negative, so that their bits are in the order of the losses. */
HERE void look_at_line(const cob_lines_args *a, long long line, int place, int run)
{
    int own = (int)AT(const LABEL, a->before)[line * a->abreast + run];
    long long at = (long long)place * a->to + own;
    cob_found_keeper *best = AT(cob_found_keeper, a->keepers) + at;
    if (!AT(const unsigned char, a->thin)[at] || known_cluster(a, line, -1) >= 0)
        return;
    long long numbers = cob_rule_numbers(a->to, a->from, a->diagonal);
    line_rule rule = rule_at(a, AT(const double, a->A) + place * numbers, 1, numbers);
    line_seen seen = see_kept(a, line, run);
    seen.own = own;
    cob_number_bits loss;
    loss.number = loss_of(a, &rule, &seen);
    unsigned long long closeness = ~loss.bits;
    if (!a->again)
        RAISE(&best->closeness, closeness);
    else if (best->closeness == closeness)
        RAISE(&best->before_end, (unsigned)(a->major - line));
}

KERNEL(cob_look_for_keepers) PLACE(a)
{
    group_of_runs group = group_of_block(&a, BLOCK, BLOCKS);
    long long step = step_of_warps(&group, BLOCK_WARPS);
    WARPS(warp)
        for (long long i = first_of_warp(&group, warp, BLOCK_WARPS); i < a.major; i += step)
            LANES(lane) {
                long long line = i + line_of_lane(&group, lane);
                int own = place_of_lane(&group, lane), run = run_at(&a, own);
                if (run >= 0 && line < a.major)
                    look_at_line(&a, line, own, run);
            }
}

/* What is to be known of them: the clusters they are in by now, and their sums. */
KERNEL(cob_describe_keepers) PLACE(a)
{
    long long count = (long long)a.lanes * a.to, step = BLOCKS * BLOCK_WARPS;
    WARPS(warp)
        for (long long i = BLOCK * BLOCK_WARPS + warp; i < count; i += step)
            LANES(lane) {
                cob_found_keeper *one = AT(cob_found_keeper, a.keepers) + i;
                long long line = a.major - one->before_end;
                int run = run_at(&a, (int)(i / a.to));
                if (one->before_end > 0 && lane == 0)
                    one->label = (int)AT(const LABEL, a.labels)[line * a.abreast + run];
                for (int l = lane; l < a.from && one->before_end > 0; l += COB_WARP)
                    AT(long long, a.keeper_sums)[i * a.from + l] =
                        (long long)kept_of_run(&a, line, run)[(long long)l * a.abreast];
            }
}
/* Lines of all runs that go back. */
KERNEL(cob_put_labels) PLACE(a)
{
    long long step = BLOCKS * BLOCK_WARPS * COB_WARP;
    WARPS(warp)
        for (long long i = (BLOCK * BLOCK_WARPS + warp) * COB_WARP; i < a.listed; i += step)
            LANES(lane) {
                const cob_moved *one = AT(const cob_moved, a.list) + i + lane;
                for (int c = 0; c < a.layers && i + lane < a.listed; c++)
                    AT(LABEL, a.labels)[(c * a.major + one->line) * a.abreast + one->run] =
                        (LABEL)(c * a.to + one->now);
            }
}
#endif
