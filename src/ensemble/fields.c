/* Options of an ensemble, and the consensus.
 * SPDX-License-Identifier: MIT
 */
#include "ensemble/ensemble.h"
#include "fit/members.h"
#include "matrix/matrix.h"

#define SIZE(by_default) COB_RANGE(1, COB_MOST_CLUSTERS, by_default)

#define S cobloc_ensemble_options
static const cob_named_field ensemble_options[] = {
    COB_TEXT(method,
             "How co-clusterings are joined: ebco, or coce, which weighs them by relevance.",
             COB_USUAL_TEXT("ebco")),
    COB_INT(k, "Number of co-clusters. By default chosen by modularity.", SIZE(0)),
    COB_INT(k_from, "Smallest number of co-clusters to choose from.", SIZE(2)),
    COB_INT(k_to,
            "Largest number of co-clusters to choose from. By default 12, or fewer for a small "
            "matrix.",
            SIZE(0)),
    COB_REAL(within,
             "Choose the smallest size whose modularity is at most this share below the largest.",
             COB_FROM_0(0.02)),
    COB_TEXTS(models, model_count,
              "Models that make co-clusterings. By default dcc, and none where co-clusterings are "
              "given.",
              .check = cob_check_model),
    COB_INT(size_from, "Smallest number of clusters of the co-clusterings that are made.",
            SIZE(COB_LEAST_SIZE)),
    COB_INT(size_to,
            "Largest number of clusters of the co-clusterings that are made. By default 25, or "
            "fewer for a small matrix.",
            SIZE(0)),
    COB_INT(runs, "Number of fits of each model and size.", COB_RANGE(1, 100000, 1)),
    COB_INT(base_restarts, "Number of starts of each of these fits.", COB_RANGE(1, 100000, 1)),
    COB_LIST(given, given_count, cob_copartition_type, "Co-clusterings from elsewhere."),
    COB_REAL(keep, "Join only co-clusterings with at least this share of the best modularity.",
             COB_RANGE(0, 1, COB_KEEP_SHARE)),
    COB_CHOICE(weight, cob_weight_names,
               "How entries are weighted, for the fits and for modularity. auto: what each model "
               "needs; modularity then uses the entries unweighted.",
               COB_USUAL(COBLOC_WEIGHT_TFIDF)),
    COB_INT(restarts, "Number of starts of the consensus.", COB_RANGE(1, 100000, 10)),
    COB_INT(max_iterations,
            "Maximum number of iterations per start. ebco draws columns at random in the first "
            "70 %.",
            COB_RANGE(1, 1000000, 100)),
    COB_INT(seed, "Random seed. The same seed gives the same result.", COB_ANY_SEED),
    COB_INT(threads, COB_THREADS_HELP, COB_SOME_THREADS),
    COB_REAL(max_seconds, COB_SECONDS_HELP, COB_FROM_0(0)),
    COB_PROGRESS(progress),
};
const cob_type cob_ensemble_options_type =
    COB_TYPE("the ensemble options", COB_OPTIONS, ensemble_options);
#undef S

#define S cobloc_member
static const cob_named_field member[] = {
    COB_TEXT(model, "The model that made it; NULL: it was given."),
    COB_OWN_TEXT(name, "The name of a given one; else NULL."),
    COB_INT(k, "Its clusters of rows."),
    COB_INT(run, "Its run, from 0; of given ones: the place in `given`."),
    COB_INT(seed, "The seed of the fit that made it."),
    COB_REAL(modularity, "Its modularity; NaN: fewer different rows or columns than k."),
    COB_FLAG(kept, "It is part of the consensus."),
};
static const cob_type member_type = COB_TYPE("a member", COB_PART, member);
#undef S

/* The result belongs to the selection, if there is one. */
static void release_result(void *object)
{
    cobloc_consensus *c = object;
    if (c->selection)
        cobloc_selection_free(c->selection);
    else
        cobloc_result_free(c->result);
}

#define S cobloc_consensus
static const cob_named_field consensus[] = {
    COB_LIST(members, count, member_type, "Given members first, then by model, size and run."),
    COB_INT(kept, "How many of them are part of the consensus."),
    COB_OBJECT(selection, &cob_selection_type, "The sizes that were tried; NULL: k was given."),
    COB_OBJECT(result, &cob_result_type, "The consensus."),
    COB_REAL(seconds, "Time that was taken."),
};
const cob_type cob_consensus_type = {.name = "the consensus",
                                     .size = sizeof(S),
                                     .role = COB_RESULT,
                                     .count = sizeof consensus / sizeof *consensus,
                                     .fields = consensus,
                                     .release = release_result};
#undef S

COB_DEFINE_OPTIONS(ensemble_options)
COB_DEFINE_FREE(consensus)
