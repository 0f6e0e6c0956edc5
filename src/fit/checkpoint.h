/* Checkpoints: what a long computation has done so far, in a folder, so that another process can go
 * on with it to the same result.
 *
 *     checkpoint.json   what is computed: the version, the data, the options that matter
 *     KEY.table         a fit: its finished starts, and the best of them
 *     KEY-N.run         its start number N, where that has not ended
 *
 * Every fit has a key: a digest of its matrix and options. A file says what this fit, which depends
 * on nothing else, has come to; so any of them may be missing or older than others, and a
 * computation of many fits needs no further files.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_CHECKPOINT_H
#define COB_FIT_CHECKPOINT_H

#include "engine/resume.h"
#include "fit/family.h"
#include "fit/options.h"

#include <jansson.h>

/* ---- of a computation ------------------------------------------------------------------------ */

/* Opens the checkpoint that the options name; *out is NULL where they name none. `what` is the name
 * of the computation, and `more`, which is taken over and may be NULL, what it depends on beside
 * the options of a fit. One that is there is refused unless it is to be resumed, and is of the same
 * computation, or is finished. */
cobloc_status cob_checkpoint_open(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                  const char *what, json_t *more, cob_checkpoint **out,
                                  cobloc_error *err);

/* Closes it, which may be NULL; `whole`: the computation has come to its end, and its result is
 * there at once when it is resumed. Returns how it all went. */
cobloc_status cob_checkpoint_close(cob_checkpoint *checkpoint, cobloc_status status, bool whole,
                                   cobloc_error *err);

/* The key of a fit of `matrix` with these options, all of them as they are used; and within a fit,
 * that of starts of their own. */
cobloc_status cob_checkpoint_key(const cob_checkpoint *checkpoint, const cobloc_matrix *matrix,
                                 const cobloc_fit_options *options, const char *model,
                                 uint64_t *key, cobloc_error *err);
uint64_t cob_checkpoint_subkey(uint64_t key, const char *model, cobloc_start start, int restarts);

/* Where a file of the computation is, in new memory, NULL if out of memory: KEY.table, or with a
 * `start` from 0 on, KEY-START.run. */
char *cob_checkpoint_path(const cob_checkpoint *checkpoint, uint64_t key, int start);

/* Makes the folder ready, before its first file is written. */
cobloc_status cob_checkpoint_begin(cob_checkpoint *checkpoint, cobloc_error *err);

/* Whether there may be files to go on with. */
bool cob_checkpoint_resumes(const cob_checkpoint *checkpoint);

/* ---- of the starts of a fit (saved_starts.c) ------------------------------------------------- */

/* All that is known of the starts that have ended, as sections and back. Arrays of `restarts` are
 * there; `best` is replaced where the table has one. */
void cob_table_put(const cob_task *task, const cob_restarts *restarts, const cob_family *family,
                   const cob_outcome *best, cob_sections_file *file);
cobloc_status cob_table_get(const cob_task *task, const cob_sections *from, cob_restarts *restarts,
                            cob_family *family, cob_outcome *best, cobloc_error *err);

typedef struct cob_saver {
    cob_checkpoint *to; /* NULL: nothing is saved */
    uint64_t key;
    cob_keeper keeper; /* of the runs that go on */
    cob_ranks *ranks;  /* NULL: there is one */
    cob_ranks *group;  /* that are in the same run as this one; NULL: none are */
    bool writes;       /* this process is the one that saves; all of them read */
    double began, written;
    bool changed; /* starts have ended since the table was written */
    bool sealed;  /* what ends now was disturbed, and is not saved */
    int states;   /* of runs, that were written */
} cob_saver;

void cob_saver_open(cob_saver *saver, const cob_task *task);

/* Reads what there is: outcomes of starts that have ended, and the best of them. */
cobloc_status cob_saver_read(cob_saver *saver, const cob_task *task, cob_restarts *restarts,
                             cob_family *family, cob_outcome *best, cobloc_error *err);
/* A new run goes on where it was, if its state is there. */
cobloc_status cob_saver_read_run(cob_saver *saver, cob_run *run, cobloc_error *err);

/* A start is about to be noted in `restarts`, `family` and `best`: the table is written before that
 * if this one was disturbed. And one was noted: it is written if that is due. */
cobloc_status cob_saver_before(cob_saver *saver, const cob_task *task, const cob_restarts *restarts,
                               const cob_family *family, const cob_outcome *best,
                               const cob_outcome *ended, cobloc_error *err);
cobloc_status cob_saver_after(cob_saver *saver, const cob_task *task, const cob_restarts *restarts,
                              const cob_family *family, const cob_outcome *best, cobloc_error *err);
/* No further start will end. */
cobloc_status cob_saver_close(cob_saver *saver, const cob_task *task, const cob_restarts *restarts,
                              const cob_family *family, const cob_outcome *best, cobloc_error *err);

#endif
