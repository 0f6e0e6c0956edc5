/* The sections of socc's column clusters.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MODELS_SOCC_H
#define COB_MODELS_SOCC_H

#include <stdbool.h>

/* g + g(g-1)/2 + 1: main 0 .. g-1, then second, then common, the last. */
int cob_socc_col_clusters(int g);
/* The two row clusters that column cluster l of the second section is specific to. */
void cob_socc_pair(int g, int l, int *a, int *b);
/* Whether block (k, l) is meaningful. */
bool cob_socc_meaningful(int g, int k, int l);

#endif
