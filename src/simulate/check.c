/* Validating a simulation.
 * SPDX-License-Identifier: MIT
 */
#include "simulate/simulate.h"

#include "base/owned.h"

#include <math.h>

enum { MOST_CLUSTERS = 10000 };

/* Cells with a larger mean might not fit into 32 bits. */
static const double largest_mean = 4e9;

/* ---- descriptions that own their arrays ------------------------------------------------------ */

cobloc_status cob_simulation_new(int k, int l, cob_simulation *out, cobloc_error *err)
{
    cobloc_simulation *s = NULL;
    cobloc_status status = cobloc_simulation_new(&s, err);
    if (status != COBLOC_OK)
        return status;
    cob_simulation made = {s, cob_own(&s->head, (size_t)k, sizeof(double), err),
                           cob_own(&s->head, (size_t)l, sizeof(double), err),
                           cob_own(&s->head, (size_t)k * (size_t)l, sizeof(double), err)};
    if (!made.row_proportions || !made.col_proportions || !made.parameters) {
        cobloc_simulation_free(s);
        return COBLOC_NO_MEMORY;
    }
    s->k = k;
    s->l = l;
    s->row_proportions = made.row_proportions;
    s->col_proportions = made.col_proportions;
    s->parameters = made.parameters;
    *out = made;
    return COBLOC_OK;
}

/* ---- checking -------------------------------------------------------------------------------- */

static cobloc_status check_proportions(const char *side, const double *proportions, int count,
                                       cobloc_error *err)
{
    double sum = 0;
    for (int c = 0; proportions && c < count; c++) {
        if (!(proportions[c] > 0 && proportions[c] <= 1))
            return cob_fail(err, COBLOC_BAD_ARGUMENT,
                            "the proportion of %s cluster %d is %g, expected a number above 0 and "
                            "at most 1",
                            side, c, proportions[c]);
        sum += proportions[c];
    }
    if (proportions && fabs(sum - 1) > 0.02)
        return cob_fail(err, COBLOC_BAD_ARGUMENT,
                        "the proportions of the %s clusters sum to %g, expected 1", side, sum);
    return COBLOC_OK;
}

static cobloc_status check_parameters(const cobloc_simulation *s, cobloc_error *err)
{
    double largest = s->law == COBLOC_BERNOULLI && s->density == 0 ? 1 : largest_mean, sum = 0;
    for (int c = 0; c < s->k * s->l; c++) {
        if (!(s->parameters[c] >= 0 && s->parameters[c] <= largest))
            return cob_fail(err, COBLOC_BAD_ARGUMENT,
                            "the parameter of block %d, %d is %g, expected a number from 0 to %g",
                            c / s->l, c % s->l, s->parameters[c], largest);
        sum += s->parameters[c];
    }
    if (sum <= 0)
        return cob_fail(err, COBLOC_BAD_ARGUMENT,
                        "all parameters are 0, expected at least one positive");
    return COBLOC_OK;
}

static cobloc_status check_values(const char *side, const cobloc_effects *effects, int64_t lines,
                                  cobloc_error *err)
{
    if (!effects->values || effects->count != lines)
        return cob_fail(
            err, COBLOC_BAD_ARGUMENT, "%lld %s effects are given, expected %lld, one per %s",
            (long long)(effects->values ? effects->count : 0), side, (long long)lines, side);
    for (int64_t i = 0; i < lines; i++)
        if (!(effects->values[i] > 0 && effects->values[i] <= largest_mean))
            return cob_fail(err, COBLOC_BAD_ARGUMENT,
                            "the effect of %s %lld is %g, expected a number above 0 and at most %g",
                            side, (long long)i, effects->values[i], largest_mean);
    return COBLOC_OK;
}

static cobloc_status check_effects(const char *side, const cobloc_effects *effects, int64_t lines,
                                   cobloc_law law, cobloc_error *err)
{
    cobloc_effect_kind kind = effects->kind;
    if (law == COBLOC_BERNOULLI && (kind != COBLOC_EFFECT_CONSTANT || effects->mean != 1))
        return cob_fail(err, COBLOC_BAD_ARGUMENT,
                        "%s effects are for Poisson models, a Bernoulli model has none", side);
    if (kind == COBLOC_EFFECT_GIVEN)
        return check_values(side, effects, lines, err);
    if ((int)kind < 0 || kind > COBLOC_EFFECT_GIVEN)
        return cob_fail(err, COBLOC_BAD_ARGUMENT, "%d is not a kind of effects", (int)kind);
    if (!(effects->mean > 0 && effects->mean <= largest_mean))
        return cob_fail(err, COBLOC_BAD_ARGUMENT,
                        "the mean of the %s effects is %g, expected a number above 0 and at most "
                        "%g",
                        side, effects->mean, largest_mean);
    if ((kind == COBLOC_EFFECT_GAMMA || kind == COBLOC_EFFECT_LOGNORMAL) &&
        !(effects->shape > 0 && effects->shape <= 1e6))
        return cob_fail(err, COBLOC_BAD_ARGUMENT,
                        "the shape of the %s effects is %g, expected a number above 0 and at most "
                        "1e6",
                        side, effects->shape);
    return COBLOC_OK;
}

cobloc_status cob_simulation_check(const cobloc_simulation *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(s->rows >= 1 && s->rows <= INT32_MAX && s->cols >= 1 && s->cols <= INT32_MAX,
              COBLOC_BAD_ARGUMENT, "the matrix is %lld by %lld, expected 1 to %d rows and columns",
              (long long)s->rows, (long long)s->cols, INT32_MAX);
    COB_CHECK(s->k >= 1 && s->k <= MOST_CLUSTERS && s->l >= 1 && s->l <= MOST_CLUSTERS,
              COBLOC_BAD_ARGUMENT, "there are %d by %d clusters, expected 1 to %d on each side",
              s->k, s->l, MOST_CLUSTERS);
    COB_CHECK(s->parameters, COBLOC_BAD_ARGUMENT, "the parameters are missing");
    COB_CHECK(s->density >= 0 && s->density < 1, COBLOC_BAD_ARGUMENT,
              "the density is %g, expected a number above 0 and below 1", s->density);
    COB_TRY(check_proportions("row", s->row_proportions, s->k, err));
    COB_TRY(check_proportions("column", s->col_proportions, s->l, err));
    COB_TRY(check_parameters(s, err));
    COB_TRY(check_effects("row", &s->row_effects, s->rows, s->law, err));
    COB_TRY(check_effects("column", &s->col_effects, s->cols, s->law, err));
done:
    return status;
}

cobloc_status cob_simulation_fits(const cobloc_simulation *s, double entries, cobloc_error *err)
{
    /* Labels, effects, sums and offsets of a line; entries are stored in both orientations. */
    double lines = (double)s->rows + (double)s->cols;
    double bytes = lines * (sizeof(int32_t) + 3 * sizeof(double)) +
                   entries * 2 * (sizeof(int32_t) + sizeof(uint8_t));
    double memory = cob_machine_memory();
    if (bytes > memory && s->max_memory == 0)
        return cob_fail(err, COBLOC_NO_MEMORY,
                        "%lld rows, %lld columns and about %.3g entries take %.0f GiB or more, but "
                        "this machine has %.0f GiB; with max-memory they are kept in files",
                        (long long)s->rows, (long long)s->cols, entries, bytes / 0x1p30,
                        memory / 0x1p30);
    return COBLOC_OK;
}
