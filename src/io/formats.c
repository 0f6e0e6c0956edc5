/* The table of formats, and reading and writing by it.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* realpath */
#include "io/formats.h"

#include "base/alloc.h"
#include "base/encoding.h"
#include "base/guess.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In order of recognition: the most specific signature first, the table that almost anything could
 * be last. */
static const cob_format *const formats[] = {
    &cob_format_cbm,   &cob_format_npz,     &cob_format_matlab, &cob_format_anndata,
    &cob_format_mtx,   &cob_format_docword, &cob_format_ldac,   &cob_format_svmlight,
    &cob_format_cluto, &cob_format_triples, &cob_format_csv,
};

enum { FORMATS = sizeof formats / sizeof *formats, SIDECARS = 4 };

int cobloc_format_count(void)
{
    return FORMATS;
}

static const cob_format *format_at(int index)
{
    return index >= 0 && index < FORMATS ? formats[index] : NULL;
}

const char *cobloc_format_name(int index)
{
    return format_at(index) ? formats[index]->name : NULL;
}

const char *cobloc_format_title(int index)
{
    return format_at(index) ? formats[index]->title : NULL;
}

const char *cobloc_format_extension(int index)
{
    return format_at(index) ? formats[index]->extension : NULL;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static const cob_format *format_named(const char *name)
{
    for (int f = 0; f < FORMATS; f++)
        if (strcmp(formats[f]->name, name) == 0)
            return formats[f];
    return NULL;
}

/* The format that matches the path's extension; the longest one if several match: ".triples.csv" is
 * not ".csv". */
static const cob_format *format_of_path(const char *path)
{
    const cob_format *found = NULL;
    for (int f = 0; f < FORMATS; f++)
        if (cob_path_ends_gz(path, formats[f]->extension) &&
            (!found || strlen(formats[f]->extension) > strlen(found->extension)))
            found = formats[f];
    if (!found && cob_path_ends_gz(path, ".tsv"))
        found = &cob_format_csv;
    return found;
}

static cobloc_status fail_format(const char *name, cobloc_error *err)
{
    char did_you_mean[COB_GUESS_ROOM];
    cob_guess guess = cob_guess_begin(name, strlen(name));
    for (int f = 0; f < FORMATS; f++)
        cob_guess_try(&guess, formats[f]->name);
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "there is no format '%s'%s", name,
                    guess.best ? cob_guess_text(&guess, did_you_mean)
                               : "; 'cobloc info --help' lists them");
}

static cobloc_status choose(const cobloc_io_options *options, const char *path,
                            const cob_head *head, const cob_format **chosen, cobloc_error *err)
{
    *chosen = NULL;
    if (options->format) {
        *chosen = format_named(options->format);
        return *chosen ? COBLOC_OK : fail_format(options->format, err);
    }
    for (int f = 0; head && f < FORMATS && !*chosen; f++)
        if (formats[f]->recognise(head))
            *chosen = formats[f];
    const cob_format *named = format_of_path(path);
    if (*chosen == &cob_format_csv && named == &cob_format_triples)
        *chosen = named; /* triples look like a table, so the name decides */
    if (*chosen)
        return COBLOC_OK;
    *chosen = named;
    if (head && *chosen && (*chosen == &cob_format_csv || *chosen == &cob_format_triples))
        return COBLOC_OK; /* has no signature: its reader gives a better error message */
    if (head)
        return cob_fail(err, COBLOC_BAD_DATA, "%s: %s", path,
                        head->size == 0 ? "the file is empty" : "the format is not recognised");
    return *chosen ? COBLOC_OK
                   : cob_fail(err, COBLOC_BAD_ARGUMENT,
                              "%s: the extension names no format; expected .mtx, .cbm, .csv, ...",
                              path);
}

/* ---- reading --------------------------------------------------------------------------------- */

static cobloc_status read_head(cob_source *source, char *room, cob_head *head, cobloc_error *err)
{
    cobloc_status status = cob_source_read(source, room, COB_HEAD_BYTES, &head->size, err);
    if (status != COBLOC_OK)
        return status;
    room[head->size] = '\0';
    head->text = room;
    head->complete = head->size < COB_HEAD_BYTES;
    return cob_source_rewind(source, err);
}

/* Whether the file begins with a byte order mark of UTF-16 or UTF-32. */
static bool has_wide_mark(const cob_head *head)
{
    return head->size >= 2 &&
           (memcmp(head->text, "\xFF\xFE", 2) == 0 || memcmp(head->text, "\xFE\xFF", 2) == 0);
}

/* Converts the file from an encoding or, if that is NULL, from what it seems to be. */
static cobloc_status convert(cob_source *source, const char *encoding, char *room, cob_head *head,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char name[COB_ENCODING_ROOM];
    if (!encoding)
        cob_encoding_guess(head->text, head->size, name);
    encoding = encoding ? encoding : name;
    if (*encoding && !cob_source_converts(source)) {
        COB_TRY(cob_source_convert(source, encoding, err));
        COB_TRY(read_head(source, room, head, err));
    }
done:
    return status;
}

/* Records where the matrix comes from, for results. */
static cobloc_status note_source(cobloc_matrix *matrix, const cob_format *format, const char *path,
                                 const cobloc_io_options *options, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *whole = realpath(path, NULL);
    matrix->format = format->title;
    matrix->read_missing = options->missing;
    matrix->read_values = options->values;
    matrix->fleeting = strncmp(path, "/dev/fd/", 8) == 0;
    if (!matrix->fleeting)
        COB_TRY(cob_copy_text(whole ? whole : path, &matrix->source, err));
    COB_TRY(cob_copy_text(options->variable, &matrix->variable, err));
done:
    free(whole);
    return status;
}

cobloc_status cob_matrix_read(cob_source *source, const cobloc_io_options *options,
                              cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *path = cob_source_path(source);
    char *room = NULL;
    cobloc_matrix *matrix = NULL;
    const cob_format *format = NULL;
    cob_budget *budget = NULL;
    int threads = 0;
    cob_head head;
    cobloc_io_options defaults;
    cob_io_options_default(&defaults);
    options = options ? options : &defaults;
    COB_TRY(cob_budget_begin(options->max_memory, &budget, err));
    COB_NEW(room, COB_HEAD_BYTES + 1);
    COB_TRY(read_head(source, room, &head, err));
    if (options->encoding ? !cob_is_utf8_name(options->encoding) : has_wide_mark(&head))
        COB_TRY(convert(source, options->encoding, room, &head, err));
    COB_TRY(choose(options, path, &head, &format, err));
    if (!options->encoding && (format == &cob_format_csv || format == &cob_format_triples))
        COB_TRY(convert(source, NULL, room, &head, err));
    COB_CHECK(format->gzip || !cob_source_is_gzip(source), COBLOC_UNSUPPORTED,
              "%s: %s cannot be gzip-compressed; decompress it first", path, format->title);
    COB_CHECK(format->label_field || !options->label_field, COBLOC_BAD_ARGUMENT,
              "%s: %s has no field '%s'; a label field is for text and for AnnData", path,
              format->title, options->label_field);
    cob_reading reading = {source, path, options};
    threads = cob_threads_begin(options->threads, (double)cob_source_stored_bytes(source));
    status = format->read(&reading, &matrix, err);
    if (status != COBLOC_OK)
        COB_TRY(cob_fail_in(err, status, path));
    COB_TRY(note_source(matrix, format, path, options, err));
    COB_TRY(cob_sidecars_attach(path, options->values == COBLOC_VALUES_CATEGORIES, matrix, err));
    matrix->budget = budget;
    budget = NULL;
    *out = matrix;
    matrix = NULL;
done:
    if (threads > 0)
        cob_threads_end(threads);
    cobloc_matrix_free(matrix);
    cob_free(room);
    cob_budget_end(budget);
    return status;
}

bool cob_is_matrix_folder(const char *path)
{
    return cob_is_shards(path) || cob_is_tenx(path);
}

cobloc_status cob_matrix_folder_read(const char *path, const cobloc_io_options *options,
                                     cobloc_matrix **out, cobloc_error *err)
{
    return (cob_is_shards(path) ? cob_shards_read : cob_tenx_read)(path, options, out, err);
}

cobloc_status cobloc_matrix_read(const char *path, const cobloc_io_options *options,
                                 cobloc_matrix **out, cobloc_error *err)
{
    cob_source *source = NULL;
    if (cob_is_matrix_folder(path))
        return cob_matrix_folder_read(path, options, out, err);
    cobloc_status status = cob_source_open(path, &source, err);
    if (status == COBLOC_OK)
        status = cob_matrix_read(source, options, out, err);
    cob_source_close(source);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes the names that the format cannot hold to files beside it, which are committed before it.
 */
static cobloc_status write_names(const cobloc_matrix *matrix, const cob_format *format,
                                 const char *path, cob_file *files[SIDECARS], cobloc_error *err)
{
    const struct {
        unsigned carried;
        const char *suffix;
        const cob_names *names;
    } lists[SIDECARS] = {{COB_ROW_NAMES, ".rows.txt", &matrix->row_names},
                         {COB_COL_NAMES, ".terms.txt", &matrix->col_names},
                         {COB_ROW_LABELS, ".labels.txt", &matrix->row_labels},
                         {COB_CATEGORIES, ".categories.txt", &matrix->categories}};
    cobloc_status status = COBLOC_OK;
    for (int f = 0; f < SIDECARS; f++)
        if (!(format->carries & lists[f].carried))
            COB_TRY(cob_sidecar_write(path, lists[f].suffix, lists[f].names, &files[f], err));
done:
    return status;
}

/* Copies row `i` of the entries and of the missing cells, in the order of the columns. */
static void merge_row(const cobloc_matrix *matrix, int64_t i, cob_side *to, cobloc_value_kind kind)
{
    const cob_side *present = &matrix->by_row, *absent = &matrix->missing->by_row;
    int64_t x = present->offsets[i], y = absent->offsets[i], at = x + y;
    to->offsets[i] = at;
    while (x < present->offsets[i + 1] || y < absent->offsets[i + 1]) {
        bool value = y == absent->offsets[i + 1] ||
                     (x < present->offsets[i + 1] && present->indices[x] < absent->indices[y]);
        to->indices[at] = value ? present->indices[x] : absent->indices[y];
        cob_value_set(kind, to->values, at++,
                      value ? cob_value_get(matrix->kind, present->values, x) : (double)NAN);
        if (value)
            x++;
        else
            y++;
    }
}

/* A copy, with names, whose missing cells are NaN entries. */
static cobloc_status with_nan(const cobloc_matrix *matrix, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_side side = {0};
    cobloc_matrix *made = NULL;
    int64_t cells = matrix->nnz + matrix->missing->nnz;
    bool floats = matrix->kind != COBLOC_U32 && matrix->kind != COBLOC_F64;
    cobloc_value_kind kind = floats ? COBLOC_F32 : COBLOC_F64;
    COB_TRY(cob_side_alloc(&side, matrix->rows, cells, kind, err));
    for (int64_t i = 0; i < matrix->rows; i++)
        merge_row(matrix, i, &side, kind);
    side.offsets[matrix->rows] = cells;
    COB_TRY(cob_matrix_own(matrix->rows, matrix->cols, kind, &side, 0, &made, err));
    COB_TRY(cob_matrix_copy_names(made, matrix, NULL, NULL, err));
    *out = made;
    made = NULL;
done:
    cobloc_matrix_free(made);
    cob_side_free(&side);
    return status;
}

/* Writes a copy with NaN for the missing cells if the format cannot store these as such. */
static cobloc_status write_cells(const cobloc_matrix *matrix, const cob_format *format,
                                 cob_file *file, const char *path, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *copy = NULL;
    if (matrix->missing && !(format->carries & COB_MISSING)) {
        COB_CHECK(format->carries & COB_NAN, COBLOC_UNSUPPORTED,
                  "%s: %s cannot hold missing cells; write .cbm or .csv instead", path,
                  format->title);
        COB_TRY(with_nan(matrix, &copy, err));
        matrix = copy;
    }
    COB_TRY(format->write(matrix, file, path, err));
done:
    cobloc_matrix_free(copy);
    return status;
}

cobloc_status cob_matrix_write_with(const cobloc_matrix *matrix, const char *path,
                                    const cobloc_io_options *options, cob_file *const *others,
                                    int other_count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *files[SIDECARS + 1] = {NULL}; /* the matrix last: when it is there, all is there */
    cob_file **own = &files[SIDECARS];
    const cob_format *format = NULL;
    cobloc_io_options defaults;
    cob_io_options_default(&defaults);
    options = options ? options : &defaults;
    if (options->shards > 0) {
        COB_CHECK(!options->format || strcmp(options->format, "cbm") == 0, COBLOC_BAD_ARGUMENT,
                  "shards are .cbm files, not %s", options->format);
        return cob_shards_write(matrix, path, options->shards, err);
    }
    COB_TRY(choose(options, path, NULL, &format, err));
    COB_CHECK(format->write, COBLOC_UNSUPPORTED, "%s: cobloc reads %s but does not write it", path,
              format->title);
    COB_CHECK(format->gzip || !cob_path_ends(path, ".gz"), COBLOC_UNSUPPORTED,
              "%s: %s is not written gzip-compressed", path, format->title);
    COB_TRY(cobloc_matrix_verify(matrix, err));
    COB_TRY(write_names(matrix, format, path, files, err));
    COB_TRY(cob_file_create(path, own, err));
    COB_TRY(write_cells(matrix, format, *own, path, err));
    for (int f = 0; f < other_count; f++)
        if (others[f])
            COB_TRY(cob_file_commit(others[f], err));
    for (int f = 0; f <= SIDECARS; f++) /* the matrix last: once it exists, everything does */
        if (files[f])
            COB_TRY(cob_file_commit(files[f], err));
done:
    for (int f = 0; f <= SIDECARS; f++)
        cob_file_close(files[f]);
    return status;
}

cobloc_status cobloc_matrix_write(const cobloc_matrix *matrix, const char *path,
                                  const cobloc_io_options *options, cobloc_error *err)
{
    return cob_matrix_write_with(matrix, path, options, NULL, 0, err);
}
