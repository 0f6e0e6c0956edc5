/* What all methods share: one start and the completion of its outcome.
 * SPDX-License-Identifier: MIT
 */
#include "methods/method.h"

#include "base/alloc.h"
#include "engine/means.h"
#include "engine/starts.h"
#include "models/common.h"

#include <string.h>

enum { PURPOSE_LABELS = 41 };

bool cob_method_must_end(const cob_method_problem *p, double done, cob_outcome *out)
{
    cobloc_stop why = cob_must_stop(p->watch, p->restart, done);
    if (why != COBLOC_STOP_CONVERGED)
        out->stop = why;
    return why != COBLOC_STOP_CONVERGED;
}

cobloc_status cob_method_note(const cob_method_problem *p, double criterion, bool *ends,
                              cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = cob_outcome_note(out, criterion, err);
    *ends = out->iterations >= p->max_iterations;
    if (*ends)
        out->stop = COBLOC_STOP_ITERATIONS;
    else
        *ends = cob_method_must_end(p, (double)out->iterations / p->max_iterations, out);
    return status;
}

/* Receives the rounds of k-means. */
typedef struct listener {
    const cob_method_problem *problem;
    cob_outcome *out;
    bool is_criterion;
    int rounds;
} listener;

static cobloc_status note_round(void *user, const cob_round *found, bool settled, bool *ends,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    listener *l = user;
    l->rounds++;
    if (l->is_criterion) {
        COB_TRY(cob_outcome_note(l->out, found->value, err));
        l->out->kept = found->repaired;
    } else {
        l->out->iterations++;
    }
    if (!settled && l->rounds >= l->problem->max_iterations)
        l->out->stop = COBLOC_STOP_ITERATIONS;
    else if (!settled)
        *ends =
            cob_method_must_end(l->problem, (double)l->rounds / l->problem->max_iterations, l->out);
done:
    return status;
}

cobloc_status cob_method_settle(const cob_method_problem *p, cob_rounds rounds, bool is_criterion,
                                cob_outcome *out, cobloc_error *err)
{
    listener l = {p, out, is_criterion, 0};
    rounds.most = out->stop == COBLOC_STOP_CONVERGED ? p->max_iterations : 0;
    rounds.tolerance = p->tolerance;
    rounds.note = note_round;
    rounds.user = &l;
    return cob_kmeans_settle(&rounds, err);
}

cobloc_status cob_method_labels(const cob_method_problem *p, int32_t *labels, cobloc_error *err)
{
    int64_t n = p->rows.major;
    if (p->start == COBLOC_START_LABELS)
        memcpy(labels, p->start_rows, (size_t)n * sizeof *labels);
    else
        cob_random_labels(labels, n, p->k, cob_stream_at(p->seed, p->restart, 0, PURPOSE_LABELS),
                          p->threads);
    return cob_repair_empty(labels, n, p->k, NULL, NULL, NULL, NULL, err);
}

cobloc_status cob_method_directions(const cob_method_problem *p, void **shared, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_directions *directions = NULL;
    if (p->weight == COBLOC_WEIGHT_TFIDF || p->start == COBLOC_START_RANDOM ||
        (p->start == COBLOC_START_LABELS && p->start_cols))
        return COBLOC_OK;
    COB_NEW_ZERO(directions, 1);
    COB_TRY(cob_directions_make(directions, p->x, NULL, err));
    *shared = directions;
    directions = NULL;
done:
    cob_method_directions_free(directions);
    return status;
}

void cob_method_directions_free(void *shared)
{
    if (shared)
        cob_directions_free(shared);
    cob_free(shared);
}

cob_weighed cob_method_directed(const cob_method_problem *p, int side)
{
    cob_directions plain = {.matrix = p->x};
    const cob_directions *directions = p->shared ? p->shared : &plain;
    return side == 0 ? cob_directions_by_rows(directions) : cob_directions_by_cols(directions);
}

/* ---- the columns of one-sided methods -------------------------------------------------------- */

typedef struct shares {
    int k;
    double *sums; /* of each column over the row clusters */
    double *mass; /* of these */
} shares;

static double share_of(const shares *s, int64_t col, int cluster)
{
    return cob_ratio(s->sums[col * s->k + cluster], s->mass[cluster]);
}

static double loss_of_share(const void *data, int64_t col, int cluster)
{
    const shares *s = data;
    int best = cob_largest_share(s->k, s->sums + col * s->k, s->mass);
    return -cob_ratio(share_of(s, col, cluster), share_of(s, col, best));
}

/* Assigns columns to the cluster with their largest share. An empty cluster gets the column that
 * comes closest. */
static cobloc_status place_columns(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    shares s = {.k = p->k};
    COB_TRY(cob_sum_columns(&p->cols, cobloc_matrix_row_sums(p->x), out->row_labels, p->k,
                            p->threads, &s.sums, &s.mass, err));
    for (int64_t j = 0; j < p->cols.major; j++)
        out->col_labels[j] = cob_largest_share(p->k, s.sums + j * p->k, s.mass);
    COB_TRY(
        cob_repair_empty(out->col_labels, p->cols.major, p->k, NULL, loss_of_share, &s, NULL, err));
done:
    cob_free(s.sums);
    cob_free(s.mass);
    return status;
}

/* ---- one start ------------------------------------------------------------------------------- */

/* Blocks, proportions, and parameters unless the method has its own. */
static cobloc_status describe(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_stats stats = {0};
    cob_theta theta = {0};
    COB_TRY(cob_stats_alloc(&stats, out->g, out->m, err));
    COB_TRY(cob_theta_alloc(&theta, out->g, out->m, err));
    COB_TRY(cob_measure_labels(p->x, out->row_labels, out->col_labels, p->threads, &stats, err));
    cob_estimate_lift(&stats, &theta);
    out->block = stats.block;
    out->pi = theta.pi;
    out->rho = theta.rho;
    stats.block = theta.pi = theta.rho = NULL;
    if (!out->parameters) {
        out->parameters = theta.delta;
        theta.delta = NULL;
    }
done:
    cob_stats_free(&stats);
    cob_theta_free(&theta);
    return status;
}

cobloc_status cob_method_start(const cob_method *method, const cob_method_problem *p,
                               cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_outcome made = {0};
    COB_TRY(cob_outcome_alloc(&made, p->rows.major, p->cols.major, p->k, p->l, err));
    made.restart = p->restart;
    COB_TRY(method->fit(p, &made, err));
    if (method->one_sided)
        COB_TRY(place_columns(p, &made, err));
    COB_TRY(describe(p, &made, err));
    *out = made;
    made = (cob_outcome){0};
done:
    cob_outcome_free(&made);
    return status;
}
