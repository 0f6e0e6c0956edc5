/* Kernels for the sums of the kept side, which are made by lines of the other side: those of one
 * cluster after the other, so that what a block adds goes to one sum of each kept line. It has these
 * in its own memory and adds them to those of all blocks when it has done with a cluster. What it
 * costs does not depend on the number of clusters; and after a pass in which few lines move, only
 * these are looked at: they leave one cluster, and come to another.
 *
 * First the lines are listed by their clusters: counted, by block and cluster; the counts added up,
 * to where each list begins; and dealt to the lists.
 *
 * SPDX-License-Identifier: MIT
 */
#if WITH_HARD

/* ---- lists ----------------------------------------------------------------------------------- */

/* Lists that a line is in: those of its cluster, or if only moves are listed, of the one that it
 * came to, and behind the lists of all clusters, of the one that it left. -1: none. */
typedef struct line_lists {
    int to, from;
} line_lists;

HERE line_lists lists_of(const cob_lines_args *a, long long line)
{
    int now = (int)AT(const LABEL, a->labels)[line];
    line_lists lists = {now, -1};
    if (a->moves) {
        int before = (int)AT(const LABEL, a->before)[line];
        lists.to = now != before ? now : -1;
        lists.from = now != before ? a->to + before : -1;
    }
    return lists;
}

/* Some lines after each other: labels of all of them are read before anything is done with them. */
enum { LISTED_AT_ONCE = 4 };

HERE void lists_of_some(const cob_lines_args *a, long long first, long long last,
                        line_lists *lists)
{
    for (int i = 0; i < LISTED_AT_ONCE; i++)
        lists[i] = lists_of(a, first + i < last ? first + i : last - 1);
    for (int i = 0; i < LISTED_AT_ONCE; i++)
        if (first + i >= last)
            lists[i].to = lists[i].from = -1;
}

/* How many lines of a block's share come to each list. */
KERNEL(cob_count_lists) PLACE(a)
{
    NEAR
    unsigned *counts = (unsigned *)near_memory;
    long long first = a.major * BLOCK / BLOCKS, last = a.major * (BLOCK + 1) / BLOCKS;
    BLOCK_DEALS(i, a.lists)
        counts[i] = 0;
    BLOCK_WAITS
    BLOCK_DEALS(i, (last - first + LISTED_AT_ONCE - 1) / LISTED_AT_ONCE) {
        line_lists lists[LISTED_AT_ONCE];
        lists_of_some(&a, first + i * LISTED_AT_ONCE, last, lists);
        for (int j = 0; j < LISTED_AT_ONCE; j++) {
            if (lists[j].to >= 0)
                add_counter(counts + lists[j].to, 1);
            if (lists[j].from >= 0)
                add_counter(counts + lists[j].from, 1);
        }
    }
    BLOCK_WAITS
    BLOCK_DEALS(i, a.lists)
        AT(unsigned, a.starts)[i * BLOCKS + BLOCK] = counts[i];
}

/* Where each share of each list begins, and at last how long all of them are. One block does it:
 * its threads add up their parts, then one thread of many those of its neighbours. */
KERNEL(cob_begin_lists) PLACE(a)
{
    enum { PARTS = COB_WARP * COB_WARP };
    NEAR
    unsigned *parts = (unsigned *)near_memory, *groups = parts + PARTS;
    unsigned *starts = AT(unsigned, a.starts);
    long long each = (a.start_count + PARTS - 1) / PARTS;
    BLOCK_DEALS(p, PARTS) {
        unsigned sum = 0;
        for (long long i = p * each; i < (p + 1) * each && i < a.start_count; i++)
            sum += starts[i];
        parts[p] = sum;
    }
    BLOCK_WAITS
    BLOCK_DEALS(g, COB_WARP) {
        groups[g] = 0;
        for (int i = 0; i < COB_WARP; i++)
            groups[g] += parts[g * COB_WARP + i];
    }
    BLOCK_WAITS
    BLOCK_DEALS(one, 1) {
        unsigned sum = 0;
        for (int g = 0; g < COB_WARP; g++) {
            unsigned own = groups[g];
            groups[g] = sum;
            sum += own;
        }
        starts[a.start_count + one] = sum;
    }
    BLOCK_WAITS
    BLOCK_DEALS(g, COB_WARP)
        for (int i = 0; i < COB_WARP; i++) {
            unsigned own = parts[g * COB_WARP + i];
            parts[g * COB_WARP + i] = groups[g];
            groups[g] += own;
        }
    BLOCK_WAITS
    BLOCK_DEALS(p, PARTS) {
        unsigned sum = parts[p];
        for (long long i = p * each; i < (p + 1) * each && i < a.start_count; i++) {
            unsigned own = starts[i];
            starts[i] = sum;
            sum += own;
        }
    }
}

/* Deals the lines of a block's share to the lists, in any order. */
KERNEL(cob_list_lines) PLACE(a)
{
    NEAR
    unsigned *next = (unsigned *)near_memory;
    long long first = a.major * BLOCK / BLOCKS, last = a.major * (BLOCK + 1) / BLOCKS;
    int *list = AT(int, a.list);
    BLOCK_DEALS(i, a.lists)
        next[i] = AT(const unsigned, a.starts)[i * BLOCKS + BLOCK];
    BLOCK_WAITS
    BLOCK_DEALS(i, (last - first + LISTED_AT_ONCE - 1) / LISTED_AT_ONCE) {
        line_lists lists[LISTED_AT_ONCE];
        lists_of_some(&a, first + i * LISTED_AT_ONCE, last, lists);
        for (int j = 0; j < LISTED_AT_ONCE; j++) {
            int line = (int)(first + i * LISTED_AT_ONCE) + j;
            if (lists[j].to >= 0)
                list[TAKE_ONE(next + lists[j].to)] = line;
            if (lists[j].from >= 0)
                list[TAKE_ONE(next + lists[j].from)] = line;
        }
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* What compilers know of the entries, so that they leave out the rest: it takes most instructions of
 * a pass to add them. */
typedef struct entry_kind {
    int joined;     /* values of a byte are joined to the codes */
    int doubles;    /* some sums may have 64 bits */
    int layered;    /* there may be several layers */
    int group_bits; /* threads that take a line together, as a power of two */
    int lines;      /* of a thread at once */
} entry_kind;

HERE unsigned place_of(entry_kind kind, unsigned code)
{
    return kind.joined ? code & COB_CODE_MASK : code;
}

HERE SUM value_of(entry_kind kind, unsigned code, SUM value)
{
    return kind.joined ? (SUM)(code >> COB_CODE_BITS) : value;
}

/* The place of a thread for what is not to be added to those of lines, which come before. */
HERE unsigned spare_place(const cob_lines_args *a, int lane)
{
    return (unsigned)cob_place_halves(&a->places) - 2 * (COB_WARP - (unsigned)lane);
}

enum { ADDED_AT_ONCE = 4 }; /* entries of a line */

/* Adds entries that were read to what the block has of their kept lines; few lines have no place
 * there: `far` is where their sums over all blocks begin. Nothing but these is asked for entry by
 * entry, as branches cost more than to add what is then in the spare place. */
HERE void add_read(const cob_lines_args *a, entry_kind kind, char *places, KEPT *far, int cluster,
                   int sign, unsigned spare, const unsigned *code, const SUM *value)
{
    unsigned halves = (unsigned)cob_place_halves(&a->places), last = 0;
    for (int i = 0; i < ADDED_AT_ONCE; i++) {
        unsigned place = place_of(kind, code[i]), near = place < spare ? place : spare;
        SUM own = value_of(kind, code[i], value[i]);
        if (kind.doubles && place < 4 * (unsigned)a->places.doubles)
            add_near((long long *)places + place / 4, (long long)own);
        else
            add_counter((unsigned *)places + near / 2, (unsigned)own << 16 * (near % 2));
        last = place > last ? place : last;
    }
    for (int i = 0; last >= halves && i < ADDED_AT_ONCE; i++) {
        unsigned place = place_of(kind, code[i]), beyond = place - halves;
        if (place >= halves)
            ADD_KEPT(kind.layered ? AT(KEPT, a->slot_sums) +
                                        cob_sum_at(a, a->places.count + beyond, cluster)
                                  : far + beyond,
                     (KEPT)sign * (KEPT)value_of(kind, code[i], value[i]));
    }
}

/* Adds some lines at once that stand in `begins` and `lengths`, several threads for each. Reads come
 * before what is done with them. */
HERE void add_lines_across(const cob_lines_args *a, entry_kind kind, char *places,
                           const long long *begins, const int *lengths, int lane, int first,
                           int cluster, int sign)
{
    enum { MOST_LINES = 4 };
    KEPT *far = AT(KEPT, a->slot_sums) + cluster * a->slot_count + a->places.count;
    int group = 1 << kind.group_bits, longest = 0;
    unsigned spare = spare_place(a, lane);
    long long begin[MOST_LINES];
    int length[MOST_LINES]; /* from a thread's first entry on */
    for (int r = 0; r < kind.lines; r++) {
        int line = first + ((r * COB_WARP + lane) >> kind.group_bits);
        begin[r] = begins[line] + lane % group;
        length[r] = lengths[line] - lane % group;
        longest = length[r] > longest ? length[r] : longest;
    }
    for (int e = 0; e < longest; e += ADDED_AT_ONCE * group) {
        unsigned code[MOST_LINES][ADDED_AT_ONCE];
        SUM value[MOST_LINES][ADDED_AT_ONCE] = {{0}};
        for (int r = 0; r < kind.lines; r++)
            for (int i = 0; i < ADDED_AT_ONCE; i++) {
                int there = e + i * group < length[r];
                long long at = begin[r] + e + i * group;
                code[r][i] = there ? READ_ONCE(AT(const unsigned, a->codes) + at) : spare;
                if (there && !kind.joined)
                    value[r][i] = value_at(a->code_values, at);
            }
        for (int r = 0; r < kind.lines; r++)
            add_read(a, kind, places, far, cluster, sign, spare, code[r], value[r]);
    }
}

/* Adds what a block has to the sums of all blocks, and sets it to 0. */
HERE void empty_places(const cob_lines_args *a, char *places, int cluster, int sign)
{
    const cob_near_places *has = &a->places;
    KEPT *sums = AT(KEPT, a->slot_sums);
    long long *doubles = (long long *)places;
    unsigned *words = (unsigned *)(doubles + has->doubles), *pairs = words + has->words;
    BLOCK_DEALS(i, has->doubles)
        if (doubles[i] != 0) {
            ADD_KEPT(sums + cob_sum_at(a, i, cluster), sign * doubles[i]);
            doubles[i] = 0;
        }
    BLOCK_DEALS(i, has->words)
        if (words[i] != 0) {
            ADD_KEPT(sums + cob_sum_at(a, has->doubles + i, cluster), sign * (long long)words[i]);
            words[i] = 0;
        }
    BLOCK_DEALS(i, has->pairs)
        if (pairs[i] != 0) {
            long long first = has->doubles + has->words + i;
            long long low = pairs[i] & 0xffff, high = pairs[i] >> 16;
            if (low != 0)
                ADD_KEPT(sums + cob_sum_at(a, first, cluster), sign * low);
            if (high != 0)
                ADD_KEPT(sums + cob_sum_at(a, first + has->pairs, cluster), sign * high);
            pairs[i] = 0;
        }
}

/* The list that number `at` of all that are listed is in. */
HERE int list_at(const cob_lines_args *a, const unsigned *starts, long long stride, long long at)
{
    int low = 0, high = a->lists; /* the list begins at or before `at`; beyond it */
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (starts[middle * stride] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The share of a warp of numbers `done` to `end` of what is listed, all in one list. What is left
 * for the last round is dealt evenly, as the block waits for all of it. */
HERE void add_share(const cob_lines_args *a, entry_kind kind, char *places, long long *begins,
                    int *lengths, unsigned done, unsigned end, int warp, int warps, int cluster,
                    int sign)
{
    int at_once = kind.lines * (COB_WARP >> kind.group_bits), round = warps * COB_WARP;
    for (int left = (int)(end - done); left > 0; left -= round) {
        int each = left < round ? ((left + warps - 1) / warps + at_once - 1) / at_once * at_once
                                : COB_WARP;
        int first = warp * each, count = left - first < each ? left - first : each;
        const int *listed = AT(const int, a->list) + end - left + first;
        LANES(lane) {
            long long line = lane < count ? listed[lane] : 0;
            const long long *offset = AT(const long long, a->offsets) + line;
            begins[lane] = offset[0];
            lengths[lane] = lane < count ? (int)(offset[1] - offset[0]) : 0;
        }
        for (int i = 0; i < count; i += at_once)
            LANES(lane)
                add_lines_across(a, kind, places, begins, lengths, lane, i, cluster, sign);
    }
}

/* Adds up the lists. Each block has a share of all that is listed. */
KERNEL(cob_sum_lists) PLACE(a)
{
    const entry_kind any = {a.joined, 1, 1, a.group_bits, 2}, plain = {1, 0, 0, a.group_bits, 4},
                     long_lines = {1, 0, 0, 5, 4};
    int is_plain = a.joined && a.places.doubles == 0 && a.layers == 1;
    NEAR
    const unsigned *starts = AT(const unsigned, a.starts);
    long long stride = a.start_count / a.lists, count = starts[a.start_count];
    long long first = count * BLOCK / BLOCKS, last = count * (BLOCK + 1) / BLOCKS;
    long long *begins = near_memory;
    int *lengths = (int *)(begins + BLOCK_WARPS * COB_WARP);
    char *places = (char *)(lengths + BLOCK_WARPS * COB_WARP);
    BLOCK_DEALS(i, cob_place_halves(&a.places) / 2)
        ((unsigned *)places)[i] = 0;
    BLOCK_WAITS
    for (long long done = first; done < last;) {
        int list = list_at(&a, starts, stride, done), cluster = list % a.to;
        int sign = list < a.to ? 1 : -1;
        long long end = starts[(list + 1) * stride];
        end = end < last ? end : last;
        WARPS(warp) {
            long long *own = begins + warp * COB_WARP;
            int *own_lengths = lengths + warp * COB_WARP, warps = BLOCK_WARPS;
            unsigned from = (unsigned)done, to = (unsigned)end;
            if (!is_plain)
                add_share(&a, any, places, own, own_lengths, from, to, warp, warps, cluster, sign);
            else if (a.group_bits == long_lines.group_bits)
                add_share(&a, long_lines, places, own, own_lengths, from, to, warp, warps, cluster,
                          sign);
            else
                add_share(&a, plain, places, own, own_lengths, from, to, warp, warps, cluster, sign);
        }
        empty_places(&a, places, cluster, sign);
        BLOCK_WAITS
        done = end;
    }
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Where entry number p of a line of so many entries stands, if they are dealt to the threads of a
 * warp: first all that the first thread takes. */
HERE long long dealt_at(long long p, long long count)
{
    long long rounds = (count + COB_WARP - 1) / COB_WARP;
    long long full = count - (rounds - 1) * COB_WARP; /* threads that take part in the last round */
    long long rest = p - full * rounds;
    return rest < 0 ? p % rounds * COB_WARP + p / rounds
                    : rest % (rounds - 1) * COB_WARP + full + rest / (rounds - 1);
}

/* Where each entry is added: from the number of its kept line, by `slots`. Those of a line are in
 * the order of the banks of shared memory, dealt in such a way that few of those that a warp adds at
 * once meet in one bank; at the end those that have no place there. */
KERNEL(cob_code_entries) PLACE(a)
{
    long long step = BLOCKS * BLOCK_WARPS * COB_WARP;
    WARPS(warp)
        for (long long i = (BLOCK * BLOCK_WARPS + warp) * COB_WARP; i < a.major; i += step)
            LANES(lane) {
                long long line = i + lane < a.major ? i + lane : a.major - 1;
                long long begin = AT(const long long, a.offsets)[line];
                long long count = AT(const long long, a.offsets)[line + 1] - begin;
                long long next[COB_WARP + 2] = {0}, near = 0;
                for (int round = 0; round < 2 && i + lane < a.major; round++) {
                    for (long long e = begin; e < begin + count; e++) {
                        unsigned code = (unsigned)cob_code_of(
                            &a.places, AT(const int, a.slots)[AT(const int, a.indices)[e]]);
                        int far = code >= cob_place_halves(&a.places);
                        int bank = far ? COB_WARP : (int)(code / 2 % COB_WARP);
                        if (round == 0) {
                            next[bank + 1]++;
                            continue;
                        }
                        long long p = next[bank]++;
                        long long to = begin + (far ? p : dealt_at(p, near));
                        AT(unsigned, a.codes)
                        [to] = a.joined ? code | (unsigned)value_at(a.values, e) << COB_CODE_BITS
                                        : code;
#ifndef ONES
                        if (!a.joined)
                            AT(VALUE, a.code_values)[to] = AT(const VALUE, a.values)[e];
#endif
                    }
                    for (int b = 0; b < COB_WARP && round == 0; b++)
                        next[b + 1] += next[b];
                    near = next[COB_WARP];
                }
            }
}
#endif
