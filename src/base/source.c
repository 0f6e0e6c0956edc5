/* Reading files, plain or gzip.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "base/source.h"

#include "base/alloc.h"
#include "base/encoding.h"
#include "base/inflate.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { COMPRESSED_BUFFER = 1 << 18 };

struct cob_source {
    char *path;
    int fd;
    int64_t stored_bytes;
    int64_t consumed_bytes;
    int64_t expanded_bytes;
    int gzip;
    int member_open; /* inside a gzip member */
    int64_t members; /* completed */
    z_stream stream;
    unsigned char *compressed;
    cob_conversion *conversion; /* NULL: bytes are taken as they are */
};

/* ---- opening --------------------------------------------------------------------------------- */

static cobloc_status start_gzip(cob_source *source, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(source->compressed, COMPRESSED_BUFFER);
    cob_inflate_with_ours(&source->stream);
    COB_CHECK(inflateInit2(&source->stream, 15 + 16) == Z_OK, COBLOC_NO_MEMORY, "out of memory");
    source->gzip = 1;
done:
    return status;
}

static cobloc_status open_regular(cob_source *source, cobloc_error *err)
{
    struct stat about;
    source->fd = open(source->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (source->fd < 0 || fstat(source->fd, &about) != 0)
        return cob_fail(err, COBLOC_IO, "%s: %s", source->path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return cob_fail(err, COBLOC_IO, "%s: is a %s, expected a regular file", source->path,
                        S_ISDIR(about.st_mode)    ? "directory"
                        : S_ISFIFO(about.st_mode) ? "pipe"
                                                  : "device or socket");
    source->stored_bytes = about.st_size;
    return COBLOC_OK;
}

cobloc_status cob_source_open(const char *path, cob_source **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_source *source = NULL;
    unsigned char magic[2] = {0};
    COB_NEW_ZERO(source, 1);
    source->fd = -1;
    COB_NEW(source->path, strlen(path) + 1);
    memcpy(source->path, path, strlen(path) + 1);
    COB_TRY(open_regular(source, err));
    if (pread(source->fd, magic, 2, 0) == 2 && magic[0] == 0x1F && magic[1] == 0x8B)
        COB_TRY(start_gzip(source, err));
    *out = source;
    source = NULL;
done:
    cob_source_close(source);
    return status;
}

void cob_source_close(cob_source *source)
{
    if (!source)
        return;
    if (source->gzip)
        inflateEnd(&source->stream);
    if (source->fd >= 0)
        close(source->fd);
    cob_conversion_close(source->conversion);
    cob_free(source->compressed);
    cob_free(source->path);
    cob_free(source);
}

cobloc_status cob_source_rewind(cob_source *source, cobloc_error *err)
{
    if (lseek(source->fd, 0, SEEK_SET) != 0)
        return cob_fail(err, COBLOC_IO, "%s: %s", source->path, strerror(errno));
    source->consumed_bytes = source->expanded_bytes = 0;
    if (source->gzip) {
        inflateReset(&source->stream);
        source->stream.avail_in = 0;
        source->member_open = 0;
        source->members = 0;
    }
    if (source->conversion)
        cob_conversion_reset(source->conversion);
    return COBLOC_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

static cobloc_status read_stored(cob_source *source, void *bytes, size_t want, size_t *got,
                                 cobloc_error *err)
{
    *got = 0;
    while (*got < want) {
        ssize_t n = read(source->fd, (char *)bytes + *got, want - *got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cob_fail(err, COBLOC_IO, "%s: %s", source->path, strerror(errno));
        if (n == 0)
            break;
        *got += (size_t)n;
    }
    source->consumed_bytes += (int64_t)*got;
    return COBLOC_OK;
}

int cob_is_bomb(int64_t stored, int64_t expanded)
{
    /* Deflate shrinks data at most 1032 times, and only a run of one byte comes near that. Small
     * files are exempt. */
    return expanded > (int64_t)16 << 20 && expanded / 1000 > stored;
}

/* Inflates into stream.next_out; sets *end after the last member. */
static cobloc_status inflate_some(cob_source *source, int *end, cobloc_error *err)
{
    z_stream *z = &source->stream;
    if (z->avail_in == 0) {
        size_t got;
        cobloc_status status =
            read_stored(source, source->compressed, COMPRESSED_BUFFER, &got, err);
        if (status != COBLOC_OK)
            return status;
        z->next_in = source->compressed;
        z->avail_in = (unsigned)got;
    }
    if (z->avail_in == 0) {
        *end = 1;
        return source->member_open
                   ? cob_fail(err, COBLOC_BAD_DATA,
                              "%s: the compressed data end too early: the file is truncated",
                              source->path)
                   : COBLOC_OK;
    }
    if (source->members > 0 && !source->member_open) {
        for (; z->avail_in > 0 && *z->next_in == 0; z->avail_in--)
            z->next_in++; /* some tools pad the file with zeros */
        if (z->avail_in == 0)
            return COBLOC_OK;
    }
    source->member_open = 1;
    int code = inflate(z, Z_NO_FLUSH);
    if (code == Z_STREAM_END) { /* gzip files may hold several members */
        source->member_open = 0;
        source->members++;
        inflateReset(z);
    } else if (code == Z_MEM_ERROR) {
        return cob_fail(err, COBLOC_NO_MEMORY, "out of memory");
    } else if (code != Z_OK) {
        return cob_fail(err, COBLOC_BAD_DATA, "%s: the compressed data are damaged (%s)",
                        source->path, z->msg ? z->msg : "bad stream");
    }
    return COBLOC_OK;
}

static cobloc_status read_gzip(cob_source *source, char *bytes, size_t want, size_t *got,
                               cobloc_error *err)
{
    int end = 0;
    *got = 0;
    while (*got < want && !end) {
        size_t room = want - *got < UINT_MAX ? want - *got : UINT_MAX;
        source->stream.next_out = (unsigned char *)bytes + *got;
        source->stream.avail_out = (unsigned)room;
        cobloc_status status = inflate_some(source, &end, err);
        if (status != COBLOC_OK)
            return status;
        *got += room - source->stream.avail_out;
    }
    source->expanded_bytes += (int64_t)*got;
    if (cob_is_bomb(source->consumed_bytes, source->expanded_bytes))
        return cob_fail(err, COBLOC_BAD_DATA,
                        "%s: expands more than a thousandfold, which no matrix does", source->path);
    return COBLOC_OK;
}

static cobloc_status read_plain(void *context, void *bytes, size_t want, size_t *got,
                                cobloc_error *err)
{
    cob_source *source = context;
    if (source->gzip)
        return read_gzip(source, bytes, want, got, err);
    return read_stored(source, bytes, want, got, err);
}

cobloc_status cob_source_read(cob_source *source, char *bytes, size_t want, size_t *got,
                              cobloc_error *err)
{
    if (source->conversion)
        return cob_conversion_read(source->conversion, read_plain, source, bytes, want, got, err);
    return read_plain(source, bytes, want, got, err);
}

cobloc_status cob_source_read_all(cob_source *source, char **bytes, size_t *count,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t room = 0, got = 1;
    *count = 0;
    while (got > 0) {
        COB_CHECK(cob_grow(bytes, &room, *count + 4096, 1), COBLOC_NO_MEMORY, "out of memory");
        COB_TRY(cob_source_read(source, *bytes + *count, room - *count - 1, &got, err));
        *count += got;
    }
    (*bytes)[*count] = '\0';
done:
    return status;
}

cobloc_status cob_report_reading(const cobloc_progress *p, double done, cobloc_error *err)
{
    if (p->report && p->report(p->user, "reading", done < 1 ? done : 1))
        return cob_fail(err, COBLOC_CANCELLED, "reading was cancelled");
    return COBLOC_OK;
}

cobloc_status cob_source_convert(cob_source *source, const char *encoding, cobloc_error *err)
{
    return cob_conversion_open(encoding, &source->conversion, err);
}

const char *cob_source_path(const cob_source *source)
{
    return source->path;
}

int cob_source_converts(const cob_source *source)
{
    return source->conversion != NULL;
}

int cob_source_is_gzip(const cob_source *source)
{
    return source->gzip;
}

int64_t cob_source_stored_bytes(const cob_source *source)
{
    return source->stored_bytes;
}

int64_t cob_source_consumed_bytes(const cob_source *source)
{
    return source->consumed_bytes - (source->gzip ? source->stream.avail_in : 0);
}
