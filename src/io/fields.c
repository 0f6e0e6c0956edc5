/* Options of reading and writing.
 * SPDX-License-Identifier: MIT
 */
#include "io/options.h"

const char *const cob_missing_names[] = {"auto", "zero", "ignore", NULL};
const char *const cob_values_names[] = {"auto", "numbers", "categories", NULL};

#define S cobloc_io_options
static const cob_named_field io_options[] = {
    COB_TEXT(format,
             "Format of the file. By default it is detected: from the content when reading, "
             "from the file name when writing."),
    COB_TEXT(
        variable,
        "Matrix to read from a file that holds several: a variable of a MATLAB file, or a path "
        "in an AnnData file, such as layers/counts or raw/X."),
    COB_TEXT(encoding, "Encoding of a text file, such as latin1. By default it is detected."),
    COB_TEXT(label_field,
             "Column of obs with the known classes of the rows, in an AnnData file. By "
             "default cell_type, labels or another usual name, if there is one."),
    COB_CHOICE(missing, cob_missing_names,
               "How to read cells without a value: as 0, or as missing (ignore)."),
    COB_CHOICE(values, cob_values_names, "What the cells hold. The names of categories are kept."),
    COB_INT(threads, COB_THREADS_HELP, COB_SOME_THREADS),
    COB_FLAG(no_map, "Read large .cbm files into memory instead of mapping them. Do so if another "
                     "program may change the file in the meantime."),
    COB_INT(shards,
            "Write a folder of so many .cbm files instead of one: shards, each with a share of the "
            "rows and of the columns, for as many machines that have no common disk.",
            COB_RANGE(1, 512, 0)),
    COB_REAL(
        max_memory,
        "Memory that the process may hold while the matrix is in use, in bytes. What is larger is "
        "kept in temporary files, in the folder TMPDIR or /var/tmp. By default no limit.",
        COB_FROM_0(0)),
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
