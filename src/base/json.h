/* Reading JSON with a sentence for whatever is not as it should be.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_JSON_H
#define COB_BASE_JSON_H

#include "base/names.h"

#include <jansson.h>
#include <stdbool.h>

/* Reads a file; whose keys must not repeat. Release with json_decref. */
cobloc_status cob_json_read(const char *path, json_t **out, cobloc_error *err);

/* A key of an object that must be a number; `fallback` where it is missing. */
cobloc_status cob_json_number(json_t *object, const char *key, double fallback, double *value,
                              cobloc_error *err);

/* The same for whole numbers from 0. A negative fallback: it may not be missing. */
cobloc_status cob_json_whole(json_t *object, const char *key, json_int_t fallback, int64_t *value,
                             cobloc_error *err);

/* The `count` numbers of a list, whose name is for messages. */
cobloc_status cob_json_numbers(json_t *list, const char *name, size_t count, double *to,
                               cobloc_error *err);

/* ---- values that must be there --------------------------------------------------------------- */

cobloc_status cob_json_at(json_t *object, const char *key, json_t **value, cobloc_error *err);

/* A number; null is NaN. */
cobloc_status cob_json_real(json_t *object, const char *key, double *value, cobloc_error *err);
/* Whole numbers from `least` to `most`. */
cobloc_status cob_json_integer(json_t *object, const char *key, int64_t least, int64_t most,
                               int64_t *value, cobloc_error *err);
cobloc_status cob_json_int(json_t *object, const char *key, int least, int most, int *value,
                           cobloc_error *err);
cobloc_status cob_json_bool(json_t *object, const char *key, bool *value, cobloc_error *err);
/* The i, 0 to last, whose name `name_of` gives. */
cobloc_status cob_json_choice(json_t *object, const char *key, const char *const *names,
                              int *choice, cobloc_error *err);
/* A text in new memory, or a list of its bytes where it is not UTF-8; null: none. */
cobloc_status cob_json_text(json_t *object, const char *key, char **text, cobloc_error *err);

/* Lists of exactly `count`, in new memory; null: none, and nothing is set. On failure what was
 * allocated is still the caller's to free. */
cobloc_status cob_json_names(json_t *object, const char *key, int64_t count, cob_names *names,
                             cobloc_error *err);
/* `holes`: a null among the numbers is NaN, else it is an error. */
cobloc_status cob_json_list(json_t *object, const char *key, int64_t count, bool holes, double **to,
                            cobloc_error *err);
/* A list of `rows` lists of `cols` numbers. */
cobloc_status cob_json_table(json_t *object, const char *key, int64_t rows, int64_t cols,
                             bool holes, double **to, cobloc_error *err);
cobloc_status cob_json_integers(json_t *object, const char *key, int64_t count, int64_t least,
                                int64_t most, int64_t **to, cobloc_error *err);
/* Clusters, -1: none. */
cobloc_status cob_json_labels(json_t *object, const char *key, int64_t count, int clusters,
                              int32_t **to, cobloc_error *err);

#endif
