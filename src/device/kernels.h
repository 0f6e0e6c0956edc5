/* What the processor hands to the kernels of a device, and the words that these are written in.
 * Their source (lines.cu) is compiled for the device that is there, when it is needed; and as C for
 * tests, where the threads of a block run one after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DEVICE_KERNELS_H
#define COB_DEVICE_KERNELS_H

typedef unsigned long long cob_address; /* in the device's memory */

enum {
    COB_WARP = 32,      /* threads that go in step, */
    COB_WARPS = 32,     /* and so many of them in a block, at most */
    COB_COPIES = 2,     /* of the sums of a warp: most of its threads would meet at one otherwise */
    COB_LONG = 1 << 12, /* lines with more entries than this are summed in pieces, */
    COB_CHUNK = 1 << 17 /* which see so many lines of the other side: a block keeps their labels */
};

/* Entries of one line that go to the same sums. */
typedef struct cob_piece {
    long long first;
    int count;
    int slot; /* of the line, among those that are summed in pieces */
} cob_piece;

/* Pieces for one block, all within `span` lines of the other side from `base` on. */
typedef struct cob_job {
    long long first, last, base;
    int span, unused;
} cob_job;

/* A pass over the lines of one side; all that is an address is an array. */
typedef struct cob_lines_args {
    cob_address offsets, indices, values;
    cob_address effects, fixed;     /* fixed: 0 where no label is known */
    cob_address labels, new_labels; /* of the lines, one copy a layer, `major` apart */
    cob_address other;              /* labels of the other side */
    cob_address A, b, e, units;     /* the rule, and the unit of each cluster of the other side */
    cob_address pieces, jobs;
    cob_address slots, slot_sums; /* the lines that are summed in pieces, and their sums */
    cob_address table;            /* out: to by from, then sizes, masses, and how many moved */
    long long major, minor, job_count, slot_count;
    long long longest; /* lines with more entries are summed in pieces; -1: all are */
    double mass_scale;
    int to, from, layers;
    int stride; /* from one copy of the sums to the next */
    int diagonal, keep, anew, has_masses;
    int labels_near, rule_near, table_near; /* in the block's own memory */
} cob_lines_args;

enum { COB_TABLE_EXTRA = 2 }; /* numbers a cluster beside the table: its size and its mass */

#ifdef __CUDACC__
#define COB_BOTH __host__ __device__ static inline
#else
#define COB_BOTH static inline
#endif

enum { COB_NEAR_START = 16 }; /* bytes of a block's own memory that count what its warps took */

/* Further bytes of it: for the labels, the rule, the table, and each warp. */
COB_BOTH long long cob_near_labels(long long labels, int label_bytes)
{
    return (labels * label_bytes + 15) / 16 * 16;
}

COB_BOTH long long cob_near_rule(int to, int from, int diagonal)
{
    return ((long long)(diagonal ? 1 : to) * from + 2LL * to + from) * (long long)sizeof(double);
}

COB_BOTH long long cob_near_table(int to, int from)
{
    return (long long)to * (from + COB_TABLE_EXTRA) * (long long)sizeof(long long);
}

/* Where a thread scores by other sums than those that it added up, these are kept as numbers. */
COB_BOTH int cob_real_sums(int to, int from, int diagonal)
{
    return diagonal && to == from ? 0 : from;
}

COB_BOTH long long cob_near_warp(int to, int from, int diagonal, int stride, int sum_bytes)
{
    long long numbers = 2 + 2LL * COB_WARP + 1; /* the best score, the own one, lines */
    long long words = 2LL * COB_WARP;           /* the best cluster or slots, own labels */
    long long sums = ((long long)COB_COPIES * stride * sum_bytes + 7) / 8;
    return 8 * (numbers + cob_real_sums(to, from, diagonal) + words / 2 + sums);
}

#endif
