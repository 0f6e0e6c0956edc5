/* The plain locale.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* strtod_l, newlocale, uselocale */
#include "base/plain.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static locale_t plain_locale;
static pthread_once_t plain_locale_once = PTHREAD_ONCE_INIT;

static void make_plain_locale(void)
{
    plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

cob_plain cob_plain_begin(void)
{
    pthread_once(&plain_locale_once, make_plain_locale);
    return (cob_plain){uselocale(plain_locale)};
}

void cob_plain_end(cob_plain plain)
{
    uselocale(plain.before);
}

double cob_plain_strtod(const char *text, char **end)
{
    pthread_once(&plain_locale_once, make_plain_locale);
    return strtod_l(text, end, plain_locale);
}

int cob_plain_vprint(char *text, size_t room, const char *format, va_list args)
{
    cob_plain plain = cob_plain_begin();
    int length = vsnprintf(text, room, format, args);
    cob_plain_end(plain);
    return length;
}

int cob_plain_print(char *text, size_t room, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = cob_plain_vprint(text, room, format, args);
    va_end(args);
    return length;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool cob_plain_same_first(const char *a, const char *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (lower(a[i]) != lower(b[i]))
            return false;
        if (!a[i])
            return true;
    }
    return true;
}

bool cob_plain_same(const char *a, const char *b)
{
    return cob_plain_same_first(a, b, SIZE_MAX);
}
