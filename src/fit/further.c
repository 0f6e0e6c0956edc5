/* All restarts of a fit, and a further one: where the best of them had to hold clusters, the labels
 * that another model finds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fit/fit.h"

#include "base/parallel.h"
#include "engine/steps.h"

/* The outcome of a model that is given its labels. */
static cobloc_status outcome_of_labels(const cob_task *task, const cob_outcome *labels,
                                       cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_run *run = NULL;
    COB_TRY(cob_run_new(&task->problem, task->k, task->l, labels->restart,
                        cob_threads(task->threads), &run, err));
    cob_take_labels(run, &(cob_labels){{labels->row_labels, labels->col_labels}});
    cob_run_measure(run);
    COB_TRY(cob_check_held(run, err));
    COB_TRY(cob_note_criterion(run, err));
    run->kept = labels->kept;
    run->stop = labels->stop;
    cob_outcome_of_run(run, out);
    run = NULL;
done:
    cob_run_free(run);
    return status;
}

/* The best outcome of the model that a further start comes from: by the starts that were asked for
 * and, where none were, also by random labels, which cost little and sometimes lead where better
 * starts do not. */
static cobloc_status run_other(const cob_task *task, const cob_model *model, cobloc_stop *stop,
                               cob_outcome *found, cobloc_error *err)
{
    enum { RANDOM_FOR_ONE = 4 };
    cobloc_status status = COBLOC_OK;
    cob_task other = *task;
    cob_restarts asked = {0}, random = {0};
    other.algorithm = cob_algorithm_of_model(model);
    other.problem.model = model;
    COB_TRY(cob_run_race(&other, &asked, found, err));
    *stop = asked.stop;
    found->restart = 0; /* of equals, this one stays */
    if (task->start == COBLOC_START_AUTO && *stop == COBLOC_STOP_CONVERGED) {
        other.start = COBLOC_START_RANDOM;
        other.restarts *= RANDOM_FOR_ONE;
        COB_TRY(cob_run_race(&other, &random, found, err));
        *stop = random.stop;
    }
done:
    cob_restarts_free(&asked);
    cob_restarts_free(&random);
    return status;
}

/* Where the best of all starts had to hold clusters: the model's own outcome for the labels that
 * the other one finds, if fewer had to be held for these. */
static cobloc_status start_further(const cob_task *task, cob_restarts *restarts, cob_outcome *best,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_model *model = task->algorithm.model;
    cob_outcome found = {0}, own = {0};
    if (!model || !model->further_start || best->kept == 0 || task->inference != COBLOC_HARD ||
        restarts->stop != COBLOC_STOP_CONVERGED)
        return COBLOC_OK;
    COB_TRY(run_other(task, model->further_start, &restarts->stop, &found, err));
    if (found.kept >= best->kept)
        goto done;
    found.restart = best->restart;
    COB_TRY(cob_group_begin(task->ranks, err));
    status = outcome_of_labels(task, &found, &own, err);
    COB_TRY(cob_group_end(task->ranks, task->group, status, err));
    cob_outcome_free(best);
    *best = own;
    restarts->criteria[best->restart] = best->criterion;
done:
    cob_outcome_free(&found);
    return status;
}

cobloc_status cob_run_restarts(const cob_task *task, cob_restarts *restarts, cob_outcome *best,
                               cobloc_error *err)
{
    cobloc_status status = cob_run_race(task, restarts, best, err);
    return status == COBLOC_OK ? start_further(task, restarts, best, err) : status;
}
