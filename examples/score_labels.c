/* A fit that can be stopped, with probabilities, scored against the classes that the matrix
 * carries.
 *
 *     cc score_labels.c $(pkg-config --cflags --libs cobloc) -o score_labels
 *     ./score_labels nations/nations.csv 5 10        # at most ten seconds
 *
 * SPDX-License-Identifier: MIT
 */
#include <cobloc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- stopping -------------------------------------------------------------------------------- */

typedef struct patience {
    time_t until;
    long reports;
} patience;

/* Called now and then while the fit runs. Whatever it returns but 0 stops the fit, which then gives
 * the best it has. A program with windows would look at its Cancel button here, and draw a bar of
 * length `done`. (For a mere limit of time, the option max_seconds does the same without a
 * callback.) */
static int report(void *user, const char *what, double done)
{
    patience *p = user;
    (void)what;
    (void)done;
    p->reports++;
    return time(NULL) >= p->until;
}

/* ---- probabilities --------------------------------------------------------------------------- */

/* How sure the fit is of each row: the probability of the cluster that it was put into. */
static void print_least_certain(const cobloc_matrix *matrix, const cobloc_result *result)
{
    int64_t rows, least = 0, k = cobloc_int(result, "k");
    const int32_t *labels = cobloc_ints(result, &rows, "row_labels");
    const double *probabilities = cobloc_reals(result, NULL, "row_probabilities");
    double lowest = 1;
    for (int64_t i = 0; i < rows; i++)
        if (labels[i] >= 0 && probabilities[i * k + labels[i]] < lowest) {
            least = i;
            lowest = probabilities[i * k + labels[i]];
        }
    const char *name = cobloc_matrix_row_name(matrix, least);
    printf("least certain: %s\n", name ? name : "a row without a name");
    for (int64_t c = 0; c < k; c++)
        printf("  bloc %lld  %.3f\n", (long long)c, probabilities[least * k + c]);
}

/* ---- scores ---------------------------------------------------------------------------------- */

/* Gives each row the number of the first row of its class: any numbers do, as long as they differ
 * from class to class and are not too large. */
static int32_t *number_classes(const cobloc_matrix *matrix, int64_t rows)
{
    int32_t *classes = malloc((size_t)rows * sizeof *classes);
    for (int64_t i = 0; classes && i < rows; i++) {
        const char *own = cobloc_matrix_row_label(matrix, i);
        int64_t first = 0;
        while (own && strcmp(cobloc_matrix_row_label(matrix, first), own) != 0)
            first++;
        classes[i] = own ? (int32_t)first : -1;
    }
    return classes;
}

static cobloc_status print_scores(const cobloc_matrix *matrix, const cobloc_result *result,
                                  cobloc_error *err)
{
    int64_t rows;
    cobloc_scores *scores = NULL;
    const int32_t *labels = cobloc_ints(result, &rows, "row_labels");
    int32_t *classes = number_classes(matrix, rows);
    if (!classes) {
        snprintf(err->message, sizeof err->message, "out of memory");
        return COBLOC_NO_MEMORY;
    }
    cobloc_status status = cobloc_score(labels, classes, rows, &scores, err);
    if (status == COBLOC_OK)
        printf("accuracy %.3f, NMI %.3f, ARI %.3f\n", cobloc_real(scores, "acc"),
               cobloc_real(scores, "nmi"), cobloc_real(scores, "ari"));
    cobloc_scores_free(scores);
    free(classes);
    return status;
}

/* What the fit is to be: options are set by name, also from texts. */
static cobloc_status make_options(const char *k, cobloc_fit_options **options, cobloc_error *err)
{
    cobloc_status status = cobloc_fit_options_new(options, err);
    if (status == COBLOC_OK)
        status = cobloc_set_text(*options, "model", "splbm-exact", err);
    if (status == COBLOC_OK)
        status = cobloc_set_text(*options, "inference", "soft", err);
    if (status == COBLOC_OK)
        status = cobloc_set_text(*options, "k", k, err);
    return status;
}

int main(int argc, char **argv)
{
    cobloc_matrix *matrix = NULL;
    cobloc_result *result = NULL;
    cobloc_fit_options *options = NULL;
    cobloc_error err;

    if (argc != 4) {
        fprintf(stderr, "usage: score_labels FILE K SECONDS\n");
        return 2;
    }
    patience p = {.until = time(NULL) + atoi(argv[3])};
    int done = make_options(argv[2], &options, &err) == COBLOC_OK;
    cobloc_set_progress(options, report, &p);
    done = done && cobloc_matrix_read(argv[1], NULL, &matrix, &err) == COBLOC_OK &&
           cobloc_fit(matrix, options, &result, &err) == COBLOC_OK;
    if (done) {
        printf("%s, %s: %s %.2f after %lld iterations (%s), %ld reports\n",
               cobloc_text(result, "model"), cobloc_text(result, "inference"),
               cobloc_text(result, "criterion_name"), cobloc_real(result, "criterion"),
               (long long)cobloc_int(result, "iterations"), cobloc_text(result, "stop"), p.reports);
        print_least_certain(matrix, result);
        if (cobloc_matrix_row_label(matrix, 0))
            done = print_scores(matrix, result, &err) == COBLOC_OK;
    }
    if (!done)
        fprintf(stderr, "score_labels: %s\n", err.message);

    cobloc_result_free(result);
    cobloc_matrix_free(matrix);
    cobloc_fit_options_free(options);
    return done ? 0 : 1;
}
