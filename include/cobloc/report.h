/* cobloc: a page about a result.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_REPORT_H
#define COBLOC_REPORT_H

#include "cobloc/describe.h"
#include "cobloc/map.h"
#include "cobloc/select.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a report, or a picture of a result, is made of: at least the matrix and the result. All
 * objects are borrowed. */
typedef struct cobloc_report cobloc_report;
COBLOC_API cobloc_status cobloc_report_new(cobloc_report **out, cobloc_error *err);
COBLOC_API void cobloc_report_free(cobloc_report *report);

/* Writes a page that needs nothing else: one HTML file, which asks no other computer for anything.
 * It shows the matrix as it came and in the order of the blocs, the blocks, what each bloc is
 * about, how the fit went, and finds any row or column by its name. The file appears under its name
 * only when it is complete. */
COBLOC_API cobloc_status cobloc_report_write(const cobloc_report *report, const char *path,
                                             cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
