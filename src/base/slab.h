/* Memory that is taken in many small pieces and freed as a whole.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_SLAB_H
#define COB_BASE_SLAB_H

#include <stddef.h>

typedef struct cob_slab cob_slab;

enum { COB_LARGEST_SLAB = 1 << 25 }; /* bytes: enough for huge pages */

/* A piece of the newest slab, or of a new one; *newest is NULL at first. NULL if memory runs out.
 * Under a budget (base/budget.h) slabs may lie in files, and their pieces are visited in no order.
 */
void *cob_slab_take(cob_slab **newest, size_t bytes);
void cob_slabs_free(cob_slab *newest);

#endif
