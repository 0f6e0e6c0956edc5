/* Where runs start from.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_STARTS_H
#define COB_ENGINE_STARTS_H

#include "engine/engine.h"
#include "matrix/directions.h"

/* Starts that merge begin with so many clusters for one; beyond so many with fewer, but at least
 * two: the time that an iteration takes grows with their square. */
enum { COB_FINE_FACTOR = 4, COB_FINE_MANY = 128 };
/* Beyond so many clusters, starts grow (engine/grow.c). */
enum { COB_FEW = COB_FINE_MANY / COB_FINE_FACTOR };
static inline int64_t cob_fine_of(int64_t clusters)
{
    int64_t most = COB_FINE_FACTOR * clusters, least = 2 * clusters;
    int64_t fewer = COB_FINE_MANY + clusters - COB_FEW;
    return most <= COB_FINE_MANY ? most : least > fewer ? least : fewer;
}

/* And there are no more than rows or columns; where they are many, each has a few of both. */
static inline int cob_fine_clusters(const cob_problem *p, int clusters)
{
    enum { A_FEW = 4 };
    int64_t rows = cob_line_count(p, COB_ROWS), cols = cob_line_count(p, COB_COLS);
    int64_t fewest = rows < cols ? rows : cols, fine = cob_fine_of(clusters);
    int64_t most = fine > COB_FINE_MANY ? fewest / A_FEW : fewest;
    most = most < clusters && clusters < fewest ? clusters : most;
    return (int)(fine < most ? fine : most);
}

/* K-means of the rows, and of the columns, is the same for all models of the same entries: what one
 * of them has found, in its first restarts, serves the others; and so do sums over the entries, and
 * points by singular vectors. */
enum { COB_SHARED_STARTS = 2 };
typedef struct cob_shared_means {
    int32_t *labels[2][COB_SHARED_STARTS]; /* by side; NULL: nobody has found them yet */
    int clusters[2][COB_SHARED_STARTS];
    cob_known_sums sums;
    double *points; /* with so many numbers each; or NULL */
    int dims;
} cob_shared_means;

void cob_shared_means_free(cob_shared_means *means);

/* The same problem for runs of more clusters, which make few iterations. Sums that are kept pay in
 * later ones only, unless they stay in a cache. */
static inline cob_problem cob_brief(const cob_problem *problem)
{
    enum { SMALL = 8 << 20 };
    cob_problem brief = *problem;
    brief.spare = brief.spare < SMALL ? brief.spare : SMALL;
    return brief;
}

/* What the starts need beside the problem; made once for all restarts. */
typedef struct cob_start_data {
    cob_directions directions; /* for spherical k-means; or, where directions mean nothing, */
    cobloc_matrix *lines[2];   /* rows and columns as points for plain k-means; else NULL */
    double *points;            /* for COBLOC_START_SPECTRAL: rows, then columns, by dims; or NULL */
    int dims;
    const int32_t *given[2];  /* the user's own labels, for COBLOC_START_LABELS; of the columns
                                 there may be none */
    cob_shared_means *shared; /* with fits of the same lines, entries and seed; or NULL */
} cob_start_data;

/* Fills the labels of a run: every cluster gets at least one row and one column. */
cobloc_status cob_start(cob_run *run, cobloc_start start, const cob_start_data *data,
                        cobloc_error *err);

/* The same in two parts, for runs whose labels a device draws: draws those of this run, and of the
 * restarts after it; and for one that has an empty cluster, the rest of a start. */
cobloc_status cob_draw_starts(cob_team *team, const cob_run *first, cobloc_error *err);
cobloc_status cob_finish_start(cob_run *run, cobloc_error *err);

/* So many restarts use the same starts with or without spectral ones. */
enum { COB_STARTS_BEFORE_SPECTRAL = 2 };

/* The start that restart number r uses when the user leaves the choice to us; with or without
 * spectral ones. */
cobloc_start cob_start_of_restart(uint32_t restart, bool spectral);

/* A start between what two others have found, where clusters may be merged: lines that
 * either keeps apart begin apart, and the pieces are merged down by the criterion. */
cobloc_status cob_start_between(cob_run *run, const cob_labels *a, const cob_labels *b,
                                cobloc_error *err);

/* Tries to leave a local optimum: splits every cluster in two, refines, merges back to g and m by
 * the criterion, refines, and keeps the better partition; as long as that helps, a few times at
 * most. Labels must be hard and measured. */
cobloc_status cob_split_and_merge(cob_run *run, const cob_start_data *data, cobloc_error *err);

/* ---- parts, also for tests ------------------------------------------------------------------- */

/* The lines of one side as k-means takes them. */
cob_weighed cob_start_lines(const cob_start_data *data, cob_axis side);

/* Makes `directions` or `lines`, whichever the model wants, and releases them. */
cobloc_status cob_start_lines_make(const cob_problem *problem, cob_start_data *data,
                                   cobloc_error *err);
void cob_start_lines_free(cob_start_data *data);

/* Places each column by its sums over the clusters of rows. */
cobloc_status cob_place_columns(cob_run *run, cobloc_error *err);

/* Labels 0 .. clusters-1, each as likely as any other. */
void cob_random_labels(int32_t *labels, int64_t count, int clusters, cob_stream stream,
                       int threads);

/* The sums of each column over the g clusters of the rows (columns by g), and the effects of these
 * clusters. Both are the caller's to free, also on failure. */
cobloc_status cob_sum_columns(const cobloc_view *cols, const double *row_effects,
                              const int32_t *row_labels, int g, int threads, double **sums,
                              double **mass, cobloc_error *err);

/* Splits every cluster: two of its lines are drawn, and each line goes with the one that it is
 * nearer to, or more like: halves[i] = 2 labels[i] or one more. A half may be empty. */
cobloc_status cob_split_lines(const cob_weighed *lines, const int32_t *labels, int clusters,
                              cob_stream stream, int32_t *halves, cobloc_error *err);

/* Splits every cluster of rows and of columns into two of `fine`, by random numbers for this
 * purpose and the next. */
cobloc_status cob_split_run(const cob_run *run, const cob_start_data *data, uint32_t purpose,
                            cob_run *fine, cobloc_error *err);

/* With how many clusters a start begins that is to have so many: the same, unless it grows. */
int cob_begun_with(int clusters);

/* Whether there are lines enough for clusters to be split on the way to so many. */
bool cob_can_grow(const cob_problem *problem, int g, int m);

/* From a run with that many clusters to one that has as many as are wanted. *few is freed. */
cobloc_status cob_grow_clusters(cob_run **few, const cob_start_data *data, cob_run *run,
                                cobloc_error *err);

/* One step of merging: two clusters of the original numbering (each named by its smallest member),
 * and the criterion after it. */
typedef struct cob_merge_step {
    int a, b;
    double criterion;
} cob_merge_step;

/* Greedy merging of co-clusters by the criterion, from `fine` (hard labels, measured) down to g and
 * m clusters; rows[k] and cols[l] receive the new number of each old cluster. `path`, if not NULL,
 * receives the steps that merged rows, as many as row clusters were lost. */
cobloc_status cob_merge_clusters(const cob_run *fine, int g, int m, int *rows, int *cols,
                                 cob_merge_step *path, cobloc_error *err);

/* The criterion with clusters a < b merged, of the rows, the columns, or both, as merging computes
 * it. */
cobloc_status cob_value_of_merge(const cob_model *model, const cob_stats *stats, bool rows,
                                 bool cols, int a, int b, double *value, cobloc_error *err);

/* Refines the labels of `fine`, which has more clusters than `run`, for some iterations, and merges
 * them down to those of `run`. */
cobloc_status cob_merge_into(cob_run *fine, int iterations, cob_run *run, cobloc_error *err);

#endif
