/* Matrices from the caller's arrays.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "matrix/builder.h"
#include "matrix/transpose.h"

#include <string.h>

cobloc_status cobloc_matrix_from_triples(int64_t rows, int64_t cols, int64_t count,
                                         const int32_t *row, const int32_t *col,
                                         const double *value, cobloc_matrix **out,
                                         cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_builder builder = {0};
    COB_TRY(cob_builder_init(&builder, rows, cols, 0, 1, COBLOC_MISSING_IGNORE, err));
    for (int64_t t = 0; t < count; t++) {
        status = cob_lane_add(&builder.lanes[0], row[t], col[t], value ? value[t] : 1, err);
        if (status != COBLOC_OK) {
            cob_fail_at(err, status, "triple %lld: ", (long long)t);
            goto done;
        }
    }
    COB_TRY(cob_builder_finish(&builder, rows, cols, out, err));
done:
    cob_builder_free(&builder);
    return status;
}

/* ---- elements of any type -------------------------------------------------------------------- */

static int64_t index_at(const void *array, cobloc_array_type type, int64_t i)
{
    COB_KNOWN(array);
    return type == COBLOC_ARRAY_I32 ? ((const int32_t *)array)[i] : ((const int64_t *)array)[i];
}

static double value_at(const void *array, cobloc_array_type type, int64_t i)
{
    switch (type) {
    case COBLOC_ARRAY_NONE:
        return 1;
    case COBLOC_ARRAY_BOOL:
        return ((const uint8_t *)array)[i] != 0;
    case COBLOC_ARRAY_I8:
        return ((const int8_t *)array)[i];
    case COBLOC_ARRAY_I16:
        return ((const int16_t *)array)[i];
    case COBLOC_ARRAY_I32:
        return ((const int32_t *)array)[i];
    case COBLOC_ARRAY_I64:
        return (double)((const int64_t *)array)[i];
    case COBLOC_ARRAY_U8:
        return ((const uint8_t *)array)[i];
    case COBLOC_ARRAY_U16:
        return ((const uint16_t *)array)[i];
    case COBLOC_ARRAY_U32:
        return ((const uint32_t *)array)[i];
    case COBLOC_ARRAY_U64:
        return (double)((const uint64_t *)array)[i];
    case COBLOC_ARRAY_F32:
        return ((const float *)array)[i];
    case COBLOC_ARRAY_F64:
        return ((const double *)array)[i];
    }
    return 0;
}

/* Whether an array of this type has the layout in which `kind` stores its values. */
static bool is_stored_as(cobloc_array_type type, cobloc_value_kind kind)
{
    static const cobloc_array_type same[][2] = {
        {COBLOC_ARRAY_NONE, COBLOC_ARRAY_NONE}, {COBLOC_ARRAY_U8, COBLOC_ARRAY_I8},
        {COBLOC_ARRAY_U16, COBLOC_ARRAY_I16},   {COBLOC_ARRAY_U32, COBLOC_ARRAY_I32},
        {COBLOC_ARRAY_F32, COBLOC_ARRAY_F32},   {COBLOC_ARRAY_F64, COBLOC_ARRAY_F64}};
    return kind != COBLOC_ONES && (type == same[kind][0] || type == same[kind][1]);
}

static cobloc_status check_values(const void *values, cobloc_array_type type, cobloc_error *err)
{
    bool known = type >= COBLOC_ARRAY_NONE && type <= COBLOC_ARRAY_F64;
    return known && (values || type == COBLOC_ARRAY_NONE)
               ? COBLOC_OK
               : cob_fail(err, COBLOC_BAD_ARGUMENT,
                          "the array of values is NULL or of unknown type %d", (int)type);
}

/* ---- compressed lines ------------------------------------------------------------------------ */

typedef struct lines {
    int64_t major, minor, count;
    bool columns;
    const void *offsets, *indices, *values;
    cobloc_array_type offset_type, index_type, value_type;
} lines;

static cobloc_status check_offsets(const lines *l, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t before = index_at(l->offsets, l->offset_type, 0);
    COB_CHECK(before == 0, COBLOC_BAD_DATA, "offsets[0] is %lld, expected 0", (long long)before);
    for (int64_t i = 1; i <= l->major; i++) {
        int64_t offset = index_at(l->offsets, l->offset_type, i);
        COB_CHECK(offset >= before, COBLOC_BAD_DATA,
                  "offsets[%lld] is smaller than the one before it", (long long)i);
        before = offset;
    }
done:
    return status;
}

/* Whether the lines are as a matrix stores them: increasing indices, finite values, no zeros. Adds
 * their values to the tally. */
static bool are_plain(const lines *l, cob_tally *tally)
{
    bool plain = true;
    for (int64_t i = 0, e = 0; plain && i < l->major; i++) {
        int64_t end = index_at(l->offsets, l->offset_type, i + 1), before = -1;
        for (; plain && e < end; e++) {
            int64_t index = index_at(l->indices, l->index_type, e);
            double value = value_at(l->values, l->value_type, e);
            plain = index > before && index < l->minor && value != 0 && fabs(value) <= DBL_MAX;
            before = index;
            if (plain)
                cob_tally_add(tally, value);
        }
    }
    return plain;
}

/* The lines as a side of a matrix; borrowed arrays are listed in `lent`. */
static cobloc_status make_side(const lines *l, cobloc_value_kind kind, bool borrow, cob_side *side,
                               cob_side *lent, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t width = cob_kind_width(kind);
    if (borrow && l->index_type == COBLOC_ARRAY_I32) {
        lent->indices = (int32_t *)(uintptr_t)l->indices; /* a matrix never writes to its arrays */
        if (l->offset_type == COBLOC_ARRAY_I64)
            lent->offsets = (int64_t *)(uintptr_t)l->offsets;
        if (is_stored_as(l->value_type, kind))
            lent->values = (void *)(uintptr_t)l->values;
    }
    *side = *lent;
    if (!side->offsets) {
        COB_NEW(side->offsets, l->major + 1);
        for (int64_t i = 0; i <= l->major; i++)
            side->offsets[i] = index_at(l->offsets, l->offset_type, i);
    }
    if (!side->indices) {
        COB_NEW(side->indices, l->count);
        for (int64_t e = 0; e < l->count; e++)
            side->indices[e] = (int32_t)index_at(l->indices, l->index_type, e);
    }
    if (!side->values && width > 0) {
        side->values = cob_alloc((size_t)l->count, width);
        if (!side->values)
            return cob_fail_memory(err, (size_t)l->count, width);
        for (int64_t e = 0; e < l->count; e++)
            cob_value_set(kind, side->values, e, value_at(l->values, l->value_type, e));
    }
done:
    return status;
}

static cobloc_status from_plain(const lines *l, cobloc_value_kind kind, bool borrow,
                                cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_sides lent = {0};
    cob_side given = {0}, turned = {0};
    cobloc_matrix *matrix = NULL;
    cob_side *by_row = l->columns ? &turned : &given, *by_col = l->columns ? &given : &turned;
    int64_t rows = l->columns ? l->minor : l->major, cols = l->columns ? l->major : l->minor;
    COB_TRY(cob_check_plausible(rows, cols, l->count, err));
    COB_TRY(make_side(l, kind, borrow, &given, l->columns ? &lent.by_col : &lent.by_row, err));
    COB_TRY(cob_side_alloc(&turned, l->minor, l->count, kind, err));
    COB_TRY(cob_transpose(&given, l->major, l->minor, true, kind, 0, &turned, err));
    COB_TRY(cob_matrix_own_both(rows, cols, kind, by_row, by_col, &lent, NULL, 0, &matrix, err));
    COB_TRY(cob_matrix_check_range(matrix, err));
    *out = matrix;
    matrix = NULL;
done:
    cobloc_matrix_free(matrix);
    cob_sides_free(by_row, by_col, &lent);
    return status;
}

/* Lines in any order, perhaps with duplicates, zeros, missing cells or invalid entries. */
static cobloc_status from_any(const lines *l, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t rows = l->columns ? l->minor : l->major, cols = l->columns ? l->major : l->minor;
    cob_builder builder = {0};
    COB_TRY(cob_builder_init(&builder, rows, cols, 0, 1, COBLOC_MISSING_IGNORE, err));
    for (int64_t i = 0, e = 0; i < l->major; i++)
        for (int64_t end = index_at(l->offsets, l->offset_type, i + 1); e < end; e++) {
            int64_t index = index_at(l->indices, l->index_type, e);
            status = cob_lane_add(&builder.lanes[0], l->columns ? index : i, l->columns ? i : index,
                                  value_at(l->values, l->value_type, e), err);
            if (status != COBLOC_OK) {
                cob_fail_at(err, status, "entry %lld: ", (long long)e);
                goto done;
            }
        }
    COB_TRY(cob_builder_finish(&builder, rows, cols, out, err));
done:
    cob_builder_free(&builder);
    return status;
}

cobloc_status cobloc_matrix_from_compressed(int64_t rows, int64_t cols, int by_columns,
                                            const void *offsets, cobloc_array_type offset_type,
                                            const void *indices, cobloc_array_type index_type,
                                            const void *values, cobloc_array_type value_type,
                                            cobloc_release_fn release, void *user,
                                            cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *matrix = NULL;
    cob_tally tally = {0};
    lines l = {.major = by_columns ? cols : rows,
               .minor = by_columns ? rows : cols,
               .columns = by_columns != 0,
               .offsets = offsets,
               .indices = indices,
               .values = values,
               .offset_type = offset_type,
               .index_type = index_type,
               .value_type = value_type};
    COB_TRY(cob_check_shape(rows, cols, err));
    COB_TRY(check_values(values, value_type, err));
    COB_CHECK((offset_type == COBLOC_ARRAY_I32 || offset_type == COBLOC_ARRAY_I64) &&
                  (index_type == COBLOC_ARRAY_I32 || index_type == COBLOC_ARRAY_I64),
              COBLOC_BAD_ARGUMENT, "offsets and indices must be of type I32 or I64");
    COB_TRY(check_offsets(&l, err));
    l.count = index_at(offsets, offset_type, l.major);
    if (are_plain(&l, &tally))
        COB_TRY(from_plain(&l, cob_tally_kind(&tally), release != NULL, &matrix, err));
    else
        COB_TRY(from_any(&l, &matrix, err));
    if (release && cobloc_matrix_is_borrowed(matrix)) {
        matrix->release = release;
        matrix->release_user = user;
    } else if (release) {
        release(user);
    }
    *out = matrix;
done:
    return status;
}

int cobloc_matrix_is_borrowed(const cobloc_matrix *matrix)
{
    return !matrix->mapping && (matrix->lent.by_row.indices || matrix->lent.by_col.indices);
}

/* ---- all cells ------------------------------------------------------------------------------- */

cobloc_status cobloc_matrix_from_dense(int64_t rows, int64_t cols, const void *values,
                                       cobloc_array_type value_type, cobloc_matrix **out,
                                       cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_builder builder = {0};
    COB_TRY(check_values(values, value_type, err));
    COB_TRY(cob_builder_init(&builder, rows, cols, 0, 1, COBLOC_MISSING_IGNORE, err));
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            double value = value_at(values, value_type, i * cols + j);
            status = value != 0 ? cob_lane_add(&builder.lanes[0], i, j, value, err) : COBLOC_OK;
            if (status != COBLOC_OK) {
                cob_fail_at(err, status, "row %lld, column %lld: ", (long long)i, (long long)j);
                goto done;
            }
        }
    COB_TRY(cob_builder_finish(&builder, rows, cols, out, err));
done:
    cob_builder_free(&builder);
    return status;
}
