/* The only way to fail: a status, and a message in the caller's cobloc_error.
 *
 * A function that can fail declares `cobloc_status status = COBLOC_OK;`, initialises every pointer
 * it owns to NULL, and ends in one `done:` label that releases them. COB_TRY and COB_CHECK jump
 * there.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_ERROR_H
#define COB_BASE_ERROR_H

#include "cobloc.h"

#include <stdarg.h>

#if defined(__GNUC__)
#define COB_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define COB_PRINTF(text, first)
#endif

/* Runs a call that returns a cobloc_status; on failure jumps to `done`. */
#define COB_TRY(call)                                                                              \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != COBLOC_OK)                                                                   \
            goto done;                                                                             \
    } while (0)

/* Checks a condition; if it is false, sets the message and jumps to `done`. */
#define COB_CHECK(condition, code, ...)                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            status = (code); /* said here, where analyzers of one file see it */                   \
            cob_fail(err, status, __VA_ARGS__);                                                    \
            goto done;                                                                             \
        }                                                                                          \
    } while (0)

/* By status, ended by NULL. */
extern const char *const cob_status_names[];

/* Sets *err (if not NULL) and returns `code`, so that one can write `return cob_fail(...)`. */
cobloc_status cob_fail(cobloc_error *err, cobloc_status code, const char *format, ...)
    COB_PRINTF(3, 4);

/* Puts a prefix, such as "file.mtx:17: ", before a message already set; returns `code`. The message
 * stays as it is if it has the prefix already, if memory ran out, or after a cancellation. */
cobloc_status cob_fail_at(cobloc_error *err, cobloc_status code, const char *format, ...)
    COB_PRINTF(3, 4);

/* ---- what always holds, told to clang's static analyzer -------------------------------------- */

#if defined(__clang_analyzer__)
#define COB_KNOWN(condition) ((condition) ? (void)0 : __builtin_unreachable())
#else
#define COB_KNOWN(condition) ((void)0)
#endif

#endif
