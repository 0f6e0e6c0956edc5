/* Inside .cbm files: the header and its sections, shared by reading and checking (cbm.c says what
 * they are).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_CBM_H
#define COB_IO_CBM_H

#include "matrix/matrix.h"

#include <sys/stat.h>

/* What one shard of a .cbm file begins with (shards.c). */
#define COB_SHARD_MAGIC "COBSHARD"

enum cob_cbm_name {
    ROW_OFFSETS,
    ROW_INDICES,
    ROW_VALUES,
    COL_OFFSETS,
    COL_INDICES,
    COL_VALUES,
    ROW_SUMS,
    COL_SUMS,
    ROW_NAME_OFFSETS,
    ROW_NAME_BYTES,
    COL_NAME_OFFSETS,
    COL_NAME_BYTES,
    LABEL_OFFSETS,
    LABEL_BYTES,
    SECTIONS_1, /* so many in version 1 */
    CATEGORY_OFFSETS = SECTIONS_1,
    CATEGORY_BYTES,
    MISSING_ROW_OFFSETS,
    MISSING_ROW_INDICES,
    MISSING_COL_OFFSETS,
    MISSING_COL_INDICES,
    SECTIONS_2, /* so many in version 2 */
    TEXT_SETTINGS = SECTIONS_2,
    EXCERPT_OFFSETS,
    EXCERPT_BYTES,
    SECTIONS_3, /* so many in version 3 */
    FIELD_NAME_OFFSETS = SECTIONS_3,
    FIELD_NAME_BYTES,
    FIELD_VALUE_OFFSETS,
    FIELD_VALUE_BYTES,
    SECTIONS
};

typedef struct cob_cbm_section {
    uint64_t offset;
    uint64_t bytes;
    uint32_t checksum;
    uint32_t unused;
} cob_cbm_section;

typedef struct cob_cbm_head {
    char magic[8];
    uint32_t endian_mark;
    uint32_t version;
    int64_t rows, cols, nnz, empty_rows, empty_cols;
    double total;
    uint32_t kind;
    uint32_t negative; /* 1: some value is below 0; always 0 in version 1 */
    cob_cbm_section sections[SECTIONS];
    uint32_t checksum; /* in the file: right behind the sections of its version; of all before it */
} cob_cbm_head;

/* The number of sections that a version has, and the bytes of a header that its checksum covers. */
int cob_cbm_sections(uint32_t version);
size_t cob_cbm_summed(uint32_t version);

/* The header of a mapped file; sections that its version does not have are empty. */
cob_cbm_head cob_cbm_header_of(const void *mapping);

uint32_t cob_cbm_checksum(const void *bytes, size_t count);

/* Whether offsets rise from 0 to the number of entries. */
bool cob_cbm_offsets_are_sound(const int64_t *offsets, int64_t lines, int64_t entries);

/* Reads bytes of a file; `path` is for messages. */
cobloc_status cob_cbm_read_at(int fd, uint64_t at, size_t bytes, const char *path, void *to,
                              cobloc_error *err);

/* Checks the header in the mapping of a matrix and sets the matrix's pointers into it. */
cobloc_status cob_cbm_adopt(cobloc_matrix *matrix, cobloc_missing missing, cobloc_error *err);

/* Whether files of so many bytes are copied rather than mapped. */
bool cob_cbm_is_small(uint64_t bytes);

/* Notes that an open file lies under the mapping; the matrix closes it. There must be room. */
void cob_cbm_note_file(cobloc_matrix *matrix, int fd, const struct stat *about);

/* ---- writing --------------------------------------------------------------------------------- */

/* A file before it is written: its header, and where what follows lies in memory. */
typedef struct cob_cbm_image {
    cob_cbm_head head;
    uint64_t bytes; /* of the file */
    struct {
        const void *bytes;
        size_t count;
    } contents[SECTIONS];
    cob_packed packed; /* beginnings of documents that had to be made */
} cob_cbm_image;

cobloc_status cob_cbm_image_make(const cobloc_matrix *matrix, cob_cbm_image *image,
                                 cobloc_error *err);
void cob_cbm_image_free(cob_cbm_image *image);

/* Gives the bytes of the file from `from` to `to` - 1 to a function, piece by piece. */
typedef void cob_cbm_sink(void *user, const void *bytes, size_t count);
void cob_cbm_image_put(const cob_cbm_image *image, uint64_t from, uint64_t to, cob_cbm_sink *sink,
                       void *user);

/* What is left to check of a mapped file: cobloc_matrix_verify. */
cobloc_status cob_cbm_check(const cobloc_matrix *matrix, cob_ranks *ranks, cobloc_error *err);

/* Whether the shards of a mapping have all of it that its header names, as far as each must. */
bool cob_shards_are_complete(const cobloc_matrix *matrix, const cob_cbm_head *head);

/* The same of what shards hold: that the entries of this rank are among them, and their checksums.
 */
cobloc_status cob_shards_check(const cobloc_matrix *matrix, const cob_ranks *ranks,
                               cobloc_error *err);

#endif
