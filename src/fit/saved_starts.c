/* The starts of a fit in its checkpoint.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* access, unlink */
#include "fit/checkpoint.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "fit/alike.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Seconds: what took less is sooner done again than read. */
static const double WORTH_KEEPING = 0.02;

/* ---- tables as sections ---------------------------------------------------------------------- */

/* All of a table that is not an array. */
typedef struct numbers {
    int32_t restarts, crosses, finished, has[COB_FOUNDERS];
    int32_t any, of_run; /* whether there is a best outcome, and one of the engine */
    int32_t g, m, iterations, kept, stop, own_modularity;
    uint32_t restart;
    uint32_t arrays; /* of a method's outcome: which there are, a bit each */
    int64_t trace_count;
    double criterion, modularity;
} numbers;

typedef struct part {
    char name[COB_SECTION_NAME + 1];
    void **at;
    size_t count, size;
} part;

enum { MOST_PARTS = 32 };

static part part_of(const char *name, void *at, size_t count, size_t size)
{
    part p = {.at = at, .count = count, .size = size};
    memcpy(p.name, name, strlen(name));
    return p;
}

/* The arrays of a table, beside those of the best outcome. */
static int list_table(const cob_task *task, cob_restarts *r, cob_family *f, part parts[MOST_PARTS])
{
    size_t restarts = (size_t)task->restarts;
    size_t cells = (size_t)task->k * (size_t)task->l * restarts *
                   (size_t)task->problem.operand.depth.parameters;
    int count = 0;
    parts[count++] = part_of("criteria", &r->criteria, restarts, sizeof *r->criteria);
    if (r->means) {
        parts[count++] = part_of("means", &r->means, cells, sizeof *r->means);
        parts[count++] = part_of("squares", &r->squares, cells, sizeof *r->squares);
        parts[count++] = part_of("draws", &r->draws, restarts, sizeof *r->draws);
    }
    for (int i = 0; i < COB_FOUNDERS; i++)
        for (cob_axis side = COB_ROWS; f->has[i] && side <= COB_COLS; side++) {
            char name[] = {'f', 'o', 'u', 'n', 'd', ' ', (char)('0' + i), side ? 'c' : 'r', '\0'};
            parts[count++] = part_of(name, &f->found[i].of[side],
                                     (size_t)cob_line_count(&task->problem, side), sizeof(int32_t));
        }
    return count;
}

/* The arrays of an outcome of a method; all that can be there. */
static int list_outcome(const cob_task *task, cob_outcome *o, part parts[MOST_PARTS])
{
    size_t rows = (size_t)task->prepared.x->rows, cols = (size_t)task->prepared.x->cols;
    size_t g = (size_t)o->g, m = (size_t)o->m;
    int count = 0;
    parts[count++] = part_of("row labels", &o->row_labels, rows, sizeof(int32_t));
    parts[count++] = part_of("col labels", &o->col_labels, cols, sizeof(int32_t));
    parts[count++] = part_of("row soft", &o->row_soft, rows * g, sizeof(double));
    parts[count++] = part_of("col soft", &o->col_soft, cols * m, sizeof(double));
    parts[count++] = part_of("block", &o->block, g * m, sizeof(double));
    parts[count++] = part_of("parameters", &o->parameters, g * m, sizeof(double));
    parts[count++] = part_of("pi", &o->pi, g, sizeof(double));
    parts[count++] = part_of("rho", &o->rho, m, sizeof(double));
    parts[count++] = part_of("components", &o->components, cols * g, sizeof(double));
    parts[count++] = part_of("trace", &o->trace, o->trace_count, sizeof(double));
    return count;
}

static void put_parts(cob_sections_file *file, const part *parts, int count)
{
    for (int i = 0; i < count; i++)
        if (*parts[i].at)
            cob_sections_put(file, parts[i].name, *parts[i].at, parts[i].count * parts[i].size);
}

/* Into arrays that are there, or new ones. */
static cobloc_status get_part(const cob_sections *from, const part *p, cobloc_error *err)
{
    if (!*p->at && !(*p->at = cob_alloc(p->count, p->size)))
        return cob_fail_memory(err, p->count, p->size);
    return cob_sections_get(from, p->name, *p->at, p->count * p->size, err);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_outcome(const cob_task *task, const cob_outcome *best, numbers *n,
                        cob_sections_file *file)
{
    part parts[MOST_PARTS];
    cob_outcome o = *best;
    int count = best->run ? 0 : list_outcome(task, &o, parts);
    n->any = true;
    n->of_run = best->run != NULL;
    n->g = o.g;
    n->m = o.m;
    n->iterations = o.iterations;
    n->kept = o.kept;
    n->stop = (int32_t)o.stop;
    n->own_modularity = o.own_modularity;
    n->restart = o.restart;
    n->trace_count = (int64_t)o.trace_count;
    n->criterion = o.criterion;
    n->modularity = o.modularity;
    for (int i = 0; i < count; i++)
        n->arrays |= *parts[i].at ? 1u << i : 0;
    put_parts(file, parts, count);
    if (best->run) {
        cob_run ended = *best->run;
        ended.place = (cob_place){.phase = COB_DONE};
        cob_run_write(&ended, file);
    }
}

void cob_table_put(const cob_task *task, const cob_restarts *restarts, const cob_family *family,
                   const cob_outcome *best, cob_sections_file *file)
{
    cob_restarts r = *restarts;
    cob_family f = *family;
    part parts[MOST_PARTS];
    numbers n = {.restarts = task->restarts, .crosses = f.crosses, .finished = f.finished};
    for (int i = 0; i < COB_FOUNDERS; i++)
        n.has[i] = f.has[i];
    put_parts(file, parts, list_table(task, &r, &f, parts));
    if (best->row_labels)
        put_outcome(task, best, &n, file);
    cob_sections_put(file, "table", &n, sizeof n);
}

static cobloc_status write_table(const cob_saver *s, const cob_task *task,
                                 const cob_restarts *restarts, const cob_family *family,
                                 const cob_outcome *best, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_sections_file *file = NULL;
    char *path = cob_checkpoint_path(s->to, s->key, -1);
    COB_CHECK(path, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_checkpoint_begin(s->to, err));
    COB_TRY(cob_sections_create(path, &file, err));
    cob_table_put(task, restarts, family, best, file);
done:
    status = cob_sections_finish(file, status, err);
    cob_free(path);
    return status;
}

/* States of runs that have ended since are of no use, nor are any once no more runs are wanted. */
static void remove_states(const cob_saver *s, const cob_restarts *restarts, int count, bool all)
{
    for (int i = 0; i < count; i++) {
        bool of_use = !all && isnan(restarts->criteria[i]);
        char *path = of_use ? NULL : cob_checkpoint_path(s->to, s->key, i);
        if (path)
            unlink(path);
        cob_free(path);
    }
}

static cobloc_status save(cob_saver *s, const cob_task *task, const cob_restarts *restarts,
                          const cob_family *family, const cob_outcome *best, cobloc_error *err)
{
    int states;
    cobloc_status status = write_table(s, task, restarts, family, best, err);
#pragma omp atomic read
    states = s->states;
    if (status == COBLOC_OK && states > 0)
        remove_states(s, restarts, task->restarts, false);
    s->written = cob_clock();
    s->changed = false;
    return status;
}

static cobloc_status keep_run(void *data, cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_saver *s = data;
    cob_sections_file *file = NULL;
    char *path = cob_checkpoint_path(s->to, s->key, (int)run->restart);
    COB_CHECK(path, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_checkpoint_begin(s->to, err));
    COB_TRY(cob_sections_create(path, &file, err));
    cob_run_write(run, file);
#pragma omp atomic update
    s->states++;
done:
    status = cob_sections_finish(file, status, err);
    cob_free(path);
    return status;
}

/* ---- the fit --------------------------------------------------------------------------------- */

void cob_saver_open(cob_saver *s, const cob_task *task)
{
    *s = (cob_saver){
        .to = task->kept, .began = cob_clock(), .ranks = task->ranks, .group = task->group};
    s->writes = s->to && (!task->ranks || task->ranks->rank == 0);
    if (!s->to)
        return;
    s->key = cob_checkpoint_subkey(task->key, task->algorithm.name, task->start, task->restarts);
    s->keeper = (cob_keeper){keep_run, s, task->keep_every};
    s->written = s->began;
}

/* Whether a start is not what it would have been without a limit or the user. */
static bool is_disturbed(const cob_task *task, const cob_outcome *ended)
{
    return ended->stop == COBLOC_STOP_TIME || ended->stop == COBLOC_STOP_CANCELLED ||
           (ended->run && ended->run->disturbed) || cob_clock() > task->watch.deadline;
}

cobloc_status cob_saver_before(cob_saver *s, const cob_task *task, const cob_restarts *restarts,
                               const cob_family *family, const cob_outcome *best,
                               const cob_outcome *ended, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (!s->writes || s->sealed || !is_disturbed(task, ended))
        return COBLOC_OK;
    if (s->changed)
        status = save(s, task, restarts, family, best, err);
    s->sealed = true;
    return status;
}

cobloc_status cob_saver_after(cob_saver *s, const cob_task *task, const cob_restarts *restarts,
                              const cob_family *family, const cob_outcome *best, cobloc_error *err)
{
    if (!s->writes || s->sealed)
        return COBLOC_OK;
    s->changed = true;
    if (cob_clock() - s->written < task->keep_every)
        return COBLOC_OK;
    return save(s, task, restarts, family, best, err);
}

cobloc_status cob_saver_close(cob_saver *s, const cob_task *task, const cob_restarts *restarts,
                              const cob_family *family, const cob_outcome *best, cobloc_error *err)
{
    if (s->writes && !s->sealed && s->states > 0 && cob_enough_alike(task, restarts, best))
        remove_states(s, restarts, task->restarts, true);
    if (!s->writes || s->sealed || !s->changed || cob_clock() - s->began < WORTH_KEEPING)
        return COBLOC_OK;
    return save(s, task, restarts, family, best, err);
}

/* ---- reading --------------------------------------------------------------------------------- */

static cobloc_status check_numbers(const cob_task *task, const cob_family *family, const numbers *n,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool right = n->restarts == task->restarts && n->crosses == family->crosses &&
                 n->finished >= 0 && n->finished <= n->restarts &&
                 n->restart < (uint32_t)n->restarts;
    bool outcome = n->g == task->k && n->m == task->l &&
                   n->of_run == (task->algorithm.model != NULL) && n->iterations >= 0 &&
                   n->kept >= 0 && n->stop >= COBLOC_STOP_CONVERGED &&
                   n->stop <= COBLOC_STOP_CANCELLED && n->trace_count >= 0 &&
                   n->trace_count < INT32_MAX && isfinite(n->criterion);
    COB_CHECK(right && (!n->any || outcome), COBLOC_BAD_DATA,
              "the checkpoint is damaged: its table is not of this fit");
done:
    return status;
}

static cobloc_status get_run(const cob_task *task, const numbers *n, const cob_sections *from,
                             cob_outcome *best, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_run *run = NULL;
    COB_TRY(cob_run_new(&task->problem, task->k, task->l, n->restart, cob_threads(task->threads),
                        &run, err));
    COB_TRY(cob_run_read(run, from, err));
    COB_CHECK(run->place.phase == COB_DONE, COBLOC_BAD_DATA,
              "the checkpoint is damaged: its best start has not ended");
    run->place = (cob_place){0};
    cob_outcome_of_run(run, best);
    run = NULL;
done:
    cob_run_free(run);
    return status;
}

static cobloc_status get_method(const cob_task *task, const numbers *n, const cob_sections *from,
                                cob_outcome *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    part parts[MOST_PARTS];
    const uint32_t needed = 1u << 0 | 1u << 1 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7;
    *o = (cob_outcome){.g = n->g,
                       .m = n->m,
                       .restart = n->restart,
                       .criterion = n->criterion,
                       .iterations = n->iterations,
                       .trace_count = (size_t)n->trace_count,
                       .modularity = n->modularity,
                       .own_modularity = n->own_modularity != 0,
                       .kept = n->kept,
                       .stop = (cobloc_stop)n->stop};
    int count = list_outcome(task, o, parts);
    COB_CHECK((n->arrays & needed) == needed && (n->trace_count == 0 || n->arrays >> 9 & 1),
              COBLOC_BAD_DATA, "the checkpoint is damaged: its best start lacks something");
    for (int i = 0; i < count; i++)
        if (n->arrays >> i & 1)
            COB_TRY(get_part(from, &parts[i], err));
    COB_TRY(cob_check_read_labels(o->row_labels, task->prepared.x->rows, o->g, err));
    COB_TRY(cob_check_read_labels(o->col_labels, task->prepared.x->cols, o->m, err));
done:
    return status;
}

cobloc_status cob_table_get(const cob_task *task, const cob_sections *from, cob_restarts *r,
                            cob_family *f, cob_outcome *best, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_outcome found = {0};
    part parts[MOST_PARTS];
    numbers n;
    COB_TRY(cob_sections_get(from, "table", &n, sizeof n, err));
    COB_TRY(check_numbers(task, f, &n, err));
    f->finished = n.finished;
    for (int i = 0; i < COB_FOUNDERS && f->crosses; i++)
        f->has[i] = n.has[i] != 0;
    int count = list_table(task, r, f, parts);
    for (int i = 0; i < count; i++)
        COB_TRY(get_part(from, &parts[i], err));
    for (int i = 0; i < COB_FOUNDERS; i++)
        for (cob_axis side = COB_ROWS; f->has[i] && side <= COB_COLS; side++)
            COB_TRY(cob_check_read_labels(f->found[i].of[side],
                                          cob_line_count(&task->problem, side),
                                          side == COB_ROWS ? task->k : task->l, err));
    if (n.any) {
        COB_TRY((n.of_run ? get_run : get_method)(task, &n, from, &found, err));
        cob_outcome_free(best);
        *best = found;
        found = (cob_outcome){0};
    }
    COB_CHECK(best->row_labels || !isfinite(r->criteria[0]), COBLOC_BAD_DATA,
              "the checkpoint is damaged: it has no best start");
done:
    cob_outcome_free(&found);
    return status;
}

/* Reads one of the files, if there is one. */
static cobloc_status open_file(const cob_saver *s, int start, cob_sections **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *path = NULL;
    *out = NULL;
    if (!s->to || !cob_checkpoint_resumes(s->to))
        return COBLOC_OK;
    path = cob_checkpoint_path(s->to, s->key, start);
    COB_CHECK(path, COBLOC_NO_MEMORY, "out of memory");
    if (access(path, F_OK) == 0)
        COB_TRY(cob_sections_read(path, out, err));
done:
    cob_free(path);
    return status;
}

/* The same for some ranks: the first one reads, so that all of them see the same. */
static cobloc_status open_for_all(const cob_saver *s, cob_ranks *ranks, int start,
                                  cob_sections **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t count = 0;
    const char *bytes = NULL;
    if (!s->to || !cob_checkpoint_resumes(s->to) || !ranks)
        return open_file(s, start, out, err);
    *out = NULL;
    if (ranks->rank == 0)
        COB_TRY(open_file(s, start, out, err));
    if (*out)
        bytes = cob_sections_bytes(*out, &count);
    if (!cob_ranks_gather(ranks, bytes, (int64_t)count))
        return cob_ranks_check(ranks, err);
    if (ranks->rank > 0 && ranks->counts[0] > 0)
        COB_TRY(
            cob_sections_open("the checkpoint", ranks->all, (size_t)ranks->counts[0], out, err));
done:
    return status;
}

cobloc_status cob_saver_read(cob_saver *s, const cob_task *task, cob_restarts *restarts,
                             cob_family *family, cob_outcome *best, cobloc_error *err)
{
    cob_sections *from = NULL;
    cobloc_status status = open_for_all(s, s->ranks, -1, &from, err);
    if (status == COBLOC_OK && from)
        status = cob_group_begin(s->ranks, err);
    if (status == COBLOC_OK && from) { /* a group computes what the table does not have */
        status = cob_table_get(task, from, restarts, family, best, err);
        status = cob_group_end(s->ranks, s->group, status, err);
    }
    cob_sections_free(from);
    return status;
}

cobloc_status cob_saver_read_run(cob_saver *s, cob_run *run, cobloc_error *err)
{
    cob_sections *from = NULL;
    cobloc_status status = open_for_all(s, s->group, (int)run->restart, &from, err);
    if (status == COBLOC_OK && from)
        status = cob_run_read(run, from, err);
    cob_sections_free(from);
    if (s->writes) {
        run->keeper = &s->keeper;
        run->keep_at = cob_clock() + s->keeper.interval;
    }
    return status;
}
