/* Options of text, and what came of it.
 * SPDX-License-Identifier: MIT
 */
#include "text/options.h"

const char *const cob_corpus_names[] = {"auto", "files", "lines", "jsonl", "csv", "smart", NULL};
const char *const cob_tokens_names[] = {"words", "word2", NULL};

#define S cobloc_text_options
static const cob_named_field text_options[] = {
    COB_CHOICE(corpus, cob_corpus_names, "How the documents are stored; see cobloc_corpus."),
    COB_TEXT(field, "JSON lines and tables: the field with the text; default \"text\"."),
    COB_TEXT(name_field, "The field with the names of the documents. By default a document is "
                         "named by its number and first words."),
    COB_TEXT(label_field, "The field with the known classes of the documents; default none."),
    COB_FLAG(labels_from_folders, "The known class of a document is the folder of its file; of a "
                                  "SMART document, the file."),
    COB_CHOICE(tokens, cob_tokens_names, "What a word is; see cobloc_tokens."),
    COB_TEXT(language,
             "Code of the language, \"none\", or \"auto\": the language whose stop words "
             "are the most frequent in a sample, if they are a tenth of it.",
             COB_USUAL_TEXT("auto")),
    COB_TEXT(stop_words,
             "A language code, \"none\", or a file; default: the stop words of the language."),
    COB_TEXTS(stop_list, stop_count, "The stop words themselves, instead of stop_words."),
    COB_TEXT(stem, "Language (name or code) of a Snowball stemmer; \"auto\": that of the text; "
                   "default: no stemming. A stemmed term is named by its most frequent word."),
    COB_INT(min_length, "Shorter words, in characters, are dropped.", COB_RANGE(1, 100, 2)),
    COB_FLAG(numbers, "Keep words without a letter."),
    COB_INT(ngrams_from, "Terms are sequences of at least so many words, stop words removed.",
            COB_RANGE(1, 8, 1)),
    COB_INT(ngrams_to, "Terms are sequences of at most so many words.", COB_RANGE(1, 8, 1)),
    COB_REAL(min_df, "Terms in fewer documents are dropped; below 1: a share of the documents.",
             COB_FROM_0(3)),
    COB_REAL(max_df, "Terms in more documents are dropped; up to 1: a share of the documents.",
             COB_FROM_0(0.95)),
    COB_INT(max_terms, "Keep only so many of the most frequent terms; 0: all.",
            COB_RANGE(1, INT32_MAX, 0)),
    COB_TEXTS(vocabulary, vocabulary_count,
              "The terms, in the order of the columns, instead of "
              "those that min_df, max_df and max_terms select."),
    COB_INT(threads, "Threads to use; 0: as many as OpenMP offers.", COB_SOME_THREADS),
    COB_PROGRESS(progress),
};
const cob_type cob_text_options_type = COB_TYPE("the text options", COB_OPTIONS, text_options);
#undef S

#define S cobloc_text_info
static const cob_named_field text_info[] = {
    COB_CHOICE(corpus, cob_corpus_names, "How the first file is stored."),
    COB_INT(files, "Files that were read."),
    COB_INT(documents, "Documents: rows of the matrix."),
    COB_INT(tokens, "Words that were kept."),
    COB_INT(terms, "Terms: columns of the matrix."),
    COB_INT(rare, "Terms dropped by min_df."),
    COB_INT(frequent, "Terms dropped by max_df."),
    COB_INT(beyond, "Terms dropped by max_terms."),
    COB_INT(invalid_bytes, "Bytes that are not UTF-8, or NUL; read as blanks."),
    COB_CHARS(invalid_where, "The first file with such bytes; empty: none."),
    COB_CHARS(language, "Whose stop words were used: a code, \"none\" or \"own\"."),
    COB_REAL(language_share, "The share of stop words in the sample; 0: not examined."),
    COB_CHARS(stem, "The stemmer that was used; empty: none."),
    COB_REAL(seconds, "Time that was taken."),
};
const cob_type cob_text_info_type = COB_TYPE("the text info", COB_RESULT, text_info);
#undef S

COB_DEFINE_OPTIONS(text_options)
COB_DEFINE_FREE(text_info)

const char *cobloc_corpus_name(cobloc_corpus corpus)
{
    return cob_choice_name(cob_corpus_names, (int)corpus);
}

const char *cobloc_tokens_name(cobloc_tokens tokens)
{
    return cob_choice_name(cob_tokens_names, (int)tokens);
}
