/* JSON inside an HTML page: no name, whatever it contains, can end the script element around it or
 * be read as anything but text.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_PAGE_JSON_H
#define COB_REPORT_PAGE_JSON_H

#include "base/file.h"

#include <stdbool.h>

typedef struct cob_page_json {
    cob_file *file;
    bool comma; /* the next value needs a comma */
} cob_page_json;

/* `key` is NULL inside arrays. */
void cob_page_open(cob_page_json *json, const char *key, char bracket);
void cob_page_close(cob_page_json *json, char bracket);
void cob_page_text(cob_page_json *json, const char *key,
                   const char *text); /* NULL is written as null */
void cob_page_number(cob_page_json *json, const char *key, double number); /* null unless finite */
void cob_page_bool(cob_page_json *json, const char *key, bool value);
void cob_page_numbers(cob_page_json *json, const char *key, const double *numbers, int64_t count);
void cob_page_integers(cob_page_json *json, const char *key, const int64_t *numbers, int64_t count);

/* Escapes text for HTML elements and attributes. */
void cob_page_html(cob_file *file, const char *text);

#endif
