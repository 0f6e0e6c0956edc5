/* Finding phrases.
 * SPDX-License-Identifier: MIT
 */
#include "text/read.h"

#include "base/alloc.h"
#include "base/intern.h"
#include "matrix/matrix.h"

#include <math.h>
#include <string.h>

static double npmi(double both, double left, double right, double all)
{
    return both >= all ? 1 : log(both * all / (left * right)) / -log(both / all);
}

/* Whether a column is a phrase: two words, separated by a blank. */
static bool is_phrase(const cobloc_matrix *counts, const cob_intern *words, const int64_t *column,
                      int64_t col, double all)
{
    const char *name = cob_names_get(&counts->col_names, col), *blank = strchr(name, ' ');
    double both = counts->col_sums[col];
    if (!blank || both < COB_PHRASE_COUNT)
        return false;
    int64_t left = cob_intern_find(words, name, (size_t)(blank - name));
    int64_t right = cob_intern_find(words, blank + 1, strlen(blank + 1));
    return left >= 0 && right >= 0 &&
           npmi(both, counts->col_sums[column[left]], counts->col_sums[column[right]], all) >=
               COB_PHRASE_NPMI;
}

cobloc_status cob_phrases_find(const cobloc_matrix *counts, cob_names *phrases, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_intern words = {0};
    int64_t *column = NULL, number;
    double all = 0;
    COB_NEW(column, counts->cols);
    for (int64_t j = 0; j < counts->cols; j++) {
        const char *name = cob_names_get(&counts->col_names, j);
        if (strchr(name, ' '))
            continue;
        COB_TRY(cob_intern_add(&words, name, strlen(name), &number, err));
        column[number] = j;
        all += counts->col_sums[j];
    }
    for (int64_t j = 0; j < counts->cols; j++) {
        const char *name = cob_names_get(&counts->col_names, j);
        if (is_phrase(counts, &words, column, j, all))
            COB_TRY(cob_names_add(phrases, name, strlen(name), err));
    }
done:
    cob_intern_free(&words);
    cob_free(column);
    return status;
}

/* Counts words and pairs of words, of those in some documents at least. */
static cobloc_status count_pairs(cob_text_fn count, const void *documents,
                                 const cobloc_text_options *options, cob_names *phrases,
                                 cobloc_error *err)
{
    cobloc_text_options first = *options;
    cobloc_matrix *counts = NULL;
    first.phrases = 0;
    first.ngrams_to = 2;
    first.min_df = COB_PHRASE_DOCUMENTS;
    first.max_df = 1;
    first.max_terms = first.vocabulary_count = first.excerpts = 0;
    first.vocabulary = NULL;
    cobloc_status status = count(documents, &first, &counts, NULL, err);
    if (status == COBLOC_BAD_DATA) /* no term is in so many documents: the second count complains */
        return COBLOC_OK;
    if (status == COBLOC_OK)
        status = cob_phrases_find(counts, phrases, err);
    cobloc_matrix_free(counts);
    return status;
}

cobloc_status cob_with_info(cob_text_fn count, const void *documents,
                            const cobloc_text_options *options, cobloc_matrix **out,
                            cobloc_text_info **info, cobloc_error *err)
{
    cobloc_text_info *made = info ? cob_new(&cob_text_info_type, err) : NULL;
    if (info && !made)
        return COBLOC_NO_MEMORY;
    cobloc_status status = cob_with_phrases(count, documents, options, out, made, err);
    if (status == COBLOC_OK && info)
        *info = made;
    else
        cobloc_text_info_free(made);
    return status;
}

cobloc_status cob_with_phrases(cob_text_fn count, const void *documents,
                               const cobloc_text_options *options, cobloc_matrix **out,
                               cobloc_text_info *info, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names found = {0};
    const char **list = NULL;
    if (!options || !options->phrases || options->phrase_list)
        return count(documents, options, out, info, err);
    COB_CHECK(options->ngrams_to == 1, COBLOC_BAD_ARGUMENT,
              "phrases and n-grams exclude each other");
    COB_TRY(count_pairs(count, documents, options, &found, err));
    cobloc_text_options second = *options;
    COB_NEW(list, found.count + 1);
    for (int64_t i = 0; i < found.count; i++)
        list[i] = cob_names_get(&found, i);
    second.phrase_list = list;
    second.phrase_count = found.count;
    status = count(documents, &second, out, info, err);
done:
    cob_free(list);
    cob_names_free(&found);
    return status;
}
