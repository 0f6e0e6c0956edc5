/* Kills the program it is loaded into (LD_PRELOAD) at one of its calls that change files:
 * KILL_AT=N, from 1. KILL_COUNT=FILE: writes the number of such calls there at the end.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static void count(void)
{
    const char *at = getenv("KILL_AT");
    if (atomic_fetch_add(&calls, 1) + 1 == (at ? atol(at) : -1))
        raise(SIGKILL);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("KILL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", atomic_load(&calls));
        fclose(file);
    }
}

/* Defines a function that counts and then calls the real one. */
#define COUNTED(RESULT, NAME, PARAMETERS, ARGUMENTS)                                               \
    RESULT NAME PARAMETERS                                                                         \
    {                                                                                              \
        RESULT(*real) PARAMETERS = (RESULT(*) PARAMETERS)(intptr_t)dlsym(RTLD_NEXT, #NAME);        \
        count();                                                                                   \
        return real ARGUMENTS;                                                                     \
    }

COUNTED(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
COUNTED(int, fsync, (int fd), (fd))
COUNTED(int, mkdir, (const char *path, mode_t mode), (path, mode))
COUNTED(int, rmdir, (const char *path), (path))
COUNTED(int, unlink, (const char *path), (path))
COUNTED(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
COUNTED(int, rename, (const char *from, const char *to), (from, to))
COUNTED(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to))
COUNTED(int, renameat2, (int a, const char *from, int b, const char *to, unsigned flags),
        (a, from, b, to, flags))
COUNTED(int, linkat, (int a, const char *from, int b, const char *to, int flags),
        (a, from, b, to, flags))

int open(const char *path, int flags, ...)
{
    int (*real)(const char *, int, ...) =
        (int (*)(const char *, int, ...))(intptr_t)dlsym(RTLD_NEXT, "open");
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (flags & O_CREAT)
        count();
    return real(path, flags, mode);
}
