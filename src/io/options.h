/* Options of reading and writing; io/fields.c says what each means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_OPTIONS_H
#define COB_IO_OPTIONS_H

#include "base/fields.h"

struct cobloc_io_options {
    cob_object head;
    const char *format, *variable, *encoding, *label_field;
    cobloc_missing missing;
    cobloc_values values;
    int threads, no_map, shards;
    double max_memory;
    cobloc_progress progress;
};

extern const cob_type cob_io_options_type;
extern const char *const cob_missing_names[], *const cob_values_names[];

void cob_io_options_default(cobloc_io_options *options);

#endif
