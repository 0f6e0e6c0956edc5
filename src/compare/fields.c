/* Options of a comparison, and what it finds.
 * SPDX-License-Identifier: MIT
 */
#include "compare/compare.h"
#include "matrix/matrix.h"

#define S cobloc_contender
static const cob_named_field contender[] = {
    COB_CHARS(name, "The method as it is shown; see cobloc_compare_add."),
    COB_GROUP(options, cob_fit_options_type,
              "Options of its fits; seed, threads and progress are the comparison's."),
};
static const cob_type contender_type = COB_TYPE("a contender", COB_PART, contender);
#undef S

#define S cobloc_compare_options
static const cob_named_field compare_options[] = {
    COB_LIST(contenders, count, contender_type, "The methods; added by cobloc_compare_add."),
    COB_INT(runs, "Number of runs of each method, with consecutive seeds.",
            COB_RANGE(1, 100000, 10)),
    COB_INT(seed, "Seed of the first run.", COB_ANY_SEED),
    COB_INT(threads, COB_THREADS_HELP, COB_SOME_THREADS),
    COB_TEXT(runs_file, "A file that keeps every finished run. Runs that it holds already are not "
                        "run again, so that a comparison can go on after a stop."),
    COB_PROGRESS(progress),
};
const cob_type cob_compare_options_type =
    COB_TYPE("the compare options", COB_OPTIONS, compare_options);
#undef S

#define S cobloc_compared_run
static const cob_named_field compared_run[] = {
    COB_FLAG(done, "0: it was not finished, and the rest means nothing."),
    COB_INT(seed, "Its seed."),
    COB_REAL(acc, "Accuracy."),
    COB_REAL(nmi, "Normalised mutual information."),
    COB_REAL(ari, "Adjusted Rand index."),
    COB_REAL(sdcs, "Standard deviation of the cluster sizes."),
    COB_REAL(criterion, "The model's criterion."),
    COB_REAL(seconds, "Time that was taken."),
    COB_INT(iterations, "Iterations of the best start."),
    COB_INT(repaired, "Clusters that only hold lines because none may become empty."),
};
static const cob_type compared_run_type = COB_TYPE("a run", COB_PART, compared_run);
#undef S

#define S cobloc_spread
static const cob_named_field spread[] = {
    COB_REAL(mean, "Mean of the finished runs."),
    COB_REAL(sd, "Standard deviation, over the number of runs - 1; NaN for a single run."),
    COB_REAL(best, "Of the run with the best criterion, which is chosen without the truth."),
};
static const cob_type spread_type = COB_TYPE("a spread", COB_PART, spread);
#undef S

#define S cobloc_error
static const cob_named_field failure[] = {
    COB_CHOICE(status, cob_status_names, "What went wrong; see cobloc_status."),
    COB_CHARS(message, "A sentence about it."),
};
static const cob_type failure_type = COB_TYPE("a failure", COB_PART, failure);
#undef S

#define S cobloc_compared
static const cob_named_field compared[] = {
    COB_CHARS(name, "The contender's name."),
    COB_TEXT(model, "Its model."),
    COB_TEXT(criterion_name, "What its criterion is called."),
    COB_CHOICE(inference, cob_inference_names, "The inference that was used."),
    COB_CHOICE(weight, cob_weight_names, "The weight that was used; never auto."),
    COB_INT(done, "Finished runs."),
    COB_INT(best_run, "The run with the best criterion; -1: none is finished."),
    COB_GROUP(acc, spread_type, "Accuracy of the finished runs; NaN where there are none."),
    COB_GROUP(nmi, spread_type, "Normalised mutual information."),
    COB_GROUP(ari, spread_type, "Adjusted Rand index."),
    COB_GROUP(sdcs, spread_type, "Standard deviation of the cluster sizes."),
    COB_GROUP(criterion, spread_type, "The model's criterion."),
    COB_GROUP(seconds, spread_type, "Time that was taken."),
    COB_LIST(runs, run_count, compared_run_type, "All runs."),
    COB_GROUP(failure, failure_type, "Why it cannot be run on these data; ok: it can."),
};
static const cob_type compared_type = COB_TYPE("a compared method", COB_PART, compared);
#undef S

#define S cobloc_comparison
static const cob_named_field comparison[] = {
    COB_INT(runs, "Runs of each method."),
    COB_LIST(methods, count, compared_type, "The methods, in the order of the contenders."),
    COB_REAL(truth_sdcs, "Standard deviation of the class sizes; else NaN."),
    COB_INT(kept, "Runs that were taken from the file."),
    COB_FLAG(stopped, "The progress callback asked to stop: some runs are missing."),
    COB_INT(first, "The best method by mean NMI; -1: there is none."),
    COB_INT(second, "The second best; -1: there is none."),
    COB_GROUP(test, cob_paired_test_type,
              "Paired test of the NMI of these two, by seed; no pairs "
              "where fewer than two are finished."),
};
const cob_type cob_comparison_type = COB_TYPE("the comparison", COB_RESULT, comparison);
#undef S

COB_DEFINE_OPTIONS(compare_options)
COB_DEFINE_FREE(comparison)
