/* cobloc: the rows or columns of a matrix as points in the plane.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_MAP_H
#define COBLOC_MAP_H

#include "cobloc/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options of a map: neighbours, dims, iterations, seed, ... */
typedef struct cobloc_map_options cobloc_map_options;
COBLOC_API cobloc_status cobloc_map_options_new(cobloc_map_options **out, cobloc_error *err);
COBLOC_API void cobloc_map_options_free(cobloc_map_options *options);

/* Where the rows are: x, y, and the share of neighbours that were kept. */
typedef struct cobloc_map cobloc_map;

/* Places rows in the plane so that rows with similar entries are near each other. It knows nothing
 * of clusters. Time grows with the entries and with n log n of the rows; the same seed gives the
 * same map, whatever the threads. `options` may be NULL. */
COBLOC_API cobloc_status cobloc_map_rows(const cobloc_matrix *matrix,
                                         const cobloc_map_options *options, cobloc_map **out,
                                         cobloc_error *err);
/* The same of the columns: n of the map are these. */
COBLOC_API cobloc_status cobloc_map_cols(const cobloc_matrix *matrix,
                                         const cobloc_map_options *options, cobloc_map **out,
                                         cobloc_error *err);
COBLOC_API void cobloc_map_free(cobloc_map *map);

#ifdef __cplusplus
}
#endif

#endif
