/* JSON on stdout.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

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
