/* Reading the entries of lines that other ranks have.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* pread */
#include "matrix/elsewhere.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "matrix/values.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* The buffer stays in a near cache. To read what lies between two lines takes less time than to
 * begin anew, if it is no more than so many entries. */
enum { MOST_ENTRIES = 1 << 16, MOST_RUNS = 1 << 10, BETWEEN = 1 << 11 };

/* ---- files ----------------------------------------------------------------------------------- */

/* The file under a place of a mapping, where it has that, and how many bytes from there on. */
typedef struct source {
    int fd;
    uint64_t at, bytes;
} source;

static source source_of(const cobloc_matrix *m, uint64_t place)
{
    const cob_shards *s = m->shards;
    if (!s)
        return (source){m->files[0].fd, place, m->mapping_bytes - place};
    for (int p = 0; p < s->piece_count; p++) {
        const cob_shard_piece *piece = &s->pieces[p];
        if (piece->mapped && place >= piece->at && place < piece->at + piece->bytes)
            return (source){m->files[piece->file].fd, piece->in_file + (place - piece->at),
                            piece->at + piece->bytes - place};
    }
    return (source){-1, 0, 0};
}

/* Copies bytes of a matrix, those of a mapped file from the file. Where that fails, the mapping
 * says what is wrong, as it does elsewhere. */
static void copy_bytes(const cobloc_matrix *m, const void *from, size_t bytes, void *to)
{
    uintptr_t start = (uintptr_t)m->mapping, at = (uintptr_t)from;
    char *next = to;
    while (bytes > 0 && m->file_count > 0 && at >= start && at < start + m->mapping_bytes) {
        source s = source_of(m, at - start);
        size_t some = bytes < s.bytes ? bytes : (size_t)s.bytes;
        ssize_t got = s.fd >= 0 ? pread(s.fd, next, some, (off_t)s.at) : -1;
        if (got <= 0)
            break;
        next += got;
        at += (uintptr_t)got;
        bytes -= (size_t)got;
    }
    if (bytes > 0)
        memcpy(next, (const char *)from + (next - (char *)to), bytes);
}

/* ---- the buffer ------------------------------------------------------------------------------ */

/* Lines are kept in so many bytes: a twelfth of what this rank's own take in the file. */
static double most_kept(const cob_elsewhere *x)
{
    enum { PART = 12 };
    const int64_t *offsets = x->lines.offsets;
    double entries = (double)(offsets[x->here.last] - offsets[x->here.first]);
    return fmin(entries * (double)cob_entry_bytes(x->lines.kind) / PART, cob_budget_block());
}

cobloc_status cob_elsewhere_new(const cob_elsewhere *with, cobloc_value_kind kind,
                                cob_elsewhere **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_elsewhere *x = NULL;
    size_t width = cob_kind_width(kind), before = cob_kind_width(with->lines.kind);
    COB_NEW_ZERO(x, 1);
    *x = *with;
    COB_NEW(x->indices, MOST_ENTRIES);
    COB_NEW(x->runs, MOST_RUNS);
    if (width > 0)
        COB_NEW(x->values, MOST_ENTRIES * width);
    if (x->remade.grid.scale > 0 && before > 0)
        COB_NEW(x->raw, MOST_ENTRIES * before);
    COB_TRY(cob_kept_alloc(&x->kept, x->lines.major, most_kept(x), err));
    cob_elsewhere_clear(x);
    x->buffer = (cobloc_view){
        .minor = x->lines.minor, .kind = kind, .indices = x->indices, .values = x->values};
    *out = x;
    x = NULL;
done:
    cob_elsewhere_free(x);
    return status;
}

void cob_elsewhere_free(cob_elsewhere *x)
{
    if (!x)
        return;
    cob_free(x->indices);
    cob_free(x->runs);
    cob_free(x->values);
    cob_free(x->raw);
    cob_kept_free(&x->kept);
    cob_free(x);
}

void cob_elsewhere_clear(cob_elsewhere *x)
{
    x->used = x->run_count = 0;
    x->top = MOST_ENTRIES;
}

int64_t cob_elsewhere_add(cob_elsewhere *x, cob_between entries, int64_t *at)
{
    cob_run_of_entries *run = x->run_count > 0 ? &x->runs[x->run_count - 1] : NULL;
    int64_t gap = run ? entries.first - run->last : -1;
    bool joins = gap >= 0 && gap <= BETWEEN && gap < x->top - x->used;
    if (!joins && x->run_count == MOST_RUNS)
        return 0;
    int64_t place = x->used + (joins ? gap : 0), wanted = entries.last - entries.first;
    int64_t count = wanted < x->top - place ? wanted : x->top - place;
    if (!joins && count > 0)
        x->runs[x->run_count++] = (cob_run_of_entries){entries.first, entries.first, place};
    if (count > 0) {
        x->runs[x->run_count - 1].last = entries.first + count;
        x->used = place + count;
    }
    *at = place;
    return count;
}

void cob_elsewhere_read(const cob_elsewhere *x, int run)
{
    const cob_run_of_entries *r = &x->runs[run];
    size_t count = (size_t)(r->last - r->first), width = cob_kind_width(x->lines.kind);
    char *values = x->remade.grid.scale > 0 ? x->raw : x->values;
    copy_bytes(x->file, x->lines.indices + r->first, count * sizeof *x->indices,
               x->indices + r->at);
    if (values && width > 0)
        copy_bytes(x->file, (const char *)x->lines.values + (size_t)r->first * width, count * width,
                   values + (size_t)r->at * width);
}

/* ---- the entries of own lines ---------------------------------------------------------------- */

static int32_t number_at(const cob_elsewhere *x, int64_t entry)
{
    int32_t index;
    copy_bytes(x->file, x->lines.indices + entry, sizeof index, &index);
    return x->numbers ? x->numbers[index] : index;
}

/* Where the first entry is whose index is `line` or larger, to within a few. */
static cob_between search(const cob_elsewhere *x, cob_between some, int64_t line)
{
    enum { FEW = 1 << 10 };
    while (some.last - some.first > FEW) {
        int64_t middle = some.first + (some.last - some.first) / 2;
        if (number_at(x, middle) < line)
            some.first = middle + 1;
        else
            some.last = middle;
    }
    return some;
}

cob_between cob_elsewhere_narrow(const cob_elsewhere *x, cob_between entries, cob_between own)
{
    enum { MANY = 1 << 15 }; /* fewer are read in less time than a search takes */
    if (entries.last - entries.first < MANY)
        return entries;
    cob_between first = search(x, entries, own.first);
    cob_between last = search(x, (cob_between){first.first, entries.last}, own.last);
    return (cob_between){first.first, last.last};
}

/* By their indices in the file. */
static void remake_values(const cob_elsewhere *x, int64_t entry, cob_between entries)
{
    const cob_remade *r = &x->remade;
    int64_t line = cob_line_at(r->offsets, r->lines, entry);
    for (int64_t e = entries.first; e < entries.last; e++) {
        int64_t index = x->indices[e];
        double value = cob_value_get(x->lines.kind, x->raw, e);
        if (r->weigher)
            value = cob_weigh_entry(r->weigher, value, r->columns ? index : line,
                                    r->columns ? line : index);
        cob_value_set(x->buffer.kind, x->values, e, cob_on_grid(value, r->grid, r->words));
    }
}

cob_between cob_elsewhere_remake(const cob_elsewhere *x, int64_t entry, cob_between entries,
                                 cob_between own)
{
    cob_between inside = cob_entries_in(&x->buffer, x->numbers, entries, own);
    if (x->remade.grid.scale > 0)
        remake_values(x, entry, inside);
    for (int64_t e = inside.first; x->numbers && e < inside.last; e++)
        x->indices[e] = x->numbers[x->indices[e]];
    return inside;
}

/* ---- lines that are kept --------------------------------------------------------------------- */

void cob_elsewhere_keep(cob_elsewhere *x, int64_t line, cob_between entries, cob_between own)
{
    cob_kept_put(&x->kept, line, own, entries, x->indices, x->values,
                 cob_kind_width(x->buffer.kind));
}

/* Behind what is read, so that lines which are near each other in the file are read together. */
bool cob_elsewhere_recall(cob_elsewhere *x, int64_t line, cob_between *entries)
{
    int64_t count = cob_kept_count(&x->kept, line);
    if (count > x->top - x->used)
        return false;
    *entries = (cob_between){x->top - count, x->top};
    x->top -= count;
    return true;
}

void cob_elsewhere_take(const cob_elsewhere *x, int64_t line, cob_between entries, cob_between own)
{
    cob_kept_take(&x->kept, line, own, entries.first, x->indices, x->values,
                  cob_kind_width(x->buffer.kind));
}
