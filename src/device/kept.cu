/* Kernels for several runs at once, as those of runs.cu, by sums of lines that are known: of those that
 * were added up in pieces, or of all. If few lines of the other side moved since all were added up,
 * their entries are moved from one sum to another, and nothing else is.
 *
 * Sums are read from memory, and wait for it: a thread places several lines at once.
 *
 * SPDX-License-Identifier: MIT
 */
#if WITH_HARD

/* ---- placing --------------------------------------------------------------------------------- */

/* Lines whose sums are known. */
HERE long long kept_lines(const cob_lines_args *a)
{
    return a->summed ? a->major : a->slot_count;
}

HERE long long kept_line(const cob_lines_args *a, long long at)
{
    return a->summed ? at : AT(const int, a->slots)[at];
}

HERE line_seen see_kept(const cob_lines_args *a, long long line, int run)
{
    line_sums sums = {0, 0, kept_of_run(a, line, run), a->abreast, 0};
    return see_line(a, &sums, line, run);
}

/* A line of a thread that has been placed: if all are added to the table, it is; else it is listed if
 * it moved, for all threads of the warp to take away from one cluster and add to another. */
HERE void settle(const cob_lines_args *a, const group_of_runs *group, const line_seen *seen,
                 line_move move, int number, int place, cob_moves *moves)
{
    if (a->anew) {
        line_totals counts = totals_of_place(group, &group->counts, place);
        line_totals table = totals_of_place(group, &group->table, place);
        count_move(a, &counts, seen->effect, move);
        add_to_table(a, &seen->sums, &table, move.to, 1);
    } else if (move.to != move.from) {
        cob_moved *own = &moves->of[TAKE_ONE(&moves->count)];
        own->line = number;
        own->run = place - group->first;
        own->before = (unsigned short)move.from;
        own->now = (unsigned short)move.to;
    }
}

/* Places the lines of one thread: numbers `line_of_lane` and further ones, so many apart, from `first`
 * on. */
HERE void place_for_lane(const cob_lines_args *a, const group_of_runs *group, long long first,
                         int lane, cob_moves *moves)
{
    int place = place_of_lane(group, lane), run = run_at(a, place);
    int apart = lines_at_once(group), own = line_of_lane(group, lane), chosen[COB_PLACED];
    long long line[COB_PLACED], count = kept_lines(a) - first;
    line_rule rule = rule_of_place(group, place);
    line_seen seen[COB_PLACED];
    if (run < 0 || own >= count)
        return;
    for (int n = 0; n < COB_PLACED; n++) { /* the first one again where there are no more */
        line[n] = kept_line(a, first + (own + n * apart < count ? own + n * apart : own));
        seen[n] = see_kept(a, line[n], run);
    }
    if (!a->keep)
        choose_best(a, &rule, seen, COB_PLACED, chosen);
    for (int n = 0; n < COB_PLACED; n++)
        if (own + n * apart < count) {
            int known = known_cluster(a, line[n], seen[n].own);
            line_move move = {seen[n].own, known >= 0 ? known : chosen[n]};
            write_label(a, line[n], run, move);
            settle(a, group, &seen[n], move, own + n * apart, place, moves);
        }
}

/* Lines of a warp that moved, from number m of them on: threads take different clusters, and all sums
 * are read before the first is added. */
enum { MOVED_AT_ONCE = 4 };

HERE void add_moves(const cob_lines_args *a, const group_of_runs *group, long long first,
                    const cob_moves *moves, int m, int lane)
{
    int count = moves->count - m < MOVED_AT_ONCE ? moves->count - m : MOVED_AT_ONCE;
    const cob_moved *moved = moves->of + m;
    for (int l = lane; l < a->from; l += COB_WARP) {
        long long sum[MOVED_AT_ONCE] = {0};
        for (int i = 0; i < MOVED_AT_ONCE; i++)
            if (i < count) {
                int run = run_at(a, group->first + moved[i].run);
                const KEPT *kept = kept_of_run(a, kept_line(a, first + moved[i].line), run);
                sum[i] = (long long)kept[(long long)l * a->abreast];
            }
        for (int i = 0; i < MOVED_AT_ONCE; i++)
            if (sum[i] != 0) {
                line_totals table =
                    totals_of_place(group, &group->table, group->first + moved[i].run);
                add_total(&table, (long long)moved[i].now * table.row + l, sum[i]);
                add_total(&table, (long long)moved[i].before * table.row + l, -sum[i]);
            }
    }
    if (lane < count) {
        const cob_moved *own = moved + lane;
        line_totals counts = totals_of_place(group, &group->counts, group->first + own->run);
        line_move move = {own->before, own->now};
        count_move(a, &counts, AT(const double, a->effects)[kept_line(a, first + own->line)], move);
    }
}

/* The lines of a warp, as in place_some. */
HERE void place_kept(const cob_lines_args *a, group_of_runs group, cob_moves *moves, int *taken)
{
    int each = lines_at_once(&group) * COB_PLACED;
    for (;;) {
        long long first = (group.block + group.blocks * TAKE(taken, 1)) * each;
        if (first >= kept_lines(a))
            break;
        LANES(lane)
            if (lane == 0)
                moves->count = 0;
        LANES(lane)
            place_for_lane(a, &group, first, lane, moves);
        for (int m = 0; m < moves->count; m += MOVED_AT_ONCE)
            LANES(lane)
                add_moves(a, &group, first, moves, m, lane);
        WARP_WAITS
    }
}

/* Places lines whose sums are known, and adds them, or what their moves change, to the table. */
KERNEL_OF(COB_KEPT_WARPS, cob_place_kept) PLACE(a)
{
    NEAR
    int *taken = (int *)near_memory;
    char *memory = (char *)near_memory + COB_NEAR_START;
    group_of_runs near, group = begin_group(&a, &memory, taken, BLOCK, BLOCKS, &near);
    WARPS(warp) {
        cob_moves *moves = (cob_moves *)memory + warp;
        if (a.rule_near && a.counts_near && a.table_near)
            place_kept(&a, near, moves, taken);
        else
            place_kept(&a, group, moves, taken);
    }
    end_counts(&a, &group.counts, group.first, group.runs);
    end_table(&a, &group.table, group.first, group.runs);
}

/* ---- following ------------------------------------------------------------------------------- */

/* Four labels that stand together; bytes are read at once. */
HERE void read_labels(cob_address labels, long long four, int *out)
{
    enum { BYTES = sizeof(LABEL) == 1 };
    unsigned word = BYTES ? AT(const unsigned, labels)[four] : 0;
    for (int i = 0; i < COB_QUAD; i++)
        out[i] = BYTES ? (int)(word >> 8 * i & 255) : (int)AT(const LABEL, labels)[COB_QUAD * four + i];
}

/* Lists which of four runs a line moved in. */
HERE void find_moved(const cob_lines_args *a, long long four, cob_followed *found)
{
    long long line = four * COB_QUAD / a->abreast;
    int first = (int)(four * COB_QUAD - line * a->abreast), before[COB_QUAD], now[COB_QUAD];
    read_labels(a->before, four, before);
    read_labels(a->labels, four, now);
    for (int i = 0; i < COB_QUAD; i++)
        if (before[i] != now[i] && ((const int *)(found + 1))[first + i]) {
            cob_moved *own = &found->of[TAKE_ONE(&found->count)];
            own->line = (int)line;
            own->run = first + i;
            own->before = (unsigned short)before[i];
            own->now = (unsigned short)now[i];
        }
}

/* Moves entries of a line between sums of the other side: from `first` on, `step` apart. Reads come
 * before what is done with them. */
HERE void move_entries(const cob_lines_args *a, const cob_moved *moved, long long first,
                       long long last, int step)
{
    enum { AT_ONCE = 4 };
    for (long long e = first; e < last; e += AT_ONCE * step) {
        int index[AT_ONCE] = {0};
        SUM value[AT_ONCE] = {0};
        for (int i = 0; i < AT_ONCE; i++)
            if (e + i * step < last) {
                index[i] = AT(const int, a->indices)[e + i * step];
                value[i] = value_at(a->values, e + i * step);
            }
        for (int i = 0; i < AT_ONCE; i++)
            if (e + i * step < last) {
                int layer = a->layers > 1 ? (int)(index[i] / a->other_lines) : 0;
                KEPT *sums = kept_of_run(a, index[i] - layer * a->other_lines, moved->run) +
                             (long long)layer * a->to * a->abreast;
                ADD_KEPT(sums + (long long)moved->now * a->abreast, value[i]);
                ADD_KEPT(sums + (long long)moved->before * a->abreast, -value[i]);
            }
    }
}

/* Lines of a warp, from number m of those that were found on: some threads take one each, unless it
 * has too many entries. */
enum { FOLLOWERS = 8, MANY_ENTRIES = 256 };

HERE void follow_some(const cob_lines_args *a, cob_followed *found, int m, int lane)
{
    int number = m + lane / FOLLOWERS;
    if (number >= found->count)
        return;
    const cob_moved *moved = &found->of[number];
    long long begin = AT(const long long, a->offsets)[moved->line];
    long long end = AT(const long long, a->offsets)[moved->line + 1];
    if (end - begin <= MANY_ENTRIES)
        move_entries(a, moved, begin + lane % FOLLOWERS, end, FOLLOWERS);
    else if (lane % FOLLOWERS == 0)
        found->many[TAKE_ONE(&found->many_count)] = number;
}

/* Moves the entries of all lines that moved in the last pass over them, in runs that are followed. */
KERNEL(cob_follow_runs) PLACE(a)
{
    NEAR
    cob_followed *found = (cob_followed *)near_memory;
    long long fours = a.major * a.abreast / COB_QUAD, round = COB_FOLLOWED / COB_QUAD;
    long long first = fours * BLOCK / BLOCKS, last = fours * (BLOCK + 1) / BLOCKS;
    BLOCK_DEALS(i, a.abreast)
        ((int *)(found + 1))[i] = AT(const int, a.active)[i];
    for (; first < last; first += round) {
        BLOCK_DEALS(i, 1)
            found->count = found->taken = found->many_count = 0;
        BLOCK_WAITS
        BLOCK_DEALS(i, last - first < round ? last - first : round)
            find_moved(&a, first + i, found);
        BLOCK_WAITS
        WARPS(warp)
            for (;;) {
                int m = TAKE(&found->taken, COB_WARP / FOLLOWERS);
                if (m >= found->count)
                    break;
                LANES(lane)
                    follow_some(&a, found, m, lane);
            }
        WARPS(warp)
            for (int i = 0; i < found->many_count; i++) {
                const cob_moved *moved = &found->of[found->many[i]];
                const long long *offset = AT(const long long, a.offsets) + moved->line;
                LANES(lane)
                    move_entries(&a, moved, offset[0] + warp * COB_WARP + lane, offset[1],
                                 BLOCK_WARPS * COB_WARP);
            }
    }
}
#endif
