/* What cobloc info shows besides matrices.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_INFO_H
#define COBLOC_CLI_INFO_H

#include "cli.h"

/* Shows the result in the folder that is the first argument. */
void cli_info_result(const cli_args *args);

/* Lists the devices that a fit can run on. */
void cli_info_devices(const cli_args *args);

#endif
