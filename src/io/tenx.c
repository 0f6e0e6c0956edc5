/* Folders of 10x Genomics.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* access, realpath */
#include "io/formats.h"

#include "base/alloc.h"
#include "base/intern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path of the first file that is there, of several names without and with ".gz"; NULL: none, or
 * out of memory. */
static char *find_file(const char *folder, const char *const *names)
{
    for (; *names; names++)
        for (int gz = 0; gz < 2; gz++) {
            char name[32];
            snprintf(name, sizeof name, "%s%s", *names, gz ? ".gz" : "");
            char *path = cob_path_inside(folder, name);
            if (path && access(path, F_OK) == 0)
                return path;
            cob_free(path);
        }
    return NULL;
}

static const char *const matrices[] = {"matrix.mtx", NULL};
static const char *const features[] = {"features.tsv", "genes.tsv", NULL};
static const char *const barcodes[] = {"barcodes.tsv", NULL};

bool cob_is_tenx(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return false;
    char *files[] = {find_file(path, matrices), find_file(path, features),
                     find_file(path, barcodes)};
    bool all = files[0] && files[1] && files[2];
    for (int i = 0; i < 3; i++)
        cob_free(files[i]);
    return all;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Adds a symbol, with its id behind it if it was there before. */
static cobloc_status add_name(cob_intern *seen, const char *symbol, size_t length, const char *id,
                              size_t id_length, cob_names *names, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t number, before = seen->names.count;
    char *longer = NULL;
    COB_TRY(cob_intern_add(seen, symbol, length, &number, err));
    if (number == before || id == symbol) {
        status = cob_names_add(names, symbol, length, err);
        goto done;
    }
    COB_NEW(longer, length + id_length + 4);
    snprintf(longer, length + id_length + 4, "%.*s (%.*s)", (int)length, symbol, (int)id_length,
             id);
    status = cob_names_add(names, longer, strlen(longer), err);
done:
    cob_free(longer);
    return status;
}

/* Of a line "ID, tab, symbol, tab, ..."; a line of one field is a name. */
static cobloc_status add_line(cob_intern *seen, const char *line, cob_names *names,
                              cobloc_error *err)
{
    const char *tab = strchr(line, '\t'), *symbol = tab ? tab + 1 : line;
    return add_name(seen, symbol, strcspn(symbol, "\t"), line, strcspn(line, "\t"), names, err);
}

cobloc_status cob_tenx_names(const cob_names *ids, const cob_names *symbols, cob_names *names,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_intern seen = {0};
    for (int64_t i = 0; i < symbols->count; i++) {
        const char *id = cob_names_get(ids, i), *symbol = cob_names_get(symbols, i);
        COB_TRY(add_name(&seen, symbol, strlen(symbol), id, strlen(id), names, err));
    }
done:
    cob_intern_free(&seen);
    return status;
}

static cobloc_status read_names(const char *folder, const char *const *files, int64_t expected,
                                cob_names *names, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names lines = {0}, made = {0};
    cob_intern seen = {0};
    char *path = find_file(folder, files);
    COB_CHECK(path, COBLOC_IO, "%s: there is no %s", folder, *files);
    COB_TRY(cob_list_read(path, expected, &lines, err));
    for (int64_t i = 0; i < lines.count; i++)
        COB_TRY(add_line(&seen, cob_names_get(&lines, i), &made, err));
    cob_names_move(names, &made);
done:
    cob_free(path);
    cob_names_free(&lines);
    cob_names_free(&made);
    cob_intern_free(&seen);
    return status;
}

/* ---- the matrix ------------------------------------------------------------------------------ */

/* Rows become columns: both orientations are there. */
static void swap_sides(cobloc_matrix *m)
{
    cobloc_matrix old = {.rows = m->rows,
                         .by_row = m->by_row,
                         .row_sums = m->row_sums,
                         .empty_rows = m->empty_rows,
                         .lent = {m->lent.by_row, m->lent.by_col}};
    m->rows = m->cols;
    m->cols = old.rows;
    m->by_row = m->by_col;
    m->by_col = old.by_row;
    m->row_sums = m->col_sums;
    m->col_sums = old.row_sums;
    m->empty_rows = m->empty_cols;
    m->empty_cols = old.empty_rows;
    m->lent.by_row = old.lent.by_col;
    m->lent.by_col = old.lent.by_row;
    if (m->missing)
        swap_sides(m->missing);
}

cobloc_status cob_tenx_read(const char *path, const cobloc_io_options *options, cobloc_matrix **out,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *matrix = NULL;
    cob_source *source = NULL;
    char *file = find_file(path, matrices), *whole = realpath(path, NULL);
    cobloc_io_options own;
    cob_io_options_default(&own);
    own = options ? *options : own;
    own.format = "mtx";
    COB_CHECK(file, COBLOC_IO, "%s: there is no matrix.mtx", path);
    COB_TRY(cob_source_open(file, &source, err));
    COB_TRY(cob_matrix_read(source, &own, &matrix, err));
    COB_TRY(cobloc_matrix_verify(matrix, err));
    swap_sides(matrix);
    cob_names_free(&matrix->row_names);
    cob_names_free(&matrix->col_names);
    COB_TRY(read_names(path, barcodes, matrix->rows, &matrix->row_names, err));
    COB_TRY(read_names(path, features, matrix->cols, &matrix->col_names, err));
    matrix->format = "10x Genomics folder";
    cob_free(matrix->source);
    matrix->source = NULL;
    COB_TRY(cob_copy_text(whole ? whole : path, &matrix->source, err));
    *out = matrix;
    matrix = NULL;
done:
    free(whole);
    cob_free(file);
    cob_source_close(source);
    cobloc_matrix_free(matrix);
    return status;
}
