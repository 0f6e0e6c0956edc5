/* The last step from text to a matrix.
 * SPDX-License-Identifier: MIT
 */
#include "text/assemble.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "matrix/matrix.h"
#include "text/vocabulary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct row {
    cob_place place;
    int32_t counter;
    int64_t document; /* of that counter */
} row;

static int by_place(const void *a, const void *b)
{
    const cob_place *x = &((const row *)a)->place, *y = &((const row *)b)->place;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static cobloc_status order_rows(const cob_counter *counters, int count, int64_t documents,
                                row **rows, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t next = 0;
    COB_NEW(*rows, documents + 1);
    for (int c = 0; c < count; c++)
        for (size_t d = 0; d < counters[c].document_count; d++)
            (*rows)[next++] = (row){counters[c].documents[d].place, c, (int64_t)d};
    if (count > 1) /* each counter's own are in order */
        qsort(*rows, (size_t)documents, sizeof **rows, by_place);
done:
    return status;
}

static int by_term(const void *a, const void *b)
{
    return ((const cob_entry *)a)->term - ((const cob_entry *)b)->term;
}

/* Most documents are short, and then insertion is the quickest. */
static void sort_entries(cob_entry *entries, int64_t count)
{
    if (count > 40) {
        qsort(entries, (size_t)count, sizeof *entries, by_term);
        return;
    }
    for (int64_t i = 1; i < count; i++) {
        cob_entry moved = entries[i];
        int64_t to = i;
        for (; to > 0 && entries[to - 1].term > moved.term; to--)
            entries[to] = entries[to - 1];
        entries[to] = moved;
    }
}

/* ---- entries --------------------------------------------------------------------------------- */

typedef struct filling {
    const cob_counter *counters;
    const cob_vocabulary *vocabulary;
    const row *rows;
    int64_t documents;
    int threads;
} filling;

static const cob_counted *counted(const filling *f, int64_t i)
{
    return &f->counters[f->rows[i].counter].documents[f->rows[i].document];
}

/* The number of entries before each row, and the kind that holds all counts. */
static cobloc_value_kind measure(const filling *f, int64_t *offsets)
{
    uint32_t bits = 0;
    cob_tally tally = {0};
    offsets[0] = 0;
#pragma omp parallel for schedule(static) num_threads(f->threads) reduction(| : bits)
    for (int64_t i = 0; i < f->documents; i++) {
        const cob_counted *d = counted(f, i);
        const int32_t *column = f->vocabulary->column[f->rows[i].counter];
        int64_t kept = 0;
        for (int32_t e = 0; e < d->entry_count; e++)
            if (column[d->entries[e].term] >= 0) {
                kept++;
                bits |= d->entries[e].count;
            }
        offsets[i + 1] = kept;
    }
    for (int64_t i = 0; i < f->documents; i++)
        offsets[i + 1] += offsets[i];
    tally.count_bits = bits;
    return cob_tally_kind(&tally);
}

/* One row, its entries sorted in `room`, which has room for all of them. */
static void fill_row(const filling *f, int64_t i, cob_entry *room, cobloc_value_kind kind,
                     cob_side *side)
{
    const cob_counted *d = counted(f, i);
    const int32_t *column = f->vocabulary->column[f->rows[i].counter];
    int64_t kept = 0, first = side->offsets[i];
    for (int32_t e = 0; e < d->entry_count; e++)
        if (column[d->entries[e].term] >= 0)
            room[kept++] = (cob_entry){column[d->entries[e].term], d->entries[e].count};
    sort_entries(room, kept);
    for (int64_t e = 0; e < kept; e++) {
        side->indices[first + e] = room[e].term;
        cob_value_set(kind, side->values, first + e, room[e].count);
    }
}

static cobloc_status fill(const filling *f, cobloc_value_kind kind, cob_side *side,
                          cobloc_error *err)
{
    int64_t longest = 0;
    int failed = 0;
    for (int64_t i = 0; i < f->documents; i++)
        if (side->offsets[i + 1] - side->offsets[i] > longest)
            longest = side->offsets[i + 1] - side->offsets[i];
#pragma omp parallel num_threads(f->threads) reduction(| : failed)
    {
        cob_entry *room = cob_alloc((size_t)longest + 1, sizeof *room);
        failed = room == NULL;
#pragma omp for schedule(static)
        for (int64_t i = 0; i < f->documents; i++)
            if (room)
                fill_row(f, i, room, kind, side);
        cob_free(room);
    }
    return failed ? cob_fail(err, COBLOC_NO_MEMORY, "out of memory") : COBLOC_OK;
}

static cobloc_status make_matrix(const filling *f, int64_t cols, cobloc_matrix **out,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_side side = {0};
    int64_t *offsets = NULL;
    COB_NEW(offsets, f->documents + 1);
    cobloc_value_kind kind = measure(f, offsets);
    COB_TRY(cob_side_alloc(&side, f->documents, offsets[f->documents], kind, err));
    memcpy(side.offsets, offsets, (size_t)(f->documents + 1) * sizeof *offsets);
    COB_TRY(fill(f, kind, &side, err));
    status = cob_matrix_own(f->documents, cols, kind, &side, f->threads, out, err);
done:
    cob_side_free(&side);
    cob_free(offsets);
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

static cobloc_status name_rows(const filling *f, cobloc_matrix *matrix, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int64_t i = 0; i < f->documents; i++) {
        const cob_counter *counter = &f->counters[f->rows[i].counter];
        const char *name = cob_names_get(&counter->names, f->rows[i].document);
        const char *label = cob_names_get(&counter->labels, f->rows[i].document);
        COB_TRY(cob_names_add(&matrix->row_names, name, strlen(name), err));
        if (label)
            COB_TRY(cob_names_add(&matrix->row_labels, label, strlen(label), err));
    }
done:
    return status;
}

static cobloc_status keep_settings(const cob_settings *settings, cobloc_matrix *matrix,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *object = cob_text_options_to_json(settings);
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    COB_CHECK(text, COBLOC_NO_MEMORY, "out of memory");
    COB_NEW(matrix->text, strlen(text) + 1);
    strcpy(matrix->text, text);
done:
    free(text);
    json_decref(object);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static cobloc_status fail_without_terms(const char *where, const cobloc_text_info *info,
                                        const cobloc_text_options *o, cobloc_error *err)
{
    if (info->tokens == 0)
        return cob_fail(err, COBLOC_BAD_DATA,
                        "%s: the %lld documents hold no words that count (stop words, numbers and "
                        "words below %d letters do not)",
                        where, (long long)info->documents, o->min_length);
    return cob_fail(
        err, COBLOC_BAD_DATA,
        "%s: no term is left of the %lld documents: %lld are in fewer than min_df = %g, "
        "%lld in more than max_df = %g of them",
        where, (long long)info->documents, (long long)info->rare, o->min_df,
        (long long)info->frequent, o->max_df);
}

static void complete(const cob_settings *settings, const cob_counter *counters, int count,
                     cobloc_text_info *info)
{
    for (int c = 0; c < count; c++) {
        info->documents += (int64_t)counters[c].document_count;
        info->tokens += counters[c].tokens;
    }
    memcpy(info->language, settings->language, sizeof info->language);
    memcpy(info->stem, settings->stem, sizeof info->stem);
}

cobloc_status cob_assemble(const cob_settings *settings, cob_counter *counters, int count,
                           const char *where, cobloc_matrix **out, cobloc_text_info *info,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_vocabulary vocabulary = {0};
    cobloc_matrix *matrix = NULL;
    row *rows = NULL;
    complete(settings, counters, count, info);
    COB_CHECK(info->documents > 0, COBLOC_BAD_DATA, "%s: there are no documents", where);
    COB_CHECK(info->documents <= INT32_MAX, COBLOC_UNSUPPORTED,
              "%s: there are more than %d documents", where, INT32_MAX);
    COB_TRY(cob_vocabulary_make(counters, count, info->documents, &vocabulary, info, err));
    if (vocabulary.names.count == 0)
        COB_TRY(fail_without_terms(where, info, &settings->options, err));
    COB_TRY(order_rows(counters, count, info->documents, &rows, err));
    filling f = {counters, &vocabulary, rows, info->documents, count};
    COB_TRY(make_matrix(&f, vocabulary.names.count, &matrix, err));
    COB_TRY(name_rows(&f, matrix, err));
    cob_names_move(&matrix->col_names, &vocabulary.names);
    COB_TRY(keep_settings(settings, matrix, err));
    matrix->format = "text";
    *out = matrix;
    matrix = NULL;
done:
    cobloc_matrix_free(matrix);
    cob_vocabulary_free(&vocabulary);
    cob_free(rows);
    return status;
}
