/* Which device a fit runs on.
 * SPDX-License-Identifier: MIT
 */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

/* With auto, less work is not worth a device. Finding one and compiling for it takes seconds; a
 * thread of the processor takes one for ten million entries of a start, or more. */
static const double WORTH_A_DEVICE = 1e8;

/* The number of the GPU; -1: the processor; -2: no such choice. */
static int number_of(const char *choice)
{
    enum { MOST = 1024 };
    if (strcmp(choice, "cpu") == 0)
        return -1;
    if (strcmp(choice, "gpu") == 0 || strcmp(choice, "auto") == 0)
        return 0;
    if (strncmp(choice, "gpu:", 4) != 0 || choice[4] < '0' || choice[4] > '9')
        return -2;
    char *end;
    long number = strtol(choice + 4, &end, 10);
    return *end == '\0' && number < MOST ? (int)number : -2;
}

cobloc_status cob_check_device(const char *choice, cobloc_error *err)
{
    if (number_of(choice) == -2)
        return cob_fail(err, COBLOC_BAD_ARGUMENT,
                        "there is no device \"%s\", expected auto, cpu, gpu or gpu:N", choice);
    return COBLOC_OK;
}

/* Ranks beside each other take one each, as far as there are several. */
static int number_for(const char *choice, int rank)
{
    int number = number_of(choice), devices = rank > 0 && number == 0 ? cob_cuda_count() : 0;
    return devices > 0 && strcmp(choice, "gpu:0") != 0 ? rank % devices : number;
}

cobloc_status cob_device_open(const char *choice, double work, int rank, cob_device **out,
                              cobloc_error *err)
{
    cobloc_error ignored = {COBLOC_OK, ""};
    bool any = strcmp(choice, "auto") == 0;
    int number = number_of(choice);
    *out = NULL;
    if (number < 0 || (any && work < WORTH_A_DEVICE))
        return cob_check_device(choice, err);
    cobloc_status status = cob_cuda_open(number_for(choice, rank), out, any ? &ignored : err);
    return any ? COBLOC_OK : status;
}
