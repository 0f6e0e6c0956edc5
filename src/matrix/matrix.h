/* The sparse matrix behind cobloc_matrix: both orientations, margins, names.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_MATRIX_H
#define COB_MATRIX_MATRIX_H

#include "base/names.h"
#include "matrix/values.h"

#include <stdatomic.h>
#include <stdbool.h>

/* One orientation: the arrays of a cobloc_view. */
typedef struct cob_side {
    int64_t *offsets;
    int32_t *indices;
    void *values;
} cob_side;

struct cobloc_matrix {
    int64_t rows;
    int64_t cols;
    int64_t nnz;
    cobloc_value_kind kind;
    cob_side by_row;
    cob_side by_col;
    double *row_sums;
    double *col_sums;
    double total;
    int64_t empty_rows;
    int64_t empty_cols;
    cob_names row_names;
    cob_names col_names;
    cob_names row_labels;
    char *text;         /* the settings of the text it was made from, as JSON; or NULL */
    const char *format; /* the title of the format it was read from, or NULL */
    char *source;       /* the file, from the root folder on, or NULL */
    char *variable;     /* that was asked for, or NULL */

    /* The matrix whose indices and values some of these are, which outlives it; or NULL. */
    const cobloc_matrix *lender;

    /* A mapped file: `mapping` holds all arrays above (save the names, once replaced). `check` is
     * what cobloc_matrix_verify has still to do. All NULL for matrices made in memory. */
    char *path; /* for messages */
    void *mapping;
    size_t mapping_bytes;
    cobloc_status (*check)(const cobloc_matrix *matrix, cobloc_error *err);
    atomic_bool verified;
};

/* Allocates one orientation of a matrix; the caller owns it, and frees it with cob_side_free. */
cobloc_status cob_side_alloc(cob_side *side, int64_t major, int64_t nnz, cobloc_value_kind kind,
                             cobloc_error *err);
void cob_side_free(cob_side *side);
/* Both, without the indices and values that are those of `lender` (or NULL). */
void cob_sides_free(cob_side *by_row, cob_side *by_col, const cobloc_matrix *lender);

/* Makes a matrix that owns `by_row` (moved: emptied on return, also on failure), whose indices grow
 * strictly within each row and whose values fit `kind` tightly; makes the other orientation and the
 * margins. */
cobloc_status cob_matrix_own(int64_t rows, int64_t cols, cobloc_value_kind kind, cob_side *by_row,
                             int threads, cobloc_matrix **out, cobloc_error *err);

/* The same with both orientations at hand, whose indices and values may be those of `lender`. */
cobloc_status cob_matrix_own_both(int64_t rows, int64_t cols, cobloc_value_kind kind,
                                  cob_side *by_row, cob_side *by_col, const cobloc_matrix *lender,
                                  int threads, cobloc_matrix **out, cobloc_error *err);

/* Copies names, labels and the settings of the text. */
cobloc_status cob_matrix_copy_names(cobloc_matrix *to, const cobloc_matrix *from,
                                    cobloc_error *err);
/* The last of these alone. */
cobloc_status cob_matrix_copy_text(cobloc_matrix *to, const cobloc_matrix *from, cobloc_error *err);

/* cobloc_matrix_drop_empty. `borrow`: what is the same in both stays with `matrix`, which must live
 * longer; then only renumbered indices are copied. */
cobloc_status cob_matrix_drop_empty(const cobloc_matrix *matrix, bool borrow, cobloc_matrix **out,
                                    int32_t *row_map, int32_t *col_map, cobloc_error *err);

/* What TF-IDF multiplies the entries of a column by that `frequency` of the rows have. */
double cob_idf(int64_t rows, int64_t frequency);

/* The names of weights, ended by NULL. */
extern const char *const cob_weight_names[];

/* cobloc_matrix_weighted, TF-IDF with these factors of the columns; NULL: of the matrix itself. */
cobloc_status cob_matrix_weighted(const cobloc_matrix *matrix, cobloc_weight weight,
                                  const double *factors, cobloc_matrix **out, cobloc_error *err);

/* What TF-IDF multiplies the entries of each row and of each column by: cobloc_matrix_weighted
 * without a copy. Both are the caller's to free, also on failure. */
cobloc_status cob_tfidf_factors(const cobloc_matrix *matrix, double **rows, double **cols,
                                cobloc_error *err);

/* True where two matrices have the same shape and entries (names are not compared). */
int cob_matrix_same_entries(const cobloc_matrix *a, const cobloc_matrix *b);

/* A hash of the places and values of a line's entries, whatever the kind of the values. */
uint64_t cob_hash_line(const cobloc_view *view, int64_t line);

#endif
