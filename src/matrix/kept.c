/* Entries that are kept from one pass to the next.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/kept.h"

#include "base/alloc.h"

#include <string.h>

enum { WORD = sizeof(uint32_t) };

/* Whether 16 bits hold the number of a line among `own` ones. */
static bool are_few(cob_between own)
{
    return own.last - own.first <= UINT16_MAX + 1;
}

static size_t words(size_t bytes)
{
    return (bytes + WORD - 1) / WORD;
}

/* Words of the indices, and of the values behind them. */
static size_t index_words(cob_between own, size_t count)
{
    return words(count * (are_few(own) ? sizeof(uint16_t) : sizeof(int32_t)));
}

cobloc_status cob_kept_alloc(cob_kept *kept, int64_t lines, double bytes, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double room = bytes / WORD < INT32_MAX ? bytes / WORD : INT32_MAX;
    *kept = (cob_kept){.lines = lines, .room = (int64_t)room + 1, .used = 1};
    COB_NEW_ROOM(kept->memory, kept->room);
    COB_NEW_ZERO(kept->at, lines);
done:
    return status;
}

void cob_kept_free(cob_kept *kept)
{
    cob_free(kept->memory);
    cob_free(kept->at);
}

void cob_kept_renew(cob_kept *kept)
{
    if (!kept->full)
        return;
    memset(kept->at, 0, (size_t)kept->lines * sizeof *kept->at);
    kept->used = 1;
    kept->full = false;
}

void cob_kept_put(cob_kept *kept, int64_t line, cob_between own, cob_between entries,
                  const int32_t *indices, const void *values, size_t width)
{
    size_t count = (size_t)(entries.last - entries.first), before = index_words(own, count);
    int64_t wanted = (int64_t)(1 + before + words(count * width));
    if (wanted > kept->room - kept->used) {
        kept->full = true;
        return;
    }
    uint32_t *to = kept->memory + kept->used;
    kept->at[line] = (int32_t)kept->used;
    kept->used += wanted;
    *to++ = (uint32_t)count;
    indices += entries.first;
    if (are_few(own))
        for (size_t i = 0; i < count; i++)
            ((uint16_t *)(void *)to)[i] = (uint16_t)(indices[i] - own.first);
    else if (count > 0)
        memcpy(to, indices, count * sizeof *indices);
    if (count * width > 0)
        memcpy(to + before, (const char *)values + (size_t)entries.first * width, count * width);
}

void cob_kept_take(const cob_kept *kept, int64_t line, cob_between own, int64_t place,
                   int32_t *indices, void *values, size_t width)
{
    const uint32_t *from = kept->memory + kept->at[line];
    size_t count = *from++;
    int32_t first = (int32_t)own.first;
    indices += place;
    if (are_few(own))
        for (size_t i = 0; i < count; i++)
            indices[i] = first + ((const uint16_t *)(const void *)from)[i];
    else if (count > 0)
        memcpy(indices, from, count * sizeof *indices);
    if (count * width > 0)
        memcpy((char *)values + (size_t)place * width, from + index_words(own, count),
               count * width);
}
