/* Result folders. An input holds the files of a folder one behind the other, each after a line
 * "--- NAME"; all are written, then the folder is read as a result and as a curve. What can be read
 * must be able to place new rows.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* memmem */
#include "target.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about, (void)kind, (void)at;
    return remove(path);
}

/* Only plain names: an input must not write elsewhere. */
static int is_plain(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz.", name[i]) || !name[i])
            return 0;
    return length > 0 && length < 64 && name[0] != '.';
}

static void write_part(const char *folder, const char *name, size_t length, const char *from,
                       const char *to)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)length, name);
    FILE *file = is_plain(name, length) ? fopen(path, "wb") : NULL;
    if (!file)
        return;
    fwrite(from, 1, (size_t)(to - from), file);
    fclose(file);
}

static void write_parts(const char *folder, const char *bytes, size_t size)
{
    const char *end = bytes + size, *at = bytes;
    while (at + 4 < end && memcmp(at, "--- ", 4) == 0) {
        const char *name = at + 4, *line = memchr(name, '\n', (size_t)(end - name));
        if (!line)
            return;
        const char *next = memmem(line, (size_t)(end - line), "\n--- ", 5);
        write_part(folder, name, (size_t)(line - name), line + 1, next ? next + 1 : end);
        if (!next)
            return;
        at = next + 1;
    }
}

/* New rows over as many columns as were fitted. */
static void place_rows(const cobloc_saved *saved)
{
    static const int32_t rows[] = {0, 1, 2}, cols[] = {0, 0, 1};
    int64_t width = cobloc_int(saved, "result.d");
    cobloc_matrix *matrix = NULL;
    cobloc_prediction *found = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    if (width > 1 && width < 100000 &&
        cobloc_matrix_from_triples(3, width, 3, rows, cols, NULL, &matrix, &err) == COBLOC_OK) {
        cobloc_status status = cobloc_predict(saved, matrix, NULL, &found, &err);
        demand_sentence(status, found, &err);
    }
    cobloc_prediction_free(found);
    cobloc_matrix_free(matrix);
}

static void read_folder(const char *folder)
{
    cobloc_saved *saved = NULL;
    cobloc_curve *curve = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_status status = cobloc_saved_read(folder, &saved, &err);
    demand_sentence(status, saved, &err);
    if (status == COBLOC_OK)
        place_rows(saved);
    status = cobloc_curve_read(folder, &curve, &err);
    demand_sentence(status, curve, &err);
    cobloc_saved_free(saved);
    cobloc_curve_free(curve);
}

void read_input(const input *given)
{
    char folder[64];
    snprintf(folder, sizeof folder, "%s/result", given->scratch);
    demand(mkdir(folder, 0700) == 0, "a folder");
    write_parts(folder, (const char *)given->bytes, given->size);
    read_folder(folder);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
