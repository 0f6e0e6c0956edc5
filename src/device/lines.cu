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
#define NEGATIVE_INFINITY __longlong_as_double((long long)0xfff0000000000000ULL)
#define NEAREST(x) __double2ll_rn(x)
#define READ(pointer) __ldg(pointer)
#endif

#define AT(type, address) ((type *)(address))

/* What a warp works with. */
typedef struct warp_room {
    SUM *sums;        /* `copies` of them, `stride` apart */
    long long *whole; /* the sums of a line, */
    double *real;     /* as numbers */
    double *best;     /* the best score of each thread, */
    double *own;      /* and that of the line's own cluster */
    long long *begin; /* of the entries of the next lines, one more than there are threads, */
    double *effects;  /* their effects, */
    int *at;          /* the clusters of the best scores, */
    int *labels;      /* and of the lines */
} warp_room;

HERE warp_room room_of(const cob_lines_args *a, char *memory, int warp)
{
    warp_room r;
    memory += warp * cob_near_warp(a->from, a->copies, a->stride, (int)sizeof(SUM));
    r.whole = (long long *)memory;
    r.real = (double *)(r.whole + a->from);
    r.best = r.real + a->from;
    r.own = r.best + COB_WARP;
    r.begin = (long long *)(r.own + 2);
    r.effects = (double *)(r.begin + COB_WARP + 1);
    r.at = (int *)(r.effects + COB_WARP + 1);
    r.labels = r.at + COB_WARP;
    r.sums = (SUM *)(r.effects + COB_WARP + 1 + (2 * COB_WARP + 1) / 2 + 1);
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
    return (SUM)(long long)READ(AT(const VALUE, a->values) + e);
#endif
}

/* Labels are those of the other side from `base` on. */
HERE void add_entries(const cob_lines_args *a, const LABEL *labels, long long base, long long first,
                      long long last, int lane, SUM *sums)
{
    enum { AT_ONCE = 4 }; /* reads that do not wait for each other */
    const int *indices = AT(const int, a->indices);
    SUM *own = sums + (long long)(lane % a->copies) * a->stride;
    long long e = first + lane;
    for (; e + (AT_ONCE - 1) * COB_WARP < last; e += AT_ONCE * COB_WARP) {
        int index[AT_ONCE];
        SUM value[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++) {
            index[i] = READ(indices + e + i * COB_WARP);
            value[i] = value_at(a, e + i * COB_WARP);
        }
        for (int i = 0; i < AT_ONCE; i++)
            ADD(own + labels[index[i] - base], value[i]);
    }
    for (; e < last; e += COB_WARP)
        ADD(own + labels[READ(indices + e) - base], value_at(a, e));
}

/* The sums of entries `first` to `last` - 1 into room->whole. */
HERE void sum_entries(const cob_lines_args *a, const LABEL *labels, long long base, long long first,
                      long long last, const warp_room *room)
{
    LANES(lane)
        for (int i = lane; i < a->copies * a->stride; i += COB_WARP)
            room->sums[i] = 0;
    LANES(lane)
        add_entries(a, labels, base, first, last, lane, room->sums);
    LANES(lane)
        for (int l = lane; l < a->from; l += COB_WARP) {
            long long sum = 0;
            for (int c = 0; c < a->copies; c++)
                sum += (long long)room->sums[c * a->stride + l];
            room->whole[l] = sum;
        }
}

/* ---- scores ---------------------------------------------------------------------------------- */

HERE double score(const cob_lines_args *a, const double *real, double effect, int k)
{
    const double *A = AT(const double, a->A), *b = AT(const double, a->b);
    const double *constant = AT(const double, a->e);
    double sum;
    if (a->diagonal) {
        sum = real[k] * A[k] + b[k] * effect + constant[k];
        for (int l = k + a->to; l < a->from; l += a->to) /* of further layers */
            sum += real[l] * A[l];
        return sum;
    }
    sum = b[k] * effect + constant[k];
    for (int l = 0; l < a->from; l++)
        sum += A[(long long)l * a->to + k] * real[l];
    return sum;
}

/* The better of two, of equals the one with the smaller number, to the first. */
HERE void keep_better(double *best, int *at, int one, int other)
{
    if (best[other] > best[one] || (best[other] == best[one] && at[other] < at[one])) {
        best[one] = best[other];
        at[one] = at[other];
    }
}

/* The best score into best[0], its cluster into at[0]. */
HERE void score_all(const cob_lines_args *a, const warp_room *room, double effect, int own)
{
    LANES(lane)
        for (int l = lane; l < a->from; l += COB_WARP)
            room->real[l] = (double)room->whole[l] * AT(const double, a->units)[l];
    LANES(lane) {
        double best = NEGATIVE_INFINITY;
        int at = 0;
        for (int k = lane; k < a->to; k += COB_WARP) {
            double here = score(a, room->real, effect, k);
            if (here > best) {
                best = here;
                at = k;
            }
            if (k == own)
                *room->own = here;
        }
        room->best[lane] = best;
        room->at[lane] = at;
    }
    for (int half = COB_WARP / 2; half > 0; half /= 2)
        LANES(lane)
            if (lane < half)
                keep_better(room->best, room->at, lane, lane + half);
}

/* ---- labels and statistics ------------------------------------------------------------------- */

HERE int choose(const cob_lines_args *a, const warp_room *room, long long line, double effect,
                int own)
{
    if (a->keep)
        return own;
    if (a->fixed && AT(const int, a->fixed)[line] >= 0)
        return AT(const int, a->fixed)[line];
    score_all(a, room, effect, own);
    return own >= 0 && *room->own == room->best[0] ? own : room->at[0];
}

HERE void add_line(const cob_lines_args *a, const warp_room *room, long long *table, double effect,
                   int k, int sign)
{
    LANES(lane) {
        for (int l = lane; l < a->from; l += COB_WARP)
            if (room->whole[l] != 0)
                ADD_LONG(table + (long long)k * a->from + l, sign * room->whole[l]);
        if (lane == 0) {
            long long *sizes = table + (long long)a->to * a->from;
            ADD_LONG(sizes + k, sign);
            if (a->has_masses)
                ADD_LONG(sizes + a->to + k, sign * NEAREST(effect * a->mass_scale));
        }
    }
}

/* Chooses the cluster of a line whose sums are in room->whole. */
HERE void place_line(const cob_lines_args *a, const warp_room *room, long long *table,
                     long long line, double effect, int own)
{
    int chosen = choose(a, room, line, effect, own);
    LANES(lane)
        for (int c = lane; c < a->layers; c += COB_WARP)
            AT(LABEL, a->new_labels)[c * a->major + line] = (LABEL)(c * a->to + chosen);
    if (a->anew || chosen != own)
        add_line(a, room, table, effect, chosen, 1);
    if (!a->anew && chosen != own)
        add_line(a, room, table, effect, own, -1);
    if (chosen != own)
        LANES(lane)
            if (lane == 0) {
                long long numbers = (long long)a->to * (a->from + COB_TABLE_EXTRA);
                ADD_LONG(AT(long long, a->table) + numbers, 1);
            }
}

/* ---- the memory of a block ------------------------------------------------------------------- */

/* Labels of the other side, from `base` on: brought near, or where they are. */
HERE const LABEL *bring_labels(const cob_lines_args *a, char *memory, long long base,
                               long long count)
{
    const LABEL *other = AT(const LABEL, a->other) + base;
    LABEL *labels = (LABEL *)memory;
    if (!a->labels_near)
        return other;
    BLOCK_DEALS(i, count)
        labels[i] = READ(other + i);
    BLOCK_WAITS
    return labels;
}

HERE long long *begin_table(const cob_lines_args *a, char *memory)
{
    long long *table = (long long *)memory;
    if (!a->table_near)
        return AT(long long, a->table);
    BLOCK_DEALS(i, (long long)a->to * (a->from + COB_TABLE_EXTRA))
        table[i] = 0;
    BLOCK_WAITS
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

/* Sums and places lines that are not too long, a warp some lines in a row. */
KERNEL(cob_place_lines) PLACE(a)
{
    NEAR
    char *memory = (char *)near_memory;
    const LABEL *labels = bring_labels(&a, memory, 0, a.minor);
    memory += a.labels_near ? cob_near_labels(a.minor, (int)sizeof(LABEL)) : 0;
    long long *table = begin_table(&a, memory);
    memory += a.table_near ? cob_near_table(a.to, a.from) : 0;
    WARPS(warp) {
        warp_room room = room_of(&a, memory, warp);
        long long step = BLOCKS * BLOCK_WARPS * COB_WARP;
        for (long long first = (BLOCK * BLOCK_WARPS + warp) * COB_WARP; first < a.major;
             first += step) {
            int count = a.major - first < COB_WARP ? (int)(a.major - first) : COB_WARP;
            LANES(lane) {
                if (lane <= count)
                    room.begin[lane] = READ(AT(const long long, a.offsets) + first + lane);
                if (lane == 0)
                    room.begin[count] = READ(AT(const long long, a.offsets) + first + count);
                if (lane < count) {
                    room.effects[lane] = READ(AT(const double, a.effects) + first + lane);
                    room.labels[lane] = (int)AT(const LABEL, a.labels)[first + lane];
                }
            }
            for (int i = 0; i < count; i++) {
                if (room.begin[i + 1] - room.begin[i] > a.longest)
                    continue;
                sum_entries(&a, labels, 0, room.begin[i], room.begin[i + 1], &room);
                place_line(&a, &room, table, first + i, room.effects[i], room.labels[i]);
            }
        }
    }
    end_table(&a, table);
}

/* Adds up the pieces of lines. */
KERNEL(cob_sum_pieces) PLACE(a)
{
    NEAR
    char *memory = (char *)near_memory;
    for (long long j = BLOCK; j < a.job_count; j += BLOCKS) {
        cob_job job = AT(const cob_job, a.jobs)[j];
        const LABEL *labels = bring_labels(&a, memory, job.base, job.span);
        char *rooms = memory + (a.labels_near ? cob_near_labels(COB_CHUNK, (int)sizeof(LABEL)) : 0);
        WARPS(warp) {
            warp_room room = room_of(&a, rooms, warp);
            for (long long p = job.first + warp; p < job.last; p += BLOCK_WARPS) {
                cob_piece piece = AT(const cob_piece, a.pieces)[p];
                long long *sums = AT(long long, a.slot_sums) + (long long)piece.slot * a.from;
                sum_entries(&a, labels, job.base, piece.first, piece.first + piece.count, &room);
                LANES(lane)
                    for (int l = lane; l < a.from; l += COB_WARP)
                        if (room.whole[l] != 0)
                            ADD_LONG(sums + l, room.whole[l]);
            }
        }
    }
}

/* Places the lines that were summed in pieces. */
KERNEL(cob_place_slots) PLACE(a)
{
    NEAR
    char *memory = (char *)near_memory;
    long long *table = begin_table(&a, memory);
    memory += a.table_near ? cob_near_table(a.to, a.from) : 0;
    WARPS(warp) {
        warp_room room = room_of(&a, memory, warp);
        for (long long s = BLOCK * BLOCK_WARPS + warp; s < a.slot_count; s += BLOCKS * BLOCK_WARPS) {
            long long line = AT(const int, a.slots)[s];
            double effect = AT(const double, a.effects)[line];
            int own = (int)AT(const LABEL, a.labels)[line];
            LANES(lane)
                for (int l = lane; l < a.from; l += COB_WARP)
                    room.whole[l] = AT(const long long, a.slot_sums)[s * a.from + l];
            place_line(&a, &room, table, line, effect, own);
        }
    }
    end_table(&a, table);
}
