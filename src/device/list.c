/* The devices that are there, for callers.
 * SPDX-License-Identifier: MIT
 */
#include "device/device.h"

#include <stdio.h>

int cobloc_device_count(void)
{
    return cob_cuda_count();
}

cobloc_status cobloc_device_describe(int number, char *text, size_t room, cobloc_error *err)
{
    cob_device *device = NULL;
    cobloc_status status = cob_cuda_open(number, &device, err);
    if (status == COBLOC_OK)
        snprintf(text, room, "%s, %d processors, %.1f GiB of memory free", device->name,
                 device->processors, device->free_memory / 1073741824);
    cob_device_close(device);
    return status;
}
