/* Fits that make the members of an ensemble.
 * SPDX-License-Identifier: MIT
 */
#include "fit/members.h"

#include "base/alloc.h"
#include "base/failures.h"
#include "base/parallel.h"

#include <string.h>

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

/* Members do better together where each is a simple one: from spherical k-means, as the paper has
 * it. The best of many starts, or merged ones, resemble each other more, and so do their errors. */
static cobloc_start start_for(const cob_algorithm *algorithm)
{
    return algorithm->model ? COBLOC_START_SKMEANS : COBLOC_START_AUTO;
}

static cobloc_status fit_member(crew *c, const cob_base_fit *fit, int threads, cob_member *member,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_result *result = NULL;
    cobloc_fit_options o;
    cob_algorithm algorithm;
    COB_TRY(cob_algorithm_find(fit->model, &algorithm, err));
    cob_fit_options_default(&o);
    o.model = fit->model;
    o.k = fit->k;
    o.weight = c->settings->weight;
    o.start = start_for(&algorithm);
    o.restarts = c->settings->restarts;
    o.seed = fit->seed;
    o.threads = threads;
    o.progress = (cobloc_progress){relay, c};
    COB_TRY(cob_fit(c->x, &o, &algorithm, &result, err));
    cobloc_copartition found = {.row_labels = result->row_labels,
                                .col_labels = result->col_labels,
                                .paired = algorithm.structure->paired};
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
    cob_failures failed = COB_NO_FAILURE, too_many = COB_NO_FAILURE;
    crew c = {.x = x, .settings = settings, .count = count};
    int threads = cob_threads(settings->threads), made = 0;
    int outer = count < threads ? count : threads, inner = outer > 0 ? threads / outer : 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(outer > 0 ? outer : 1)
    for (int i = count - 1; i >= 0; i--) { /* the longest first */
        cobloc_error own;
        int some;
#pragma omp atomic read
        some = made;
        if (some > 0 && cob_clock() > settings->watch->deadline)
            continue; /* those that were made in time are enough */
        cobloc_status ended = fit_member(&c, &fits[i], inner, &members[i], &own);
#pragma omp atomic update
        made += ended == COBLOC_OK;
#pragma omp atomic update
        c.ended++;
        cob_failures_note(ended == COBLOC_BAD_DATA ? &too_many : &failed, i, ended, &own);
    }
    COB_TRY(cob_failures_end(&failed, err));
    if (made == 0)
        COB_TRY(cob_failures_end(&too_many, err));
done:
    return status;
}

/* The labels of those that are left, as the method takes them. */
static cobloc_status take_labels(const cob_member *members, int count, cob_prepared *p, int *kept,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t rows = p->x->rows, lines = rows + p->x->cols;
    COB_NEW(p->base, count);
    COB_NEW(p->base_labels, (size_t)count * (size_t)lines);
    for (int m = 0; m < count; m++) {
        int32_t *own = p->base_labels + *kept * lines;
        if (!members[m].rows)
            continue;
        memcpy(own, members[m].rows, (size_t)rows * sizeof *own);
        memcpy(own + rows, members[m].cols, (size_t)(lines - rows) * sizeof *own);
        p->base[(*kept)++] =
            (cobloc_copartition){.row_labels = own, .col_labels = own + rows, .paired = 1};
    }
done:
    return status;
}

cobloc_status cob_members_usual(cob_task *t, int *kept, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_base_fit fits[COB_MOST_SIZE];
    cob_base_settings settings = {COBLOC_WEIGHT_NONE, 1, t->threads, &t->watch, 0};
    cob_prepared *p = &t->prepared;
    cob_member *members = NULL;
    int64_t fewest = p->x->rows < p->x->cols ? p->x->rows : p->x->cols;
    int most = fewest < COB_MOST_SIZE ? (int)fewest : COB_MOST_SIZE, count = 0;
    for (int k = most < COB_LEAST_SIZE ? most : COB_LEAST_SIZE; k <= most; k++)
        fits[count++] = (cob_base_fit){"dcc", k, t->seed + (uint64_t)k};
    COB_NEW_ZERO(members, count);
    COB_TRY(cob_members_fit(p->x, fits, count, &settings, members, err));
    cob_members_keep(members, count, COB_KEEP_SHARE);
    COB_TRY(take_labels(members, count, p, kept, err));
done:
    cob_members_free(members, count);
    return status;
}
