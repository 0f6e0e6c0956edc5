/* Hard passes on a GPU, over a table as text makes them: rows of about MEAN different columns each,
 * which follow Zipf's law. Prints, as JSON, for each number of clusters the seconds of iterations
 * from random labels on, and of passes by rows and by columns, beside those of a copy of the same
 * arrays on the device; and of restarts, some at a time.
 *
 *     gpu ROWS COLS MEAN ITERATIONS RESTARTS K...     restarts are made with the first K
 *     gpu soft ROWS COLS MEAN K ITERATIONS            soft passes, beside the processor
 *     gpu leaks MATRIX FITS                           device memory before and after so many fits
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "base/watch.h"
#include "device/holding.h"
#include "engine/starts.h"
#include "engine/steps.h"
#include "fit/options.h"
#include "models/registry.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ------------------------------------------------------------------------------- */

static int compare_columns(const void *a, const void *b)
{
    return (*(const int32_t *)a > *(const int32_t *)b) -
           (*(const int32_t *)a < *(const int32_t *)b);
}

/* Ranks are spread over the columns, as in a sorted vocabulary. */
static int32_t column_of(double uniform, int32_t cols)
{
    int64_t rank = (int64_t)pow((double)cols, uniform) - 1;
    return (int32_t)(rank * 48271 % cols);
}

/* The columns of a row, sorted, and how often each was drawn; returns how many there are. */
static int draw_row(uint64_t row, int draws, int32_t cols, int32_t *col, uint8_t *count)
{
    cob_stream stream = cob_stream_at(1, (uint32_t)row, (uint32_t)(row >> 32), 0);
    int different = 0;
    for (int i = 0; i < draws; i++)
        col[i] = column_of(cob_random_uniform(&stream, (uint64_t)i), cols);
    qsort(col, (size_t)draws, sizeof *col, compare_columns);
    for (int i = 0; i < draws; i++) {
        if (different > 0 && col[different - 1] == col[i]) {
            count[different - 1] = (uint8_t)(count[different - 1] + (count[different - 1] < 255));
            continue;
        }
        count[different] = 1;
        col[different++] = col[i];
    }
    return different;
}

static void keep(void *user)
{
    (void)user;
}

static cobloc_matrix *make_table(int64_t rows, int32_t cols, int mean)
{
    enum { MOST_DRAWS = 1024 };
    int draws = mean * 4 / 3 < MOST_DRAWS ? mean * 4 / 3 : MOST_DRAWS;
    int64_t *offsets = calloc((size_t)rows + 1, sizeof *offsets);
    cobloc_matrix *x = NULL;
    cobloc_error err = {COBLOC_OK, "out of memory"};
    int32_t *indices = NULL;
    uint8_t *values = NULL;
    for (int fill = 0; offsets && fill < 2; fill++) {
#pragma omp parallel for schedule(dynamic, 1024)
        for (int64_t i = 0; i < rows; i++) {
            int32_t col[MOST_DRAWS];
            uint8_t count[MOST_DRAWS];
            int different = draw_row((uint64_t)i, draws, cols, col, count);
            if (!fill) {
                offsets[i + 1] = different;
                continue;
            }
            memcpy(indices + offsets[i], col, (size_t)different * sizeof *col);
            memcpy(values + offsets[i], count, (size_t)different);
        }
        for (int64_t i = 0; !fill && i < rows; i++)
            offsets[i + 1] += offsets[i];
        if (!fill && (!(indices = malloc((size_t)offsets[rows] * sizeof *indices)) ||
                      !(values = malloc((size_t)offsets[rows]))))
            break;
    }
    if (!values || cobloc_matrix_from_compressed(rows, cols, 0, offsets, COBLOC_ARRAY_I64, indices,
                                                 COBLOC_ARRAY_I32, values, COBLOC_ARRAY_U8, keep,
                                                 NULL, &x, &err) != COBLOC_OK)
        fprintf(stderr, "%s\n", err.message);
    return x; /* its arrays live as long as the program */
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* Seconds of a copy of the indices and values of one side, on the device. */
static double copy_seconds(cob_device *device, const cobloc_view *view)
{
    enum { ROUNDS = 5 };
    size_t bytes = (size_t)view->nnz * (sizeof *view->indices + cob_kind_width(view->kind));
    cob_address from = 0, to = 0;
    cobloc_error err;
    double best = INFINITY;
    int (*copy)(cob_address, cob_address, size_t);
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *found = dlsym(driver, "cuMemcpyDtoD_v2");
    memcpy(&copy, &found, sizeof found);
    if (device->alloc(device, bytes, &from, &err) || device->alloc(device, bytes, &to, &err))
        return NAN;
    for (int i = 0; i < ROUNDS; i++) {
        device->wait(device, NULL, &err);
        double start = cob_clock();
        copy(to, from, bytes);
        device->wait(device, NULL, &err);
        best = fmin(best, cob_clock() - start);
    }
    device->release(device, from);
    device->release(device, to);
    return best;
}

static bool begin(cob_problem *p, int k, uint32_t restart, int threads, cob_run **run,
                  cobloc_error *err)
{
    const cob_start_data none = {.given = {NULL, NULL}};
    return cob_run_new(p, k, k, restart, threads, run, err) == COBLOC_OK &&
           cob_start(*run, COBLOC_START_RANDOM, &none, err) == COBLOC_OK;
}

/* The least seconds of a pass, without what the engine does around it. */
static double time_pass(cob_labelled *labelled, cob_there how, cobloc_error *err)
{
    enum { ROUNDS = 5 };
    double best = INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        double start = cob_clock();
        if (cob_pass_there(labelled, &how, err) != COBLOC_OK)
            return NAN;
        best = fmin(best, cob_clock() - start);
    }
    return best;
}

/* A pass by rows also sums the columns, for the table: a pass that keeps labels does that alone. */
static void time_sides(const cob_run *run, cobloc_error *err)
{
    cob_labelled *labelled = cob_held_labelled(run->held);
    cob_there rows = {.side = COB_ROWS, .diagonal = true, .has_masses = true, .mass_scale = 1};
    cob_there kept = rows, cols = rows;
    kept.keep = true;
    cols.side = COB_COLS;
    double both = time_pass(labelled, rows, err);
    printf(", \"rows\": %.6f, \"cols\": %.6f", both - time_pass(labelled, kept, err),
           time_pass(labelled, cols, err));
}

static bool time_passes(cob_problem *p, int k, int iterations, cobloc_error *err)
{
    cob_run *run = NULL;
    bool done = begin(p, k, 0, 0, &run, err);
    if (done)
        cob_run_measure(run);
    printf(", \"iterations\": [");
    for (int i = 0; done && i < iterations; i++) {
        double start = cob_clock();
        int64_t moved = 0;
        for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
            moved += cob_step(run, side, (cob_manner){.assign = COB_ASSIGN_HARD}).moved;
        printf("%s{\"seconds\": %.6f, \"moved\": %lld}", i ? ", " : "", cob_clock() - start,
               (long long)moved);
    }
    done = done && cob_held_check(run->held, err) == COBLOC_OK;
    printf("], \"criterion\": %.17g", done ? cob_criterion(run, false) : NAN);
    if (done)
        time_sides(run, err);
    cob_run_free(run);
    return done;
}

static bool time_restarts(cob_problem *p, int k, int iterations, int restarts, cobloc_error *err)
{
    enum { AT_ONCE = 8 };
    double start = cob_clock();
    bool done = true;
#pragma omp parallel for schedule(dynamic) num_threads(AT_ONCE) reduction(&& : done)
    for (int r = 0; r < restarts; r++) {
        cob_run *run = NULL;
        cobloc_error own = {COBLOC_OK, ""};
        bool ended = begin(p, k, (uint32_t)r, 1, &run, &own);
        if (ended)
            cob_run_measure(run);
        for (int i = 0; ended && i < 2 * iterations; i++) /* also those in which nothing moves */
            cob_step(run, (cob_axis)(i % 2), (cob_manner){.assign = COB_ASSIGN_HARD});
        ended = ended && cob_held_check(run->held, &own) == COBLOC_OK;
        cob_run_free(run);
        if (!ended) {
#pragma omp critical
            *err = own;
        }
        done = done && ended;
    }
    printf(", \"restarts\": {\"count\": %d, \"iterations\": %d, \"seconds\": %.3f}", restarts,
           iterations, cob_clock() - start);
    return done;
}

static int bench_passes(int argc, char **argv)
{
    cobloc_error err = {COBLOC_OK, ""};
    cob_device *device = NULL;
    int iterations = atoi(argv[4]), restarts = atoi(argv[5]);
    double start = cob_clock();
    cobloc_matrix *x = make_table(atoll(argv[1]), atoi(argv[2]), atoi(argv[3]));
    double made = cob_clock() - start;
    if (!x || cob_cuda_open(0, &device, &err) != COBLOC_OK) {
        fprintf(stderr, "%s\n", err.message);
        return x ? 77 : 1;
    }
    cob_problem p = {.x = x,
                     .model = cob_model_named("coclus"),
                     .inference = COBLOC_HARD,
                     .max_iterations = iterations,
                     .seed = 1,
                     .watch = {.deadline = INFINITY},
                     .device = device};
    start = cob_clock();
    if (cob_problem_measure(&p, &err) != COBLOC_OK)
        goto failed;
    printf(
        "{\"device\": \"%s\", \"rows\": %lld, \"cols\": %lld, \"entries\": %lld, \"made\": %.2f, "
        "\"sent\": %.2f, \"copy\": %.6f, \"passes\": [",
        device->name, (long long)x->rows, (long long)x->cols, (long long)x->nnz, made,
        cob_clock() - start, copy_seconds(device, &p.operand.lines[COB_ROWS]));
    for (int i = 6; i < argc; i++) {
        printf("%s{\"k\": %s", i > 6 ? ", " : "", argv[i]);
        if (!time_passes(&p, atoi(argv[i]), iterations, &err))
            goto failed;
        printf("}");
        fflush(stdout);
    }
    printf("]");
    if (restarts > 0 && !time_restarts(&p, atoi(argv[6]), iterations, restarts, &err))
        goto failed;
    puts("}");
    cob_problem_free(&p);
    cob_device_close(device);
    return 0;
failed:
    fprintf(stderr, "%s\n", err.message);
    return 1;
}

/* ---- soft passes ----------------------------------------------------------------------------- */

/* Memberships in which every line is in all clusters: what soft passes take longest with. */
static void draw_memberships(cob_run *run)
{
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        cob_run_side *own = &run->side[side];
        cob_stream stream = cob_stream_at(1, 0, 0, (uint32_t)side);
        int64_t lines = cob_line_count(run->problem, side);
#pragma omp parallel for schedule(static)
        for (int64_t i = 0; i < lines; i++) {
            double *shares = own->soft + i * own->clusters, sum = 0;
            for (int k = 0; k < own->clusters; k++) {
                shares[k] = cob_random_uniform(&stream, (uint64_t)(i * own->clusters + k));
                sum += shares[k];
            }
            for (int k = 0; k < own->clusters; k++)
                shares[k] /= sum;
        }
        if (run->held)
            cob_held_send_soft(run->held, (int)side, own->soft);
    }
}

/* The seconds of each iteration, and where they end. */
static bool time_soft(cob_problem *p, const char *where, int k, int iterations, cobloc_error *err)
{
    cob_run *run = NULL;
    cob_manner how = {.assign = COB_ASSIGN_SOFT, .temperature = 1, .soft = true};
    bool done = begin(p, k, 0, 0, &run, err);
    if (done) {
        cob_run_measure(run);
        draw_memberships(run);
    }
    printf(", \"%s\": {\"iterations\": [", where);
    for (int i = 0; done && i < iterations; i++) {
        double start = cob_clock();
        cob_step(run, COB_ROWS, how);
        double middle = cob_clock();
        cob_step(run, COB_COLS, how);
        printf("%s{\"rows\": %.6f, \"cols\": %.6f}", i ? ", " : "", middle - start,
               cob_clock() - middle);
    }
    done = done && cob_check_held(run, err) == COBLOC_OK;
    printf("], \"criterion\": %.17g}", done ? cob_criterion(run, true) : NAN);
    fflush(stdout);
    cob_run_free(run);
    return done;
}

static int bench_soft(char **argv)
{
    cobloc_error err = {COBLOC_OK, ""};
    int k = atoi(argv[5]), iterations = atoi(argv[6]);
    cobloc_matrix *x = make_table(atoll(argv[2]), atoi(argv[3]), atoi(argv[4]));
    cob_problem p = {.x = x,
                     .model = cob_model_named("plbm"),
                     .inference = COBLOC_SOFT,
                     .max_iterations = iterations,
                     .seed = 1,
                     .watch = {.deadline = INFINITY}};
    if (!x || cob_cuda_open(0, &p.device, &err) != COBLOC_OK) {
        fprintf(stderr, "%s\n", err.message);
        return x ? 77 : 1;
    }
    bool done = cob_problem_measure(&p, &err) == COBLOC_OK;
    printf("{\"k\": %d, \"entries\": %lld", k, (long long)x->nnz);
    done = done && time_soft(&p, "gpu", k, iterations, &err);
    cob_held_free(p.held); /* what comes next runs on the processor */
    p.held = NULL;
    done = done && time_soft(&p, "cpu", k, iterations, &err);
    puts("}");
    if (!done)
        fprintf(stderr, "%s\n", err.message);
    cob_problem_free(&p);
    cob_device_close(p.device);
    return done ? 0 : 1;
}

/* ---- leaks ----------------------------------------------------------------------------------- */

static bool fit_often(const cobloc_matrix *x, int fits, cobloc_error *err)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = "coclus";
    o.k = 5;
    o.restarts = 1;
    o.device = "gpu";
    for (int i = 0; i < fits; i++) {
        cobloc_result *result = NULL;
        if (cobloc_fit(x, &o, &result, err) != COBLOC_OK)
            return false;
        cobloc_result_free(result);
    }
    return true;
}

/* The driver keeps some memory of the first fit, and of no other. The device stays open, or all
 * would go with it. */
static int look_for_leaks(const char *path, int fits)
{
    cobloc_error err;
    cobloc_matrix *x = NULL;
    cob_device *open = NULL, *before = NULL, *after = NULL;
    bool done = cobloc_matrix_read(path, NULL, &x, &err) == COBLOC_OK &&
                cob_cuda_open(0, &open, &err) == COBLOC_OK && fit_often(x, 1, &err) &&
                cob_cuda_open(0, &before, &err) == COBLOC_OK && fit_often(x, fits, &err) &&
                cob_cuda_open(0, &after, &err) == COBLOC_OK;
    if (done)
        printf("{\"fits\": %d, \"lost\": %.0f}\n", fits, before->free_memory - after->free_memory);
    else
        fprintf(stderr, "%s\n", err.message);
    cob_device_close(after);
    cob_device_close(before);
    cob_device_close(open);
    cobloc_matrix_free(x);
    return done ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "leaks") == 0)
        return look_for_leaks(argv[2], atoi(argv[3]));
    if (argc == 7 && strcmp(argv[1], "soft") == 0)
        return bench_soft(argv);
    if (argc > 6)
        return bench_passes(argc, argv);
    fputs("usage: gpu ROWS COLS MEAN ITERATIONS RESTARTS K...\n"
          "       gpu soft ROWS COLS MEAN K ITERATIONS\n       gpu leaks MATRIX FITS\n",
          stderr);
    return 2;
}
