/* UCI bag of words: docword.NAME.txt.
 *
 * Three lines with the numbers of documents, words and entries, then one entry per line: "document
 * word count", counted from 1; counts are whole numbers. The words are in vocab.NAME.txt beside it,
 * one per line.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/scan.h"
#include "io/formats.h"

#include <string.h>

typedef struct docword_parse {
    const char *path;
    int64_t documents, words, entries; /* according to the header */
    cob_builder builder;
    int64_t found; /* entries seen; updated atomically, once per block */
} docword_parse;

#define LARGEST_COUNT ((int64_t)1 << 53) /* the largest count that a double holds exactly */

/* ---- words ----------------------------------------------------------------------------------- */

/* Reads a whole number and the blanks after it. */
static bool scan_whole(const char **p, int64_t *value)
{
    if (!cob_scan_integer(p, value) || !cob_at_gap(*p))
        return false;
    *p = cob_skip_blanks(*p);
    return true;
}

/* ---- recognition ----------------------------------------------------------------------------- */

static const char *skip_blank_lines(const char *p)
{
    while (*(p = cob_skip_blanks(p)) == '\n')
        p++;
    return p;
}

/* Accepts any number as a count: the reader gives a better error message. */
static int recognise(const cob_head *head)
{
    const char *p = head->text, *end = p + head->size;
    int64_t whole;
    double count;
    for (int line = 0; line < 3; line++) {
        p = skip_blank_lines(p);
        if (!scan_whole(&p, &whole) || !cob_at_line_end(p))
            return 0;
    }
    p = skip_blank_lines(p);
    if (p >= end)
        return head->complete;
    return scan_whole(&p, &whole) && scan_whole(&p, &whole) && cob_scan_number(&p, &count) &&
           cob_at_line_end(cob_skip_blanks(p));
}

/* ---- reading --------------------------------------------------------------------------------- */

static cobloc_status read_size(cob_blocks *blocks, const char *what, int64_t *size,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *path = cob_source_path(blocks->source), *p;
    char *line = NULL;
    size_t capacity = 0;
    int got;
    do {
        COB_TRY(cob_blocks_line(blocks, &line, &capacity, &got, err));
        COB_CHECK(got, COBLOC_BAD_DATA, "%s: the file ends before the number of %s", path, what);
        p = cob_skip_blanks(line);
    } while (*p == '\0');
    const char *word = p;
    COB_CHECK(cob_scan_count(&p, size) && *cob_skip_blanks(p) == '\0', COBLOC_BAD_DATA,
              "%s:%lld: the line starts with '%.*s', expected only the number of %s", path,
              (long long)(blocks->first_line - 1), cob_shown(word), word, what);
done:
    cob_free(line);
    return status;
}

static cobloc_status read_header(cob_blocks *blocks, docword_parse *parse, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(read_size(blocks, "documents", &parse->documents, err));
    COB_TRY(read_size(blocks, "words", &parse->words, err));
    COB_TRY(read_size(blocks, "entries", &parse->entries, err));
    COB_TRY(cob_check_shape(parse->documents, parse->words, err));
done:
    return status;
}

/* The entries of one block. */
typedef struct block_parse {
    cob_lane *lane;
    int64_t found;
} block_parse;

static cobloc_status parse_entry(void *context, int64_t number, const char **text,
                                 cobloc_error *err)
{
    block_parse *b = context;
    const char *p = *text;
    (void)number;
    int64_t document, word, count;
    if (!scan_whole(&p, &document) || !scan_whole(&p, &word) || cob_at_line_end(p))
        return cob_fail(err, COBLOC_BAD_DATA,
                        "the line starts with '%.*s', expected 'document word count'",
                        cob_shown(*text), *text);
    const char *last = p;
    if (!scan_whole(&p, &count) || count > LARGEST_COUNT)
        return cob_fail(err, COBLOC_BAD_DATA,
                        "the count is '%.*s', expected a whole number up to 2^53", cob_shown(last),
                        last);
    if (!cob_at_line_end(p))
        return cob_fail(err, COBLOC_BAD_DATA, "found '%.*s' after the count, expected nothing more",
                        cob_shown(p), p);
    if (count < 0)
        return cob_fail(err, COBLOC_BAD_DATA, "the count %lld is negative, expected 0 or more",
                        (long long)count);
    *text = p;
    b->found++;
    return cob_lane_add(b->lane, document - 1, word - 1, (double)count, err);
}

static cobloc_status parse_block(void *context, int lane, const cob_text_block *block,
                                 cobloc_error *err)
{
    docword_parse *parse = context;
    block_parse b = {&parse->builder.lanes[lane], 0};
    cobloc_status status = cob_parse_lines(block, parse->path, "\n", parse_entry, &b, err);
#pragma omp atomic
    parse->found += b.found;
    return status;
}

static cobloc_status read_entries(cob_blocks *blocks, docword_parse *parse, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_blocks_run(blocks, parse_block, parse, err));
    COB_CHECK(parse->found == parse->entries, COBLOC_BAD_DATA,
              "%s: holds %lld entries, expected the %lld given in its third line", parse->path,
              (long long)parse->found, (long long)parse->entries);
done:
    return status;
}

/* The path of vocab.NAME.txt beside docword.NAME.txt; *vocabulary stays NULL if the file has
 * another name. */
static cobloc_status vocabulary_path(const char *path, char **vocabulary, cobloc_error *err)
{
    static const char ours[] = "docword.", theirs[] = "vocab.";
    char *plain = cob_sidecar_path(path, 0, "");
    if (!plain)
        return cob_fail_memory(err, 1, 1);
    char *slash = strrchr(plain, '/');
    char *base = slash ? slash + 1 : plain;
    if (strncmp(base, ours, sizeof ours - 1) != 0) {
        cob_free(plain);
        return COBLOC_OK;
    }
    const char *name = base + sizeof ours - 1;
    memmove(base + sizeof theirs - 1, name, strlen(name) + 1);
    memcpy(base, theirs, sizeof theirs - 1);
    *vocabulary = plain;
    return COBLOC_OK;
}

/* A list of another length belongs to another matrix, such as a subset of this one. */
static cobloc_status attach_vocabulary(const char *path, cobloc_matrix *matrix, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *vocabulary = NULL;
    cob_names names = {0};
    COB_TRY(vocabulary_path(path, &vocabulary, err));
    if (vocabulary)
        COB_TRY(cob_list_read(vocabulary, -1, &names, err));
    if (names.count == matrix->cols)
        cob_names_move(&matrix->col_names, &names);
done:
    cob_names_free(&names);
    cob_free(vocabulary);
    return status;
}

static cobloc_status read(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    docword_parse parse = {.path = reading->path};
    cob_blocks blocks = cob_blocks_of(reading->source, reading->options);
    blocks.longest = COB_SHORT_RECORD;
    COB_TRY(read_header(&blocks, &parse, err));
    COB_TRY(cob_builder_init(&parse.builder, parse.documents, parse.words, 1, blocks.threads,
                             COBLOC_MISSING_AUTO, err));
    COB_TRY(read_entries(&blocks, &parse, err));
    COB_TRY(cob_builder_finish(&parse.builder, parse.documents, parse.words, out, err));
    COB_TRY(attach_vocabulary(reading->path, *out, err));
done:
    cob_blocks_free(&blocks);
    cob_builder_free(&parse.builder);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Counts beyond 32 bits are stored as reals, so the values have to be checked. */
static cobloc_status check_counts(const cobloc_matrix *matrix, const char *path, cobloc_error *err)
{
    const cob_side *side = &matrix->by_row;
    for (int64_t i = 0; matrix->kind > COBLOC_U32 && i < matrix->rows; i++)
        for (int64_t e = side->offsets[i]; e < side->offsets[i + 1]; e++) {
            double value = cob_value_get(matrix->kind, side->values, e);
            if (value < 0 || value > (double)LARGEST_COUNT || (double)(int64_t)value != value)
                return cob_fail(err, COBLOC_UNSUPPORTED,
                                "%s: the value in row %lld, column %lld is %g, but the UCI bag of "
                                "words holds counts only; write .mtx or .cbm instead",
                                path, (long long)(i + 1), (long long)side->indices[e] + 1, value);
        }
    return COBLOC_OK;
}

static cobloc_status write(const cobloc_matrix *matrix, cob_file *file, const char *path,
                           cobloc_error *err)
{
    const cob_side *side = &matrix->by_row;
    cobloc_status status = check_counts(matrix, path, err);
    if (status != COBLOC_OK)
        return status;
    cob_file_print(file, "%lld\n%lld\n%lld\n", (long long)matrix->rows, (long long)matrix->cols,
                   (long long)matrix->nnz);
    for (int64_t i = 0; i < matrix->rows; i++)
        for (int64_t e = side->offsets[i]; e < side->offsets[i + 1]; e++) {
            cob_file_integer(file, i + 1);
            cob_file_char(file, ' ');
            cob_file_integer(file, (int64_t)side->indices[e] + 1);
            cob_file_char(file, ' ');
            cob_file_integer(file, (int64_t)cob_value_get(matrix->kind, side->values, e));
            cob_file_char(file, '\n');
        }
    return COBLOC_OK;
}

const cob_format cob_format_docword = {
    .name = "docword",
    .title = "UCI bag of words",
    .extension = ".docword.txt",
    .carries = 0,
    .gzip = 1,
    .recognise = recognise,
    .read = read,
    .write = write,
};
