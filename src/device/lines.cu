/* The kernels of a device: the sums of lines over the clusters of the other side, their scores, the
 * best of these, and the statistics of the clusters. They do what matrix/lines.c does, with the same
 * operations in the same order wherever numbers are rounded, so that labels are the same to the bit.
 *
 * A warp takes a line. Its threads add entries to several copies of the sums, because most of them
 * would meet at one cluster otherwise; then each thread scores some clusters. Lines that are very
 * long, or whose other side has too many lines for the memory of a block, are summed in pieces by
 * one kernel and placed by another.
 *
 * The code keeps to what C and CUDA have in common. A phase, in which the threads of a warp (or of a
 * block) do the same and wait for each other at its end, is a loop over them to C.
 *
 * VALUE, ONES, LABEL and SUM say what is compiled: the kind of entries, of labels and of sums.
 *
 * SPDX-License-Identifier: MIT
 */
#ifdef __CUDACC__
#define KERNEL(name) extern "C" __global__ void __launch_bounds__(COB_WARP *COB_WARPS) name
#define PLACE(a) (cob_lines_args a)
#define HERE static __device__ __forceinline__
#define NEAR extern __shared__ long long near_memory[];
#define BLOCK ((long long)blockIdx.x)
#define BLOCKS ((long long)gridDim.x)
#define BLOCK_WARPS ((int)blockDim.x / COB_WARP)
#define LANES(lane)                                                                                \
    for (int lane = (int)threadIdx.x % COB_WARP, once_ = 1; once_; once_ = 0, __syncwarp())
#define WARPS(warp)                                                                                \
    for (int warp = (int)threadIdx.x / COB_WARP, once_ = 1; once_; once_ = 0, __syncthreads())
#define BLOCK_DEALS(i, count) for (long long i = threadIdx.x; i < (count); i += blockDim.x)
#define BLOCK_WAITS __syncthreads();
#define ADD(to, number) atomicAdd((to), (number))
#define ADD_LONG(to, number) atomicAdd((unsigned long long *)(to), (unsigned long long)(number))
#define TAKE(from, number) atomicAdd((from), (number))
#define NEGATIVE_INFINITY __longlong_as_double((long long)0xfff0000000000000ULL)
#define NEAREST(x) __double2ll_rn(x)
#define READ_ONCE(pointer) __ldcs(pointer)
#endif

#define AT(type, address) ((type *)(address))

/* The rule, near or where it is. */
typedef struct rule_place {
    const double *A, *b, *e, *units;
} rule_place;

/* What a warp works with. */
typedef struct warp_room {
    double *best;     /* the best score, */
    double *own;      /* and that of the line's own cluster */
    long long *begin; /* of the entries of the next lines, one more than there are threads, */
    double *effects;  /* their effects, */
    double *real;     /* the sums of a line as numbers, if the rule needs them, */
    int *at;          /* its cluster; or the slots of the next pieces, */
    int *labels;      /* and of the next lines */
    SUM *sums;        /* copies of them, `stride` apart; all 0 between lines */
} warp_room;

HERE warp_room room_of(const cob_lines_args *a, char *memory, int warp)
{
    warp_room r;
    memory += warp * cob_near_warp(a->to, a->from, a->diagonal, a->stride, (int)sizeof(SUM));
    r.best = (double *)memory;
    r.own = r.best + 1;
    r.begin = (long long *)(r.own + 1);
    r.effects = (double *)(r.begin + COB_WARP + 1);
    r.real = r.effects + COB_WARP;
    r.at = (int *)(r.real + cob_real_sums(a->to, a->from, a->diagonal));
    r.labels = r.at + COB_WARP;
    r.sums = (SUM *)(r.labels + COB_WARP);
    LANES(lane)
        for (int i = lane; i < COB_COPIES * a->stride; i += COB_WARP)
            r.sums[i] = 0;
    return r;
}

/* ---- sums ------------------------------------------------------------------------------------ */

HERE SUM value_at(const cob_lines_args *a, long long e)
{
#ifdef ONES
    (void)a;
    (void)e;
    return 1;
#else
    return (SUM)(long long)READ_ONCE(AT(const VALUE, a->values) + e);
#endif
}

/* Adds entries `first` to `last` - 1; labels are those of the other side from `base` on. Reads that
 * do not wait for each other come first, then what is done with them. */
HERE void add_entries(const cob_lines_args *a, const LABEL *labels, int base, long long first,
                      long long last, const warp_room *room)
{
    enum { AT_ONCE = 4 };
    const int *indices = AT(const int, a->indices);
    LANES(lane) {
        SUM *own = room->sums + lane % COB_COPIES * a->stride;
        for (long long e = first + lane; e < last; e += AT_ONCE * COB_WARP) {
            int index[AT_ONCE];
            SUM value[AT_ONCE];
            for (int i = 0; i < AT_ONCE; i++) {
                int here = e + i * COB_WARP < last;
                index[i] = here ? READ_ONCE(indices + e + i * COB_WARP) - base : -1;
                value[i] = here ? value_at(a, e + i * COB_WARP) : 0;
            }
            for (int i = 0; i < AT_ONCE; i++)
                if (index[i] >= 0)
                    ADD(own + labels[index[i]], value[i]);
        }
    }
}

/* The sum over cluster l of all copies, which are 0 then. */
HERE long long take_sum(const cob_lines_args *a, const warp_room *room, int l)
{
    long long sum = 0;
    for (int c = 0; c < COB_COPIES; c++) {
        sum += (long long)room->sums[c * a->stride + l];
        room->sums[c * a->stride + l] = 0;
    }
    return sum;
}

/* ---- scores ---------------------------------------------------------------------------------- */

/* The sums of a line: those that the warp added up, or those of a line that was cut. */
typedef struct line_sums {
    SUM *near;            /* the first copy holds them, once they are folded; NULL: */
    const long long *far; /* these */
} line_sums;

HERE long long sum_of(const line_sums *sums, int l)
{
    return sums->near ? (long long)sums->near[l] : sums->far[l];
}

/* Adds the copies up into the first one. */
HERE void fold_sum(const cob_lines_args *a, const warp_room *room, int l)
{
    SUM sum = room->sums[l];
    for (int c = 1; c < COB_COPIES; c++) {
        sum += room->sums[c * a->stride + l];
        room->sums[c * a->stride + l] = 0;
    }
    room->sums[l] = sum;
}

/* Folds the sums, and keeps them as numbers where threads need those of others. */
HERE void fold_sums(const cob_lines_args *a, const warp_room *room, const rule_place *rule,
                    const line_sums *sums, int simple)
{
    LANES(lane)
        for (int l = lane; l < a->from; l += COB_WARP) {
            if (sums->near)
                fold_sum(a, room, l);
            if (!simple && !a->keep)
                room->real[l] = (double)sum_of(sums, l) * rule->units[l];
        }
}

HERE double score(const cob_lines_args *a, const warp_room *room, const rule_place *rule,
                  const line_sums *sums, double effect, int k, int simple)
{
    double sum;
    if (simple) /* this thread has the sum */
        return (double)sum_of(sums, k) * rule->units[k] * rule->A[k] + rule->b[k] * effect +
               rule->e[k];
    if (a->diagonal) {
        sum = room->real[k] * rule->A[k] + rule->b[k] * effect + rule->e[k];
        for (int l = k + a->to; l < a->from; l += a->to) /* of further layers */
            sum += room->real[l] * rule->A[l];
        return sum;
    }
    sum = rule->b[k] * effect + rule->e[k];
    for (int l = 0; l < a->from; l++)
        sum += rule->A[(long long)l * a->to + k] * room->real[l];
    return sum;
}

/* The best of the scores of all threads into best[0], and its cluster, of equal ones the first,
 * into at[0]. Every thread calls it with its own best. */
#ifdef __CUDACC__
HERE void vote(const warp_room *room, int lane, double best, int at)
{
    const unsigned all = 0xffffffff;
    long long bits = __double_as_longlong(best + 0.0); /* no -0 */
    unsigned long long key = (unsigned long long)(bits < 0 ? ~bits : bits ^ (1LL << 63));
    unsigned high = (unsigned)(key >> 32), low = (unsigned)key;
    unsigned most = __reduce_max_sync(all, high);
    low = high == most ? low : 0;
    unsigned rest = __reduce_max_sync(all, low);
    int wins = high == most && low == rest;
    int first = __reduce_min_sync(all, wins ? at : 0x7fffffff);
    if (wins && at == first) {
        room->best[0] = best;
        room->at[0] = at;
    }
}
#else
HERE void vote(const warp_room *room, int lane, double best, int at)
{
    if (lane == 0 || best > room->best[0] || (best == room->best[0] && at < room->at[0])) {
        room->best[0] = best;
        room->at[0] = at;
    }
}
#endif

HERE void score_all(const cob_lines_args *a, const warp_room *room, const rule_place *rule,
                    const line_sums *sums, double effect, int own, int simple)
{
    LANES(lane) {
        double best = NEGATIVE_INFINITY;
        int at = 0;
        for (int k = lane; k < a->to; k += COB_WARP) {
            double here = score(a, room, rule, sums, effect, k, simple);
            if (here > best) {
                best = here;
                at = k;
            }
            if (k == own)
                *room->own = here;
        }
        vote(room, lane, best, at);
    }
}

/* ---- labels and statistics ------------------------------------------------------------------- */

HERE int choose(const cob_lines_args *a, const warp_room *room, const rule_place *rule,
                const line_sums *sums, long long line, double effect, int own, int simple)
{
    if (a->keep)
        return own;
    if (a->fixed && AT(const int, a->fixed)[line] >= 0)
        return AT(const int, a->fixed)[line];
    score_all(a, room, rule, sums, effect, own, simple);
    return own >= 0 && *room->own == room->best[0] ? own : room->at[0];
}

HERE void add_line(const cob_lines_args *a, const line_sums *sums, long long *table, double effect,
                   int k, int sign)
{
    LANES(lane) {
        for (int l = lane; l < a->from; l += COB_WARP) {
            long long sum = sum_of(sums, l);
            if (sum != 0)
                ADD_LONG(table + (long long)k * a->from + l, sign * sum);
        }
        if (lane == 0) {
            long long *sizes = table + (long long)a->to * a->from;
            ADD_LONG(sizes + k, sign);
            if (a->has_masses)
                ADD_LONG(sizes + a->to + k, sign * NEAREST(effect * a->mass_scale));
        }
    }
}

/* Chooses the cluster of a line whose entries were added up. */
HERE void place_line(const cob_lines_args *a, const warp_room *room, const rule_place *rule,
                     const line_sums *sums, long long *table, long long line, double effect,
                     int own, int simple)
{
    fold_sums(a, room, rule, sums, simple);
    int chosen = choose(a, room, rule, sums, line, effect, own, simple);
    if (a->anew || chosen != own)
        add_line(a, sums, table, effect, chosen, 1);
    if (!a->anew && chosen != own)
        add_line(a, sums, table, effect, own, -1);
    LANES(lane) {
        for (int c = lane; c < a->layers; c += COB_WARP)
            AT(LABEL, a->new_labels)[c * a->major + line] = (LABEL)(c * a->to + chosen);
        if (chosen != own && lane == 0)
            ADD_LONG(AT(long long, a->table) + (long long)a->to * (a->from + COB_TABLE_EXTRA), 1);
        for (int l = lane; sums->near && l < a->from; l += COB_WARP)
            sums->near[l] = 0;
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

/* The parts of the rule stand behind each other. */
HERE rule_place bring_rule(const cob_lines_args *a, char **memory)
{
    rule_place rule;
    double *near = (double *)*memory;
    long long bytes = cob_near_rule(a->to, a->from, a->diagonal);
    rule.A = AT(const double, a->A);
    rule.b = AT(const double, a->b);
    rule.e = AT(const double, a->e);
    rule.units = AT(const double, a->units);
    if (!a->rule_near)
        return rule;
    BLOCK_DEALS(i, bytes / (long long)sizeof(double))
        near[i] = AT(const double, a->A)[i];
    BLOCK_WAITS
    *memory += bytes;
    rule.b = near + (rule.b - rule.A);
    rule.e = near + (rule.e - rule.A);
    rule.units = near + (rule.units - rule.A);
    rule.A = near;
    return rule;
}

HERE long long *begin_table(const cob_lines_args *a, char **memory)
{
    long long *table = (long long *)*memory;
    if (!a->table_near)
        return AT(long long, a->table);
    BLOCK_DEALS(i, (long long)a->to * (a->from + COB_TABLE_EXTRA))
        table[i] = 0;
    BLOCK_WAITS
    *memory += cob_near_table(a->to, a->from);
    return table;
}

HERE void end_table(const cob_lines_args *a, const long long *table)
{
    if (a->table_near)
        BLOCK_DEALS(i, (long long)a->to * (a->from + COB_TABLE_EXTRA))
            if (table[i] != 0)
                ADD_LONG(AT(long long, a->table) + i, table[i]);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* What is known of the next lines of a warp, read together. */
HERE void look_ahead(const cob_lines_args *a, const warp_room *room, long long first, int count)
{
    LANES(lane) {
        if (lane < count) {
            room->begin[lane] = AT(const long long, a->offsets)[first + lane];
            room->effects[lane] = AT(const double, a->effects)[first + lane];
            room->labels[lane] = (int)AT(const LABEL, a->labels)[first + lane];
        }
        if (lane == 0)
            room->begin[count] = AT(const long long, a->offsets)[first + count];
    }
}

/* The lines of a warp, some in a row at a time. `simple` is a constant wherever this is called, so
 * that there is a loop for each: a thread scores by no other sums than those that it folds. */
HERE void place_lines(const cob_lines_args *a, const LABEL *labels, const rule_place *rule,
                      long long *table, const warp_room *room, long long first, long long step,
                      int simple)
{
    line_sums sums = {room->sums, 0};
    for (; first < a->major; first += step) {
        int count = a->major - first < COB_WARP ? (int)(a->major - first) : COB_WARP;
        look_ahead(a, room, first, count);
        for (int i = 0; i < count; i++) {
            long long begin = room->begin[i], end = room->begin[i + 1];
            if (end - begin > a->longest)
                continue;
            add_entries(a, labels, 0, begin, end, room);
            place_line(a, room, rule, &sums, table, first + i, room->effects[i], room->labels[i],
                       simple);
        }
    }
}

/* Sums and places lines that are not too long. */
KERNEL(cob_place_lines) PLACE(a)
{
    NEAR
    char *memory = (char *)near_memory + COB_NEAR_START;
    const LABEL *labels = bring_labels(&a, &memory, 0, a.minor, a.minor);
    rule_place rule = bring_rule(&a, &memory);
    long long *table = begin_table(&a, &memory);
    WARPS(warp) {
        warp_room room = room_of(&a, memory, warp);
        long long first = (BLOCK * BLOCK_WARPS + warp) * COB_WARP;
        long long step = BLOCKS * BLOCK_WARPS * COB_WARP;
        if (cob_real_sums(a.to, a.from, a.diagonal) == 0)
            place_lines(&a, labels, &rule, table, &room, first, step, 1);
        else
            place_lines(&a, labels, &rule, table, &room, first, step, 0);
    }
    end_table(&a, table);
}

/* The next pieces of a warp, read together. */
HERE void look_at_pieces(const cob_lines_args *a, const warp_room *room, long long first, int count)
{
    LANES(lane)
        if (lane < count) {
            cob_piece piece = AT(const cob_piece, a->pieces)[first + lane];
            room->begin[lane] = piece.first;
            room->labels[lane] = piece.count;
            room->at[lane] = piece.slot;
        }
}

/* Adds up one piece, and adds that to the sums of its line. */
HERE void sum_piece(const cob_lines_args *a, const LABEL *labels, int base, const warp_room *room,
                    int i)
{
    long long *sums = AT(long long, a->slot_sums) + (long long)room->at[i] * a->from;
    add_entries(a, labels, base, room->begin[i], room->begin[i] + room->labels[i], room);
    LANES(lane)
        for (int l = lane; l < a->from; l += COB_WARP) {
            long long sum = take_sum(a, room, l);
            if (sum != 0)
                ADD_LONG(sums + l, sum);
        }
}

/* Adds up the pieces of lines. Pieces differ in length, so a warp takes the next ones when it has
 * done with others. */
KERNEL(cob_sum_pieces) PLACE(a)
{
    enum { TOGETHER = 8 };
    NEAR
    int *taken = (int *)near_memory;
    for (long long j = BLOCK; j < a.job_count; j += BLOCKS) {
        char *memory = (char *)near_memory + COB_NEAR_START;
        cob_job job = AT(const cob_job, a.jobs)[j];
        BLOCK_DEALS(i, 1)
            *taken = 0;
        BLOCK_WAITS
        const LABEL *labels = bring_labels(&a, &memory, job.base, job.span, COB_CHUNK);
        WARPS(warp) {
            warp_room room = room_of(&a, memory, warp);
            for (;;) {
                LANES(lane)
                    if (lane == 0)
                        *room.own = (double)TAKE(taken, TOGETHER);
                long long p = job.first + (long long)*room.own;
                int count = job.last - p < TOGETHER ? (int)(job.last - p) : TOGETHER;
                if (count <= 0)
                    break;
                look_at_pieces(&a, &room, p, count);
                for (int i = 0; i < count; i++)
                    sum_piece(&a, labels, (int)job.base, &room, i);
            }
        }
    }
}

/* Places the lines that were summed in pieces. */
KERNEL(cob_place_slots) PLACE(a)
{
    NEAR
    char *memory = (char *)near_memory + COB_NEAR_START;
    rule_place rule = bring_rule(&a, &memory);
    long long *table = begin_table(&a, &memory);
    WARPS(warp) {
        warp_room room = room_of(&a, memory, warp);
        for (long long s = BLOCK * BLOCK_WARPS + warp; s < a.slot_count; s += BLOCKS * BLOCK_WARPS) {
            long long line = AT(const int, a.slots)[s];
            line_sums sums = {0, AT(const long long, a.slot_sums) + s * a.from};
            place_line(&a, &room, &rule, &sums, table, line, AT(const double, a.effects)[line],
                       (int)AT(const LABEL, a.labels)[line],
                       cob_real_sums(a.to, a.from, a.diagonal) == 0);
        }
    }
    end_table(&a, table);
}
