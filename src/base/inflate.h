/* zlib with our allocator, so that tests can make its allocations fail.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_INFLATE_H
#define COB_BASE_INFLATE_H

#include <zlib.h>

/* Call before inflateInit. */
void cob_inflate_with_ours(z_stream *stream);

#endif
