/* Column clusters in three sections: main (specific to one row cluster), second (to two) and common
 * (to all).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MODELS_SECTIONS_H
#define COB_MODELS_SECTIONS_H

#include "engine/structure.h"

/* g + g(g-1)/2 + 1 clusters: main 0 .. g-1, then second, then common, the last. */
extern const cob_structure cob_sections;

/* The row clusters that a column cluster is specific to: one twice, two, or all. */
typedef struct cob_section {
    int a, b;
    bool common;
} cob_section;

cob_section cob_section_at(int g, int l);

/* Whether it is specific to row cluster k: their block is meaningful. */
static inline bool cob_section_has(cob_section section, int k)
{
    return section.common || k == section.a || k == section.b;
}

#endif
