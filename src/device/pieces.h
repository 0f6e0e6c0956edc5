/* How the entries of long lines are dealt to blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DEVICE_PIECES_H
#define COB_DEVICE_PIECES_H

#include "base/error.h"
#include "device/kernels.h"

#include <stdbool.h>

typedef struct cob_pieces {
    cob_piece *pieces;
    cob_job *jobs;
    int32_t *slots; /* the lines that are cut */
    int64_t count, job_count, slot_count;
    int64_t longest; /* lines with more entries are cut; -1: all are */
} cob_pieces;

/* Cuts the lines that are long, or all, if the labels of the other side are too many for a block
 * (`near`: how many are not). About `blocks` jobs at least are made, where there is work for them.
 */
cobloc_status cob_pieces_cut(const cobloc_view *view, int64_t near, int blocks, cob_pieces *out,
                             cobloc_error *err);
void cob_pieces_free(cob_pieces *pieces);

#endif
