/* Names and labels in files beside the matrix: one name per line.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "base/alloc.h"
#include "base/parallel.h"
#include "base/target.h"
#include "io/formats.h"

#include <string.h>
#include <unistd.h>

char *cob_sidecar_path(const char *path, int strip, const char *suffix)
{
    size_t length = strlen(path);
    if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
        length -= 3;
    if (strip) {
        size_t dot = length;
        while (dot > 0 && path[dot - 1] != '.' && path[dot - 1] != '/')
            dot--;
        if (dot > 1 && path[dot - 1] == '.' && path[dot - 2] != '/')
            length = dot - 1;
    }
    size_t extra = strlen(suffix) + 1;
    char *made = cob_alloc(length + extra, 1);
    if (made) {
        memcpy(made, path, length);
        memcpy(made + length, suffix, extra);
    }
    return made;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* A list may be longer than it should be by so many lines before it is not read on. */
enum { LINES_TOO_MANY = 1 << 16 };

static cobloc_status add_lines(void *context, int lane, const cob_text_block *block,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names names = {0};
    (void)lane;
    COB_CHECK(!memchr(block->text, '\0', block->size), COBLOC_BAD_DATA,
              "holds NUL bytes, expected text, one name per line");
    for (const char *p = block->text, *end = p + block->size, *stop; p < end; p = stop + 1) {
        for (stop = p; stop < end && *stop != '\n';) /* lines are short: no call of memchr */
            stop++;
        size_t length = (size_t)(stop - p);
        if (length > 0 && p[length - 1] == '\r')
            length--;
        COB_TRY(cob_names_add(&names, p, length, err));
    }
    status = cob_name_lists_keep(context, block->sequence, &names, err);
done:
    cob_names_free(&names);
    return status;
}

cobloc_status cob_list_read(const char *path, int64_t expected, cob_names *names, cobloc_error *err)
{
    enum { PIECE = 1 << 16, BYTE = 10 }; /* bytes of a block; nanoseconds */
    cobloc_status status = COBLOC_OK;
    cob_source *source = NULL;
    cob_names read = {0};
    cob_name_lists lists = {.most = expected < 0 ? INT32_MAX : expected + LINES_TOO_MANY};
    cobloc_io_options options;
    if (access(path, F_OK) != 0)
        return COBLOC_OK;
    cob_io_options_default(&options);
    COB_TRY(cob_source_open(path, &source, err));
    cob_blocks blocks = cob_blocks_of(source, &options);
    blocks.piece = blocks.piece < PIECE ? blocks.piece : PIECE;
    blocks.threads = cob_threads_worth(blocks.threads, BYTE * cob_source_stored_bytes(source));
    COB_TRY(cob_blocks_run(&blocks, add_lines, &lists, err));
    COB_CHECK(expected < 0 || lists.names == expected, COBLOC_BAD_DATA,
              "holds %lld lines, expected %lld, one for each row or column", (long long)lists.names,
              (long long)expected);
    COB_TRY(cob_name_lists_join(&lists, &read, err));
    cob_names_move(names, &read);
done:
    cob_name_lists_free(&lists);
    cob_names_free(&read);
    cob_source_close(source);
    return status == COBLOC_OK ? status : cob_fail_in(err, status, path);
}

cobloc_status cob_sidecar_read(const char *path, int strip, const char *suffix, int64_t expected,
                               cob_names *names, cobloc_error *err)
{
    if (names->count > 0)
        return COBLOC_OK;
    char *beside = cob_sidecar_path(path, strip, suffix);
    if (!beside)
        return cob_fail_memory(err, 1, 1);
    cobloc_status status = cob_list_read(beside, expected, names, err);
    cob_free(beside);
    return status;
}

static cobloc_status attach_categories(const char *path, cobloc_matrix *matrix, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cobloc_matrix_verify(matrix, err));
    COB_CHECK(
        cob_are_codes(matrix, INT64_MAX), COBLOC_BAD_DATA,
        "%s: holds values other than whole numbers from 0 on, which no category has as a code",
        path);
    COB_TRY(cob_sidecar_read(path, 1, ".categories.txt", -1, &matrix->categories, err));
    int64_t count = matrix->categories.count;
    COB_CHECK(count == 0 || cob_are_codes(matrix, count), COBLOC_BAD_DATA,
              "%s: holds values above %lld, the last of the %lld categories listed beside it", path,
              (long long)count - 1, (long long)count);
done:
    return status;
}

cobloc_status cob_sidecars_attach(const char *path, bool categories, cobloc_matrix *matrix,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_sidecar_read(path, 1, ".rows.txt", matrix->rows, &matrix->row_names, err));
    COB_TRY(cob_sidecar_read(path, 1, ".terms.txt", matrix->cols, &matrix->col_names, err));
    COB_TRY(cob_sidecar_read(path, 1, ".labels.txt", matrix->rows, &matrix->row_labels, err));
    if (categories)
        COB_TRY(attach_categories(path, matrix, err));
done:
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

cobloc_status cob_sidecar_create(const char *path, const char *suffix, cob_file **out,
                                 cobloc_error *err)
{
    if (cob_is_stream(path))
        return COBLOC_OK;
    char *beside = cob_sidecar_path(path, 1, suffix);
    if (!beside)
        return cob_fail_memory(err, 1, 1);
    cobloc_status status = cob_file_create(beside, out, err);
    cob_free(beside);
    return status;
}

cobloc_status cob_sidecar_write(const char *path, const char *suffix, const cob_names *names,
                                cob_file **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (names->count == 0)
        return COBLOC_OK;
    COB_TRY(cob_sidecar_create(path, suffix, out, err));
    for (int64_t i = 0; *out && i < names->count; i++) {
        const char *name = cob_names_get(names, i);
        COB_CHECK(
            !strpbrk(name, "\r\n"), COBLOC_UNSUPPORTED,
            "%s: name %lld contains a line break, which a list with one name per line cannot hold; "
            "write .cbm or .csv instead",
            cob_file_path(*out), (long long)(i + 1));
        cob_file_text(*out, name);
        cob_file_char(*out, '\n');
    }
done:
    return status;
}
