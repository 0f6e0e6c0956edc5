/* The sizes above the chosen one: larger.tsv keeps their labels, so that a result can also be
 * unfolded. One line per size: k, l, the labels of all rows, those of all columns.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "select/select.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/scan.h"
#include "io/table.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const char HEADER[] = "k\tl\trows\tcols";

/* ---- writing --------------------------------------------------------------------------------- */

static void put_labels(cob_file *file, const int32_t *labels, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        cob_file_char(file, i == 0 ? '\t' : ' ');
        cob_file_integer(file, labels[i]);
    }
}

/* Whether a size is kept: larger than the chosen one, of its model, the best of so many rows. */
static bool is_kept(const cobloc_selection *s, int place)
{
    const cobloc_size *chosen = &s->curve[s->chosen], *at = &s->curve[place];
    if (at->k <= chosen->k || strcmp(at->model, chosen->model) != 0)
        return false;
    for (int i = 0; i < s->count; i++) {
        const cobloc_size *other = &s->curve[i];
        if (i == place || other->k != at->k || strcmp(other->model, at->model) != 0)
            continue;
        if (other->value > at->value || (i < place && !(at->value > other->value)))
            return false;
    }
    return true;
}

cobloc_status cob_larger_write(const cobloc_selection *s, const cob_folder *folder,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    char *path = NULL;
    int kept = 0;
    for (int i = 0; i < s->count; i++)
        kept += is_kept(s, i);
    if (kept == 0 || !s->curve[s->chosen].result->merges) /* as for smaller sizes */
        return COBLOC_OK;
    path = cob_folder_path(folder, "larger.tsv");
    COB_CHECK(path, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_text(file, HEADER);
    cob_file_char(file, '\n');
    for (int i = 0; i < s->count; i++) {
        const cobloc_result *r = s->curve[i].result;
        if (!is_kept(s, i))
            continue;
        cob_file_integer(file, r->k);
        cob_file_char(file, '\t');
        cob_file_integer(file, r->l);
        put_labels(file, r->row_labels, r->n);
        put_labels(file, r->col_labels, r->d);
        cob_file_char(file, '\n');
    }
    COB_TRY(cob_file_commit(file, err));
done:
    cob_file_close(file);
    cob_free(path);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct table {
    cobloc_larger *sizes;
    size_t count, capacity;
} table;

/* The labels up to the next tab or the end of the line; *p is moved there. */
static cobloc_status take_labels(const char **p, const char *end, int clusters, int32_t **labels,
                                 int64_t *count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t capacity = 0;
    while (*p < end && **p != '\t') {
        int64_t label;
        COB_CHECK(cob_scan_integer(p, &label) && label >= -1 && label < clusters, COBLOC_BAD_DATA,
                  "expected the labels of %d clusters", clusters);
        COB_CHECK(cob_grow(labels, &capacity, (size_t)*count + 1, sizeof **labels),
                  COBLOC_NO_MEMORY, "out of memory");
        (*labels)[(*count)++] = (int32_t)label;
        *p += *p < end && **p == ' ';
    }
done:
    return status;
}

static cobloc_status take_line(void *context, const char *p, const char *end, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    table *t = context;
    int64_t k, l;
    COB_CHECK(cob_scan_count(&p, &k) && *p++ == '\t' && cob_scan_count(&p, &l) && *p++ == '\t' &&
                  k >= 1 && k <= COB_MOST_CLUSTERS && l >= 1 && l <= COB_MOST_CLUSTERS,
              COBLOC_BAD_DATA, "expected k, l and labels");
    COB_CHECK(cob_grow(&t->sizes, &t->capacity, t->count + 1, sizeof *t->sizes), COBLOC_NO_MEMORY,
              "out of memory");
    cobloc_larger *size = &t->sizes[t->count++];
    *size = (cobloc_larger){.k = (int)k, .l = (int)l};
    COB_TRY(take_labels(&p, end, size->k, &size->row_labels, &size->rows, err));
    p += p < end;
    COB_TRY(take_labels(&p, end, size->l, &size->col_labels, &size->cols, err));
done:
    return status;
}

cobloc_status cob_larger_read(const char *folder, cobloc_curve *curve, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    table t = {0};
    char *path = cob_path_inside(folder, "larger.tsv");
    COB_CHECK(path, COBLOC_NO_MEMORY, "out of memory");
    if (access(path, F_OK) == 0)
        status = cob_table_read(path, HEADER, take_line, &t, err);
done:
    curve->larger = t.sizes; /* belong to the curve also after a failure */
    curve->larger_count = (int)t.count;
    cob_free(path);
    return status;
}

/* ---- using ----------------------------------------------------------------------------------- */

cobloc_status cobloc_curve_options(const cobloc_curve *curve, const cobloc_result *r, int k,
                                   cobloc_fit_options *o, cobloc_error *err)
{
    const cobloc_larger *found = NULL;
    int most = r->k;
    for (int i = 0; curve && i < curve->larger_count; i++) {
        found = curve->larger[i].k == k ? &curve->larger[i] : found;
        most = curve->larger[i].k > most ? curve->larger[i].k : most;
    }
    if (!found && most > r->k)
        return cob_fail(err, COBLOC_BAD_ARGUMENT,
                        "k is %d, but above %d only sizes up to %d were kept", k, r->k, most);
    if (!found)
        return cob_fail(err, COBLOC_BAD_ARGUMENT,
                        "k is %d, but the result has %d clusters, and no larger sizes were kept; "
                        "'cobloc select' keeps those that it fits",
                        k, r->k);
    if (found->rows != r->n || found->cols != r->d)
        return cob_fail(err, COBLOC_BAD_DATA,
                        "the labels of size %d are of %lld rows and %lld columns, not %lld and "
                        "%lld",
                        k, (long long)found->rows, (long long)found->cols, (long long)r->n,
                        (long long)r->d);
    return cob_keep_options(r, k, found->l, found->row_labels, found->col_labels, o, err);
}
