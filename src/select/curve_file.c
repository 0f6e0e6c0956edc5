/* Reading curve.tsv, as written by write.c.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "base/alloc.h"
#include "base/file.h"
#include "base/scan.h"
#include "io/table.h"
#include "select/select.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The columns, in order. */
enum field {
    MODEL,
    K,
    L,
    VALUE,
    CRITERION,
    ICL,
    MODULARITY,
    SPREAD,
    SMALLEST,
    ORIGIN,
    AS_GOOD,
    CHOSEN,
    SECONDS,
    FIELDS
};
static const char HEADER[] = "model\tk\tl\tvalue\tcriterion\ticl\tmodularity\tspread\tsmallest"
                             "\torigin\tas_good\tchosen\tseconds";

typedef struct table {
    cobloc_curve_point *points;
    size_t count, capacity;
} table;

/* An empty field is NaN. */
static double number_at(const char *field)
{
    double value;
    return cob_scan_number(&field, &value) ? value : NAN;
}

static cobloc_status take_line(void *context, const char *line, const char *end, cobloc_error *err)
{
    table *t = context;
    const char *fields[FIELDS];
    int count = 0;
    for (const char *p = line; p && count < FIELDS; count++) {
        fields[count] = p;
        p = memchr(p, '\t', (size_t)(end - p));
        p = p ? p + 1 : NULL;
    }
    double k = count == FIELDS ? number_at(fields[K]) : NAN, l = k;
    if (count == FIELDS)
        l = number_at(fields[L]);
    if (!(k >= 1 && k <= 1e6 && l >= 1 && l <= 1e6))
        return cob_fail(err, COBLOC_BAD_DATA, "expected %d values: model, k, l, ...", (int)FIELDS);
    if (!cob_grow(&t->points, &t->capacity, t->count + 1, sizeof *t->points))
        return cob_fail_memory(err, t->count + 1, sizeof *t->points);
    cobloc_curve_point *point = &t->points[t->count++];
    *point = (cobloc_curve_point){.k = (int)k,
                                  .l = (int)l,
                                  .value = number_at(fields[VALUE]),
                                  .icl = number_at(fields[ICL]),
                                  .modularity = number_at(fields[MODULARITY]),
                                  .as_good = fields[AS_GOOD][0] == '1',
                                  .chosen = fields[CHOSEN][0] == '1'};
    snprintf(point->model, sizeof point->model, "%.*s", (int)(fields[K] - 1 - fields[MODEL]),
             fields[MODEL]);
    return COBLOC_OK;
}

cobloc_status cobloc_curve_read(const char *folder, cobloc_curve **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    table t = {0};
    cobloc_curve *curve = NULL;
    char *path = cob_path_inside(folder, "curve.tsv");
    COB_CHECK(path, COBLOC_NO_MEMORY, "out of memory");
    if (access(path, F_OK) == 0)
        COB_TRY(cob_table_read(path, HEADER, take_line, &t, err));
    COB_MAKE(curve, cob_curve_type);
    curve->points = t.points;
    curve->count = (int)t.count;
    t.points = NULL;
    COB_TRY(cob_larger_read(folder, curve, err));
    *out = curve;
    curve = NULL;
done:
    cobloc_curve_free(curve);
    cob_free(t.points);
    cob_free(path);
    return status;
}
