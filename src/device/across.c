/* The sums of the kept side, made by lines of the other side (across.cu): the entries of these, and
 * the kernels that a pass starts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "device/holding.h"
#include "device/slices.h"

/* ---- the matrix ------------------------------------------------------------------------------ */

enum { LISTED_BYTES = sizeof(long long) + sizeof(int) }; /* of a line that a warp has read */

/* A block has room for the sums of the first lines, which have most entries. */
static int warps_of(const cob_device *device)
{
    size_t most = device->most_near / 8 / (COB_WARP * LISTED_BYTES);
    return most < 1 ? 1 : most < COB_WARPS ? (int)most : COB_WARPS;
}

static int least(int64_t a, size_t b)
{
    return a < (int64_t)b ? (int)a : (int)b;
}

/* `large`, `heavy`: how many lines, at the beginning, need 64 bits, or more than 16. */
static cob_near_places places_for(const cob_device *device, int64_t lines, int64_t large,
                                  int64_t heavy)
{
    size_t listed = (size_t)(warps_of(device) * COB_WARP * LISTED_BYTES);
    size_t room = device->most_near - listed - COB_WARP * sizeof(int32_t);
    cob_near_places places = {.doubles = least(large, room / sizeof(int64_t))};
    room -= (size_t)places.doubles * sizeof(int64_t);
    places.words = least(heavy - places.doubles, room / sizeof(int32_t));
    room -= (size_t)places.words * sizeof(int32_t);
    places.count = places.doubles + places.words;
    if (places.count == heavy) {
        places.pairs = least((lines - heavy + 1) / 2, room / sizeof(int32_t));
        int64_t narrow = 2 * (int64_t)places.pairs;
        places.count += narrow < lines - heavy ? narrow : lines - heavy;
    }
    return places;
}

/* As many threads to a line as it has entries. */
static int group_bits_for(const cobloc_view *view)
{
    int64_t mean = view->major > 0 ? view->nnz / view->major : 0;
    return mean > 40 ? 5 : mean > 20 ? 4 : mean > 8 ? 3 : 2;
}

/* The places of kept lines: for each index of an entry, the line that it is. */
static cobloc_status upload_places(cob_held *held, const cob_slices *kept, cob_address *out,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = held->device;
    int32_t *places = NULL;
    int64_t count = kept->slot_count;
    COB_NEW(places, held->layers * count);
    for (int c = 0; c < held->layers; c++)
        for (int64_t s = 0; s < count; s++)
            places[c * count + kept->slots[s]] = (int32_t)(c * count + s);
    COB_TRY(cob_upload(device, places, held->layers * count, sizeof *places, out, err));
done:
    cob_free(places);
    return status;
}

cobloc_status cob_across_hold(cob_held *held, const cob_slices *kept, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = held->device;
    cob_held_side *other = &held->side[1 - held->kept];
    const cobloc_view *view = &other->lines.view;
    int64_t lines = held->layers * kept->slot_count;
    int64_t large = kept->large, heavy = kept->heavy;
    cob_address places = 0;
    if (held->layers > 1) { /* the heavy ones of each layer are not the first */
        large = large > 0 ? lines : 0;
        heavy = heavy > 0 ? lines : 0;
    }
    held->places = places_for(device, lines, large, heavy);
    held->group_bits = group_bits_for(view);
    bool joined = view->kind <= COBLOC_U8 && cob_code_of(&held->places, lines) <= COB_CODE_MASK;
    COB_TRY(upload_places(held, kept, &places, err));
    COB_TRY(device->alloc(device, (size_t)view->nnz * sizeof(int32_t), &held->codes, err));
    if (!joined)
        COB_TRY(device->alloc(device, (size_t)view->nnz * cob_kind_width(view->kind),
                              &held->code_values, err));
    cob_lines_args args = {.offsets = other->offsets,
                           .indices = other->indices,
                           .values = other->values,
                           .slots = places,
                           .codes = held->codes,
                           .code_values = held->code_values,
                           .places = held->places,
                           .joined = joined,
                           .major = view->major};
    cob_launch launch = {.kernel = COB_CODE_ENTRIES,
                         .variant = {view->kind, true, 1},
                         .blocks = device->processors,
                         .warps = COB_WARPS};
    COB_TRY(device->start(device, NULL, &launch, &args, err));
    COB_TRY(device->wait(device, NULL, err));
done:
    device->release(device, places);
    return status;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* A list for each cluster that lines come to, and one for each that they leave. */
static int64_t start_count(const cob_labelled *l)
{
    return 2 * (int64_t)l->clusters[1 - l->held->kept] * l->held->device->processors;
}

cobloc_status cob_across_room(cob_labelled *l, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    size_t lines = (size_t)l->held->side[1 - l->held->kept].lines.view.major;
    COB_TRY(device->alloc(device, 2 * lines * sizeof(int32_t), &l->list, err));
    COB_TRY(
        device->alloc(device, (size_t)(start_count(l) + 1) * sizeof(uint32_t), &l->starts, err));
done:
    return status;
}

cobloc_status cob_across_sum(cob_labelled *l, cob_lines_args args, bool moves, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_held *held = l->held;
    cob_device *device = held->device;
    const cob_held_side *other = &held->side[1 - held->kept];
    size_t lists = (size_t)args.to * (moves ? 2 : 1);
    int warps = warps_of(device);
    size_t listed = (size_t)(warps * COB_WARP * LISTED_BYTES);
    args.codes = held->codes;
    args.code_values = held->code_values;
    args.joined = held->code_values == 0;
    args.places = held->places;
    args.group_bits = held->group_bits;
    args.list = l->list;
    args.starts = l->starts;
    args.moves = moves;
    args.lists = (int)lists;
    args.start_count = (long long)lists * device->processors;
    const struct {
        cob_kernel kernel;
        int blocks, warps;
        size_t near;
    } steps[] = {
        {COB_COUNT_LISTS, device->processors, COB_WARPS, lists * sizeof(uint32_t)},
        {COB_BEGIN_LISTS, 1, COB_WARPS, (COB_WARP + 1) * COB_WARP * sizeof(uint32_t)},
        {COB_LIST_LINES, device->processors, COB_WARPS, lists * sizeof(uint32_t)},
        {COB_SUM_LISTS, device->processors, warps,
         listed + (size_t)cob_place_halves(&held->places) * sizeof(uint16_t)},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        cob_launch launch = {.kernel = steps[i].kernel,
                             .variant = {other->lines.view.kind, l->few, 1},
                             .blocks = steps[i].blocks,
                             .warps = steps[i].warps,
                             .near = steps[i].near};
        COB_TRY(device->start(device, l->queue, &launch, &args, err));
    }
done:
    return status;
}
