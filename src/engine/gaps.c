/* Gaps between the numbers of clusters.
 * SPDX-License-Identifier: MIT
 */
#include "engine/gaps.h"

#include "base/alloc.h"

#include <string.h>

cobloc_status cob_gaps_alloc(cob_gaps *gaps, int numbers, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW_ZERO(gaps->is, numbers);
    COB_NEW(gaps->where, numbers);
done:
    return status;
}

void cob_gaps_free(cob_gaps *gaps)
{
    cob_free(gaps->is);
    cob_free(gaps->where);
    *gaps = (cob_gaps){0};
}

/* How many gaps are below a number. */
static int gaps_below(const cob_gaps *gaps, int number)
{
    int low = 0, high = gaps->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (gaps->where[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void cob_gaps_add(cob_gaps *gaps, int number)
{
    int at = gaps_below(gaps, number);
    memmove(gaps->where + at + 1, gaps->where + at,
            (size_t)(gaps->count - at) * sizeof *gaps->where);
    gaps->where[at] = number;
    gaps->is[number] = true;
    gaps->count++;
}

void cob_gaps_clear(cob_gaps *gaps)
{
    for (int i = 0; i < gaps->count; i++)
        gaps->is[gaps->where[i]] = false;
    gaps->count = 0;
}

int cob_number_without(const cob_gaps *gaps, int number)
{
    return number - gaps_below(gaps, number);
}

void cob_copy_without(const cob_gaps *gaps, const void *from, size_t width, int count, void *to)
{
    const char *source = from;
    char *target = to;
    for (int i = 0, first = 0; i <= gaps->count; i++) {
        int end = i < gaps->count ? gaps->where[i] : count;
        size_t bytes = (size_t)(end - first) * width;
        memmove(target, source + (size_t)first * width, bytes);
        target += bytes;
        first = end + 1;
    }
}
