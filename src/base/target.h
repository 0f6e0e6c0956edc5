/* What a path to be written names, and the temporary file or folder beside it.
 *
 * A temporary is called ".NAME.cobloc-0" (or -1, ...) and is locked as long as its process lives.
 * One without a lock was left by a process that was killed: the next run with the same target
 * removes it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_TARGET_H
#define COB_BASE_TARGET_H

#include "base/error.h"

#include <stdbool.h>

typedef struct cob_target {
    bool stream;   /* "-", a device or a pipe: is written straight through */
    char *path;    /* a plain file, present or not, with links followed; NULL for a stream */
    unsigned mode; /* the permissions of a file that is there; else 0 */
} cob_target;

/* Folders and sockets are rejected. The caller frees target->path. */
cobloc_status cob_target_look(const char *path, cob_target *target, cobloc_error *err);

/* Whether a path is "-", or another name of the file or terminal that standard output goes to. */
bool cob_is_standard_output(const char *path);

/* Whether a path is written straight through, so that nothing can stand beside it. */
bool cob_is_stream(const char *path);

/* Empties a folder that is open; for one that was left behind. */
typedef void (*cob_empty_fn)(int folder, const void *context);

/* Makes an empty temporary file, or a folder if `empty` is not NULL, beside a target. Returns a
 * descriptor that holds its lock, and its path in *place, which the caller frees; -1, with errno
 * set, after a failure. */
int cob_temporary_make(const char *beside, cob_empty_fn empty, const void *context, char **place);

/* Bytes that are left on the disk of a file or folder; infinite where nobody knows. */
double cob_space_left(const char *path);

/* Whether a file's name is that of a temporary. */
bool cob_is_temporary(const char *name);

#endif
