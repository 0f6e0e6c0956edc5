/* Filling empty clusters.
 * SPDX-License-Identifier: MIT
 */
#include "base/empty.h"

#include "base/alloc.h"
#include "base/parallel.h"

double cob_loss_by_misfit(const void *data, int64_t line, int cluster)
{
    const double *misfit = data;
    (void)cluster;
    return -misfit[line];
}

double cob_loss_by_share(const void *data, int64_t line, int cluster)
{
    const cob_shares *s = data;
    return s->soft[line * s->k + s->labels[line]] - s->soft[line * s->k + cluster];
}

/* Any line of the largest cluster; in a tie, the first one. */
static double loss_by_size(int32_t label, int64_t size, int clusters)
{
    return label - (double)size * clusters;
}

cobloc_status cob_repair_empty(int32_t *labels, int64_t count, int clusters, const int32_t *fixed,
                               cob_loss_fn loss, const void *data, int *repaired, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    enum { MANY_LINES = 1 << 16 };
    int64_t *sizes = NULL;
    int filled = 0;
    COB_NEW_ZERO(sizes, clusters);
#pragma omp parallel for schedule(static) num_threads(cob_threads(0))                              \
    reduction(+ : sizes[ : clusters]) if (count > MANY_LINES)
    for (int64_t i = 0; i < count; i++)
        sizes[labels[i]]++;
    for (int k = 0; k < clusters; k++) {
        int64_t best = -1;
        double least = 0;
        for (int64_t i = 0; sizes[k] == 0 && i < count; i++) {
            if (sizes[labels[i]] < 2 || (fixed && fixed[i] >= 0))
                continue;
            double lost =
                loss ? loss(data, i, k) : loss_by_size(labels[i], sizes[labels[i]], clusters);
            if (best < 0 || lost < least) {
                best = i;
                least = lost;
            }
        }
        if (best < 0)
            continue;
        sizes[labels[best]]--;
        labels[best] = k;
        sizes[k] = 1;
        filled++;
    }
    if (repaired)
        *repaired = filled;
done:
    cob_free(sizes);
    return status;
}
