/* cobloc: labels of rows or columns from files.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_LABELS_H
#define COBLOC_LABELS_H

#include "cobloc/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The label of each line as a class: 0, 1, ..., or -1 where a line has none. Classes are numbered
 * by size where their labels are numbers, then by the alphabet. Read with "labels" and
 * "class_names". */
typedef struct cobloc_labels cobloc_labels;

/* Reads a text file with one label a line, a number or a name. An empty line, ?, -, -1, NA and NaN
 * mean that there is no label. A table whose fields are separated by tabs or commas, with a header,
 * is read by its column "cluster", "label" or "class"; its column "name", if it has one, serves to
 * match lines by name. */
COBLOC_API cobloc_status cobloc_labels_read(const char *path, cobloc_labels **out,
                                            cobloc_error *err);

/* The labels of its rows that a matrix holds; none ("count" is 0) where it holds none. */
COBLOC_API cobloc_status cobloc_labels_own(const cobloc_matrix *matrix, cobloc_labels **out,
                                           cobloc_error *err);
COBLOC_API void cobloc_labels_free(cobloc_labels *labels);

/* Brings labels into the order of a matrix's rows or columns, or into that of other labels. Where
 * both have names, lines are matched by name: lines with an unknown name are left out, and names
 * without a line get no label; "note" then says so. Else there must be as many lines on both
 * sides. */
COBLOC_API cobloc_status cobloc_labels_match_rows(cobloc_labels *labels,
                                                  const cobloc_matrix *matrix, cobloc_error *err);
COBLOC_API cobloc_status cobloc_labels_match_cols(cobloc_labels *labels,
                                                  const cobloc_matrix *matrix, cobloc_error *err);
COBLOC_API cobloc_status cobloc_labels_match(cobloc_labels *labels, cobloc_labels *other,
                                             cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
