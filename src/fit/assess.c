/* What the partitions of a result are worth beside the model's own criterion: ICL, modularity, and
 * the share of the matrix's mutual information that its blocks keep.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "engine/modularity.h"
#include "fit/fit.h"
#include "matrix/values.h"

#include <math.h>

static double x_log_x(double x)
{
    return x > 0 ? x * log(x) : 0;
}

static double range_x_log_x(const void *values, int64_t first, int64_t last)
{
    double sum = 0;
    for (int64_t i = first; i < last; i++)
        sum += x_log_x(((const double *)values)[i]);
    return sum;
}

static double sum_x_log_x(const double *values, int64_t count, int threads)
{
    enum { BLOCK = 1 << 14 };
    return cob_sum_blocks(range_x_log_x, values, count, BLOCK, cob_threads_worth(threads, count));
}

/* The mutual information of a table of which these are the sums of x log x: over its cells, its
 * rows, its columns; and the sum of x. */
static double information(double cells, double rows, double cols, double total)
{
    return total > 0 ? fmax((cells - rows - cols) / total + log(total), 0) : 0;
}

static double matrix_information(const cobloc_matrix *x, int threads,
                                 const cob_shared_values *shared)
{
    cobloc_view rows = cobloc_matrix_by_rows(x);
    return information(cob_sum_over_values(&rows, x_log_x, threads, shared),
                       sum_x_log_x(cobloc_matrix_row_sums(x), rows.major, threads),
                       sum_x_log_x(cobloc_matrix_col_sums(x), rows.minor, threads),
                       cobloc_matrix_total(x));
}

/* The sums of the block table's rows and columns: the clusters' masses, whatever the effects are.
 */
static void block_margins(const cob_stats *s, double *rows, double *cols)
{
    for (int k = 0; k < s->g; k++)
        for (int l = 0; l < s->m; l++) {
            rows[k] += cob_block(s, k, l);
            cols[l] += cob_block(s, k, l);
        }
}

/* Whether shares of the sum of all entries mean anything: not if some are negative, nor of codes.
 */
static bool has_shares(const cob_task *task)
{
    const cob_model *model = task->algorithm.model;
    return !task->prepared.x->negative && !(model && model->law == COB_LAW_CATEGORICAL);
}

/* Row cluster k goes with column cluster k where the model says so; else the pairs are those that
 * give most, since the clusters' numbers mean nothing. */
static cobloc_status modularity(const cob_stats *s, bool diagonal, double *q, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int *partner = NULL;
    *q = NAN;
    if (s->g != s->m || !(s->total > 0))
        return COBLOC_OK;
    COB_NEW(partner, s->m);
    if (!diagonal)
        COB_TRY(cob_pair_clusters(s, s->g, s->m, partner, err));
    *q = cob_modularity(s, diagonal ? NULL : partner);
done:
    cob_free(partner);
    return status;
}

/* ICL is L_c - (g-1)/2 log n - (m-1)/2 log d - K/2 log(nd); proportions that are not estimated
 * cost nothing, and cells that are missing do not count. */
static void assess_likelihood(const cob_model *model, const cob_stats *s, const cob_theta *theta,
                              cobloc_result *r)
{
    if (!model->free_parameters)
        return;
    double (*likelihood)(const cob_stats *, const cob_theta *) =
        model->log_likelihood ? model->log_likelihood : model->value;
    double proportions = (s->g - 1) / 2.0 * log(s->n) + (s->m - 1) / 2.0 * log(s->d);
    double of_blocks = model->free_parameters(s->g, s->m, s->values);
    r->log_likelihood = likelihood(s, theta);
    r->free_parameters = of_blocks + (model->equal_proportions ? 0 : s->g - 1 + s->m - 1);
    r->icl = r->log_likelihood - (model->equal_proportions ? 0 : proportions) -
             of_blocks / 2 * log(cob_all_cells(s));
}

/* Modularity and information of the sums of blocks. */
static cobloc_status assess_sums(const cob_task *task, const cob_outcome *o, cobloc_result *r,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_matrix *x = task->prepared.x;
    cob_stats s = {0};
    COB_TRY(cob_stats_alloc(&s, o->g, o->m, err));
    for (int k = 0; k < s.g; k++)
        for (int l = 0; l < s.m; l++) {
            size_t at = (size_t)k * s.down + (size_t)l;
            s.block[at] = o->run ? cob_block_sum(&o->run->stats, k, l) : o->block[at];
        }
    s.total = cobloc_matrix_total(x);
    block_margins(&s, s.R, s.C);
    cob_shared_values shared = {
        .ranks = task->problem.ranks,
        .weigher = task->problem.weigher,
        .weighed = cob_part_entries(&task->problem.part, 0, x->by_row.offsets, x->rows),
        .known = task->problem.known};
    double all = matrix_information(x, cob_threads(task->threads), &shared);
    double kept = information(sum_x_log_x(s.block, (int64_t)s.g * s.m, 1), sum_x_log_x(s.R, s.g, 1),
                              sum_x_log_x(s.C, s.m, 1), s.total);
    r->explained_information = all > 1e-12 ? kept / all : NAN; /* else there is nothing to keep */
    COB_TRY(modularity(&s, task->algorithm.structure->paired, &r->modularity, err));
done:
    cob_stats_free(&s);
    return status;
}

cobloc_status cob_assess(const cob_task *task, const cob_outcome *o, cobloc_result *r,
                         cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    r->icl = r->log_likelihood = r->free_parameters = NAN;
    r->modularity = r->explained_information = NAN;
    if (o->run) {
        if (task->inference != COBLOC_HARD) /* else the statistics are those of the labels */
            cob_run_measure(o->run);
        COB_TRY(cob_check_held(o->run, err));
        assess_likelihood(task->algorithm.model, &o->run->stats, &o->run->theta, r);
    }
    if (has_shares(task))
        COB_TRY(assess_sums(task, o, r, err));
    if (o->own_modularity)
        r->modularity = o->modularity;
done:
    return status;
}
