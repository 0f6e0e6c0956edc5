/* Writing shards: which entries each has, and their files.
 * SPDX-License-Identifier: MIT
 */
#include "io/shards.h"

#include "base/alloc.h"
#include "base/folder.h"
#include "io/formats.h"
#include "matrix/share.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* ---- names and headers ----------------------------------------------------------------------- */

uint32_t cob_shard_checksum(const cob_shard_head *h)
{
    return cob_cbm_checksum(h, offsetof(cob_shard_head, checksum));
}

void cob_shard_name(int number, int count, char name[COB_SHARD_NAME])
{
    snprintf(name, COB_SHARD_NAME, "shard-%d-of-%d.cbm", number + 1, count);
}

int cob_shard_number(const char *name, int *count)
{
    char again[COB_SHARD_NAME];
    int number;
    if (sscanf(name, "shard-%d-of-%d.cbm", &number, count) != 2 || number < 1 || *count < number ||
        *count > COB_MOST_SHARDS)
        return -1;
    cob_shard_name(number - 1, *count, again);
    return strcmp(again, name) == 0 ? number - 1 : -1;
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* The first entry of part `c` of `parts`, as cob_chunk_begin finds it; if `filled`, in the matrix
 * without its empty lines, of which there are `empty`. */
static int64_t entry_begin(const cob_side *side, int64_t major, int64_t empty, bool filled, int c,
                           int parts)
{
    int64_t nnz = side->offsets[major], line = 0;
    double until = (double)(nnz + major - (filled ? empty : 0)) * c / parts;
    if (c == 0 || c == parts)
        return c == 0 ? 0 : nnz;
    for (int64_t i = 0; i < major; i++) {
        if (filled && side->offsets[i + 1] == side->offsets[i])
            continue;
        if ((double)(side->offsets[i + 1] + line + 1) > until)
            return side->offsets[i];
        line++;
    }
    return nnz;
}

static void widen(cob_between *all, int64_t first, int64_t last)
{
    if (first >= last)
        return;
    all->first = first < all->first ? first : all->first;
    all->last = last > all->last ? last : all->last;
}

/* The entries that rank `rank` of `size` may look at in a fit, by hard or soft inference, with or
 * without empty lines; of values by rows also its blocks of sums over all of them. */
static cob_between share_of(const cobloc_matrix *m, int side, int rank, int size)
{
    const cob_side *lines = side == 0 ? &m->by_row : &m->by_col;
    int64_t major = side == 0 ? m->rows : m->cols;
    int64_t empty = side == 0 ? m->empty_rows : m->empty_cols;
    cob_between share = {m->nnz, 0};
    for (int soft = 0; soft < 2; soft++)
        for (int filled = 0; filled < (empty > 0 ? 2 : 1); filled++) {
            int parts = soft ? COB_SOFT_CHUNKS : size;
            int c[] = {soft ? COB_SOFT_CHUNKS * rank / size : rank,
                       soft ? COB_SOFT_CHUNKS * (rank + 1) / size : rank + 1};
            widen(&share, entry_begin(lines, major, empty, filled, c[0], parts),
                  entry_begin(lines, major, empty, filled, c[1], parts));
        }
    if (side == 0) {
        int64_t block = COB_SUM_BLOCK, blocks = (m->nnz + block - 1) / block;
        int64_t last = blocks * (rank + 1) / size * block;
        widen(&share, blocks * rank / size * block, last < m->nnz ? last : m->nnz);
    }
    return share.first < share.last ? share : (cob_between){0, 0};
}

/* What a process with these entries needs of the file, in order; there are COB_SHARD_PIECES. */
static void list_needs(const cob_cbm_head *h, uint64_t bytes, const cob_between shares[2],
                       cob_between needs[COB_SHARD_PIECES])
{
    const cob_cbm_section *s = h->sections;
    int64_t width = (int64_t)cob_kind_width((cobloc_value_kind)h->kind);
    int count = 0;
    for (int side = 0; side < 2; side++) {
        int offsets = side == 0 ? ROW_OFFSETS : COL_OFFSETS;
        int64_t indices = (int64_t)s[offsets + 1].offset, values = (int64_t)s[offsets + 2].offset;
        cob_between e = shares[side];
        needs[count++] = (cob_between){side == 0 ? 0 : (int64_t)s[offsets].offset,
                                       (int64_t)(s[offsets].offset + s[offsets].bytes)};
        needs[count++] = (cob_between){indices + 4 * e.first, indices + 4 * e.last};
        needs[count++] = (cob_between){values + width * e.first, values + width * e.last};
    }
    needs[count] = (cob_between){(int64_t)s[ROW_SUMS].offset, (int64_t)bytes};
}

void cob_shard_needs(const cobloc_matrix *m, const cob_cbm_head *h, uint64_t bytes, int rank,
                     int size, cob_between needs[COB_SHARD_PIECES])
{
    const cob_between shares[] = {share_of(m, 0, rank, size), share_of(m, 1, rank, size)};
    list_needs(h, bytes, shares, needs);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_bytes(void *file, const void *bytes, size_t count)
{
    cob_file_bytes(file, bytes, count);
}

static void sum_bytes(void *user, const void *bytes, size_t count)
{
    uint32_t *sum = user;
    *sum = (uint32_t)crc32_combine(*sum, cob_cbm_checksum(bytes, count), (z_off_t)count);
}

/* Whole pages, joined where they touch. */
static void list_pieces(const cob_cbm_image *image, const cob_between needs[COB_SHARD_PIECES],
                        cob_shard_head *h)
{
    for (int i = 0; i < COB_SHARD_PIECES; i++) {
        uint64_t first = (uint64_t)needs[i].first / COB_SHARD_PAGE * COB_SHARD_PAGE;
        uint64_t last = cob_shard_page_up((uint64_t)needs[i].last);
        cob_stored_piece *before = h->piece_count > 0 ? &h->pieces[h->piece_count - 1] : NULL;
        last = last < image->bytes ? last : image->bytes;
        if (needs[i].first >= needs[i].last || (before && last <= before->at + before->bytes))
            continue;
        if (before && first <= before->at + before->bytes)
            before->bytes = last - before->at;
        else
            h->pieces[h->piece_count++] = (cob_stored_piece){.at = first, .bytes = last - first};
    }
    for (uint32_t p = 0; p < h->piece_count; p++)
        cob_cbm_image_put(image, h->pieces[p].at, h->pieces[p].at + h->pieces[p].bytes, sum_bytes,
                          &h->pieces[p].checksum);
}

static cobloc_status write_shard(const cobloc_matrix *m, const cob_cbm_image *image, int number,
                                 int count, const char *path, cobloc_error *err)
{
    static const char zeros[COB_SHARD_PAGE];
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    cob_between needs[COB_SHARD_PIECES];
    cob_shard_head h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, COB_SHARD_MAGIC, sizeof h.magic);
    h.endian_mark = COB_SHARD_ENDIAN_MARK;
    h.version = COB_SHARD_VERSION;
    h.number = (uint32_t)number;
    h.count = (uint32_t)count;
    h.bytes = image->bytes;
    h.of = image->head.checksum;
    cob_shard_needs(m, &image->head, image->bytes, number, count, needs);
    list_pieces(image, needs, &h);
    h.checksum = cob_shard_checksum(&h);
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_bytes(file, &h, sizeof h);
    cob_file_bytes(file, zeros, COB_SHARD_PAGE - sizeof h);
    for (uint32_t p = 0; p < h.piece_count; p++) {
        uint64_t bytes = h.pieces[p].bytes;
        cob_cbm_image_put(image, h.pieces[p].at, h.pieces[p].at + bytes, put_bytes, file);
        cob_file_bytes(file, zeros, cob_shard_page_up(bytes) - bytes);
    }
    COB_TRY(cob_file_commit(file, err));
done:
    cob_file_close(file);
    return status;
}

/* All files of such names go with the folder's earlier matrix. */
static bool is_shard_name(int folder, const char *name)
{
    int count;
    (void)folder;
    return cob_shard_number(name, &count) >= 0;
}

static bool always(const char *folder, const char *name, const void *context)
{
    (void)folder, (void)name, (void)context;
    return true;
}

cobloc_status cob_shards_write(const cobloc_matrix *matrix, const char *path, int count,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_folder *folder = NULL;
    const char **names = NULL;
    char(*rooms)[COB_SHARD_NAME] = NULL, *inside = NULL;
    cob_cbm_image image;
    memset(&image, 0, sizeof image);
    COB_CHECK(strcmp(path, "-") != 0, COBLOC_BAD_ARGUMENT,
              "shards are a folder of several files: they cannot be written to standard output");
    COB_TRY(cobloc_matrix_verify(matrix, err));
    COB_NEW_ZERO(names, count + 1);
    COB_NEW(rooms, count);
    for (int s = 0; s < count; s++) {
        cob_shard_name(s, count, rooms[s]);
        names[s] = rooms[s];
    }
    COB_TRY(cob_folder_create(path, &(cob_belongings){names, always, NULL, is_shard_name}, &folder,
                              err));
    COB_TRY(cob_cbm_image_make(matrix, &image, err));
    for (int s = 0; s < count; s++) {
        cob_free(inside);
        inside = cob_folder_path(folder, names[s]);
        COB_CHECK(inside, COBLOC_NO_MEMORY, "out of memory");
        COB_TRY(write_shard(matrix, &image, s, count, inside, err));
    }
done:
    status = cob_folder_finish(folder, status, err);
    cob_cbm_image_free(&image);
    cob_free(inside);
    cob_free(names);
    cob_free(rooms);
    return status;
}
