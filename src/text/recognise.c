/* What a file's documents are.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "base/scan.h"
#include "text/corpus.h"

#include <string.h>
#include <strings.h>

bool cob_path_ends(const char *path, const char *ending)
{
    size_t length = strlen(path), wanted = strlen(ending);
    if (length > 3 && strcasecmp(path + length - 3, ".gz") == 0)
        length -= 3;
    return length > wanted && strncasecmp(path + length - wanted, ending, wanted) == 0;
}

static size_t skip_blank(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size &&
           (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n'))
        at++;
    return at;
}

/* ".I 1", and then a line with another tag. */
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

/* The first line is an object; where it is longer than what we see of it, it begins as one. */
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
    json_t *object = json_loadb(text + at, length, JSON_ALLOW_NUL, NULL);
    bool found = json_is_object(object);
    json_decref(object);
    return found;
}

cobloc_corpus cob_corpus_kind(const cob_corpus *corpus, const char *path, const char *head,
                              size_t size, int complete, const cobloc_text_options *options)
{
    if (options->corpus != COBLOC_CORPUS_AUTO)
        return options->corpus;
    if (cob_looks_smart(head, size))
        return COBLOC_CORPUS_SMART;
    if (cob_path_ends(path, ".jsonl") || cob_path_ends(path, ".ndjson") ||
        cob_looks_jsonl(head, size, complete))
        return COBLOC_CORPUS_JSONL;
    bool table = cob_path_ends(path, ".csv") || cob_path_ends(path, ".tsv");
    if (table && (options->field || !corpus->folder))
        return COBLOC_CORPUS_CSV;
    return corpus->folder ? COBLOC_CORPUS_FILES : COBLOC_CORPUS_LINES;
}
