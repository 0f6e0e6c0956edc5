/* zlib's memory comes from our allocator, too, so that tests can make it fail.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_INFLATE_H
#define COB_BASE_INFLATE_H

#include <zlib.h>

/* Call before inflateInit. */
void cob_inflate_with_ours(z_stream *stream);

#endif
