/* Lines with hard labels, for processors with AVX2.
 * SPDX-License-Identifier: MIT
 */
#define COB_LINES_VARIANT cob_lines_avx2
#ifdef __AVX2__
#include "matrix/lines.c"
#else
#include "matrix/lines.h"
cob_lines_fn *const COB_LINES_VARIANT = 0;
#endif
