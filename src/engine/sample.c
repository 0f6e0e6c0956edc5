/* k-means starts: of a large matrix it is a sample whose lines are clustered; then all go to the
 * centres of the sample, and once more to those that all have then.
 *
 * Centres that many lines agree upon are known from a few of them, and the model improves upon any
 * start in any case. A start then costs two looks at the matrix, not ten, and little room.
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/means.h"

#include "base/alloc.h"
#include "base/empty.h"
#include "base/parallel.h"
#include "matrix/transpose.h"

#include <string.h>

/* So many lines are a sample, or so many a cluster if that is more, but no more than hold so many
 * entries; a matrix that has less than so many times as many is its own sample. */
enum { LEAST_LINES = 4096, LINES_A_CLUSTER = 64, MOST_ENTRIES = 1 << 22, WORTH_SAMPLING = 2 };
/* Two rounds over all lines follow: a sample needs no more iterations than these. */
enum { SAMPLE_ITERATIONS = 3 };

/* The stream's numbers from here on choose the sample; those below are for k-means. */
static const uint64_t FIRST_OF_SAMPLE = UINT64_C(1) << 40;

/* Some of the lines, with their weights in place. */
typedef struct sample {
    int64_t count, width;
    cobloc_view view, turned;
    int64_t *chosen;
    int32_t *numbers; /* that the indices of the matrix have here; -1: not one line has it */
    int32_t *indices; /* of the matrix, by their numbers */
    cob_side lines, turned_lines;
} sample;

static void sample_free(sample *s)
{
    cob_free(s->chosen);
    cob_free(s->numbers);
    cob_free(s->indices);
    cob_side_free(&s->lines);
    cob_side_free(&s->turned_lines);
}

int64_t cob_sample_size(const cobloc_view *view, int k)
{
    int64_t n = view->major, wanted = (int64_t)k * LINES_A_CLUSTER;
    wanted = wanted > LEAST_LINES ? wanted : LEAST_LINES;
    if (n < wanted * WORTH_SAMPLING)
        wanted = n;
    if (view->nnz == 0)
        return n;
    int64_t most = (int64_t)((double)n * MOST_ENTRIES / (double)view->nnz);
    most = most > 2 * (int64_t)k ? most : 2 * (int64_t)k;
    wanted = wanted < most ? wanted : most;
    return wanted < n ? wanted : n;
}

/* Each line with the chance that is left for it: exactly as many as are wanted, in order. */
static cobloc_status choose(int64_t n, cob_stream stream, int threads, sample *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t found = 0;
    double *drawn = NULL;
    COB_NEW(s->chosen, s->count);
    COB_NEW(drawn, n);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < n; i++)
        drawn[i] = cob_random_uniform(&stream, FIRST_OF_SAMPLE + (uint64_t)i);
    for (int64_t i = 0; found < s->count; i++)
        if (drawn[i] * (double)(n - i) < (double)(s->count - found))
            s->chosen[found++] = i;
done:
    cob_free(drawn);
    return status;
}

/* The chosen lines, with the matrix's own indices; ranks gather those of each. */
static cobloc_status copy_lines(const cob_weighed *lines, int threads, sample *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *view = &lines->view;
    cob_between own = cob_part_lines(&lines->part, 0, view->major), mine = {0, 0};
    double *values = s->lines.values;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < s->count; i++) {
        int64_t line = s->chosen[i], at = s->lines.offsets[i];
        bool here = line >= own.first && line < own.last;
        for (int64_t e = view->offsets[line]; here && e < view->offsets[line + 1]; e++, at++) {
            s->lines.indices[at] = view->indices[e];
            values[at] = cob_weighed_value(lines, line, e);
        }
    }
    for (int64_t i = 0; i < s->count; i++) {
        mine.first += s->chosen[i] < own.first;
        mine.last += s->chosen[i] < own.last;
    }
    cob_part part = {.ranks = lines->part.ranks};
    part.lines[0] = (cob_between){s->lines.offsets[mine.first], s->lines.offsets[mine.last]};
    COB_TRY(cob_part_gather(&part, 0, s->lines.indices, sizeof *s->lines.indices, err));
    COB_TRY(cob_part_gather(&part, 0, values, sizeof *values, err));
done:
    return status;
}

/* Numbers the indices that these lines have. */
static cobloc_status number_indices(int64_t minor, int threads, sample *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int32_t *indices = s->lines.indices;
    int64_t nnz = s->lines.offsets[s->count];
    COB_NEW(s->numbers, minor);
    memset(s->numbers, -1, (size_t)minor * sizeof *s->numbers);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t e = 0; e < nnz; e++) {
#pragma omp atomic write
        s->numbers[indices[e]] = 0;
    }
    COB_NEW(s->indices, minor);
    for (int64_t j = 0; j < minor; j++)
        if (s->numbers[j] == 0) {
            s->indices[s->width] = (int32_t)j;
            s->numbers[j] = (int32_t)s->width++;
        }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t e = 0; e < nnz; e++)
        indices[e] = s->numbers[indices[e]];
done:
    return status;
}

static cobloc_view view_of(const cob_side *side, int64_t major, int64_t minor)
{
    return (cobloc_view){.major = major,
                         .minor = minor,
                         .nnz = side->offsets[major],
                         .kind = COBLOC_F64,
                         .offsets = side->offsets,
                         .indices = side->indices,
                         .values = side->values};
}

static cobloc_status take_some(const cob_weighed *lines, cob_stream stream, int threads, sample *s,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const int64_t *offsets = lines->view.offsets;
    int64_t nnz = 0;
    COB_TRY(choose(lines->view.major, stream, cob_threads(threads), s, err));
    for (int64_t i = 0; i < s->count; i++)
        nnz += offsets[s->chosen[i] + 1] - offsets[s->chosen[i]];
    COB_TRY(cob_side_alloc(&s->lines, s->count, nnz, COBLOC_F64, err));
    s->lines.offsets[0] = 0;
    for (int64_t i = 0; i < s->count; i++)
        s->lines.offsets[i + 1] =
            s->lines.offsets[i] + offsets[s->chosen[i] + 1] - offsets[s->chosen[i]];
    COB_TRY(copy_lines(lines, cob_threads(threads), s, err));
    COB_TRY(number_indices(lines->view.minor, cob_threads(threads), s, err));
    COB_TRY(cob_side_alloc(&s->turned_lines, s->width, nnz, COBLOC_F64, err));
    COB_TRY(cob_transpose(&s->lines, s->count, s->width, true, COBLOC_F64, threads,
                          &s->turned_lines, err));
    s->view = view_of(&s->lines, s->count, s->width);
    s->turned = view_of(&s->turned_lines, s->width, s->count);
done:
    return status;
}

/* ---- k-means --------------------------------------------------------------------------------- */

/* The lines of the sample with the matrix's own indices again. Of the rest, only which lines these
 * are is left: before all centres take room. */
static cob_line_copies copies_of(const cob_weighed *lines, int threads, sample *s)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t e = 0; e < s->view.nnz; e++)
        s->lines.indices[e] = s->indices[s->lines.indices[e]];
    cob_free(s->numbers);
    cob_free(s->indices);
    cob_side_free(&s->turned_lines);
    s->numbers = s->indices = NULL;
    s->view.minor = lines->view.minor;
    return (cob_line_copies){s->view, &s->lines, s->chosen};
}

/* All lines to the centres of the sample, then to the centres of all. */
static cobloc_status place_all(const cob_weighed *lines, sample *s, const int32_t *own, int k,
                               bool spherical, int threads, int32_t *labels, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t n = lines->view.major;
    cob_line_copies copies = copies_of(lines, cob_threads(threads), s);
    cob_clear_labels(labels, n, cob_threads(threads));
    for (int64_t i = 0; i < s->count; i++)
        labels[s->chosen[i]] = own[i];
    COB_TRY(cob_nearest(lines, &copies, k, spherical, 2, threads, labels, err));
#pragma omp parallel for schedule(static) num_threads(cob_threads_worth(cob_threads(threads), n))
    for (int64_t i = 0; i < n; i++)
        if (labels[i] < 0)
            labels[i] = (int32_t)(i % k); /* the deadline came first */
done:
    return status;
}

/* All of these lines, from seeds on; some clusters may come out empty. */
static cobloc_status cluster(const cob_weighed *lines, int k, bool spherical, int iterations,
                             cob_stream stream, int threads, int32_t *labels, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_seed_lines(lines, k, spherical, 1, stream, labels, NULL, err));
    COB_TRY(cob_nearest(lines, NULL, k, spherical, iterations, threads, labels, err));
done:
    return status;
}

/* Those of a rank, of lines that every rank has. */
static cob_between share_of(const cob_side *side, int64_t count, const cob_ranks *ranks)
{
    return (cob_between){cob_chunk_begin(side->offsets, count, ranks->rank, ranks->size),
                         cob_chunk_begin(side->offsets, count, ranks->rank + 1, ranks->size)};
}

/* The lines of a sample: ranks place some of them each. Seeds are found on every rank. */
static cobloc_status cluster_taken(const sample *s, const cob_weighed *lines, int k, bool spherical,
                                   int iterations, cob_stream stream, int threads, int32_t *labels,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_ranks *ranks = lines->part.ranks;
    cob_weighed sampled = {
        .view = s->view, .turned = s->turned, .unit = lines->unit, .deadline = lines->deadline};
    COB_TRY(cob_seed_lines(&sampled, k, spherical, 1, stream, labels, NULL, err));
    if (ranks) {
        sampled.part.ranks = ranks;
        sampled.part.lines[0] = share_of(&s->lines, s->count, ranks);
        sampled.part.lines[1] = share_of(&s->turned_lines, s->width, ranks);
    }
    COB_TRY(cob_nearest(&sampled, NULL, k, spherical, iterations, threads, labels, err));
done:
    return status;
}

/* Of a rank's pages of a file, those of columns make room for the sample. */
static void make_room(const cob_weighed *lines)
{
    cob_between own = cob_part_entries(&lines->part, 1, lines->turned.offsets, lines->view.minor);
    if (lines->part.ranks)
        cob_leave_behind(&lines->turned, own.first, own.last, true);
}

static cobloc_status cluster_sample(const cob_weighed *lines, int64_t count, int k, bool spherical,
                                    int iterations, cob_stream stream, int threads, int32_t *labels,
                                    cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    sample s = {.count = count};
    int32_t *own = NULL;
    make_room(lines);
    COB_TRY(take_some(lines, stream, threads, &s, err));
    COB_NEW(own, count);
    COB_TRY(cluster_taken(&s, lines, k, spherical,
                          iterations < SAMPLE_ITERATIONS ? iterations : SAMPLE_ITERATIONS, stream,
                          threads, own, err));
    COB_TRY(place_all(lines, &s, own, k, spherical, threads, labels, err));
done:
    sample_free(&s);
    cob_free(own);
    return status;
}

cobloc_status cob_means_start(const cob_weighed *lines, int k, bool spherical, int iterations,
                              cob_stream stream, int threads, int32_t *labels, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t n = lines->view.major, count = cob_sample_size(&lines->view, k);
    if (count == n)
        COB_TRY(cluster(lines, k, spherical, iterations, stream, threads, labels, err));
    else
        COB_TRY(
            cluster_sample(lines, count, k, spherical, iterations, stream, threads, labels, err));
    COB_TRY(cob_repair_empty(labels, n, k, NULL, NULL, NULL, NULL, err));
done:
    return status;
}
