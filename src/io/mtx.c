/* MatrixMarket: coordinate and array; real, integer and pattern; general and symmetric.
 *
 * A banner line, comment lines that start with %, a line of sizes, then one entry per line: "row
 * column value", counted from 1, or for arrays one value per line, column by column. Of a symmetric
 * matrix only the lower triangle is stored.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/plain.h"
#include "base/scan.h"
#include "io/formats.h"

#include <math.h>
#include <stdio.h>

typedef struct header {
    bool array;
    bool pattern;
    bool integer;
    bool symmetric;
    int64_t rows, cols;
    int64_t entries; /* number of data lines that should follow */
} header;

typedef struct mtx_parse {
    const char *path;
    header header;
    cob_builder builder;
    int64_t found; /* data lines seen; updated atomically, once per block */
} mtx_parse;

enum {
    SMALLEST_WINDOW = 64, /* bytes examined together, */
    LARGEST_WINDOW = 4096 /* as long as lines are plain */
};

static int recognise(const cob_head *head)
{
    return head->size > 14 && cob_plain_same_first(head->text, "%%MatrixMarket", 14);
}

/* ---- the header ------------------------------------------------------------------------------ */

static cobloc_status read_banner(const char *line, header *h, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char object[32] = "", layout[32] = "", field[32] = "", symmetry[32] = "";
    int words = sscanf(line + 14, "%31s %31s %31s %31s", object, layout, field, symmetry);
    COB_CHECK(words == 4, COBLOC_BAD_DATA,
              "the banner has %d words after %%%%MatrixMarket, expected 4", words < 0 ? 0 : words);
    COB_CHECK(cob_plain_same(object, "matrix"), COBLOC_UNSUPPORTED,
              "the object is '%s', expected 'matrix'", object);
    h->array = cob_plain_same(layout, "array");
    COB_CHECK(h->array || cob_plain_same(layout, "coordinate"), COBLOC_BAD_DATA,
              "the format is '%s', expected 'coordinate' or 'array'", layout);
    h->pattern = cob_plain_same(field, "pattern");
    h->integer = cob_plain_same(field, "integer");
    COB_CHECK(h->pattern || h->integer || cob_plain_same(field, "real") ||
                  cob_plain_same(field, "double"),
              COBLOC_UNSUPPORTED, "the values are '%s', expected real, integer or pattern", field);
    h->symmetric = cob_plain_same(symmetry, "symmetric");
    COB_CHECK(h->symmetric || cob_plain_same(symmetry, "general"), COBLOC_UNSUPPORTED,
              "the symmetry is '%s', expected general or symmetric", symmetry);
    COB_CHECK(!(h->array && h->pattern), COBLOC_BAD_DATA, "an array cannot be a pattern");
done:
    return status;
}

/* Like cob_shown, but including blanks between words. */
static int shown_line(const char *line)
{
    int length = cob_shown(line);
    while (length < 40 && line[length] == ' ')
        length += 1 + cob_shown(line + length + 1);
    return length < 40 ? length : 40;
}

static cobloc_status read_sizes(const char *line, header *h, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *p = cob_skip_blanks(line);
    bool good = cob_scan_count(&p, &h->rows) && cob_skip_gap(&p) && cob_scan_count(&p, &h->cols) &&
                (h->array || (cob_skip_gap(&p) && cob_scan_count(&p, &h->entries)));
    COB_CHECK(good && *cob_skip_blanks(p) == '\0', COBLOC_BAD_DATA,
              "the line of sizes is '%.*s', expected %s", shown_line(line), line,
              h->array ? "rows and columns" : "rows, columns and entries");
    COB_TRY(cob_check_shape(h->rows, h->cols, err));
    COB_CHECK(!h->symmetric || h->rows == h->cols, COBLOC_BAD_DATA,
              "a symmetric matrix cannot be %lld by %lld", (long long)h->rows, (long long)h->cols);
    if (h->array)
        h->entries = h->symmetric ? h->rows * (h->rows + 1) / 2 : h->rows * h->cols;
done:
    return status;
}

static cobloc_status read_header(cob_blocks *blocks, const char *path, header *h, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *line = NULL;
    size_t capacity = 0;
    int got;
    int64_t number = blocks->first_line;
    COB_TRY(cob_blocks_line(blocks, &line, &capacity, &got, err));
    COB_CHECK(got && cob_plain_same_first(line, "%%MatrixMarket", 14), COBLOC_BAD_DATA,
              "expected the banner %%%%MatrixMarket");
    COB_TRY(read_banner(line, h, err));
    do {
        number = blocks->first_line;
        COB_TRY(cob_blocks_line(blocks, &line, &capacity, &got, err));
        COB_CHECK(got, COBLOC_BAD_DATA, "the file ends before the line of sizes");
    } while (*line == '%' || *cob_skip_blanks(line) == '\0');
    COB_TRY(read_sizes(line, h, err));
done:
    if (status != COBLOC_OK && status != COBLOC_IO)
        cob_fail_line(err, status, path, number);
    cob_free(line);
    return status;
}

/* ---- the entries ----------------------------------------------------------------------------- */

static cobloc_status add(const header *h, cob_lane *lane, int64_t row, int64_t col, double value,
                         cobloc_error *err)
{
    cobloc_status status = cob_lane_add(lane, row, col, value, err);
    if (status == COBLOC_OK && h->symmetric && row != col)
        status = cob_lane_add(lane, col, row, value, err);
    return status;
}

static cobloc_status parse_entry(const header *h, cob_lane *lane, const char **text,
                                 cobloc_error *err)
{
    const char *p = *text;
    int64_t row = 0, col = 0;
    double value = 1;
    bool good = cob_scan_integer(&p, &row) && cob_skip_gap(&p) && cob_scan_integer(&p, &col) &&
                (h->pattern || (cob_skip_gap(&p) && cob_scan_value(&p, &value)));
    p = cob_skip_blanks(p);
    if (!good || !cob_at_line_end(p))
        return cob_fail(err, COBLOC_BAD_DATA, "expected %s",
                        h->pattern ? "'row column'" : "'row column value'");
    if (h->integer && value != trunc(value) && isfinite(value))
        return cob_fail(err, COBLOC_BAD_DATA, "the value %g is not an integer, as the banner says",
                        value);
    *text = p;
    return add(h, lane, row - 1, col - 1, value, err);
}

/* Whether a line has the usual form: three short counts, separated by single blanks. `gaps` are the
 * positions of its first three bytes that are not digits, relative to `text`, as is `start`. */
static bool is_plain(const char *text, int start, const uint16_t *gaps)
{
    unsigned row = (unsigned)(gaps[0] - start - 1), col = (unsigned)(gaps[1] - gaps[0] - 2),
             value = (unsigned)(gaps[2] - gaps[1] - 2); /* number of digits, less 1 */
    return row < 8 && col < 8 && value < 8 && text[gaps[0]] == ' ' && text[gaps[1]] == ' ' &&
           text[gaps[2]] == '\n';
}

/* Parses lines as long as they are plain; returns the start of the first that is not. */
static const char *parse_plain_lines(cob_lane *lane, const char *p, const char *end, int64_t *lines,
                                     cobloc_status *status, cobloc_error *err)
{
    uint16_t gaps[LARGEST_WINDOW + COB_SCAN_SLACK];
    size_t window = SMALLEST_WINDOW; /* grows, so that little work is lost if few lines are plain */
    int start;
    do {
        size_t left = (size_t)(end - p);
        int count = cob_find_gaps(p, left < window ? left : window, gaps);
        start = 0;
        for (int at = 0; at + 2 < count && is_plain(p, start, gaps + at); at += 3) {
            const uint16_t *gap = gaps + at;
            int64_t row = cob_short_count(p + start, gap[0] - start);
            int64_t col = cob_short_count(p + gap[0] + 1, gap[1] - gap[0] - 1);
            uint32_t value = cob_short_count(p + gap[1] + 1, gap[2] - gap[1] - 1);
            *status = cob_lane_add_count(lane, row - 1, col - 1, value, err);
            if (*status != COBLOC_OK)
                return p + start;
            ++*lines;
            start = gap[2] + 1;
        }
        p += start;
        window = window < LARGEST_WINDOW ? window * 2 : window;
    } while (start > 0 && p < end);
    return p;
}

/* The row and column of value number `v` of an array file. */
static void array_place(const header *h, int64_t v, int64_t *row, int64_t *col)
{
    if (!h->symmetric) {
        *row = v % h->rows;
        *col = v / h->rows;
        return;
    }
    /* Column j of the lower triangle starts at j * n - j * (j - 1) / 2. */
    int64_t low = 0, high = h->rows - 1, n = h->rows;
    while (low < high) {
        int64_t j = (low + high + 1) / 2;
        if (j * n - j * (j - 1) / 2 <= v)
            low = j;
        else
            high = j - 1;
    }
    *col = low;
    *row = low + v - (low * n - low * (low - 1) / 2);
}

static cobloc_status parse_value(const header *h, cob_lane *lane, int64_t v, const char **text,
                                 cobloc_error *err)
{
    int64_t row, col;
    double value;
    const char *p = *text;
    if (!cob_scan_value(&p, &value) || !cob_at_line_end(p = cob_skip_blanks(p)))
        return cob_fail(err, COBLOC_BAD_DATA, "expected one value per line");
    if (v >= h->entries)
        return cob_fail(err, COBLOC_BAD_DATA, "more values than the %lld of the header",
                        (long long)h->entries);
    *text = p;
    array_place(h, v, &row, &col);
    return add(h, lane, row, col, value, err);
}

static cobloc_status parse_block(void *context, int lane, const cob_text_block *block,
                                 cobloc_error *err)
{
    mtx_parse *parse = context;
    const header *h = &parse->header;
    cob_lane *into = &parse->builder.lanes[lane];
    const char *p = block->text, *end = p + block->size;
    int64_t line = block->first_line, found = 0;
    bool plain = !h->array && !h->pattern && !h->symmetric;
    for (; p < end; line++, p++) {
        cobloc_status status = COBLOC_OK;
        if (plain && cob_is_digit(*p)) {
            int64_t lines = 0;
            p = parse_plain_lines(into, p, end, &lines, &status, err);
            line += lines;
            found += lines;
            if (status != COBLOC_OK)
                return cob_fail_line(err, status, parse->path, line);
        }
        p = cob_skip_blanks(p);
        if (*p == '\n' || p >= end)
            continue;
        status = h->array ? parse_value(h, into, block->first_record + found, &p, err)
                          : parse_entry(h, into, &p, err);
        if (status == COBLOC_OK && *p == '\0' && p < end)
            status = cob_fail(err, COBLOC_BAD_DATA, "holds a NUL byte, expected text");
        if (status != COBLOC_OK)
            return cob_fail_line(err, status, parse->path, line);
        found++;
    }
#pragma omp atomic
    parse->found += found;
    return COBLOC_OK;
}

/* The records of an array file are its non-blank lines; their number determines the position. */
static size_t cut_values(const char *text, size_t size, int final, int64_t *records, int64_t *lines)
{
    int64_t all = 0;
    size_t whole = cob_cut_lines(text, size, final, &all, lines);
    *records += cob_count_filled_lines(text, whole, '\0');
    return whole;
}

static cobloc_status read_mtx(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    mtx_parse parse = {.path = reading->path};
    cob_blocks blocks = cob_blocks_of(reading->source, reading->options);
    blocks.longest = COB_SHORT_RECORD;
    COB_TRY(read_header(&blocks, reading->path, &parse.header, err));
    const header *h = &parse.header;
    blocks.cut = h->array ? cut_values : cob_cut_lines;
    blocks.first_record = 0;
    COB_TRY(cob_builder_init(&parse.builder, h->rows, h->cols, 1, blocks.threads,
                             reading->options->missing, err));
    COB_TRY(cob_blocks_run(&blocks, parse_block, &parse, err));
    COB_CHECK(parse.found == h->entries, COBLOC_BAD_DATA,
              "%s: holds %lld entries, expected the %lld given in its header", reading->path,
              (long long)parse.found, (long long)h->entries);
    COB_TRY(cob_builder_finish(&parse.builder, h->rows, h->cols, out, err));
done:
    cob_blocks_free(&blocks);
    cob_builder_free(&parse.builder);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static cobloc_status write_mtx(const cobloc_matrix *matrix, cob_file *file, const char *path,
                               cobloc_error *err)
{
    const cob_side *side = &matrix->by_row;
    (void)path;
    (void)err;
    cob_file_print(file, "%%%%MatrixMarket matrix coordinate %s general\n%lld %lld %lld\n",
                   matrix->kind == COBLOC_ONES  ? "pattern"
                   : matrix->kind <= COBLOC_U32 ? "integer"
                                                : "real",
                   (long long)matrix->rows, (long long)matrix->cols, (long long)matrix->nnz);
    for (int64_t i = 0; i < matrix->rows; i++)
        for (int64_t e = side->offsets[i]; e < side->offsets[i + 1]; e++) {
            cob_file_integer(file, i + 1);
            cob_file_char(file, ' ');
            cob_file_integer(file, side->indices[e] + 1);
            if (matrix->kind != COBLOC_ONES) {
                cob_file_char(file, ' ');
                cob_file_number(file, cob_value_get(matrix->kind, side->values, e));
            }
            cob_file_char(file, '\n');
        }
    return COBLOC_OK;
}

const cob_format cob_format_mtx = {
    .name = "mtx",
    .title = "MatrixMarket",
    .extension = ".mtx",
    .carries = COB_NAN,
    .gzip = 1,
    .recognise = recognise,
    .read = read_mtx,
    .write = write_mtx,
};
