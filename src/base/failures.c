/* What failed among the pieces of work that threads share.
 * SPDX-License-Identifier: MIT
 */
#include "base/failures.h"

void cob_failures_note(cob_failures *failures, int64_t place, cobloc_status status,
                       const cobloc_error *own)
{
    if (status == COBLOC_OK)
        return;
#pragma omp critical(cob_failures)
    if (failures->error.status == COBLOC_OK || place < failures->place) {
        failures->error = *own;
        failures->error.status = status;
#pragma omp atomic write
        failures->place = place;
    }
}

bool cob_failed_before(const cob_failures *failures, int64_t place)
{
    int64_t earliest;
#pragma omp atomic read
    earliest = failures->place;
    return earliest < place;
}

cobloc_status cob_failures_end(const cob_failures *failures, cobloc_error *err)
{
    if (failures->error.status != COBLOC_OK && err)
        *err = failures->error;
    return failures->error.status;
}
