/* Making, querying and freeing matrices.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* munmap */
#include "matrix/matrix.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "matrix/transpose.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *cobloc_value_kind_name(cobloc_value_kind kind)
{
    static const char *const names[] = {
        "ones",           "counts, 8 bits", "counts, 16 bits", "counts, 32 bits",
        "reals, 32 bits", "reals, 64 bits"};
    return kind >= COBLOC_ONES && kind <= COBLOC_F64 ? names[kind] : "unknown";
}

/* ---- shapes ---------------------------------------------------------------------------------- */

enum {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    FREE_LINES = 1 << 10, /* a fuzzer tries thousands of shapes a second */
    LINES_PER_ENTRY = 16,
#else
    FREE_LINES = 1 << 22,   /* rows and columns that are plausible without any entries */
    LINES_PER_ENTRY = 1024, /* how many more are plausible with each entry */
#endif
};

cobloc_status cob_check_shape(int64_t rows, int64_t cols, cobloc_error *err)
{
    if (rows < 1 || cols < 1)
        return cob_fail(err, COBLOC_BAD_DATA,
                        "the matrix is %lld by %lld, expected at least one row and one column",
                        (long long)rows, (long long)cols);
    if (rows > INT32_MAX || cols > INT32_MAX)
        return cob_fail(
            err, COBLOC_UNSUPPORTED,
            "the matrix is %lld by %lld, more than the %d rows or columns that cobloc handles",
            (long long)rows, (long long)cols, INT32_MAX);
    return COBLOC_OK;
}

cobloc_status cob_check_plausible(int64_t rows, int64_t cols, int64_t entries, cobloc_error *err)
{
    if ((rows + cols - FREE_LINES) / LINES_PER_ENTRY > entries)
        return cob_fail(err, COBLOC_BAD_DATA,
                        "%lld rows and %lld columns for %lld entries: the shape is implausible",
                        (long long)rows, (long long)cols, (long long)entries);
    return COBLOC_OK;
}

/* ---- making and freeing ---------------------------------------------------------------------- */

void cob_side_free(cob_side *side)
{
    cob_free(side->offsets);
    cob_free(side->indices);
    cob_free(side->values);
    *side = (cob_side){0};
}

static void give_back(cob_side *side, const cob_side *lent)
{
    if (side->offsets == lent->offsets)
        side->offsets = NULL;
    if (side->indices == lent->indices)
        side->indices = NULL;
    if (side->values == lent->values)
        side->values = NULL;
}

void cob_sides_free(cob_side *by_row, cob_side *by_col, const cob_sides *lent)
{
    if (lent) {
        give_back(by_row, &lent->by_row);
        give_back(by_col, &lent->by_col);
    }
    cob_side_free(by_row);
    cob_side_free(by_col);
}

cobloc_status cob_side_alloc(cob_side *side, int64_t major, int64_t nnz, cobloc_value_kind kind,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *side = (cob_side){0};
    COB_NEW(side->offsets, major + 1);
    COB_NEW(side->indices, nnz);
    if (kind != COBLOC_ONES) {
        side->values = cob_alloc((size_t)nnz, cob_kind_width(kind));
        if (!side->values)
            status = cob_fail_memory(err, (size_t)nnz, cob_kind_width(kind));
    }
done:
    if (status != COBLOC_OK)
        cob_side_free(side);
    return status;
}

/* Counts are summed exactly, reals in the order of the entries. */
COB_INLINE double sum_line(cobloc_value_kind kind, const void *values, int64_t first, int64_t last)
{
    uint64_t exact = 0;
    double sum = 0;
    for (int64_t e = first; e < last; e++)
        if (kind <= COBLOC_U32)
            exact += (uint64_t)cob_value_get(kind, values, e);
        else
            sum += cob_value_get(kind, values, e);
    return kind <= COBLOC_U32 ? (double)exact : sum;
}

static void sum_lines(const cob_side *side, cob_between lines, cobloc_value_kind kind, int threads,
                      double *sums)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = lines.first; i < lines.last; i++)
        COB_FOR_KIND(kind,
                     sums[i] = sum_line(KIND, side->values, side->offsets[i], side->offsets[i + 1]))
}

static int64_t count_empty(const cob_side *side, int64_t major, int threads)
{
    int64_t empty = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : empty)
    for (int64_t i = 0; i < major; i++)
        empty += side->offsets[i] == side->offsets[i + 1];
    return empty;
}

/* Sums, and whether values are negative: each rank looks at its own lines. */
static cobloc_status measure(cobloc_matrix *m, const cob_part *part, int threads, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_between own = cob_part_lines(part, 0, m->rows);
    int64_t first = m->by_row.offsets[own.first], last = m->by_row.offsets[own.last], negative;
    const char *values = m->by_row.values;
    COB_NEW(m->row_sums, m->rows);
    COB_NEW(m->col_sums, m->cols);
    sum_lines(&m->by_row, own, m->kind, threads, m->row_sums);
    sum_lines(&m->by_col, cob_part_lines(part, 1, m->cols), m->kind, threads, m->col_sums);
    COB_TRY(cob_part_gather(part, 0, m->row_sums, sizeof *m->row_sums, err));
    COB_TRY(cob_part_gather(part, 1, m->col_sums, sizeof *m->col_sums, err));
    for (int64_t i = 0; i < m->rows; i++)
        m->total += m->row_sums[i];
    negative = cob_any_negative(
        m->kind, values ? values + (size_t)first * cob_kind_width(m->kind) : NULL, last - first);
    if (part->ranks && !cob_ranks_add(part->ranks, &negative, 1))
        COB_TRY(cob_ranks_check(part->ranks, err));
    m->negative = negative > 0;
done:
    return status;
}

cobloc_status cob_matrix_own_both(int64_t rows, int64_t cols, cobloc_value_kind kind,
                                  cob_side *by_row, cob_side *by_col, const cob_sides *lent,
                                  const cob_part *part, int threads, cobloc_matrix **out,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *matrix = NULL;
    threads = cob_threads(threads);
    COB_NEW_ZERO(matrix, 1);
    matrix->rows = rows;
    matrix->cols = cols;
    matrix->nnz = by_row->offsets[rows];
    matrix->kind = kind;
    matrix->by_row = *by_row;
    matrix->by_col = *by_col;
    if (lent)
        matrix->lent = *lent;
    *by_row = *by_col = (cob_side){0};
    COB_TRY(measure(matrix, part ? part : &(cob_part){0}, threads, err));
    matrix->empty_rows = count_empty(&matrix->by_row, rows, threads);
    matrix->empty_cols = count_empty(&matrix->by_col, cols, threads);
    *out = matrix;
    matrix = NULL;
done:
    cobloc_matrix_free(matrix);
    cob_sides_free(by_row, by_col, lent);
    return status;
}

cobloc_status cob_matrix_own(int64_t rows, int64_t cols, cobloc_value_kind kind, cob_side *by_row,
                             int threads, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_side by_col = {0};
    COB_TRY(cob_side_alloc(&by_col, cols, by_row->offsets[rows], kind, err));
    COB_TRY(cob_transpose(by_row, rows, cols, true, kind, threads, &by_col, err));
    COB_TRY(cob_matrix_own_both(rows, cols, kind, by_row, &by_col, NULL, NULL, threads, out, err));
done:
    cob_side_free(by_row);
    cob_side_free(&by_col);
    return status;
}

void cobloc_matrix_free(cobloc_matrix *matrix)
{
    if (!matrix)
        return;
    cob_names_free(&matrix->row_names);
    cob_names_free(&matrix->col_names);
    cob_names_free(&matrix->row_labels);
    cob_names_free(&matrix->field_names);
    cob_names_free(&matrix->field_values);
    cob_names_free(&matrix->categories);
    cobloc_matrix_free(matrix->missing);
    cob_sides_free(&matrix->by_row, &matrix->by_col, &matrix->lent);
    if (matrix->row_sums != matrix->lent_sums[0])
        cob_free(matrix->row_sums);
    if (matrix->col_sums != matrix->lent_sums[1])
        cob_free(matrix->col_sums);
    if (matrix->mapping && matrix->file_count > 0)
        cob_region_remove(&matrix->region);
    if (matrix->mapping)
        munmap(matrix->mapping, matrix->mapping_bytes);
    for (int f = 0; f < matrix->file_count; f++)
        close(matrix->files[f].fd);
    cob_free(matrix->files);
    cob_free(matrix->shards);
    if (matrix->release)
        matrix->release(matrix->release_user);
    cob_names_free(&matrix->excerpts);
    cob_free(matrix->text);
    cob_free(matrix->path);
    cob_free(matrix->source);
    cob_free(matrix->variable);
    cob_budget_end(matrix->budget);
    cob_free(matrix);
}

bool cob_matrix_is_intact(const cobloc_matrix *matrix)
{
    struct stat now;
    bool intact = true;
    for (int f = 0; f < matrix->file_count && intact; f++) {
        const cob_mapped_file *file = &matrix->files[f];
        intact = fstat(file->fd, &now) == 0 && now.st_size == file->bytes &&
                 now.st_mtim.tv_sec == file->changed && now.st_mtim.tv_nsec == file->changed_nanos;
    }
    return intact;
}

/* Ranks go through the checks together if one of them has to. */
cobloc_status cob_matrix_verify(const cobloc_matrix *matrix, cob_ranks *ranks, cobloc_error *err)
{
    int64_t left = matrix->check && !atomic_load(&matrix->verified);
    if (!cob_matrix_is_intact(matrix))
        return cob_fail(err, COBLOC_IO,
                        "%s: was changed by another program while it was in use; '--no-map' reads "
                        "it into memory",
                        matrix->path);
    if (ranks && !cob_ranks_vote(ranks, left, &left))
        return cob_ranks_check(ranks, err);
    if (left == 0)
        return COBLOC_OK;
    if (!matrix->check)
        return cob_fail(err, COBLOC_BAD_ARGUMENT, "another rank has another matrix");
    cobloc_status status = matrix->check(matrix, ranks, err);
    if (status == COBLOC_OK) /* the only change to a matrix that other threads may use */
        atomic_store(&((cobloc_matrix *)(uintptr_t)matrix)->verified, true);
    return status;
}

cobloc_status cob_matrix_demand_all(const cobloc_matrix *matrix, cobloc_error *err)
{
    const cob_shards *shards = matrix->shards;
    if (cobloc_matrix_shards_missing(matrix) > 1)
        return cob_fail(err, COBLOC_BAD_DATA,
                        "%s: all entries are needed, but %d of %d shards are not there, from shard "
                        "%d on",
                        matrix->path, shards->count - shards->here, shards->count,
                        shards->first_missing);
    if (cobloc_matrix_shards_missing(matrix) > 0)
        return cob_fail(err, COBLOC_BAD_DATA,
                        "%s: all entries are needed, but shard %d of %d is not there", matrix->path,
                        shards->first_missing, shards->count);
    return COBLOC_OK;
}

cobloc_status cobloc_matrix_verify(const cobloc_matrix *matrix, cobloc_error *err)
{
    cobloc_status status = cob_matrix_demand_all(matrix, err);
    return status == COBLOC_OK ? cob_matrix_verify(matrix, NULL, err) : status;
}

void cobloc_matrix_give_back(const cobloc_matrix *matrix)
{
    cob_give_back(matrix->mapping, matrix->mapping_bytes);
}

/* ---- queries --------------------------------------------------------------------------------- */

int64_t cobloc_matrix_rows(const cobloc_matrix *matrix)
{
    return matrix->rows;
}

int64_t cobloc_matrix_cols(const cobloc_matrix *matrix)
{
    return matrix->cols;
}

int64_t cobloc_matrix_nnz(const cobloc_matrix *matrix)
{
    return matrix->nnz;
}

cobloc_value_kind cobloc_matrix_kind(const cobloc_matrix *matrix)
{
    return matrix->kind;
}

const char *cobloc_matrix_text(const cobloc_matrix *matrix)
{
    return matrix->text;
}

const char *cobloc_matrix_format(const cobloc_matrix *matrix)
{
    return matrix->format;
}

const char *cobloc_matrix_path(const cobloc_matrix *matrix)
{
    return matrix->source;
}

const char *cobloc_matrix_variable(const cobloc_matrix *matrix)
{
    return matrix->variable;
}

static cobloc_view view_of(const cobloc_matrix *matrix, const cob_side *side, int64_t major,
                           int64_t minor)
{
    return (cobloc_view){.major = major,
                         .minor = minor,
                         .nnz = matrix->nnz,
                         .kind = matrix->kind,
                         .offsets = side->offsets,
                         .indices = side->indices,
                         .values = side->values};
}

cobloc_view cobloc_matrix_by_rows(const cobloc_matrix *matrix)
{
    return view_of(matrix, &matrix->by_row, matrix->rows, matrix->cols);
}

cobloc_view cobloc_matrix_by_cols(const cobloc_matrix *matrix)
{
    return view_of(matrix, &matrix->by_col, matrix->cols, matrix->rows);
}

double cobloc_view_value(const cobloc_view *view, int64_t entry)
{
    return cob_value_get(view->kind, view->values, entry);
}

static bool is_below(const cobloc_view *view, const int32_t *numbers, int64_t entry, int64_t index)
{
    int32_t at = view->indices[entry];
    return (numbers ? numbers[at] : at) < index;
}

int64_t cob_entry_at(const cobloc_view *view, const int32_t *numbers, cob_between some,
                     int64_t index)
{
    int64_t left = some.last - some.first;
    while (left > 0) { /* without a branch, which would be wrong half of the time */
        int64_t half = left - left / 2;
        some.first += is_below(view, numbers, some.first + half - 1, index) ? half : 0;
        left /= 2;
    }
    return some.first;
}

/* The same, in growing steps from the guess on. */
static int64_t entry_near(const cobloc_view *view, const int32_t *numbers, cob_between line,
                          int64_t index)
{
    enum { FIRST_STEP = 4 };
    int64_t step = FIRST_STEP, guess = cob_entry_guess(view, line, index);
    cob_between some = {guess, guess};
    while (some.last < line.last && is_below(view, numbers, some.last, index)) {
        some.first = some.last + 1;
        some.last = line.last - some.first < step ? line.last : some.first + step;
        step *= 2;
    }
    while (some.first > line.first && !is_below(view, numbers, some.first - 1, index)) {
        some.last = some.first - 1;
        some.first = some.last - line.first < step ? line.first : some.last - step;
        step *= 2;
    }
    return cob_entry_at(view, numbers, some, index);
}

cob_between cob_entries_in(const cobloc_view *view, const int32_t *numbers, cob_between line,
                           cob_between range)
{
    cob_between some = line;
    if (range.first > 0)
        some.first = entry_near(view, numbers, line, range.first);
    if (range.last < view->minor)
        some.last = entry_near(view, numbers, line, range.last);
    return some;
}

int64_t cob_line_at(const int64_t *offsets, int64_t lines, int64_t entry)
{
    int64_t low = 0, high = lines - 1;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (offsets[middle] <= entry)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

const double *cobloc_matrix_row_sums(const cobloc_matrix *matrix)
{
    return matrix->row_sums;
}

const double *cobloc_matrix_col_sums(const cobloc_matrix *matrix)
{
    return matrix->col_sums;
}

double cobloc_matrix_total(const cobloc_matrix *matrix)
{
    return matrix->total;
}

int64_t cobloc_matrix_empty_rows(const cobloc_matrix *matrix)
{
    return matrix->empty_rows;
}

int64_t cobloc_matrix_empty_cols(const cobloc_matrix *matrix)
{
    return matrix->empty_cols;
}

int cobloc_matrix_shards_missing(const cobloc_matrix *matrix)
{
    return matrix->shards ? matrix->shards->count - matrix->shards->here : 0;
}

size_t cobloc_matrix_bytes(const cobloc_matrix *matrix)
{
    if (matrix->mapping)
        return matrix->mapping_bytes;
    size_t lines = (size_t)(matrix->rows + matrix->cols);
    size_t entry = cob_entry_bytes(matrix->kind);
    return sizeof *matrix + (lines + 2) * sizeof(int64_t) + lines * sizeof(double) +
           2 * (size_t)matrix->nnz * entry + cob_names_bytes(&matrix->row_names) +
           cob_names_bytes(&matrix->col_names) + cob_names_bytes(&matrix->row_labels) +
           cob_names_bytes(&matrix->categories) + cob_names_bytes(&matrix->field_values) +
           (matrix->missing ? cobloc_matrix_bytes(matrix->missing) : 0);
}

uint64_t cob_hash_line(const cobloc_view *view, int64_t line)
{
    uint64_t hash = 1469598103934665603u;
    for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++) {
        double value = cobloc_view_value(view, e);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ (uint64_t)view->indices[e]) * 1099511628211u;
        hash = (hash ^ bits) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}
