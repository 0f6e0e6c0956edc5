/* The last step from text to a matrix.
 * SPDX-License-Identifier: MIT
 */
#include "text/assemble.h"

#include "base/alloc.h"
#include "base/json.h"
#include "matrix/matrix.h"
#include "text/excerpt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

/* A stretch of documents, and its first row. */
typedef struct row_run {
    const cob_stretch *stretch;
    int counter;
    int64_t row;
} row_run;

typedef struct filling {
    cob_counter *counters;
    int threads;   /* one per counter */
    row_run *runs; /* in the order of the corpus */
    int64_t count, documents;
    cob_vocabulary vocabulary;
    cob_names names, labels, excerpts, fields;
} filling;

static void release(filling *f)
{
    cob_free(f->runs);
    cob_vocabulary_free(&f->vocabulary);
    cob_names_free(&f->names);
    cob_names_free(&f->labels);
    cob_names_free(&f->excerpts);
    cob_names_free(&f->fields);
}

static int by_place(const void *a, const void *b)
{
    const cob_place *x = &((const row_run *)a)->stretch->place,
                    *y = &((const row_run *)b)->stretch->place;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static cobloc_status order_rows(filling *f, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t all = 0;
    for (int c = 0; c < f->threads; c++)
        all += f->counters[c].stretch_count;
    COB_NEW(f->runs, all);
    for (int c = 0; c < f->threads; c++)
        for (size_t s = 0; s < f->counters[c].stretch_count; s++)
            f->runs[f->count++] = (row_run){&f->counters[c].stretches[s], c, 0};
    if (f->threads > 1) /* one counter's runs are already in order */
        qsort(f->runs, all, sizeof *f->runs, by_place);
    for (int64_t r = 0; r < f->count; r++) {
        f->runs[r].row = f->documents;
        f->documents += f->runs[r].stretch->count;
    }
done:
    return status;
}

static int by_term(const void *a, const void *b)
{
    return ((const cob_entry *)a)->term - ((const cob_entry *)b)->term;
}

enum { VERY_FEW = 16, FEW = 40 };

/* Counts, for each entry, the entries before it. This has no dependent steps and no branches to
 * mispredict. */
static void sort_very_few(cob_entry *entries, int32_t count)
{
    int32_t terms[VERY_FEW], places[VERY_FEW] = {0};
    cob_entry sorted[VERY_FEW];
    for (int32_t i = 0; i < VERY_FEW; i++)
        terms[i] = i < count ? entries[i].term : INT32_MAX;
    for (int32_t k = 0; k < count; k++)
        for (int32_t i = 0; i < VERY_FEW; i++)
            places[i] += terms[k] < terms[i];
    for (int32_t i = 0; i < count; i++)
        sorted[places[i]] = entries[i];
    memcpy(entries, sorted, (size_t)count * sizeof *entries);
}

/* Most documents are short. */
static void sort_entries(cob_entry *entries, int32_t count)
{
    if (count <= VERY_FEW) {
        sort_very_few(entries, count);
        return;
    }
    if (count > FEW) {
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

/* Maps a counter's terms to columns, in place: drops terms that are not columns, and sorts the
 * others. Returns the bitwise OR of the counts. */
static uint32_t finish_row(cob_counted *d, const int32_t *column)
{
    uint32_t bits = 0;
    int32_t kept = 0;
    for (int32_t e = 0; e < d->entry_count; e++) {
        cob_entry entry = {column[d->entries[e].term], d->entries[e].count};
        d->entries[kept] = entry;
        kept += entry.term >= 0;
        bits |= entry.term >= 0 ? entry.count : 0;
    }
    d->entry_count = kept;
    sort_entries(d->entries, kept);
    return bits;
}

/* Finishes all rows. Sets the offsets, and returns the smallest kind that holds all counts. */
static cobloc_value_kind measure(const filling *f, int64_t *offsets)
{
    uint32_t bits = 0;
    cob_tally tally = {0};
    offsets[0] = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(f->threads) reduction(| : bits)
    for (int64_t r = 0; r < f->count; r++) {
        const row_run *run = &f->runs[r];
        const int32_t *column = f->vocabulary.column[run->counter];
        cob_counted *documents = f->counters[run->counter].documents + run->stretch->first;
        for (int64_t i = 0; i < run->stretch->count; i++) {
            bits |= finish_row(&documents[i], column);
            offsets[run->row + i + 1] = documents[i].entry_count;
        }
    }
    for (int64_t i = 0; i < f->documents; i++)
        offsets[i + 1] += offsets[i];
    tally.count_bits = bits;
    return cob_tally_kind(&tally);
}

static void fill(const filling *f, cobloc_value_kind kind, cob_side *side)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(f->threads)
    for (int64_t r = 0; r < f->count; r++) {
        const row_run *run = &f->runs[r];
        const cob_counted *documents = f->counters[run->counter].documents + run->stretch->first;
        int64_t to = side->offsets[run->row];
        for (int64_t i = 0; i < run->stretch->count; i++)
            for (int32_t e = 0; e < documents[i].entry_count; e++, to++) {
                side->indices[to] = documents[i].entries[e].term;
                cob_value_set(kind, side->values, to, documents[i].entries[e].count);
            }
    }
}

static cobloc_status make_matrix(const filling *f, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_side side = {0};
    int64_t *offsets = NULL;
    COB_NEW(offsets, f->documents + 1);
    cobloc_value_kind kind = measure(f, offsets);
    COB_TRY(cob_side_alloc(&side, f->documents, offsets[f->documents], kind, err));
    memcpy(side.offsets, offsets, (size_t)(f->documents + 1) * sizeof *offsets);
    fill(f, kind, &side);
    status =
        cob_matrix_own(f->documents, f->vocabulary.names.count, kind, &side, f->threads, out, err);
done:
    cob_side_free(&side);
    cob_free(offsets);
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* What a counter knows of each document. */
typedef enum row_text { NAMES, LABELS, EXCERPTS, FIELDS } row_text;

static cob_names *names_of(cob_counter *counter, row_text what)
{
    cob_names *const all[] = {&counter->names, &counter->labels, &counter->excerpts,
                              &counter->fields.records};
    return all[what];
}

/* Cuts the excerpts of all counters until they fit, whatever the number of counters. */
static void bound_excerpts(const filling *f)
{
    size_t longest = SIZE_MAX, size = SIZE_MAX;
    for (int c = 0; c < f->threads; c++)
        longest = f->counters[c].excerpt_bytes < longest ? f->counters[c].excerpt_bytes : longest;
    for (; size > COB_MOST_EXCERPTS && longest > 0; longest /= 2) {
        size = 0;
        for (int c = 0; c < f->threads; c++) {
            if (f->counters[c].excerpt_bytes > longest)
                cob_excerpts_cut(&f->counters[c].excerpts, longest);
            f->counters[c].excerpt_bytes = longest;
            size += f->counters[c].excerpts.size;
        }
    }
}

/* Collects the names, labels or excerpts of all rows from the counters, stretch by stretch. */
static cobloc_status name_rows(const filling *f, row_text what, cob_names *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t count = 0, bytes = 0;
    if (f->threads == 1) {
        cob_names_move(to, names_of(&f->counters[0], what));
        goto done;
    }
    for (int c = 0; c < f->threads; c++) {
        count += (size_t)names_of(&f->counters[c], what)->count;
        bytes += names_of(&f->counters[c], what)->size;
    }
    if (count == 0)
        goto done;
    COB_TRY(cob_names_reserve(to, count, bytes, err));
    for (int64_t r = 0; r < f->count; r++) {
        const cob_names *from = names_of(&f->counters[f->runs[r].counter], what);
        const cob_stretch *stretch = f->runs[r].stretch;
        COB_TRY(cob_names_append(to, from, stretch->first, stretch->count, err));
    }
done:
    return status;
}

/* Whether no counter had too many. */
static bool has_fields(const filling *f)
{
    bool full = false;
    for (int c = 0; c < f->threads; c++)
        full |= f->counters[c].fields.full;
    return !full;
}

/* Makes the vocabulary and, in parallel, the row names, which do not depend on it. */
static cobloc_status name_all(filling *f, cobloc_text_info *info, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK, others = COBLOC_OK;
    cobloc_error other = {COBLOC_OK, ""};
#pragma omp parallel sections num_threads(f->threads)
    {
#pragma omp section
        status =
            cob_vocabulary_make(f->counters, f->threads, f->documents, &f->vocabulary, info, err);
#pragma omp section
        {
            others = name_rows(f, NAMES, &f->names, &other);
            if (others == COBLOC_OK)
                others = name_rows(f, LABELS, &f->labels, &other);
            bound_excerpts(f);
            if (others == COBLOC_OK)
                others = name_rows(f, EXCERPTS, &f->excerpts, &other);
            if (others == COBLOC_OK && has_fields(f))
                others = name_rows(f, FIELDS, &f->fields, &other);
        }
    }
    if (status == COBLOC_OK && others != COBLOC_OK && err)
        *err = other;
    return status == COBLOC_OK ? others : status;
}

static cobloc_status keep_settings(const cob_settings *settings, cobloc_matrix *matrix,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *object = cob_text_options_to_json(settings);
    char *text = cob_json_print(object, JSON_COMPACT);
    COB_CHECK(text, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_copy_text(text, &matrix->text, err));
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
                        "words of fewer than %d letters do not)",
                        where, (long long)info->documents, o->min_length);
    return cob_fail(
        err, COBLOC_BAD_DATA,
        "%s: no term of the %lld documents is left: %lld are in fewer than min_df = %g, "
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
        info->mails += counters[c].cleaner.mails;
        info->pages += counters[c].cleaner.pages;
        info->addresses += counters[c].cleaner.addresses;
        info->blobs += counters[c].cleaner.data;
    }
    info->phrases = settings->options.phrase_count;
    memcpy(info->language, settings->language, sizeof info->language);
    memcpy(info->stem, settings->stem, sizeof info->stem);
}

cobloc_status cob_assemble(const cob_settings *settings, cob_counter *counters, int count,
                           const char *where, cobloc_matrix **out, cobloc_text_info *info,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *matrix = NULL;
    filling f = {.counters = counters, .threads = count};
    complete(settings, counters, count, info);
    COB_CHECK(info->documents > 0, COBLOC_BAD_DATA, "%s: there are no documents", where);
    COB_CHECK(info->documents <= INT32_MAX, COBLOC_UNSUPPORTED,
              "%s: there are more than %d documents", where, INT32_MAX);
    COB_TRY(order_rows(&f, err));
    COB_TRY(name_all(&f, info, err));
    if (f.vocabulary.names.count == 0)
        COB_TRY(fail_without_terms(where, info, &settings->options, err));
    COB_TRY(make_matrix(&f, &matrix, err));
    cob_names_move(&matrix->row_names, &f.names);
    cob_names_move(&matrix->row_labels, &f.labels);
    cob_names_move(&matrix->excerpts, &f.excerpts);
    cob_names_move(&matrix->col_names, &f.vocabulary.names);
    COB_TRY(cob_row_fields_keep(&f.fields, &settings->options, matrix, err));
    COB_TRY(keep_settings(settings, matrix, err));
    matrix->format = "text";
    *out = matrix;
    matrix = NULL;
done:
    cobloc_matrix_free(matrix);
    release(&f);
    return status;
}
