/* Entries of a device's lines, and the sums that its threads add them to.
 *
 * VALUE, ONES, LABEL and SUM say what is compiled: the kind of entries, of labels and of sums; PACKED,
 * how many sums share 32 bits, where none of them needs more; KEPT, sums of lines that were cut.
 *
 * SPDX-License-Identifier: MIT
 */
#define AT(type, address) ((type *)(address))

HERE SUM value_at(cob_address values, long long e)
{
#ifdef ONES
    (void)values;
    (void)e;
    return 1;
#else
    return (SUM)(long long)READ_ONCE(AT(const VALUE, values) + e);
#endif
}

/* The four values of quad number q. Bytes are read together. */
HERE void read_values(const cob_lines_args *a, long long q, SUM *value)
{
#ifdef ONES
    enum { BYTES = 0 };
#else
    enum { BYTES = sizeof(VALUE) == 1 };
#endif
    unsigned four = BYTES ? READ_ONCE(AT(const unsigned, a->quad_values) + q) : 0;
    for (int i = 0; i < COB_QUAD; i++)
        value[i] = BYTES ? (SUM)(four >> 8 * i & 255) : value_at(a->quad_values, COB_QUAD * q + i);
}

/* The sums of a thread are in cells, COB_WARP apart. */
#if PACKED > 1
typedef unsigned CELL;
#else
typedef SUM CELL;
#endif

HERE void add_sum(CELL *cells, unsigned label, SUM value)
{
#if PACKED > 1
    add_counter(cells + label / PACKED * COB_WARP,
                (unsigned)value << 32 / PACKED * (label % PACKED));
#else
    add_own(cells + label * COB_WARP, value);
#endif
}

HERE long long cell_sum(const CELL *cells, unsigned label)
{
#if PACKED > 1
    unsigned cell = cells[label / PACKED * COB_WARP];
    return cell >> 32 / PACKED * (label % PACKED) & ((1u << 32 / PACKED) - 1);
#else
    return (long long)cells[label * COB_WARP];
#endif
}

/* Adds the entries of a slice that are a thread's own. Reads that do
 * not wait for each other come first, then what is done with them. */
HERE void add_entries(const cob_lines_args *a, const LABEL *labels, cob_slice slice, int lane,
                      CELL *cells)
{
    enum { AT_ONCE = 4 };
    for (int q = 0; q < slice.quads; q += AT_ONCE) {
        int index[AT_ONCE * COB_QUAD], label[AT_ONCE * COB_QUAD];
        SUM value[AT_ONCE * COB_QUAD] = {0};
        for (int i = 0; i < AT_ONCE; i++) {
            long long at = (slice.first + q + i) * COB_WARP + lane;
            QUAD four = {-1, -1, -1, -1};
            if (q + i < slice.quads) {
                four = READ_ONCE(AT(const QUAD, a->quad_indices) + at);
                read_values(a, at, value + COB_QUAD * i);
            }
            index[COB_QUAD * i] = four.x;
            index[COB_QUAD * i + 1] = four.y;
            index[COB_QUAD * i + 2] = four.z;
            index[COB_QUAD * i + 3] = four.w;
        }
        for (int i = 0; i < AT_ONCE * COB_QUAD; i++)
            label[i] = index[i] >= 0 ? (int)labels[index[i]] : 0;
        for (int i = 0; i < AT_ONCE * COB_QUAD; i++)
            if (index[i] >= 0)
                add_sum(cells, (unsigned)label[i], value[i]);
    }
}
