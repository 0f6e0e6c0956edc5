/* The files of a corpus, and their text in pieces of whole documents, one piece a thread.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_CORPUS_H
#define COB_TEXT_CORPUS_H

#include "base/names.h"
#include "io/blocks.h"
#include "text/settings.h"

/* Zero-initialised: no files. */
typedef struct cob_corpus {
    bool folder;
    cob_names paths; /* of the files */
    size_t inside;   /* where in each path that begins which is shown to people */
    int64_t bytes;   /* of all files, as they are stored */
} cob_corpus;

void cob_corpus_free(cob_corpus *corpus);

/* Lists a file, or all files in and below a folder, sorted by their paths. */
cobloc_status cob_corpus_list(const char *path, cob_corpus *corpus, cobloc_error *err);

/* ---- feeding --------------------------------------------------------------------------------- */

/* Where the fields of a table stand; -1: nowhere. */
typedef struct cob_columns {
    char delimiter;
    int64_t text, name, label, count;
} cob_columns;

typedef struct cob_piece {
    int64_t file;
    cobloc_corpus kind; /* never auto */
    cob_columns columns;
    cob_block block;
} cob_piece;

/* Hands out the pieces of a corpus. Set up by cob_feed_init. */
typedef struct cob_feed {
    const cob_corpus *corpus;
    const cobloc_text_options *options;
    int64_t step;     /* every so many files are read, */
    bool only_starts; /* and only the first piece of each: a sample */
    int64_t file;     /* that is open, or the next to be */
    int64_t bytes_before;
    cob_source *source; /* NULL: none is open */
    cob_blocks blocks;
    cob_piece piece;          /* what the pieces of this file share */
    cobloc_corpus first_kind; /* of the first file */
    int64_t blocks_given;
} cob_feed;

void cob_feed_init(cob_feed *feed, const cob_corpus *corpus, const cobloc_text_options *options);
void cob_feed_free(cob_feed *feed);

/* The next piece, its text in `room`; *got is 0 where there is none. One thread at a time. */
cobloc_status cob_feed_next(cob_feed *feed, cob_buffer *room, cob_piece *piece, int *got,
                            cobloc_error *err);

/* How much of the corpus has been read, from 0 to 1. */
double cob_feed_done(const cob_feed *feed);

/* ---- recognising (recognise.c) --------------------------------------------------------------- */

/* Whether the first bytes of a file are of the SMART format, or JSON lines. */
bool cob_looks_smart(const char *text, size_t size);
bool cob_looks_jsonl(const char *text, size_t size, int complete);

/* What a file's documents are, from its first bytes, its name, and the options. */
cobloc_corpus cob_corpus_kind(const cob_corpus *corpus, const char *path, const char *head,
                              size_t size, int complete, const cobloc_text_options *options);

/* ---- documents (documents.c) ----------------------------------------------------------------- */

struct cob_counter;

/* Counts all documents of a piece. */
cobloc_status cob_count_piece(struct cob_counter *counter, const cob_corpus *corpus,
                              const cob_piece *piece, cobloc_error *err);

/* Where the columns of a table are, by its header, which stands at the start of `text`. */
cobloc_status cob_columns_find(const char *path, const char *text, size_t size, char delimiter,
                               const cobloc_text_options *options, cob_columns *columns,
                               cobloc_error *err);

#endif
