/* Reading model.json.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_SAVED_MODEL_H
#define COB_FIT_SAVED_MODEL_H

#include "base/names.h"
#include "fit/saved.h"

#include <jansson.h>

/* The keys of model.json, see base/record.h, that are read as they are written. Of the options: */
#define COB_SAVED_OPTIONS                                                                          \
    "k l inference weight init=start restarts max_iter=max_iterations tol=tolerance max_seconds"
#define COB_SAVED_LABELS "start_rows start_cols fix_rows fix_cols"
/* of the result: */
#define COB_SAVED_NUMBERS                                                                          \
    "criterion iterations stop repaired at_bound r_hat icl modularity explained_information "      \
    "effect_scale unit mean_length scale dust agreement"
/* those that folders of before do not have, */
#define COB_SAVED_MORE "log_likelihood free_parameters"
#define COB_SAVED_TABLES "row_proportions col_proportions blocks parameters restart_criteria trace"
/* and of the matrix: */
#define COB_SAVED_INPUT "path=input format variable missing values total"

/* What the other files of the folder hold. */
typedef struct cob_saved_flags {
    bool row_names, row_probabilities;
    cob_digests digests; /* 0: not known */
} cob_saved_flags;

/* Fills in all but the folder, the rows' labels, names and probabilities. What is filled in already
 * is the caller's to free, also on failure. */
cobloc_status cob_saved_model_read(const char *path, cobloc_saved *saved, cob_saved_flags *flags,
                                   cobloc_error *err);
/* The same from what such a file holds. */
cobloc_status cob_saved_model_take(json_t *root, cobloc_saved *saved, cob_saved_flags *flags,
                                   cobloc_error *err);

/* What such a file holds, without the digests; NULL: no memory. */
json_t *cob_model_json(const cobloc_saved *saved);
/* Names as a list; null where there are none. */
json_t *cob_names_json(const cob_names *names);

/* ---- the tables of the rows (saved_rows.c) --------------------------------------------------- */

/* Clusters of `count` lines, -1 to clusters - 1, from rows.tsv; `names` (if not NULL) gets the
 * names.
 */
cobloc_status cob_saved_labels_read(const char *path, int64_t count, int clusters, int32_t **labels,
                                    cob_names *names, cobloc_error *err);

/* count by clusters, from rows.probabilities.tsv. */
cobloc_status cob_saved_probabilities_read(const char *path, int64_t count, int clusters,
                                           double **probabilities, cobloc_error *err);

#endif
