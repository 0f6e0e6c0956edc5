/* Statistics and parameters: made, copied, seen from either side.
 * SPDX-License-Identifier: MIT
 */
#include "engine/stats.h"

#include "base/alloc.h"

#include <string.h>

static void copy(double *to, const double *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
}

static const cob_depth one_number = {1, 1, 1};

cobloc_status cob_stats_alloc_deep(cob_stats *stats, int g, int m, cob_depth depth,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *stats = (cob_stats){.g = g,
                         .m = m,
                         .values = depth.values,
                         .layers = depth.layers,
                         .down = (size_t)m,
                         .across = 1,
                         .layer = (size_t)g * (size_t)m};
    COB_NEW_ZERO(stats->block, (size_t)depth.layers * stats->layer);
    COB_NEW_ZERO(stats->z, g);
    COB_NEW_ZERO(stats->w, m);
    COB_NEW_ZERO(stats->R, g);
    COB_NEW_ZERO(stats->C, m);
done:
    return status;
}

cobloc_status cob_stats_alloc(cob_stats *stats, int g, int m, cobloc_error *err)
{
    return cob_stats_alloc_deep(stats, g, m, one_number, err);
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

void cob_stats_copy(cob_stats *to, const cob_stats *from)
{
    cob_stats own = *to;
    size_t g = (size_t)from->g, m = (size_t)from->m;
    *to = *from;
    to->block = own.block, to->z = own.z, to->w = own.w, to->R = own.R, to->C = own.C;
    copy(to->block, from->block, (size_t)from->layers * g * m);
    copy(to->z, from->z, g);
    copy(to->w, from->w, m);
    copy(to->R, from->R, g);
    copy(to->C, from->C, m);
}

static void merge_vector(double *to, const double *from, int count, bool merged, int a, int b)
{
    memset(to, 0, (size_t)count * sizeof *to);
    for (int k = 0; k < count; k++)
        to[merged ? cob_number_merged(k, a, b) : k] += from[k];
}

/* to += from, with numbers a < b of it added together if `merged`. */
static void add_merged(double *restrict to, const double *restrict from, int count, bool merged,
                       int a, int b)
{
    int until = merged ? b : count;
    for (int l = 0; l < until; l++)
        to[l] += from[l];
    if (merged)
        to[a] += from[b];
    for (int l = until + 1; l < count; l++)
        to[l - 1] += from[l];
}

/* to = from, likewise. */
static void copy_merged(double *restrict to, const double *restrict from, int count, bool merged,
                        int a, int b)
{
    memcpy(to, from, (size_t)(merged ? b : count) * sizeof *to);
    if (!merged)
        return;
    to[a] += from[b];
    memcpy(to + b, from + b + 1, (size_t)(count - b - 1) * sizeof *to);
}

void cob_stats_merge(const cob_stats *from, bool rows, bool cols, int a, int b, cob_stats *to)
{
    cob_stats room = *to;
    *to = *from;
    to->block = room.block, to->z = room.z, to->w = room.w, to->R = room.R, to->C = room.C;
    to->g -= rows;
    to->m -= cols;
    to->down = (size_t)to->m;
    to->layer = (size_t)to->g * to->down;
    for (int c = 0; c < from->layers; c++)
        for (int k = 0; k < from->g; k++)
            (rows && k == b ? add_merged : copy_merged)(
                to->block + (size_t)c * to->layer +
                    (size_t)(rows ? cob_number_merged(k, a, b) : k) * to->down,
                from->block + (size_t)c * from->layer + (size_t)k * from->down, from->m, cols, a,
                b);
    merge_vector(to->z, from->z, from->g, rows, a, b);
    merge_vector(to->R, from->R, from->g, rows, a, b);
    merge_vector(to->w, from->w, from->m, cols, a, b);
    merge_vector(to->C, from->C, from->m, cols, a, b);
}

/* Adds number b to a < b, so far apart, and leaves nothing in its place. */
static void join_numbers(double *numbers, size_t apart, int a, int b)
{
    numbers[(size_t)a * apart] += numbers[(size_t)b * apart];
    numbers[(size_t)b * apart] = 0;
}

/* The two blocks on the diagonal and the two between them are added in the order of the table. */
static void join_block(double *table, const cob_stats *s, bool both, int a, int b)
{
    double *first = table + (size_t)a * s->down, *second = table + (size_t)b * s->down;
    double corner = both ? first[a] + first[b] + second[a] + second[b] : 0;
    for (int l = 0; l < s->m; l++) {
        first[l] += second[l];
        second[l] = 0;
    }
    for (int k = 0; both && k < s->g; k++)
        join_numbers(table + (size_t)k * s->down, 1, a, b);
    if (both)
        first[a] = corner;
}

void cob_stats_join(cob_stats *s, bool rows, bool cols, int a, int b)
{
    for (int c = 0; c < s->layers; c++) {
        double *table = s->block + (size_t)c * s->layer;
        for (int k = 0; cols && !rows && k < s->g; k++)
            join_numbers(table + (size_t)k * s->down, 1, a, b);
        if (rows)
            join_block(table, s, cols, a, b);
    }
    if (rows) {
        join_numbers(s->z, 1, a, b);
        join_numbers(s->R, 1, a, b);
    }
    if (cols) {
        join_numbers(s->w, 1, a, b);
        join_numbers(s->C, 1, a, b);
    }
}

void cob_stats_close(cob_stats *s, const cob_gaps *rows, const cob_gaps *cols)
{
    int m = s->m - cols->count;
    double *to = s->block;
    for (int c = 0; c < s->layers; c++)
        for (int k = 0; k < s->g; k++) {
            if (rows->is[k])
                continue;
            const double *from = s->block + (size_t)c * s->layer + (size_t)k * s->down;
            cob_copy_without(cols, from, sizeof *to, s->m, to);
            to += m;
        }
    cob_copy_without(rows, s->z, sizeof *s->z, s->g, s->z);
    cob_copy_without(rows, s->R, sizeof *s->R, s->g, s->R);
    cob_copy_without(cols, s->w, sizeof *s->w, s->m, s->w);
    cob_copy_without(cols, s->C, sizeof *s->C, s->m, s->C);
    s->g -= rows->count;
    s->m = m;
    s->down = (size_t)m;
    s->layer = (size_t)s->g * s->down;
}

double cob_block_sum(const cob_stats *s, int k, int l)
{
    double sum = cob_block(s, k, l);
    if (s->values == 1)
        return sum;
    if (!s->codes)
        return sum + s->origin * cob_cells(s, k, l);
    for (int c = 1; c < s->values; c++)
        sum += (c + 1) * cob_block_of(s, c, k, l);
    return sum;
}

cob_stats cob_stats_from(const cob_stats *s, cob_axis side)
{
    cob_stats seen = *s;
    if (side == COB_ROWS)
        return seen;
    seen.g = s->m, seen.m = s->g;
    seen.n = s->d, seen.d = s->n;
    seen.row_effect = s->col_effect, seen.col_effect = s->row_effect;
    seen.down = s->across, seen.across = s->down;
    seen.z = s->w, seen.w = s->z;
    seen.R = s->C, seen.C = s->R;
    return seen;
}

cobloc_status cob_theta_alloc_deep(cob_theta *theta, int g, int m, cob_depth depth,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *theta = (cob_theta){.g = g,
                         .m = m,
                         .parameters = depth.parameters,
                         .down = (size_t)m,
                         .across = 1,
                         .parameter = (size_t)g * (size_t)m};
    COB_NEW_ZERO(theta->delta, (size_t)depth.parameters * theta->parameter);
    COB_NEW_ZERO(theta->pi, g);
    COB_NEW_ZERO(theta->rho, m);
done:
    return status;
}

cobloc_status cob_theta_alloc(cob_theta *theta, int g, int m, cobloc_error *err)
{
    return cob_theta_alloc_deep(theta, g, m, one_number, err);
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
    copy(to->delta, from->delta, (size_t)from->parameters * (size_t)from->g * (size_t)from->m);
    copy(to->pi, from->pi, (size_t)from->g);
    copy(to->rho, from->rho, (size_t)from->m);
    to->at_bound = from->at_bound;
}

cob_theta cob_theta_from(const cob_theta *theta, cob_axis side)
{
    cob_theta seen = *theta;
    if (side == COB_ROWS)
        return seen;
    seen.g = theta->m, seen.m = theta->g;
    seen.down = theta->across, seen.across = theta->down;
    seen.pi = theta->rho, seen.rho = theta->pi;
    return seen;
}
