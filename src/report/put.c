/* JSON inside a page.
 * SPDX-License-Identifier: MIT
 */
#include "report/put.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The length of the well-formed UTF-8 sequence at `p`; 0: it is none. */
static size_t utf8_length(const unsigned char *p)
{
    static const unsigned char first[] = {0xC2, 0xE0, 0xF0}, last[] = {0xDF, 0xEF, 0xF4};
    if (p[0] < 0x80)
        return 1;
    for (size_t more = 1; more <= 3; more++) {
        if (p[0] < first[more - 1] || p[0] > last[more - 1])
            continue;
        for (size_t i = 1; i <= more; i++)
            if ((p[i] & 0xC0) != 0x80)
                return 0;
        bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
        bool no_point = (p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF4 && p[1] > 0x8F);
        return overlong || no_point ? 0 : more + 1;
    }
    return 0;
}

/* In JSON, and in HTML around it, only letters may look like letters. */
static bool is_plain(const unsigned char *p)
{
    bool line_end = p[0] == 0xE2 && p[1] == 0x80 && (p[2] == 0xA8 || p[2] == 0xA9);
    return p[0] >= 0x20 && p[0] != 0x7F && !strchr("\"\\<>&'", p[0]) && !line_end;
}

static void put_text(cob_file *file, const char *text)
{
    cob_file_char(file, '"');
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        size_t length = utf8_length(p);
        char escape[16];
        if (length > 0 && is_plain(p)) {
            cob_file_bytes(file, p, length);
        } else {
            unsigned point = length == 1   ? p[0]
                             : length == 3 ? 0x2028u + (p[2] - 0xA8u)
                                           : 0xFFFD; /* no UTF-8 */
            snprintf(escape, sizeof escape, "\\u%04X", point);
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
