/* .cbm, cobloc's binary format: a matrix as it is in memory, to be mapped rather than read.
 *
 * A header (little-endian, see cbm.h), then the sections it lists, each aligned to 64
 * bytes: both orientations, margins, names. The header has a checksum of itself and of each
 * section. Version 2 adds sections for missing cells and categories, and allows negative values;
 * version 3 adds the settings of text and the beginnings of its documents, version 4 what else is
 * known of the rows. A matrix is written in the first version that holds all it has, byte for byte
 * as before. Opening checks only the header and that every section lies within the file, so it
 * takes the same time for any size; cobloc_matrix_verify checks the sections before anything reads
 * them.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "base/alloc.h"
#include "base/parallel.h"
#include "base/vectors.h"
#include "io/cbm.h"
#include "io/formats.h"
#include "matrix/transpose.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    VERSION = 4, /* the newest */
    ENDIAN_MARK = 0x01020304,
    LEAST_HEADER_BYTES = 512, /* of version 1 */
    MOST_HEADER_BYTES = 1024,
    ALIGNMENT = 64,
};

static const char magic[8] = "COBLOC\r\n";

_Static_assert(sizeof(cob_cbm_head) <= MOST_HEADER_BYTES, "the header has grown past its room");

/* The bytes that the header takes in the file. */
static size_t header_bytes(uint32_t version)
{
    return version >= 2 && version <= VERSION ? MOST_HEADER_BYTES : LEAST_HEADER_BYTES;
}

static int recognise(const cob_head *head)
{
    return head->size >= sizeof magic && (memcmp(head->text, magic, sizeof magic) == 0 ||
                                          memcmp(head->text, COB_SHARD_MAGIC, sizeof magic) == 0);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The size of each section; names may be absent (0 bytes) or one per row or column. */
static int sizes_fit(const cob_cbm_head *h)
{
    uint64_t width = cob_kind_width((cobloc_value_kind)h->kind);
    uint64_t rows = (uint64_t)h->rows, cols = (uint64_t)h->cols, nnz = (uint64_t)h->nnz;
    const cob_cbm_section *s = h->sections;
    uint64_t fields = s[FIELD_NAME_OFFSETS].bytes / 8;
    const struct {
        int name;
        uint64_t bytes;
    } exact[] = {{ROW_OFFSETS, (rows + 1) * 8}, {COL_OFFSETS, (cols + 1) * 8},
                 {ROW_INDICES, nnz * 4},        {COL_INDICES, nnz * 4},
                 {ROW_VALUES, nnz * width},     {COL_VALUES, nnz * width},
                 {ROW_SUMS, rows * 8},          {COL_SUMS, cols * 8}};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (s[exact[i].name].bytes != exact[i].bytes)
            return 0;
    const struct {
        int offsets, bytes;
        uint64_t count;
    } names[] = {{ROW_NAME_OFFSETS, ROW_NAME_BYTES, rows},
                 {COL_NAME_OFFSETS, COL_NAME_BYTES, cols},
                 {LABEL_OFFSETS, LABEL_BYTES, rows},
                 {CATEGORY_OFFSETS, CATEGORY_BYTES, s[CATEGORY_OFFSETS].bytes / 8},
                 {FIELD_NAME_OFFSETS, FIELD_NAME_BYTES, fields},
                 {FIELD_VALUE_OFFSETS, FIELD_VALUE_BYTES, fields * rows}};
    if (fields > COB_MATRIX_FIELDS)
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint64_t offsets = s[names[i].offsets].bytes, bytes = s[names[i].bytes].bytes;
        if (!(offsets == 0 && bytes == 0) && !(offsets == names[i].count * 8 && bytes > 0))
            return 0;
    }
    uint64_t blocks = (uint64_t)cob_packed_blocks(h->rows);
    if (s[EXCERPT_OFFSETS].bytes != (s[EXCERPT_BYTES].bytes > 0 ? (blocks + 1) * 8 : 0))
        return 0;
    uint64_t missing = s[MISSING_ROW_INDICES].bytes, some = missing > 0;
    return missing % 4 == 0 && s[MISSING_COL_INDICES].bytes == missing &&
           s[MISSING_ROW_OFFSETS].bytes == some * (rows + 1) * 8 &&
           s[MISSING_COL_OFFSETS].bytes == some * (cols + 1) * 8;
}

static cobloc_status check_header(const cob_cbm_head *h, uint64_t file_bytes, const char *path,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(memcmp(h->magic, COB_SHARD_MAGIC, sizeof magic) != 0, COBLOC_BAD_DATA,
              "%s: is one shard of several; give the folder that holds them", path);
    COB_CHECK(h->endian_mark == ENDIAN_MARK, COBLOC_UNSUPPORTED,
              "%s: was written on a machine with the other byte order", path);
    COB_CHECK(h->version >= 1 && h->version <= VERSION, COBLOC_UNSUPPORTED,
              "%s: has version %u, expected at most version %d; write it again with this cobloc",
              path, h->version, VERSION);
    COB_CHECK(h->checksum == cob_cbm_checksum(h, cob_cbm_summed(h->version)), COBLOC_BAD_DATA,
              "%s: the header is damaged: its checksum is wrong", path);
    COB_CHECK(h->rows >= 1 && h->rows <= INT32_MAX && h->cols >= 1 && h->cols <= INT32_MAX &&
                  h->nnz >= 0 && h->nnz <= h->rows * h->cols && h->kind <= COBLOC_F64 &&
                  h->negative <= 1 && sizes_fit(h),
              COBLOC_BAD_DATA, "%s: the header is inconsistent", path);
    for (int i = 0; i < SECTIONS; i++) {
        const cob_cbm_section *s = &h->sections[i];
        COB_CHECK(s->offset % ALIGNMENT == 0 && s->offset <= file_bytes &&
                      s->bytes <= file_bytes - s->offset,
                  COBLOC_BAD_DATA, "%s: is truncated: it has %llu bytes", path,
                  (unsigned long long)file_bytes);
    }
done:
    return status;
}

static void *section_at(char *mapping, const cob_cbm_head *h, int name)
{
    return mapping + h->sections[name].offset;
}

static cobloc_status borrow_names(char *mapping, const cob_cbm_head *h, int offsets,
                                  const char *path, cob_names *names, cobloc_error *err)
{
    const cob_cbm_section *text = &h->sections[offsets + 1];
    if (text->bytes == 0)
        return COBLOC_OK;
    names->count = (int64_t)(h->sections[offsets].bytes / 8);
    names->offsets = section_at(mapping, h, offsets);
    names->bytes = section_at(mapping, h, offsets + 1);
    names->size = text->bytes;
    if (names->bytes[names->size - 1] != '\0')
        return cob_fail(err, COBLOC_BAD_DATA, "%s: the names are damaged", path);
    return COBLOC_OK;
}

/* Takes the missing cells from the mapping. This reads their offsets, to count the missing cells of
 * each row and column, and so checks them first. */
static cobloc_status adopt_missing(cobloc_matrix *m, const cob_cbm_head *h, cobloc_error *err)
{
    char *mapping = m->mapping;
    int64_t count = (int64_t)(h->sections[MISSING_ROW_INDICES].bytes / 4);
    cob_side by_row = {section_at(mapping, h, MISSING_ROW_OFFSETS),
                       section_at(mapping, h, MISSING_ROW_INDICES), NULL};
    cob_side by_col = {section_at(mapping, h, MISSING_COL_OFFSETS),
                       section_at(mapping, h, MISSING_COL_INDICES), NULL};
    const cob_sides lent = {by_row, by_col};
    if (!cob_cbm_offsets_are_sound(by_row.offsets, m->rows, count) ||
        !cob_cbm_offsets_are_sound(by_col.offsets, m->cols, count))
        return cob_fail(err, COBLOC_BAD_DATA, "%s: the missing cells are damaged", m->path);
    return cob_matrix_own_both(m->rows, m->cols, COBLOC_ONES, &by_row, &by_col, &lent, NULL, 0,
                               &m->missing, err);
}

/* Takes the settings of text and the beginnings of documents. */
static cobloc_status adopt_text(cobloc_matrix *m, const cob_cbm_head *h, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_cbm_section *settings = &h->sections[TEXT_SETTINGS];
    if (settings->bytes > 0) {
        COB_NEW(m->text, settings->bytes + 1);
        memcpy(m->text, section_at(m->mapping, h, TEXT_SETTINGS), settings->bytes);
        m->text[settings->bytes] = '\0';
    }
    if (h->sections[EXCERPT_BYTES].bytes > 0)
        m->packed = (cob_packed){section_at(m->mapping, h, EXCERPT_OFFSETS),
                                 section_at(m->mapping, h, EXCERPT_BYTES),
                                 h->sections[EXCERPT_BYTES].bytes, false};
done:
    return status;
}

/* Sets the pointers of a matrix into the mapping. */
static cobloc_status adopt(cobloc_matrix *m, const cob_cbm_head *h, cobloc_missing missing,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *mapping = m->mapping;
    const char *path = m->path;
    m->rows = h->rows;
    m->cols = h->cols;
    m->nnz = h->nnz;
    m->kind = (cobloc_value_kind)h->kind;
    m->total = h->total;
    m->empty_rows = h->empty_rows;
    m->empty_cols = h->empty_cols;
    m->by_row = (cob_side){section_at(mapping, h, ROW_OFFSETS), section_at(mapping, h, ROW_INDICES),
                           section_at(mapping, h, ROW_VALUES)};
    m->by_col = (cob_side){section_at(mapping, h, COL_OFFSETS), section_at(mapping, h, COL_INDICES),
                           section_at(mapping, h, COL_VALUES)};
    if (m->kind == COBLOC_ONES)
        m->by_row.values = m->by_col.values = NULL;
    m->lent = (cob_sides){m->by_row, m->by_col};
    m->negative = h->negative != 0;
    m->lent_sums[0] = m->row_sums = section_at(mapping, h, ROW_SUMS);
    m->lent_sums[1] = m->col_sums = section_at(mapping, h, COL_SUMS);
    m->check = cob_cbm_check;
    COB_TRY(borrow_names(mapping, h, ROW_NAME_OFFSETS, path, &m->row_names, err));
    COB_TRY(borrow_names(mapping, h, COL_NAME_OFFSETS, path, &m->col_names, err));
    COB_TRY(borrow_names(mapping, h, LABEL_OFFSETS, path, &m->row_labels, err));
    COB_TRY(borrow_names(mapping, h, CATEGORY_OFFSETS, path, &m->categories, err));
    COB_TRY(borrow_names(mapping, h, FIELD_NAME_OFFSETS, path, &m->field_names, err));
    COB_TRY(borrow_names(mapping, h, FIELD_VALUE_OFFSETS, path, &m->field_values, err));
    COB_TRY(adopt_text(m, h, err));
    if (missing == COBLOC_MISSING_ZERO)
        m->zeroed = (int64_t)(h->sections[MISSING_ROW_INDICES].bytes / 4);
    else if (h->sections[MISSING_ROW_INDICES].bytes > 0)
        COB_TRY(adopt_missing(m, h, err));
done:
    return status;
}

cobloc_status cob_cbm_adopt(cobloc_matrix *m, cobloc_missing missing, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_cbm_head *stored = m->mapping;
    COB_CHECK(m->mapping_bytes >= LEAST_HEADER_BYTES &&
                  m->mapping_bytes >= header_bytes(stored->version),
              COBLOC_BAD_DATA, "%s: is truncated: it has %zu bytes", m->path, m->mapping_bytes);
    cob_cbm_head h = cob_cbm_header_of(m->mapping);
    COB_TRY(check_header(&h, m->mapping_bytes, m->path, err));
    COB_CHECK(!m->shards || cob_shards_are_complete(m, &h), COBLOC_BAD_DATA,
              "%s: the shards do not hold what they should", m->path);
    COB_TRY(adopt(m, &h, missing, err));
done:
    return status;
}

cobloc_status cob_cbm_read_at(int fd, uint64_t at, size_t bytes, const char *path, void *to,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t read = 0;
    ssize_t some = 1;
    while (read < bytes && some > 0) {
        some = pread(fd, (char *)to + read, bytes - read, (off_t)(at + read));
        if (some > 0)
            read += (size_t)some;
    }
    COB_CHECK(some >= 0, COBLOC_IO, "%s: %s", path, strerror(errno));
    COB_CHECK(read == bytes, COBLOC_BAD_DATA, "%s: is truncated: it has %zu bytes", path,
              (size_t)at + read);
done:
    return status;
}

bool cob_cbm_is_small(uint64_t bytes)
{
    const double small = 1 << 24;
    return (double)bytes <= fmin(small, cob_budget_block());
}

void cob_cbm_note_file(cobloc_matrix *m, int fd, const struct stat *about)
{
    m->files[m->file_count++] =
        (cob_mapped_file){fd, about->st_size, about->st_mtim.tv_sec, about->st_mtim.tv_nsec};
}

/* Small files are copied, so that nobody can change them under our hands; larger ones are mapped,
 * and the matrix keeps `*fd`. */
static cobloc_status open_mapping(int *fd, const struct stat *about, bool copied, cobloc_matrix *m,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t bytes = (size_t)about->st_size;
    copied = copied || cob_cbm_is_small(bytes);
    COB_NEW(m->files, 1);
    void *mapping =
        copied ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
               : mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, *fd, 0);
    if (mapping == MAP_FAILED)
        return copied
                   ? cob_fail_memory(err, bytes, 1)
                   : cob_fail(err, COBLOC_IO, "%s: cannot be mapped: %s", m->path, strerror(errno));
    m->mapping = mapping;
    m->mapping_bytes = bytes;
    if (copied)
        return cob_cbm_read_at(*fd, 0, bytes, m->path, mapping, err);
    cob_cbm_note_file(m, *fd, about);
    *fd = -1;
    cob_region_add(&m->region, mapping, bytes);
done:
    return status;
}

static cobloc_status read_cbm(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *path = reading->path;
    cobloc_matrix *matrix = NULL;
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    COB_CHECK(fd >= 0 && fstat(fd, &about) == 0, COBLOC_IO, "%s: %s", path, strerror(errno));
    COB_CHECK(about.st_size >= LEAST_HEADER_BYTES, COBLOC_BAD_DATA,
              "%s: is truncated: it has %lld bytes", path, (long long)about.st_size);
    COB_NEW_ZERO(matrix, 1);
    *out = matrix;
    COB_TRY(cob_copy_text(path, &matrix->path, err));
    COB_TRY(open_mapping(&fd, &about, reading->options->no_map, matrix, err));
    COB_TRY(cob_cbm_adopt(matrix, reading->options->missing, err));
done:
    if (fd >= 0)
        close(fd);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void list(cob_cbm_image *image, int section, const void *bytes, size_t count)
{
    image->contents[section].bytes = bytes;
    image->contents[section].count = count;
}

/* `packed`: the beginnings of documents. */
static void list_contents(const cobloc_matrix *m, const cob_packed *packed, cob_cbm_image *image)
{
    size_t rows = (size_t)m->rows, cols = (size_t)m->cols, nnz = (size_t)m->nnz;
    size_t width = cob_kind_width(m->kind);
    const struct {
        const cob_names *names;
        int at;
    } lists[] = {{&m->row_names, ROW_NAME_OFFSETS},     {&m->col_names, COL_NAME_OFFSETS},
                 {&m->row_labels, LABEL_OFFSETS},       {&m->categories, CATEGORY_OFFSETS},
                 {&m->field_names, FIELD_NAME_OFFSETS}, {&m->field_values, FIELD_VALUE_OFFSETS}};
    list(image, ROW_OFFSETS, m->by_row.offsets, (rows + 1) * 8);
    list(image, ROW_INDICES, m->by_row.indices, nnz * 4);
    list(image, ROW_VALUES, m->by_row.values, nnz * width);
    list(image, COL_OFFSETS, m->by_col.offsets, (cols + 1) * 8);
    list(image, COL_INDICES, m->by_col.indices, nnz * 4);
    list(image, COL_VALUES, m->by_col.values, nnz * width);
    list(image, ROW_SUMS, m->row_sums, rows * 8);
    list(image, COL_SUMS, m->col_sums, cols * 8);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const cob_names *names = lists[i].names;
        list(image, lists[i].at, names->offsets, (size_t)names->count * 8);
        list(image, lists[i].at + 1, names->bytes, names->size);
    }
    if (m->missing) {
        size_t missing = (size_t)m->missing->nnz;
        list(image, MISSING_ROW_OFFSETS, m->missing->by_row.offsets, (rows + 1) * 8);
        list(image, MISSING_ROW_INDICES, m->missing->by_row.indices, missing * 4);
        list(image, MISSING_COL_OFFSETS, m->missing->by_col.offsets, (cols + 1) * 8);
        list(image, MISSING_COL_INDICES, m->missing->by_col.indices, missing * 4);
    }
    list(image, TEXT_SETTINGS, m->text, m->text ? strlen(m->text) : 0);
    if (packed->size > 0) {
        size_t blocks = (size_t)cob_packed_blocks(m->rows);
        list(image, EXCERPT_OFFSETS, packed->offsets, (blocks + 1) * 8);
        list(image, EXCERPT_BYTES, packed->bytes, packed->size);
    }
}

static void make_header(const cobloc_matrix *m, cob_cbm_image *image)
{
    cob_cbm_head *h = &image->head;
    memset(h, 0, sizeof *h); /* padding as well, because it is written and checksummed */
    memcpy(h->magic, magic, sizeof magic);
    h->endian_mark = ENDIAN_MARK;
    bool text =
        image->contents[TEXT_SETTINGS].count > 0 || image->contents[EXCERPT_BYTES].count > 0;
    h->version = m->field_names.count > 0                               ? 4
                 : text                                                 ? 3
                 : m->negative || m->missing || m->categories.count > 0 ? 2
                                                                        : 1;
    h->rows = m->rows;
    h->cols = m->cols;
    h->nnz = m->nnz;
    h->empty_rows = m->empty_rows;
    h->empty_cols = m->empty_cols;
    h->total = m->total;
    h->kind = (uint32_t)m->kind;
    h->negative = m->negative;
    int sections = cob_cbm_sections(h->version);
    image->bytes = header_bytes(h->version);
    for (int i = 0; i < sections; i++) {
        size_t count = image->contents[i].count;
        h->sections[i].offset = image->bytes;
        h->sections[i].bytes = count;
        image->bytes += (count + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    for (int i = 0; i < sections; i++)
        h->sections[i].checksum =
            cob_cbm_checksum(image->contents[i].bytes, image->contents[i].count);
    h->checksum = cob_cbm_checksum(h, cob_cbm_summed(h->version));
}

cobloc_status cob_cbm_image_make(const cobloc_matrix *matrix, cob_cbm_image *image,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    memset(image, 0, sizeof *image);
    if (matrix->excerpts.count == matrix->rows)
        COB_TRY(cob_pack(&matrix->excerpts, 0, &image->packed, err));
    list_contents(matrix, image->packed.size > 0 ? &image->packed : &matrix->packed, image);
    make_header(matrix, image);
done:
    return status;
}

void cob_cbm_image_free(cob_cbm_image *image)
{
    cob_packed_free(&image->packed);
}

/* Gives what lies between `*at` and `to` of `count` bytes that begin at `start`, and zeros before
 * these. */
static void put_part(uint64_t *at, uint64_t to, uint64_t start, const void *bytes, size_t count,
                     cob_cbm_sink *sink, void *user)
{
    static const char zeros[MOST_HEADER_BYTES];
    uint64_t end = start + count < to ? start + count : to;
    for (uint64_t gap; *at < start && *at < to; *at += gap) {
        gap = (start < to ? start : to) - *at;
        gap = gap < sizeof zeros ? gap : sizeof zeros;
        sink(user, zeros, gap);
    }
    if (*at < end) {
        sink(user, (const char *)bytes + (*at - start), end - *at);
        *at = end;
    }
}

void cob_cbm_image_put(const cob_cbm_image *image, uint64_t from, uint64_t to, cob_cbm_sink *sink,
                       void *user)
{
    const cob_cbm_head *h = &image->head;
    uint64_t at = from;
    size_t summed = cob_cbm_summed(h->version);
    put_part(&at, to, 0, h, summed, sink, user);
    put_part(&at, to, summed, &h->checksum, sizeof h->checksum, sink, user);
    for (int i = 0; i < cob_cbm_sections(h->version); i++)
        put_part(&at, to, h->sections[i].offset, image->contents[i].bytes, image->contents[i].count,
                 sink, user);
    put_part(&at, to, image->bytes, NULL, 0, sink, user);
}

static void put_bytes(void *file, const void *bytes, size_t count)
{
    cob_file_bytes(file, bytes, count);
}

static cobloc_status write_cbm(const cobloc_matrix *matrix, cob_file *file, const char *path,
                               cobloc_error *err)
{
    cob_cbm_image image;
    (void)path;
    cobloc_status status = cob_cbm_image_make(matrix, &image, err);
    if (status == COBLOC_OK)
        cob_cbm_image_put(&image, 0, image.bytes, put_bytes, file);
    cob_cbm_image_free(&image);
    return status;
}

const cob_format cob_format_cbm = {
    .name = "cbm",
    .title = "cobloc binary",
    .extension = ".cbm",
    .carries = COB_ROW_NAMES | COB_COL_NAMES | COB_ROW_LABELS | COB_CATEGORIES | COB_MISSING,
    .gzip = 0,
    .recognise = recognise,
    .read = read_cbm,
    .write = write_cbm,
};
