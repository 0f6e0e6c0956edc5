/* What the processor hands to the kernels of a device, and the words that these are written in.
 * Their source (lines.cu, runs.cu) is compiled for the device that is there, when it is needed; and
 * as C for tests, where the threads of a block run one after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DEVICE_KERNELS_H
#define COB_DEVICE_KERNELS_H

typedef unsigned long long cob_address; /* in the device's memory */

enum {
    COB_WARP = 32,       /* threads that go in step, */
    COB_WARPS = 32,      /* and so many of them in a block, at most */
    COB_QUAD = 4,        /* entries of a thread that stand together */
    COB_WHOLE = 1 << 10, /* lines with more entries than this are cut */
    COB_PIECE = 1 << 10, /* into pieces of so many, */
    COB_CHUNK = 1 << 17  /* which see so many lines of the other side: a block keeps their labels */
};

/* Entries of one line that go to the same sums; nothing where `count` is 0. */
typedef struct cob_piece {
    long long first;
    int count;
    int slot; /* of the line, among those that are summed in pieces; else the line itself */
} cob_piece;

/* Pieces that the threads of a warp take, one each. Their entries stand interleaved: the first four
 * of every thread, then the next four. */
typedef struct cob_slice {
    long long first; /* of its entries, in fours of all threads */
    int quads;       /* of each thread; what is beyond the end of a piece has the index -1 */
    int unused;
} cob_slice;

/* Slices for one block, all within `span` lines of the other side from `base` on. */
typedef struct cob_job {
    long long first, last, base;
    int span, unused;
} cob_job;

/* A pass over the lines of one side; all that is an address is an array. */
typedef struct cob_lines_args {
    cob_address offsets, indices, values; /* line after line, */
    cob_address quad_indices,
        quad_values;            /* and interleaved; indices count from the base of a job */
    cob_address effects, fixed; /* fixed: 0 where no label is known */
    cob_address labels, before; /* of the lines: one copy a layer, `major` apart, for every run */
    cob_address other;          /* labels of the other side */
    cob_address A, units; /* the rule: A, b and e; the unit of each cluster of the other side */
    cob_address pieces, slices, jobs;
    cob_address slots, slot_sums; /* the lines that are summed in pieces, and their sums */
    cob_address table;            /* out: to by from; */
    cob_address counts;           /* out: sizes, masses, and how many moved */
    cob_address active;           /* for each run, whether it takes part */
    long long major, minor, piece_count, slice_count, job_count, slot_count;
    long long longest; /* lines with more entries are summed in pieces; -1: all are */
    double mass_scale;
    int to, from, layers;
    int lanes; /* runs side by side: labels, rules, sums and counts of all stand together */
    int run;   /* one of them */
    int diagonal, keep, anew, has_masses, counted;
    int labels_near, rule_near, counts_near, table_near; /* in the block's own memory */
} cob_lines_args;

#ifdef __CUDACC__
#define COB_BOTH __host__ __device__ static inline
#else
#define COB_BOTH static inline
#endif

enum { COB_NEAR_START = 16 }; /* bytes of a block's own memory that count what its warps took */

/* Further bytes of it: for the labels; the rule with its units, the counts and the table, of as
 * many runs as a block has; and the sums of each warp. */
COB_BOTH long long cob_near_labels(long long labels, int label_bytes)
{
    return (labels * label_bytes + 15) / 16 * 16;
}

COB_BOTH long long cob_rule_numbers(int to, int from, int diagonal)
{
    return (long long)(diagonal ? 1 : to) * from + 2LL * to;
}

COB_BOTH long long cob_near_rule(int to, int from, int diagonal, int runs)
{
    return (cob_rule_numbers(to, from, diagonal) * runs + from) * (long long)sizeof(double);
}

COB_BOTH long long cob_count_numbers(int to)
{
    return 2LL * to + 1;
}

COB_BOTH long long cob_near_counts(int to, int runs)
{
    return cob_count_numbers(to) * runs * (long long)sizeof(long long);
}

COB_BOTH long long cob_near_table(int to, int from, int runs)
{
    return (long long)to * from * runs * (long long)sizeof(long long);
}

COB_BOTH long long cob_near_sums(int from, int sum_bytes)
{
    return ((long long)from * COB_WARP * sum_bytes + 7) / 8 * 8;
}

#endif
