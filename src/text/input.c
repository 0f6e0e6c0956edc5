/* Any input: a matrix, or text, as its first bytes say.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* S_ISDIR */
#include "base/alloc.h"
#include "base/encoding.h"
#include "io/delimited.h"
#include "io/formats.h"
#include "io/options.h"
#include "text/corpus.h"

#include <string.h>
#include <sys/stat.h>

/* Whether a path is a folder of documents, or an archive. */
static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 &&
           (S_ISDIR(about.st_mode) ? !cob_is_matrix_folder(path) : cob_is_archive(path));
}

/* What the file is by its first bytes; the source then stands at the first one again. */
static cobloc_status recognise(cob_source *source, cobloc_corpus *corpus, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *head = NULL, encoding[COB_ENCODING_ROOM] = "";
    size_t size, mark;
    *corpus = COBLOC_CORPUS_AUTO;
    COB_NEW(head, COB_HEAD_BYTES);
    COB_TRY(cob_source_read(source, head, COB_HEAD_BYTES, &size, err));
    if (size > 0 && memchr(head, '\0', size)) { /* UTF-16, if it is text */
        cob_encoding_guess(head, size, encoding);
        if (*encoding) {
            COB_TRY(cob_source_rewind(source, err));
            COB_TRY(cob_source_convert(source, encoding, err));
            COB_TRY(cob_source_read(source, head, COB_HEAD_BYTES, &size, err));
        }
    }
    mark = cob_byte_order_mark(head, size);
    if (cob_looks_smart(head + mark, size - mark))
        *corpus = COBLOC_CORPUS_SMART;
    else if (cob_looks_json_array(head + mark, size - mark))
        *corpus = COBLOC_CORPUS_JSON;
    else if (cob_looks_mbox(head + mark, size - mark, false))
        *corpus = COBLOC_CORPUS_MBOX;
    else if (cob_looks_jsonl(head + mark, size - mark, size < COB_HEAD_BYTES))
        *corpus = COBLOC_CORPUS_JSONL;
    status = cob_source_rewind(source, err);
done:
    cob_free(head);
    return status;
}

cobloc_status cobloc_text_recognise(const char *path, cobloc_corpus *corpus, cobloc_error *err)
{
    cob_source *source = NULL;
    *corpus = COBLOC_CORPUS_FILES;
    if (is_folder(path))
        return COBLOC_OK;
    *corpus = COBLOC_CORPUS_AUTO;
    if (cob_is_matrix_folder(path))
        return COBLOC_OK;
    cobloc_status status = cob_source_open(path, &source, err);
    if (status == COBLOC_OK)
        status = recognise(source, corpus, err);
    cob_source_close(source);
    return status;
}

cobloc_status cobloc_read(const char *path, const cobloc_io_options *io,
                          const cobloc_text_options *text, cobloc_matrix **out,
                          cobloc_text_info **info, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_source *source = NULL;
    cobloc_corpus corpus = text ? text->corpus : COBLOC_CORPUS_AUTO;
    if (info)
        *info = NULL;
    bool matrix = io && io->format;
    if (corpus == COBLOC_CORPUS_AUTO && !matrix && cob_is_matrix_folder(path))
        return cob_matrix_folder_read(path, io, out, err);
    if (corpus == COBLOC_CORPUS_AUTO && !matrix && is_folder(path))
        corpus = COBLOC_CORPUS_FILES;
    if (corpus == COBLOC_CORPUS_AUTO) {
        COB_TRY(cob_source_open(path, &source, err));
        if (!matrix)
            COB_TRY(recognise(source, &corpus, err));
    }
    cobloc_io_options own;
    cob_io_options_default(&own);
    own = io ? *io : own;
    own.encoding = own.encoding ? own.encoding : text ? text->encoding : NULL;
    own.label_field = own.label_field ? own.label_field : text ? text->label_field : NULL;
    if (corpus == COBLOC_CORPUS_AUTO)
        status = cob_matrix_read(source, &own, out, err);
    else
        status = cobloc_text_read(path, text, out, info, err);
done:
    cob_source_close(source);
    return status;
}
