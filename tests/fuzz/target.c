/* Runs a target: on inputs of libFuzzer or, with -DREPLAY, on files.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* memfd_create */
#include "target.h"

#include "shape.h"

#include <sys/mman.h>
#include <unistd.h>

#ifdef REPLAY

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        read_path(argv[i]);
    printf("%d files\n", argc - 1);
    return argc > 1 ? 0 : 1;
}

#else

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        fd = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size)
        read_path(path);
    return 0;
}

#ifdef SHAPED

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return mutate(data, size, room, seed);
}

#endif
#endif
