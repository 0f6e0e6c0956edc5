/* Transposition where the lines do not fit into memory. Scattering the entries would touch a page
 * of every line again and again. A builder (builder.h) first puts them into buckets of neighbouring
 * lines, in order, and then fills bucket after bucket.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/failures.h"
#include "matrix/builder.h"
#include "matrix/transpose.h"

enum { PIECE = 1 << 19 }; /* entries that are read from the disk at a time */

static cobloc_status turn_lines(const cobloc_view *from, int64_t first, int64_t last,
                                cob_lane *lane, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t ahead = from->offsets[first];
    for (int64_t i = first; i < last; i++) {
        for (; ahead <= from->offsets[i]; ahead += PIECE)
            cob_entries_ahead(from, ahead + PIECE, ahead + 2 * PIECE);
        for (int64_t e = from->offsets[i]; e < from->offsets[i + 1]; e++) {
            double value = cob_value_get(from->kind, from->values, e);
            uint32_t count = from->kind <= COBLOC_U8 ? (uint32_t)value : 0;
            if (count > 0 && cob_lane_add_small(lane, from->indices[e], i, count))
                continue;
            COB_TRY(cob_lane_add_slow(lane, from->indices[e], i, value, err));
        }
    }
done:
    return status;
}

cobloc_status cob_transpose_on_disk(const cob_side *from, int64_t major, int64_t minor,
                                    cobloc_value_kind kind, int threads, cob_side *to,
                                    cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_failures failed = COB_NO_FAILURE;
    cob_builder builder = {0};
    const cobloc_view view = {major,         minor,         from->offsets[major], kind,
                              from->offsets, from->indices, from->values};
    int sorted;
    COB_TRY(cob_builder_init(&builder, minor, major, 0, threads, COBLOC_MISSING_AUTO, err));
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
        cobloc_error own;
        cobloc_status turned = turn_lines(&view, cob_chunk_begin(from->offsets, major, t, threads),
                                          cob_chunk_begin(from->offsets, major, t + 1, threads),
                                          &builder.lanes[t], &own);
        cob_failures_note(&failed, t, turned, &own);
    }
    COB_TRY(cob_failures_end(&failed, err));
    COB_TRY(cob_builder_place(&builder, minor, kind, to, &sorted, err));
done:
    cob_builder_free(&builder);
    return status;
}
