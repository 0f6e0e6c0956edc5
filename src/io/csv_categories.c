/* Counting the words of a table of categories.
 * SPDX-License-Identifier: MIT
 */
#include "io/csv_layout.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CATEGORIES = 10000 }; /* more than this are numbers or free text, not categories */

/* The words that one thread found, and how often. */
typedef struct tally {
    cob_intern words;
    int64_t *counts;
    size_t capacity;
    cob_room room;
    char apart[64]; /* keeps the tallies of threads in different cache lines */
} tally;

typedef struct counting {
    const char *path;
    const cob_csv_layout *layout;
    bool ignore;
    tally *tallies;
} counting;

void cob_csv_categories_free(cob_csv_categories *categories)
{
    cob_intern_free(&categories->words);
}

static bool is_missing(const cob_field *field)
{
    double value;
    return cob_field_value(field, &value) == COB_CELL_MISSING;
}

static cobloc_status add_word(tally *t, const char *text, size_t length, int64_t times,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t known = t->words.names.count, word;
    COB_TRY(cob_intern_add(&t->words, text, length, &word, err));
    COB_CHECK(word < MOST_CATEGORIES, COBLOC_BAD_DATA,
              "found more than %d different words, too many for categories", MOST_CATEGORIES);
    if (!cob_grow(&t->counts, &t->capacity, (size_t)word + 1, sizeof *t->counts))
        return cob_fail_memory(err, (size_t)word + 1, sizeof *t->counts);
    if (word == known)
        t->counts[word] = 0;
    t->counts[word] += times;
done:
    return status;
}

/* Skips malformed records: the second pass reports them. */
static cobloc_status count_record(const counting *c, cob_record record, tally *t, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_field field;
    for (int64_t f = 0; cob_record_next(&record, &field); f++) {
        const char *text;
        size_t length;
        if (f < c->layout->text_columns || (c->ignore && is_missing(&field)))
            continue;
        COB_TRY(cob_field_plain(&field, &t->room, &text, &length, err));
        COB_TRY(add_word(t, text, length, 1, err));
    }
done:
    return status;
}

static cobloc_status count_block(void *context, int lane, const cob_text_block *block,
                                 cobloc_error *err)
{
    const counting *c = context;
    cob_records records = cob_records_of(block->text, block->size, true, c->layout->delimiter);
    cob_record record;
    for (int64_t row = block->first_record; cob_records_next(&records, &record); row++) {
        cobloc_status status =
            row < 0 || record.problem ? COBLOC_OK : count_record(c, record, &c->tallies[lane], err);
        if (status != COBLOC_OK)
            return cob_fail_line(err, status, c->path,
                                 cob_record_line(&record, block->text, block->first_line));
    }
    return COBLOC_OK;
}

/* ---- codes ----------------------------------------------------------------------------------- */

typedef struct ranked {
    const char *text;
    int64_t count;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return strcmp(x->text, y->text);
}

static bool are_numbers(const cob_names *names)
{
    for (int64_t i = 0; i < names->count; i++) {
        const char *text = cob_names_get(names, i);
        cob_field field = {.text = text, .length = strlen(text)};
        int64_t value;
        if (!cob_field_integer(&field, &value) || value > UINT32_MAX)
            return false;
    }
    return true;
}

static cobloc_status number_words(const tally *t, cob_intern *words, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    ranked *all = NULL;
    int64_t count = t->words.names.count, code;
    if (count == 0 || are_numbers(&t->words.names))
        return COBLOC_OK;
    COB_NEW(all, count);
    for (int64_t w = 0; w < count; w++)
        all[w] = (ranked){cob_names_get(&t->words.names, w), t->counts[w]};
    qsort(all, (size_t)count, sizeof *all, compare_ranked);
    for (int64_t w = 0; w < count; w++)
        COB_TRY(cob_intern_add(words, all[w].text, strlen(all[w].text), &code, err));
done:
    cob_free(all);
    return status;
}

cobloc_status cob_csv_find_categories(const cob_reading *reading, const cob_csv_layout *layout,
                                      cob_csv_categories *categories, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_blocks blocks = cob_blocks_of(reading->source, reading->options);
    counting c = {.path = reading->path,
                  .layout = layout,
                  .ignore = reading->options->missing == COBLOC_MISSING_IGNORE};
    categories->ignore = c.ignore;
    blocks.cut = cob_cut_records(layout->delimiter);
    blocks.first_record = layout->header ? -1 : 0;
    COB_NEW_ZERO(c.tallies, blocks.threads);
    COB_TRY(cob_blocks_run(&blocks, count_block, &c, err));
    for (int t = 1; t < blocks.threads; t++)
        for (int64_t w = 0; w < c.tallies[t].words.names.count; w++) {
            const char *text = cob_names_get(&c.tallies[t].words.names, w);
            COB_TRY(add_word(&c.tallies[0], text, strlen(text), c.tallies[t].counts[w], err));
        }
    COB_TRY(number_words(&c.tallies[0], &categories->words, err));
done:
    for (int t = 0; c.tallies && t < blocks.threads; t++) {
        cob_intern_free(&c.tallies[t].words);
        cob_free(c.tallies[t].counts);
        cob_free(c.tallies[t].room.bytes);
    }
    cob_free(c.tallies);
    cob_blocks_free(&blocks);
    return status;
}

cobloc_status cob_csv_code(const cob_csv_categories *categories, const cob_field *field,
                           cob_room *room, double *code, cobloc_error *err)
{
    const char *text;
    size_t length;
    *code = (double)NAN;
    if (categories->ignore && is_missing(field))
        return COBLOC_OK;
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_field_plain(field, room, &text, &length, err));
    int64_t word = cob_intern_find(&categories->words, text, length);
    COB_CHECK(word >= 0, COBLOC_IO, "the file has changed while it was read");
    *code = (double)word;
done:
    return status;
}

cobloc_status cob_csv_category_names(const cob_csv_categories *categories, cob_names *names,
                                     cobloc_error *err)
{
    return cob_names_copy(names, &categories->words.names, err);
}
