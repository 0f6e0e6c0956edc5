/* The kernels of a device: the sums of lines over the clusters of the other side, the clusters that
 * are best for these, and the statistics of the clusters. They do what matrix/lines.c does.
 *
 * A thread takes a line, and the threads of a warp take lines of about the same length, whose
 * entries stand interleaved. Each thread adds to sums of its own, in a bank of shared memory of its
 * own, and scores by these alone: no thread waits for another. Lines that are very long, or whose
 * other side has too many lines for the memory of a block, are summed in pieces by one kernel and
 * placed by another.
 *
 * Blocks are added up from the sums of one side only, which are kept: see passes.c.
 *
 * The code keeps to what C and CUDA have in common, and to the words of words.cu.
 *
 * SPDX-License-Identifier: MIT
 */

/* ---- labels and statistics ------------------------------------------------------------------- */

/* Numbers that all lines add to, `stride` apart, and those of the next run `apart`: blocks; or sizes
 * and masses of clusters, and how many lines moved. */
typedef struct line_totals {
    long long *first, stride, apart;
    int near;
    int row; /* cells of a row, if it is a table */
} line_totals;

HERE void add_total(const line_totals *totals, long long at, long long number)
{
    if (totals->near)
        add_near(totals->first + at * totals->stride, number);
    else
        ADD_LONG(totals->first + at * totals->stride, number);
}

HERE void count_line(const cob_lines_args *a, const line_totals *counts, double effect, int k,
                     int sign)
{
    add_total(counts, k, sign);
    if (a->has_masses)
        add_total(counts, a->to + k, sign * NEAREST(effect * a->mass_scale));
}

typedef struct line_move {
    int from, to;
} line_move;

HERE void count_move(const cob_lines_args *a, const line_totals *counts, double effect,
                     line_move move)
{
    if (a->counted && (a->anew || move.to != move.from))
        count_line(a, counts, effect, move.to, 1);
    if (a->counted && !a->anew && move.to != move.from)
        count_line(a, counts, effect, move.from, -1);
    if (move.to != move.from)
        add_total(counts, 2 * a->to, 1);
}

HERE line_seen see_line(const cob_lines_args *a, const line_sums *sums, long long line, int run)
{
    line_seen seen;
    seen.sums = *sums;
    seen.effect = AT(const double, a->effects)[line];
    seen.own = (int)AT(const LABEL, a->labels)[line * a->abreast + run];
    return seen;
}

HERE void write_label(const cob_lines_args *a, long long line, int run, line_move move)
{
    LABEL *labels = AT(LABEL, a->labels);
    if (a->keep)
        return;
    AT(LABEL, a->before)[line * a->abreast + run] = (LABEL)move.from;
    for (int c = 0; c < a->layers && move.to != move.from; c++)
        labels[(c * a->major + line) * a->abreast + run] = (LABEL)(c * a->to + move.to);
}

/* Chooses the cluster of a line of a run, whose entries were added up. */
HERE line_move place_line(const cob_lines_args *a, const line_rule *rule, const line_sums *sums,
                     const line_totals *counts, long long line, int run)
{
    line_seen seen = see_line(a, sums, line, run);
    line_move move = {seen.own, choose(a, rule, &seen, line)};
    write_label(a, line, run, move);
    count_move(a, counts, seen.effect, move);
    return move;
}

/* Adds the sums of a line of cluster k to the table, or takes them away. */
HERE void add_to_table(const cob_lines_args *a, const line_sums *sums, const line_totals *table,
                       int k, int sign)
{
    enum { AT_ONCE = 8 };
    for (int first = 0; first < a->from; first += AT_ONCE) {
        long long sum[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++)
            sum[i] = first + i < a->from ? sum_of(sums, first + i) : 0;
        for (int i = 0; i < AT_ONCE; i++)
            if (sum[i] != 0)
                add_total(table, (long long)k * table->row + first + i, sign * sum[i]);
    }
}

/* ---- the memory of a block ------------------------------------------------------------------- */

/* Labels of the other side, from `base` on: brought near, or where they are. */
HERE const LABEL *bring_labels(const cob_lines_args *a, char **memory, long long base,
                               long long count, long long room)
{
    const LABEL *other = AT(const LABEL, a->other) + base;
    LABEL *labels = (LABEL *)*memory;
    if (!a->labels_near)
        return other;
    BLOCK_DEALS(i, count)
        labels[i] = other[i];
    BLOCK_WAITS
    *memory += cob_near_labels(room, (int)sizeof(LABEL));
    return labels;
}

/* The parts of a rule stand behind each other. */
HERE line_rule rule_at(const cob_lines_args *a, const double *A, long long stride, long long apart)
{
    line_rule rule;
    rule.A = A;
    rule.b = A + (cob_rule_numbers(a->to, a->from, a->diagonal) - 2 * cob_fours(a->to)) * stride;
    rule.e = rule.b + cob_fours(a->to) * stride;
    rule.stride = stride;
    rule.apart = apart;
    return rule;
}

HERE line_rule near_rule(const cob_lines_args *a, const char *memory, int runs)
{
    const double *A = (const double *)memory;
    return rule_at(a, A, cob_near_step(runs), 1);
}

/* The rules of `runs` runs from `first` on, brought near or where they are. */
HERE line_rule bring_rule(const cob_lines_args *a, char **memory, int first, int runs)
{
    const char *begin = *memory;
    long long numbers = cob_rule_numbers(a->to, a->from, a->diagonal);
    const double *A = AT(const double, a->A) + first * numbers;
    double *near = (double *)*memory;
    if (!a->rule_near)
        return rule_at(a, A, 1, numbers);
    if (runs == 1)
        BLOCK_DEALS(i, numbers)
            near[i] = A[i];
    else
        WARPS_DEAL(run, runs, i, numbers)
            near[i * cob_near_step(runs) + run] = A[run * numbers + i];
    BLOCK_WAITS
    *memory += cob_near_rule(a->to, a->from, a->diagonal, runs);
    return near_rule(a, begin, runs);
}

/* Totals in a block's memory. */
HERE line_totals near_totals(char *memory, int runs, int row)
{
    line_totals totals = {(long long *)memory, cob_near_step(runs), 1, 1, row};
    return totals;
}

/* Totals of `runs` runs from `first` on: 0 in the block's memory, or where they are. */
HERE line_totals begin_totals(const cob_lines_args *a, char **memory, cob_address far, int near,
                              long long numbers, int first, int runs, int row)
{
    line_totals far_totals = {AT(long long, far) + first * a->totals, 1, a->totals, 0, a->from};
    line_totals totals = near_totals(*memory, runs, row);
    if (!near)
        return far_totals;
    BLOCK_DEALS(i, numbers * totals.stride)
        totals.first[i] = 0;
    BLOCK_WAITS
    *memory += numbers * totals.stride * (long long)sizeof *totals.first;
    return totals;
}

/* Adds one number of a run of a block to that of all, where rows of a table have `row` cells. Nothing
 * is in cells that only fill a row. */
HERE void end_total(const cob_lines_args *a, const line_totals *totals, long long *far, int run,
                    unsigned at, int row)
{
    long long number = totals->first[at * totals->stride + run];
    if (number == 0)
        return;
    if (row != totals->row)
        at = at / (unsigned)totals->row * (unsigned)row + at % (unsigned)totals->row;
    ADD_LONG(far + run * a->totals + at, number);
}

HERE void end_totals(const cob_lines_args *a, const line_totals *totals, cob_address far,
                     long long numbers, int first, int runs, int row)
{
    long long *all = AT(long long, far) + first * a->totals;
    if (!totals->near)
        return;
    if (runs == 1)
        BLOCK_DEALS(i, numbers)
            end_total(a, totals, all, 0, (unsigned)i, row);
    else
        WARPS_DEAL(run, runs, i, numbers)
            end_total(a, totals, all, run, (unsigned)i, row);
}

HERE line_totals begin_counts(const cob_lines_args *a, char **memory, int first, int runs)
{
    return begin_totals(a, memory, a->counts, a->counts_near, cob_count_numbers(a->to), first, runs,
                        a->from);
}

HERE void end_counts(const cob_lines_args *a, const line_totals *counts, int first, int runs)
{
    end_totals(a, counts, a->counts, cob_count_numbers(a->to), first, runs, counts->row);
}

HERE line_totals begin_table(const cob_lines_args *a, char **memory, int first, int runs)
{
    int row = cob_table_row(a->from, runs);
    return begin_totals(a, memory, a->table, a->table_near, (long long)a->to * row, first, runs,
                        row);
}

HERE void end_table(const cob_lines_args *a, const line_totals *table, int first, int runs)
{
    end_totals(a, table, a->table, (long long)a->to * table->row, first, runs, a->from);
}

/* The sums of a warp: all 0 at first, and after each line. They are a multiple of four, unless they
 * share 32 bits. */
enum { CLEARED_AT_ONCE = PACKED > 1 ? 1 : 4 };

HERE void clear_sums(const cob_lines_args *a, CELL *cells)
{
    int count = cob_sum_cells(a->from, PACKED);
    for (int first = 0; first < count; first += CLEARED_AT_ONCE)
        for (int i = 0; i < CLEARED_AT_ONCE; i++)
            cells[(first + i) * COB_WARP] = 0;
}

HERE CELL *begin_sums(const cob_lines_args *a, char *memory, int warp)
{
    CELL *cells = (CELL *)(memory + warp * cob_near_sums(a->from, PACKED, (int)sizeof(CELL)));
    LANES(lane)
        clear_sums(a, cells + lane);
    return cells;
}

/* ---- kernels --------------------------------------------------------------------------------- */

#if WITH_HARD || WITH_DRAWS
/* The slices of a warp: from `first` on, `step` apart. */
HERE void place_slices(const cob_lines_args *a, const LABEL *labels, line_rule rule,
                       line_totals counts, CELL *cells, long long first, long long step)
{
    for (long long s = first; s < a->last_slice; s += step) {
        cob_slice slice = AT(const cob_slice, a->slices)[s];
        LANES(lane) {
            long long line = AT(const int, a->slots)[s * COB_WARP + lane];
            line_sums own = {1, cells + lane, 0, 0, 0};
            if (line >= 0) {
                if (!a->keep)
                    add_entries(a, labels, slice, lane, own.near);
                place_line(a, &rule, &own, &counts, line, 0);
                clear_sums(a, own.near);
            }
        }
    }
}

/* Sums and places lines that are not cut. Where all that it looks at is near, it says so: compilers
 * then need not look where it is at every access. */
KERNEL(cob_place_lines) PLACE(a)
{
    NEAR
    char *memory = (char *)near_memory + COB_NEAR_START, *at_labels = memory;
    const LABEL *labels = bring_labels(&a, &memory, 0, a.minor, a.minor);
    const char *at_rule = memory;
    line_rule rule = bring_rule(&a, &memory, 0, 1);
    char *at_counts = memory;
    line_totals counts = begin_counts(&a, &memory, 0, 1);
    WARPS(warp) {
        CELL *cells = begin_sums(&a, memory, warp);
        long long first = a.first_slice + BLOCK * BLOCK_WARPS + warp, step = BLOCKS * BLOCK_WARPS;
        line_totals near_counts = near_totals(at_counts, 1, 0);
        if (WITH_HARD && a.labels_near && a.rule_near && a.counts_near)
            place_slices(&a, (const LABEL *)at_labels, near_rule(&a, at_rule, 1), near_counts,
                         cells, first, step);
        else
            place_slices(&a, labels, rule, counts, cells, first, step);
    }
    end_counts(&a, &counts, 0, 1);
}
#endif

#if WITH_HARD
/* The slices of a job, as long as there are some. They differ in length, so a warp takes the next
 * one when it has done with another. */
HERE void sum_slices(const cob_lines_args *a, const LABEL *labels, CELL *cells, const cob_job *job,
                     int *taken)
{
    for (;;) {
        long long s = job->first + TAKE(taken, 1);
        if (s >= job->last)
            break;
        cob_slice slice = AT(const cob_slice, a->slices)[s];
        LANES(lane) {
            int slot = AT(const cob_piece, a->pieces)[s * COB_WARP + lane].slot;
            add_entries(a, labels, slice, lane, cells + lane);
            for (int l = 0; l < a->from; l++)
                if (cell_sum(cells + lane, (unsigned)l) != 0)
                    ADD_KEPT(AT(KEPT, a->slot_sums) + l * a->slot_count + slot,
                             cell_sum(cells + lane, (unsigned)l));
            clear_sums(a, cells + lane);
        }
    }
}

/* Adds up the pieces of lines. */
KERNEL(cob_sum_pieces) PLACE(a)
{
    NEAR
    int *taken = (int *)near_memory;
    for (long long j = BLOCK; j < a.job_count; j += BLOCKS) {
        char *memory = (char *)near_memory + COB_NEAR_START, *at_labels = memory;
        cob_job job = AT(const cob_job, a.jobs)[j];
        BLOCK_DEALS(i, 1)
            *taken = 0;
        BLOCK_WAITS
        const LABEL *labels = bring_labels(&a, &memory, job.base, job.span, COB_CHUNK);
        WARPS(warp) {
            CELL *cells = begin_sums(&a, memory, warp);
            if (a.labels_near)
                sum_slices(&a, (const LABEL *)at_labels, cells, &job, taken);
            else
                sum_slices(&a, labels, cells, &job, taken);
        }
    }
}
#endif

#if WITH_HARD || WITH_DRAWS
/* Places the lines that were summed in pieces, and adds them to the table, if there is one. */
KERNEL(cob_place_slots) PLACE(a)
{
    NEAR
    char *memory = (char *)near_memory + COB_NEAR_START;
    line_rule rule = bring_rule(&a, &memory, 0, 1);
    line_totals counts = begin_counts(&a, &memory, 0, 1);
    line_totals table = begin_table(&a, &memory, 0, 1);
    WARPS(warp) {
        long long step = BLOCKS * BLOCK_WARPS * COB_WARP;
        for (long long s = (BLOCK * BLOCK_WARPS + warp) * COB_WARP; s < a.slot_count; s += step)
            LANES(lane)
                if (s + lane < a.slot_count) {
                    long long line = AT(const int, a.slots)[s + lane];
                    line_sums own = {0, 0, AT(const KEPT, a.slot_sums) + s + lane, a.slot_count, 0};
                    line_move move = place_line(&a, &rule, &own, &counts, line, 0);
                    if (a.table)
                        add_to_table(&a, &own, &table, move.to, 1);
                }
    }
    end_counts(&a, &counts, 0, 1);
    end_table(&a, &table, 0, 1);
}
#endif

#if WITH_HARD
/* Lays out the entries of slices, which stand line after line before. */
KERNEL(cob_lay_slices) PLACE(a)
{
    for (long long j = BLOCK; j < a.job_count; j += BLOCKS) {
        cob_job job = AT(const cob_job, a.jobs)[j];
        WARPS(warp)
            for (long long s = job.first + warp; s < job.last; s += BLOCK_WARPS) {
                cob_slice slice = AT(const cob_slice, a.slices)[s];
                LANES(lane) {
                    cob_piece piece = AT(const cob_piece, a.pieces)[s * COB_WARP + lane];
                    long long to = (slice.first * COB_WARP + lane) * COB_QUAD;
                    for (int e = 0; e < slice.quads * COB_QUAD; e++) {
                        long long at = to + e / COB_QUAD * COB_QUAD * COB_WARP + e % COB_QUAD;
                        int here = e < piece.count;
                        AT(int, a.quad_indices)[at] =
                            here ? AT(const int, a.indices)[piece.first + e] - (int)job.base : -1;
#ifndef ONES
                        AT(VALUE, a.quad_values)[at] =
                            here ? AT(const VALUE, a.values)[piece.first + e] : (VALUE)0;
#endif
                    }
                }
            }
    }
}
#endif
