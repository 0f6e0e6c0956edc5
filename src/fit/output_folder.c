/* The output folder: what may be written to it, and what goes when it is replaced.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* access, openat */
#include "base/source.h"
#include "base/target.h"
#include "fit/saved.h"

#include "base/alloc.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define REPORT "report.html"

/* ---- files of earlier runs ------------------------------------------------------------------- */

/* Without an allocation, whose failure could not be told from a file that is not there. */
static bool is_there(const char *folder, const char *name)
{
    char path[8192]; /* longer than any path that a system takes */
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0;
}

/* Whether one of the first `most` bytes of a file begins a text; they are searched in pieces, of
 * which each begins with the end of the one before. */
static bool holds(const char *folder, const char *name, const char *text, size_t most)
{
    enum { PIECE = 1 << 16 };
    size_t kept = 0, got = 0, seen = 0, length = strlen(text);
    cob_source *source = NULL;
    char *path = cob_path_inside(folder, name), *piece = cob_alloc(PIECE + 1, 1);
    bool found = false, open = path && piece && cob_source_open(path, &source, NULL) == COBLOC_OK;
    while (open && !found && seen < most &&
           cob_source_read(source, piece + kept, PIECE - kept, &got, NULL) == COBLOC_OK &&
           got > 0) {
        seen += got;
        got += kept;
        piece[got] = '\0';
        found = strstr(piece, text) != NULL;
        kept = got < length ? got : length;
        memmove(piece, piece + got - kept, kept);
    }
    cob_source_close(source);
    cob_free(piece);
    cob_free(path);
    return found;
}

/* Whether a page was written by cobloc_report_write: its head says so. */
static bool is_report(const char *folder)
{
    return holds(folder, REPORT, "<meta name=\"generator\" content=\"cobloc\">", 512);
}

/* Files of an earlier result must not stay beside this one. Where there is no model.json, there was
 * none, and files of these names are the user's. So is the matrix that was fitted. */
static bool outdated(const char *folder, const char *name, const void *context)
{
    const cobloc_matrix *matrix = context;
    if (!is_there(folder, "model.json"))
        return false;
    if (strcmp(name, REPORT) == 0)
        return is_report(folder);
    size_t length = strlen(folder);
    return strcmp(name, COB_MATRIX) != 0 || !matrix || !matrix->source ||
           strncmp(matrix->source, folder, length) != 0 ||
           strcmp(matrix->source + length, "/" COB_MATRIX) != 0;
}

/* Whether bytes hold the mark, NUL bytes or not. */
static bool holds_mark(const char *bytes, ssize_t count)
{
    static const char mark[] = COB_PICTURE_MARK;
    for (ssize_t i = 0; i + (ssize_t)sizeof mark - 1 <= count; i++)
        if (memcmp(bytes + i, mark, sizeof mark - 1) == 0)
            return true;
    return false;
}

/* Pictures that cobloc drew: their first or their last bytes say so. */
static bool is_picture(int folder, const char *name)
{
    enum { HEAD = 128, TAIL = 64 };
    char bytes[HEAD];
    if (!cob_path_ends(name, ".svg") && !cob_path_ends(name, ".pdf") &&
        !cob_path_ends(name, ".png"))
        return false;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool found = holds_mark(bytes, read(fd, bytes, HEAD)) ||
                 (lseek(fd, -TAIL, SEEK_END) >= 0 && holds_mark(bytes, read(fd, bytes, TAIL)));
    close(fd);
    return found;
}

cobloc_status cob_result_folder(const char *path, const cobloc_matrix *matrix, cob_folder **out,
                                cobloc_error *err)
{
    /* Where the files cannot be replaced at once, rows.tsv is new and model.json is old until all
     * are replaced: readers notice that. */
    static const char *const names[] = {"rows.tsv",   "cols.tsv",    COB_PROBABILITIES, "curve.tsv",
                                        "larger.tsv", "members.tsv", COB_MATRIX,        REPORT,
                                        "model.json", NULL};
    return cob_folder_create(path, &(cob_belongings){names, outdated, matrix, is_picture}, out,
                             err);
}

/* ---- before the work ------------------------------------------------------------------------- */

/* Bytes that the tables of a result take at the least: names, a cluster, separators. */
static double least_room(const cobloc_matrix *matrix)
{
    double bytes = 4 * ((double)matrix->rows + (double)matrix->cols);
    for (int64_t i = 0; i < matrix->row_names.count; i++)
        bytes += (double)strlen(cobloc_matrix_row_name(matrix, i));
    for (int64_t j = 0; j < matrix->col_names.count; j++)
        bytes += 2 * (double)strlen(cobloc_matrix_col_name(matrix, j)); /* also in model.json */
    return bytes + (cob_result_keeps(matrix) ? 4 * (double)matrix->nnz : 0);
}

/* A file that would be replaced although cobloc did not write it; NULL: none. */
static const char *foreign_file(const char *folder, const cobloc_matrix *matrix)
{
    static const char *const names[] = {"model.json", "rows.tsv", "cols.tsv", COB_PROBABILITIES,
                                        COB_MATRIX};
    if (holds(folder, "model.json", "\"cobloc\":", SIZE_MAX))
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_there(folder, names[i]) &&
            (strcmp(names[i], COB_MATRIX) != 0 || (matrix && cob_result_keeps(matrix))))
            return names[i];
    return NULL;
}

cobloc_status cobloc_result_check(const char *path, const cobloc_matrix *matrix, int force,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_folder *folder = NULL;
    char *inside = NULL;
    COB_CHECK(strcmp(path, "-") != 0, COBLOC_BAD_ARGUMENT,
              "a result is a folder of several files: it cannot be written to standard output");
    const char *foreign = force ? NULL : foreign_file(path, matrix);
    COB_CHECK(!foreign, COBLOC_IO, "%s: holds %s, and no result of cobloc: it would be overwritten",
              path, foreign);
    COB_TRY(cob_result_folder(path, matrix, &folder, err));
    inside = cob_folder_path(folder, ".");
    COB_CHECK(inside, COBLOC_NO_MEMORY, "out of memory");
    double left = cob_space_left(inside), need = matrix ? least_room(matrix) : 1;
    COB_CHECK(left >= need, COBLOC_IO,
              "%s: cannot be written: its disk has %.0f bytes left, and the result takes at least "
              "%.0f",
              path, left, need);
done:
    cob_free(inside);
    cob_folder_drop(folder);
    return status;
}
