/* What the processor hands to the kernels of a device, and the words that these are written in.
 * Their source (entries.cu and the like) is compiled for the device that is there, when it is
 * needed; and as C for tests, where the threads of a block run one after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DEVICE_KERNELS_H
#define COB_DEVICE_KERNELS_H

#ifndef __CUDACC__ /* there, this file stands behind that one */
#include "base/exponential.h"
#endif

typedef unsigned long long cob_address; /* in the device's memory */

enum {
    COB_WARP = 32,      /* threads that go in step, */
    COB_WARPS = 32,     /* and so many of them in a block, at most */
    COB_QUAD = 4,       /* entries of a thread that stand together */
    COB_CODE_BITS = 24, /* of an entry's code, if its value, a byte, is joined to it */
    COB_CODE_MASK = (1 << COB_CODE_BITS) - 1,
    COB_WHOLE = 1 << 10, /* lines with more entries than this are cut */
    COB_PIECE = 1 << 10, /* into pieces of so many, */
    COB_CHUNK = 1 << 17, /* which see so many lines of the other side: a block keeps their labels */
    COB_SHORT = 1 << 7,  /* both for runs that go together: a warp takes a line, or a piece */
    COB_PLACED = 4,      /* lines whose sums are known that a thread places at once, at most; */
    COB_KEPT_WARPS = 12, /* warps of a block that does so: its threads need many registers */
    COB_FOLLOWED = 1 << 10, /* lines of all runs that a block looks at to find those that moved; */
    COB_FOLLOW_WARPS = 8,   /* it has so many warps, */
    COB_FOLLOW_BLOCKS = 5,  /* and there are so many for each processor */
    COB_SOFT_WIDE = 4,      /* clusters that a thread adds shares to at once, at most */
    COB_SOFT_DESK = COB_WARP * (8 + 8 * COB_SOFT_WIDE + 4 + 4), /* bytes of a warp for that */
    COB_SOFT_TILE = 64 /* lines whose statistics a block adds up at once */
};

/* A line that moved in one run, and from where to where. */
typedef struct cob_moved {
    int line, run;
    unsigned short before, now;
} cob_moved;

/* Those among the lines of a warp, which counts lines and runs from its own first ones on. */
typedef struct cob_moves {
    int count, unused;
    cob_moved of[COB_WARP * COB_PLACED];
} cob_moves;

/* Entries of a line that moved in one run, and from where to where. */
typedef struct cob_moved_part {
    long long first;
    int count, run;
    unsigned short before, now;
    int unused;
} cob_moved_part;

/* And those that a block finds when it looks for some. */
typedef struct cob_followed {
    int count, taken;
    cob_moved_part of[COB_FOLLOWED];
} cob_followed;

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

/* What a block has of the sums of kept lines: of the first ones 64 bits each, then 32, then 16; of
 * those beyond `count` nothing. */
typedef struct cob_near_places {
    int doubles, words, pairs; /* of 16 bits */
    long long count;
} cob_near_places;

/* Labels that are drawn, by numbers of this stream (base/random.h), from the probabilities that
 * scores are the logarithms of. */
typedef struct cob_drawing {
    int draws; /* else the best score decides */
    int by_effect;
    double temperature; /* scores are divided by this, and with by_effect by that of the line */
    unsigned key[2], counter[2];
} cob_drawing;

/* Of the lines that were in a cluster, the one that loses least by going back to it. */
typedef struct cob_found_keeper {
    unsigned long long
        closeness;       /* 0 where there is none, else the complement of its loss's bits */
    unsigned before_end; /* its number, counted from the end of the lines */
    int label;           /* where it is by now */
} cob_found_keeper;

/* A pass over the lines of one side; all that is an address is an array. */
typedef struct cob_lines_args {
    cob_address offsets, indices, values; /* line after line, */
    cob_address quad_indices,
        quad_values;            /* and interleaved; indices count from the base of a job */
    cob_address effects, fixed; /* fixed: 0 where no label is known */
    cob_address labels, before; /* of the lines: one copy a layer, `major` apart, for every run */
    cob_address other;          /* labels of the other side */
    cob_address A;              /* the rule: A in units of the sums, b and e */
    cob_address pieces, slices, jobs;
    cob_address slots;     /* the lines that are summed in pieces; */
    cob_address slot_sums; /* their sums, or for runs that go together those of all lines */
    cob_address table;     /* out: to by from; */
    cob_address counts;    /* out: sizes, masses, and how many moved */
    cob_address active;    /* for each place of a pass, the run that has it; -1: none */
    cob_address codes, code_values;   /* of entries, line after line: where they are added; */
    cob_address list, starts;         /* the lines by cluster, and where each block's part begins */
    cob_address soft, other_soft;     /* memberships: lines by clusters; */
    cob_address single, other_single; /* of lines that have only one, this cluster, else -1 */
    cob_address soft_sums, entropies; /* of lines whose memberships are soft */
    cob_address chunk_begins, chunks; /* of lines, and their statistics */
    cob_address taken;                /* how many are in work */
    cob_address thin; /* of each run: bytes, the clusters whose keepers are wanted, */
    cob_address keepers, keeper_sums; /* out: and these, with their sums */
    cob_near_places places;
    long long major, minor, piece_count, job_count, slot_count;
    long long listed;                  /* labels that are to be changed */
    long long first_slice, last_slice; /* of whole lines: those of one kernel */
    long long longest; /* lines with more entries are summed in pieces; -1: all are */
    double mass_scale;
    cob_drawing drawing;
    int to, from, layers;
    int lanes;        /* places of runs in a pass, a power of two or a multiple of a warp; */
    int abreast;      /* labels of so many runs stand together, of which some take part */
    long long totals; /* numbers of a run's table and counts */
    long long other_lines;
    int run;          /* one of these */
    unsigned draw[4]; /* for random labels: two numbers for all, the restart of run 0, the use */
    int diagonal, keep, anew, has_masses, counted;
    int summed;            /* runs that go together: the sums of all lines are known, */
    int changes;           /* and the table is to have only what lines that move change; */
    int placed;            /* so many lines are placed by a thread at once: 1 or COB_PLACED */
    int joined;            /* values are joined to the codes */
    int again;             /* keepers: it is the second look */
    int moves, lists;      /* whether only lines that moved are listed; how many lists */
    int group_bits;        /* threads that take a line together, as a power of two */
    int chunk_count, tile; /* a block adds up so many clusters by so many numbers of lines */
    long long start_count;
    int labels_near, rule_near, counts_near, table_near; /* in the block's own memory */
} cob_lines_args;

enum { COB_NEAR_START = 16 }; /* bytes of a block's own memory that count what its warps took */

/* Places of runs that a block has, one for each thread of a warp; if they are fewer, each of them
 * has several threads. */
COB_BOTH int cob_block_runs(int lanes)
{
    return lanes < COB_WARP ? lanes : COB_WARP;
}

/* Numbers of these runs stand together in its memory, so far apart from the next: odd, so that
 * neither the threads of all runs nor those that bring the numbers of one meet in a bank. */
COB_BOTH int cob_near_step(int runs)
{
    return runs | 1;
}

/* Further bytes of it: for the labels; the rule, the counts and the table, of as
 * many runs as a block has; and the sums of each warp. */
COB_BOTH long long cob_near_labels(long long labels, int label_bytes)
{
    return (labels * label_bytes + 15) / 16 * 16;
}

/* Parts of a rule begin at multiples of four numbers, which are read together. */
COB_BOTH long long cob_fours(long long count)
{
    return (count + 3) / 4 * 4;
}

COB_BOTH long long cob_rule_numbers(int to, int from, int diagonal)
{
    return cob_fours((long long)(diagonal ? 1 : to) * from) + 2 * cob_fours(to);
}

COB_BOTH long long cob_near_rule(int to, int from, int diagonal, int runs)
{
    return cob_fours(cob_rule_numbers(to, from, diagonal) * cob_near_step(runs)) *
           (long long)sizeof(double);
}

COB_BOTH long long cob_count_numbers(int to)
{
    return 2LL * to + 1;
}

COB_BOTH long long cob_near_counts(int to, int runs)
{
    return cob_count_numbers(to) * cob_near_step(runs) * (long long)sizeof(long long);
}

/* A row of a block's table. That of one run has an odd number of cells, so that lines of different
 * clusters, whose threads add to the same column at a time, seldom meet in a bank. */
COB_BOTH int cob_table_row(int from, int runs)
{
    return runs > 1 ? from : from | 1;
}

COB_BOTH long long cob_near_table(int to, int from, int runs)
{
    return (long long)to * cob_table_row(from, runs) * cob_near_step(runs) *
           (long long)sizeof(long long);
}

COB_BOTH int cob_sum_cells(int from, int packed)
{
    return (int)cob_fours(from) / packed;
}

COB_BOTH long long cob_near_sums(int from, int packed, int cell_bytes)
{
    return (long long)cob_sum_cells(from, packed) * COB_WARP * cell_bytes;
}

/* The size of a block's sums of kept lines, in 16 bits, with 32 behind them for each thread of a
 * warp that are no line's; and where that of a line begins, or beyond all of them, its number among
 * those that have no place. */
COB_BOTH long long cob_place_halves(const cob_near_places *places)
{
    return 4LL * places->doubles + 2LL * places->words + 2LL * places->pairs + 2LL * COB_WARP;
}

COB_BOTH long long cob_code_of(const cob_near_places *places, long long line)
{
    long long narrow = places->doubles + places->words;
    if (line >= places->count)
        return cob_place_halves(places) + line - places->count;
    if (line >= narrow) /* the lower halves first */
        return 4LL * places->doubles + 2LL * places->words + 2 * ((line - narrow) % places->pairs) +
               (line - narrow) / places->pairs;
    return line < places->doubles ? 4 * line : 2LL * places->doubles + 2 * line;
}

/* Where the sum of a kept line over a cluster stands. Lines count on from layer to layer, sums
 * from cluster to cluster of each layer. */
COB_BOTH long long cob_sum_at(const cob_lines_args *a, long long line, int cluster)
{
    long long layer = a->layers > 1 ? line / a->slot_count : 0;
    return line + (layer * (a->to - 1) + cluster) * a->slot_count;
}

#endif
