/* Kernels for several runs at once: every thread of a warp has a run of its own, and entries are read
 * once for all of them. Labels of all runs stand side by side, line after line, so that a warp reads
 * those of one line together. Each thread adds to sums of its own, in a bank of its own: nothing
 * meets. Runs that take part in a pass have places in it, one after the other: rules, sums and
 * totals are by place, so that those of runs that have ended cost nothing.
 *
 * A block has the places of one group, as many as a warp has threads.
 *
 * SPDX-License-Identifier: MIT
 */
#if WITH_HARD

/* The run that has a place; -1: nobody has. */
HERE int run_at(const cob_lines_args *a, int place)
{
    return AT(const int, a->active)[place];
}

/* Entries that are read ahead: all threads of a warp read the same four in one access. */
enum { FOURS_AT_ONCE = 2, READ_AHEAD = FOURS_AT_ONCE * COB_QUAD };
typedef struct some_entries {
    int index[READ_AHEAD];
    SUM value[READ_AHEAD];
} some_entries;

/* Fours from number `four` on, up to `end`. */
HERE void read_some(const cob_lines_args *a, long long four, long long end, some_entries *out)
{
    for (int i = 0; i < FOURS_AT_ONCE; i++)
        if (four + i < end) {
            QUAD read = AT(const QUAD, a->quad_indices)[four + i];
            read_values(a, four + i, out->value + COB_QUAD * i);
            out->index[COB_QUAD * i] = read.x;
            out->index[COB_QUAD * i + 1] = read.y;
            out->index[COB_QUAD * i + 2] = read.z;
            out->index[COB_QUAD * i + 3] = read.w;
        }
}

/* Adds entries `first` to `last` - 1 of a run. While it waits for labels, the next entries are on
 * their way. */
HERE void add_for_run(const cob_lines_args *a, long long first, long long last, int run, CELL *own)
{
    const LABEL *other = AT(const LABEL, a->other) + run;
    long long end = (last + COB_QUAD - 1) / COB_QUAD;
    some_entries now, next = {{0}, {0}};
    read_some(a, first / COB_QUAD, end, &next);
    for (long long four = first / COB_QUAD; four < end; four += FOURS_AT_ONCE) {
        LABEL label[READ_AHEAD];
        int from = (int)(first - four * COB_QUAD), count = (int)(last - four * COB_QUAD);
        now = next;
        for (int i = 0; i < READ_AHEAD; i++)
            label[i] = i >= from && i < count ? other[(long long)now.index[i] * a->abreast] : 0;
        read_some(a, four + FOURS_AT_ONCE, end, &next);
        for (int i = 0; i < READ_AHEAD; i++)
            if (i >= from && i < count)
                add_sum(own, (unsigned)label[i], now.value[i]);
    }
}

/* What a thread has of its group. */
HERE line_rule rule_of_lane(const line_rule *rule, int lane)
{
    line_rule own = {rule->A + lane, rule->b + lane, rule->e + lane, rule->stride};
    return own;
}

HERE line_totals totals_of_lane(const line_totals *totals, int lane)
{
    line_totals own = {totals->first + lane, totals->stride, totals->near, totals->row};
    return own;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Adds up pieces of lines. */
KERNEL(cob_sum_runs) PLACE(a)
{
    NEAR
    int groups = a.lanes / COB_WARP, first = (int)(BLOCK % groups) * COB_WARP;
    WARPS(warp) {
        CELL *cells = begin_sums(&a, (char *)near_memory + COB_NEAR_START, warp);
        long long step = BLOCKS / groups * BLOCK_WARPS;
        for (long long p = BLOCK / groups * BLOCK_WARPS + warp; p < a.piece_count; p += step) {
            cob_piece piece = AT(const cob_piece, a.pieces)[p];
            LANES(lane) {
                int run = run_at(&a, first + lane);
                if (run >= 0) {
                    KEPT *to = AT(KEPT, a.slot_sums) +
                               (long long)piece.slot * a.from * a.lanes + first + lane;
                    add_for_run(&a, piece.first, piece.first + piece.count, run, cells + lane);
                    for (int l = 0; l < a.from; l++)
                        if (cell_sum(cells + lane, (unsigned)l) != 0)
                            ADD_KEPT(to + (long long)l * a.lanes,
                                     cell_sum(cells + lane, (unsigned)l));
                    clear_sums(&a, cells + lane);
                }
            }
        }
    }
}

/* What the threads of a group place their lines by, and add to. */
typedef struct group_of_runs {
    line_rule rule;
    line_totals counts, table;
    int first;
} group_of_runs;

/* Places a line of one run, and adds it to the table. */
HERE void place_for_run(const cob_lines_args *a, const group_of_runs *group, const line_sums *sums,
                        long long line, int lane, int run)
{
    line_rule rule = rule_of_lane(&group->rule, lane);
    line_totals counts = totals_of_lane(&group->counts, lane);
    line_totals table = totals_of_lane(&group->table, lane);
    place_line(a, &rule, sums, &counts, line, run);
    add_to_table(a, sums, &table, line, run);
}

/* A line that is not cut is added up first. */
HERE void place_whole(const cob_lines_args *a, const group_of_runs *group, long long line,
                      CELL *cells)
{
    long long begin = AT(const long long, a->offsets)[line];
    long long end = AT(const long long, a->offsets)[line + 1];
    if (end - begin <= a->longest)
        LANES(lane) {
            int run = run_at(a, group->first + lane);
            if (run >= 0) {
                line_sums own = {1, cells + lane, 0, 0, 0};
                add_for_run(a, begin, end, run, own.near);
                place_for_run(a, group, &own, line, lane, run);
                clear_sums(a, own.near);
            }
        }
}

/* One that was cut has been. */
HERE void place_slot(const cob_lines_args *a, const group_of_runs *group, long long slot)
{
    LANES(lane) {
        int run = run_at(a, group->first + lane);
        if (run >= 0) {
            line_sums own = {0, 0,
                             AT(const KEPT, a->slot_sums) + slot * a->from * a->lanes +
                                 group->first + lane,
                             a->lanes,
                             0};
            place_for_run(a, group, &own, AT(const int, a->slots)[slot], lane, run);
        }
    }
}

/* The lines of a warp. The blocks of a group take one in turn, and so do the warps of a block, each
 * when it has done with another. */
HERE void place_some(const cob_lines_args *a, group_of_runs group, CELL *cells, int *taken,
                     long long own, long long step)
{
    for (;;) {
        long long next = own + step * TAKE(taken, 1);
        if (next >= a->slot_count + a->major)
            break;
        if (next < a->slot_count)
            place_slot(a, &group, next);
        else
            place_whole(a, &group, next - a->slot_count, cells);
    }
}

/* Places all lines, and adds them to the table. Where all that it looks at is near, it says so. */
KERNEL(cob_place_runs) PLACE(a)
{
    NEAR
    int groups = a.lanes / COB_WARP, first = (int)(BLOCK % groups) * COB_WARP;
    int *taken = (int *)near_memory;
    char *memory = (char *)near_memory + COB_NEAR_START, *at_rule = memory;
    group_of_runs group;
    BLOCK_DEALS(i, 1)
        *taken = 0;
    BLOCK_WAITS
    group.first = first;
    group.rule = bring_rule(&a, &memory, first, COB_WARP);
    char *at_counts = memory;
    group.counts = begin_counts(&a, &memory, first, COB_WARP);
    char *at_table = memory;
    group.table = begin_table(&a, &memory, first, COB_WARP);
    WARPS(warp) {
        CELL *cells = begin_sums(&a, memory, warp);
        long long own = BLOCK / groups, step = BLOCKS / groups;
        line_totals counts = {(long long *)at_counts, COB_WARP, 1, 0};
        line_totals table = {(long long *)at_table, COB_WARP, 1, a.from};
        group_of_runs near = {near_rule(&a, at_rule, COB_WARP), counts, table, first};
        if (a.rule_near && a.counts_near && a.table_near)
            place_some(&a, near, cells, taken, own, step);
        else
            place_some(&a, group, cells, taken, own, step);
    }
    end_counts(&a, &group.counts, first, COB_WARP);
    end_table(&a, &group.table, first, COB_WARP);
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
                    one[i + lane] = all[(i + lane) * a.abreast];
                else if (i + lane < a.major)
                    all[(i + lane) * a.abreast] = one[i + lane];
    }
}

/* What base/random.c draws for an item. */
HERE unsigned drawn_below(const unsigned *draw, unsigned restart, unsigned long long item,
                          unsigned bound)
{
    unsigned word[2];
    random_words(draw, restart, draw[3], item, word);
    return (unsigned)(((unsigned long long)word[0] * bound +
                       ((unsigned long long)word[1] * bound >> 32)) >>
                      32);
}

/* Random labels of all runs, but where they are known. */
KERNEL(cob_draw_runs) PLACE(a)
{
    LABEL *labels = AT(LABEL, a.labels);
    long long step = BLOCKS * BLOCK_WARPS * COB_WARP, count = a.major * a.abreast;
    WARPS(warp)
        for (long long i = (BLOCK * BLOCK_WARPS + warp) * COB_WARP; i < count; i += step)
            LANES(lane)
                if (i + lane < count) {
                    long long line = (i + lane) / a.abreast, run = (i + lane) % a.abreast;
                    int known = a.fixed ? AT(const int, a.fixed)[line] : -1;
                    int label = known >= 0 ? known
                                           : (int)drawn_below(a.draw, a.draw[2] + (unsigned)run,
                                                              (unsigned long long)line,
                                                              (unsigned)a.to);
                    for (int c = 0; c < a.layers; c++)
                        labels[(c * a.major + line) * a.abreast + run] = (LABEL)(c * a.to + label);
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
#endif
