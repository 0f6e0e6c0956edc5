/* JSON on stdout.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 128 };

json_t *cli_json_text(const char *text)
{
    json_t *value = json_string(text);
    size_t length = strlen(text);
    char *copy = value ? NULL : malloc(length + 1);
    if (!copy)
        return value;
    memcpy(copy, text, length + 1);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)copy[i] > 127)
            copy[i] = '?';
    value = json_string(copy);
    free(copy);
    return value;
}

/* ---- values of the library ------------------------------------------------------------------- */

json_t *cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Elements of an array from `first` on. */
static json_t *elements(const void *object, const char *path, int64_t first, int64_t count)
{
    bool reals = cobloc_field_kind(object, path) == COBLOC_REALS;
    json_t *list = json_array();
    for (int64_t i = first; i < first + count; i++)
        json_array_append_new(
            list, reals ? cli_json_number(cobloc_real(object, "%s[%lld]", path, (long long)i))
                        : json_integer(cobloc_int(object, "%s[%lld]", path, (long long)i)));
    return list;
}

static json_t *array_json(const void *object, const char *path)
{
    int64_t shape[2] = {0, 0};
    if (cobloc_shape(object, shape, "%s", path) == 1)
        return elements(object, path, 0, shape[0]);
    json_t *rows = json_array();
    for (int64_t i = 0; i < shape[0]; i++)
        json_array_append_new(rows, elements(object, path, i * shape[1], shape[1]));
    return rows;
}

/* All that a group consists of. */
static json_t *group_json(const void *object, const char *path)
{
    json_t *made = json_object();
    const char *name;
    for (int i = 0; (name = cobloc_field_name(object, path, i)); i++) {
        char inside[LONGEST];
        snprintf(inside, sizeof inside, "%s.%s", path, name);
        json_object_set_new(made, name, cli_json_value(object, inside));
    }
    return made;
}

json_t *cli_json_value(const void *object, const char *path)
{
    const char *text;
    switch (cobloc_field_kind(object, path)) {
    case COBLOC_INT:
        return json_integer(cobloc_int(object, "%s", path));
    case COBLOC_FLAG:
        return json_boolean(cobloc_int(object, "%s", path));
    case COBLOC_REAL:
        return cli_json_number(cobloc_real(object, "%s", path));
    case COBLOC_TEXT:
    case COBLOC_CHOICE:
        text = cobloc_text(object, "%s", path);
        return text ? cli_json_text(text) : json_null();
    case COBLOC_GROUP:
        return group_json(object, path);
    default:
        return array_json(object, path);
    }
}

json_t *cli_json_object(const void *object, const char *group, const char *names)
{
    json_t *made = json_object();
    while (*names) {
        char key[LONGEST], path[2 * LONGEST];
        size_t length = strcspn(names, " ");
        snprintf(key, sizeof key, "%.*s", (int)length, names);
        char *equals = strchr(key, '=');
        snprintf(path, sizeof path, "%s%s", group, equals ? equals + 1 : key);
        if (equals)
            *equals = '\0';
        json_object_set_new(made, key, cli_json_value(object, path));
        names += length + (names[length] == ' ');
    }
    return made;
}

json_t *cli_json_list(const void *object, const char *list, const char *names)
{
    json_t *made = json_array();
    for (int64_t i = 0, count = cobloc_count(object, "%s", list); i < count; i++) {
        char group[LONGEST];
        snprintf(group, sizeof group, "%s[%lld].", list, (long long)i);
        json_array_append_new(made, cli_json_object(object, group, names));
    }
    return made;
}

/* Prints JSON, with what a terminal would obey as \uXXXX. In JSON, only strings hold such
 * characters, and there both spellings mean the same. All of them have two or three bytes, but for
 * DEL. */
static void print_escaped(const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        int bytes = *p == 0x7F ? 1 : *p >= 0xC0 && *p < 0xE0 ? 2 : *p >= 0xE0 && *p < 0xF0 ? 3 : 0;
        char character[4] = {0};
        memcpy(character, p, (size_t)bytes);
        cobloc_make_harmless(character);
        if (bytes == 0 || *character != '?') {
            putchar(*p);
            continue;
        }
        int point = bytes == 1   ? p[0]
                    : bytes == 2 ? (p[0] & 0x1F) << 6 | (p[1] & 0x3F)
                                 : (p[0] & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F);
        printf("\\u%04x", (unsigned)point);
        p += bytes - 1;
    }
}

void cli_print_json(json_t *object)
{
    char *text = object ? json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(object);
    if (!text)
        cli_stop("the JSON could not be written");
    print_escaped(text);
    putchar('\n');
    free(text);
}
