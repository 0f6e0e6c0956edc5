/* Scaling the parameters to a given share of non-zero cells.
 * SPDX-License-Identifier: MIT
 */
#include "simulate/simulate.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Effects are summarised by the means of at most MOST_GROUPS groups of equal size. */
enum { MOST_GROUPS = 64, MOST_STEPS = 100 };

typedef struct groups {
    int count;
    double mean[MOST_GROUPS];
    double share[MOST_GROUPS];
} groups;

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static cobloc_status group(const double *effects, int64_t lines, groups *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *sorted = NULL;
    COB_NEW(sorted, lines);
    memcpy(sorted, effects, (size_t)lines * sizeof *sorted);
    qsort(sorted, (size_t)lines, sizeof *sorted, compare);
    to->count = sorted[0] == sorted[lines - 1] ? 1 : lines < MOST_GROUPS ? (int)lines : MOST_GROUPS;
    for (int g = 0; g < to->count; g++) {
        int64_t first = lines * g / to->count, last = lines * (g + 1) / to->count;
        double sum = 0;
        for (int64_t i = first; i < last; i++)
            sum += sorted[i];
        to->mean[g] = sum / (double)(last - first);
        to->share[g] = (double)(last - first) / (double)lines;
    }
done:
    cob_free(sorted);
    return status;
}

/* The expected share of non-zeros in a Poisson block whose cells have mean effect * effect *
 * parameter, and its derivative with respect to log(parameter). */
static double block_density(const groups *rows, const groups *cols, double parameter, double *slope)
{
    double density = 0;
    for (int a = 0; a < rows->count; a++)
        for (int b = 0; b < cols->count; b++) {
            double mean = rows->mean[a] * cols->mean[b] * parameter;
            double share = rows->share[a] * cols->share[b];
            density -= share * expm1(-mean);
            *slope += share * mean * exp(-mean);
        }
    return density;
}

/* The density of all blocks, with the parameters multiplied by `factor`. */
static double poisson_density(const cobloc_truth *t, const double *pi, const double *rho,
                              const groups *rows, const groups *cols, double factor, double *slope)
{
    double density = 0;
    *slope = 0;
    for (int k = 0; k < t->k; k++)
        for (int l = 0; l < t->l; l++) {
            double parameter = t->parameters[k * t->l + l], rise = 0;
            if (parameter > 0)
                density += pi[k] * rho[l] * block_density(rows, cols, factor * parameter, &rise);
            *slope += pi[k] * rho[l] * rise;
        }
    return density;
}

/* Newton's method for the factor: the density is concave in it, so from below the steps climb to
 * the solution without passing it. */
static cobloc_status poisson_factor(const cobloc_truth *t, const double *pi, const double *rho,
                                    double wanted, double linear, double *factor, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    groups rows, cols;
    double slope, most;
    COB_TRY(group(t->row_effects, t->rows, &rows, err));
    COB_TRY(group(t->col_effects, t->cols, &cols, err));
    most = 0;
    for (int c = 0; c < t->k * t->l; c++)
        most += t->parameters[c] > 0 ? pi[c / t->l] * rho[c % t->l] : 0;
    COB_CHECK(wanted < most, COBLOC_BAD_ARGUMENT,
              "the density is %g, but blocks with a positive parameter cover only %g of the cells",
              wanted, most);
    *factor = wanted / linear;
    for (int step = 0; step < MOST_STEPS; step++) {
        double density = poisson_density(t, pi, rho, &rows, &cols, *factor, &slope);
        if (!(slope > 0) || wanted - density <= 1e-9 * wanted)
            break;
        *factor += (wanted - density) * *factor / slope;
    }
done:
    return status;
}

static double mean_of(const double *values, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; values && i < count; i++)
        sum += values[i];
    return values ? sum / (double)count : 1;
}

cobloc_status cob_truth_scale(const cobloc_simulation *s, cobloc_truth *t, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *pi = NULL, *rho = NULL, linear = 0, largest = 0, factor;
    COB_NEW(pi, s->k);
    COB_NEW(rho, s->l);
    cob_proportions(s->row_proportions, s->k, pi);
    cob_proportions(s->col_proportions, s->l, rho);
    for (int c = 0; c < s->k * s->l; c++) {
        linear += pi[c / s->l] * rho[c % s->l] * t->parameters[c];
        largest = fmax(largest, t->parameters[c]);
    }
    linear *= mean_of(t->row_effects, t->rows) * mean_of(t->col_effects, t->cols);
    factor = s->density / linear;
    if (s->law == COBLOC_POISSON)
        COB_TRY(poisson_factor(t, pi, rho, s->density, linear, &factor, err));
    COB_CHECK(s->law == COBLOC_POISSON || factor * largest <= 1, COBLOC_BAD_ARGUMENT,
              "a density of %g makes the largest probability %g, expected at most 1: the "
              "blocks must differ less",
              s->density, factor * largest);
    for (int c = 0; c < s->k * s->l; c++)
        t->parameters[c] *= factor;
done:
    cob_free(pi);
    cob_free(rho);
    return status;
}
