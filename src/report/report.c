/* cobloc_report_write: a result as one self-contained HTML page.
 * SPDX-License-Identifier: MIT
 */
#include "report/report.h"

#include "base/alloc.h"
#include "report/entries.h"
#include "text/excerpt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Limit on the packed entries; base64 adds a third. */
static const size_t MOST_BYTES = 8000000;
static const int64_t MOST_ENTRIES = 12000000; /* above this, packing is not even tried */
enum { TEXT_ROWS = 256 };                     /* of a block of texts */
static const size_t MOST_TEXTS = 6000000, MOST_TEXT = 1200;        /* bytes: packed, and of one */
static const int64_t MOST_ON_MAP = 50000, MOST_COLS_ON_MAP = 2000; /* unasked */
static const int GRID = 1024; /* cells per side if there are too many entries */

/* ---- parts ----------------------------------------------------------------------------------- */

static void open_part(cob_file *file, const char *id, const char *type)
{
    cob_file_print(file, "\n<script type=\"%s\" id=\"%s\">", type, id);
}

static void close_part(cob_file *file)
{
    cob_file_text(file, "</script>");
}

static void write_base64(cob_file *file, const char *id, const cob_bytes *bytes)
{
    open_part(file, id, "text/plain");
    cob_write_base64(file, bytes);
    close_part(file);
}

/* Writes and releases the bytes. */
static cobloc_status write_packed(cob_file *file, const char *id, cob_bytes *bytes,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_bytes packed = {0};
    COB_TRY(cob_bytes_deflate(bytes, &packed, err));
    write_base64(file, id, &packed);
done:
    cob_bytes_free(&packed);
    return status;
}

static cobloc_status write_names(cob_file *file, const char *id, const cobloc_matrix *matrix,
                                 const char *(*name_of)(const cobloc_matrix *, int64_t),
                                 int64_t count, cobloc_error *err)
{
    cob_bytes bytes = {0};
    if (count == 0 || !name_of(matrix, 0))
        return COBLOC_OK;
    for (int64_t i = 0; i < count; i++) {
        const char *name = name_of(matrix, i);
        cob_bytes_add(&bytes, name, strlen(name) + 1);
    }
    return write_packed(file, id, &bytes, err);
}

/* What the blocs are shown over, if anything. */
static cobloc_status write_by(cob_file *file, const cobloc_report *report, cobloc_error *err)
{
    const cobloc_matrix *matrix = report->matrix;
    int64_t n = report->result->n, field = -1;
    cob_bytes bytes = {0};
    if (report->by_count == 0 && !report->by_field)
        return COBLOC_OK;
    if (report->by_count == 0)
        field = cobloc_matrix_find_field(matrix, report->by_field);
    for (int64_t i = 0; i < n; i++) {
        const char *value = report->by_count > 0 ? report->by[i]
                            : field >= 0         ? cobloc_matrix_row_field(matrix, i, field)
                                                 : cobloc_matrix_row_label(matrix, i);
        cob_bytes_add(&bytes, value, strlen(value) + 1);
    }
    return write_packed(file, "by", &bytes, err);
}

static cobloc_status write_labels(cob_file *file, const char *id, const int32_t *labels,
                                  int64_t count, cobloc_error *err)
{
    cob_bytes bytes = {0};
    for (int64_t i = 0; i < count; i++)
        cob_bytes_varint(&bytes, (uint64_t)(labels[i] + 1));
    return write_packed(file, id, &bytes, err);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

/* A few numbers about a part, as a separate JSON object. */
static void write_about(cob_file *file, const char *id, const char *const *keys,
                        const double *values, int count)
{
    cob_page_json p = {file, false};
    open_part(file, id, "application/json");
    cob_page_open(&p, NULL, '{');
    for (int i = 0; i < count; i++)
        cob_page_number(&p, keys[i], values[i]);
    cob_page_close(&p, '}');
    close_part(file);
}

static cobloc_status write_grid(cob_file *file, const cob_report_data *data, bool in_order,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    static const char *const keys[] = {"rows", "cols"};
    const cobloc_result *r = data->report.result;
    cob_grid grid = {0};
    cob_bytes bytes = {0};
    COB_TRY(cob_grid_of(data->report.matrix, in_order ? &data->rows : NULL,
                        in_order ? &data->cols : NULL, 0, r->d, r->n < GRID ? (int)r->n : GRID,
                        r->d < GRID ? (int)r->d : GRID, &grid, err));
    for (int64_t f = 0; f < (int64_t)grid.rows * grid.cols; f++)
        cob_bytes_varint(&bytes, grid.counts[f]);
    write_about(file, "grid", keys, (double[]){grid.rows, grid.cols}, in_order ? 2 : 0);
    COB_TRY(write_packed(file, in_order ? "grid-after" : "grid-before", &bytes, err));
done:
    cob_bytes_free(&bytes);
    cob_grid_free(&grid);
    return status;
}

/* Sets *fits if the entries were few enough and have been written. */
static cobloc_status write_entries(cob_file *file, const cob_report_data *data, bool *fits,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    static const char *const keys[] = {"code", "most"};
    cob_packed_entries entries = {0};
    cob_bytes places = {0}, values = {0};
    *fits = false;
    if (data->report.density_only || cobloc_matrix_nnz(data->report.matrix) > MOST_ENTRIES)
        return COBLOC_OK;
    COB_TRY(cob_pack_entries(data->report.matrix, &data->rows, &data->cols, &entries, err));
    COB_TRY(cob_bytes_deflate(&entries.places, &places, err));
    COB_TRY(cob_bytes_deflate(&entries.values, &values, err));
    *fits = places.size + values.size <= MOST_BYTES;
    if (!*fits)
        goto done;
    write_about(file, "entries", keys, (double[]){entries.code, entries.most}, 2);
    write_base64(file, "places", &places);
    write_base64(file, "values", &values);
done:
    cob_bytes_free(&places);
    cob_bytes_free(&values);
    cob_packed_entries_free(&entries);
    return status;
}

/* Where cells are missing, if the model is told: like the places of the entries. */
static cobloc_status write_missing(cob_file *file, const cob_report_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_matrix *missing = data->report.matrix->missing;
    cob_packed_entries cells = {0};
    if (!missing || cobloc_matrix_nnz(missing) > MOST_ENTRIES)
        return COBLOC_OK;
    COB_TRY(cob_pack_entries(missing, &data->rows, &data->cols, &cells, err));
    COB_TRY(write_packed(file, "missing", &cells.places, err));
done:
    cob_packed_entries_free(&cells);
    return status;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* The beginnings of documents, `size` rows from `first` on. */
static cobloc_status pack_texts(const cobloc_matrix *matrix, int64_t first, int64_t size,
                                cob_bytes *bytes, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *text = NULL;
    for (int64_t i = first; i < first + size && i < matrix->rows; i++) {
        COB_TRY(cob_excerpt_copy(matrix, i, &text, err));
        size_t length = text ? strlen(text) : 0;
        if (length > MOST_TEXT)
            for (length = MOST_TEXT; ((unsigned char)text[length] & 0xC0) == 0x80;)
                length--; /* between characters */
        cob_bytes_add(bytes, text, length);
        cob_bytes_byte(bytes, 0);
        cob_free(text);
        text = NULL;
    }
done:
    cob_free(text);
    return status;
}

/* In blocks of rows, until the page would become too large. */
static cobloc_status write_texts(cob_file *file, const cobloc_matrix *matrix, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_bytes bytes = {0}, packed = {0};
    size_t all = 0;
    if (!cob_matrix_has_excerpts(matrix))
        return COBLOC_OK;
    for (int64_t first = 0; first < matrix->rows && all < MOST_TEXTS; first += TEXT_ROWS) {
        char id[32];
        snprintf(id, sizeof id, "texts-%lld", (long long)(first / TEXT_ROWS));
        COB_TRY(pack_texts(matrix, first, TEXT_ROWS, &bytes, err));
        COB_TRY(cob_bytes_deflate(&bytes, &packed, err));
        all += packed.size;
        write_base64(file, id, &packed);
        cob_bytes_free(&packed);
    }
done:
    cob_bytes_free(&bytes);
    cob_bytes_free(&packed);
    return status;
}

/* ---- the map --------------------------------------------------------------------------------- */

/* A coordinate in two bytes; the largest number stands for none. */
static void put_coordinate(cob_bytes *bytes, double at)
{
    unsigned number = isfinite(at) ? (unsigned)(at * 65534 + 0.5) : 65535;
    unsigned char both[] = {(unsigned char)(number & 255), (unsigned char)(number >> 8)};
    cob_bytes_add(bytes, both, sizeof both);
}

/* Writes a map as the part `id`, and what there is to say about it as `about`. */
static cobloc_status write_places(cob_file *file, const cobloc_map *map, const char *about,
                                  const char *id, cobloc_error *err)
{
    static const char *const keys[] = {"kept", "neighbours"};
    cob_bytes bytes = {0};
    write_about(file, about, keys, (double[]){map->kept, map->neighbours}, 2);
    for (int64_t i = 0; i < map->n; i++) {
        put_coordinate(&bytes, map->x[i]);
        put_coordinate(&bytes, map->y[i]);
    }
    cobloc_status status = write_packed(file, id, &bytes, err);
    cob_bytes_free(&bytes);
    return status;
}

static cobloc_status write_row_map(cob_file *file, const cobloc_report *report, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_map *own = NULL;
    if (!report->map && report->result->n > MOST_ON_MAP)
        return COBLOC_OK;
    if (!report->map)
        COB_TRY(cobloc_map_rows(report->matrix, NULL, &own, err));
    const cobloc_map *map = report->map ? report->map : own;
    COB_CHECK(map->n == report->result->n, COBLOC_BAD_ARGUMENT,
              "the map has %lld rows, but the matrix has %lld", (long long)map->n,
              (long long)report->result->n);
    status = write_places(file, map, "about-row-map", "row-map", err);
done:
    cobloc_map_free(own);
    return status;
}

static cobloc_status write_maps(cob_file *file, const cobloc_report *report, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_map *cols = NULL;
    int64_t most = report->map_cols ? MOST_ON_MAP : MOST_COLS_ON_MAP;
    if (report->no_map)
        return COBLOC_OK;
    COB_TRY(write_row_map(file, report, err));
    if (report->result->d > most)
        goto done;
    COB_TRY(cobloc_map_cols(report->matrix, NULL, &cols, err));
    status = write_places(file, cols, "about-col-map", "col-map", err);
done:
    cobloc_map_free(cols);
    return status;
}

/* ---- the page -------------------------------------------------------------------------------- */

static cobloc_status write_level(cob_file *file, const cobloc_report *report, int k,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_result *level = NULL;
    char id[32];
    COB_TRY(cob_level_of(report, k, &level, err));
    snprintf(id, sizeof id, "level-%d", k);
    open_part(file, id, "application/json");
    COB_TRY(cob_write_level(report, level, file, err));
    close_part(file);
    if (k < report->result->k)
        goto done;
    snprintf(id, sizeof id, "rows-%d", k);
    COB_TRY(write_labels(file, id, level->row_labels, level->n, err));
    snprintf(id, sizeof id, "cols-%d", k);
    COB_TRY(write_labels(file, id, level->col_labels, level->d, err));
done:
    cobloc_result_free(level);
    return status;
}

/* The sizes that the page can fold to; of many blocs, only the smaller sizes. Then those above. */
static cobloc_status write_levels(cob_file *file, const cobloc_report *report, cobloc_error *err)
{
    enum { MOST_LEVELS = 60 };
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = report->result;
    for (int k = 1; r->merges && k < r->k && k <= MOST_LEVELS; k++)
        COB_TRY(write_level(file, report, k, err));
    for (int i = 0; i < cob_larger_count(report); i++)
        COB_TRY(write_level(file, report, report->curve->larger[i].k, err));
done:
    return status;
}

static cobloc_status write_data(cob_file *file, const cob_report_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_matrix *matrix = data->report.matrix;
    const cobloc_result *r = data->report.result;
    bool fits;
    open_part(file, "facts", "application/json");
    COB_TRY(cob_write_facts(data, file, err));
    close_part(file);
    COB_TRY(write_levels(file, &data->report, err));
    COB_TRY(write_names(file, "row-names", matrix, cobloc_matrix_row_name, r->n, err));
    COB_TRY(write_names(file, "col-names", matrix, cobloc_matrix_col_name, r->d, err));
    COB_TRY(write_labels(file, "row-labels", r->row_labels, r->n, err));
    COB_TRY(write_labels(file, "col-labels", r->col_labels, r->d, err));
    COB_TRY(write_by(file, &data->report, err));
    if (data->report.other)
        COB_TRY(write_labels(file, "other-labels", data->report.other->row_labels, r->n, err));
    COB_TRY(write_texts(file, matrix, err));
    COB_TRY(write_maps(file, &data->report, err));
    COB_TRY(write_entries(file, data, &fits, err));
    if (fits) {
        COB_TRY(write_missing(file, data, err));
    } else {
        COB_TRY(write_grid(file, data, true, err));
        COB_TRY(write_grid(file, data, false, err));
    }
done:
    return status;
}

cobloc_status cobloc_report_write(const cobloc_report *report, const char *path, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_report_data data = {0};
    cob_file *file = NULL;
    COB_TRY(cob_report_data_make(report, &data, err));
    COB_TRY(cob_report_data_describe(&data, err));
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_bytes(file, cob_page_head, cob_page_head_size);
    cob_page_html(file, data.report.title ? data.report.title : "cobloc");
    cob_file_bytes(file, cob_page_body, cob_page_body_size);
    COB_TRY(write_data(file, &data, err));
    cob_file_bytes(file, cob_page_end, cob_page_end_size);
    COB_TRY(cob_file_commit(file, err));
done:
    cob_file_close(file);
    cob_report_data_free(&data);
    return status;
}
