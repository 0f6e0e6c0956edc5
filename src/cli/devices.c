/* cobloc info --devices: what a fit can run on.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"

void cli_info_devices(const cli_args *args)
{
    int count = cobloc_device_count();
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        char name[32], text[600];
        snprintf(name, sizeof name, "gpu:%d", i);
        if (cobloc_device_describe(i, text, sizeof text, &cli_error) != COBLOC_OK)
            snprintf(text, sizeof text, "cannot be used: %s", cli_error.message);
        json_array_append_new(
            list, json_pack("{s:s, s:o}", "device", name, "title", cli_json_text(text)));
        if (!cli_value(args, "json"))
            cli_say(stdout, "%s: %s", name, text);
    }
    if (cli_value(args, "json")) {
        cli_print_json(json_pack("{s:o}", "devices", list));
        return;
    }
    json_decref(list);
    if (count == 0)
        puts("no GPU that cobloc can use: fits run on the processor");
}
