/* A callback with what it is handed: how long operations report progress.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_PROGRESS_H
#define COB_BASE_PROGRESS_H

#include "cobloc.h"

typedef struct cobloc_progress {
    cobloc_progress_fn report; /* NULL: no reports */
    void *user;                /* handed to `report` */
} cobloc_progress;

#endif
