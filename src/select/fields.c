/* Options of a selection, what it finds, and the curve that it wrote.
 * SPDX-License-Identifier: MIT
 */
#include "select/selection.h"

const char *const cob_choice_names[] = {
    "auto", "icl", "modularity", "agreement", "exact-icl", "length", "thinning", "stability", NULL};
const char *const cob_origin_names[] = {"starts", "merged", "split", NULL};

#define SIZE COB_RANGE(1, COB_MOST_CLUSTERS, 0)

#define S cobloc_select_options
static const cob_named_field select_options[] = {
    COB_GROUP(fit, cob_fit_options_type,
              "Options of every fit. Its k and l are ignored, it may not start from labels, and "
              "max_seconds limits all fits together."),
    COB_TEXTS(models, model_count, "Models to choose among. By default fit.model alone.",
              .check = cob_check_model),
    COB_INT(k_from, "Smallest number of row clusters.", COB_RANGE(1, COB_MOST_CLUSTERS, 2)),
    COB_INT(k_to, "Largest number of row clusters. By default 12.", SIZE),
    COB_INT(l_from,
            "Smallest number of column clusters, for models that let you choose it; all pairs of "
            "sizes are tried. By default as many as row clusters.",
            SIZE),
    COB_INT(l_to, "Largest number of column clusters.", SIZE),
    COB_CHOICE(
        by, cob_choice_names,
        "Criterion of the choice. auto: icl among several models and for column sizes of their "
        "own; of one model, as a fit without k: icl if a block model describes the table, "
        "else agreement."),
    COB_REAL(within,
             "Choose the smallest size whose modularity is at most this share below the largest.",
             COB_FROM_0(0.02)),
};
const cob_type cob_select_options_type =
    COB_TYPE("the select options", COB_OPTIONS, select_options);
#undef S

#define S cobloc_size
static const cob_named_field size[] = {
    COB_TEXT(model, "The model."),
    COB_INT(k, "Row clusters."),
    COB_INT(l, "Column clusters."),
    COB_REAL(value, "What the choice goes by; see cobloc_choice."),
    COB_REAL(spread, "ICL, modularity: how far the second best of all starts falls below the best, "
                     "in the same units; NaN where the model's criterion has others. Thinning, "
                     "stability: the standard error of the value; agreement: that of how far it "
                     "is from the best."),
    COB_FLAG(as_good, "Not worse than the best: within the spread of the best size's starts (ICL), "
                      "`within` of the best (modularity), or a standard error of it."),
    COB_FLAG(set_aside, "Not chosen from: its model's assumptions do not hold, those of others "
                        "do."),
    COB_INT(smallest, "Rows of the smallest cluster."),
    COB_REAL(seconds, "Time of all fits of this size."),
    COB_CHOICE(origin, cob_origin_names, "Where the best fit started; see cobloc_origin."),
    COB_OWN_OBJECT(result, cob_result_type, "The best fit."),
};
static const cob_type size_type = COB_TYPE("a size", COB_PART, size);
#undef S

#define S cobloc_selection
static const cob_named_field selection[] = {
    COB_CHOICE(by, cob_choice_names, "What sizes were chosen by; never auto."),
    COB_LIST(curve, count, size_type, "The sizes, by model, then k, then l."),
    COB_INT(chosen, "Place of the chosen size in the curve."),
    COB_INT(best, "Place of the largest value that is not set aside."),
    COB_FLAG(at_end, "The chosen size is the largest that was tried."),
    COB_CHOICE(stop, cob_stop_names, "cancelled or time: sizes may be missing."),
    COB_REAL(seconds, "Time that was taken."),
    COB_CHARS(summary, "What it means, in a sentence or two."),
};
const cob_type cob_selection_type = COB_TYPE("the selection", COB_RESULT, selection);
#undef S

#define S cobloc_curve_point
static const cob_named_field curve_point[] = {
    COB_CHARS(model, "The model."),
    COB_INT(k, "Row clusters."),
    COB_INT(l, "Column clusters."),
    COB_REAL(value, "What the choice went by."),
    COB_REAL(icl, "ICL; NaN: none."),
    COB_REAL(modularity, "Modularity; NaN: none."),
    COB_FLAG(as_good, "Not worse than the best."),
    COB_FLAG(chosen, "The chosen size."),
};
static const cob_type curve_point_type = COB_TYPE("a point of a curve", COB_PART, curve_point);
#undef S

#define S cobloc_larger
static const cob_named_field larger[] = {
    COB_INT(k, "Row clusters."),
    COB_INT(l, "Column clusters."),
    COB_INTS(row_labels, rows, "Cluster of each row; -1: empty."),
    COB_INTS(col_labels, cols, "Cluster of each column; -1: empty."),
};
static const cob_type larger_type = COB_TYPE("a larger size", COB_PART, larger);
#undef S

#define S cobloc_curve
static const cob_named_field curve[] = {
    COB_LIST(points, count, curve_point_type, "The sizes; empty where there is no curve."),
    COB_LIST(larger, larger_count, larger_type,
             "Sizes above the chosen one whose labels were kept."),
};
const cob_type cob_curve_type = COB_TYPE("the curve", COB_RESULT, curve);
#undef S

COB_DEFINE_OPTIONS(select_options)
COB_DEFINE_FREE(selection)
COB_DEFINE_FREE(curve)

const char *cobloc_choice_name(cobloc_choice choice)
{
    return cob_choice_name(cob_choice_names, (int)choice);
}

const char *cobloc_origin_name(cobloc_origin origin)
{
    return cob_choice_name(cob_origin_names, (int)origin);
}
