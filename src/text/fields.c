/* Options of text, and what came of it.
 * SPDX-License-Identifier: MIT
 */
#include "text/options.h"

const char *const cob_corpus_names[] = {"auto",  "files", "lines", "jsonl", "csv",
                                        "smart", "json",  "mbox",  NULL};
const char *const cob_tokens_names[] = {"words", "word2", NULL};

#define S cobloc_text_options
static const cob_named_field text_options[] = {
    COB_CHOICE(corpus, cob_corpus_names,
               "How documents are stored: one per file, per line, per JSON line, per row of a "
               "table, in the SMART format, in a JSON array, or in a mailbox. auto: detected."),
    COB_TEXT(field, "Field of a JSON line, or column of a table, with the text. By default text."),
    COB_TEXT(name_field, "Field or column with the names of the documents. By default a document "
                         "is named by its number and first words."),
    COB_TEXT(label_field, "Field or column with the known classes of the documents."),
    COB_FLAG(labels_from_folders, "Take the folder of a file as the known class of its document; "
                                  "SMART: the file."),
    COB_TEXT(encoding, "Encoding of the files, such as latin1 or utf-16. By default each file's is "
                       "detected; UTF-8 is the usual one."),
    COB_TEXT(include, "Read only files of a folder whose path or name fits: patterns such as "
                      "*.txt, separated by commas."),
    COB_TEXT(exclude, "Leave out files of a folder whose path or name fits."),
    COB_TEXT(clean,
             "What is removed before words are counted: headers, quotes and signatures of mail "
             "(mail), tags and scripts (html), addresses and host names (urls), encoded data "
             "(blobs). auto: all of these, mail and html where a document looks like it; none; or "
             "a list such as mail,urls.",
             COB_USUAL_TEXT("auto")),
    COB_CHOICE(tokens, cob_tokens_names,
               "What a word is: by Unicode's word boundaries, or two or more letters and digits "
               "in a row (word2)."),
    COB_TEXT(language,
             "Language of the text, which selects the stop words: a code such as en, none, or "
             "auto to detect it.",
             COB_USUAL_TEXT("auto")),
    COB_TEXT(stop_words, "Words to leave out: a language code, a file, or none. By default those "
                         "of the language."),
    COB_TEXTS(stop_list, stop_count, "The stop words themselves, instead of stop_words."),
    COB_TEXT(stem, "Reduce words to their stems: the language, or auto for that of the text. A "
                   "stem is shown as its most frequent word. By default words are kept."),
    COB_INT(min_length, "Drop words with fewer characters.", COB_RANGE(1, 100, 2)),
    COB_FLAG(numbers, "Keep words without a letter."),
    COB_INT(ngrams_from, "Smallest number of words in a term.", COB_RANGE(1, 8, 1)),
    COB_INT(ngrams_to, "Largest number of words in a term.", COB_RANGE(1, 8, 1)),
    COB_FLAG(phrases, "Count pairs of words that mostly occur together as one term, such as "
                      "\"noise cancelling\", instead of their words."),
    COB_TEXTS(phrase_list, phrase_count, "The phrases themselves, instead of finding them."),
    COB_REAL(min_df, "Drop terms in fewer documents; below 1: a share of the documents.",
             COB_FROM_0(3)),
    COB_REAL(max_df, "Drop terms in more documents; up to 1: a share of the documents.",
             COB_FROM_0(0.95)),
    COB_INT(max_terms, "Keep only this many of the most frequent terms. By default all.",
            COB_RANGE(1, INT32_MAX, 0)),
    COB_TEXTS(vocabulary, vocabulary_count,
              "Count these terms and no others; min_df, max_df and max_terms are ignored."),
    COB_INT(excerpts,
            "Bytes of each document's text that stay with the matrix, to be shown; 0: "
            "none. Of very many documents less is kept.",
            COB_RANGE(0, 1 << 20, 1000)),
    COB_TEXT(
        fields,
        "What else is known of each document and stays with the matrix: names of fields or "
        "columns, separated by commas, date (of mail), folder. auto: all with short values, up "
        "to 64 MiB; none.",
        COB_USUAL_TEXT("auto")),
    COB_INT(threads, COB_THREADS_HELP, COB_SOME_THREADS),
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
    COB_INT(phrases, "Phrases that were found, or given."),
    COB_INT(rare, "Terms dropped by min_df."),
    COB_INT(frequent, "Terms dropped by max_df."),
    COB_INT(beyond, "Terms dropped by max_terms."),
    COB_INT(invalid_bytes, "Bytes that are not UTF-8, or NUL; read as blanks."),
    COB_CHARS(invalid_where, "The first file with such bytes; empty: none."),
    COB_INT(binary, "Files of a folder that were skipped, because they hold no text."),
    COB_CHARS(binary_where, "The first of these; empty: none."),
    COB_INT(unreadable, "Files of a folder that were skipped, because they could not be read."),
    COB_CHARS(unreadable_where, "The first of these; empty: none."),
    COB_INT(converted, "Files that are not UTF-8, and were converted."),
    COB_CHARS(converted_where, "The first of these; empty: none."),
    COB_CHARS(encoding, "Its encoding; empty: none."),
    COB_INT(mails, "Documents that were mail: only their subject and text were read."),
    COB_INT(pages, "Documents with tags or entities of HTML or XML, which were removed."),
    COB_INT(addresses, "Addresses, host names and message ids that were removed."),
    COB_INT(blobs, "Blocks of encoded data that were removed."),
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
