/* JSON, with a message for everything that is not as expected.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_JSON_H
#define COB_BASE_JSON_H

#include "base/names.h"

#include <jansson.h>

/* As json_loadb and json_dumps, whatever the locale; numbers in full precision. */
json_t *cob_json_parse(const char *text, size_t size, size_t flags, json_error_t *wrong);
char *cob_json_print(const json_t *value, size_t flags);

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

/* ---- texts ----------------------------------------------------------------------------------- */

/* A text, or a list of its bytes where it is not UTF-8; NULL is null. */
json_t *cob_json_from_text(const char *text);
/* The same back, in new memory; null: none. */
cobloc_status cob_json_to_text(json_t *value, char **text, cobloc_error *err);

/* The list of exactly `count` texts under a key; null: none. */
cobloc_status cob_json_names(json_t *object, const char *key, int64_t count, cob_names *names,
                             cobloc_error *err);

#endif
