/* JSON inside a page.
 * SPDX-License-Identifier: MIT
 */
#include "report/put.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether a character may stand unescaped in JSON, and in the HTML around it. U+2028 and U+2029 end
 * a line in JavaScript. */
static bool is_plain(uint32_t point)
{
    bool special = point < 0x80 && strchr("\"\\<>&'", (int)point);
    return point >= 0x20 && point != 0x7F && !special && point != 0x2028 && point != 0x2029;
}

static void put_text(cob_file *file, const char *text)
{
    cob_file_char(file, '"');
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        uint32_t point = 0xFFFD; /* the replacement character, for a byte that is not UTF-8 */
        size_t length = cob_utf8_next(p, COB_UTF8_LONGEST, &point);
        if (length > 0 && is_plain(point)) {
            cob_file_bytes(file, p, length);
        } else {
            char escape[16];
            snprintf(escape, sizeof escape, "\\u%04X", (unsigned)point);
            cob_file_text(file, escape);
        }
        p += length > 0 ? length : 1;
    }
    cob_file_char(file, '"');
}

static void start(cob_put *j, const char *key)
{
    if (j->comma)
        cob_file_char(j->file, ',');
    if (key) {
        put_text(j->file, key);
        cob_file_char(j->file, ':');
    }
    j->comma = true;
}

void cob_put_open(cob_put *j, const char *key, char bracket)
{
    start(j, key);
    cob_file_char(j->file, bracket);
    j->comma = false;
}

void cob_put_close(cob_put *j, char bracket)
{
    cob_file_char(j->file, bracket);
    j->comma = true;
}

void cob_put_text(cob_put *j, const char *key, const char *text)
{
    start(j, key);
    if (text)
        put_text(j->file, text);
    else
        cob_file_text(j->file, "null");
}

void cob_put_number(cob_put *j, const char *key, double number)
{
    start(j, key);
    if (isfinite(number))
        cob_file_number(j->file, number);
    else
        cob_file_text(j->file, "null");
}

void cob_put_bool(cob_put *j, const char *key, bool value)
{
    start(j, key);
    cob_file_text(j->file, value ? "true" : "false");
}

void cob_put_numbers(cob_put *j, const char *key, const double *numbers, int64_t count)
{
    cob_put_open(j, key, '[');
    for (int64_t i = 0; i < count; i++)
        cob_put_number(j, NULL, numbers[i]);
    cob_put_close(j, ']');
}

void cob_put_integers(cob_put *j, const char *key, const int64_t *numbers, int64_t count)
{
    cob_put_open(j, key, '[');
    for (int64_t i = 0; i < count; i++) {
        start(j, NULL);
        cob_file_integer(j->file, numbers[i]);
    }
    cob_put_close(j, ']');
}

void cob_write_html(cob_file *file, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            cob_file_text(file, "&lt;");
            break;
        case '>':
            cob_file_text(file, "&gt;");
            break;
        case '&':
            cob_file_text(file, "&amp;");
            break;
        case '"':
            cob_file_text(file, "&quot;");
            break;
        default:
            cob_file_char(file, *text);
        }
    }
}
