/* From the best run to the user's result: canonical numbers, the original rows and columns.
 * SPDX-License-Identifier: MIT
 */
#include "fit/fit.h"

#include "base/alloc.h"
#include "models/socc.h"

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

static bool has_sections(const cob_algorithm *a)
{
    return a->model && a->model->place_column;
}

/* socc's sections follow the rows: main k, second a+b, common last. */
static void order_sections(int g, const int *rows, int *cols)
{
    int m = cob_socc_col_clusters(g);
    for (int l = 0; l < g; l++)
        cols[l] = rows[l];
    for (int l = g; l < m - 1; l++) {
        int a, b, c, d;
        cob_socc_pair(g, l, &a, &b);
        for (int to = g; to < m - 1; to++) {
            cob_socc_pair(g, to, &c, &d);
            if ((rows[a] == c && rows[b] == d) || (rows[a] == d && rows[b] == c))
                cols[l] = to;
        }
    }
    cols[m - 1] = m - 1;
}

cobloc_status cob_canonical_order(const cob_task *task, const cob_outcome *o, int *rows, int *cols,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_matrix *x = task->prepared.x;
    const cob_algorithm *a = &task->algorithm;
    if (task->prepared.fix_rows || task->prepared.fix_cols) { /* known labels keep their numbers */
        for (int k = 0; k < o->g; k++)
            rows[k] = k;
        for (int l = 0; l < o->m; l++)
            cols[l] = l;
        return COBLOC_OK;
    }
    COB_TRY(order_by_size(o->row_labels, x->rows, o->g, rows, err));
    if (a->diagonal)
        memcpy(cols, rows, (size_t)o->g * sizeof *rows);
    else if (has_sections(a))
        order_sections(o->g, rows, cols);
    else
        COB_TRY(order_by_size(o->col_labels, x->cols, o->m, cols, err));
done:
    return status;
}

/* ---- filling the result ---------------------------------------------------------------------- */

static cobloc_status fill_side(int64_t count, const int32_t *map, const int32_t *labels,
                               const double *soft, int clusters, const int *order, int32_t **out,
                               double **probabilities, int64_t **sizes, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(*out, count);
    COB_NEW_ZERO(*sizes, clusters);
    if (soft)
        COB_NEW_ZERO(*probabilities, (size_t)count * (size_t)clusters);
    for (int64_t i = 0; i < count; i++) {
        int32_t at = map[i];
        (*out)[i] = at < 0 ? -1 : order[labels[at]];
        if (at < 0)
            continue;
        (*sizes)[(*out)[i]]++;
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
    COB_NEW(r->blocks, cells);
    COB_NEW(r->parameters, cells);
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
            r->blocks[to] = o->block[from];
            r->parameters[to] = o->parameters[from];
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

/* How the rows chose last: A, b and e of the model's rule, a line for each row cluster. */
static cobloc_status fill_rule(cob_run *run, const int *rows, const int *cols, cobloc_result *r,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    const cob_rule *rule = &run->row_rule;
    int g = run->g, m = run->m;
    COB_NEW_ZERO(r->row_rule, (size_t)g * (size_t)(m + 2));
    r->effect_scale = p->row_effect / p->total;
    p->model->rule(&run->stats, &run->theta, &p->settings, &run->row_rule);
    for (int k = 0; k < g; k++) {
        double *line = r->row_rule + (size_t)rows[k] * (size_t)(m + 2);
        for (int l = 0; l < m; l++)
            line[cols[l]] = !rule->diagonal ? rule->A[(size_t)l * (size_t)g + (size_t)k]
                            : l == k        ? rule->A[k]
                                            : 0;
        line[m] = rule->b[k];
        line[m + 1] = rule->e[k];
    }
done:
    return status;
}

/* "main 2", "second 1+3", "common": what socc's column clusters are specific to. */
static cobloc_status name_sections(int g, cobloc_result *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW_ZERO(r->col_names, r->l);
    for (int l = 0; l < r->l; l++) {
        int a, b;
        COB_NEW(r->col_names[l], 48);
        if (l < g) {
            snprintf(r->col_names[l], 48, "main %d", l);
        } else if (l < r->l - 1) {
            cob_socc_pair(g, l, &a, &b);
            snprintf(r->col_names[l], 48, "second %d+%d", a, b);
        } else {
            strcpy(r->col_names[l], "common");
        }
    }
done:
    return status;
}

/* ---- the hierarchy --------------------------------------------------------------------------- */

static cobloc_status fill_merges(const cob_run *run, const int *order, cobloc_result *r,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int *rows = NULL, *cols = NULL, steps = run->g - 1;
    cob_merge_step *path = NULL;
    COB_NEW(rows, run->g);
    COB_NEW(cols, run->m);
    COB_NEW(path, steps);
    COB_NEW(r->merges, 2 * steps);
    COB_NEW(r->merge_criteria, steps);
    COB_TRY(cob_merge_clusters(run, 1, run->problem->model->diagonal ? 1 : run->m, rows, cols, path,
                               err));
    /* Members are renumbered, so the smallest of each group must be found again. */
    for (int k = 0; k < run->g; k++)
        rows[order[k]] = order[k];
    for (int s = 0; s < steps; s++) {
        int a = rows[order[path[s].a]], b = rows[order[path[s].b]];
        int low = a < b ? a : b, high = a < b ? b : a;
        for (int k = 0; k < run->g; k++)
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

/* All that is not an array. */
static void fill_numbers(const cobloc_matrix *matrix, const cob_task *task, const cob_outcome *o,
                         cobloc_result *r)
{
    r->model = task->algorithm.name;
    r->criterion_name = task->algorithm.criterion;
    r->inference = task->inference;
    r->weight = task->prepared.weight;
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
    r->r_hat = NAN;
    r->effect_scale = 1;
    r->empty_rows = matrix->rows - task->prepared.x->rows;
    r->empty_cols = matrix->cols - task->prepared.x->cols;
    if (o->run) {
        r->at_bound = o->run->theta.at_bound;
        r->row_passes = cob_pass_count(o->run->row_room, &o->run->problem->rows);
        r->col_passes = cob_pass_count(o->run->col_room, &o->run->problem->cols);
    }
}

cobloc_status cob_make_result(const cobloc_matrix *matrix, const cob_task *task,
                              const cob_outcome *o, cobloc_result **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_result *r = NULL;
    int *rows = NULL, *cols = NULL;
    COB_NEW_ZERO(r, 1);
    fill_numbers(matrix, task, o, r);
    COB_NEW(rows, o->g);
    COB_NEW(cols, o->m);
    COB_TRY(cob_canonical_order(task, o, rows, cols, err));
    COB_TRY(fill_side(matrix->rows, task->prepared.row_map, o->row_labels, o->row_soft, o->g, rows,
                      &r->row_labels, &r->row_probabilities, &r->row_sizes, err));
    COB_TRY(fill_side(matrix->cols, task->prepared.col_map, o->col_labels, o->col_soft, o->m, cols,
                      &r->col_labels, &r->col_probabilities, &r->col_sizes, err));
    COB_TRY(fill_parameters(o, rows, cols, r, err));
    if (o->components)
        COB_TRY(fill_components(o, task->prepared.col_map, rows, r, err));
    if (o->run)
        COB_TRY(fill_rule(o->run, rows, cols, r, err));
    if (has_sections(&task->algorithm))
        COB_TRY(name_sections(o->g, r, err));
    else if (o->run && o->g > 1)
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

void cobloc_result_free(cobloc_result *r)
{
    if (!r)
        return;
    for (int l = 0; r->col_names && l < r->l; l++)
        cob_free(r->col_names[l]);
    void *const arrays[] = {
        r->restart_criteria,  r->row_labels,      r->col_labels,      r->row_probabilities,
        r->col_probabilities, r->row_sizes,       r->col_sizes,       r->blocks,
        r->parameters,        r->row_proportions, r->col_proportions, r->row_rule,
        r->col_names,         r->trace,           r->merges,          r->merge_criteria,
        r->components};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        cob_free(arrays[i]);
    cob_free(r);
}
