/* Co-clusterings stacked into two matrices of ones, and what can be read off them.
 * SPDX-License-Identifier: MIT
 */
#include "methods/ensemble.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "matrix/kernels.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void cob_stack_free(cob_stack *f)
{
    cobloc_matrix_free(f->rows);
    cobloc_matrix_free(f->cols);
    cob_free(f->scale);
    *f = (cob_stack){0};
}

static const int32_t *labels_of(const cob_member *member, bool of_rows)
{
    return of_rows ? member->rows : member->cols;
}

/* One side: in each line the co-clusters that it is in, which grow from member to member. `sizes`
 * receives their sizes. */
static cobloc_status stack_side(const cob_member *members, int count, bool of_rows, int64_t lines,
                                int clusters, int64_t *sizes, cobloc_matrix **out,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t *offsets = NULL, used = 0;
    int32_t *indices = NULL;
    COB_NEW(offsets, lines + 1);
    COB_NEW(indices, lines * count);
    offsets[0] = 0;
    for (int64_t i = 0; i < lines; i++) {
        int32_t first = 0;
        for (int m = 0; m < count;
             first += members[m++].clusters) /* those that are not there have none */
            if (members[m].rows && labels_of(&members[m], of_rows)[i] >= 0) {
                indices[used++] = first + labels_of(&members[m], of_rows)[i];
                sizes[indices[used - 1]]++;
            }
        offsets[i + 1] = used;
    }
    COB_TRY(cobloc_matrix_from_compressed(lines, clusters, 0, offsets, COBLOC_ARRAY_I64, indices,
                                          COBLOC_ARRAY_I32, NULL, COBLOC_ARRAY_NONE, NULL, NULL,
                                          out, err));
done:
    cob_free(offsets);
    cob_free(indices);
    return status;
}

/* `sizes` are those of the rows of all co-clusters, then those of their columns. */
static void scale_factors(const cob_member *members, int count, int there, const int64_t *sizes,
                          cob_scaling scaling, cob_stack *f)
{
    int at = 0;
    for (int m = 0; m < count; m++)
        for (int c = 0; members[m].rows && c < members[m].clusters; c++, at++) {
            double cells = (double)sizes[at] * (double)sizes[f->clusters + at];
            double share = scaling == COB_STACK_BY_RELEVANCE ? members[m].relevance[c]
                           : cells > 0                       ? 1 / sqrt(cells)
                                                             : 0;
            f->scale[at] = share / there;
        }
}

cobloc_status cob_stack_make(const cob_member *members, int count, int64_t n, int64_t d,
                             cob_scaling scaling, cob_stack *stack, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_stack made = {0};
    int64_t *sizes = NULL;
    int there = 0;
    for (int m = 0; m < count; m++) {
        made.clusters += members[m].rows ? members[m].clusters : 0;
        there += members[m].rows != NULL;
    }
    COB_CHECK(there > 0, COBLOC_BAD_ARGUMENT, "there are no co-clusterings to join");
    COB_NEW_ZERO(sizes, 2 * (size_t)made.clusters);
    COB_NEW(made.scale, made.clusters);
    COB_TRY(stack_side(members, count, true, n, made.clusters, sizes, &made.rows, err));
    COB_TRY(stack_side(members, count, false, d, made.clusters, sizes + made.clusters, &made.cols,
                       err));
    scale_factors(members, count, there, sizes, scaling, &made);
    *stack = made;
    made = (cob_stack){0};
done:
    cob_stack_free(&made);
    cob_free(sizes);
    return status;
}

/* ---- for methods ----------------------------------------------------------------------------- */

cobloc_status cob_stack_prepare(const cob_method_problem *p, cob_scaling scaling, cob_stack *stack,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_member *members = NULL;
    int count = 0, threads = cob_threads(p->threads);
    COB_NEW_ZERO(members, p->base_count);
    for (; count < p->base_count; count++)
        COB_TRY(cob_member_make(p->x, &p->base[count], threads, &members[count], err));
    COB_TRY(cob_stack_make(members, count, p->rows.major, p->cols.major, scaling, stack, err));
done:
    cob_members_free(members, count);
    return status;
}

/* ---- what labels make of M ------------------------------------------------------------------- */

/* How many lines of each cluster are in each co-cluster: co-clusters by k. */
static cobloc_status count_lines(const cobloc_matrix *lines, const int32_t *labels, int k,
                                 int threads, double **counts, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view turned = cobloc_matrix_by_cols(lines);
    COB_NEW(*counts, turned.major * k);
    cob_reduce(&turned, labels, k, threads, *counts);
done:
    return status;
}

cobloc_status cob_stack_measure(const cob_stack *f, const int32_t *rows, const int32_t *cols,
                                int threads, cob_stats *stats, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *of_rows = NULL, *of_cols = NULL;
    int k = stats->g;
    COB_TRY(count_lines(f->rows, rows, k, threads, &of_rows, err));
    COB_TRY(count_lines(f->cols, cols, k, threads, &of_cols, err));
    memset(stats->block, 0, (size_t)k * (size_t)k * sizeof *stats->block);
    for (int64_t at = 0; at < f->clusters; at++)
        for (int a = 0; a < k; a++)
            for (int b = 0; b < k; b++)
                stats->block[a * k + b] += of_rows[at * k + a] * f->scale[at] * of_cols[at * k + b];
    stats->total = 0;
    for (int a = 0; a < k; a++) {
        stats->R[a] = stats->C[a] = 0;
        for (int b = 0; b < k; b++) {
            stats->R[a] += cob_block(stats, a, b);
            stats->C[a] += cob_block(stats, b, a);
        }
        stats->total += stats->R[a];
    }
done:
    cob_free(of_rows);
    cob_free(of_cols);
    return status;
}
