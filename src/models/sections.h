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

/* Whether column cluster l is specific to row cluster k. */
bool cob_sections_meaningful(int g, int k, int l);

#endif
