/* The words that kernels are written in, as CUDA takes them; tests/emulated_kernels.c has them for C.
 * A phase, in which the threads of a warp (or of a block) do the same and wait for each other at its
 * end, is a loop over them to C.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WITH_HARD
#define WITH_HARD 0 /* other kernels are compiled: see cob_way */
#endif
#define KERNEL_OF(warps, name) extern "C" __global__ void __launch_bounds__(COB_WARP *(warps)) name
#define KERNEL(name) KERNEL_OF(COB_WARPS, name)
#define PLACE(a) (cob_lines_args a)
#define HERE static __device__ __forceinline__
#define UNROLLED _Pragma("unroll")
#define NEAR extern __shared__ __align__(16) long long near_memory[];
#define BLOCK ((long long)blockIdx.x)
#define BLOCKS ((long long)gridDim.x)
#define BLOCK_WARPS ((int)blockDim.x / COB_WARP)
#define LANES(lane)                                                                                \
    for (int lane = (int)threadIdx.x % COB_WARP, once_ = 1; once_; once_ = 0, __syncwarp())
#define WARPS(warp)                                                                                \
    for (int warp = (int)threadIdx.x / COB_WARP, once_ = 1; once_; once_ = 0, __syncthreads())
#define BLOCK_DEALS(i, count) for (long long i = threadIdx.x; i < (count); i += blockDim.x)
/* Warps deal the first, and the threads of each the second. */
#define WARPS_DEAL(i, count, j, each)                                                              \
    for (int i = (int)threadIdx.x / COB_WARP; i < (count); i += BLOCK_WARPS)                       \
        for (long long j = threadIdx.x % COB_WARP; j < (each); j += COB_WARP)
#define BLOCK_WAITS __syncthreads();
#define WARP_WAITS __syncwarp();
#define ADD_LONG(to, number) atomicAdd((unsigned long long *)(to), (unsigned long long)(number))
#define ADD_KEPT(to, number) atomicAdd((to), (KEPT)(number))
/* One thread of a warp takes, for all of them. */
#define TAKE(from, number)                                                                         \
    __shfl_sync(0xffffffff, threadIdx.x % COB_WARP == 0 ? atomicAdd((from), (number)) : 0, 0)
#define TAKE_ONE(from) atomicAdd((from), 1) /* each thread for itself */
#define RAISE(to, number) atomicMax((to), (number))
#define NEGATIVE_INFINITY __longlong_as_double((long long)0xfff0000000000000ULL)
#define NEAREST(x) __double2ll_rn(x)
#define READ_ONCE(pointer) __ldcs(pointer)
#define QUAD int4
#define PAIR double2

/* Nobody else adds to these. For int, an addition that nothing waits for is faster. */
HERE void add_own(int *to, int number)
{
    atomicAdd(to, number);
}
HERE void add_own(unsigned long long *to, unsigned long long number)
{
    *to += number;
}

HERE void add_counter(unsigned *to, unsigned number)
{
    atomicAdd(to, number);
}

/* Shared memory adds 32 bits at a time; with 64 bits it would try until nobody was in between. */
HERE void add_near(long long *to, long long number)
{
    unsigned *half = (unsigned *)to, low = (unsigned)number;
    unsigned before = atomicAdd(half, low);
    unsigned high = (unsigned)(number >> 32) + (before + low < before ? 1u : 0u);
    if (high != 0)
        atomicAdd(half + 1, high);
}

