/* Options of reading and writing.
 * SPDX-License-Identifier: MIT
 */
#include "io/options.h"

const char *const cob_missing_names[] = {"auto", "zero", "ignore", NULL};
const char *const cob_values_names[] = {"auto", "numbers", "categories", NULL};

#define S cobloc_io_options
static const cob_named_field io_options[] = {
    COB_TEXT(format, "Name of a format, see cobloc_format_name. By default, reading goes by the "
                     "content of the file and writing by its name."),
    COB_TEXT(variable, "MATLAB files: the variable to read. By default the only possible one."),
    COB_CHOICE(missing, cob_missing_names,
               "What becomes of cells without a value: zero, or ignore to keep them as missing."),
    COB_CHOICE(values, cob_values_names,
               "What cells are: numbers, or categories, whose names are kept."),
    COB_INT(threads, "Threads to use; 0: as many as OpenMP offers.", COB_SOME_THREADS),
    COB_PROGRESS(progress),
};
const cob_type cob_io_options_type = COB_TYPE("the io options", COB_OPTIONS, io_options);
#undef S

COB_DEFINE_OPTIONS(io_options)

const char *cobloc_missing_name(cobloc_missing missing)
{
    return cob_choice_name(cob_missing_names, (int)missing);
}

const char *cobloc_values_name(cobloc_values values)
{
    return cob_choice_name(cob_values_names, (int)values);
}
