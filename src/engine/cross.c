/* Starts between two partitions: what both keep together stays together, and the pieces are merged
 * again by the criterion.
 * SPDX-License-Identifier: MIT
 */
#include "engine/starts.h"

#include "base/alloc.h"
#include "base/parallel.h"

#include <stdlib.h>

/* Lines that have one label in the first partition and one in the second. */
typedef struct piece {
    int64_t lines;
    int first, second;
    bool largest; /* of those with the same first label */
} piece;

/* The largest pieces of all first labels, then the others by size. */
static int by_rank(const void *x, const void *y)
{
    const piece *a = x, *b = y;
    if (a->largest != b->largest)
        return a->largest ? -1 : 1;
    if (a->lines != b->lines)
        return a->lines > b->lines ? -1 : 1;
    return a->first != b->first ? a->first - b->first : a->second - b->second;
}

/* Each thread counts some of the lines, if there are more of them than pieces. */
static cobloc_status count_lines(piece *pieces, int clusters, const int32_t *a, const int32_t *b,
                                 int64_t count, int threads, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t all = (int64_t)clusters * clusters, *lines = NULL;
    threads = all * threads < count ? cob_threads_worth(threads, count) : 1;
    COB_NEW_ZERO(lines, all * threads);
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (int64_t i = count * t / threads; i < count * (t + 1) / threads; i++)
            lines[t * all + a[i] * clusters + b[i]]++;
    for (int64_t p = 0; p < all * threads; p++)
        pieces[p % all].lines += lines[p];
done:
    cob_free(lines);
    return status;
}

static cobloc_status count_pieces(piece *pieces, int clusters, const int32_t *a, const int32_t *b,
                                  int64_t count, int threads, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int p = 0; p < clusters * clusters; p++)
        pieces[p] = (piece){.first = p / clusters, .second = p % clusters};
    COB_TRY(count_lines(pieces, clusters, a, b, count, threads, err));
    for (int k = 0; k < clusters; k++) {
        piece *largest = pieces + k * clusters;
        for (int l = 1; l < clusters; l++)
            if (pieces[k * clusters + l].lines > largest->lines)
                largest = pieces + k * clusters + l;
        largest->largest = true;
    }
done:
    return status;
}

/* Numbers the pieces: numbers[a * clusters + b] is that of lines with labels a and b. There are at
 * most `most`; the smallest, beyond these, go to the largest one of their first label. */
static cobloc_status number_pieces(const int32_t *a, const int32_t *b, int64_t count, int clusters,
                                   int most, int threads, int *numbers, int *found,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t all = (size_t)clusters * (size_t)clusters;
    piece *pieces = NULL;
    COB_NEW(pieces, all);
    COB_TRY(count_pieces(pieces, clusters, a, b, count, threads, err));
    qsort(pieces, all, sizeof *pieces, by_rank);
    *found = 0;
    for (const piece *p = pieces; p < pieces + all; p++) {
        int *of_first = numbers + p->first * clusters;
        for (int l = 0; p->largest && l < clusters; l++)
            of_first[l] = *found;
        if (p->largest || (p->lines > 0 && *found < most))
            of_first[p->second] = (*found)++;
    }
done:
    cob_free(pieces);
    return status;
}

cobloc_status cob_start_between(cob_run *run, const cob_labels *a, const cob_labels *b,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    const cob_structure *structure = p->model->structure;
    cob_axis last = structure->clusters ? COB_ROWS : COB_COLS; /* columns may follow the rows */
    int *numbers[2] = {NULL, NULL}, found[2] = {0, 0};
    cob_run *fine = NULL;
    cob_problem brief = *p;
    brief.spare = 0; /* for a single measurement nothing need be kept */
    for (cob_axis side = COB_ROWS; side <= last; side++) {
        int clusters = run->side[side].clusters;
        COB_NEW(numbers[side], (size_t)clusters * (size_t)clusters);
        COB_TRY(number_pieces(a->of[side], b->of[side], cob_line_count(p, side), clusters,
                              cob_fine_clusters(p, clusters), run->threads, numbers[side],
                              &found[side], err));
    }
    COB_TRY(cob_run_new(&brief, found[COB_ROWS],
                        cob_column_clusters(structure, found[COB_ROWS], found[last]), run->restart,
                        run->threads, &fine, err));
    for (cob_axis side = COB_ROWS; side <= last; side++) {
        int clusters = run->side[side].clusters;
#pragma omp parallel for schedule(static) num_threads(run->threads)
        for (int64_t i = 0; i < cob_line_count(p, side); i++)
            fine->side[side].labels[i] = numbers[side][a->of[side][i] * clusters + b->of[side][i]];
    }
    if (last == COB_ROWS)
        COB_TRY(cob_place_columns(fine, err));
    COB_TRY(cob_merge_into(fine, 0, run, err));
done:
    cob_run_free(fine);
    cob_free(numbers[COB_ROWS]);
    cob_free(numbers[COB_COLS]);
    return status;
}
