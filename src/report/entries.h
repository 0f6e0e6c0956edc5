/* A matrix in the order of its co-clustering, for the page and for pictures: its entries or, if
 * there are too many, their number in each cell of a grid.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_ENTRIES_H
#define COB_REPORT_ENTRIES_H

#include "base/file.h"
#include "report/charts.h"

#include <stdbool.h>

/* ---- the order of rows or columns by cluster (order.c) --------------------------------------- */

typedef struct cob_order {
    int64_t count;
    int clusters;
    int32_t *at;     /* the line at each place */
    int32_t *place;  /* the place of each line */
    int64_t *starts; /* cluster c has places starts[c] to starts[c + 1] - 1; lines without a cluster
                        follow the last */
} cob_order;

cobloc_status cob_order_of(const int32_t *labels, int64_t count, int clusters, cob_order *order,
                           cobloc_error *err);
void cob_order_free(cob_order *order);

/* ---- bytes for the page, compressed and as base64 (packed.c) --------------------------------- */

/* Growing bytes. The first failure is remembered in `failed`, so that adding needs no checks.
 * Zero-initialised. */
typedef struct cob_bytes {
    unsigned char *data;
    size_t size, capacity;
    bool failed;
} cob_bytes;

void cob_bytes_free(cob_bytes *bytes);
void cob_bytes_add(cob_bytes *bytes, const void *data, size_t size);
void cob_bytes_byte(cob_bytes *bytes, unsigned char byte);
/* Seven bits per byte, lowest first; the highest bit is set if more follow. */
void cob_bytes_varint(cob_bytes *bytes, uint64_t number);

/* Deflates (zlib format) into new memory; the input is released. */
cobloc_status cob_bytes_deflate(cob_bytes *bytes, cob_bytes *out, cobloc_error *err);

void cob_write_base64(cob_file *file, const cob_bytes *bytes);

/* ---- entries (entries.c) --------------------------------------------------------------------- */

/* Counts of entries in a grid of `rows` by `cols` cells. Place p of n falls into cell p * rows / n.
 */
typedef struct cob_grid {
    int rows, cols;
    uint32_t *counts;
} cob_grid;

/* A NULL order means the original order. Only columns at places col_from to col_to - 1 count. */
cobloc_status cob_grid_of(const cobloc_matrix *matrix, const cob_order *rows, const cob_order *cols,
                          int64_t col_from, int64_t col_to, int grid_rows, int grid_cols,
                          cob_grid *grid, cobloc_error *err);
void cob_grid_free(cob_grid *grid);

/* Counts the entries of each block: row clusters by column clusters. */
cobloc_status cob_count_blocks(const cobloc_matrix *matrix, const cobloc_result *result,
                               int64_t **counts, cobloc_error *err);

/* How values are packed. */
typedef enum cob_value_code {
    COB_VALUES_ONES = 0, /* not stored */
    COB_VALUES_COUNTS,   /* as varints */
    COB_VALUES_REALS     /* four bytes each: the upper half of a double, rounded */
} cob_value_code;

typedef struct cob_packed_entries {
    cob_value_code code;
    double most;      /* the largest absolute value */
    cob_bytes places; /* for each row in order: the number of entries, then the gaps between their
                         places */
    cob_bytes values;
} cob_packed_entries;

/* All entries, row by row in the new order. */
cobloc_status cob_pack_entries(const cobloc_matrix *matrix, const cob_order *rows,
                               const cob_order *cols, cob_packed_entries *packed,
                               cobloc_error *err);
void cob_packed_entries_free(cob_packed_entries *packed);

#endif
