/* The structure of a dense table.
 * SPDX-License-Identifier: MIT
 */
#include "io/csv_layout.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

enum {
    RECORDS_TO_LOOK_AT = 100,
    COUNTING_HEADER = 4, /* this many fields 0, 1, 2, 3 are a header, not data */
};

/* ---- the structure --------------------------------------------------------------------------- */

static cob_csv_role role_called(const cob_field *field)
{
    static const char *const labels[] = {"label", "labels", "class", NULL};
    static const char *const names[] = {"", "name", "names", "row", "id", NULL};
    return cob_field_among(field, labels)  ? COB_CSV_LABELS
           : cob_field_among(field, names) ? COB_CSV_NAMES
                                           : COB_CSV_UNKNOWN;
}

/* How many leading columns of the given records are text; at least one column holds values. */
static int count_text_columns(cob_records records, int64_t fields)
{
    bool text[COB_CSV_TEXT_COLUMNS] = {false}, quoted[COB_CSV_TEXT_COLUMNS] = {false},
         unquoted = false;
    cob_record record;
    cob_field field;
    double value;
    for (int r = 0; r < RECORDS_TO_LOOK_AT && cob_records_next(&records, &record); r++)
        for (int c = 0;
             (c < COB_CSV_TEXT_COLUMNS || !unquoted) && cob_record_next(&record, &field);) {
            unquoted |= !field.quoted;
            if (c == COB_CSV_TEXT_COLUMNS)
                continue;
            text[c] |= cob_field_value(&field, &value) == COB_CELL_TEXT;
            quoted[c++] |= field.quoted;
        }
    int count = 0;
    while (count < COB_CSV_TEXT_COLUMNS && count < fields - 1 &&
           (text[count] || (quoted[count] && unquoted)))
        count++;
    return count;
}

/* Whether `first` has, after `skip` fields, one that indicates a header. `second` may be NULL. */
static bool has_names(cob_record first, const cob_record *second, int skip)
{
    cob_record below = second ? *second : (cob_record){0};
    cob_field field, under;
    double value;
    for (int64_t f = 0; cob_record_next(&first, &field); f++) {
        bool compare = cob_record_next(&below, &under);
        if (f < skip)
            continue;
        cob_cell cell = cob_field_value(&field, &value);
        if (cell == COB_CELL_TEXT)
            return true;
        if (compare && field.quoted && !under.quoted)
            return true;
        if (compare && cell == COB_CELL_WORD && cob_field_value(&under, &value) == COB_CELL_NUMBER)
            return true;
    }
    return false;
}

/* Unquoted integers: whether they increase, and whether they count from 0 or 1. */
typedef struct run {
    int64_t length;
    bool grows;
    bool counts;
} run;

static run run_of(cob_record record, int skip)
{
    run r = {0, true, true};
    cob_field field;
    int64_t before = -1;
    for (int64_t f = 0; r.grows && cob_record_next(&record, &field); f++) {
        int64_t value = -1;
        if (f < skip)
            continue;
        r.grows = cob_field_integer(&field, &value) && value > before;
        r.counts = r.counts && r.grows && (r.length == 0 ? value <= 1 : value == before + 1);
        before = value;
        r.length++;
    }
    return r;
}

static bool is_header(const cob_record *first, const cob_record *second, int text_columns)
{
    cob_record top = *first, under = *second;
    cob_field corner = {0}, below = {0};
    if (has_names(*first, second, text_columns))
        return true;
    cob_record_next(&top, &corner);
    cob_record_next(&under, &below);
    if (text_columns > 0) {
        run r = run_of(*first, text_columns);
        return role_called(&corner) != COB_CSV_UNKNOWN || (below.quoted && !corner.quoted) ||
               (r.grows && r.length > 1);
    }
    bool empty_corner = corner.length == 0;
    run r = run_of(*first, empty_corner);
    return r.counts && r.length >= (empty_corner ? 2 : COUNTING_HEADER);
}

/* ---- tables of categories -------------------------------------------------------------------- */

/* Whether a field of `first` occurs again in its column, in one of the records below. */
static bool occurs_below(cob_record first, cob_records below)
{
    cob_record record;
    cob_field field, under;
    for (int r = 0; r < RECORDS_TO_LOOK_AT && cob_records_next(&below, &record); r++)
        for (cob_record top = first;
             cob_record_next(&top, &field) && cob_record_next(&record, &under);)
            if (field.length == under.length && memcmp(field.text, under.text, field.length) == 0)
                return true;
    return false;
}

static bool is_all_numbers(cob_record record)
{
    cob_field field;
    double value;
    while (cob_record_next(&record, &field))
        if (cob_field_value(&field, &value) != COB_CELL_NUMBER)
            return false;
    return true;
}

/* In which columns a word occurs: a flag for each leading column, one for all the others. */
typedef struct seen {
    bool in[COB_CSV_TEXT_COLUMNS + 1];
    int64_t column; /* the first of the others; -1: none */
} seen;

/* Records the words of the first records, except missing cells; *shared: two of the other columns
 * have a word in common. */
static cobloc_status collect_words(cob_records records, cob_intern *words, seen **of,
                                   size_t *capacity, bool *shared, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_record record;
    cob_field field;
    double value;
    for (int r = 0; r < RECORDS_TO_LOOK_AT && cob_records_next(&records, &record); r++)
        for (int64_t c = 0, word; cob_record_next(&record, &field); c++) {
            int64_t known = words->names.count;
            if (cob_field_value(&field, &value) == COB_CELL_MISSING)
                continue;
            COB_TRY(cob_intern_add(words, field.text, field.length, &word, err));
            COB_CHECK(cob_grow(of, capacity, (size_t)word + 1, sizeof **of), COBLOC_NO_MEMORY,
                      "out of memory");
            COB_KNOWN(*of); /* it has grown */
            seen *s = *of + word;
            if (word == known)
                *s = (seen){.column = -1};
            s->in[c < COB_CSV_TEXT_COLUMNS ? c : COB_CSV_TEXT_COLUMNS] = true;
            if (c >= COB_CSV_TEXT_COLUMNS) {
                *shared |= s->column >= 0 && s->column != c;
                s->column = s->column < 0 ? c : s->column;
            }
        }
done:
    return status;
}

/* How many leading columns have words that no other column has, if the others share words. */
static cobloc_status count_own_columns(cob_records records, int *count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_intern words = {0};
    seen *of = NULL;
    size_t capacity = 0;
    bool shared = false, own = true;
    *count = 0;
    COB_TRY(collect_words(records, &words, &of, &capacity, &shared, err));
    while (shared && own && *count < COB_CSV_TEXT_COLUMNS) {
        for (int64_t w = 0; w < words.names.count; w++)
            for (int c = 0; c <= COB_CSV_TEXT_COLUMNS; c++)
                own = own && !(of[w].in[*count] && c != *count && of[w].in[c]);
        *count += own;
    }
done:
    cob_free(of);
    cob_intern_free(&words);
    return status;
}

/* ---- the header ------------------------------------------------------------------------------ */

/* Automatic names: 0, 1, 2 or 1, 2, 3 or V1, V2, V3. */
static bool are_automatic(cob_record record, int skip)
{
    char expected[32];
    cob_field field;
    if (run_of(record, skip).counts)
        return true;
    for (int64_t f = 0; cob_record_next(&record, &field); f++) {
        snprintf(expected, sizeof expected, "v%lld", (long long)(f - skip + 1));
        if (f >= skip && (field.quoted || !cob_field_is(&field, expected)))
            return false;
    }
    return true;
}

/* Reads roles and column names from the header; `missing` (0 or 1): the corner is missing. */
static cobloc_status read_header(cob_record header, int missing, cob_csv_layout *l,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_room room = {0};
    cob_record whole = header;
    cob_field field;
    int most = l->fields - 1 < COB_CSV_TEXT_COLUMNS ? (int)l->fields - 1 : COB_CSV_TEXT_COLUMNS;
    if (missing) {
        l->roles[0] = COB_CSV_NAMES;
        l->text_columns = l->text_columns > 1 ? l->text_columns : 1;
    }
    for (int c = missing; c < most && cob_record_next(&header, &field); c++) {
        cob_csv_role called = role_called(&field);
        if (c == l->text_columns && !field.quoted &&
            (c == 0 ? called != COB_CSV_UNKNOWN : called == COB_CSV_LABELS))
            l->text_columns++;
        if (c < l->text_columns)
            l->roles[c] = called;
    }
    int skip = l->text_columns - missing;
    if (are_automatic(whole, skip))
        goto done;
    for (int64_t f = 0; cob_record_next(&whole, &field); f++) {
        const char *text;
        size_t length;
        if (f < skip)
            continue;
        COB_TRY(cob_field_plain(&field, &room, &text, &length, err));
        COB_TRY(cob_names_add(&l->names, text, length, err));
    }
done:
    cob_free(room.bytes);
    return status;
}

cobloc_status cob_csv_fail_record(const cob_record *record, int64_t expected, cobloc_error *err)
{
    const char *problem;
    int64_t found = cob_record_count(record, &problem);
    if (problem)
        return cob_fail(err, COBLOC_BAD_DATA, "%s", problem);
    return cob_fail(err, COBLOC_BAD_DATA, "found %lld fields, expected %lld as in the first record",
                    (long long)found, (long long)expected);
}

cobloc_status cob_csv_find_layout(const cob_peek *peek, bool categories, cob_csv_layout *l,
                                  int64_t *line, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_records records =
        cob_records_of(peek->text, peek->size, peek->complete, peek->split.delimiter);
    cob_records data = records;
    cob_record first, second;
    const char *problem;
    *line = 1;
    l->delimiter = peek->split.delimiter;
    COB_CHECK(cob_records_next(&records, &first), COBLOC_BAD_DATA,
              "the file is empty, expected numbers separated by commas, tabs or semicolons");
    *line = cob_record_line(&first, peek->text, 1);
    l->fields = cob_record_count(&first, &problem);
    if (problem)
        return cob_csv_fail_record(&first, 0, err);
    cob_records rest = records;
    if (!cob_records_next(&records, &second)) {
        if (categories)
            goto done;
        l->text_columns = count_text_columns(data, l->fields);
        COB_CHECK(!has_names(first, NULL, l->text_columns), COBLOC_BAD_DATA,
                  "found a header and nothing after it, expected rows of numbers");
        goto done;
    }
    int64_t below = cob_record_count(&second, &problem);
    int missing = below == l->fields + 1;
    if (categories) {
        COB_TRY(count_own_columns(rest, &l->text_columns, err));
        l->header = missing || (is_all_numbers(first) ? is_header(&first, &second, 0)
                                                      : !occurs_below(first, rest));
    } else {
        l->text_columns = count_text_columns(rest, below);
        l->header = missing ? l->text_columns > 0 || has_names(first, NULL, 0)
                            : is_header(&first, &second, l->text_columns);
    }
    if (below != l->fields && !(l->header && missing)) {
        *line = cob_record_line(&second, peek->text, 1);
        return cob_csv_fail_record(&second, l->fields, err);
    }
    l->fields = below;
    if (l->header)
        COB_TRY(read_header(first, missing, l, err));
done:
    return status;
}
