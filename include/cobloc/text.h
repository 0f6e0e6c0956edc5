/* cobloc: from documents to a matrix of counts: a row a document, a column a term.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_TEXT_H
#define COBLOC_TEXT_H

#include "cobloc/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a corpus is stored. Every file may be gzip-compressed; the text is UTF-8. */
typedef enum cobloc_corpus {
    COBLOC_CORPUS_AUTO = 0, /* recognised: SMART and JSON lines by their content, tables by their
                               ending and a field; else a file in a folder is a document, and a
                               single file has one a line */
    COBLOC_CORPUS_FILES,    /* a file is a document */
    COBLOC_CORPUS_LINES,    /* a line is a document, an empty one too */
    COBLOC_CORPUS_JSONL,    /* a line is a JSON object, its text one of its fields */
    COBLOC_CORPUS_CSV,      /* CSV or TSV with a header, the text in one of its columns */
    COBLOC_CORPUS_SMART,    /* the classic collections: ".I 1" starts a document, its title (.T) and
                               words (.W) are read */
    COBLOC_CORPUS_JSON,     /* a JSON array of objects, the text one of their fields, or of texts */
    COBLOC_CORPUS_MBOX      /* a mailbox: a mail is a document */
} cobloc_corpus;

/* "auto", "files", "lines", "jsonl", "csv", "smart", "json" or "mbox". */
COBLOC_API const char *cobloc_corpus_name(cobloc_corpus corpus);

/* What a word is. */
typedef enum cobloc_tokens {
    COBLOC_TOKENS_WORDS = 0, /* Unicode's word boundaries (UAX 29), of the text in lower case and in
                                normal form NFKC; apostrophes and colons end a word, too; scripts
                                without blanks (Chinese, kana, Thai) give pairs of characters */
    COBLOC_TOKENS_WORD2      /* runs of two or more letters, digits and underscores, in lower case:
                                the rule of scikit-learn's CountVectorizer */
} cobloc_tokens;

/* "words" or "word2". */
COBLOC_API const char *cobloc_tokens_name(cobloc_tokens tokens);

/* The languages with a list of stop words: 0 <= index < cobloc_language_count(). Codes as "en",
 * names as "English". */
COBLOC_API int cobloc_language_count(void);
COBLOC_API const char *cobloc_language_code(int index);
COBLOC_API const char *cobloc_language_name(int index);

/* How text becomes terms: what a word is, stop words, stemming, which terms are kept. */
typedef struct cobloc_text_options cobloc_text_options;
COBLOC_API cobloc_status cobloc_text_options_new(cobloc_text_options **out, cobloc_error *err);
COBLOC_API void cobloc_text_options_free(cobloc_text_options *options);

/* What came of it: documents, terms, the language that was found, ... */
typedef struct cobloc_text_info cobloc_text_info;
COBLOC_API void cobloc_text_info_free(cobloc_text_info *info);

/* Reads the documents of a folder (all files in it and below, by their names; hidden ones are left
 * out) or of a file, and counts their terms. Columns are sorted by term. The matrix has names for
 * rows and columns, and labels where these are asked for; the answer is the same for any number of
 * threads. Memory follows the matrix, not the corpus. `options` and `info` may be NULL. */
COBLOC_API cobloc_status cobloc_text_read(const char *path, const cobloc_text_options *options,
                                          cobloc_matrix **out, cobloc_text_info **info,
                                          cobloc_error *err);

/* The same of documents in memory: `sizes` are their lengths in bytes; NULL: each ends in a NUL. */
COBLOC_API cobloc_status cobloc_text_count(const char *const *documents, const size_t *sizes,
                                           int64_t count, const cobloc_text_options *options,
                                           cobloc_matrix **out, cobloc_text_info **info,
                                           cobloc_error *err);

/* Reads any input: text where it is a folder, JSON lines or the SMART format, or where the
 * corpus of `text` is not auto; else a matrix, as cobloc_matrix_read does. A matrix file is opened
 * once. `info` is set to NULL for a matrix. All options, and `info`, may be NULL. */
COBLOC_API cobloc_status cobloc_read(const char *path, const cobloc_io_options *io,
                                     const cobloc_text_options *text, cobloc_matrix **out,
                                     cobloc_text_info **info, cobloc_error *err);

/* Whether a path is text by itself, not a matrix: a folder, JSON lines or the SMART format. What it
 * is goes to `corpus`; COBLOC_CORPUS_AUTO: not text. */
COBLOC_API cobloc_status cobloc_text_recognise(const char *path, cobloc_corpus *corpus,
                                               cobloc_error *err);

/* The settings that a matrix was made with by the functions above, as a JSON object: how to find
 * the terms in new documents; its language is never "auto". NULL for any other matrix. Copies of
 * the matrix keep it, and so do .cbm files and model.json; other files do not. */
COBLOC_API const char *cobloc_matrix_text(const cobloc_matrix *matrix);

/* What a row's document says: its first sentence or two or, with a `term` that it holds, the words
 * around that. Writes at most `size` - 1 bytes of one line and a NUL to `room`, and returns their
 * number; 0: nothing is known. Matrices of text know the beginnings of their documents (see the
 * option `excerpts`), and .cbm files keep them; copies do not. Several threads may call this. */
COBLOC_API size_t cobloc_matrix_excerpt(const cobloc_matrix *matrix, int64_t row, const char *term,
                                        char *room, size_t size);

/* Options from such an object: change the corpus and its fields as needed, give the terms as the
 * vocabulary, and new documents get the same columns. */
COBLOC_API cobloc_status cobloc_text_options_from_json(const char *json, cobloc_text_options **out,
                                                       cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
