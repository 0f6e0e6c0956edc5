/* Options of a fit, what it finds, and what is made of that.
 * SPDX-License-Identifier: MIT
 */
#include "device/device.h"
#include "fit/algorithm.h"
#include "fit/result.h"
#include "io/options.h"
#include "matrix/matrix.h"

const char *const cob_inference_names[] = {"auto", "hard", "soft", "stochastic", "svem", NULL};
const char *const cob_start_names[] = {"auto",   "merge",  "skmeans", "spectral",
                                       "random", "labels", NULL};
const char *const cob_share_names[] = {"auto", "starts", "lines", "groups", NULL};
const char *const cob_stop_names[] = {"converged", "iterations", "time", "cancelled", NULL};

/* ---- options --------------------------------------------------------------------------------- */

cobloc_status cob_check_model(const char *name, cobloc_error *err)
{
    cob_algorithm algorithm;
    return cob_is_auto(name) ? COBLOC_OK : cob_algorithm_find(name, &algorithm, err);
}

#define S cobloc_fit_options
static const cob_named_field fit_options[] = {
    COB_TEXT(model,
             "Model to fit. auto: several models and weights are fitted, and the result is kept "
             "that the others agree with most.",
             COB_USUAL_TEXT("auto"), .check = cob_check_model),
    COB_INT(k, "Number of row clusters. By default it is chosen; see size_rule of the result.",
            COB_RANGE(1, COB_MOST_CLUSTERS, 0)),
    COB_INT(l,
            "Number of column clusters, for models that let you choose it. By default the number "
            "of row clusters.",
            COB_RANGE(1, COB_MOST_CLUSTERS, 0)),
    COB_INT(most,
            "Where k is chosen: the largest number to try. By default as large as the data call "
            "for.",
            COB_RANGE(2, COB_MOST_CLUSTERS, 0)),
    COB_CHOICE(inference, cob_inference_names,
               "How cluster memberships are computed: the best cluster, probabilities, random "
               "draws, or draws followed by probabilities. auto: the model's usual way."),
    COB_CHOICE(weight, cob_weight_names,
               "How entries are weighted. auto: what the model needs, mostly none. The model auto "
               "tries several."),
    COB_CHOICE(start, cob_start_names,
               "Where a run starts. auto: merge and skmeans in turn, for binary models spectral, "
               "too."),
    COB_INT(restarts,
            "Number of starts, of which the best is kept. By default the model's usual number, "
            "mostly 6; auto makes 1 or 2 for each of its models unless the table is small. Starts "
            "beyond the sixth build on what the first six found.",
            COB_RANGE(1, 100000, 0)),
    COB_INT(max_iterations, "Maximum number of iterations per start.", COB_RANGE(1, 1000000, 200)),
    COB_REAL(tolerance, "Stop when the criterion changes by less than this share.",
             COB_FROM_0(1e-9)),
    COB_INT(seed, "Random seed. The same seed gives the same result for any number of threads.",
            COB_ANY_SEED),
    COB_INT(threads, COB_THREADS_HELP, COB_SOME_THREADS),
    COB_TEXT(
        device,
        "What block models are fitted on: cpu, gpu, gpu:N (the N-th, from 0 on), or auto, a GPU "
        "for large matrices if there is one. The result is the same.",
        COB_USUAL_TEXT("auto"), .check = cob_check_device),
    COB_CHOICE(
        share, cob_share_names,
        "What ranks share: starts, each of which is one rank's; the rows and columns (lines) "
        "of every start, for block models; or both: starts are dealt out to groups of ranks, "
        "and a group shares lines. auto: starts below 10 million entries; else groups, if there "
        "is a start for each and the matrix takes less than half of the machine's memory; else "
        "lines. The result is the same."),
    COB_COMMUNICATOR,
    COB_FIELD(COBLOC_RANKS, group,
              "The ranks with which this one shares lines; see cobloc_set_group."),
    COB_REAL(max_memory,
             "Memory that the process may hold during the fit, in bytes. Larger arrays are kept in "
             "temporary files, in the folder TMPDIR or /var/tmp, and the result is the same. "
             "Methods that would need more for their tables of similarities (chisim) or for the "
             "topics of words (lda) are rejected; these may take half of the machine's memory by "
             "default. Otherwise by default no limit.",
             COB_FROM_0(0)),
    COB_REAL(max_seconds, COB_SECONDS_HELP, COB_FROM_0(0)),
    COB_TEXT(
        checkpoint,
        "Folder in which the state of the computation is kept, so that it can be resumed after "
        "it was stopped or killed. By default none is kept."),
    COB_REAL(checkpoint_seconds, "How often that is written, in seconds.", COB_FROM_0(120)),
    COB_FLAG(resume,
             "Go on from the checkpoint, if there is one. The result is the same as without "
             "an interruption."),
    COB_INTS(start_rows, start_row_count, "Initial cluster of each row, for the start \"labels\"."),
    COB_INTS(start_cols, start_col_count,
             "Initial cluster of each column, for the start \"labels\". By default columns are "
             "assigned by the initial clusters of the rows."),
    COB_INTS(fix_rows, fix_row_count, "Known clusters of rows, which are kept; -1: unknown."),
    COB_INTS(fix_cols, fix_col_count,
             "Known clusters of columns (seed words), which are kept; -1: unknown."),
    COB_REALS(row_effects, row_effect_count,
              "Row margins for the Poisson models. By default the row sums."),
    COB_REALS(col_effects, col_effect_count,
              "Column margins for the Poisson models. By default the column sums."),
    COB_LIST(base, base_count, cob_copartition_type,
             "The co-clusterings that ebco and coce join. By default those that cobloc_ensemble "
             "would make."),
    COB_PROGRESS(progress),
};
const cob_type cob_fit_options_type = COB_TYPE("the fit options", COB_OPTIONS, fit_options);
#undef S

/* ---- results --------------------------------------------------------------------------------- */

#define S cob_candidate
static const cob_named_field candidate[] = {
    COB_TEXT(model, "Its model."),
    COB_CHOICE(weight, cob_weight_names, "Its weight."),
    COB_REAL(agreement, "The mean NMI of its row clusters with those of the others."),
    COB_INT(dust, "Its row clusters with less than a fifth of the mean number of rows."),
};
static const cob_type candidate_type = COB_TYPE("a candidate", COB_PART, candidate);
#undef S

#define S cob_tried
static const cob_named_field tried[] = {
    COB_INT(k, "Row clusters."),
    COB_INT(l, "Column clusters."),
    COB_REAL(value, "What the choice goes by: agreement or ICL."),
};
static const cob_type tried_type = COB_TYPE("a size that was tried", COB_PART, tried);
#undef S

#define S cobloc_result
static const cob_named_field result[] = {
    COB_TEXT(model, "The model that was fitted."),
    COB_TEXT(criterion_name, "What its criterion is called."),
    COB_CHOICE(inference, cob_inference_names, "The inference that was used; never auto."),
    COB_CHOICE(weight, cob_weight_names, "The weight that was used; never auto."),
    COB_REAL(unit,
             "What log, sqrt and bm25 divided entries by first: 1 for counts, for other numbers "
             "the mean size of those that are not 0; 0: nothing was measured."),
    COB_REAL(mean_length, "bm25: the mean sum of the rows with entries, in this unit; else 0."),
    COB_REAL(scale, "Models of counts: what weighted entries, or those that are not counts, were "
                    "multiplied by, so that their sum is that of the entries in their unit; 0: "
                    "they were not."),
    COB_INT(k, "Row clusters, numbered by their number of rows, largest first."),
    COB_INT(l, "Column clusters. Of diagonal models they follow the rows, else largest first."),
    COB_INT(n, "Rows of the matrix."),
    COB_INT(d, "Columns of the matrix."),
    COB_INT(nnz, "Non-zero entries of the matrix."),
    COB_INT(seed, "The seed."),
    COB_INT(restarts, "Starts that were asked for."),
    COB_INT(best_restart, "The start that gave this result."),
    COB_REALS(restart_criteria, restarts, "The criterion that each start reached; NaN: not run."),
    COB_REAL(criterion, "The criterion."),
    COB_INT(iterations, "Iterations of the best start."),
    COB_CHOICE(stop, cob_stop_names, "How it ended; see cobloc_stop."),
    COB_REAL(seconds, "Time that was taken."),
    COB_CHARS(device,
              "What the passes ran on: cpu, or the name of a GPU; empty in a saved result."),
    COB_INT(ranks, "Processes that shared the work: see cobloc/ranks.h."),
    COB_INT(messages, "Sums, gatherings and broadcasts between them; of each rank, the same."),
    COB_INT(bytes_sent, "Bytes that all ranks together sent."),
    COB_INT(repaired, "Clusters that only hold lines because none may become empty."),
    COB_INT(at_bound, "Parameters that the model keeps at a bound where others would fit better: "
                      "its assumptions do not hold."),
    COB_INT(dust, "Row clusters with less than a fifth of the mean number of rows."),
    COB_REAL(agreement, "Model auto: the mean NMI of the row clusters with those of the other "
                        "candidates, from 0 to 1: how sure the choice is; else NaN."),
    COB_LIST(candidates, candidate_count, candidate_type,
             "Model auto: what was fitted to choose from; not in a result that was read back."),
    COB_INTS(row_labels, n, "Cluster of each row; -1: the row is empty."),
    COB_INTS(col_labels, d, "Cluster of each column; -1: the column is empty."),
    COB_REALS(row_probabilities, n, "n by k: membership probabilities, if the inference has them.",
              COB_BY(k, 0)),
    COB_REALS(col_probabilities, d, "d by l: membership probabilities, if the inference has them.",
              COB_BY(l, 0)),
    COB_INT64S(row_sizes, k, "Rows in each row cluster."),
    COB_INT64S(col_sizes, l, "Columns in each column cluster."),
    COB_REALS(blocks, k, "k by l: sums of the (weighted) entries in each block.", COB_BY(l, 0)),
    COB_INT(parameter_count, "How many parameters each block has: most models have 1."),
    COB_TEXTS(parameter_names, parameter_count,
              "What they are called (glbm: mean, variance; clbm: p(yes), ...), where there are "
              "several."),
    COB_REALS(parameters, parameter_count,
              "k by l: the parameters of the model; where there are several, one such table behind "
              "the other.",
              COB_BY(k, 0), .count[2] = COB_COUNT_(l)),
    COB_REALS(row_proportions, k, "Proportions of the row clusters."),
    COB_REALS(col_proportions, l, "Proportions of the column clusters."),
    COB_INT(rule_width, "Numbers in a line of row_rule; 0: there is none."),
    COB_REALS(
        row_rule, k,
        "Block models: k by rule_width, which is l + 2 for most. With A (l numbers), b and e "
        "of line k, a row's score for cluster k is the sum over column clusters of its "
        "entries in them times A, plus its effect times b, plus e. glbm has another l numbers "
        "for the squares of the entries; clbm has l for each category but the first, for how "
        "often it occurs. Models that take missing cells have l more, before b: for how many "
        "are missing.",
        COB_BY(rule_width, 0)),
    COB_REALS(
        components, d,
        "Factorisations: columns by k, what rows are made of, scaled so that a row goes to its "
        "largest coefficient.",
        COB_BY(k, 0)),
    COB_REAL(effect_scale, "Of row_rule: a row's effect over its sum; 1 where none were given."),
    COB_TEXTS(col_names, l, "Names of column clusters, where the model gives them a meaning."),
    COB_INTS(merges, k,
             "2 by (k - 1): a hierarchy that merges row clusters by the criterion. Step s joins "
             "the groups with the smallest members merges[2s] < merges[2s + 1].",
             .plus = -1, .times = 2),
    COB_REALS(merge_criteria, k, "The criterion after each step of the hierarchy.", .plus = -1),
    COB_REAL(r_hat, "Stochastic inference: how well the chains of several starts agree (Gelman and "
                    "Rubin; below 1.1 is good); else NaN."),
    COB_REALS(trace, trace_count, "The criterion after each iteration of the best start."),
    COB_INT(empty_rows, "Rows without entries, which are left out."),
    COB_INT(empty_cols, "Columns without entries, which are left out."),
    COB_REAL(row_passes, "Block models: entries that the best start visited by rows, over all "
                         "entries; 0 for a result that was read back."),
    COB_REAL(col_passes, "The same by columns."),
    COB_REAL(icl, "Integrated completed likelihood (larger is better): complete log-likelihood - "
                  "(k-1)/2 log n - (l-1)/2 log d - K/2 log(n d), with K block parameters; NaN "
                  "without a likelihood."),
    COB_REAL(log_likelihood, "The complete log-likelihood in it, of the labels; NaN without one."),
    COB_REAL(free_parameters,
             "How many parameters the model estimates: K of icl, and k - 1 and l - 1 proportions "
             "unless these are equal; NaN without a likelihood."),
    COB_REAL(modularity, "Modularity of the clusters in pairs, as the model pairs them, else as is "
                         "best; NaN where k and l differ. ebco, coce: of the mean of what they "
                         "join."),
    COB_REAL(explained_information, "Mutual information of the block sums as a share of that of "
                                    "the matrix; NaN where that is 0."),
    COB_TEXT(size_rule, "What k was chosen by: agreement or icl; NULL: it was given."),
    COB_LIST(sizes, size_count, tried_type, "The sizes that it was chosen from, smallest first."),
    COB_CHARS(size_summary, "Why this size, in a sentence or two; empty: it was given."),
};
const cob_type cob_result_type = COB_TYPE("the result", COB_RESULT, result);
#undef S

#define S cobloc_fit_need
static const cob_named_field fit_need[] = {
    COB_REAL(total, "Bytes that a fit takes, about: all of the following."),
    COB_REAL(matrix, "The matrix itself."),
    COB_REAL(
        copies,
        "Copies of it, weighted, in layers or without empty lines, and labels of first starts."),
    COB_REAL(similarities,
             "Similarities between all rows, or all columns; for lda, the topics of all words."),
    COB_REAL(start, "One start."),
    COB_INT(starts, "How many starts run at a time."),
};
const cob_type cob_fit_need_type = COB_TYPE("the memory estimate", COB_RESULT, fit_need);
#undef S

/* ---- results that were saved ----------------------------------------------------------------- */

static void release_names(void *object)
{
    cobloc_saved *saved = object;
    cob_names_free(&saved->row_names);
    cob_names_free(&saved->col_names);
    cob_names_free(&saved->categories);
}

#define S cobloc_saved
static const cob_named_field saved[] = {
    COB_OWN_TEXT(folder, "The folder that was read; NULL: cobloc_saved_of or "
                         "cobloc_saved_unpack made it."),
    COB_OWN_OBJECT(
        result, cob_result_type,
        "The result as it was. Folders and bytes have no seconds, passes and candidates, "
        "folders no probabilities below 1e-12."),
    COB_GROUP(options, cob_fit_options_type,
              "Options that give the same result again on the same matrix, without threads."),
    COB_OWN_TEXT(input, "The file that was fitted; NULL: the matrix was made in memory."),
    COB_OWN_TEXT(format, "Its format; NULL: unknown."),
    COB_OWN_TEXT(variable, "Its MATLAB variable, where one was named."),
    COB_CHOICE(missing, cob_missing_names, "How cells without a value were read."),
    COB_CHOICE(values, cob_values_names, "What its cells were read as."),
    COB_OWN_TEXT(text, "How it was made from text, see cobloc_matrix_text; NULL: it was not."),
    COB_REAL(total, "The sum of the matrix's entries."),
    COB_INT64S(col_frequencies, cols, "How many rows have an entry in each column."),
    COB_REALS(col_sums, cols, "The sum of each column."),
    COB_REALS(centres, cols,
              "kmeans, skmeans, bmm: columns by k, the (weighted) entries of each "
              "column summed over the rows of each cluster.",
              COB_BY(k, 0)),
};
const cob_type cob_saved_type = {.name = "the saved result",
                                 .size = sizeof(S),
                                 .role = COB_RESULT,
                                 .count = sizeof saved / sizeof *saved,
                                 .fields = saved,
                                 .release = release_names};
#undef S

#define S cobloc_predict_options
static const cob_named_field predict_options[] = {
    COB_REALS(row_effects, row_effect_count,
              "Margins of the new rows for the Poisson models. By default their sums."),
    COB_INT(threads, COB_THREADS_HELP, COB_SOME_THREADS),
    COB_FLAG(scores, "Whether to keep the scores of all clusters."),
    COB_COMMUNICATOR,
};
const cob_type cob_predict_options_type =
    COB_TYPE("the predict options", COB_OPTIONS, predict_options);
#undef S

#define S cobloc_prediction
static const cob_named_field prediction[] = {
    COB_INT(n, "New rows."),
    COB_INT(k, "Row clusters of the result."),
    COB_INTS(labels, n, "Cluster of each row; -1: it has no entry in a known column."),
    COB_REALS(probabilities, n, "n by k, if the model has them.", COB_BY(k, 0)),
    COB_REALS(scores, n,
              "n by k, if they were asked for: what each row chose its cluster by, the largest. "
              "0 in rows with label -1. If the model has probabilities, these are their "
              "logarithms, up to a constant in each row.",
              COB_BY(k, 0)),
    COB_FLAG(by_name, "Columns were matched by name; 0: by order."),
    COB_INT(unknown_cols, "Columns with entries that were not fitted."),
    COB_REAL(unknown_share, "The share of all entries (by sum) in these columns."),
    COB_INT(missing_cols, "Columns that were fitted and are not there: taken as 0, "
                          "by glbm and clbm as missing."),
    COB_INT(unplaced, "Rows with label -1."),
};
const cob_type cob_prediction_type = COB_TYPE("the prediction", COB_RESULT, prediction);
#undef S

COB_DEFINE_OPTIONS(fit_options)
COB_DEFINE_OPTIONS(predict_options)
COB_DEFINE_FREE(result)
COB_DEFINE_FREE(fit_need)
COB_DEFINE_FREE(saved)
COB_DEFINE_FREE(prediction)

const char *cobloc_inference_name(cobloc_inference inference)
{
    return cob_choice_name(cob_inference_names, (int)inference);
}

const char *cobloc_start_name(cobloc_start start)
{
    return cob_choice_name(cob_start_names, (int)start);
}

const char *cobloc_stop_name(cobloc_stop stop)
{
    return cob_choice_name(cob_stop_names, (int)stop);
}
