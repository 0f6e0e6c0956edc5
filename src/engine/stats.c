/* Making, copying and turning statistics and parameters.
 * SPDX-License-Identifier: MIT
 */
#include "engine/stats.h"

#include "base/alloc.h"

#include <string.h>

static void copy(double *to, const double *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
}

static void transpose(double *to, const double *from, int rows, int cols)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            to[(size_t)j * (size_t)rows + (size_t)i] = from[(size_t)i * (size_t)cols + (size_t)j];
}

cobloc_status cob_stats_alloc(cob_stats *stats, int g, int m, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *stats = (cob_stats){.g = g, .m = m};
    COB_NEW_ZERO(stats->block, (size_t)g * (size_t)m);
    COB_NEW_ZERO(stats->z, g);
    COB_NEW_ZERO(stats->w, m);
    COB_NEW_ZERO(stats->R, g);
    COB_NEW_ZERO(stats->C, m);
done:
    return status;
}

void cob_stats_free(cob_stats *stats)
{
    cob_free(stats->block);
    cob_free(stats->z);
    cob_free(stats->w);
    cob_free(stats->R);
    cob_free(stats->C);
    *stats = (cob_stats){0};
}

/* The numbers that do not depend on the partitions. */
static void copy_scalars(cob_stats *to, const cob_stats *from)
{
    to->n = from->n;
    to->d = from->d;
    to->total = from->total;
    to->row_effect = from->row_effect;
    to->col_effect = from->col_effect;
    to->squares = from->squares;
    to->constant = from->constant;
    to->sums_as_effects = from->sums_as_effects;
}

void cob_stats_copy(cob_stats *to, const cob_stats *from)
{
    size_t g = (size_t)from->g, m = (size_t)from->m;
    copy_scalars(to, from);
    copy(to->block, from->block, g * m);
    copy(to->z, from->z, g);
    copy(to->w, from->w, m);
    copy(to->R, from->R, g);
    copy(to->C, from->C, m);
}

void cob_stats_transpose(cob_stats *to, const cob_stats *from)
{
    copy_scalars(to, from);
    to->n = from->d;
    to->d = from->n;
    to->row_effect = from->col_effect;
    to->col_effect = from->row_effect;
    transpose(to->block, from->block, from->g, from->m);
    copy(to->z, from->w, (size_t)from->m);
    copy(to->w, from->z, (size_t)from->g);
    copy(to->R, from->C, (size_t)from->m);
    copy(to->C, from->R, (size_t)from->g);
}

cobloc_status cob_theta_alloc(cob_theta *theta, int g, int m, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *theta = (cob_theta){.g = g, .m = m};
    COB_NEW_ZERO(theta->delta, (size_t)g * (size_t)m);
    COB_NEW_ZERO(theta->pi, g);
    COB_NEW_ZERO(theta->rho, m);
done:
    return status;
}

void cob_theta_free(cob_theta *theta)
{
    cob_free(theta->delta);
    cob_free(theta->pi);
    cob_free(theta->rho);
    *theta = (cob_theta){0};
}

void cob_theta_copy(cob_theta *to, const cob_theta *from)
{
    copy(to->delta, from->delta, (size_t)from->g * (size_t)from->m);
    copy(to->pi, from->pi, (size_t)from->g);
    copy(to->rho, from->rho, (size_t)from->m);
    to->at_bound = from->at_bound;
}

void cob_theta_transpose(cob_theta *to, const cob_theta *from)
{
    transpose(to->delta, from->delta, from->g, from->m);
    copy(to->pi, from->rho, (size_t)from->m);
    copy(to->rho, from->pi, (size_t)from->g);
    to->at_bound = from->at_bound;
}
