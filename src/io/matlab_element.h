/* The data elements of a MATLAB file of version 5: a sequential stream of bytes, decompressed if
 * necessary, the elements' types and sizes, and their numbers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_MATLAB_ELEMENT_H
#define COB_IO_MATLAB_ELEMENT_H

#include "io/binary.h"

#include <zlib.h>

typedef struct cob_mat_stream {
    cob_binary *file;
    bool big;
    int64_t position; /* bytes taken or skipped so far */

    int64_t at, end; /* what remains to be read of the file */
    bool deflated;
    bool ended; /* the compressed data have ended, and the checksum is right */
    bool inflating;
    z_stream z;
    unsigned char *compressed;
    unsigned char *buffer; /* bytes used .. filled - 1 come next */
    size_t used, filled;
} cob_mat_stream;

cobloc_status cob_mat_stream_new(cob_binary *file, bool big, cob_mat_stream **out,
                                 cobloc_error *err);
void cob_mat_stream_free(cob_mat_stream *stream);

/* Starts with the `size` bytes at `at`. */
cobloc_status cob_mat_stream_start(cob_mat_stream *stream, int64_t at, int64_t size, bool deflated,
                                   cobloc_error *err);

cobloc_status cob_mat_stream_take(cob_mat_stream *stream, void *bytes, size_t count,
                                  cobloc_error *err);
cobloc_status cob_mat_stream_skip(cob_mat_stream *stream, int64_t count, cobloc_error *err);

/* Reads compressed data to the end, so that the checksum is verified. */
cobloc_status cob_mat_stream_finish(cob_mat_stream *stream, cobloc_error *err);

/* ---- elements -------------------------------------------------------------------------------- */

enum {
    MI_INT8 = 1,
    MI_UINT8 = 2,
    MI_INT16 = 3,
    MI_UINT16 = 4,
    MI_INT32 = 5,
    MI_UINT32 = 6,
    MI_SINGLE = 7,
    MI_DOUBLE = 9,
    MI_INT64 = 12,
    MI_UINT64 = 13,
    MI_MATRIX = 14,
    MI_COMPRESSED = 15,
    MI_UTF8 = 16,
    MI_UTF16 = 17,
    MI_UTF32 = 18,
};

/* An element whose bytes come next in the stream. */
typedef struct cob_mat_element {
    uint32_t type;
    int64_t size;
    int64_t end; /* position after its bytes, and after their padding */
    int64_t padded_end;
} cob_mat_element;

/* Reads the tag of an element that must end at or before `limit`. */
cobloc_status cob_mat_tag(cob_mat_stream *stream, int64_t limit, cob_mat_element *e,
                          cobloc_error *err);

cobloc_status cob_mat_skip_to(cob_mat_stream *stream, int64_t position, cobloc_error *err);

/* Receives a run of the numbers of an element, starting with number `first`. */
typedef cobloc_status (*cob_mat_batch_fn)(void *context, cob_number_type type, int64_t first,
                                          size_t count, const double *values, cobloc_error *err);

typedef struct cob_mat_batches {
    cob_mat_batch_fn take;
    void *context;
    int64_t least, most; /* allowed number of values */
    const char *what;    /* for messages */
    bool logical;        /* logical: MATLAB tags the bytes of a sparse logical array as doubles */
} cob_mat_batches;

/* Reads an element of numbers of any storage type. */
cobloc_status cob_mat_numbers(cob_mat_stream *stream, int64_t limit, const cob_mat_batches *b,
                              cobloc_error *err);

#endif
