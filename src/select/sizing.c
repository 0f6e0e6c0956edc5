/* The rule by which a number of clusters is chosen.
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

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes are tried up to twice the best: at least to the first of these, at most to the second. */
enum { FIRST = 24, MOST = 96 };
/* So many rows, or columns, tell the size of a larger table; and so many entries, unless they are
 * of more rows than anyone needs. */
enum { SAMPLE = 3000, MOST_SAMPLE = 20000, ENOUGH = 800000 };
enum { PURPOSE_SAMPLE = 95 }; /* random stream, above those of neighbours */

typedef struct search {
    const cobloc_matrix *matrix; /* or a sample of its rows, */
    cobloc_matrix *sample;       /* which is here */
    const cobloc_fit_options *options;
    cob_algorithm algorithm;
    cob_watch watch;    /* of the whole search */
    double done, share; /* of the progress so far, and of what is under way */
    cob_sizes sizes;
    int most; /* clusters */
    cob_sizing *found;
} search;

void cob_sizing_free(cob_sizing *sizing)
{
    cob_free(sizing->tried);
    cob_free(sizing->spreads);
    *sizing = (cob_sizing){0};
}

/* ---- progress and limits --------------------------------------------------------------------- */

static int report(void *user, const char *what, double done)
{
    const search *s = user;
    const cobloc_progress *p = &s->watch.progress;
    (void)what;
    return p->report(p->user, "size", s->done + s->share * fmin(done, 1));
}

static cob_watch watch_of(search *s)
{
    cob_watch watch = s->watch;
    if (watch.progress.report)
        watch.progress = (cobloc_progress){report, s};
    return watch;
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
    int64_t of_rows, of_cols, most = s->sizes.most ? s->sizes.most : MOST;
    COB_TRY(cob_count_different(&rows, most + 1, &(cob_part){0}, 0, &of_rows, err));
    COB_TRY(cob_count_different(&cols, most + 1, &(cob_part){0}, 1, &of_cols, err));
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
    double enough = (double)ENOUGH / (double)x->nnz, count = (double)x->rows;
    double rows = fmin(fmax(SAMPLE / count, fmin(enough, MOST_SAMPLE / count)), 1);
    double cols = fmax((double)SAMPLE / (double)x->cols, enough / rows);
    if (x->missing || (rows >= 1 && cols >= 1))
        return COBLOC_OK;
    COB_TRY(draw_lines(s, COB_ROWS, x->rows, rows, &maps[COB_ROWS], err));
    COB_TRY(draw_lines(s, COB_COLS, x->cols, cols, &maps[COB_COLS], err));
    COB_TRY(
        cob_matrix_pick(x, maps[COB_ROWS], maps[COB_COLS], s->options->threads, &s->sample, err));
    s->matrix = s->sample;
    cobloc_matrix_give_back(x);
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
static cobloc_status descend(search *s, const cob_algorithm *a, cobloc_result **best,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_fit_options o = *s->options;
    o.model = a->name;
    o.row_effects = o.col_effects = NULL;
    o.inference = COBLOC_INFERENCE_AUTO;
    o.l = 0;
    o.progress = watch_of(s).progress;
    s->share = 1 - s->done;
    for (int from = s->sizes.to;; from *= 2) {
        o.k = from < s->most ? from : s->most;
        if (isfinite(s->watch.deadline))
            o.max_seconds = fmax(s->watch.deadline - cob_clock(), 1e-9);
        COB_TRY(cobloc_fit_greedy(s->matrix, &o, best, err));
        if ((*best)->k < o.k || o.k == s->most || stopped(s))
            break;
        cobloc_result_free(*best);
        *best = NULL;
    }
done:
    return status;
}

/* The largest ICL among sizes that may be chosen. */
static const cob_tried *best_tried(const search *s, const cob_tried *tried, int count)
{
    const cob_tried *best = NULL;
    for (int i = 0; i < count; i++)
        if (tried[i].k >= s->sizes.from && (!best || tried[i].value > best->value))
            best = &tried[i];
    return best;
}

static cobloc_status choose_by_icl(search *s, const cob_algorithm *a, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_result *best = NULL;
    cob_sizing *found = s->found;
    bool own = strcmp(a->name, s->algorithm.name) == 0;
    COB_TRY(descend(s, a, &best, err));
    const cob_tried *other = best_tried(s, best->sizes, best->size_count);
    bool allowed = best->k >= s->sizes.from || !other;
    found->k = allowed ? best->k : other->k;
    found->l = !own ? 0 : allowed ? best->l : other->l;
    found->by = COBLOC_BY_ICL;
    found->tried = best->sizes;
    found->count = best->size_count;
    best->sizes = NULL;
    snprintf(found->summary, sizeof found->summary,
             "%d is the size with the largest ICL of %s, which describes this table well.",
             found->k, a->name);
done:
    cobloc_result_free(best);
    return status;
}

/* Whether ICL may choose: if there are no other models to agree, nothing else can; else if the
 * table is what the model says. */
static cobloc_status may_use_icl(search *s, const cob_algorithm *a, bool *may, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_path path = {0};
    int k = COB_FIRST_SIZES < s->most ? COB_FIRST_SIZES : s->most;
    bool counts = s->matrix->kind <= COBLOC_U32;
    cobloc_fit_options o;
    *may = a->model->entries != COB_VALUES || cob_panel_count(s->matrix) < 2;
    if (*may || (!counts && !a->binary))
        return COBLOC_OK;
    cob_fit_options_default(&o);
    o.seed = s->options->seed;
    o.threads = s->options->threads;
    COB_TRY(cob_path_open(s->matrix, &o, a, k, watch_of(s), &path, err));
    COB_TRY(cob_model_holds(path.run, may, err));
done:
    cob_path_close(&path);
    return status;
}

/* ---- agreement ------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const cob_agreed *x = a, *y = b;
    return (x->k > y->k) - (x->k < y->k);
}

static int best_of(const cob_agreed *sizes, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (cob_mean_agreement(&sizes[i]) > cob_mean_agreement(&sizes[best]))
            best = i;
    return best;
}

/* The smallest size whose agreement is within one standard error of the best: what is as good with
 * fewer clusters is to be preferred, also where sizes between the two are worse. */
static int chosen_of(const cob_agreed *sizes, int count)
{
    int best = best_of(sizes, count), chosen = 0;
    while (cob_mean_agreement(&sizes[best]) - cob_mean_agreement(&sizes[chosen]) >
           cob_agreement_error(&sizes[best], &sizes[chosen]))
        chosen++;
    return chosen;
}

/* The agreement with the chosen size and those beside it; and with the best, if that is another. */
static void put_agreement(const cob_agreed *sizes, int count, int chosen, int best, char *to,
                          size_t room)
{
    const cob_agreed *at = &sizes[chosen];
    double value = cob_mean_agreement(at);
    size_t length =
        (size_t)snprintf(to, room, "%d is the %ssize on which %d of %d models agree most%s: %.2f",
                         at->k, chosen == best ? "" : "smallest ", at->count, at->models,
                         chosen == best ? "" : ", within a standard error", value);
    for (int i = 0; i < count && length < room; i++)
        if (i == best ? i != chosen : i == chosen - 1 || i == chosen + 1)
            length += (size_t)snprintf(to + length, room - length, ", with %d %.2f", sizes[i].k,
                                       cob_mean_agreement(&sizes[i]));
    if (length < room)
        snprintf(to + length, room - length, ".%s",
                 value > 0 ? "" : " They agree on less than half: the data show no clear blocs.");
}

static cobloc_status note_agreement(search *s, const cob_agreed *sizes, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_sizing *found = s->found;
    int best = best_of(sizes, found->count);
    COB_NEW(found->tried, found->count + 1);
    COB_NEW(found->spreads, found->count + 1);
    for (int i = 0; i < found->count; i++) {
        found->tried[i] =
            (cob_tried){.k = sizes[i].k, .l = sizes[i].k, .value = cob_mean_agreement(&sizes[i])};
        found->spreads[i] = cob_agreement_error(&sizes[best], &sizes[i]);
    }
    if (found->count > 0) {
        int chosen = chosen_of(sizes, found->count);
        found->k = sizes[chosen].k;
        put_agreement(sizes, found->count, chosen, best, found->summary, sizeof found->summary);
    }
done:
    return status;
}

/* Models that come from many clusters agree more on few: the first path begins well above the sizes
 * that are looked at one by one. */
static cobloc_status choose_by_agreement(search *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_agreed *sizes = NULL;
    cob_sizing *found = s->found;
    int to = (int)fewer(s->sizes.to, s->most);
    cob_sizes range = {.from = (int)fewer(to, s->sizes.from > 0 ? s->sizes.from : 2),
                       .to = to,
                       .most = (int)fewer(s->most, to > FIRST ? to : FIRST)};
    found->by = COBLOC_BY_AGREEMENT;
    found->k = range.from; /* there may be no time for any */
    COB_NEW(sizes, s->most + 1);
    for (;;) {
        int before = found->count;
        s->share = (1 - s->done) / 2;
        COB_TRY(cob_agree(s->matrix, s->options, range, watch_of(s), sizes, &found->count, err));
        s->done += s->share;
        qsort(sizes, (size_t)found->count, sizeof *sizes, by_size);
        if (found->count == before || range.most >= s->most || stopped(s) ||
            2 * sizes[chosen_of(sizes, found->count)].k <= range.most)
            break;
        range.from = range.most + 1;
        range.most = (int)fewer(2 * range.most, s->most);
    }
    COB_TRY(note_agreement(s, sizes, err));
done:
    cob_free(sizes);
    return status;
}

/* ---- the choice ------------------------------------------------------------------------------ */

static cobloc_status choose(search *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool icl = false;
    COB_TRY(cob_verify_together(s->matrix, s->options, err));
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

cobloc_status cob_choose_size(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                              const cob_algorithm *algorithm, cob_sizes sizes, cob_watch watch,
                              cob_sizing *out, cobloc_error *err)
{
    search s = {.matrix = matrix,
                .options = options,
                .algorithm = *algorithm,
                .watch = watch,
                .sizes = sizes,
                .found = out};
    *out = (cob_sizing){0};
    cobloc_status status = choose(&s, err);
    cobloc_matrix_free(s.sample);
    if (status != COBLOC_OK)
        cob_sizing_free(out);
    return status;
}
