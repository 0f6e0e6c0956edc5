/* One variant of the device's kernels as C; VARIANT is its name. See emulated.c.
 * SPDX-License-Identifier: MIT
 */
#include "emulated.h"

#include <math.h>

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define KERNEL(name) void JOIN(name, VARIANT)
#define PLACE(a) (cob_lines_args a, emulated_place place)
#define HERE static inline
#define NEAR long long *near_memory = place.near;
#define BLOCK place.block
#define BLOCKS place.blocks
#define BLOCK_WARPS place.warps
#define LANES(lane) for (int lane = 0; lane < COB_WARP; lane++)
#define WARPS(warp) for (int warp = 0; warp < place.warps; warp++)
#define BLOCK_DEALS(i, count) for (long long i = 0; i < (count); i++)
#define BLOCK_WAITS
#define ADD(to, number) (*(to) += (number))
#define ADD_LONG(to, number) (*(to) += (number))
#define TAKE(from, number) ((*(from) += (number)) - (number))
#define NEGATIVE_INFINITY ((double)-INFINITY)
#define NEAREST(x) llrint(x)
#define READ_ONCE(pointer) (*(pointer))

emulated_kernel JOIN(cob_place_lines, VARIANT), JOIN(cob_sum_pieces, VARIANT),
    JOIN(cob_place_slots, VARIANT);

#include "device/lines.cu"
