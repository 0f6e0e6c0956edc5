/* cobloc: what the clusters of a result are about.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_DESCRIBE_H
#define COBLOC_DESCRIBE_H

#include "cobloc/fit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options of a description: how many terms and rows, ... */
typedef struct cobloc_describe_options cobloc_describe_options;
COBLOC_API cobloc_status cobloc_describe_options_new(cobloc_describe_options **out,
                                                     cobloc_error *err);
COBLOC_API void cobloc_describe_options_free(cobloc_describe_options *options);

/* What a result is about: blocs, each with its frequent, telling and coherent terms and its typical
 * rows, and how full the blocks are. A term is a column; where rows are documents, a word. */
typedef struct cobloc_description cobloc_description;

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

#ifdef __cplusplus
}
#endif

#endif
