/* JSON inside a page: whatever a name holds, it can neither end the script element around it nor
 * be taken for anything but text.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_PUT_H
#define COB_REPORT_PUT_H

#include "base/file.h"

#include <stdbool.h>

typedef struct cob_put {
    cob_file *file;
    bool comma; /* something stands before the next value */
} cob_put;

/* `key` is NULL inside arrays. */
void cob_put_open(cob_put *put, const char *key, char bracket);
void cob_put_close(cob_put *put, char bracket);
void cob_put_text(cob_put *put, const char *key, const char *text); /* NULL: null */
void cob_put_number(cob_put *put, const char *key, double number);  /* not finite: null */
void cob_put_bool(cob_put *put, const char *key, bool value);
void cob_put_numbers(cob_put *put, const char *key, const double *numbers, int64_t count);
void cob_put_integers(cob_put *put, const char *key, const int64_t *numbers, int64_t count);

/* Text for HTML's elements and attributes. */
void cob_write_html(cob_file *file, const char *text);

#endif
