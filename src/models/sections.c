/* Sections: how many, where columns start, what they are called.
 * SPDX-License-Identifier: MIT
 */
#include "models/sections.h"

#include "models/common.h"

#include <stdio.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static int count_sections(int g)
{
    return g + g * (g - 1) / 2 + 1;
}

static bool is_common(int g, int l)
{
    return l == count_sections(g) - 1;
}

/* The two row clusters that column cluster l of the second section is specific to. */
static void pair_of(int g, int l, int *a, int *b)
{
    int pair = l - g;
    for (*a = 0; pair >= g - 1 - *a; ++*a)
        pair -= g - 1 - *a;
    *b = *a + 1 + pair;
}

bool cob_sections_meaningful(int g, int k, int l)
{
    int a, b;
    if (l < g)
        return k == l;
    if (is_common(g, l))
        return true;
    pair_of(g, l, &a, &b);
    return k == a || k == b;
}

/* Common columns say nothing of any rows. */
static bool together(int g, int k, int l, cob_axis of)
{
    return cob_sections_meaningful(g, k, l) && !(of == COB_ROWS && is_common(g, l));
}

/* Sections follow the rows: main k, second a+b, common last. */
static void order(int g, const int *rows, int *cols)
{
    int m = count_sections(g);
    for (int l = 0; l < g; l++)
        cols[l] = rows[l];
    for (int l = g; l < m - 1; l++) {
        int a, b, c, d;
        pair_of(g, l, &a, &b);
        for (int to = g; to < m - 1; to++) {
            pair_of(g, to, &c, &d);
            if ((rows[a] == c && rows[b] == d) || (rows[a] == d && rows[b] == c))
                cols[l] = to;
        }
    }
    cols[m - 1] = m - 1;
}

/* "main 2", "second 1+3", "common". */
static void name(int g, int l, char text[COB_CLUSTER_NAME])
{
    int a, b;
    if (l < g) {
        snprintf(text, COB_CLUSTER_NAME, "main %d", l);
    } else if (is_common(g, l)) {
        snprintf(text, COB_CLUSTER_NAME, "common");
    } else {
        pair_of(g, l, &a, &b);
        snprintf(text, COB_CLUSTER_NAME, "second %d+%d", a, b);
    }
}

/* ---- starts ---------------------------------------------------------------------------------- */

/* The log-likelihood of one column whose row clusters in a section share a rate and the others
 * another. */
static double fit_of_section(int g, int l, const double *sums, const double *mass)
{
    double sum[2] = {0, 0}, effect[2] = {0, 0};
    for (int k = 0; k < g; k++) {
        int inside = cob_sections_meaningful(g, k, l);
        sum[inside] += sums[k];
        effect[inside] += mass[k];
    }
    return cob_xlog(sum[0], cob_ratio(sum[0], effect[0])) +
           cob_xlog(sum[1], cob_ratio(sum[1], effect[1]));
}

/* The section that explains a column best, where those with two rates must be worth the second one,
 * and must be fuller inside than outside. */
static int place(int g, const double *sums, const double *mass)
{
    int common = count_sections(g) - 1, best = common;
    double total = 0, all = 0;
    for (int k = 0; k < g; k++) {
        total += sums[k];
        all += mass[k];
    }
    double most = fit_of_section(g, common, sums, mass) + 0.5 * log(total + 1);
    for (int l = 0; l < common; l++) {
        double inside = 0, effect = 0, fit = fit_of_section(g, l, sums, mass);
        for (int k = 0; k < g; k++)
            if (cob_sections_meaningful(g, k, l)) {
                inside += sums[k];
                effect += mass[k];
            }
        if (fit > most && inside * all > total * effect) {
            most = fit;
            best = l;
        }
    }
    return best;
}

const cob_structure cob_sections = {
    .clusters = count_sections,
    .place = place,
    .order = order,
    .name = name,
    .together = together,
    .may_be_empty = true,
    .draws = true,
    .settles = true,
    .restarts = 20,
};
