/* Reading and writing NumPy arrays in zip archives.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* fsync */
#include "io/npz_archive.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static cobloc_status fail_zip(const cob_zip *call, cobloc_error *err, zip_error_t *cause)
{
    switch (call->error_code_zip(cause)) {
    case ZIP_ER_MEMORY:
        return cob_fail(err, COBLOC_NO_MEMORY, "out of memory");
    case ZIP_ER_OPEN:
    case ZIP_ER_READ:
    case ZIP_ER_SEEK:
    case ZIP_ER_WRITE:
    case ZIP_ER_RENAME:
    case ZIP_ER_TMPOPEN:
    case ZIP_ER_CLOSE:
        return cob_fail(err, COBLOC_IO, "%s", call->error_strerror(cause));
    default:
        return cob_fail(err, COBLOC_BAD_DATA, "the archive is damaged or truncated (%s)",
                        call->error_strerror(cause));
    }
}

static cobloc_status open_zip(cob_zip *call, const char *path, int flags, zip_t **out,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int code = 0;
    zip_error_t cause;
    COB_TRY(cob_zip_load(call, err));
    *out = call->open(path, flags, &code);
    if (*out)
        return COBLOC_OK;
    call->error_init_with_code(&cause, code);
    status = fail_zip(call, err, &cause);
    call->error_fini(&cause);
done:
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

cobloc_status cob_npz_open(cob_npz *npz, cob_source *source, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char start[6];
    size_t got = 0;
    npz->source = source;
    COB_TRY(cob_source_read(source, start, sizeof start, &got, err));
    COB_TRY(cob_source_rewind(source, err));
    if (got == sizeof start && memcmp(start, COB_NPY_MAGIC, sizeof start) == 0)
        return COBLOC_OK;
    COB_TRY(open_zip(&npz->call, cob_source_path(source), ZIP_RDONLY, &npz->zip, err));
done:
    return status;
}

void cob_npz_close(cob_npz *npz)
{
    if (npz->zip)
        npz->call.discard(npz->zip);
    cob_zip_unload(&npz->call);
    *npz = (cob_npz){0};
}

bool cob_npz_has(const cob_npz *npz, const char *name)
{
    return npz->zip && npz->call.name_locate(npz->zip, name, ZIP_FL_ENC_RAW) >= 0;
}

cobloc_status cob_npz_fail_at(const cob_npz_member *member, cobloc_status status, cobloc_error *err)
{
    const char *path = cob_source_path(member->npz->source);
    if (status == COBLOC_OK)
        return status;
    if (member->name)
        return cob_fail_at(err, status, "%s: %s: ", path, member->name);
    /* Errors of a bare array's source already name the file. */
    return status == COBLOC_IO ? status : cob_fail_at(err, status, "%s: ", path);
}

static cobloc_status read_member(void *from, void *bytes, size_t want, size_t *got,
                                 cobloc_error *err)
{
    cob_npz_member *member = from;
    cob_npz *npz = member->npz;
    *got = 0;
    while (*got < want) {
        zip_int64_t n = npz->call.fread(member->file, (char *)bytes + *got, want - *got);
        if (n < 0)
            return fail_zip(&npz->call, err, npz->call.file_get_error(member->file));
        if (n == 0)
            break;
        *got += (size_t)n;
    }
    npz->expanded_bytes += (int64_t)*got;
    if (cob_is_bomb(cob_source_stored_bytes(npz->source), npz->expanded_bytes))
        return cob_fail(err, COBLOC_BAD_DATA,
                        "expands more than a thousandfold, which no matrix does");
    return COBLOC_OK;
}

static cobloc_status read_bare(void *from, void *bytes, size_t want, size_t *got, cobloc_error *err)
{
    const cob_npz_member *member = from;
    return cob_source_read(member->npz->source, bytes, want, got, err);
}

/* Methods other than NumPy's two could need gigabytes to decompress a few bytes. */
static cobloc_status check_method(const cob_npz *npz, zip_int64_t index, cobloc_error *err)
{
    zip_stat_t about;
    const zip_uint64_t needed = ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (npz->call.stat_index(npz->zip, (zip_uint64_t)index, 0, &about) != 0)
        return fail_zip(&npz->call, err, npz->call.get_error(npz->zip));
    if ((about.valid & needed) != needed || about.encryption_method != ZIP_EM_NONE ||
        (about.comp_method != ZIP_CM_STORE && about.comp_method != ZIP_CM_DEFLATE))
        return cob_fail(err, COBLOC_UNSUPPORTED,
                        "is encrypted or compressed in a way that NumPy does not write");
    return COBLOC_OK;
}

/* Finds the member of that name, or the only one, and opens it; copies its name. */
static cobloc_status find_member(cob_npz_member *member, const char *name, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_zip *call = &member->npz->call;
    zip_t *zip = member->npz->zip;
    const char *path = cob_source_path(member->npz->source);
    zip_int64_t count = call->get_num_entries(zip, 0);
    zip_int64_t index = name ? call->name_locate(zip, name, ZIP_FL_ENC_RAW) : count - 1;
    COB_CHECK(!name || index >= 0, COBLOC_BAD_DATA,
              "%s: holds no %s, expected what scipy.sparse.save_npz writes", path, name);
    COB_CHECK(
        name || count == 1, COBLOC_BAD_DATA,
        "%s: holds %lld members but no format.npy, expected what scipy.sparse.save_npz writes, "
        "or one dense table",
        path, (long long)count);
    const char *found = call->get_name(zip, (zip_uint64_t)index, ZIP_FL_ENC_RAW);
    COB_CHECK(found, COBLOC_BAD_DATA, "%s: holds a member without a name", path);
    COB_NEW(member->name, strlen(found) + 1);
    memcpy(member->name, found, strlen(found) + 1);
    COB_TRY(cob_npz_fail_at(member, check_method(member->npz, index, err), err));
    member->file = call->fopen_index(zip, (zip_uint64_t)index, 0);
    if (!member->file)
        COB_TRY(cob_npz_fail_at(member, fail_zip(call, err, call->get_error(zip)), err));
done:
    return status;
}

cobloc_status cob_npz_member_open(cob_npz_member *member, cob_npz *npz, const char *name,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    member->npz = npz;
    if (npz->zip)
        COB_TRY(find_member(member, name, err));
    status = cob_npy_open(&member->array, npz->zip ? read_member : read_bare, member, err);
    COB_TRY(cob_npz_fail_at(member, status, err));
done:
    return status;
}

void cob_npz_member_close(cob_npz_member *member)
{
    cob_npy_close(&member->array);
    if (member->file)
        member->npz->call.fclose(member->file);
    cob_free(member->name);
    *member = (cob_npz_member){0};
}

/* ---- writing --------------------------------------------------------------------------------- */

enum { ONES = 1 << 16 };

/* What libzip needs until it closes the archive. */
typedef struct writing {
    cob_zip call;
    zip_t *zip;
    char (*headers)[COB_NPY_HEADER]; /* one per array */
    uint8_t *ones;                   /* ONES of them */
} writing;

/* The header and the values, as memory that libzip reads in place. */
static zip_source_t *source_of(const writing *w, const cob_npz_array *array, char *header)
{
    size_t bytes = (size_t)array->count * array->width;
    size_t step = array->values ? bytes : ONES;
    size_t parts = 1 + (bytes ? (bytes + step - 1) / step : 0);
    zip_buffer_fragment_t *part = cob_alloc(parts, sizeof *part);
    if (!part)
        return NULL;
    part[0].data = (zip_uint8_t *)header;
    part[0].length = cob_npy_header(header, array->kind, array->width, array->dims, array->count);
    for (size_t k = 1; k < parts; k++) {
        size_t before = (k - 1) * step;
        part[k].data = array->values ? array->values : w->ones;
        part[k].length = bytes - before < step ? bytes - before : step;
    }
    zip_source_t *source = w->call.source_buffer_fragment(w->zip, part, parts, 0);
    cob_free(part);
    return source;
}

static bool add_member(const writing *w, const cob_npz_array *array, char *header)
{
    /* Level 4 takes a third of the time of the default 6, for files a twelfth larger. */
    enum { LEVEL = 4, FIRST_OF_JANUARY_1980 = 1 << 5 | 1 };
    zip_source_t *source = source_of(w, array, header);
    if (!source)
        return false;
    zip_int64_t index = w->call.file_add(w->zip, array->name, source, 0);
    if (index < 0) {
        w->call.source_free(source);
        return false;
    }
    /* A fixed time, so that the same matrix gives the same file. */
    return w->call.set_file_compression(w->zip, (zip_uint64_t)index, ZIP_CM_DEFLATE, LEVEL) == 0 &&
           w->call.file_set_dostime(w->zip, (zip_uint64_t)index, 0, FIRST_OF_JANUARY_1980, 0) == 0;
}

/* libzip replaces the file it opened: the new one must reach the disk. */
static cobloc_status sync_file(const char *path, cobloc_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    cobloc_status status = COBLOC_OK;
    if (fd < 0 || fsync(fd) != 0)
        status = cob_fail(err, COBLOC_IO, "%s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return status;
}

/* libzip writes to PATH.XXXXXX first, which stays after a kill. PATH is a temporary file of ours
 * alone, and so is all that is called so. */
static cobloc_status remove_leftovers(const char *path, cobloc_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name), room = strlen(path) + 2;
    char *folder = cob_alloc(room, 1);
    if (!folder)
        return cob_fail_memory(err, room, 1);
    sprintf(folder, "%.*s.", (int)(name - path), path);
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (strncmp(entry->d_name, name, length) == 0 && entry->d_name[length] == '.')
            (void)unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    cob_free(folder);
    return COBLOC_OK;
}

cobloc_status cob_npz_write(const char *path, const cob_npz_array *arrays, int count,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    writing w = {0};
    COB_NEW(w.headers, count);
    COB_NEW(w.ones, ONES);
    memset(w.ones, 1, ONES);
    COB_TRY(remove_leftovers(path, err));
    COB_TRY(open_zip(&w.call, path, ZIP_CREATE | ZIP_TRUNCATE, &w.zip, err));
    for (int a = 0; a < count; a++)
        COB_CHECK(add_member(&w, &arrays[a], w.headers[a]), COBLOC_NO_MEMORY, "out of memory");
    if (w.call.close(w.zip) != 0)
        COB_TRY(fail_zip(&w.call, err, w.call.get_error(w.zip)));
    w.zip = NULL;
    COB_TRY(sync_file(path, err));
done:
    if (w.zip)
        w.call.discard(w.zip);
    cob_zip_unload(&w.call);
    cob_free(w.headers);
    cob_free(w.ones);
    return status;
}
