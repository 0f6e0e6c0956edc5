/* Reading the tables of a result's folder: a header, then a line for each row, its name first.
 * SPDX-License-Identifier: MIT
 */
#include "fit/saved_model.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "io/table.h"

#include <string.h>

/* What is being read, and what there is of it so far. */
typedef struct table {
    const char *path, *header;
    int clusters;
    cob_names *names; /* or NULL */
    char *name;       /* room for one */
    size_t name_room;
    int32_t *labels; /* one of the two is wanted */
    double *probabilities;
    bool soft;
    size_t capacity;
    int64_t count;
} table;

/* ---- one line -------------------------------------------------------------------------------- */

/* Adds the name that ends at `end`, its escapes undone. */
static cobloc_status take_name(table *t, const char *p, const char *end, cobloc_error *err)
{
    size_t length = 0;
    if (!t->names)
        return COBLOC_OK;
    if (!cob_grow(&t->name, &t->name_room, (size_t)(end - p) + 1, 1))
        return cob_fail_memory(err, (size_t)(end - p), 1);
    while (p < end) {
        const char *escaped = *p == '\\' && p + 1 < end ? strchr("tnr\\", p[1]) : NULL;
        t->name[length++] = escaped ? "\t\n\r\\"[escaped - "tnr\\"] : *p;
        p += escaped ? 2 : 1;
    }
    return cob_names_add(t->names, t->name, length, err);
}

static cobloc_status take_label(table *t, const char *p, cobloc_error *err)
{
    int64_t label;
    if (!cob_scan_integer(&p, &label) || !cob_at_gap(p) || label < -1 || label >= t->clusters)
        return cob_fail(err, COBLOC_BAD_DATA, "the cluster is '%.*s', expected -1 to %d",
                        cob_shown(p), p, t->clusters - 1);
    if (!cob_grow(&t->labels, &t->capacity, (size_t)t->count + 1, sizeof *t->labels))
        return cob_fail_memory(err, (size_t)t->count, sizeof *t->labels);
    t->labels[t->count] = (int32_t)label;
    return COBLOC_OK;
}

static cobloc_status take_probabilities(table *t, const char *p, cobloc_error *err)
{
    size_t k = (size_t)t->clusters, first = (size_t)t->count * k;
    if (!cob_grow(&t->probabilities, &t->capacity, first + k, sizeof *t->probabilities))
        return cob_fail_memory(err, first + k, sizeof *t->probabilities);
    for (size_t c = 0; c < k; c++) {
        double *at = &t->probabilities[first + c];
        if ((c > 0 && *p++ != '\t') || !cob_scan_number(&p, at) || !(*at >= 0 && *at <= 1))
            return cob_fail(err, COBLOC_BAD_DATA, "expected %d probabilities after the name",
                            t->clusters);
    }
    if (!cob_at_line_end(cob_skip_blanks(p)))
        return cob_fail(err, COBLOC_BAD_DATA, "holds more than %d probabilities", t->clusters);
    return COBLOC_OK;
}

static cobloc_status take_line(void *context, const char *p, const char *end, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    table *t = context;
    const char *tab = memchr(p, '\t', (size_t)(end - p));
    COB_CHECK(tab, COBLOC_BAD_DATA, "expected a name and, after a tab, its %s",
              t->soft ? "probabilities" : "cluster");
    COB_CHECK(!memchr(p, '\0', (size_t)(end - p)), COBLOC_BAD_DATA, "holds NUL bytes");
    COB_TRY(take_name(t, p, tab, err));
    COB_TRY((t->soft ? take_probabilities : take_label)(t, tab + 1, err));
    t->count++;
done:
    return status;
}

/* ---- the file -------------------------------------------------------------------------------- */

static cobloc_status read_table(table *t, int64_t count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_table_read(t->path, t->header, take_line, t, err));
    COB_CHECK(t->count == count, COBLOC_BAD_DATA, "%s: holds %lld rows, but model.json says %lld",
              t->path, (long long)t->count, (long long)count);
done:
    cob_free(t->name);
    return status;
}

cobloc_status cob_saved_labels_read(const char *path, int64_t count, int clusters, int32_t **labels,
                                    cob_names *names, cobloc_error *err)
{
    table t = {.path = path, .header = "name\tcluster", .clusters = clusters, .names = names};
    cobloc_status status = read_table(&t, count, err);
    if (status == COBLOC_OK)
        *labels = t.labels;
    else
        cob_free(t.labels);
    return status;
}

cobloc_status cob_saved_probabilities_read(const char *path, int64_t count, int clusters,
                                           double **probabilities, cobloc_error *err)
{
    table t = {.path = path, .header = "name\t0", .clusters = clusters, .soft = true};
    cobloc_status status = read_table(&t, count, err);
    if (status == COBLOC_OK)
        *probabilities = t.probabilities;
    else
        cob_free(t.probabilities);
    return status;
}
