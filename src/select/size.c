/* A fit that chooses its number of clusters.
 * SPDX-License-Identifier: MIT
 */
#include "select/size.h"

#include "base/alloc.h"
#include "fit/auto.h"

#include <math.h>
#include <string.h>

/* Of the time and of the progress, the final fit has the rest. */
static const double SHARE = 0.8;

static int report_size(void *user, const char *what, double done)
{
    const cobloc_progress *p = user;
    return p->report(p->user, what, SHARE * done);
}

static int report_fit(void *user, const char *what, double done)
{
    const cobloc_progress *p = user;
    return p->report(p->user, what, SHARE + (1 - SHARE) * done);
}

const char *cob_model_for(const cobloc_matrix *matrix, const cobloc_fit_options *options)
{
    cobloc_fit_options first;
    if (cob_is_auto(options->model) && cob_auto_member(matrix, options, 0, &first))
        return first.model;
    return cob_one_model(options->model);
}

/* The final fit, with the size that was chosen. */
static cobloc_status fit_chosen(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                cob_sizing *size, double deadline, cobloc_result **out,
                                cobloc_error *err)
{
    cobloc_fit_options o = *options;
    cobloc_progress own = o.progress;
    o.k = size->k;
    o.l = o.l ? o.l : size->l;
    if (isfinite(deadline))
        o.max_seconds = fmax(deadline - cob_clock(), 1e-9);
    if (o.progress.report)
        o.progress = (cobloc_progress){report_fit, &own};
    cobloc_status status = cobloc_fit(matrix, &o, out, err);
    if (status != COBLOC_OK)
        return status;
    (*out)->size_rule = cob_choice_names[size->by];
    (*out)->sizes = size->tried;
    (*out)->size_count = size->count;
    size->tried = NULL;
    memcpy((*out)->size_summary, size->summary, sizeof size->summary);
    return COBLOC_OK;
}

cobloc_status cob_fit_sized(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                            cobloc_result **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double started = cob_clock();
    double seconds = options->max_seconds > 0 ? options->max_seconds : INFINITY;
    cobloc_progress own = options->progress;
    cob_watch watch = {.restarts = 1, .deadline = started + SHARE * seconds};
    cob_sizes all = {.to = COB_FIRST_SIZES, .most = options->most};
    cob_algorithm a;
    cob_sizing size = {0};
    if (own.report)
        watch.progress = (cobloc_progress){report_size, &own};
    COB_CHECK(!options->fix_rows && !options->fix_cols && options->start != COBLOC_START_LABELS,
              COBLOC_BAD_ARGUMENT, "known labels need a given number of clusters");
    COB_TRY(cob_check_time_limit(options, err));
    COB_TRY(cob_algorithm_find(cob_model_for(matrix, options), &a, err));
    COB_TRY(cob_choose_size(matrix, options, &a, all, watch, &size, err));
    COB_TRY(fit_chosen(matrix, options, &size, started + seconds, out, err));
    (*out)->seconds = cob_clock() - started;
done:
    cob_sizing_free(&size);
    return status;
}
