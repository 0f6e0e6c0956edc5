/* Files of named sections.
 * SPDX-License-Identifier: MIT
 */
#include "base/sections.h"

#include "base/alloc.h"
#include "base/crc.h"
#include "base/file.h"
#include "base/source.h"

#include <string.h>

enum { MAGIC = 16, HEAD = COB_SECTION_NAME + 8, SUM = 4 };

/* The last byte is the lowest or the highest of a number, as the machine has it. */
static void make_magic(char magic[MAGIC])
{
    const uint16_t order = 0x0102;
    memcpy(magic, "cobloc-state-1\n", MAGIC - 1);
    memcpy(magic + MAGIC - 1, &order, 1);
}

/* ---- writing --------------------------------------------------------------------------------- */

struct cob_sections_file {
    cob_file *file; /* NULL: it is in memory, */
    char *bytes;    /* here */
    size_t count, capacity;
    bool failed; /* there is no memory for more */
    uint32_t sum;
};

static void append(cob_sections_file *f, const void *bytes, size_t count)
{
    if (f->file) {
        cob_file_bytes(f->file, bytes, count);
        return;
    }
    f->failed = f->failed || !cob_grow(&f->bytes, &f->capacity, f->count + count, 1);
    if (!f->failed)
        memcpy(f->bytes + f->count, bytes, count);
    f->count += count;
}

static void put(cob_sections_file *f, const void *bytes, size_t count)
{
    f->sum = cob_crc32(f->sum, bytes, count);
    append(f, bytes, count);
}

cobloc_status cob_sections_create(const char *path, cob_sections_file **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_sections_file *f = NULL;
    char magic[MAGIC];
    COB_NEW_ZERO(f, 1);
    if (path)
        COB_TRY(cob_file_create(path, &f->file, err));
    make_magic(magic);
    put(f, magic, sizeof magic);
    *out = f;
    f = NULL;
done:
    cob_free(f);
    return status;
}

void cob_sections_put(cob_sections_file *f, const char *name, const void *bytes, size_t count)
{
    char head[HEAD] = {0};
    uint64_t length = count;
    memcpy(head, name, strlen(name));
    memcpy(head + COB_SECTION_NAME, &length, sizeof length);
    put(f, head, sizeof head);
    if (count > 0)
        put(f, bytes, count);
}

cobloc_status cob_sections_finish(cob_sections_file *f, cobloc_status status, cobloc_error *err)
{
    if (!f)
        return status;
    if (status == COBLOC_OK) {
        append(f, &f->sum, sizeof f->sum);
        status = cob_file_commit(f->file, err);
    }
    cob_file_close(f->file);
    cob_free(f);
    return status;
}

cobloc_status cob_sections_take(cob_sections_file *f, cobloc_status status, char **bytes,
                                size_t *count, cobloc_error *err)
{
    if (!f)
        return status;
    if (status == COBLOC_OK)
        append(f, &f->sum, sizeof f->sum);
    if (status == COBLOC_OK && f->failed)
        status = cob_fail_memory(err, f->count, 1);
    if (status == COBLOC_OK) {
        *bytes = f->bytes;
        *count = f->count;
        f->bytes = NULL;
    }
    cob_free(f->bytes);
    cob_free(f);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

struct cob_sections {
    char *path;
    char *bytes;
    size_t count; /* of the bytes: without the checksum, once that was looked at */
};

static cobloc_status read_all(cob_sections *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_source *source = NULL;
    COB_TRY(cob_source_open(s->path, &source, err));
    COB_CHECK(!cob_source_is_gzip(source), COBLOC_BAD_DATA, "%s: is no part of a checkpoint",
              s->path);
    COB_TRY(cob_source_read_all(source, &s->bytes, &s->count, err));
done:
    cob_source_close(source);
    return status;
}

/* Where the next section's bytes are, and how many; false where there is none that ends before the
 * end. */
static bool next_section(const cob_sections *s, size_t *at, const char **name, uint64_t *length)
{
    if (s->count - *at < HEAD)
        return false;
    *name = s->bytes + *at;
    memcpy(length, *name + COB_SECTION_NAME, sizeof *length);
    *at += HEAD;
    return *length <= s->count - *at;
}

static cobloc_status check(cob_sections *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char magic[MAGIC];
    const char *name;
    uint32_t sum;
    uint64_t length;
    make_magic(magic);
    COB_CHECK(s->count >= MAGIC + SUM && memcmp(s->bytes, magic, MAGIC) == 0, COBLOC_BAD_DATA,
              "%s: is no part of a checkpoint, or one of another kind of machine", s->path);
    s->count -= SUM;
    memcpy(&sum, s->bytes + s->count, sizeof sum);
    COB_CHECK(sum == cob_crc32(0, s->bytes, s->count), COBLOC_BAD_DATA,
              "%s: is damaged: its checksum is wrong", s->path);
    for (size_t at = MAGIC; at < s->count; at += (size_t)length)
        COB_CHECK(next_section(s, &at, &name, &length), COBLOC_BAD_DATA,
                  "%s: is damaged: a section goes beyond its end", s->path);
done:
    return status;
}

cobloc_status cob_sections_read(const char *path, cob_sections **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_sections *s = NULL;
    COB_NEW_ZERO(s, 1);
    COB_TRY(cob_copy_text(path, &s->path, err));
    COB_TRY(read_all(s, err));
    COB_TRY(check(s, err));
    *out = s;
    s = NULL;
done:
    cob_sections_free(s);
    return status;
}

cobloc_status cob_sections_open(const char *name, const char *bytes, size_t count,
                                cob_sections **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_sections *s = NULL;
    COB_NEW_ZERO(s, 1);
    COB_TRY(cob_copy_text(name, &s->path, err));
    COB_NEW(s->bytes, count);
    memcpy(s->bytes, bytes, count);
    s->count = count;
    COB_TRY(check(s, err));
    *out = s;
    s = NULL;
done:
    cob_sections_free(s);
    return status;
}

const char *cob_sections_bytes(const cob_sections *s, size_t *count)
{
    *count = s->count + SUM;
    return s->bytes;
}

void cob_sections_free(cob_sections *s)
{
    if (!s)
        return;
    cob_free(s->path);
    cob_free(s->bytes);
    cob_free(s);
}

static const char *find(const cob_sections *s, const char *wanted, uint64_t *length)
{
    const char *name;
    for (size_t at = MAGIC; at < s->count && next_section(s, &at, &name, length);
         at += (size_t)*length)
        if (strncmp(name, wanted, COB_SECTION_NAME) == 0)
            return s->bytes + at;
    return NULL;
}

bool cob_sections_has(const cob_sections *s, const char *name)
{
    uint64_t length;
    return find(s, name, &length) != NULL;
}

cobloc_status cob_sections_get(const cob_sections *s, const char *name, void *bytes, size_t count,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint64_t length = 0;
    const char *found = find(s, name, &length);
    COB_CHECK(found && length == count, COBLOC_BAD_DATA,
              "%s: is damaged: '%s' has %llu bytes, not %zu", s->path, name,
              (unsigned long long)(found ? length : 0), count);
    if (count > 0)
        memcpy(bytes, found, count);
done:
    return status;
}
