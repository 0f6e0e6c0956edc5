/* Numbers are written and read with a point, whatever locale the program has set. This file does it
 * for functions of the C library, and of others that call these.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_PLAIN_H
#define COB_BASE_PLAIN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Between these two calls the calling thread has the plain locale, "C". */
typedef struct cob_plain {
    void *before;
} cob_plain;
cob_plain cob_plain_begin(void);
void cob_plain_end(cob_plain plain);

/* strtod and snprintf in that locale. */
double cob_plain_strtod(const char *text, char **end);
int cob_plain_print(char *text, size_t room, const char *format, ...) COB_PRINTF(3, 4);
int cob_plain_vprint(char *text, size_t room, const char *format, va_list args);

/* Whether two texts, or their first `count` bytes, are the same but for the case of ASCII letters.
 * (To strcasecmp in a Turkish locale, INTEGER is not integer.) */
bool cob_plain_same(const char *a, const char *b);
bool cob_plain_same_first(const char *a, const char *b, size_t count);

#endif
