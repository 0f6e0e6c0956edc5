/* cobloc_describe: what the clusters of a result are about.
 * SPDX-License-Identifier: MIT
 */
#include "describe/describe.h"

#include "base/alloc.h"
#include "base/parallel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- releasing ------------------------------------------------------------------------------- */

void cob_describing_free(cob_describing *d)
{
    for (int g = 0; d->groups && g < d->group_count; g++) {
        cob_free(d->groups[g].row_clusters);
        cob_free(d->groups[g].col_clusters);
        cob_free(d->groups[g].pool);
    }
    cob_free(d->groups);
    cob_free(d->sums);
    cob_free(d->counts);
    cob_free(d->row_sums);
    cob_free(d->col_sums);
    cobloc_description_free(d->out);
}

/* ---- names ----------------------------------------------------------------------------------- */

cobloc_status cob_name_bloc(const cobloc_matrix *matrix, cobloc_bloc *b, cobloc_error *err)
{
    enum { WORDS = COB_NAME_TERMS, NUMBER = 24 };
    cobloc_status status = COBLOC_OK;
    const char *words[WORDS];
    char numbers[WORDS][NUMBER];
    size_t room = sizeof "columns ";
    int count = b->telling_count < WORDS ? b->telling_count : WORDS;
    bool named = count > 0 && cobloc_matrix_col_name(matrix, b->telling[0].col);
    for (int i = 0; i < count; i++) {
        snprintf(numbers[i], NUMBER, "%lld", (long long)(b->telling[i].col + 1));
        words[i] = named ? cobloc_matrix_col_name(matrix, b->telling[i].col) : numbers[i];
        room += strlen(words[i]) + 2;
    }
    COB_NEW(b->name, room);
    int at = snprintf(b->name, room, "%s", named || count == 0 ? "" : "columns ");
    for (int i = 0; i < count; i++)
        at += snprintf(b->name + at, room - (size_t)at, "%s%s", i > 0 ? ", " : "", words[i]);
done:
    return status;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static cobloc_status check(const cob_describing *d, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_describe_options *o = d->o;
    COB_CHECK(d->r->n == d->matrix->rows && d->r->d == d->matrix->cols, COBLOC_BAD_ARGUMENT,
              "the result is for a matrix of %lld by %lld, but this one is %lld by %lld",
              (long long)d->r->n, (long long)d->r->d, (long long)d->matrix->rows,
              (long long)d->matrix->cols);
    COB_TRY(cobloc_matrix_verify(d->matrix, err));
    if (o->reference) {
        COB_CHECK(d->matrix->col_names.count > 0 && o->reference->col_names.count > 0,
                  COBLOC_BAD_DATA,
                  "a reference is matched by column names: both matrices must have them");
        COB_TRY(cobloc_matrix_verify(o->reference, err));
    }
done:
    return status;
}

cobloc_status cob_describing_open(cob_describing *d, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(check(d, err));
    d->threads = cob_threads(d->o->threads > 0 ? d->o->threads : d->r->threads);
    d->threads = cob_threads_worth(d->threads, d->matrix->nnz);
    COB_MAKE(d->out, cob_description_type);
    d->out->k = d->r->k;
    d->out->l = d->r->l;
    COB_TRY(cob_measure_blocks(d, err));
    COB_TRY(cob_make_groups(d, err));
done:
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Means over the column clusters with enough terms. */
static void take_means(cobloc_description *d)
{
    const cobloc_bloc *groups = d->topics ? d->topics : d->blocs;
    double jaccard = 0, npmi = 0;
    int with_jaccard = 0, with_npmi = 0;
    for (int l = 0; l < d->l; l++) {
        if (!isnan(groups[l].jaccard)) {
            jaccard += groups[l].jaccard;
            with_jaccard++;
        }
        if (!isnan(groups[l].npmi)) {
            npmi += groups[l].npmi;
            with_npmi++;
        }
    }
    d->jaccard = with_jaccard > 0 ? jaccard / with_jaccard : NAN;
    d->npmi = with_npmi > 0 ? npmi / with_npmi : NAN;
}

static cobloc_status measure_quality(cob_describing *d, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_find_coherence(d, err));
    for (int g = 0; g < d->group_count; g++)
        COB_TRY(cob_make_graph(d, &d->groups[g], err));
    COB_TRY(cob_find_similarity(d, err));
done:
    return status;
}

cobloc_status cobloc_describe(const cobloc_result *result, const cobloc_matrix *matrix,
                              const cobloc_describe_options *options, cobloc_description **out,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_describe_options defaults;
    cob_describing d = {.r = result, .matrix = matrix, .o = options ? options : &defaults};
    cob_describe_options_default(&defaults);
    COB_TRY(cob_describing_open(&d, err));
    COB_TRY(cob_find_terms(&d, err));
    for (int g = 0; g < d.group_count; g++) {
        cobloc_bloc *b = d.groups[g].bloc;
        b->jaccard = b->npmi = b->isim = b->esim = b->stability = NAN;
    }
    if (d.o->quality)
        COB_TRY(measure_quality(&d, err));
    for (int g = 0; g < d.group_count; g++) {
        cobloc_bloc *b = d.groups[g].bloc;
        b->telling_count = b->telling_count < d.o->terms ? b->telling_count : d.o->terms;
        COB_TRY(cob_name_bloc(matrix, b, err));
    }
    COB_TRY(cob_find_rows(&d, err));
    COB_TRY(cob_find_stability(&d, err));
    take_means(d.out);
    *out = d.out;
    d.out = NULL;
done:
    cob_describing_free(&d);
    return status;
}
