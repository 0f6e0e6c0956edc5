/* Kernels for several runs at once: every thread of a warp has a run of its own, and entries are read
 * once for all of them. Labels of all runs stand side by side, line after line, so that a warp reads
 * those of one line together. Each thread adds to sums of its own, in a bank of its own: nothing
 * meets. Runs that do not take part in a pass are not touched.
 *
 * A block has the runs of one group, as many as a warp has threads.
 *
 * SPDX-License-Identifier: MIT
 */

HERE int takes_part(const cob_lines_args *a, int run)
{
    return AT(const unsigned char, a->active)[run];
}

/* Whether none of the runs of a group does. */
HERE int group_rests(const cob_lines_args *a, int first)
{
    int any = 0;
    for (int i = 0; i < COB_WARP; i++)
        any += takes_part(a, first + i);
    return any == 0;
}

HERE void add_for_run(const cob_lines_args *a, long long first, long long last, int run, CELL *own)
{
    enum { AT_ONCE = 8 };
    const int *indices = AT(const int, a->indices);
    const LABEL *other = AT(const LABEL, a->other) + run;
    long long e = first;
    for (; e + AT_ONCE <= last; e += AT_ONCE) {
        LABEL label[AT_ONCE];
        SUM value[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++) {
            label[i] = other[(long long)indices[e + i] * a->lanes];
            value[i] = value_at(a->values, e + i);
        }
        for (int i = 0; i < AT_ONCE; i++)
            add_sum(own, (unsigned)label[i], value[i]);
    }
    for (; e < last; e++)
        add_sum(own, (unsigned)other[(long long)indices[e] * a->lanes], value_at(a->values, e));
}

/* What a thread has of its group. */
HERE line_rule rule_of_lane(const line_rule *rule, int lane)
{
    line_rule own = {rule->A + lane, rule->b + lane, rule->e + lane, rule->stride};
    return own;
}

HERE line_totals totals_of_lane(const line_totals *totals, int lane)
{
    line_totals own = {totals->first + lane, totals->stride, totals->near};
    return own;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Sums and places lines that are not cut, and adds them to the table. */
KERNEL(cob_place_runs) PLACE(a)
{
    NEAR
    int groups = a.lanes / COB_WARP, first = (int)(BLOCK % groups) * COB_WARP;
    if (group_rests(&a, first))
        return;
    char *memory = (char *)near_memory + COB_NEAR_START;
    line_rule rule = bring_rule(&a, &memory, first, COB_WARP);
    line_totals counts = begin_counts(&a, &memory, first, COB_WARP);
    line_totals table = begin_table(&a, &memory, first, COB_WARP);
    WARPS(warp) {
        CELL *cells = begin_sums(&a, memory, warp);
        long long step = BLOCKS / groups * BLOCK_WARPS;
        for (long long line = BLOCK / groups * BLOCK_WARPS + warp; line < a.major; line += step) {
            long long begin = AT(const long long, a.offsets)[line];
            long long end = AT(const long long, a.offsets)[line + 1];
            if (end - begin > a.longest)
                continue;
            LANES(lane)
                if (takes_part(&a, first + lane)) {
                    line_sums own = {1, cells + lane, 0, 0};
                    line_rule by = rule_of_lane(&rule, lane);
                    line_totals its = totals_of_lane(&counts, lane);
                    line_totals blocks = totals_of_lane(&table, lane);
                    add_for_run(&a, begin, end, first + lane, own.near);
                    place_line(&a, &by, &own, &its, line, first + lane);
                    add_to_table(&a, &own, &blocks, line, first + lane);
                    clear_sums(&a, own.near);
                }
        }
    }
    end_counts(&a, &counts, first, COB_WARP);
    end_table(&a, &table, first, COB_WARP);
}

/* Adds up pieces of lines. */
KERNEL(cob_sum_runs) PLACE(a)
{
    NEAR
    int groups = a.lanes / COB_WARP, first = (int)(BLOCK % groups) * COB_WARP;
    if (group_rests(&a, first))
        return;
    WARPS(warp) {
        CELL *cells = begin_sums(&a, (char *)near_memory + COB_NEAR_START, warp);
        long long step = BLOCKS / groups * BLOCK_WARPS;
        for (long long p = BLOCK / groups * BLOCK_WARPS + warp; p < a.piece_count; p += step) {
            cob_piece piece = AT(const cob_piece, a.pieces)[p];
            LANES(lane)
                if (takes_part(&a, first + lane)) {
                    KEPT *to = AT(KEPT, a.slot_sums) +
                                    (long long)piece.slot * a.from * a.lanes + first + lane;
                    add_for_run(&a, piece.first, piece.first + piece.count, first + lane,
                                cells + lane);
                    for (int l = 0; l < a.from; l++)
                        if (cell_sum(cells + lane, (unsigned)l) != 0)
                            ADD_KEPT(to + (long long)l * a.lanes,
                                     cell_sum(cells + lane, (unsigned)l));
                    clear_sums(&a, cells + lane);
                }
        }
    }
}

/* Places the lines that were summed in pieces, and adds them to the table. */
KERNEL(cob_place_run_slots) PLACE(a)
{
    NEAR
    int groups = a.lanes / COB_WARP, first = (int)(BLOCK % groups) * COB_WARP;
    if (group_rests(&a, first))
        return;
    char *memory = (char *)near_memory + COB_NEAR_START;
    line_rule rule = bring_rule(&a, &memory, first, COB_WARP);
    line_totals counts = begin_counts(&a, &memory, first, COB_WARP);
    line_totals table = begin_table(&a, &memory, first, COB_WARP);
    WARPS(warp) {
        long long step = BLOCKS / groups * BLOCK_WARPS;
        for (long long s = BLOCK / groups * BLOCK_WARPS + warp; s < a.slot_count; s += step)
            LANES(lane)
                if (takes_part(&a, first + lane)) {
                    long long line = AT(const int, a.slots)[s];
                    const KEPT *sums = AT(const KEPT, a.slot_sums) + s * a.from * a.lanes + first + lane;
                    line_sums own = {0, 0, sums, a.lanes};
                    line_rule by = rule_of_lane(&rule, lane);
                    line_totals its = totals_of_lane(&counts, lane);
                    line_totals blocks = totals_of_lane(&table, lane);
                    place_line(&a, &by, &own, &its, line, first + lane);
                    add_to_table(&a, &own, &blocks, line, first + lane);
                }
    }
    end_counts(&a, &counts, first, COB_WARP);
    end_table(&a, &table, first, COB_WARP);
}

/* Sums of slots to 0, for the runs that take part. */
KERNEL(cob_clear_runs) PLACE(a)
{
    int groups = a.lanes / COB_WARP, first = (int)(BLOCK % groups) * COB_WARP;
    if (group_rests(&a, first))
        return;
    WARPS(warp) {
        long long step = BLOCKS / groups * BLOCK_WARPS;
        for (long long i = BLOCK / groups * BLOCK_WARPS + warp; i < a.slot_count * a.from; i += step)
            LANES(lane)
                if (takes_part(&a, first + lane))
                    AT(KEPT, a.slot_sums)[i * a.lanes + first + lane] = 0;
    }
}

/* The labels of one run, to where those of all stand, or with `keep` back from there. */
KERNEL(cob_move_run) PLACE(a)
{
    LABEL *all = AT(LABEL, a.labels) + a.run, *one = AT(LABEL, a.before);
    WARPS(warp) {
        long long step = BLOCKS * BLOCK_WARPS * COB_WARP;
        for (long long i = (BLOCK * BLOCK_WARPS + warp) * COB_WARP; i < a.major; i += step)
            LANES(lane)
                if (i + lane < a.major && a.keep)
                    one[i + lane] = all[(i + lane) * a.lanes];
                else if (i + lane < a.major)
                    all[(i + lane) * a.lanes] = one[i + lane];
    }
}

/* Numbers that stand run after run, to where they stand number by number; or the other way round. */
KERNEL(cob_turn_numbers) PLACE(a)
{
    WARPS(warp) {
        long long count = a.major * a.minor, step = BLOCKS * BLOCK_WARPS * COB_WARP;
        for (long long i = (BLOCK * BLOCK_WARPS + warp) * COB_WARP; i < count; i += step)
            LANES(lane)
                if (i + lane < count)
                    AT(long long, a.table)[(i + lane) % a.minor * a.major + (i + lane) / a.minor] =
                        AT(const long long, a.A)[i + lane];
    }
}
