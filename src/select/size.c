/* A fit that chooses its number of clusters.
 *
 * If the table is what a block model says, the ICL of that model is right. Real tables seldom are:
 * words come in bursts, and ICL sees a cluster in each of them. Then the size is chosen on which
 * several models agree most: they make different errors, so they agree on what the data show.
 *
 * SPDX-License-Identifier: MIT
 */
#include "select/size.h"

#include "base/alloc.h"
#include "base/random.h"
#include "fit/auto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes are tried up to twice the best, and to this one at most. */
enum { MOST = 96 };
/* So many rows, or columns, tell the size of a larger table; and so many entries. */
enum { SAMPLE = 3000, ENOUGH = 300000 };
enum { PURPOSE_SAMPLE = 95 }; /* random stream, above those of neighbours */
/* Of the time and of the progress, the final fit has the rest. */
static const double SHARE = 0.8;

typedef struct search {
    const cobloc_matrix *matrix; /* or a sample of its rows, */
    cobloc_matrix *sample;       /* which is here */
    const cobloc_fit_options *options;
    cob_algorithm algorithm;
    cob_watch watch;
    double done, share; /* of the progress so far, and of what is under way */
    int most;           /* clusters */
    const char *rule;
    cob_tried *tried;
    int count;
    int k, l; /* chosen; l = 0: what goes with k */
    char summary[256];
} search;

/* ---- progress and limits --------------------------------------------------------------------- */

static int report(void *user, const char *what, double done)
{
    const search *s = user;
    const cobloc_progress *p = &s->options->progress;
    (void)what;
    return p->report(p->user, "size", s->done + s->share * fmin(done, 1));
}

static int report_fit(void *user, const char *what, double done)
{
    const search *s = user;
    const cobloc_progress *p = &s->options->progress;
    return p->report(p->user, what, SHARE + (1 - SHARE) * done);
}

static int64_t fewer(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* No more clusters than lines that differ; an empty one is in no cluster. */
static cobloc_status limit_sizes(search *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_matrix *x = s->matrix;
    cobloc_view rows = cobloc_matrix_by_rows(x), cols = cobloc_matrix_by_cols(x);
    int64_t of_rows, of_cols, most = s->options->most ? s->options->most : MOST;
    COB_TRY(cob_count_different(&rows, most + 1, &of_rows, err));
    COB_TRY(cob_count_different(&cols, most + 1, &of_cols, err));
    most = fewer(most, fewer(of_rows - (x->empty_rows > 0), of_cols - (x->empty_cols > 0)));
    s->most = (int)most;
done:
    return status;
}

static bool stopped(const search *s)
{
    return cob_must_stop(&s->watch, 0, 0) != COBLOC_STOP_CONVERGED;
}

/* Numbers a share of the lines, each as likely to stay as any other; NULL: all stay. */
static cobloc_status draw_lines(const search *s, cob_axis side, int64_t count, double share,
                                int32_t **map, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_stream stream = cob_stream_at(s->options->seed, side, 0, PURPOSE_SAMPLE);
    int32_t next = 0;
    if (share >= 1)
        return COBLOC_OK;
    COB_NEW(*map, count);
    for (int64_t i = 0; i < count; i++)
        (*map)[i] = cob_random_uniform(&stream, (uint64_t)i) < share ? next++ : -1;
done:
    return status;
}

/* A large table is sampled: first rows, as long as many are left, then columns. */
static cobloc_status take_sample(search *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_matrix *x = s->matrix;
    int32_t *maps[2] = {NULL, NULL};
    double enough = (double)ENOUGH / (double)x->nnz;
    double rows = fmin(fmax((double)SAMPLE / (double)x->rows, enough), 1);
    double cols = fmax((double)SAMPLE / (double)x->cols, enough / rows);
    if (x->missing || (rows >= 1 && cols >= 1))
        return COBLOC_OK;
    COB_TRY(draw_lines(s, COB_ROWS, x->rows, rows, &maps[COB_ROWS], err));
    COB_TRY(draw_lines(s, COB_COLS, x->cols, cols, &maps[COB_COLS], err));
    COB_TRY(
        cob_matrix_pick(x, maps[COB_ROWS], maps[COB_COLS], s->options->threads, &s->sample, err));
    s->matrix = s->sample;
done:
    cob_free(maps[COB_ROWS]);
    cob_free(maps[COB_COLS]);
    return status;
}

/* ---- ICL ------------------------------------------------------------------------------------- */

/* The model whose ICL counts: its own, or that of its kind. */
static cob_algorithm model_for_icl(const search *s)
{
    const cob_model *own = s->algorithm.model;
    if (own && own->free_parameters && own->structure->merges &&
        (own->entries != COB_VALUES || own->law == COB_LAW_BERNOULLI))
        return s->algorithm;
    return cob_algorithm_of(s->algorithm.binary || s->matrix->kind == COBLOC_ONES ? "lbm" : "plbm");
}

/* The best size by ICL, from more and more clusters as long as the best is where it begins. */
static cobloc_status choose_by_icl(search *s, const cob_algorithm *a, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_result *best = NULL;
    cobloc_fit_options o = *s->options;
    bool own = strcmp(a->name, s->algorithm.name) == 0;
    o.model = a->name;
    o.row_effects = o.col_effects = NULL;
    o.inference = COBLOC_INFERENCE_AUTO;
    o.l = 0;
    o.progress = s->watch.progress;
    s->share = SHARE - s->done;
    for (int from = COB_FIRST_SIZES;; from *= 2) {
        o.k = from < s->most ? from : s->most;
        if (isfinite(s->watch.deadline))
            o.max_seconds = fmax(s->watch.deadline - cob_clock(), 1e-9);
        COB_TRY(cobloc_fit_greedy(s->matrix, &o, &best, err));
        if (best->k < o.k || o.k == s->most || stopped(s))
            break;
        cobloc_result_free(best);
        best = NULL;
    }
    s->k = best->k;
    s->l = own ? best->l : 0;
    s->rule = best->size_rule;
    s->tried = best->sizes;
    s->count = best->size_count;
    best->sizes = NULL;
    snprintf(s->summary, sizeof s->summary,
             "%d is the size with the largest ICL of %s, which describes this table well.", s->k,
             a->name);
done:
    cobloc_result_free(best);
    return status;
}

/* Whether ICL may choose: if the model's numbers are no counts, nothing else can; else if the table
 * is what the model says. */
static cobloc_status may_use_icl(search *s, const cob_algorithm *a, bool *may, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_path path = {0};
    int k = COB_FIRST_SIZES < s->most ? COB_FIRST_SIZES : s->most;
    bool counts = s->matrix->kind <= COBLOC_U32;
    cobloc_fit_options o;
    *may = a->model->entries != COB_VALUES;
    if (*may || (!counts && !a->binary))
        return COBLOC_OK;
    cob_fit_options_default(&o);
    o.seed = s->options->seed;
    o.threads = s->options->threads;
    COB_TRY(cob_path_open(s->matrix, &o, a, k, s->watch, &path, err));
    COB_TRY(cob_model_holds(path.run, may, err));
done:
    cob_path_close(&path);
    return status;
}

/* ---- agreement ------------------------------------------------------------------------------- */

/* The smallest size whose agreement is within one standard error of the best. */
static int chosen_of(const cob_agreed *sizes, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (cob_mean_agreement(&sizes[i]) > cob_mean_agreement(&sizes[best]))
            best = i;
    int chosen = best;
    for (int i = 0; i < count; i++) {
        double lost = cob_mean_agreement(&sizes[best]) - cob_mean_agreement(&sizes[i]);
        if (sizes[i].k < sizes[chosen].k && lost <= cob_agreement_error(&sizes[best], &sizes[i]))
            chosen = i;
    }
    return chosen;
}

static int by_size(const void *a, const void *b)
{
    const cob_agreed *x = a, *y = b;
    return (x->k > y->k) - (x->k < y->k);
}

static void put_agreement(const cob_agreed *sizes, int count, int chosen, char *to, size_t room)
{
    size_t at = (size_t)snprintf(to, room, "%d is the size on which %d models agree most: %.2f",
                                 sizes[chosen].k, COB_PANEL, cob_mean_agreement(&sizes[chosen]));
    for (int i = chosen - 1; i <= chosen + 1; i += 2)
        if (i >= 0 && i < count && at < room)
            at += (size_t)snprintf(to + at, room - at, ", with %d %.2f", sizes[i].k,
                                   cob_mean_agreement(&sizes[i]));
    if (at < room)
        snprintf(to + at, room - at, ".%s",
                 cob_mean_agreement(&sizes[chosen]) > 0
                     ? ""
                     : " They agree on less than half: the data show no clear blocs.");
}

static cobloc_status choose_by_agreement(search *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_agreed *sizes = NULL;
    int to = COB_FIRST_SIZES < s->most ? COB_FIRST_SIZES : s->most, from = to < 2 ? to : 2;
    COB_NEW(sizes, s->most + 1);
    for (;;) {
        s->share = (SHARE - s->done) / 2;
        COB_TRY(cob_agree(s->matrix, s->options, from, to, s->watch, sizes, &s->count, err));
        s->done += s->share;
        if (s->count == 0 || 2 * sizes[chosen_of(sizes, s->count)].k <= to || to >= s->most ||
            stopped(s))
            break;
        from = to + 1;
        to = (int)fewer(2 * to, s->most);
    }
    qsort(sizes, (size_t)s->count, sizeof *sizes, by_size);
    COB_NEW(s->tried, s->count + 1);
    for (int i = 0; i < s->count; i++)
        s->tried[i] =
            (cob_tried){.k = sizes[i].k, .l = sizes[i].k, .value = cob_mean_agreement(&sizes[i])};
    s->rule = cob_choice_names[COBLOC_BY_AGREEMENT];
    s->k = from < 2 ? from : 2; /* there was no time for any */
    if (s->count > 0) {
        int chosen = chosen_of(sizes, s->count);
        s->k = sizes[chosen].k;
        put_agreement(sizes, s->count, chosen, s->summary, sizeof s->summary);
    }
done:
    cob_free(sizes);
    return status;
}

/* ---- the fit --------------------------------------------------------------------------------- */

static cobloc_status choose(search *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool icl = false;
    COB_TRY(cobloc_matrix_verify(s->matrix, err));
    COB_TRY(cob_check_entries(s->matrix, &s->algorithm, err));
    COB_CHECK(s->matrix->nnz > 0, COBLOC_BAD_DATA, "the matrix holds no entries at all");
    COB_TRY(take_sample(s, err));
    COB_TRY(limit_sizes(s, err));
    cob_algorithm a = model_for_icl(s);
    COB_TRY(may_use_icl(s, &a, &icl, err));
    if (icl)
        COB_TRY(choose_by_icl(s, &a, err));
    else
        COB_TRY(choose_by_agreement(s, err));
done:
    return status;
}

/* The final fit, with the size that was chosen. */
static cobloc_status fit_chosen(search *s, const cobloc_matrix *matrix, double deadline,
                                cobloc_result **out, cobloc_error *err)
{
    cobloc_fit_options o = *s->options;
    o.k = s->k;
    o.l = o.l ? o.l : s->l;
    if (isfinite(deadline))
        o.max_seconds = fmax(deadline - cob_clock(), 1e-9);
    if (o.progress.report)
        o.progress = (cobloc_progress){report_fit, s};
    cobloc_status status = cobloc_fit(matrix, &o, out, err);
    if (status != COBLOC_OK)
        return status;
    (*out)->size_rule = s->rule;
    (*out)->sizes = s->tried;
    (*out)->size_count = s->count;
    s->tried = NULL;
    memcpy((*out)->size_summary, s->summary, sizeof s->summary);
    return COBLOC_OK;
}

cobloc_status cob_fit_sized(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                            cobloc_result **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double started = cob_clock();
    double seconds = options->max_seconds > 0 ? options->max_seconds : INFINITY;
    const char *model = options->model;
    cobloc_fit_options first; /* of auto: the model that suits the table tells the size */
    search s = {.matrix = matrix,
                .options = options,
                .watch = {.restarts = 1, .deadline = started + SHARE * seconds}};
    if (options->progress.report)
        s.watch.progress = (cobloc_progress){report, &s};
    COB_CHECK(!options->fix_rows && !options->fix_cols && options->start != COBLOC_START_LABELS,
              COBLOC_BAD_ARGUMENT, "known labels need a given number of clusters");
    if (cob_is_auto(model) && cob_auto_member(matrix, options, 0, &first))
        model = first.model;
    COB_TRY(cob_algorithm_find(model, &s.algorithm, err));
    COB_TRY(choose(&s, err));
    COB_TRY(fit_chosen(&s, matrix, started + seconds, out, err));
    (*out)->seconds = cob_clock() - started;
done:
    cob_free(s.tried);
    cobloc_matrix_free(s.sample);
    return status;
}
