/* The best of many.
 * SPDX-License-Identifier: MIT
 */
#include "base/top.h"

#include <string.h>

void cob_top_offer(void *list, int *count, int most, size_t size, const void *item,
                   bool (*before)(const void *, const void *))
{
    char *items = list;
    size_t at = (size_t)*count;
    if (most <= 0 || (*count == most && !before(item, items + (at - 1) * size)))
        return;
    if (*count == most)
        at--;
    else
        ++*count;
    size_t last = at;
    while (at > 0 && before(item, items + (at - 1) * size))
        at--;
    memmove(items + (at + 1) * size, items + at * size, (last - at) * size);
    memcpy(items + at * size, item, size);
}
