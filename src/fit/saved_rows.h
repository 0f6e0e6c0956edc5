/* Reading the tables of a result's folder.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_SAVED_ROWS_H
#define COB_FIT_SAVED_ROWS_H

#include "base/names.h"

/* Clusters of `count` lines, -1 to clusters - 1, from rows.tsv; `names` (if not NULL) gets the
 * names.
 */
cobloc_status cob_saved_labels_read(const char *path, int64_t count, int clusters, int32_t **labels,
                                    cob_names *names, cobloc_error *err);

/* count by clusters, from rows.probabilities.tsv. */
cobloc_status cob_saved_probabilities_read(const char *path, int64_t count, int clusters,
                                           double **probabilities, cobloc_error *err);

#endif
