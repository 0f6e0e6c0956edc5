/* Options of a map, and what it consists of.
 * SPDX-License-Identifier: MIT
 */
#include "map/map.h"

#define S cobloc_map_options
static const cob_named_field map_options[] = {
    COB_INT(neighbours, "How many nearest rows each is drawn to.", COB_RANGE(2, 100, 15)),
    COB_INT(dims, "Singular vectors in which neighbours are found.", COB_RANGE(2, 200, 30)),
    COB_INT(iterations, "Steps of all rows.", COB_RANGE(1, 100000, 400)),
    COB_INT(seed, "Random seed. The same seed gives the same map for any number of threads.",
            COB_ANY_SEED),
    COB_INT(threads, COB_THREADS_HELP, COB_SOME_THREADS),
    COB_PROGRESS(progress),
};
const cob_type cob_map_options_type = COB_TYPE("the map options", COB_OPTIONS, map_options);
#undef S

#define S cobloc_map
static const cob_named_field map[] = {
    COB_INT(n, "Rows."),
    COB_REALS(x, n, "Where each is, from 0 to 1; NaN: it has no entries."),
    COB_REALS(y, n, "The same upwards."),
    COB_INT(neighbours, "Nearest rows that were looked at."),
    COB_REAL(kept, "The share of them that are among as many nearest rows on the map: its quality, "
                   "0 to 1."),
};
const cob_type cob_map_type = COB_TYPE("the map", COB_RESULT, map);
#undef S

COB_DEFINE_OPTIONS(map_options)
COB_DEFINE_FREE(map)
