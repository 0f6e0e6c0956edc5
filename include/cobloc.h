/* cobloc: co-clustering of sparse, non-negative tables.
 *
 * This is the library's only public header and its manual. It reads from the simple to the special:
 * version, errors, progress, the matrix (from files, from arrays), what one can ask of it, weights,
 * text, co-clustering, new rows, describing, choosing a size, scores, comparing methods, pictures,
 * simulation.
 *
 * Conventions
 * - Functions that can fail return a cobloc_status and take, last, a cobloc_error that receives one
 *   sentence about what went wrong; it may be NULL. Outputs are set only on success.
 * - The library never prints, never exits and keeps no global state; two threads may use it at
 * once.
 * - Objects made by the library are released by their cobloc_*_free, which accepts NULL.
 * - Rows and columns are numbered from 0.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_H
#define COBLOC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define COBLOC_API __attribute__((visibility("default")))
#else
#define COBLOC_API
#endif

/* ---- version --------------------------------------------------------------------------------- */

#define COBLOC_VERSION_MAJOR 0
#define COBLOC_VERSION_MINOR 1
#define COBLOC_VERSION_PATCH 0

/* The version of the library that is linked, as "0.1.0". */
COBLOC_API const char *cobloc_version(void);

/* ---- errors ---------------------------------------------------------------------------------- */

typedef enum cobloc_status {
    COBLOC_OK = 0,
    COBLOC_BAD_ARGUMENT, /* the call itself is wrong: an option, a range, an unknown name */
    COBLOC_BAD_DATA,     /* the data are wrong: broken file, negative value, wrong count */
    COBLOC_IO,           /* a file could not be opened, read or written */
    COBLOC_NO_MEMORY,    /* an allocation failed, or would have been absurdly large */
    COBLOC_UNSUPPORTED,  /* well-formed, but not something cobloc does */
    COBLOC_CANCELLED     /* the progress callback asked to stop */
} cobloc_status;

/* A short name such as "bad data"; never NULL, whatever the argument. */
COBLOC_API const char *cobloc_status_name(cobloc_status status);

typedef struct cobloc_error {
    cobloc_status status; /* what the function returned */
    char message[512];    /* one sentence in UTF-8: what, where, what was expected */
} cobloc_error;

/* ---- progress and cancellation --------------------------------------------------------------- */

/* Called now and then by long operations, from one thread at a time. `done` runs from 0 to 1.
 * Return 0 to go on, anything else to stop: reading then ends with COBLOC_CANCELLED, a fit with the
 * best so far. */
typedef int (*cobloc_progress_fn)(void *user, const char *what, double done);

typedef struct cobloc_progress {
    cobloc_progress_fn report; /* NULL: no reports */
    void *user;                /* handed to `report` */
} cobloc_progress;

/* ---- the matrix ------------------------------------------------------------------------------ */

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
    COBLOC_MISSING_AUTO =
        0,                /* tables: zero; .cbm: what it says; other formats and arrays: refused */
    COBLOC_MISSING_ZERO,  /* it is 0 */
    COBLOC_MISSING_IGNORE /* it is kept as missing: see cobloc_matrix_missing */
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

/* Options of reading and writing; fill with cobloc_io_options_default, then change what you need.
 */
typedef struct cobloc_io_options {
    const char *format;   /* a name that cobloc_format_name lists; NULL (default): reading goes by
                             the content first, writing by the name of the file */
    const char *variable; /* MATLAB files: the variable to read; NULL (default): the obvious one */
    cobloc_missing missing;   /* default auto */
    cobloc_values values;     /* default auto */
    int threads;              /* 0 (default): as many as OpenMP offers */
    cobloc_progress progress; /* default: none */
} cobloc_io_options;

COBLOC_API void cobloc_io_options_default(cobloc_io_options *options);

/* The formats: 0 <= index < cobloc_format_count(). Each has a name for `format` above, a title for
 * people, and the usual ending of its files. */
COBLOC_API int cobloc_format_count(void);
COBLOC_API const char *cobloc_format_name(int index);
COBLOC_API const char *cobloc_format_title(int index);
COBLOC_API const char *cobloc_format_extension(int index);

/* Reads a matrix from a file of any known format (gzip-compressed text too). Duplicate entries are
 * summed, zeros dropped; infinite values are errors, and so are undefined ones, unless `missing`
 * says otherwise. Names and labels come from the file, else from NAME.rows.txt, NAME.terms.txt,
 * NAME.labels.txt beside it. A .cbm file is mapped, not read: see cobloc_matrix_verify. `options`
 * may be NULL. */
COBLOC_API cobloc_status cobloc_matrix_read(const char *path, const cobloc_io_options *options,
                                            cobloc_matrix **out, cobloc_error *err);

/* Writes a matrix. The file appears under its name only when it is complete. Names and labels that
 * the format cannot hold go to the files beside it that cobloc_matrix_read looks for. */
COBLOC_API cobloc_status cobloc_matrix_write(const cobloc_matrix *matrix, const char *path,
                                             const cobloc_io_options *options, cobloc_error *err);

/* Makes a matrix from `count` triples (row[t], col[t], value[t]), in any order; `value` may be NULL
 * for all ones; NaN is a missing cell. The arrays are copied. */
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
    COBLOC_WEIGHT_NONE = 0, /* the values as they are */
    COBLOC_WEIGHT_BINARY,   /* 1 where there is an entry */
    COBLOC_WEIGHT_TFIDF,   /* x * (log((1 + n) / (1 + df)) + 1), then rows of unit Euclidean length:
                              the formula of scikit-learn's TfidfTransformer with its defaults */
    COBLOC_WEIGHT_ROWNORM, /* rows of unit Euclidean length */
    COBLOC_WEIGHT_AUTO     /* for a fit: what the model wants, see cobloc_model_weight */
} cobloc_weight;

/* "none", "binary", "tfidf", "rownorm" or "auto". */
COBLOC_API const char *cobloc_weight_name(cobloc_weight weight);

/* A weighted copy, names, labels and missing cells included. Empty rows stay empty. Negative values
 * keep their sign, save that a binary copy has a 1 for them. */
COBLOC_API cobloc_status cobloc_matrix_weighted(const cobloc_matrix *matrix, cobloc_weight weight,
                                                cobloc_matrix **out, cobloc_error *err);

/* ---- text ------------------------------------------------------------------------------------ */

/* From documents to a matrix of counts: a row a document, a column a term. */

/* How a corpus is stored. Every file may be gzip-compressed; the text is UTF-8. */
typedef enum cobloc_corpus {
    COBLOC_CORPUS_AUTO = 0, /* recognised: SMART and JSON lines by their content, tables by their
                               ending and a field; else a file in a folder is a document, and a
                               single file has one a line */
    COBLOC_CORPUS_FILES,    /* a file is a document */
    COBLOC_CORPUS_LINES,    /* a line is a document, an empty one too */
    COBLOC_CORPUS_JSONL,    /* a line is a JSON object, its text one of its fields */
    COBLOC_CORPUS_CSV,      /* CSV or TSV with a header, the text in one of its columns */
    COBLOC_CORPUS_SMART     /* the classic collections: ".I 1" starts a document, its title (.T) and
                               words (.W) are read */
} cobloc_corpus;

/* "auto", "files", "lines", "jsonl", "csv" or "smart". */
COBLOC_API const char *cobloc_corpus_name(cobloc_corpus corpus);

/* What a word is. */
typedef enum cobloc_tokens {
    COBLOC_TOKENS_WORDS = 0, /* Unicode's word boundaries (UAX 29), of the text in lower case and in
                                normal form NFKC; apostrophes and colons end a word, too; scripts
                                without blanks (Chinese, kana, Thai) give pairs of characters */
    COBLOC_TOKENS_WORD2      /* runs of two or more letters, digits and underscores, in lower case:
                                the rule of scikit-learn's CountVectorizer */
} cobloc_tokens;

/* "words" or "word2". */
COBLOC_API const char *cobloc_tokens_name(cobloc_tokens tokens);

/* The languages with a list of stop words: 0 <= index < cobloc_language_count(). Codes as "en",
 * names as "English". */
COBLOC_API int cobloc_language_count(void);
COBLOC_API const char *cobloc_language_code(int index);
COBLOC_API const char *cobloc_language_name(int index);

/* How text becomes terms; fill with cobloc_text_options_default, then change what you need. Texts
 * and lists are borrowed. */
typedef struct cobloc_text_options {
    cobloc_corpus corpus; /* default auto */
    const char *field;    /* JSON lines, tables: the field with the text; NULL (default): "text" */
    const char *name_field; /* and with the names of the documents; NULL (default): their number and
                               first words */
    const char *label_field; /* and with their known classes; NULL (default): none */
    int labels_from_folders; /* the known class of a document is the folder that its file is in; of
                                a SMART document, the file (default 0) */

    cobloc_tokens tokens;   /* default words */
    const char *language;   /* a code, "none" or "auto" (default): the one whose stop words are the
                               most frequent in a sample, if they are a tenth of it */
    const char *stop_words; /* a code, "none", or a file; NULL (default): those of the language */
    const char *const *stop_list; /* stop words themselves, instead; NULL (default): none */
    int64_t stop_count;
    const char *stem; /* a language by name or code, for Snowball's stemmers; "auto": that of the
                         text; NULL (default): words stay as they are. A term is then named by its
                         most frequent word */
    int min_length;   /* in characters; shorter words are dropped; default 2 */
    int numbers;      /* words without a letter are kept (default 0) */
    int ngrams_from, ngrams_to; /* terms are so many words that follow each other once stop words
                                   are gone; default 1, 1 */

    double min_df;     /* a term is dropped that is in fewer documents; below 1: a share of them;
                          default 3 */
    double max_df;     /* or in more; up to 1: a share of them; default 0.95 */
    int64_t max_terms; /* the most frequent so many are kept; 0 (default): all */
    const char *const *vocabulary; /* the terms, in the order of the columns, instead of those that
                                      the three above find; NULL (default): none */
    int64_t vocabulary_count;

    int threads;              /* 0 (default): as many as OpenMP offers */
    cobloc_progress progress; /* default: none */
} cobloc_text_options;

COBLOC_API void cobloc_text_options_default(cobloc_text_options *options);

/* What came of it. */
typedef struct cobloc_text_info {
    cobloc_corpus corpus;                  /* of the first file */
    int64_t files, documents, tokens;      /* tokens: words that were kept */
    int64_t terms, rare, frequent, beyond; /* columns; terms dropped by min_df, max_df, max_terms */
    int64_t invalid_bytes;                 /* that are not UTF-8, or NUL: taken for blanks */
    char invalid_where[256];               /* the first file that has such; "": none */
    char language[8];      /* whose stop words were used: a code, "none", or "own" */
    double language_share; /* of the sample: how much of it were its stop words; 0: not looked at */
    char stem[32];         /* the stemmer; "": none */
    double seconds;
} cobloc_text_info;

/* Reads the documents of a folder (all files in it and below, by their names; hidden ones are left
 * out) or of a file, and counts their terms. Columns are sorted by term. The matrix has names for
 * rows and columns, and labels where these are asked for; the answer is the same for any number of
 * threads. Memory follows the matrix, not the corpus. `options` and `info` may be NULL. */
COBLOC_API cobloc_status cobloc_text_read(const char *path, const cobloc_text_options *options,
                                          cobloc_matrix **out, cobloc_text_info *info,
                                          cobloc_error *err);

/* The same of documents in memory: `sizes` are their lengths in bytes; NULL: each ends in a NUL. */
COBLOC_API cobloc_status cobloc_text_count(const char *const *documents, const size_t *sizes,
                                           int64_t count, const cobloc_text_options *options,
                                           cobloc_matrix **out, cobloc_text_info *info,
                                           cobloc_error *err);

/* Whether a path is text by itself, not a matrix: a folder, JSON lines or the SMART format. What it
 * is goes to `corpus`; COBLOC_CORPUS_AUTO: not text. */
COBLOC_API cobloc_status cobloc_text_recognise(const char *path, cobloc_corpus *corpus,
                                               cobloc_error *err);

/* The settings that a matrix was made with by the functions above, as a JSON object: how to find
 * the terms in new documents; its language is never "auto". NULL for any other matrix. Copies of
 * the matrix keep it; files do not, save model.json. */
COBLOC_API const char *cobloc_matrix_text(const cobloc_matrix *matrix);

/* Options from such an object: change the corpus and its fields as needed, give the terms as the
 * vocabulary, and new documents get the same columns. */
COBLOC_API cobloc_status cobloc_text_options_from_json(const char *json, cobloc_text_options **out,
                                                       cobloc_error *err);
COBLOC_API void cobloc_text_options_free(cobloc_text_options *options);

/* ---- co-clustering --------------------------------------------------------------------------- */

/* How memberships are taken from scores. */
typedef enum cobloc_inference {
    COBLOC_HARD = 0,      /* the best cluster */
    COBLOC_SOFT,          /* probabilities (variational EM) */
    COBLOC_STOCHASTIC,    /* draws (SEM-Gibbs); models without probabilities: annealing */
    COBLOC_SVEM,          /* draws first, then probabilities */
    COBLOC_INFERENCE_AUTO /* for a fit: the model's own, see cobloc_model_inference */
} cobloc_inference;

/* Where a run starts. */
typedef enum cobloc_start {
    COBLOC_START_AUTO = 0, /* merge, skmeans, merge, ... in turns, each improved by splits and
                              merges; binary models: merge, skmeans, spectral, ... */
    COBLOC_START_MERGE, /* k-means with four times as many clusters, merged down by the criterion */
    COBLOC_START_SKMEANS,  /* spherical k-means++ on the TF-IDF rows */
    COBLOC_START_SPECTRAL, /* k-means++ on singular vectors, as the method spec */
    COBLOC_START_RANDOM,
    COBLOC_START_LABELS /* start_rows and start_cols */
} cobloc_start;

/* How a run ended. Reaching a limit is not an error. */
typedef enum cobloc_stop {
    COBLOC_STOP_CONVERGED = 0,
    COBLOC_STOP_ITERATIONS,
    COBLOC_STOP_TIME,
    COBLOC_STOP_CANCELLED
} cobloc_stop;

COBLOC_API const char *cobloc_inference_name(cobloc_inference inference);
COBLOC_API const char *cobloc_start_name(cobloc_start start);
COBLOC_API const char *cobloc_stop_name(cobloc_stop stop);

/* All that can be fitted, block models first, then the methods beside them: 0 <= index <
 * cobloc_model_count(). */
COBLOC_API int cobloc_model_count(void);
COBLOC_API const char *cobloc_model_name(int index);
COBLOC_API const char *cobloc_model_title(int index);
COBLOC_API const char *cobloc_model_criterion(int index);
COBLOC_API int cobloc_model_is_minimised(int index); /* a smaller criterion is better */
COBLOC_API int cobloc_model_is_diagonal(int index);  /* row cluster k goes with column cluster k */
/* It clusters rows alone; each column goes beside the rows that hold the largest share of
 * themselves in it. */
COBLOC_API int cobloc_model_is_one_sided(int index);
COBLOC_API int cobloc_model_has_probabilities(int index); /* all inferences are legal */
COBLOC_API int cobloc_model_takes_inference(int index, cobloc_inference inference);
COBLOC_API cobloc_inference cobloc_model_inference(int index); /* what it is usually fitted by */
COBLOC_API int cobloc_model_restarts(int index);               /* and how often it is started */
COBLOC_API cobloc_weight cobloc_model_weight(int index); /* what it uses where none is asked for */
/* What it uses where `asked` is asked for: some models take only some weights. Never auto. */
COBLOC_API cobloc_weight cobloc_model_weight_for(int index, cobloc_weight asked);

/* A co-clustering of the rows and columns of a matrix, from wherever it comes. Borrowed. */
typedef struct cobloc_copartition {
    const int32_t *row_labels; /* of each row, from 0; -1: in no cluster */
    const int32_t *col_labels; /* of each column; NULL: rows alone, columns go beside them, where
                                  they have their largest share */
    int paired; /* row cluster k goes with column cluster k; 0: the pairs are found in the matrix */
    const char *name; /* where it comes from, for cobloc_member; may be NULL */
} cobloc_copartition;

COBLOC_API int cobloc_model_predicts(int index); /* cobloc_predict can place new rows by it */

/* Options of a fit; fill with cobloc_fit_options_default, then set at least k. Arrays are borrowed.
 */
typedef struct cobloc_fit_options {
    const char *model;          /* default "coclus" */
    int k;                      /* row clusters; no default */
    int l;                      /* column clusters; 0 (default): the model's own, else k */
    cobloc_inference inference; /* default auto: the model's own */
    cobloc_weight weight;       /* default auto: what the model wants */
    cobloc_start start;         /* default auto */
    const int32_t *start_rows;  /* COBLOC_START_LABELS: a label for each row, */
    const int32_t *start_cols;  /* and column; NULL: columns follow the rows */
    int restarts;               /* default 0: the model's own number. Block models, unless a start
                                   is named: those after the sixth build on the first six */
    int max_iterations;         /* default 200 */
    double tolerance; /* default 1e-9: relative change of the criterion that counts as none */
    uint64_t seed;    /* default 1: same seed, same answer, whatever the threads */
    int threads;      /* default 0: as many as OpenMP offers */
    const int32_t *fix_rows; /* known labels, -1: unknown; they stay as they are */
    const int32_t *fix_cols;
    const double *row_effects; /* Poisson models: margins known beforehand; NULL: the sums */
    const double *col_effects;
    int exact; /* splbm: maximise its likelihood exactly (default 0: as published) */
    const cobloc_copartition *base; /* ebco, coce: what to join; NULL (default): their own, as */
    int base_count;                 /* cobloc_ensemble makes them by default */
    double max_memory;  /* bytes; methods that need memory by the square of the rows and columns
                           (chisim) refuse beyond it; 0 (default): half of the machine's */
    double max_seconds; /* default 0: no limit; the best so far is returned */
    cobloc_progress progress;
} cobloc_fit_options;

COBLOC_API void cobloc_fit_options_default(cobloc_fit_options *options);

/* What a fit finds. Clusters are numbered by their number of rows, largest first; column clusters
 * of a diagonal model follow their rows, those of others by their number of columns. Rows and
 * columns without entries have label -1, save for models that count zeros. */
typedef struct cobloc_result {
    const char *model;
    const char *criterion_name;
    cobloc_inference inference;
    cobloc_weight weight; /* that was used; never auto */
    int k, l;
    int64_t n, d, nnz;
    uint64_t seed;
    int restarts;
    int best_restart;
    double *restart_criteria; /* of each restart, in order; NaN where it was not run */
    double criterion;
    int iterations;
    cobloc_stop stop;
    double seconds;
    int repaired; /* clusters that only hold because they may not become empty */
    int at_bound; /* parameters that the model keeps at a bound, where others would fit better: its
                     assumptions do not hold (dlbm1, dlbm2: blocs with more zeros than ones) */
    int32_t *row_labels;       /* n */
    int32_t *col_labels;       /* d */
    double *row_probabilities; /* n by k, where the inference gives them; else NULL */
    double *col_probabilities; /* d by l */
    int64_t *row_sizes;        /* k */
    int64_t *col_sizes;        /* l */
    double *blocks;            /* k by l: sums of the (weighted) entries */
    double *parameters;        /* k by l: the model's */
    double *row_proportions;   /* k */
    double *col_proportions;   /* l */
    double *row_rule;    /* block models: k lines of l + 2 numbers, else NULL. With A (l of them), b
                            and e of line k, a row's score for cluster k is the sum over column
                            clusters of its entries in them times A, + its effect times b, + e */
    double effect_scale; /* of row_rule: a row's effect over its sum; 1 where none were given */
    char **col_names;    /* l names where the model gives them meaning ("main 2"); else NULL */
    int32_t *merges; /* a hierarchy: merging row clusters (with their columns, if diagonal) down to
                        one by  the criterion. Step s, 0 <= s < k - 1, joins the groups whose
                        smallest members are  merges[2s] < merges[2s + 1]; NULL for k = 1, where
                        clusters have a meaning, and for what is not a block model */
    double *merge_criteria; /* the criterion after each step */
    double r_hat;  /* stochastic: how well the chains of several restarts agree on the parameters
                      (Gelman and Rubin; below 1.1 is good); else NaN */
    double *trace; /* criterion after each iteration of the best restart */
    int trace_count;
    int64_t empty_rows, empty_cols; /* left out */
    double row_passes, col_passes; /* block models: entries that the best restart looked at, by rows
                                      and by columns, its start left out, over all that there are;
                                      else, and for a result read back, 0 */

    /* Of the labels, whatever the inference, and of the (weighted) matrix as the model takes it. */
    double icl; /* integrated completed likelihood (the larger the better): complete log-likelihood
                   - (k-1)/2 log n - (l-1)/2 log d - K/2 log(n d), with K block parameters; NaN
                   where there is no likelihood */
    double modularity; /* of the clusters in pairs: as the model pairs them, else as is best; NaN
                          where k and l differ; ebco, coce: of the mean of what they join, M, not of
                          the matrix */
    double explained_information; /* mutual information of the sums of the blocks, as a share of
                                     that of the matrix; NaN where that is 0 */
} cobloc_result;

/* What a fit takes of memory, in bytes, about. */
typedef struct cobloc_fit_need {
    double total;        /* all of what follows */
    double matrix;       /* the matrix itself, */
    double copies;       /* and copies: weighted, or renumbered where rows or columns are empty;
                            and labels that starts after the sixth build on */
    double similarities; /* of methods that compare all rows, or all columns, with each other */
    double start;        /* one start, */
    int starts;          /* and how many run at a time */
} cobloc_fit_need;

COBLOC_API cobloc_status cobloc_fit_memory(const cobloc_matrix *matrix,
                                           const cobloc_fit_options *options, cobloc_fit_need *need,
                                           cobloc_error *err);

COBLOC_API cobloc_status cobloc_fit(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                    cobloc_result **out, cobloc_error *err);
COBLOC_API void cobloc_result_free(cobloc_result *result);

/* Writes rows.tsv, cols.tsv and model.json into a folder, which is made if need be; where there are
 * probabilities, also rows.probabilities.tsv with those of all clusters. They hold all that is
 * needed to repeat the fit and to place new rows, save the matrix itself. */
COBLOC_API cobloc_status cobloc_result_write(const cobloc_result *result,
                                             const cobloc_matrix *matrix,
                                             const cobloc_fit_options *options, const char *folder,
                                             cobloc_error *err);

/* What such a folder holds. A fit of the same matrix with `options` gives the same result again.
 * What cobloc_select, cobloc_fit_greedy and cobloc_ensemble wrote is repeated with their own
 * options: here are the size that was chosen, and a start from the clusters that were found. */
typedef struct cobloc_saved {
    char *folder;
    cobloc_result *result; /* as it was; 0 are the seconds, passes and probabilities below 1e-12 */
    cobloc_fit_options options; /* no threads, no progress; its arrays belong to this */
    char *input;                /* the file that was fitted, from the root folder on; NULL: the
                                   matrix was made in memory */
    char *format, *variable;    /* how it was read; NULL: unknown, and the obvious one */
    char *text;                 /* how it was made from text, see cobloc_matrix_text; NULL: it was
                                   not */
    double total;               /* the sum of the matrix's entries */
    int64_t *col_frequencies;   /* d: how many rows have an entry in the column */
    double *col_sums;           /* d: of the column's entries */
    double *centres; /* kmeans, skmeans, bmm: d by k, the (weighted) entries of each column summed
                        over the rows of each cluster; else NULL */
} cobloc_saved;

/* Reads a folder that cobloc_result_write or cobloc_selection_write made. */
COBLOC_API cobloc_status cobloc_saved_read(const char *folder, cobloc_saved **out,
                                           cobloc_error *err);
COBLOC_API void cobloc_saved_free(cobloc_saved *saved);

/* The names of the rows and columns that were fitted; NULL where they had none. */
COBLOC_API const char *cobloc_saved_row_name(const cobloc_saved *saved, int64_t row);
COBLOC_API const char *cobloc_saved_col_name(const cobloc_saved *saved, int64_t col);

/* Reads the matrix that a folder was fitted to: from `path`, or, where that is NULL, from
 * matrix.cbm in the folder if there is one, else from where it was then. It is an error if its
 * size, its sum or its names are others. `options` may be NULL. */
COBLOC_API cobloc_status cobloc_saved_matrix(const cobloc_saved *saved, const char *path,
                                             const cobloc_io_options *options, cobloc_matrix **out,
                                             cobloc_error *err);

/* ---- placing new rows ------------------------------------------------------------------------ */

/* Where new rows belong. */
typedef struct cobloc_prediction {
    int64_t n;
    int k;
    int32_t *labels;       /* n: clusters of the result; -1: the row has no entry that is known */
    double *probabilities; /* n by k; NULL where the model has none */
    int by_name;           /* columns were matched by their names; 0: by their order */
    int64_t unknown_cols;  /* columns with entries that the fit knows nothing of, */
    double unknown_share;  /* and the share of all entries (by their sum) that are in them */
    int64_t missing_cols;  /* columns that were fitted and are not there: taken as 0 */
    int64_t unplaced;      /* rows with label -1 */
} cobloc_prediction;

/* Places the rows of a matrix into the clusters of a result, by the rule that its own rows chose by
 * last, with the weights of then (TF-IDF: the frequencies of the fitted matrix). Columns are
 * matched by name where both have names, else there must be as many. `row_effects`: of Poisson
 * models, where they are known; NULL: from the sums of the rows. COBLOC_UNSUPPORTED for methods
 * whose clusters leave no such rule: see cobloc_model_predicts. */
COBLOC_API cobloc_status cobloc_predict(const cobloc_saved *saved, const cobloc_matrix *matrix,
                                        const double *row_effects, cobloc_prediction **out,
                                        cobloc_error *err);
COBLOC_API void cobloc_prediction_free(cobloc_prediction *prediction);

/* ---- describing a result --------------------------------------------------------------------- */

/* A column (a term, where rows are documents) of a description, with what it says of the rows that
 * it is described with. */
typedef struct cobloc_term {
    int64_t col;
    double sum;    /* of its entries in these rows */
    int64_t rows;  /* how many of these rows have it */
    double share;  /* of all its entries, these are: 0 to 1 */
    double weight; /* how well it tells these rows from the others: the log-likelihood ratio of its
                      share of their entries against that of the others', negative where they have
                      less of it (Dunning 1993) */
    double npmi;   /* the mean of its normalised pointwise mutual information with its nearest
                      neighbours among the most frequent terms (Affeldt, Labiod, Nadif 2020, Eq.
                      13), -1 to 1; NaN where it was not asked for, or is not in the reference */
} cobloc_term;

/* A row that says much of its cluster, or little. */
typedef struct cobloc_described_row {
    int64_t row;
    int next;           /* the cluster that it would be in else; -1: there is no other */
    double margin;      /* by how much its own score is above the next: of the model's own scores
                           (log-probabilities, modularity, ...) */
    double probability; /* of its own cluster; NaN where the model has none */
} cobloc_described_row;

/* A cluster of the other side that goes with a cluster. */
typedef struct cobloc_partner {
    int cluster;
    double lift; /* what the block holds over what its margins would give it */
} cobloc_partner;

/* Two terms that go together: places in the list of their graph. */
typedef struct cobloc_edge {
    int a, b; /* a < b */
    double cosine;
} cobloc_edge;

/* A cluster of rows with the columns that go with it, or a cluster of columns with its rows. */
typedef struct cobloc_bloc {
    char *name;          /* suggested: its three most telling terms */
    const char *section; /* socc's column clusters: "main 2", of the result; else NULL */
    int64_t rows, cols;  /* how many */
    double sum;          /* of the entries in these rows and columns */
    double density;      /* the share of these cells that have an entry */
    int partner_count;
    cobloc_partner *partners; /* of the other side, the strongest first. The terms below are of all
                                 of them, or measured in the rows of all of them */
    int frequent_count, telling_count, coherent_count;
    cobloc_term *frequent; /* by their sum */
    cobloc_term *telling;  /* by their weight */
    cobloc_term *coherent; /* by their npmi, of the most frequent ones */
    double jaccard;        /* mean Jaccard similarity of the rows of the frequent terms, two by two
                              (Selosse, Jacques, Biernacki 2019); NaN where there are not two */
    double npmi;           /* the same of their normalised pointwise mutual information */
    int graph_count, edge_count;
    int64_t *graph;     /* the most frequent terms, */
    cobloc_edge *edges; /* each joined with those nearest by cosine, in these rows */
    int typical_count, borderline_count;
    cobloc_described_row *typical;    /* rows of this cluster that are surest, */
    cobloc_described_row *borderline; /* and least sure: not of column clusters */
} cobloc_bloc;

/* Options of a description; fill with cobloc_describe_options_default. */
typedef struct cobloc_describe_options {
    int terms; /* frequent and telling ones of each cluster; default 10 */
    int rows;  /* typical and borderline ones; default 5 */
    int pool;  /* so many of the most frequent terms are ordered by NPMI; default 30, most 64 */
    int neighbours;                 /* nearest ones, for NPMI and for graphs; default 5 */
    int graph_terms;                /* of each cluster; default 8, most 64 */
    const cobloc_matrix *reference; /* NPMI is measured in this corpus, whose columns are found by
                                       name; NULL (default): in the matrix itself */
} cobloc_describe_options;

COBLOC_API void cobloc_describe_options_default(cobloc_describe_options *options);

/* What a result is about. */
typedef struct cobloc_description {
    int k, l;
    int diagonal;         /* blocs have rows and columns of their own */
    cobloc_bloc *blocs;   /* k, by row cluster */
    cobloc_bloc *topics;  /* l, by column cluster; NULL where they are the blocs */
    double *lifts;        /* k by l: see cobloc_partner */
    double *densities;    /* k by l: see cobloc_bloc */
    double jaccard, npmi; /* means over the column clusters that have them */
    int64_t unknown;      /* terms that were looked for in the reference, and are not there */
} cobloc_description;

/* Describes the clusters of a result in the matrix that it was fitted to. Time follows the entries
 * of the matrix. `options` may be NULL. */
COBLOC_API cobloc_status cobloc_describe(const cobloc_result *result, const cobloc_matrix *matrix,
                                         const cobloc_describe_options *options,
                                         cobloc_description **out, cobloc_error *err);
COBLOC_API void cobloc_description_free(cobloc_description *description);

/* Writes the term graphs of all column clusters, or of one (`cluster`; -1: all), for Graphviz
 * (.dot, .gv) or as GraphML (.graphml), as the ending says. */
COBLOC_API cobloc_status cobloc_description_graph(const cobloc_description *description,
                                                  const cobloc_matrix *matrix, int cluster,
                                                  const char *path, cobloc_error *err);

/* ---- choosing a size and a model ------------------------------------------------------------- */

/* What a size is chosen by. */
typedef enum cobloc_choice {
    COBLOC_BY_AUTO = 0,  /* ICL for models with a likelihood, else modularity; itcc and fnmtf: ICL
                            where columns have a range of their own */
    COBLOC_BY_ICL,       /* the largest ICL */
    COBLOC_BY_MODULARITY /* the smallest size whose modularity is as good as the largest one: it has
                            no penalty, so more clusters than there are do it no harm */
} cobloc_choice;

COBLOC_API const char *cobloc_choice_name(cobloc_choice choice);

/* Options of a selection; fill with cobloc_select_options_default, then set at least k_to. */
typedef struct cobloc_select_options {
    cobloc_fit_options fit; /* of every fit; its k and l are not looked at, and it may not start
                               from labels; max_seconds is for all fits together */
    const char *const
        *models; /* models to choose among, by their names; NULL (default): fit.model */
    int model_count;
    int k_from, k_to; /* sizes; defaults 2, none */
    int l_from, l_to; /* column clusters, for models that leave them free: every pair of sizes is
                         tried; 0 (default): as many as row clusters */
    cobloc_choice by;
    double within; /* by modularity: this share below the largest is as good; default 0.02 */
} cobloc_select_options;

COBLOC_API void cobloc_select_options_default(cobloc_select_options *options);

/* Where the best fit of a size started. */
typedef enum cobloc_origin {
    COBLOC_ORIGIN_STARTS = 0, /* the starts that cobloc_fit makes */
    COBLOC_ORIGIN_MERGED,     /* a larger size, its two closest clusters merged */
    COBLOC_ORIGIN_SPLIT       /* a smaller size, the cluster that gains most by it split */
} cobloc_origin;

COBLOC_API const char *cobloc_origin_name(cobloc_origin origin);

/* One size of one model. */
typedef struct cobloc_size {
    const char *model;
    int k, l;
    double value;  /* what the choice goes by: ICL or modularity */
    double spread; /* how far the second best of all starts falls below the best, in the same units;
                      NaN where the model's criterion is measured in others */
    int as_good;   /* not worse than the best: within the spread of the best size's starts (ICL),
                      or `within` of the best (modularity) */
    int set_aside; /* of a model whose assumptions do not hold (at_bound) at its largest ICL, beside
                      others whose do: not among those that are chosen from */
    int64_t smallest; /* rows of the smallest cluster */
    double seconds;   /* all fits of this size */
    cobloc_origin origin;
    cobloc_result *result;
} cobloc_size;

/* Sizes are in the order of the models, then of k, then of l. */
typedef struct cobloc_selection {
    cobloc_choice by; /* ICL or modularity */
    int count;
    cobloc_size *curve;
    int chosen;       /* its place in the curve */
    int best;         /* the place of the largest value that is not set aside; by ICL it is the
                         chosen one */
    int at_end;       /* the chosen size is the largest that was tried: larger ones may be better */
    cobloc_stop stop; /* CANCELLED or TIME: sizes may be missing */
    double seconds;
    char summary[512]; /* what to make of it, in a sentence or two */
} cobloc_selection;

/* Fits every size, first by itself, with the starts of cobloc_fit, then from its neighbours: from
 * the larger ones by merging the two closest clusters, from the smaller ones by splitting a
 * cluster. The best fit by the model's criterion is kept, so no size does worse than cobloc_fit
 * alone. */
COBLOC_API cobloc_status cobloc_select(const cobloc_matrix *matrix,
                                       const cobloc_select_options *options, cobloc_selection **out,
                                       cobloc_error *err);
COBLOC_API void cobloc_selection_free(cobloc_selection *selection);

/* Writes the chosen fit as cobloc_result_write does, and curve.tsv beside it. */
COBLOC_API cobloc_status cobloc_selection_write(const cobloc_selection *selection,
                                                const cobloc_matrix *matrix,
                                                const cobloc_select_options *options,
                                                const char *folder, cobloc_error *err);

/* A fit that chooses its number of clusters. It starts with options->k row clusters (and options->l
 * column clusters, or as many), which should be more than there can be, and merges two at a time by
 * the model's criterion, row clusters or column clusters where these are apart; after each merge
 * the lines may move. The answer is the step with the largest ICL: result->k and result->l. For
 * models with a likelihood whose clusters have no meaning of their own: plbm, splbm, lbm, dlbm1
 * to 3. */
COBLOC_API cobloc_status cobloc_fit_greedy(const cobloc_matrix *matrix,
                                           const cobloc_fit_options *options, cobloc_result **out,
                                           cobloc_error *err);

/* ---- ensembles ------------------------------------------------------------------------------- */

/* The consensus of many co-clusterings of one matrix, after "Ensemble block co-clustering"
 * (Affeldt, Labiod, Nadif 2020): they are made by fits of several models and sizes, or come from
 * anywhere; those of a good modularity are kept and joined, as there or as in "Co-clustering
 * ensembles based on multiple relevance measures" (Yu and others 2019). No table of rows by columns
 * is ever made: time and memory follow (rows + columns) times their number. */

/* Options; fill with cobloc_ensemble_options_default, then change what you need. Arrays are
 * borrowed. */
typedef struct cobloc_ensemble_options {
    const char *method; /* that joins them: "ebco" (default), or "coce", by their relevance */
    int k;              /* co-clusters of the consensus; 0 (default): chosen by modularity among */
    int k_from, k_to;   /* these; default 2 to 12, or fewer where the matrix is small */
    double within;      /* how: see cobloc_select_options; default 0.02 */

    const char *const *models; /* that make co-clusterings; NULL (default): dcc alone, and none at
                                  all where some are given */
    int model_count;
    int size_from, size_to; /* each with so many clusters; default 2 to 25, or fewer where the
                               matrix is small */
    int runs;               /* each so many times, with seeds of their own; default 1 */
    int base_restarts;      /* starts of each of these fits; default 1 */
    const cobloc_copartition *given; /* co-clusterings from elsewhere; default none */
    int given_count;
    double keep; /* keep those with at least this share of the best modularity; default 0.8 */

    cobloc_weight weight; /* of the entries, for fits and modularity; default TF-IDF; auto: every
                             model's own, modularity of the entries as they are */
    int restarts;         /* starts of the consensus; default 10 */
    int max_iterations;   /* of each; default 100; ebco draws the columns in the first 70 */
    uint64_t seed;        /* default 1 */
    int threads;          /* default 0: as many as OpenMP offers */
    double max_seconds;   /* default 0: no limit; the best so far is returned */
    cobloc_progress progress;
} cobloc_ensemble_options;

COBLOC_API void cobloc_ensemble_options_default(cobloc_ensemble_options *options);

/* A co-clustering that was there to be joined. */
typedef struct cobloc_member {
    const char *model; /* that made it; NULL: it was given, */
    const char *name;  /* and this is its name: as in the options; else NULL */
    int k;             /* its clusters of rows */
    int run;           /* 0 .. runs - 1; of given ones: the place in `given` */
    uint64_t seed;     /* of the fit that made it */
    double modularity; /* NaN: there are fewer different rows or columns than k */
    int kept;          /* whether it is in the consensus */
} cobloc_member;

typedef struct cobloc_consensus {
    int count, kept;
    cobloc_member *members;      /* the given ones first, then by model, size and run */
    cobloc_selection *selection; /* the sizes that were tried; NULL: k was given */
    cobloc_result *result;       /* the consensus; of a selection: the chosen one, which it owns */
    double seconds;
} cobloc_consensus;

COBLOC_API cobloc_status cobloc_ensemble(const cobloc_matrix *matrix,
                                         const cobloc_ensemble_options *options,
                                         cobloc_consensus **out, cobloc_error *err);
COBLOC_API void cobloc_consensus_free(cobloc_consensus *consensus);

/* Writes the consensus as cobloc_result_write does, and members.tsv beside it: every member with
 * its model, size and seed; where the size was chosen, curve.tsv, too. */
COBLOC_API cobloc_status cobloc_consensus_write(const cobloc_consensus *consensus,
                                                const cobloc_matrix *matrix,
                                                const cobloc_ensemble_options *options,
                                                const char *folder, cobloc_error *err);

/* ---- scores ---------------------------------------------------------------------------------- */

typedef struct cobloc_scores {
    double acc;    /* share of lines that agree, under the best matching of clusters and classes */
    double nmi;    /* mutual information over the geometric mean of the entropies */
    double ari;    /* adjusted Rand index */
    double purity; /* share of lines that are of the most frequent class of their cluster */
    double sdcs;   /* standard deviation of the clusters' sizes: of k, over k - 1; 0 for k = 1 */
    double truth_sdcs;     /* the same of the classes */
    int clusters, classes; /* that have a line */
    int64_t lines;         /* with both labels */
} cobloc_scores;

/* Compares two labelings of the same lines: the clusters found with the true classes. Lines with a
 * negative label in either are left out. */
COBLOC_API cobloc_status cobloc_score(const int32_t *labels, const int32_t *truth, int64_t count,
                                      cobloc_scores *scores, cobloc_error *err);

typedef struct cobloc_coscores {
    cobloc_scores rows, cols;
    double cce;  /* co-clustering error e + f - e f, with e = 1 - acc of the rows, f of the columns:
                    the share of cells whose row or column is wrong */
    double cari; /* co-clustering adjusted Rand index (Robert, Vasseur, Brault 2021): that of the
                    cells, labeled by their row and their column */
} cobloc_coscores;

/* Compares two co-clusterings, by rows, by columns, and by cells; the cells are never formed. */
COBLOC_API cobloc_status cobloc_coscore(const int32_t *row_labels, const int32_t *row_truth,
                                        int64_t rows, const int32_t *col_labels,
                                        const int32_t *col_truth, int64_t cols,
                                        cobloc_coscores *scores, cobloc_error *err);

/* How many lines of each class are in each cluster. Classes and clusters that the best matching
 * puts together come first, in the same places, so that what agrees stands on the diagonal; then
 * what is left over of either. Labels without a line do not appear. */
typedef struct cobloc_confusion {
    int classes, clusters;
    int32_t *class_labels;   /* of each row of the table */
    int32_t *cluster_labels; /* of each column */
    int64_t *counts;         /* classes by clusters */
} cobloc_confusion;

COBLOC_API cobloc_status cobloc_confusion_of(const int32_t *labels, const int32_t *truth,
                                             int64_t count, cobloc_confusion **out,
                                             cobloc_error *err);
COBLOC_API void cobloc_confusion_free(cobloc_confusion *confusion);

/* ---- comparing methods ----------------------------------------------------------------------- */

/* Two methods, tried on the same occasions: is the difference more than chance? Both tests are
 * two-sided. */
typedef struct cobloc_paired_test {
    int pairs;
    double difference, sd; /* mean and standard deviation of first - second */
    double t, t_p;         /* paired t-test; t is 0, p 1 where there is no difference at all */
    double wilcoxon;       /* signed-rank test: the smaller sum of ranks, pairs without a difference
                              left out, */
    double wilcoxon_p; /* exact, with ties, too, up to 200 pairs; then the normal approximation */
} cobloc_paired_test;

/* Needs two pairs or more. */
COBLOC_API cobloc_status cobloc_test_paired(const double *first, const double *second, int count,
                                            cobloc_paired_test *test, cobloc_error *err);

/* One of the methods of a comparison. */
typedef struct cobloc_contender {
    char name[64];              /* as it is shown */
    cobloc_fit_options options; /* seed, threads and progress are the comparison's */
} cobloc_contender;

/* Reads a method such as "coclus", "splbm:exact", "plbm:soft@tfidf": a model; then, behind colons,
 * an inference (else the model's own, see cobloc_model_inference) or "exact"; then, behind @, a
 * weight. Sets the name and these options, the weight only where it is given; the others stay as
 * they are, so fill them with cobloc_fit_options_default first. */
COBLOC_API cobloc_status cobloc_contender_parse(const char *text, cobloc_contender *contender,
                                                cobloc_error *err);

/* Options of a comparison; fill with cobloc_compare_options_default, then set the contenders. */
typedef struct cobloc_compare_options {
    int count;
    const cobloc_contender *contenders;
    int runs;              /* of each; default 10 */
    uint64_t seed;         /* default 1: run r of every contender has the seed `seed` + r */
    int threads;           /* runs at a time; default 0: as many as OpenMP offers */
    const char *runs_file; /* keeps every finished run: those that it holds already are not run
                              again, so that one can go on after a stop; NULL (default): none */
    cobloc_progress progress;
} cobloc_compare_options;

COBLOC_API void cobloc_compare_options_default(cobloc_compare_options *options);

/* One fit, scored against the truth. */
typedef struct cobloc_compared_run {
    int done; /* 0: it was not run to its end, and the rest means nothing */
    uint64_t seed;
    double acc, nmi, ari, sdcs; /* see cobloc_scores */
    double criterion, seconds;
    int iterations, repaired;
} cobloc_compared_run;

/* Of all finished runs of a contender. */
typedef struct cobloc_spread {
    double mean;
    double sd;   /* over the number of runs - 1; NaN for a single run */
    double best; /* of the run with the best criterion, which is chosen without the truth */
} cobloc_spread;

/* What became of a contender. */
typedef struct cobloc_compared {
    char name[64];
    const char *model, *criterion_name;
    cobloc_inference inference;
    cobloc_weight weight; /* that was used; never auto */
    int done;             /* finished runs */
    int best_run;         /* the one with the best criterion; -1: none is finished */
    cobloc_spread acc, nmi, ari, sdcs, criterion, seconds; /* NaN where none is finished */
    cobloc_compared_run *runs;
    cobloc_error failure; /* why it cannot be run on these data; status COBLOC_OK: it can */
} cobloc_compared;

typedef struct cobloc_comparison {
    int count, runs;
    cobloc_compared *methods; /* in the order of the contenders */
    double truth_sdcs;        /* of the classes: what the clusters' SDCS should be; else NaN */
    int kept;                 /* runs that were taken from the file */
    int stopped;              /* the progress callback asked to: some runs are missing */
    int first, second;        /* the best two by mean NMI; -1: there are not so many */
    cobloc_paired_test test;  /* of their NMI, paired by seed; no pairs where fewer than two are
                                 finished */
} cobloc_comparison;

/* Runs every contender so many times, in parallel, each fit on one thread, and scores it against
 * the truth (a class for each row, -1: unknown). A contender that cannot be run on these data does
 * not end the comparison. */
COBLOC_API cobloc_status cobloc_compare(const cobloc_matrix *matrix, const int32_t *truth,
                                        const cobloc_compare_options *options,
                                        cobloc_comparison **out, cobloc_error *err);
COBLOC_API void cobloc_comparison_free(cobloc_comparison *comparison);

/* ---- pictures -------------------------------------------------------------------------------- */

/* Charts for papers. The ending of the file's name says what it becomes: .svg, .pdf or .png. The
 * file appears under its name only when it is complete. Texts are UTF-8; lengths are points (1/72
 * inch); arrays are borrowed. The colours can be told apart with any kind of colour vision. */

/* One curve: points (x[i], y[i]), joined in their order. A point that is not finite is a gap. */
typedef struct cobloc_series {
    const char *name; /* in the legend; NULL: not there */
    int count;
    const double *x, *y;
    const double *errors; /* an error bar of y[i] - errors[i] to y[i] + errors[i]; NULL: none */
    int points_only;      /* not joined: values of single runs, say */
} cobloc_series;

/* A chart of curves; fill with cobloc_curves_default, then set at least the series. */
typedef struct cobloc_curves {
    int count;
    const cobloc_series *series;
    const char *title, *x_title, *y_title; /* NULL (default): none */
    double marked_x;                       /* a line at this x; NaN (default): none */
    const char *marked_label;              /* above that line; NULL (default): none */
    double width, height;                  /* default 360 by 240 */
} cobloc_curves;

COBLOC_API void cobloc_curves_default(cobloc_curves *curves);
COBLOC_API cobloc_status cobloc_plot_curves(const char *path, const cobloc_curves *curves,
                                            cobloc_error *err);

/* A group of values, with one value of each panel's kind in every member: the runs of a method with
 * their accuracy, NMI and ARI. */
typedef struct cobloc_box_group {
    const char *name; /* beside its boxes; neighbours of the same name share it */
    int colour;       /* 0, 1, ...: of the palette */
    int count;
    const double *values; /* panels by count: all values of the first panel, then of the second; one
                             that is not finite is left out */
} cobloc_box_group;

/* Box plots with every single value beside them: quartiles, the median, and whiskers to the last
 * value within 1.5 box lengths. Groups from top to bottom, panels from left to right. Fill with
 * cobloc_boxes_default, then set at least the groups and the number of panels. */
typedef struct cobloc_boxes {
    int count;
    const cobloc_box_group *groups;
    int panels;                     /* default 1 */
    const char *const *panel_names; /* below their axes; NULL (default): none */
    int colour_count;
    const char *const *colour_names; /* what the colours mean, in a legend; NULL (default): none */
    const char *title;               /* NULL (default): none */
    double width, height;            /* default 0: as much as the groups and panels need */
} cobloc_boxes;

COBLOC_API void cobloc_boxes_default(cobloc_boxes *boxes);
COBLOC_API cobloc_status cobloc_plot_boxes(const char *path, const cobloc_boxes *boxes,
                                           cobloc_error *err);

/* ---- reports --------------------------------------------------------------------------------- */

/* One size of the curve that a selection wrote. */
typedef struct cobloc_curve_point {
    char model[32];
    int k, l;
    double value, icl, modularity; /* NaN where there is none */
    int as_good, chosen;
} cobloc_curve_point;

/* Reads curve.tsv of a folder that cobloc_selection_write made. *count is 0, and *points NULL,
 * where the folder has none. Release with cobloc_curve_free. */
COBLOC_API cobloc_status cobloc_curve_read(const char *folder, cobloc_curve_point **points,
                                           int *count, cobloc_error *err);
COBLOC_API void cobloc_curve_free(cobloc_curve_point *points);

/* What a report, or a picture of a result, is made of; fill with cobloc_report_default, then set
 * at least the matrix and the result. All of it is borrowed. */
typedef struct cobloc_report {
    const cobloc_matrix *matrix; /* that was fitted, as it came */
    const cobloc_result *result;
    const cobloc_description *description; /* NULL (default): made by the way */
    const int32_t *truth; /* known classes of the rows, -1: unknown; NULL (default): none */
    const char *const *class_names; /* by number; NULL (default): the numbers */
    int curve_count;                /* see cobloc_curve_read */
    const cobloc_curve_point *curve;
    int density_only;  /* the page shows how dense the matrix is, not its entries; default 0: only
                          where these would take more than about 10 MB */
    const char *title; /* NULL (default): none */
    const char *row_word; /* what rows and columns are called, in the plural; NULL (default): */
    const char *col_word; /* "documents" and "terms" where the format says so, else "rows" and
                             "columns" */
} cobloc_report;

COBLOC_API void cobloc_report_default(cobloc_report *report);

/* Writes a page that needs nothing else: one HTML file, which asks no other computer for anything.
 * It shows the matrix as it came and in the order of the blocs, the blocks, what each bloc is
 * about, how the fit went, and finds any row or column by its name. The file appears under its name
 * only when it is complete. */
COBLOC_API cobloc_status cobloc_report_write(const cobloc_report *report, const char *path,
                                             cobloc_error *err);

/* Pictures of a result, in the same kinds of files as above. */
typedef enum cobloc_picture {
    COBLOC_PICTURE_MATRIX = 0,  /* as it came, and in the order of the blocs */
    COBLOC_PICTURE_BLOCKS,      /* how many times fuller each block is than by chance */
    COBLOC_PICTURE_GRAPH,       /* the columns of each bloc that go together */
    COBLOC_PICTURE_CONVERGENCE, /* the criterion over the iterations of the best restart */
    COBLOC_PICTURE_RESTARTS,    /* what each restart reached */
    COBLOC_PICTURE_CURVE,       /* the sizes that a selection tried; needs the curve */
    COBLOC_PICTURE_CONFUSION,   /* classes by blocs; needs the truth */
    COBLOC_PICTURE_SECTIONS     /* socc: main, second and common columns side by side */
} cobloc_picture;

/* "matrix", "blocks", ...: 0 <= picture < cobloc_picture_count(). */
COBLOC_API int cobloc_picture_count(void);
COBLOC_API const char *cobloc_picture_name(cobloc_picture picture);

COBLOC_API cobloc_status cobloc_plot_result(const char *path, const cobloc_report *report,
                                            cobloc_picture picture, cobloc_error *err);

/* ---- simulation ------------------------------------------------------------------------------ */

/* Matrices drawn from a latent block model: every row and column gets a cluster at random, and a
 * cell of row cluster k and column cluster l then is 1 with probability parameters[k, l]
 * (Bernoulli), or a Poisson count with the mean (row effect) * (column effect) * parameters[k, l].
 * The non-zeros are drawn, not the cells: time and memory follow the number of non-zeros. */

typedef enum cobloc_law { COBLOC_POISSON = 0, COBLOC_BERNOULLI } cobloc_law;

COBLOC_API const char *cobloc_law_name(cobloc_law law);

/* Where the effects of the rows or columns of a Poisson model (what a fit takes as their margins)
 * come from. */
typedef enum cobloc_effect_kind {
    COBLOC_EFFECT_CONSTANT = 0, /* all are `mean` */
    COBLOC_EFFECT_POISSON,      /* drawn with this mean; a 0 becomes 1 */
    COBLOC_EFFECT_GAMMA,        /* drawn with this mean and `shape` */
    COBLOC_EFFECT_LOGNORMAL,    /* drawn with this mean; `shape` is the sd of the logarithm */
    COBLOC_EFFECT_GIVEN         /* `count` numbers at `values`, one a line; borrowed */
} cobloc_effect_kind;

typedef struct cobloc_effects {
    cobloc_effect_kind kind;
    double mean;
    double shape;
    int64_t count;
    const double *values;
} cobloc_effects;

/* What to draw; fill with cobloc_simulation_default, or take a preset. Arrays are borrowed. */
typedef struct cobloc_simulation {
    cobloc_law law;                /* default Poisson */
    int64_t rows, cols;            /* no default */
    int k, l;                      /* row and column clusters; no default */
    const double *row_proportions; /* k, of sum 1 (to 2 %, then made so); NULL (default): equal */
    const double *col_proportions; /* l */
    const double *parameters;      /* k by l; no default */
    cobloc_effects row_effects;    /* default: all 1 */
    cobloc_effects col_effects;
    double density;           /* the parameters are scaled so that this share of the cells is
                                 expected to be non-zero; 0 (default): they are taken as they are */
    uint64_t seed;            /* default 1: same seed, same matrix, whatever the threads */
    int threads;              /* default 0: as many as OpenMP offers */
    cobloc_progress progress; /* default: none */
} cobloc_simulation;

COBLOC_API void cobloc_simulation_default(cobloc_simulation *simulation);

/* The presets, simulations of the papers: 0 <= index < cobloc_preset_count(). A part of a name in
 * capitals stands for a number: "dlbm-sparse:ZEROS" is taken as "dlbm-sparse:90". */
COBLOC_API int cobloc_preset_count(void);
COBLOC_API const char *cobloc_preset_name(int index);
COBLOC_API const char *cobloc_preset_title(int index);

/* A preset by its name, or what a JSON file describes. Change of it what you like (it keeps the
 * arrays that it came with); release it with cobloc_simulation_free. */
COBLOC_API cobloc_status cobloc_simulation_preset(const char *name, cobloc_simulation **out,
                                                  cobloc_error *err);
COBLOC_API cobloc_status cobloc_simulation_read(const char *path, cobloc_simulation **out,
                                                cobloc_error *err);
COBLOC_API void cobloc_simulation_free(cobloc_simulation *simulation);

/* What is known about a simulated matrix. */
typedef struct cobloc_truth {
    cobloc_law law;
    int64_t rows, cols;
    int k, l;
    int32_t *row_labels; /* rows */
    int32_t *col_labels; /* cols */
    int64_t *row_sizes;  /* k; a cluster that nobody was drawn for has 0 */
    int64_t *col_sizes;  /* l */
    double *parameters;  /* k by l, after scaling to the density */
    double *row_effects; /* rows; NULL for Bernoulli */
    double *col_effects; /* cols */
} cobloc_truth;

/* Draws a matrix. `truth` may be NULL. */
COBLOC_API cobloc_status cobloc_simulate(const cobloc_simulation *simulation,
                                         cobloc_matrix **matrix, cobloc_truth **truth,
                                         cobloc_error *err);
COBLOC_API void cobloc_truth_free(cobloc_truth *truth);

/* Writes a simulated matrix as cobloc_matrix_write does, and beside it NAME.labels.txt and
 * NAME.collabels.txt, for Poisson also NAME.row-effects.txt and NAME.col-effects.txt: one a line.
 * The matrix appears last. */
COBLOC_API cobloc_status cobloc_truth_write(const cobloc_truth *truth, const cobloc_matrix *matrix,
                                            const char *path, const cobloc_io_options *options,
                                            cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
