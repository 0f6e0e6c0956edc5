/* cobloc info: what is in a matrix, in text, in a result.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"
#include "input.h"

#include <stdlib.h>
#include <string.h>

/* ---- quantiles of the margins ---------------------------------------------------------------- */

enum { QUANTILES = 5 };
static const char *const quantile_names[QUANTILES] = {"min", "q25", "median", "q75", "max"};

typedef struct margin {
    const char *key;   /* in JSON */
    const char *title; /* in the table */
    double quantile[QUANTILES];
    double mean;
} margin;

static int compare_doubles(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Sorts the values and reads the quantiles off (linear between neighbours). */
static void summarise(margin *m, double *values, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    m->mean = sum / (double)count;
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    for (int q = 0; q < QUANTILES; q++) {
        double at = (double)(count - 1) * q / (QUANTILES - 1);
        int64_t low = (int64_t)at;
        int64_t high = low + 1 < count ? low + 1 : low;
        m->quantile[q] = values[low] + (at - (double)low) * (values[high] - values[low]);
    }
}

/* The four margins: entries and sums, of rows and of columns. */
static void measure(const cobloc_matrix *matrix, margin margins[4])
{
    const cobloc_view views[] = {cobloc_matrix_by_rows(matrix), cobloc_matrix_by_cols(matrix)};
    const double *sums[] = {cobloc_matrix_row_sums(matrix), cobloc_matrix_col_sums(matrix)};
    for (int side = 0; side < 2; side++) {
        int64_t count = views[side].major;
        double *values = cli_memory(malloc((size_t)count * sizeof *values));
        for (int64_t i = 0; i < count; i++)
            values[i] = (double)(views[side].offsets[i + 1] - views[side].offsets[i]);
        summarise(&margins[side], values, count);
        memcpy(values, sums[side], (size_t)count * sizeof *values);
        summarise(&margins[side + 2], values, count);
        free(values);
    }
}

/* ---- labels ---------------------------------------------------------------------------------- */

static int compare_texts(const void *a, const void *b)
{
    const char *x, *y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return strcmp(x, y);
}

/* The number of different labels; 0 where there are none. */
static int64_t count_classes(const cobloc_matrix *matrix)
{
    int64_t rows = cobloc_matrix_rows(matrix), classes = 0;
    if (!cobloc_matrix_row_label(matrix, 0))
        return 0;
    const char **labels = cli_memory(malloc((size_t)rows * sizeof *labels));
    for (int64_t i = 0; i < rows; i++)
        labels[i] = cobloc_matrix_row_label(matrix, i);
    qsort(labels, (size_t)rows, sizeof *labels, compare_texts);
    for (int64_t i = 0; i < rows; i++)
        classes += i == 0 || strcmp(labels[i], labels[i - 1]) != 0;
    free(labels);
    return classes;
}

/* ---- printing -------------------------------------------------------------------------------- */

static double density(const cobloc_matrix *matrix)
{
    return (double)cobloc_matrix_nnz(matrix) /
           ((double)cobloc_matrix_rows(matrix) * (double)cobloc_matrix_cols(matrix));
}

static void format_bytes(size_t bytes, char *text, size_t room)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 1024 && unit < 4; unit++)
        value /= 1024;
    snprintf(text, room, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

/* The first few names, so that one sees what they are. */
static void example_names(const cobloc_matrix *matrix, int64_t count,
                          const char *(*name)(const cobloc_matrix *, int64_t), char *text,
                          size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    if (!name(matrix, 0)) {
        snprintf(text, room, "none");
        return;
    }
    for (int64_t i = 0; i < count && i < 4; i++) {
        int n = snprintf(text + used, room - used, "%s%.30s", i ? ", " : "", name(matrix, i));
        used += (size_t)(n > 0 ? n : 0);
        if (used >= room)
            return;
    }
    if (count > 4)
        snprintf(text + used, room - used, ", ...");
}

/* Where cells are missing: how many, and what they count as. */
static void print_missing(cli_table *t, const cobloc_matrix *matrix)
{
    int64_t kept = cobloc_matrix_missing_count(matrix);
    int64_t zero = cobloc_matrix_missing_as_zero(matrix);
    if (kept + zero == 0)
        return;
    cli_table_row(t, "missing", "%lld cells%s", (long long)(kept + zero),
                  zero > 0 ? ", read as 0" : "");
}

static void print_facts(const cobloc_matrix *matrix, const char *path, int64_t classes)
{
    char text[200];
    cli_table *t = cli_table_new("ll");
    int64_t rows = cobloc_matrix_rows(matrix), cols = cobloc_matrix_cols(matrix);
    cli_say(stdout, "%s: %s", path,
            cobloc_matrix_text(matrix) && cli_is_folder(path) ? "a folder of text"
            : cobloc_matrix_format(matrix)                    ? cobloc_matrix_format(matrix)
                                                              : "text");
    cli_table_row(t, "rows", "%lld (%lld empty)", (long long)rows,
                  (long long)cobloc_matrix_empty_rows(matrix));
    cli_table_row(t, "columns", "%lld (%lld empty)", (long long)cols,
                  (long long)cobloc_matrix_empty_cols(matrix));
    cli_table_row(t, "non-zeros", "%lld (%.3g %% of the cells)",
                  (long long)cobloc_matrix_nnz(matrix), density(matrix) * 100);
    print_missing(t, matrix);
    cli_table_row(t, "values", "%s%s", cobloc_value_kind_name(cobloc_matrix_kind(matrix)),
                  cobloc_matrix_has_negative(matrix) ? ", some negative" : "");
    int64_t categories = cobloc_matrix_category_count(matrix);
    if (categories > 0) {
        example_names(matrix, categories, cobloc_matrix_category_name, text, sizeof text);
        cli_table_row(t, "categories", "%lld: %s", (long long)categories, text);
    }
    cli_table_row(t, "total", "%.15g", cobloc_matrix_total(matrix));
    example_names(matrix, rows, cobloc_matrix_row_name, text, sizeof text);
    cli_table_row(t, "row names", "%s", text);
    example_names(matrix, cols, cobloc_matrix_col_name, text, sizeof text);
    cli_table_row(t, "column names", "%s", text);
    cli_table_cell(t, "labels");
    if (classes > 0)
        cli_table_cell(t, "%lld classes", (long long)classes);
    else
        cli_table_cell(t, "none");
    int64_t fields = cobloc_matrix_field_count(matrix);
    if (fields > 0) {
        example_names(matrix, fields, cobloc_matrix_field_name, text, sizeof text);
        cli_table_row(t, "fields", "%s", text);
    }
    format_bytes(cobloc_matrix_bytes(matrix), text, sizeof text);
    cli_table_row(t, "memory", "%s", text);
    cli_table_print(t, stdout);
}

static void print_margins(const margin margins[4])
{
    cli_table *t = cli_table_new("lrrrrrr");
    putchar('\n');
    cli_table_cell(t, "%s", "");
    for (int q = 0; q < QUANTILES; q++)
        cli_table_cell(t, "%s", quantile_names[q]);
    cli_table_cell(t, "mean");
    for (int m = 0; m < 4; m++) {
        cli_table_cell(t, "%s", margins[m].title);
        for (int q = 0; q < QUANTILES; q++)
            cli_table_cell(t, "%.6g", margins[m].quantile[q]);
        cli_table_cell(t, "%.6g", margins[m].mean);
    }
    cli_table_print(t, stdout);
}

static json_t *as_json(const cobloc_matrix *m, const char *path, int64_t classes,
                       const margin margins[4])
{
    const struct {
        const char *key;
        int64_t value;
    } integers[] = {{"n", cobloc_matrix_rows(m)},
                    {"d", cobloc_matrix_cols(m)},
                    {"nnz", cobloc_matrix_nnz(m)},
                    {"empty_rows", cobloc_matrix_empty_rows(m)},
                    {"empty_cols", cobloc_matrix_empty_cols(m)},
                    {"classes", classes},
                    {"bytes", (int64_t)cobloc_matrix_bytes(m)},
                    {"missing", cobloc_matrix_missing_count(m)},
                    {"missing_as_zero", cobloc_matrix_missing_as_zero(m)},
                    {"categories", cobloc_matrix_category_count(m)}};
    json_t *object =
        json_pack("{s:o, s:s?, s:s, s:b, s:b, s:b}", "file", cli_json_text(path), "format",
                  cobloc_matrix_format(m), "values", cobloc_value_kind_name(cobloc_matrix_kind(m)),
                  "row_names", cobloc_matrix_row_name(m, 0) != NULL, "col_names",
                  cobloc_matrix_col_name(m, 0) != NULL, "negative", cobloc_matrix_has_negative(m));
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        json_object_set_new(object, integers[i].key, json_integer(integers[i].value));
    json_object_set_new(object, "kind", json_string(cobloc_matrix_text(m) ? "text" : "matrix"));
    json_object_set_new(object, "density", cli_json_number(density(m)));
    json_object_set_new(object, "total", cli_json_number(cobloc_matrix_total(m)));
    for (int i = 0; i < 4; i++) {
        json_t *one = json_object();
        for (int q = 0; q < QUANTILES; q++)
            json_object_set_new(one, quantile_names[q], cli_json_number(margins[i].quantile[q]));
        json_object_set_new(one, "mean", cli_json_number(margins[i].mean));
        json_object_set_new(object, margins[i].key, one);
    }
    return object;
}

static void show(const cli_args *args, const cobloc_matrix *matrix)
{
    const char *path = args->words[0];
    margin margins[4] = {{.key = "row_entries", .title = "entries in a row"},
                         {.key = "col_entries", .title = "entries in a column"},
                         {.key = "row_sums", .title = "sum of a row"},
                         {.key = "col_sums", .title = "sum of a column"}};
    int64_t classes = count_classes(matrix);
    measure(matrix, margins);
    if (cli_value(args, "json")) {
        cli_print_json(as_json(matrix, path, classes, margins));
        return;
    }
    print_facts(matrix, path, classes);
    print_margins(margins);
}

/* A matrix, or text as a matrix. */
static void show_input(const cli_args *args)
{
    const char *path = args->words[0], *wrong = NULL;
    cobloc_matrix *matrix = cli_read_input(args, path, cli_made(args, &cli_text_group));
    if (cli_value(args, "check")) {
        cli_must(cobloc_matrix_verify(matrix, &cli_error));
        wrong = cli_find_fault(matrix);
    }
    if (wrong)
        cli_stop("%s: %s", path, wrong);
    cli_progress_end();
    show(args, matrix);
    cobloc_matrix_free(matrix);
}

static bool is_result(const char *path)
{
    char *model = cli_path_inside(path, "model.json");
    bool there = cli_is_there(model);
    free(model);
    return there;
}

static void run(const cli_args *args)
{
    bool devices = cli_value(args, "devices") != NULL;
    if (!devices && args->word_count == 0)
        cli_stop_usage(args->command, "expected INPUT");
    (devices ? cli_info_devices : is_result(args->words[0]) ? cli_info_result : show_input)(args);
}

static const cli_option options[] = {
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {"check", 0, NULL, NULL, "Read and check all of a .cbm file; other formats always are."},
    {"devices", 0, NULL, NULL, "List the GPUs that fits can run on; no INPUT is needed."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {.options = options};

static const cli_example examples[] = {
    {"cobloc info docs.mtx.gz", "What a matrix holds."},
    {"cobloc info texts/", "What a folder of texts gives."},
    {"cobloc info result", "How a result was made."},
    {"cobloc info --devices", "Which GPUs there are."},
    {NULL, NULL},
};

const cli_command cli_info = {
    .name = "info",
    .words = "[INPUT]",
    .word_count = 1,
    .optional_count = 1,
    .summary = "Show what a matrix, a text or a result holds.",
    .details =
        "INPUT is a matrix, text or a folder that cobloc fit wrote. Of a matrix: shape, density, "
        "values, margins, names. Of text, the same of the matrix that it gives. Of a result: "
        "model, sizes, criterion and what it was made from.\n\n"
        "A matrix is in any of the formats below, detected from its content; text formats "
        "may be gzip-compressed. Names of rows and columns, and labels, are read from the file or "
        "from NAME.rows.txt, NAME.terms.txt and NAME.labels.txt beside it.",
    .more_help = cli_list_formats,
    .examples = examples,
    .groups = {&own_group, &cli_text_group, &cli_io_group},
    .run = run,
};
