/* A matrix in the order of its co-clustering, for the page and for pictures: its entries, or, where
 * these are too many, how many of them there are in each field of a grid.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_ENTRIES_H
#define COB_REPORT_ENTRIES_H

#include "report/order.h"
#include "report/packed.h"

/* Counts of entries: `rows` by `cols` fields over all places. Place p of n falls into field
 * p * rows / n. */
typedef struct cob_grid {
    int rows, cols;
    uint32_t *counts;
} cob_grid;

/* Orders are NULL for lines as they came. Only columns at the places col_from to col_to - 1 count.
 */
cobloc_status cob_grid_of(const cobloc_matrix *matrix, const cob_order *rows, const cob_order *cols,
                          int64_t col_from, int64_t col_to, int grid_rows, int grid_cols,
                          cob_grid *grid, cobloc_error *err);
void cob_grid_free(cob_grid *grid);

/* How many entries there are in each block: rows' clusters by columns' clusters. */
cobloc_status cob_count_blocks(const cobloc_matrix *matrix, const cobloc_result *result,
                               int64_t **counts, cobloc_error *err);

/* How values are packed. */
typedef enum cob_value_code {
    COB_VALUES_ONES = 0, /* not at all */
    COB_VALUES_COUNTS,   /* as varints */
    COB_VALUES_REALS     /* two bytes each, on a scale of logarithms from the least to the most */
} cob_value_code;

typedef struct cob_packed_entries {
    cob_value_code code;
    double least, most; /* of all values */
    cob_bytes places;   /* of each row in order: how many entries, then the gaps between places */
    cob_bytes values;
} cob_packed_entries;

/* All entries, row after row and place after place. */
cobloc_status cob_pack_entries(const cobloc_matrix *matrix, const cob_order *rows,
                               const cob_order *cols, cob_packed_entries *packed,
                               cobloc_error *err);
void cob_packed_entries_free(cob_packed_entries *packed);

#endif
