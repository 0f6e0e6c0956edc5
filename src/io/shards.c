/* Shards: a folder of files that hold one .cbm file together, so that machines need no common disk.
 *
 * A shard has whole pages of the .cbm file: those with all that is not entries (header, offsets,
 * sums, names), which every shard has, and those with the entries of its share of the rows and of
 * its share of the columns. Reading maps the pieces of all shards that are there to where the .cbm
 * file has them. So all else sees the mapped file, in which pages of missing shards must not be
 * touched: cob_shards_check makes sure of that.
 *
 * The shares are those that the ranks of a fit have if there are as many of them as shards.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "io/shards.h"

#include "base/alloc.h"
#include "io/formats.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- reading --------------------------------------------------------------------------------- */

/* Finds the shards of a folder: there[s] is set for those that are there. Returns how many a
 * complete folder has; 0: there are none; -1: they are of several numbers. */
static int find_shards(const char *path, bool there[COB_MOST_SHARDS])
{
    int count = 0;
    DIR *list = opendir(path);
    for (struct dirent *entry; list && count >= 0 && (entry = readdir(list));) {
        int of, number = cob_shard_number(entry->d_name, &of);
        if (number < 0)
            continue;
        count = count == 0 || count == of ? of : -1;
        there[number] = true;
    }
    if (list)
        closedir(list);
    return count;
}

bool cob_is_shards(const char *path)
{
    bool there[COB_MOST_SHARDS] = {false};
    return find_shards(path, there) != 0;
}

static cobloc_status check_head(const cob_shard_head *h, const char *path, int64_t bytes,
                                int number, int count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint64_t expected = COB_SHARD_PAGE, end = 0;
    COB_CHECK(memcmp(h->magic, COB_SHARD_MAGIC, sizeof h->magic) == 0, COBLOC_BAD_DATA,
              "%s: is not a shard", path);
    COB_CHECK(h->endian_mark == COB_SHARD_ENDIAN_MARK, COBLOC_UNSUPPORTED,
              "%s: was written on a machine with the other byte order", path);
    COB_CHECK(h->version == COB_SHARD_VERSION, COBLOC_UNSUPPORTED,
              "%s: has version %u, expected version %d; write it again with this cobloc", path,
              h->version, COB_SHARD_VERSION);
    COB_CHECK(h->checksum == cob_shard_checksum(h), COBLOC_BAD_DATA,
              "%s: the header is damaged: its checksum is wrong", path);
    COB_CHECK((int)h->number == number && (int)h->count == count, COBLOC_BAD_DATA,
              "%s: is shard %u of %u, whatever its name is", path, h->number + 1, h->count);
    bool fits = h->piece_count >= 1 && h->piece_count <= COB_SHARD_PIECES && h->pieces[0].at == 0 &&
                h->bytes <= INT64_MAX / 2;
    for (uint32_t p = 0; fits && p < h->piece_count; p++) {
        uint64_t at = h->pieces[p].at, some = h->pieces[p].bytes;
        fits = at % COB_SHARD_PAGE == 0 && at >= end && some > 0 && at < h->bytes &&
               some <= h->bytes - at && (some % COB_SHARD_PAGE == 0 || at + some == h->bytes);
        end = at + some;
        expected += cob_shard_page_up(some);
    }
    COB_CHECK(fits, COBLOC_BAD_DATA, "%s: the header is inconsistent", path);
    COB_CHECK((uint64_t)bytes == expected, COBLOC_BAD_DATA,
              "%s: is truncated: it has %lld bytes, expected %llu", path, (long long)bytes,
              (unsigned long long)expected);
done:
    return status;
}

/* Whether mapped pieces cover these bytes. */
static bool is_covered(const cob_shards *s, cob_between bytes)
{
    uint64_t at = (uint64_t)bytes.first;
    for (int p = 0; p < s->piece_count && at < (uint64_t)bytes.last; p++)
        if (s->pieces[p].mapped && s->pieces[p].at <= at &&
            s->pieces[p].at + s->pieces[p].bytes > at) {
            at = s->pieces[p].at + s->pieces[p].bytes;
            p = -1; /* another may go on from there */
        }
    return at >= (uint64_t)bytes.last;
}

/* The first shard says how large the whole is: room for it, of which nothing may be touched. */
static cobloc_status reserve(cobloc_matrix *m, const cob_shard_head *h, cobloc_error *err)
{
    void *room =
        mmap(NULL, (size_t)h->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return cob_fail_memory(err, (size_t)h->bytes, 1);
    m->mapping = room;
    m->mapping_bytes = (size_t)h->bytes;
    return COBLOC_OK;
}

/* Maps a piece to its place in the whole, or copies it there. */
static cobloc_status place(cobloc_matrix *m, int fd, const char *path, const cob_shard_piece *p,
                           bool copied, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *to = (char *)m->mapping + p->at;
    if (copied) {
        COB_CHECK(mprotect(to, p->bytes, PROT_READ | PROT_WRITE) == 0, COBLOC_NO_MEMORY, "%s: %s",
                  path, strerror(errno));
        status = cob_cbm_read_at(fd, p->in_file, p->bytes, path, to, err);
    } else {
        COB_CHECK(mmap(to, p->bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, (off_t)p->in_file) !=
                      MAP_FAILED,
                  COBLOC_IO, "%s: cannot be mapped: %s", path, strerror(errno));
    }
done:
    return status;
}

/* Takes the pieces of a shard that is open. What other shards have already is left out. */
static cobloc_status take_pieces(cobloc_matrix *m, const cob_shard_head *h, int fd,
                                 const char *path, bool copied, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint64_t in_file = COB_SHARD_PAGE;
    for (uint32_t i = 0; i < h->piece_count; i++) {
        const cob_stored_piece *from = &h->pieces[i];
        cob_shard_piece p = {.at = from->at,
                             .bytes = from->bytes,
                             .in_file = in_file,
                             .checksum = from->checksum,
                             .shard = (int)h->number,
                             .file = m->file_count - 1};
        cob_between bytes = {(int64_t)p.at, (int64_t)(p.at + p.bytes)};
        p.mapped = !is_covered(m->shards, bytes);
        if (p.mapped)
            COB_TRY(place(m, fd, path, &p, copied, err));
        m->shards->pieces[m->shards->piece_count++] = p;
        in_file += cob_shard_page_up(p.bytes);
    }
done:
    return status;
}

static cobloc_status open_shard(cobloc_matrix *m, const char *path, int number, bool no_map,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_shard_head h;
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    COB_CHECK(fd >= 0 && fstat(fd, &about) == 0, COBLOC_IO, "%s: %s", path, strerror(errno));
    COB_TRY(cob_cbm_read_at(fd, 0, sizeof h, path, &h, err));
    COB_TRY(check_head(&h, path, about.st_size, number, m->shards->count, err));
    bool copied = no_map || cob_cbm_is_small(h.bytes);
    if (m->shards->here++ == 0) {
        m->shards->of = h.of;
        COB_TRY(reserve(m, &h, err));
        if (!copied)
            cob_region_add(&m->region, m->mapping, m->mapping_bytes);
    }
    COB_CHECK(h.of == m->shards->of && h.bytes == m->mapping_bytes, COBLOC_BAD_DATA,
              "%s: is of another matrix than shard %d beside it", path,
              m->shards->pieces[0].shard + 1);
    if (!copied)
        cob_cbm_note_file(m, fd, &about);
    COB_TRY(take_pieces(m, &h, fd, path, copied, err));
    fd = copied ? fd : -1;
done:
    if (fd >= 0 && (m->file_count == 0 || m->files[m->file_count - 1].fd != fd))
        close(fd);
    return status;
}

static cobloc_status open_all(cobloc_matrix *m, const char *path, const bool *there, bool no_map,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *inside = NULL;
    for (int s = 0; s < m->shards->count; s++) {
        char name[COB_SHARD_NAME];
        if (!there[s]) {
            m->shards->first_missing = m->shards->first_missing ? m->shards->first_missing : s + 1;
            continue;
        }
        cob_free(inside);
        cob_shard_name(s, m->shards->count, name);
        inside = cob_path_inside(path, name);
        COB_CHECK(inside, COBLOC_NO_MEMORY, "out of memory");
        COB_TRY(open_shard(m, inside, s, no_map, err));
    }
done:
    cob_free(inside);
    return status;
}

bool cob_shards_are_complete(const cobloc_matrix *m, const cob_cbm_head *h)
{
    bool complete = true, all = m->shards->here == m->shards->count;
    for (int i = 0; i < SECTIONS; i++) {
        bool entries = i == ROW_INDICES || i == ROW_VALUES || i == COL_INDICES || i == COL_VALUES;
        cob_between bytes = {(int64_t)h->sections[i].offset,
                             (int64_t)(h->sections[i].offset + h->sections[i].bytes)};
        complete = complete && ((entries && !all) || is_covered(m->shards, bytes));
    }
    return complete;
}

static void name_format(cobloc_matrix *m)
{
    cob_shards *s = m->shards;
    int used = snprintf(s->title, sizeof s->title, "cobloc binary, %d shard%s", s->count,
                        s->count == 1 ? "" : "s");
    if (s->here < s->count)
        snprintf(s->title + used, sizeof s->title - (size_t)used, ", %d of them here", s->here);
    m->format = s->title;
}

cobloc_status cob_shards_read(const char *path, const cobloc_io_options *options,
                              cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool there[COB_MOST_SHARDS] = {false};
    cobloc_matrix *m = NULL;
    cob_budget *budget = NULL;
    char *whole = realpath(path, NULL);
    cobloc_io_options own;
    cob_io_options_default(&own);
    own = options ? *options : own;
    int count = find_shards(path, there);
    COB_CHECK(count > 0, COBLOC_BAD_DATA, "%s: holds shards of several numbers, expected one",
              path);
    COB_TRY(cob_budget_begin(own.max_memory, &budget, err));
    COB_NEW_ZERO(m, 1);
    COB_TRY(cob_copy_text(path, &m->path, err));
    COB_TRY(cob_copy_text(whole ? whole : path, &m->source, err));
    m->shards = cob_alloc_zero(1, sizeof *m->shards +
                                      (size_t)count * COB_SHARD_PIECES * sizeof(cob_shard_piece));
    COB_CHECK(m->shards, COBLOC_NO_MEMORY, "out of memory");
    m->shards->count = count;
    COB_NEW(m->files, count);
    COB_TRY(open_all(m, path, there, own.no_map, err));
    COB_TRY(cob_cbm_adopt(m, own.missing, err));
    name_format(m);
    m->read_missing = own.missing;
    m->read_values = own.values;
    m->budget = budget;
    budget = NULL;
    *out = m;
    m = NULL;
done:
    free(whole);
    cobloc_matrix_free(m);
    cob_budget_end(budget);
    return status;
}

/* ---- checking -------------------------------------------------------------------------------- */

static bool overlaps(const cob_shard_piece *p, const cob_between needs[COB_SHARD_PIECES])
{
    bool found = false;
    for (int i = 0; i < COB_SHARD_PIECES; i++)
        found = found ||
                ((int64_t)p->at < needs[i].last && (int64_t)(p->at + p->bytes) > needs[i].first);
    return found;
}

cobloc_status cob_shards_check(const cobloc_matrix *m, const cob_ranks *ranks, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_shards *s = m->shards;
    const cob_cbm_head h = cob_cbm_header_of(m->mapping);
    int rank = ranks ? ranks->rank : 0, size = ranks ? ranks->size : 1;
    cob_between needs[COB_SHARD_PIECES];
    COB_CHECK(cob_cbm_offsets_are_sound(m->by_row.offsets, m->rows, m->nnz) &&
                  cob_cbm_offsets_are_sound(m->by_col.offsets, m->cols, m->nnz),
              COBLOC_BAD_DATA, "%s: the shards are damaged: their lines do not begin in order",
              m->path);
    cob_shard_needs(m, &h, m->mapping_bytes, rank, size, needs);
    for (int i = 0; i < COB_SHARD_PIECES; i++)
        COB_CHECK(is_covered(s, needs[i]), COBLOC_BAD_DATA,
                  "%s: rank %d of %d needs more than the %d of %d shards that are here", m->path,
                  rank + 1, size, s->here, s->count);
    for (int p = 0; p < s->piece_count; p++)
        COB_CHECK(!s->pieces[p].mapped || !overlaps(&s->pieces[p], needs) ||
                      cob_cbm_checksum((const char *)m->mapping + s->pieces[p].at,
                                       s->pieces[p].bytes) == s->pieces[p].checksum,
                  COBLOC_BAD_DATA, "%s: shard %d is damaged: a checksum is wrong", m->path,
                  s->pieces[p].shard + 1);
done:
    return status;
}
