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

cob_section cob_section_at(int g, int l)
{
    int a = 0, pair = l - g;
    if (l < g)
        return (cob_section){l, l, false};
    if (l == count_sections(g) - 1)
        return (cob_section){.common = true};
    for (; pair >= g - 1 - a; a++)
        pair -= g - 1 - a;
    return (cob_section){a, a + 1 + pair, false};
}

/* Common columns say nothing of any rows. */
static bool together(int g, int k, int l, cob_axis of)
{
    cob_section section = cob_section_at(g, l);
    return cob_section_has(section, k) && !(of == COB_ROWS && section.common);
}

/* Sections follow the rows: main k, second a+b, common last. */
static void order(int g, const int *rows, int *cols)
{
    int m = count_sections(g);
    for (int l = 0; l < m - 1; l++) {
        cob_section old = cob_section_at(g, l);
        for (int to = 0; to < m - 1; to++) {
            cob_section new = cob_section_at(g, to);
            if ((rows[old.a] == new.a &&rows[old.b] == new.b) ||
                (rows[old.a] == new.b &&rows[old.b] == new.a))
                cols[l] = to;
        }
    }
    cols[m - 1] = m - 1;
}

/* "main 2", "second 1+3", "common". */
static void name(int g, int l, char text[COB_CLUSTER_NAME])
{
    cob_section section = cob_section_at(g, l);
    if (section.common)
        snprintf(text, COB_CLUSTER_NAME, "common");
    else if (section.a == section.b)
        snprintf(text, COB_CLUSTER_NAME, "main %d", section.a);
    else
        snprintf(text, COB_CLUSTER_NAME, "second %d+%d", section.a, section.b);
}

/* ---- starts ---------------------------------------------------------------------------------- */

/* What a column has outside of a section and inside: its sums, and the masses of the rows. */
typedef struct parts {
    double sum[2], effect[2];
} parts;

static parts part(int g, int l, const double *sums, const double *mass)
{
    cob_section section = cob_section_at(g, l);
    parts p = {{0}, {0}};
    for (int k = 0; k < g; k++) {
        int inside = cob_section_has(section, k);
        p.sum[inside] += sums[k];
        p.effect[inside] += mass[k];
    }
    return p;
}

/* The log-likelihood of one column whose row clusters in a section share a rate and the others
 * another. */
static double fit_of_parts(const parts *p)
{
    return cob_xlog(p->sum[0], cob_ratio(p->sum[0], p->effect[0])) +
           cob_xlog(p->sum[1], cob_ratio(p->sum[1], p->effect[1]));
}

/* The section that explains a column best, where those with two rates must be worth the second one,
 * and must be fuller inside than outside. */
static int place(int g, const double *sums, const double *mass)
{
    int common = count_sections(g) - 1, best = common;
    parts all = part(g, common, sums, mass);
    double most = fit_of_parts(&all) + 0.5 * log(all.sum[1] + 1);
    for (int l = 0; l < common; l++) {
        parts p = part(g, l, sums, mass);
        double fit = fit_of_parts(&p);
        if (fit > most && p.sum[1] * all.effect[1] > all.sum[1] * p.effect[1]) {
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
