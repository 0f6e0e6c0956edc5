/* cobloc: co-clustering a matrix: models, options, the result, and results in folders.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_FIT_H
#define COBLOC_FIT_H

#include "cobloc/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How memberships are taken from scores. */
typedef enum cobloc_inference {
    COBLOC_INFERENCE_AUTO = 0, /* for a fit: the model's own, see cobloc_model_inference */
    COBLOC_HARD,               /* the best cluster */
    COBLOC_SOFT,               /* probabilities (variational EM) */
    COBLOC_STOCHASTIC,         /* draws (SEM-Gibbs); models without probabilities: annealing */
    COBLOC_SVEM                /* draws first, then probabilities */
} cobloc_inference;

/* Where a run starts. */
typedef enum cobloc_start {
    COBLOC_START_AUTO = 0, /* merge, skmeans, merge, ... in turns, each improved by splits and
                              merges; binary models: merge, skmeans, spectral, ... */
    COBLOC_START_MERGE, /* k-means with four times as many clusters, merged down by the criterion */
    COBLOC_START_SKMEANS,  /* spherical k-means++ on the TF-IDF rows */
    COBLOC_START_SPECTRAL, /* k-means++ on singular vectors, as the method spec */
    COBLOC_START_RANDOM,
    COBLOC_START_LABELS /* the options start_rows and start_cols */
} cobloc_start;

/* What several ranks (cobloc/ranks.h) share. */
typedef enum cobloc_share {
    COBLOC_SHARE_AUTO = 0,
    COBLOC_SHARE_STARTS, /* every start is one rank's */
    COBLOC_SHARE_LINES,  /* every rank has some of the rows and of the columns; block models */
    COBLOC_SHARE_GROUPS  /* every start is one group's (cobloc_set_group), which shares lines */
} cobloc_share;

/* How a run ended. Reaching a limit is not an error. */
typedef enum cobloc_stop {
    COBLOC_STOP_CONVERGED = 0,
    COBLOC_STOP_ITERATIONS,
    COBLOC_STOP_TIME,
    COBLOC_STOP_CANCELLED
} cobloc_stop;

/* The GPUs that CUDA finds, for the option `device` of a fit: how many there are (0, too, where
 * CUDA is not installed), and in words what one of them is, from number 0 on. */
COBLOC_API int cobloc_device_count(void);
COBLOC_API cobloc_status cobloc_device_describe(int number, char *text, size_t room,
                                                cobloc_error *err);

COBLOC_API const char *cobloc_inference_name(cobloc_inference inference);
COBLOC_API const char *cobloc_start_name(cobloc_start start);
COBLOC_API const char *cobloc_stop_name(cobloc_stop stop);

/* All that can be fitted, block models first, then the methods beside them: 0 <= index <
 * cobloc_model_count(). */
COBLOC_API int cobloc_model_count(void);
COBLOC_API int cobloc_model_find(const char *name); /* its index; -1: there is none */
COBLOC_API const char *cobloc_model_name(int index);
COBLOC_API const char *cobloc_model_title(int index);
COBLOC_API const char *cobloc_model_criterion(int index);
COBLOC_API int cobloc_model_is_minimised(int index); /* a smaller criterion is better */
COBLOC_API int cobloc_model_is_diagonal(int index);  /* row cluster k goes with column cluster k */
/* It clusters rows alone; each column goes beside the rows that hold the largest share of
 * themselves in it. */
COBLOC_API int cobloc_model_is_one_sided(int index);
COBLOC_API int cobloc_model_has_probabilities(int index); /* all inferences are legal */
COBLOC_API int cobloc_model_predicts(int index);          /* cobloc_predict can place new rows */
COBLOC_API int cobloc_model_takes_inference(int index, cobloc_inference inference);
COBLOC_API cobloc_inference cobloc_model_inference(int index); /* what it is usually fitted by */
COBLOC_API int cobloc_model_restarts(int index);               /* and how often it is started */
COBLOC_API cobloc_weight cobloc_model_weight(int index); /* what it uses where none is asked for */
/* What it uses where `asked` is asked for: some models take only some weights. Never auto. */
COBLOC_API cobloc_weight cobloc_model_weight_for(int index, cobloc_weight asked);

/* Options of a fit: model, k, restarts, seed, ...; k must be set. Arrays that are set have one
 * element for each row or column of the matrix. */
typedef struct cobloc_fit_options cobloc_fit_options;
COBLOC_API cobloc_status cobloc_fit_options_new(cobloc_fit_options **out, cobloc_error *err);
COBLOC_API void cobloc_fit_options_free(cobloc_fit_options *options);

/* What a fit finds: row_labels, col_labels, criterion, ... */
typedef struct cobloc_result cobloc_result;
COBLOC_API void cobloc_result_free(cobloc_result *result);

COBLOC_API cobloc_status cobloc_fit(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                    cobloc_result **out, cobloc_error *err);

/* Sets options for a fit that gives a result with fewer row clusters: the labels of this one,
 * merged by its hierarchy until k are left, numbered by size and kept fixed, with its model and
 * weight; of diagonal models, columns follow their rows. Row and column effects must be set again.
 * COBLOC_UNSUPPORTED for methods without a hierarchy. */
COBLOC_API cobloc_status cobloc_cut_options(const cobloc_result *result, int k,
                                            cobloc_fit_options *options, cobloc_error *err);

/* What a fit takes of memory, in bytes, about: total, ... */
typedef struct cobloc_fit_need cobloc_fit_need;
COBLOC_API cobloc_status cobloc_fit_memory(const cobloc_matrix *matrix,
                                           const cobloc_fit_options *options, cobloc_fit_need **out,
                                           cobloc_error *err);
COBLOC_API void cobloc_fit_need_free(cobloc_fit_need *need);

/* Removes a checkpoint (option "checkpoint") once its result is in a safe place; a finished one is
 * left by the fit, so that nothing is lost until then. Other files in the folder stay. It is no
 * error if there is none. */
COBLOC_API cobloc_status cobloc_checkpoint_remove(const char *folder, cobloc_error *err);

/* ---- results in folders ---------------------------------------------------------------------- */

/* Writes rows.tsv, cols.tsv and model.json into a folder, which is made if need be; where there are
 * probabilities, also rows.probabilities.tsv with those of all clusters; and matrix.cbm, if the
 * matrix was made from text. They hold all that is needed to repeat the fit and to place new rows,
 * save other matrices. The folder is replaced as a whole: files of an earlier result go, others
 * stay. */
COBLOC_API cobloc_status cobloc_result_write(const cobloc_result *result,
                                             const cobloc_matrix *matrix,
                                             const cobloc_fit_options *options, const char *folder,
                                             cobloc_error *err);

/* Whether cobloc_result_write could write into this folder, to find out before the fit: it can be
 * made or written to, its disk has room for a result of this matrix (which may be NULL), and it
 * holds no files of these names that are not from cobloc, unless they may be replaced (`force`).
 * Nothing is left behind. */
COBLOC_API cobloc_status cobloc_result_check(const char *folder, const cobloc_matrix *matrix,
                                             int force, cobloc_error *err);

/* What such a folder holds: the result, and options that give it again on the same matrix. What
 * cobloc_select, cobloc_fit_greedy and cobloc_ensemble wrote is repeated with their own options:
 * here are the size that was chosen, and a start from the clusters that were found. */
typedef struct cobloc_saved cobloc_saved;

/* Reads a folder that cobloc_result_write or cobloc_selection_write made. */
COBLOC_API cobloc_status cobloc_saved_read(const char *folder, cobloc_saved **out,
                                           cobloc_error *err);
/* The same of a fit in memory, without a folder: a copy of all that placing new rows and repeating
 * the fit need. `options` are those of the fit, or of one that comes to the same. */
COBLOC_API cobloc_status cobloc_saved_of(const cobloc_result *result, const cobloc_matrix *matrix,
                                         const cobloc_fit_options *options, cobloc_saved **out,
                                         cobloc_error *err);
COBLOC_API void cobloc_saved_free(cobloc_saved *saved);

/* What a folder would hold as bytes, and back: for programs that store objects in their own way.
 * Bytes may come from anywhere: nothing of them is believed before it is checked. */
COBLOC_API cobloc_status cobloc_saved_pack(const cobloc_saved *saved, void **bytes, size_t *count,
                                           cobloc_error *err);
COBLOC_API void cobloc_bytes_free(void *bytes);
COBLOC_API cobloc_status cobloc_saved_unpack(const void *bytes, size_t count, cobloc_saved **out,
                                             cobloc_error *err);

/* The names of the rows and columns that were fitted; NULL where they had none. */
COBLOC_API const char *cobloc_saved_row_name(const cobloc_saved *saved, int64_t row);
COBLOC_API const char *cobloc_saved_col_name(const cobloc_saved *saved, int64_t col);

/* Reads the matrix that a folder was fitted to: from `path`, or, where that is NULL, from
 * matrix.cbm in the folder if there is one, else from where it was then. It is an error if its
 * size, its sum or its names are others. `options` may be NULL. */
COBLOC_API cobloc_status cobloc_saved_matrix(const cobloc_saved *saved, const char *path,
                                             const cobloc_io_options *options, cobloc_matrix **out,
                                             cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
