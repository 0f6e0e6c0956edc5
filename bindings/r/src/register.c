/* What R may call.
 *
 * SPDX-License-Identifier: MIT
 */
#include "calls.h"

#include <R_ext/Rdynload.h>

/* clang-format off */
#define CALL(name, arguments) {#name, (DL_FUNC)(void (*)(void))name, arguments}
/* clang-format on */

static const R_CallMethodDef calls[] = {
    CALL(r_fit, 4),      CALL(r_select, 4), CALL(r_ensemble, 3), CALL(r_predict, 3),
    CALL(r_save, 3),     CALL(r_load, 2),   CALL(r_describe, 3), CALL(r_report, 4),
    CALL(r_compare, 6),  CALL(r_score, 2),  CALL(r_coscore, 4),  CALL(r_read, 4),
    CALL(r_simulate, 3), CALL(r_models, 0), CALL(r_presets, 0),  CALL(r_options, 1),
    CALL(r_version, 0),  {NULL, NULL, 0},
};

void R_init_cobloc(DllInfo *library)
{
    R_registerRoutines(library, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(library, FALSE);
    R_forceSymbols(library, TRUE);
}
