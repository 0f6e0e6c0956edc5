/* The emulated device.
 * SPDX-License-Identifier: MIT
 */
#include "emulated.h"

#include "base/alloc.h"

#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------- */

#define VARIANTS(of)                                                                               \
    of(ONES, ones, 1) of(ONES, ones, 2) of(ONES, ones, 4) of(U8, u8, 1) of(U8, u8, 2)              \
        of(U8, u8, 4) of(U16, u16, 1) of(U16, u16, 2) of(U16, u16, 4) of(U32, u32, 1)              \
            of(F64, f64, 1)
#define DECLARE(kind, name, packed)                                                                \
    extern emulated_kernel *const emulated_##name##packed##_few[],                                 \
        *const emulated_##name##packed##_many[];
#define CASES(kind, name, packed)                                                                  \
    [8 * COBLOC_##kind + 2 * ((packed) / 2)] = emulated_##name##packed##_many,                     \
                                         [8 * COBLOC_##kind + 2 * ((packed) / 2) + 1] =            \
                                             emulated_##name##packed##_few,

VARIANTS(DECLARE)

/* By the numbers of variants. */
static emulated_kernel *const *const kernels[COB_VARIANTS] = {VARIANTS(CASES)};

/* ---- the device ------------------------------------------------------------------------------ */

static cobloc_status count_call(cob_device *device, cobloc_error *err)
{
    emulated_device *d = (emulated_device *)device;
    long long call;
    bool fails;
#pragma omp critical(emulated_calls)
    {
        call = ++d->calls;
        fails = d->fails == call;
    }
    return fails ? cob_fail(err, COBLOC_NO_MEMORY, "call %lld was to fail", call) : COBLOC_OK;
}

static void count_block(cob_device *device, int change)
{
#pragma omp critical(emulated_calls)
    ((emulated_device *)device)->blocks += change;
}

static cobloc_status emulated_alloc(cob_device *device, size_t bytes, cob_address *out,
                                    cobloc_error *err)
{
    cobloc_status status = count_call(device, err);
    if (status != COBLOC_OK)
        return status;
    void *memory = cob_alloc(bytes, 1);
    if (!memory)
        return cob_fail_memory(err, bytes, 1);
    memset(memory, 0xa5, bytes); /* nobody may rely on what it holds */
    *out = (cob_address)(uintptr_t)memory;
    count_block(device, 1);
    return COBLOC_OK;
}

static void emulated_release(cob_device *device, cob_address address)
{
    if (address)
        count_block(device, -1);
    cob_free((void *)(uintptr_t)address);
}

static cobloc_status emulated_alloc_here(cob_device *device, size_t bytes, void **out,
                                         cobloc_error *err)
{
    cob_address address = 0;
    cobloc_status status = emulated_alloc(device, bytes, &address, err);
    *out = (void *)(uintptr_t)address;
    return status;
}

static void emulated_release_here(cob_device *device, void *memory)
{
    emulated_release(device, (cob_address)(uintptr_t)memory);
}

static cobloc_status emulated_queue(cob_device *device, cob_queue *out, cobloc_error *err)
{
    *out = NULL;
    return count_call(device, err);
}

static void emulated_close_queue(cob_device *device, cob_queue queue)
{
    (void)device, (void)queue;
}

static cobloc_status emulated_write(cob_device *device, cob_queue queue, cob_address to,
                                    const void *from, size_t bytes, cobloc_error *err)
{
    (void)queue;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return count_call(device, err);
}

static cobloc_status emulated_read(cob_device *device, cob_queue queue, void *to, cob_address from,
                                   size_t bytes, cobloc_error *err)
{
    (void)queue;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return count_call(device, err);
}

static cobloc_status emulated_clear(cob_device *device, cob_queue queue, cob_address at,
                                    size_t bytes, cobloc_error *err)
{
    (void)queue;
    memset((void *)(uintptr_t)at, 0, bytes);
    return count_call(device, err);
}

static cobloc_status emulated_prepare(cob_device *device, cob_variant variant, cobloc_error *err)
{
    (void)variant;
    return count_call(device, err);
}

static cobloc_status emulated_start(cob_device *device, cob_queue queue, const cob_launch *launch,
                                    const cob_lines_args *args, cobloc_error *err)
{
    cobloc_status status = count_call(device, err);
    (void)queue;
    if (status != COBLOC_OK)
        return status;
    for (int block = 0; block < launch->blocks; block++) {
        long long *near = cob_alloc(launch->near, 1);
        if (!near)
            return cob_fail_memory(err, launch->near, 1);
        memset(near, 0x5a, launch->near);
        kernels[cob_variant_number(launch->variant)][launch->kernel](
            *args, (emulated_place){block, launch->blocks, launch->warps, near});
        cob_free(near);
    }
#pragma omp critical(emulated_calls)
    {
        ((emulated_device *)device)->starts++;
        ((emulated_device *)device)->together += args->abreast > 1;
        ((emulated_device *)device)->drawing += args->drawing.draws;
        ((emulated_device *)device)->keeping += launch->kernel == COB_DESCRIBE_KEEPERS;
        ((emulated_device *)device)->soft += launch->kernel == COB_ADD_CHUNKS;
    }
    return COBLOC_OK;
}

static cobloc_status emulated_wait(cob_device *device, cob_queue queue, cobloc_error *err)
{
    (void)queue;
    return count_call(device, err);
}

static void emulated_close(cob_device *device)
{
    (void)device;
}

emulated_device emulated_open(int processors, size_t near)
{
    return (emulated_device){.base = {.name = "emulated",
                                      .processors = processors,
                                      .most_near = near,
                                      .alloc = emulated_alloc,
                                      .release = emulated_release,
                                      .alloc_here = emulated_alloc_here,
                                      .release_here = emulated_release_here,
                                      .open_queue = emulated_queue,
                                      .close_queue = emulated_close_queue,
                                      .write = emulated_write,
                                      .read = emulated_read,
                                      .clear = emulated_clear,
                                      .prepare = emulated_prepare,
                                      .start = emulated_start,
                                      .wait = emulated_wait,
                                      .close = emulated_close}};
}
