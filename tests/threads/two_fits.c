/* Fits in two threads of a process at the same time, one of them cancelled by its callback, must
 * not meet: run under ThreadSanitizer, and each result is that of a fit alone.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cobloc.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 3, THREADS = 2 };

static const char *const models[] = {"coclus", "plbm", "lbm", "spec", "kmeans", "nmf", "ebco"};

typedef struct job {
    const cobloc_matrix *matrix;
    const char *model, *inference;
    int cancel_after; /* reports of progress; 0: it runs to its end */
    int reports;
    cobloc_result *result;
} job;

static void fail(const char *what, const cobloc_error *err)
{
    fprintf(stderr, "%s: %s\n", what, err->message);
    exit(1);
}

static int count_reports(void *user, const char *what, double done)
{
    job *j = user;
    (void)what;
    (void)done;
    j->reports++;
    return j->cancel_after > 0 && j->reports >= j->cancel_after;
}

static void *fit(void *user)
{
    job *j = user;
    cobloc_fit_options *options = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    if (cobloc_fit_options_new(&options, &err) != COBLOC_OK ||
        cobloc_set_text(options, "model", j->model, &err) != COBLOC_OK ||
        cobloc_set_text(options, "inference", j->inference, &err) != COBLOC_OK ||
        cobloc_set_int(options, "k", K, &err) != COBLOC_OK ||
        cobloc_set_int(options, "restarts", 8, &err) != COBLOC_OK ||
        cobloc_set_int(options, "threads", THREADS, &err) != COBLOC_OK)
        fail("options", &err);
    cobloc_set_progress(options, count_reports, j);
    cobloc_status status = cobloc_fit(j->matrix, options, &j->result, &err);
    if (status != COBLOC_OK && !(status == COBLOC_CANCELLED && j->cancel_after > 0))
        fail(j->model, &err); /* a method may be cancelled before it has anything to show */
    cobloc_fit_options_free(options);
    return NULL;
}

static void must_be_equal(const cobloc_result *a, const cobloc_result *b, const char *model)
{
    int64_t count;
    const int32_t *labels = cobloc_ints(a, &count, "row_labels");
    const int32_t *alone = cobloc_ints(b, NULL, "row_labels");
    if (memcmp(labels, alone, (size_t)count * sizeof *labels) != 0) {
        fprintf(stderr, "%s: a fit beside another one gives other labels\n", model);
        exit(1);
    }
}

/* One fit alone; then the same beside one that is cancelled. */
static void check(const cobloc_matrix *matrix, const char *model, const char *inference)
{
    job alone = {.matrix = matrix, .model = model, .inference = inference};
    job beside = alone, cancelled = alone;
    pthread_t thread;
    cancelled.cancel_after = 3;
    fit(&alone);
    if (pthread_create(&thread, NULL, fit, &cancelled) != 0)
        exit(1);
    fit(&beside);
    pthread_join(thread, NULL);
    must_be_equal(beside.result, alone.result, model);
    if (cancelled.result && cancelled.reports >= cancelled.cancel_after &&
        cobloc_int(cancelled.result, "stop") != COBLOC_STOP_CANCELLED) {
        fprintf(stderr, "%s: the callback asked to stop, and the fit did not\n", model);
        exit(1);
    }
    cobloc_result_free(alone.result);
    cobloc_result_free(beside.result);
    cobloc_result_free(cancelled.result);
}

int main(void)
{
    cobloc_simulation *simulation = NULL;
    cobloc_matrix *matrix = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    if (cobloc_simulation_preset("splbm", &simulation, &err) != COBLOC_OK ||
        cobloc_set_int(simulation, "rows", 120, &err) != COBLOC_OK ||
        cobloc_set_int(simulation, "cols", 90, &err) != COBLOC_OK ||
        cobloc_simulate(simulation, &matrix, NULL, &err) != COBLOC_OK)
        fail("simulation", &err);
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        check(matrix, models[m], "auto");
    check(matrix, "plbm", "soft");
    check(matrix, "plbm", "svem");
    cobloc_matrix_free(matrix);
    cobloc_simulation_free(simulation);
    puts("fits side by side give what they give alone");
    return 0;
}
