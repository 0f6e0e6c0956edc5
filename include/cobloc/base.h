/* cobloc: version, errors, files, progress.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_BASE_H
#define COBLOC_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define COBLOC_API __attribute__((visibility("default")))
#define COBLOC_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define COBLOC_API
#define COBLOC_PRINTF(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version --------------------------------------------------------------------------------- */

#define COBLOC_VERSION_MAJOR 1
#define COBLOC_VERSION_MINOR 0
#define COBLOC_VERSION_PATCH 0

/* The version of the library that is linked, as "1.0.0". */
COBLOC_API const char *cobloc_version(void);

/* ---- errors ---------------------------------------------------------------------------------- */

typedef enum cobloc_status {
    COBLOC_OK = 0,
    COBLOC_BAD_ARGUMENT, /* the call itself is wrong: an option, a range, an unknown name */
    COBLOC_BAD_DATA,     /* the data are wrong: broken file, negative value, wrong count */
    COBLOC_IO,           /* a file could not be opened, read or written */
    COBLOC_NO_MEMORY,    /* an allocation failed, or would have been absurdly large */
    COBLOC_UNSUPPORTED,  /* well-formed, but not something cobloc does */
    COBLOC_CANCELLED,    /* the progress callback asked to stop */
    COBLOC_ELSEWHERE     /* another rank failed: see cobloc/ranks.h */
} cobloc_status;

/* A short name such as "bad data"; never NULL, whatever the argument. */
COBLOC_API const char *cobloc_status_name(cobloc_status status);

typedef struct cobloc_error {
    cobloc_status status; /* what the function returned */
    char message[512];    /* one sentence in UTF-8: what, where, what was expected */
} cobloc_error;

/* Makes a text harmless to print, in place: control characters, marks that turn the direction of
 * writing, and bytes that are not UTF-8 become question marks. Messages in a cobloc_error are. */
COBLOC_API void cobloc_make_harmless(char *text);

/* How many letters of a word that was typed are missing, too many, wrong or exchanged if this name
 * was meant; -1: it was not, most likely. For "did you mean". */
COBLOC_API int cobloc_letters_apart(const char *word, const char *name);

/* ---- files ----------------------------------------------------------------------------------- */

/* Writes a file as all functions do that write one: under a temporary name, which becomes `path`
 * when it is complete and on disk. Links are followed. "-" (standard output), devices and pipes are
 * written straight through; folders and sockets are rejected. */
COBLOC_API cobloc_status cobloc_write_file(const char *path, const void *bytes, size_t count,
                                           cobloc_error *err);

/* Whether cobloc_write_file could write there, to find out before the work for it is done. Nothing
 * is left behind, and a file that is there stays as it is. */
COBLOC_API cobloc_status cobloc_write_check(const char *path, cobloc_error *err);

/* ---- progress and cancellation --------------------------------------------------------------- */

/* Called now and then by long operations, from one thread at a time. `what` is for people: its
 * first word is the stage ("reading", "fitting"); of a fit, the start and the best criterion so far
 * follow. `done` runs from 0 to 1.
 * Return 0 to go on, anything else to stop: reading then ends with COBLOC_CANCELLED, a fit with the
 * best result so far. Set it with cobloc_set_progress. */
typedef int (*cobloc_progress_fn)(void *user, const char *what, double done);

#ifdef __cplusplus
}
#endif

#endif
