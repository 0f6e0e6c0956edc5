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

bool cli_can_write(const cli_args *args, const char *option)
{
    const char *path = cli_value(args, option);
    cobloc_error err;
    if (!path || cobloc_write_check(path, &err) == COBLOC_OK)
        return true;
    cli_fail(&err);
    return false;
}

bool cli_can_write_result(const cli_args *args, const cobloc_matrix *matrix)
{
    const char *folder = cli_value(args, "output");
    bool force = cli_value(args, "force") != NULL;
    cobloc_error err;
    if (!folder || cli_rank() > 0 || cobloc_result_check(folder, matrix, force, &err) == COBLOC_OK)
        return true;
    if (strcmp(folder, "-") == 0)
        cli_complain("-o names a folder, not standard output: '--json --labels' prints a result");
    else if (strstr(err.message, "would be overwritten"))
        cli_complain("%s (--force allows it)", err.message);
    else
        cli_fail(&err);
    return false;
}

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
