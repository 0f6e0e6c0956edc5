/* Runs a target: on inputs of libFuzzer or, with -DREPLAY, on files.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* mkdtemp */
#include "target.h"

#include "shape.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[] = "/dev/shm/cobloc-fuzz-XXXXXX", scratch[64], path[64];

static void remove_home(void)
{
    unlink(path);
    rmdir(scratch);
    rmdir(home);
}

/* In memory: thousands of files a second. */
static void make_home(void)
{
    demand(mkdtemp(home) != NULL, "a folder in /dev/shm");
    snprintf(scratch, sizeof scratch, "%s/scratch", home);
    snprintf(path, sizeof path, "%s/input", home);
    demand(mkdir(scratch, 0700) == 0, "a folder for the target");
    atexit(remove_home);
}

#ifdef REPLAY

static void replay(const char *name)
{
    FILE *file = fopen(name, "rb");
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    unsigned char *bytes = size >= 0 ? malloc((size_t)size + 1) : NULL;
    demand(bytes && fseek(file, 0, SEEK_SET) == 0, name);
    input given = {name, scratch, bytes, fread(bytes, 1, (size_t)size, file)};
    fclose(file);
    read_input(&given);
    free(bytes);
}

int main(int argc, char **argv)
{
    make_home();
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%d files\n", argc - 1);
    return argc > 1 ? 0 : 1;
}

#else

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* To load them again for each input would take longest. */
static void keep_libraries(void)
{
    static const char *const names[] = {"libuchardet.so.0", "libarchive.so.13"};
    static void *kept[sizeof names / sizeof *names];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        kept[i] = dlopen(names[i], RTLD_NOW);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    static size_t length;
    if (fd < 0) {
        make_home();
        keep_libraries();
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        demand(fd >= 0, path);
    }
    input given = {path, scratch, data, size};
    demand(pwrite(fd, data, size, 0) == (ssize_t)size, path);
    demand(length == size || ftruncate(fd, (off_t)size) == 0, path);
    length = size;
    read_input(&given);
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
