/* Setting arrays from files.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/lines.h"
#include "base/scan.h"

#include "cobloc/values.h"

#include <math.h>

/* All lines as numbers, whole ones where integers are wanted. */
static cobloc_status scan_numbers(const char *file, const cob_lines *lines, double *numbers,
                                  int32_t *integers, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int64_t i = 0; i < lines->count; i++) {
        const char *at = lines->line[i];
        double value = NAN;
        COB_CHECK(cob_scan_number(&at, &value) && at > lines->line[i] && !*at, COBLOC_BAD_DATA,
                  "%s:%lld: '%.80s' is not a number", file, (long long)lines->number[i],
                  lines->line[i]);
        COB_CHECK(!integers || (value == floor(value) && fabs(value) <= INT32_MAX), COBLOC_BAD_DATA,
                  "%s:%lld: '%.80s' is not a whole number", file, (long long)lines->number[i],
                  lines->line[i]);
        if (integers)
            integers[i] = (int32_t)value;
        else
            numbers[i] = value;
    }
done:
    return status;
}

cobloc_status cobloc_set_file(void *options, const char *path, const char *file, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_lines lines = {0};
    double *numbers = NULL;
    int32_t *integers = NULL;
    cobloc_kind kind = cobloc_field_kind(options, path);
    COB_CHECK(kind == COBLOC_INTS || kind == COBLOC_REALS || kind == COBLOC_TEXTS,
              COBLOC_BAD_ARGUMENT, "%s is not an array that a file can fill", path);
    COB_TRY(cob_lines_read(file, &lines, err));
    if (kind == COBLOC_TEXTS) {
        COB_TRY(cobloc_set_texts(options, path, lines.name ? lines.name : lines.line, lines.count,
                                 err));
        goto done;
    }
    COB_NEW(numbers, lines.count + 1);
    COB_NEW(integers, lines.count + 1);
    COB_TRY(scan_numbers(file, &lines, numbers, kind == COBLOC_INTS ? integers : NULL, err));
    status = kind == COBLOC_INTS ? cobloc_set_ints(options, path, integers, lines.count, err)
                                 : cobloc_set_reals(options, path, numbers, lines.count, err);
done:
    cob_lines_free(&lines);
    cob_free(numbers);
    cob_free(integers);
    return status;
}
