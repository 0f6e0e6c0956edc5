/* Compiling for a device. NVRTC is looked for when it is needed, and is used without its headers.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* fileno */
#include "device/compile.h"

#include "base/alloc.h"
#include "base/file.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- NVRTC ----------------------------------------------------------------------------------- */

typedef struct program program;

typedef struct nvrtc {
    void *library;
    int (*create)(program **out, const char *source, const char *name, int headers,
                  const char *const *header_sources, const char *const *header_names);
    int (*compile)(program *p, int options, const char *const *option);
    int (*code_size)(program *p, size_t *bytes);
    int (*code)(program *p, char *bytes);
    int (*log_size)(program *p, size_t *bytes);
    int (*log)(program *p, char *text);
    int (*destroy)(program **p);
} nvrtc;

static bool find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static cobloc_status open_nvrtc(nvrtc *n, cobloc_error *err)
{
    static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                        "libnvrtc.so.11.2"};
    cobloc_status status = COBLOC_OK;
    *n = (nvrtc){0};
    for (size_t i = 0; i < sizeof names / sizeof *names && !n->library; i++)
        n->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    COB_CHECK(n->library, COBLOC_UNSUPPORTED,
              "the compiler for the device, libnvrtc.so, was not found");
    COB_CHECK(find(n->library, "nvrtcCreateProgram", &n->create) &&
                  find(n->library, "nvrtcCompileProgram", &n->compile) &&
                  find(n->library, "nvrtcGetCUBINSize", &n->code_size) &&
                  find(n->library, "nvrtcGetCUBIN", &n->code) &&
                  find(n->library, "nvrtcGetProgramLogSize", &n->log_size) &&
                  find(n->library, "nvrtcGetProgramLog", &n->log) &&
                  find(n->library, "nvrtcDestroyProgram", &n->destroy),
              COBLOC_UNSUPPORTED, "libnvrtc.so is too old: it cannot make code for a device");
done:
    return status;
}

/* The first line of what the compiler says, so that the message is one sentence. */
static cobloc_status fail_compile(const nvrtc *n, program *p, cobloc_error *err)
{
    size_t bytes = 0;
    char *log = NULL;
    if (n->log_size(p, &bytes) == 0 && bytes > 0)
        log = cob_alloc(bytes, 1);
    if (!log || n->log(p, log) != 0) {
        cob_free(log);
        return cob_fail(err, COBLOC_UNSUPPORTED, "the kernels could not be compiled");
    }
    log[strcspn(log, "\n")] = '\0';
    cob_fail(err, COBLOC_UNSUPPORTED, "the kernels could not be compiled: %s", log);
    cob_free(log);
    return COBLOC_UNSUPPORTED;
}

static cobloc_status compile_with(const nvrtc *n, cob_variant variant, cob_way way, int major,
                                  int minor, void **code, size_t *bytes, cobloc_error *err)
{
    static const char *const values[] = {[COBLOC_ONES] = "-DONES=1",
                                         [COBLOC_U8] = "-DVALUE=unsigned char",
                                         [COBLOC_U16] = "-DVALUE=unsigned short",
                                         [COBLOC_U32] = "-DVALUE=unsigned int",
                                         [COBLOC_F64] = "-DVALUE=double"};
    static const char *const ways[] = {[COB_HARD_WAY] = "-DWITH_HARD=1",
                                       [COB_DRAWN_WAY] = "-DWITH_DRAWS=1",
                                       [COB_SOFT_WAY] = "-DWITH_SOFT=1"};
    cobloc_status status = COBLOC_OK;
    program *p = NULL;
    char target[64];
    snprintf(target, sizeof target, "--gpu-architecture=sm_%d%d", major, minor);
    const char *options[] = {
        target,
        "--fmad=false", /* the same numbers as on the processor */
        "-default-device",
        ways[way],
        values[variant.kind],
        variant.few ? "-DLABEL=unsigned char" : "-DLABEL=int",
        cob_sum_bytes(variant.kind) == 4 ? "-DSUM=int" : "-DSUM=unsigned long long",
        cob_kept_bytes(variant.kind) == 4 ? "-DKEPT=unsigned" : "-DKEPT=unsigned long long",
        variant.packed == 4   ? "-DPACKED=4"
        : variant.packed == 2 ? "-DPACKED=2"
                              : "-DPACKED=1"};
    COB_CHECK(n->create(&p, (const char *)cob_kernel_source, "lines.cu", 0, NULL, NULL) == 0,
              COBLOC_NO_MEMORY, "the kernels could not be compiled: out of memory");
    if (n->compile(p, sizeof options / sizeof *options, options) != 0) {
        status = fail_compile(n, p, err);
        goto done;
    }
    COB_CHECK(n->code_size(p, bytes) == 0 && *bytes > 0, COBLOC_UNSUPPORTED,
              "the kernels could not be compiled for this device");
    *code = cob_alloc(*bytes, 1);
    COB_TRY(*code ? COBLOC_OK : cob_fail_memory(err, *bytes, 1));
    COB_CHECK(n->code(p, *code) == 0, COBLOC_UNSUPPORTED,
              "the kernels could not be compiled for this device");
done:
    if (p)
        n->destroy(&p);
    if (status != COBLOC_OK) {
        cob_free(*code);
        *code = NULL;
    }
    return status;
}

/* ---- the cache ------------------------------------------------------------------------------- */

static uint64_t hash_of_source(void)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (size_t i = 0; i < cob_kernel_source_size; i++)
        hash = (hash ^ cob_kernel_source[i]) * 0x100000001b3;
    return hash;
}

/* $XDG_CACHE_HOME/cobloc, or ~/.cache/cobloc, which is made; false: there is none. */
static bool cache_folder(char *path, size_t room)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = cache && *cache ? snprintf(path, room, "%s", cache)
                 : home && *home ? snprintf(path, room, "%s/.cache", home)
                                 : -1;
    if (length < 0 || (size_t)length + sizeof "/cobloc" > room)
        return false;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return false;
    memcpy(path + length, "/cobloc", sizeof "/cobloc");
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Where the code of a variant is kept: another source or device has another name. The compiler is
 * not asked for its own, since it takes longer to load than the code. */
static bool cache_path(cob_variant variant, cob_way way, int major, int minor, char *path,
                       size_t room)
{
    if (!cache_folder(path, room))
        return false;
    size_t used = strlen(path);
    int length = snprintf(path + used, room - used, "/%016llx-sm%d%d-%d%s%d-%d.cubin",
                          (unsigned long long)hash_of_source(), major, minor, (int)variant.kind,
                          variant.few ? "few" : "many", variant.packed, (int)way);
    return length > 0 && (size_t)length < room - used;
}

static bool read_kept(const char *path, void **code, size_t *bytes)
{
    enum { MOST = 1 << 26 };
    struct stat about;
    FILE *file = fopen(path, "rb");
    bool whole = file && fstat(fileno(file), &about) == 0 && about.st_size > 0 &&
                 about.st_size < MOST && (*code = cob_alloc((size_t)about.st_size, 1)) != NULL;
    if (whole) {
        *bytes = (size_t)about.st_size;
        whole = fread(*code, 1, *bytes, file) == *bytes;
    }
    if (file)
        fclose(file);
    if (!whole) {
        cob_free(*code);
        *code = NULL;
    }
    return whole;
}

/* A cache that cannot be written is no failure. */
static void keep(const char *path, const void *code, size_t bytes)
{
    cobloc_error ignored = {COBLOC_OK, ""};
    cob_file *file = NULL;
    if (cob_file_create(path, &file, &ignored) != COBLOC_OK)
        return;
    cob_file_bytes(file, code, bytes);
    cob_file_commit(file, &ignored);
    cob_file_close(file);
}

cobloc_status cob_compile(cob_variant variant, cob_way way, int major, int minor, void **code,
                          size_t *bytes, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char path[4096];
    nvrtc n = {0};
    *code = NULL;
    bool cached = cache_path(variant, way, major, minor, path, sizeof path);
    if (cached && read_kept(path, code, bytes))
        return COBLOC_OK;
    COB_TRY(open_nvrtc(&n, err));
    COB_TRY(compile_with(&n, variant, way, major, minor, code, bytes, err));
    if (cached)
        keep(path, *code, *bytes);
done:
    if (n.library)
        dlclose(n.library);
    return status;
}
