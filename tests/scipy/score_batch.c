/* Many scores in one process, for comparisons. Each task on stdin is a word and numbers:
 *
 *     labels COUNT, labels, truth              prints acc nmi ari purity sdcs truth_sdcs
 *     matching ROWS COLS, gains row by row     prints the best sum
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/matching.h"
#include "score/scores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t *read_labels(int64_t count)
{
    int32_t *labels = malloc((size_t)count * sizeof *labels);
    for (int64_t i = 0; labels && i < count; i++)
        if (scanf("%d", &labels[i]) != 1)
            exit(2);
    return labels;
}

static int score_labels(void)
{
    long count;
    cobloc_scores s;
    if (scanf("%ld", &count) != 1)
        return 2;
    int32_t *labels = read_labels(count), *truth = read_labels(count);
    int failed = !labels || !truth || cob_score(labels, truth, count, &s, NULL) != COBLOC_OK ||
                 printf("%.17g %.17g %.17g %.17g %.17g %.17g\n", s.acc, s.nmi, s.ari, s.purity,
                        s.sdcs, s.truth_sdcs) < 0;
    free(labels);
    free(truth);
    return failed;
}

static int best_matching(void)
{
    int rows, cols;
    double sum;
    if (scanf("%d %d", &rows, &cols) != 2)
        return 2;
    double *gain = malloc((size_t)rows * (size_t)cols * sizeof *gain);
    for (int c = 0; gain && c < rows * cols; c++)
        if (scanf("%lf", &gain[c]) != 1)
            return 2;
    int failed = !gain || cob_best_matching(gain, rows, cols, &sum, NULL, NULL) != COBLOC_OK ||
                 printf("%.17g\n", sum) < 0;
    free(gain);
    return failed;
}

int main(void)
{
    char task[16];
    while (scanf("%15s", task) == 1)
        if (strcmp(task, "labels") == 0 ? score_labels() : best_matching())
            return 1;
    return 0;
}
