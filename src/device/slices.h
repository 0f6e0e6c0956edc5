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

/* Whole lines come first: slices, and jobs that lay them out. Then what is cut, whose jobs count
 * slices from there on. */
typedef struct cob_slices {
    cob_slice *slices;
    cob_piece *pieces; /* COB_WARP of each slice; of whole lines, `slot` is the line, -1: none */
    cob_job *jobs;
    int32_t *slots; /* the lines that are cut, longest first */
    int64_t count, whole_count;
    int64_t job_count, whole_jobs;
    int64_t slot_count;
    int64_t quads;   /* of all slices */
    int64_t longest; /* lines with more entries are cut; -1: all are */
    bool narrow;     /* the sum of no piece needs more than 16 bits */
} cob_slices;

/* Cuts the lines that are long; or, with `all` or if the labels of the other side are too many for
 * a block (`near`: how many are not), every line. About `blocks` jobs at least are made, where
 * there is work for them. */
cobloc_status cob_slices_cut(const cobloc_view *view, bool all, int64_t near, int blocks,
                             cob_slices *out, cobloc_error *err);
void cob_slices_free(cob_slices *slices);

#endif
