/* The list of methods: one file each, one line here and one in registry.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_REGISTRY_H
#define COB_METHODS_REGISTRY_H

#include "methods/method.h"

extern const cob_method cob_method_spec;
extern const cob_method cob_method_specco;
extern const cob_method cob_method_kmeans;
extern const cob_method cob_method_skmeans;
extern const cob_method cob_method_bmm;
extern const cob_method cob_method_lda;
extern const cob_method cob_method_nmf;
extern const cob_method cob_method_nmf_mu;
extern const cob_method cob_method_nmf_kl;
extern const cob_method cob_method_onmtf;
extern const cob_method cob_method_chisim;
extern const cob_method cob_method_ebco;
extern const cob_method cob_method_coce;

/* The method at a place in the list, or NULL. */
const cob_method *cob_method_at(int index);

#endif
