/* Recognising the kind of a file's documents.
 * SPDX-License-Identifier: MIT
 */
#include "base/scan.h"
#include "base/file.h"
#include "base/json.h"
#include "text/corpus.h"
#include "text/json_lines.h"
#include "text/mail.h"

#include <string.h>

static size_t skip_blank(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size &&
           (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n'))
        at++;
    return at;
}

/* ".I 1", then a line with another tag. */
bool cob_looks_smart(const char *text, size_t size)
{
    size_t at = skip_blank(text, size), digits;
    if (size - at < 8 || memcmp(text + at, ".I ", 3) != 0)
        return false;
    at += 3;
    for (digits = 0; at < size && cob_is_digit(text[at]); at++)
        digits++;
    at += skip_blank(text + at, size - at);
    return digits > 0 && size - at >= 2 && text[at] == '.' && text[at + 1] >= 'A' &&
           text[at + 1] <= 'Z';
}

/* Whether the first line is a JSON object or, if it is not complete, begins like one. */
bool cob_looks_jsonl(const char *text, size_t size, int complete)
{
    size_t at = skip_blank(text, size);
    if (at == size || text[at] != '{')
        return false;
    const char *end = memchr(text + at, '\n', size - at);
    if (!end && !complete) {
        size_t next = at + 1 + skip_blank(text + at + 1, size - at - 1);
        return next < size && text[next] == '"';
    }
    size_t length = end ? (size_t)(end - text) - at : size - at;
    json_t *object = cob_json_parse(text + at, length, JSON_ALLOW_NUL, NULL);
    bool found = json_is_object(object);
    json_decref(object);
    return found;
}

/* "[", then an object or a text. */
bool cob_looks_json_array(const char *text, size_t size)
{
    size_t at = skip_blank(text, size);
    if (at == size || text[at] != '[')
        return false;
    at += 1 + skip_blank(text + at + 1, size - at - 1);
    if (at < size && text[at] == '"')
        return true;
    if (at == size || text[at] != '{')
        return false;
    at += 1 + skip_blank(text + at + 1, size - at - 1);
    return at < size && (text[at] == '"' || text[at] == '}');
}

/* "From joe Mon Jan  1 00:00:00 2001", then headers. */
bool cob_looks_mbox(const char *text, size_t size, bool several)
{
    const char *end = text + size, *line = size > 5 && memcmp(text, "From ", 5) == 0 ? text : end;
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    cob_mail_head head;
    return stop && memchr(line, ':', (size_t)(stop - line)) &&
           cob_mail_head_read(text, end, &head) && head.known >= 1 &&
           (!several || cob_mbox_message(text, size) < size);
}

cobloc_corpus cob_corpus_kind(const cob_corpus *corpus, const char *path, const char *head,
                              size_t size, int complete, const cobloc_text_options *options)
{
    if (options->corpus != COBLOC_CORPUS_AUTO)
        return options->corpus;
    if (cob_looks_smart(head, size))
        return COBLOC_CORPUS_SMART;
    if (cob_path_ends_gz(path, ".jsonl") || cob_path_ends_gz(path, ".ndjson") ||
        cob_looks_jsonl(head, size, complete))
        return COBLOC_CORPUS_JSONL;
    if (cob_looks_json_array(head, size))
        return COBLOC_CORPUS_JSON;
    if (cob_looks_mbox(head, size, corpus->folder && !cob_path_ends_gz(path, ".mbox")))
        return COBLOC_CORPUS_MBOX;
    bool table = cob_path_ends_gz(path, ".csv") || cob_path_ends_gz(path, ".tsv");
    if (table && (options->field || !corpus->folder))
        return COBLOC_CORPUS_CSV;
    return corpus->folder ? COBLOC_CORPUS_FILES : COBLOC_CORPUS_LINES;
}
