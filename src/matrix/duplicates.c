/* Summing entries that were given more than once, with the same result for any order of the
 * entries. Sums that cancel to 0 are dropped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "matrix/builder.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int cob_has_duplicates(const cob_side *side, int64_t major, int threads)
{
    int found = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(| : found)
    for (int64_t i = 0; i < major; i++)
        for (int64_t e = side->offsets[i] + 1; e < side->offsets[i + 1]; e++)
            found |= side->indices[e] == side->indices[e - 1];
    return found;
}

static int compare_doubles(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Sums `count` values, smallest first, so that the sum does not depend on their order. `room` is
 * for all of them. */
static double sum_run(cobloc_value_kind kind, const void *values, int64_t first, int64_t count,
                      double *room)
{
    double sum = 0;
    for (int64_t k = 0; k < count; k++)
        room[k] = cob_value_get(kind, values, first + k);
    if (count > 2) /* the sum of two does not depend on their order */
        qsort(room, (size_t)count, sizeof *room, compare_doubles);
    for (int64_t k = 0; k < count; k++)
        sum += room[k];
    return sum;
}

cobloc_status cob_sum_duplicates(cob_side *side, int64_t major, cobloc_value_kind *kind,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *joined = NULL;
    int64_t target = 0, source = 0;
    COB_NEW(joined, side->offsets[major]);
    for (int64_t i = 0; i < major; i++) {
        int64_t end = side->offsets[i + 1];
        side->offsets[i] = target;
        while (source < end) {
            int64_t run = source + 1;
            while (run < end && side->indices[run] == side->indices[source])
                run++;
            double sum = sum_run(*kind, side->values, source, run - source, joined + target);
            COB_CHECK(isfinite(sum), COBLOC_BAD_DATA, "duplicate entries sum to infinity");
            side->indices[target] = side->indices[source];
            joined[target] = sum;
            target += sum != 0;
            source = run;
        }
    }
    side->offsets[major] = target;
    cob_free(side->values);
    side->values = NULL;
    COB_TRY(
        cob_values_pack(&joined, target, (cob_between){0, target}, NULL, kind, &side->values, err));
done:
    cob_free(joined);
    return status;
}
