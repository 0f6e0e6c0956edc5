/* Seeds among the lines of a sparse matrix.
 * SPDX-License-Identifier: MIT
 */
#include "engine/means.h"

#include "base/alloc.h"

typedef struct seeding {
    const cob_weighed *lines;
    bool spherical;
    double *lengths; /* of the lines */
} seeding;

/* Squared distances; on a sphere, halves of them. */
static void measure(const void *data, int64_t chosen, double *away)
{
    const seeding *s = data;
    double b = s->lengths[chosen], scale = s->spherical && b > 0 ? b : 1;
    cob_products_with(s->lines, chosen, away);
    for (int64_t i = 0; i < s->lines->view.major; i++) {
        double a = s->lengths[i], product = away[i] / scale, most = 1;
        if (s->spherical) {
            away[i] = a > 0 ? 1 - product / a : 0;
        } else {
            most = a * a + b * b;
            away[i] = most - 2 * product;
        }
        away[i] = away[i] > 1e-12 * most ? away[i] : 0;
    }
}

cobloc_status cob_seed_lines(const cob_weighed *lines, int k, bool spherical, int trials,
                             cob_stream stream, int32_t *labels, int *repaired, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t n = lines->view.major;
    seeding s = {.lines = lines, .spherical = spherical};
    double *distances = NULL, *first = NULL;
    COB_NEW(s.lengths, n);
    COB_NEW(distances, n);
    COB_NEW(first, n);
    cob_line_lengths(lines, s.lengths);
    for (int64_t i = 0; i < n; i++)
        first[i] = s.lengths[i] > 0 || !spherical ? 1 : 0; /* nothing has no direction */
    cob_points points = {
        .count = n, .data = &s, .measure = measure, .first = first, .deadline = lines->deadline};
    COB_TRY(cob_kmeans_seed(&points, k, trials, stream, labels, distances, repaired, err));
done:
    cob_free(s.lengths);
    cob_free(distances);
    cob_free(first);
    return status;
}
