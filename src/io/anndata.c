/* AnnData files (.h5ad), which Python's anndata and scanpy write, and the .h5 files of 10x
 * Genomics: matrices of cells by genes in HDF5.
 *
 * An AnnData file holds a matrix X, and perhaps others in layers/ and raw/. A matrix is a dataset,
 * or a group of data, indices and indptr with its shape as an attribute. obs and var are tables
 * about the rows and the columns: groups of a dataset per column, of which the attribute _index
 * names the one with the names. A column of categories is a group of codes and categories.
 *
 * In a file of 10x Genomics the group matrix holds data, indices, indptr and shape, of genes by
 * cells, with the names in barcodes and features.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/guess.h"
#include "io/formats.h"
#include "io/h5.h"
#include "io/options.h"

#include <stdio.h>

typedef struct anndata {
    const cobloc_io_options *options;
    cob_binary file;
    cob_h5 h5;
    cob_h5_object root;
    const char *place; /* of the matrix, such as layers/counts */
    cob_h5_sparse sparse;
    cob_h5_object full;
    bool is_sparse, by_column;
    int64_t rows, cols;
    cob_builder builder;
} anndata;

static int recognise(const cob_head *head)
{
    return head->size >= 8 && memcmp(head->text, "\x89HDF\r\n\x1a\n", 8) == 0;
}

/* ---- objects by their path ------------------------------------------------------------------- */

/* "; did you mean 'A'?" or, if no member of a group is near, "; it holds A, B, ...". */
static cobloc_status tell_members(anndata *a, const cob_h5_object *group, const char *name,
                                  char *text, size_t room, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_h5_links links = {0};
    char near[COB_GUESS_ROOM];
    cob_guess guess = cob_guess_begin(name, strlen(name));
    text[0] = '\0';
    COB_TRY(cob_h5_list(&a->h5, group, &links, err));
    for (int64_t i = 0; i < links.names.count; i++)
        cob_guess_try(&guess, cob_names_get(&links.names, i));
    snprintf(text, room, "%s", guess.best ? cob_guess_text(&guess, near) : "; it holds ");
    for (int64_t i = 0; !guess.best && i < links.names.count; i++) {
        const char *one = cob_names_get(&links.names, i);
        size_t used = strlen(text);
        bool fits = used + strlen(one) + sizeof ", ..." < room;
        snprintf(text + used, room - used, "%s%s", i ? ", " : "", fits ? one : "...");
        if (!fits)
            break;
    }
    if (links.names.count == 0)
        snprintf(text, room, "; it is empty");
done:
    cob_h5_links_free(&links);
    return status;
}

/* The object at a path such as raw/X. It is not there: an error if `must`. */
static cobloc_status find(anndata *a, const char *path, bool must, cob_h5_object *object,
                          cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char name[256], members[200];
    *object = a->root;
    for (const char *at = path; *at; at += *at == '/') {
        cob_h5_object group = *object;
        const char *names[] = {name};
        size_t length = strcspn(at, "/");
        snprintf(name, sizeof name, "%.*s", (int)(length < 255 ? length : 255), at);
        *object = (cob_h5_object){0};
        if (group.is_group)
            COB_TRY(cob_h5_find(&a->h5, &group, names, object, 1, err));
        if (!cob_h5_is_there(object)) {
            if (!must)
                break;
            members[0] = '\0';
            if (group.is_group)
                COB_TRY(tell_members(a, &group, name, members, sizeof members, err));
            COB_CHECK(false, COBLOC_BAD_ARGUMENT, "there is no '%.*s'%s", (int)(at + length - path),
                      path, members);
        }
        at += length;
    }
done:
    return status;
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static cobloc_status add_entry(void *context, int64_t line, int64_t place, double value,
                               cobloc_error *err)
{
    anndata *a = context;
    return a->by_column ? cob_lane_add(&a->builder.lanes[0], place, line, value, err)
                        : cob_lane_add(&a->builder.lanes[0], line, place, value, err);
}

/* The shape of a sparse matrix: an attribute, in older files of another name. */
static cobloc_status read_shape(anndata *a, const cob_h5_object *group, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_h5_attribute *shape = cob_h5_find_attribute(group, "shape");
    shape = shape ? shape : cob_h5_find_attribute(group, "h5sparse_shape");
    COB_CHECK(shape && shape->type.class == COB_H5_INTEGER && shape->type.size <= 8 &&
                  shape->size == 2 * shape->type.size,
              COBLOC_BAD_DATA, "the sparse matrix has no shape");
    double rows = cob_number(shape->type.number, shape->bytes),
           cols = cob_number(shape->type.number, shape->bytes + shape->type.size);
    COB_CHECK(rows >= 0 && rows < 0x1p53 && cols >= 0 && cols < 0x1p53, COBLOC_BAD_DATA,
              "the shape %g by %g is impossible", rows, cols);
    a->rows = (int64_t)rows;
    a->cols = (int64_t)cols;
done:
    return status;
}

static cobloc_status open_sparse(anndata *a, const cob_h5_object *group, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char kind[32];
    const cob_h5_attribute *type = cob_h5_find_attribute(group, "encoding-type");
    type = type ? type : cob_h5_find_attribute(group, "h5sparse_format");
    COB_TRY(cob_h5_attribute_text(&a->h5, type, kind, sizeof kind, err));
    a->by_column = strncmp(kind, "csc", 3) == 0;
    COB_CHECK(a->by_column || strncmp(kind, "csr", 3) == 0, COBLOC_UNSUPPORTED,
              "it is %s%s, expected a matrix: an array, csr_matrix or csc_matrix",
              *kind ? "of the kind " : "a group without a kind", kind);
    COB_TRY(read_shape(a, group, err));
    a->is_sparse = true;
    a->sparse = (cob_h5_sparse){.names = {"indptr", "indices", "data"},
                                .lines = a->by_column ? a->cols : a->rows};
    COB_TRY(cob_h5_find(&a->h5, group, a->sparse.names, a->sparse.parts, 3, err));
done:
    return status;
}

static cobloc_status open_matrix(anndata *a, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_h5_object object;
    status = find(a, a->place, true, &object, err);
    if (status != COBLOC_OK && !a->options->variable)
        cob_fail_at(err, status, "this HDF5 file is neither AnnData nor of 10x Genomics: ");
    COB_TRY(status);
    if (object.is_group) {
        COB_TRY(open_sparse(a, &object, err));
    } else {
        COB_CHECK(object.rank == 2, COBLOC_UNSUPPORTED, "it has %d dimension%s, expected 2",
                  object.rank, object.rank == 1 ? "" : "s");
        a->full = object;
        a->rows = object.dims[0];
        a->cols = object.dims[1];
    }
done:
    return status;
}

static cobloc_status read_matrix(anndata *a, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_check_shape(a->rows, a->cols, err));
    COB_TRY(cob_builder_init(&a->builder, a->rows, a->cols, 0, 1, a->options->missing, err));
    if (a->is_sparse)
        COB_TRY(cob_h5_read_sparse(&a->h5, &a->sparse, add_entry, a, err));
    else if (a->rows > 0 && a->cols > 0)
        COB_TRY(cob_h5_read_full(&a->h5, &a->full, a->cols, add_entry, a, err));
    COB_TRY(cob_builder_finish(&a->builder, a->rows, a->cols, out, err));
done:
    return status;
}

/* ---- names and labels ------------------------------------------------------------------------ */

static cobloc_status add_number(void *context, int64_t line, int64_t place, double value,
                                cobloc_error *err)
{
    double *values = context;
    (void)place;
    (void)err;
    values[line] = value;
    return COBLOC_OK;
}

/* The strings of a dataset; numbers as text. */
static cobloc_status read_list(anndata *a, const cob_h5_object *object, cob_names *names,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *values = NULL;
    int64_t count = object->has_space ? cob_h5_count(object) : 0;
    if (object->type.class != COB_H5_INTEGER && object->type.class != COB_H5_REAL)
        return cob_h5_read_strings(&a->h5, object, names, err);
    COB_TRY(cob_h5_check_size(&a->h5, count < INT64_MAX / 8 ? count * 8 : -1, err));
    COB_NEW_ZERO(values, count);
    COB_TRY(cob_h5_read_full(&a->h5, object, 1, add_number, values, err));
    for (int64_t i = 0; i < count; i++)
        COB_TRY(cob_names_add_number(values[i], names, err));
done:
    cob_free(values);
    return status;
}

/* A name for each code; "" for those without a category. */
static cobloc_status read_categories(anndata *a, const cob_h5_object *codes,
                                     const cob_h5_object *list, cob_names *names, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names categories = {0};
    int64_t *numbers = NULL, count = codes->has_space ? cob_h5_count(codes) : -1;
    COB_CHECK(count >= 0 && codes->type.class == COB_H5_INTEGER, COBLOC_BAD_DATA,
              "the categories have no codes");
    COB_TRY(read_list(a, list, &categories, err));
    COB_TRY(cob_h5_check_size(&a->h5, count < INT64_MAX / 8 ? count * 8 : -1, err));
    COB_NEW_ZERO(numbers, count);
    COB_TRY(cob_h5_read_integers(&a->h5, codes, true, numbers, err));
    for (int64_t i = 0; i < count; i++) {
        const char *name = numbers[i] < 0 ? "" : cob_names_get(&categories, numbers[i]);
        COB_CHECK(name, COBLOC_BAD_DATA, "there are %lld categories, and no number %lld",
                  (long long)categories.count, (long long)numbers[i]);
        COB_TRY(cob_h5_check_size(&a->h5, (int64_t)strlen(name), err));
        COB_TRY(cob_names_add(names, name, strlen(name), err));
    }
done:
    cob_names_free(&categories);
    cob_free(numbers);
    return status;
}

/* A column of obs or var: categories, or a list. */
static cobloc_status read_column(anndata *a, const char *table, const char *column,
                                 cob_names *names, cobloc_error *err)
{
    static const char *const members[] = {"codes", "categories", "values"};
    cobloc_status status = COBLOC_OK;
    cob_h5_object object, parts[3];
    char path[512];
    snprintf(path, sizeof path, "%s/%s", table, column);
    COB_TRY(find(a, path, true, &object, err));
    if (object.is_group) {
        COB_TRY(cob_h5_find(&a->h5, &object, members, parts, 3, err));
        if (parts[2].has_space) /* strings of which some may be missing */
            status = read_list(a, &parts[2], names, err);
        else
            status = read_categories(a, &parts[0], &parts[1], names, err);
    } else {
        snprintf(path, sizeof path, "%s/__categories/%s", table, column); /* before anndata 0.8 */
        COB_TRY(find(a, path, false, &parts[1], err));
        status = parts[1].has_space ? read_categories(a, &object, &parts[1], names, err)
                                    : read_list(a, &object, names, err);
    }
    if (status != COBLOC_OK)
        cob_fail_at(err, status, "%s/%s: ", table, column);
done:
    return status;
}

/* The names in a table. Of X and its layers they must be as many as rows or columns; of other
 * matrices they are left out otherwise. */
static cobloc_status read_names(anndata *a, const char *table, int64_t expected, cob_names *to,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_h5_object object;
    cob_names names = {0};
    char column[200];
    bool must = strcmp(a->place, "X") == 0 || strncmp(a->place, "layers/", 7) == 0;
    COB_TRY(find(a, table, false, &object, err));
    COB_CHECK(!object.has_space, COBLOC_UNSUPPORTED,
              "%s is stored as before anndata 0.7; read and write the file with a newer anndata",
              table);
    if (!object.is_group)
        goto done;
    COB_TRY(cob_h5_attribute_text(&a->h5, cob_h5_find_attribute(&object, "_index"), column,
                                  sizeof column, err));
    COB_TRY(read_column(a, table, *column ? column : "_index", &names, err));
    COB_CHECK(!must || names.count == expected, COBLOC_BAD_DATA,
              "%s holds %lld names, expected %lld", table, (long long)names.count,
              (long long)expected);
    if (names.count == expected)
        cob_names_move(to, &names);
done:
    cob_names_free(&names);
    return status;
}

/* The column of obs with the known classes: the one that the caller names, or one with a usual name
 * that is a column of categories. */
static cobloc_status read_labels(anndata *a, cobloc_matrix *matrix, cobloc_error *err)
{
    static const char *const usual[] = {"cell_type", "celltype", "CellType", "cell_label",
                                        "label",     "labels",   "class",    "truth"};
    cobloc_status status = COBLOC_OK;
    const char *field = a->options->label_field;
    cob_names names = {0};
    for (size_t u = 0; !field && u < sizeof usual / sizeof *usual; u++) {
        char path[64];
        cob_h5_object object;
        snprintf(path, sizeof path, "obs/%s/codes", usual[u]);
        COB_TRY(find(a, path, false, &object, err));
        field = object.has_space ? usual[u] : NULL;
    }
    if (!field)
        goto done;
    COB_TRY(read_column(a, "obs", field, &names, err));
    COB_CHECK(names.count == matrix->rows, COBLOC_BAD_DATA,
              "obs/%s holds %lld labels, expected %lld", field, (long long)names.count,
              (long long)matrix->rows);
    cob_names_move(&matrix->row_labels, &names);
done:
    cob_names_free(&names);
    return status;
}

/* ---- 10x Genomics ---------------------------------------------------------------------------- */

/* The matrix of such a file; *found: it is one. */
static cobloc_status open_tenx(anndata *a, bool *found, cobloc_error *err)
{
    static const char *const members[] = {"indptr", "indices", "data", "shape", "barcodes"};
    cobloc_status status = COBLOC_OK;
    cob_h5_object group, parts[5];
    int64_t shape[2] = {0};
    *found = false;
    COB_TRY(find(a, "matrix", false, &group, err));
    if (a->options->variable || !group.is_group)
        goto done;
    COB_TRY(cob_h5_find(&a->h5, &group, members, parts, 5, err));
    *found = parts[4].has_space;
    if (!*found)
        goto done;
    COB_CHECK(parts[3].has_space && cob_h5_count(&parts[3]) == 2, COBLOC_BAD_DATA,
              "matrix/shape: expected two numbers");
    COB_TRY(cob_h5_read_integers(&a->h5, &parts[3], false, shape, err));
    a->is_sparse = true;
    a->rows = shape[1];
    a->cols = shape[0];
    a->sparse = (cob_h5_sparse){.names = {members[0], members[1], members[2]},
                                .parts = {parts[0], parts[1], parts[2]},
                                .lines = a->rows};
done:
    return status;
}

static cobloc_status name_tenx(anndata *a, cobloc_matrix *matrix, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_h5_object barcodes, ids, symbols;
    cob_names id = {0}, symbol = {0};
    COB_TRY(find(a, "matrix/barcodes", true, &barcodes, err));
    COB_TRY(find(a, "matrix/features/id", true, &ids, err));
    COB_TRY(find(a, "matrix/features/name", true, &symbols, err));
    COB_TRY(read_list(a, &barcodes, &matrix->row_names, err));
    COB_TRY(read_list(a, &ids, &id, err));
    COB_TRY(read_list(a, &symbols, &symbol, err));
    COB_CHECK(matrix->row_names.count == matrix->rows && id.count == matrix->cols &&
                  symbol.count == matrix->cols,
              COBLOC_BAD_DATA,
              "there are %lld barcodes, %lld ids and %lld names, expected %lld, %lld and %lld",
              (long long)matrix->row_names.count, (long long)id.count, (long long)symbol.count,
              (long long)matrix->rows, (long long)matrix->cols, (long long)matrix->cols);
    COB_TRY(cob_tenx_names(&id, &symbol, &matrix->col_names, err));
done:
    cob_names_free(&id);
    cob_names_free(&symbol);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static cobloc_status read_anndata(anndata *a, cobloc_matrix **matrix, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool raw = strncmp(a->place, "raw/", 4) == 0;
    COB_TRY(open_matrix(a, err));
    COB_TRY(read_matrix(a, matrix, err));
    COB_TRY(read_names(a, "obs", a->rows, &(*matrix)->row_names, err));
    COB_TRY(read_names(a, raw ? "raw/var" : "var", a->cols, &(*matrix)->col_names, err));
    COB_TRY(read_labels(a, *matrix, err));
done:
    return status;
}

static cobloc_status read_hdf5(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_io_options *options = reading->options;
    anndata a = {
        .options = options, .place = options->variable ? options->variable : "X", .file.fd = -1};
    bool tenx = false;
    COB_TRY(cob_binary_open(&a.file, reading->path, &options->progress, err));
    COB_TRY(cob_h5_open(&a.h5, &a.file, err));
    COB_TRY(cob_h5_read_object(&a.h5, a.h5.root, &a.root, err));
    COB_CHECK(a.root.is_group, COBLOC_BAD_DATA, "the HDF5 root is not a group");
    COB_TRY(open_tenx(&a, &tenx, err));
    if (tenx) {
        COB_TRY(read_matrix(&a, out, err));
        COB_TRY(name_tenx(&a, *out, err));
    } else {
        COB_TRY(read_anndata(&a, out, err));
    }
done:
    cob_builder_free(&a.builder);
    cob_h5_close(&a.h5);
    cob_binary_close(&a.file);
    return status;
}

const cob_format cob_format_anndata = {
    .name = "anndata",
    .title = "AnnData .h5ad, 10x Genomics .h5",
    .extension = ".h5ad",
    .carries = COB_ROW_NAMES | COB_COL_NAMES | COB_ROW_LABELS,
    .gzip = 0,
    .label_field = 1,
    .recognise = recognise,
    .read = read_hdf5,
};
