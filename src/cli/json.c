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
    strcpy(copy, text);
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

int cli_print_json(json_t *object)
{
    int failed =
        !object || json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0;
    json_decref(object);
    if (failed) {
        cli_complain("the JSON could not be written");
        return CLI_FAILED;
    }
    putchar('\n');
    return CLI_DONE;
}
