/* What failed among the pieces of work that threads share. The earliest piece counts, not the
 * thread that is first to tell: the message is the same for any number of threads.
 *
 *     cob_failures failed = COB_NO_FAILURE;
 *     #pragma omp parallel for
 *     for (int64_t i = 0; i < count; i++) {
 *         cobloc_error own;
 *         cob_failures_note(&failed, i, work(i, &own), &own);
 *     }
 *     COB_TRY(cob_failures_end(&failed, err));
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_FAILURES_H
#define COB_BASE_FAILURES_H

#include "cobloc.h"

#include <stdbool.h>

typedef struct cob_failures {
    int64_t place; /* of the earliest failure; INT64_MAX: none, or one after all pieces */
    cobloc_error error;
} cob_failures;

#define COB_NO_FAILURE ((cob_failures){INT64_MAX, {COBLOC_OK, ""}})

/* A piece has ended with `status`; `own`, of the calling thread, holds its message if it failed. */
void cob_failures_note(cob_failures *failures, int64_t place, cobloc_status status,
                       const cobloc_error *own);

/* Whether a piece before `place` has failed, so that this one need not begin. */
bool cob_failed_before(const cob_failures *failures, int64_t place);

/* After all threads have ended. */
cobloc_status cob_failures_end(const cob_failures *failures, cobloc_error *err);

#endif
