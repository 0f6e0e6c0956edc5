/* One NumPy array as stored by np.save: a header (a Python dictionary as text: type, order, shape),
 * then the values. It is read in pieces from any stream of bytes; no size in the header is trusted
 * for an allocation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_NPY_H
#define COB_IO_NPY_H

#include "base/error.h"

#include <stdbool.h>

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

#endif
