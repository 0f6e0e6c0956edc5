/* Counting items by their two labels.
 * SPDX-License-Identifier: MIT
 */
#include "score/scores.h"

#include "base/alloc.h"

static int largest(const int32_t *labels, int64_t count)
{
    int most = -1;
    for (int64_t i = 0; i < count; i++)
        if (labels[i] > most)
            most = labels[i];
    return most;
}

cobloc_status cob_contingency_count(const int32_t *labels, const int32_t *truth, int64_t count,
                                    cob_contingency *t, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int cluster = largest(labels, count), class = largest(truth, count);
    COB_CHECK(cluster >= 0 && class >= 0, COBLOC_BAD_DATA, "no item has both labels");
    COB_CHECK((cluster + 1.0) * (class + 1.0) < 1e8, COBLOC_BAD_DATA,
              "labels up to %d and %d are too many to compare", cluster, class);
    t->clusters = cluster + 1;
    t->classes = class + 1;
    COB_NEW_ZERO(t->cells, (size_t)t->clusters * (size_t)t->classes);
    COB_NEW_ZERO(t->cluster_sizes, t->clusters);
    COB_NEW_ZERO(t->class_sizes, t->classes);
    for (int64_t i = 0; i < count; i++)
        if (labels[i] >= 0 && truth[i] >= 0)
            t->cells[(int64_t)labels[i] * t->classes + truth[i]]++;
    for (int k = 0; k < t->clusters; k++)
        for (int c = 0; c < t->classes; c++) {
            double items = t->cells[(int64_t)k * t->classes + c];
            t->cluster_sizes[k] += items;
            t->class_sizes[c] += items;
            t->total += items;
        }
    COB_CHECK(t->total > 0, COBLOC_BAD_DATA, "no item has both labels");
done:
    return status;
}

void cob_contingency_free(cob_contingency *t)
{
    cob_free(t->cells);
    cob_free(t->cluster_sizes);
    cob_free(t->class_sizes);
    *t = (cob_contingency){0};
}
