/* What a machine allows more threads to do: work in registers, which shares nothing; a sum over a
 * gigabyte; and gathers from a table of a megabyte, as labels are looked up. Prints the seconds
 * with 1, 2, 4, ... threads, each the best of some rounds, and how many times faster that is than
 * one.
 *
 *     ceiling
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/parallel.h"
#include "base/watch.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 1 << 28, TABLE = 1 << 20, ROUNDS = 5, FACTORS = 1 << 30 };

static uint32_t *numbers;
static uint8_t *table;

static double multiply(int threads)
{
    double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
        double x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma omp for schedule(static)
        for (int64_t i = 0; i < FACTORS / 8; i++)
            for (int j = 0; j < 8; j++)
                x[j] = x[j] * 0.999999 + 1e-9;
        for (int j = 0; j < 8; j++)
            sum += x[j];
    }
    return sum;
}

static double add(int threads)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum)
    for (int64_t i = 0; i < NUMBERS; i++)
        sum += numbers[i];
    return (double)sum;
}

static double gather(int threads)
{
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum)
    for (int64_t i = 0; i < NUMBERS; i++)
        sum += table[numbers[i] % TABLE];
    return (double)sum;
}

int main(void)
{
    static const struct {
        const char *what;
        double (*work)(int threads);
    } works[] = {{"multiplications in registers", multiply},
                 {"a sum over 1 GB", add},
                 {"gathers from 1 MB", gather}};
    numbers = malloc(NUMBERS * sizeof *numbers);
    table = malloc(TABLE);
    if (!numbers || !table) {
        fputs("out of memory\n", stderr);
        return 1;
    }
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < NUMBERS; i++)
        numbers[i] = (uint32_t)((uint64_t)i * 2654435761u >> 7);
    for (int i = 0; i < TABLE; i++)
        table[i] = (uint8_t)i;
    for (size_t w = 0; w < sizeof works / sizeof *works; w++) {
        double one = 0, checked = 0;
        printf("%s:", works[w].what);
        for (int threads = 1; threads <= cob_threads(0); threads *= 2) {
            double best = INFINITY;
            for (int round = 0; round < ROUNDS; round++) {
                double start = cob_clock();
                checked += works[w].work(threads);
                best = fmin(best, cob_clock() - start);
            }
            one = threads == 1 ? best : one;
            printf(" %d: %.3f s, %.1f ×", threads, best, one / best);
        }
        printf(isfinite(checked) ? "\n" : " (no number)\n");
    }
    free(numbers);
    free(table);
    return 0;
}
