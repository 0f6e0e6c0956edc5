/* Triples: one entry per record, "row,column,value", or "row,column" for a value of 1, separated by
 * commas, tabs, semicolons or blanks. Edge lists of graphs are such files.
 *
 * Rows and columns are numbers, or names that are numbered in order of appearance. An axis has
 * names if one of its ids is quoted, not an integer, or beyond 2^31. Numbers count from 0 if a 0
 * occurs, otherwise from 1. The first record may be a header ("row,col,value") or the shape,
 * "rows,columns", before records of three fields that count from 0. triples_layout.h describes how
 * files are recognised.
 *
 * Written files start with the shape. With names they have a header, all cells of the first row,
 * and one zero in each empty row, so that the names are read back in order.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/intern.h"
#include "base/scan.h"
#include "io/triples_layout.h"

/* What a thread met that contradicts the layout: everything is then read again. */
typedef struct thread_state {
    bool met_name[2];
    bool met_zero;
    char
        apart[64]; /* states are written by different threads: keep them in different cache lines */
} thread_state;

typedef struct triples_parse {
    const char *path;
    cob_triples_layout layout;
    cob_builder builder;
    cob_intern names[2]; /* if an axis has names, one thread does everything */
    cob_room room;
    thread_state *threads;
    int thread_count;
} triples_parse;

/* ---- the entries ----------------------------------------------------------------------------- */

/* The usual record: two indices and a number, separated by one delimiter and nothing else. */
static bool scan_plain(const cob_triples_layout *l, const cob_record *record, int64_t id[2],
                       double *value)
{
    const char *p = record->text;
    for (int axis = COB_ROW; axis <= COB_COLUMN; axis++) {
        if (!cob_scan_count(&p, &id[axis]) || id[axis] >= INT32_MAX || *p++ != l->delimiter)
            return false;
    }
    return cob_is_digit(*p) && cob_scan_number(&p, value) && p == record->end;
}

static cobloc_status fail_id(const triples_parse *parse, int axis, const cob_field *field,
                             cobloc_error *err)
{
    return cob_fail(err, COBLOC_BAD_DATA, "found '%s' as the %s, expected %s",
                    cob_field_excerpt(field).text, axis == COB_ROW ? "row" : "column",
                    parse->layout.shaped
                        ? "its number, from 0 on"
                        : "its number, from 0 on, or a name (in quotes, if this is one)");
}

/* The index of a row or column. An id that contradicts the layout is noted, and fails. */
static cobloc_status number_of(triples_parse *parse, thread_state *state, int axis,
                               const cob_field *field, int64_t *id, cobloc_error *err)
{
    const cob_triples_layout *l = &parse->layout;
    const char *p = field->text, *text;
    size_t length;
    int64_t negative;
    bool integer = cob_field_index(field, id);
    if (integer && !l->named[axis]) {
        state->met_zero |= *id < l->base;
        return *id < l->base ? fail_id(parse, axis, field, err) : COBLOC_OK;
    }
    if (!field->quoted && (field->length == 0 || (*p == '-' && cob_scan_integer(&p, &negative) &&
                                                  p == field->text + field->length)))
        return fail_id(parse, axis, field, err);
    if (!l->named[axis]) {
        state->met_name[axis] = !l->shaped;
        return fail_id(parse, axis, field, err);
    }
    cobloc_status status = cob_field_plain(field, &parse->room, &text, &length, err);
    return status ? status : cob_intern_add(&parse->names[axis], text, length, id, err);
}

static cobloc_status parse_record(triples_parse *parse, int lane, const cob_record *record,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_triples_layout *l = &parse->layout;
    int64_t id[2];
    double value = 1;
    bool plain = l->fields == 3 && !l->named[COB_ROW] && !l->named[COB_COLUMN] &&
                 scan_plain(l, record, id, &value) && id[0] >= l->base && id[1] >= l->base;
    if (!plain) {
        cob_triple t = cob_triple_of(*record);
        COB_CHECK(!t.problem, COBLOC_BAD_DATA, "%s", t.problem);
        COB_CHECK(t.count == l->fields, COBLOC_BAD_DATA, "found %lld fields, expected %s",
                  (long long)t.count,
                  l->fields == 2 ? "2, row and column, as in the first record"
                                 : "3: row, column and value");
        value = 1;
        cob_cell cell = l->fields == 2 ? COB_CELL_NUMBER : cob_field_value(&t.field[2], &value);
        if (cell == COB_CELL_MISSING && parse->builder.policy != COBLOC_MISSING_AUTO)
            value = (double)NAN;
        else
            COB_CHECK(cell == COB_CELL_NUMBER, COBLOC_BAD_DATA,
                      "found '%s' as the value, expected a number",
                      cob_field_excerpt(&t.field[2]).text);
        for (int axis = COB_ROW; axis <= COB_COLUMN; axis++)
            COB_TRY(number_of(parse, &parse->threads[lane], axis, &t.field[axis], &id[axis], err));
    }
    for (int axis = COB_ROW; axis <= COB_COLUMN; axis++)
        id[axis] -= l->named[axis] ? 0 : l->base;
    status = cob_lane_add(&parse->builder.lanes[lane], id[COB_ROW], id[COB_COLUMN], value, err);
done:
    return status;
}

static cobloc_status parse_block(void *context, int lane, const cob_text_block *block,
                                 cobloc_error *err)
{
    triples_parse *parse = context;
    cob_records records = cob_records_of(block->text, block->size, true, parse->layout.delimiter);
    cob_record record;
    for (int64_t number = block->first_record; cob_records_next(&records, &record); number++) {
        if (number < 0) /* the header */
            continue;
        cobloc_status status = parse_record(parse, lane, &record, err);
        if (status != COBLOC_OK)
            return cob_fail_line(err, status, parse->path,
                                 cob_record_line(&record, block->text, block->first_line));
    }
    return COBLOC_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Frees what one attempt made. */
static void clear(triples_parse *parse)
{
    cob_builder_free(&parse->builder);
    for (int axis = COB_ROW; axis <= COB_COLUMN; axis++)
        cob_intern_free(&parse->names[axis]);
    cob_free(parse->room.bytes);
    parse->room = (cob_room){0};
    cob_free(parse->threads);
    parse->threads = NULL;
}

static cobloc_status attempt(triples_parse *parse, const cob_reading *reading, cobloc_matrix **out,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_triples_layout *l = &parse->layout;
    cob_blocks blocks = cob_blocks_of(reading->source, reading->options);
    int64_t shape[2] = {l->shaped ? l->rows : -1, l->shaped ? l->cols : -1};
    blocks.cut = cob_cut_records(l->delimiter);
    blocks.first_record = l->header ? -1 : 0;
    if (l->named[COB_ROW] || l->named[COB_COLUMN])
        blocks.threads = 1; /* names are numbered in the order of the file */
    parse->thread_count = blocks.threads;
    COB_NEW_ZERO(parse->threads, blocks.threads);
    COB_TRY(cob_builder_init(&parse->builder, shape[0], shape[1], l->base, blocks.threads,
                             reading->options->missing, err));
    COB_TRY(cob_blocks_run(&blocks, parse_block, parse, err));
    COB_CHECK(blocks.first_record > 0, COBLOC_BAD_DATA,
              "found no entries, expected records 'row,column,value'");
    for (int axis = COB_ROW; axis <= COB_COLUMN; axis++)
        if (l->named[axis])
            shape[axis] = parse->names[axis].names.count;
    COB_TRY(cob_builder_finish(&parse->builder, shape[0], shape[1], out, err));
done:
    cob_blocks_free(&blocks);
    return status;
}

/* Updates the layout with what was met; true if it changed, which can happen only three times. */
static bool revise(triples_parse *parse)
{
    cob_triples_layout *l = &parse->layout;
    bool changed = false;
    for (int t = 0; parse->threads && t < parse->thread_count; t++) {
        const thread_state *state = &parse->threads[t];
        for (int axis = COB_ROW; axis <= COB_COLUMN; axis++) {
            changed |= state->met_name[axis] && !l->named[axis];
            l->named[axis] |= state->met_name[axis];
        }
        changed |= state->met_zero && l->base == 1;
        l->base = state->met_zero ? 0 : l->base;
    }
    return changed;
}

static cobloc_status read(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    triples_parse parse = {.path = reading->path};
    cob_peek peek = {0};
    COB_TRY(cob_peek_read(reading->source, cob_triples_choose_delimiter, &peek, err));
    cob_triples_find_layout(&peek, &parse.layout);
    status = attempt(&parse, reading, out, err);
    while (status == COBLOC_BAD_DATA && revise(&parse)) {
        clear(&parse);
        COB_TRY(cob_peek_rewind(&peek, reading->source, err));
        status = attempt(&parse, reading, out, err);
    }
    COB_TRY(status);
    cob_names_move(&(*out)->row_names, &parse.names[COB_ROW].names);
    cob_names_move(&(*out)->col_names, &parse.names[COB_COLUMN].names);
done:
    clear(&parse);
    cob_peek_free(&peek);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_id(cob_file *file, const cob_names *names, int64_t number)
{
    if (names->count > 0)
        cob_file_quoted(file, cob_names_get(names, number));
    else
        cob_file_integer(file, number);
    cob_file_char(file, ',');
}

static void write_entry(const cobloc_matrix *matrix, cob_file *file, int64_t row, int64_t col,
                        double value)
{
    write_id(file, &matrix->row_names, row);
    write_id(file, &matrix->col_names, col);
    cob_file_number(file, value);
    cob_file_char(file, '\n');
}

static cobloc_status check_distinct(const cob_names *names, const char *axis, const char *path,
                                    cobloc_error *err)
{
    int64_t again;
    cobloc_status status = cob_names_find_repeat(names, &again, err);
    if (status == COBLOC_OK && again >= 0)
        status = cob_fail(err, COBLOC_UNSUPPORTED,
                          "%s: the name '%.40s' of %s %lld occurs twice, and triples with names "
                          "cannot distinguish the two; write .mtx or .cbm instead",
                          path, cob_names_get(names, again), axis, (long long)again);
    return status;
}

/* Whether names would be read back in another order, or not at all, without some zeros. */
static bool needs_zeros(const cobloc_matrix *matrix)
{
    const int64_t *offsets = matrix->by_row.offsets;
    bool any = matrix->rows > 0 && offsets[1] - offsets[0] < matrix->cols;
    for (int64_t i = 0; i < matrix->rows && !any; i++)
        any = offsets[i] == offsets[i + 1];
    return any;
}

static cobloc_status write(const cobloc_matrix *matrix, cob_file *file, const char *path,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_side *side = &matrix->by_row;
    bool named = matrix->row_names.count > 0 || matrix->col_names.count > 0;
    COB_TRY(check_distinct(&matrix->row_names, "row", path, err));
    COB_TRY(check_distinct(&matrix->col_names, "column", path, err));
    if (named)
        cob_file_print(file, "row,column,value%s\n",
                       needs_zeros(matrix) ? " (0: keeps the order of names)" : "");
    else
        cob_file_print(file, "%lld,%lld\n", (long long)matrix->rows, (long long)matrix->cols);
    for (int64_t i = 0; i < matrix->rows; i++) {
        int64_t next = 0; /* first column not yet written */
        for (int64_t e = side->offsets[i]; e < side->offsets[i + 1]; e++) {
            for (; named && i == 0 && next < side->indices[e]; next++)
                write_entry(matrix, file, i, next, 0);
            write_entry(matrix, file, i, side->indices[e],
                        cob_value_get(matrix->kind, side->values, e));
            next = side->indices[e] + 1;
        }
        if (next == 0 && (named || matrix->nnz == 0))
            write_entry(matrix, file, i, next++, 0);
        for (; named && i == 0 && next < matrix->cols; next++)
            write_entry(matrix, file, i, next, 0);
    }
done:
    return status;
}

const cob_format cob_format_triples = {
    .name = "triples",
    .title = "CSV / TSV triples",
    .extension = ".triples.csv",
    .carries = COB_ROW_NAMES | COB_COL_NAMES | COB_NAN,
    .gzip = 1,
    .recognise = cob_triples_recognise,
    .read = read,
    .write = write,
};
