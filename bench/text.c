/* Counts the terms of FILE, a document a line (or of a folder, a document a file), several times on
 * THREADS threads, terms of up to NGRAMS words, by the rule of scikit-learn's CountVectorizer;
 * prints, as JSON, the quickest run by the clock and by the processor, and what was counted. CLEAN,
 * EXCERPTS and PHRASES are those options of text; by default, nothing is cleaned, kept or joined.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "text/options.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum { ROUNDS = 5 };

static double at(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

int main(int argc, char **argv)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    cobloc_text_options options;
    cobloc_text_info info;
    double seconds = 1e9, processor = 1e9;
    cob_text_options_default(&options);
    if (argc != 4 && argc != 7) {
        fputs("usage: text FILE THREADS NGRAMS [CLEAN EXCERPTS PHRASES]\n", stderr);
        return 2;
    }
    struct stat about;
    bool folder = stat(argv[1], &about) == 0 && S_ISDIR(about.st_mode);
    options.corpus = folder ? COBLOC_CORPUS_FILES : COBLOC_CORPUS_LINES;
    options.clean = argc > 4 ? argv[4] : "none";
    options.excerpts = argc > 5 ? atoi(argv[5]) : 0;
    options.phrases = argc > 6 && atoi(argv[6]);
    options.tokens = COBLOC_TOKENS_WORD2;
    options.language = "none";
    options.numbers = 1;
    options.min_df = options.max_df = 1;
    options.threads = atoi(argv[2]);
    options.ngrams_to = atoi(argv[3]);
    for (int round = 0; round < ROUNDS; round++) {
        cobloc_matrix_free(matrix);
        double start = at(CLOCK_MONOTONIC), used = at(CLOCK_PROCESS_CPUTIME_ID);
        if (cob_text_read(argv[1], &options, &matrix, &info, &err) != COBLOC_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        seconds = smaller(seconds, at(CLOCK_MONOTONIC) - start);
        processor = smaller(processor, at(CLOCK_PROCESS_CPUTIME_ID) - used);
    }
    printf(
        "{\"seconds\": %.6f, \"processor\": %.6f, \"documents\": %lld, \"terms\": %lld, \"nnz\": "
        "%lld, \"total\": %.0f, \"phrases\": %lld}\n",
        seconds, processor, (long long)cobloc_matrix_rows(matrix),
        (long long)cobloc_matrix_cols(matrix), (long long)cobloc_matrix_nnz(matrix),
        cobloc_matrix_total(matrix), (long long)info.phrases);
    cobloc_matrix_free(matrix);
    return 0;
}
