/* cobloc: co-clustering of sparse, non-negative tables.
 *
 * This header includes all others, one a topic; they are the manual. Start with cobloc/values.h,
 * which says how options are set and results are read, and docs/interface.md, which lists them.
 *
 * Conventions
 * - Functions that can fail return a cobloc_status and take, last, a cobloc_error that receives one
 *   sentence about what went wrong; it may be NULL. Outputs are set only on success.
 * - The library never prints, never exits and keeps no global state; two threads may use it at
 *   once.
 * - Objects made by the library are released by their cobloc_*_free, which accepts NULL.
 * - Options may be NULL where a function says so; then all have their defaults.
 * - Rows and columns are numbered from 0.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_H
#define COBLOC_H

#include "cobloc/base.h"
#include "cobloc/values.h"
#include "cobloc/ranks.h"

#include "cobloc/matrix.h"
#include "cobloc/text.h"
#include "cobloc/labels.h"

#include "cobloc/fit.h"
#include "cobloc/predict.h"

#include "cobloc/describe.h"
#include "cobloc/map.h"
#include "cobloc/select.h"
#include "cobloc/ensemble.h"
#include "cobloc/score.h"
#include "cobloc/compare.h"

#include "cobloc/report.h"
#include "cobloc/picture.h"
#include "cobloc/simulate.h"

#endif
