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
#include "base/failures.h"
#include "base/parallel.h"
#include "score/scores.h"

#include <math.h>
#include <stdlib.h>

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
    int *sizes;       /* from many clusters to few */
    int steps, ended; /* how many sizes there are; steps of all members that have ended */
    int count;
    cob_member panel[COB_MOST_MEMBERS];
    bool arrived[COB_MOST_MEMBERS];    /* at the last size: not so if there was no time */
    int32_t *labels[COB_MOST_MEMBERS]; /* of the first size, of the second, ... */
} members;

/* What the panel depends on: the matrix alone, so that the size is the same for every model. */
static int panel_for(const cobloc_matrix *matrix, cob_member *panel)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    int all = cob_panel(matrix, &o, panel), count = 0;
    for (int m = 0; m < all; m++)
        if (panel[m].sizes)
            panel[count++] = panel[m];
    return count;
}

int cob_panel_count(const cobloc_matrix *matrix)
{
    cob_member panel[COB_MOST_MEMBERS];
    return panel_for(matrix, panel);
}

/* All sizes up to `dense`; above it, two in a row differ by a sixth, as their partitions do. */
static int size_below(int k, int dense)
{
    int next = k - (k / 6 > 1 ? k / 6 : 1);
    return k <= dense ? k - 1 : next > dense ? next : dense;
}

static cobloc_status list_sizes(members *all, cob_sizes range, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(all->sizes, range.most - range.from + 1);
    for (int k = range.most; k >= range.from; k = size_below(k, range.to))
        all->sizes[all->steps++] = k;
done:
    return status;
}

static bool must_stop(members *all)
{
    int ended;
#pragma omp atomic capture
    ended = all->ended++;
    return cob_must_stop(&all->watch, (uint32_t)ended, 1) != COBLOC_STOP_CONVERGED;
}

/* One member at all sizes, from many clusters to few. */
static cobloc_status follow(members *all, int m, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_algorithm a = cob_algorithm_of(all->panel[m].model);
    cob_path path = {0};
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.weight = all->panel[m].weight;
    o.seed = all->seed;
    o.threads = all->inner;
    COB_NEW(all->labels[m], (size_t)all->steps * (size_t)all->matrix->rows);
    for (int s = 0; s < all->steps; s++) {
        if (s == 0)
            COB_TRY(cob_path_open(all->matrix, &o, &a, all->sizes[s], all->watch, &path, err));
        else
            COB_TRY(cob_path_step(&path, all->sizes[s], err));
        cob_path_labels(&path, all->labels[m] + s * all->matrix->rows);
        if (must_stop(all))
            goto done;
    }
    all->arrived[m] = true;
done:
    cob_path_close(&path);
    return status;
}

static cobloc_status follow_all(members *all, cobloc_error *err)
{
    cob_failures failed = COB_NO_FAILURE;
#pragma omp parallel for schedule(dynamic, 1) num_threads(all->outer)
    for (int m = 0; m < all->count; m++) {
        cobloc_error own;
        cob_failures_note(&failed, m, follow(all, m, &own), &own);
    }
    return cob_failures_end(&failed, err);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Of all pairs of members; a member's sum of them is in the diagonal. */
static cobloc_status compare_all(const int32_t *const *labels, int count, int64_t rows,
                                 double pairs[COB_MOST_MEMBERS][COB_MOST_MEMBERS],
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int a = 0; a < count; a++) {
        pairs[a][a] = 0;
        for (int b = 0; b < a; b++) {
            COB_TRY(cob_agreement(labels[a], labels[b], rows, &pairs[a][b], err));
            pairs[b][a] = pairs[a][b];
            pairs[a][a] += pairs[a][b];
            pairs[b][b] += pairs[a][b];
        }
    }
done:
    return status;
}

/* A model that does not suit the data must not decide: of many members, up to a quarter that agree
 * least with all others do not count. */
static cobloc_status measure(const members *all, int step, cob_agreed *size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const int32_t *labels[COB_MOST_MEMBERS];
    double pairs[COB_MOST_MEMBERS][COB_MOST_MEMBERS], sums[COB_MOST_MEMBERS];
    int kept[COB_MOST_MEMBERS], models = 0, count = 0, wanted;
    for (int m = 0; m < all->count; m++)
        if (all->arrived[m])
            labels[models++] = all->labels[m] + step * all->matrix->rows;
    COB_TRY(compare_all(labels, models, all->matrix->rows, pairs, err));
    for (int m = 0; m < models; m++)
        sums[m] = pairs[m][m];
    qsort(sums, (size_t)models, sizeof *sums, descending);
    wanted = models - (models - 1) / 4;
    for (int m = 0; m < models && count < wanted; m++)
        if (pairs[m][m] >= sums[wanted - 1])
            kept[count++] = m;
    *size = (cob_agreed){.k = all->sizes[step], .models = models, .count = count};
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            size->of[a] += a == b ? 0 : pairs[kept[a]][kept[b]] / (count - 1);
    qsort(size->of, (size_t)count, sizeof *size->of, descending);
done:
    return status;
}

cobloc_status cob_agree(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                        cob_sizes range, cob_watch watch, cob_agreed *sizes, int *count,
                        cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    members all = {.matrix = matrix, .seed = options->seed, .watch = watch};
    double made = 0;
    int arrived = 0;
    all.count = panel_for(matrix, all.panel);
    COB_CHECK(all.count > 1, COBLOC_BAD_DATA,
              "only one model takes such a table, and none can agree with it: choose by ICL");
    int threads = cob_threads(options->threads);
    all.outer = threads < all.count ? threads : all.count;
    all.inner = threads / all.outer;
    COB_TRY(list_sizes(&all, range, err));
    all.watch.made = &made;
    all.watch.restarts = all.count * all.steps; /* a run within them hardly counts */
    COB_TRY(follow_all(&all, err));
    for (int m = 0; m < all.count; m++)
        arrived += all.arrived[m];
    for (int s = 0; arrived > 1 && s < all.steps; s++) {
        COB_TRY(measure(&all, s, &sizes[*count], err));
        ++*count;
    }
done:
    cob_free(all.sizes);
    for (int m = 0; m < COB_MOST_MEMBERS; m++)
        cob_free(all.labels[m]);
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
