/* The kinds of stored values: which is the smallest that holds a number exactly, and how to read
 * and write an entry of any kind.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_VALUES_H
#define COB_MATRIX_VALUES_H

#include "base/ranks.h"
#include "base/vectors.h"

/* Bytes of one value; 0 for COBLOC_ONES. */
static inline size_t cob_kind_width(cobloc_value_kind kind)
{
    static const unsigned char width[] = {0, 1, 2, 4, 4, 8};
    return width[kind];
}

/* Bytes of an entry: its index and its value. */
static inline size_t cob_entry_bytes(cobloc_value_kind kind)
{
    return sizeof(int32_t) + cob_kind_width(kind);
}

static inline int cob_is_count(double value)
{
    return value >= 0 && value <= (double)UINT32_MAX && (double)(uint32_t)value == value;
}

/* Whether a kind holds a finite value exactly. */
static inline int cob_kind_holds(cobloc_value_kind kind, double value)
{
    static const double most[] = {1, UINT8_MAX, UINT16_MAX, UINT32_MAX};
    if (kind <= COBLOC_U32)
        return cob_is_count(value) && value <= most[kind] && (kind != COBLOC_ONES || value == 1);
    return kind == COBLOC_F64 || (value >= -3.4028234663852886e38 &&
                                  value <= 3.4028234663852886e38 && (double)(float)value == value);
}

/* The smallest kind that holds a finite value, and is not smaller than `at_least`. */
static inline cobloc_value_kind cob_kind_for(double value, cobloc_value_kind at_least)
{
    cobloc_value_kind kind = at_least;
    while (!cob_kind_holds(kind, value))
        kind = (cobloc_value_kind)(kind + 1);
    return kind;
}

/* Finds the kind for a set of values. Widening a kind value by value would not work, because a
 * float does not hold every count. Start with {0}, add every value, then ask for the kind. */
typedef struct cob_tally {
    uint32_t count_bits; /* all counts, or-ed together */
    int reals;           /* some value is not a count */
    int not_floats;      /* some value is not exact as a float */
} cob_tally;

static inline void cob_tally_add(cob_tally *tally, double value)
{
    if (cob_is_count(value))
        tally->count_bits |= (uint32_t)value;
    else
        tally->reals = 1;
    if (!cob_kind_holds(COBLOC_F32, value))
        tally->not_floats = 1;
}

static inline void cob_tally_merge(cob_tally *tally, const cob_tally *other)
{
    tally->count_bits |= other->count_bits;
    tally->reals |= other->reals;
    tally->not_floats |= other->not_floats;
}

static inline cobloc_value_kind cob_tally_kind(const cob_tally *tally)
{
    if (tally->reals)
        return tally->not_floats ? COBLOC_F64 : COBLOC_F32;
    return tally->count_bits <= 1            ? COBLOC_ONES
           : tally->count_bits <= UINT8_MAX  ? COBLOC_U8
           : tally->count_bits <= UINT16_MAX ? COBLOC_U16
                                             : COBLOC_U32;
}

/* Stores the finite doubles of `some` of `count` entries, those of this rank, in the smallest kind
 * that holds those of all ranks (or NULL: one process). *values is allocated (NULL for
 * COBLOC_ONES), or takes over *from, which is then NULL; those of other entries are not there. */
cobloc_status cob_values_pack(double **from, int64_t count, cob_between some, cob_ranks *ranks,
                              cobloc_value_kind *kind, void **values, cobloc_error *err);

/* Ranks that share sums over the values by rows; where a rank has only its own, a weigher makes
 * those of any other entry (matrix.h). */
typedef struct cob_weigher cob_weigher;
typedef struct cob_known_sums cob_known_sums;
typedef struct cob_shared_values {
    cob_ranks *ranks;
    const cob_weigher *weigher; /* NULL: all values are there, */
    cob_between weighed;        /* else those of these entries */
    double unit;                /* values are divided by it; 0: they are not */
    cob_known_sums *known;      /* sums over these values, which need not be made again; or NULL */
} cob_shared_values;

/* Sums of functions over the values of one matrix, as they were made. */
enum { COB_KNOWN_SUMS = 4 };
struct cob_known_sums {
    int count;
    double (*functions[COB_KNOWN_SUMS])(double);
    double sums[COB_KNOWN_SUMS];
};

/* Weighs the entries `first` to `last` - 1 by rows. At the end of a block (COB_SUM_BLOCK), all of
 * it will not be weighed again for a while. */
void cob_weigh_some(const cob_weigher *weigher, int64_t first, int64_t last, double *out);

/* Sums over all values are made in blocks of so many, which ranks share (cob_ranks_blocks). */
enum { COB_SUM_BLOCK = 1 << 20 };

/* The sum of a function over all values. For counts it uses a table: the function may be slow.
 * Without `shared` (NULL), there is one process. */
double cob_sum_over_values(const cobloc_view *view, double (*function)(double), int threads,
                           const cob_shared_values *shared);

static inline double cob_square(double x)
{
    return x * x;
}

/* The largest size of some of the values, and of those of other ranks. */
double cob_largest_value(const cobloc_view *view, cob_between entries,
                         const cob_shared_values *shared);

COB_INLINE double cob_value_get(cobloc_value_kind kind, const void *values, int64_t entry)
{
    switch (kind) {
    case COBLOC_ONES:
        return 1;
    case COBLOC_U8:
        return ((const uint8_t *)values)[entry];
    case COBLOC_U16:
        return ((const uint16_t *)values)[entry];
    case COBLOC_U32:
        return ((const uint32_t *)values)[entry];
    case COBLOC_F32:
        return ((const float *)values)[entry];
    case COBLOC_F64:
        return ((const double *)values)[entry];
    }
    return 0;
}

/* Runs `call` of an inlined function with KIND, the kind of values as a constant, among its
 * arguments: every kind then has a loop of its own. */
#define COB_FOR_KIND(kind, call)                                                                   \
    switch (kind) {                                                                                \
        COB_WITH_KIND(COBLOC_ONES, call);                                                          \
        COB_WITH_KIND(COBLOC_U8, call);                                                            \
        COB_WITH_KIND(COBLOC_U16, call);                                                           \
        COB_WITH_KIND(COBLOC_U32, call);                                                           \
        COB_WITH_KIND(COBLOC_F32, call);                                                           \
        COB_WITH_KIND(COBLOC_F64, call);                                                           \
    }
#define COB_WITH_KIND(constant, call)                                                              \
    case constant: {                                                                               \
        const cobloc_value_kind KIND = constant;                                                   \
        call;                                                                                      \
    } break

/* Stores a value that the kind holds. */
static inline void cob_value_set(cobloc_value_kind kind, void *values, int64_t entry, double value)
{
    switch (kind) {
    case COBLOC_ONES:
        break;
    case COBLOC_U8:
        ((uint8_t *)values)[entry] = (uint8_t)value;
        break;
    case COBLOC_U16:
        ((uint16_t *)values)[entry] = (uint16_t)value;
        break;
    case COBLOC_U32:
        ((uint32_t *)values)[entry] = (uint32_t)value;
        break;
    case COBLOC_F32:
        ((float *)values)[entry] = (float)value;
        break;
    case COBLOC_F64:
        ((double *)values)[entry] = value;
        break;
    }
}

#endif
