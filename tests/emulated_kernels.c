/* One variant of the device's kernels as C; VARIANT is its name. See emulated.c.
 * SPDX-License-Identifier: MIT
 */
#include "emulated.h"

#include <math.h>

#define WITH_HARD 1 /* devices compile these one by one */
#define WITH_DRAWS 1
#define WITH_SOFT 1
#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define KERNEL(name) static void name
#define KERNEL_OF(warps, name) static void name
#define PLACE(a) (cob_lines_args a, emulated_place place)
#define HERE static inline
#define UNROLLED
#define NEAR long long *near_memory = place.near;
#define BLOCK place.block
#define BLOCKS place.blocks
#define BLOCK_WARPS place.warps
#define LANES(lane) for (int lane = 0; lane < COB_WARP; lane++)
#define WARPS(warp) for (int warp = 0; warp < place.warps; warp++)
#define BLOCK_DEALS(i, count) for (long long i = 0; i < (count); i++)
#define WARPS_DEAL(i, count, j, each)                                                              \
    for (int i = 0; i < (count); i++)                                                              \
        for (long long j = 0; j < (each); j++)
#define BLOCK_WAITS
#define WARP_WAITS
#define ADD_LONG(to, number) (*(to) += (number))
#define ADD_KEPT(to, number) (*(to) += (KEPT)(number))
#define TAKE(from, number) ((*(from) += (number)) - (number)) /* by a warp */
#define TAKE_ONE(from) ((*(from))++)
#define RAISE(to, number) (*(to) = *(to) < (number) ? (number) : *(to))
#define NEGATIVE_INFINITY ((double)-INFINITY)
#define NEAREST(x) llrint(x)
#define READ_ONCE(pointer) (*(pointer))
#define QUAD quad
#define PAIR pair

typedef struct quad {
    int x, y, z, w;
} quad;

typedef struct pair {
    double x, y;
} pair;

#if PACKED == 1
HERE void add_own(SUM *to, SUM number)
{
    *to = (SUM)(*to + number);
}
#endif

HERE void add_counter(unsigned *to, unsigned number)
{
    *to += number;
}

HERE void add_near(long long *to, long long number)
{
    *to += number;
}

#include "device/entries.cu"

#include "device/draws.cu"

#include "device/scores.cu"

#include "device/lines.cu"

#include "device/runs.cu"

#include "device/kept.cu"

#include "device/keepers.cu"

#include "device/across.cu"

#include "device/soft.cu"

#define PLAIN(name) name
extern emulated_kernel *const JOIN(emulated, VARIANT)[COB_KERNELS];
emulated_kernel *const JOIN(emulated, VARIANT)[COB_KERNELS] = {COB_KERNEL_NAMES(PLAIN)};
