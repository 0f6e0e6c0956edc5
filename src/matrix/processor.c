/* Selecting the variant for this processor.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/lines.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#define HAS(feature) (__builtin_cpu_supports(feature) != 0)
#else
#define HAS(feature) 0
#endif

typedef struct variant {
    const char *name;
    cob_lines_fn *lines;
    bool runs;
} variant;

/* Tries the best one first; the last one always runs. */
static variant variant_here(void)
{
    const variant all[] = {
        {"avx512", cob_lines_avx512, HAS("avx512bw") && HAS("avx512dq") && HAS("bmi2")},
        {"avx2", cob_lines_avx2, HAS("avx2")},
        {"portable", cob_lines_portable, true}};
    const char *asked = getenv("COBLOC_PROCESSOR");
    int v = 0;
    while (asked && v < 2 && strcmp(asked, all[v].name) != 0)
        v++;
    while (v < 2 && (!all[v].lines || !all[v].runs))
        v++;
    return all[v];
}

cob_lines_fn *cob_lines_here(void)
{
    return variant_here().lines;
}

const char *cob_lines_name(void)
{
    return variant_here().name;
}
