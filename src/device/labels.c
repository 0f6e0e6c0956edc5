/* Labels of runs on a device: drawn, moved and changed.
 * SPDX-License-Identifier: MIT
 */
#include "device/holding.h"

cobloc_status cob_move_labels(cob_labelled *l, int side, cob_address all, int lane, cob_address one,
                              bool back, cobloc_error *err)
{
    cob_lines_args args = {.labels = all,
                           .before = one,
                           .major = all == l->side[side].labels
                                        ? cob_label_count(l->held, side)
                                        : l->held->side[side].lines.view.major,
                           .abreast = l->lanes,
                           .run = lane,
                           .keep = back};
    cob_launch launch = {.kernel = COB_MOVE_RUN,
                         .variant = cob_variant_of(l, 1),
                         .blocks = l->held->device->processors,
                         .warps = COB_WARPS};
    return l->held->device->start(l->held->device, l->queue, &launch, &args, err);
}

cobloc_status cob_put_labels(cob_labelled *l, int side, cob_address list, int64_t count,
                             cobloc_error *err)
{
    cob_lines_args args = {.labels = l->side[side].labels,
                           .list = list,
                           .listed = count,
                           .major = l->held->side[side].lines.view.major,
                           .to = l->clusters[side],
                           .layers = l->held->layers,
                           .abreast = l->lanes};
    cob_launch launch = {
        .kernel = COB_PUT_LABELS, .variant = cob_variant_of(l, 1), .blocks = 1, .warps = COB_WARPS};
    return l->held->device->start(l->held->device, l->queue, &launch, &args, err);
}

cobloc_status cob_put_label(cob_labelled *l, int side, int64_t line, int label, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    int64_t lines = l->held->side[side].lines.view.major;
    for (int c = 0; c < l->held->layers; c++) {
        int32_t wide = c * l->clusters[side] + label;
        uint8_t byte = (uint8_t)wide;
        size_t at = (size_t)(c * lines + line) * cob_label_bytes(l);
        COB_TRY(device->write(device, l->queue, l->side[side].labels + at,
                              l->few ? (void *)&byte : (void *)&wide, cob_label_bytes(l), err));
    }
done:
    return status;
}

cobloc_status cob_draw_labels(cob_labelled *l, int side, cob_stream stream, cobloc_error *err)
{
    const cob_held_side *lines = &l->held->side[side];
    cob_lines_args args = {
        .labels = l->side[side].labels,
        .fixed = lines->fixed,
        .major = lines->lines.view.major,
        .to = l->clusters[side],
        .layers = l->held->layers,
        .abreast = l->lanes,
        .draw = {stream.key[0], stream.key[1], stream.counter[0], stream.counter[1]}};
    cob_launch launch = {.kernel = COB_DRAW_RUNS,
                         .variant = cob_variant_of(l, 1),
                         .blocks = l->held->device->processors,
                         .warps = COB_WARPS};
    return l->held->device->start(l->held->device, l->queue, &launch, &args, err);
}
