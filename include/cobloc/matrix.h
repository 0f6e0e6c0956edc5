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

/* A sparse matrix, stored by rows and by columns, whose entries never change. It may carry names of
 * rows and columns, a known class ("label") of each row, a list of cells whose value is missing,
 * and names of categories. Values may be negative; most models refuse such a matrix, and one with
 * missing cells. */
typedef struct cobloc_matrix cobloc_matrix;

/* How the values are stored: always the smallest kind that holds every value exactly. */
typedef enum cobloc_value_kind {
    COBLOC_ONES = 0, /* every stored value is 1: no array at all */
    COBLOC_U8,       /* counts up to 255 */
    COBLOC_U16,      /* counts up to 65 535 */
    COBLOC_U32,      /* counts up to 4 294 967 295 */
    COBLOC_F32,      /* reals that a float holds exactly */
    COBLOC_F64       /* any other finite real; negative ones are always reals */
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

/* What becomes of a cell without a value. In a CSV or TSV table that is an empty cell, ?, NA, NaN,
 * null or a single dot; elsewhere a value that is not a number. */
typedef enum cobloc_missing {
    COBLOC_MISSING_AUTO = 0, /* tables: zero; .cbm: as saved; other formats and arrays: an error */
    COBLOC_MISSING_ZERO,     /* it is 0 */
    COBLOC_MISSING_IGNORE    /* it is kept as missing: see cobloc_matrix_missing */
} cobloc_missing;

/* What the cells of a file are. */
typedef enum cobloc_values {
    COBLOC_VALUES_AUTO = 0, /* numbers */
    COBLOC_VALUES_NUMBERS,
    COBLOC_VALUES_CATEGORIES /* words of a CSV or TSV table, each a category; the most frequent is
                                0. Whole numbers, of any format, are codes as they stand */
} cobloc_values;

/* "auto", "zero" or "ignore"; "auto", "numbers" or "categories". */
COBLOC_API const char *cobloc_missing_name(cobloc_missing missing);
COBLOC_API const char *cobloc_values_name(cobloc_values values);

/* Options of reading and writing: format, variable, missing, values, threads, progress. */
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
 * summed, zeros dropped; infinite values are errors, and so are undefined ones, unless `missing`
 * says otherwise. Names and labels come from the file, else from NAME.rows.txt, NAME.terms.txt,
 * NAME.labels.txt beside it. A .cbm file of more than 16 MiB is mapped, not read: see
 * cobloc_matrix_verify. While the matrix lives, nobody may write into such a file or cut it short:
 * replace it by renaming a new file over it, as cobloc_matrix_write does, or set `no_map`. Fits
 * notice a change between their passes and fail with COBLOC_IO, but reading a part of a file that
 * is gone raises SIGBUS in your process. `options` may be NULL. */
COBLOC_API cobloc_status cobloc_matrix_read(const char *path, const cobloc_io_options *options,
                                            cobloc_matrix **out, cobloc_error *err);

/* Writes a matrix. The file appears under its name only when it is complete. Names and labels that
 * the format cannot hold go to the files beside it that cobloc_matrix_read looks for. */
COBLOC_API cobloc_status cobloc_matrix_write(const cobloc_matrix *matrix, const char *path,
                                             const cobloc_io_options *options, cobloc_error *err);

/* Makes a matrix from `count` triples (row[t], col[t], value[t]), in any order; `value` may be NULL
 * for all ones; NaN is a missing cell. Where `rows` or `cols` is negative, there are as many as the
 * largest index needs. The arrays are copied. */
COBLOC_API cobloc_status cobloc_matrix_from_triples(int64_t rows, int64_t cols, int64_t count,
                                                    const int32_t *row, const int32_t *col,
                                                    const double *value, cobloc_matrix **out,
                                                    cobloc_error *err);

/* The elements of an array. */
typedef enum cobloc_array_type {
    COBLOC_ARRAY_NONE = 0, /* there is no array: values that are all 1 */
    COBLOC_ARRAY_BOOL,     /* a byte; anything but 0 is 1 */
    COBLOC_ARRAY_I8,
    COBLOC_ARRAY_I16,
    COBLOC_ARRAY_I32,
    COBLOC_ARRAY_I64,
    COBLOC_ARRAY_U8,
    COBLOC_ARRAY_U16,
    COBLOC_ARRAY_U32,
    COBLOC_ARRAY_U64,
    COBLOC_ARRAY_F32,
    COBLOC_ARRAY_F64
} cobloc_array_type;

/* Tells the owner of arrays that they are not used any more. */
typedef void (*cobloc_release_fn)(void *user);

/* Makes a matrix from compressed rows, or from compressed columns where `by_columns` is not 0
 * (SciPy's csr and csc: offsets = indptr). Offsets and indices are I32 or I64; values are of any
 * type, and NaN is a missing cell. Indices may stand in any order within a line; duplicates are
 * summed.
 *
 * `release` NULL: everything is copied. Else the arrays are borrowed where they fit: indices of
 * type I32 that grow within each line, with no zero and no NaN among the values. Values are
 * borrowed, too, if their type is that of the smallest kind that holds them, else packed into it;
 * offsets if they are I64. Borrowed arrays must not change until `release` is called with `user`,
 * once: when the matrix is freed, or at once where nothing could be borrowed. On failure it is not
 * called. */
COBLOC_API cobloc_status cobloc_matrix_from_compressed(
    int64_t rows, int64_t cols, int by_columns, const void *offsets, cobloc_array_type offset_type,
    const void *indices, cobloc_array_type index_type, const void *values,
    cobloc_array_type value_type, cobloc_release_fn release, void *user, cobloc_matrix **out,
    cobloc_error *err);

/* Whether the matrix reads the arrays that it was made from. */
COBLOC_API int cobloc_matrix_is_borrowed(const cobloc_matrix *matrix);

/* Makes a matrix from all its cells, row after row; NaN is a missing cell. The array is copied. */
COBLOC_API cobloc_status cobloc_matrix_from_dense(int64_t rows, int64_t cols, const void *values,
                                                  cobloc_array_type value_type, cobloc_matrix **out,
                                                  cobloc_error *err);

COBLOC_API void cobloc_matrix_free(cobloc_matrix *matrix);

/* Walks a matrix that was mapped from a .cbm file once, checking its checksums and every index and
 * value, so that a damaged file cannot mislead what follows. Every function of this library that
 * walks the entries does so by itself, once; call it before you walk the views of a mapped matrix
 * on your own. A no-op for any other matrix. */
COBLOC_API cobloc_status cobloc_matrix_verify(const cobloc_matrix *matrix, cobloc_error *err);

/* Gives the pages of a mapped file that were visited back to the system, and so the memory that
 * they take of this process. They are mapped again when they are visited. A no-op for any other
 * matrix. */
COBLOC_API void cobloc_matrix_give_back(const cobloc_matrix *matrix);

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

/* Whether some value is below 0. Sums of rows and columns may then be 0 or negative. */
COBLOC_API int cobloc_matrix_has_negative(const cobloc_matrix *matrix);

/* The cells whose value is missing, as the entries of a matrix of ones that lives as long as this
 * one: views by rows and by columns, numbers by row and by column. None of them is an entry. NULL
 * where no cell is missing. */
COBLOC_API const cobloc_matrix *cobloc_matrix_missing(const cobloc_matrix *matrix);
COBLOC_API int64_t cobloc_matrix_missing_count(const cobloc_matrix *matrix);

/* How many cells without a value were read as 0 (COBLOC_MISSING_ZERO). */
COBLOC_API int64_t cobloc_matrix_missing_as_zero(const cobloc_matrix *matrix);

/* How many shards of a folder of shards are not there. Then only fits on several ranks work, where
 * each has the shards of its own lines. */
COBLOC_API int cobloc_matrix_shards_missing(const cobloc_matrix *matrix);

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

/* What else is known of the rows, such as a date or a source: fields by number and name, and the
 * value of each row, "" where it has none. find: -1 if there is no field of this name. Text has
 * them, and .cbm files keep them. add: a value for each row, copied; not while another thread uses
 * the matrix. */
COBLOC_API int64_t cobloc_matrix_field_count(const cobloc_matrix *matrix);
COBLOC_API const char *cobloc_matrix_field_name(const cobloc_matrix *matrix, int64_t field);
COBLOC_API int64_t cobloc_matrix_find_field(const cobloc_matrix *matrix, const char *name);
COBLOC_API const char *cobloc_matrix_row_field(const cobloc_matrix *matrix, int64_t row,
                                               int64_t field);
COBLOC_API cobloc_status cobloc_matrix_add_field(cobloc_matrix *matrix, const char *name,
                                                 const char *const *values, cobloc_error *err);

/* What the values 0, 1, 2, ... of a table of categories stand for: their names. A count of 0 means
 * that there are none; whole numbers are then codes without names. Giving names: `count` strings,
 * copied, which must be enough for all values; NULL takes them away. */
COBLOC_API int64_t cobloc_matrix_category_count(const cobloc_matrix *matrix);
COBLOC_API const char *cobloc_matrix_category_name(const cobloc_matrix *matrix, int64_t code);
COBLOC_API cobloc_status cobloc_matrix_set_categories(cobloc_matrix *matrix,
                                                      const char *const *names, int64_t count,
                                                      cobloc_error *err);

/* A copy without the empty rows and columns: those without entries, whether cells of theirs are
 * missing or not. row_map (rows entries) and col_map (cols entries)
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
    COBLOC_WEIGHT_ROWNORM,  /* rows of unit Euclidean length */
    COBLOC_WEIGHT_LOG,      /* log(1 + x) */
    COBLOC_WEIGHT_SQRT,     /* the square root of x */
    COBLOC_WEIGHT_BM25,     /* 3 x / (x + 2 (0.1 + 0.9 s)), where s is the sum of the row over the
                               mean sum of the rows with entries: Okapi's saturation */
    COBLOC_WEIGHT_BM25IDF   /* the same, times log((1 + n) / (1 + df)) + 1 */
} cobloc_weight;

/* "auto", "none", "binary", "tfidf", "rownorm", "log", "sqrt", "bm25" or "bm25idf". */
COBLOC_API const char *cobloc_weight_name(cobloc_weight weight);

/* A weighted copy, names, labels and missing cells included. Empty rows stay empty. Negative values
 * keep their sign, save that a binary copy has a 1 for them. Where some value is not a count, the
 * formulas of log, sqrt and bm25 take its size over the mean size of all entries: numbers other
 * than counts have no unit. */
COBLOC_API cobloc_status cobloc_matrix_weighted(const cobloc_matrix *matrix, cobloc_weight weight,
                                                cobloc_matrix **out, cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
