/* Random calls of the interface, valid and invalid: the bytes of an input choose a small matrix,
 * set options by name to anything, and fit. All that the result says is then read by name.
 *
 * SPDX-License-Identifier: MIT
 */
#include "target.h"

#include <float.h>
#include <math.h>

typedef struct choices {
    const unsigned char *at, *end;
} choices;

static int next_byte(choices *c)
{
    return c->at < c->end ? *c->at++ : 0;
}

/* Mostly small whole numbers, sometimes one that nothing should have to do with. */
static double next_number(choices *c)
{
    static const double odd[] = {0,       -1,  0.5,  5e-324,   1e-300,     1e154,  1e300,
                                 DBL_MAX, NAN, -0.0, INFINITY, 2147483648, -1e300, 1e18};
    int byte = next_byte(c);
    return byte < 200 ? byte : odd[(size_t)byte % (sizeof odd / sizeof *odd)];
}

static cobloc_matrix *next_matrix(choices *c)
{
    enum { MOST = 64 };
    int32_t rows[MOST], cols[MOST];
    double values[MOST];
    int n = 1 + next_byte(c) % 12, d = 1 + next_byte(c) % 12, count = next_byte(c) % MOST;
    cobloc_matrix *matrix = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    for (int t = 0; t < count; t++) {
        rows[t] = next_byte(c) % (n + 1); /* one too many, now and then */
        cols[t] = next_byte(c) % (d + 1);
        values[t] = next_number(c);
    }
    cobloc_status status =
        cobloc_matrix_from_triples(n, d, count, rows, cols, values, &matrix, &err);
    demand_sentence(status, matrix, &err);
    return matrix;
}

static void set_array(choices *c, void *options, const char *name, cobloc_kind kind)
{
    enum { MOST = 16 };
    int32_t integers[MOST];
    double reals[MOST];
    int count = next_byte(c) % MOST;
    for (int i = 0; i < count; i++) {
        integers[i] = next_byte(c) - 2;
        reals[i] = next_number(c);
    }
    if (kind == COBLOC_INTS)
        cobloc_set_ints(options, name, integers, count, NULL);
    else
        cobloc_set_reals(options, name, reals, count, NULL);
}

/* Threads, files and limits of time stay as they are: an input must give the same answer again. */
static int is_settled(const char *name)
{
    static const char *const settled[] = {"threads", "max_seconds", "max_memory", "checkpoint"};
    for (size_t i = 0; i < sizeof settled / sizeof *settled; i++)
        if (strcmp(name, settled[i]) == 0)
            return 1;
    return 0;
}

static void set_something(choices *c, void *options)
{
    int count = cobloc_field_count(options, "");
    const char *name = cobloc_field_name(options, "", next_byte(c) % count);
    cobloc_kind kind = cobloc_field_kind(options, name);
    if (is_settled(name))
        return;
    if (kind == COBLOC_INTS || kind == COBLOC_REALS)
        set_array(c, options, name, kind);
    else if (kind == COBLOC_TEXT)
        cobloc_set_text(options, name, cobloc_model_name(next_byte(c) % cobloc_model_count()),
                        NULL);
    else if (kind == COBLOC_REAL)
        cobloc_set_real(options, name, next_number(c), NULL);
    else
        cobloc_set_int(options, name, next_byte(c) % 32 - 2, NULL); /* iterations take time */
}

static void check_labels(const cobloc_result *result, const char *name, int64_t clusters)
{
    int64_t count;
    const int32_t *labels = cobloc_ints(result, &count, "%s", name);
    for (int64_t i = 0; i < count; i++)
        demand(labels[i] >= -1 && labels[i] < clusters, name);
}

static void read_result(const cobloc_result *result)
{
    demand(isfinite(cobloc_real(result, "criterion")), "a criterion that is not finite");
    check_labels(result, "row_labels", cobloc_int(result, "k"));
    check_labels(result, "col_labels", cobloc_int(result, "l"));
}

void read_input(const input *given)
{
    choices c = {given->bytes, given->bytes + given->size};
    cobloc_matrix *matrix = next_matrix(&c);
    cobloc_fit_options *options = NULL;
    cobloc_result *result = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    if (matrix && cobloc_fit_options_new(&options, &err) == COBLOC_OK) {
        cobloc_set_int(options, "threads", 1, NULL);
        cobloc_set_int(options, "restarts", 1, NULL);
        cobloc_set_int(options, "max_iterations", 20, NULL);
        cobloc_set_int(options, "k", 1 + next_byte(&c) % 4, NULL);
        int model = next_byte(&c); /* seldom the default, which is many fits */
        if (model % 16)
            cobloc_set_text(options, "model", cobloc_model_name(model % cobloc_model_count()),
                            NULL);
        for (int calls = next_byte(&c) % 12; calls > 0; calls--)
            set_something(&c, options);
        cobloc_status status = cobloc_fit(matrix, options, &result, &err);
        demand_sentence(status, result, &err);
        if (status == COBLOC_OK)
            read_result(result);
    }
    cobloc_result_free(result);
    cobloc_fit_options_free(options);
    cobloc_matrix_free(matrix);
}
