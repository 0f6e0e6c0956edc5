/* The output folder: rows.tsv, cols.tsv, model.json, rows.probabilities.tsv, matrix.cbm.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/file.h"
#include "fit/row_facts.h"
#include "fit/saved.h"

#include <math.h>

/* ---- tables ---------------------------------------------------------------------------------- */

/* A line without a name goes by its number, from 1. */
static void put_name(cob_file *file, const char *name, int64_t line)
{
    if (name)
        cob_file_name(file, name);
    else
        cob_file_integer(file, line + 1);
}

typedef const char *(*name_fn)(const cobloc_matrix *matrix, int64_t line);

/* What follows the columns that both tables have. */
static void put_facts_header(cob_file *file, const cobloc_matrix *matrix)
{
    cob_file_text(file, "\tbloc\tmargin\tsecond");
    cob_file_text(file, cobloc_matrix_row_label(matrix, 0) ? "\tknown_class" : "");
}

static void put_facts(cob_file *file, const cob_row_facts *facts, const cobloc_matrix *matrix,
                      int32_t label, int64_t row)
{
    const char *known = cobloc_matrix_row_label(matrix, row);
    cob_file_char(file, '\t');
    cob_file_name(file, label < 0 ? "" : facts->bloc_names[label]);
    cob_file_char(file, '\t');
    if (isfinite(facts->margins[row])) /* six digits, which every processor agrees on */
        cob_file_print(file, "%.6g", facts->margins[row]);
    cob_file_char(file, '\t');
    if (facts->seconds[row] >= 0)
        cob_file_integer(file, facts->seconds[row]);
    if (known) {
        cob_file_char(file, '\t');
        cob_file_name(file, known);
    }
}

static void put_table(cob_file *file, int64_t count, const int32_t *labels,
                      const double *probabilities, int clusters, const cobloc_matrix *matrix,
                      name_fn name_of, char *const *cluster_names, const cob_row_facts *facts)
{
    cob_file_text(file, "name\tcluster");
    cob_file_text(file, cluster_names ? "\tsection" : "");
    cob_file_text(file, probabilities ? "\tprobability" : "");
    if (facts)
        put_facts_header(file, matrix);
    cob_file_char(file, '\n');
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
        if (facts)
            put_facts(file, facts, matrix, labels[i], i);
        cob_file_char(file, '\n');
    }
}

/* The whole rows: what rows.tsv has no room for. */
static void put_probabilities(cob_file *file, const cobloc_result *r, const cobloc_matrix *matrix)
{
    cob_file_text(file, "name");
    for (int k = 0; k < r->k; k++)
        cob_file_print(file, "\t%d", k);
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
}

/* ---- files ----------------------------------------------------------------------------------- */

typedef enum table_kind { ROWS, COLS, PROBABILITIES } table_kind;

static cobloc_status write_table(const cob_folder *folder, table_kind kind, const cobloc_result *r,
                                 const cobloc_matrix *matrix, uint32_t *digest, cobloc_error *err)
{
    static const char *const names[] = {"rows.tsv", "cols.tsv", COB_PROBABILITIES};
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    cob_row_facts facts = {0};
    char *path = cob_folder_path(folder, names[kind]);
    COB_CHECK(path, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_file_create(path, &file, err));
    if (kind == ROWS)
        COB_TRY(cob_row_facts_find(r, matrix, &facts, err));
    if (kind == PROBABILITIES)
        put_probabilities(file, r, matrix);
    else if (kind == ROWS)
        put_table(file, r->n, r->row_labels, r->row_probabilities, r->k, matrix,
                  cobloc_matrix_row_name, NULL, &facts);
    else
        put_table(file, r->d, r->col_labels, r->col_probabilities, r->l, matrix,
                  cobloc_matrix_col_name, r->col_names, NULL);
    COB_TRY(cob_file_commit(file, err));
    *digest = cob_file_digest(file);
done:
    cob_row_facts_free(&facts);
    cob_file_close(file);
    cob_free(path);
    return status;
}

cobloc_status cob_result_files(const cobloc_result *r, const cobloc_matrix *matrix,
                               const cobloc_fit_options *options, cob_folder *folder,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_digests digests = {0};
    uint32_t unused;
    char *model = cob_folder_path(folder, "model.json"),
         *cells = cob_folder_path(folder, COB_MATRIX);
    COB_CHECK(model && cells, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(write_table(folder, ROWS, r, matrix, &digests.rows, err));
    COB_TRY(write_table(folder, COLS, r, matrix, &unused, err));
    if (r->row_probabilities)
        COB_TRY(write_table(folder, PROBABILITIES, r, matrix, &digests.probabilities, err));
    if (cob_result_keeps(matrix))
        COB_TRY(cobloc_matrix_write(matrix, cells, NULL, err));
    COB_TRY(cob_model_file_write(model, r, matrix, options, &digests, err));
done:
    cob_free(model);
    cob_free(cells);
    return status;
}

/* ---- the folder ------------------------------------------------------------------------------ */

cobloc_status cobloc_result_write(const cobloc_result *r, const cobloc_matrix *matrix,
                                  const cobloc_fit_options *options, const char *path,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_folder *folder = NULL;
    COB_TRY(cob_result_folder(path, matrix, &folder, err));
    status = cob_result_files(r, matrix, options, folder, err);
done:
    return cob_folder_finish(folder, status, err);
}
