/* SciPy's sparse matrices (scipy.sparse.save_npz): a zip archive of NumPy arrays.
 *
 * format.npy is csr, csc or coo, shape.npy the size; data.npy holds the values; indices.npy with
 * indptr.npy, or row.npy with col.npy, their positions. The arrays are read side by side in pieces,
 * so that none is ever in memory as a whole. A single dense table, in an .npz or as a bare .npy, is
 * read as well. Matrices are written as csr with compressed members.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "io/formats.h"
#include "io/npz_archive.h"

#include <string.h>

/* A NumPy array, or a zip archive whose first member has the name of one. */
static int recognise(const cob_head *head)
{
    if (head->size >= 10 && memcmp(head->text, COB_NPY_MAGIC, 6) == 0)
        return 1;
    if (head->size < 34 || memcmp(head->text, "PK\x03\x04", 4) != 0)
        return 0;
    size_t length = (unsigned char)head->text[26] | (size_t)(unsigned char)head->text[27] << 8;
    return length >= 4 && 30 + length <= head->size &&
           memcmp(head->text + 30 + length - 4, ".npy", 4) == 0;
}

static cobloc_status check_dims(const cob_npz_member *m, int dims, cobloc_error *err)
{
    if (m->array.dims == dims)
        return COBLOC_OK;
    cobloc_status status =
        cob_fail(err, COBLOC_BAD_DATA, "has %d dimensions, expected %d", m->array.dims, dims);
    return cob_npz_fail_at(m, status, err);
}

/* ---- the matrix, piece by piece -------------------------------------------------------------- */

/* Entries come in lines. "major" is the row for csr and dense tables, the column for csc and dense
 * tables in Fortran order; coo is unordered, and its major is the row. */
typedef enum layout { COMPRESSED, COORDINATES, DENSE } layout;

typedef struct npz_parse {
    const cob_reading *reading;
    cob_npz npz;
    layout layout;
    bool by_column; /* major is the column */
    int64_t rows, cols;
    int64_t entries; /* in the arrays, including zeros */
    int64_t done;
    cob_npz_member major, minor, data; /* major: indptr.npy or row.npy */
    cob_builder builder;

    /* The position in indptr.npy. */
    int64_t line;     /* the current major line; -1 at the start */
    int64_t line_end; /* its last entry + 1 */
    int64_t *bounds;  /* a piece of indptr.npy */
    size_t bound, bound_count;

    /* One piece of the entries. */
    int64_t *majors, *minors;
    double *values;
} npz_parse;

static int64_t major_lines(const npz_parse *p)
{
    return p->by_column ? p->cols : p->rows;
}

static cobloc_status next_bound(npz_parse *p, int64_t *value, cobloc_error *err)
{
    if (p->bound == p->bound_count) {
        const cob_npy *array = &p->major.array;
        int64_t left = array->count - array->taken;
        p->bound_count = left < COB_NPY_PIECE ? (size_t)left : COB_NPY_PIECE;
        p->bound = 0;
        cobloc_status status = cob_npy_integers(&p->major.array, p->bounds, p->bound_count, err);
        if (status != COBLOC_OK)
            return cob_npz_fail_at(&p->major, status, err);
    }
    *value = p->bounds[p->bound++];
    return COBLOC_OK;
}

static cobloc_status next_line(npz_parse *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t end = 0;
    COB_CHECK(p->line + 1 < major_lines(p), COBLOC_BAD_DATA,
              "%s: indptr.npy ends with %lld, expected the %lld values of data.npy",
              p->reading->path, (long long)p->line_end, (long long)p->entries);
    COB_TRY(next_bound(p, &end, err));
    COB_CHECK(end >= p->line_end && end <= p->entries, COBLOC_BAD_DATA,
              "%s: indptr.npy: value [%lld] is %lld, expected %lld to %lld", p->reading->path,
              (long long)(p->line + 2), (long long)end, (long long)p->line_end,
              (long long)p->entries);
    p->line_end = end;
    p->line++;
done:
    return status;
}

static cobloc_status fill_from_bounds(npz_parse *p, size_t count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (size_t i = 0; i < count; i++) {
        while (p->done + (int64_t)i >= p->line_end)
            COB_TRY(next_line(p, err));
        p->majors[i] = p->line;
    }
done:
    return status;
}

static void fill_dense(npz_parse *p, size_t count)
{
    int64_t width = p->by_column ? p->rows : p->cols;
    for (size_t i = 0; i < count; i++) {
        p->majors[i] = (p->done + (int64_t)i) / width;
        p->minors[i] = (p->done + (int64_t)i) % width;
    }
}

static cobloc_status fill_places(npz_parse *p, size_t count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (p->layout == DENSE) {
        fill_dense(p, count);
        return COBLOC_OK;
    }
    if (p->layout == COMPRESSED)
        COB_TRY(fill_from_bounds(p, count, err));
    else
        COB_TRY(cob_npz_fail_at(&p->major, cob_npy_integers(&p->major.array, p->majors, count, err),
                                err));
    COB_TRY(
        cob_npz_fail_at(&p->minor, cob_npy_integers(&p->minor.array, p->minors, count, err), err));
done:
    return status;
}

static cobloc_status fill_values(npz_parse *p, size_t count, cobloc_error *err)
{
    return cob_npz_fail_at(&p->data, cob_npy_values(&p->data.array, p->values, count, err), err);
}

static cobloc_status add_piece(npz_parse *p, size_t count, cobloc_error *err)
{
    cob_lane *lane = &p->builder.lanes[0];
    const int64_t *rows = p->by_column ? p->minors : p->majors;
    const int64_t *cols = p->by_column ? p->majors : p->minors;
    for (size_t i = 0; i < count; i++) {
        cobloc_status status = cob_lane_add(lane, rows[i], cols[i], p->values[i], err);
        if (status != COBLOC_OK)
            return cob_fail_at(err, status, "%s: entry %lld: ", p->reading->path,
                               (long long)(p->done + (int64_t)i + 1));
    }
    return COBLOC_OK;
}

static cobloc_status read_pieces(npz_parse *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(p->majors, COB_NPY_PIECE);
    COB_NEW(p->minors, COB_NPY_PIECE);
    COB_NEW(p->values, COB_NPY_PIECE);
    while (p->done < p->entries) {
        int64_t left = p->entries - p->done;
        size_t count = left < COB_NPY_PIECE ? (size_t)left : COB_NPY_PIECE;
        COB_TRY(fill_places(p, count, err));
        COB_TRY(fill_values(p, count, err));
        COB_TRY(add_piece(p, count, err));
        p->done += (int64_t)count;
        COB_TRY(cob_report_reading(&p->reading->options->progress,
                                   (double)p->done / (double)p->entries, err));
    }
done:
    return status;
}

/* All arrays must end with the entries; libzip verifies its checksums there. */
static cobloc_status check_ends(npz_parse *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    while (p->layout == COMPRESSED && p->line + 1 < major_lines(p))
        COB_TRY(next_line(p, err));
    cob_npz_member *const members[] = {&p->major, &p->minor, &p->data};
    for (int m = 0; m < 3; m++)
        if (members[m]->array.piece)
            COB_TRY(cob_npz_fail_at(members[m], cob_npy_end(&members[m]->array, err), err));
done:
    return status;
}

static cobloc_status read_matrix(npz_parse *p, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int threads = cob_threads(p->reading->options->threads);
    COB_TRY(cob_builder_init(&p->builder, p->rows, p->cols, 0, threads,
                             p->reading->options->missing, err));
    COB_TRY(read_pieces(p, err));
    COB_TRY(check_ends(p, err));
    COB_TRY(cob_builder_finish(&p->builder, p->rows, p->cols, out, err));
done:
    return status;
}

/* ---- what the archive holds ------------------------------------------------------------------ */

static cobloc_status read_shape(npz_parse *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_npz_member shape = {0};
    int64_t sizes[2] = {0};
    COB_TRY(cob_npz_member_open(&shape, &p->npz, "shape.npy", err));
    COB_TRY(check_dims(&shape, 1, err));
    COB_CHECK(shape.array.count == 2, COBLOC_UNSUPPORTED,
              "%s: shape.npy: the matrix has %lld dimensions, expected 2", p->reading->path,
              (long long)shape.array.count);
    COB_TRY(cob_npz_fail_at(&shape, cob_npy_integers(&shape.array, sizes, 2, err), err));
    COB_TRY(cob_npz_fail_at(&shape, cob_npy_end(&shape.array, err), err));
    p->rows = sizes[0];
    p->cols = sizes[1];
    COB_TRY(cob_npz_fail_at(&shape, cob_check_shape(p->rows, p->cols, err), err));
done:
    cob_npz_member_close(&shape);
    return status;
}

static cobloc_status read_layout(npz_parse *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_npz_member format = {0};
    char name[24];
    COB_TRY(cob_npz_member_open(&format, &p->npz, "format.npy", err));
    COB_TRY(cob_npz_fail_at(&format, cob_npy_text(&format.array, name, sizeof name, err), err));
    COB_TRY(cob_npz_fail_at(&format, cob_npy_end(&format.array, err), err));
    p->by_column = strcmp(name, "csc") == 0;
    p->layout = strcmp(name, "coo") == 0 ? COORDINATES : COMPRESSED;
    COB_CHECK(p->layout == COORDINATES || p->by_column || strcmp(name, "csr") == 0,
              COBLOC_UNSUPPORTED,
              "%s: the sparse matrix is stored as '%s', expected csr, csc or coo (use its tocsr())",
              p->reading->path, name);
done:
    cob_npz_member_close(&format);
    return status;
}

static cobloc_status check_length(const cob_npz_member *m, int64_t expected, cobloc_error *err)
{
    cobloc_status status = check_dims(m, 1, err);
    if (status != COBLOC_OK || m->array.count == expected)
        return status;
    status = cob_fail(err, COBLOC_BAD_DATA, "holds %lld values, expected %lld",
                      (long long)m->array.count, (long long)expected);
    return cob_npz_fail_at(m, status, err);
}

static cobloc_status read_sparse(npz_parse *p, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t first = 0;
    COB_TRY(read_layout(p, err));
    COB_TRY(read_shape(p, err));
    bool compressed = p->layout == COMPRESSED;
    COB_TRY(cob_npz_member_open(&p->data, &p->npz, "data.npy", err));
    p->entries = p->data.array.count;
    COB_TRY(check_dims(&p->data, 1, err));
    COB_TRY(cob_npz_member_open(&p->minor, &p->npz, compressed ? "indices.npy" : "col.npy", err));
    COB_TRY(check_length(&p->minor, p->entries, err));
    COB_TRY(cob_npz_member_open(&p->major, &p->npz, compressed ? "indptr.npy" : "row.npy", err));
    COB_TRY(check_length(&p->major, compressed ? major_lines(p) + 1 : p->entries, err));
    if (compressed) {
        COB_NEW(p->bounds, COB_NPY_PIECE);
        COB_TRY(next_bound(p, &first, err));
        COB_CHECK(first == 0, COBLOC_BAD_DATA, "%s: indptr.npy: begins with %lld, expected 0",
                  p->reading->path, (long long)first);
    }
    COB_TRY(read_matrix(p, out, err));
done:
    return status;
}

static cobloc_status read_dense(npz_parse *p, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_npy *array = &p->data.array;
    COB_TRY(cob_npz_member_open(&p->data, &p->npz, NULL, err));
    COB_TRY(check_dims(&p->data, 2, err));
    p->layout = DENSE;
    p->by_column = array->fortran;
    p->rows = array->shape[0];
    p->cols = array->shape[1];
    p->entries = array->count;
    COB_TRY(read_matrix(p, out, err));
done:
    return status;
}

static cobloc_status read(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    npz_parse parse = {.reading = reading, .line = -1};
    COB_TRY(cob_npz_open(&parse.npz, reading->source, err));
    COB_TRY(cob_npz_has(&parse.npz, "format.npy") ? read_sparse(&parse, out, err)
                                                  : read_dense(&parse, out, err));
done:
    cob_npz_member_close(&parse.major);
    cob_npz_member_close(&parse.minor);
    cob_npz_member_close(&parse.data);
    cob_npz_close(&parse.npz);
    cob_builder_free(&parse.builder);
    cob_free(parse.bounds);
    cob_free(parse.majors);
    cob_free(parse.minors);
    cob_free(parse.values);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static cobloc_status write(const cobloc_matrix *matrix, cob_file *file, const char *path,
                           cobloc_error *err)
{
    static const char kinds[] = "uuuuff";
    const cob_side *side = &matrix->by_row;
    char csr[] = "csr";
    int64_t shape[] = {matrix->rows, matrix->cols};
    size_t width = matrix->kind == COBLOC_ONES ? 1 : cob_kind_width(matrix->kind);
    const cob_npz_array arrays[] = {
        {"indices.npy", 'i', 4, 1, matrix->nnz, side->indices},
        {"indptr.npy", 'i', 8, 1, matrix->rows + 1, side->offsets},
        {"format.npy", 'S', 3, 0, 1, csr},
        {"shape.npy", 'i', 8, 1, 2, shape},
        {"data.npy", kinds[matrix->kind], width, 1, matrix->nnz, side->values},
    };
    if (!cob_file_temporary_path(file))
        return cob_fail(err, COBLOC_UNSUPPORTED, "%s: SciPy .npz is written to plain files only",
                        path);
    cobloc_status status = cob_npz_write(cob_file_temporary_path(file), arrays, 5, err);
    return status == COBLOC_OK ? status : cob_fail_at(err, status, "%s: cannot be written: ", path);
}

const cob_format cob_format_npz = {
    .name = "npz",
    .title = "SciPy .npz",
    .extension = ".npz",
    .carries = COB_NAN,
    .gzip = 0,
    .recognise = recognise,
    .read = read,
    .write = write,
};
