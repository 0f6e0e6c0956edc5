/* Rounds of k-means over weighted lines: centres from labels, then labels from centres.
 *
 * Centres are floats, since starts need no more precision and the table is large; a line is
 * multiplied by all of them at once. With many clusters, as in starts that merge, such rounds are
 * several times as fast as exact ones with bounds (means.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/means.h"

#include "base/alloc.h"
#include "base/kmeans.h"
#include "base/parallel.h"
#include "base/vectors.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Floats in a register of the widest processor, and how many such registers are used at a time.
 * Centres are scattered in memory: those of later entries are prefetched, so many bytes in all,
 * which take longer to use than the farthest of them to arrive, and leave room in a near cache. */
enum { WIDTH = 16, MOST = 6, AHEAD = 16 << 10 };

/* What sums need of a line together, since lines are scattered in memory, too. */
typedef struct summand {
    float weight; /* of counts; those of real values may be out of its range */
    int32_t label;
} summand;

typedef struct centres {
    int k, stride;     /* stride: k padded to whole registers, or to a part of one */
    float *sums;       /* of the lines of each cluster, indices by stride; times `other` again */
    int32_t *summed;   /* the labels they were made from; -1: the line is in none */
    summand *summands; /* of all lines */
    uint8_t *moved;    /* of ranks: a bit for each line whose label has changed since */
    double *scales, *offsets; /* k: the score of a centre is product * scale + offset */
    double *room;             /* threads by room_of(k), and apart */
    float *products;          /* threads by stride, and apart */
} centres;

static void centres_free(centres *c)
{
    cob_free(c->sums);
    cob_free(c->summed);
    cob_free(c->summands);
    cob_free(c->moved);
    cob_free(c->scales);
    cob_free(c->offsets);
    cob_free(c->room);
    cob_free(c->products);
}

/* Doubles between the numbers of two threads. */
enum { APART = COB_APART / sizeof(double) };

/* The sums of one index: two for every cluster, and for lines without one. */
static size_t room_of(int k)
{
    return 2 * (size_t)(k + 1);
}

static int stride_of(int k)
{
    return k <= WIDTH / 4   ? WIDTH / 4
           : k <= WIDTH / 2 ? WIDTH / 2
                            : (k + WIDTH - 1) / WIDTH * WIDTH;
}

void cob_clear_labels(int32_t *labels, int64_t count, int threads)
{
#pragma omp parallel for schedule(static) num_threads(cob_threads_worth(threads, count))
    for (int64_t i = 0; i < count; i++)
        labels[i] = -1;
}

static cobloc_status centres_alloc(centres *c, const cob_weighed *lines, int k, int threads,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *view = &lines->view;
    *c = (centres){.k = k, .stride = stride_of(k)};
    COB_NEW(c->sums, (size_t)view->minor * (size_t)c->stride);
    COB_NEW(c->summed, view->major);
    COB_NEW(c->summands, view->major);
    cob_clear_labels(c->summed, view->major, threads);
    if (lines->part.ranks)
        COB_NEW(c->moved, view->major / CHAR_BIT + 1);
    COB_NEW(c->scales, k);
    COB_NEW(c->offsets, k);
    COB_NEW(c->room, (size_t)threads * (room_of(k) + APART));
    COB_NEW(c->products, (size_t)threads * ((size_t)c->stride + 2 * APART));
done:
    return status;
}

/* ---- centres from labels --------------------------------------------------------------------- */

/* Lines without a label (-1) are summed as well, in front of the others, to avoid an unpredictable
 * branch. Neighbours often have the same label, and each addition would wait for the one before, so
 * every other entry goes to the second half of the scratch memory. */
COB_INLINE void sum_entries(const cobloc_view *turned, cobloc_value_kind kind, int64_t index,
                            const summand *lines, const double *own, double *restrict even,
                            double *restrict odd)
{
    const int32_t *indices = turned->indices;
    const void *values = turned->values;
    int64_t e = turned->offsets[index], last = turned->offsets[index + 1];
    for (; e + 1 < last; e += 2) {
        int32_t i = indices[e], j = indices[e + 1];
        summand first = lines[i], second = lines[j];
        even[first.label] += cob_value_get(kind, values, e) * (own ? own[i] : (double)first.weight);
        odd[second.label] +=
            cob_value_get(kind, values, e + 1) * (own ? own[j] : (double)second.weight);
    }
    if (e < last) {
        int32_t i = indices[e];
        summand one = lines[i];
        even[one.label] += cob_value_get(kind, values, e) * (own ? own[i] : (double)one.weight);
    }
}

static void sum_index(const cob_weighed *lines, int64_t index, const centres *c,
                      double *restrict room, float *restrict sums)
{
    const cobloc_view *turned = &lines->turned;
    double other = lines->other ? lines->other[index] : 1;
    double *even = room + 1, *odd = even + c->k + 1;
    memset(room, 0, room_of(c->k) * sizeof *room);
    if (turned->kind > COBLOC_U32 && lines->own)
        sum_entries(turned, turned->kind, index, c->summands, lines->own, even, odd);
    else
        COB_FOR_KIND(turned->kind, sum_entries(turned, KIND, index, c->summands, NULL, even, odd))
    for (int l = 0; l < c->stride; l++)
        sums[l] = l < c->k ? (float)((even[l] + odd[l]) * other * other) : 0;
}

static void recompute_sums(const cob_weighed *lines, const int32_t *labels, int threads, centres *c)
{
    cob_between own = cob_part_lines(&lines->part, 1, lines->view.minor);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < lines->view.major; i++)
            c->summands[i] = (summand){lines->own ? (float)lines->own[i] : 1, labels[i]};
#pragma omp for schedule(dynamic, 64)
        for (int64_t j = own.first; j < own.last; j++)
            sum_index(lines, j, c, c->room + (size_t)cob_thread() * (room_of(c->k) + APART),
                      c->sums + j * c->stride);
    }
}

/* The sums of indices `low` to `high` - 1, from copies of the lines that have a label. */
static void add_copies(const cob_line_copies *copies, const double *other, const int32_t *labels,
                       int64_t low, int64_t high, const centres *c)
{
    const cobloc_view *view = &copies->view;
    memset(c->sums + low * c->stride, 0,
           (size_t)(high - low) * (size_t)c->stride * sizeof *c->sums);
    for (int64_t i = 0; i < view->major; i++) {
        cob_between own = {view->offsets[i], view->offsets[i + 1]};
        int32_t label = labels[copies->lines[i]];
        own.first = cob_entry_at(view, NULL, own, low);
        own.last = cob_entry_at(view, NULL, own, high);
        for (int64_t e = own.first; e < own.last; e++) {
            int64_t j = view->indices[e];
            double weight = cob_value_get(COBLOC_F64, view->values, e) * (other ? other[j] : 1);
            c->sums[j * c->stride + label] += (float)weight;
        }
    }
}

/* All sums from such copies, which have done their work then; each thread has its own indices. */
static void sum_copies(const cob_weighed *lines, const cob_line_copies *copies,
                       const int32_t *labels, int threads, const centres *c)
{
    cob_between own = cob_part_lines(&lines->part, 1, lines->view.minor);
    int64_t count = own.last - own.first;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        add_copies(copies, lines->other, labels, own.first + count * t / threads,
                   own.first + count * (t + 1) / threads, c);
    cob_side_free(copies->side);
}

/* The number of entries of lines whose label differs from that in the sums. */
static int64_t entries_to_move(const cobloc_view *view, const int32_t *labels, int threads,
                               const centres *c)
{
    int64_t entries = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : entries)
    for (int64_t i = 0; i < view->major; i++)
        entries += labels[i] != c->summed[i] ? view->offsets[i + 1] - view->offsets[i] : 0;
    return entries;
}

/* If lines with at least 1 in this many of the entries moved, all sums are recomputed; otherwise
 * the entries of these lines are moved. */
enum { RECOMPUTED = 4 };

/* Moves an entry of `line` and index `j` from one sum to another. */
COB_INLINE void move_entry(const cob_weighed *lines, double value, int64_t line, int64_t j,
                           int from, int to, const centres *c)
{
    float *sums = c->sums + j * c->stride;
    double other = lines->other ? lines->other[j] : 1;
    float weight = (float)(value * (lines->own ? lines->own[line] : 1) * other * other);
    if (from >= 0)
        sums[from] -= weight;
    sums[to] += weight;
}

COB_INLINE void move_line(const cob_weighed *lines, cobloc_value_kind kind, int64_t line,
                          int64_t first, int64_t last, int from, int to, const centres *c)
{
    const cobloc_view *view = &lines->view;
    for (int64_t e = first; e < last; e++)
        move_entry(lines, cob_value_get(kind, view->values, e), line, view->indices[e], from, to,
                   c);
}

/* The sums of indices `low` to `high` - 1. */
static void update_some(const cob_weighed *lines, const int32_t *labels, int64_t low, int64_t high,
                        const centres *c)
{
    const cobloc_view *view = &lines->view;
    for (int64_t i = 0; i < view->major; i++) {
        if (labels[i] == c->summed[i])
            continue;
        cob_between own = {view->offsets[i], view->offsets[i + 1]};
        int64_t first = low > 0 ? cob_entry_at(view, NULL, own, low) : own.first;
        int64_t last = high < view->minor ? cob_entry_at(view, NULL, own, high) : own.last;
        if (view->kind == COBLOC_U8)
            move_line(lines, COBLOC_U8, i, first, last, c->summed[i], labels[i], c);
        else
            move_line(lines, view->kind, i, first, last, c->summed[i], labels[i], c);
    }
}

/* Which lines moved, a bit each: most entries need no more than that, and it stays in a near cache,
 * where labels would not. */
static void note_moved(const int32_t *labels, int threads, const centres *c, int64_t count)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t first = 0; first < count; first += CHAR_BIT) {
        unsigned bits = 0;
        for (int64_t i = first; i < count && i < first + CHAR_BIT; i++)
            bits |= (unsigned)(c->summed[i] != labels[i]) << (i - first);
        c->moved[first / CHAR_BIT] = (uint8_t)bits;
    }
}

/* The same for the indices of a rank, which has the entries of its own lines only. */
static void update_own(const cob_weighed *lines, const int32_t *labels, int threads,
                       const centres *c)
{
    const cobloc_view *turned = &lines->turned;
    cob_between own = lines->part.lines[1];
    note_moved(labels, threads, c, lines->view.major);
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (int64_t j = own.first; j < own.last; j++)
        for (int64_t e = turned->offsets[j]; e < turned->offsets[j + 1]; e++) {
            int32_t i = turned->indices[e];
            if (c->moved[i / CHAR_BIT] >> (i % CHAR_BIT) & 1)
                move_entry(lines, cob_value_get(turned->kind, turned->values, e), i, j,
                           c->summed[i], labels[i], c);
        }
}

/* Each thread has its own indices, so the order of additions does not depend on their number. */
static void update_sums(const cob_weighed *lines, const int32_t *labels, int threads, centres *c)
{
    int64_t minor = lines->view.minor;
    if (lines->part.ranks)
        update_own(lines, labels, threads, c);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < (lines->part.ranks ? 0 : threads); t++)
        update_some(lines, labels, minor * t / threads, minor * (t + 1) / threads, c);
}

COB_CLONES
static void add_squares(const float *restrict sums, double scale, int k, double *restrict squares)
{
    for (int l = 0; l < k; l++) {
        double sum = (double)sums[l] * scale;
        squares[l] += sum * sum;
    }
}

/* A centre is the mean of its lines or, if spherical, has unit length. Notes whose the sums are. */
static void scale_centres(const cob_weighed *lines, const int32_t *labels, bool spherical,
                          int threads, centres *c)
{
    double *squares = c->offsets, *sizes = c->scales;
    memset(squares, 0, (size_t)c->k * sizeof *squares);
    memset(sizes, 0, (size_t)c->k * sizeof *sizes);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int first = 0; first < c->k; first += WIDTH)
        for (int64_t j = 0; j < lines->view.minor; j++) {
            double other = lines->other ? lines->other[j] : 1;
            add_squares(c->sums + j * c->stride + first, other > 0 ? 1 / other : 0,
                        c->k - first < WIDTH ? c->k - first : WIDTH, squares + first);
        }
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sizes[:c->k])
    for (int64_t i = 0; i < lines->view.major; i++) {
        c->summed[i] = labels[i];
        if (labels[i] >= 0)
            sizes[labels[i]]++;
    }
    for (int l = 0; l < c->k; l++) {
        double size = spherical ? sqrt(squares[l]) : sizes[l];
        c->scales[l] = size > 0 ? 1 / size : 0;
        c->offsets[l] = spherical ? 0 : -squares[l] * c->scales[l] * c->scales[l] / 2;
    }
}

/* ---- labels from centres --------------------------------------------------------------------- */

COB_INLINE void add_entries(const cobloc_view *view, cobloc_value_kind kind, double own,
                            int64_t line, const float *sums, int stride, int width,
                            float *restrict products)
{
    int64_t ahead = AHEAD / (int64_t)((size_t)width * sizeof *sums), most = view->nnz - ahead;
    float added[WIDTH * MOST] = {0};
    for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++) {
        float value = (float)(cob_value_get(kind, view->values, e) * own);
        const float *row = sums + (int64_t)view->indices[e] * stride;
        const float *next = sums + (int64_t)view->indices[e < most ? e + ahead : e] * stride;
        for (int c = 0; c < width; c += WIDTH)
            COB_PREFETCH(next + c);
        for (int c = 0; c < width; c++)
            added[c] += value * row[c];
    }
    memcpy(products, added, (size_t)width * sizeof *added);
}

/* For centres that fit into one register. Each addition would wait for the one before, so every
 * other entry has a register of its own. */
#define ADD_TO_ONE(name, width)                                                                    \
    typedef float name __attribute__((vector_size(width * sizeof(float)), aligned(4), may_alias)); \
    COB_INLINE void add_to_##name(const cobloc_view *view, cobloc_value_kind kind, double own,     \
                                  int64_t line, const float *sums, float *products)                \
    {                                                                                              \
        const name *rows = (const name *)sums;                                                     \
        const int32_t *indices = view->indices;                                                    \
        int64_t e = view->offsets[line], last = view->offsets[line + 1];                           \
        name even = {0}, odd = {0};                                                                \
        for (; e + 1 < last; e += 2) {                                                             \
            even += (float)(cob_value_get(kind, view->values, e) * own) * rows[indices[e]];        \
            odd += (float)(cob_value_get(kind, view->values, e + 1) * own) * rows[indices[e + 1]]; \
        }                                                                                          \
        if (e < last)                                                                              \
            even += (float)(cob_value_get(kind, view->values, e) * own) * rows[indices[e]];        \
        *(name *)products = even + odd;                                                            \
    }
ADD_TO_ONE(quarter, WIDTH / 4)
ADD_TO_ONE(half, WIDTH / 2)
ADD_TO_ONE(whole, WIDTH)

COB_INLINE void multiply_all(const cobloc_view *view, cobloc_value_kind kind, double own,
                             int64_t line, const float *sums, int stride, float *products)
{
    if (stride == WIDTH / 4)
        add_to_quarter(view, kind, own, line, sums, products);
    else if (stride == WIDTH / 2)
        add_to_half(view, kind, own, line, sums, products);
    else if (stride == WIDTH)
        add_to_whole(view, kind, own, line, sums, products);
    for (int c = 0; stride > WIDTH && c < stride; c += WIDTH * MOST)
        COB_FOR_COUNT((stride - c) / WIDTH,
                      add_entries(view, kind, own, line, sums + c, stride,
                                  (COUNT > 0 && COUNT < (int)MOST ? COUNT : (int)MOST) * WIDTH,
                                  products + c))
}

/* The products of a line with the sums of all clusters, up to a factor, which is returned. The most
 * frequent kind of values has its own loop; values of other kinds may be too large for a float
 * until they are weighted. */
COB_CLONES
static double multiply_line(const cob_weighed *lines, int64_t line, const float *sums, int stride,
                            float *products)
{
    const cobloc_view *view = &lines->view;
    double own = lines->own ? lines->own[line] : 1;
    if (view->kind == COBLOC_U8) {
        multiply_all(view, COBLOC_U8, 1, line, sums, stride, products);
        return own;
    }
    multiply_all(view, view->kind, own, line, sums, stride, products);
    return 1;
}

/* The centre with the best score; the first one of a tie. */
static int32_t best_of(const centres *c, double factor, const float *products)
{
    int32_t best = 0;
    double most = -INFINITY;
    for (int l = 0; l < c->k; l++) {
        double score = (double)products[l] * factor * c->scales[l] + c->offsets[l];
        if (score > most) {
            most = score;
            best = l;
        }
    }
    return best;
}

/* Returns how many labels of lines with entries changed, of this rank's. */
static int64_t assign_lines(const cob_weighed *lines, int threads, const centres *c,
                            int32_t *labels)
{
    const int64_t *offsets = lines->view.offsets;
    cob_between own = cob_part_lines(&lines->part, 0, lines->view.major);
    cob_weighed here = *lines;
    here.view.nnz = offsets[own.last]; /* a rank may have no entries behind its own */
    int64_t changed = 0;
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) reduction(+ : changed)
    for (int64_t i = own.first; i < own.last; i++) {
        float *products = c->products + (int64_t)cob_thread() * (c->stride + 2 * APART);
        double factor = multiply_line(&here, i, c->sums, c->stride, products);
        int32_t to = best_of(c, factor, products);
        changed += to != labels[i] && offsets[i] < offsets[i + 1];
        labels[i] = to;
    }
    return changed;
}

typedef struct lines_means {
    const cob_weighed *lines;
    const cob_line_copies *copies; /* of those that have a label at first; NULL: there are none */
    bool spherical;
    int threads;
    int32_t *labels;
    centres centres;
    bool summed; /* the sums exist and can be updated */
} lines_means;

static void find_sums(lines_means *m)
{
    const cobloc_view *view = &m->lines->view;
    bool few = entries_to_move(view, m->labels, m->threads, &m->centres) < view->nnz / RECOMPUTED;
    if (few && m->summed) {
        update_sums(m->lines, m->labels, m->threads, &m->centres);
    } else if (few && m->copies) {
        sum_copies(m->lines, m->copies, m->labels, m->threads, &m->centres);
    } else {
        if (m->copies)
            cob_side_free(m->copies->side);
        recompute_sums(m->lines, m->labels, m->threads, &m->centres);
    }
}

static cobloc_status round_of(void *data, cob_round *found, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    lines_means *m = data;
    const cob_part *part = &m->lines->part;
    find_sums(m);
    COB_TRY(cob_part_gather(part, 1, m->centres.sums,
                            (size_t)m->centres.stride * sizeof *m->centres.sums, err));
    m->summed = true;
    scale_centres(m->lines, m->labels, m->spherical, m->threads, &m->centres);
    found->changed = assign_lines(m->lines, m->threads, &m->centres, m->labels);
    COB_TRY(cob_part_gather(part, 0, m->labels, sizeof *m->labels, err));
    if (part->ranks)
        cob_ranks_add(part->ranks, &found->changed, 1);
done:
    return status;
}

cobloc_status cob_nearest(const cob_weighed *lines, const cob_line_copies *copies, int k,
                          bool spherical, int rounds, int threads, int32_t *labels,
                          cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    lines_means m = {lines, copies, spherical, cob_threads(threads), labels, {0}, false};
    cob_rounds all = {
        .data = &m, .round = round_of, .value = NAN, .most = rounds, .deadline = lines->deadline};
    COB_TRY(centres_alloc(&m.centres, lines, k, m.threads, err));
    COB_TRY(cob_kmeans_settle(&all, err));
done:
    centres_free(&m.centres);
    return status;
}
