/* Positions for the nodes of a small graph, so that connected nodes are close.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_LAYOUT_H
#define COB_REPORT_LAYOUT_H

#include "report/charts.h"

/* Sets x and y of each node, from 0 to 1. The result is deterministic. */
cobloc_status cob_layout_graph(int nodes, const cobloc_edge *edges, int edge_count, double *x,
                               double *y, cobloc_error *err);

#endif
