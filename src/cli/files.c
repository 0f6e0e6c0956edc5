/* Files and folders that a command writes by itself.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* fstat, open_memstream */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_write_file(const char *path, void (*write)(const void *data, FILE *to), const void *data)
{
    char *text = NULL;
    size_t count = 0;
    cobloc_error err;
    FILE *memory = open_memstream(&text, &count);
    if (memory)
        write(data, memory);
    if (!memory || fclose(memory) != 0) {
        cli_complain("out of memory");
        free(text);
        return false;
    }
    bool good = cobloc_write_file(path, text, count, &err) == COBLOC_OK;
    if (!good)
        cli_fail(&err);
    free(text);
    return good;
}

FILE *cli_beside(const char *path)
{
    struct stat file, out;
    bool same =
        strcmp(path, "-") == 0 || (stat(path, &file) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
                                   file.st_dev == out.st_dev && file.st_ino == out.st_ino);
    return same ? stderr : stdout;
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
