/* Model "auto": several models and weights are fitted, and that result is kept which the others
 * agree with most. It needs neither known classes nor a criterion that all share; and where the
 * members disagree, it says that the matrix has no clear blocs.
 * SPDX-License-Identifier: MIT
 */
#include "fit/auto.h"

#include "base/alloc.h"
#include "fit/alike.h"
#include "fit/panel.h"
#include "score/scores.h"

#include <math.h>
#include <string.h>

/* ---- members --------------------------------------------------------------------------------- */

/* A table that is small, in entries times clusters, is fitted from more starts: so many in as long
 * as this takes, at most as many as a single model is, and no more once two have found the same. */
static const double SMALL = 200000;

static cobloc_fit_options options_of(const cobloc_matrix *x, const cobloc_fit_options *asked,
                                     const cob_member *one)
{
    cobloc_fit_options o = *asked;
    cob_algorithm a;
    o.model = one->model;
    o.weight = one->weight;
    if (o.restarts == 0 && one->starts > 0 && cob_algorithm_named(one->model, &a)) {
        double more = SMALL / fmax((double)x->nnz * o.k, 1);
        o.restarts = (int)fmin(fmax(more, one->starts), cob_algorithm_restarts(&a));
        o.until_same = o.restarts > COB_ALIKE ? COB_ALIKE : 0;
    }
    return o;
}

bool cob_auto_member(const cobloc_matrix *matrix, const cobloc_fit_options *options, int index,
                     cobloc_fit_options *out)
{
    cob_member members[COB_MOST_MEMBERS];
    int count = cob_panel(matrix, options, members);
    if (index < count)
        *out = options_of(matrix, options, &members[index]);
    return index < count;
}

/* ---- fitting them ---------------------------------------------------------------------------- */

typedef struct contest {
    const cobloc_matrix *x;
    const cobloc_fit_options *options;
    cob_member members[COB_MOST_MEMBERS];
    int count, turn; /* how many there are; the turn of which is now, from 0 */
    double started;
    cob_copies copies;      /* the weighted one that members in a row share, */
    cob_shared_means means; /* and its lines by k-means; */
    cob_weighing how;       /* the last of them was given this one, */
    bool plain;             /* or the matrix itself */
    int fitted;
    bool few;                                 /* the favourites alone were fitted */
    cobloc_result *results[COB_MOST_MEMBERS]; /* of the members that could be fitted */
} contest;

static int relay(void *user, const char *what, double done)
{
    const contest *c = user;
    const cobloc_progress *to = &c->options->progress;
    return to->report(to->user, what, (c->turn + done) / c->count);
}

/* The copy that the member needs, and no other: there is never room for two. The fit makes it.
 * Lines keep their directions in another unit, so k-means of them is still what it was. */
static void share_copy(contest *c, cob_weighing how)
{
    bool plain = !cob_weighing_changes(c->x, &how), same_weight = c->how.weight == how.weight;
    bool same = plain ? c->plain : !c->plain && same_weight && c->how.as_counts == how.as_counts;
    if (!same) {
        cob_copies_free(&c->copies);
        c->means.sums = (cob_known_sums){0};
        cob_free(c->means.points);
        c->means.points = NULL;
    }
    if (!same_weight)
        cob_shared_means_free(&c->means);
    c->plain = plain;
    c->how = how;
}

static cobloc_status fit_member(contest *c, int m, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_fit_options o = options_of(c->x, c->options, &c->members[m]);
    cob_algorithm a;
    if (o.max_seconds > 0)
        o.max_seconds = fmax(o.max_seconds - (cob_clock() - c->started), 1e-9);
    if (o.progress.report)
        o.progress = (cobloc_progress){relay, c};
    COB_TRY(cob_algorithm_find(o.model, &a, err));
    share_copy(c, cob_algorithm_weighing(&a, o.weight));
    o.means = &c->means;
    if (c->x->nnz >= COB_WORTH_RETURNING)
        cob_alloc_trim();
    COB_TRY(cob_fit_sharing(c->x, &c->copies, &o, &a, &c->results[m], err));
done:
    return status;
}

/* Members that are given the entries as they are come last: they find room in what the others, who
 * need more, have left. */
static int first_member(const contest *c)
{
    int first = 0;
    while (first < c->count && c->members[first].weight == COBLOC_WEIGHT_NONE)
        first++;
    return first < c->count ? first : 0;
}

/* Closes the gaps that members without a result leave. */
static void close_up(contest *c)
{
    c->fitted = 0;
    for (int m = 0; m < c->count; m++) {
        cobloc_result *one = c->results[m];
        c->results[m] = NULL;
        if (one)
            c->results[c->fitted++] = one;
    }
}

enum { SOME = 16, MANY = 32 }; /* clusters: more than some, and many */

/* With many clusters, members cut the same groups at different places, and how they agree tells
 * little of which one to keep. Then the model of all blocks, the best of them in our trials, comes
 * first: with one weight; or, where there are fewer clusters but not two rows for each block, with
 * every weight. Returns how many such members that are; with few clusters all are fitted in no
 * time. */
static int count_favourites(const contest *c)
{
    enum { ROWS_A_BLOCK = 2 };
    double k = c->options->k;
    if (k > MANY)
        return 1;
    return k > SOME && (double)c->x->rows < ROWS_A_BLOCK * k * k ? COB_MOST_MEMBERS : 0;
}

static bool is_model(const contest *c, int m, const char *model)
{
    return !strcmp(c->members[m].model, model);
}

/* Some of many clusters may be small; if more of them are, other models may do better. */
static bool is_enough(const cobloc_result *r)
{
    enum { MAY_BE_SMALL = 4 }; /* one in so many */
    return r->dust <= r->k / MAY_BE_SMALL;
}

/* Fits one; `over` receives whether no other is to be. */
static cobloc_status take_turn(contest *c, int m, bool *over, cobloc_error *err)
{
    cobloc_status status = fit_member(c, m, err);
    cobloc_stop stop = status == COBLOC_OK ? c->results[m]->stop : COBLOC_STOP_CONVERGED;
    *over = stop == COBLOC_STOP_TIME || stop == COBLOC_STOP_CANCELLED ||
            (status != COBLOC_OK && status != COBLOC_BAD_DATA);
    return status;
}

/* Whether two results are nearly the same groups: then these are in the table, and what the other
 * members say of them is worth hearing. */
static cobloc_status compare(const contest *c, const cobloc_result *a, const cobloc_result *b,
                             bool *same, cobloc_error *err)
{
    const double much = 0.8;
    cobloc_scores scores;
    cobloc_status status = cob_score(a->row_labels, b->row_labels, c->x->rows, &scores, err);
    *same = status == COBLOC_OK && scores.nmi > much;
    return status;
}

/* A single favourite is compared with the quickest model, which looks for blocs in another way. If
 * it finds others, it does not count. With hardly an entry for each block, nobody can tell. */
static cobloc_status ask_quickest(contest *c, const cobloc_result *favourite, bool *same,
                                  bool *over, cobloc_error *err)
{
    enum { ENTRIES_A_BLOCK = 2 };
    cobloc_status status = COBLOC_OK;
    double k = c->options->k;
    int m = 0;
    while (m < c->count && !is_model(c, m, "coclus"))
        m++;
    if (m == c->count || (double)c->x->nnz < ENTRIES_A_BLOCK * k * k)
        return COBLOC_OK;
    COB_TRY(take_turn(c, m, over, err));
    COB_TRY(compare(c, favourite, c->results[m], same, err));
done:
    *same = *same && !*over;
    if (!*same) {
        cobloc_result_free(c->results[m]);
        c->results[m] = NULL;
    }
    return status;
}

/* Fits the favourites, if there are any; one that is enough ends the contest among them, unless it
 * is the same as another. */
static cobloc_status fit_favourites(contest *c, bool *over, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *before = NULL;
    int wanted = count_favourites(c);
    bool same = false;
    for (int m = 0; m < c->count && wanted > 0 && !*over; m++) {
        if (!is_model(c, m, "plbm"))
            continue;
        status = take_turn(c, m, over, err);
        const cobloc_result *one = c->results[m];
        if (before && one && !*over)
            status = compare(c, before, one, &same, err);
        *over = *over || (status != COBLOC_OK && status != COBLOC_BAD_DATA);
        c->few = c->few || (one && is_enough(one));
        before = one ? one : before;
        wanted--;
    }
    if (c->few && !*over && c->options->k > MANY)
        status = ask_quickest(c, before, &same, over, err);
    c->few = c->few && !same;
    *over = *over || c->few;
    return status;
}

/* A member whose own rules do not allow the matrix is left out, unless that holds for all. */
static cobloc_status fit_all(contest *c, cobloc_error *err)
{
    cobloc_error own = {COBLOC_OK, ""};
    bool over = false;
    int first = first_member(c);
    cobloc_status status = fit_favourites(c, &over, &own);
    for (c->turn = 0; c->turn < c->count && !over; c->turn++) {
        int m = (first + c->turn) % c->count;
        if (!c->results[m])
            status = take_turn(c, m, &over, &own);
    }
    close_up(c);
    if (c->fitted > 0 && (status == COBLOC_OK || status == COBLOC_BAD_DATA))
        return COBLOC_OK;
    cob_fail(err, status, "%s", own.message);
    return status;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* How well the labels of each agree with those of the others: the mean of NMI. */
static cobloc_status measure(contest *c, double *agreement, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_scores scores;
    for (int a = 0; a < c->fitted; a++)
        for (int b = 0; b < a; b++) {
            COB_TRY(cob_score(c->results[a]->row_labels, c->results[b]->row_labels, c->x->rows,
                              &scores, err));
            agreement[a] += scores.nmi;
            agreement[b] += scores.nmi;
        }
    for (int m = 0; m < c->fitted; m++)
        agreement[m] /= fmax(c->fitted - 1, 1);
done:
    return status;
}

/* How much of what was asked for a result gives: of its clusters, each that is dust counts by how
 * far it is from being none. */
static double share_given(const cobloc_result *r)
{
    double below = cob_dust_below(r), sum = 0;
    for (int k = 0; k < r->k; k++)
        sum += fmin((double)r->row_sizes[k] / below, 1);
    return sum / r->k;
}

/* By how much the rows of a result are nearer to one cluster than to as many in each: 1 less the
 * entropy of its labels, divided by the largest. */
static double unevenness(const cobloc_result *r)
{
    double rows = 0, entropy = 0;
    for (int k = 0; k < r->k; k++)
        rows += (double)r->row_sizes[k];
    for (int k = 0; k < r->k; k++)
        if (r->row_sizes[k] > 0)
            entropy -= (double)r->row_sizes[k] / rows * log((double)r->row_sizes[k] / rows);
    return 1 - entropy / log(r->k);
}

/* What a member is chosen by. All members: how the others agree with it; dust counts against it.
 * Favourites, which are too few for that: the one that cuts large groups into fewer pieces of the
 * same size. */
static double worth_of(const contest *c, int m, const double *agreement)
{
    const cobloc_result *r = c->results[m];
    if (c->few)
        return is_enough(r) ? unevenness(r) : -1;
    return agreement[m] * share_given(r);
}

/* The one of most worth, of equals the first. */
static int best_of(const contest *c, const double *agreement)
{
    const double more = 1 + 1e-12;
    int best = 0;
    double most = -1;
    for (int m = 0; m < c->fitted; m++) {
        double worth = worth_of(c, m, agreement);
        if (worth > most * more) {
            most = worth;
            best = m;
        }
    }
    return best;
}

/* What is told of all members, in the result of one of them. */
static cobloc_status note_members(const contest *c, const double *agreement, cobloc_result *r,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW_ZERO(r->candidates, c->fitted);
    r->candidate_count = c->fitted;
    for (int m = 0; m < c->fitted; m++)
        r->candidates[m] = (cob_candidate){.model = c->results[m]->model,
                                           .weight = c->results[m]->weight,
                                           .agreement = agreement[m],
                                           .dust = c->results[m]->dust};
done:
    return status;
}

cobloc_status cob_fit_auto(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                           cobloc_result **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    contest c = {
        .x = matrix, .options = options, .started = cob_clock(), .copies = {.narrow = true}};
    double agreement[COB_MOST_MEMBERS] = {0};
    COB_TRY(cob_verify_together(matrix, options, err));
    c.count = cob_panel(matrix, options, c.members);
    COB_CHECK(c.count > 0, COBLOC_BAD_ARGUMENT,
              "no model that auto chooses among can do that: name one (--model)");
    COB_TRY(fit_all(&c, err));
    COB_TRY(measure(&c, agreement, err));
    int best = best_of(&c, agreement);
    cobloc_result *kept = c.results[best];
    COB_TRY(note_members(&c, agreement, kept, err));
    kept->agreement = c.fitted > 1 ? agreement[best] : NAN;
    kept->seconds = cob_clock() - c.started;
    *out = kept;
    c.results[best] = NULL;
done:
    cob_copies_free(&c.copies);
    cob_shared_means_free(&c.means);
    for (int m = 0; m < COB_MOST_MEMBERS; m++)
        cobloc_result_free(c.results[m]);
    return status;
}
