/* Structs with a table of fields as JSON, and back.
 *
 * Names are words, separated by blanks: those of fields, or "key=field" where JSON has another name
 * for it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_RECORD_H
#define COB_BASE_RECORD_H

#include "base/fields.h"

#include <jansson.h>

/* An object with these fields. Numbers that are not finite, and what is not there, are null; tables
 * are lists of lists; a text that is not UTF-8 is a list of its bytes. NULL: no memory. */
json_t *cob_record_json(const void *record, const cob_type *type, const char *names);

/* What may stand in JSON. */
typedef struct cob_record_rule {
    bool needed;  /* arrays must be there */
    bool holes;   /* a null among numbers is NaN, else an error */
    bool limited; /* whole numbers are from `least` to `most`, else as the table says */
    int64_t least, most;
} cob_record_rule;

/* Fills in these fields of a struct that holds nothing there yet: every key must be there and of
 * the right kind. Arrays get new memory and must have the length that the struct says. What is
 * filled in already is the struct's to release, also on failure. */
cobloc_status cob_record_read(json_t *from, const cob_type *type, const char *names,
                              cob_record_rule rule, void *record, cobloc_error *err);

#endif
