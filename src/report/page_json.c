/* JSON inside an HTML page.
 * SPDX-License-Identifier: MIT
 */
#include "report/page_json.h"

#include "base/utf8.h"

#include <math.h>
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
            cob_file_print(file, "\\u%04X", (unsigned)point);
        }
        p += length > 0 ? length : 1;
    }
    cob_file_char(file, '"');
}

static void start(cob_page_json *json, const char *key)
{
    if (json->comma)
        cob_file_char(json->file, ',');
    if (key) {
        put_text(json->file, key);
        cob_file_char(json->file, ':');
    }
    json->comma = true;
}

void cob_page_open(cob_page_json *json, const char *key, char bracket)
{
    start(json, key);
    cob_file_char(json->file, bracket);
    json->comma = false;
}

void cob_page_close(cob_page_json *json, char bracket)
{
    cob_file_char(json->file, bracket);
    json->comma = true;
}

void cob_page_text(cob_page_json *json, const char *key, const char *text)
{
    start(json, key);
    if (text)
        put_text(json->file, text);
    else
        cob_file_text(json->file, "null");
}

void cob_page_number(cob_page_json *json, const char *key, double number)
{
    start(json, key);
    if (isfinite(number))
        cob_file_number(json->file, number);
    else
        cob_file_text(json->file, "null");
}

void cob_page_bool(cob_page_json *json, const char *key, bool value)
{
    start(json, key);
    cob_file_text(json->file, value ? "true" : "false");
}

void cob_page_numbers(cob_page_json *json, const char *key, const double *numbers, int64_t count)
{
    cob_page_open(json, key, '[');
    for (int64_t i = 0; i < count; i++)
        cob_page_number(json, NULL, numbers[i]);
    cob_page_close(json, ']');
}

void cob_page_integers(cob_page_json *json, const char *key, const int64_t *numbers, int64_t count)
{
    cob_page_open(json, key, '[');
    for (int64_t i = 0; i < count; i++) {
        start(json, NULL);
        cob_file_integer(json->file, numbers[i]);
    }
    cob_page_close(json, ']');
}

void cob_page_html(cob_file *file, const char *text)
{
    static const char special[] = "<>&\"";
    static const char *const names[] = {"lt", "gt", "amp", "quot"};
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        if (found)
            cob_file_print(file, "&%s;", names[found - special]);
        else
            cob_file_char(file, *text);
    }
}
