/* The best of many: a short list that stays in order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_TOP_H
#define COB_BASE_TOP_H

#include <stdbool.h>
#include <stddef.h>

/* Puts an item of `size` bytes into a list of *count items, the best first, that has room for
 * `most`; the last one falls out. Of equally good items the one that came first stays before. */
void cob_top_offer(void *list, int *count, int most, size_t size, const void *item,
                   bool (*before)(const void *, const void *));

#endif
