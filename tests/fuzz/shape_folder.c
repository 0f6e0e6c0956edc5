/* Result folders (see fuzz_folder.c): a value of model.json or a cell of a table is changed, or a
 * size changes by one in all files at once; then the digests of the tables are put right.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* memmem */
#include "shape.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST_PARTS = 8, NAME = 64, ROOM = 1 << 14 };

typedef struct part {
    char name[NAME];
    char text[ROOM + 1];
    size_t size;
} part;

typedef struct folder {
    part parts[MOST_PARTS];
    int count;
    json_t *model; /* model.json; NULL: there is none, or it is no JSON */
} folder;

/* ---- taking apart and putting together ------------------------------------------------------- */

static void take_apart(const char *bytes, size_t size, folder *f)
{
    const char *end = bytes + size, *at = bytes;
    f->count = 0;
    f->model = NULL;
    while (f->count < MOST_PARTS && at + 4 < end && memcmp(at, "--- ", 4) == 0) {
        part *p = &f->parts[f->count];
        const char *line = memchr(at, '\n', (size_t)(end - at));
        if (!line || line - at - 4 >= NAME)
            return;
        memcpy(p->name, at + 4, (size_t)(line - at - 4));
        p->name[line - at - 4] = '\0';
        const char *next = memmem(line, (size_t)(end - line), "\n--- ", 5);
        const char *stop = next ? next + 1 : end;
        p->size = (size_t)(stop - line - 1) < ROOM ? (size_t)(stop - line - 1) : ROOM;
        memcpy(p->text, line + 1, p->size);
        if (!f->model && strcmp(p->name, "model.json") == 0)
            f->model = json_loadb(p->text, p->size, JSON_ALLOW_NUL, NULL);
        f->count++;
        at = stop;
    }
}

static part *part_named(folder *f, const char *name)
{
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->parts[i].name, name) == 0)
            return &f->parts[i];
    return NULL;
}

static void put_digest(folder *f, const char *key, const char *name)
{
    const part *p = part_named(f, name);
    json_t *digests = json_object_get(f->model, "digests");
    if (p && json_object_get(digests, key))
        json_object_set_new(
            digests, key,
            json_integer((json_int_t)crc32(0, (const Bytef *)p->text, (uInt)p->size)));
}

static void print_model(folder *f)
{
    part *p = part_named(f, "model.json");
    if (!p || !f->model)
        return;
    put_digest(f, "rows", "rows.tsv");
    put_digest(f, "probabilities", "rows.probabilities.tsv");
    char *text = json_dumps(f->model, JSON_COMPACT | JSON_ENCODE_ANY);
    size_t length = text ? strlen(text) : 0;
    if (length > 0 && length < ROOM) {
        memcpy(p->text, text, length);
        p->text[length] = '\n';
        p->size = length + 1;
    }
    free(text);
}

/* Returns the bytes written; 0: there is no room for them. */
static size_t put_together(folder *f, uint8_t *data, size_t room)
{
    size_t at = 0;
    print_model(f);
    for (int i = 0; i < f->count; i++) {
        const part *p = &f->parts[i];
        size_t name = strlen(p->name);
        if (at + 5 + name + p->size > room)
            return 0;
        memcpy(data + at, "--- ", 4);
        memcpy(data + at + 4, p->name, name);
        data[at + 4 + name] = '\n';
        memcpy(data + at + 5 + name, p->text, p->size);
        at += 5 + name + p->size;
    }
    return at;
}

/* ---- values of model.json -------------------------------------------------------------------- */

static size_t child_count(const json_t *value)
{
    return json_is_array(value) ? json_array_size(value) : json_object_size(value);
}

static json_t *child_at(json_t *value, size_t index, const char **key)
{
    void *at = json_object_iter(value);
    if (json_is_array(value))
        return json_array_get(value, index);
    while (index-- > 0)
        at = json_object_iter_next(value, at);
    *key = json_object_iter_key(at);
    return json_object_iter_value(at);
}

static void set_child(json_t *parent, size_t index, const char *key, json_t *value)
{
    if (json_is_array(parent))
        json_array_set_new(parent, index, value);
    else
        json_object_set_new(parent, key, value);
}

/* A value at random, and where it is: parent, index and key. */
static json_t *any_value(json_t *root, chance *c, json_t **parent, size_t *index, const char **key)
{
    json_t *value = root;
    *parent = NULL;
    while (child_count(value) > 0 && (value == root || draw(c, 4))) {
        *parent = value;
        *index = draw(c, child_count(value));
        value = child_at(value, *index, key);
    }
    return value;
}

static json_t *new_text(chance *c)
{
    static const char *const texts[] = {"",     "plbm", "soft", "itcc", "lda", "socc",  "none",
                                        "svem", "a",    "NaN",  "glbm", "0",   "tfidf", "skmeans"};
    return json_string(texts[draw(c, sizeof texts / sizeof *texts)]);
}

static json_t *near(const json_t *value, chance *c)
{
    int step = draw(c, 2) ? 1 : -1;
    if (json_is_integer(value))
        return json_integer((json_int_t)((uint64_t)json_integer_value(value) + (uint64_t)step));
    if (json_is_real(value))
        return json_real(step > 0 ? -json_real_value(value) : json_real_value(value) / 3);
    return json_is_array(value) ? json_array() : json_integer(step);
}

static json_t *new_value(json_t *root, const json_t *old, chance *c)
{
    json_t *parent;
    size_t index;
    const char *key;
    switch (draw(c, 8)) {
    case 0:
        return json_null();
    case 1:
        return json_boolean(draw(c, 2));
    case 2:
        return new_text(c);
    case 3:
        return json_integer(draw_integer(c));
    case 4:
        return json_real(draw_real(c));
    case 5:
        return json_deep_copy(any_value(root, c, &parent, &index, &key));
    default:
        return near(old, c);
    }
}

static void change_value(folder *f, chance *c)
{
    json_t *parent;
    size_t index = 0;
    const char *key = NULL;
    json_t *value = any_value(f->model, c, &parent, &index, &key);
    if (!parent)
        return;
    size_t how = draw(c, 8);
    if (how == 0 && json_is_array(parent))
        json_array_remove(parent, index);
    else if (how == 0)
        json_object_del(parent, key);
    else if (how == 1 && json_is_array(parent))
        json_array_insert_new(parent, index, json_deep_copy(value));
    else
        set_child(parent, index, key, new_value(f->model, value, c));
}

/* ---- a size, in all files -------------------------------------------------------------------- */

/* Numbers that are `size`, and arrays with so many elements, become larger or smaller by one. */
static json_t *resized(json_t *value, size_t size, bool more)
{
    json_t *made = json_deep_copy(value);
    if (json_is_integer(value) && json_integer_value(value) == (json_int_t)size)
        json_integer_set(made, (json_int_t)size + (more ? 1 : -1));
    if (json_is_array(made) && json_array_size(made) == size) {
        if (more)
            json_array_append_new(made, json_deep_copy(json_array_get(made, size - 1)));
        else
            json_array_remove(made, size - 1);
    }
    for (size_t i = 0; i < child_count(made); i++) {
        const char *key = NULL;
        json_t *child = child_at(made, i, &key);
        set_child(made, i, key, resized(child, size, more));
    }
    return made;
}

/* A table with so many lines below its head has one more or less. */
static void resize_table(part *p, size_t size, bool more)
{
    size_t lines = 0;
    char *last = p->text, *end = p->text + p->size;
    for (char *at = p->text; at < end; at++)
        if (*at == '\n' && ++lines <= size)
            last = at + 1;
    size_t length = (size_t)(end - last);
    if (lines != size + 1 || strcmp(p->name, "model.json") == 0)
        return;
    if (more && p->size + length <= ROOM) {
        memcpy(end, last, length);
        p->size += length;
    } else if (!more) {
        p->size -= length;
    }
}

static void change_size(folder *f, chance *c)
{
    static const char *const keys[] = {"n", "d"};
    static const char *const arrays[] = {"row_sizes", "col_sizes"};
    size_t which = draw(c, 4), size;
    bool more = draw(c, 2);
    size = which < 2 ? (size_t)json_integer_value(json_object_get(f->model, keys[which]))
                     : json_array_size(json_object_get(f->model, arrays[which - 2]));
    if (size < 1 || size > 100)
        return;
    json_t *made = resized(f->model, size, more);
    json_decref(f->model);
    f->model = made;
    for (int i = 0; i < f->count; i++)
        resize_table(&f->parts[i], size, more);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void change_bytes(folder *f, chance *c)
{
    part *p = &f->parts[draw(c, (size_t)f->count)];
    if (p->size > 0)
        p->size = LLVMFuzzerMutate((uint8_t *)p->text, p->size, ROOM);
    if (strcmp(p->name, "model.json") == 0) {
        json_decref(f->model);
        f->model = NULL;
    }
}

static void change_cell(folder *f, chance *c)
{
    static const char *const cells[] = {"0",   "1",      "-1", "2",          "0.5", "nan", "1e300",
                                        "inf", "5e-324", "",   "9999999999", "x",   "\t",  "\n"};
    part *p = &f->parts[draw(c, (size_t)f->count)];
    const char *cell = cells[draw(c, sizeof cells / sizeof *cells)];
    size_t from, to, length = strlen(cell);
    if (p->size == 0 || strcmp(p->name, "model.json") == 0)
        return;
    for (from = draw(c, p->size); from > 0 && !strchr("\t\n", p->text[from - 1]); from--)
        ;
    for (to = from; to < p->size && !strchr("\t\n", p->text[to]); to++)
        ;
    if (p->size - (to - from) + length > ROOM)
        return;
    memmove(p->text + from + length, p->text + to, p->size - to);
    memcpy(p->text + from, cell, length);
    p->size = p->size - (to - from) + length;
}

size_t mutate(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    static folder f;
    chance c = chance_of(seed);
    size_t made = 0;
    take_apart((const char *)data, size, &f);
    for (size_t rounds = 1 + draw(&c, 3); f.count > 0 && rounds > 0; rounds--) {
        size_t how = draw(&c, 16);
        if (how < 9 && f.model)
            change_value(&f, &c);
        else if (how < 12 && f.model)
            change_size(&f, &c);
        else if (how < 15)
            change_cell(&f, &c);
        else
            change_bytes(&f, &c);
    }
    if (f.count > 0)
        made = put_together(&f, data, room);
    json_decref(f.model);
    return made > 0 ? made : LLVMFuzzerMutate(data, size, room);
}
