/* From the best run to the user's result: canonical numbers, the original rows and columns.
 * SPDX-License-Identifier: MIT
 */
#include "fit/fit.h"

#include "base/alloc.h"
#include "base/parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- canonical numbers ----------------------------------------------------------------------- */

typedef struct cluster {
    int number;
    int64_t size, first;
} cluster;

static int compare_clusters(const void *a, const void *b)
{
    const cluster *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* order[k] = the place of cluster k when the largest comes first, ties by the first member. */
static cobloc_status order_by_size(const int32_t *labels, int64_t count, int clusters, int *order,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cluster *list = NULL;
    COB_NEW(list, clusters);
    for (int k = 0; k < clusters; k++)
        list[k] = (cluster){k, 0, count};
    for (int64_t i = count - 1; i >= 0; i--) {
        list[labels[i]].size++;
        list[labels[i]].first = i;
    }
    qsort(list, (size_t)clusters, sizeof *list, compare_clusters);
    for (int place = 0; place < clusters; place++)
        order[list[place].number] = place;
done:
    cob_free(list);
    return status;
}

cobloc_status cob_canonical_order(const cob_task *task, const cob_outcome *o, int *rows, int *cols,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_matrix *x = task->prepared.x;
    const cob_structure *structure = task->algorithm.structure;
    if (task->prepared.fix_rows || task->prepared.fix_cols) { /* known labels keep their numbers */
        for (int k = 0; k < o->g; k++)
            rows[k] = k;
        for (int l = 0; l < o->m; l++)
            cols[l] = l;
        return COBLOC_OK;
    }
    COB_TRY(order_by_size(o->row_labels, x->rows, o->g, rows, err));
    if (structure->order)
        structure->order(o->g, rows, cols);
    else
        COB_TRY(order_by_size(o->col_labels, x->cols, o->m, cols, err));
done:
    return status;
}

/* ---- filling the result ---------------------------------------------------------------------- */

static cobloc_status fill_side(int64_t count, const int32_t *map, const int32_t *labels,
                               const double *soft, int clusters, const int *order, int threads,
                               int32_t **out, double **probabilities, int64_t **sizes,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t *size = NULL;
    COB_NEW(*out, count);
    COB_NEW_ZERO(*sizes, clusters);
    size = *sizes;
    if (soft)
        COB_NEW_ZERO(*probabilities, (size_t)count * (size_t)clusters);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : size[:clusters])
    for (int64_t i = 0; i < count; i++) {
        int32_t at = map[i];
        (*out)[i] = at < 0 ? -1 : order[labels[at]];
        if (at < 0)
            continue;
        size[(*out)[i]]++;
        for (int k = 0; soft && k < clusters; k++)
            (*probabilities)[i * clusters + order[k]] = soft[(int64_t)at * clusters + k];
    }
done:
    return status;
}

static cobloc_status fill_parameters(const cob_outcome *o, const int *rows, const int *cols,
                                     cobloc_result *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t cells = (size_t)o->g * (size_t)o->m;
    r->parameter_count = o->run ? o->run->theta.parameters : 1;
    COB_NEW(r->blocks, cells);
    COB_NEW(r->parameters, (size_t)r->parameter_count * cells);
    COB_NEW(r->row_proportions, o->g);
    COB_NEW(r->col_proportions, o->m);
    for (int k = 0; k < o->g; k++)
        r->row_proportions[rows[k]] = o->pi[k];
    for (int l = 0; l < o->m; l++)
        r->col_proportions[cols[l]] = o->rho[l];
    for (int k = 0; k < o->g; k++)
        for (int l = 0; l < o->m; l++) {
            size_t from = (size_t)k * (size_t)o->m + (size_t)l;
            size_t to = (size_t)rows[k] * (size_t)o->m + (size_t)cols[l];
            r->blocks[to] = o->run ? cob_block_sum(&o->run->stats, k, l) : o->block[from];
            for (size_t p = 0; p < (size_t)r->parameter_count; p++)
                r->parameters[p * cells + to] = o->parameters[p * cells + from];
        }
done:
    return status;
}

/* "mean", "variance"; "p(yes)", "p(no)". */
static cobloc_status name_parameters(const cobloc_matrix *matrix, const cob_model *model,
                                     cobloc_result *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW_ZERO(r->parameter_names, r->parameter_count);
    for (int c = 0; c < r->parameter_count; c++) {
        bool code = model->entries == COB_CODES;
        const char *own = code     ? cob_names_get(&matrix->categories, c)
                          : c == 0 ? "mean"
                                   : "variance";
        size_t room = (own ? strlen(own) : 0) + 16;
        COB_NEW(r->parameter_names[c], room);
        if (code && !own)
            snprintf(r->parameter_names[c], room, "p(%d)", c);
        else
            snprintf(r->parameter_names[c], room, code ? "p(%s)" : "%s", own);
    }
done:
    return status;
}

static cobloc_status fill_components(const cob_outcome *o, const int32_t *col_map, const int *rows,
                                     cobloc_result *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW_ZERO(r->components, (size_t)r->d * (size_t)o->g);
    for (int64_t j = 0; j < r->d; j++)
        for (int k = 0; k < o->g && col_map[j] >= 0; k++)
            r->components[j * o->g + rows[k]] = o->components[(int64_t)col_map[j] * o->g + k];
done:
    return status;
}

static void copy_rule(const cob_rule *rule, const cob_stats *stats, const int *rows,
                      const int *cols, cobloc_result *r)
{
    for (int k = 0; k < stats->g; k++) {
        double *line = r->row_rule + (size_t)rows[k] * (size_t)r->rule_width;
        for (int c = 0; c < stats->layers; c++, line += stats->m)
            for (int l = 0; l < stats->m; l++)
                line[cols[l]] = rule->diagonal && l != k ? 0 : *cob_weight_of(rule, stats, c, k, l);
        line[0] = rule->b[k];
        line[1] = rule->e[k];
    }
}

/* How the rows chose last: A, b and e of the model's rule, a line for each row cluster. New rows
 * may miss cells even if none was missing here, and their entries are what they are: nothing is
 * taken from them. */
static cobloc_status fill_rule(const cob_run *run, const int *rows, const int *cols,
                               cobloc_result *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_stats stats = run->stats;
    cob_rule rule = {.to = stats.g, .diagonal = p->model->diagonal_rule};
    stats.layers = stats.values + p->model->takes_missing;
    stats.origin = 0;
    rule.from = stats.layers * stats.m;
    r->rule_width = rule.from + 2;
    r->effect_scale = p->total != 0 ? p->side[COB_ROWS].effect / p->total : 1;
    COB_NEW_ZERO(r->row_rule, (size_t)stats.g * (size_t)r->rule_width);
    COB_NEW(rule.A, cob_rule_cells(&rule));
    COB_NEW(rule.b, stats.g);
    COB_NEW(rule.e, stats.g);
    p->model->rule(&stats, &run->theta, &rule);
    copy_rule(&rule, &stats, rows, cols, r);
done:
    cob_free(rule.A);
    cob_free(rule.b);
    cob_free(rule.e);
    return status;
}

static cobloc_status name_columns(const cob_structure *structure, cobloc_result *r,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW_ZERO(r->col_names, r->l);
    for (int l = 0; l < r->l; l++) {
        COB_NEW(r->col_names[l], COB_CLUSTER_NAME);
        structure->name(r->k, l, r->col_names[l]);
    }
done:
    return status;
}

/* ---- the hierarchy --------------------------------------------------------------------------- */

/* Merging g clusters beside m takes about g * g * m steps: when the time is over, only few. */
static bool can_merge(const cob_run *run)
{
    const double few = 1e7;
    double g = run->side[COB_ROWS].clusters, m = run->side[COB_COLS].clusters;
    return g > 1 && (g * g * m <= few || cob_clock() <= run->problem->watch.deadline);
}

static cobloc_status fill_merges(const cob_run *run, const int *order, cobloc_result *r,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int g = run->side[COB_ROWS].clusters, m = run->side[COB_COLS].clusters;
    int *rows = NULL, *cols = NULL, steps = g - 1;
    cob_merge_step *path = NULL;
    COB_NEW(rows, g);
    COB_NEW(cols, m);
    COB_NEW(path, steps);
    COB_NEW(r->merges, 2 * steps);
    COB_NEW(r->merge_criteria, steps);
    COB_TRY(cob_merge_clusters(run, 1, run->problem->model->structure->paired ? 1 : m, rows, cols,
                               path, err));
    /* Members are renumbered, so the smallest of each group must be found again. */
    for (int k = 0; k < g; k++)
        rows[order[k]] = order[k];
    for (int s = 0; s < steps; s++) {
        int a = rows[order[path[s].a]], b = rows[order[path[s].b]];
        int low = a < b ? a : b, high = a < b ? b : a;
        for (int k = 0; k < g; k++)
            if (rows[k] == high)
                rows[k] = low;
        r->merges[2 * s] = low;
        r->merges[2 * s + 1] = high;
        r->merge_criteria[s] = path[s].criterion;
    }
done:
    cob_free(rows);
    cob_free(cols);
    cob_free(path);
    return status;
}

static double passes_of(const cob_run *run, cob_axis side)
{
    return cob_pass_count(run->side[side].room, &run->problem->operand.lines[side]);
}

/* All that is not an array. */
static void fill_numbers(const cobloc_matrix *matrix, const cob_task *task, const cob_outcome *o,
                         cobloc_result *r)
{
    r->model = task->algorithm.name;
    r->criterion_name = task->algorithm.criterion;
    r->inference = task->inference;
    r->weight = task->prepared.how.weight;
    r->unit = task->prepared.how.unit;
    r->mean_length = task->prepared.how.mean_length;
    r->scale = task->prepared.how.scale;
    r->k = o->g;
    r->l = o->m;
    r->n = matrix->rows;
    r->d = matrix->cols;
    r->nnz = matrix->nnz;
    r->seed = task->seed;
    r->restarts = task->restarts;
    r->best_restart = (int)o->restart;
    r->criterion = o->criterion;
    r->iterations = o->iterations;
    r->stop = o->stop;
    r->repaired = o->kept;
    r->r_hat = r->agreement = NAN;
    r->effect_scale = 1;
    r->empty_rows = matrix->rows - task->prepared.x->rows;
    r->empty_cols = matrix->cols - task->prepared.x->cols;
    if (o->run) {
        r->at_bound = o->run->theta.at_bound;
        r->row_passes = passes_of(o->run, COB_ROWS);
        r->col_passes = passes_of(o->run, COB_COLS);
    }
}

double cob_dust_below(const cobloc_result *r)
{
    const double share = 0.2;
    double rows = 0;
    for (int k = 0; k < r->k; k++)
        rows += (double)r->row_sizes[k];
    return share * rows / r->k;
}

static int count_dust(const cobloc_result *r)
{
    double below = cob_dust_below(r);
    int dust = 0;
    for (int k = 0; k < r->k; k++)
        dust += (double)r->row_sizes[k] < below;
    return dust;
}

cobloc_status cob_make_result(const cobloc_matrix *matrix, const cob_task *task,
                              const cob_outcome *o, cobloc_result **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_structure *structure = task->algorithm.structure;
    cobloc_result *r = NULL;
    int *rows = NULL, *cols = NULL, threads = cob_threads(task->threads);
    COB_MAKE(r, cob_result_type);
    fill_numbers(matrix, task, o, r);
    COB_NEW(rows, o->g);
    COB_NEW(cols, o->m);
    COB_TRY(cob_canonical_order(task, o, rows, cols, err));
    COB_TRY(fill_side(matrix->rows, task->prepared.row_map, o->row_labels, o->row_soft, o->g, rows,
                      threads, &r->row_labels, &r->row_probabilities, &r->row_sizes, err));
    r->dust = count_dust(r);
    COB_TRY(fill_side(matrix->cols, task->prepared.col_map, o->col_labels, o->col_soft, o->m, cols,
                      threads, &r->col_labels, &r->col_probabilities, &r->col_sizes, err));
    COB_TRY(fill_parameters(o, rows, cols, r, err));
    if (r->parameter_count > 1)
        COB_TRY(name_parameters(matrix, task->algorithm.model, r, err));
    if (o->components)
        COB_TRY(fill_components(o, task->prepared.col_map, rows, r, err));
    if (o->run)
        COB_TRY(fill_rule(o->run, rows, cols, r, err));
    if (structure->name)
        COB_TRY(name_columns(structure, r, err));
    if (structure->merges && o->run && can_merge(o->run))
        COB_TRY(fill_merges(o->run, rows, r, err));
    COB_NEW(r->trace, o->trace_count);
    if (o->trace_count > 0)
        memcpy(r->trace, o->trace, o->trace_count * sizeof *r->trace);
    r->trace_count = (int)o->trace_count;
    *out = r;
    r = NULL;
done:
    cobloc_result_free(r);
    cob_free(rows);
    cob_free(cols);
    return status;
}
