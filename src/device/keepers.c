/* Keepers of clusters that runs of a team would lose, found on the device.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "device/holding.h"
#include "matrix/lines.h"

#include <string.h>

struct cob_keepers {
    cob_labelled *labelled;
    bool *thin;              /* of each place, the clusters that keepers are looked for of */
    cob_address there;       /* made when any are first wanted: what follows, and `thin` */
    cob_found_keeper *found; /* here, of each place and cluster; */
    int64_t *sums;           /* and behind them the sums of these lines */
    bool wanted;             /* in the last pass */
    int side, to, from;      /* of that; */
    int64_t lines;           /* and how many there are */
    cob_moved *back;         /* lines that go back, with their runs */
    int64_t back_count;
};

/* Numbers of all runs: of clusters, and of the sums of a line in each. */
static size_t most_clusters(const cob_labelled *l)
{
    int most = l->clusters[0] > l->clusters[1] ? l->clusters[0] : l->clusters[1];
    return (size_t)most * (size_t)l->lanes;
}

static size_t most_sums(const cob_labelled *l)
{
    size_t blocks = (size_t)l->clusters[0] * (size_t)l->clusters[1];
    return blocks * (size_t)l->held->layers * (size_t)l->lanes;
}

cobloc_status cob_keepers_new(cob_labelled *l, cob_keepers **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_keepers *keepers = NULL;
    COB_NEW_ZERO(keepers, 1);
    keepers->labelled = l;
    COB_NEW(keepers->thin, most_clusters(l));
    COB_NEW(keepers->back, most_clusters(l));
    *out = keepers;
    keepers = NULL;
done:
    cob_keepers_free(keepers);
    return status;
}

void cob_keepers_free(cob_keepers *keepers)
{
    if (!keepers)
        return;
    cob_device *device = keepers->labelled->held->device;
    device->release(device, keepers->there);
    device->release_here(device, keepers->found);
    cob_free(keepers->thin);
    cob_free(keepers->back);
    cob_free(keepers);
}

static cobloc_status make_room(cob_keepers *keepers, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_labelled *l = keepers->labelled;
    cob_device *device = l->held->device;
    size_t clusters = most_clusters(l);
    size_t read = clusters * sizeof *keepers->found + most_sums(l) * sizeof *keepers->sums;
    if (!keepers->there)
        COB_TRY(device->alloc(device, read + clusters, &keepers->there, err));
    if (!keepers->found)
        COB_TRY(device->alloc_here(device, read, (void **)&keepers->found, err));
done:
    return status;
}

bool cob_find_thin(int to, const double *before, const int64_t *changes, bool *thin)
{
    bool any_empty = false;
    for (int k = 0; k < to; k++) {
        double size = (before ? before[k] : 0) + (double)changes[k];
        thin[k] = size <= to;
        any_empty = any_empty || size < 0.5;
    }
    return any_empty;
}

/* Which clusters of which runs are to have keepers; whether any is. */
static bool mark_thin(cob_keepers *keepers, const cob_there *how, const double *const *sizes,
                      int runs)
{
    const cob_labelled *l = keepers->labelled;
    int to = l->clusters[how->side];
    bool any = false;
    memset(keepers->thin, 0, (size_t)l->places * (size_t)to);
    for (int i = 0; i < runs; i++) {
        bool *thin = keepers->thin + (size_t)i * (size_t)to;
        if (cob_find_thin(to, how->anew ? NULL : sizes[i], cob_counts_of(l, i), thin))
            any = true;
        else
            memset(thin, 0, (size_t)to);
    }
    return any;
}

static cobloc_status look_there(cob_keepers *keepers, const cob_there *how, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_labelled *l = keepers->labelled;
    cob_device *device = l->held->device;
    size_t clusters = (size_t)l->places * (size_t)keepers->to;
    size_t found = clusters * sizeof *keepers->found;
    size_t sums = clusters * (size_t)keepers->from * sizeof *keepers->sums;
    cob_address thin = keepers->there + found + sums;
    COB_TRY(device->write(device, l->queue, thin, keepers->thin, clusters, err));
    COB_TRY(device->clear(device, l->queue, keepers->there, found, err));
    COB_TRY(cob_look_for_keepers(l, how, thin, keepers->there, keepers->there + found, err));
    COB_TRY(device->read(device, l->queue, keepers->found, keepers->there, found + sums, err));
    COB_TRY(device->wait(device, l->queue, err));
    keepers->sums = (int64_t *)(keepers->found + clusters);
done:
    return status;
}

cobloc_status cob_keepers_find(cob_keepers *keepers, const cob_there *how,
                               const double *const *sizes, int runs, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    keepers->side = how->side;
    keepers->to = keepers->labelled->clusters[how->side];
    keepers->from = cob_from_of(keepers->labelled, how->side);
    keepers->lines = keepers->labelled->held->side[how->side].lines.view.major;
    keepers->wanted = mark_thin(keepers, how, sizes, runs);
    if (keepers->wanted) {
        COB_TRY(make_room(keepers, err));
        COB_TRY(look_there(keepers, how, err));
    }
done:
    return status;
}

/* Of a place and a cluster; NULL: there is none, or nobody asked. */
static cob_found_keeper *keeper_at(const cob_keepers *keepers, int place, int k)
{
    if (!keepers->wanted)
        return NULL;
    cob_found_keeper *one = keepers->found + (int64_t)place * keepers->to + k;
    return one->before_end > 0 ? one : NULL;
}

cob_keeper cob_keepers_best(const cob_keepers *keepers, int place, int k)
{
    const cob_found_keeper *one = keeper_at(keepers, place, k);
    cob_keeper best = {-1, 0};
    if (one) {
        cob_number_bits loss = {.bits = ~one->closeness};
        best = (cob_keeper){keepers->lines - one->before_end, loss.number};
    }
    return best;
}

int cob_keepers_recall(const cob_keepers *keepers, int place, int k, int64_t *sums)
{
    const cob_found_keeper *one = keeper_at(keepers, place, k);
    memcpy(sums, keepers->sums + (one - keepers->found) * keepers->from,
           (size_t)keepers->from * sizeof *sums);
    return one->label;
}

void cob_keepers_put_back(cob_keepers *keepers, int place, int lane, int k)
{
    cob_found_keeper *one = keeper_at(keepers, place, k);
    keepers->back[keepers->back_count++] =
        (cob_moved){.line = (int)(keepers->lines - one->before_end),
                    .run = lane,
                    .before = (unsigned short)one->label,
                    .now = (unsigned short)k};
    one->label = k;
}

cobloc_status cob_keepers_settle(cob_keepers *keepers, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_labelled *l = keepers->labelled;
    cob_device *device = l->held->device;
    int64_t count = keepers->back_count;
    keepers->back_count = 0;
    if (count == 0)
        return COBLOC_OK;
    COB_TRY(device->write(device, l->queue, keepers->there, keepers->back,
                          (size_t)count * sizeof *keepers->back, err));
    COB_TRY(cob_put_labels(l, keepers->side, keepers->there, count, err));
done:
    return status;
}
