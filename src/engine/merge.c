/* Greedy merging of clusters by the model's own criterion, read off the block table.
 *
 * A diagonal model merges co-clusters, a pair of row clusters with their column clusters; any other
 * merges row clusters and column clusters apart, whichever costs less. For each cluster only its
 * few most promising partners are tried, and where the criterion is a sum over blocks, only those
 * that a merge joins are looked at: so that a merge among K clusters costs O(K^3), not O(K^4), and
 * O(K^2) where co-clusters alone count.
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/starts.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

enum { PARTNERS = 3 };

typedef struct merging {
    const cob_model *model;
    cob_stats now, trial; /* the trial has room for as many clusters as `now` */
    cob_theta theta;
    double value;             /* of `now` */
    double *own;              /* of each of its clusters by itself, along one axis, */
    double nothing;           /* and of none */
    double *line;             /* room for the blocks of one cluster */
    int *rows, *cols;         /* the current number of each original cluster */
    int row_count, col_count; /* of original clusters, */
    int most;                 /* and the larger of them */
    cob_merge_step *path;     /* where the next step goes; or NULL */
    bool *tried;              /* pairs of clusters that were, in this step, along this axis */
} merging;

/* ---- merged statistics ----------------------------------------------------------------------- */

/* The new number of cluster k when b is merged into a < b: those above b move down. */
static int renumbered(int k, int a, int b)
{
    return k == b ? a : k > b ? k - 1 : k;
}

static void merge_vector(double *to, const double *from, int count, int a, int b)
{
    memset(to, 0, (size_t)count * sizeof *to);
    for (int k = 0; k < count; k++)
        to[renumbered(k, a, b)] += from[k];
}

/* to += from, with numbers c < d of it added together (if c >= 0). */
static void add_merged(double *restrict to, const double *restrict from, int count, int c, int d)
{
    int until = c >= 0 ? d : count;
    for (int l = 0; l < until; l++)
        to[l] += from[l];
    if (c >= 0)
        to[c] += from[d];
    for (int l = until + 1; l < count; l++)
        to[l - 1] += from[l];
}

/* to = from, likewise. */
static void copy_merged(double *restrict to, const double *restrict from, int count, int c, int d)
{
    memcpy(to, from, (size_t)(c >= 0 ? d : count) * sizeof *to);
    if (c < 0)
        return;
    to[c] += from[d];
    memcpy(to + d, from + d + 1, (size_t)(count - d - 1) * sizeof *to);
}

/* trial = now with row clusters a, b merged (if a >= 0) and column clusters c, d (if c >= 0). */
static void merge_stats(merging *m, int a, int b, int c, int d)
{
    const cob_stats *s = &m->now;
    cob_stats *t = &m->trial;
    double *block = t->block, *z = t->z, *w = t->w, *R = t->R, *C = t->C;
    *t = *s;
    t->block = block, t->z = z, t->w = w, t->R = R, t->C = C;
    t->g = a >= 0 ? s->g - 1 : s->g;
    t->m = c >= 0 ? s->m - 1 : s->m;
    for (int k = 0; k < s->g; k++)
        (a >= 0 && k == b ? add_merged : copy_merged)(
            block + (size_t)(a >= 0 ? renumbered(k, a, b) : k) * (size_t)t->m,
            s->block + (size_t)k * (size_t)s->m, s->m, c, d);
    /* An index past the end leaves a vector as it is. */
    merge_vector(z, s->z, s->g, a >= 0 ? a : s->g, a >= 0 ? b : s->g);
    merge_vector(R, s->R, s->g, a >= 0 ? a : s->g, a >= 0 ? b : s->g);
    merge_vector(w, s->w, s->m, c >= 0 ? c : s->m, c >= 0 ? d : s->m);
    merge_vector(C, s->C, s->m, c >= 0 ? c : s->m, c >= 0 ? d : s->m);
}

static double value_of(merging *m, const cob_stats *stats)
{
    m->theta.g = stats->g;
    m->theta.m = stats->m;
    if (!m->model->of_stats)
        m->model->estimate(stats, &m->theta);
    return m->model->value(stats, &m->theta);
}

/* The smallest original cluster that is now number k. */
static int smallest_member(const merging *m, int k)
{
    int member = 0;
    while (m->rows[member] != k)
        member++;
    return member;
}

/* Takes a merge for good. */
static void accept(merging *m, int a, int b, int c, int d)
{
    merge_stats(m, a, b, c, d);
    m->now.g = m->trial.g;
    m->now.m = m->trial.m;
    cob_stats_copy(&m->now, &m->trial);
    m->value = value_of(m, &m->now);
    if (m->path && a >= 0)
        *m->path++ = (cob_merge_step){smallest_member(m, a), smallest_member(m, b), m->value};
    for (int k = 0; a >= 0 && k < m->row_count; k++)
        m->rows[k] = renumbered(m->rows[k], a, b);
    for (int l = 0; c >= 0 && l < m->col_count; l++)
        m->cols[l] = renumbered(m->cols[l], c, d);
}

/* ---- promising partners ---------------------------------------------------------------------- */

/* How much two co-clusters belong together: the gain of modularity by merging them, for its size.
 */
static double diagonal_affinity(const cob_stats *s, int a, int b)
{
    double expected = (s->R[a] * s->C[b] + s->R[b] * s->C[a]) / s->total;
    double found = cob_block(s, a, b) + cob_block(s, b, a);
    return found - expected;
}

/* The cosine of two lines of the block table: entries `stride` apart, `count` of them. */
static double cosine(const double *x, const double *y, size_t stride, int count)
{
    double product = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < (size_t)count; i++) {
        product += x[i * stride] * y[i * stride];
        xx += x[i * stride] * x[i * stride];
        yy += y[i * stride] * y[i * stride];
    }
    return xx > 0 && yy > 0 ? product / sqrt(xx * yy) : 0;
}

static double row_affinity(const cob_stats *s, int a, int b)
{
    size_t m = (size_t)s->m;
    return cosine(s->block + (size_t)a * m, s->block + (size_t)b * m, 1, s->m);
}

static double col_affinity(const cob_stats *s, int a, int b)
{
    return cosine(s->block + a, s->block + b, (size_t)s->m, s->g);
}

typedef enum axis { BOTH, ROWS, COLS } axis;

typedef struct merge {
    int a, b;
    axis along;
    double value;
} merge;

/* The sum of one or two numbers of an array, the second where b >= 0; and of none where a < 0. */
static double sum_of(const double *numbers, int a, int b)
{
    return (a >= 0 ? numbers[a] : 0) + (b >= 0 ? numbers[b] : 0);
}

/* The blocks of row clusters a and b as one; without b where it is negative. */
static void join_rows(const cob_stats *s, int a, int b, double *joined)
{
    for (int l = 0; l < s->m; l++)
        joined[l] = cob_block(s, a, l) + (b >= 0 ? cob_block(s, b, l) : 0);
}

static void join_cols(const cob_stats *s, int a, int b, double *joined)
{
    for (int k = 0; k < s->g; k++)
        joined[k] = sum_of(s->block + (size_t)k * (size_t)s->m, a, b);
}

static void join_both(const cob_stats *s, int a, int b, double *joined)
{
    *joined = sum_of(s->block + (size_t)a * (size_t)s->m, a, b) +
              (b >= 0 ? sum_of(s->block + (size_t)b * (size_t)s->m, a, b) : 0);
}

/* The criterion as if there were only row clusters a and b, as one, or column clusters, or
 * co-clusters; only a where b is negative, and none where a is. */
static double value_of_joined(merging *m, axis along, int a, int b)
{
    const cob_stats *s = &m->now;
    cob_stats some = *s;
    double z, w, R, C;
    if (a >= 0)
        (along == BOTH ? join_both : along == ROWS ? join_rows : join_cols)(s, a, b, m->line);
    some.block = m->line;
    if (along != COLS) {
        z = sum_of(s->z, a, b), R = sum_of(s->R, a, b);
        some.g = a >= 0, some.z = &z, some.R = &R;
    }
    if (along != ROWS) {
        w = sum_of(s->w, a, b), C = sum_of(s->C, a, b);
        some.m = a >= 0, some.w = &w, some.C = &C;
    }
    return value_of(m, &some);
}

static double value_of_merge(merging *m, axis along, int a, int b)
{
    if (m->model->by_blocks)
        return m->value + value_of_joined(m, along, a, b) - m->own[a] - m->own[b] + m->nothing;
    merge_stats(m, along == COLS ? -1 : a, b, along == ROWS ? -1 : a, b);
    return value_of(m, &m->trial);
}

static void try_pair(merging *m, axis along, int a, int b, merge *best)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    bool *tried = m->tried + (size_t)low * (size_t)m->most + (size_t)high;
    if (*tried)
        return;
    *tried = true;
    double value = value_of_merge(m, along, low, high);
    if (best->a < 0 || cob_better(m->model, value, best->value))
        *best = (merge){low, high, along, value};
}

static void try_axis(merging *m, axis along, merge *best)
{
    const cob_stats *s = &m->now;
    int count = along == COLS ? s->m : s->g;
    memset(m->tried, 0, (size_t)m->most * (size_t)m->most * sizeof *m->tried);
    if (m->model->by_blocks) {
        m->nothing = value_of_joined(m, along, -1, -1);
        for (int a = 0; a < count; a++)
            m->own[a] = value_of_joined(m, along, a, -1);
    }
    for (int a = 0; a < count; a++) {
        int partner[PARTNERS];
        double affinity[PARTNERS];
        int found = 0;
        for (int b = 0; b < count; b++) {
            if (b == a)
                continue;
            double x = along == BOTH   ? diagonal_affinity(s, a, b)
                       : along == ROWS ? row_affinity(s, a, b)
                                       : col_affinity(s, a, b);
            int at = found < PARTNERS ? found++ : PARTNERS;
            for (; at > 0 && affinity[at - 1] < x; at--)
                if (at < PARTNERS) {
                    affinity[at] = affinity[at - 1];
                    partner[at] = partner[at - 1];
                }
            if (at < PARTNERS) {
                affinity[at] = x;
                partner[at] = b;
            }
        }
        for (int p = 0; p < found; p++)
            try_pair(m, along, a, partner[p], best);
    }
}

cobloc_status cob_merge_clusters(const cob_run *fine, int g, int m, int *rows, int *cols,
                                 cob_merge_step *path, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    merging state = {.model = fine->problem->model,
                     .rows = rows,
                     .cols = cols,
                     .row_count = fine->g,
                     .col_count = fine->m,
                     .most = fine->g > fine->m ? fine->g : fine->m,
                     .path = path};
    COB_NEW(state.tried, (size_t)state.most * (size_t)state.most);
    COB_NEW(state.own, state.most);
    COB_NEW(state.line, state.most);
    COB_TRY(cob_stats_alloc(&state.now, fine->g, fine->m, err));
    COB_TRY(cob_stats_alloc(&state.trial, fine->g, fine->m, err));
    COB_TRY(cob_theta_alloc(&state.theta, fine->g, fine->m, err));
    cob_stats_copy(&state.now, &fine->stats);
    state.value = value_of(&state, &state.now);
    for (int k = 0; k < fine->g; k++)
        rows[k] = k;
    for (int l = 0; l < fine->m; l++)
        cols[l] = l;
    while (state.now.g > g || state.now.m > m) {
        merge best = {.a = -1};
        if (state.model->diagonal) {
            try_axis(&state, BOTH, &best);
        } else {
            if (state.now.g > g)
                try_axis(&state, ROWS, &best);
            if (state.now.m > m)
                try_axis(&state, COLS, &best);
        }
        accept(&state, best.along == COLS ? -1 : best.a, best.b, best.along == ROWS ? -1 : best.a,
               best.b);
    }
done:
    cob_free(state.tried);
    cob_free(state.own);
    cob_free(state.line);
    cob_stats_free(&state.now);
    cob_stats_free(&state.trial);
    cob_theta_free(&state.theta);
    return status;
}

cobloc_status cob_merge_into(cob_run *fine, int iterations, cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    int *rows = NULL, *cols = NULL;
    COB_NEW(rows, fine->g);
    COB_NEW(cols, fine->m);
    COB_TRY(
        cob_repair_empty(fine->row_labels, p->rows.major, fine->g, NULL, NULL, NULL, NULL, err));
    COB_TRY(
        cob_repair_empty(fine->col_labels, p->cols.major, fine->m, NULL, NULL, NULL, NULL, err));
    COB_TRY(cob_run_refine(fine, iterations, err));
    COB_TRY(cob_merge_clusters(fine, run->g, run->m, rows, cols, NULL, err));
    for (int64_t i = 0; i < p->rows.major; i++)
        run->row_labels[i] = rows[fine->row_labels[i]];
    for (int64_t j = 0; j < p->cols.major; j++)
        run->col_labels[j] = cols[fine->col_labels[j]];
done:
    cob_free(rows);
    cob_free(cols);
    return status;
}
