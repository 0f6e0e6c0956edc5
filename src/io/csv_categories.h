/* The categories of a dense table of words: a first pass over the file counts them. The code of a
 * word is its rank by frequency (then by bytes), so the most frequent word is 0, which is not
 * stored.
 *
 * If all words are whole numbers, these are the codes, and there are no words. A missing cell is a
 * word like any other, unless missing cells are kept as missing.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_CSV_CATEGORIES_H
#define COB_IO_CSV_CATEGORIES_H

#include "base/intern.h"
#include "io/csv_layout.h"
#include "io/formats.h"

/* All zero: no categories. */
typedef struct cob_csv_categories {
    cob_intern words; /* numbered by their codes */
    bool ignore;      /* missing cells are not words */
} cob_csv_categories;

void cob_csv_categories_free(cob_csv_categories *categories);

/* Reads the source from its first record to the end. */
cobloc_status cob_csv_find_categories(const cob_reading *reading, const cob_csv_layout *layout,
                                      cob_csv_categories *categories, cobloc_error *err);

/* The code of a cell; NAN: it is missing. */
cobloc_status cob_csv_code(const cob_csv_categories *categories, const cob_field *field,
                           cob_room *room, double *code, cobloc_error *err);

cobloc_status cob_csv_category_names(const cob_csv_categories *categories, cob_names *names,
                                     cobloc_error *err);

#endif
