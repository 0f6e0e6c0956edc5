/* Labels and numbers from files.
 * SPDX-License-Identifier: MIT
 */
#include "labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- labels by name or number ---------------------------------------------------------------- */

static bool is_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end;
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

int32_t *cli_number_labels(const cli_lines *lines)
{
    int32_t *labels = malloc((size_t)(lines->count + 1) * sizeof *labels), next = -1;
    labeled *known = malloc((size_t)(lines->count + 1) * sizeof *known);
    size_t count = 0;
    if (!labels || !known) {
        free(labels);
        free(known);
        cli_complain("out of memory");
        return NULL;
    }
    for (int64_t i = 0; i < lines->count; i++) {
        labeled label = {.text = lines->line[i], .at = i};
        label.number = is_number(label.text, &label.value);
        labels[i] = -1;
        if (!is_missing(label.text))
            known[count++] = label;
    }
    qsort(known, count, sizeof *known, compare_labels);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare_labels(&known[i], &known[i - 1]) != 0)
            next++;
        labels[known[i].at] = next;
    }
    free(known);
    return labels;
}

const char **cli_label_texts(const cli_lines *lines, const int32_t *labels)
{
    const char **texts = malloc((size_t)(lines->count + 1) * sizeof *texts);
    if (!texts)
        cli_complain("out of memory");
    for (int64_t i = 0; texts && i < lines->count; i++)
        if (labels[i] >= 0)
            texts[labels[i]] = lines->line[i];
    return texts;
}

/* ---- classes of a matrix's rows -------------------------------------------------------------- */

/* What the labels of a matrix are about. */
typedef struct side {
    const char *what;
    int64_t count;
    const char *(*name_of)(const cobloc_matrix *, int64_t);
} side;

/* A list of all names; NULL after a complaint. */
static const char **names_of(const cobloc_matrix *matrix, const side *s)
{
    const char **names = malloc((size_t)(s->count + 1) * sizeof *names);
    if (!names)
        cli_complain("out of memory");
    for (int64_t i = 0; names && i < s->count; i++)
        names[i] = s->name_of(matrix, i);
    return names;
}

static bool match_names(const char *path, cli_lines *lines, const cobloc_matrix *matrix,
                        const side *s)
{
    if (lines->name && s->count > 0 && s->name_of(matrix, 0)) {
        const char **names = names_of(matrix, s);
        bool good = names && cli_follow_names(path, lines, "the matrix", names, s->count);
        free(names);
        return good;
    }
    if (cli_lines_are(lines, s->count))
        return true;
    cli_complain("%s: holds %lld labels, but the matrix has %lld %s", path, (long long)lines->count,
                 (long long)s->count, s->what);
    return false;
}

static bool read_lines(const char *path, const cobloc_matrix *matrix, side s, cli_lines *lines)
{
    return cli_read_lines(path, lines) && match_names(path, lines, matrix, &s);
}

/* The matrix's own labels; they stay where they are. No lines where it has none. */
static bool own_lines(const cobloc_matrix *matrix, cli_lines *lines)
{
    int64_t rows = cobloc_matrix_rows(matrix);
    if (rows == 0 || !cobloc_matrix_row_label(matrix, 0))
        return true;
    lines->line = malloc((size_t)rows * sizeof *lines->line);
    if (!lines->line) {
        cli_complain("out of memory");
        return false;
    }
    for (; lines->count < rows; lines->count++)
        lines->line[lines->count] = cobloc_matrix_row_label(matrix, lines->count);
    return true;
}

bool cli_classes_read(const char *path, const cobloc_matrix *matrix, cli_classes *c)
{
    side rows = {"rows", cobloc_matrix_rows(matrix), cobloc_matrix_row_name};
    *c = (cli_classes){0};
    if (path ? !read_lines(path, matrix, rows, &c->lines) : !own_lines(matrix, &c->lines))
        return false;
    if (!c->lines.line)
        return true;
    c->labels = cli_number_labels(&c->lines);
    c->names = c->labels ? cli_label_texts(&c->lines, c->labels) : NULL;
    return c->names != NULL;
}

void cli_classes_free(cli_classes *c)
{
    cli_lines_free(&c->lines);
    free(c->labels);
    free((void *)c->names);
}

/* The numbers alone. */
static int32_t *row_classes(const char *path, const cobloc_matrix *matrix)
{
    cli_classes classes;
    int32_t *labels = NULL;
    if (cli_classes_read(path, matrix, &classes)) {
        labels = classes.labels;
        classes.labels = NULL;
    }
    cli_classes_free(&classes);
    return labels;
}

int32_t *cli_row_classes(const char *path, const cobloc_matrix *matrix)
{
    return row_classes(path, matrix);
}

int32_t *cli_own_classes(const cobloc_matrix *matrix)
{
    if (cobloc_matrix_row_label(matrix, 0))
        return row_classes(NULL, matrix);
    cli_complain("the matrix has no labels of its rows: --truth says what they are");
    return NULL;
}

int32_t *cli_col_classes(const char *path, const cobloc_matrix *matrix)
{
    cli_lines lines;
    int32_t *classes = NULL;
    side cols = {"columns", cobloc_matrix_cols(matrix), cobloc_matrix_col_name};
    if (read_lines(path, matrix, cols, &lines))
        classes = cli_number_labels(&lines);
    cli_lines_free(&lines);
    return classes;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool check_count(const char *path, const cli_lines *lines, int64_t expected)
{
    if (lines->count == expected)
        return true;
    cli_complain("%s: holds %lld lines, expected %lld", path, (long long)lines->count,
                 (long long)expected);
    return false;
}

int32_t *cli_integer_labels(const char *path, int64_t expected)
{
    cli_lines lines;
    int32_t *labels = NULL;
    if (!cli_read_lines(path, &lines))
        return NULL;
    if (check_count(path, &lines, expected))
        labels = malloc((size_t)expected * sizeof *labels);
    for (int64_t i = 0; labels && i < expected; i++) {
        char *end;
        long value = strtol(lines.line[i], &end, 10);
        if (end == lines.line[i] || *end || value < -1 || value > INT32_MAX) {
            cli_complain("%s:%lld: '%s' is not a label, expected a whole number from 0, or -1",
                         path, (long long)lines.number[i], lines.line[i]);
            free(labels);
            labels = NULL;
            break;
        }
        labels[i] = (int32_t)value;
    }
    cli_lines_free(&lines);
    return labels;
}

double *cli_numbers(const char *path, int64_t expected)
{
    cli_lines lines;
    double *numbers = NULL;
    if (!cli_read_lines(path, &lines))
        return NULL;
    if (check_count(path, &lines, expected))
        numbers = malloc((size_t)expected * sizeof *numbers);
    for (int64_t i = 0; numbers && i < expected; i++)
        if (!is_number(lines.line[i], &numbers[i])) {
            cli_complain("%s:%lld: '%s' is not a number", path, (long long)lines.number[i],
                         lines.line[i]);
            free(numbers);
            numbers = NULL;
        }
    cli_lines_free(&lines);
    return numbers;
}
