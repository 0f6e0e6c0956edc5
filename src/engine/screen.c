/* A quick look at merges.
 * SPDX-License-Identifier: MIT
 */
#include "engine/screen.h"

#include "base/alloc.h"
#include "base/vectors.h"

#include <math.h>
#include <string.h>

enum { AT_ONCE = 8 };

bool cob_can_screen(const cob_model *model, const cob_stats *stats)
{
    return model->by_lift && stats->sums_as_effects && stats->layers == 1;
}

cobloc_status cob_screen_alloc(cob_screen *screen, const cob_model *model, int clusters,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    screen->wide = ((size_t)clusters + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
    screen->proportions = !model->equal_proportions;
    COB_NEW_ZERO(screen->lines, (size_t)clusters * screen->wide);
    COB_NEW(screen->sums, clusters);
    COB_NEW(screen->sizes, clusters);
done:
    return status;
}

void cob_screen_free(cob_screen *screen)
{
    cob_free(screen->lines);
    cob_free(screen->sums);
    cob_free(screen->sizes);
    *screen = (cob_screen){0};
}

void cob_screen_take(cob_screen *screen, const cob_stats *s)
{
    for (int k = 0; k < s->g; k++) {
        double *line = screen->lines + (size_t)k * screen->wide;
        for (int l = 0; l < s->m; l++)
            line[l] = cob_block(s, k, l);
        memset(line + s->m, 0, (screen->wide - (size_t)s->m) * sizeof *line);
    }
    memcpy(screen->sums, s->R, (size_t)s->g * sizeof *screen->sums);
    memcpy(screen->sizes, s->z, (size_t)s->g * sizeof *screen->sizes);
}

/* As many blocks as the widest registers hold; compilers split what is wider than theirs. */
typedef double numbers
    __attribute__((vector_size(AT_ONCE * sizeof(double)), aligned(8), may_alias));
typedef int64_t bits __attribute__((vector_size(AT_ONCE * sizeof(int64_t)), aligned(8), may_alias));

/* Adds x log x of each; of 0, that is 0. The logarithm is n log 2 plus that of what is left,
 * between the root of 1/2 and that of 2, by the series of the inverse hyperbolic tangent. */
COB_INLINE void add_entropy(const numbers *values, numbers *sum)
{
    const int64_t root_of_half = 0x3fe6a09e667f3bcd, one_and_a_half = 0x4338000000000000;
    numbers x = *values;
    bits n = ((bits)x - root_of_half) >> 52;
    numbers left = (numbers)((bits)x - (n << 52)), f = (left - 1) / (left + 1), s = f * f;
    numbers series = s * (1.0 / 17) + 1.0 / 15;
    series = series * s + 1.0 / 13;
    series = series * s + 1.0 / 11;
    series = series * s + 1.0 / 9;
    series = series * s + 1.0 / 7;
    series = series * s + 1.0 / 5;
    series = series * s + 1.0 / 3;
    series = series * s + 1;
    /* n as a number: its bits are those below 1.5 * 2^52 */
    numbers whole = (numbers)(n + one_and_a_half) - 6755399441055744.0;
    *sum += x * (whole * 0.69314718055994530942 + 2 * f * series);
}

static double add_up(const numbers *sums)
{
    double sum = 0;
    for (int i = 0; i < AT_ONCE; i++)
        sum += (*sums)[i];
    return sum;
}

COB_CLONES static double add_entropies(const double *x, size_t count)
{
    numbers sums = {0};
    for (size_t l = 0; l < count; l += AT_ONCE)
        add_entropy((const numbers *)(x + l), &sums);
    return add_up(&sums);
}

COB_CLONES static double join_entropies(const double *x, const double *y, size_t count)
{
    numbers sums = {0};
    for (size_t l = 0; l < count; l += AT_ONCE) {
        numbers both = *(const numbers *)(x + l) + *(const numbers *)(y + l);
        add_entropy(&both, &sums);
    }
    return add_up(&sums);
}

static double entropy(double x)
{
    return x > 0 ? x * log(x) : 0;
}

double cob_screen_value(const cob_screen *screen, int a, int b)
{
    const double *x = screen->lines + (size_t)a * screen->wide;
    double sum = screen->sums[a], size = screen->sizes[a], value;
    if (b < 0) {
        value = add_entropies(x, screen->wide);
    } else {
        value = join_entropies(x, screen->lines + (size_t)b * screen->wide, screen->wide);
        sum += screen->sums[b];
        size += screen->sizes[b];
    }
    return value - entropy(sum) + (screen->proportions ? entropy(size) : 0);
}

/* Sums of at most some hundred terms, none of which is larger than these. */
double cob_screen_error(const cob_stats *s)
{
    static const double rounding = 1e-10;
    return rounding * (entropy(1 + s->total) + entropy(1 + s->n) + entropy(1 + s->d));
}
