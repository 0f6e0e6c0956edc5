/* Labels from files; score/fields.c says what each field means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SCORE_LABELS_H
#define COB_SCORE_LABELS_H

#include "cobloc/labels.h"

#include "base/fields.h"
#include "base/lines.h"

struct cobloc_labels {
    cob_object head;
    char *path; /* of the file; NULL: from the matrix */
    int64_t count;
    int32_t *labels;
    int64_t class_count;
    char **class_names;
    char note[512];
    cob_lines lines;
};

extern const cob_type cob_labels_type;

/* Numbers the lines' labels, and names the classes. */
cobloc_status cob_labels_number(cobloc_labels *labels, cobloc_error *err);

#endif
