/* Converting text to UTF-8.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/encoding.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>
#include <strings.h>

enum { IN = 1 << 15, OUT = 1 << 17, LONGEST_UNIT = 16 };

struct cob_conversion {
    iconv_t handle;
    size_t unit; /* bytes to skip where they mean nothing */
    bool started, ended;
    char in[IN], out[OUT];
    size_t in_size, out_at, out_size;
};

cobloc_status cob_conversion_open(const char *encoding, cob_conversion **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_conversion *c = NULL;
    COB_NEW(c, 1);
    c->handle = iconv_open("UTF-8", encoding);
    COB_CHECK(c->handle != (iconv_t)-1, errno == EINVAL ? COBLOC_BAD_ARGUMENT : COBLOC_NO_MEMORY,
              "there is no encoding '%.40s'; 'iconv --list' shows their names", encoding);
    c->unit = strncasecmp(encoding, "utf-16", 6) == 0   ? 2
              : strncasecmp(encoding, "utf-32", 6) == 0 ? 4
                                                        : 1;
    cob_conversion_reset(c);
    *out = c;
    c = NULL;
done:
    cob_free(c);
    return status;
}

void cob_conversion_close(cob_conversion *c)
{
    if (!c)
        return;
    iconv_close(c->handle);
    cob_free(c);
}

void cob_conversion_reset(cob_conversion *c)
{
    iconv(c->handle, NULL, NULL, NULL, NULL);
    c->started = c->ended = false;
    c->in_size = c->out_at = c->out_size = 0;
}

/* Writes a byte that is no UTF-8 for a unit that means nothing. */
static void skip_unit(cob_conversion *c, char **in, size_t *left, char **to, size_t *room)
{
    size_t skip = *left < c->unit ? *left : c->unit;
    *in += skip;
    *left -= skip;
    *(*to)++ = '\xFF';
    --*room;
}

/* Converts what has been read; keeps what is incomplete. */
static void convert(cob_conversion *c)
{
    char *in = c->in, *to = c->out;
    size_t left = c->in_size, room = OUT;
    while (left > 0 && room > LONGEST_UNIT) {
        if (iconv(c->handle, &in, &left, &to, &room) != (size_t)-1)
            break;
        if (errno == EILSEQ || (errno == EINVAL && c->ended))
            skip_unit(c, &in, &left, &to, &room);
        else
            break;
    }
    if (c->ended && left == 0 && room > LONGEST_UNIT)
        iconv(c->handle, NULL, NULL, &to, &room); /* what a stateful encoding still holds */
    memmove(c->in, in, left);
    c->in_size = left;
    c->out_at = 0;
    c->out_size = (size_t)(to - c->out);
    if (!c->started && c->out_size >= 3 && memcmp(c->out, "\xEF\xBB\xBF", 3) == 0)
        c->out_at = 3;
    c->started = c->started || c->out_size > 0;
}

cobloc_status cob_conversion_read(cob_conversion *c, cob_read_fn read, void *context, char *bytes,
                                  size_t want, size_t *got, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *got = 0;
    while (*got < want) {
        size_t ready = c->out_size - c->out_at, more;
        if (ready == 0 && c->ended && c->in_size == 0)
            break;
        if (ready == 0) {
            size_t space = IN - c->in_size;
            if (!c->ended) {
                COB_TRY(read(context, c->in + c->in_size, space, &more, err));
                c->in_size += more;
                c->ended = more < space;
            }
            convert(c);
            continue;
        }
        more = ready < want - *got ? ready : want - *got;
        memcpy(bytes + *got, c->out + c->out_at, more);
        c->out_at += more;
        *got += more;
    }
done:
    return status;
}
