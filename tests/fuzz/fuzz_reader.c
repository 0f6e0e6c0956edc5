/* One target a format of matrices (TARGET, set by the build; "text": a corpus; "shards": a shard
 * without padding): any bytes must end in a matrix that is sound or in a sentence; never in a
 * crash, a leak or a hang.
 *
 * SPDX-License-Identifier: MIT
 */
#include "target.h"

#include <float.h>
#include <math.h>
#include <unistd.h>
#include <zlib.h>

typedef struct way {
    cobloc_missing missing;
    cobloc_values values;
    cobloc_io_options *options; /* made once */
} way;

static void check_view(const cobloc_view *view, int negative)
{
    demand(view->offsets[0] == 0 && view->offsets[view->major] == view->nnz, "offsets");
    for (int64_t i = 0; i < view->major; i++) {
        demand(view->offsets[i] <= view->offsets[i + 1], "offsets");
        for (int64_t e = view->offsets[i]; e < view->offsets[i + 1]; e++) {
            int32_t before = e > view->offsets[i] ? view->indices[e - 1] : -1;
            double value = cobloc_view_value(view, e);
            demand(view->indices[e] > before && view->indices[e] < view->minor, "indices");
            demand(value != 0 && fabs(value) <= DBL_MAX && (negative || value > 0), "values");
        }
    }
}

static void check_names(const cobloc_matrix *matrix)
{
    size_t bytes = 0;
    for (int64_t i = 0; i < cobloc_matrix_rows(matrix) && cobloc_matrix_row_name(matrix, i); i++)
        bytes += strlen(cobloc_matrix_row_name(matrix, i));
    for (int64_t j = 0; j < cobloc_matrix_cols(matrix) && cobloc_matrix_col_name(matrix, j); j++)
        bytes += strlen(cobloc_matrix_col_name(matrix, j));
    for (int64_t i = 0; i < cobloc_matrix_rows(matrix) && cobloc_matrix_row_label(matrix, i); i++)
        bytes += strlen(cobloc_matrix_row_label(matrix, i));
    for (int64_t c = 0; c < cobloc_matrix_category_count(matrix); c++)
        bytes += strlen(cobloc_matrix_category_name(matrix, c));
    char text[100];
    for (int64_t i = 0; i < cobloc_matrix_rows(matrix) && i < 1000; i++)
        bytes += cobloc_matrix_excerpt(matrix, i, "text", text, sizeof text);
    demand(bytes < (size_t)1 << 40, "names");
}

/* The last byte chooses the kind of corpus and how its words are taken. */
static cobloc_status read_text(const char *path, int choice, cobloc_matrix **matrix,
                               cobloc_error *err)
{
    cobloc_text_options *options = NULL;
    if (cobloc_text_options_new(&options, err) != COBLOC_OK)
        return err->status;
    cobloc_set_int(options, "corpus", choice % 8, NULL);
    cobloc_set_int(options, "tokens", choice / 8 % 2, NULL);
    cobloc_set_text(options, "stem", choice / 16 % 2 ? "auto" : NULL, NULL);
    cobloc_set_text(options, "language", choice % 32 == 0 ? "auto" : "none", NULL);
    cobloc_set_int(options, "ngrams_to", 1 + choice / 64 % 3, NULL);
    cobloc_set_text(options, "name_field", choice > 150 ? "id" : NULL, NULL);
    cobloc_set_text(options, "label_field", choice > 150 ? "label" : NULL, NULL);
    cobloc_set_real(options, "min_df", 1, NULL);
    cobloc_set_real(options, "max_df", 1, NULL);
    cobloc_set_int(options, "threads", 1, NULL);
    cobloc_status status = cobloc_text_read(path, options, matrix, NULL, err);
    cobloc_text_options_free(options);
    return status;
}

static void make_options(way *as)
{
    demand(cobloc_io_options_new(&as->options, NULL) == COBLOC_OK, "options");
    demand(cobloc_set_text(as->options, "format", TARGET, NULL) == COBLOC_OK, "format");
    demand(cobloc_set_int(as->options, "missing", as->missing, NULL) == COBLOC_OK, "missing");
    demand(cobloc_set_int(as->options, "values", as->values, NULL) == COBLOC_OK, "values");
    demand(cobloc_set_int(as->options, "threads", 1, NULL) == COBLOC_OK, "threads");
}

static cobloc_status read_matrix(const char *path, way *as, cobloc_matrix **matrix,
                                 cobloc_error *err)
{
    if (!as->options)
        make_options(as);
    return cobloc_matrix_read(path, as->options, matrix, err);
}

static void check_matrix(const cobloc_matrix *matrix)
{
    cobloc_view rows = cobloc_matrix_by_rows(matrix), cols = cobloc_matrix_by_cols(matrix);
    check_view(&rows, cobloc_matrix_has_negative(matrix));
    check_view(&cols, cobloc_matrix_has_negative(matrix));
    if (cobloc_matrix_missing(matrix))
        check_matrix(cobloc_matrix_missing(matrix));
}

static void read_as(const input *given, const char *path, way *as)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_status status = strcmp(TARGET, "text") == 0
                               ? read_text(path, last_byte(given), &matrix, &err)
                               : read_matrix(path, as, &matrix, &err);
    demand_sentence(status, matrix, &err);
    if (status != COBLOC_OK)
        return;
    check_names(matrix);
    if (cobloc_matrix_verify(matrix, &err) == COBLOC_OK)
        check_matrix(matrix);
    cobloc_matrix_free(matrix);
}

/* ---- shards ---------------------------------------------------------------------------------- */

/* The numbers are those of src/io/shards.h. */
enum {
    SHARD_PAGE = 1 << 16,
    NUMBER_AT = 16,
    COUNT_AT = 20,
    PIECES_AT = 40,
    PIECE_BYTES = 24,
    PIECES = 7,
    CHECKSUM_AT = PIECES_AT + PIECES * PIECE_BYTES,
    HEAD_BYTES = CHECKSUM_AT + 8,
    MOST_PAGES = 16
};

/* Lays a header, and what follows it, out as a shard does, with right checksums; returns how many
 * bytes that is. */
static size_t lay_out(unsigned char *bytes, size_t size)
{
    size_t end = SHARD_PAGE;
    memmove(bytes + SHARD_PAGE, bytes + HEAD_BYTES, size - HEAD_BYTES);
    memset(bytes + HEAD_BYTES, 0, SHARD_PAGE - HEAD_BYTES);
    bytes[COUNT_AT] = (unsigned char)(1 + bytes[COUNT_AT] % 2);
    bytes[NUMBER_AT] = 0;
    for (int p = 0; p < PIECES; p++) {
        unsigned char *piece = bytes + PIECES_AT + p * PIECE_BYTES;
        uint64_t count;
        memcpy(&count, piece + 8, sizeof count);
        if (count > (uint64_t)MOST_PAGES * SHARD_PAGE - end)
            break;
        uint32_t sum = (uint32_t)crc32(0, bytes + end, (uInt)count);
        memcpy(piece + 16, &sum, sizeof sum);
        end += (size_t)(count + SHARD_PAGE - 1) / SHARD_PAGE * SHARD_PAGE;
    }
    uint32_t sum = (uint32_t)crc32(0, bytes, CHECKSUM_AT);
    memcpy(bytes + CHECKSUM_AT, &sum, sizeof sum);
    return end;
}

static void read_shard(const input *given, way *as)
{
    static unsigned char bytes[(MOST_PAGES + 1) * SHARD_PAGE];
    static size_t used;
    char path[100];
    if (given->size < HEAD_BYTES || given->size > SHARD_PAGE)
        return;
    memset(bytes, 0, used);
    memcpy(bytes, given->bytes, given->size);
    used = lay_out(bytes, given->size);
    snprintf(path, sizeof path, "%s/shard-1-of-%d.cbm", given->scratch, bytes[COUNT_AT]);
    FILE *to = fopen(path, "wb");
    if (to && fwrite(bytes, 1, used, to) == used && fclose(to) == 0)
        read_as(given, given->scratch, as);
    unlink(path);
}

#ifndef REPLAY
/* Any number that the bytes of a file make. */
static int sum_of_bytes(const input *given)
{
    size_t sum = 0;
    for (size_t i = 0; i < given->size; i++)
        sum += given->bytes[i];
    return (int)(sum % 65521);
}
#endif

/* A replay reads each file in every way; a fuzzer, which has many inputs, each in one. */
void read_input(const input *given)
{
    static way ways[] = {{COBLOC_MISSING_AUTO, COBLOC_VALUES_AUTO, NULL},
                         {COBLOC_MISSING_IGNORE, COBLOC_VALUES_NUMBERS, NULL},
                         {COBLOC_MISSING_ZERO, COBLOC_VALUES_CATEGORIES, NULL},
                         {COBLOC_MISSING_IGNORE, COBLOC_VALUES_CATEGORIES, NULL}};
    enum { WAYS = sizeof ways / sizeof *ways };
#ifdef REPLAY
    int from = 0, to = strcmp(TARGET, "text") == 0 ? 1 : WAYS;
#else
    int from = sum_of_bytes(given) % WAYS, to = from + 1;
#endif
    for (int i = from; i < to; i++)
        if (strcmp(TARGET, "shards") == 0)
            read_shard(given, &ways[i]);
        else
            read_as(given, given->path, &ways[i]);
}
