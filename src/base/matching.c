/* The Hungarian method by shortest augmenting paths, with potentials (Jonker and Volgenant's form).
 *
 * Rows are added one by one. Each time, Dijkstra's algorithm finds the shortest alternating path,
 * in reduced costs, from the new row to a free column, and the matching is flipped along it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/matching.h"

#include "base/alloc.h"

#include <math.h>

typedef struct matching {
    const double *gain;
    int rows, cols, stride;
    bool turned; /* gain is read with rows and columns swapped, so that rows <= cols */
    double *u, *v, *distance;
    int *owner;  /* of each column: row + 1, or 0 */
    int *before; /* the column before this one on the path */
    bool *done;
} matching;

/* Column 0 and row 0 are virtual: each path starts there. */
static double cost(const matching *m, int row, int col)
{
    int i = row - 1, j = col - 1;
    return m->turned ? -m->gain[(int64_t)j * m->stride + i] : -m->gain[(int64_t)i * m->stride + j];
}

static void add_row(matching *m, int row)
{
    int col = 0;
    m->owner[0] = row;
    for (int j = 0; j <= m->cols; j++) {
        m->distance[j] = INFINITY;
        m->before[j] = 0;
        m->done[j] = false;
    }
    do {
        int own = m->owner[col], nearest = 0;
        double step = INFINITY;
        m->done[col] = true;
        for (int j = 1; j <= m->cols; j++) {
            if (m->done[j])
                continue;
            double reduced = cost(m, own, j) - m->u[own] - m->v[j];
            if (reduced < m->distance[j]) {
                m->distance[j] = reduced;
                m->before[j] = col;
            }
            if (nearest == 0 || m->distance[j] < step) { /* one, be the distances numbers or not */
                step = m->distance[j];
                nearest = j;
            }
        }
        for (int j = 0; j <= m->cols; j++)
            if (m->done[j]) {
                m->u[m->owner[j]] += step;
                m->v[j] -= step;
            } else {
                m->distance[j] -= step;
            }
        col = nearest;
    } while (m->owner[col] != 0);
    for (; col != 0; col = m->before[col])
        m->owner[col] = m->owner[m->before[col]];
}

cobloc_status cob_best_matching(const double *gain, int rows, int cols, double *sum, int *match,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    matching m = {.gain = gain, .stride = cols, .turned = rows > cols};
    m.rows = m.turned ? cols : rows;
    m.cols = m.turned ? rows : cols;
    COB_NEW_ZERO(m.u, m.rows + 1);
    COB_NEW_ZERO(m.v, m.cols + 1);
    COB_NEW(m.distance, m.cols + 1);
    COB_NEW_ZERO(m.owner, m.cols + 1);
    COB_NEW_ZERO(m.before, m.cols + 1);
    COB_NEW(m.done, m.cols + 1);
    for (int row = 1; row <= m.rows; row++)
        add_row(&m, row);
    *sum = 0;
    for (int i = 0; match && i < rows; i++)
        match[i] = -1;
    for (int j = 1; j <= m.cols; j++) {
        if (m.owner[j] == 0)
            continue;
        *sum -= cost(&m, m.owner[j], j);
        if (match)
            match[m.turned ? j - 1 : m.owner[j] - 1] = m.turned ? m.owner[j] - 1 : j - 1;
    }
done:
    cob_free(m.u);
    cob_free(m.v);
    cob_free(m.distance);
    cob_free(m.owner);
    cob_free(m.before);
    cob_free(m.done);
    return status;
}
