/* Reading JSON, with a message for everything that is not as expected.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_JSON_H
#define COB_BASE_JSON_H

#include "base/names.h"

#include <jansson.h>
#include <stdbool.h>

/* Reads a file; repeated keys are an error. Release with json_decref. */
cobloc_status cob_json_read(const char *path, json_t **out, cobloc_error *err);

/* A number under a key; `fallback` if the key is missing. */
cobloc_status cob_json_number(json_t *object, const char *key, double fallback, double *value,
                              cobloc_error *err);

/* The same for whole numbers from 0. With a negative fallback the key is required. */
cobloc_status cob_json_whole(json_t *object, const char *key, json_int_t fallback, int64_t *value,
                             cobloc_error *err);

/* The `count` numbers of a list; `name` is what messages call it. */
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
/* The index of the text in `names`. */
cobloc_status cob_json_choice(json_t *object, const char *key, const char *const *names,
                              int *choice, cobloc_error *err);
/* A text in new memory; null gives NULL. A text that is not UTF-8 is stored as a list of its bytes.
 */
cobloc_status cob_json_text(json_t *object, const char *key, char **text, cobloc_error *err);

/* Lists of exactly `count` elements, in new memory; null leaves everything unset. On failure the
 * caller still frees what was allocated. */
cobloc_status cob_json_names(json_t *object, const char *key, int64_t count, cob_names *names,
                             cobloc_error *err);
/* If `holes`, null elements become NaN; otherwise they are an error. */
cobloc_status cob_json_list(json_t *object, const char *key, int64_t count, bool holes, double **to,
                            cobloc_error *err);
/* A list of `rows` lists of `cols` numbers. */
cobloc_status cob_json_table(json_t *object, const char *key, int64_t rows, int64_t cols,
                             bool holes, double **to, cobloc_error *err);
cobloc_status cob_json_integers(json_t *object, const char *key, int64_t count, int64_t least,
                                int64_t most, int64_t **to, cobloc_error *err);
/* Cluster labels; -1 means none. */
cobloc_status cob_json_labels(json_t *object, const char *key, int64_t count, int clusters,
                              int32_t **to, cobloc_error *err);

#endif
