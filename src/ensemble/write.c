/* The folder of a consensus: the result, and the list of its members.
 * SPDX-License-Identifier: MIT
 */
#include "ensemble/ensemble.h"

#include "base/alloc.h"
#include "select/select.h"

#include <math.h>

/* One line for each member; fields that do not apply are empty. */
static void write_member(cob_file *file, const cobloc_member *m)
{
    cob_file_text(file, m->model ? m->model : "");
    cob_file_char(file, '\t');
    cob_file_name(file, m->name ? m->name : "");
    cob_file_print(file, "\t%d\t", m->k);
    if (m->model)
        cob_file_integer(file, (int64_t)m->seed);
    cob_file_char(file, '\t');
    if (isfinite(m->modularity))
        cob_file_number(file, m->modularity);
    cob_file_text(file, m->kept ? "\t1\n" : "\t0\n");
}

static cobloc_status write_members(const cobloc_consensus *c, const cob_folder *folder,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    char *path = cob_folder_path(folder, "members.tsv");
    COB_CHECK(path, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_text(file, "model\tfrom\tk\tseed\tmodularity\tjoined\n");
    for (int i = 0; i < c->count; i++)
        write_member(file, &c->members[i]);
    COB_TRY(cob_file_commit(file, err));
done:
    cob_file_close(file);
    cob_free(path);
    return status;
}

cobloc_status cobloc_consensus_write(const cobloc_consensus *c, const cobloc_matrix *matrix,
                                     const cobloc_ensemble_options *options, const char *path,
                                     cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_folder *folder = NULL;
    cobloc_select_options s;
    cob_select_options_default(&s);
    s.fit = cob_consensus_fit(options);
    COB_TRY(cob_result_folder(path, matrix, &folder, err));
    if (c->selection)
        COB_TRY(cob_selection_files(c->selection, matrix, &s, folder, err));
    else
        COB_TRY(cob_result_files(c->result, matrix, &s.fit, folder, err));
    status = write_members(c, folder, err);
done:
    return cob_folder_finish(folder, status, err);
}
