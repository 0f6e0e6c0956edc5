/* The structure of a file of triples.
 * SPDX-License-Identifier: MIT
 */
#include "io/triples_layout.h"

#include <stdlib.h>
#include <string.h>

enum {
    RECORDS_TO_LOOK_AT = 512,
    FEWEST_RECORDS = 3, /* without a header, fewer are not conclusive */
};

/* ---- the structure --------------------------------------------------------------------------- */

/* Blanks are tried last, because they may be part of names. */
cob_split cob_triples_choose_delimiter(const char *text, size_t size, int complete)
{
    cob_split table = cob_split_table(text, size, complete);
    cob_split blanks = cob_split_by(COB_BLANKS, text, size, complete);
    return !cob_split_is_table(&table) && cob_split_is_table(&blanks) ? blanks : table;
}

cob_triple cob_triple_of(cob_record record)
{
    cob_triple t = {0};
    cob_field field;
    while (cob_record_next(&record, &field)) {
        if (t.count < 3)
            t.field[t.count] = field;
        t.count++;
    }
    t.problem = record.problem;
    if (t.problem)
        t.count = -1;
    return t;
}

bool cob_field_index(const cob_field *field, int64_t *index)
{
    return cob_field_integer(field, index) && *index < INT32_MAX;
}

static bool is_number(const cob_field *field, double *value)
{
    return cob_field_value(field, value) == COB_CELL_NUMBER;
}

static bool is_usual_id(const cob_field *field, int axis)
{
    static const char *const rows[] = {"row",    "rows",    "i",      "doc",  "document", "user",
                                       "userid", "user_id", "source", "from", "src",      NULL};
    static const char *const cols[] = {"col",    "column", "cols",   "j",       "term",
                                       "word",   "item",   "itemid", "item_id", "movieid",
                                       "target", "to",     "dst",    NULL};
    return cob_field_among(field, axis == COB_ROW ? rows : cols);
}

static bool is_usual_value(const cob_field *field)
{
    static const char *const words[] = {"value",  "values", "val",  "count", "counts",
                                        "weight", "x",      "n",    "freq",  "frequency",
                                        "rating", "tf",     "data", "score", NULL};
    return cob_field_among(field, words);
}

static bool is_shape(const cob_triple *first, const cob_triple *second, int64_t *rows,
                     int64_t *cols)
{
    return first->count == 2 && second->count == 3 &&
           cob_field_integer(&first->field[COB_ROW], rows) &&
           cob_field_integer(&first->field[COB_COLUMN], cols);
}

static bool is_header(const cob_triple *first, const cob_triple *second)
{
    int64_t index;
    double value;
    if (first->count == 3)
        return !is_number(&first->field[2], &value);
    if (first->count != 2 || second->count != 2)
        return false;
    const cob_field *a = first->field, *b = second->field;
    return (is_usual_id(&a[COB_ROW], COB_ROW) && is_usual_id(&a[COB_COLUMN], COB_COLUMN)) ||
           (!cob_field_index(&a[COB_ROW], &index) && !cob_field_index(&a[COB_COLUMN], &index) &&
            cob_field_index(&b[COB_ROW], &index) && cob_field_index(&b[COB_COLUMN], &index));
}

static void look_at_ids(cob_records records, cob_triples_layout *l)
{
    cob_record record;
    bool zero = false;
    for (int r = 0; cob_records_next(&records, &record) && r < RECORDS_TO_LOOK_AT; r++) {
        cob_triple t = cob_triple_of(record);
        for (int axis = COB_ROW; axis <= COB_COLUMN && t.count == l->fields; axis++) {
            int64_t index = -1;
            if (!cob_field_index(&t.field[axis], &index))
                l->named[axis] = !l->shaped;
            zero |= index == 0;
        }
    }
    l->base = l->shaped || zero ? 0 : 1;
}

void cob_triples_find_layout(const cob_peek *peek, cob_triples_layout *l)
{
    cob_records records =
        cob_records_of(peek->text, peek->size, peek->complete, peek->split.delimiter);
    cob_records data = records;
    cob_record record;
    cob_triple first = {0}, second = {0};
    l->delimiter = peek->split.delimiter;
    if (cob_records_next(&records, &record))
        first = cob_triple_of(record);
    cob_records rest = records;
    if (cob_records_next(&records, &record))
        second = cob_triple_of(record);
    l->shaped = is_shape(&first, &second, &l->rows, &l->cols);
    l->header = l->shaped || is_header(&first, &second);
    l->fields = (l->header ? second.count : first.count) == 2 ? 2 : 3;
    look_at_ids(l->header ? rest : data, l);
}

/* ---- recognising ----------------------------------------------------------------------------- */

static int compare_pairs(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* What the records show about rows, columns and values. */
typedef struct evidence {
    int count;
    bool integers; /* all ids are integers */
    bool names;    /* some ids are text or quoted */
    bool numbers;  /* all third fields are numbers */
    bool zeros;    /* some of those are 0 */
    bool id_zeros; /* some ids are 0 */
    int64_t max[2];
    uint64_t pairs[RECORDS_TO_LOOK_AT]; /* of integers */
} evidence;

static void collect(cob_records records, evidence *e)
{
    cob_record record;
    *e = (evidence){.integers = true, .numbers = true};
    while (e->count < RECORDS_TO_LOOK_AT && e->numbers && cob_records_next(&records, &record)) {
        cob_triple t = cob_triple_of(record);
        int64_t id[2] = {0, 0};
        double value = 0, ignored;
        e->numbers = t.count == 3 && is_number(&t.field[2], &value);
        e->zeros |= value == 0;
        for (int axis = COB_ROW; axis <= COB_COLUMN && e->numbers; axis++) {
            const cob_field *field = &t.field[axis];
            e->integers &= cob_field_index(field, &id[axis]);
            e->names |= field->quoted || cob_field_value(field, &ignored) == COB_CELL_TEXT;
            e->id_zeros |= id[axis] == 0;
            e->max[axis] = id[axis] > e->max[axis] ? id[axis] : e->max[axis];
        }
        e->pairs[e->count++] = (uint64_t)id[COB_ROW] << 32 | (uint64_t)id[COB_COLUMN];
    }
}

/* Three columns of numbers without a header: triples, or a dense table? */
static bool are_sparse_pairs(evidence *e, int complete)
{
    if (!e->integers || e->zeros || e->count < FEWEST_RECORDS)
        return false;
    qsort(e->pairs, (size_t)e->count, sizeof *e->pairs, compare_pairs);
    for (int r = 1; r < e->count; r++)
        if (e->pairs[r] == e->pairs[r - 1])
            return false;
    int64_t more = e->id_zeros;
    double cells = (double)(e->max[COB_ROW] + more) * (double)(e->max[COB_COLUMN] + more);
    return !complete || e->count * 2.0 < cells;
}

/* A quoted header may be that of a dense table with unlucky column names, but then its data are
 * numbers. A header with name and label is that of our own dense tables. */
static bool is_telling_header(const cob_triple *t, const evidence *e)
{
    bool quoted = t->field[0].quoted || t->field[1].quoted || t->field[2].quoted;
    bool ids =
        is_usual_id(&t->field[COB_ROW], COB_ROW) && is_usual_id(&t->field[COB_COLUMN], COB_COLUMN);
    bool value = is_usual_value(&t->field[2]);
    if (cob_field_is(&t->field[0], "name") && cob_field_is(&t->field[1], "label"))
        return false;
    return quoted ? ids && value && e->names : ids || value;
}

int cob_triples_recognise(const cob_head *head)
{
    size_t mark = cob_byte_order_mark(head->text, head->size);
    const char *text = head->text + mark;
    size_t size = head->size - mark;
    cob_split split = cob_triples_choose_delimiter(text, size, head->complete);
    cob_records records = cob_records_of(text, size, head->complete, split.delimiter);
    cob_records data = records;
    cob_record record;
    if (records.nul || !split.consistent || split.fields != 3 ||
        !cob_records_next(&records, &record))
        return 0;
    cob_triple first = cob_triple_of(record), second = {.count = 3};
    int64_t rows, cols;
    evidence e;
    if (is_shape(&first, &second, &rows, &cols)) {
        collect(records, &e);
        return e.count > 0 && e.integers && e.numbers && e.max[COB_ROW] < rows &&
               e.max[COB_COLUMN] < cols;
    }
    if (is_header(&first, &second)) {
        collect(records, &e);
        return e.count > 0 && e.numbers && is_telling_header(&first, &e);
    }
    collect(data, &e);
    bool whole = head->complete && e.count < RECORDS_TO_LOOK_AT;
    return first.count == 3 && e.numbers && are_sparse_pairs(&e, whole);
}
