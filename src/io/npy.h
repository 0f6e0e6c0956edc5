/* One NumPy array as np.save stores it: a header (a Python dictionary as text: type, order, shape),
 * then the values. Read in pieces from any stream of bytes; what the header promises is never
 * allocated.
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

/* Values that one call of cob_npy_integers or cob_npy_values gives at most. */
enum { COB_NPY_PIECE = 1 << 15 };

typedef struct cob_npy {
    cob_npy_read_fn read;
    void *from;
    char kind;    /* as NumPy calls it: 'b' bool, 'i', 'u', 'f', 'S' bytes, 'U' text */
    size_t width; /* bytes of one value */
    bool swapped; /* the other byte order than this machine's */
    bool fortran; /* column after column */
    int dims;
    int64_t shape[2]; /* the first two dimensions; 1 where there are fewer */
    int64_t count;    /* values that the header promises */
    int64_t taken;    /* values read so far */
    unsigned char *piece;
} cob_npy;

/* Reads the header; `array` is all zero before. Sentences name no file: the caller puts it before.
 */
cobloc_status cob_npy_open(cob_npy *array, cob_npy_read_fn read, void *from, cobloc_error *err);
void cob_npy_close(cob_npy *array);

/* The next `want` values, at most COB_NPY_PIECE; fewer in the stream are an error. Integers too
 * large for 64 bits come as INT64_MAX, which no index reaches. */
cobloc_status cob_npy_integers(cob_npy *array, int64_t *into, size_t want, cobloc_error *err);
cobloc_status cob_npy_values(cob_npy *array, double *into, size_t want, cobloc_error *err);

/* The only value of an array of bytes or text; `room` holds `size` bytes. Longer texts are cut. */
cobloc_status cob_npy_text(cob_npy *array, char *room, size_t size, cobloc_error *err);

/* Demands that the stream ends here. */
cobloc_status cob_npy_end(cob_npy *array, cobloc_error *err);

/* Writes the header of an array of this machine's byte order into `room`; returns its length.
 * `dims`: 0 (one value) or 1. */
enum { COB_NPY_HEADER = 128 };
size_t cob_npy_header(char *room, char kind, size_t width, int dims, int64_t count);

#endif
