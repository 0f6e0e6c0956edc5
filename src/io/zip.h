/* libzip, which is loaded when the first archive is opened: it stands on a library of ciphers,
 * which would take a quarter of the time of a program's start.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_ZIP_H
#define COB_IO_ZIP_H

#include "base/error.h"

#include <zip.h>

/* The functions of libzip that are used: FUNCTION(name) of each. */
#define COB_ZIP_FUNCTIONS(FUNCTION)                                                                \
    FUNCTION(close)                                                                                \
    FUNCTION(discard)                                                                              \
    FUNCTION(error_code_zip)                                                                       \
    FUNCTION(error_fini)                                                                           \
    FUNCTION(error_init_with_code)                                                                 \
    FUNCTION(error_strerror)                                                                       \
    FUNCTION(fclose)                                                                               \
    FUNCTION(file_add)                                                                             \
    FUNCTION(file_get_error)                                                                       \
    FUNCTION(file_set_dostime)                                                                     \
    FUNCTION(fopen_index)                                                                          \
    FUNCTION(fread)                                                                                \
    FUNCTION(get_error)                                                                            \
    FUNCTION(get_name)                                                                             \
    FUNCTION(get_num_entries)                                                                      \
    FUNCTION(name_locate)                                                                          \
    FUNCTION(open)                                                                                 \
    FUNCTION(set_file_compression)                                                                 \
    FUNCTION(source_buffer_fragment)                                                               \
    FUNCTION(source_free)                                                                          \
    FUNCTION(stat_index)

/* Their pointers, with the types that libzip's own header gives them. */
typedef struct cob_zip {
    void *library;
#define COB_POINTER(name) __typeof__(zip_##name) *name;
    COB_ZIP_FUNCTIONS(COB_POINTER)
#undef COB_POINTER
} cob_zip;

cobloc_status cob_zip_load(cob_zip *zip, cobloc_error *err);
void cob_zip_unload(cob_zip *zip);

#endif
