/* .cbm files: an input is taken apart into its header and sections, one thing is changed, and all
 * is laid out again with sizes, places and checksums that fit. The numbers are those of
 * src/io/cbm.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "shape.h"

#include <string.h>
#include <zlib.h>

enum {
    VERSION_AT = 12,
    ROWS_AT = 16,
    COLS_AT = 24,
    NNZ_AT = 32,
    KIND_AT = 64,
    SECTIONS_AT = 72,
    SECTION_BYTES = 24,
    FIELD_NAMES = 23,
    FIELD_VALUES = 25,
    MOST_SECTIONS = 27,
    ALIGNMENT = 64,
    ROOM = 1 << 16
};

/* What the elements of a section are, by its number; values have the width of their kind. */
enum element { OFFSET, INDEX, VALUE, SUM, BYTE };
static const enum element elements[MOST_SECTIONS] = {
    OFFSET, INDEX,  VALUE, OFFSET, INDEX, VALUE,  SUM,  SUM,    OFFSET,
    BYTE,   OFFSET, BYTE,  OFFSET, BYTE,  OFFSET, BYTE, OFFSET, INDEX,
    OFFSET, INDEX,  BYTE,  OFFSET, BYTE,  OFFSET, BYTE, OFFSET, BYTE};

typedef struct parts {
    uint8_t header[SECTIONS_AT];
    int count;
    size_t bytes[MOST_SECTIONS];
    uint8_t content[MOST_SECTIONS][ROOM];
} parts;

static int64_t header_number(const parts *p, size_t at)
{
    int64_t number;
    memcpy(&number, p->header + at, sizeof number);
    return number;
}

static int section_count(const uint8_t *header)
{
    static const int of_version[] = {14, 14, 20, 23, 27};
    return header[VERSION_AT] < 5 ? of_version[header[VERSION_AT]] : 14;
}

static size_t header_bytes(const uint8_t *header)
{
    return header[VERSION_AT] >= 2 && header[VERSION_AT] <= 4 ? 1024 : 512;
}

static size_t width_of(const parts *p, int section)
{
    static const size_t of_kind[] = {0, 1, 2, 4, 4, 8};
    switch (elements[section]) {
    case OFFSET:
    case SUM:
        return 8;
    case INDEX:
        return 4;
    case VALUE:
        return of_kind[p->header[KIND_AT] % 6];
    default:
        return 1;
    }
}

static int take_apart(const uint8_t *data, size_t size, parts *p)
{
    if (size < 512 || memcmp(data, "COBLOC\r\n", 8) != 0 || size < header_bytes(data))
        return 0;
    memcpy(p->header, data, SECTIONS_AT);
    p->count = section_count(data);
    memset(p->bytes, 0, sizeof p->bytes);
    for (int i = 0; i < p->count; i++) {
        uint64_t place[2];
        memcpy(place, data + SECTIONS_AT + i * SECTION_BYTES, sizeof place);
        if (place[0] > size || place[1] > size - place[0] || place[1] > ROOM)
            continue;
        p->bytes[i] = (size_t)place[1];
        memcpy(p->content[i], data + place[0], p->bytes[i]);
    }
    return 1;
}

static void put_checksums(uint8_t *data, size_t size)
{
    int sections = section_count(data);
    size_t checksum_at = SECTIONS_AT + (size_t)sections * SECTION_BYTES;
    for (int i = 0; i < sections; i++) {
        uint8_t *section = data + SECTIONS_AT + i * SECTION_BYTES;
        uint64_t place[2];
        memcpy(place, section, sizeof place);
        if (place[0] > size || place[1] > size - place[0])
            continue;
        uint32_t sum = (uint32_t)crc32(0, data + place[0], (uInt)place[1]);
        memcpy(section + 16, &sum, sizeof sum);
    }
    uint32_t sum = (uint32_t)crc32(0, data, (uInt)checksum_at);
    memcpy(data + checksum_at, &sum, sizeof sum);
}

/* Returns the size of the file; 0: there is no room for it. */
static size_t put_together(const parts *p, uint8_t *data, size_t room)
{
    int sections = section_count(p->header);
    size_t end = header_bytes(p->header);
    for (int i = 0; i < sections; i++)
        end += (p->bytes[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (end > room)
        return 0;
    memset(data, 0, end);
    memcpy(data, p->header, SECTIONS_AT);
    uint64_t at = header_bytes(p->header);
    for (int i = 0; i < sections; i++) {
        uint64_t place[2] = {at, p->bytes[i]};
        memcpy(data + SECTIONS_AT + i * SECTION_BYTES, place, sizeof place);
        memcpy(data + at, p->content[i], p->bytes[i]);
        at += (p->bytes[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    put_checksums(data, end);
    return end;
}

/* ---- changes --------------------------------------------------------------------------------- */

/* Elements are added, as copies of the last one, or taken away. */
static void resize(parts *p, int section, size_t count, size_t width)
{
    size_t wanted = count * width, old = p->bytes[section];
    if (wanted > ROOM || width == 0)
        wanted = 0;
    for (size_t at = old; at < wanted; at++)
        p->content[section][at] = at >= width ? p->content[section][at - width] : 0;
    p->bytes[section] = wanted;
}

/* One element becomes another one of its section, a neighbour's number, or a number of note. */
static void change_element(parts *p, chance *c)
{
    int section = (int)draw(c, (size_t)p->count);
    size_t width = width_of(p, section), count = width ? p->bytes[section] / width : 0;
    if (count == 0)
        return;
    uint8_t *element = p->content[section] + draw(c, count) * width;
    int64_t integer = 0;
    double real = draw_real(c);
    switch (draw(c, 4)) {
    case 0:
        memmove(element, p->content[section] + draw(c, count) * width, width);
        return;
    case 1:
        memcpy(&integer, element, width);
        integer = (int64_t)((uint64_t)integer + (draw(c, 2) ? 1 : UINT64_MAX));
        break;
    case 2:
        integer = draw_integer(c);
        break;
    default:
        if (width == 8)
            memcpy(&integer, &real, sizeof integer);
        else
            integer = (int64_t)draw(c, 256);
    }
    memcpy(element, &integer, width);
}

static void change_header(parts *p, chance *c)
{
    static const size_t at[] = {VERSION_AT, 16, 24, 32, 40, 48, 56, KIND_AT, KIND_AT + 4};
    size_t field = draw(c, sizeof at / sizeof *at);
    int64_t number = draw(c, 2) ? draw_integer(c) : (int64_t)draw(c, 8);
    memcpy(p->header + at[field], &number, field == 0 || field > 6 ? 4 : 8);
}

/* Another number of rows, columns or entries, and sections that fit it. */
static void change_shape(parts *p, chance *c)
{
    static const size_t at[] = {ROWS_AT, COLS_AT, NNZ_AT};
    size_t field = at[draw(c, 3)];
    int64_t number = header_number(p, field);
    if (number < 4 || number > ROOM)
        number = 4;
    number += (int64_t)draw(c, 7) - 3;
    memcpy(p->header + field, &number, sizeof number);
    size_t rows = (size_t)header_number(p, ROWS_AT), cols = (size_t)header_number(p, COLS_AT);
    size_t nnz = (size_t)header_number(p, NNZ_AT);
    const size_t counts[] = {rows + 1, nnz, nnz, cols + 1, nnz, nnz, rows, cols};
    for (int i = 0; i < 8; i++)
        resize(p, i, counts[i], width_of(p, i));
    const size_t named[] = {rows, cols, rows};
    for (int i = 0; i < 3; i++)
        if (p->bytes[8 + 2 * i] > 0)
            resize(p, 8 + 2 * i, named[i], 8);
    resize(p, FIELD_VALUES, p->bytes[FIELD_NAMES] / 8 * rows, 8);
}

static void change_kind(parts *p, chance *c)
{
    uint32_t kind = (uint32_t)draw(c, 6);
    memcpy(p->header + KIND_AT, &kind, sizeof kind);
    for (int i = 2; i < 6; i += 3)
        resize(p, i, p->bytes[i - 1] / 4, width_of(p, i));
}

/* So many names of a letter each; they go if there are some, or if these are too many. */
static void toggle_names(parts *p, chance *c, int offsets, int64_t wanted)
{
    size_t count = p->bytes[offsets] || wanted < 1 || wanted > 64 ? 0 : (size_t)wanted;
    for (size_t i = 0; i < count; i++) {
        uint64_t at = 2 * i;
        memcpy(p->content[offsets] + 8 * i, &at, sizeof at);
        p->content[offsets + 1][2 * i] = (uint8_t)draw(c, 256);
        p->content[offsets + 1][2 * i + 1] = 0;
    }
    p->bytes[offsets] = 8 * count;
    p->bytes[offsets + 1] = 2 * count;
}

/* Names for every row or column (or categories, or fields) appear, or go. */
static void change_names(parts *p, chance *c)
{
    int64_t rows = header_number(p, ROWS_AT), some = 1 + (int64_t)draw(c, 4);
    const int64_t counts[] = {rows, header_number(p, COLS_AT), rows, some, some};
    size_t which = draw(c, p->count > FIELD_NAMES ? 5 : p->count > 14 ? 4 : 3);
    if (which < 4) {
        toggle_names(p, c, 8 + 2 * (int)which, counts[which]);
        return;
    }
    toggle_names(p, c, FIELD_NAMES, some);
    toggle_names(p, c, FIELD_VALUES, some * (rows < 0 ? 0 : rows > 64 ? 64 : rows));
}

static void change_bytes(parts *p, chance *c)
{
    int section = (int)draw(c, (size_t)p->count);
    size_t room = draw(c, 4) ? p->bytes[section] : p->bytes[section] + 16;
    if (p->bytes[section] > 0 && room <= ROOM)
        p->bytes[section] = LLVMFuzzerMutate(p->content[section], p->bytes[section], room);
}

size_t mutate(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    static void (*const changes[])(parts *, chance *) = {
        change_element, change_element, change_element, change_element, change_header,
        change_shape,   change_kind,    change_names,   change_bytes};
    static parts p;
    chance c = chance_of(seed);
    size_t made = 0;
    if (draw(&c, 16) && take_apart(data, size, &p)) {
        for (size_t rounds = 1 + draw(&c, 3); rounds > 0; rounds--)
            changes[draw(&c, sizeof changes / sizeof *changes)](&p, &c);
        made = put_together(&p, data, room);
    }
    if (made > 0)
        return made;
    made = LLVMFuzzerMutate(data, size, room);
    if (made >= 1024 && draw(&c, 4))
        put_checksums(data, made);
    return made;
}
