/* Weighted copies of a matrix.
 * SPDX-License-Identifier: MIT
 */
#include "base/fields.h"
#include "base/error.h"
#include "base/parallel.h"
#include "matrix/matrix.h"
#include "matrix/transpose.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- formulas -------------------------------------------------------------------------------- */

/* What a weight does to an entry, in this order. */
typedef struct formula {
    double (*shape)(double x, double room); /* NULL: nothing */
    bool by_length; /* the shape's `room` depends on the sum of the row over the mean sum */
    bool idf;       /* times the factor of the column */
    bool unit_rows; /* divided by the Euclidean length of the row */
} formula;

static double log_of(double x, double room)
{
    (void)room;
    return log1p(x);
}

static double root_of(double x, double room)
{
    (void)room;
    return sqrt(x);
}

/* Okapi's saturation: each time that a word occurs again says less, and less still in long texts.
 */
static const double BM25_K1 = 2, BM25_B = 0.9;

static double saturated(double x, double room)
{
    return x * (BM25_K1 + 1) / (x + room);
}

static const formula formulas[COB_WEIGHTS] = {
    [COBLOC_WEIGHT_TFIDF] = {.idf = true, .unit_rows = true},
    [COBLOC_WEIGHT_ROWNORM] = {.unit_rows = true},
    [COBLOC_WEIGHT_LOG] = {.shape = log_of},
    [COBLOC_WEIGHT_SQRT] = {.shape = root_of},
    [COBLOC_WEIGHT_BM25] = {.shape = saturated, .by_length = true},
    [COBLOC_WEIGHT_BM25IDF] = {.shape = saturated, .by_length = true, .idf = true},
};

double cob_idf(int64_t rows, int64_t frequency)
{
    return log((1 + (double)rows) / (1 + (double)frequency)) + 1;
}

const char *const cob_weight_names[] = {"auto", "none", "binary", "tfidf",   "rownorm",
                                        "log",  "sqrt", "bm25",   "bm25idf", NULL};

const char *cobloc_weight_name(cobloc_weight weight)
{
    return cob_choice_name(cob_weight_names, (int)weight);
}

/* ---- measuring ------------------------------------------------------------------------------- */

double cob_matrix_unit(const cobloc_matrix *matrix, const cob_shared_values *shared)
{
    cobloc_view rows = cobloc_matrix_by_rows(matrix);
    if (matrix->kind < COBLOC_F32)
        return 1;
    cob_shared_values own = shared ? *shared : (cob_shared_values){0};
    double largest = cob_largest_value(&rows, cob_ranks_blocks(own.ranks, rows.nnz), &own);
    own.unit = largest;
    double sum = cob_sum_over_values(&rows, fabs, cob_threads(0), &own);
    return sum > 0 ? largest * (sum / (double)matrix->nnz) : 1;
}

/* A formula with the numbers that it needs. Rows of unit length are divided first by `size`, which
 * is 1 unless a square would over- or underflow, then by the Euclidean length of the rest. */
struct cob_weigher {
    const cobloc_matrix *matrix;
    formula by;
    double unit, scale;
    bool any_unit;         /* reals within a fit: their labels must not depend on the unit */
    bool narrow;           /* weights become floats */
    double *idf;           /* of the columns: given, or by the number of rows with an entry */
    double *room;          /* of the rows: for the shape, */
    double *length, *size; /* and for unit length: values are divided by their size before that,
                              NULL where all sizes are 1 */
};

void cob_weigher_free(cob_weigher *m)
{
    if (!m)
        return;
    cob_free(m->idf);
    cob_free(m->room);
    cob_free(m->size);
    cob_free(m->length);
    cob_free(m);
}

/* room[i] = k1 (1 - b + b length / mean length). */
static cobloc_status measure_sums(const cobloc_matrix *matrix, const cob_part *part, double *mean,
                                  cob_weigher *m, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_side *side = &matrix->by_row;
    double sum = 0, filled = (double)(matrix->rows - matrix->empty_rows);
    cob_between own = cob_part_lines(part, 0, matrix->rows);
    COB_NEW_ZERO(m->room, matrix->rows);
    for (int64_t i = own.first; i < own.last; i++)
        for (int64_t e = side->offsets[i]; e < side->offsets[i + 1]; e++)
            m->room[i] += fabs(cob_value_get(matrix->kind, side->values, e)) / m->unit;
    COB_TRY(cob_part_gather(part, 0, m->room, sizeof *m->room, err));
    for (int64_t i = 0; i < matrix->rows; i++)
        sum += m->room[i];
    if (*mean == 0)
        *mean = sum / filled;
    for (int64_t i = 0; i < matrix->rows; i++)
        m->room[i] = BM25_K1 * (1 - BM25_B + BM25_B * m->room[i] / *mean);
done:
    return status;
}

/* An entry before its row is divided by its length. */
static double shaped(const cob_weigher *m, double x, int64_t row, int64_t col)
{
    if (m->by.shape)
        x = copysign(m->by.shape(fabs(x) / m->unit, m->room ? m->room[row] : 0), x);
    return m->idf ? x * m->idf[col] : x;
}

/* The sum of the squares of a row's entries over `size`; *largest: the size of the largest one. */
static double sum_squares(const cob_weigher *m, int64_t row, double size, double *largest)
{
    const cob_side *side = &m->matrix->by_row;
    double squares = 0;
    for (int64_t e = side->offsets[row]; e < side->offsets[row + 1]; e++) {
        double x =
            shaped(m, cob_value_get(m->matrix->kind, side->values, e), row, side->indices[e]);
        x = size == 1 ? x : x / size;
        *largest = fabs(x) > *largest ? fabs(x) : *largest;
        squares += x * x;
    }
    return squares;
}

/* Of the rows of this rank. */
static cobloc_status measure_rows(const cobloc_matrix *matrix, const cob_part *part, cob_weigher *m,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_between own = cob_part_lines(part, 0, matrix->rows);
    COB_NEW(m->size, matrix->rows);
    COB_NEW(m->length, matrix->rows);
#pragma omp parallel for schedule(static) num_threads(cob_threads(0))
    for (int64_t i = own.first; i < own.last; i++) {
        double largest = 0, squares = sum_squares(m, i, 1, &largest);
        m->size[i] = largest > 1e-140 && largest < 1e140 ? 1 : largest;
        if (m->size[i] != 1)
            squares = sum_squares(m, i, m->size[i], &largest);
        m->length[i] = sqrt(squares);
    }
done:
    return status;
}

/* What a formula needs to weigh the entries of this rank's rows, which `part` says. */
static cobloc_status measure(const cobloc_matrix *matrix, const cob_part *part, cob_weighing *how,
                             cob_weigher **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const int64_t *offsets = matrix->by_col.offsets;
    cob_weigher *m = NULL;
    COB_NEW_ZERO(m, 1);
    *out = m;
    m->matrix = matrix;
    m->by = formulas[how->weight];
    m->scale = how->scale > 0 ? how->scale : 1;
    m->narrow = how->narrow;
    m->any_unit = !how->exact && matrix->kind > COBLOC_U32;
    if (how->unit == 0)
        how->unit = cob_matrix_unit(matrix, &(cob_shared_values){.ranks = part->ranks});
    m->unit = how->unit;
    if (m->by.by_length)
        COB_TRY(measure_sums(matrix, part, &how->mean_length, m, err));
    if (m->by.idf)
        COB_NEW(m->idf, matrix->cols);
    for (int64_t j = 0; m->by.idf && j < matrix->cols; j++)
        m->idf[j] = how->idf ? how->idf[j] : cob_idf(matrix->rows, offsets[j + 1] - offsets[j]);
    if (m->by.unit_rows)
        COB_TRY(measure_rows(matrix, part, m, err));
done:
    return status;
}

cobloc_status cob_tfidf_factors(const cobloc_matrix *matrix, const cob_part *part, double **rows,
                                double **cols, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_weighing tfidf = {.weight = COBLOC_WEIGHT_TFIDF, .unit = 1};
    cob_between own = cob_part_lines(part, 0, matrix->rows);
    cob_weigher *m = NULL;
    COB_TRY(measure(matrix, part, &tfidf, &m, err));
    COB_KNOWN(m->length && m->size); /* TF-IDF has both */
    for (int64_t i = own.first; i < own.last; i++) {
        double length = m->length[i] > 0 ? m->length[i] : 1; /* a row without entries */
        m->length[i] = 1 / (m->size[i] > 0 ? m->size[i] : 1) / length;
    }
    COB_TRY(cob_part_gather(part, 0, m->length, sizeof *m->length, err));
    *rows = m->length;
    *cols = m->idf;
    m->length = m->idf = NULL;
done:
    cob_weigher_free(m);
    return status;
}

/* ---- weighing -------------------------------------------------------------------------------- */

/* Rows of unit length have the same distance where they share nothing. What rounding leaves of it
 * depends on the unit of the table, and would decide which centre is the nearest: the last digits
 * are dropped. */
static double without_rounding(double x)
{
    const double multiple = 0x1p-36;
    double whole = rint(x / multiple) * multiple;
    return whole != 0 ? whole : x;
}

/* The nearest float; what is too large or too small for one is as large or small as there are. */
static double as_float(double x)
{
    return (float)copysign(fmin(fmax(fabs(x), FLT_MIN), FLT_MAX), x);
}

/* A value so small beside others that it would become 0 is set to the smallest positive number. */
double cob_weigh_entry(const cob_weigher *m, double value, int64_t row, int64_t col)
{
    double x = shaped(m, value, row, col);
    if (m->length)
        x = (m->size && m->size[row] != 1 ? x / m->size[row] : x) / m->length[row];
    if (m->any_unit && m->length && !m->idf)
        x = without_rounding(x);
    x *= m->scale;
    if (m->narrow)
        x = as_float(x);
    return x != 0 ? x : copysign(4.9406564584124654e-324, x);
}

void cob_weigh_some(const cob_weigher *m, int64_t first, int64_t last, double *out)
{
    const cob_side *side = &m->matrix->by_row;
    const cobloc_view rows = cobloc_matrix_by_rows(m->matrix);
    int64_t row = cob_line_at(side->offsets, rows.major, first);
    for (int64_t e = first; e < last; e++) {
        while (e >= side->offsets[row + 1])
            row++;
        out[e - first] = cob_weigh_entry(m, cob_value_get(m->matrix->kind, side->values, e), row,
                                         side->indices[e]);
    }
    if (last % COB_SUM_BLOCK == 0 || last == rows.nnz)
        cob_leave_behind(&rows, (last - 1) / COB_SUM_BLOCK * COB_SUM_BLOCK, last, true);
}

/* The values of one side, of lines `own`. */
static void weigh_side(const cob_weigher *m, bool columns, cob_between own, double *values)
{
    const cob_side *side = columns ? &m->matrix->by_col : &m->matrix->by_row;
    cobloc_value_kind kind = m->matrix->kind;
#pragma omp parallel for schedule(static) num_threads(cob_threads(0))
    for (int64_t line = own.first; line < own.last; line++)
        for (int64_t e = side->offsets[line]; e < side->offsets[line + 1]; e++) {
            int64_t other = side->indices[e];
            values[e] = cob_weigh_entry(m, cob_value_get(kind, side->values, e),
                                        columns ? other : line, columns ? line : other);
        }
}

/* What keeps the total of the entries, these in their natural unit. */
static double scale_to_total(const cob_weigher *m, cob_ranks *ranks)
{
    cobloc_view before = cobloc_matrix_by_rows(m->matrix), after = before;
    cob_shared_values counts = {.ranks = ranks, .unit = m->unit};
    cob_shared_values weighed = {.ranks = ranks, .weigher = m};
    after.kind = COBLOC_F64;
    return cob_sum_over_values(&before, fabs, cob_threads(0), &counts) /
           cob_sum_over_values(&after, fabs, cob_threads(0), &weighed);
}

/* The lines of this rank in `matrix`, which has empty ones, too. */
static cob_part part_of(const cobloc_matrix *matrix, const cobloc_matrix *x, const cob_part *part)
{
    const int64_t *offsets[] = {matrix->by_row.offsets, matrix->by_col.offsets};
    const int64_t *filled[] = {x->by_row.offsets, x->by_col.offsets};
    int64_t lines[] = {matrix->rows, matrix->cols}, left[] = {x->rows, x->cols};
    cob_part whole = {.ranks = part->ranks};
    for (int side = 0; part->ranks && side < 2; side++) {
        int64_t ends[] = {part->lines[side].first, part->lines[side].last};
        for (int end = 0; end < 2; end++)
            ends[end] = ends[end] == 0 ? 0
                        : ends[end] == left[side]
                            ? lines[side]
                            : cob_line_at(offsets[side], lines[side], filled[side][ends[end]]);
        whole.lines[side] = (cob_between){ends[0], ends[1]};
    }
    return whole;
}

/* Entries by columns look at rows far apart, and sooner at one number of each than at two. */
static void drop_sizes(cob_weigher *m)
{
    bool needed = false;
    for (int64_t i = 0; i < m->matrix->rows && !needed; i++)
        needed = m->size[i] != 1 && m->length[i] > 0;
    if (!needed) {
        cob_free(m->size);
        m->size = NULL;
    }
}

/* Whatever a formula needs to weigh any entry. */
static cobloc_status measure_all(const cobloc_matrix *matrix, const cob_part *part,
                                 cob_weighing *how, cob_weigher **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(measure(matrix, part, how, out, err));
    cob_weigher *m = *out;
    if (m->by.unit_rows) {
        COB_TRY(cob_part_gather(part, 0, m->size, sizeof *m->size, err));
        COB_TRY(cob_part_gather(part, 0, m->length, sizeof *m->length, err));
        drop_sizes(m);
    }
    if (how->as_counts && how->scale == 0)
        how->scale = m->scale = scale_to_total(m, part->ranks);
done:
    return status;
}

cobloc_status cob_weigher_new(const cobloc_matrix *matrix, cob_weighing how, cob_weigher **out,
                              cobloc_error *err)
{
    return measure_all(matrix, &(cob_part){0}, &how, out, err);
}

/* The values of both sides of a copy, packed; of this rank's lines. */
static cobloc_status weigh(const cob_weigher *m, const cob_part *part, cobloc_value_kind *kind,
                           cob_side *by_row, cob_side *by_col, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *values = NULL;
    cob_side *sides[] = {by_row, by_col};
    const cobloc_matrix *x = m->matrix;
    for (int side = 0; side < 2; side++) {
        const int64_t *offsets = side == 0 ? x->by_row.offsets : x->by_col.offsets;
        cob_between own = cob_part_lines(part, side, side == 0 ? x->rows : x->cols);
        COB_NEW(values, x->nnz); /* a rank never touches most of it */
        weigh_side(m, side == 1, own, values);
        COB_TRY(cob_values_pack(&values, x->nnz,
                                (cob_between){offsets[own.first], offsets[own.last]}, part->ranks,
                                kind, &sides[side]->values, err));
        cob_free(values);
        values = NULL;
    }
done:
    cob_free(values);
    return status;
}

/* ---- weighted matrices ----------------------------------------------------------------------- */

bool cob_weighing_changes(const cobloc_matrix *matrix, const cob_weighing *how)
{
    if (how->weight != COBLOC_WEIGHT_NONE)
        return how->weight != COBLOC_WEIGHT_BINARY || matrix->kind != COBLOC_ONES;
    if (!how->as_counts)
        return false;
    return (how->scale > 0  ? how->scale
            : how->unit > 0 ? how->unit
                            : cob_matrix_unit(matrix, NULL)) != 1;
}

cobloc_status cob_matrix_weighted(const cobloc_matrix *matrix, const cobloc_matrix *x,
                                  const cob_part *part, cob_weighing *how, cobloc_matrix **out,
                                  cob_weigher **weigher, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_sides lent = {x->by_row, x->by_col};
    cob_side by_row = {0}, by_col = {0};
    cobloc_matrix *made = NULL;
    cob_weigher *m = NULL;
    cobloc_value_kind kind = matrix->kind;
    cob_part whole = part_of(matrix, x, part ? part : &(cob_part){0});
    COB_CHECK(how->weight >= COBLOC_WEIGHT_NONE && how->weight < COB_WEIGHTS, COBLOC_BAD_ARGUMENT,
              "unknown weight %d", (int)how->weight);
    COB_TRY(cobloc_matrix_verify(matrix, err));
    bool changes = cob_weighing_changes(matrix, how);
    if (changes)
        lent.by_row.values = lent.by_col.values = NULL;
    by_row = lent.by_row;
    by_col = lent.by_col;
    if (how->weight == COBLOC_WEIGHT_BINARY) {
        kind = COBLOC_ONES;
    } else if (changes) {
        COB_TRY(measure_all(matrix, &whole, how, &m, err));
        COB_TRY(weigh(m, &whole, &kind, &by_row, &by_col, err));
    }
    COB_TRY(
        cob_matrix_own_both(x->rows, x->cols, kind, &by_row, &by_col, &lent, part, 0, &made, err));
    if (how->weight == COBLOC_WEIGHT_NONE) /* else the values are no longer codes */
        COB_TRY(cob_names_copy(&made->categories, &matrix->categories, err));
    if (matrix->missing)
        COB_TRY(cob_matrix_pick(matrix->missing, NULL, NULL, 0, &made->missing, err));
    *out = made;
    made = NULL;
    if (weigher) {
        *weigher = m;
        m = NULL;
    }
done:
    cob_weigher_free(m);
    cobloc_matrix_free(made);
    cob_sides_free(&by_row, &by_col, &lent);
    return status;
}

cobloc_status cobloc_matrix_weighted(const cobloc_matrix *matrix, cobloc_weight weight,
                                     cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *made = NULL;
    cob_weighing how = {.weight = weight, .exact = true};
    COB_TRY(cob_matrix_weighted(matrix, matrix, NULL, &how, &made, NULL, err));
    COB_TRY(cob_matrix_detach(&made, matrix, NULL, NULL, err));
    *out = made;
    made = NULL;
done:
    cobloc_matrix_free(made);
    return status;
}
