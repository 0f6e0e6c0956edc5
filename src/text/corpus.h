/* The files of a corpus, and their text in pieces of whole documents, to be counted by several
 * threads.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_CORPUS_H
#define COB_TEXT_CORPUS_H

#include "base/names.h"
#include "io/blocks.h"
#include "text/row_fields.h"
#include "text/settings.h"

#include <stdbool.h>

/* ---- archives (archive.c) -------------------------------------------------------------------- */

/* Documents in an archive, .tar (compressed or not) or .zip, read without unpacking it: by
 * libarchive, which is loaded when it is needed. */

typedef struct cob_archive cob_archive;

/* Whether the ending of a path is that of an archive. */
bool cob_is_archive(const char *path);

cobloc_status cob_archive_open(const char *path, cob_archive **out, cobloc_error *err);
void cob_archive_close(cob_archive *archive);

/* The path of the next regular file, valid until the next call; NULL at the end. */
cobloc_status cob_archive_next(cob_archive *archive, const char **name, cobloc_error *err);

/* Reads the whole file, up to COB_LONG_RECORD bytes, into `to`. */
cobloc_status cob_archive_read(cob_archive *archive, cob_buffer *to, cobloc_error *err);

/* ---- the files of a corpus (corpus.c) -------------------------------------------------------- */

/* Zero-initialised: no files. */
typedef struct cob_corpus {
    bool folder;
    bool archive;    /* the only file is one */
    cob_names paths; /* of all files */
    size_t inside;   /* offset in each path of the part that is shown */
    int64_t bytes;   /* stored size of all files */
    int64_t broken;  /* links to nowhere, and what else cannot be looked at */
    char broken_where[256];
} cob_corpus;

void cob_corpus_free(cob_corpus *corpus);

/* Lists a file, or the files in a folder and its subfolders that the options include, sorted by
 * path. */
cobloc_status cob_corpus_list(const char *path, const cobloc_text_options *options,
                              cob_corpus *corpus, cobloc_error *err);

/* Whether the options include a file, by its path inside the folder. */
bool cob_corpus_includes(const cobloc_text_options *options, const char *inside);

/* ---- feeding --------------------------------------------------------------------------------- */

/* The columns of a table by role; -1: missing. */
typedef struct cob_columns {
    char delimiter;
    int64_t text, name, label, count;
    int field_count; /* other columns that may be kept */
    int64_t field_at[COB_MOST_FIELDS];
    char field_name[COB_MOST_FIELDS][COB_FIELD_NAME];
} cob_columns;

typedef struct cob_piece {
    int64_t file;
    char entry[256];    /* the path inside an archive; empty: the file is none */
    cobloc_corpus kind; /* never COBLOC_CORPUS_AUTO */
    cob_columns columns;
    cob_text_block block;
} cob_piece;

/* Hands out the pieces of a corpus. Initialise with cob_feed_init. */
typedef struct cob_feed {
    const cob_corpus *corpus;
    const cobloc_text_options *options;
    int64_t step;     /* reads every step-th file, */
    bool only_starts; /* and only the first piece of each: for a sample */
    int64_t file;     /* the open file, or the next one */
    int64_t bytes_before;
    cob_source *source;   /* NULL: no file is open */
    cob_archive *archive; /* that is open; NULL: none */
    cob_blocks blocks;
    cob_piece piece;          /* what all pieces of this file share */
    cobloc_corpus first_kind; /* of the first file */
    int64_t blocks_given;
    int64_t entries;                       /* of an archive, so far */
    int64_t binary, unreadable, converted; /* files that were skipped, or not UTF-8 */
    char binary_where[256], unreadable_where[256], converted_where[256];
    char encoding[32]; /* of the first that was converted */
} cob_feed;

void cob_feed_init(cob_feed *feed, const cob_corpus *corpus, const cobloc_text_options *options);
void cob_feed_free(cob_feed *feed);

/* The next piece, with its text in `room`; *got is 0 at the end. One thread at a time. */
cobloc_status cob_feed_next(cob_feed *feed, cob_buffer *room, cob_piece *piece, int *got,
                            cobloc_error *err);

/* The fraction of the corpus read so far. */
double cob_feed_done(const cob_feed *feed);

/* ---- recognising (recognise.c) --------------------------------------------------------------- */

/* Whether the first bytes of a file look like the SMART format, JSON lines, a JSON array, or a
 * mailbox; `several`: with more than one mail. */
bool cob_looks_smart(const char *text, size_t size);
bool cob_looks_json_array(const char *text, size_t size);
bool cob_looks_mbox(const char *text, size_t size, bool several);
bool cob_looks_jsonl(const char *text, size_t size, int complete);

/* The kind of a file's documents, from its first bytes, its name and the options. */
cobloc_corpus cob_corpus_kind(const cob_corpus *corpus, const char *path, const char *head,
                              size_t size, int complete, const cobloc_text_options *options);

/* ---- documents (documents.c) ----------------------------------------------------------------- */

struct cob_counter;

/* Counts all documents of a piece. */
cobloc_status cob_count_piece(struct cob_counter *counter, const cob_corpus *corpus,
                              const cob_piece *piece, cobloc_error *err);

/* ---- columns (columns.c) --------------------------------------------------------------------- */

/* The columns of a table, from the header at the start of `text`. */
cobloc_status cob_columns_find(const char *path, const char *text, size_t size, char delimiter,
                               const cobloc_text_options *options, cob_columns *columns,
                               cobloc_error *err);

#endif
