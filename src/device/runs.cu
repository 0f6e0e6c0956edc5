/* Kernels for several runs at once: every thread of a warp has a run of its own, and entries are read
 * once for all of them. Labels of all runs stand side by side, line after line, so that a warp reads
 * those of one line together. Each thread adds to sums of its own, in a bank of its own: nothing
 * meets. Runs that take part in a pass have places in it, one after the other: rules, sums and
 * totals are by place, so that those of runs that have ended cost nothing.
 *
 * A block has the places of one group, as many as a warp has threads. Where only some runs are left,
 * and there are fewer places than that, a warp takes several lines at once.
 *
 * The sums of all lines are kept: see kept.cu.
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

/* Up to `count` fours from number `four` on. */
HERE void read_some(const cob_lines_args *a, long long four, int count, some_entries *out)
{
    for (int i = 0; i < FOURS_AT_ONCE; i++)
        if (i < count) {
            QUAD read = AT(const QUAD, a->quad_indices)[four + i];
            read_values(a, four + i, out->value + COB_QUAD * i);
            out->index[COB_QUAD * i] = read.x;
            out->index[COB_QUAD * i + 1] = read.y;
            out->index[COB_QUAD * i + 2] = read.z;
            out->index[COB_QUAD * i + 3] = read.w;
        }
}

/* The labels of numbers `from` to `end` - 1 of some entries, and their sums. */
HERE void look_up_some(const cob_lines_args *a, const some_entries *some, const LABEL *other,
                       int from, int end, LABEL *label)
{
    for (int i = 0; i < READ_AHEAD; i++)
        label[i] = i >= from && i < end
                       ? other[(unsigned long long)(unsigned)some->index[i] * (unsigned)a->abreast]
                       : 0;
}

HERE void add_some(const some_entries *some, const LABEL *label, int from, int end, CELL *own)
{
    for (int i = 0; i < READ_AHEAD; i++)
        if (i >= from && i < end)
            add_sum(own, (unsigned)label[i], some->value[i]);
}

/* Adds entries `first` to `last` - 1 of a run. While it waits for labels, the next entries are on
 * their way. Where all that was read belongs to the line, as nearly everywhere, nothing is compared. */
HERE void add_for_run(const cob_lines_args *a, long long first, long long last, int run, CELL *own)
{
    const LABEL *other = AT(const LABEL, a->other) + run;
    long long begin = first / COB_QUAD;
    int from = (int)(first % COB_QUAD), end = (int)(last - begin * COB_QUAD);
    int fours = (end + COB_QUAD - 1) / COB_QUAD;
    some_entries now, next = {{0}, {0}};
    read_some(a, begin, fours, &next);
    for (int four = 0; four < fours; four += FOURS_AT_ONCE) {
        LABEL label[READ_AHEAD];
        int whole = from <= 0 && end >= READ_AHEAD;
        now = next;
        if (whole)
            look_up_some(a, &now, other, 0, READ_AHEAD, label);
        else
            look_up_some(a, &now, other, from, end, label);
        read_some(a, begin + four + FOURS_AT_ONCE, fours - four - FOURS_AT_ONCE, &next);
        if (whole)
            add_some(&now, label, 0, READ_AHEAD, own);
        else
            add_some(&now, label, from, end, own);
        from -= READ_AHEAD;
        end -= READ_AHEAD;
    }
}

/* The runs of a block, and what their threads place lines by and add to. */
typedef struct group_of_runs {
    line_rule rule;
    line_totals counts, table;
    int first, runs;
    long long block, blocks; /* of those that have these runs */
} group_of_runs;

HERE group_of_runs group_of_block(const cob_lines_args *a, long long block, long long blocks)
{
    group_of_runs group;
    group.runs = cob_block_runs(a->lanes);
    int groups = a->lanes / group.runs;
    group.first = (int)(block % groups) * group.runs;
    group.block = block / groups;
    group.blocks = blocks / groups;
    return group;
}

/* Which of its lines a thread of a warp takes, and for which place. */
HERE int lines_at_once(const group_of_runs *group)
{
    return COB_WARP / group->runs;
}

/* What a warp takes of all lines, or pieces: from the first on, so many further each time. */
HERE long long first_of_warp(const group_of_runs *group, int warp, int warps)
{
    return (group->block * warps + warp) * lines_at_once(group);
}

HERE long long step_of_warps(const group_of_runs *group, int warps)
{
    return group->blocks * warps * lines_at_once(group);
}

HERE int line_of_lane(const group_of_runs *group, int lane)
{
    return lane / group->runs;
}

HERE int place_of_lane(const group_of_runs *group, int lane)
{
    return group->first + lane % group->runs;
}

/* What the threads of a block need before they take lines. `near`: the same, where all that it looks
 * at is near. */
HERE group_of_runs begin_group(const cob_lines_args *a, char **memory, int *taken, long long block,
                               long long blocks, group_of_runs *near)
{
    group_of_runs group = group_of_block(a, block, blocks);
    char *at_rule = *memory;
    BLOCK_DEALS(i, 1)
        *taken = 0;
    BLOCK_WAITS
    group.rule = bring_rule(a, memory, group.first, group.runs);
    char *at_counts = *memory;
    group.counts = begin_counts(a, memory, group.first, group.runs);
    char *at_table = *memory;
    group.table = begin_table(a, memory, group.first, group.runs);
    *near = group;
    near->rule = near_rule(a, at_rule, group.runs);
    near->counts = near_totals(at_counts, group.runs, 0);
    near->table = near_totals(at_table, group.runs, cob_table_row(a->from, group.runs));
    return group;
}

/* What a thread has of its group. */
HERE line_rule rule_of_place(const group_of_runs *group, int place)
{
    const line_rule *rule = &group->rule;
    long long at = (place - group->first) * rule->apart;
    line_rule own = {rule->A + at, rule->b + at, rule->e + at, rule->stride, 0};
    return own;
}

HERE line_totals totals_of_place(const group_of_runs *group, const line_totals *totals, int place)
{
    line_totals own = *totals;
    own.first += (place - group->first) * totals->apart;
    return own;
}

/* The sums of a line that are kept for a run, `abreast` apart. */
HERE KEPT *kept_of_run(const cob_lines_args *a, long long line, int run)
{
    return AT(KEPT, a->slot_sums) + line * a->from * a->abreast + run;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Sums of lines that are cut, of those who have places: all 0. */
KERNEL(cob_clear_runs) PLACE(a)
{
    group_of_runs group = group_of_block(&a, BLOCK, BLOCKS);
    long long step = step_of_warps(&group, BLOCK_WARPS);
    WARPS(warp)
        for (long long s = first_of_warp(&group, warp, BLOCK_WARPS); s < a.slot_count; s += step)
            LANES(lane) {
                long long own = s + line_of_lane(&group, lane);
                int run = run_at(&a, place_of_lane(&group, lane));
                for (int l = 0; l < a.from && run >= 0 && own < a.slot_count; l++)
                    kept_of_run(&a, AT(const int, a.slots)[own], run)[(long long)l * a.abreast] = 0;
            }
}

/* Adds up pieces of lines. */
KERNEL(cob_sum_runs) PLACE(a)
{
    NEAR
    group_of_runs group = group_of_block(&a, BLOCK, BLOCKS);
    long long step = step_of_warps(&group, BLOCK_WARPS);
    WARPS(warp) {
        CELL *cells = begin_sums(&a, (char *)near_memory + COB_NEAR_START, warp);
        for (long long p = first_of_warp(&group, warp, BLOCK_WARPS); p < a.piece_count; p += step)
            LANES(lane) {
                long long own = p + line_of_lane(&group, lane);
                int run = run_at(&a, place_of_lane(&group, lane));
                if (run >= 0 && own < a.piece_count) {
                    cob_piece piece = AT(const cob_piece, a.pieces)[own];
                    KEPT *to = kept_of_run(&a, AT(const int, a.slots)[piece.slot], run);
                    add_for_run(&a, piece.first, piece.first + piece.count, run, cells + lane);
                    for (int l = 0; l < a.from; l++)
                        if (cell_sum(cells + lane, (unsigned)l) != 0)
                            ADD_KEPT(to + (long long)l * a.abreast,
                                     cell_sum(cells + lane, (unsigned)l));
                    clear_sums(&a, cells + lane);
                }
            }
    }
}

/* Places a line of one run, and adds it to the table, or what its move changes. */
HERE void place_for_run(const cob_lines_args *a, const group_of_runs *group, const line_sums *sums,
                        long long line, int place, int run)
{
    line_rule rule = rule_of_place(group, place);
    line_totals counts = totals_of_place(group, &group->counts, place);
    line_totals table = totals_of_place(group, &group->table, place);
    line_move move = place_line(a, &rule, sums, &counts, line, run);
    if (!a->changes || move.to != move.from)
        add_to_table(a, sums, &table, move.to, 1);
    if (a->changes && move.to != move.from)
        add_to_table(a, sums, &table, move.from, -1);
}

/* Lines from `first` on. One that is not cut is added up first. */
HERE void place_whole(const cob_lines_args *a, const group_of_runs *group, long long first,
                      CELL *cells)
{
    LANES(lane) {
        long long line = first + line_of_lane(group, lane);
        int place = place_of_lane(group, lane), run = run_at(a, place);
        if (run >= 0 && line < a->major) {
            long long begin = AT(const long long, a->offsets)[line];
            long long end = AT(const long long, a->offsets)[line + 1];
            line_sums own = {1, cells + lane, 0, 0, 0};
            if (end - begin <= a->longest) {
                KEPT *kept = kept_of_run(a, line, run);
                add_for_run(a, begin, end, run, own.near);
                for (int l = 0; l < a->from; l++)
                    kept[(long long)l * a->abreast] = (KEPT)cell_sum(own.near, (unsigned)l);
                place_for_run(a, group, &own, line, place, run);
                clear_sums(a, own.near);
            }
        }
    }
}

/* The lines of a warp. The blocks of a group take some in turn, and so do the warps of a block, each
 * when it has done with others. */
HERE void place_some(const cob_lines_args *a, group_of_runs group, CELL *cells, int *taken)
{
    int at_once = lines_at_once(&group);
    for (;;) {
        long long next = (group.block + group.blocks * TAKE(taken, 1)) * at_once;
        if (next >= a->major)
            break;
        place_whole(a, &group, next, cells);
    }
}

/* Adds up all lines that are not cut, places them, and adds them to the table. Where all that it
 * looks at is near, it says so. */
KERNEL(cob_place_runs) PLACE(a)
{
    NEAR
    int *taken = (int *)near_memory;
    char *memory = (char *)near_memory + COB_NEAR_START;
    group_of_runs near, group = begin_group(&a, &memory, taken, BLOCK, BLOCKS, &near);
    WARPS(warp) {
        CELL *cells = begin_sums(&a, memory, warp);
        if (a.rule_near && a.counts_near && a.table_near)
            place_some(&a, near, cells, taken);
        else
            place_some(&a, group, cells, taken);
    }
    end_counts(&a, &group.counts, group.first, group.runs);
    end_table(&a, &group.table, group.first, group.runs);
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
#endif
