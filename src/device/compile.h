/* The kernels' source as code for a device: compiled by NVRTC, and kept in a cache on disk.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DEVICE_COMPILE_H
#define COB_DEVICE_COMPILE_H

#include "device/device.h"

/* The source of the kernels, see cmake/kernels.cmake. */
extern const unsigned char cob_kernel_source[];
extern const size_t cob_kernel_source_size;

/* Code of a variant for a processor of this major and minor number; the caller frees *code. */
cobloc_status cob_compile(cob_variant variant, cob_way way, int major, int minor, void **code,
                          size_t *bytes, cobloc_error *err);

#endif
