/* Labels from files, and their numbers.
 * SPDX-License-Identifier: MIT
 */
#include "score/scores.h"

#include "base/alloc.h"
#include "base/failures.h"
#include "base/intern.h"
#include "base/parallel.h"
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

/* The labels of each part of the lines are numbered side by side, each part by itself; then the
 * texts of all parts in the order of the parts, which is that of the lines. */
typedef struct part {
    cob_intern texts;
    int32_t *number; /* of each of its texts, among all */
    int64_t first, last;
} part;

static cobloc_status number_part(cobloc_labels *l, part *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int64_t i = p->first; i < p->last; i++) {
        const char *text = l->lines.line[i];
        int64_t number;
        COB_TRY(cob_intern_add(&p->texts, text, strlen(text), &number, err));
        l->labels[i] = (int32_t)number;
    }
    COB_NEW(p->number, p->texts.names.count + 1);
done:
    return status;
}

static cobloc_status number_texts(part *p, cob_intern *texts, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int64_t t = 0; t < p->texts.names.count; t++) {
        const char *text = cob_names_get(&p->texts.names, t);
        int64_t number;
        COB_TRY(cob_intern_add(texts, text, strlen(text), &number, err));
        p->number[t] = (int32_t)number;
    }
done:
    return status;
}

/* The names of the classes, and the class of each text; -1: none. */
static cobloc_status name_classes(cobloc_labels *l, const cob_names *texts, int32_t *class_of,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    labeled *known = NULL;
    COB_NEW(known, texts->count + 1);
    memset(class_of, -1, (size_t)texts->count * sizeof *class_of);
    int64_t classes = sort_classes(texts, known);
    COB_NEW(l->class_names, classes + 1);
    for (; l->class_count < classes; l->class_count++) {
        const labeled *one = &known[l->class_count];
        COB_TRY(cob_copy_text(one->text, &l->class_names[l->class_count], err));
        class_of[one->at] = (int32_t)l->class_count;
    }
done:
    cob_free(known);
    return status;
}

cobloc_status cob_labels_number(cobloc_labels *l, cobloc_error *err)
{
    enum { LINE = 30 }; /* nanoseconds */
    cobloc_status status = COBLOC_OK;
    int64_t count = l->lines.count;
    int parts = cob_threads_worth(cob_threads(0), LINE * count);
    cob_intern texts = {0};
    part *all = NULL;
    int32_t *class_of = NULL;
    cob_failures failed = COB_NO_FAILURE;
    forget_numbers(l);
    COB_NEW_ZERO(all, parts);
    COB_NEW(l->labels, count + 1);
    l->count = count;
#pragma omp parallel for schedule(static, 1) num_threads(parts)
    for (int p = 0; p < parts; p++) {
        cobloc_error own;
        all[p].first = count * p / parts;
        all[p].last = count * (p + 1) / parts;
        cob_failures_note(&failed, p, number_part(l, &all[p], &own), &own);
    }
    COB_TRY(cob_failures_end(&failed, err));
    for (int p = 0; p < parts; p++)
        COB_TRY(number_texts(&all[p], &texts, err));
    COB_NEW(class_of, texts.names.count + 1);
    COB_TRY(name_classes(l, &texts.names, class_of, err));
#pragma omp parallel for schedule(static, 1) num_threads(parts)
    for (int p = 0; p < parts; p++)
        for (int64_t i = all[p].first; i < all[p].last; i++)
            l->labels[i] = class_of[all[p].number[l->labels[i]]];
done:
    for (int p = 0; all && p < parts; p++) {
        cob_intern_free(&all[p].texts);
        cob_free(all[p].number);
    }
    cob_free(all);
    cob_intern_free(&texts);
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
        l->lines.count = rows;
#pragma omp parallel for schedule(static) num_threads(cob_threads_worth(cob_threads(0), rows))
        for (int64_t i = 0; i < rows; i++)
            l->lines.line[i] = cobloc_matrix_row_label(matrix, i);
        COB_TRY(cob_labels_number(l, err));
        cob_lines_free(&l->lines); /* the texts are the matrix's */
    }
    *out = l;
    l = NULL;
done:
    cobloc_labels_free(l);
    return status;
}
