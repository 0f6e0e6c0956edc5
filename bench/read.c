/* Reads a matrix file several times on THREADS threads and prints, as JSON: the seconds of the
 * quickest read, the bytes of the matrix, and the peak memory of this process.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "io/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { ROUNDS = 4 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    cobloc_io_options options;
    struct rusage usage;
    cob_io_options_default(&options);
    if (argc != 3) {
        fputs("usage: read FILE THREADS\n", stderr);
        return 2;
    }
    options.threads = atoi(argv[2]);
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        cobloc_matrix_free(matrix);
        double start = now();
        if (cobloc_matrix_read(argv[1], &options, &matrix, &err) != COBLOC_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"seconds\": %.6f, \"bytes\": %zu, \"peak\": %ld, \"nnz\": %lld}\n", best,
           cobloc_matrix_bytes(matrix), usage.ru_maxrss * 1024L,
           (long long)cobloc_matrix_nnz(matrix));
    cobloc_matrix_free(matrix);
    return 0;
}
