/* Modularity, and the pairs of clusters that have most of it.
 * SPDX-License-Identifier: MIT
 */
#include "engine/modularity.h"

#include "base/alloc.h"
#include "base/matching.h"

double cob_modularity(const cob_stats *s, const int *partner)
{
    double sum = 0;
    for (int l = 0; l < s->m; l++) {
        int k = partner ? partner[l] : l;
        sum += k >= 0 ? cob_excess(s, k, l) : 0;
    }
    return s->total > 0 ? sum / s->total : 0;
}

cobloc_status cob_pair_clusters(const cob_stats *s, int g, int m, int *partner, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *gain = NULL, sum;
    COB_NEW(gain, (size_t)g * (size_t)m);
    for (int l = 0; l < m; l++) {
        partner[l] = 0;
        for (int k = 0; k < g; k++) {
            gain[(size_t)l * (size_t)g + (size_t)k] = cob_excess(s, k, l);
            if (cob_excess(s, k, l) > cob_excess(s, partner[l], l))
                partner[l] = k;
        }
    }
    if (g == m)
        COB_TRY(cob_best_matching(gain, m, g, &sum, partner, err));
done:
    cob_free(gain);
    return status;
}
