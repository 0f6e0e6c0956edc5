/* Fits a model (coclus, if none is named) for at most a number of iterations on one thread, ROUNDS
 * times, and prints, as JSON: the seconds of the fastest (of processor time: the machine may be
 * busy), the iterations that were run, the criterion, the information that the blocks keep. One
 * start from given labels; where "-" stands for those of the rows, RESTARTS (1) starts of its own.
 * Of lda also the perplexity of tokens that it has not seen, a matrix of the same rows and columns.
 * COBLOC_SEED in the environment is the seed.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include "compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int32_t *read_labels(const char *path, int64_t count)
{
    if (strcmp(path, "-") == 0)
        return NULL;
    int32_t *labels = malloc((size_t)count * sizeof *labels);
    FILE *file = fopen(path, "r");
    for (int64_t i = 0; labels && i < count; i++)
        if (!file || fscanf(file, "%d", &labels[i]) != 1) {
            fprintf(stderr, "%s: expected %lld labels\n", path, (long long)count);
            exit(1);
        }
    if (file)
        fclose(file);
    return labels;
}

/* What documents (rows by k) and words given topics (columns by k) say of the tokens of a matrix.
 */
static double perplexity(const cobloc_matrix *tokens, const double *documents, const double *words,
                         int k)
{
    cobloc_view rows = cobloc_matrix_by_rows(tokens);
    double sum = 0;
    for (int64_t i = 0; i < rows.major; i++)
        for (int64_t e = rows.offsets[i]; e < rows.offsets[i + 1]; e++) {
            double likely = 0;
            for (int t = 0; t < k; t++)
                likely += documents[i * k + t] * words[rows.indices[e] * (int64_t)k + t];
            sum += cobloc_view_value(&rows, e) * log(likely);
        }
    return exp(-sum / cobloc_matrix_total(tokens));
}

/* p(word | topic) is p(topic | column) times (the sum of the column + 1), made to sum to 1: with
 * lda's prior of 1/k. */
static double held_out_perplexity(const cobloc_matrix *matrix, const cobloc_matrix *held_out,
                                  const cobloc_result *result)
{
    const double *sums = cobloc_matrix_col_sums(matrix);
    int k = result->k;
    double *words = calloc((size_t)result->d * (size_t)k, sizeof *words), found;
    for (int t = 0; words && t < k; t++) {
        double total = 0;
        for (int64_t j = 0; j < result->d; j++)
            total += words[j * k + t] = result->col_probabilities[j * k + t] * (sums[j] + 1);
        for (int64_t j = 0; j < result->d; j++)
            words[j * k + t] /= total;
    }
    found = words ? perplexity(held_out, result->row_probabilities, words, k) : NAN;
    free(words);
    return found;
}

static void fit(const cobloc_matrix *matrix, const cobloc_fit_options *options, int rounds,
                const cobloc_matrix *held_out)
{
    double seconds = 0, criterion = 0, information = 0, unseen = 0;
    int iterations = 0;
    for (int round = 0; round < rounds; round++) {
        cobloc_result *result = NULL;
        cobloc_error err;
        double start = now();
        if (cobloc_fit(matrix, options, &result, &err) != COBLOC_OK) {
            fprintf(stderr, "%s\n", err.message);
            exit(1);
        }
        double taken = now() - start;
        seconds = round == 0 || taken < seconds ? taken : seconds;
        iterations = result->iterations;
        criterion = result->criterion;
        information = result->explained_information;
        if (held_out)
            unseen = held_out_perplexity(matrix, held_out, result);
        cobloc_result_free(result);
    }
    printf("{\"seconds\": %.6f, \"iterations\": %d, \"criterion\": %.12f, \"information\": %.12f",
           seconds, iterations, criterion, information);
    if (held_out)
        printf(", \"held_out\": %.12f", unseen);
    puts("}");
}

static cobloc_weight weight_named(const char *name)
{
    int weight = COBLOC_WEIGHT_NONE;
    while (weight <= COBLOC_WEIGHT_BM25IDF &&
           strcmp(name, cobloc_weight_name((cobloc_weight)weight)))
        weight++;
    return (cobloc_weight)weight;
}

/* "itcc", "splbm:exact": as `cobloc compare` takes them. */
static int read_model(const char *text, cobloc_fit_options *options)
{
    cobloc_error err;
    cobloc_contender contender = {.options = *options};
    if (cob_contender_parse(text, &contender, &err) != COBLOC_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    *options = contender.options;
    return 0;
}

static cobloc_matrix *read_matrix(const char *path)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    if (cobloc_matrix_read(path, NULL, &matrix, &err) != COBLOC_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return matrix;
}

int main(int argc, char **argv)
{
    cobloc_fit_options options;
    if (argc < 7 || argc > 11) {
        fputs("usage: fit MATRIX ROW-LABELS|- COL-LABELS|- K ITERATIONS ROUNDS [MODEL [WEIGHT "
              "[RESTARTS [HELD-OUT]]]]\n",
              stderr);
        return 2;
    }
    cobloc_matrix *matrix = read_matrix(argv[1]);
    cobloc_matrix *held_out = argc > 10 ? read_matrix(argv[10]) : NULL;
    int32_t *rows = read_labels(argv[2], cobloc_matrix_rows(matrix));
    int32_t *cols = read_labels(argv[3], cobloc_matrix_cols(matrix));
    cob_fit_options_default(&options);
    options.k = atoi(argv[4]);
    options.start = rows ? COBLOC_START_LABELS : COBLOC_START_AUTO;
    if (argc > 7 && read_model(argv[7], &options))
        return 1;
    options.weight = argc > 8 ? weight_named(argv[8]) : options.weight;
    options.start_rows = rows;
    options.start_cols = cols;
    options.restarts = argc > 9 ? atoi(argv[9]) : 1;
    options.max_iterations = atoi(argv[5]);
    options.tolerance = rows ? 0 : options.tolerance;
    options.threads = 1;
    if (getenv("COBLOC_SEED"))
        options.seed = strtoull(getenv("COBLOC_SEED"), NULL, 10);
    fit(matrix, &options, atoi(argv[6]), held_out);
    free(rows);
    free(cols);
    cobloc_matrix_free(held_out);
    cobloc_matrix_free(matrix);
    return 0;
}
