/* The folder of a result: what output.c and model_file.c write, and saved.c reads back. It is
 * written as a whole (base/folder.h): what select and ensemble add to it is written before it is
 * committed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_SAVED_H
#define COB_FIT_SAVED_H

#include "base/file.h"
#include "base/folder.h"
#include "fit/fit.h"

/* Of results that were made from text. */
#define COB_MATRIX "matrix.cbm"

/* Of soft fits. */
#define COB_PROBABILITIES "rows.probabilities.tsv"

/* In every picture that cobloc draws, in a place that nobody sees. */
#define COB_PICTURE_MARK "drawn by cobloc"

/* A probability below this is written as 0. */
#define COB_NO_PROBABILITY 1e-12

/* CRC-32 of the tables that model.json belongs to; readers check them, because files of two fits
 * must not be mixed up. Those that are not there are 0. */
typedef struct cob_digests {
    uint32_t rows, probabilities;
} cob_digests;

/* Whether the folder of a result also gets the matrix: if it was made from text, or came through a
 * pipe, there is no file to read it from again. */
static inline bool cob_result_keeps(const cobloc_matrix *matrix)
{
    return matrix->fleeting || (matrix->text && !matrix->source);
}

/* The folder, still empty, that cob_folder_finish puts in place. */
cobloc_status cob_result_folder(const char *path, const cobloc_matrix *matrix, cob_folder **out,
                                cobloc_error *err);

/* Writes the files of the result into it, and the matrix if it was made from text. */
cobloc_status cob_result_files(const cobloc_result *result, const cobloc_matrix *matrix,
                               const cobloc_fit_options *options, cob_folder *folder,
                               cobloc_error *err);

/* Notes what a saved result knows of a fit. All is borrowed but what cob_saved_forget releases,
 * which is to be called whatever became of this. */
cobloc_status cob_saved_note(const cobloc_result *result, const cobloc_matrix *matrix,
                             const cobloc_fit_options *options, cobloc_saved *noted,
                             cobloc_error *err);
void cob_saved_forget(cobloc_saved *noted);

/* Whether labels and sizes are of one fit. */
cobloc_status cob_saved_check_sizes(const cobloc_result *result, cobloc_error *err);

cobloc_status cob_model_file_write(const char *path, const cobloc_result *result,
                                   const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                   const cob_digests *digests, cobloc_error *err);

/* ---- what methods of rows alone leave for new rows (centres.c) ------------------------------- */

/* Columns by clusters: the entries, weighted as they were, summed over the rows of each cluster (by
 * their probabilities, if there are any). NULL for what places new rows by other means. */
cobloc_status cob_centres_of(const cobloc_result *result, const cobloc_matrix *matrix,
                             double **centres, cobloc_error *err);

/* ---- a new matrix in terms of a fitted one (known.c) ----------------------------------------- */

/* Makes some rows of `matrix`, which is verified, over the columns of the fit, weighted as these
 * were, and leaves the others empty; what the fit knows nothing of is left out. Fills what the
 * prediction tells of the columns. */
cobloc_status cob_make_known(const cobloc_saved *saved, const cob_algorithm *algorithm,
                             const cobloc_matrix *matrix, cob_between rows, cobloc_prediction *told,
                             cobloc_matrix **out, cobloc_error *err);

#endif
