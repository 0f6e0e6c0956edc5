/* Results that were saved, in memory: from a fit, to bytes and back. Bytes hold what a folder does,
 * as one JSON object: model.json with the rows beside it.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/json.h"
#include "base/owned.h"
#include "base/record.h"
#include "fit/saved.h"
#include "fit/saved_model.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is known of a fit ------------------------------------------------------------------ */

/* With all that the model chose by itself; what there is for each row or column is borrowed. */
static cobloc_fit_options repeating_options(const cobloc_result *r, const cobloc_matrix *matrix,
                                            const cobloc_fit_options *asked)
{
    cob_algorithm algorithm;
    cobloc_fit_options o = *asked;
    if (cob_algorithm_named(r->model, &algorithm))
        o = cob_algorithm_options(&algorithm, asked);
    if (cob_is_auto(asked->model))
        o.restarts = r->restarts;
    o.head = (cob_object){.type = &cob_fit_options_type};
    o.model = r->model;
    o.weight = r->weight;
    if (o.k == 0) /* it was chosen */
        o.l = r->l;
    o.k = r->k;
    o.base = NULL;
    o.base_count = o.threads = 0;
    o.progress = (cobloc_progress){0};
    o.communicator = o.group = (cobloc_communicator){0};
    o.share = COBLOC_SHARE_AUTO;
    o.checkpoint = NULL;
    o.resume = 0;
    o.start_row_count = o.fix_row_count = o.row_effect_count = matrix->rows;
    o.start_col_count = o.fix_col_count = o.col_effect_count = matrix->cols;
    if (o.start != COBLOC_START_LABELS)
        o.start_rows = o.start_cols = NULL;
    return o;
}

static const char *format_of(const cobloc_matrix *matrix)
{
    for (int f = 0; matrix->format && f < cobloc_format_count(); f++)
        if (strcmp(cobloc_format_title(f), matrix->format) == 0)
            return cobloc_format_name(f);
    return NULL;
}

/* A text that is borrowed, and not changed. */
static char *borrowed(const char *text)
{
    return (char *)(uintptr_t)text;
}

cobloc_status cob_saved_note(const cobloc_result *r, const cobloc_matrix *matrix,
                             const cobloc_fit_options *options, cobloc_saved *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const int64_t *offsets = matrix->by_col.offsets;
    cob_init(s, &cob_saved_type);
    s->result = (cobloc_result *)(uintptr_t)r;
    s->options = repeating_options(r, matrix, options);
    s->input = matrix->source;
    s->format = borrowed(format_of(matrix));
    s->variable = matrix->variable;
    s->text = borrowed(matrix->text);
    s->missing = matrix->read_missing;
    s->values = matrix->read_values;
    s->total = matrix->total;
    s->cols = matrix->cols;
    s->k = r->k;
    s->col_sums = matrix->col_sums;
    s->row_names = matrix->row_names;
    s->col_names = matrix->col_names;
    s->categories = matrix->categories;
    COB_NEW(s->col_frequencies, matrix->cols);
    for (int64_t j = 0; j < matrix->cols; j++)
        s->col_frequencies[j] = offsets[j + 1] - offsets[j];
    COB_TRY(cob_centres_of(r, matrix, &s->centres, err));
done:
    return status;
}

void cob_saved_forget(cobloc_saved *noted)
{
    cob_free(noted->col_frequencies);
    cob_free(noted->centres);
}

/* ---- a copy of it ---------------------------------------------------------------------------- */

/* Replaces the arrays that options borrow by copies that they own. */
static cobloc_status own_arrays(cobloc_fit_options *o, cobloc_error *err)
{
    for (int i = 0; i < cob_fit_options_type.count; i++) {
        const cob_named_field *f = &cob_fit_options_type.fields[i];
        size_t size = f->kind == COBLOC_INTS ? sizeof(int32_t) : sizeof(double);
        if ((f->kind != COBLOC_INTS && f->kind != COBLOC_REALS) ||
            !cob_member_pointer(o, f->offset))
            continue;
        size_t count = (size_t)cob_full_length(f, o);
        void *copy = cob_own(&o->head, count, size, err);
        if (!copy)
            return COBLOC_NO_MEMORY;
        memcpy(copy, cob_member_pointer(o, f->offset), count * size);
        memcpy((char *)o + f->offset, &copy, sizeof copy);
    }
    return COBLOC_OK;
}

static cobloc_status copy_texts(const cobloc_saved *from, cobloc_saved *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_copy_text(from->input, &to->input, err));
    COB_TRY(cob_copy_text(from->format, &to->format, err));
    COB_TRY(cob_copy_text(from->variable, &to->variable, err));
    COB_TRY(cob_copy_text(from->text, &to->text, err));
    COB_TRY(cob_names_copy(&to->row_names, &from->row_names, err));
    COB_TRY(cob_names_copy(&to->col_names, &from->col_names, err));
    COB_TRY(cob_names_copy(&to->categories, &from->categories, err));
done:
    return status;
}

/* Takes what was noted, and copies what it borrows. */
static cobloc_status keep(cobloc_saved *noted, cobloc_saved *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    s->options = noted->options;
    s->missing = noted->missing;
    s->values = noted->values;
    s->total = noted->total;
    s->cols = noted->cols;
    s->k = noted->k;
    s->col_frequencies = noted->col_frequencies;
    s->centres = noted->centres;
    noted->col_frequencies = NULL;
    noted->centres = NULL;
    COB_TRY(own_arrays(&s->options, err));
    COB_TRY(copy_texts(noted, s, err));
    COB_NEW(s->col_sums, s->cols);
    memcpy(s->col_sums, noted->col_sums, (size_t)s->cols * sizeof *s->col_sums);
    s->result = cob_copy(noted->result, err);
    status = s->result ? COBLOC_OK : COBLOC_NO_MEMORY;
done:
    return status;
}

cobloc_status cobloc_saved_of(const cobloc_result *result, const cobloc_matrix *matrix,
                              const cobloc_fit_options *options, cobloc_saved **out,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_saved noted = {.col_frequencies = NULL};
    cobloc_saved *s = NULL;
    COB_CHECK(result->n == matrix->rows && result->d == matrix->cols, COBLOC_BAD_ARGUMENT,
              "the result is of a matrix of %lld by %lld, this one is %lld by %lld",
              (long long)result->n, (long long)result->d, (long long)matrix->rows,
              (long long)matrix->cols);
    COB_TRY(cob_saved_note(result, matrix, options, &noted, err));
    COB_MAKE(s, cob_saved_type);
    COB_TRY(keep(&noted, s, err));
    *out = s;
    s = NULL;
done:
    cob_saved_forget(&noted);
    cobloc_saved_free(s);
    return status;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

cobloc_status cobloc_saved_pack(const cobloc_saved *saved, void **bytes, size_t *count,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *text = NULL, *made = NULL;
    json_t *root = cob_model_json(saved);
    json_t *rows = cob_record_json(saved->result, &cob_result_type,
                                   "clusters=row_labels probabilities=row_probabilities");
    json_object_set_new(rows, "names", cob_names_json(&saved->row_names));
    json_object_set_new(root, "rows", rows);
    text = cob_json_print(root, JSON_COMPACT);
    COB_CHECK(text && rows, COBLOC_NO_MEMORY, "out of memory");
    *count = strlen(text);
    COB_NEW(made, *count);
    memcpy(made, text, *count);
    *bytes = made;
done:
    free(text);
    json_decref(root);
    return status;
}

void cobloc_bytes_free(void *bytes)
{
    cob_free(bytes);
}

static cobloc_status take_rows(json_t *rows, cobloc_saved *s, const cob_saved_flags *flags,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_result *r = s->result;
    cob_record_rule labels = {.needed = true, .limited = true, .least = -1, .most = r->k - 1};
    cob_record_rule probabilities = {.needed = flags->row_probabilities};
    COB_TRY(cob_record_read(rows, &cob_result_type, "clusters=row_labels", labels, r, err));
    COB_TRY(cob_record_read(rows, &cob_result_type, "probabilities=row_probabilities",
                            probabilities, r, err));
    if (flags->row_names)
        COB_TRY(cob_json_names(rows, "names", r->n, &s->row_names, err));
    status = cob_saved_check_sizes(r, err);
done:
    return status;
}

cobloc_status cobloc_saved_unpack(const void *bytes, size_t count, cobloc_saved **out,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_saved *s = NULL;
    cob_saved_flags flags;
    json_t *root = cob_json_parse(bytes, count, JSON_REJECT_DUPLICATES, NULL);
    json_t *rows = json_object_get(root, "rows");
    COB_CHECK(rows, COBLOC_BAD_DATA, "these bytes are not what cobloc_saved_pack made");
    COB_MAKE(s, cob_saved_type);
    COB_TRY(cob_saved_model_take(root, s, &flags, err));
    COB_TRY(take_rows(rows, s, &flags, err));
    *out = s;
    s = NULL;
done:
    if (status == COBLOC_BAD_DATA)
        cob_fail_at(err, status, "a packed result: ");
    cobloc_saved_free(s);
    json_decref(root);
    return status;
}
