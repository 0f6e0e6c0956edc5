/* Files and folders that a command writes by itself.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* fsync, getpid */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_write_file(const char *path, void (*write)(const void *data, FILE *to), const void *data)
{
    size_t room = strlen(path) + 32;
    char *temporary = malloc(room);
    bool good = false;
    if (!temporary) {
        cli_complain("out of memory");
        return false;
    }
    snprintf(temporary, room, "%s.tmp.%ld", path, (long)getpid());
    FILE *file = fopen(temporary, "wx");
    if (file) {
        write(data, file);
        good = fflush(file) == 0 && !ferror(file) && fsync(fileno(file)) == 0;
        good = fclose(file) == 0 && good;
        good = good && rename(temporary, path) == 0;
    }
    if (!good)
        cli_complain("%s: cannot be written: %s", path, strerror(errno));
    if (file && !good)
        unlink(temporary);
    free(temporary);
    return good;
}

char *cli_path_inside(const char *folder, const char *name)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s/%s", folder, name);
    else
        cli_complain("out of memory");
    return path;
}

bool cli_make_folder(const char *path)
{
    struct stat about;
    if (mkdir(path, 0777) == 0 || (stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
        return true;
    cli_complain("%s: cannot be made: %s", path, strerror(errno));
    return false;
}
