/* One hard pass over every entry, by rows and by columns, beside the least that anything which
 * reads the matrix could take: a plain sum over the same arrays with the same threads. Prints, as
 * JSON, nanoseconds an entry of both (the best of ROUNDS), and the processor whose loops are used.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include "base/alloc.h"
#include "base/parallel.h"
#include "engine/engine.h"
#include "matrix/lines.h"
#include "matrix/values.h"
#include "models/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t sum_words(const void *array, size_t bytes, int threads)
{
    const uint64_t *words = array;
    int64_t count = (int64_t)(bytes / sizeof *words);
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum)
    for (int64_t i = 0; i < count; i++)
        sum += words[i];
    return sum;
}

/* Seconds of a plain sum over the indices and values of a side. */
static double sum_side(const cobloc_view *view, int threads)
{
    static volatile uint64_t sink;
    size_t count = (size_t)view->nnz, width = cob_kind_width(view->kind);
    double start = now();
    sink = sum_words(view->indices, count * sizeof *view->indices, threads);
    if (view->values)
        sink += sum_words(view->values, count * width, threads);
    return now() - start;
}

/* Seconds of a pass that looks at every entry; no line moves, but for the first time. */
static double pass_side(cob_pass *pass, cob_pass_room *room)
{
    cob_pass_forget(room);
    double start = now();
    cob_pass_run(pass, room);
    return now() - start;
}

typedef struct side {
    const char *name;
    const cobloc_view *view, *turned;
    const double *effects;
    int32_t *labels, *other;
    cob_value_grid grid;
} side;

static int measure(const side *s, int k, int rounds, int threads)
{
    cob_pass_room *room = NULL;
    cobloc_error err;
    double plain = INFINITY, taken = INFINITY, nnz = (double)s->view->nnz;
    double *numbers = calloc((size_t)(k * k + 5 * k), sizeof *numbers);
    int64_t *exact = calloc((size_t)(k * k + k), sizeof *exact);
    if (!numbers || !exact ||
        cob_pass_room_new(s->view, k, k, threads, (size_t)s->view->nnz * sizeof(int32_t), &room,
                          &err))
        return 1;
    double *block = numbers, *sizes = block + k * k, *masses = sizes + k;
    cob_rule rule = {.to = k,
                     .from = k,
                     .diagonal = true,
                     .A = masses + k,
                     .b = masses + 2 * k,
                     .e = masses + 3 * k};
    for (int c = 0; c < k; c++) {
        rule.A[c] = 1;
        rule.b[c] = -1.0 / k;
    }
    cob_pass pass = {.view = s->view,
                     .turned = s->turned,
                     .effects = s->effects,
                     .to = k,
                     .from = k,
                     .units = &s->grid.unit,
                     .effect_grid = s->grid,
                     .other_labels = s->other,
                     .assign = COB_ASSIGN_HARD,
                     .rule = &rule,
                     .labels = s->labels,
                     .block = block,
                     .down = (size_t)k,
                     .across = 1,
                     .sizes = sizes,
                     .masses = masses,
                     .exact_block = exact,
                     .exact_masses = exact + k * k};
    pass_side(&pass, room);
    for (int round = 0; round < rounds; round++) {
        plain = fmin(plain, sum_side(s->view, threads));
        taken = fmin(taken, pass_side(&pass, room));
    }
    printf("\"%s\": {\"sum_ns\": %.4f, \"pass_ns\": %.4f}, ", s->name, plain / nnz * 1e9,
           taken / nnz * 1e9);
    cob_pass_room_free(room);
    free(numbers);
    free(exact);
    return 0;
}

int main(int argc, char **argv)
{
    cobloc_matrix *x = NULL;
    cobloc_error err;
    if (argc != 5) {
        fputs("usage: pass MATRIX K ROUNDS THREADS\n", stderr);
        return 2;
    }
    int k = atoi(argv[2]), rounds = atoi(argv[3]), threads = cob_threads(atoi(argv[4]));
    if (cobloc_matrix_read(argv[1], NULL, &x, &err) || cobloc_matrix_verify(x, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    cobloc_view rows = cobloc_matrix_by_rows(x), cols = cobloc_matrix_by_cols(x);
    const cob_between all[] = {{0, rows.major}, {0, cols.major}};
    cob_value_grid grid = cob_grid_of_entries(&rows, all[0], NULL, COB_GRID_BITS);
    void *values[2] = {NULL, NULL};
    if (cob_view_on_grid(&rows, all[0], grid, COB_GRID_BITS, &rows, &values[0], &err) ||
        cob_view_on_grid(&cols, all[1], grid, COB_GRID_BITS, &cols, &values[1], &err))
        return 1;
    int32_t *row_labels = malloc((size_t)rows.major * sizeof *row_labels);
    int32_t *col_labels = malloc((size_t)cols.major * sizeof *col_labels);
    for (int64_t i = 0; row_labels && i < rows.major; i++)
        row_labels[i] = (int32_t)(i * 7919 % k);
    for (int64_t j = 0; col_labels && j < cols.major; j++)
        col_labels[j] = (int32_t)(j * 7919 % k);
    side sides[] = {
        {"rows", &rows, &cols, cobloc_matrix_row_sums(x), row_labels, col_labels, grid},
        {"cols", &cols, &rows, cobloc_matrix_col_sums(x), col_labels, row_labels, grid}};
    printf("{\"nnz\": %lld, \"processor\": \"%s\", ", (long long)rows.nnz, cob_lines_name());
    int failed = !row_labels || !col_labels || measure(&sides[0], k, rounds, threads) ||
                 measure(&sides[1], k, rounds, threads);
    printf("\"k\": %d, \"threads\": %d}\n", k, threads);
    free(row_labels);
    free(col_labels);
    cob_free(values[0]);
    cob_free(values[1]);
    cobloc_matrix_free(x);
    return failed;
}
