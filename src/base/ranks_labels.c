/* Labels of lines that ranks share. They travel as bytes if they all fit, and as pairs of a line
 * and its label where few changed.
 *
 * What a rank says of its labels begins with the number of these pairs (ALL: it is every label) and
 * the number of its first line.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/ranks.h"

#include "base/alloc.h"

#include <string.h>

static const int64_t ALL = -1;
enum { HEAD = 2 * sizeof(int64_t) };

static size_t width_of(const cob_own_labels *own)
{
    return own->clusters <= UINT8_MAX ? 1
                                      : sizeof(int32_t); /* -1, before a first pass, is another */
}

static void put_label(char *at, size_t width, int32_t label)
{
    if (width == 1)
        *(unsigned char *)at = (unsigned char)label;
    else
        memcpy(at, &label, sizeof label);
}

/* Every label, as it travels. */
static void put_all(const cob_own_labels *own, size_t width, char *restrict at)
{
    if (width == 1)
        for (int64_t i = 0; i < own->lines; i++)
            at[i] = (char)own->labels[i];
    else
        memcpy(at, own->labels, (size_t)own->lines * width);
}

static int32_t get_label(const char *at, size_t width)
{
    int32_t label;
    if (width == 1)
        return *(const unsigned char *)at;
    memcpy(&label, at, sizeof label);
    return label;
}

/* In ranks->own: what is said, the labels as they were, and what the caller has. */
static size_t room_for(const cob_own_labels *own)
{
    size_t bytes = (size_t)own->lines * width_of(own);
    return (bytes + COB_LINE - 1) / COB_LINE * COB_LINE;
}

void *cob_labels_keep(cob_ranks *ranks, const cob_own_labels *own, size_t more, size_t all_more)
{
    size_t width = width_of(own), room = room_for(own);
    size_t all = (size_t)own->all * width + (size_t)ranks->size * HEAD;
    if (!cob_ranks_room(ranks, HEAD + 2 * room + more, all > all_more ? all : all_more))
        return NULL;
    put_all(own, width, ranks->own + HEAD + room);
    return ranks->own + HEAD + 2 * room;
}

int64_t cob_labels_say(cob_ranks *ranks, const cob_own_labels *own)
{
    int64_t changed = 0;
    size_t width = width_of(own), pair = sizeof(int32_t) + width;
    const char *before = ranks->own + HEAD + room_for(own);
    char *begin = ranks->own + HEAD, *at = begin, *end = at + (size_t)own->lines * width;
    for (int64_t i = 0; i < own->lines && changed != ALL; i++) {
        int32_t line = (int32_t)i;
        if (width == 1 && i % COB_LABELS == 0 && i + COB_LABELS <= own->lines &&
            cob_same_labels(own->labels + i, (const uint8_t *)before + i)) {
            i += COB_LABELS - 1;
            continue;
        }
        if (get_label(before + (size_t)i * width, width) == own->labels[i])
            continue;
        changed = at + pair > end ? ALL : changed + 1;
        if (changed == ALL)
            break;
        memcpy(at, &line, sizeof line);
        put_label(at + sizeof line, width, own->labels[i]);
        at += pair;
    }
    if (changed == ALL)
        put_all(own, width, begin);
    memcpy(ranks->own, &changed, sizeof changed);
    memcpy(ranks->own + sizeof changed, &own->first, sizeof own->first);
    return (changed == ALL ? end : at) - ranks->own;
}

/* Takes what one rank said, if it can be meant. */
static void hear_one(const cob_own_labels *own, const char *said, int64_t bytes)
{
    size_t width = width_of(own), pair = sizeof(int32_t) + width;
    int64_t changed, first;
    if (bytes < HEAD)
        return;
    memcpy(&changed, said, sizeof changed);
    memcpy(&first, said + sizeof changed, sizeof first);
    said += HEAD;
    int32_t *labels = own->labels + (first - own->first);
    for (int64_t i = 0; changed == ALL && i < (bytes - HEAD) / (int64_t)width; i++)
        labels[i] = get_label(said + (size_t)i * width, width);
    for (int64_t c = 0; c < changed; c++) {
        int32_t line;
        memcpy(&line, said + (size_t)c * pair, sizeof line);
        labels[line] = get_label(said + (size_t)c * pair + sizeof line, width);
    }
}

void cob_labels_hear(const cob_ranks *ranks, const cob_own_labels *own)
{
    const char *said = ranks->all;
    for (int rank = 0; rank < ranks->size; said += ranks->counts[rank++])
        if (rank != ranks->rank)
            hear_one(own, said, ranks->counts[rank]);
}
