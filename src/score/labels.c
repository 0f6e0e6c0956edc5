/* Labels from files, and their numbers.
 * SPDX-License-Identifier: MIT
 */
#include "score/labels.h"

#include "base/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbering ------------------------------------------------------------------------------- */

static bool is_number(const char *text, double *value)
{
    return cob_scan_number(&text, value) && !*text;
}

static bool is_missing(const char *text)
{
    double value;
    return !*text || strcmp(text, "?") == 0 || strcmp(text, "-") == 0 || strcmp(text, "NA") == 0 ||
           (is_number(text, &value) && (value == -1 || isnan(value)));
}

typedef struct labeled {
    const char *text;
    bool number;
    double value;
    int64_t at;
} labeled;

/* Numbers by their size, then names by the alphabet. */
static int compare_labels(const void *a, const void *b)
{
    const labeled *x = a, *y = b;
    if (x->number != y->number)
        return x->number ? -1 : 1;
    if (x->number && x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return strcmp(x->text, y->text);
}

static void forget_numbers(cobloc_labels *l)
{
    for (int64_t c = 0; c < l->class_count; c++)
        cob_free(l->class_names[c]);
    cob_free(l->class_names);
    cob_free(l->labels);
    l->class_names = NULL;
    l->labels = NULL;
    l->class_count = l->count = 0;
}

cobloc_status cob_labels_number(cobloc_labels *l, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    labeled *known = NULL;
    size_t found = 0;
    forget_numbers(l);
    COB_NEW(l->labels, l->lines.count + 1);
    COB_NEW(known, l->lines.count + 1);
    COB_NEW(l->class_names, l->lines.count + 1);
    for (int64_t i = 0; i < l->lines.count; i++) {
        labeled one = {.text = l->lines.line[i], .at = i};
        one.number = is_number(one.text, &one.value);
        l->labels[i] = -1;
        if (!is_missing(one.text))
            known[found++] = one;
    }
    l->count = l->lines.count;
    qsort(known, found, sizeof *known, compare_labels);
    for (size_t i = 0; i < found; i++) {
        if (i == 0 || compare_labels(&known[i], &known[i - 1]) != 0) {
            COB_TRY(cob_copy_text(known[i].text, &l->class_names[l->class_count], err));
            l->class_count++;
        }
        l->labels[known[i].at] = (int32_t)(l->class_count - 1);
    }
done:
    cob_free(known);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

cobloc_status cobloc_labels_read(const char *path, cobloc_labels **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_labels *l = NULL;
    COB_MAKE(l, cob_labels_type);
    COB_TRY(cob_copy_text(path, &l->path, err));
    COB_TRY(cob_lines_read(path, &l->lines, err));
    COB_TRY(cob_labels_number(l, err));
    *out = l;
    l = NULL;
done:
    cobloc_labels_free(l);
    return status;
}

cobloc_status cobloc_labels_own(const cobloc_matrix *matrix, cobloc_labels **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_labels *l = NULL;
    int64_t rows = cobloc_matrix_rows(matrix);
    COB_MAKE(l, cob_labels_type);
    if (rows > 0 && cobloc_matrix_row_label(matrix, 0)) {
        COB_NEW(l->lines.line, rows);
        for (; l->lines.count < rows; l->lines.count++)
            l->lines.line[l->lines.count] = cobloc_matrix_row_label(matrix, l->lines.count);
        COB_TRY(cob_labels_number(l, err));
        cob_lines_free(&l->lines); /* the texts are the matrix's */
    }
    *out = l;
    l = NULL;
done:
    cobloc_labels_free(l);
    return status;
}
