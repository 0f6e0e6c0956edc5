/* cobloc: placing new rows into the clusters of a result.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_PREDICT_H
#define COBLOC_PREDICT_H

#include "cobloc/fit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options of a prediction: row_effects, threads. */
typedef struct cobloc_predict_options cobloc_predict_options;
COBLOC_API cobloc_status cobloc_predict_options_new(cobloc_predict_options **out,
                                                    cobloc_error *err);
COBLOC_API void cobloc_predict_options_free(cobloc_predict_options *options);

/* Where new rows belong: labels, probabilities, ... */
typedef struct cobloc_prediction cobloc_prediction;

/* Places the rows of a matrix into the clusters of a result, by the rule that its own rows chose by
 * last, with the weights of then (TF-IDF: the frequencies of the fitted matrix). Columns are
 * matched by name where both have names, else there must be as many. COBLOC_UNSUPPORTED for methods
 * whose clusters leave no such rule: see cobloc_model_predicts. `options` may be NULL. */
COBLOC_API cobloc_status cobloc_predict(const cobloc_saved *saved, const cobloc_matrix *matrix,
                                        const cobloc_predict_options *options,
                                        cobloc_prediction **out, cobloc_error *err);
COBLOC_API void cobloc_prediction_free(cobloc_prediction *prediction);

#ifdef __cplusplus
}
#endif

#endif
