/* Our allocator for zlib.
 * SPDX-License-Identifier: MIT
 */
#include "base/inflate.h"

#include "base/alloc.h"

static void *take(void *opaque, unsigned count, unsigned size)
{
    (void)opaque;
    return cob_alloc(count, size);
}

static void give_back(void *opaque, void *pointer)
{
    (void)opaque;
    cob_free(pointer);
}

void cob_inflate_with_ours(z_stream *stream)
{
    stream->zalloc = take;
    stream->zfree = give_back;
    stream->opaque = NULL;
}
