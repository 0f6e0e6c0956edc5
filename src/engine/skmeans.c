/* Spherical k-means++: lines by the direction in which they point.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/kmeans.h"
#include "engine/starts.h"

#include <math.h>
#include <string.h>

typedef struct means {
    const cobloc_view *view, *turned;
    int k, threads;
    double *centres; /* minor by k */
    double *lengths; /* Euclidean, of the lines */
    int32_t *labels;
} means;

static void measure_lengths(const cobloc_view *view, double *lengths)
{
    for (int64_t i = 0; i < view->major; i++) {
        double squares = 0;
        for (int64_t e = view->offsets[i]; e < view->offsets[i + 1]; e++)
            squares += cobloc_view_value(view, e) * cobloc_view_value(view, e);
        lengths[i] = sqrt(squares);
    }
}

/* k-means++: labels by the nearest of k lines, each drawn far from those before it. */
static cobloc_status seed_means(means *m, cob_stream stream, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t n = m->view->major;
    double *centre = NULL, *nearness = NULL, *distance = NULL;
    COB_NEW_ZERO(centre, m->view->minor);
    COB_NEW(nearness, n);
    COB_NEW(distance, n);
    for (int64_t i = 0; i < n; i++)
        distance[i] = m->lengths[i] > 0 ? 2 : 0;
    for (int k = 0; k < m->k; k++) {
        int64_t chosen = cob_draw_by_weight(distance, n, cob_random_uniform(&stream, (uint64_t)k));
        int64_t first = m->view->offsets[chosen], last = m->view->offsets[chosen + 1];
        double length = m->lengths[chosen] > 0 ? m->lengths[chosen] : 1;
        for (int64_t e = first; e < last; e++)
            centre[m->view->indices[e]] = cobloc_view_value(m->view, e) / length;
        cob_multiply(m->view, centre, 1, m->threads, nearness);
        for (int64_t i = 0; i < n; i++) {
            double away = m->lengths[i] > 0 ? 1 - nearness[i] / m->lengths[i] : 0;
            if (k == 0 || away < distance[i]) {
                distance[i] = away > 1e-12 ? away : 0;
                m->labels[i] = k;
            }
        }
        for (int64_t e = first; e < last; e++)
            centre[m->view->indices[e]] = 0;
    }
done:
    cob_free(centre);
    cob_free(nearness);
    cob_free(distance);
    return status;
}

/* The centres of the labels as they stand, of unit length. */
static void update_centres(means *m, double *squares)
{
    int64_t d = m->turned->major;
    cob_reduce(m->turned, m->labels, m->k, m->threads, m->centres);
    memset(squares, 0, (size_t)m->k * sizeof *squares);
    for (int64_t j = 0; j < d; j++)
        for (int k = 0; k < m->k; k++)
            squares[k] += m->centres[j * m->k + k] * m->centres[j * m->k + k];
    for (int k = 0; k < m->k; k++)
        squares[k] = squares[k] > 0 ? 1 / sqrt(squares[k]) : 0;
    for (int64_t j = 0; j < d; j++)
        for (int k = 0; k < m->k; k++)
            m->centres[j * m->k + k] *= squares[k];
}

cobloc_status cob_spherical_kmeans(const cobloc_view *view, const cobloc_view *turned, int k,
                                   int iterations, cob_stream stream, int threads, int32_t *labels,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    means m = {.view = view, .turned = turned, .k = k, .threads = threads, .labels = labels};
    double *ones = NULL, *zeros = NULL, *squares = NULL;
    cob_pass_room *room = NULL;
    COB_NEW(m.centres, (size_t)view->minor * (size_t)k);
    COB_NEW(m.lengths, view->major);
    COB_NEW(ones, k);
    COB_NEW_ZERO(zeros, 3 * (size_t)k);
    COB_NEW(squares, k);
    COB_TRY(cob_pass_room_new(view, k, k, threads, &room, err));
    for (int c = 0; c < k; c++)
        ones[c] = 1;
    measure_lengths(view, m.lengths);
    COB_TRY(seed_means(&m, stream, err));
    cob_rule nearest = {.to = k, .from = k, .diagonal = true, .A = ones, .b = zeros, .e = zeros};
    for (int i = 0; i < iterations; i++) {
        cob_fill_empty(labels, view->major, k, NULL);
        update_centres(&m, squares);
        cob_pass pass = {.view = view,
                         .effects = m.lengths,
                         .to = k,
                         .from = k,
                         .other_soft = m.centres,
                         .assign = COB_ASSIGN_HARD,
                         .rule = &nearest,
                         .labels = labels,
                         .sizes = zeros + k,
                         .masses = zeros + 2 * k};
        cob_pass_run(&pass, room);
        if (pass.moved == 0)
            break;
    }
    cob_fill_empty(labels, view->major, k, NULL);
done:
    cob_pass_room_free(room);
    cob_free(m.centres);
    cob_free(m.lengths);
    cob_free(ones);
    cob_free(zeros);
    cob_free(squares);
    return status;
}
