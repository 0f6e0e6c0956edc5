/* The list of methods, in the order in which they are shown, one per line. See registry.h for
 * COB_METHOD.
 *
 * SPDX-License-Identifier: MIT
 */
COB_METHOD(spec)
COB_METHOD(specco)
COB_METHOD(kmeans)
COB_METHOD(skmeans)
COB_METHOD(bmm)
COB_METHOD(lda)
COB_METHOD(nmf)
COB_METHOD(nmf_mu)
COB_METHOD(nmf_kl)
COB_METHOD(onmtf)
COB_METHOD(chisim)
COB_METHOD(ebco)
COB_METHOD(coce)
