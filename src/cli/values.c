/* Options of the command line handed to the library by their names, and its results as JSON.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <math.h>
#include <string.h>

enum { LONGEST = 128 };

/* Takes the next of the words that blanks separate; false at their end. */
static bool next_word(const char **words, char *word)
{
    size_t length = strcspn(*words, " ");
    snprintf(word, LONGEST, "%.*s", (int)length, *words);
    *words += length + ((*words)[length] == ' ');
    return length > 0;
}

/* ---- options --------------------------------------------------------------------------------- */

bool cli_check_set(const cli_args *args, const char *option, const char *path, cobloc_status status,
                   const cobloc_error *err)
{
    size_t length = strlen(path);
    if (status == COBLOC_OK)
        return true;
    if (strncmp(err->message, path, length) == 0) /* it is called otherwise here */
        cli_usage_error(args->command, "--%s%s", option, err->message + length);
    else
        cli_usage_error(args->command, "--%s: %s", option, err->message);
    return false;
}

bool cli_set(const cli_args *args, void *options, const char *group, const char *names)
{
    char word[LONGEST], path[2 * LONGEST];
    cobloc_error err;
    while (next_word(&names, word)) {
        char *equals = strchr(word, '=');
        snprintf(path, sizeof path, "%s%s", group, equals ? equals + 1 : word);
        for (char *p = path; *p; p++)
            *p = *p == '-' ? '_' : *p;
        if (equals)
            *equals = '\0';
        const char *value = cli_value(args, word);
        bool flag = cobloc_field_kind(options, path) == COBLOC_FLAG;
        if (value && !cli_check_set(args, word, path,
                                    cobloc_set_text(options, path, flag ? "1" : value, &err), &err))
            return false;
    }
    return true;
}

bool cli_set_range(const cli_args *args, void *options, const char *option, const char *from,
                   const char *to)
{
    int first = 0, last = 0;
    if (!cli_value(args, option))
        return true;
    return cli_range(args, option, &first, &last) &&
           cobloc_set_int(options, from, first, NULL) == COBLOC_OK &&
           cobloc_set_int(options, to, last, NULL) == COBLOC_OK;
}

/* ---- results as JSON ------------------------------------------------------------------------- */

json_t *cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *list_of(const void *object, const char *path, bool whole)
{
    json_t *list = json_array();
    for (int64_t i = 0, count = cobloc_count(object, "%s", path); i < count; i++)
        json_array_append_new(
            list, whole ? json_integer(cobloc_int(object, "%s[%lld]", path, (long long)i))
                        : cli_json_number(cobloc_real(object, "%s[%lld]", path, (long long)i)));
    return list;
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
    case COBLOC_INTS:
    case COBLOC_INT64S:
        return list_of(object, path, true);
    default:
        return list_of(object, path, false);
    }
}

json_t *cli_json_object(const void *object, const char *group, const char *names)
{
    char name[LONGEST], path[2 * LONGEST];
    json_t *made = json_object();
    while (next_word(&names, name)) {
        snprintf(path, sizeof path, "%s%s", group, name);
        json_object_set_new(made, name, cli_json_value(object, path));
    }
    return made;
}
