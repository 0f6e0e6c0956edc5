/* Lines with hard labels, for processors with AVX512.
 * SPDX-License-Identifier: MIT
 */
#define COB_LINES_VARIANT cob_lines_avx512
#ifdef __AVX512F__
#include "matrix/lines.c"
#else
#include "matrix/lines.h"
cob_lines_fn *const COB_LINES_VARIANT = 0;
#endif
