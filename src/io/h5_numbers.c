/* Matrices and lists of integers in HDF5 files.
 * SPDX-License-Identifier: MIT
 */
#include "io/h5.h"

#include "base/alloc.h"

/* ---- full matrices --------------------------------------------------------------------------- */

typedef struct full_array {
    cob_number_type type;
    int64_t width;
    cob_h5_entry_fn take;
    void *context;
} full_array;

static cobloc_status take_full(void *context, int64_t first, int64_t count,
                               const unsigned char *bytes, cobloc_error *err)
{
    const full_array *array = context;
    int64_t place = first % array->width, line = first / array->width;
    for (int64_t k = 0; k < count; k++, bytes += array->type.width) {
        double value = cob_number(array->type, bytes);
        cobloc_status status = cob_number_check(array->type, value, err);
        if (status == COBLOC_OK)
            status = array->take(array->context, line, place, value, err);
        if (status != COBLOC_OK)
            return status;
        if (++place == array->width) {
            place = 0;
            line++;
        }
    }
    return COBLOC_OK;
}

static bool is_number(const cob_h5_object *object)
{
    return object->has_space &&
           (object->type.class == COB_H5_INTEGER || object->type.class == COB_H5_REAL);
}

static cobloc_status check_numbers(const cob_h5_object *object, cobloc_error *err)
{
    if (object->strange || is_number(object)) /* if strange, cob_h5_read_data says why */
        return COBLOC_OK;
    return cob_fail(err, COBLOC_BAD_DATA, "it is not an array of numbers");
}

cobloc_status cob_h5_read_full(cob_h5 *h5, const cob_h5_object *object, int64_t width,
                               cob_h5_entry_fn take, void *context, cobloc_error *err)
{
    full_array array = {object->type.number, width, take, context};
    cobloc_status status = check_numbers(object, err);
    return status ? status : cob_h5_read_data(h5, object, take_full, &array, err);
}

/* ---- integers -------------------------------------------------------------------------------- */

/* Integers to be read into one of two arrays. */
typedef struct integers {
    cob_number_type type;
    bool unknown; /* below 0: -1 */
    int64_t *wide;
    int32_t *narrow;
} integers;

static cobloc_status take_integers(void *context, int64_t first, int64_t count,
                                   const unsigned char *bytes, cobloc_error *err)
{
    const integers *into = context;
    double most = into->wide ? 0x1p53 : (double)INT32_MAX;
    for (int64_t k = 0; k < count; k++, bytes += into->type.width) {
        double value = cob_number(into->type, bytes);
        if (into->unknown && value < 0)
            value = -1;
        else if (!(value >= 0 && value <= most))
            return cob_fail(err, COBLOC_BAD_DATA, "the index %g is out of range", value);
        if (into->wide)
            into->wide[first + k] = (int64_t)value;
        else
            into->narrow[first + k] = (int32_t)value;
    }
    return COBLOC_OK;
}

cobloc_status cob_h5_read_integers(cob_h5 *h5, const cob_h5_object *object, bool unknown,
                                   int64_t *into, cobloc_error *err)
{
    integers to = {.type = object->type.number, .unknown = unknown, .wide = into};
    cobloc_status status =
        object->type.class == COB_H5_REFERENCE ? COBLOC_OK : check_numbers(object, err);
    return status ? status : cob_h5_read_data(h5, object, take_integers, &to, err);
}

/* ---- sparse matrices ------------------------------------------------------------------------- */

typedef struct sparse_array {
    cob_number_type type;
    int64_t lines;
    int64_t *starts; /* of the lines, followed by the number of entries */
    int32_t *places; /* of the entries */
    cob_h5_entry_fn take;
    void *context;
} sparse_array;

/* The line of an entry: the last one that starts at or before it. */
static int64_t line_of(const sparse_array *a, int64_t entry)
{
    int64_t low = 0, high = a->lines - 1;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (a->starts[middle] <= entry)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static cobloc_status take_values(void *context, int64_t first, int64_t count,
                                 const unsigned char *bytes, cobloc_error *err)
{
    const sparse_array *a = context;
    int64_t entries = a->starts[a->lines];
    int64_t line = first < entries ? line_of(a, first) : 0;
    for (int64_t e = first; e < first + count && e < entries; e++, bytes += a->type.width) {
        while (a->starts[line + 1] <= e)
            line++;
        double value = cob_number(a->type, bytes);
        cobloc_status status = cob_number_check(a->type, value, err);
        if (status == COBLOC_OK)
            status = a->take(a->context, line, a->places[e], value, err);
        if (status != COBLOC_OK)
            return status;
    }
    return COBLOC_OK;
}

static cobloc_status read_starts(cob_h5 *h5, const cob_h5_object *part, sparse_array *a,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t count = part->has_space ? cob_h5_count(part) : -1;
    COB_CHECK(count == a->lines + 1, COBLOC_BAD_DATA,
              "%lld lines are said to start, expected %lld and the end of the last",
              (long long)count, (long long)a->lines);
    COB_TRY(cob_h5_check_size(h5, count < INT64_MAX / 8 ? count * 8 : count, err));
    COB_NEW_ZERO(a->starts, count);
    COB_TRY(cob_h5_read_integers(h5, part, false, a->starts, err));
    COB_CHECK(a->starts[0] == 0, COBLOC_BAD_DATA, "the first line starts at entry %lld, expected 0",
              (long long)a->starts[0]);
    for (int64_t c = 0; c < a->lines; c++)
        COB_CHECK(a->starts[c + 1] >= a->starts[c], COBLOC_BAD_DATA,
                  "line %lld ends before it starts", (long long)(c + 1));
done:
    return status;
}

cobloc_status cob_h5_read_sparse(cob_h5 *h5, const cob_h5_sparse *sparse, cob_h5_entry_fn take,
                                 void *context, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_h5_object *parts = sparse->parts;
    sparse_array a = {.lines = sparse->lines, .take = take, .context = context};
    COB_TRY(read_starts(h5, &parts[0], &a, err));
    int64_t entries = a.starts[a.lines];
    if (entries == 0)
        goto done;
    for (int p = 1; p < 3; p++) {
        int64_t count = parts[p].has_space ? cob_h5_count(&parts[p]) : 0;
        COB_CHECK(count >= entries, COBLOC_BAD_DATA, "%s holds %lld numbers, expected %lld",
                  sparse->names[p], (long long)count, (long long)entries);
    }
    COB_CHECK(parts[2].type.class != COB_H5_COMPOUND, COBLOC_UNSUPPORTED,
              "it is complex, expected a matrix of real numbers");
    int64_t room = cob_h5_count(&parts[1]);
    COB_TRY(cob_h5_check_size(h5, room < INT64_MAX / 4 ? room * 4 : room, err));
    COB_NEW_ZERO(a.places, room);
    integers into = {.type = parts[1].type.number, .narrow = a.places};
    COB_TRY(check_numbers(&parts[1], err));
    COB_TRY(cob_h5_read_data(h5, &parts[1], take_integers, &into, err));
    a.type = parts[2].type.number;
    COB_TRY(check_numbers(&parts[2], err));
    COB_TRY(cob_h5_read_data(h5, &parts[2], take_values, &a, err));
done:
    cob_free(a.starts);
    cob_free(a.places);
    return status;
}
