/* The list of models, in the order in which they are shown: a line each. registry.h says what
 * COB_MODEL makes of it.
 *
 * SPDX-License-Identifier: MIT
 */
COB_MODEL(coclus)
COB_MODEL(splbm)
COB_MODEL(splbm_exact)
COB_MODEL(plbm)
COB_MODEL(socc)
COB_MODEL(lbm)
COB_MODEL(dlbm1)
COB_MODEL(dlbm2)
COB_MODEL(dlbm3)
COB_MODEL(glbm)
COB_MODEL(clbm)
COB_MODEL(itcc)
COB_MODEL(fnmtf)
COB_MODEL(dcc)
COB_MODEL(block)
