/* CUDA devices, by the functions of their driver. It is looked for when it is needed, and is used
 * without its headers: cobloc neither links nor includes anything of CUDA's.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "device/compile.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* ---- the driver ------------------------------------------------------------------------------ */

typedef struct cuda_context cuda_context;
typedef struct cuda_module cuda_module;
typedef struct cuda_function cuda_function;
typedef struct cuda_stream cuda_stream;

/* Numbers of CUDA's that are used here. */
enum {
    ATTRIBUTE_PROCESSORS = 16,
    ATTRIBUTE_MAJOR = 75,
    ATTRIBUTE_MINOR = 76,
    ATTRIBUTE_MOST_NEAR = 97,
    FUNCTION_MOST_NEAR = 8,
    STREAM_NON_BLOCKING = 1,
    OUT_OF_MEMORY = 2
};

typedef struct driver {
    void *library;
    int (*init)(unsigned flags);
    int (*count)(int *count);
    int (*get)(int *device, int number);
    int (*name)(char *name, int room, int device);
    int (*attribute)(int *value, int attribute, int device);
    int (*retain)(cuda_context **context, int device);
    int (*release)(int device);
    int (*enter)(cuda_context *context);
    int (*memory)(size_t *available, size_t *total);
    int (*alloc)(cob_address *out, size_t bytes);
    int (*free)(cob_address address);
    int (*alloc_here)(void **out, size_t bytes);
    int (*free_here)(void *memory);
    int (*write)(cob_address to, const void *from, size_t bytes, cuda_stream *stream);
    int (*read)(void *to, cob_address from, size_t bytes, cuda_stream *stream);
    int (*clear)(cob_address at, unsigned char value, size_t bytes, cuda_stream *stream);
    int (*stream)(cuda_stream **out, unsigned flags);
    int (*wait)(cuda_stream *stream);
    int (*end_stream)(cuda_stream *stream);
    int (*load)(cuda_module **out, const void *code);
    int (*unload)(cuda_module *module);
    int (*function)(cuda_function **out, cuda_module *module, const char *name);
    int (*set)(cuda_function *function, int attribute, int value);
    int (*launch)(cuda_function *function, unsigned x, unsigned y, unsigned z, unsigned threads_x,
                  unsigned threads_y, unsigned threads_z, unsigned near, cuda_stream *stream,
                  void **arguments, void **extra);
    int (*why)(int code, const char **text);
} driver;

typedef struct cuda_device {
    cob_device base;
    driver calls;
    int number;
    int major, minor; /* of what the processors can do */
    cuda_context *context;
    cuda_module *modules[COB_WAYS * COB_VARIANTS]; /* made when they are first needed */
    cuda_function *kernels[COB_WAYS * COB_VARIANTS][COB_KERNELS];
} cuda_device;

static cobloc_status open_driver(driver *d, cobloc_error *err)
{
    const struct {
        const char *name;
        void *function;
    } wanted[] = {
        {"cuInit", &d->init},
        {"cuDeviceGetCount", &d->count},
        {"cuDeviceGet", &d->get},
        {"cuDeviceGetName", &d->name},
        {"cuDeviceGetAttribute", &d->attribute},
        {"cuDevicePrimaryCtxRetain", &d->retain},
        {"cuDevicePrimaryCtxRelease_v2", &d->release},
        {"cuCtxSetCurrent", &d->enter},
        {"cuMemGetInfo_v2", &d->memory},
        {"cuMemAlloc_v2", &d->alloc},
        {"cuMemFree_v2", &d->free},
        {"cuMemAllocHost_v2", &d->alloc_here},
        {"cuMemFreeHost", &d->free_here},
        {"cuMemcpyHtoDAsync_v2", &d->write},
        {"cuMemcpyDtoHAsync_v2", &d->read},
        {"cuMemsetD8Async", &d->clear},
        {"cuStreamCreate", &d->stream},
        {"cuStreamSynchronize", &d->wait},
        {"cuStreamDestroy_v2", &d->end_stream},
        {"cuModuleLoadData", &d->load},
        {"cuModuleUnload", &d->unload},
        {"cuModuleGetFunction", &d->function},
        {"cuFuncSetAttribute", &d->set},
        {"cuLaunchKernel", &d->launch},
        {"cuGetErrorString", &d->why},
    };
    cobloc_status status = COBLOC_OK;
    *d = (driver){.library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)};
    COB_CHECK(d->library, COBLOC_UNSUPPORTED,
              "there is no GPU that cobloc can use: the driver libcuda.so.1 was not found");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *found = dlsym(d->library, wanted[i].name);
        COB_CHECK(found, COBLOC_UNSUPPORTED, "the driver of the GPU is too old: it has no %s",
                  wanted[i].name);
        memcpy(wanted[i].function, &found, sizeof found);
    }
    COB_CHECK(d->init(0) == 0, COBLOC_UNSUPPORTED,
              "there is no GPU that cobloc can use: its driver does not start");
done:
    return status;
}

static cobloc_status check(const cuda_device *c, int code, const char *what, cobloc_error *err)
{
    const char *why = NULL;
    if (code == 0)
        return COBLOC_OK;
    c->calls.why(code, &why);
    return cob_fail(err, code == OUT_OF_MEMORY ? COBLOC_NO_MEMORY : COBLOC_UNSUPPORTED,
                    "%s: %s (CUDA error %d, %s)", c->base.name, what, code, why ? why : "unknown");
}

/* Any thread may call. */
static cuda_device *enter(cob_device *device)
{
    cuda_device *c = (cuda_device *)device;
    c->calls.enter(c->context);
    return c;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static cobloc_status device_alloc(cob_device *device, size_t bytes, cob_address *out,
                                  cobloc_error *err)
{
    cuda_device *c = enter(device);
    return check(c, c->calls.alloc(out, bytes > 0 ? bytes : 1), "it has not enough memory", err);
}

static void device_release(cob_device *device, cob_address address)
{
    cuda_device *c = enter(device);
    if (address)
        c->calls.free(address);
}

static cobloc_status device_alloc_here(cob_device *device, size_t bytes, void **out,
                                       cobloc_error *err)
{
    cuda_device *c = enter(device);
    return check(c, c->calls.alloc_here(out, bytes > 0 ? bytes : 1),
                 "there is not enough memory beside it", err);
}

static void device_release_here(cob_device *device, void *memory)
{
    cuda_device *c = enter(device);
    if (memory)
        c->calls.free_here(memory);
}

static cobloc_status device_write(cob_device *device, cob_queue queue, cob_address to,
                                  const void *from, size_t bytes, cobloc_error *err)
{
    cuda_device *c = enter(device);
    return bytes == 0 ? COBLOC_OK
                      : check(c, c->calls.write(to, from, bytes, queue),
                              "data could not be sent to it", err);
}

static cobloc_status device_read(cob_device *device, cob_queue queue, void *to, cob_address from,
                                 size_t bytes, cobloc_error *err)
{
    cuda_device *c = enter(device);
    return bytes == 0 ? COBLOC_OK
                      : check(c, c->calls.read(to, from, bytes, queue),
                              "data could not be read from it", err);
}

static cobloc_status device_clear(cob_device *device, cob_queue queue, cob_address at, size_t bytes,
                                  cobloc_error *err)
{
    cuda_device *c = enter(device);
    return bytes == 0
               ? COBLOC_OK
               : check(c, c->calls.clear(at, 0, bytes, queue), "its memory could not be set", err);
}

/* ---- queues and kernels ---------------------------------------------------------------------- */

static cobloc_status device_open_queue(cob_device *device, cob_queue *out, cobloc_error *err)
{
    cuda_device *c = enter(device);
    cuda_stream *stream = NULL;
    cobloc_status status =
        check(c, c->calls.stream(&stream, STREAM_NON_BLOCKING), "no queue could be made", err);
    *out = stream;
    return status;
}

static void device_close_queue(cob_device *device, cob_queue queue)
{
    cuda_device *c = enter(device);
    if (queue)
        c->calls.end_stream(queue);
}

static cobloc_status device_wait(cob_device *device, cob_queue queue, cobloc_error *err)
{
    cuda_device *c = enter(device);
    return check(c, c->calls.wait(queue), "a kernel failed", err);
}

static bool is_of_way(cob_kernel kernel, cob_way way)
{
    if (way == COB_DRAWN_WAY)
        return kernel == COB_PLACE_LINES || kernel == COB_PLACE_SLOTS;
    return (kernel >= COB_SUM_SHARES) == (way == COB_SOFT_WAY);
}

static cobloc_status load_variant(cuda_device *c, cob_variant variant, cob_way way, int at,
                                  cobloc_error *err)
{
#define QUOTED(name) #name
    static const char *const names[COB_KERNELS] = {COB_KERNEL_NAMES(QUOTED)};
#undef QUOTED
    cobloc_status status = COBLOC_OK;
    void *code = NULL;
    size_t bytes;
    COB_TRY(cob_compile(variant, way, c->major, c->minor, &code, &bytes, err));
    COB_TRY(check(c, c->calls.load(&c->modules[at], code), "the kernels cannot be loaded", err));
    for (int k = 0; k < COB_KERNELS; k++) {
        if (!is_of_way((cob_kernel)k, way))
            continue;
        COB_TRY(check(c, c->calls.function(&c->kernels[at][k], c->modules[at], names[k]),
                      "a kernel is missing", err));
        COB_TRY(check(c,
                      c->calls.set(c->kernels[at][k], FUNCTION_MOST_NEAR, (int)c->base.most_near),
                      "its shared memory cannot be used", err));
    }
done:
    cob_free(code);
    return status;
}

/* Fits in several threads share the kernels. */
static cobloc_status find_kernels(cuda_device *c, cob_variant variant, cob_way way,
                                  cuda_function ***out, cobloc_error *err)
{
    static const cob_kernel last[] = {[COB_HARD_WAY] = COB_CODE_ENTRIES,
                                      [COB_DRAWN_WAY] = COB_PLACE_SLOTS,
                                      [COB_SOFT_WAY] = COB_ADD_CHUNKS};
    cobloc_status status = COBLOC_OK;
    int at = (int)way * COB_VARIANTS + cob_variant_number(variant);
#pragma omp critical(cob_device_kernels)
    if (!c->kernels[at][last[way]])
        status = load_variant(c, variant, way, at, err);
    *out = c->kernels[at];
    return status;
}

static cobloc_status device_prepare(cob_device *device, cob_variant variant, cobloc_error *err)
{
    cuda_function **ignored;
    return find_kernels(enter(device), variant, COB_HARD_WAY, &ignored, err);
}

static cobloc_status device_start(cob_device *device, cob_queue queue, const cob_launch *launch,
                                  const cob_lines_args *args, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cuda_device *c = enter(device);
    cuda_function **kernels;
    cob_lines_args own = *args;
    void *arguments[] = {&own};
    COB_TRY(find_kernels(c, launch->variant, launch->way, &kernels, err));
    COB_TRY(check(c,
                  c->calls.launch(kernels[launch->kernel], (unsigned)launch->blocks, 1, 1,
                                  (unsigned)(launch->warps * COB_WARP), 1, 1,
                                  (unsigned)launch->near, queue, arguments, NULL),
                  "a kernel did not start", err));
done:
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

static void device_close(cob_device *device)
{
    cuda_device *c = (cuda_device *)device;
    if (c->context) {
        enter(device);
        for (int i = 0; i < COB_WAYS * COB_VARIANTS; i++)
            if (c->modules[i])
                c->calls.unload(c->modules[i]);
        c->calls.enter(NULL);
        c->calls.release(c->number);
    }
    if (c->calls.library)
        dlclose(c->calls.library);
    cob_free(c);
}

static cobloc_status look(cuda_device *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t available = 0, total = 0;
    int near = 0;
    COB_TRY(check(c, c->calls.name(c->base.name, sizeof c->base.name, c->number),
                  "it does not say what it is", err));
    COB_TRY(check(c, c->calls.attribute(&c->base.processors, ATTRIBUTE_PROCESSORS, c->number),
                  "it does not say how many processors it has", err));
    COB_TRY(check(c, c->calls.attribute(&c->major, ATTRIBUTE_MAJOR, c->number),
                  "it does not say what it can do", err));
    COB_TRY(check(c, c->calls.attribute(&c->minor, ATTRIBUTE_MINOR, c->number),
                  "it does not say what it can do", err));
    COB_TRY(check(c, c->calls.attribute(&near, ATTRIBUTE_MOST_NEAR, c->number),
                  "it does not say how much memory its blocks have", err));
    COB_TRY(check(c, c->calls.retain(&c->context, c->number), "it cannot be used", err));
    COB_TRY(check(c, c->calls.enter(c->context), "it cannot be used", err));
    COB_TRY(check(c, c->calls.memory(&available, &total), "it does not say how much memory it has",
                  err));
    c->base.most_near = (size_t)near;
    c->base.free_memory = (double)available;
done:
    return status;
}

cobloc_status cob_cuda_open(int number, cob_device **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cuda_device *c = NULL;
    int count = 0;
    COB_NEW_ZERO(c, 1);
    c->base = (cob_device){.alloc = device_alloc,
                           .release = device_release,
                           .alloc_here = device_alloc_here,
                           .release_here = device_release_here,
                           .open_queue = device_open_queue,
                           .close_queue = device_close_queue,
                           .write = device_write,
                           .read = device_read,
                           .clear = device_clear,
                           .prepare = device_prepare,
                           .start = device_start,
                           .wait = device_wait,
                           .close = device_close};
    COB_TRY(open_driver(&c->calls, err));
    COB_CHECK(c->calls.count(&count) == 0 && number < count, COBLOC_UNSUPPORTED,
              "there is no GPU number %d: CUDA finds %d", number, count);
    COB_TRY(check(c, c->calls.get(&c->number, number), "the GPU cannot be used", err));
    COB_TRY(look(c, err));
    *out = &c->base;
    c = NULL;
done:
    if (c)
        device_close(&c->base);
    return status;
}

int cob_cuda_count(void)
{
    cobloc_error ignored = {COBLOC_OK, ""};
    driver d;
    int count = 0;
    if (open_driver(&d, &ignored) != COBLOC_OK || d.count(&count) != 0)
        count = 0;
    if (d.library)
        dlclose(d.library);
    return count;
}
