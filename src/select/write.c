/* The folder of a selection: the chosen fit and the curve.
 * SPDX-License-Identifier: MIT
 */
#include "select/select.h"

#include "base/alloc.h"

#include <math.h>

/* A number, or an empty field if it is not finite. */
static void put_number(cob_file *file, double value)
{
    cob_file_char(file, '\t');
    if (isfinite(value))
        cob_file_number(file, value);
}

static void put_integer(cob_file *file, int64_t value)
{
    cob_file_char(file, '\t');
    cob_file_integer(file, value);
}

static cobloc_status write_curve(const cobloc_selection *s, const cob_folder *folder,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    char *path = cob_folder_path(folder, "curve.tsv");
    COB_CHECK(path, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_text(file, "model\tk\tl\tvalue\tcriterion\ticl\tmodularity\tspread\tsmallest\torigin"
                        "\tas_good\tchosen\tseconds\n");
    for (int i = 0; i < s->count; i++) {
        const cobloc_size *at = &s->curve[i];
        cob_file_text(file, at->model);
        put_integer(file, at->k);
        put_integer(file, at->l);
        put_number(file, at->value);
        put_number(file, at->result->criterion);
        put_number(file, at->result->icl);
        put_number(file, at->result->modularity);
        put_number(file, at->spread);
        put_integer(file, at->smallest);
        cob_file_char(file, '\t');
        cob_file_text(file, cobloc_origin_name(at->origin));
        put_integer(file, at->as_good);
        put_integer(file, i == s->chosen);
        put_number(file, at->seconds);
        cob_file_char(file, '\n');
    }
    COB_TRY(cob_file_commit(file, err));
done:
    cob_file_close(file);
    cob_free(path);
    return status;
}

cobloc_status cob_selection_files(const cobloc_selection *s, const cobloc_matrix *matrix,
                                  const cobloc_select_options *options, cob_folder *folder,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_size *chosen = &s->curve[s->chosen];
    cobloc_fit_options o = options->fit;
    o.model = chosen->model;
    o.k = chosen->k;
    o.l = chosen->l;
    if (chosen->origin != COBLOC_ORIGIN_STARTS) { /* a fit that starts there also ends there */
        o.start = COBLOC_START_LABELS;
        o.start_rows = chosen->result->row_labels;
        o.start_cols = chosen->result->col_labels;
    }
    COB_TRY(cob_result_files(chosen->result, matrix, &o, folder, err));
    COB_TRY(write_curve(s, folder, err));
    COB_TRY(cob_larger_write(s, folder, err));
done:
    return status;
}

cobloc_status cobloc_selection_write(const cobloc_selection *s, const cobloc_matrix *matrix,
                                     const cobloc_select_options *options, const char *path,
                                     cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_folder *folder = NULL;
    COB_TRY(cob_result_folder(path, matrix, &folder, err));
    status = cob_selection_files(s, matrix, options, folder, err);
done:
    return cob_folder_finish(folder, status, err);
}
