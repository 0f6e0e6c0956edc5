/* What the tests of text share: counting with every word kept, and looking at the counts.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_TEXT_COUNTS_H
#define COB_TESTS_TEXT_COUNTS_H

#include "support.h"

#include <sys/stat.h>

/* Options that keep everything. */
static inline cobloc_text_options all_words(void)
{
    cobloc_text_options o;
    cob_text_options_default(&o);
    o.language = "none";
    o.min_df = 1;
    o.max_df = 1;
    o.min_length = 1;
    o.threads = 2;
    return o;
}

static inline cobloc_matrix *must_count(const char *path, const cobloc_text_options *o,
                                        cobloc_text_info *info)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    assert_ok(cob_text_read(path, o, &matrix, info, &err), err);
    return matrix;
}

/* Counts texts in memory; ends in NULL. */
static inline cobloc_matrix *count_texts(const char *const *texts, const cobloc_text_options *o)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    int64_t count = 0;
    while (texts[count])
        count++;
    assert_ok(cob_text_count(texts, NULL, count, o, &matrix, NULL, &err), err);
    return matrix;
}

/* All terms, a bar behind each. */
static inline const char *terms_of(const cobloc_matrix *matrix)
{
    static char all[4096];
    all[0] = '\0';
    for (int64_t j = 0; j < cobloc_matrix_cols(matrix); j++) {
        strcat(all, cobloc_matrix_col_name(matrix, j));
        strcat(all, "|");
    }
    return all;
}

static inline double count_at(const cobloc_matrix *matrix, int64_t row, const char *term)
{
    cobloc_view view = cobloc_matrix_by_rows(matrix);
    for (int64_t e = view.offsets[row]; e < view.offsets[row + 1]; e++)
        if (strcmp(cobloc_matrix_col_name(matrix, view.indices[e]), term) == 0)
            return cobloc_view_value(&view, e);
    return 0;
}

static inline void assert_text_refused(const char *path, const cobloc_text_options *o,
                                       cobloc_status status, const char *part)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_status got = cob_text_read(path, o, &matrix, NULL, &err);
    if (got != status || !strstr(err.message, part) || matrix)
        fail_msg("%s: %s: '%s', expected '%s'", path, cobloc_status_name(got), err.message, part);
}

static inline void make_folder(const char *name)
{
    assert_int_equal(mkdir(test_path(name), 0777), 0);
}

#endif
