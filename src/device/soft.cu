/* Kernels of passes where memberships are soft. Shares are real numbers, whose sums depend on their
 * order: everything is added in the order of matrix/soft.c, so that all of it is the same to the
 * bit. What is parallel are lines, clusters and chunks of lines.
 *
 * SPDX-License-Identifier: MIT
 */
#if WITH_SOFT

/* ---- sums of shares -------------------------------------------------------------------------- */

/* Some threads take a line, each of them some clusters. They look up as many entries as they are,
 * then each adds all of these to its own sums. What a warp has for that: */
typedef struct soft_desk {
    double *values;      /* of entries, */
    int *index, *single; /* their lines of the other side, and the clusters of these; -1: several */
    double *sums;
} soft_desk;

HERE soft_desk soft_desk_of(char *memory, int warp)
{
    soft_desk desk;
    desk.values = (double *)(memory + warp * (int)COB_SOFT_DESK);
    desk.sums = desk.values + COB_WARP;
    desk.index = (int *)(desk.sums + COB_SOFT_WIDE * COB_WARP);
    desk.single = desk.index + COB_WARP;
    return desk;
}

/* Looks up the entries from number `e` on of the line of each thread, as far as they are in a
 * layer. */
HERE void look_up(const cob_lines_args *a, const soft_desk *desk, int lane, long long first,
                  long long e, int layer)
{
    int group = 1 << a->group_bits;
    long long line = first + lane / group, minor = a->minor / a->layers;
    const long long *offset = AT(const long long, a->offsets) + (line < a->major ? line : 0);
    long long entry = offset[0] + e + lane % group;
    int here = line < a->major && entry < offset[1];
    long long index = here ? AT(const int, a->indices)[entry] - layer * minor : -1;
    here = index >= 0 && index < minor;
    desk->index[lane] = here ? (int)index : 0;
    desk->single[lane] = here ? AT(const int, a->other_single)[index] : 0;
    desk->values[lane] = here ? (double)(long long)value_at(a->values, entry) : 0;
}

/* Adds what was looked up to `wide` clusters of a thread. Reads come before what is done with them,
 * and do not depend on anything. Most lines of the other side have one cluster, whose share is 1:
 * for these, it reads what it has read before. */
HERE void add_shares(const cob_lines_args *a, const soft_desk *desk, int lane, int first_cluster,
                     int wide, int at_once)
{
    enum { MOST_AT_ONCE = 16 };
    int group = 1 << a->group_bits, begin = lane / group * group, clusters = a->from / a->layers;
    double sum[COB_SOFT_WIDE];
    for (int i = 0; i < wide; i++)
        sum[i] = desk->sums[i * COB_WARP + lane];
    for (int s = begin; s < begin + group; s += at_once) {
        double share[MOST_AT_ONCE][COB_SOFT_WIDE];
        for (int j = 0; j < at_once; j++)
            for (int i = 0; i < wide; i++) {
                int l = first_cluster + i * group + lane % group;
                long long line = desk->single[s + j] < 0 ? desk->index[s + j] : 0;
                share[j][i] = AT(const double, a->other_soft)[line * clusters +
                                                              (l < clusters ? l : clusters - 1)];
            }
        for (int j = 0; j < at_once; j++)
            for (int i = 0; i < wide; i++) {
                int l = first_cluster + i * group + lane % group, single = desk->single[s + j];
                share[j][i] = single < 0 ? share[j][i] : single == l ? 1 : 0;
            }
        for (int j = 0; j < at_once; j++)
            for (int i = 0; i < wide; i++)
                sum[i] += desk->values[s + j] * share[j][i];
    }
    for (int i = 0; i < wide; i++)
        desk->sums[i * COB_WARP + lane] = sum[i];
}

/* The sums of the lines of a warp over some clusters of a layer. */
HERE void sum_clusters(const cob_lines_args *a, const soft_desk *desk, long long first,
                       long long longest, int layer, int first_cluster, int wide, int at_once)
{
    int group = 1 << a->group_bits, clusters = a->from / a->layers;
    LANES(lane)
        for (int i = 0; i < wide; i++)
            desk->sums[i * COB_WARP + lane] = 0;
    for (long long e = 0; e < longest; e += group) {
        LANES(lane)
            look_up(a, desk, lane, first, e, layer);
        LANES(lane)
            add_shares(a, desk, lane, first_cluster, wide, at_once);
    }
    LANES(lane)
        for (int i = 0; i < wide; i++) {
            long long line = first + lane / group;
            int l = first_cluster + i * group + lane % group;
            if (line < a->major && l < clusters)
                AT(double, a->soft_sums)
                [line * a->from + layer * clusters + l] = desk->sums[i * COB_WARP + lane];
        }
}

/* Sums all lines over the clusters of the other side. They differ in length, so a warp takes the
 * next ones when it has done with others. */
KERNEL(cob_sum_shares) PLACE(a)
{
    NEAR
    int group = 1 << a.group_bits, lines = COB_WARP / group, clusters = a.from / a.layers;
    WARPS(warp) {
        soft_desk desk = soft_desk_of((char *)near_memory, warp);
        for (;;) {
            long long first = (long long)TAKE(AT(int, a.taken), 1) * lines, longest = 0;
            if (first >= a.major)
                break;
            for (int i = 0; i < lines && first + i < a.major; i++) {
                const long long *offset = AT(const long long, a.offsets) + first + i;
                longest = offset[1] - offset[0] > longest ? offset[1] - offset[0] : longest;
            }
            for (int layer = 0; layer < a.layers; layer++)
                for (int l = 0; l < clusters;)
                    if (clusters - l > group) {
                        sum_clusters(&a, &desk, first, longest, layer, l, COB_SOFT_WIDE, 4);
                        l += COB_SOFT_WIDE * group;
                    } else {
                        sum_clusters(&a, &desk, first, longest, layer, l, 1, 8);
                        l += group;
                    }
        }
    }
}

/* ---- memberships ----------------------------------------------------------------------------- */

/* Turns the scores of a line, which stand where its memberships go to, into these; returns their
 * entropy. As cob_to_probabilities does it. */
HERE double to_probabilities(double *scores, int to, double largest)
{
    double sum = 0, weighted = 0;
    for (int k = 0; k < to; k++) {
        double below = largest - scores[k];
        double share = below < COB_NEGLIGIBLE ? cob_exp_minus(below) : 0;
        scores[k] = share;
        sum += share;
        if (share > 0)
            weighted += share * below;
    }
    for (int k = 0; k < to; k++)
        scores[k] /= sum;
    return cob_log_above(sum) + weighted / sum;
}

/* The cluster that has all of a line; -1: there is none. */
HERE int single_cluster(const double *shares, int to)
{
    int clusters = 0, last = 0;
    for (int k = 0; k < to; k++)
        if (shares[k] != 0) {
            clusters++;
            last = k;
        }
    return clusters == 1 && shares[last] == 1 ? last : -1;
}

/* Scores a line whose shares were added up; returns its best cluster. */
HERE int score_soft(const cob_lines_args *a, const line_rule *rule, long long line, int own)
{
    line_best best = {NEGATIVE_INFINITY, NEGATIVE_INFINITY, 0};
    line_sums sums = {0, 0, 0, 0, AT(const double, a->soft_sums) + line * a->from};
    line_seen seen = {sums, AT(const double, a->effects)[line], own};
    double *shares = AT(double, a->soft) + line * a->to;
    for (int first = 0; first < a->to; first += SCORED_AT_ONCE) {
        double scores[SCORED_AT_ONCE];
        score_some(a, rule, &seen, 1, SCORED_AT_ONCE, first, scores);
        consider(&best, scores, SCORED_AT_ONCE, first, a->to, own);
        for (int i = 0; i < SCORED_AT_ONCE && first + i < a->to; i++)
            shares[first + i] = scores[i];
    }
    AT(double, a->entropies)[line] = to_probabilities(shares, a->to, best.score);
    return best.of_own == best.score ? own : best.at;
}

HERE void place_soft(const cob_lines_args *a, const line_rule *rule, long long line)
{
    LABEL *labels = AT(LABEL, a->labels);
    double *shares = AT(double, a->soft) + line * a->to;
    int own = (int)labels[line];
    int known = a->fixed ? AT(const int, a->fixed)[line] : -1;
    int chosen = known >= 0 ? known : score_soft(a, rule, line, own);
    if (known >= 0) {
        AT(double, a->entropies)[line] = 0;
        for (int k = 0; k < a->to; k++)
            shares[k] = k == known ? 1 : 0;
    }
    AT(int, a->single)[line] = single_cluster(shares, a->to);
    for (int c = 0; c < a->layers && chosen != own; c++)
        labels[c * a->major + line] = (LABEL)(c * a->to + chosen);
    if (chosen != own)
        ADD_LONG(AT(long long, a->counts), 1);
}

/* Finds the memberships of all lines, a thread each; counts how many labels changed. */
KERNEL(cob_place_soft) PLACE(a)
{
    NEAR
    char *memory = (char *)near_memory;
    line_rule rule = bring_rule(&a, &memory, 0, 1);
    WARPS(warp) {
        long long step = BLOCKS * BLOCK_WARPS * COB_WARP;
        for (long long i = (BLOCK * BLOCK_WARPS + warp) * COB_WARP; i < a.major; i += step)
            LANES(lane)
                if (i + lane < a.major)
                    place_soft(&a, &rule, i + lane);
    }
}

/* The single clusters of memberships that were brought here. */
KERNEL(cob_find_single) PLACE(a)
{
    WARPS(warp) {
        long long step = BLOCKS * BLOCK_WARPS * COB_WARP;
        for (long long i = (BLOCK * BLOCK_WARPS + warp) * COB_WARP; i < a.major; i += step)
            LANES(lane)
                if (i + lane < a.major)
                    AT(int, a.single)[i + lane] =
                        single_cluster(AT(const double, a.soft) + (i + lane) * a.to, a.to);
    }
}

/* ---- statistics ------------------------------------------------------------------------------ */

/* Number l of what a line adds to its clusters: a sum, or behind these 1 for the sizes and its
 * effect for the masses. */
HERE double line_number(const cob_lines_args *a, long long line, int l)
{
    if (l < a->from)
        return AT(const double, a->soft_sums)[line * a->from + l];
    return l == a->from ? 1 : AT(const double, a->effects)[line];
}

/* Where cluster k adds that up: the block, then the sizes, then the masses. */
HERE long long chunk_place(const cob_lines_args *a, int k, int l)
{
    long long blocks = (long long)a->to * a->from;
    return l < a->from ? (long long)k * a->from + l : blocks + (long long)(l - a->from) * a->to + k;
}

/* Adds products of numbers of some lines. Reads come first. */
HERE double add_products(double sum, const double *left, int rows, const double *right, int cols,
                         int count)
{
    enum { AT_ONCE = 8 };
    int j = 0;
    for (; j + AT_ONCE <= count; j += AT_ONCE) {
        double product[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++)
            product[i] = left[(j + i) * rows] * right[(j + i) * cols];
        for (int i = 0; i < AT_ONCE; i++)
            sum += product[i];
    }
    for (; j < count; j++)
        sum += left[j * rows] * right[j * cols];
    return sum;
}

/* The statistics of chunks of lines, each added up line by line. A block has some clusters, and some
 * numbers of each line, of one chunk: a thread adds up one product. The first also has the
 * entropies. */
KERNEL(cob_add_chunks) PLACE(a)
{
    NEAR
    int chunk = (int)(BLOCK % a.chunk_count), part = (int)(BLOCK / a.chunk_count), side = a.tile;
    int across = (a.from + 2 + side - 1) / side;
    int k = part / across * side, l = part % across * side;
    int rows = a.to - k < side ? a.to - k : side;
    int cols = a.from + 2 - l < side ? a.from + 2 - l : side;
    long long last = AT(const long long, a.chunk_begins)[chunk + 1];
    double *chunks = AT(double, a.chunks) + chunk * ((long long)a.to * (a.from + 2) + 1);
    double *shares = (double *)near_memory, *numbers = shares + COB_SOFT_TILE * side;
    double *entropies = numbers + COB_SOFT_TILE * side, *sums = entropies + COB_SOFT_TILE;
    double *one = sums + side * side; /* the sum of the entropies, and what they are multiplied by */
    BLOCK_DEALS(i, side * side)
        sums[i] = 0;
    BLOCK_DEALS(i, 2)
        one[i] = (double)i;
    for (long long first = AT(const long long, a.chunk_begins)[chunk]; first < last;
         first += COB_SOFT_TILE) {
        int count = (int)(last - first < COB_SOFT_TILE ? last - first : COB_SOFT_TILE);
        BLOCK_DEALS(i, count * rows)
            shares[i] = AT(const double, a.soft)[(first + (int)i / rows) * a.to + k + (int)i % rows];
        BLOCK_DEALS(i, count * cols)
            numbers[i] = line_number(&a, first + (int)i / cols, l + (int)i % cols);
        BLOCK_DEALS(i, count)
            entropies[i] = AT(const double, a.entropies)[first + i];
        BLOCK_WAITS
        BLOCK_DEALS(i, rows * cols)
            sums[i] = add_products(sums[i], shares + (int)i / cols, rows, numbers + (int)i % cols,
                                   cols, count);
        BLOCK_DEALS(i, part == 0)
            one[i] = add_products(one[i], entropies, 1, one + 1, 0, count);
        BLOCK_WAITS
    }
    BLOCK_WAITS
    BLOCK_DEALS(i, rows * cols)
        chunks[chunk_place(&a, k + (int)i / cols, l + (int)i % cols)] = sums[i];
    BLOCK_DEALS(i, part == 0)
        chunks[(long long)a.to * (a.from + 2) + i] = one[i];
}
#endif
