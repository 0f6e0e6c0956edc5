/* The archive part of .npz files: NumPy arrays as members of a zip file, by libzip.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_NPZ_ARCHIVE_H
#define COB_IO_NPZ_ARCHIVE_H

#include "base/error.h"
#include "base/source.h"
#include "io/zip.h"

#include <stdbool.h>

/* ---- one array (npy.c) ----------------------------------------------------------------------- */

/* One NumPy array as stored by np.save: a header (a Python dictionary as text: type, order, shape),
 * then the values. It is read in pieces from any stream of bytes; no size in the header is trusted
 * for an allocation. */

#define COB_NPY_MAGIC "\x93NUMPY"

/* Reads up to `want` bytes; *got < want only at the end. */
typedef cobloc_status (*cob_npy_read_fn)(void *from, void *bytes, size_t want, size_t *got,
                                         cobloc_error *err);

/* The most values that one call of cob_npy_integers or cob_npy_values returns. */
enum { COB_NPY_PIECE = 1 << 15 };

typedef struct cob_npy {
    cob_npy_read_fn read;
    void *from;
    char kind;    /* NumPy's code: 'b' bool, 'i', 'u', 'f', 'S' bytes, 'U' text */
    size_t width; /* bytes of one value */
    bool swapped; /* not in this machine's byte order */
    bool fortran; /* column by column */
    int dims;
    int64_t shape[2]; /* the first two dimensions; 1 if there are fewer */
    int64_t count;    /* values according to the header */
    int64_t taken;    /* values read so far */
    unsigned char *piece;
} cob_npy;

/* Reads the header; `array` must be zero-initialised. Messages do not name the file: the caller
 * adds it. */
cobloc_status cob_npy_open(cob_npy *array, cob_npy_read_fn read, void *from, cobloc_error *err);
void cob_npy_close(cob_npy *array);

/* The next `want` values, at most COB_NPY_PIECE; fewer in the stream are an error. Integers too
 * large for 64 bits become INT64_MAX, which is never a valid index. */
cobloc_status cob_npy_integers(cob_npy *array, int64_t *into, size_t want, cobloc_error *err);
cobloc_status cob_npy_values(cob_npy *array, double *into, size_t want, cobloc_error *err);

/* The only value of an array of bytes or text; `room` holds `size` bytes. Longer texts are cut. */
cobloc_status cob_npy_text(cob_npy *array, char *room, size_t size, cobloc_error *err);

/* Checks that the stream ends here. */
cobloc_status cob_npy_end(cob_npy *array, cobloc_error *err);

/* Writes the header of an array in this machine's byte order to `room`; returns its length. `dims`
 * is 0 (one value) or 1. */
enum { COB_NPY_HEADER = 128 };
size_t cob_npy_header(char *room, char kind, size_t width, int dims, int64_t count);

/* ---- the archive (npz_archive.c) ------------------------------------------------------------- */

/* ---- reading --------------------------------------------------------------------------------- */

/* An archive or, if zip is NULL, a file that is itself an array. Zero-initialised: not open. */
typedef struct cob_npz {
    cob_source *source;
    cob_zip call; /* loaded if there is an archive */
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
