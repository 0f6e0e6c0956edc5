/* Partitions of one model from many clusters to few: some are merged, and lines may move after
 * that.
 * SPDX-License-Identifier: MIT
 */
#include "select/select.h"

#include "base/alloc.h"

enum { ITERATIONS = 20 }; /* after a merge, at most: few lines still move by then */

static int columns_for(const cob_algorithm *a, int k)
{
    int own = cob_algorithm_columns(a, k);
    return own ? own : k;
}

cobloc_status cob_path_open(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                            const cob_algorithm *algorithm, int k, cob_watch watch, cob_path *path,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int l = columns_for(algorithm, k);
    *path = (cob_path){.algorithm = *algorithm};
    COB_TRY(cob_neighbourhood_open(matrix, options, algorithm, k, l, &path->around, err));
    path->around.problem.watch = watch;
    COB_TRY(cob_run_new(&path->around.problem, k, l, 0, path->around.threads, &path->run, err));
    COB_TRY(cob_start(path->run, COBLOC_START_MERGE, &path->around.data, err));
    COB_TRY(cob_run_refine(path->run, ITERATIONS, err));
    COB_TRY(cob_split_and_merge(path->run, &path->around.data, err));
done:
    return status;
}

cobloc_status cob_path_step(cob_path *path, int k, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_run *next = NULL;
    COB_TRY(cob_run_new(&path->around.problem, k, columns_for(&path->algorithm, k), 0,
                        path->around.threads, &next, err));
    COB_TRY(cob_merge_into(path->run, 0, next, err));
    COB_TRY(cob_run_refine(next, ITERATIONS, err));
    COB_TRY(cob_split_and_merge(next, &path->around.data, err));
    cob_run_free(path->run);
    path->run = next;
    next = NULL;
done:
    cob_run_free(next);
    return status;
}

void cob_path_labels(const cob_path *path, int32_t *rows)
{
    const int32_t *map = path->around.prepared.row_map, *own = path->run->side[COB_ROWS].labels;
    for (int64_t i = 0; i < path->around.rows; i++)
        rows[i] = map[i] >= 0 ? own[map[i]] : -1;
}

void cob_path_close(cob_path *path)
{
    cob_run_free(path->run);
    cob_neighbourhood_close(&path->around);
    *path = (cob_path){0};
}
