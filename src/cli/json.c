/* JSON on stdout.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

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
