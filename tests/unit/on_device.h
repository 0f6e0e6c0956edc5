/* Fits on an emulated device beside those of the processor.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_ON_DEVICE_H
#define COB_TESTS_ON_DEVICE_H

#include "support.h"

#include "emulated.h"

#include "base/random.h"
#include "fit/fit.h"
#include "models/registry.h"

#include <math.h>

enum { NEAR = 227 * 1024 };

/* A few lines that are long, most of them short; and more lines of the other side than a chunk. */
static inline cobloc_matrix *uneven(void)
{
    enum { ROWS = 12, COLS = 300000, MOST = 60000 };
    cob_stream stream = cob_stream_at(4, 0, 0, 0);
    int32_t *row = malloc(MOST * sizeof *row), *col = malloc(MOST * sizeof *col);
    double *value = malloc(MOST * sizeof *value);
    int64_t count = 0;
    cobloc_matrix *x = NULL;
    cobloc_error err;
    for (int i = 0; i < ROWS; i++)
        for (int j = i * 7; j < COLS && count < MOST; j += i < 3 ? 20 : 3001) {
            row[count] = i;
            col[count] = j;
            value[count] = 1 + (double)cob_random_below(&stream, (uint64_t)count, 9);
            count++;
        }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &x, &err), err);
    free(row);
    free(col);
    free(value);
    return x;
}

static inline cobloc_fit_options options_of(const char *model, int k, cobloc_weight weight,
                                            cobloc_inference inference, cob_device *device)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = k;
    o.weight = weight;
    o.inference = inference;
    o.restarts = inference == COBLOC_HARD ? 3 : 1;
    o.seed = 5;
    o.threads = 1;
    o.device = device ? "gpu" : "cpu";
    o.opened = device;
    return o;
}

static inline cobloc_result *fit(const cobloc_matrix *x, const char *model, int k,
                                 cobloc_weight weight, cobloc_inference inference,
                                 cob_device *device)
{
    cobloc_error err;
    cobloc_result *result = NULL;
    cobloc_fit_options o = options_of(model, k, weight, inference, device);
    assert_ok(cobloc_fit(x, &o, &result, &err), err);
    return result;
}

static inline void assert_same(const cobloc_result *a, const cobloc_result *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->repaired, b->repaired);
    assert_int_equal(a->row_probabilities != NULL, b->row_probabilities != NULL);
    if (a->row_probabilities) {
        assert_memory_equal(a->row_probabilities, b->row_probabilities,
                            (size_t)(a->n * a->k) * sizeof *a->row_probabilities);
        assert_memory_equal(a->col_probabilities, b->col_probabilities,
                            (size_t)(a->d * a->l) * sizeof *a->col_probabilities);
    }
    for (int64_t i = 0; i < a->n; i++)
        if (a->row_labels[i] != b->row_labels[i])
            fail_msg("%s, %d clusters: row %d is in %d, on the device in %d", a->model, a->k,
                     (int)i, a->row_labels[i], b->row_labels[i]);
    assert_memory_equal(a->col_labels, b->col_labels, (size_t)a->d * sizeof *a->col_labels);
    assert_memory_equal(&a->criterion, &b->criterion, sizeof a->criterion);
}

static inline void check_inference(const cobloc_matrix *x, const char *model, int k,
                                   cobloc_weight weight, cobloc_inference inference, int processors,
                                   size_t near)
{
    emulated_device device = emulated_open(processors, near);
    cobloc_result *here = fit(x, model, k, weight, inference, NULL);
    cobloc_result *there = fit(x, model, k, weight, inference, &device.base);
    assert_string_equal(here->device, "cpu");
    assert_string_equal(there->device, "emulated");
    assert_true(device.starts > 0);
    assert_int_equal(device.soft > 0, inference == COBLOC_SOFT || inference == COBLOC_SVEM);
    assert_int_equal(device.drawing > 0,
                     inference == COBLOC_STOCHASTIC || inference == COBLOC_SVEM);
    assert_int_equal(device.blocks, 0);
    assert_same(here, there);
    cobloc_result_free(here);
    cobloc_result_free(there);
}

static inline bool is_block_model(int model)
{
    return cobloc_model_takes_inference(model, COBLOC_HARD) &&
           cob_model_named(cobloc_model_name(model)) != NULL;
}

#endif
