/* The sparse matrix behind cobloc_matrix: both orientations, margins, names.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_MATRIX_H
#define COB_MATRIX_MATRIX_H

#include "base/budget.h"
#include "base/packed.h"
#include "matrix/values.h"

#include <stdatomic.h>
#include <stdbool.h>

/* One orientation: the arrays of a cobloc_view. */
typedef struct cob_side {
    int64_t *offsets;
    int32_t *indices;
    void *values;
} cob_side;

/* Both orientations; or those of their arrays that belong to somebody else. */
typedef struct cob_sides {
    cob_side by_row;
    cob_side by_col;
} cob_sides;

/* How ranks share the lines of a matrix: contiguous ones, with about as many entries as those of
 * every other rank. */
typedef struct cob_parts {
    cob_ranks *ranks;
    bool soft; /* passes may be soft: a rank has whole chunks of lines */
} cob_parts;

/* The part of this rank. */
cob_part cob_part_of(const cob_parts *parts, const cobloc_matrix *matrix);

enum { COB_MATRIX_FIELDS = 1000 }; /* at most so many */

/* A file under a mapped matrix: as it was when it was opened. */
typedef struct cob_mapped_file {
    int fd;
    int64_t bytes, changed, changed_nanos;
} cob_mapped_file;

/* A piece of a mapping, and where a file has it. */
typedef struct cob_shard_piece {
    uint64_t at, bytes;
    uint64_t in_file;
    uint32_t checksum;
    int shard, file; /* its number, and that among the files of the matrix */
    bool mapped;     /* else another file has the same, and that is mapped */
} cob_shard_piece;

/* The pieces that are here of a mapping that several files hold together (io/shards.c). */
typedef struct cob_shards {
    int count, here;   /* shards that there are, and those that are here */
    int first_missing; /* from 1 */
    uint32_t of;       /* a checksum of all that they hold together */
    char title[64];
    int piece_count;
    cob_shard_piece pieces[];
} cob_shards;

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
    cob_names categories;        /* names of the values 0, 1, 2, ...; empty: values are numbers */
    cobloc_matrix *missing;      /* the missing cells, as ones; these have no entries; NULL: none */
    int64_t zeroed;              /* missing cells of the file that were read as 0 */
    char *text;                  /* settings of the text it was made from, as JSON, or NULL */
    cob_names field_names;       /* what else is known of the rows: dates, sources, ... */
    cob_names field_values;      /* all rows of the first field, then of the next */
    cob_names excerpts;          /* beginnings of its documents; empty: none, or packed */
    cob_packed packed;           /* the same, from a file; only the matrix that was read has it */
    const char *format;          /* title of the format it was read from, or NULL */
    char *source;                /* absolute path of the file, or NULL */
    bool fleeting;               /* the file is gone after this process: a copy of a pipe, say */
    char *variable;              /* that was requested, or NULL */
    cobloc_missing read_missing; /* how the file was read */
    cobloc_values read_values;

    /* The arrays among these that the matrix does not own but that outlive it: another matrix's, a
     * mapped file's or the caller's. `release` (or NULL) tells the caller that they may be freed.
     */
    cob_sides lent;
    const double *lent_sums[2]; /* of rows and columns */
    cobloc_release_fn release;
    void *release_user;

    cob_budget *budget; /* holds as long as the matrix lives; NULL: none */

    /* A mapped file: `mapping` holds all arrays above (except names that were replaced). `check` is
     * what cobloc_matrix_verify still has to do. All NULL for matrices made in memory. */
    char *path; /* for messages */
    void *mapping;
    size_t mapping_bytes;
    cob_region region; /* the mapping, if it is a file */
    cobloc_status (*check)(const cobloc_matrix *matrix, cob_ranks *ranks, cobloc_error *err);
    atomic_bool verified;
    cob_mapped_file *files; /* under `mapping`; none: it is a copy */
    int file_count;
    cob_shards *shards; /* NULL: one file holds all of it */
};

/* cobloc_matrix_verify where ranks share the work; NULL: this process does all of it. Of a matrix
 * in shards, a rank may then have its share of the entries only; cobloc_matrix_verify demands all.
 */
cobloc_status cob_matrix_verify(const cobloc_matrix *matrix, cob_ranks *ranks, cobloc_error *err);

/* Rejects a matrix of which shards are missing, where all entries are needed. */
cobloc_status cob_matrix_demand_all(const cobloc_matrix *matrix, cobloc_error *err);

/* Whether the file of a mapped matrix is still as it was when it was opened. */
bool cob_matrix_is_intact(const cobloc_matrix *matrix);

/* Checks the shape that a file claims: at least one row and column, and within 32-bit indices. */
cobloc_status cob_check_shape(int64_t rows, int64_t cols, cobloc_error *err);
/* Entries make some empty rows and columns plausible; a small file that claims billions is not. */
cobloc_status cob_check_plausible(int64_t rows, int64_t cols, int64_t entries, cobloc_error *err);

/* Allocates one orientation of a matrix; the caller owns it, and frees it with cob_side_free. */
cobloc_status cob_side_alloc(cob_side *side, int64_t major, int64_t nnz, cobloc_value_kind kind,
                             cobloc_error *err);
void cob_side_free(cob_side *side);
/* Both, without the arrays that are `lent` (or NULL). */
void cob_sides_free(cob_side *by_row, cob_side *by_col, const cob_sides *lent);

/* Makes a matrix that owns `by_row` (moved: empty on return, also on failure). Its indices must
 * increase strictly within each row, and `kind` must be the smallest that holds its values. Makes
 * the other orientation and the margins. */
cobloc_status cob_matrix_own(int64_t rows, int64_t cols, cobloc_value_kind kind, cob_side *by_row,
                             int threads, cobloc_matrix **out, cobloc_error *err);

/* The same if both orientations exist. Some of their arrays may be `lent` (or NULL); values may be
 * there for a `part` only (NULL: for all). */
cobloc_status cob_matrix_own_both(int64_t rows, int64_t cols, cobloc_value_kind kind,
                                  cob_side *by_row, cob_side *by_col, const cob_sides *lent,
                                  const cob_part *part, int threads, cobloc_matrix **out,
                                  cobloc_error *err);

/* Copies names, labels and fields of the rows and columns that stay, those whose number in the map
 * is not negative (NULL: all), categories, and the settings of the text. */
cobloc_status cob_matrix_copy_names(cobloc_matrix *to, const cobloc_matrix *from,
                                    const int32_t *row_map, const int32_t *col_map,
                                    cobloc_error *err);
/* Gives a matrix whose arrays are borrowed its own, and the names of `from`. */
cobloc_status cob_matrix_detach(cobloc_matrix **matrix, const cobloc_matrix *from,
                                const int32_t *row_map, const int32_t *col_map, cobloc_error *err);

/* cobloc_matrix_drop_empty without names, and where unchanged arrays stay with `matrix`, which must
 * live longer. With `parts`, indices are there for the lines of this rank only. */
cobloc_status cob_matrix_drop_empty(const cobloc_matrix *matrix, const cob_parts *parts,
                                    cobloc_matrix **out, int32_t *row_map, int32_t *col_map,
                                    cobloc_error *err);

/* Some rows and columns, without names: `row_map` and `col_map` number those that stay from 0, in
 * their order, and have -1 for the others; NULL: all stay. */
cobloc_status cob_matrix_pick(const cobloc_matrix *matrix, const int32_t *row_map,
                              const int32_t *col_map, int threads, cobloc_matrix **out,
                              cobloc_error *err);

/* The first of some entries of a line whose index, or its number, is `index` or larger. */
int64_t cob_entry_at(const cobloc_view *view, const int32_t *numbers, cob_between some,
                     int64_t index);

/* Where the first entry of a line is whose index is `index` or larger, if its entries are spread
 * evenly. */
static inline int64_t cob_entry_guess(const cobloc_view *view, cob_between line, int64_t index)
{
    double part = (double)index / (double)view->minor;
    return line.first + (int64_t)((double)(line.last - line.first) * part);
}

/* The entries of a line whose indices, or their numbers, are in a range; looks near the guess. */
cob_between cob_entries_in(const cobloc_view *view, const int32_t *numbers, cob_between line,
                           cob_between range);

/* The line that has an entry. */
int64_t cob_line_at(const int64_t *offsets, int64_t lines, int64_t entry);

/* ---- what the cells hold (cells.c) ----------------------------------------------------------- */

/* Whether some of `count` values are below 0. */
bool cob_any_negative(cobloc_value_kind kind, const void *values, int64_t count);

/* Rejects a matrix with negative values or missing cells if `who` does not accept them; the message
 * names the first of them. The matrix must be verified. */
cobloc_status cob_matrix_check_cells(const cobloc_matrix *matrix, const char *who,
                                     bool takes_negative, bool takes_missing, cobloc_error *err);

/* Rejects a matrix with a value so large, or with all values so small, that the product of two sums
 * of its entries is more, or less, than a double holds; the message names the value. Data are
 * checked as they come in, from files and from callers. */
cobloc_status cob_matrix_check_range(const cobloc_matrix *matrix, cobloc_error *err);

/* Moves *cells into `matrix` as its missing cells: a matrix of the same shape, whose entries are
 * the missing cells, with any values. A cell cannot both be missing and have a value. */
cobloc_status cob_matrix_take_missing(cobloc_matrix *matrix, cobloc_matrix **cells,
                                      cobloc_error *err);

/* Whether all values are codes: whole numbers from 0 to `count` - 1. */
bool cob_are_codes(const cobloc_matrix *matrix, int64_t count);

/* The factor of TF-IDF for a column that `frequency` of the rows have. */
double cob_idf(int64_t rows, int64_t frequency);

/* The names of weights, ended by NULL. */
extern const char *const cob_weight_names[];
#define COB_WEIGHTS (COBLOC_WEIGHT_BM25IDF + 1)

/* How entries are weighed, with what that takes from the matrix: new rows are weighed by the same
 * numbers. What is 0 is measured. */
typedef struct cob_weighing {
    cobloc_weight weight; /* never auto */
    bool as_counts;       /* times what keeps the total: for models that a unit means much to */
    bool narrow;          /* weights are floats, which take half the room */
    bool exact;           /* no digits are dropped: else labels of reals depend on no unit */
    double unit;          /* entries are divided by it: 1 for counts, see cob_matrix_unit */
    double mean_length;   /* bm25: the mean sum of the rows with entries */
    double scale;         /* what keeps the total; 0: not measured, 1 */
    const double *idf;    /* factors of the columns; NULL: those of the matrix */
} cob_weighing;

/* The natural unit of a table: of counts 1, of other numbers the mean size of those that are not 0.
 * `shared`, or NULL: ranks share the work. */
double cob_matrix_unit(const cobloc_matrix *matrix, const cob_shared_values *shared);

/* Whether the weighted matrix would be another. */
bool cob_weighing_changes(const cobloc_matrix *matrix, const cob_weighing *how);

/* cobloc_matrix_weighted without names, of `x`, which is `matrix` or the same without its empty
 * lines; indices stay with `x`, which must live longer. Fills in what was measured. Ranks weigh the
 * lines of their `part` (NULL: all); of others the copy has no values, which *weigher (NULL: not
 * wanted) makes. */
cobloc_status cob_matrix_weighted(const cobloc_matrix *matrix, const cobloc_matrix *x,
                                  const cob_part *part, cob_weighing *how, cobloc_matrix **out,
                                  cob_weigher **weigher, cobloc_error *err);

/* A formula with what it has measured of a matrix: weighs any of its entries, as a copy would have
 * them; not for binary weights. */
cobloc_status cob_weigher_new(const cobloc_matrix *matrix, cob_weighing how, cob_weigher **out,
                              cobloc_error *err);
double cob_weigh_entry(const cob_weigher *weigher, double value, int64_t row, int64_t col);
void cob_weigher_free(cob_weigher *weigher);

/* The factors of TF-IDF for each row and column: cobloc_matrix_weighted without a copy. The caller
 * frees both, also on failure. */
cobloc_status cob_tfidf_factors(const cobloc_matrix *matrix, const cob_part *part, double **rows,
                                double **cols, cobloc_error *err);

/* A hash of the indices and values of a line's entries, the same for any kind of values. */
uint64_t cob_hash_line(const cobloc_view *view, int64_t line);

#endif
