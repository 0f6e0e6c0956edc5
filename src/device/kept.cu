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

/* A line of a thread that moved: it is listed, for all threads of the warp to take away from one
 * cluster and add to another. */
HERE void list_move(cob_moves *moves, int number, int run, line_move move)
{
    cob_moved *own = &moves->of[TAKE_ONE(&moves->count)];
    own->line = number;
    own->run = run;
    own->before = (unsigned short)move.from;
    own->now = (unsigned short)move.to;
}

/* A line of a thread that has its label, where all lines are added to the table. */
HERE void add_placed(const cob_lines_args *a, const group_of_runs *group, long long line, int place,
                     int run)
{
    line_totals counts = totals_of_place(group, &group->counts, place);
    line_totals table = totals_of_place(group, &group->table, place);
    line_seen seen = see_kept(a, line, run);
    line_move move = {seen.own, seen.own};
    if (!a->keep)
        move.from = (int)AT(const LABEL, a->before)[line * a->abreast + run];
    count_move(a, &counts, seen.effect, move);
    add_to_table(a, &seen.sums, &table, move.to, 1);
}

/* Places the lines of one thread: numbers `line_of_lane` and further ones, so many apart, from `first`
 * on. `lines` is known to compilers, which keep what belongs to each in registers. */
HERE void place_for_lane(const cob_lines_args *a, const group_of_runs *group, long long first,
                         int lane, int lines, cob_moves *moves)
{
    int place = place_of_lane(group, lane), run = run_at(a, place);
    int apart = lines_at_once(group), own = line_of_lane(group, lane), chosen[COB_PLACED];
    long long line[COB_PLACED], count = kept_lines(a) - first;
    line_rule rule = rule_of_place(group, place);
    line_seen seen[COB_PLACED];
    if (run < 0 || own >= count)
        return;
    UNROLLED
    for (int n = 0; n < lines; n++) { /* the first one again where there are no more */
        line[n] = kept_line(a, first + (own + n * apart < count ? own + n * apart : own));
        seen[n] = see_kept(a, line[n], run);
    }
    if (!a->keep)
        choose_best(a, &rule, seen, lines, lines == 1 ? SCORED_ALONE : SCORED_AT_ONCE, chosen);
    UNROLLED
    for (int n = 0; n < lines; n++)
        if (own + n * apart < count && !a->keep) {
            int known = known_cluster(a, line[n], seen[n].own);
            line_move move = {seen[n].own, known >= 0 ? known : chosen[n]};
            write_label(a, line[n], run, move);
            if (!a->anew && move.to != move.from)
                list_move(moves, own + n * apart, place - group->first, move);
        }
    for (int n = own; a->anew && n < own + lines * apart && n < count; n += apart)
        add_placed(a, group, kept_line(a, first + n), place, run);
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
HERE void place_kept(const cob_lines_args *a, group_of_runs group, int lines, cob_moves *moves,
                     int *taken)
{
    int each = lines_at_once(&group) * lines;
    for (;;) {
        long long first = (group.block + group.blocks * TAKE(taken, 1)) * each;
        if (first >= kept_lines(a))
            break;
        LANES(lane)
            if (lane == 0)
                moves->count = 0;
        LANES(lane)
            place_for_lane(a, &group, first, lane, lines, moves);
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
        if (!a.rule_near || !a.counts_near || !a.table_near)
            place_kept(&a, group, COB_PLACED, moves, taken);
        else if (a.placed == 1)
            place_kept(&a, near, 1, moves, taken);
        else
            place_kept(&a, near, COB_PLACED, moves, taken);
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

/* Long lines are followed piece by piece: pieces have the first numbers. */
typedef struct part_of_line {
    long long line, first;
    int count;
} part_of_line;

HERE part_of_line part_at(const cob_lines_args *a, long long at)
{
    part_of_line part;
    if (at < a->piece_count) {
        cob_piece piece = AT(const cob_piece, a->pieces)[at];
        part.line = AT(const int, a->slots)[piece.slot];
        part.first = piece.first;
        part.count = piece.count;
    } else {
        part.line = at - a->piece_count;
        part.first = AT(const long long, a->offsets)[part.line];
        long long count = AT(const long long, a->offsets)[part.line + 1] - part.first;
        part.count = count <= a->longest ? (int)count : 0;
    }
    return part;
}

/* Lists which of four runs the line of a part moved in. */
HERE void find_moved(const cob_lines_args *a, long long four, cob_followed *found)
{
    int fours = a->abreast / COB_QUAD, before[COB_QUAD], now[COB_QUAD];
    part_of_line part = part_at(a, four / fours);
    read_labels(a->before, part.line * fours + four % fours, before);
    read_labels(a->labels, part.line * fours + four % fours, now);
    for (int i = 0; i < COB_QUAD; i++) {
        int run = (int)(four % fours) * COB_QUAD + i;
        if (before[i] != now[i] && part.count > 0 && AT(const int, a->active)[run]) {
            cob_moved_part *own = &found->of[TAKE_ONE(&found->count)];
            own->first = part.first;
            own->count = part.count;
            own->run = run;
            own->before = (unsigned short)before[i];
            own->now = (unsigned short)now[i];
        }
    }
}

/* Some threads move the entries of a part between sums of the other side: this one those from number
 * `first` on, `step` apart. Reads come before what is done with them. */
HERE void move_entries(const cob_lines_args *a, const cob_moved_part *part, int first, int step)
{
    enum { AT_ONCE = 4 };
    for (int e = first; e < part->count; e += AT_ONCE * step) {
        int index[AT_ONCE] = {0};
        SUM value[AT_ONCE] = {0};
        for (int i = 0; i < AT_ONCE; i++)
            if (e + i * step < part->count) {
                index[i] = AT(const int, a->indices)[part->first + e + i * step];
                value[i] = value_at(a->values, part->first + e + i * step);
            }
        for (int i = 0; i < AT_ONCE; i++)
            if (e + i * step < part->count) {
                int layer = a->layers > 1 ? (int)(index[i] / a->other_lines) : 0;
                KEPT *sums = kept_of_run(a, index[i] - layer * a->other_lines, part->run) +
                             (long long)layer * a->to * a->abreast;
                ADD_KEPT(sums + (long long)part->now * a->abreast, value[i]);
                ADD_KEPT(sums + (long long)part->before * a->abreast, -value[i]);
            }
    }
}

/* Moves the entries of all lines that moved in the last pass over them, in runs that are followed.
 * Small blocks, which do not wait for each other, take parts that are no longer than a piece. */
KERNEL_OF(COB_FOLLOW_WARPS, cob_follow_runs) PLACE(a)
{
    enum { FOLLOWERS = 8, ROUND = COB_FOLLOWED / COB_QUAD };
    NEAR
    cob_followed *found = (cob_followed *)near_memory;
    long long fours = (a.piece_count + a.major) * (a.abreast / COB_QUAD);
    for (long long first = BLOCK * ROUND; first < fours; first += BLOCKS * ROUND) {
        BLOCK_DEALS(i, 1)
            found->count = found->taken = 0;
        BLOCK_WAITS
        BLOCK_DEALS(i, fours - first < ROUND ? fours - first : ROUND)
            find_moved(&a, first + i, found);
        BLOCK_WAITS
        WARPS(warp)
            for (;;) {
                int m = TAKE(&found->taken, COB_WARP / FOLLOWERS);
                if (m >= found->count)
                    break;
                LANES(lane)
                    if (m + lane / FOLLOWERS < found->count)
                        move_entries(&a, &found->of[m + lane / FOLLOWERS], lane % FOLLOWERS,
                                     FOLLOWERS);
            }
    }
}
#endif
