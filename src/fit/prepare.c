/* The matrix as a model wants it: weighted, without empty rows and columns, big enough for k
 * clusters. SPDX-License-Identifier: MIT
 */
#include "fit/fit.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cob_prepared_free(cob_prepared *p)
{
    cobloc_matrix_free(p->filled); /* it may borrow from the weighted one */
    cobloc_matrix_free(p->weighted);
    cob_weigher_free(p->weigher);
    cob_free(p->row_map);
    cob_free(p->col_map);
    cob_free(p->fix_rows);
    cob_free(p->fix_cols);
    cob_free(p->start_rows);
    cob_free(p->start_cols);
    cob_free(p->row_effects);
    cob_free(p->col_effects);
    cob_free(p->base);
    cob_free(p->base_labels);
    *p = (cob_prepared){0};
}

/* ---- different lines ------------------------------------------------------------------------- */

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* How many of the first `count` lines differ from each other. `hashes` has room for them. */
static cobloc_status count_different(const cobloc_view *view, int64_t count, const cob_part *part,
                                     int side, uint64_t *hashes, int64_t *different,
                                     cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_between own = cob_part_lines(part, side, count);
    cob_part some = {.ranks = part->ranks};
    some.lines[side] = (cob_between){least(own.first, count), least(own.last, count)};
    for (int64_t i = some.lines[side].first; i < some.lines[side].last; i++)
        hashes[i] = cob_hash_line(view, i);
    COB_TRY(cob_part_gather(&some, side, hashes, sizeof *hashes, err));
    qsort(hashes, (size_t)count, sizeof *hashes, compare_hashes);
    *different = 0;
    for (int64_t i = 0; i < count; i++)
        *different += i == 0 || hashes[i] != hashes[i - 1];
done:
    return status;
}

cobloc_status cob_count_different(const cobloc_view *view, int64_t enough, const cob_part *part,
                                  int side, int64_t *different, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint64_t *hashes = NULL;
    int64_t looked = 0;
    *different = 0;
    COB_NEW_ROOM(hashes, view->major);
    for (int64_t look = 2 * enough + 16; *different < enough && looked < view->major; look *= 8) {
        looked = least(look, view->major);
        COB_TRY(count_different(view, looked, part, side, hashes, different, err));
    }
done:
    cob_free(hashes);
    return status;
}

/* Demands at least `wanted` lines that differ: no method could tell more clusters apart. In nearly
 * every matrix the first few lines show it. `sentence`: why they are wanted. */
static cobloc_status demand_different(const cobloc_view *view, int wanted, const cob_part *part,
                                      cob_axis side, const char *sentence, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *what = side == COB_ROWS ? "row" : "column";
    int64_t different;
    COB_CHECK(view->major >= wanted, COBLOC_BAD_DATA,
              "%s, but there %s only %lld %s%s with entries", sentence,
              view->major == 1 ? "is" : "are", (long long)view->major, what,
              view->major == 1 ? "" : "s");
    COB_TRY(cob_count_different(view, wanted, part, (int)side, &different, err));
    COB_CHECK(different > 1 || wanted <= 1, COBLOC_BAD_DATA, "%s, but all %ss are the same",
              sentence, what);
    COB_CHECK(different >= wanted, COBLOC_BAD_DATA,
              "%s, but only %lld %ss are different from each other", sentence, (long long)different,
              what);
done:
    return status;
}

/* Demands enough rows and columns. Some models have more column clusters than were asked for. */
static cobloc_status demand_lines(const cob_prepared *p, const cob_algorithm *algorithm, int k,
                                  int l, int asked, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_matrix *x = p->x;
    cobloc_view rows = cobloc_matrix_by_rows(x), cols = cobloc_matrix_by_cols(x);
    char sentence[160];
    snprintf(sentence, sizeof sentence, "%d clusters were asked for", k);
    COB_TRY(demand_different(&rows, k, &p->part, COB_ROWS, sentence, err));
    if (algorithm->one_sided)
        goto done;
    if (l == k || l == asked)
        snprintf(sentence, sizeof sentence, "%d clusters were asked for", l);
    else
        snprintf(sentence, sizeof sentence, "with %d row clusters, %s has %d column clusters", k,
                 algorithm->name, l);
    COB_TRY(demand_different(&cols, l, &p->part, COB_COLS, sentence, err));
done:
    return status;
}

/* ---- what the user gave for each row or column ----------------------------------------------- */

static cobloc_status map_into(const int32_t *given, const int32_t *map, int64_t count, int clusters,
                              bool unknown, const char *what, int32_t *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int64_t i = 0; i < count; i++) {
        bool may_lack = unknown || map[i] < 0; /* a line that is left out needs no label */
        COB_CHECK(given[i] < clusters && given[i] >= (may_lack ? -1 : 0), COBLOC_BAD_ARGUMENT,
                  "the %s of line %lld is %d, expected %d to %d", what, (long long)(i + 1),
                  (int)given[i], unknown ? -1 : 0, clusters - 1);
        if (map[i] >= 0)
            out[map[i]] = given[i];
    }
done:
    return status;
}

static cobloc_status map_labels(const int32_t *given, const int32_t *map, int64_t count,
                                int64_t kept, int clusters, bool unknown, const char *what,
                                int32_t **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (!given)
        return COBLOC_OK;
    COB_NEW(*out, kept);
    COB_TRY(map_into(given, map, count, clusters, unknown, what, *out, err));
done:
    return status;
}

/* The co-clusterings that are to be joined. */
static cobloc_status map_base(const cobloc_matrix *matrix, const cobloc_fit_options *o,
                              cob_prepared *p, cobloc_error *err)
{
    enum { MOST_CLUSTERS = 10000 };
    cobloc_status status = COBLOC_OK;
    int64_t rows = p->x->rows, lines = rows + p->x->cols;
    if (o->base_count <= 0)
        return COBLOC_OK;
    COB_NEW(p->base, o->base_count);
    COB_NEW(p->base_labels, (size_t)o->base_count * (size_t)lines);
    for (int b = 0; b < o->base_count; b++) {
        int32_t *own = p->base_labels + b * lines;
        COB_TRY(map_into(o->base[b].row_labels, p->row_map, matrix->rows, MOST_CLUSTERS, true,
                         "row label", own, err));
        bool both = o->base[b].col_labels != NULL;
        if (both)
            COB_TRY(map_into(o->base[b].col_labels, p->col_map, matrix->cols, MOST_CLUSTERS, true,
                             "column label", own + rows, err));
        p->base[b] = (cobloc_copartition){
            .row_labels = own, .col_labels = both ? own + rows : NULL, .paired = o->base[b].paired};
    }
done:
    return status;
}

/* Sums of entries, which are below 1e154, are divided by products of two sums of effects. */
cobloc_status cob_check_effect(double effect, int64_t line, const char *what, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(effect >= 1e-70 && effect <= 1e70, COBLOC_BAD_ARGUMENT,
              "the %s effect of line %lld is %g, expected a positive number from 1e-70 to 1e70",
              what, (long long)(line + 1), effect);
done:
    return status;
}

static cobloc_status map_effects(const double *given, const int32_t *map, int64_t count,
                                 int64_t kept, const char *what, double **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (!given)
        return COBLOC_OK;
    COB_NEW(*out, kept);
    for (int64_t i = 0; i < count; i++) {
        COB_TRY(cob_check_effect(given[i], i, what, err));
        if (map[i] >= 0)
            (*out)[map[i]] = given[i];
    }
done:
    return status;
}

cobloc_status cob_check_lengths(const cobloc_matrix *matrix, const cobloc_fit_options *o,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const struct {
        const char *name;
        int64_t found, expected;
    } all[] = {{"start_rows", o->start_row_count, matrix->rows},
               {"start_cols", o->start_col_count, matrix->cols},
               {"fix_rows", o->fix_row_count, matrix->rows},
               {"fix_cols", o->fix_col_count, matrix->cols},
               {"row_effects", o->row_effect_count, matrix->rows},
               {"col_effects", o->col_effect_count, matrix->cols}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        COB_CHECK(all[i].found == 0 || all[i].found == all[i].expected, COBLOC_BAD_DATA,
                  "%s has %lld elements, but the matrix has %lld such lines", all[i].name,
                  (long long)all[i].found, (long long)all[i].expected);
    for (int b = 0; b < o->base_count; b++)
        COB_TRY(cob_copartition_check(&o->base[b], matrix->rows, matrix->cols, err));
done:
    return status;
}

static cobloc_status map_all(const cobloc_matrix *matrix, const cobloc_fit_options *o, int k, int l,
                             cob_prepared *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t n = matrix->rows, d = matrix->cols, rows = p->x->rows, cols = p->x->cols;
    bool labels = o->start == COBLOC_START_LABELS;
    COB_CHECK(!labels || o->start_rows, COBLOC_BAD_ARGUMENT,
              "a start from labels needs row labels");
    COB_TRY(cob_check_lengths(matrix, o, err));
    COB_TRY(map_labels(o->fix_rows, p->row_map, n, rows, k, true, "known row label", &p->fix_rows,
                       err));
    COB_TRY(map_labels(o->fix_cols, p->col_map, d, cols, l, true, "known column label",
                       &p->fix_cols, err));
    if (labels) {
        COB_TRY(map_labels(o->start_rows, p->row_map, n, rows, k, false, "row label",
                           &p->start_rows, err));
        COB_TRY(map_labels(o->start_cols, p->col_map, d, cols, l, false, "column label",
                           &p->start_cols, err));
    }
    COB_TRY(map_effects(o->row_effects, p->row_map, n, rows, "row", &p->row_effects, err));
    COB_TRY(map_effects(o->col_effects, p->col_map, d, cols, "column", &p->col_effects, err));
    COB_TRY(map_base(matrix, o, p, err));
done:
    return status;
}

/* ---- preparing ------------------------------------------------------------------------------- */

cobloc_status cob_copies_make(cob_copies *copies, const cobloc_matrix *matrix, cob_weighing how,
                              cobloc_error *err)
{
    cobloc_matrix **copy = &copies->of[how.as_counts][how.weight];
    if (*copy || !cob_weighing_changes(matrix, &how))
        return COBLOC_OK;
    cobloc_status status = cob_matrix_weighted(matrix, matrix, NULL, &how, copy, NULL, err);
    copies->how[how.as_counts][how.weight] = how;
    return status;
}

void cob_copies_free(cob_copies *copies)
{
    for (int w = 0; w < COB_WEIGHTS; w++) {
        cobloc_matrix_free(copies->of[false][w]);
        cobloc_matrix_free(copies->of[true][w]);
    }
    *copies = (cob_copies){.narrow = copies->narrow};
}

const cobloc_matrix *cob_copies_find(const cob_copies *copies, const cobloc_matrix *matrix,
                                     cob_weighing how)
{
    const cobloc_matrix *copy = copies->of[how.as_counts][how.weight];
    return copy ? copy : matrix;
}

cob_weighing cob_result_weighing(const cobloc_result *r)
{
    cob_algorithm a;
    bool counts = cob_algorithm_named(r->model, &a) && a.counts;
    return (cob_weighing){.weight = r->weight,
                          .as_counts = counts,
                          .unit = r->unit,
                          .mean_length = r->mean_length,
                          .scale = r->scale};
}

/* The matrix as it is weighed: a shared copy, one of its own, or itself. */
static cobloc_status weigh(const cobloc_matrix *matrix, cob_copies *copies, cob_prepared *p,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (copies)
        COB_TRY(cob_copies_make(copies, matrix, p->how, err));
    if (copies && copies->of[p->how.as_counts][p->how.weight]) {
        p->x = cob_copies_find(copies, matrix, p->how);
        p->how = copies->how[p->how.as_counts][p->how.weight];
    } else if (cob_weighing_changes(matrix, &p->how)) {
        COB_TRY(cob_matrix_weighted(matrix, matrix, NULL, &p->how, &p->weighted, NULL, err));
        p->x = p->weighted;
    }
done:
    return status;
}

cobloc_status cob_check_entries(const cobloc_matrix *matrix, const cob_algorithm *a,
                                cobloc_error *err)
{
    enum { MOST_CATEGORIES = 255 };
    cobloc_status status = COBLOC_OK;
    bool codes = a->model && a->model->law == COB_LAW_CATEGORICAL;
    COB_TRY(cob_matrix_check_cells(matrix, a->name, a->takes_negative, a->takes_missing, err));
    COB_CHECK(!codes || cob_are_codes(matrix, MOST_CATEGORIES), COBLOC_BAD_DATA,
              "%s takes categories, at most %d of them: whole numbers from 0 on, or words", a->name,
              MOST_CATEGORIES);
done:
    return status;
}

cobloc_status cob_verify_together(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_ranks *ranks = NULL;
    COB_TRY(cob_ranks_open(&options->communicator, &ranks, err));
    COB_TRY(cob_matrix_verify(matrix, ranks, err));
done:
    cob_ranks_close(ranks);
    return status;
}

static cobloc_status drop_empty(const cobloc_matrix *matrix, const cob_algorithm *a,
                                const cob_parts *parts, cob_prepared *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (a->zeros_matter || matrix->empty_rows + matrix->empty_cols == 0)
        return COBLOC_OK;
    COB_TRY(cob_matrix_drop_empty(p->x, parts, &p->filled, p->row_map, p->col_map, err));
    COB_KNOWN(p->filled);
    p->x = p->filled;
done:
    return status;
}

/* Bytes of a mapping. */
typedef struct piece {
    const char *start, *end;
} piece;

static int compare_pieces(const void *a, const void *b)
{
    const char *first = ((const piece *)a)->start, *second = ((const piece *)b)->start;
    return (first > second) - (first < second);
}

/* All lines were looked at: gives back the pages of a file but for those that passes over this
 * rank's lines will read in place. */
static void give_back_others(const cobloc_matrix *matrix, const cobloc_matrix *x,
                             const cob_part *part)
{
    const cob_side *sides[] = {&x->by_row, &x->by_col};
    size_t width = cob_kind_width(x->kind);
    piece kept[4];
    if (!matrix->mapping)
        return;
    const char *at = matrix->mapping, *end = at + matrix->mapping_bytes;
    for (int side = 0; side < 2; side++) {
        const int64_t *offsets = sides[side]->offsets;
        size_t first = (size_t)offsets[part->lines[side].first];
        size_t last = (size_t)offsets[part->lines[side].last];
        const char *indices = (const char *)sides[side]->indices, *values = sides[side]->values;
        kept[2 * side] =
            (piece){indices + first * sizeof(int32_t), indices + last * sizeof(int32_t)};
        kept[2 * side + 1] = (piece){values, values};
        if (values)
            kept[2 * side + 1] = (piece){values + first * width, values + last * width};
    }
    qsort(kept, 4, sizeof *kept, compare_pieces);
    for (int i = 0; i < 4; i++)
        if (kept[i].start >= at && kept[i].end <= end) {
            cob_give_back(at, (size_t)(kept[i].start - at));
            at = kept[i].end;
        }
    cob_give_back(at, (size_t)(end - at));
}

/* Each rank numbers and weighs the entries of its own lines only. */
static cobloc_status prepare_part(const cobloc_matrix *matrix, const cob_algorithm *a,
                                  const cob_parts *parts, cob_prepared *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_weighing *how = &p->how;
    bool binary = how->weight == COBLOC_WEIGHT_BINARY;
    if (binary) /* that needs no look at the entries */
        COB_TRY(weigh(matrix, NULL, p, err));
    const cobloc_matrix *from = p->x;
    COB_TRY(drop_empty(matrix, a, parts, p, err));
    p->part = cob_part_of(parts, p->x);
    cob_weighing asked = *how;
    if (how->as_counts)
        how->unit = cob_matrix_unit(matrix, &(cob_shared_values){.ranks = parts->ranks});
    if (!binary && cob_weighing_changes(matrix, how)) {
        COB_TRY(cob_matrix_weighted(matrix, p->x, &p->part, how, &p->weighted, &p->weigher, err));
        p->x = p->weighted;
    } else {
        *how = asked; /* nothing was measured */
    }
    if (p->filled || p->weigher || p->x->kind > COBLOC_U32)
        p->from = from;
    p->file = matrix;
    give_back_others(matrix, p->x, &p->part);
done:
    return status;
}

/* Whether some rank has no more than its own share of the entries. */
static cobloc_status agree_apart(const cobloc_matrix *matrix, cob_ranks *ranks, bool *apart,
                                 cobloc_error *err)
{
    int64_t lacking = cobloc_matrix_shards_missing(matrix) > 0;
    if (ranks && !cob_ranks_vote(ranks, lacking, &lacking))
        return cob_ranks_check(ranks, err);
    *apart = lacking > 0;
    return COBLOC_OK;
}

cobloc_status cob_prepare(const cobloc_matrix *matrix, cob_copies *copies,
                          const cobloc_fit_options *options, const cob_algorithm *algorithm, int k,
                          int l, cob_ranks *sharing, cob_prepared *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_parts parts = {sharing, cob_is_soft(options->inference)};
    *p = (cob_prepared){.x = matrix, .how = cob_algorithm_weighing(algorithm, options->weight)};
    p->how.narrow = copies && copies->narrow && p->how.weight != COBLOC_WEIGHT_NONE;
    if (!sharing || matrix->kind > COBLOC_U32 || !cob_can_part(matrix, options, algorithm, k, l) ||
        cob_weighing_changes(matrix, &p->how))
        COB_TRY(cob_matrix_demand_all(matrix, err));
    COB_TRY(cob_matrix_verify(matrix, sharing, err));
    COB_TRY(agree_apart(matrix, sharing, &p->apart, err));
    COB_CHECK(matrix->nnz > 0, COBLOC_BAD_DATA, "the matrix holds no entries at all");
    COB_TRY(cob_check_entries(matrix, algorithm, err));
    COB_NEW(p->row_map, matrix->rows);
    COB_NEW(p->col_map, matrix->cols);
    for (int64_t i = 0; i < matrix->rows; i++)
        p->row_map[i] = (int32_t)i;
    for (int64_t j = 0; j < matrix->cols; j++)
        p->col_map[j] = (int32_t)j;
    if (sharing && cob_can_part(matrix, options, algorithm, k, l)) {
        COB_TRY(prepare_part(matrix, algorithm, &parts, p, err));
    } else {
        COB_TRY(weigh(matrix, copies, p, err));
        COB_TRY(drop_empty(matrix, algorithm, NULL, p, err));
    }
    COB_TRY(demand_lines(p, algorithm, k, l, options->l, err));
    COB_TRY(map_all(matrix, options, k, l, p, err));
done:
    return status;
}
