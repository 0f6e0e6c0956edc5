/* MATLAB files of version 5 to 7, as written by `save -v6` and `save -v7`.
 *
 * A header of 128 bytes is followed by data elements: a type, a size, the bytes. A variable is an
 * element of type miMATRIX, itself made of elements (flags with the class, dimensions, name, then
 * the data), plain or, since version 7, deflated inside an element of type miCOMPRESSED. Numbers
 * may be stored in any type that holds them: doubles that are small counts are stored as bytes. No
 * size is trusted beyond the bytes that are actually there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "io/matlab.h"
#include "io/matlab_element.h"

#include "base/alloc.h"

enum {
    MX_CELL = 1,
    MX_CHAR = 4,
    MX_SPARSE = 5,
    MX_DOUBLE = 6,
    MX_UINT64 = 15,
    MX_OPAQUE = 17,
    FLAG_COMPLEX = 0x0800,
    FLAG_LOGICAL = 0x0200,
};

enum { BATCH = 2048 }; /* units of text read at a time */

/* ---- the head of a matrix -------------------------------------------------------------------- */

static cobloc_status read_dimensions(cob_mat_stream *s, int64_t limit, cob_mat_variable *v,
                                     cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mat_element e;
    COB_TRY(cob_mat_tag(s, limit, &e, err));
    COB_CHECK((e.type == MI_INT32 || e.type == MI_UINT32) && e.size >= 8 && e.size % 4 == 0,
              COBLOC_BAD_DATA, "the dimensions have type %u and %lld bytes, expected integers",
              e.type, (long long)e.size);
    v->solid = e.size > 8;
    v->cols = 1;
    for (int64_t d = 0; d < e.size / 4; d++) {
        unsigned char word[4];
        COB_TRY(cob_mat_stream_take(s, word, 4, err));
        int64_t extent = cob_load32(word, s->big);
        COB_CHECK(extent <= INT32_MAX, COBLOC_BAD_DATA, "a dimension is negative");
        if (d == 0)
            v->rows = extent;
        else if (extent && v->cols > INT64_MAX / INT32_MAX / extent)
            COB_CHECK(false, COBLOC_BAD_DATA, "the dimensions are implausible");
        else
            v->cols *= extent;
    }
    COB_TRY(cob_mat_skip_to(s, e.padded_end, err));
done:
    return status;
}

static cobloc_status read_name(cob_mat_stream *s, int64_t limit, cob_mat_variable *v,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mat_element e;
    COB_TRY(cob_mat_tag(s, limit, &e, err));
    COB_CHECK(e.size < (int64_t)sizeof v->name, COBLOC_BAD_DATA,
              "the name of a variable has %lld bytes, expected at most %d", (long long)e.size,
              (int)sizeof v->name - 1);
    COB_TRY(cob_mat_stream_take(s, v->name, (size_t)e.size, err));
    v->name[e.size] = '\0';
    COB_TRY(cob_mat_skip_to(s, e.padded_end, err));
done:
    return status;
}

static cob_mat_kind kind_of_class(uint32_t class)
{
    return class == MX_CELL                           ? COB_MAT_CELL
           : class == MX_CHAR                         ? COB_MAT_CHAR
           : class == MX_SPARSE                       ? COB_MAT_SPARSE
           : class >= MX_DOUBLE && class <= MX_UINT64 ? COB_MAT_FULL
                                                      : COB_MAT_OTHER;
}

/* Reads everything before the data of a matrix. */
static cobloc_status read_head(cob_mat_stream *s, int64_t limit, cob_mat_variable *v,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mat_element e;
    unsigned char flags[8];
    *v = (cob_mat_variable){.kind = COB_MAT_OTHER};
    COB_TRY(cob_mat_tag(s, limit, &e, err));
    COB_CHECK(e.type == MI_UINT32 && e.size == 8, COBLOC_BAD_DATA,
              "the flags of an array have type %u and %lld bytes, expected 8 bytes of type %d",
              e.type, (long long)e.size, MI_UINT32);
    COB_TRY(cob_mat_stream_take(s, flags, sizeof flags, err));
    uint32_t word = cob_load32(flags, s->big);
    v->kind = kind_of_class(word & 0xFF);
    v->complex = (word & FLAG_COMPLEX) != 0;
    v->logical = (word & FLAG_LOGICAL) != 0;
    if ((word & 0xFF) != MX_OPAQUE) /* opaque objects have no dimensions */
        COB_TRY(read_dimensions(s, limit, v, err));
    COB_TRY(read_name(s, limit, v, err));
done:
    return status;
}

/* ---- the variables --------------------------------------------------------------------------- */

/* Starts reading the element at `at` in the file; *next is where the following one starts. For a
 * matrix, the stream is then at its flags and *limit is its end in the stream; for anything else
 * *limit is 0. */
static cobloc_status enter(cob_mat *mat, int64_t at, int64_t *limit, int64_t *next,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mat_stream *s = mat->state;
    unsigned char tag[8];
    cob_mat_element e;
    *limit = 0;
    COB_TRY(cob_binary_read(&mat->file, at, tag, sizeof tag, err));
    uint32_t type = cob_load32(tag, mat->big);
    int64_t size = cob_load32(tag + 4, mat->big), left = mat->file.size - at - 8;
    if (type >> 16)
        size = 0; /* a small element: just these 8 bytes */
    COB_CHECK(size <= left, COBLOC_BAD_DATA,
              "the data element at byte %lld has %lld bytes where %lld are left: the file is "
              "damaged or truncated",
              (long long)at, (long long)size, (long long)left);
    *next = at + 8 + size;
    if (size > 0 && (type == MI_MATRIX || type == MI_COMPRESSED))
        COB_TRY(cob_mat_stream_start(s, at + 8, size, type == MI_COMPRESSED, err));
    if (size > 0 && type == MI_MATRIX)
        *limit = size;
    if (size > 0 && type == MI_COMPRESSED) {
        COB_TRY(cob_mat_tag(s, INT64_MAX / 2, &e, err));
        *limit = e.type == MI_MATRIX ? e.end : 0;
    }
    if (type != MI_MATRIX && type != MI_COMPRESSED)
        *next += (8 - size % 8) % 8;
done:
    return status;
}

static void close_v5(cob_mat *mat)
{
    cob_mat_stream_free(mat->state);
    mat->state = NULL;
}

static cobloc_status open_v5(cob_mat *mat, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t limit, next;
    cob_mat_stream *stream = NULL;
    COB_TRY(cob_mat_stream_new(&mat->file, mat->big, &stream, err));
    mat->state = stream;
    for (int64_t at = COB_MAT_HEADER; at < mat->file.size; at = next) {
        cob_mat_variable head;
        COB_TRY(enter(mat, at, &limit, &next, err));
        if (limit == 0)
            continue;
        COB_TRY(read_head(stream, limit, &head, err));
        if (head.name[0] == '\0') /* MATLAB's internal data */
            continue;
        cob_mat_variable *added = cob_mat_add(mat);
        COB_CHECK(added, COBLOC_NO_MEMORY, "out of memory");
        *added = head;
        added->place = at;
    }
done:
    return status;
}

/* Moves to the data of a variable. */
static cobloc_status enter_data(cob_mat *mat, const cob_mat_variable *v, int64_t *limit,
                                cobloc_error *err)
{
    int64_t next;
    cob_mat_variable again;
    cobloc_status status = enter(mat, v->place, limit, &next, err);
    return status ? status : read_head(mat->state, *limit, &again, err);
}

/* ---- numbers --------------------------------------------------------------------------------- */

typedef struct full_array {
    const cob_mat_variable *variable;
    cob_mat_sink sink;
    void *context;
} full_array;

static cobloc_status take_full(void *context, cob_number_type type, int64_t first, size_t count,
                               const double *values, cobloc_error *err)
{
    const full_array *array = context;
    int64_t rows = array->variable->rows, row = first % rows, col = first / rows;
    for (size_t k = 0; k < count; k++) {
        cobloc_status status =
            cob_mat_send(type, values[k], row, col, array->sink, array->context, err);
        if (status != COBLOC_OK)
            return status;
        if (++row == rows) {
            row = 0;
            col++;
        }
    }
    return COBLOC_OK;
}

typedef struct indices {
    int32_t *at;
    size_t count, capacity;
} indices;

typedef struct sparse_array {
    const cob_mat_variable *variable;
    cob_mat_sink sink;
    void *context;
    indices rows;   /* of the entries */
    indices starts; /* of the columns, followed by the number of entries */
    int64_t col;    /* of the next value */
} sparse_array;

static cobloc_status take_indices(void *context, cob_number_type type, int64_t first, size_t count,
                                  const double *values, cobloc_error *err)
{
    indices *to = context;
    (void)type;
    (void)first;
    if (!cob_grow(&to->at, &to->capacity, to->count + count, sizeof *to->at))
        return cob_fail_memory(err, to->count + count, sizeof *to->at);
    for (size_t k = 0; k < count; k++) {
        if (!(values[k] >= 0 && values[k] <= INT32_MAX))
            return cob_fail(err, COBLOC_BAD_DATA, "the index %g is out of range", values[k]);
        to->at[to->count++] = (int32_t)values[k];
    }
    return COBLOC_OK;
}

static cobloc_status take_values(void *context, cob_number_type type, int64_t first, size_t count,
                                 const double *values, cobloc_error *err)
{
    sparse_array *a = context;
    int64_t entries = a->starts.at[a->variable->cols];
    for (size_t k = 0; k < count && first + (int64_t)k < entries; k++) {
        int64_t e = first + (int64_t)k;
        while (a->starts.at[a->col + 1] <= e) /* terminates, because e is below the last start */
            a->col++;
        cobloc_status status =
            cob_mat_send(type, values[k], a->rows.at[e], a->col, a->sink, a->context, err);
        if (status != COBLOC_OK)
            return status;
    }
    return COBLOC_OK;
}

static cobloc_status check_starts(const sparse_array *a, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t cols = a->variable->cols;
    const int32_t *starts = a->starts.at;
    COB_CHECK(starts[0] == 0, COBLOC_BAD_DATA, "the first column starts at entry %d, expected 0",
              (int)starts[0]);
    for (int64_t c = 0; c < cols; c++)
        COB_CHECK(starts[c + 1] >= starts[c], COBLOC_BAD_DATA, "column %lld ends before it starts",
                  (long long)(c + 1));
    COB_CHECK((uint64_t)starts[cols] <= a->rows.count, COBLOC_BAD_DATA,
              "the columns hold %d entries, but there are row indices of %zu", (int)starts[cols],
              a->rows.count);
done:
    return status;
}

static cobloc_status read_sparse(cob_mat_stream *s, int64_t limit, sparse_array *a,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t cols = a->variable->cols;
    COB_TRY(cob_mat_numbers(
        s, limit, &(cob_mat_batches){take_indices, &a->rows, 0, INT32_MAX, "row indices", false},
        err));
    COB_TRY(cob_mat_numbers(
        s, limit,
        &(cob_mat_batches){take_indices, &a->starts, cols + 1, cols + 1, "column starts", false},
        err));
    COB_TRY(check_starts(a, err));
    int64_t entries = a->starts.at[cols];
    cob_mat_batches values = {take_values, a, entries, INT64_MAX, "values", a->variable->logical};
    if (entries > 0)
        COB_TRY(cob_mat_numbers(s, limit, &values, err));
done:
    cob_free(a->rows.at);
    cob_free(a->starts.at);
    return status;
}

static cobloc_status numbers_v5(cob_mat *mat, const cob_mat_variable *v, cob_mat_sink sink,
                                void *context, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mat_stream *s = mat->state;
    int64_t limit;
    COB_TRY(enter_data(mat, v, &limit, err));
    if (v->kind == COB_MAT_SPARSE) {
        sparse_array a = {.variable = v, .sink = sink, .context = context};
        COB_TRY(read_sparse(s, limit, &a, err));
    } else if (v->rows > 0 && v->cols > 0) {
        full_array a = {v, sink, context};
        int64_t count = v->rows * v->cols; /* cannot overflow: checked in read_dimensions */
        COB_TRY(cob_mat_numbers(
            s, limit, &(cob_mat_batches){take_full, &a, count, count, "values", false}, err));
    }
    COB_TRY(cob_mat_stream_finish(s, err));
done:
    return status;
}

/* ---- strings --------------------------------------------------------------------------------- */

static int unit_width(uint32_t type)
{
    switch (type) {
    case MI_INT8:
    case MI_UINT8:
    case MI_UTF8:
        return 1;
    case MI_INT16:
    case MI_UINT16:
    case MI_UTF16:
        return 2;
    case MI_INT32:
    case MI_UINT32:
    case MI_UTF32:
        return 4;
    default:
        return 0;
    }
}

/* Reads the units of a char array, after its head. */
static cobloc_status read_units(cob_mat_stream *s, int64_t limit, const cob_mat_variable *head,
                                cob_mat_chars *chars, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mat_element e;
    unsigned char bytes[BATCH * 4];
    chars->rows = head->rows;
    chars->cols = head->cols;
    chars->count = 0;
    if (s->position == limit) /* empty: there is no element */
        return COBLOC_OK;
    COB_TRY(cob_mat_tag(s, limit, &e, err));
    chars->width = unit_width(e.type);
    COB_CHECK(chars->width, COBLOC_BAD_DATA, "characters are stored as type %u, expected text",
              e.type);
    size_t width = (size_t)chars->width, count = (size_t)e.size / width;
    while (chars->count < count) {
        size_t part = count - chars->count < BATCH ? count - chars->count : BATCH;
        COB_TRY(cob_mat_stream_take(s, bytes, part * width, err));
        if (!cob_grow(&chars->units, &chars->capacity, chars->count + part, sizeof *chars->units))
            COB_CHECK(false, COBLOC_NO_MEMORY, "out of memory");
        for (size_t k = 0; k < part; k++)
            chars->units[chars->count++] = (uint32_t)cob_load(bytes + k * width, width, s->big);
    }
    COB_TRY(cob_mat_skip_to(s, e.padded_end, err));
done:
    return status;
}

static cobloc_status take_one(void *context, cob_number_type type, int64_t first, size_t count,
                              const double *values, cobloc_error *err)
{
    (void)type;
    (void)first;
    (void)count;
    return cob_names_add_number(values[0], context, err);
}

/* Reads one cell as a string. */
static cobloc_status read_cell(cob_mat_stream *s, int64_t limit, cob_mat_chars *chars,
                               cob_names *names, int *usable, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mat_element e;
    cob_mat_variable head = {.kind = COB_MAT_FULL};
    COB_TRY(cob_mat_tag(s, limit, &e, err));
    COB_CHECK(e.type == MI_MATRIX, COBLOC_BAD_DATA, "a cell has type %u, expected an array",
              e.type);
    if (e.size > 0)
        COB_TRY(read_head(s, e.end, &head, err));
    bool empty = head.rows == 0 || head.cols == 0;
    if (head.kind == COB_MAT_CHAR && (head.rows == 1 || empty)) {
        COB_TRY(read_units(s, e.end, &head, chars, err));
        COB_TRY(cob_mat_chars_add(chars, false, names, usable, err));
    } else if (head.kind == COB_MAT_FULL && empty) {
        COB_TRY(cob_names_add(names, "", 0, err));
    } else if (head.kind == COB_MAT_FULL && head.rows == 1 && head.cols == 1 && !head.complex) {
        COB_TRY(cob_mat_numbers(s, e.end,
                                &(cob_mat_batches){take_one, names, 1, 1, "values", false}, err));
    } else {
        *usable = 0;
    }
    COB_TRY(cob_mat_skip_to(s, e.end, err));
done:
    return status;
}

static cobloc_status strings_v5(cob_mat *mat, const cob_mat_variable *v, cob_names *names,
                                int *usable, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mat_stream *s = mat->state;
    cob_mat_chars chars = {0};
    int64_t limit;
    *usable = 1;
    COB_TRY(enter_data(mat, v, &limit, err));
    if (v->kind == COB_MAT_CHAR) {
        COB_TRY(read_units(s, limit, v, &chars, err));
        COB_TRY(cob_mat_chars_add(&chars, true, names, usable, err));
    } else {
        int64_t cells = v->rows * v->cols;
        for (int64_t c = 0; *usable && c < cells; c++)
            COB_TRY(read_cell(s, limit, &chars, names, usable, err));
    }
    if (*usable)
        COB_TRY(cob_mat_stream_finish(s, err));
done:
    cob_mat_chars_free(&chars);
    return status;
}

const cob_mat_reader cob_mat_v5 = {open_v5, close_v5, numbers_v5, strings_v5};
