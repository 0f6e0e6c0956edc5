/* The archive part of .npz files: NumPy arrays as members of a zip file, by libzip.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_NPZ_ARCHIVE_H
#define COB_IO_NPZ_ARCHIVE_H

#include "io/npy.h"
#include "base/source.h"

#include <zip.h>

/* ---- reading --------------------------------------------------------------------------------- */

/* An archive or, if zip is NULL, a file that is itself an array. Zero-initialised: not open. */
typedef struct cob_npz {
    cob_source *source;
    zip_t *zip;
    int64_t expanded_bytes; /* of all members */
} cob_npz;

/* Opens a file that `source` has open as well. */
cobloc_status cob_npz_open(cob_npz *npz, cob_source *source, cobloc_error *err);
void cob_npz_close(cob_npz *npz);
bool cob_npz_has(const cob_npz *npz, const char *name);

/* An array in an archive. One thread may read several at a time. Zero-initialised: not open. */
typedef struct cob_npz_member {
    cob_npz *npz;
    char *name; /* NULL: the file itself */
    zip_file_t *file;
    cob_npy array;
} cob_npz_member;

/* Opens a member and reads the header of its array. A NULL name means the only array. */
cobloc_status cob_npz_member_open(cob_npz_member *member, cob_npz *npz, const char *name,
                                  cobloc_error *err);
void cob_npz_member_close(cob_npz_member *member);

/* Puts "PATH: NAME: " before the message of a failed cob_npy call; returns its status. */
cobloc_status cob_npz_fail_at(const cob_npz_member *member, cobloc_status status,
                              cobloc_error *err);

/* ---- writing --------------------------------------------------------------------------------- */

/* An array whose values are in memory in the form the file stores. */
typedef struct cob_npz_array {
    const char *name;
    char kind; /* as in cob_npy */
    size_t width;
    int dims; /* 0 (one value) or 1 */
    int64_t count;
    void *values; /* NULL: bytes, all 1 */
} cob_npz_array;

/* Replaces the file `path` with an archive of compressed arrays. The same arrays give the same
 * bytes. */
cobloc_status cob_npz_write(const char *path, const cob_npz_array *arrays, int count,
                            cobloc_error *err);

#endif
