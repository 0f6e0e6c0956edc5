/* How the lines of one side are dealt to the threads of a device: lines of about the same length
 * side by side, long ones cut into pieces.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DEVICE_SLICES_H
#define COB_DEVICE_SLICES_H

#include "base/error.h"
#include "device/kernels.h"

#include <stdbool.h>

enum { COB_MOST_PACKED = 4, COB_PACKINGS = 3 }; /* sums that share 32 bits: 4, 2, or 1 */

/* Whole lines come first: slices, and jobs that lay them out. Then what is cut, whose jobs count
 * slices from there on. */
typedef struct cob_slices {
    cob_slice *slices;
    cob_piece *pieces; /* COB_WARP of each slice; of whole lines, `slot` is the line, -1: none */
    cob_job *jobs;
    int32_t *slots; /* the lines that are cut, those with the largest sums first: */
    int64_t count, whole_count;
    int64_t job_count, whole_jobs;
    int64_t slot_count;
    int64_t large, heavy;             /* so many of these have sums beyond 32 and 16 bits */
    int64_t quads;                    /* of all slices */
    int64_t longest;                  /* lines with more entries are cut; -1: all are */
    int64_t packed_end[COB_PACKINGS]; /* whole lines whose sums can share 32 bits come first */
} cob_slices;

/* Cuts the lines that are long; or, if the labels of the other side are too many for a block
 * (`near`: how many are not), every line. About `blocks` jobs at least are made, where there is
 * work for them. */
cobloc_status cob_slices_cut(const cobloc_view *view, int64_t near, int blocks, cob_slices *out,
                             cobloc_error *err);

/* Cuts the lines that are long for runs which go together, and deals no others. */
cobloc_status cob_slices_long(const cobloc_view *view, int blocks, cob_slices *out,
                              cobloc_error *err);

/* The order of the lines alone, as if all were cut. */
cobloc_status cob_slices_order(const cobloc_view *view, cob_slices *out, cobloc_error *err);
void cob_slices_free(cob_slices *slices);

/* Whether the counts of a line add up to more than 32 bits hold. */
bool cob_has_heavy_line(const cobloc_view *view);

#endif
