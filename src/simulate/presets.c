/* The simulations of the papers, by name.
 * SPDX-License-Identifier: MIT
 */
#include "simulate/simulate.h"

#include "base/guess.h"
#include "base/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Selosse, Jacques, Biernacki 2019, section 4.1 and Table 1. */
static const double socc_rows[3] = {.33, .33, .33};
static const double socc_cols[7] = {.08, .08, .17, .17, .17, .08, .25};
static const double socc_blocks[3 * 7] = {
    8.6e-7, 2.9e-7, 2.9e-7, 49.8e-7, 47.8e-7, 2.9e-7,  34.0e-7, //
    2.9e-7, 9.0e-7, 2.9e-7, 49.8e-7, 2.9e-7,  52.9e-7, 34.0e-7, //
    2.9e-7, 2.9e-7, 9.4e-7, 2.9e-7,  47.8e-7, 52.9e-7, 34.0e-7, //
};

/* Laclau, Nadif 2017, section 4.1 and Table 4. */
static const double unequal[3] = {.2, .3, .5};
enum { WELL, MODERATELY, ILL };
static const double half_wide[3][9] = {
    {.57, .43, .47, .43, .58, .45, .44, .46, .58},
    {.57, .46, .47, .46, .55, .46, .47, .46, .55},
    {.54, .48, .47, .48, .54, .45, .47, .46, .54},
};
static const double as_wide[3][9] = {
    {.57, .46, .47, .46, .55, .46, .47, .46, .56},
    {.54, .46, .47, .46, .54, .46, .47, .48, .53},
    {.53, .48, .475, .48, .54, .47, .47, .48, .53},
};

/* Text-like data for Algorithm 2 of Nadif's slides: 2000 documents of 80 words on average over 3000
 * terms, 8 by 8 clusters as in their picture of 64 parameters against 9. Parameters are relative to
 * independence of rows and columns, 1 / (2000 * 80); their mean is about 1. */
#define EIGHT(a, b, c, d, e, f, g, h)                                                              \
    a / 16e4, b / 16e4, c / 16e4, d / 16e4, e / 16e4, f / 16e4, g / 16e4, h / 16e4
static const double text_blocks[8 * 8] = {
    EIGHT(3, .3, .3, 2, .5, .3, 1.3, .3), EIGHT(.3, 3, .3, .3, 2, .5, .3, 1.3),
    EIGHT(1.3, .3, 3, .3, .3, 2, .5, .3), EIGHT(.3, 1.3, .3, 3, .3, .3, 2, .5),
    EIGHT(.5, .3, 1.3, .3, 3, .3, .3, 2), EIGHT(2, .5, .3, 1.3, .3, 3, .3, .3),
    EIGHT(.3, 2, .5, .3, 1.3, .3, 3, .3), EIGHT(.3, .3, 2, .5, .3, 1.3, .3, 3),
};
static const double text_diagonal[8 * 8] = {
    EIGHT(4, .3, .3, .3, .3, .3, .3, .3), EIGHT(.3, 4.5, .3, .3, .3, .3, .3, .3),
    EIGHT(.3, .3, 5, .3, .3, .3, .3, .3), EIGHT(.3, .3, .3, 5.5, .3, .3, .3, .3),
    EIGHT(.3, .3, .3, .3, 6, .3, .3, .3), EIGHT(.3, .3, .3, .3, .3, 6.5, .3, .3),
    EIGHT(.3, .3, .3, .3, .3, .3, 7, .3), EIGHT(.3, .3, .3, .3, .3, .3, .3, 7.5),
};

/* ---- the list -------------------------------------------------------------------------------- */

#define BERNOULLI(width, proportions, alpha)                                                       \
    {                                                                                              \
        .law = COBLOC_BERNOULLI, .rows = 1000, .cols = width, .k = 3, .l = 3,                      \
        .row_proportions = proportions, .col_proportions = proportions, .parameters = alpha,       \
        .row_effects = {.mean = 1}, .col_effects = {                                               \
            .mean = 1                                                                              \
        }                                                                                          \
    }
#define TEXT(blocks)                                                                               \
    {                                                                                              \
        .law = COBLOC_POISSON, .rows = 2000, .cols = 3000, .k = 8, .l = 8, .parameters = blocks,   \
        .row_effects = {.kind = COBLOC_EFFECT_LOGNORMAL, .mean = 80, .shape = 0.5},                \
        .col_effects = {                                                                           \
            .kind = COBLOC_EFFECT_LOGNORMAL,                                                       \
            .mean = 160.0 / 3,                                                                     \
            .shape = 1                                                                             \
        }                                                                                          \
    }
#define TABLE4(size, kind, proportions, width, alpha)                                              \
    {                                                                                              \
        "dlbm-table4:" size, "Bernoulli, 3 x 3 clusters, " kind,                                   \
            BERNOULLI(width, proportions, alpha)                                                   \
    }

static const struct {
    const char *name;
    const char *title;
    cobloc_simulation simulation;
} presets[] = {
    {"socc-table1",
     "Poisson, 3 x 7 clusters with main, second and common columns",
     {.law = COBLOC_POISSON,
      .rows = 120,
      .cols = 1200,
      .k = 3,
      .l = 7,
      .row_proportions = socc_rows,
      .col_proportions = socc_cols,
      .parameters = socc_blocks,
      .row_effects = {.kind = COBLOC_EFFECT_POISSON, .mean = 2455},
      .col_effects = {.kind = COBLOC_EFFECT_POISSON, .mean = 249}}},
    {"plbm", "Poisson, 8 x 8 clusters, like text", TEXT(text_blocks)},
    {"splbm", "Poisson, 8 diagonal co-clusters, like text", TEXT(text_diagonal)},
    TABLE4("1000x500:+:equal", "well separated", NULL, 500, half_wide[WELL]),
    TABLE4("1000x500:++:equal", "moderately separated", NULL, 500, half_wide[MODERATELY]),
    TABLE4("1000x500:+++:equal", "ill-separated", NULL, 500, half_wide[ILL]),
    TABLE4("1000x500:+:unequal", "well separated", unequal, 500, half_wide[WELL]),
    TABLE4("1000x500:++:unequal", "moderately separated", unequal, 500, half_wide[MODERATELY]),
    TABLE4("1000x500:+++:unequal", "ill-separated", unequal, 500, half_wide[ILL]),
    TABLE4("1000x1000:+:equal", "well separated", NULL, 1000, as_wide[WELL]),
    TABLE4("1000x1000:++:equal", "moderately separated", NULL, 1000, as_wide[MODERATELY]),
    TABLE4("1000x1000:+++:equal", "ill-separated", NULL, 1000, as_wide[ILL]),
    TABLE4("1000x1000:+:unequal", "well separated", unequal, 1000, as_wide[WELL]),
    TABLE4("1000x1000:++:unequal", "moderately separated", unequal, 1000, as_wide[MODERATELY]),
    TABLE4("1000x1000:+++:unequal", "ill-separated", unequal, 1000, as_wide[ILL]),
    {"dlbm-sparse:ZEROS", "Bernoulli, 3 x 3 clusters, ZEROS percent of zeros (say 90)",
     BERNOULLI(500, NULL, NULL)},
    {"dlbm-sparse:ZEROS:unequal", "the same with unequal proportions",
     BERNOULLI(500, unequal, NULL)},
};

enum { PRESETS = sizeof presets / sizeof *presets };

int cobloc_preset_count(void)
{
    return PRESETS;
}

const char *cobloc_preset_name(int index)
{
    return index >= 0 && index < PRESETS ? presets[index].name : NULL;
}

const char *cobloc_preset_title(int index)
{
    return index >= 0 && index < PRESETS ? presets[index].title : NULL;
}

/* ---- sparse binary tables -------------------------------------------------------------------- */

/* The separation of two row clusters: the difference of their expected numbers of ones in the
 * columns of either, divided by its standard deviation, for 500 / 3 columns each. The probability
 * is a on the diagonal, b elsewhere. */
static double separation(double a, double b)
{
    return (a - b) * sqrt(500.0 / 3) / sqrt(a * (1 - a) + b * (1 - b));
}

/* Section 4.5 gives no parameters, only sizes, zeros and accuracies: 98 % at 90 % of zeros, 95 % at
 * 98 %. Table 8 shows the block means of a matrix with 98 % of zeros: .04 on the diagonal, .01
 * elsewhere, whose separation gives just that 95 %. The well separated matrix of Table 4 has the
 * separation that gives 98 %. We use the latter up to 90 % of zeros, then decrease to the former.
 */
static double wanted_separation(double zeros)
{
    double dense = separation((.57 + .58 + .58) / 3, (.43 + .47 + .43 + .45 + .44 + .46) / 6);
    double sparse = separation(.04, .01);
    double way = fmin(fmax((zeros - .90) / (.98 - .90), 0), 1);
    return dense + way * (sparse - dense);
}

/* With mean density p, q the share of diagonal cells and s = a - b: a = p + (1 - q) s, b = p - q s,
 * and separation(a, b) squared is a quotient of quadratics in s. */
static void fill_sparse(double zeros, const double *proportions, double *parameters)
{
    double p = 1 - zeros, q = 0, wanted = wanted_separation(zeros), w = wanted * wanted;
    for (int k = 0; k < 3; k++)
        q += proportions[k] * proportions[k];
    double quadratic = 500.0 / 3 + w * ((1 - q) * (1 - q) + q * q);
    double linear = w * (1 - 2 * q) * (1 - 2 * p), constant = 2 * w * p * (1 - p);
    double s = (linear + sqrt(linear * linear + 4 * quadratic * constant)) / (2 * quadratic);
    for (int c = 0; c < 9; c++)
        parameters[c] = c % 4 == 0 ? p + (1 - q) * s : p - q * s;
}

/* ---- by name --------------------------------------------------------------------------------- */

/* Whether `name` matches the preset; *zeros receives the value given for ZEROS, as a fraction. */
static int is_named(const char *preset, const char *name, double *zeros)
{
    const char *open = strstr(preset, "ZEROS");
    size_t length = open ? (size_t)(open - preset) : 0;
    const char *end = name + length;
    *zeros = 0;
    if (!open)
        return strcmp(preset, name) == 0;
    if (strncmp(preset, name, length) != 0)
        return 0;
    if (!cob_scan_number(&end, zeros))
        return 0;
    *zeros /= 100;
    return strcmp(end, open + strlen("ZEROS")) == 0;
}

static cobloc_status copy_of(const cobloc_simulation *from, double zeros, cobloc_simulation **out,
                             cobloc_error *err)
{
    cob_simulation made;
    cobloc_status status = cob_simulation_new(from->k, from->l, &made, err);
    if (status != COBLOC_OK)
        return status;
    cobloc_simulation *open = made.open;
    open->law = from->law;
    open->rows = from->rows;
    open->cols = from->cols;
    open->row_effects = from->row_effects;
    open->col_effects = from->col_effects;
    cob_proportions(from->row_proportions, from->k, made.row_proportions);
    cob_proportions(from->col_proportions, from->l, made.col_proportions);
    if (from->parameters)
        memcpy(made.parameters, from->parameters,
               (size_t)(from->k * from->l) * sizeof *made.parameters);
    else
        fill_sparse(zeros, made.row_proportions, made.parameters);
    *out = open;
    return COBLOC_OK;
}

cobloc_status cobloc_simulation_preset(const char *name, cobloc_simulation **out, cobloc_error *err)
{
    double zeros;
    for (int p = 0; p < PRESETS; p++) {
        if (!is_named(presets[p].name, name, &zeros))
            continue;
        if (!presets[p].simulation.parameters && !(zeros >= 0.5 && zeros <= 0.99))
            return cob_fail(err, COBLOC_BAD_ARGUMENT,
                            "'%s' asks for %g percent of zeros, expected 50 to 99", name,
                            100 * zeros);
        return copy_of(&presets[p].simulation, zeros, out, err);
    }
    char did_you_mean[COB_GUESS_ROOM];
    cob_guess guess = cob_guess_begin(name, strlen(name));
    for (int p = 0; p < PRESETS; p++)
        cob_guess_try(&guess, presets[p].name);
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "there is no preset '%s'%s", name,
                    cob_guess_text(&guess, did_you_mean));
}
