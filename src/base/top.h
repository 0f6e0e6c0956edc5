/* The best of many items: a short list kept in order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_TOP_H
#define COB_BASE_TOP_H

#include <stdbool.h>
#include <stddef.h>

/* Inserts an item of `size` bytes into a list of *count items, best first, with room for `most`;
 * the last item drops out if the list is full. Of equally good items the earlier one stays first.
 */
void cob_top_offer(void *list, int *count, int most, size_t size, const void *item,
                   bool (*before)(const void *, const void *));

#endif
