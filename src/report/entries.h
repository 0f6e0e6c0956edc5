/* A matrix in the order of its co-clustering, for the page and for pictures: its entries or, if
 * there are too many, their number in each cell of a grid.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_ENTRIES_H
#define COB_REPORT_ENTRIES_H

#include "report/order.h"
#include "report/packed.h"

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
