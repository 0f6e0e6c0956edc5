/* The output folder: rows.tsv, cols.tsv, model.json, rows.probabilities.tsv.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "base/alloc.h"
#include "base/file.h"
#include "fit/saved.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- tables ---------------------------------------------------------------------------------- */

/* A line without a name goes by its number, from 1. */
static void put_name(cob_file *file, const char *name, int64_t line)
{
    if (name)
        cob_file_name(file, name);
    else
        cob_file_integer(file, line + 1);
}

static cobloc_status write_table(const char *path, int64_t count, const int32_t *labels,
                                 const double *probabilities, int clusters,
                                 const cobloc_matrix *matrix,
                                 const char *(*name_of)(const cobloc_matrix *, int64_t),
                                 char *const *cluster_names, cob_file **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_text(file, "name\tcluster");
    cob_file_text(file, cluster_names ? "\tsection" : "");
    cob_file_text(file, probabilities ? "\tprobability\n" : "\n");
    for (int64_t i = 0; i < count; i++) {
        put_name(file, name_of(matrix, i), i);
        cob_file_char(file, '\t');
        cob_file_integer(file, labels[i]);
        if (cluster_names) {
            cob_file_char(file, '\t');
            cob_file_text(file, labels[i] < 0 ? "" : cluster_names[labels[i]]);
        }
        if (probabilities) {
            cob_file_char(file, '\t');
            cob_file_number(file, labels[i] < 0 ? 0 : probabilities[i * clusters + labels[i]]);
        }
        cob_file_char(file, '\n');
    }
    *out = file;
    file = NULL;
done:
    cob_file_close(file);
    return status;
}

/* The whole rows: what rows.tsv has no room for. */
static cobloc_status write_probabilities(const char *path, const cobloc_result *r,
                                         const cobloc_matrix *matrix, cob_file **out,
                                         cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_text(file, "name");
    for (int k = 0; k < r->k; k++) {
        cob_file_char(file, '\t');
        cob_file_integer(file, k);
    }
    cob_file_char(file, '\n');
    for (int64_t i = 0; i < r->n; i++) {
        put_name(file, cobloc_matrix_row_name(matrix, i), i);
        for (int k = 0; k < r->k; k++) {
            double p = r->row_probabilities[i * r->k + k];
            cob_file_char(file, '\t');
            cob_file_number(file, p < COB_NO_PROBABILITY ? 0 : p);
        }
        cob_file_char(file, '\n');
    }
    *out = file;
    file = NULL;
done:
    cob_file_close(file);
    return status;
}

/* ---- the folder ------------------------------------------------------------------------------ */

/* A table of an earlier result must not stand beside this one. */
static cobloc_status remove_old(const char *folder, const char *name, cobloc_error *err)
{
    char *path = cob_path_inside(folder, name);
    if (!path)
        return cob_fail_memory(err, 1, 1);
    unlink(path);
    cob_free(path);
    return COBLOC_OK;
}

static cobloc_status write_all(const cobloc_result *r, const cobloc_matrix *matrix,
                               const cobloc_fit_options *options, char *const *paths,
                               cob_file **files, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(write_table(paths[0], r->n, r->row_labels, r->row_probabilities, r->k, matrix,
                        cobloc_matrix_row_name, NULL, &files[0], err));
    COB_TRY(write_table(paths[1], r->d, r->col_labels, r->col_probabilities, r->l, matrix,
                        cobloc_matrix_col_name, r->col_names, &files[1], err));
    if (r->row_probabilities)
        COB_TRY(write_probabilities(paths[2], r, matrix, &files[2], err));
    COB_TRY(cob_model_file_write(paths[3], r, matrix, options, &files[3], err));
    for (int f = 0; f < COB_FOLDER_FILES; f++)
        if (files[f])
            COB_TRY(cob_file_commit(files[f], err));
done:
    return status;
}

cobloc_status cobloc_result_write(const cobloc_result *r, const cobloc_matrix *matrix,
                                  const cobloc_fit_options *options, const char *folder,
                                  cobloc_error *err)
{
    static const char *const names[COB_FOLDER_FILES] = {"rows.tsv", "cols.tsv", COB_PROBABILITIES,
                                                        "model.json"};
    cobloc_status status = COBLOC_OK;
    cob_file *files[COB_FOLDER_FILES] = {NULL};
    char *paths[COB_FOLDER_FILES] = {NULL};
    COB_CHECK(mkdir(folder, 0777) == 0 || errno == EEXIST, COBLOC_IO, "%s: cannot be made: %s",
              folder, strerror(errno));
    for (int f = 0; f < COB_FOLDER_FILES; f++) {
        paths[f] = cob_path_inside(folder, names[f]);
        COB_CHECK(paths[f], COBLOC_NO_MEMORY, "out of memory");
    }
    COB_TRY(write_all(r, matrix, options, paths, files, err));
    COB_TRY(remove_old(folder, "curve.tsv", err));
    COB_TRY(remove_old(folder, "members.tsv", err));
    if (!r->row_probabilities)
        COB_TRY(remove_old(folder, COB_PROBABILITIES, err));
done:
    for (int f = 0; f < COB_FOLDER_FILES; f++) {
        cob_file_close(files[f]);
        cob_free(paths[f]);
    }
    return status;
}
