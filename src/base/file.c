/* Writing files.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* fsync, fchmod */
#include "base/file.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/crc.h"
#include "base/plain.h"
#include "base/scan.h"
#include "base/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER = 1 << 18 };

struct cob_file {
    char *path;
    cob_target target;
    char *temporary; /* NULL: written straight through */
    int fd;
    gzFile gzip; /* NULL: plain */
    int error;   /* errno of the first failure */
    size_t used;
    char *buffer;
    uint32_t digest;
};

/* ---- opening and closing --------------------------------------------------------------------- */

static int open_target(cob_file *file)
{
    if (!file->target.stream)
        return cob_temporary_make(file->target.path, NULL, NULL, &file->temporary);
    if (cob_is_standard_output(file->path))
        return dup(STDOUT_FILENO);
    return open(file->path, O_WRONLY | O_CLOEXEC);
}

cobloc_status cob_file_create(const char *path, cob_file **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    size_t length = strlen(path);
    COB_NEW_ZERO(file, 1);
    file->fd = -1;
    COB_NEW(file->buffer, BUFFER);
    COB_TRY(cob_copy_text(path, &file->path, err));
    COB_TRY(cob_target_look(path, &file->target, err));
    file->fd = open_target(file);
    COB_CHECK(file->fd >= 0 || errno != ENOMEM, COBLOC_NO_MEMORY, "out of memory");
    COB_CHECK(file->fd >= 0, COBLOC_IO, "%s: cannot be written: %s", path, strerror(errno));
    if (length > 3 && strcmp(path + length - 3, ".gz") == 0) {
        file->gzip = gzdopen(dup(file->fd), "wb6");
        COB_CHECK(file->gzip, COBLOC_NO_MEMORY, "out of memory");
    }
    *out = file;
    file = NULL;
done:
    cob_file_close(file);
    return status;
}

void cob_file_close(cob_file *file)
{
    if (!file)
        return;
    if (file->gzip)
        gzclose(file->gzip);
    if (file->fd >= 0 && file->temporary)
        unlink(file->temporary);
    if (file->fd >= 0)
        close(file->fd);
    cob_free(file->path);
    cob_free(file->target.path);
    cob_free(file->temporary);
    cob_free(file->buffer);
    cob_free(file);
}

void cob_file_name(cob_file *file, const char *name)
{
    static const char special[] = "\t\n\r\\", letters[] = "tnr\\";
    for (;;) {
        size_t plain = strcspn(name, special);
        cob_file_bytes(file, name, plain);
        name += plain;
        if (!*name)
            return;
        cob_file_char(file, '\\');
        cob_file_char(file, letters[strchr(special, *name++) - special]);
    }
}

uint32_t cob_file_digest(const cob_file *file)
{
    return file->digest;
}

const char *cob_file_temporary_path(const cob_file *file)
{
    return file->temporary;
}

const char *cob_file_path(const cob_file *file)
{
    return file->path;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_plain(cob_file *file, const char *bytes, size_t count)
{
    while (count > 0 && !file->error) {
        ssize_t n = write(file->fd, bytes, count);
        if (n < 0 && errno != EINTR)
            file->error = errno;
        if (n > 0) {
            bytes += n;
            count -= (size_t)n;
        }
    }
}

static void flush(cob_file *file)
{
    file->digest = cob_crc32(file->digest, file->buffer, file->used);
    if (file->gzip && file->used > 0 && !file->error) {
        if (gzwrite(file->gzip, file->buffer, (unsigned)file->used) <= 0)
            file->error = errno ? errno : EIO;
    } else {
        write_plain(file, file->buffer, file->used);
    }
    file->used = 0;
}

void cob_file_bytes(cob_file *file, const void *bytes, size_t count)
{
    const char *from = bytes;
    while (count > 0) {
        size_t room = BUFFER - file->used;
        size_t part = count < room ? count : room;
        if (count >= 2 * BUFFER)
            cob_read_ahead(from + BUFFER, BUFFER);
        memcpy(file->buffer + file->used, from, part);
        file->used += part;
        from += part;
        count -= part;
        if (file->used == BUFFER)
            flush(file);
    }
}

void cob_file_text(cob_file *file, const char *text)
{
    cob_file_bytes(file, text, strlen(text));
}

void cob_file_char(cob_file *file, char c)
{
    file->buffer[file->used++] = c;
    if (file->used == BUFFER)
        flush(file);
}

void cob_file_integer(cob_file *file, int64_t value)
{
    char digits[24];
    char *p = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        *--p = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--p = '-';
    cob_file_bytes(file, p, (size_t)(digits + sizeof digits - p));
}

void cob_file_print(cob_file *file, const char *format, ...)
{
    char text[1024], *room = text;
    va_list args;
    va_start(args, format);
    int length = cob_plain_vprint(text, sizeof text, format, args);
    va_end(args);
    if (length >= (int)sizeof text && (room = cob_alloc((size_t)length + 1, 1))) {
        va_start(args, format);
        cob_plain_vprint(room, (size_t)length + 1, format, args);
        va_end(args);
    }
    if (room && length >= 0)
        cob_file_bytes(file, room, (size_t)length);
    else
        file->error = file->error ? file->error : ENOMEM;
    if (room != text)
        cob_free(room);
}

void cob_file_number(cob_file *file, double value)
{
    char text[32];
    if (value >= 0 && value < 1e15 && (double)(int64_t)value == value)
        cob_file_integer(file, (int64_t)value);
    else
        cob_file_bytes(file, text, (size_t)cob_format_number(text, value));
}

/* ---- committing ------------------------------------------------------------------------------ */

void cob_sync_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";
    if (slash && (size_t)(slash - path) < sizeof folder) {
        size_t length = slash == path ? 1 : (size_t)(slash - path);
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
}

/* Whether the folder of a path is itself a temporary one: what is in it counts from when it takes
 * its place, and it is synchronised then. */
static bool is_in_temporary(const char *path)
{
    const char *end = strrchr(path, '/'), *name = end;
    char folder[NAME_MAX + 1] = "";
    while (name && name > path && name[-1] != '/')
        name--;
    if (name && (size_t)(end - name) < sizeof folder)
        memcpy(folder, name, (size_t)(end - name));
    return cob_is_temporary(folder);
}

/* Gives a complete temporary file the permissions and the name of its target. Returns errno. It is
 * opened anew because a library that was given its path may have replaced it. */
static int rename_temporary(cob_file *file)
{
    const cob_target *target = &file->target;
    int fd = open(file->temporary, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0 && (!target->mode || fchmod(fd, target->mode) == 0) &&
                rename(file->temporary, target->path) == 0;
    int error = good ? 0 : errno;
    if (fd >= 0)
        close(fd);
    if (good && !is_in_temporary(target->path))
        cob_sync_folder_of(target->path);
    return error;
}

cobloc_status cob_file_commit(cob_file *file, cobloc_error *err)
{
    flush(file);
    if (file->gzip) {
        int code = gzclose(file->gzip);
        file->gzip = NULL;
        if (code != Z_OK && !file->error)
            file->error = code == Z_ERRNO ? errno : EIO;
    }
    if (!file->error && file->temporary)
        file->error = rename_temporary(file);
    if (file->error)
        return cob_fail(err, COBLOC_IO, "%s: cannot be written: %s", file->path,
                        strerror(file->error));
    int closed = close(file->fd);
    file->fd = -1;
    if (closed != 0 && errno != EINTR)
        return cob_fail(err, COBLOC_IO, "%s: cannot be written: %s", file->path, strerror(errno));
    return COBLOC_OK;
}

cobloc_status cobloc_write_file(const char *path, const void *bytes, size_t count,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_bytes(file, bytes, count);
    COB_TRY(cob_file_commit(file, err));
done:
    cob_file_close(file);
    return status;
}

cobloc_status cobloc_write_check(const char *path, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    COB_CHECK(*path, COBLOC_BAD_ARGUMENT, "the file to write has no name");
    if (cob_is_standard_output(path)) /* a pipe must not be opened twice, either */
        return COBLOC_OK;
    cob_target target = {0};
    COB_TRY(cob_target_look(path, &target, err));
    cob_free(target.path);
    if (target.stream)
        return COBLOC_OK;
    COB_TRY(cob_file_create(path, &file, err));
    COB_CHECK(cob_space_left(cob_file_temporary_path(file)) > 0, COBLOC_IO,
              "%s: cannot be written: %s", path, strerror(ENOSPC));
done:
    cob_file_close(file);
    return status;
}

/* ---- paths ----------------------------------------------------------------------------------- */

char *cob_path_inside(const char *folder, const char *name)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = cob_alloc(room, 1);
    if (path)
        snprintf(path, room, "%s/%s", folder, name);
    return path;
}

static bool ends_in(const char *path, size_t length, const char *ending)
{
    size_t wanted = strlen(ending);
    return length > wanted && cob_plain_same_first(path + length - wanted, ending, wanted);
}

bool cob_path_ends(const char *path, const char *ending)
{
    return ends_in(path, strlen(path), ending);
}

bool cob_path_ends_gz(const char *path, const char *ending)
{
    return ends_in(path, strlen(path) - (cob_path_ends(path, ".gz") ? 3 : 0), ending);
}
