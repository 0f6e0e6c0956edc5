/* How much several models agree about the rows.
 *
 * Partitions of the same rows share information I. What one of them says and another does not, is
 * H(a | b) + H(b | a). Their agreement is
 *
 *     I - (H(a | b) + H(b | a)) / 2  =  2 I - (H(a) + H(b)) / 2
 *
 * so that one more cluster is worth it as long as more than half of what it says is said by other
 * models, too. I is larger by about (g_a - 1) (g_b - 1) / 2n than it should be for n rows (Miller,
 * 1955): this is taken off.
 *
 * SPDX-License-Identifier: MIT
 */
#include "select/size.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "score/contingency.h"

#include <math.h>

/* ---- two partitions -------------------------------------------------------------------------- */

static double entropy(const double *counts, int64_t count, double total, int *occurring)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        if (counts[i] > 0) {
            sum -= counts[i] / total * log(counts[i] / total);
            ++*occurring;
        }
    return sum;
}

cobloc_status cob_agreement(const int32_t *a, const int32_t *b, int64_t count, double *agreement,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_contingency t = {0};
    int rows = 0, cols = 0, both = 0;
    COB_TRY(cob_contingency_count(a, b, count, &t, err));
    double own = entropy(t.cluster_sizes, t.clusters, t.total, &rows);
    double other = entropy(t.class_sizes, t.classes, t.total, &cols);
    double joint = entropy(t.cells, (int64_t)t.clusters * t.classes, t.total, &both);
    double shared = own + other - joint - (rows - 1) * (cols - 1) / (2 * t.total);
    *agreement = 2 * shared - (own + other) / 2;
done:
    cob_contingency_free(&t);
    return status;
}

/* ---- the panel ------------------------------------------------------------------------------- */

typedef struct members {
    const cobloc_matrix *matrix;
    uint64_t seed;
    cob_watch watch;
    int outer, inner; /* threads */
    int count;
    cob_member panel[COB_MOST_MEMBERS];
    cob_path path[COB_MOST_MEMBERS];
    int32_t *labels[COB_MOST_MEMBERS];
} members;

/* What the panel depends on: the matrix alone, so that the size is the same for every model. */
static int panel_for(const cobloc_matrix *matrix, cob_member *panel)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    return cob_panel(matrix, &o, panel);
}

int cob_panel_count(const cobloc_matrix *matrix)
{
    cob_member panel[COB_MOST_MEMBERS];
    return panel_for(matrix, panel);
}

static cobloc_status open_member(members *all, int m, int k, cobloc_error *err)
{
    cob_algorithm a = cob_algorithm_of(all->panel[m].model);
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.weight = all->panel[m].weight;
    o.seed = all->seed;
    o.threads = all->inner;
    return cob_path_open(all->matrix, &o, &a, k, all->watch, &all->path[m], err);
}

/* All members at k clusters: each opens its path, or goes a step down. */
static cobloc_status advance(members *all, bool open, int k, cobloc_error *err)
{
    cobloc_error failure = {COBLOC_OK, ""};
#pragma omp parallel for schedule(dynamic, 1) num_threads(all->outer)
    for (int m = 0; m < all->count; m++) {
        cobloc_error own = {COBLOC_OK, ""};
        cobloc_status ended =
            open ? open_member(all, m, k, &own) : cob_path_step(&all->path[m], &own);
        if (ended == COBLOC_OK)
            cob_path_labels(&all->path[m], all->labels[m]);
#pragma omp critical(cob_agreement)
        if (ended != COBLOC_OK && failure.status == COBLOC_OK)
            failure = own;
    }
    return failure.status == COBLOC_OK ? COBLOC_OK
                                       : cob_fail(err, failure.status, "%s", failure.message);
}

/* The mean agreement of each member with the others. */
static cobloc_status measure(const members *all, int k, cob_agreed *size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *size = (cob_agreed){.k = k, .count = all->count};
    for (int a = 0; a < all->count; a++)
        for (int b = 0; b < a; b++) {
            double one;
            COB_TRY(cob_agreement(all->labels[a], all->labels[b], all->matrix->rows, &one, err));
            size->of[a] += one / (all->count - 1);
            size->of[b] += one / (all->count - 1);
        }
done:
    return status;
}

cobloc_status cob_agree(const cobloc_matrix *matrix, const cobloc_fit_options *options, int from,
                        int to, cob_watch watch, cob_agreed *sizes, int *count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    members all = {.matrix = matrix, .seed = options->seed};
    double made = 0;
    watch.made = &made;
    watch.restarts = to - from + 1; /* the steps: a run within them hardly counts */
    all.watch = watch;
    all.count = panel_for(matrix, all.panel);
    COB_CHECK(all.count > 1, COBLOC_BAD_DATA,
              "only one model takes such a table, and none can agree with it: choose by ICL");
    int threads = cob_threads(options->threads);
    all.outer = threads < all.count ? threads : all.count;
    all.inner = threads / all.outer;
    for (int m = 0; m < all.count; m++)
        COB_NEW(all.labels[m], matrix->rows);
    for (int k = to; k >= from; k--) {
        COB_TRY(advance(&all, k == to, k, err));
        if (cob_must_stop(&watch, (uint32_t)(to - k), 1) != COBLOC_STOP_CONVERGED)
            break;
        COB_TRY(measure(&all, k, &sizes[*count], err));
        ++*count;
    }
done:
    for (int m = 0; m < COB_MOST_MEMBERS; m++) {
        cob_path_close(&all.path[m]);
        cob_free(all.labels[m]);
    }
    return status;
}

/* ---- comparing sizes ------------------------------------------------------------------------- */

double cob_mean_agreement(const cob_agreed *size)
{
    double sum = 0;
    for (int m = 0; m < size->count; m++)
        sum += size->of[m];
    return sum / size->count;
}

double cob_agreement_error(const cob_agreed *a, const cob_agreed *b)
{
    double mean = cob_mean_agreement(a) - cob_mean_agreement(b), squares = 0;
    for (int m = 0; m < a->count; m++)
        squares += pow(a->of[m] - b->of[m] - mean, 2);
    return 2 * sqrt(squares / (a->count - 1) / a->count);
}
