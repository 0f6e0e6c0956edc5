/* Documents in an archive.
 * SPDX-License-Identifier: MIT
 */
#include "text/corpus.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/library.h"
#include "base/scan.h"

#include <stdio.h>
#include <string.h>
#include <sys/types.h>

/* Numbers of libarchive. */
enum { ARCHIVE_END = 1, ARCHIVE_DONE = 0, ARCHIVE_WARNING = -20, REGULAR_FILE = 0100000 };

typedef int (*plain_fn)(void *archive);

/* The functions of libarchive that are used. */
typedef struct functions {
    void *(*make)(void);
    plain_fn tar, zip, gzip, bzip2, xz, zstd, release;
    int (*open)(void *, const char *, size_t);
    int (*next)(void *, void **);
    const char *(*path)(void *);
    unsigned (*type)(void *);
    ssize_t (*read)(void *, void *, size_t);
    int64_t (*bytes)(void *, int);
    const char *(*message)(void *);
} functions;

struct cob_archive {
    void *library, *handle;
    functions call;
    char *path;
    char name[1024];  /* of the file */
    int64_t expanded; /* bytes so far */
};

bool cob_is_archive(const char *path)
{
    static const char *const endings[] = {".zip",    ".tar",  ".tar.gz", ".tgz",    ".tar.bz2",
                                          ".tar.xz", ".tbz2", ".txz",    ".tar.zst"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (cob_path_ends(path, endings[i]))
            return true;
    return false;
}

static void *load(functions *f)
{
    const cob_symbol symbols[] = {{"archive_read_new", &f->make},
                                  {"archive_read_support_format_tar", &f->tar},
                                  {"archive_read_support_format_zip", &f->zip},
                                  {"archive_read_support_filter_gzip", &f->gzip},
                                  {"archive_read_support_filter_bzip2", &f->bzip2},
                                  {"archive_read_support_filter_xz", &f->xz},
                                  {"archive_read_support_filter_zstd", &f->zstd},
                                  {"archive_read_free", &f->release},
                                  {"archive_read_open_filename", &f->open},
                                  {"archive_read_next_header", &f->next},
                                  {"archive_entry_pathname", &f->path},
                                  {"archive_entry_filetype", &f->type},
                                  {"archive_read_data", &f->read},
                                  {"archive_filter_bytes", &f->bytes},
                                  {"archive_error_string", &f->message}};
    return cob_library_open("libarchive.so.13", symbols, sizeof symbols / sizeof *symbols);
}

static cobloc_status fail(const cob_archive *a, cobloc_error *err)
{
    const char *message = a->call.message(a->handle);
    return cob_fail(err, COBLOC_BAD_DATA, "%s: the archive is damaged (%.100s)", a->path,
                    message ? message : "no more is known");
}

cobloc_status cob_archive_open(const char *path, cob_archive **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_archive *a = NULL;
    COB_NEW_ZERO(a, 1);
    COB_TRY(cob_copy_text(path, &a->path, err));
    a->library = load(&a->call);
    COB_CHECK(a->library, COBLOC_UNSUPPORTED,
              "%s: archives are read by libarchive (libarchive.so.13), which is not installed; "
              "unpack it, and give the folder",
              path);
    a->handle = a->call.make();
    COB_CHECK(a->handle, COBLOC_NO_MEMORY, "out of memory");
    const plain_fn wanted[] = {a->call.tar,   a->call.zip, a->call.gzip,
                               a->call.bzip2, a->call.xz,  a->call.zstd};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        wanted[i](a->handle); /* what this libarchive cannot do is damaged data to it */
    if (a->call.open(a->handle, path, 1 << 16) != ARCHIVE_DONE)
        COB_TRY(fail(a, err));
    *out = a;
    a = NULL;
done:
    cob_archive_close(a);
    return status;
}

void cob_archive_close(cob_archive *a)
{
    if (!a)
        return;
    if (a->handle)
        a->call.release(a->handle);
    cob_library_close(a->library);
    cob_free(a->path);
    cob_free(a);
}

cobloc_status cob_archive_next(cob_archive *a, const char **name, cobloc_error *err)
{
    *name = NULL;
    for (;;) {
        void *entry = NULL;
        int code = a->call.next(a->handle, &entry);
        if (code == ARCHIVE_END)
            return COBLOC_OK;
        if (code < ARCHIVE_WARNING)
            return fail(a, err);
        const char *path = a->call.path(entry);
        if (!path || a->call.type(entry) != REGULAR_FILE)
            continue;
        snprintf(a->name, sizeof a->name, "%s", strncmp(path, "./", 2) == 0 ? path + 2 : path);
        *name = a->name;
        return COBLOC_OK;
    }
}

cobloc_status cob_archive_read(cob_archive *a, cob_buffer *to, cobloc_error *err)
{
    enum { PIECE = 1 << 16 };
    to->size = 0;
    for (;;) {
        if (!cob_grow(&to->text, &to->capacity, to->size + PIECE + 1 + COB_SCAN_SLACK, 1))
            return cob_fail_memory(err, to->size + PIECE, 1);
        ssize_t got = a->call.read(a->handle, to->text + to->size, PIECE);
        if (got < 0)
            return fail(a, err);
        to->size += (size_t)got;
        a->expanded += got;
        if (to->size > COB_LONG_RECORD)
            return cob_fail(err, COBLOC_BAD_DATA, "%s: %s is longer than %d bytes", a->path,
                            a->name, COB_LONG_RECORD);
        if (cob_is_bomb(a->call.bytes(a->handle, -1), a->expanded))
            return cob_fail(err, COBLOC_BAD_DATA, "%s: expands more than a thousandfold", a->path);
        if (got == 0)
            break;
    }
    memset(to->text + to->size, 0, 1 + COB_SCAN_SLACK);
    return COBLOC_OK;
}
