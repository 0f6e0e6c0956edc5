/* Model "auto": several models and weights are fitted, and that result is kept which the others
 * agree with most. It needs neither known classes nor a criterion that all share; and where the
 * members disagree, it says that the matrix has no clear blocs.
 * SPDX-License-Identifier: MIT
 */
#include "fit/auto.h"

#include "score/scores.h"

#include <math.h>
#include <string.h>

/* ---- members --------------------------------------------------------------------------------- */

enum { MOST_MEMBERS = 7, STARTS = 2 };

typedef struct member {
    const char *model;
    cobloc_weight weight;
} member;

/* Modularity, likelihood and information, of the counts and of what bursts and common words weigh
 * less in; and splbm as published, for clusters of very different sizes. */
static const member of_counts[MOST_MEMBERS] = {
    {"coclus", COBLOC_WEIGHT_NONE},    {"splbm-exact", COBLOC_WEIGHT_NONE},
    {"itcc", COBLOC_WEIGHT_NONE},      {"splbm", COBLOC_WEIGHT_NONE},
    {"coclus", COBLOC_WEIGHT_BM25IDF}, {"splbm-exact", COBLOC_WEIGHT_BM25IDF},
    {"itcc", COBLOC_WEIGHT_BM25IDF}};

/* The same where column clusters are not paired with row clusters. */
static const member of_unpaired_counts[MOST_MEMBERS] = {{"itcc", COBLOC_WEIGHT_NONE},
                                                        {"plbm", COBLOC_WEIGHT_NONE},
                                                        {"itcc", COBLOC_WEIGHT_BM25IDF},
                                                        {"plbm", COBLOC_WEIGHT_BM25IDF}};

/* Models for which a 0 says as much as a 1, and models for which it says nothing. */
static const member of_ones[MOST_MEMBERS] = {
    {"lbm", COBLOC_WEIGHT_NONE},         {"dlbm1", COBLOC_WEIGHT_NONE},
    {"dlbm3", COBLOC_WEIGHT_NONE},       {"coclus", COBLOC_WEIGHT_NONE},
    {"splbm-exact", COBLOC_WEIGHT_NONE}, {"itcc", COBLOC_WEIGHT_NONE}};
static const member of_unpaired_ones[MOST_MEMBERS] = {
    {"lbm", COBLOC_WEIGHT_NONE}, {"itcc", COBLOC_WEIGHT_NONE}, {"plbm", COBLOC_WEIGHT_NONE}};

static const member of_gaps[MOST_MEMBERS] = {{"lbm", COBLOC_WEIGHT_NONE}};
static const member of_categories[MOST_MEMBERS] = {{"clbm", COBLOC_WEIGHT_NONE}};
static const member of_reals[MOST_MEMBERS] = {{"glbm", COBLOC_WEIGHT_NONE}};

static const member *members_for(const cobloc_matrix *x, const cobloc_fit_options *o)
{
    bool ones = x->kind == COBLOC_ONES || o->weight == COBLOC_WEIGHT_BINARY;
    bool unpaired = o->l > 0 && o->l != o->k;
    if (x->categories.count > 0)
        return of_categories;
    if (x->missing || x->negative)
        return x->missing && ones ? of_gaps : of_reals;
    if (ones)
        return unpaired ? of_unpaired_ones : of_ones;
    return unpaired ? of_unpaired_counts : of_counts;
}

/* Whether a model can do what the user asks for. */
static bool can(const cob_algorithm *a, const cobloc_fit_options *o)
{
    int columns = cob_algorithm_columns(a, o->k);
    bool effects = o->row_effects || o->col_effects;
    return (o->inference == COBLOC_INFERENCE_AUTO || cob_algorithm_takes(a, o->inference)) &&
           (o->l == 0 || columns == 0 || columns == o->l) && (!effects || a->counts);
}

/* The members that can do what is asked for, with the weight that was asked for; how many. */
static int choose_members(const cobloc_matrix *x, const cobloc_fit_options *o, member *chosen)
{
    const member *from = members_for(x, o);
    int count = 0;
    for (int m = 0; m < MOST_MEMBERS && from[m].model; m++) {
        cob_algorithm a;
        member one = {from[m].model, o->weight ? o->weight : from[m].weight};
        bool again = false;
        if (!cob_algorithm_named(one.model, &a) || !can(&a, o))
            continue;
        for (int i = 0; i < count; i++)
            again =
                again || (!strcmp(chosen[i].model, one.model) && chosen[i].weight == one.weight);
        if (!again)
            chosen[count++] = one;
    }
    return count;
}

static cobloc_fit_options options_of(const cobloc_fit_options *asked, const member *one, int count)
{
    cobloc_fit_options o = *asked;
    o.model = one->model;
    o.weight = one->weight;
    if (o.restarts == 0 && count > 1)
        o.restarts = STARTS;
    return o;
}

bool cob_auto_member(const cobloc_matrix *matrix, const cobloc_fit_options *options, int index,
                     cobloc_fit_options *out)
{
    member members[MOST_MEMBERS];
    int count = choose_members(matrix, options, members);
    if (index < count)
        *out = options_of(options, &members[index], count);
    return index < count;
}

/* ---- fitting them ---------------------------------------------------------------------------- */

typedef struct contest {
    const cobloc_matrix *x;
    const cobloc_fit_options *options;
    member members[MOST_MEMBERS];
    int count, at;
    double started;
    int fitted;
    cobloc_result *results[MOST_MEMBERS]; /* of the members that could be fitted */
} contest;

static int relay(void *user, const char *what, double done)
{
    const contest *c = user;
    const cobloc_progress *to = &c->options->progress;
    return to->report(to->user, what, (c->at + done) / c->count);
}

static cobloc_status fit_member(contest *c, cobloc_error *err)
{
    cobloc_fit_options o = options_of(c->options, &c->members[c->at], c->count);
    if (o.max_seconds > 0)
        o.max_seconds = fmax(o.max_seconds - (cob_clock() - c->started), 1e-9);
    if (o.progress.report)
        o.progress = (cobloc_progress){relay, c};
    return cobloc_fit(c->x, &o, &c->results[c->fitted], err);
}

/* A member whose own rules do not allow the matrix is left out, unless that holds for all. */
static cobloc_status fit_all(contest *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_error own = {COBLOC_OK, ""};
    bool over = false;
    for (c->at = 0; c->at < c->count && !over; c->at++) {
        status = fit_member(c, &own);
        if (status == COBLOC_OK) {
            cobloc_stop stop = c->results[c->fitted++]->stop;
            over = stop == COBLOC_STOP_TIME || stop == COBLOC_STOP_CANCELLED;
        } else {
            over = status != COBLOC_BAD_DATA;
        }
    }
    bool failed = c->fitted == 0 || (status != COBLOC_OK && status != COBLOC_BAD_DATA);
    return failed ? cob_fail(err, own.status, "%s", own.message) : COBLOC_OK;
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
            agreement[a] += scores.nmi / (c->fitted - 1);
            agreement[b] += scores.nmi / (c->fitted - 1);
        }
done:
    return status;
}

/* The one that the others agree with most, of equals the first. One with clusters of dust has not
 * given what was asked for, and counts so much less. */
static int best_of(const contest *c, const double *agreement)
{
    const double more = 1 + 1e-12;
    int best = 0;
    double most = -1;
    for (int m = 0; m < c->fitted; m++) {
        const cobloc_result *r = c->results[m];
        double worth = agreement[m] * (1 - (double)r->dust / r->k);
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
    contest c = {.x = matrix, .options = options, .started = cob_clock()};
    double agreement[MOST_MEMBERS] = {0};
    COB_TRY(cobloc_matrix_verify(matrix, err));
    c.count = choose_members(matrix, options, c.members);
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
    for (int m = 0; m < MOST_MEMBERS; m++)
        cobloc_result_free(c.results[m]);
    return status;
}
