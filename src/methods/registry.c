/* The list of methods.
 * SPDX-License-Identifier: MIT
 */
#include "methods/registry.h"

static const cob_method *const methods[] = {
    &cob_method_spec,   &cob_method_specco,
    &cob_method_kmeans, &cob_method_skmeans,
    &cob_method_bmm,    &cob_method_lda,
    &cob_method_nmf,    &cob_method_nmf_mu,
    &cob_method_nmf_kl, &cob_method_onmtf,
    &cob_method_chisim, &cob_method_ebco,
    &cob_method_coce,   NULL,
};

const cob_method *cob_method_at(int index)
{
    int count = 0;
    while (methods[count])
        count++;
    return index >= 0 && index < count ? methods[index] : NULL;
}
