/* The logarithm of the gamma function, without the global variable that lgamma writes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_GAMMA_H
#define COB_BASE_GAMMA_H

double cob_log_gamma(double x);

#endif
