/* What scores consist of.
 * SPDX-License-Identifier: MIT
 */
#include "score/scores.h"

#define S cobloc_scores
static const cob_named_field scores[] = {
    COB_REAL(acc, "Accuracy: share of lines that agree, under the best matching of clusters and "
                  "classes."),
    COB_REAL(nmi, "Mutual information over the geometric mean of the entropies."),
    COB_REAL(ari, "Adjusted Rand index."),
    COB_REAL(purity, "Share of lines of the most frequent class of their cluster."),
    COB_REAL(sdcs, "Standard deviation of the cluster sizes, over k - 1; 0 for k = 1."),
    COB_REAL(truth_sdcs, "The same of the classes."),
    COB_INT(clusters, "Clusters with a line."),
    COB_INT(classes, "Classes with a line."),
    COB_INT(lines, "Lines with both labels."),
};
const cob_type cob_scores_type = COB_TYPE("the scores", COB_RESULT, scores);
#undef S

#define S cobloc_coscores
static const cob_named_field coscores[] = {
    COB_GROUP(rows, cob_scores_type, "Scores of the rows."),
    COB_GROUP(cols, cob_scores_type, "Scores of the columns."),
    COB_REAL(cce, "Co-clustering error e + f - e f, with e = 1 - acc of the rows and f of the "
                  "columns: the share of cells whose row or column is wrong."),
    COB_REAL(cari, "Co-clustering adjusted Rand index of the cells, labelled by their row and "
                   "column (Robert, Vasseur, Brault 2021)."),
};
const cob_type cob_coscores_type = COB_TYPE("the scores", COB_RESULT, coscores);
#undef S

#define S cobloc_confusion
static const cob_named_field confusion[] = {
    COB_INT(classes, "Rows of the table."),
    COB_INT(clusters, "Columns of the table."),
    COB_INTS(class_labels, classes, "The class of each row of the table."),
    COB_INTS(cluster_labels, clusters, "The cluster of each column."),
    COB_INT64S(counts, classes, "Classes by clusters: how many lines are in both.",
               COB_BY(clusters, 0)),
};
const cob_type cob_confusion_type = COB_TYPE("the confusion table", COB_RESULT, confusion);
#undef S

#define S cobloc_paired_test
static const cob_named_field paired_test[] = {
    COB_INT(pairs, "Pairs that were compared."),
    COB_REAL(difference, "Mean of first - second."),
    COB_REAL(sd, "Its standard deviation."),
    COB_REAL(t, "Paired t-test; 0 where there is no difference at all."),
    COB_REAL(t_p, "Its two-sided p; 1 where there is no difference at all."),
    COB_REAL(wilcoxon, "Signed-rank test: the smaller sum of ranks, pairs without a difference "
                       "left out."),
    COB_REAL(wilcoxon_p, "Its two-sided p: exact, also with ties, up to 200 pairs; then the normal "
                         "approximation."),
};
const cob_type cob_paired_test_type = COB_TYPE("the paired test", COB_RESULT, paired_test);
#undef S

static void release_lines(void *labels)
{
    cob_lines_free(&((cobloc_labels *)labels)->lines);
}

#define S cobloc_labels
static const cob_named_field labels[] = {
    COB_OWN_TEXT(path, "The file that they were read from; NULL: they are the matrix's own."),
    COB_INT(count, "Lines."),
    COB_INTS(labels, count, "The class of each line; -1: it has no label."),
    COB_TEXTS(class_names, class_count, "The label of each class."),
    COB_CHARS(note, "What was left out when lines were matched by name; empty: nothing."),
};
const cob_type cob_labels_type = {.name = "the labels",
                                  .size = sizeof(S),
                                  .role = COB_RESULT,
                                  .count = sizeof labels / sizeof *labels,
                                  .fields = labels,
                                  .release = release_lines};
#undef S

COB_DEFINE_FREE(labels)
COB_DEFINE_FREE(scores)
COB_DEFINE_FREE(coscores)
COB_DEFINE_FREE(confusion)
COB_DEFINE_FREE(paired_test)
