/* The members of an ensemble: made by fits, or handed in; paired and measured.
 * SPDX-License-Identifier: MIT
 */
#include "methods/ensemble.h"

#include "base/alloc.h"
#include "base/matching.h"
#include "base/parallel.h"
#include "engine/engine.h"
#include "engine/starts.h"
#include "fit/result.h"
#include "models/registry.h"

#include <math.h>
#include <string.h>

static void member_free(cob_member *member)
{
    cob_free(member->rows);
    cob_free(member->cols);
    cob_free(member->relevance);
    *member = (cob_member){0};
}

void cob_members_free(cob_member *members, int count)
{
    for (int i = 0; members && i < count; i++)
        member_free(&members[i]);
    cob_free(members);
}

/* ---- pairing --------------------------------------------------------------------------------- */

/* One more than the largest label. */
static int count_clusters(const int32_t *labels, int64_t count)
{
    int32_t most = -1;
    for (int64_t i = 0; i < count; i++)
        if (labels[i] > most)
            most = labels[i];
    return most + 1;
}

/* The kernels know no -1: lines without a cluster go to one more. */
static cobloc_status copy_labels(const int32_t *labels, int64_t count, int none, int32_t **out,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(*out, count);
    for (int64_t i = 0; i < count; i++)
        (*out)[i] = labels[i] < 0 ? none : labels[i];
done:
    return status;
}

/* The row cluster that each column cluster goes with: one to one, by the largest modularity, where
 * there are as many; else the one that it has the largest excess with. The last cluster of each
 * side is that of lines without one. */
static cobloc_status pair_clusters(const cob_stats *s, int *partner, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int g = s->g - 1, m = s->m - 1;
    double *gain = NULL, sum;
    COB_NEW(gain, (size_t)g * (size_t)m);
    for (int l = 0; l < m; l++) {
        partner[l] = 0;
        for (int k = 0; k < g; k++) {
            gain[(size_t)l * (size_t)g + (size_t)k] = cob_excess(s, k, l);
            if (cob_excess(s, k, l) > cob_excess(s, partner[l], l))
                partner[l] = k;
        }
    }
    if (g == m)
        COB_TRY(cob_best_matching(gain, m, g, &sum, partner, err));
done:
    cob_free(gain);
    return status;
}

static double modularity_of(const cob_stats *s, const int *partner)
{
    double sum = 0;
    for (int l = 0; l < s->m - 1; l++)
        if (partner[l] < s->g - 1)
            sum += cob_excess(s, partner[l], l);
    return s->total > 0 ? sum / s->total : 0;
}

/* The share of its rows' sum that a co-cluster holds, and that of its columns' sum: the root of
 * their product. */
static cobloc_status measure_relevance(const cob_stats *s, const int *partner, double **relevance,
                                       cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int g = s->g - 1;
    double *held = NULL, *cols = NULL;
    COB_NEW_ZERO(held, g);
    COB_NEW_ZERO(cols, g);
    for (int l = 0; l < s->m - 1; l++)
        if (partner[l] < g) {
            held[partner[l]] += cob_block(s, partner[l], l);
            cols[partner[l]] += s->C[l];
        }
    for (int k = 0; k < g; k++)
        held[k] = held[k] > 0 ? held[k] / sqrt(s->R[k] * cols[k]) : 0;
    *relevance = held;
    held = NULL;
done:
    cob_free(held);
    cob_free(cols);
    return status;
}

static cobloc_status make_member(const cobloc_matrix *x, const cobloc_copartition *given,
                                 int threads, cob_member *member, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int g = count_clusters(given->row_labels, x->rows),
        m = count_clusters(given->col_labels, x->cols);
    cob_stats stats = {0};
    cob_member made = {.clusters = g};
    int *partner = NULL;
    COB_CHECK(g > 0 && m > 0, COBLOC_BAD_DATA, "a co-clustering has no clusters of %s",
              g > 0 ? "columns" : "rows");
    COB_TRY(copy_labels(given->row_labels, x->rows, g, &made.rows, err));
    COB_TRY(copy_labels(given->col_labels, x->cols, m, &made.cols, err));
    COB_TRY(cob_stats_alloc(&stats, g + 1, m + 1, err));
    COB_TRY(cob_measure_labels(x, made.rows, made.cols, threads, &stats, err));
    COB_NEW(partner, m + 1);
    for (int l = 0; l < m; l++)
        partner[l] = l;
    partner[m] = -1;
    if (!given->paired)
        COB_TRY(pair_clusters(&stats, partner, err));
    made.modularity = modularity_of(&stats, partner);
    COB_TRY(measure_relevance(&stats, partner, &made.relevance, err));
    for (int64_t i = 0; i < x->rows; i++)
        made.rows[i] = given->row_labels[i];
    for (int64_t j = 0; j < x->cols; j++)
        made.cols[j] = partner[made.cols[j]] < g ? partner[made.cols[j]] : -1;
    *member = made;
    made = (cob_member){0};
done:
    member_free(&made);
    cob_stats_free(&stats);
    cob_free(partner);
    return status;
}

/* Columns beside rows that have a cluster: where they have their largest share. */
static cobloc_status place_columns(const cobloc_matrix *x, const int32_t *rows, int threads,
                                   int32_t **cols, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view view = cobloc_matrix_by_cols(x);
    int g = count_clusters(rows, x->rows), room = g + 1;
    int32_t *labels = NULL;
    double *sums = NULL, *mass = NULL;
    COB_TRY(copy_labels(rows, x->rows, g, &labels, err));
    COB_TRY(cob_sum_columns(&view, cobloc_matrix_row_sums(x), labels, room, threads, &sums, &mass,
                            err));
    COB_NEW(*cols, x->cols);
    for (int64_t j = 0; j < x->cols; j++)
        (*cols)[j] = g > 0 ? cob_largest_share(g, sums + j * room, mass) : -1;
done:
    cob_free(labels);
    cob_free(sums);
    cob_free(mass);
    return status;
}

cobloc_status cob_member_make(const cobloc_matrix *x, const cobloc_copartition *given, int threads,
                              cob_member *member, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_copartition both = *given;
    int32_t *cols = NULL;
    if (!given->col_labels) {
        COB_TRY(place_columns(x, given->row_labels, threads, &cols, err));
        both.col_labels = cols;
        both.paired = 1;
    }
    COB_TRY(make_member(x, &both, threads, member, err));
done:
    cob_free(cols);
    return status;
}

/* ---- fits ------------------------------------------------------------------------------------ */

/* What the fits share. */
typedef struct crew {
    const cobloc_matrix *x;
    const cob_base_settings *settings;
    int count, ended;
    double furthest; /* that was reported */
} crew;

/* A member's fit goes on as long as the whole does. It asks one thread at a time: for all fits the
 * progress of the whole is reported here. */
static int relay(void *user, const char *what, double done)
{
    crew *c = user;
    const cob_watch *watch = c->settings->watch;
    int ended;
#pragma omp atomic read
    ended = c->ended;
    double all = c->settings->share * (ended + done) / c->count;
    c->furthest = all > c->furthest ? all : c->furthest;
    if (cob_clock() > watch->deadline)
        return 1;
    return watch->progress.report &&
           watch->progress.report(watch->progress.user, what, c->furthest);
}

static int is_diagonal(const char *model)
{
    for (int m = 0; m < cobloc_model_count(); m++)
        if (strcmp(cobloc_model_name(m), model) == 0)
            return cobloc_model_is_diagonal(m);
    return 0;
}

/* Members do better together where each is a simple one: from spherical k-means, as the paper has
 * it. The best of many starts, or merged ones, resemble each other more, and so do their errors. */
static cobloc_start start_for(const char *model)
{
    return cob_model_named(model) ? COBLOC_START_SKMEANS : COBLOC_START_AUTO;
}

/* Members are fits like any other, asked for as any user would: this needs the public header only,
 * although fits stand above methods. */
static cobloc_status fit_member(crew *c, const cob_base_fit *fit, int threads, cob_member *member,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_result *result = NULL;
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = fit->model;
    o.k = fit->k;
    o.weight = c->settings->weight;
    o.start = start_for(fit->model);
    o.restarts = c->settings->restarts;
    o.seed = fit->seed;
    o.threads = threads;
    o.progress = (cobloc_progress){relay, c};
    COB_TRY(cobloc_fit(c->x, &o, &result, err));
    cobloc_copartition found = {.row_labels = result->row_labels,
                                .col_labels = result->col_labels,
                                .paired = is_diagonal(fit->model)};
    COB_TRY(cob_member_make(c->x, &found, threads, member, err));
done:
    cobloc_result_free(result);
    return status;
}

cobloc_status cob_members_fit(const cobloc_matrix *x, const cob_base_fit *fits, int count,
                              const cob_base_settings *settings, cob_member *members,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_error failure = {COBLOC_OK, ""}, too_many = {COBLOC_OK, ""};
    crew c = {.x = x, .settings = settings, .count = count};
    int threads = cob_threads(settings->threads), made = 0;
    int outer = count < threads ? count : threads, inner = outer > 0 ? threads / outer : 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(outer > 0 ? outer : 1)
    for (int i = count - 1; i >= 0; i--) { /* the longest first */
        cobloc_error own = {COBLOC_OK, ""};
        cobloc_status ended = fit_member(&c, &fits[i], inner, &members[i], &own);
#pragma omp critical(cob_members)
        {
            made += ended == COBLOC_OK;
#pragma omp atomic update
            c.ended++;
            if (ended == COBLOC_BAD_DATA)
                too_many = own;
            else if (ended != COBLOC_OK && failure.status == COBLOC_OK)
                failure = own;
        }
    }
    COB_CHECK(failure.status == COBLOC_OK, failure.status, "%s", failure.message);
    COB_CHECK(made > 0 || count == 0, too_many.status, "%s", too_many.message);
done:
    return status;
}

void cob_members_keep(cob_member *members, int count, double share)
{
    double best = 0;
    int first = -1;
    for (int i = 0; i < count; i++)
        if (members[i].rows && (first < 0 || members[i].modularity > best)) {
            best = members[i].modularity;
            first = i;
        }
    for (int i = 0; i < count; i++)
        if (share > 0 && members[i].rows && i != first && members[i].modularity < share * best)
            member_free(&members[i]);
}
