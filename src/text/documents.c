/* Splitting a piece of text into documents: one function per kind of corpus.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* memrchr */
#include "base/alloc.h"
#include "base/scan.h"
#include "io/delimited.h"
#include "text/corpus.h"
#include "text/counter.h"
#include "text/json_lines.h"
#include "text/mail.h"
#include "text/title.h"

#include <stdio.h>
#include <string.h>

/* What the documents of a piece share. */
typedef struct piece_job {
    cob_counter *counter;
    const cob_corpus *corpus;
    const cob_piece *piece;
    const char *path;  /* of the file, */
    const char *shown; /* as it is shown */
    char label[256];   /* of all documents in the file, if labels are folder names */
    int64_t number;    /* of the next document in the piece */
} piece_job;

/* The label of the file's documents; NULL if labels are not folder names. */
static const char *file_label(const piece_job *job)
{
    return job->counter->settings->options.labels_from_folders ? job->label : NULL;
}

/* Whether a document's number does not suffice to find it. */
static bool several_files(const piece_job *job)
{
    return job->corpus->folder || *job->piece->entry;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Adds what is known of the current document beside its text, its name and its label. */
static cobloc_status add_field(piece_job *job, const char *name, const char *value, size_t size,
                               cobloc_error *err)
{
    return cob_row_fields_add(&job->counter->fields, &job->counter->settings->options, name, value,
                              size, err);
}

/* The date of a mail. */
static cobloc_status add_date(piece_job *job, const cob_mail_head *head, cobloc_error *err)
{
    const cob_span *date = &head->date;
    return date->start ? add_field(job, "date", date->start, (size_t)(date->end - date->start), err)
                       : COBLOC_OK;
}

/* The folder of the file; of SMART, the file. */
static cobloc_status add_folder(piece_job *job, cobloc_error *err)
{
    bool smart = job->piece->kind == COBLOC_CORPUS_SMART;
    if (!smart && !strchr(job->shown, '/'))
        return COBLOC_OK;
    return add_field(job, smart ? "file" : "folder", job->label, strlen(job->label), err);
}

/* ---- ends of documents ----------------------------------------------------------------------- */

static cobloc_status end_document(piece_job *job, const char *name, size_t length,
                                  const char *label, cobloc_error *err)
{
    const cobloc_text_options *o = &job->counter->settings->options;
    cob_place place = {job->piece->file, job->piece->block.sequence, job->number++};
    char line[256];
    if (several_files(job)) {
        cobloc_status status = add_folder(job, err);
        if (status != COBLOC_OK)
            return status;
    }
    if (label)
        line[cob_one_line(line, sizeof line - 1, label, strlen(label))] = '\0';
    else
        line[0] = '\0'; /* if labels are wanted, every document has one */
    return cob_counter_end(job->counter, place, name, length, label || o->label_field ? line : NULL,
                           err);
}

/* The length of the file's name up to its first dot. */
static size_t stem_length(const char *shown)
{
    const char *slash = strrchr(shown, '/'), *name = slash ? slash + 1 : shown;
    size_t stem = strcspn(name, ".");
    return (size_t)(name - shown) + (stem ? stem : strlen(name));
}

/* Ends a document named by its number, with the file's name if there are several files. */
static cobloc_status end_numbered(piece_job *job, int64_t number, const char *label,
                                  cobloc_error *err)
{
    char title[COB_TITLE_ROOM];
    size_t prefix = several_files(job) ? strlen(job->shown) : 0;
    const cob_buffer *clean = &job->counter->beginning;
    size_t length = cob_title(title, job->shown, prefix, number, clean->text, clean->size);
    return end_document(job, title, length, label, err);
}

/* ---- files and lines ------------------------------------------------------------------------- */

static cobloc_status take_file(piece_job *job, cobloc_error *err)
{
    const cob_text_block *block = &job->piece->block;
    char name[COB_TITLE_ROOM];
    cob_mail_head head;
    cobloc_status status = cob_counter_text(job->counter, block->text, block->size, err);
    if (status == COBLOC_OK && cob_looks_mail(block->text, block->size) &&
        cob_mail_head_read(block->text, block->text + block->size, &head))
        status = add_date(job, &head, err);
    if (status != COBLOC_OK)
        return status;
    size_t length = cob_one_line(name, sizeof name, job->shown, strlen(job->shown));
    return end_document(job, name, length, file_label(job), err);
}

/* The end of the line at `p`; *next receives the start of the next line. */
static const char *line_end(const char *p, const char *end, const char **next)
{
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    *next = stop ? stop + 1 : end;
    stop = stop ? stop : end;
    return stop > p && stop[-1] == '\r' ? stop - 1 : stop;
}

static cobloc_status take_lines(piece_job *job, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_text_block *block = &job->piece->block;
    const char *p = block->text, *end = p + block->size, *next;
    for (int64_t line = block->first_line; p < end; p = next, line++) {
        const char *stop = line_end(p, end, &next);
        size_t size = (size_t)(stop - p);
        COB_TRY(cob_counter_text(job->counter, p, size, err));
        COB_TRY(end_numbered(job, line, file_label(job), err));
    }
done:
    return status;
}

/* ---- SMART ----------------------------------------------------------------------------------- */

/* The tag of a line that is a dot and a capital letter; 0 if it is not a tag. */
static char tag_of(const char *line, const char *stop)
{
    if (stop - line < 2 || line[0] != '.' || line[1] < 'A' || line[1] > 'Z')
        return 0;
    for (const char *p = line + 2; p < stop; p++)
        if (*p != ' ' && *p != '\t')
            return 0;
    return line[1];
}

static bool starts_document(const char *line, const char *stop, int64_t *number)
{
    const char *digits = line + 3;
    return stop - line > 3 && memcmp(line, ".I ", 3) == 0 && cob_scan_count(&digits, number);
}

/* Reads the document whose first line has been read; returns the start of the next one. */
static const char *take_smart_document(piece_job *job, int64_t number, const char *p,
                                       const char *end, cobloc_status *status, cobloc_error *err)
{
    const char *next, *title = NULL, *words = NULL, *title_end = NULL, *words_end = NULL;
    int64_t other;
    char tag = 0;
    for (; p < end; p = next) {
        const char *stop = line_end(p, end, &next);
        if (starts_document(p, stop, &other))
            break;
        char found = tag_of(p, stop);
        tag = found ? found : tag;
        if (found || (tag != 'T' && tag != 'W'))
            continue;
        *status = cob_counter_text(job->counter, p, (size_t)(stop - p), err);
        if (*status != COBLOC_OK)
            return end;
        const char **first = tag == 'T' ? &title : &words;
        *first = *first ? *first : p;
        *(tag == 'T' ? &title_end : &words_end) = stop;
    }
    char name[COB_TITLE_ROOM];
    const char *shown = title ? title : words ? words : p;
    size_t size = title ? (size_t)(title_end - title) : words ? (size_t)(words_end - words) : 0;
    size_t length = cob_title(name, job->shown, stem_length(job->shown), number, shown, size);
    *status = end_document(job, name, length, file_label(job), err);
    return p;
}

static cobloc_status take_smart(piece_job *job, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_text_block *block = &job->piece->block;
    const char *p = block->text, *end = p + block->size, *next;
    int64_t number;
    while (p < end && status == COBLOC_OK) {
        const char *stop = line_end(p, end, &next);
        p = starts_document(p, stop, &number)
                ? take_smart_document(job, number, next, end, &status, err)
                : next;
    }
    return status;
}

/* ---- JSON lines ------------------------------------------------------------------------------ */

/* `number`: by which the document is named, if it has no name. */
static cobloc_status take_json_line(piece_job *job, cob_line_reader *reader, int64_t number,
                                    const char *p, size_t size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char name[COB_TITLE_ROOM];
    cob_line_document document = {0};
    COB_TRY(cob_json_line_read(reader, p, size, &job->counter->tokenizer.invalid_bytes, &document,
                               err));
    for (int i = 0; i < document.part_count; i++)
        COB_TRY(
            cob_counter_text(job->counter, document.parts[i].text, document.parts[i].size, err));
    if (json_is_object(document.object))
        COB_TRY(cob_row_fields_add_json(&job->counter->fields, &job->counter->settings->options,
                                        document.object, err));
    const char *label = document.label ? document.label : file_label(job);
    if (document.name)
        status = end_document(job, name,
                              cob_one_line(name, sizeof name, document.name, strlen(document.name)),
                              label, err);
    else
        status = end_numbered(job, number, label, err);
done:
    cob_line_document_free(&document);
    return status;
}

static cobloc_status take_jsonl(piece_job *job, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_text_block *block = &job->piece->block;
    const char *p = block->text, *end = p + block->size, *next;
    int64_t line = block->first_line;
    cob_line_reader reader = {.options = &job->counter->settings->options,
                              .first = block->sequence == 0};
    for (; p < end; p = next, line++) {
        const char *stop = line_end(p, end, &next);
        if (*cob_skip_blanks(p) == '\n' || cob_skip_blanks(p) >= stop)
            continue;
        COB_TRY(take_json_line(job, &reader, line, p, (size_t)(stop - p), err));
        reader.first = false;
    }
done:
    cob_line_reader_free(&reader);
    return status == COBLOC_OK ? status : cob_fail_line(err, status, job->path, line);
}

/* ---- JSON arrays ----------------------------------------------------------------------------- */

static cobloc_status take_json_array(piece_job *job, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_text_block *block = &job->piece->block;
    const char *p = block->text, *end = p + block->size;
    int64_t line = block->first_line;
    cob_line_reader reader = {.options = &job->counter->settings->options,
                              .elements = true,
                              .first = block->sequence == 0};
    while (p < end) {
        for (; p < end && (*p == ',' || *p == ']' || (*p > 0 && *p <= ' ')); p++)
            line += *p == '\n';
        if (p == end)
            break;
        size_t size = cob_json_element(p, (size_t)(end - p));
        COB_TRY(take_json_line(job, &reader, block->first_record + job->number + 1, p, size, err));
        reader.first = false;
        for (const char *stop = p + size; p < stop; p++)
            line += *p == '\n';
    }
done:
    cob_line_reader_free(&reader);
    return status == COBLOC_OK ? status : cob_fail_line(err, status, job->path, line);
}

/* ---- mailboxes ------------------------------------------------------------------------------- */

/* A mail is named by its subject. */
static cobloc_status take_message(piece_job *job, const char *text, size_t size, cob_buffer *room,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char title[COB_TITLE_ROOM];
    cob_mail_head head;
    room->size = 0;
    COB_TRY(cob_counter_text(job->counter, text, size, err));
    if (cob_mail_head_read(text, text + size, &head)) {
        if (head.subject.start)
            COB_TRY(cob_append_header(head.subject, room, err));
        COB_TRY(add_date(job, &head, err));
    }
    size_t prefix = several_files(job) ? strlen(job->shown) : 0;
    size_t length =
        cob_title(title, job->shown, prefix, job->piece->block.first_record + 1 + job->number,
                  room->text, room->size);
    status = end_document(job, title, length, file_label(job), err);
done:
    return status;
}

static cobloc_status take_mbox(piece_job *job, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_text_block *block = &job->piece->block;
    cob_buffer room = {0};
    for (size_t at = 0, size; at < block->size; at += size) {
        size = cob_mbox_message(block->text + at, block->size - at);
        COB_TRY(take_message(job, block->text + at, size, &room, err));
    }
done:
    cob_free(room.text);
    return status;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Adds a column that is kept; *next is the number of the next one. */
static cobloc_status add_column(piece_job *job, int64_t column, int *next, const cob_field *field,
                                cob_room *room, cobloc_error *err)
{
    const cob_columns *columns = &job->piece->columns;
    const char *plain;
    size_t length;
    if (*next == columns->field_count || columns->field_at[*next] != column)
        return COBLOC_OK;
    cobloc_status status = cob_field_plain(field, room, &plain, &length, err);
    if (status == COBLOC_OK)
        status = add_field(job, columns->field_name[*next], plain, length, err);
    ++*next;
    return status;
}

static cobloc_status take_record(piece_job *job, cob_record record, int64_t line, cob_room rooms[4],
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_columns *columns = &job->piece->columns;
    const int64_t wanted[3] = {columns->text, columns->name, columns->label};
    const char *found[3] = {NULL, NULL, NULL}, *problem = NULL;
    size_t lengths[3] = {0, 0, 0};
    cob_field field;
    int next = 0;
    int64_t count = cob_record_count(&record, &problem);
    COB_CHECK(count == columns->count, COBLOC_BAD_DATA,
              problem ? "%s" : "has %s%lld fields, expected %lld as in the header",
              problem ? problem : "", (long long)count, (long long)columns->count);
    for (int64_t c = 0; cob_record_next(&record, &field); c++) {
        for (int w = 0; w < 3; w++)
            if (c == wanted[w])
                COB_TRY(cob_field_plain(&field, &rooms[w], &found[w], &lengths[w], err));
        COB_TRY(add_column(job, c, &next, &field, &rooms[3], err));
    }
    COB_TRY(cob_counter_text(job->counter, found[0], lengths[0], err));
    char label[256], name[COB_TITLE_ROOM];
    if (found[2])
        snprintf(label, sizeof label, "%.*s", (int)(lengths[2] < 255 ? lengths[2] : 255), found[2]);
    const char *shown = found[2] ? label : file_label(job);
    if (found[1])
        status = end_document(job, name, cob_one_line(name, sizeof name, found[1], lengths[1]),
                              shown, err);
    else
        status = end_numbered(job, line, shown, err);
done:
    return status;
}

/* NUL bytes become blanks, because they would end the text of a field. */
static void blank_nuls(cob_counter *counter, char *text, size_t size)
{
    for (char *p = text; (p = memchr(p, '\0', size - (size_t)(p - text)));) {
        *p = ' ';
        counter->tokenizer.invalid_bytes++;
    }
}

static cobloc_status take_table(piece_job *job, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_text_block *block = &job->piece->block;
    cob_room rooms[4] = {{0}}; /* for the text, name, label, and other fields */
    cob_record record;
    int64_t line = block->first_line;
    blank_nuls(job->counter, block->text, block->size);
    cob_records records =
        cob_records_of(block->text, block->size, true, job->piece->columns.delimiter);
    if (block->sequence == 0)
        cob_records_next(&records, &record); /* the header */
    while (cob_records_next(&records, &record)) {
        line = cob_record_line(&record, block->text, block->first_line);
        COB_TRY(take_record(job, record, line, rooms, err));
    }
done:
    for (int r = 0; r < 4; r++)
        cob_free(rooms[r].bytes);
    return status == COBLOC_OK ? status : cob_fail_line(err, status, job->path, line);
}

/* ---- all kinds ------------------------------------------------------------------------------- */

/* The last folder of the path; for a SMART file, or without a folder, the file's stem. */
static void set_label(piece_job *job)
{
    const char *start = job->shown, *slash = strrchr(job->shown, '/');
    size_t length = stem_length(job->shown);
    if (slash && job->piece->kind != COBLOC_CORPUS_SMART) {
        length = (size_t)(slash - start);
        const char *before = memrchr(start, '/', length);
        start = before ? before + 1 : start;
    } else {
        start = slash ? slash + 1 : start;
    }
    size_t size = (size_t)(job->shown + length - start);
    job->label[cob_one_line(job->label, sizeof job->label - 1, start, size)] = '\0';
}

static cobloc_status (*const takers[])(piece_job *job, cobloc_error *err) = {
    [COBLOC_CORPUS_AUTO] = take_lines,  [COBLOC_CORPUS_FILES] = take_file,
    [COBLOC_CORPUS_LINES] = take_lines, [COBLOC_CORPUS_JSONL] = take_jsonl,
    [COBLOC_CORPUS_CSV] = take_table,   [COBLOC_CORPUS_SMART] = take_smart,
    [COBLOC_CORPUS_MBOX] = take_mbox,   [COBLOC_CORPUS_JSON] = take_json_array};

cobloc_status cob_count_piece(cob_counter *counter, const cob_corpus *corpus,
                              const cob_piece *piece, cobloc_error *err)
{
    piece_job job = {.counter = counter, .corpus = corpus, .piece = piece};
    job.path = cob_names_get(&corpus->paths, piece->file);
    job.shown = *piece->entry ? piece->entry : job.path + corpus->inside;
    set_label(&job);
    return takers[piece->kind](&job, err);
}
