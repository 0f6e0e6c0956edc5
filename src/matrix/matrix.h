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

/* Both; or, of both, the arrays that belong to somebody else. */
typedef struct cob_sides {
    cob_side by_row;
    cob_side by_col;
} cob_sides;

struct cobloc_matrix {
    int64_t rows;
    int64_t cols;
    int64_t nnz;
    cobloc_value_kind kind;
    bool negative; /* some value is below 0 */
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
    cob_names categories;   /* what the values 0, 1, 2, ... stand for; empty: values are numbers */
    cobloc_matrix *missing; /* the missing cells, as ones; they hold no entries; NULL: none */
    int64_t zeroed;         /* missing cells of the file that were read as 0 */
    char *text;             /* the settings of the text it was made from, as JSON; or NULL */
    const char *format;     /* the title of the format it was read from, or NULL */
    char *source;           /* the file, from the root folder on, or NULL */
    char *variable;         /* that was asked for, or NULL */
    cobloc_missing read_missing; /* how the file was read */
    cobloc_values read_values;

    /* The arrays among these that are not the matrix's own but outlive it: another matrix's, a
     * mapped file's or the caller's, who is told by `release` (or NULL) when they may go. */
    cob_sides lent;
    cobloc_release_fn release;
    void *release_user;

    /* A mapped file: `mapping` holds all arrays above (save the names, once replaced). `check` is
     * what cobloc_matrix_verify has still to do. All NULL for matrices made in memory. */
    char *path; /* for messages */
    void *mapping;
    size_t mapping_bytes;
    cobloc_status (*check)(const cobloc_matrix *matrix, cobloc_error *err);
    atomic_bool verified;
};

/* Checks a shape that a file promises: at least one row and column, and what 32-bit indices reach.
 */
cobloc_status cob_check_shape(int64_t rows, int64_t cols, cobloc_error *err);
/* An entry vouches for some empty rows and columns; a small file that promises billions does not.
 */
cobloc_status cob_check_believable(int64_t rows, int64_t cols, int64_t entries, cobloc_error *err);

/* Allocates one orientation of a matrix; the caller owns it, and frees it with cob_side_free. */
cobloc_status cob_side_alloc(cob_side *side, int64_t major, int64_t nnz, cobloc_value_kind kind,
                             cobloc_error *err);
void cob_side_free(cob_side *side);
/* Both, without the arrays that are `lent` (or NULL). */
void cob_sides_free(cob_side *by_row, cob_side *by_col, const cob_sides *lent);

/* Makes a matrix that owns `by_row` (moved: emptied on return, also on failure), whose indices grow
 * strictly within each row and whose values fit `kind` tightly; makes the other orientation and the
 * margins. */
cobloc_status cob_matrix_own(int64_t rows, int64_t cols, cobloc_value_kind kind, cob_side *by_row,
                             int threads, cobloc_matrix **out, cobloc_error *err);

/* The same with both orientations at hand, some of whose arrays may be `lent` (or NULL). */
cobloc_status cob_matrix_own_both(int64_t rows, int64_t cols, cobloc_value_kind kind,
                                  cob_side *by_row, cob_side *by_col, const cob_sides *lent,
                                  int threads, cobloc_matrix **out, cobloc_error *err);

/* Copies names, labels, categories and the settings of the text. */
cobloc_status cob_matrix_copy_names(cobloc_matrix *to, const cobloc_matrix *from,
                                    cobloc_error *err);
/* The last of these alone. */
cobloc_status cob_matrix_copy_text(cobloc_matrix *to, const cobloc_matrix *from, cobloc_error *err);

/* cobloc_matrix_drop_empty. `borrow`: what is the same in both stays with `matrix`, which must live
 * longer; then only renumbered indices are copied. */
cobloc_status cob_matrix_drop_empty(const cobloc_matrix *matrix, bool borrow, cobloc_matrix **out,
                                    int32_t *row_map, int32_t *col_map, cobloc_error *err);

/* ---- what the cells hold (cells.c) ----------------------------------------------------------- */

/* Whether some of `count` values are below 0. */
bool cob_any_negative(cobloc_value_kind kind, const void *values, int64_t count);

/* Refuses a matrix with negative values or missing cells where `who` takes none; the sentence names
 * the first of them. The matrix must be verified. */
cobloc_status cob_matrix_check_cells(const cobloc_matrix *matrix, const char *who,
                                     bool takes_negative, bool takes_missing, cobloc_error *err);

/* Gives `matrix` its missing cells: moves *cells, a matrix of the same shape whose entries they
 * are, whatever their values. A cell cannot be missing and hold a value. */
cobloc_status cob_matrix_take_missing(cobloc_matrix *matrix, cobloc_matrix **cells,
                                      cobloc_error *err);

/* The missing cells of the rows and columns that the maps number from 0, for a matrix with so many
 * of these; -1: left out. *out stays NULL where none are left. */
cobloc_status cob_missing_pick(const cobloc_matrix *missing, const int32_t *row_map, int64_t rows,
                               const int32_t *col_map, int64_t cols, cobloc_matrix **out,
                               cobloc_error *err);

/* A copy, names included, whose missing cells are entries that are not a number, for files that
 * have no other way to hold them. */
cobloc_status cob_matrix_with_nan(const cobloc_matrix *matrix, cobloc_matrix **out,
                                  cobloc_error *err);

/* Whether `count` names are enough for the values: whole numbers from 0 below `count`. */
bool cob_are_codes(const cobloc_matrix *matrix, int64_t count);

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

/* True where two matrices have the same shape, entries and missing cells (names are not compared).
 */
int cob_matrix_same_entries(const cobloc_matrix *a, const cobloc_matrix *b);

/* A hash of the places and values of a line's entries, whatever the kind of the values. */
uint64_t cob_hash_line(const cobloc_view *view, int64_t line);

#endif
