/* The folder of a checkpoint.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* access, mkdir, rmdir, unlink */
#include "fit/checkpoint.h"

#include "base/alloc.h"
#include "base/crc.h"
#include "base/file.h"
#include "base/json.h"
#include "base/parallel.h"
#include "base/record.h"
#include "base/target.h"
#include "fit/fit.h"
#include "matrix/matrix.h"
#include "matrix/values.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char DESCRIPTION[] = "checkpoint.json";

struct cob_checkpoint {
    char *folder, *description;
    json_t *job;                 /* what is computed */
    const cobloc_matrix *matrix; /* of the computation, and */
    uint64_t data;               /* its digest */
    bool resumes, begun;
    bool writes; /* this process does; with several ranks, one of them */
};

/* ---- digests --------------------------------------------------------------------------------- */

/* FNV-1a: for some numbers and names. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ b[i]) * 1099511628211u;
    return hash;
}

static uint64_t mix_integer(uint64_t hash, int64_t value)
{
    return mix(hash, &value, sizeof value);
}

/* Arrays: blocks in parallel, always the same ones. Ranks share them, and do not keep the pages. */
static cobloc_status mix_array(uint64_t *hash, const void *array, size_t count, cob_ranks *ranks,
                               int threads, cobloc_error *err)
{
    enum { BLOCK = 1 << 22 };
    cobloc_status status = COBLOC_OK;
    int64_t blocks = (int64_t)((count + BLOCK - 1) / BLOCK);
    cob_between own = cob_ranks_blocks(ranks, blocks);
    uint32_t *sums = NULL;
    COB_NEW(sums, blocks);
#pragma omp parallel for schedule(static) num_threads(threads) if (blocks > 1)
    for (int64_t b = own.first; b < own.last; b++) {
        const unsigned char *from = (const unsigned char *)array + (size_t)b * BLOCK;
        size_t left = count - (size_t)b * BLOCK, bytes = left < BLOCK ? left : BLOCK;
        sums[b] = cob_crc32(0, from, bytes);
        if (ranks)
            cob_give_back(from, bytes);
    }
    COB_TRY(cob_part_gather(&(cob_part){ranks, {own}}, 0, sums, sizeof *sums, err));
    *hash = mix_integer(*hash, (int64_t)count);
    *hash = mix(*hash, sums, (size_t)blocks * sizeof *sums);
done:
    cob_free(sums);
    return status;
}

static cobloc_status digest_entries(const cobloc_matrix *x, cob_ranks *ranks, int threads,
                                    uint64_t *hash, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view v = cobloc_matrix_by_rows(x);
    *hash = mix_integer(mix_integer(*hash, v.major), v.minor);
    *hash = mix_integer(*hash, (int64_t)v.kind);
    if (x->shards) { /* of which not all need be here */
        *hash = mix_integer(*hash, x->shards->of);
        return COBLOC_OK;
    }
    COB_TRY(
        mix_array(hash, v.offsets, (size_t)(v.major + 1) * sizeof *v.offsets, ranks, threads, err));
    COB_TRY(mix_array(hash, v.indices, (size_t)v.nnz * sizeof *v.indices, ranks, threads, err));
    if (v.values)
        COB_TRY(
            mix_array(hash, v.values, (size_t)v.nnz * cob_kind_width(v.kind), ranks, threads, err));
    if (x->missing)
        COB_TRY(digest_entries(x->missing, ranks, threads, hash, err));
done:
    return status;
}

static cobloc_status digest_matrix(const cobloc_matrix *x, const cobloc_fit_options *o,
                                   uint64_t *hash, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_ranks *ranks = NULL;
    COB_TRY(cob_ranks_open(&o->communicator, &ranks, err));
    COB_TRY(digest_entries(x, ranks, cob_threads(o->threads), hash, err));
done:
    cob_ranks_close(ranks);
    return status;
}

static uint64_t mix_known(uint64_t hash, const void *array, int64_t count, size_t size)
{
    return array ? mix(mix_integer(hash, count), array, (size_t)count * size) : hash;
}

/* Labels and effects that the user gives. */
static uint64_t digest_known(uint64_t hash, const cobloc_matrix *x, const cobloc_fit_options *o)
{
    hash = mix_known(hash, o->start_rows, x->rows, sizeof *o->start_rows);
    hash = mix_known(hash, o->start_cols, x->cols, sizeof *o->start_cols);
    hash = mix_known(hash, o->fix_rows, x->rows, sizeof *o->fix_rows);
    hash = mix_known(hash, o->fix_cols, x->cols, sizeof *o->fix_cols);
    hash = mix_known(hash, o->row_effects, x->rows, sizeof *o->row_effects);
    hash = mix_known(hash, o->col_effects, x->cols, sizeof *o->col_effects);
    for (int i = 0; i < o->base_count; i++) {
        hash = mix_known(hash, o->base[i].row_labels, x->rows, sizeof *o->base->row_labels);
        hash = mix_known(hash, o->base[i].col_labels, x->cols, sizeof *o->base->col_labels);
    }
    return hash;
}

static const uint64_t FIRST = 14695981039346656037u;

cobloc_status cob_checkpoint_key(const cob_checkpoint *c, const cobloc_matrix *matrix,
                                 const cobloc_fit_options *o, const char *model, uint64_t *key,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint64_t hash = c->data;
    if (matrix != c->matrix)
        COB_TRY(digest_matrix(matrix, o, &hash, err));
    hash = mix(hash, model, strlen(model));
    const int64_t numbers[] = {o->k,
                               o->l,
                               (int64_t)o->inference,
                               (int64_t)o->weight,
                               (int64_t)o->start,
                               o->restarts,
                               o->max_iterations,
                               (int64_t)o->seed};
    hash = mix(hash, numbers, sizeof numbers);
    hash = mix(hash, &o->tolerance, sizeof o->tolerance);
    if (o->until_same)
        hash = mix_integer(hash, o->until_same);
    *key = digest_known(hash, matrix, o);
done:
    return status;
}

uint64_t cob_checkpoint_subkey(uint64_t key, const char *model, cobloc_start start, int restarts)
{
    key = mix(key, model, strlen(model));
    return mix_integer(mix_integer(key, (int64_t)start), restarts);
}

/* ---- what is computed ------------------------------------------------------------------------ */

static json_t *hexadecimal(uint64_t number)
{
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, number);
    return json_string(text);
}

static cobloc_status describe(cob_checkpoint *c, const cobloc_matrix *matrix,
                              const cobloc_fit_options *o, const char *what, json_t *more,
                              cobloc_error *err)
{
    static const char names[] = "model k l most inference weight start restarts max_iterations "
                                "tolerance seed";
    cobloc_status status = COBLOC_OK;
    json_t *options = cob_record_json(o, &cob_fit_options_type, names);
    c->data = FIRST;
    COB_TRY(digest_matrix(matrix, o, &c->data, err));
    uint64_t known = digest_known(FIRST, matrix, o);
    c->job = json_pack("{s:s, s:s, s:o, s:o, s:o*, s:b}", "version", cobloc_version(),
                       "computation", what, "data", hexadecimal(c->data), "known",
                       hexadecimal(known), "options", options, "finished", 0);
    options = NULL;
    COB_CHECK(c->job, COBLOC_NO_MEMORY, "out of memory");
    if (more)
        json_object_update(json_object_get(c->job, "options"), more);
done:
    json_decref(options);
    return status;
}

/* The first of our keys that another object has with another value; NULL: none. */
static const char *find_difference(json_t *ours, json_t *theirs)
{
    const char *key;
    json_t *value;
    json_object_foreach(ours, key,
                        value) if (!json_equal(value, json_object_get(theirs, key))) return key;
    return NULL;
}

static cobloc_status refuse(const cob_checkpoint *c, const char *name, json_t *was, json_t *now,
                            cobloc_error *err)
{
    char *before = cob_json_print(was, JSON_ENCODE_ANY),
         *after = cob_json_print(now, JSON_ENCODE_ANY);
    cobloc_status status = cob_fail(
        err, COBLOC_BAD_ARGUMENT, "%s: is the checkpoint of another run: %s was %s, not %s",
        c->folder, name, before ? before : "not there", after ? after : "not there");
    free(before);
    free(after);
    return status;
}

static cobloc_status compare(const cob_checkpoint *c, json_t *other, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *ours = json_object_get(c->job, "options"), *theirs = json_object_get(other, "options");
    COB_CHECK(json_is_object(other) && json_is_object(theirs), COBLOC_BAD_DATA,
              "%s: is damaged: it says nothing of the run that it is of", c->description);
    for (const char *const *key = (const char *const[]){"version", "computation", NULL}; *key;
         key++)
        if (!json_equal(json_object_get(c->job, *key), json_object_get(other, *key)))
            return refuse(c, *key, json_object_get(other, *key), json_object_get(c->job, *key),
                          err);
    const char *name = find_difference(ours, theirs);
    if (!name)
        name = find_difference(theirs, ours);
    if (name)
        return refuse(c, name, json_object_get(theirs, name), json_object_get(ours, name), err);
    COB_CHECK(json_equal(json_object_get(c->job, "data"), json_object_get(other, "data")),
              COBLOC_BAD_ARGUMENT, "%s: is the checkpoint of a run on another matrix", c->folder);
    COB_CHECK(json_equal(json_object_get(c->job, "known"), json_object_get(other, "known")),
              COBLOC_BAD_ARGUMENT,
              "%s: is the checkpoint of a run with other known labels, effects or first labels",
              c->folder);
done:
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

static cobloc_status write_description(const cob_checkpoint *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    char *text = cob_json_print(c->job, JSON_INDENT(2));
    COB_CHECK(text, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_file_create(c->description, &file, err));
    cob_file_text(file, text);
    cob_file_char(file, '\n');
    COB_TRY(cob_file_commit(file, err));
done:
    cob_file_close(file);
    free(text);
    return status;
}

/* Whether a file of this name is one of a checkpoint: KEY.table or KEY-N.run, or a temporary. */
static bool is_ours(const char *name)
{
    size_t key = strspn(name, "0123456789abcdef");
    const char *rest = name + key;
    if (cob_is_temporary(name))
        return is_ours(name + 1) || strncmp(name + 1, DESCRIPTION, sizeof DESCRIPTION - 1) == 0;
    if (key != 16)
        return false;
    if (strncmp(rest, ".table", 6) == 0)
        return true;
    return *rest == '-' && strncmp(rest + 1 + strspn(rest + 1, "0123456789"), ".run", 4) == 0;
}

/* Removes all files but the description. */
static void clear(const char *folder)
{
    DIR *list = opendir(folder);
    for (const struct dirent *entry; list && (entry = readdir(list));)
        if (is_ours(entry->d_name))
            unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
}

cobloc_status cob_checkpoint_begin(cob_checkpoint *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
#pragma omp critical(cob_checkpoint)
    {
        if (!c->begun && !c->resumes) {
            if (mkdir(c->folder, 0777) != 0 && errno != EEXIST)
                status =
                    cob_fail(err, COBLOC_IO, "%s: cannot be made: %s", c->folder, strerror(errno));
            else
                clear(c->folder);
        }
        if (!c->begun && status == COBLOC_OK)
            status = write_description(c, err);
        c->begun = c->begun || status == COBLOC_OK;
    }
    return status;
}

char *cob_checkpoint_path(const cob_checkpoint *c, uint64_t key, int start)
{
    char name[48];
    if (start < 0)
        snprintf(name, sizeof name, "%016" PRIx64 ".table", key);
    else
        snprintf(name, sizeof name, "%016" PRIx64 "-%d.run", key, start);
    return cob_path_inside(c->folder, name);
}

bool cob_checkpoint_resumes(const cob_checkpoint *c)
{
    return c->resumes;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static void checkpoint_free(cob_checkpoint *c)
{
    if (!c)
        return;
    cob_free(c->folder);
    cob_free(c->description);
    json_decref(c->job);
    cob_free(c);
}

/* Looks at one that is there. */
static cobloc_status look(cob_checkpoint *c, bool resume, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *other = NULL;
    if (access(c->description, F_OK) != 0)
        return COBLOC_OK;
    COB_TRY(cob_json_read(c->description, &other, err));
    COB_CHECK(resume || json_is_true(json_object_get(other, "finished")), COBLOC_BAD_ARGUMENT,
              "%s: holds the checkpoint of a run that is not finished: resume it (--resume), or "
              "remove the folder",
              c->folder);
    if (resume) {
        COB_TRY(compare(c, other, err));
        c->resumes = true;
    }
done:
    json_decref(other);
    return status;
}

/* All ranks look, then the first may write. */
static cobloc_status wait_for_others(cob_checkpoint *c, const cobloc_communicator *communicator,
                                     cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_ranks *ranks = NULL;
    int64_t votes;
    COB_TRY(cob_ranks_open(communicator, &ranks, err));
    c->writes = !ranks || ranks->rank == 0;
    if (ranks && !cob_ranks_vote(ranks, c->resumes, &votes))
        COB_TRY(cob_ranks_check(ranks, err));
    COB_CHECK(!ranks || votes == (c->resumes ? ranks->size : 0), COBLOC_IO,
              "%s: is not the same folder for all ranks", c->folder);
done:
    cob_ranks_close(ranks);
    return status;
}

cobloc_status cob_checkpoint_open(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                  const char *what, json_t *more, cob_checkpoint **out,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_checkpoint *c = NULL;
    *out = NULL;
    COB_CHECK(options->checkpoint || !options->resume, COBLOC_BAD_ARGUMENT,
              "to resume a run, its checkpoint must be named (--checkpoint)");
    if (!options->checkpoint)
        goto done;
    COB_NEW_ZERO(c, 1);
    c->matrix = matrix;
    COB_TRY(cob_copy_text(options->checkpoint, &c->folder, err));
    c->description = cob_path_inside(c->folder, DESCRIPTION);
    COB_CHECK(c->description, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_check_lengths(matrix, options, err)); /* their digests follow */
    COB_TRY(describe(c, matrix, options, what, more, err));
    COB_TRY(look(c, options->resume, err));
    COB_TRY(wait_for_others(c, &options->communicator, err));
    *out = c;
    c = NULL;
done:
    json_decref(more);
    checkpoint_free(c);
    return status;
}

cobloc_status cob_checkpoint_close(cob_checkpoint *c, cobloc_status status, bool whole,
                                   cobloc_error *err)
{
    if (c && c->writes && status == COBLOC_OK && whole && (c->begun || c->resumes)) {
        json_object_set_new(c->job, "finished", json_true());
        status = write_description(c, err);
    }
    checkpoint_free(c);
    return status;
}

cobloc_status cobloc_checkpoint_remove(const char *folder, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *description = cob_path_inside(folder, DESCRIPTION);
    COB_CHECK(description, COBLOC_NO_MEMORY, "out of memory");
    if (access(description, F_OK) != 0)
        goto done;
    clear(folder);
    COB_CHECK(unlink(description) == 0, COBLOC_IO, "%s: cannot be removed: %s", description,
              strerror(errno));
    rmdir(folder); /* unless other files are in it */
done:
    cob_free(description);
    return status;
}
