/* Operands: layers side by side, and products.
 * SPDX-License-Identifier: MIT
 */
#include "engine/operand.h"

#include "base/alloc.h"
#include "matrix/kernels.h"

#include <math.h>
#include <string.h>

/* ---- layers ---------------------------------------------------------------------------------- */

/* What an entry, and a missing cell, is in each layer. */
typedef struct recipe {
    int layers, values; /* the last layer may be what is missing: that beyond `values` */
    bool ones;          /* all that is not 0 is 1 */
    cob_entries entries;
    double origin;
    double (*of_value)(const struct recipe *recipe, int layer, double x);
    double (*of_gap)(const struct recipe *recipe, int layer, int64_t index);
    double *fill;   /* for of_gap: by the index */
    double *scales; /* of each layer, in whose units values are stored; NULL: as they are */
} recipe;

static double in_its_layers(const recipe *r, int layer, double x)
{
    return layer < r->values ? cob_in_layer(r->entries, layer, x - r->origin) : 0;
}

static double in_last_layer(const recipe *r, int layer, int64_t index)
{
    (void)index;
    return layer == r->values;
}

static cobloc_view view_of(const cobloc_matrix *x, cob_axis side)
{
    return side == COB_ROWS ? cobloc_matrix_by_rows(x) : cobloc_matrix_by_cols(x);
}

/* One layer of a line, entries and gaps in the order of their indices: writes what is not 0 from
 * `at` on, if `to` is given, and returns where it ends. */
static int64_t write_layer(const recipe *r, int layer, const cobloc_view *view,
                           const cobloc_view *gaps, int64_t line, int64_t at, cob_side *to)
{
    int64_t e = view->offsets[line], last = view->offsets[line + 1];
    int64_t g = gaps ? gaps->offsets[line] : 0, end = gaps ? gaps->offsets[line + 1] : 0;
    while (e < last || g < end) {
        bool entry = g == end || (e < last && view->indices[e] < gaps->indices[g]);
        int64_t index = entry ? view->indices[e] : gaps->indices[g];
        double value =
            entry ? r->of_value(r, layer, cobloc_view_value(view, e)) : r->of_gap(r, layer, index);
        e += entry;
        g += !entry;
        if (r->scales)
            value = cob_whole(value * r->scales[layer]);
        if (value == 0)
            continue;
        if (to)
            to->indices[at] = (int32_t)(layer * view->minor + index);
        if (to && !r->ones)
            ((double *)to->values)[at] = value;
        at++;
    }
    return at;
}

/* The lines of one side with all their layers. */
static cobloc_status write_lines(const recipe *r, const cobloc_matrix *x, cob_axis side,
                                 cob_side *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view view = view_of(x, side), gaps = {0};
    const cobloc_view *absent = x->missing ? &gaps : NULL;
    int64_t count = 0, at = 0;
    if (x->missing)
        gaps = view_of(x->missing, side);
    COB_CHECK(view.minor <= INT32_MAX / r->layers, COBLOC_UNSUPPORTED,
              "%d layers of %lld lines are more than an index can count", r->layers,
              (long long)view.minor);
    for (int64_t i = 0; i < view.major; i++)
        for (int c = 0; c < r->layers; c++)
            count = write_layer(r, c, &view, absent, i, count, NULL);
    COB_TRY(cob_side_alloc(to, view.major, count, r->ones ? COBLOC_ONES : COBLOC_F64, err));
    for (int64_t i = 0; i < view.major; i++) {
        to->offsets[i] = at;
        for (int c = 0; c < r->layers; c++)
            at = write_layer(r, c, &view, absent, i, at, to);
    }
    to->offsets[view.major] = at;
done:
    return status;
}

/* ---- memberships ----------------------------------------------------------------------------- */

static void lend_as_they_are(const cob_operand *o, cob_axis of, const int32_t *labels,
                             const double *soft, int clusters, int threads, cob_lent *lent)
{
    (void)o, (void)of, (void)clusters, (void)threads;
    lent->labels = labels;
    lent->soft = soft;
}

/* Every layer has clusters of its own; the kernels know where to find soft memberships. */
static void lend_copies(const cob_operand *o, cob_axis of, const int32_t *labels,
                        const double *soft, int clusters, int threads, cob_lent *lent)
{
    int64_t count = o->lines[of].major;
    (void)threads;
    for (int c = 0; !soft && c < o->depth.layers; c++)
        for (int64_t j = 0; j < count; j++)
            lent->copies[c * count + j] = c * clusters + labels[j];
    lent->labels = lent->copies;
    lent->soft = soft;
}

static void lend_product(const cob_operand *o, cob_axis of, const int32_t *labels,
                         const double *soft, int clusters, int threads, cob_lent *lent)
{
    cobloc_view inner = cobloc_matrix_by_cols(o->product.factor[of]);
    if (soft)
        cob_multiply(&inner, soft, clusters, threads, lent->table);
    else
        cob_reduce(&inner, labels, clusters, threads, lent->table);
    for (int64_t at = 0; at < inner.major; at++)
        for (int k = 0; k < clusters; k++)
            lent->table[at * clusters + k] *= o->product.scale[at];
    lent->soft = lent->table;
}

cobloc_status cob_lent_alloc(const cob_operand *o, cob_axis of, int clusters, cob_lent *lent,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *lent = (cob_lent){0};
    if (o->depth.layers > 1)
        COB_NEW(lent->copies, (size_t)o->depth.layers * (size_t)o->lines[of].major);
    if (o->product.scale)
        COB_NEW(lent->table, (size_t)cobloc_matrix_cols(o->product.factor[of]) * (size_t)clusters);
done:
    return status;
}

void cob_lent_free(cob_lent *lent)
{
    cob_free(lent->copies);
    cob_free(lent->table);
    *lent = (cob_lent){0};
}

/* ---- the three kinds ------------------------------------------------------------------------- */

/* Layers of what entries say. */
static int count_values(const cobloc_matrix *x, cob_entries entries)
{
    double largest = 1;
    if (entries != COB_CODES)
        return entries == COB_MOMENTS ? 2 : 1;
    for (int64_t e = 0; e < x->nnz; e++)
        largest = fmax(largest, cob_value_get(x->kind, x->by_row.values, e));
    return (int)fmax(largest, (double)x->categories.count - 1);
}

/* The variance of the cells that are not missing; and their mean, where none of them is 0 without
 * saying so: else it would have to be taken from every zero, too. */
static void measure_moments(const cobloc_matrix *x, cob_operand *o)
{
    double missing = x->missing ? (double)x->missing->nnz : 0, squares = 0;
    double cells = (double)x->rows * (double)x->cols - missing, mean = x->total / cells;
    for (int64_t e = 0; e < x->nnz; e++) {
        double centred = cob_value_get(x->kind, x->by_row.values, e) - mean;
        squares += centred * centred;
    }
    double zeros = cells - (double)x->nnz;
    o->variance = (squares + zeros * mean * mean) / cells;
    o->origin = zeros == 0 ? mean : 0;
}

/* A unit for each layer. */
static cobloc_status find_units(const cobloc_matrix *x, const recipe *r, double **scales,
                                double **units, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t cells = x->nnz + (x->missing ? x->missing->nnz : 0);
    COB_NEW(*scales, r->layers);
    COB_NEW(*units, r->layers);
    for (int c = 0; c < r->layers; c++) {
        double largest = c < r->values ? 0 : 1; /* what is missing is 1 */
        for (int64_t e = 0; e < x->nnz; e++)
            largest =
                fmax(largest, fabs(r->of_value(r, c, cob_value_get(x->kind, x->by_row.values, e))));
        cob_value_grid grid = cob_grid_for(largest, cells, COB_GRID_MOST_BITS);
        (*scales)[c] = grid.scale;
        (*units)[c] = grid.unit;
    }
done:
    return status;
}

static cobloc_status make_layers(const cobloc_matrix *x, cob_entries entries, cob_operand *o,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    recipe r = {.layers = o->depth.layers,
                .values = o->depth.values,
                .ones = entries == COB_CODES || (entries == COB_VALUES && x->kind == COBLOC_ONES),
                .entries = entries,
                .origin = o->origin,
                .of_value = in_its_layers,
                .of_gap = in_last_layer};
    if (!r.ones)
        COB_TRY(find_units(x, &r, &r.scales, &o->units, err));
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        COB_TRY(write_lines(&r, x, side, &o->own[side], err));
        cobloc_view *lines = &o->lines[side];
        lines->minor *= r.layers;
        lines->offsets = o->own[side].offsets;
        lines->indices = o->own[side].indices;
        lines->values = o->own[side].values;
        lines->nnz = lines->offsets[lines->major];
        lines->kind = r.ones ? COBLOC_ONES : COBLOC_F64;
    }
    o->turned = false;
    o->lend = lend_copies;
done:
    cob_free(r.scales);
    return status;
}

/* The first line whose values are so small that rounding them could be noticed; -1: none. */
static int64_t find_coarse(const cobloc_view *view, const double *sums, cob_value_grid grid)
{
    enum { LEAST = 1 << 10 }; /* units */
    for (int64_t i = 0; i < view->major; i++) {
        double entries = (double)(view->offsets[i + 1] - view->offsets[i]);
        if (entries > 0 && sums[i] / entries < LEAST * grid.unit)
            return i;
    }
    return -1;
}

/* The real values of one side as integers; *coarse: a line that has not enough bits, or -1. */
static cobloc_status round_side(const cobloc_matrix *x, cob_axis side, const cob_part *part,
                                int bits, cob_operand *o, int64_t *coarse, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view view = view_of(x, side);
    cob_between own = cob_part_lines(part, (int)side, view.major);
    cob_free(o->own[side].values);
    cob_free(o->sums[side]);
    o->own[side].values = o->sums[side] = NULL;
    COB_TRY(
        cob_view_on_grid(&view, own, o->grid, bits, &o->lines[side], &o->own[side].values, err));
    COB_NEW(o->sums[side], view.major);
    int64_t total = cob_grid_sums(&o->lines[side], own, o->grid.unit, o->sums[side]);
    COB_TRY(cob_part_gather(part, (int)side, o->sums[side], sizeof *o->sums[side], err));
    if (part->ranks && !cob_ranks_add(part->ranks, &total, 1))
        COB_TRY(cob_ranks_check(part->ranks, err));
    o->total = (double)total * o->grid.unit;
    *coarse = find_coarse(&view, o->sums[side], o->grid);
done:
    return status;
}

static cobloc_status make_integers(const cobloc_matrix *x, const cob_part *part, cob_operand *o,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view rows = view_of(x, COB_ROWS);
    int64_t row = 0, col = 0;
    o->grid = (cob_value_grid){1, 1};
    if (x->kind <= COBLOC_U32)
        return COBLOC_OK;
    for (int bits = COB_GRID_BITS; row >= 0 || col >= 0; bits = COB_GRID_MOST_BITS) {
        COB_CHECK(!o->sums[COB_COLS] || o->lines[COB_ROWS].kind == COBLOC_U32, COBLOC_BAD_DATA,
                  "the values of %s %lld are too small beside the largest of the matrix: leave it "
                  "out, or narrow the range, by logarithms for example",
                  row >= 0 ? "row" : "column", (long long)(row >= 0 ? row : col) + 1);
        o->grid =
            cob_grid_of_entries(&rows, cob_part_lines(part, 0, rows.major), part->ranks, bits);
        COB_TRY(round_side(x, COB_ROWS, part, bits, o, &row, err));
        COB_TRY(round_side(x, COB_COLS, part, bits, o, &col, err));
    }
done:
    return status;
}

cobloc_status cob_operand_make(const cobloc_matrix *x, const cob_model *model, const cob_part *part,
                               cob_operand *o, cobloc_error *err)
{
    int values = count_values(x, model->entries);
    *o = (cob_operand){
        .lines = {view_of(x, COB_ROWS), view_of(x, COB_COLS)},
        .depth = {values, values + (x->missing != NULL), cob_parameter_count(model, values)},
        .turned = true,
        .total = x->total,
        .lend = lend_as_they_are};
    if (model->entries == COB_MOMENTS)
        measure_moments(x, o);
    if (o->depth.layers == 1) /* of two categories, too: the entries are ones */
        return make_integers(x, part, o, err);
    return make_layers(x, model->entries, o, err);
}

cob_operand cob_operand_of_product(cob_factors product)
{
    return (cob_operand){.lines = {cobloc_matrix_by_rows(product.factor[COB_ROWS]),
                                   cobloc_matrix_by_rows(product.factor[COB_COLS])},
                         .depth = {1, 1, 1},
                         .grid = {1, 1},
                         .product = product,
                         .lend = lend_product};
}

void cob_operand_free(cob_operand *o)
{
    cob_side_free(&o->own[COB_ROWS]);
    cob_side_free(&o->own[COB_COLS]);
    cob_free(o->units);
    cob_free(o->sums[COB_ROWS]);
    cob_free(o->sums[COB_COLS]);
    *o = (cob_operand){0};
}

/* ---- points ---------------------------------------------------------------------------------- */

/* One layer for each category but the first, and one that all of these share: any two categories
 * are then equally far apart. */
static double corner(const recipe *r, int layer, double x)
{
    return layer == r->layers - 1 ? 1 : cob_in_layer(COB_CODES, layer, x);
}

static double between_corners(const recipe *r, int layer, int64_t index)
{
    double categories = r->layers;
    (void)index;
    return layer == r->layers - 1 ? (categories - 1) / categories : 1 / categories;
}

static double mean_of_index(const recipe *r, int layer, int64_t index)
{
    (void)layer;
    return r->fill[index];
}

/* The mean of each line of the other side, without what is missing. */
static cobloc_status find_means(const cobloc_matrix *x, cob_axis side, double origin,
                                double **means, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view across = view_of(x, cob_other_side(side)), gaps = {0};
    const double *sums = side == COB_ROWS ? x->col_sums : x->row_sums;
    if (x->missing)
        gaps = view_of(x->missing, cob_other_side(side));
    COB_NEW(*means, across.major);
    for (int64_t j = 0; j < across.major; j++) {
        int64_t absent = x->missing ? gaps.offsets[j + 1] - gaps.offsets[j] : 0;
        (*means)[j] =
            absent < across.minor ? sums[j] / (double)(across.minor - absent) - origin : 0;
    }
done:
    return status;
}

cobloc_status cob_points_make(const cobloc_matrix *x, const cob_operand *o, const cob_model *model,
                              cob_axis side, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool codes = model->entries == COB_CODES;
    recipe r = {.layers = codes ? o->depth.values + 1 : 1,
                .values = 1,
                .entries = model->entries,
                .origin = o->origin,
                .of_value = codes ? corner : in_its_layers,
                .of_gap = codes ? between_corners : mean_of_index};
    cob_side lines = {0};
    cobloc_view view = view_of(x, side);
    if (!codes)
        COB_TRY(find_means(x, side, o->origin, &r.fill, err));
    COB_TRY(write_lines(&r, x, side, &lines, err));
    COB_TRY(cob_matrix_own(view.major, view.minor * r.layers, COBLOC_F64, &lines, 0, out, err));
done:
    cob_side_free(&lines);
    cob_free(r.fill);
    return status;
}
