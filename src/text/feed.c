/* Handing out the text of a corpus in pieces.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* memrchr */
#include "base/alloc.h"
#include "base/parallel.h"
#include "base/scan.h"
#include "io/delimited.h"
#include "io/formats.h"
#include "text/charset.h"
#include "text/corpus.h"
#include "text/json_lines.h"

#include <stdio.h>
#include <string.h>

void cob_feed_init(cob_feed *feed, const cob_corpus *corpus, const cobloc_text_options *options)
{
    *feed = (cob_feed){.corpus = corpus, .options = options, .step = 1};
}

static void close_file(cob_feed *feed)
{
    if (feed->source)
        feed->bytes_before += cob_source_stored_bytes(feed->source);
    cob_blocks_free(&feed->blocks);
    cob_source_close(feed->source);
    cob_archive_close(feed->archive);
    feed->source = NULL;
    feed->archive = NULL;
}

void cob_feed_free(cob_feed *feed)
{
    close_file(feed);
}

double cob_feed_done(const cob_feed *feed)
{
    int64_t read =
        feed->bytes_before + (feed->source ? cob_source_consumed_bytes(feed->source) : 0);
    double done = feed->corpus->bytes ? (double)read / (double)feed->corpus->bytes : 1;
    return done < 1 ? done : 1;
}

/* ---- cutting --------------------------------------------------------------------------------- */

/* A file is one document. */
static size_t cut_nowhere(const char *text, size_t size, int final, int64_t *records,
                          int64_t *lines)
{
    (void)text;
    *records += final && size > 0;
    *lines += 1;
    return final ? size : 0;
}

/* SMART documents start with a line such as ".I 17"; the last one in the text may be incomplete. */
static size_t cut_smart(const char *text, size_t size, int final, int64_t *records, int64_t *lines)
{
    size_t whole = final ? size : 0;
    const char *end = text + size;
    while (whole == 0 && (end = memrchr(text, '\n', (size_t)(end - text))))
        if (text + size - end > 3 && memcmp(end, "\n.I ", 4) == 0)
            whole = (size_t)(end - text) + 1;
    for (size_t i = 0; i < whole; i++)
        *lines += text[i] == '\n';
    *records += whole > 0;
    return whole;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Reads the header of a table, and leaves the source after it. */
static cobloc_status open_table(cob_feed *feed, const char *path, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_peek peek = {0};
    cob_columns *columns = &feed->piece.columns;
    COB_TRY(cob_source_rewind(feed->source, err));
    COB_TRY(cob_peek_read(feed->source, cob_split_table, &peek, err));
    char delimiter = cob_split_is_table(&peek.split)  ? peek.split.delimiter
                     : cob_path_ends_gz(path, ".tsv") ? '\t'
                                                      : ',';
    COB_TRY(cob_columns_find(path, peek.text, peek.size, delimiter, feed->options, columns, err));
    feed->blocks.cut = cob_cut_records(delimiter);
done:
    cob_peek_free(&peek);
    return status;
}

/* Pieces are small enough that every thread gets many and none waits long for the last one. Samples
 * keep large pieces, because they read only one per file. */
static void set_piece(cob_feed *feed)
{
    enum { LEAST = 1 << 16, SHARE = 16 };
    int64_t piece = feed->corpus->bytes / (SHARE * cob_threads(feed->options->threads));
    if (!feed->only_starts && (size_t)piece < feed->blocks.piece)
        feed->blocks.piece = piece > LEAST ? (size_t)piece : LEAST;
}

static cobloc_status set_cut(cob_feed *feed, const char *path, cobloc_error *err)
{
    static const struct {
        cob_cut_fn cut;
        const char *record;
    } kinds[] = {[COBLOC_CORPUS_FILES] = {cut_nowhere, "the document"},
                 [COBLOC_CORPUS_SMART] = {cut_smart, "the document"},
                 [COBLOC_CORPUS_MBOX] = {cob_cut_mbox, "the mail"},
                 [COBLOC_CORPUS_JSON] = {cob_cut_elements, "the element"},
                 [COBLOC_CORPUS_CSV] = {NULL, "the record"},
                 [COBLOC_CORPUS_LINES] = {cob_cut_lines, NULL},
                 [COBLOC_CORPUS_JSONL] = {cob_cut_lines, NULL}};
    feed->blocks.cut = kinds[feed->piece.kind].cut;
    feed->blocks.record = kinds[feed->piece.kind].record;
    return feed->piece.kind == COBLOC_CORPUS_CSV ? open_table(feed, path, err) : COBLOC_OK;
}

/* Counts a file, and notes the first. */
static void note(int64_t *count, char where[256], const char *path)
{
    if ((*count)++ == 0)
        snprintf(where, 256, "%s", path);
}

/* Whether text is not UTF-8; then its encoding is in `name`, and noted. */
static bool needs_conversion(cob_feed *feed, const char *path, const char *text, size_t size,
                             char name[COB_ENCODING_ROOM])
{
    if (feed->options->encoding)
        snprintf(name, COB_ENCODING_ROOM, "%s", feed->options->encoding);
    else
        cob_encoding_of_document(text, size, name);
    if (!*name || cob_is_utf8_name(name))
        return false;
    if (feed->converted == 0)
        snprintf(feed->encoding, sizeof feed->encoding, "%s", name);
    note(&feed->converted, feed->converted_where, path);
    return true;
}

/* Converts the file where it is not UTF-8, and reads its beginning again. */
static cobloc_status convert_file(cob_feed *feed, const char *path, char *head, size_t *size,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char name[COB_ENCODING_ROOM];
    if (!needs_conversion(feed, path, head, *size, name))
        return COBLOC_OK;
    COB_TRY(cob_source_rewind(feed->source, err));
    COB_TRY(cob_source_convert(feed->source, name, err));
    status = cob_source_read(feed->source, head, COB_HEAD_BYTES, size, err);
done:
    return status;
}

/* Of a JSON array, skips what is before its first element: `mark` bytes, with some `lines`. */
static cobloc_status skip_bracket(const cob_feed *feed, const char *path, const char *head,
                                  size_t size, size_t *mark, int64_t *lines, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (feed->piece.kind != COBLOC_CORPUS_JSON)
        return COBLOC_OK;
    for (; *mark < size && head[*mark] > 0 && head[*mark] <= ' '; ++*mark)
        *lines += head[*mark] == '\n';
    COB_CHECK(*mark < size && head[*mark] == '[', COBLOC_BAD_DATA,
              "%s: does not begin with '[', expected a JSON array", path);
    ++*mark;
done:
    return status;
}

/* Opens the file, recognises its kind, and skips a byte order mark. *binary is what it is if it is
 * no text. */
static cobloc_status open_file(cob_feed *feed, char *head, const char **binary, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *path = cob_names_get(&feed->corpus->paths, feed->file);
    size_t size, mark;
    int64_t lines = 0;
    cobloc_io_options io;
    cob_io_options_default(&io);
    COB_TRY(cob_source_open(path, &feed->source, err));
    COB_TRY(cob_source_read(feed->source, head, COB_HEAD_BYTES, &size, err));
    *binary = feed->options->encoding ? NULL : cob_binary_kind(head, size);
    if (*binary && feed->corpus->folder)
        goto done;
    COB_CHECK(!*binary || strcmp(*binary, "binary data") == 0, COBLOC_BAD_DATA,
              "%s: is %s, expected text", path, *binary);
    *binary = NULL;
    COB_TRY(convert_file(feed, path, head, &size, err));
    mark = cob_byte_order_mark(head, size);
    feed->piece = (cob_piece){.file = feed->file};
    feed->piece.kind = cob_corpus_kind(feed->corpus, path, head + mark, size - mark,
                                       size < COB_HEAD_BYTES, feed->options);
    if (feed->file == 0)
        feed->first_kind = feed->piece.kind;
    COB_TRY(skip_bracket(feed, path, head, size, &mark, &lines, err));
    COB_TRY(cob_source_rewind(feed->source, err));
    if (mark > 0)
        COB_TRY(cob_source_read(feed->source, head, mark, &size, err));
    feed->blocks = cob_blocks_of(feed->source, &io);
    feed->blocks.first_line += lines;
    feed->blocks_given = 0;
    set_piece(feed);
    status = set_cut(feed, path, err);
done:
    return status;
}

/* Whether a folder can be read without the file that failed. */
static bool can_skip(const cob_feed *feed, cobloc_status status)
{
    return feed->corpus->folder && (status == COBLOC_IO || status == COBLOC_BAD_DATA);
}

static void skip_file(cob_feed *feed)
{
    close_file(feed);
    feed->file += feed->step;
}

/* Opens the next file; in a folder, those that are no text or cannot be read are skipped. */
static cobloc_status open_next(cob_feed *feed, cob_buffer *room, cobloc_error *err)
{
    const char *binary = NULL, *path = cob_names_get(&feed->corpus->paths, feed->file);
    if (!cob_grow(&room->text, &room->capacity, COB_HEAD_BYTES + 1, 1))
        return cob_fail_memory(err, COB_HEAD_BYTES, 1);
    cobloc_status status = open_file(feed, room->text, &binary, err);
    if (binary) {
        note(&feed->binary, feed->binary_where, path);
        skip_file(feed);
    } else if (status != COBLOC_OK && can_skip(feed, status) &&
               feed->piece.kind != COBLOC_CORPUS_CSV) {
        note(&feed->unreadable, feed->unreadable_where, path);
        skip_file(feed);
        status = COBLOC_OK;
    }
    return status;
}

/* Reads the next piece of the open file. A document that cannot be read to its end is skipped. */
static cobloc_status read_piece(cob_feed *feed, cob_buffer *room, cob_piece *piece,
                                cobloc_error *err)
{
    cobloc_status status = cob_blocks_next(&feed->blocks, room, &piece->block, err);
    if (status == COBLOC_OK || !can_skip(feed, status) || piece->kind != COBLOC_CORPUS_FILES)
        return status;
    note(&feed->unreadable, feed->unreadable_where,
         cob_names_get(&feed->corpus->paths, feed->file));
    skip_file(feed);
    return COBLOC_OK;
}

/* ---- archives -------------------------------------------------------------------------------- */

/* Converts the text in `room`, where it is not UTF-8. */
static cobloc_status convert_entry(cob_feed *feed, const char *name, cob_buffer *room,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char encoding[COB_ENCODING_ROOM];
    cob_buffer made = {0};
    if (!needs_conversion(feed, name, room->text, room->size, encoding))
        goto done;
    COB_TRY(cob_append_converted(&made, room->text, room->size, encoding, err));
    memset(made.text + made.size, 0, 1 + COB_SCAN_SLACK);
    cob_free(room->text);
    *room = made;
    made.text = NULL;
done:
    cob_free(made.text);
    return status;
}

/* How the documents of an entry are stored; tables are not read from archives. */
static cobloc_corpus entry_kind(const cob_feed *feed, const char *name, const cob_buffer *text)
{
    const cob_corpus as_folder = {.folder = true};
    size_t size = text->size < COB_HEAD_BYTES ? text->size : COB_HEAD_BYTES;
    cobloc_corpus kind =
        cob_corpus_kind(&as_folder, name, text->text, size, size == text->size, feed->options);
    return kind == COBLOC_CORPUS_CSV || kind == COBLOC_CORPUS_JSON ? COBLOC_CORPUS_FILES : kind;
}

/* Whether an entry is to be read: neither hidden nor left out by the options. */
static bool is_wanted(const cob_feed *feed, const char *name)
{
    const char *slash = strrchr(name, '/');
    return name[0] != '.' && !strstr(name, "/.") && (slash ? slash[1] : *name) != '\0' &&
           cob_corpus_includes(feed->options, name);
}

/* The next document of an archive. A sample takes some of them. */
static cobloc_status next_entry(cob_feed *feed, cob_buffer *room, cob_piece *piece, int *got,
                                cobloc_error *err)
{
    enum { SAMPLE = 256 };
    cobloc_status status = COBLOC_OK;
    const char *name = NULL;
    if (!feed->archive)
        COB_TRY(cob_archive_open(cob_names_get(&feed->corpus->paths, 0), &feed->archive, err));
    while (!*got && !(feed->only_starts && feed->blocks_given > SAMPLE)) {
        COB_TRY(cob_archive_next(feed->archive, &name, err));
        if (!name)
            break;
        if (!is_wanted(feed, name))
            continue;
        COB_TRY(cob_archive_read(feed->archive, room, err));
        feed->entries++;
        if (!feed->options->encoding && cob_binary_kind(room->text, room->size)) {
            note(&feed->binary, feed->binary_where, name);
            continue;
        }
        COB_TRY(convert_entry(feed, name, room, err));
        *piece = (cob_piece){.kind = entry_kind(feed, name, room)};
        if (feed->blocks_given == 0)
            feed->first_kind = piece->kind;
        snprintf(piece->entry, sizeof piece->entry, "%s", name);
        piece->block = (cob_text_block){.text = room->text, .size = room->size, .first_line = 1};
        piece->block.sequence = feed->blocks_given++;
        *got = 1;
    }
    if (!*got)
        skip_file(feed);
done:
    return status;
}

cobloc_status cob_feed_next(cob_feed *feed, cob_buffer *room, cob_piece *piece, int *got,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *got = 0;
    if (feed->corpus->archive)
        return feed->file == 0 ? next_entry(feed, room, piece, got, err) : COBLOC_OK;
    while (!*got && (feed->source || feed->file < feed->corpus->paths.count)) {
        if (!feed->source)
            COB_TRY(open_next(feed, room, err));
        *piece = feed->piece;
        if (feed->source)
            COB_TRY(read_piece(feed, room, piece, err));
        if (!feed->source)
            continue;
        piece->block.sequence = feed->blocks_given++;
        bool empty_file = feed->piece.kind == COBLOC_CORPUS_FILES && piece->block.sequence == 0;
        *got = piece->block.size > 0 || empty_file;
        if (piece->block.size == 0 || feed->only_starts)
            skip_file(feed);
    }
done:
    return status;
}
