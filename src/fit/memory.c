/* What a fit takes of memory.
 * SPDX-License-Identifier: MIT
 */
#include "base/parallel.h"
#include "engine/means.h"
#include "fit/auto.h"
#include "fit/family.h"
#include "fit/fit.h"
#include "matrix/lines.h"

#include <math.h>

/* Labels that later starts build on. */
static double founders_of(const cobloc_matrix *x, const cobloc_fit_options *o)
{
    if (o->start != COBLOC_START_AUTO || o->restarts <= COB_FOUNDERS)
        return 0;
    return COB_FOUNDERS * (double)(x->rows + x->cols) * sizeof(int32_t);
}

static double copies_of(const cobloc_matrix *x, cobloc_weight weight)
{
    double nnz = (double)x->nnz, indices = sizeof(int32_t);
    double copy = weight > COBLOC_WEIGHT_BINARY ? 2 * nnz * sizeof(double) : 0;
    return copy + (x->empty_rows + x->empty_cols > 0 ? nnz * indices : 0);
}

/* Entries by layers, both ways; and where k-means takes points, two matrices of these. */
static double layers_of(const cobloc_matrix *x, const cob_model *model)
{
    double cells = (double)(x->nnz + cobloc_matrix_missing_count(x)), index = sizeof(int32_t);
    double entry = index + sizeof(double), points = 2 * 2 * cells * entry;
    if (!model || (model->entries == COB_VALUES && !x->missing))
        return 0;
    return model->entries == COB_VALUES    ? 2 * cells * index
           : model->entries == COB_MOMENTS ? 2 * 2 * cells * entry + points
                                           : 2 * cells * index + 2 * points;
}

/* k-means with fine clusters: its centres, a copy of a sample, and each thread's blocks of both
 * sides. */
static double means_of(const cobloc_matrix *x, int k, int threads)
{
    cobloc_view rows = cobloc_matrix_by_rows(x);
    int64_t many = cob_fine_of(k);
    int fine = (int)(many < rows.major ? many : rows.major);
    double sample = (double)cob_sample_size(&rows, fine) / (double)rows.major;
    double copied = sample < 1 ? sample * (double)rows.nnz : 0;
    return (double)rows.minor * fine * sizeof(float) +
           2 * copied * (sizeof(int32_t) + sizeof(double)) +
           2.0 * threads * fine * fine * sizeof(double);
}

/* What a start keeps of every row and column, labels and bounds, and visits at random. */
static double lines_of(const cobloc_matrix *x)
{
    return (double)(x->rows + x->cols) * (4 * sizeof(int32_t) + 2 * sizeof(double));
}

cobloc_status cob_check_budget(const cobloc_matrix *matrix, double max_memory, cobloc_error *err)
{
    const double mebibyte = 1048576;
    double least = lines_of(matrix);
    if (max_memory == 0 || max_memory >= least)
        return COBLOC_OK;
    return cob_fail(err, COBLOC_NO_MEMORY,
                    "max-memory is %.3g MiB, too little for %lld rows and %lld columns: the least "
                    "that works is %.3g MiB",
                    max_memory / mebibyte, (long long)matrix->rows, (long long)matrix->cols,
                    least / mebibyte);
}

/* The numbers of a line that has one for each cluster: of any number of clusters that is asked for.
 */
static double padded(double clusters)
{
    return ceil(clusters / COB_LANES) * COB_LANES;
}

/* Labels and bounds, memberships, and sums, which are kept if they take no more than the matrix. */
static double start_of(const cobloc_matrix *x, const cobloc_fit_options *o, cobloc_weight weight,
                       int threads)
{
    double n = (double)x->rows, d = (double)x->cols, l = o->l ? o->l : o->k;
    bool soft = o->inference == COBLOC_SOFT || o->inference == COBLOC_SVEM;
    bool counts = x->kind <= COBLOC_U16 && weight <= COBLOC_WEIGHT_BINARY;
    double width = counts ? sizeof(int32_t) : sizeof(int64_t);
    double kept = (n * padded(l) + d * padded(o->k)) * width;
    return lines_of(x) + fmin(kept, (double)cobloc_matrix_bytes(x)) +
           (soft ? (n * o->k + d * l) * sizeof(double) : 0) +
           (o->start == COBLOC_START_RANDOM || x->nnz == 0 ? 0 : means_of(x, o->k, threads));
}

/* Its fits follow each other: the largest of them. */
static cobloc_status memory_of_auto(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                    cobloc_fit_need *need, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_fit_options o;
    *need = (cobloc_fit_need){0};
    for (int m = 0; cob_auto_member(matrix, options, m, &o); m++) {
        cobloc_fit_need own;
        COB_TRY(cob_fit_memory(matrix, &o, &own, err));
        if (own.total > need->total)
            *need = own;
    }
done:
    return status;
}

cobloc_status cob_fit_memory(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                             cobloc_fit_need *need, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_algorithm a;
    if (cob_is_auto(options->model))
        return memory_of_auto(matrix, options, need, err);
    COB_TRY(cob_algorithm_find(options->model, &a, err));
    cobloc_fit_options o = cob_algorithm_options(&a, options);
    cobloc_weight weight = cob_algorithm_weight(&a, o.weight);
    int threads = cob_threads(o.threads);
    int starts = cob_runs_at_once(&a, matrix->nnz, o.restarts, threads);
    *need = (cobloc_fit_need){
        .head.type = &cob_fit_need_type,
        .matrix = (double)cobloc_matrix_bytes(matrix),
        .copies = copies_of(matrix, weight) + layers_of(matrix, a.model) + founders_of(matrix, &o),
        .similarities = a.method && a.method->memory ? a.method->memory(matrix, o.k) * starts : 0,
        .start = start_of(matrix, &o, weight, threads / starts),
        .starts = starts};
    need->total = need->matrix + need->copies + need->similarities + need->starts * need->start;
done:
    return status;
}

cobloc_status cobloc_fit_memory(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                cobloc_fit_need **out, cobloc_error *err)
{
    cobloc_fit_need need;
    cobloc_status status = cob_fit_memory(matrix, options, &need, err);
    return status ? status : cob_hand_out(&need, &cob_fit_need_type, out, err);
}
