/* MATLAB files of version 7.3, which are HDF5 files.
 *
 * A variable is an object in the root group, with its class in the attribute MATLAB_class. Arrays
 * are datasets with reversed dimensions, so that elements are stored column by column as in MATLAB.
 * A sparse matrix is a group of the datasets data, ir and jc, with the number of rows in
 * MATLAB_sparse. A cell array is a dataset of references to objects; chars are 16-bit integers. An
 * empty array has the attribute MATLAB_empty, and its dimensions as data.
 *
 * SPDX-License-Identifier: MIT
 */
#include "io/h5.h"
#include "io/matlab.h"

#include "base/alloc.h"
#include "base/error.h"

/* ---- what an object is ----------------------------------------------------------------------- */

/* The value of an integer attribute; 0 if there is none. */
static int64_t integer_attribute(const cob_h5_object *object, const char *name)
{
    const cob_h5_attribute *a = cob_h5_find_attribute(object, name);
    if (!a || a->type.class != COB_H5_INTEGER || a->size < a->type.number.width)
        return 0;
    double value = cob_number(a->type.number, a->bytes);
    return value >= 0 && value < 0x1p53 ? (int64_t)value : -1;
}

static cob_mat_kind kind_of(const cob_h5_object *object)
{
    static const char *const number[] = {"double", "single", "logical", "int8",  "uint8", "int16",
                                         "uint16", "int32",  "uint32",  "int64", "uint64"};
    const cob_h5_attribute *class = cob_h5_find_attribute(object, "MATLAB_class");
    if (!object->has_space)
        return COB_MAT_OTHER;
    if (!class) /* not written by MATLAB: use the type */
        return object->type.class == COB_H5_INTEGER || object->type.class == COB_H5_REAL
                   ? COB_MAT_FULL
                   : COB_MAT_OTHER;
    const char *name = (const char *)class->bytes;
    if (strcmp(name, "char") == 0)
        return COB_MAT_CHAR;
    if (strcmp(name, "cell") == 0)
        return COB_MAT_CELL;
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if (strcmp(name, number[i]) == 0)
            return COB_MAT_FULL;
    return COB_MAT_OTHER;
}

static void describe_array(const cob_h5_object *object, cob_mat_variable *v)
{
    int64_t count = cob_h5_count(object);
    v->kind = count < 0 ? COB_MAT_OTHER : kind_of(object);
    v->complex = object->type.class == COB_H5_COMPOUND;
    v->solid = object->rank > 2;
    v->rows = object->rank > 0 ? object->dims[object->rank - 1] : 1;
    v->cols = v->rows > 0 && count > 0 ? count / v->rows : 0;
    if (integer_attribute(object, "MATLAB_empty"))
        v->rows = v->cols = 0;
}

static cobloc_status describe(cob_h5 *h5, const cob_h5_object *object, cob_mat_variable *v,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_h5_object starts;
    v->kind = COB_MAT_OTHER;
    if (!object->is_group) {
        describe_array(object, v);
    } else if (cob_h5_find_attribute(object, "MATLAB_sparse")) {
        COB_TRY(cob_h5_find(h5, object, (const char *const[]){"jc"}, &starts, 1, err));
        int64_t count = starts.has_space ? cob_h5_count(&starts) : -1;
        COB_CHECK(count >= 1, COBLOC_BAD_DATA, "variable '%s' is sparse, but has no column starts",
                  v->name);
        v->kind = COB_MAT_SPARSE;
        v->rows = integer_attribute(object, "MATLAB_sparse");
        v->cols = count - 1;
    }
done:
    return status;
}

static void close_v73(cob_mat *mat)
{
    if (mat->state)
        cob_h5_close(mat->state);
    cob_free(mat->state);
    mat->state = NULL;
}

static cobloc_status open_v73(cob_mat *mat, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_h5 *h5 = NULL;
    cob_h5_object object;
    cob_h5_links links = {0};
    COB_NEW_ZERO(h5, 1);
    mat->state = h5;
    COB_TRY(cob_h5_open(h5, &mat->file, err));
    COB_TRY(cob_h5_read_object(h5, h5->root, &object, err));
    COB_CHECK(object.is_group, COBLOC_BAD_DATA, "the HDF5 root is not a group");
    COB_TRY(cob_h5_list(h5, &object, &links, err));
    for (int64_t i = 0; i < links.names.count; i++) {
        const char *name = cob_names_get(&links.names, i);
        cob_mat_variable v = {.place = links.addresses[i]};
        if (name[0] == '#' || strlen(name) >= sizeof v.name) /* MATLAB's internal data */
            continue;
        memcpy(v.name, name, strlen(name) + 1);
        COB_TRY(cob_h5_read_object(h5, v.place, &object, err));
        COB_TRY(describe(h5, &object, &v, err));
        cob_mat_variable *added = cob_mat_add(mat);
        COB_CHECK(added, COBLOC_NO_MEMORY, "out of memory");
        *added = v;
    }
done:
    cob_h5_links_free(&links);
    return status;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Arrays are stored column by column. */
typedef struct columns {
    cob_mat_sink sink;
    void *context;
} columns;

static cobloc_status take_entry(void *context, int64_t col, int64_t row, double value,
                                cobloc_error *err)
{
    const columns *to = context;
    return to->sink(to->context, row, col, value, err);
}

static cobloc_status read_sparse(cob_h5 *h5, const cob_h5_object *group, int64_t cols, columns *to,
                                 cobloc_error *err)
{
    cob_h5_sparse sparse = {.names = {"jc", "ir", "data"}, .lines = cols};
    cobloc_status status = cob_h5_find(h5, group, sparse.names, sparse.parts, 3, err);
    return status ? status : cob_h5_read_sparse(h5, &sparse, take_entry, to, err);
}

static cobloc_status numbers_v73(cob_mat *mat, const cob_mat_variable *v, cob_mat_sink sink,
                                 void *context, cobloc_error *err)
{
    cob_h5_object object;
    cobloc_status status = cob_h5_read_object(mat->state, v->place, &object, err);
    if (status != COBLOC_OK)
        return status;
    columns to = {sink, context};
    if (v->kind == COB_MAT_SPARSE)
        return read_sparse(mat->state, &object, v->cols, &to, err);
    return v->rows > 0 && v->cols > 0
               ? cob_h5_read_full(mat->state, &object, v->rows, take_entry, &to, err)
               : COBLOC_OK;
}

/* ---- strings --------------------------------------------------------------------------------- */

typedef struct units {
    cob_number_type type;
    uint32_t *into;
} units;

static cobloc_status take_units(void *context, int64_t first, int64_t count,
                                const unsigned char *bytes, cobloc_error *err)
{
    const units *u = context;
    (void)err;
    for (int64_t k = 0; k < count; k++, bytes += u->type.width)
        u->into[first + k] = (uint32_t)cob_load(bytes, u->type.width, u->type.big);
    return COBLOC_OK;
}

/* Reads the units of a char array. */
static cobloc_status read_units(cob_h5 *h5, const cob_h5_object *object, const cob_mat_variable *v,
                                cob_mat_chars *chars, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    chars->rows = v->rows;
    chars->cols = v->cols;
    chars->count = 0;
    if (v->rows == 0 || v->cols == 0)
        return COBLOC_OK;
    COB_CHECK(object->type.class == COB_H5_INTEGER && object->type.size <= 4, COBLOC_BAD_DATA,
              "characters are stored in an unexpected type, expected 16-bit integers");
    int64_t count = v->rows * v->cols; /* cannot overflow: it is the size of the dataset */
    COB_TRY(cob_h5_check_size(h5, count, err));
    if (!cob_grow(&chars->units, &chars->capacity, (size_t)count, sizeof *chars->units))
        COB_CHECK(false, COBLOC_NO_MEMORY, "out of memory");
    COB_KNOWN(chars->units); /* it has grown */
    memset(chars->units, 0, (size_t)count * sizeof *chars->units);
    chars->width = object->type.number.width;
    chars->count = (size_t)count;
    units u = {object->type.number, chars->units};
    COB_TRY(cob_h5_read_data(h5, object, take_units, &u, err));
done:
    return status;
}

static cobloc_status add_number(void *context, int64_t row, int64_t col, double value,
                                cobloc_error *err)
{
    (void)row;
    (void)col;
    return cob_names_add_number(value, context, err);
}

/* Adds the content of a cell. */
static cobloc_status read_cell(cob_mat *mat, int64_t address, cob_mat_chars *chars,
                               cob_names *names, int *usable, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_h5_object object;
    cob_mat_variable v = {.place = address};
    COB_TRY(cob_h5_read_object(mat->state, address, &object, err));
    describe_array(&object, &v);
    bool empty = v.rows == 0 || v.cols == 0;
    if (v.kind == COB_MAT_CHAR && (v.rows == 1 || empty)) {
        COB_TRY(read_units(mat->state, &object, &v, chars, err));
        COB_TRY(cob_mat_chars_add(chars, false, names, usable, err));
    } else if (v.kind == COB_MAT_FULL && empty) {
        COB_TRY(cob_names_add(names, "", 0, err));
    } else if (v.kind == COB_MAT_FULL && v.rows == 1 && v.cols == 1 && !v.complex) {
        int64_t before = names->count;
        COB_TRY(numbers_v73(mat, &v, add_number, names, err));
        *usable = names->count == before + 1;
    } else {
        *usable = 0;
    }
done:
    return status;
}

static cobloc_status read_cells(cob_mat *mat, const cob_h5_object *object,
                                const cob_mat_variable *v, cob_mat_chars *chars, cob_names *names,
                                int *usable, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t *cells = NULL, count = v->rows * v->cols;
    *usable = object->type.class == COB_H5_REFERENCE;
    if (!*usable)
        return COBLOC_OK;
    COB_TRY(cob_h5_check_size(mat->state, count < INT64_MAX / 8 ? count * 8 : count, err));
    COB_NEW_ZERO(cells, count);
    COB_TRY(cob_h5_read_integers(mat->state, object, false, cells, err));
    for (int64_t c = 0; *usable && c < count; c++)
        COB_TRY(read_cell(mat, cells[c], chars, names, usable, err));
done:
    cob_free(cells);
    return status;
}

static cobloc_status strings_v73(cob_mat *mat, const cob_mat_variable *v, cob_names *names,
                                 int *usable, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mat_chars chars = {0};
    cob_h5_object object;
    COB_TRY(cob_h5_read_object(mat->state, v->place, &object, err));
    if (v->kind == COB_MAT_CELL) {
        COB_TRY(read_cells(mat, &object, v, &chars, names, usable, err));
    } else {
        COB_TRY(read_units(mat->state, &object, v, &chars, err));
        COB_TRY(cob_mat_chars_add(&chars, true, names, usable, err));
    }
done:
    cob_mat_chars_free(&chars);
    return status;
}

const cob_mat_reader cob_mat_v73 = {open_v73, close_v73, numbers_v73, strings_v73};
