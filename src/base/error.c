/* Statuses and messages.
 * SPDX-License-Identifier: MIT
 */
#include "base/error.h"

#include "base/plain.h"

#include <stdio.h>
#include <string.h>

#define STRINGIFY(x) #x
#define VERSION_TEXT(a, b, c) STRINGIFY(a) "." STRINGIFY(b) "." STRINGIFY(c)

const char *cobloc_version(void)
{
    return VERSION_TEXT(COBLOC_VERSION_MAJOR, COBLOC_VERSION_MINOR, COBLOC_VERSION_PATCH);
}

const char *const cob_status_names[] = {[COBLOC_OK] = "ok",
                                        [COBLOC_BAD_ARGUMENT] = "bad argument",
                                        [COBLOC_BAD_DATA] = "bad data",
                                        [COBLOC_IO] = "input/output error",
                                        [COBLOC_NO_MEMORY] = "out of memory",
                                        [COBLOC_UNSUPPORTED] = "unsupported",
                                        [COBLOC_CANCELLED] = "cancelled",
                                        [COBLOC_ELSEWHERE] = "another rank failed",
                                        NULL};

const char *cobloc_status_name(cobloc_status status)
{
    return (int)status >= 0 && status <= COBLOC_ELSEWHERE ? cob_status_names[status]
                                                          : "unknown status";
}

/* A message that had to be cut must not end inside a UTF-8 character. */
static void trim_partial_character(char *text)
{
    size_t end = strlen(text);
    size_t start = end;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0 || (unsigned char)text[start - 1] < 0xC0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (end - (start - 1) < wanted)
        text[start - 1] = '\0';
}

cobloc_status cob_fail(cobloc_error *err, cobloc_status code, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        int length = cob_plain_vprint(err->message, sizeof err->message, format, args);
        va_end(args);
        if (length >= (int)sizeof err->message)
            trim_partial_character(err->message);
        cobloc_make_harmless(err->message);
        err->status = code;
    }
    return code;
}

cobloc_status cob_fail_at(cobloc_error *err, cobloc_status code, const char *format, ...)
{
    if (err && code != COBLOC_NO_MEMORY && code != COBLOC_CANCELLED && code != COBLOC_ELSEWHERE) {
        char sentence[sizeof err->message];
        memcpy(sentence, err->message, sizeof sentence);
        char place[sizeof err->message];
        va_list args;
        va_start(args, format);
        vsnprintf(place, sizeof place, format, args);
        va_end(args);
        if (strncmp(sentence, place, strlen(place)) != 0)
            cob_fail(err, code, "%s%s", place, sentence);
    }
    return code;
}
