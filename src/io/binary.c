/* Reading binary files.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "io/binary.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPORT_BYTES = 1 << 20 }; /* between progress reports */

cobloc_status cob_binary_open(cob_binary *file, const char *path, const cobloc_progress *progress,
                              cobloc_error *err)
{
    struct stat about;
    *file = (cob_binary){.fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    if (file->fd < 0 || fstat(file->fd, &about) != 0)
        return cob_fail(err, COBLOC_IO, "%s", strerror(errno));
    if (!S_ISREG(about.st_mode))
        return cob_fail(err, COBLOC_IO, "is not a regular file");
    file->size = about.st_size;
    file->progress = *progress;
    file->reported = -REPORT_BYTES; /* the first read reports as well, so that reading a small file
                                       can be cancelled */
    return COBLOC_OK;
}

void cob_binary_close(cob_binary *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

/* Parts of a file may be read twice or not at all, so the fraction is an estimate, but it never
 * decreases. */
static cobloc_status report(cob_binary *file, cobloc_error *err)
{
    file->reported = file->consumed;
    return cob_report_reading(&file->progress, (double)file->consumed / (double)file->size, err);
}

cobloc_status cob_binary_read(cob_binary *file, int64_t at, void *bytes, size_t count,
                              cobloc_error *err)
{
    if (at < 0 || at > file->size || (uint64_t)count > (uint64_t)(file->size - at))
        return cob_fail(
            err, COBLOC_BAD_DATA,
            "data at byte %lld extend beyond the end at %lld: the file is damaged or truncated",
            (long long)at, (long long)file->size);
    for (size_t got = 0; got < count;) {
        ssize_t n = pread(file->fd, (char *)bytes + got, count - got, at + (int64_t)got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cob_fail(err, COBLOC_IO, "%s", strerror(errno));
        if (n == 0)
            return cob_fail(err, COBLOC_IO, "the file became shorter while it was read");
        got += (size_t)n;
    }
    file->consumed += (int64_t)count;
    return file->consumed - file->reported >= REPORT_BYTES ? report(file, err) : COBLOC_OK;
}

cobloc_status cob_number_check(cob_number_type type, double value, cobloc_error *err)
{
    if (cob_number_is_exact(type, value))
        return COBLOC_OK;
    return cob_fail(err, COBLOC_UNSUPPORTED,
                    "the value %.0f is beyond the integers that a double holds exactly", value);
}
