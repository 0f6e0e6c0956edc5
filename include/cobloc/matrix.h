/* cobloc: the sparse matrix: from files, from arrays, what one can ask of it, weights.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_MATRIX_H
#define COBLOC_MATRIX_H

#include "cobloc/values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sparse, non-negative matrix, stored by rows and by columns, whose entries never change. It may
 * carry names of rows and columns and a known class ("label") of each row. */
typedef struct cobloc_matrix cobloc_matrix;

/* How the values are stored: always the smallest kind that holds every value exactly. */
typedef enum cobloc_value_kind {
    COBLOC_ONES = 0, /* every stored value is 1: no array at all */
    COBLOC_U8,       /* counts up to 255 */
    COBLOC_U16,      /* counts up to 65 535 */
    COBLOC_U32,      /* counts up to 4 294 967 295 */
    COBLOC_F32,      /* reals that a float holds exactly */
    COBLOC_F64       /* any other finite, positive real */
} cobloc_value_kind;

COBLOC_API const char *cobloc_value_kind_name(cobloc_value_kind kind);

/* One orientation of a matrix, borrowed: valid as long as the matrix lives. By rows, `major` is the
 * number of rows and indices are columns; by columns, the other way round. Entry e of major line i,
 * offsets[i] <= e < offsets[i + 1], stands at indices[e]; indices grow strictly within a line. */
typedef struct cobloc_view {
    int64_t major;
    int64_t minor;
    int64_t nnz;
    cobloc_value_kind kind;
    const int64_t *offsets; /* major + 1 of them */
    const int32_t *indices; /* nnz of them */
    const void *values;     /* nnz of them, of the kind's C type; NULL for COBLOC_ONES */
} cobloc_view;

/* Options of reading and writing: format, variable, threads, progress. */
typedef struct cobloc_io_options cobloc_io_options;
COBLOC_API cobloc_status cobloc_io_options_new(cobloc_io_options **out, cobloc_error *err);
COBLOC_API void cobloc_io_options_free(cobloc_io_options *options);

/* The formats: 0 <= index < cobloc_format_count(). Each has a name for `format` above, a title for
 * people, and the usual ending of its files. */
COBLOC_API int cobloc_format_count(void);
COBLOC_API const char *cobloc_format_name(int index);
COBLOC_API const char *cobloc_format_title(int index);
COBLOC_API const char *cobloc_format_extension(int index);

/* Reads a matrix from a file of any known format (gzip-compressed text too). Duplicate entries are
 * summed, stored zeros dropped; negative, infinite and undefined values are errors. Names and
 * labels come from the file, else from NAME.rows.txt, NAME.terms.txt, NAME.labels.txt beside it. A
 * .cbm file is mapped, not read: see cobloc_matrix_verify. `options` may be NULL. */
COBLOC_API cobloc_status cobloc_matrix_read(const char *path, const cobloc_io_options *options,
                                            cobloc_matrix **out, cobloc_error *err);

/* Writes a matrix. The file appears under its name only when it is complete. Names and labels that
 * the format cannot hold go to the files beside it that cobloc_matrix_read looks for. */
COBLOC_API cobloc_status cobloc_matrix_write(const cobloc_matrix *matrix, const char *path,
                                             const cobloc_io_options *options, cobloc_error *err);

/* Makes a matrix from `count` triples (row[t], col[t], value[t]), in any order; `value` may be NULL
 * for all ones. The arrays are copied. */
COBLOC_API cobloc_status cobloc_matrix_from_triples(int64_t rows, int64_t cols, int64_t count,
                                                    const int32_t *row, const int32_t *col,
                                                    const double *value, cobloc_matrix **out,
                                                    cobloc_error *err);

/* Makes a matrix from compressed rows (SciPy's csr: offsets = indptr); indices in any order within
 * a row; `values` may be NULL for all ones. The arrays are copied. */
COBLOC_API cobloc_status cobloc_matrix_from_csr(int64_t rows, int64_t cols, const int64_t *offsets,
                                                const int32_t *indices, const double *values,
                                                cobloc_matrix **out, cobloc_error *err);

COBLOC_API void cobloc_matrix_free(cobloc_matrix *matrix);

/* Walks a matrix that was mapped from a .cbm file once, checking its checksums and every index and
 * value, so that a damaged file cannot mislead what follows. Every function of this library that
 * walks the entries does so by itself, once; call it before you walk the views of a mapped matrix
 * on your own. A no-op for any other matrix. */
COBLOC_API cobloc_status cobloc_matrix_verify(const cobloc_matrix *matrix, cobloc_error *err);

COBLOC_API int64_t cobloc_matrix_rows(const cobloc_matrix *matrix);
COBLOC_API int64_t cobloc_matrix_cols(const cobloc_matrix *matrix);
COBLOC_API int64_t cobloc_matrix_nnz(const cobloc_matrix *matrix);
COBLOC_API cobloc_value_kind cobloc_matrix_kind(const cobloc_matrix *matrix);
/* The title of the format that the matrix was read from; NULL for one made in memory. */
COBLOC_API const char *cobloc_matrix_format(const cobloc_matrix *matrix);
/* The file it was read from, from the root folder on, and the variable that was asked for; NULL
 * where there is none. */
COBLOC_API const char *cobloc_matrix_path(const cobloc_matrix *matrix);
COBLOC_API const char *cobloc_matrix_variable(const cobloc_matrix *matrix);
COBLOC_API cobloc_view cobloc_matrix_by_rows(const cobloc_matrix *matrix);
COBLOC_API cobloc_view cobloc_matrix_by_cols(const cobloc_matrix *matrix);

/* The value of entry `entry` of a view, whatever its kind. */
COBLOC_API double cobloc_view_value(const cobloc_view *view, int64_t entry);

/* Sums of the rows, of the columns, and of everything. */
COBLOC_API const double *cobloc_matrix_row_sums(const cobloc_matrix *matrix);
COBLOC_API const double *cobloc_matrix_col_sums(const cobloc_matrix *matrix);
COBLOC_API double cobloc_matrix_total(const cobloc_matrix *matrix);

/* How many rows and columns hold no entry at all. */
COBLOC_API int64_t cobloc_matrix_empty_rows(const cobloc_matrix *matrix);
COBLOC_API int64_t cobloc_matrix_empty_cols(const cobloc_matrix *matrix);

/* Bytes of memory (or of mapped file) that the matrix takes, names included. */
COBLOC_API size_t cobloc_matrix_bytes(const cobloc_matrix *matrix);

/* The name of a row or column and the label of a row, in UTF-8; NULL where the matrix has none. */
COBLOC_API const char *cobloc_matrix_row_name(const cobloc_matrix *matrix, int64_t row);
COBLOC_API const char *cobloc_matrix_col_name(const cobloc_matrix *matrix, int64_t col);
COBLOC_API const char *cobloc_matrix_row_label(const cobloc_matrix *matrix, int64_t row);

/* Give names or labels to a matrix you made: one string for each row or column, copied; NULL takes
 * them away. Not while another thread uses the matrix. */
COBLOC_API cobloc_status cobloc_matrix_set_row_names(cobloc_matrix *matrix,
                                                     const char *const *names, cobloc_error *err);
COBLOC_API cobloc_status cobloc_matrix_set_col_names(cobloc_matrix *matrix,
                                                     const char *const *names, cobloc_error *err);
COBLOC_API cobloc_status cobloc_matrix_set_row_labels(cobloc_matrix *matrix,
                                                      const char *const *labels, cobloc_error *err);

/* A copy without the empty rows and columns. row_map (rows entries) and col_map (cols entries)
 * receive the new number of each old row and column, or -1; either may be NULL. Names and labels
 * come along. */
COBLOC_API cobloc_status cobloc_matrix_drop_empty(const cobloc_matrix *matrix, cobloc_matrix **out,
                                                  int32_t *row_map, int32_t *col_map,
                                                  cobloc_error *err);

/* ---- weights --------------------------------------------------------------------------------- */

typedef enum cobloc_weight {
    COBLOC_WEIGHT_AUTO = 0, /* for a fit: what the model wants, see cobloc_model_weight */
    COBLOC_WEIGHT_NONE,     /* the values as they are */
    COBLOC_WEIGHT_BINARY,   /* 1 where there is an entry */
    COBLOC_WEIGHT_TFIDF,    /* x * (log((1 + n) / (1 + df)) + 1), then rows of unit Euclidean
                               length: the formula of scikit-learn's TfidfTransformer with its
                               defaults */
    COBLOC_WEIGHT_ROWNORM   /* rows of unit Euclidean length */
} cobloc_weight;

/* "auto", "none", "binary", "tfidf" or "rownorm". */
COBLOC_API const char *cobloc_weight_name(cobloc_weight weight);

/* A weighted copy, names and labels included. Empty rows stay empty. */
COBLOC_API cobloc_status cobloc_matrix_weighted(const cobloc_matrix *matrix, cobloc_weight weight,
                                                cobloc_matrix **out, cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
