/* Lists of strings.
 * SPDX-License-Identifier: MIT
 */
#include "base/names.h"

#include "base/alloc.h"
#include "base/scan.h"

#include <stdio.h>
#include <string.h>

void cob_names_free(cob_names *names)
{
    if (names->offsets_capacity > 0)
        cob_free(names->offsets);
    if (names->bytes_capacity > 0)
        cob_free(names->bytes);
    *names = (cob_names){0};
}

cobloc_status cob_names_reserve(cob_names *names, size_t count, size_t bytes, cobloc_error *err)
{
    if (!cob_grow(&names->offsets, &names->offsets_capacity, count, sizeof *names->offsets) ||
        !cob_grow(&names->bytes, &names->bytes_capacity, bytes, 1))
        return cob_fail_memory(err, bytes, 1);
    return COBLOC_OK;
}

cobloc_status cob_names_add(cob_names *names, const char *text, size_t length, cobloc_error *err)
{
    size_t count = (size_t)names->count;
    cobloc_status status = cob_names_reserve(names, count + 1, names->size + length + 1, err);
    if (status != COBLOC_OK)
        return status;
    memcpy(names->bytes + names->size, text, length);
    names->bytes[names->size + length] = '\0';
    names->offsets[count] = (int64_t)names->size;
    names->size += length + 1;
    names->count++;
    return COBLOC_OK;
}

cobloc_status cob_names_add_number(double value, cob_names *names, cobloc_error *err)
{
    char text[32];
    int length;
    if (value != value)
        return cob_names_add(names, "NaN", 3, err);
    if (value > -0x1p53 && value < 0x1p53 && (double)(int64_t)value == value)
        length = snprintf(text, sizeof text, "%lld", (long long)value);
    else
        length = cob_format_number(text, value);
    return cob_names_add(names, text, (size_t)length, err);
}

cobloc_status cob_names_append(cob_names *names, const cob_names *from, int64_t first,
                               int64_t count, cobloc_error *err)
{
    size_t before = (size_t)names->count, last = (size_t)(first + count);
    int64_t start = from->offsets[first],
            end = last < (size_t)from->count ? from->offsets[last] : (int64_t)from->size;
    size_t size = (size_t)(end - start);
    cobloc_status status =
        cob_names_reserve(names, before + (size_t)count, names->size + size, err);
    if (status != COBLOC_OK)
        return status;
    memcpy(names->bytes + names->size, from->bytes + start, size);
    for (int64_t i = 0; i < count; i++)
        names->offsets[(int64_t)before + i] =
            from->offsets[first + i] - start + (int64_t)names->size;
    names->size += size;
    names->count += count;
    return COBLOC_OK;
}

void cob_names_move(cob_names *to, cob_names *from)
{
    cob_names_free(to);
    *to = *from;
    *from = (cob_names){0};
}

cobloc_status cob_names_copy(cob_names *to, const cob_names *from, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names copy = {0};
    for (int64_t i = 0; i < from->count; i++) {
        const char *text = cob_names_get(from, i);
        COB_TRY(cob_names_add(&copy, text, strlen(text), err));
    }
    cob_names_move(to, &copy);
done:
    cob_names_free(&copy);
    return status;
}

size_t cob_names_bytes(const cob_names *names)
{
    return (size_t)names->count * sizeof *names->offsets + names->size;
}

int cob_names_equal(const cob_names *a, const cob_names *b)
{
    if (a->count != b->count)
        return 0;
    for (int64_t i = 0; i < a->count; i++)
        if (strcmp(cob_names_get(a, i), cob_names_get(b, i)) != 0)
            return 0;
    return 1;
}
