/* Reading the folder of a result back, and finding its matrix again.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* access, stat */
#include "fit/saved.h"

#include "base/alloc.h"
#include "base/crc.h"
#include "base/source.h"
#include "fit/saved_model.h"
#include "io/options.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGEST_BYTES = 1 << 16 };

const char *cobloc_saved_row_name(const cobloc_saved *saved, int64_t row)
{
    return cob_names_get(&saved->row_names, row);
}

const char *cobloc_saved_col_name(const cobloc_saved *saved, int64_t col)
{
    return cob_names_get(&saved->col_names, col);
}

/* ---- the folder ------------------------------------------------------------------------------ */

/* Files of one fit agree on the sizes of its clusters; those of two seldom do. */
cobloc_status cob_saved_check_sizes(const cobloc_result *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t *sizes = NULL;
    COB_NEW_ZERO(sizes, r->k);
    for (int64_t i = 0; i < r->n; i++)
        if (r->row_labels[i] >= 0)
            sizes[r->row_labels[i]]++;
    for (int k = 0; k < r->k; k++)
        COB_CHECK(sizes[k] == r->row_sizes[k], COBLOC_BAD_DATA,
                  "rows.tsv has %lld rows in cluster %d, but model.json says %lld: they are not of "
                  "one fit",
                  (long long)sizes[k], k, (long long)r->row_sizes[k]);
done:
    cob_free(sizes);
    return status;
}

/* A run that was killed, or one that is still writing, may leave a new table beside an old model.
 */
static cobloc_status check_digest(const char *path, uint32_t expected, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_source *source = NULL;
    char *bytes = NULL;
    uint32_t digest = 0;
    size_t got = DIGEST_BYTES;
    if (expected == 0)
        return COBLOC_OK;
    COB_NEW(bytes, DIGEST_BYTES);
    COB_TRY(cob_source_open(path, &source, err));
    while (got == DIGEST_BYTES) {
        COB_TRY(cob_source_read(source, bytes, DIGEST_BYTES, &got, err));
        digest = cob_crc32(digest, bytes, got);
    }
    COB_CHECK(digest == expected, COBLOC_BAD_DATA,
              "%s: is not the table that model.json was written with: fit again", path);
done:
    cob_source_close(source);
    cob_free(bytes);
    return status;
}

static cobloc_status read_files(const char *folder, cobloc_saved *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *model = cob_path_inside(folder, "model.json"),
         *rows = cob_path_inside(folder, "rows.tsv");
    char *probabilities = cob_path_inside(folder, COB_PROBABILITIES);
    cob_saved_flags flags;
    COB_CHECK(model && rows && probabilities, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_saved_model_read(model, s, &flags, err));
    cobloc_result *r = s->result;
    COB_TRY(cob_saved_labels_read(rows, r->n, r->k, &r->row_labels,
                                  flags.row_names ? &s->row_names : NULL, err));
    if (flags.row_probabilities)
        COB_TRY(
            cob_saved_probabilities_read(probabilities, r->n, r->k, &r->row_probabilities, err));
    status = cob_saved_check_sizes(r, err);
    if (status != COBLOC_OK)
        status = cob_fail_at(err, status, "%s: ", folder);
    else
        status = check_digest(rows, flags.digests.rows, err);
    if (status == COBLOC_OK && flags.row_probabilities)
        status = check_digest(probabilities, flags.digests.probabilities, err);
done:
    cob_free(model);
    cob_free(rows);
    cob_free(probabilities);
    return status;
}

/* Says what a path is that is no result, and how one is made. */
static cobloc_status check_folder(const char *folder, cobloc_error *err)
{
    static const char wanted[] = "a result is a folder that 'cobloc fit INPUT -o FOLDER' writes";
    struct stat about;
    cobloc_status status = COBLOC_OK;
    char *model = cob_path_inside(folder, "model.json");
    COB_CHECK(model, COBLOC_NO_MEMORY, "out of memory");
    COB_CHECK(stat(folder, &about) == 0, COBLOC_IO, "%s: %s; %s", folder, strerror(errno), wanted);
    COB_CHECK(S_ISDIR(about.st_mode), COBLOC_BAD_DATA, "%s: is not a folder; %s", folder, wanted);
    COB_CHECK(stat(model, &about) == 0, COBLOC_IO, "%s: holds no model.json; %s", folder, wanted);
done:
    cob_free(model);
    return status;
}

cobloc_status cobloc_saved_read(const char *folder, cobloc_saved **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_saved *s = NULL;
    COB_MAKE(s, cob_saved_type);
    COB_TRY(cob_copy_text(folder, &s->folder, err));
    COB_TRY(check_folder(folder, err));
    COB_TRY(read_files(folder, s, err));
    *out = s;
    s = NULL;
done:
    cobloc_saved_free(s);
    return status;
}

/* ---- its matrix ------------------------------------------------------------------------------ */

static cobloc_status check_count(int64_t found, int64_t expected, const char *what,
                                 cobloc_error *err)
{
    if (found == expected)
        return COBLOC_OK;
    return cob_fail(err, COBLOC_BAD_DATA, "it has %lld %s, not %lld", (long long)found, what,
                    (long long)expected);
}

static cobloc_status check_names(const cob_names *found, const cob_names *expected,
                                 const char *what, cobloc_error *err)
{
    int64_t i = 0;
    if (found->count == 0 || expected->count == 0 || cob_names_equal(found, expected))
        return COBLOC_OK;
    while (i < found->count - 1 && strcmp(cob_names_get(found, i), cob_names_get(expected, i)) == 0)
        i++;
    return cob_fail(err, COBLOC_BAD_DATA, "its %s %lld is '%.60s', not '%.60s'", what,
                    (long long)(i + 1), cob_names_get(found, i), cob_names_get(expected, i));
}

/* Whether this is the matrix that was fitted: by all that the folder knows of it. */
static cobloc_status check_same(const cobloc_saved *s, const cobloc_matrix *matrix,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = s->result;
    double total = s->total;
    COB_TRY(check_count(matrix->rows, r->n, "rows", err));
    COB_TRY(check_count(matrix->cols, r->d, "columns", err));
    COB_TRY(check_count(matrix->nnz, r->nnz, "entries", err));
    COB_CHECK(fabs(matrix->total - total) <= 1e-9 * fabs(total), COBLOC_BAD_DATA,
              "its entries sum up to %.10g, not %.10g", matrix->total, total);
    COB_TRY(check_names(&matrix->row_names, &s->row_names, "row", err));
    COB_TRY(check_names(&matrix->col_names, &s->col_names, "column", err));
done:
    return status;
}

/* Where the matrix is, unless the caller knows better; NULL after a failure. `*inside` is new
 * memory, if it is in the folder. */
static cobloc_status find_matrix(const cobloc_saved *saved, const char **path, char **inside,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(saved->folder, COBLOC_BAD_ARGUMENT,
              "this result is of a matrix in memory: the matrix must be given");
    *inside = cob_path_inside(saved->folder, "matrix.cbm");
    COB_CHECK(*inside, COBLOC_NO_MEMORY, "out of memory");
    if (access(*inside, F_OK) == 0) {
        *path = *inside;
        goto done;
    }
    COB_CHECK(saved->input, COBLOC_BAD_ARGUMENT,
              "%s does not say which file it was fitted to: the matrix must be given",
              saved->folder);
    COB_CHECK(access(saved->input, F_OK) == 0, COBLOC_IO,
              "%s, which %s was fitted to, is not there any more: the matrix must be given",
              saved->input, saved->folder);
    *path = saved->input;
done:
    return status;
}

cobloc_status cobloc_saved_matrix(const cobloc_saved *saved, const char *path,
                                  const cobloc_io_options *options, cobloc_matrix **out,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *matrix = NULL;
    cobloc_io_options own;
    char *inside = NULL;
    if (options)
        own = *options;
    else
        cob_io_options_default(&own);
    if (!path)
        COB_TRY(find_matrix(saved, &path, &inside, err));
    if (path == saved->input) {
        own.format = own.format ? own.format : saved->format;
        own.variable = own.variable ? own.variable : saved->variable;
        own.missing = own.missing ? own.missing : saved->missing;
        own.values = own.values ? own.values : saved->values;
    }
    COB_TRY(cobloc_matrix_read(path, &own, &matrix, err));
    status = check_same(saved, matrix, err);
    if (status != COBLOC_OK) {
        status = cob_fail_at(err, status, "%s: is not the matrix that %s was fitted to: ", path,
                             saved->folder ? saved->folder : "this result");
        goto done;
    }
    *out = matrix;
    matrix = NULL;
done:
    cobloc_matrix_free(matrix);
    cob_free(inside);
    return status;
}
