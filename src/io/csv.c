/* CSV and TSV (RFC 4180): dense tables, one row a record, between commas, tabs or semicolons.
 *
 * There may be a header of column names, and up to two leading columns of text: names and labels of
 * the rows. A cell is a number, a binary word (y, yes, t, true; n, no, f, false), or missing
 * (nothing, NA, nan, null, ?, .), which counts as 0 unless it is to be kept as missing. In a table
 * of categories a cell is any word, and its value the code of the word.
 * csv_layout.h says how the structure is found.
 *
 * Written tables always have a header, and all names are quoted, so that they come
 * back exactly.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/intern.h"
#include "base/scan.h"
#include "io/csv_layout.h"
#include "io/formats.h"

#include <string.h>

/* Larger tables are not written: the zeros would fill the disk. */
#define MOST_CELLS 1000000000

typedef struct thread_state {
    cob_room room;
    char apart[64]; /* keeps the states of threads in different cache lines */
} thread_state;

typedef struct csv_parse {
    const char *path;
    cob_csv_layout layout;
    cob_csv_categories categories;
    cob_builder builder;
    cob_name_lists texts[COB_CSV_TEXT_COLUMNS];
    thread_state *threads;
    int thread_count;
} csv_parse;

/* ---- recognising ----------------------------------------------------------------------------- */

static int recognise(const cob_head *head)
{
    size_t mark = cob_byte_order_mark(head->text, head->size);
    const char *text = head->text + mark;
    size_t size = head->size - mark;
    if (size == 0 || memchr(text, '\0', size))
        return 0;
    cob_split split = cob_split_table(text, size, head->complete);
    if (split.records == 0) /* the first record of a wide table may be longer than the head */
        split = cob_split_table(text, size, 1);
    return cob_split_is_table(&split);
}

/* ---- the cells ------------------------------------------------------------------------------- */

static cobloc_status fail_cell(const cob_csv_layout *l, int64_t column, const cob_field *field,
                               cobloc_error *err)
{
    const char *name = cob_names_get(&l->names, column);
    return cob_fail(err, COBLOC_BAD_DATA,
                    "found '%s' in column %lld%s%.40s%s, expected a number or y/n, yes/no, t/f, "
                    "true/false",
                    cob_field_excerpt(field).text, (long long)(column + l->text_columns + 1),
                    name ? " (" : "", name ? name : "", name ? ")" : "");
}

static cobloc_status value_of(const csv_parse *parse, int64_t column, const cob_field *field,
                              cob_room *room, double *value, cobloc_error *err)
{
    if (parse->categories.words.names.count > 0)
        return cob_csv_code(&parse->categories, field, room, value, err);
    cob_cell cell = cob_field_value(field, value);
    if (cell == COB_CELL_TEXT)
        return fail_cell(&parse->layout, column, field, err);
    if (cell == COB_CELL_MISSING)
        *value = (double)NAN;
    return COBLOC_OK;
}

static cobloc_status parse_record(const csv_parse *parse, cob_record record, int64_t row,
                                  cob_lane *lane, cob_names *texts, cob_room *room,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_csv_layout *l = &parse->layout;
    bool words = parse->categories.words.names.count > 0;
    const cob_record whole = record;
    const char *text;
    size_t length;
    cob_field field;
    for (int c = 0; c < l->text_columns; c++) {
        if (!cob_record_next(&record, &field))
            return cob_csv_fail_record(&whole, l->fields, err);
        COB_TRY(cob_field_plain(&field, room, &text, &length, err));
        COB_TRY(cob_names_add(&texts[c], text, length, err));
    }
    for (int64_t col = 0, cols = l->fields - l->text_columns; col < cols; col++) {
        const char *p = record.next;
        double value;
        if (!words && record.more && record.end - p > 1 && cob_is_digit(*p) &&
            p[1] == l->delimiter) {
            value = *p - '0'; /* most cells are one digit */
            record.next = p + 2;
        } else {
            if (!cob_record_next(&record, &field))
                return cob_csv_fail_record(&whole, l->fields, err);
            COB_TRY(value_of(parse, col, &field, room, &value, err));
        }
        if (value != 0)
            COB_TRY(cob_lane_add(lane, row, col, value, err));
    }
    if (record.more)
        status = cob_csv_fail_record(&whole, l->fields, err);
done:
    return status;
}

static cobloc_status parse_block(void *context, int lane, const cob_text_block *block,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    csv_parse *parse = context;
    cob_names texts[COB_CSV_TEXT_COLUMNS] = {{0}};
    cob_records records = cob_records_of(block->text, block->size, true, parse->layout.delimiter);
    cob_record record;
    for (int64_t row = block->first_record; cob_records_next(&records, &record); row++) {
        if (row < 0) /* the header */
            continue;
        status = parse_record(parse, record, row, &parse->builder.lanes[lane], texts,
                              &parse->threads[lane].room, err);
        if (status != COBLOC_OK) {
            cob_fail_line(err, status, parse->path,
                          cob_record_line(&record, block->text, block->first_line));
            goto done;
        }
    }
    for (int c = 0; c < parse->layout.text_columns; c++)
        COB_TRY(cob_name_lists_keep(&parse->texts[c], block->sequence, &texts[c], err));
done:
    for (int c = 0; c < COB_CSV_TEXT_COLUMNS; c++)
        cob_names_free(&texts[c]);
    return status;
}

/* ---- names and labels ------------------------------------------------------------------------ */

/* Which text column holds the names; the other one, if any, holds the labels. */
static cobloc_status find_names_column(const cob_csv_layout *l, const cob_names *columns,
                                       int *found, cobloc_error *err)
{
    int64_t again = -1;
    for (int c = 0; c < l->text_columns; c++)
        if (l->roles[c] != COB_CSV_UNKNOWN) {
            *found = l->roles[c] == COB_CSV_NAMES ? c : 1 - c;
            return COBLOC_OK;
        }
    for (int c = 0; c < l->text_columns; c++) {
        cobloc_status status = cob_names_find_repeat(&columns[c], &again, err);
        if (status != COBLOC_OK)
            return status;
        if (again < 0) {
            *found = c;
            return COBLOC_OK;
        }
    }
    /* One column: it is not names. Two: the first is, although it repeats. */
    *found = l->text_columns == 1;
    return COBLOC_OK;
}

static cobloc_status attach_texts(csv_parse *parse, cobloc_matrix *matrix, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names columns[COB_CSV_TEXT_COLUMNS] = {{0}};
    int names = 0;
    for (int c = 0; c < parse->layout.text_columns; c++)
        COB_TRY(cob_name_lists_join(&parse->texts[c], &columns[c], err));
    COB_TRY(find_names_column(&parse->layout, columns, &names, err));
    cob_names_move(&matrix->row_names, &columns[names]);
    cob_names_move(&matrix->row_labels, &columns[1 - names]);
    cob_names_move(&matrix->col_names, &parse->layout.names);
done:
    for (int c = 0; c < COB_CSV_TEXT_COLUMNS; c++)
        cob_names_free(&columns[c]);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static cobloc_status find_layout(const cob_reading *reading, csv_parse *parse, cobloc_error *err)
{
    cob_peek peek = {0};
    int64_t line;
    bool categories = reading->options->values == COBLOC_VALUES_CATEGORIES;
    cobloc_status status = cob_peek_read(reading->source, cob_split_table, &peek, err);
    if (status == COBLOC_OK) {
        status = cob_csv_find_layout(&peek, categories, &parse->layout, &line, err);
        if (status != COBLOC_OK)
            cob_fail_line(err, status, reading->path, line);
    }
    if (status == COBLOC_OK && categories)
        status = cob_csv_find_categories(reading, &parse->layout, &parse->categories, err);
    if (status == COBLOC_OK && categories)
        status = cob_peek_rewind(&peek, reading->source, err);
    cob_peek_free(&peek);
    return status;
}

static void free_parse(csv_parse *parse)
{
    for (int t = 0; parse->threads && t < parse->thread_count; t++)
        cob_free(parse->threads[t].room.bytes);
    for (int c = 0; c < COB_CSV_TEXT_COLUMNS; c++)
        cob_name_lists_free(&parse->texts[c]);
    cob_free(parse->threads);
    cob_names_free(&parse->layout.names);
    cob_csv_categories_free(&parse->categories);
    cob_builder_free(&parse->builder);
}

static cobloc_status read(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    csv_parse parse = {.path = reading->path};
    const cob_csv_layout *l = &parse.layout;
    cob_blocks blocks = cob_blocks_of(reading->source, reading->options);
    COB_TRY(find_layout(reading, &parse, err));
    blocks.cut = cob_cut_records(l->delimiter);
    blocks.first_record = l->header ? -1 : 0;
    parse.thread_count = blocks.threads;
    COB_NEW_ZERO(parse.threads, blocks.threads);
    int64_t cols = l->fields - l->text_columns;
    bool ignore = reading->options->missing == COBLOC_MISSING_IGNORE;
    COB_TRY(cob_builder_init(&parse.builder, -1, cols, 1, blocks.threads,
                             ignore ? COBLOC_MISSING_IGNORE : COBLOC_MISSING_ZERO, err));
    COB_TRY(cob_blocks_run(&blocks, parse_block, &parse, err));
    COB_TRY(cob_builder_finish(&parse.builder, blocks.first_record, cols, out, err));
    COB_TRY(attach_texts(&parse, *out, err));
    COB_TRY(cob_csv_category_names(&parse.categories, &(*out)->categories, err));
done:
    cob_blocks_free(&blocks);
    free_parse(&parse);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_header(const cobloc_matrix *matrix, cob_file *file, char delimiter)
{
    if (matrix->row_names.count > 0)
        cob_file_print(file, "name%c", delimiter);
    if (matrix->row_labels.count > 0)
        cob_file_print(file, "label%c", delimiter);
    for (int64_t j = 0; j < matrix->cols; j++) {
        if (matrix->col_names.count > 0)
            cob_file_quoted(file, cob_names_get(&matrix->col_names, j));
        else
            cob_file_print(file, "V%lld", (long long)(j + 1));
        cob_file_char(file, j + 1 < matrix->cols ? delimiter : '\n');
    }
}

static void write_cell(const cobloc_matrix *matrix, double value, cob_file *file)
{
    if (isnan(value))
        cob_file_text(file, "NA");
    else if (matrix->categories.count > 0)
        cob_file_quoted(file, cob_names_get(&matrix->categories, (int64_t)value));
    else
        cob_file_number(file, value);
}

static void write_row(const cobloc_matrix *matrix, int64_t i, cob_file *file, char delimiter)
{
    const cob_side *side = &matrix->by_row;
    const cob_names *texts[] = {&matrix->row_names, &matrix->row_labels};
    for (int c = 0; c < 2; c++)
        if (texts[c]->count > 0) {
            cob_file_quoted(file, cob_names_get(texts[c], i));
            cob_file_char(file, delimiter);
        }
    int64_t e = side->offsets[i], end = side->offsets[i + 1];
    for (int64_t j = 0; j < matrix->cols; j++) {
        bool entry = e < end && side->indices[e] == j;
        write_cell(matrix, entry ? cob_value_get(matrix->kind, side->values, e++) : 0, file);
        cob_file_char(file, j + 1 < matrix->cols ? delimiter : '\n');
    }
}

static cobloc_status write(const cobloc_matrix *matrix, cob_file *file, const char *path,
                           cobloc_error *err)
{
    char delimiter = cob_path_ends_gz(path, ".tsv") ? '\t' : ',';
    if (matrix->rows > MOST_CELLS / matrix->cols)
        return cob_fail(err, COBLOC_UNSUPPORTED,
                        "%s: a table of %lld by %lld cells is too large, more than the %d that are "
                        "written; write .mtx instead, which omits zeros",
                        path, (long long)matrix->rows, (long long)matrix->cols, MOST_CELLS);
    write_header(matrix, file, delimiter);
    for (int64_t i = 0; i < matrix->rows; i++)
        write_row(matrix, i, file, delimiter);
    return COBLOC_OK;
}

const cob_format cob_format_csv = {
    .name = "csv",
    .title = "CSV / TSV table",
    .extension = ".csv",
    .carries = COB_ROW_NAMES | COB_COL_NAMES | COB_ROW_LABELS | COB_CATEGORIES | COB_NAN,
    .gzip = 1,
    .recognise = recognise,
    .read = read,
    .write = write,
};
