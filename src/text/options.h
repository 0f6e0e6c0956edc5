/* Options of text, and what came of it; text/fields.c says what each field means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_OPTIONS_H
#define COB_TEXT_OPTIONS_H

#include "base/fields.h"

struct cobloc_text_options {
    cob_object head;
    cobloc_corpus corpus;
    const char *field, *name_field, *label_field;
    int labels_from_folders;
    const char *encoding, *include, *exclude;
    const char *clean;

    cobloc_tokens tokens;
    const char *language, *stop_words;
    const char *const *stop_list;
    int64_t stop_count;
    const char *stem;
    int min_length, numbers;
    int ngrams_from, ngrams_to;
    int phrases;
    const char *const *phrase_list;
    int64_t phrase_count;

    double min_df, max_df;
    int64_t max_terms;
    const char *const *vocabulary;
    int64_t vocabulary_count;

    int64_t excerpts;
    const char *fields;
    int threads;
    cobloc_progress progress;
};

struct cobloc_text_info {
    cob_object head;
    cobloc_corpus corpus;
    int64_t files, documents, tokens;
    int64_t phrases;
    int64_t terms, rare, frequent, beyond;
    int64_t invalid_bytes;
    char invalid_where[256];
    int64_t binary, unreadable, converted;
    char binary_where[256], unreadable_where[256], converted_where[256], encoding[32];
    int64_t mails, pages, addresses, blobs;
    char language[8];
    double language_share;
    char stem[32];
    double seconds;
};

extern const cob_type cob_text_options_type, cob_text_info_type;
extern const char *const cob_corpus_names[], *const cob_tokens_names[];

void cob_text_options_default(cobloc_text_options *options);

/* As the public functions of these names, but `info` is the caller's. */
cobloc_status cob_text_read(const char *path, const cobloc_text_options *options,
                            cobloc_matrix **out, cobloc_text_info *info, cobloc_error *err);
cobloc_status cob_text_count(const char *const *documents, const size_t *sizes, int64_t count,
                             const cobloc_text_options *options, cobloc_matrix **out,
                             cobloc_text_info *info, cobloc_error *err);

#endif
