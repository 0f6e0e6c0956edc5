/* CLUTO matrices, sparse and dense.
 *
 * The first line is "rows columns entries" (sparse) or "rows columns" (dense); then every line is a
 * row: pairs of "column value", columns counted from 1, or all values of the row. A blank line is
 * an empty row. Names and classes are in files beside it, one per line: FILE.rlabel, FILE.clabel,
 * FILE.rclass.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/scan.h"
#include "io/formats.h"

typedef struct header {
    bool dense;
    int64_t rows, cols;
    int64_t entries; /* sparse: pairs that should follow */
} header;

typedef struct cluto_parse {
    const char *path;
    header header;
    cob_builder builder;
    int64_t found; /* pairs seen; updated atomically, once per block */
} cluto_parse;

/* ---- words ----------------------------------------------------------------------------------- */

/* Reads the first line; returns its end, or NULL if it is not two or three counts. */
static const char *scan_header(const char *line, header *h)
{
    int64_t sizes[3] = {0};
    int count = 0;
    const char *p = cob_skip_blanks(line);
    for (; count < 3 && cob_scan_count(&p, &sizes[count]) && cob_at_gap(p); count++)
        p = cob_skip_blanks(p);
    *h = (header){count == 2, sizes[0], sizes[1], sizes[2]};
    return count >= 2 && cob_at_line_end(p) ? p : NULL;
}

/* ---- recognition ----------------------------------------------------------------------------- */

/* Skips one row, up to `end`; false if it does not fit the matrix. */
static bool walk_row(const header *h, const char **text, const char *end, int64_t *numbers)
{
    const char *p = cob_skip_blanks(*text);
    for (*numbers = 0; p < end && *p != '\n'; p = cob_skip_blanks(p)) {
        int64_t col;
        double value;
        bool good = !h->dense && *numbers % 2 == 0
                        ? cob_scan_integer(&p, &col) && col >= 1 && col <= h->cols
                        : cob_scan_number(&p, &value);
        if (!good || !cob_at_gap(p))
            return false;
        ++*numbers;
    }
    *text = p;
    return true;
}

/* If the head is not the whole file, its last word may be cut off: exclude it. */
static const char *end_of_words(const cob_head *head, const char *first)
{
    const char *end = head->text + head->size;
    while (!head->complete && end > first && !cob_at_gap(end - 1))
        end--;
    return end;
}

static int recognise(const cob_head *head)
{
    header h;
    const char *p = scan_header(head->text, &h);
    if (!p || *p != '\n')
        return 0;
    const char *end = end_of_words(head, ++p);
    int64_t lines = 0, filled = 0, numbers;
    for (; p < end; p++, lines++) {
        if (!walk_row(&h, &p, end, &numbers))
            return 0;
        bool cut = p >= end && !head->complete;
        bool fits =
            h.dense ? numbers == h.cols || (numbers == 0 && lines >= h.rows) : numbers % 2 == 0;
        if (!cut && !fits)
            return 0;
        filled += numbers > 0;
    }
    if (filled == 0)
        return !head->complete || (!h.dense && h.entries == 0 && lines >= h.rows);
    /* Any table with two columns looks like this; only its height distinguishes it. */
    bool table_of_two = h.dense && h.cols == 2;
    return !table_of_two || (head->complete ? filled == h.rows : filled <= h.rows);
}

/* ---- reading --------------------------------------------------------------------------------- */

static cobloc_status read_header(cob_blocks *blocks, const char *path, header *h, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *line = NULL;
    size_t capacity = 0;
    int got;
    COB_TRY(cob_blocks_line(blocks, &line, &capacity, &got, err));
    COB_CHECK(got, COBLOC_BAD_DATA, "%s: the file is empty, expected a line of sizes", path);
    COB_CHECK(
        scan_header(line, h), COBLOC_BAD_DATA,
        "%s:1: the line starts with '%.*s', expected 'rows columns entries' or 'rows columns'",
        path, cob_shown(line), line);
    status = cob_check_shape(h->rows, h->cols, err);
    if (status != COBLOC_OK)
        cob_fail_line(err, status, path, 1);
done:
    cob_free(line);
    return status;
}

static cobloc_status parse_pairs(const header *h, cob_lane *lane, int64_t row, const char **text,
                                 int64_t *found, cobloc_error *err)
{
    const char *p = *text;
    while (!cob_at_line_end(p)) {
        const char *word = p;
        int64_t col;
        double value;
        if (!cob_scan_integer(&p, &col) || !cob_at_gap(p))
            return cob_fail(err, COBLOC_BAD_DATA, "found '%.*s', expected a column from 1 to %lld",
                            cob_shown(word), word, (long long)h->cols);
        word = p = cob_skip_blanks(p);
        if (!cob_scan_value(&p, &value) || !cob_at_gap(p))
            return cob_fail(err, COBLOC_BAD_DATA,
                            "found '%.*s' after column %lld, expected its value", cob_shown(word),
                            word, (long long)col);
        cobloc_status status = cob_lane_add(lane, row, col - 1, value, err);
        if (status != COBLOC_OK)
            return status;
        ++*found;
        p = cob_skip_blanks(p);
    }
    *text = p;
    return COBLOC_OK;
}

static cobloc_status parse_values(const header *h, cob_lane *lane, int64_t row, const char **text,
                                  cobloc_error *err)
{
    const char *p = *text;
    int64_t col = 0;
    for (; !cob_at_line_end(p); col++) {
        const char *word = p;
        double value;
        if (!cob_scan_value(&p, &value) || !cob_at_gap(p))
            return cob_fail(err, COBLOC_BAD_DATA, "found '%.*s', expected a number",
                            cob_shown(word), word);
        if (col == h->cols)
            return cob_fail(err, COBLOC_BAD_DATA, "the row has more than the expected %lld numbers",
                            (long long)h->cols);
        cobloc_status status = cob_lane_add(lane, row, col, value, err);
        if (status != COBLOC_OK)
            return status;
        p = cob_skip_blanks(p);
    }
    if (col < h->cols)
        return cob_fail(err, COBLOC_BAD_DATA, "the row has %lld numbers, expected %lld",
                        (long long)col, (long long)h->cols);
    *text = p;
    return COBLOC_OK;
}

/* The rows of one block. */
typedef struct block_parse {
    const header *header;
    cob_lane *lane;
    int64_t found;
} block_parse;

static cobloc_status parse_row(void *context, int64_t row, const char **text, cobloc_error *err)
{
    block_parse *b = context;
    const header *h = b->header;
    if (row < h->rows)
        return h->dense ? parse_values(h, b->lane, row, text, err)
                        : parse_pairs(h, b->lane, row, text, &b->found, err);
    if (!cob_at_line_end(*text))
        return cob_fail(err, COBLOC_BAD_DATA,
                        "found another row, expected no more than the %lld of the first line",
                        (long long)h->rows);
    return COBLOC_OK;
}

static cobloc_status parse_block(void *context, int lane, const cob_text_block *block,
                                 cobloc_error *err)
{
    cluto_parse *parse = context;
    block_parse b = {&parse->header, &parse->builder.lanes[lane], 0};
    cobloc_status status = cob_parse_lines(block, parse->path, "", parse_row, &b, err);
#pragma omp atomic
    parse->found += b.found;
    return status;
}

/* Reads all rows and checks that there are as many rows and entries as the header says. */
static cobloc_status read_rows(cob_blocks *blocks, cluto_parse *parse, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const header *h = &parse->header;
    COB_TRY(cob_blocks_run(blocks, parse_block, parse, err));
    COB_CHECK(blocks->first_record >= h->rows, COBLOC_BAD_DATA,
              "%s: holds %lld rows, expected the %lld given in its first line", parse->path,
              (long long)blocks->first_record, (long long)h->rows);
    COB_CHECK(h->dense || parse->found == h->entries, COBLOC_BAD_DATA,
              "%s: holds %lld entries, expected the %lld given in its first line", parse->path,
              (long long)parse->found, (long long)h->entries);
done:
    return status;
}

static cobloc_status read(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cluto_parse parse = {.path = reading->path};
    const header *h = &parse.header;
    cob_blocks blocks = cob_blocks_of(reading->source, reading->options);
    blocks.longest = COB_SHORT_RECORD;
    COB_TRY(read_header(&blocks, reading->path, &parse.header, err));
    blocks.longest = COB_LONG_RECORD;
    COB_TRY(cob_builder_init(&parse.builder, h->rows, h->cols, 1, blocks.threads,
                             reading->options->missing, err));
    COB_TRY(read_rows(&blocks, &parse, err));
    COB_TRY(cob_builder_finish(&parse.builder, h->rows, h->cols, out, err));
    COB_TRY(cob_sidecar_read(reading->path, 0, ".rlabel", h->rows, &(*out)->row_names, err));
    COB_TRY(cob_sidecar_read(reading->path, 0, ".clabel", h->cols, &(*out)->col_names, err));
    COB_TRY(cob_sidecar_read(reading->path, 0, ".rclass", h->rows, &(*out)->row_labels, err));
done:
    cob_blocks_free(&blocks);
    cob_builder_free(&parse.builder);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static cobloc_status write(const cobloc_matrix *matrix, cob_file *file, const char *path,
                           cobloc_error *err)
{
    const cob_side *side = &matrix->by_row;
    (void)path;
    (void)err;
    cob_file_print(file, "%lld %lld %lld\n", (long long)matrix->rows, (long long)matrix->cols,
                   (long long)matrix->nnz);
    for (int64_t i = 0; i < matrix->rows; i++) {
        for (int64_t e = side->offsets[i]; e < side->offsets[i + 1]; e++) {
            if (e > side->offsets[i])
                cob_file_char(file, ' ');
            cob_file_integer(file, (int64_t)side->indices[e] + 1);
            cob_file_char(file, ' ');
            cob_file_number(file, cob_value_get(matrix->kind, side->values, e));
        }
        cob_file_char(file, '\n');
    }
    return COBLOC_OK;
}

const cob_format cob_format_cluto = {
    .name = "cluto",
    .title = "CLUTO",
    .extension = ".cluto",
    .carries = COB_NAN,
    .gzip = 1,
    .recognise = recognise,
    .read = read,
    .write = write,
};
