/* Lists of long texts, compressed in blocks: a text is found without expanding those before it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_PACKED_H
#define COB_BASE_PACKED_H

#include "base/names.h"

#include <stdbool.h>

/* The bytes of a block are those from its offset to the next one: the size of its texts, four bytes
 * with the lowest first, then these, each ended by a NUL, as zlib compresses them. */
typedef struct cob_packed {
    const uint64_t *offsets; /* of the blocks, and the end of the last */
    const unsigned char *bytes;
    uint64_t size; /* of bytes; 0: none */
    bool owned;
} cob_packed;

/* The number of blocks for so many texts. */
int64_t cob_packed_blocks(int64_t texts);

/* Compresses all texts of a list; the caller frees them with cob_packed_free. */
cobloc_status cob_pack(const cob_names *texts, int threads, cob_packed *out, cobloc_error *err);
void cob_packed_free(cob_packed *packed);

/* A text of the list, in new memory for cob_free. The bytes may come from a damaged file. */
cobloc_status cob_unpack(const cob_packed *packed, int64_t number, char **text, cobloc_error *err);

#endif
