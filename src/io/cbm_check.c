/* Checking .cbm files: the header, the checksums of the sections, and what they hold.
 * SPDX-License-Identifier: MIT
 */
#include "io/cbm.h"

#include "base/alloc.h"
#include "base/crc.h"
#include "base/vectors.h"
#include "matrix/transpose.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <zlib.h>

/* ---- the header ------------------------------------------------------------------------------ */

int cob_cbm_sections(uint32_t version)
{
    return version == 4   ? SECTIONS
           : version == 3 ? SECTIONS_3
           : version == 2 ? SECTIONS_2
                          : SECTIONS_1;
}

size_t cob_cbm_summed(uint32_t version)
{
    return offsetof(cob_cbm_head, sections) +
           (size_t)cob_cbm_sections(version) * sizeof(cob_cbm_section);
}

cob_cbm_head cob_cbm_header_of(const void *mapping)
{
    const cob_cbm_head *stored = mapping;
    cob_cbm_head h;
    size_t bytes = cob_cbm_summed(stored->version);
    memset(&h, 0, sizeof h);
    memcpy(&h, stored, bytes);
    memcpy(&h.checksum, (const char *)mapping + bytes, sizeof h.checksum);
    return h;
}

/* ---- checksums ------------------------------------------------------------------------------- */

/* The bytes of piece `i` of `count` bytes. */
static size_t piece_bytes(size_t count, size_t i, size_t piece)
{
    return count - i * piece < piece ? count - i * piece : piece;
}

/* Pieces are summed on all threads, and the checksum of the whole follows from theirs. */
uint32_t cob_cbm_checksum(const void *bytes, size_t count)
{
    enum { PIECE = 1 << 20, AT_ONCE = 256, AHEAD = 8 };
    uLong sum = crc32(0, NULL, 0), of_piece[AT_ONCE];
    for (size_t first = 0; first < count; first += (size_t)PIECE * AT_ONCE) {
        const unsigned char *p = (const unsigned char *)bytes + first;
        size_t left = count - first, pieces = (left + PIECE - 1) / PIECE;
        pieces = pieces < AT_ONCE ? pieces : AT_ONCE;
#pragma omp parallel for schedule(dynamic) num_threads(cob_threads(0)) if (pieces > 1)
        for (size_t i = 0; i < pieces; i++) {
            if ((i + AHEAD) * PIECE < left)
                cob_read_ahead(p + (i + AHEAD) * PIECE, piece_bytes(left, i + AHEAD, PIECE));
            of_piece[i] = cob_crc32(0, p + i * PIECE, piece_bytes(left, i, PIECE));
        }
        for (size_t i = 0; i < pieces; i++)
            sum = crc32_combine(sum, of_piece[i], (z_off_t)piece_bytes(left, i, PIECE));
    }
    return (uint32_t)sum;
}

/* The bytes of a section that are this rank's to sum. */
static cob_between bytes_of(const cob_ranks *ranks, int rank, uint64_t bytes)
{
    int size = ranks ? ranks->size : 1;
    double each = (double)bytes / size;
    return (cob_between){(int64_t)(each * rank),
                         rank + 1 < size ? (int64_t)(each * (rank + 1)) : (int64_t)bytes};
}

/* Ranks sum a piece of each section, and the checksum of the whole follows from theirs. */
static cobloc_status checksums_fit(const cobloc_matrix *matrix, cob_ranks *ranks, bool *fit,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_cbm_head h = cob_cbm_header_of(matrix->mapping);
    int size = ranks ? ranks->size : 1, rank = ranks ? ranks->rank : 0;
    uint32_t *sums = NULL;
    COB_NEW(sums, size * SECTIONS);
    for (int i = 0; i < SECTIONS; i++) {
        const cob_cbm_section *s = &h.sections[i];
        cob_between own = bytes_of(ranks, rank, s->bytes);
        sums[rank * SECTIONS + i] = cob_cbm_checksum(
            (const char *)matrix->mapping + s->offset + own.first, (size_t)(own.last - own.first));
    }
    COB_TRY(cob_part_gather(&(cob_part){ranks, {{rank, rank + 1}}}, 0, sums,
                            SECTIONS * sizeof *sums, err));
    *fit = true;
    for (int i = 0; i < SECTIONS; i++) {
        uLong sum = crc32(0, NULL, 0);
        for (int r = 0; r < size; r++) {
            cob_between own = bytes_of(ranks, r, h.sections[i].bytes);
            sum = crc32_combine(sum, sums[r * SECTIONS + i], (z_off_t)(own.last - own.first));
        }
        *fit = *fit && (uint32_t)sum == h.sections[i].checksum;
    }
done:
    cob_free(sums);
    return status;
}

/* ---- what the sections hold ------------------------------------------------------------------ */

COB_INLINE int all_possible(cobloc_value_kind kind, const void *values, int64_t from, int64_t to,
                            bool negative)
{
    int possible = 1;
    for (int64_t e = from; e < to; e++) {
        double value = cob_value_get(kind, values, e);
        double size = negative ? fabs(value) : value;
        possible &= size > 0 && size <= DBL_MAX;
    }
    return possible;
}

/* Whether indices increase within range, and values are finite and positive, or negative if the
 * header allows it. The most frequent kind is checked several values at a time. */
static int line_is_sound(const cob_side *side, int64_t from, int64_t to, int64_t minor,
                         cobloc_value_kind kind, bool negative)
{
    const int32_t *indices = side->indices;
    int sound = from == to || (indices[from] >= 0 && indices[to - 1] < minor);
    for (int64_t e = from + 1; e < to; e++)
        sound &= indices[e - 1] < indices[e];
    return sound && (kind == COBLOC_U8 ? all_possible(COBLOC_U8, side->values, from, to, false)
                                       : all_possible(kind, side->values, from, to, negative));
}

bool cob_cbm_offsets_are_sound(const int64_t *offsets, int64_t lines, int64_t entries)
{
    bool sound = offsets[0] == 0 && offsets[lines] == entries;
#pragma omp parallel for schedule(static) num_threads(cob_threads(0)) reduction(&& : sound)
    for (int64_t i = 0; i < lines; i++)
        sound = sound && offsets[i] <= offsets[i + 1];
    return sound;
}

/* Of entries, those that are this rank's. */
static int side_is_sound(const cob_side *side, int64_t major, int64_t minor, int64_t nnz,
                         cobloc_value_kind kind, bool negative, const cob_ranks *ranks)
{
    const cobloc_view view = {major, minor, nnz, kind, side->offsets, side->indices, side->values};
    int sound = 1, threads = cob_threads(0), chunks = cob_chunk_count(&view, threads);
    if (!cob_cbm_offsets_are_sound(side->offsets, major, nnz))
        return 0;
    int rank = ranks ? ranks->rank : 0, size = ranks ? ranks->size : 1;
    int64_t first = cob_chunk_begin(side->offsets, major, rank, size);
    int64_t last = cob_chunk_begin(side->offsets, major, rank + 1, size);
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(&& : sound)
    for (int c = 0; c < chunks; c++) {
        int64_t begin = cob_chunk_begin(side->offsets, major, c, chunks);
        int64_t end = cob_chunk_begin(side->offsets, major, c + 1, chunks);
        if (begin >= last || end <= first)
            continue;
        cob_chunk_ahead(&view, c + threads, chunks);
        for (int64_t i = begin > first ? begin : first; i < (end < last ? end : last); i++)
            sound = sound && line_is_sound(side, side->offsets[i], side->offsets[i + 1], minor,
                                           kind, negative);
    }
    return sound;
}

/* Codes are only of use to models that need all entries. */
static int are_codes(const cobloc_matrix *m)
{
    return m->categories.count == 0 || cobloc_matrix_shards_missing(m) > 0 ||
           cob_are_codes(m, m->categories.count);
}

static int is_sound(const cobloc_matrix *m, const cob_ranks *ranks)
{
    return side_is_sound(&m->by_row, m->rows, m->cols, m->nnz, m->kind, m->negative, ranks) &&
           side_is_sound(&m->by_col, m->cols, m->rows, m->nnz, m->kind, m->negative, ranks) &&
           are_codes(m);
}

cobloc_status cob_cbm_check(const cobloc_matrix *matrix, cob_ranks *ranks, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t votes;
    bool fit = true;
    if (matrix->shards)
        COB_TRY(cob_shards_check(matrix, ranks, err));
    else
        COB_TRY(checksums_fit(matrix, ranks, &fit, err));
    COB_CHECK(fit, COBLOC_BAD_DATA, "%s: is damaged: a checksum is wrong", matrix->path);
    COB_CHECK(is_sound(matrix, ranks) && (!matrix->missing || is_sound(matrix->missing, ranks)),
              COBLOC_BAD_DATA, "%s: holds an impossible index or value", matrix->path);
    if (matrix->kind == COBLOC_F64) /* whose range is a matter of all entries */
        COB_TRY(cob_matrix_demand_all(matrix, err));
    status = cob_matrix_check_range(matrix, err);
    if (status != COBLOC_OK)
        return cob_fail_at(err, status, "%s: ", matrix->path);
    if (ranks && !cob_ranks_vote(ranks, 0, &votes)) /* nobody uses what another found unsound */
        status = cob_ranks_check(ranks, err);
done:
    return status;
}
