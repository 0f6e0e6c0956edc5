/* The criterion of some clusters by themselves.
 * SPDX-License-Identifier: MIT
 */
#include "engine/joined.h"

double cob_value_of_stats(cob_joining *j, const cob_stats *stats)
{
    j->theta.g = stats->g;
    j->theta.m = stats->m;
    j->theta.down = (size_t)stats->m;
    j->theta.parameter = (size_t)stats->g * (size_t)stats->m;
    if (!j->model->of_stats)
        j->model->estimate(stats, &j->theta);
    return j->model->value(stats, &j->theta);
}

/* The sum of one or two numbers of an array, the second where b >= 0; and of none where a < 0. */
static double sum_of(const double *numbers, int a, int b)
{
    return (a >= 0 ? numbers[a] : 0) + (b >= 0 ? numbers[b] : 0);
}

/* What clusters a and b have together in one of the other side, as far as there are these. */
static double block_of_joined(const cob_stats *s, int layer, int a, int b, int l)
{
    return (a >= 0 ? cob_block_of(s, layer, a, l) : 0) +
           (b >= 0 ? cob_block_of(s, layer, b, l) : 0);
}

/* The blocks of clusters a and b as one, layer behind layer; without b where it is negative. */
static void join_lines(const cob_stats *s, int a, int b, double *line)
{
    for (int c = 0; c < s->layers; c++)
        for (int l = 0; l < s->m; l++)
            *line++ = block_of_joined(s, c, a, b, l);
}

static void join_pairs(const cob_stats *s, int a, int b, double *line)
{
    for (int c = 0; c < s->layers; c++) {
        const double *table = s->block + (size_t)c * s->layer;
        *line++ = sum_of(table + (size_t)a * s->down, a, b) +
                  (b >= 0 ? sum_of(table + (size_t)b * s->down, a, b) : 0);
    }
}

double cob_value_of_joined(cob_joining *j, cob_axis side, bool both, int a, int b)
{
    cob_stats s = cob_stats_from(&j->now, side), some = s;
    double z = sum_of(s.z, a, b), R = sum_of(s.R, a, b), w = 0, C = 0;
    if (a >= 0)
        (both ? join_pairs : join_lines)(&s, a, b, j->line);
    some.block = j->line, some.across = 1;
    some.g = a >= 0, some.z = &z, some.R = &R;
    if (both) {
        w = sum_of(s.w, a, b), C = sum_of(s.C, a, b);
        some.m = a >= 0, some.w = &w, some.C = &C;
    }
    if (j->model->rest) /* and nothing beside them */
        some.total = a >= 0 ? j->line[0] : 0, some.row_effect = R, some.col_effect = C;
    some.down = some.layer = (size_t)some.m;
    some = cob_stats_from(&some, side);
    return cob_value_of_stats(j, &some);
}

double cob_change_of_joined(cob_joining *j, cob_axis side, int a, int b, int c, int d)
{
    cob_stats s = cob_stats_from(&j->now, side), some = s;
    double z = sum_of(s.z, a, b), R = sum_of(s.R, a, b), value[2];
    for (int apart = 0; apart <= 1; apart++) {
        double w[] = {s.w[c] + (apart ? 0 : s.w[d]), s.w[d]};
        double C[] = {s.C[c] + (apart ? 0 : s.C[d]), s.C[d]};
        for (int layer = 0; layer < s.layers; layer++) {
            double *to = j->line + layer * (1 + apart);
            double x = block_of_joined(&s, layer, a, b, c), y = block_of_joined(&s, layer, a, b, d);
            to[0] = apart ? x : x + y;
            to[apart] = apart ? y : to[0];
        }
        some = s;
        some.block = j->line, some.across = 1, some.down = some.layer = (size_t)(1 + apart);
        some.g = a >= 0, some.z = &z, some.R = &R;
        some.m = 1 + apart, some.w = w, some.C = C;
        some = cob_stats_from(&some, side);
        value[apart] = cob_value_of_stats(j, &some);
    }
    return value[0] - value[1];
}

double cob_value_of_rest(const cob_joining *j, double inside, double covered, int a, int b)
{
    const cob_stats *s = &j->now;
    double now_inside = inside + cob_block(s, a, b) + cob_block(s, b, a);
    double now_covered = covered + s->R[a] * s->C[b] + s->R[b] * s->C[a];
    return j->model->rest(s, now_inside, now_covered) - j->model->rest(s, inside, covered);
}
