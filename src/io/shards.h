/* Inside shards of .cbm files (shards.c says what they are): their header, and what each holds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_SHARDS_H
#define COB_IO_SHARDS_H

#include "io/cbm.h"

enum {
    COB_SHARD_VERSION = 1,
    COB_SHARD_ENDIAN_MARK = 0x01020304,
    COB_SHARD_PAGE = 1 << 16, /* a multiple of any system's pages */
    COB_SHARD_PIECES = 7,     /* at most */
    COB_SHARD_NAME = 64       /* room for the name of a file */
};

typedef struct cob_stored_piece {
    uint64_t at, bytes; /* of the .cbm file */
    uint32_t checksum;
    uint32_t unused;
} cob_stored_piece;

/* A page; the pieces follow in order, each from a page's beginning. */
typedef struct cob_shard_head {
    char magic[8];
    uint32_t endian_mark, version;
    uint32_t number, count; /* from 0 */
    uint64_t bytes;         /* of the .cbm file, and */
    uint32_t of;            /* the checksum of its header */
    uint32_t piece_count;
    cob_stored_piece pieces[COB_SHARD_PIECES];
    uint32_t checksum; /* of all before it */
    uint32_t unused;
} cob_shard_head;

/* Of all of the header before its checksum. */
uint32_t cob_shard_checksum(const cob_shard_head *head);

static inline uint64_t cob_shard_page_up(uint64_t bytes)
{
    return (bytes + COB_SHARD_PAGE - 1) / COB_SHARD_PAGE * COB_SHARD_PAGE;
}

/* The name of the file of a shard, which has a number from 0 on; and the number and the count that
 * a name has, or -1: it is none of a shard. */
void cob_shard_name(int number, int count, char name[COB_SHARD_NAME]);
int cob_shard_number(const char *name, int *count);

/* The bytes of the .cbm file that rank `rank` of `size` needs, in order. */
void cob_shard_needs(const cobloc_matrix *matrix, const cob_cbm_head *head, uint64_t bytes,
                     int rank, int size, cob_between needs[COB_SHARD_PIECES]);

#endif
