/* What always holds, told to clang's static analyzer where it cannot see why.
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_KNOWN_H
#define COB_BASE_KNOWN_H

#if defined(__clang_analyzer__)
#define COB_KNOWN(condition) ((condition) ? (void)0 : __builtin_unreachable())
#else
#define COB_KNOWN(condition) ((void)0)
#endif

#endif
