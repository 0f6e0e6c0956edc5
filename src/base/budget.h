/* How much memory the process may hold while large data are in use: a budget.
 *
 * Beyond it, large blocks of memory (base/alloc.h) lie in temporary files, which are mapped, and so
 * do files that are mapped anyway. The pages of all of these can be given back at any moment: the
 * system reads them again when they are touched. A thread watches how much memory the process holds
 * and gives them back in time. So code that walks over large arrays needs to know nothing of it,
 * and what it computes cannot depend on it. It should walk in order: pages are read ahead, and what
 * is visited at random is read again and again.
 *
 * Memory belongs to the process, and so does a budget: of several, the smallest holds. Temporary
 * files have no name and vanish with the process. They are in the folder TMPDIR, else in /var/tmp,
 * which unlike /tmp is never in memory itself. Their room on the disk is reserved first, so that a
 * full disk is a failed allocation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_BUDGET_H
#define COB_BASE_BUDGET_H

#include "base/error.h"

#include <stdbool.h>

typedef struct cob_budget cob_budget;

/* Holds the process to so many bytes until cob_budget_end. *out is NULL for 0 bytes: no limit. */
cobloc_status cob_budget_begin(double bytes, cob_budget **out, cobloc_error *err);
void cob_budget_end(cob_budget *budget);
double cob_budget_bytes(const cob_budget *budget);

/* The smallest budget that holds now, in bytes; 0: there is none. */
double cob_budget_now(void);

/* Bytes of the largest array that may stay in memory; infinite without a budget. */
double cob_budget_block(void);

/* A mapped file, whose pages may be given back; the caller keeps the struct until it is removed. */
typedef struct cob_region {
    struct cob_region *next, **link;
    void *start;
    size_t bytes;
} cob_region;

void cob_region_add(cob_region *region, void *start, size_t bytes);
void cob_region_remove(cob_region *region);

/* Under a budget: what lies there will be visited next. It is read from the disk in the background,
 * and other pages are given back first where there is no room for it. */
void cob_read_ahead(const void *start, size_t bytes);
/* Under a budget: the same for so many bytes in places that are not known; nothing is read ahead.
 */
void cob_make_room(size_t bytes);
/* Under a budget: what lies there will be visited in no order, so that nothing is read ahead unless
 * it is asked for. */
void cob_read_no_more(const void *start, size_t bytes);

/* Pages of a mapped file that will not be visited for a while, with or without a budget; what lies
 * elsewhere stays. */
void cob_give_back(const void *start, size_t bytes);

/* ---- for base/alloc.c ------------------------------------------------------------------------ */

/* Whether a block of so many bytes is large under the budget that holds now: then it is made here.
 */
bool cob_is_large_block(size_t bytes);
/* Bytes that are all 0, in memory or in a temporary file; NULL if there is no room. */
void *cob_block_new(size_t bytes);
/* The size of a block that was made here; 0: it was not. */
size_t cob_block_bytes(const void *pointer);
/* False: it was not made here. */
bool cob_block_free(void *pointer);

/* Asked once after NULL, in the same thread: why there is no temporary file; NULL: it was no matter
 * of files. */
const char *cob_block_failure(void);

#endif
