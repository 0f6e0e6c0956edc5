/* Labels from files, and their numbers.
 * SPDX-License-Identifier: MIT
 */
#include "score/labels.h"

#include "base/intern.h"
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

/* The names of classes in their order, each with its number among all texts, and how many. */
static int64_t sort_classes(const cob_names *texts, labeled *known)
{
    int64_t count = 0;
    for (int64_t c = 0; c < texts->count; c++) {
        labeled one = {.text = cob_names_get(texts, c), .at = c};
        one.number = is_number(one.text, &one.value);
        if (!is_missing(one.text))
            known[count++] = one;
    }
    qsort(known, (size_t)count, sizeof *known, compare_labels);
    return count;
}

cobloc_status cob_labels_number(cobloc_labels *l, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_intern texts = {0};
    labeled *known = NULL;
    int32_t *class_of = NULL;
    forget_numbers(l);
    COB_NEW(l->labels, l->lines.count + 1);
    for (; l->count < l->lines.count; l->count++) {
        const char *text = l->lines.line[l->count];
        int64_t number;
        COB_TRY(cob_intern_add(&texts, text, strlen(text), &number, err));
        l->labels[l->count] = (int32_t)number;
    }
    COB_NEW(known, texts.names.count + 1);
    COB_NEW(class_of, texts.names.count + 1);
    memset(class_of, -1, (size_t)texts.names.count * sizeof *class_of);
    int64_t classes = sort_classes(&texts.names, known);
    COB_NEW(l->class_names, classes + 1);
    for (; l->class_count < classes; l->class_count++) {
        const labeled *one = &known[l->class_count];
        COB_TRY(cob_copy_text(one->text, &l->class_names[l->class_count], err));
        class_of[one->at] = (int32_t)l->class_count;
    }
    for (int64_t i = 0; i < l->count; i++)
        l->labels[i] = class_of[l->labels[i]];
done:
    cob_intern_free(&texts);
    cob_free(known);
    cob_free(class_of);
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
