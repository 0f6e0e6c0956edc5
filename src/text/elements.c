/* JSON arrays and mailboxes: where their documents begin and end.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* memrchr, memmem */
#include "text/json_lines.h"

#include <string.h>

static int64_t count_lines(const char *text, size_t size)
{
    int64_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == '\n';
    return count;
}

/* ---- JSON arrays ----------------------------------------------------------------------------- */

/* After the string whose opening quote is at `at`; `size` if it does not end. */
static size_t after_string(const char *text, size_t size, size_t at)
{
    for (at++; at < size && text[at] != '"'; at++)
        at += text[at] == '\\';
    return at < size ? at + 1 : size;
}

size_t cob_json_element(const char *text, size_t size)
{
    int64_t depth = 0;
    for (size_t at = 0; at < size;) {
        char c = text[at];
        if (c == '"') {
            at = after_string(text, size, at);
            continue;
        }
        if (depth == 0 && (c == ',' || c == ']'))
            return at;
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        at++;
    }
    return size;
}

size_t cob_cut_elements(const char *text, size_t size, int final, int64_t *records, int64_t *lines)
{
    size_t whole = 0;
    for (size_t at = 0; at < size && !final;) {
        at += cob_json_element(text + at, size - at) + 1;
        if (at <= size) {
            whole = at;
            ++*records;
        }
    }
    whole = final ? size : whole;
    *lines += count_lines(text, whole);
    return whole;
}

/* ---- mailboxes ------------------------------------------------------------------------------- */

/* Whether the line end at `text[at]` ends an empty line, and "From " follows. */
static bool ends_message(const char *text, size_t size, size_t at)
{
    bool empty = at > 0 &&
                 (text[at - 1] == '\n' || (at > 1 && text[at - 1] == '\r' && text[at - 2] == '\n'));
    return empty && size - at > 6 && memcmp(text + at, "\nFrom ", 6) == 0;
}

size_t cob_mbox_message(const char *text, size_t size)
{
    const char *p = text, *end = text + size;
    for (; (p = memmem(p, (size_t)(end - p), "\nFrom ", 6)); p++)
        if (ends_message(text, size, (size_t)(p - text)))
            return (size_t)(p - text) + 1;
    return size;
}

size_t cob_cut_mbox(const char *text, size_t size, int final, int64_t *records, int64_t *lines)
{
    size_t whole = final ? size : 0;
    const char *end = text + size;
    while (whole == 0 && (end = memrchr(text, '\n', (size_t)(end - text))))
        if (ends_message(text, size, (size_t)(end - text)))
            whole = (size_t)(end - text) + 1;
    *lines += count_lines(text, whole);
    for (size_t at = 0; at < whole; at += cob_mbox_message(text + at, whole - at))
        ++*records;
    return whole;
}
