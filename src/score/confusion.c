/* The confusion matrix, with clusters in the order of their matched classes.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/matching.h"
#include "score/scores.h"

/* Matched classes and clusters come first, at the same index; then the unmatched ones of each side.
 * Both are in the order of their labels. */
static void order_matched(const cob_contingency *t, const int *match, int *owner,
                          cobloc_confusion *c)
{
    for (int j = 0; j < t->classes; j++)
        owner[j] = -1;
    for (int i = 0; i < t->clusters; i++)
        if (match[i] >= 0 && t->cluster_sizes[i] > 0 && t->class_sizes[match[i]] > 0)
            owner[match[i]] = i;
    for (int j = 0; j < t->classes; j++)
        if (owner[j] >= 0) {
            c->class_labels[c->classes++] = j;
            c->cluster_labels[c->clusters++] = owner[j];
        }
    for (int j = 0; j < t->classes; j++)
        if (owner[j] < 0 && t->class_sizes[j] > 0)
            c->class_labels[c->classes++] = j;
    for (int i = 0; i < t->clusters; i++)
        if (t->cluster_sizes[i] > 0 && (match[i] < 0 || owner[match[i]] != i))
            c->cluster_labels[c->clusters++] = i;
}

cobloc_status cobloc_confusion_of(const int32_t *labels, const int32_t *truth, int64_t count,
                                  cobloc_confusion **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_contingency t = {0};
    cobloc_confusion *c = NULL;
    int *match = NULL, *owner = NULL;
    double matched;
    COB_TRY(cob_contingency_count(labels, truth, count, &t, err));
    COB_MAKE(c, cob_confusion_type);
    COB_NEW(match, t.clusters);
    COB_NEW(owner, t.classes);
    COB_NEW(c->cluster_labels, t.clusters);
    COB_NEW(c->class_labels, t.classes);
    COB_TRY(cob_best_matching(t.cells, t.clusters, t.classes, &matched, match, err));
    order_matched(&t, match, owner, c);
    COB_NEW(c->counts, (size_t)c->classes * (size_t)c->clusters);
    for (int j = 0; j < c->classes; j++)
        for (int i = 0; i < c->clusters; i++)
            c->counts[(int64_t)j * c->clusters + i] =
                (int64_t)t.cells[(int64_t)c->cluster_labels[i] * t.classes + c->class_labels[j]];
    *out = c;
    c = NULL;
done:
    cobloc_confusion_free(c);
    cob_free(match);
    cob_free(owner);
    cob_contingency_free(&t);
    return status;
}
