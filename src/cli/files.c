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

void cli_check_write(const cli_args *args, const char *option)
{
    const char *path = cli_value(args, option);
    if (path)
        cli_must(cobloc_write_check(path, &cli_error));
}

void cli_check_write_result(const cli_args *args, const cobloc_matrix *matrix)
{
    const char *folder = cli_value(args, "output");
    bool force = cli_value(args, "force") != NULL;
    if (!folder || cli_rank() > 0)
        return;
    cobloc_status status = cobloc_result_check(folder, matrix, force, &cli_error);
    if (status != COBLOC_OK && strcmp(folder, "-") == 0)
        cli_stop("-o names a folder, not standard output: '--json --labels' prints a result");
    if (status != COBLOC_OK && strstr(cli_error.message, "would be overwritten"))
        cli_stop("%s (--force allows it)", cli_error.message);
    cli_must(status);
}

void *cli_memory(void *pointer)
{
    if (!pointer)
        cli_stop("out of memory");
    return pointer;
}

void cli_write_file(const char *path, void (*write)(const void *data, FILE *to), const void *data)
{
    char *text = NULL;
    size_t count = 0;
    FILE *memory = cli_memory(open_memstream(&text, &count));
    write(data, memory);
    if (fclose(memory) != 0)
        cli_stop("out of memory");
    cli_must(cobloc_write_file(path, text, count, &cli_error));
    free(text);
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
    char *path = cli_memory(malloc(room));
    snprintf(path, room, "%s/%s", folder, name);
    return path;
}

void cli_make_folder(const char *path)
{
    struct stat about;
    if (mkdir(path, 0777) != 0 && (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)))
        cli_stop("%s: cannot be made: %s", path, strerror(errno));
}
