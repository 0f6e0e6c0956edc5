/* Delimited text: records, fields, delimiters.
 * SPDX-License-Identifier: MIT
 */
#include "io/delimited.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "io/formats.h"

#include <stdio.h>
#include <string.h>

enum { RECORDS_TO_SPLIT = 100 };

static bool is_delimiter(char c, char delimiter)
{
    return c == delimiter || (delimiter == COB_BLANKS && c == '\t');
}

/* ---- records --------------------------------------------------------------------------------- */

/* The quote that closes the one at `open`, or NULL. */
static const char *closing_quote(const char *open, const char *end, bool *doubled)
{
    const char *p = open + 1;
    while (p < end && (p = memchr(p, '"', (size_t)(end - p)))) {
        if (p + 1 == end || p[1] != '"')
            return p;
        *doubled = true;
        p += 2;
    }
    return NULL;
}

/* Whether the quote at `p` starts a field of the record at `start`. */
static bool opens_field(const char *start, const char *p, char delimiter)
{
    if (delimiter == COB_BLANKS)
        return p == start || is_delimiter(p[-1], delimiter);
    while (p > start && p[-1] == ' ')
        p--;
    return p == start || p[-1] == delimiter;
}

/* The line break that ends the record at `start`, or `end`. It examines lines and quotes, not
 * fields, since one thread does this for all. */
static const char *record_end(const char *start, const char *end, char delimiter)
{
    const char *p = start;
    bool doubled;
    while (p < end) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop ? stop : end;
        const char *quote = memchr(p, '"', (size_t)(stop - p));
        while (quote && !opens_field(start, quote, delimiter))
            quote = memchr(quote + 1, '"', (size_t)(stop - quote - 1));
        if (!quote)
            return stop;
        const char *close = closing_quote(quote, end, &doubled);
        if (!close)
            return end;
        p = close + 1;
    }
    return end;
}

static bool is_blank(const char *p, const char *end, char delimiter)
{
    while (p < end && (*p == ' ' || *p == '\r' || (*p == '\t' && delimiter == COB_BLANKS)))
        p++;
    return p == end;
}

static cob_record record_between(const char *text, const char *end, char delimiter)
{
    if (end > text && end[-1] == '\r')
        end--;
    if (delimiter == COB_BLANKS) {
        while (text < end && is_delimiter(*text, delimiter))
            text++;
        while (end > text && is_delimiter(end[-1], delimiter))
            end--;
    }
    return (cob_record){
        .text = text, .end = end, .next = text, .more = true, .delimiter = delimiter};
}

cob_records cob_records_of(const char *text, size_t size, bool complete, char delimiter)
{
    return (cob_records){.next = text,
                         .end = text + size,
                         .nul = size ? memchr(text, '\0', size) : NULL,
                         .delimiter = delimiter,
                         .complete = complete};
}

bool cob_records_next(cob_records *records, cob_record *record)
{
    while (records->next < records->end) {
        const char *start = records->next;
        const char *stop = record_end(start, records->end, records->delimiter);
        if (stop == records->end && !records->complete)
            return false;
        records->next = stop < records->end ? stop + 1 : stop;
        if (is_blank(start, stop, records->delimiter))
            continue;
        *record = record_between(start, stop, records->delimiter);
        if (records->nul && records->nul < stop)
            record->problem = "found a NUL byte, expected text";
        return true;
    }
    return false;
}

static int64_t line_breaks(const char *text, const char *end)
{
    int64_t count = 0;
    for (; text < end; text++)
        count += *text == '\n';
    return count;
}

int64_t cob_record_line(const cob_record *record, const char *start, int64_t first_line)
{
    return first_line + line_breaks(start, record->text);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Continues after a field that ends at `stop`. */
static void advance(cob_record *record, const char *stop)
{
    record->more = stop < record->end;
    record->next = record->more ? stop + 1 : stop;
    if (record->delimiter == COB_BLANKS)
        while (record->next < record->end && is_delimiter(*record->next, COB_BLANKS))
            record->next++;
}

static bool quoted_field(cob_record *record, const char *open, cob_field *field)
{
    bool doubled = false;
    const char *close = closing_quote(open, record->end, &doubled);
    if (!close) {
        record->problem = "found a quote that is never closed, expected another one";
        return false;
    }
    const char *stop = close + 1;
    while (record->delimiter != COB_BLANKS && stop < record->end && *stop == ' ')
        stop++;
    if (stop < record->end && !is_delimiter(*stop, record->delimiter)) {
        record->problem = "found text after a closing quote, expected the end of the field";
        return false;
    }
    *field = (cob_field){open + 1, (size_t)(close - open - 1), true, doubled};
    advance(record, stop);
    return true;
}

static const char *field_end(const char *p, const char *end, char delimiter)
{
    if (delimiter == COB_BLANKS) {
        while (p < end && !is_delimiter(*p, delimiter))
            p++;
        return p;
    }
    const char *stop = p < end ? memchr(p, delimiter, (size_t)(end - p)) : NULL;
    return stop ? stop : end;
}

bool cob_record_next(cob_record *record, cob_field *field)
{
    if (!record->more || record->problem)
        return false;
    const char *p = record->next;
    while (p < record->end && *p == ' ')
        p++;
    if (p < record->end && *p == '"')
        return quoted_field(record, p, field);
    const char *stop = field_end(p, record->end, record->delimiter), *last = stop;
    while (last > p && last[-1] == ' ')
        last--;
    *field = (cob_field){p, (size_t)(last - p), false, false};
    advance(record, stop);
    return true;
}

int64_t cob_record_count(const cob_record *record, const char **problem)
{
    cob_record walk = *record;
    cob_field field;
    int64_t count = 0;
    while (cob_record_next(&walk, &field))
        count++;
    *problem = walk.problem;
    return walk.problem ? -1 : count;
}

cobloc_status cob_field_plain(const cob_field *field, cob_room *room, const char **text,
                              size_t *length, cobloc_error *err)
{
    *text = field->text;
    *length = field->length;
    if (!field->doubled)
        return COBLOC_OK;
    if (!cob_grow(&room->bytes, &room->capacity, field->length, 1))
        return cob_fail_memory(err, field->length, 1);
    size_t kept = 0;
    for (size_t i = 0; i < field->length; i++) {
        room->bytes[kept++] = field->text[i];
        i += field->text[i] == '"'; /* the second of two */
    }
    *text = room->bytes;
    *length = kept;
    return COBLOC_OK;
}

cob_excerpt cob_field_excerpt(const cob_field *field)
{
    cob_excerpt excerpt;
    size_t length = field->length < 40 ? field->length : 40;
    while (length < field->length && length > 0 && (field->text[length] & 0xC0) == 0x80)
        length--; /* not inside a UTF-8 character */
    snprintf(excerpt.text, sizeof excerpt.text, "%.*s%s", (int)length, field->text,
             length < field->length ? "..." : "");
    return excerpt;
}

void cob_file_quoted(cob_file *file, const char *text)
{
    cob_file_char(file, '"');
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        cob_file_bytes(file, text, (size_t)(quote - text));
        cob_file_text(file, "\"\"");
    }
    cob_file_text(file, text);
    cob_file_char(file, '"');
}

/* ---- the content of a field ------------------------------------------------------------------ */

/* ASCII only: the meaning of words in a file must not depend on the locale. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool cob_field_is(const cob_field *field, const char *word)
{
    for (size_t i = 0; i < field->length; i++)
        if (word[i] == '\0' || lower(field->text[i]) != word[i])
            return false;
    return word[field->length] == '\0';
}

bool cob_field_among(const cob_field *field, const char *const *words)
{
    while (*words && !cob_field_is(field, *words))
        words++;
    return *words != NULL;
}

bool cob_field_integer(const cob_field *field, int64_t *value)
{
    const char *p = field->text;
    return !field->quoted && field->length > 0 && cob_scan_count(&p, value) &&
           p == field->text + field->length;
}

cob_cell cob_field_value(const cob_field *field, double *value)
{
    static const char *const missing[] = {"", "na", "nan", "null", "?", ".", NULL};
    static const char *const yes[] = {"y", "yes", "t", "true", NULL};
    static const char *const no[] = {"n", "no", "f", "false", NULL};
    const char *p = field->text, *end = p + field->length;
    if (p < end && cob_is_digit(*p) && cob_scan_number(&p, value) && p == end)
        return COB_CELL_NUMBER;
    *value = 0;
    if (field->length <= 5) {
        if (cob_field_among(field, missing))
            return COB_CELL_MISSING;
        if (cob_field_among(field, no))
            return COB_CELL_WORD;
        if (cob_field_among(field, yes)) {
            *value = 1;
            return COB_CELL_WORD;
        }
    }
    p = field->text;
    return cob_scan_number(&p, value) && p == end ? COB_CELL_NUMBER : COB_CELL_TEXT;
}

/* ---- the start of a file --------------------------------------------------------------------- */

cob_split cob_split_by(char delimiter, const char *text, size_t size, int complete)
{
    cob_split split = {.delimiter = delimiter, .consistent = true};
    cob_records records = cob_records_of(text, size, complete, delimiter);
    cob_record record;
    while (split.records < RECORDS_TO_SPLIT && cob_records_next(&records, &record)) {
        const char *problem;
        int64_t count = cob_record_count(&record, &problem);
        if (split.records == 0)
            split.first_fields = count;
        if (split.records <= 1)
            split.fields = count;
        if (count < 0 || count != split.fields)
            split.consistent = false;
        split.records++;
    }
    int64_t less = split.fields - split.first_fields;
    split.consistent = split.consistent && split.records > 0 && (less == 0 || less == 1);
    return split;
}

bool cob_split_is_table(const cob_split *split)
{
    return split->consistent && split->fields > 1;
}

/* The first delimiter outside quotes in the first record; a line break or NUL if there is none. */
static char first_delimiter(const char *text, size_t size)
{
    const char *p = text, *end = text + size;
    bool doubled;
    while (p < end && (*p == ' ' || *p == '\r' || *p == '\n'))
        p++;
    if (p < end && *p == '"')
        p = closing_quote(p, end, &doubled);
    while (p && p < end && *p != ',' && *p != '\t' && *p != ';' && *p != '\n')
        p++;
    return p && p < end ? *p : '\0';
}

static int64_t split_rank(const cob_split *split, char first)
{
    if (!cob_split_is_table(split))
        return split->first_fields > 1;
    return split->delimiter == first ? INT64_MAX : split->fields;
}

cob_split cob_split_table(const char *text, size_t size, int complete)
{
    static const char delimiters[] = {'\t', ';'};
    char first = first_delimiter(text, size);
    cob_split best = cob_split_by(',', text, size, complete);
    for (int d = 0; d < 2; d++) {
        cob_split split = cob_split_by(delimiters[d], text, size, complete);
        if (split_rank(&split, first) > split_rank(&best, first))
            best = split;
    }
    return best;
}

size_t cob_byte_order_mark(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

static cobloc_status peek_more(cob_source *source, cob_peek *peek, cobloc_error *err)
{
    size_t want = peek->size < COB_HEAD_BYTES ? COB_HEAD_BYTES : peek->size, got = 0;
    if (!cob_grow(&peek->text, &peek->capacity, peek->size + want + 1, 1))
        return cob_fail_memory(err, peek->size + want + 1, 1);
    cobloc_status status = cob_source_read(source, peek->text + peek->size, want, &got, err);
    peek->size += got;
    peek->text[peek->size] = '\0';
    peek->complete = got < want;
    return status;
}

cobloc_status cob_peek_read(cob_source *source, cob_choose_fn choose, cob_peek *peek,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *peek = (cob_peek){0};
    do {
        COB_TRY(peek_more(source, peek, err));
        peek->mark = cob_byte_order_mark(peek->text, peek->size);
        peek->split = choose(peek->text + peek->mark, peek->size - peek->mark, peek->complete);
    } while (peek->split.records < 2 && !peek->complete && peek->size < COB_LONG_RECORD);
    peek->size -= peek->mark;
    memmove(peek->text, peek->text + peek->mark, peek->size + 1);
    status = cob_peek_rewind(peek, source, err);
done:
    return status;
}

cobloc_status cob_peek_rewind(const cob_peek *peek, cob_source *source, cobloc_error *err)
{
    char mark[3];
    size_t got;
    cobloc_status status = cob_source_rewind(source, err);
    if (status == COBLOC_OK && peek->mark > 0)
        status = cob_source_read(source, mark, peek->mark, &got, err);
    return status;
}

void cob_peek_free(cob_peek *peek)
{
    cob_free(peek->text);
    *peek = (cob_peek){0};
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static size_t cut(char delimiter, const char *text, size_t size, int final, int64_t *records,
                  int64_t *lines)
{
    const char *p = text, *end = text + size;
    while (p < end) {
        const char *stop = record_end(p, end, delimiter);
        if (stop == end && !final)
            break;
        *records += !is_blank(p, stop, delimiter);
        p = stop < end ? stop + 1 : end;
    }
    *lines += line_breaks(text, p);
    return (size_t)(p - text);
}

static size_t cut_commas(const char *text, size_t size, int final, int64_t *records, int64_t *lines)
{
    return cut(',', text, size, final, records, lines);
}

static size_t cut_tabs(const char *text, size_t size, int final, int64_t *records, int64_t *lines)
{
    return cut('\t', text, size, final, records, lines);
}

static size_t cut_semicolons(const char *text, size_t size, int final, int64_t *records,
                             int64_t *lines)
{
    return cut(';', text, size, final, records, lines);
}

static size_t cut_blanks(const char *text, size_t size, int final, int64_t *records, int64_t *lines)
{
    return cut(COB_BLANKS, text, size, final, records, lines);
}

cob_cut_fn cob_cut_records(char delimiter)
{
    return delimiter == '\t'  ? cut_tabs
           : delimiter == ';' ? cut_semicolons
           : delimiter == ',' ? cut_commas
                              : cut_blanks;
}
