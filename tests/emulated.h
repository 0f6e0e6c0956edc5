/* A device for tests: its memory is the processor's, and it runs the kernels' own source, compiled
 * as C, the threads of a warp one after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_EMULATED_H
#define COB_TESTS_EMULATED_H

#include "device/device.h"

typedef struct emulated_device {
    cob_device base;
    long long blocks;        /* of memory that were not released, */
    long long starts;        /* and how many kernels were started */
    long long together;      /* how many of these were for several runs, */
    long long drawing, soft; /* drew labels, or added up soft memberships, */
    long long keeping;       /* or described the keepers of clusters without members */
    long long calls;         /* that can fail, */
    long long fails;         /* and which of them does, from 1 on; 0: none */
} emulated_device;

/* With so many processors, whose blocks have so many bytes of memory. It is closed by nobody. */
emulated_device emulated_open(int processors, size_t near);

/* Where a block is, among how many, and its memory. */
typedef struct emulated_place {
    long long block, blocks;
    int warps;
    long long *near;
} emulated_place;

typedef void emulated_kernel(cob_lines_args args, emulated_place place);

#endif
