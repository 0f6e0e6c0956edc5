/* A fit that can be stopped, with probabilities, scored against the classes that the matrix carries.
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

/* ---- stopping ----------------------------------------------------------------------------------- */

typedef struct patience {
    time_t until;
    long reports;
} patience;

/* Called now and then while the fit runs. Whatever it returns but 0 stops the fit, which then gives the
 * best it has. A program with windows would look at its Cancel button here, and draw a bar of length
 * `done`. (For a mere limit of time, options.max_seconds does the same without a callback.) */
static int report(void *user, const char *what, double done)
{
    patience *p = user;
    (void)what;
    (void)done;
    p->reports++;
    return time(NULL) >= p->until;
}

/* ---- probabilities ------------------------------------------------------------------------------ */

/* How sure the fit is of a row: the probability of the cluster that it was put into. */
static double certainty(const cobloc_result *result, int64_t row)
{
    int32_t label = result->row_labels[row];
    return label < 0 ? 1 : result->row_probabilities[row * result->k + label];
}

static void print_least_certain(const cobloc_matrix *matrix, const cobloc_result *result)
{
    int64_t least = 0;
    for (int64_t i = 1; i < result->n; i++)
        if (certainty(result, i) < certainty(result, least))
            least = i;
    const char *name = cobloc_matrix_row_name(matrix, least);
    printf("least certain: %s\n", name ? name : "a row without a name");
    for (int k = 0; k < result->k; k++)
        printf("  bloc %d  %.3f\n", k, result->row_probabilities[least * result->k + k]);
}

/* ---- scores ------------------------------------------------------------------------------------- */

/* Gives each row the number of the first row of its class: any numbers do, as long as they differ from
 * class to class and are not too large. */
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
    cobloc_scores scores;
    int32_t *classes = number_classes(matrix, result->n);
    if (!classes) {
        snprintf(err->message, sizeof err->message, "out of memory");
        return COBLOC_NO_MEMORY;
    }
    cobloc_status status = cobloc_score(result->row_labels, classes, result->n, &scores, err);
    if (status == COBLOC_OK)
        printf("accuracy %.3f, NMI %.3f, ARI %.3f\n", scores.acc, scores.nmi, scores.ari);
    free(classes);
    return status;
}

int main(int argc, char **argv)
{
    cobloc_matrix *matrix = NULL;
    cobloc_result *result = NULL;
    cobloc_fit_options options;
    cobloc_error err;

    if (argc != 4) {
        fprintf(stderr, "usage: score_labels FILE K SECONDS\n");
        return 2;
    }
    patience p = {.until = time(NULL) + atoi(argv[3])};
    cobloc_fit_options_default(&options);
    options.model = "splbm-exact";
    options.inference = COBLOC_SOFT;
    options.k = atoi(argv[2]);
    options.progress = (cobloc_progress){report, &p};

    int done = cobloc_matrix_read(argv[1], NULL, &matrix, &err) == COBLOC_OK &&
               cobloc_fit(matrix, &options, &result, &err) == COBLOC_OK;
    if (done) {
        printf("%s, %s: %s %.2f after %d iterations (%s), %ld reports\n", result->model,
               cobloc_inference_name(result->inference), result->criterion_name, result->criterion,
               result->iterations, cobloc_stop_name(result->stop), p.reports);
        print_least_certain(matrix, result);
        if (cobloc_matrix_row_label(matrix, 0))
            done = print_scores(matrix, result, &err) == COBLOC_OK;
    }
    if (!done)
        fprintf(stderr, "score_labels: %s\n", err.message);

    cobloc_result_free(result);
    cobloc_matrix_free(matrix);
    return done ? 0 : 1;
}
