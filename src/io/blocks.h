/* Text in blocks of whole records, handed to as many threads as there are.
 *
 * One thread at a time reads the next block into its own buffer, cuts it after the last whole
 * record, and counts the records, so that every block knows the number of its first line and first
 * record; then it parses while the next thread reads. Memory: one buffer a thread, whatever the
 * size of the file.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_BLOCKS_H
#define COB_IO_BLOCKS_H

#include "base/error.h"
#include "io/source.h"

typedef struct cob_block {
    char *text; /* whole records; text[size] is '\0', COB_SCAN_SLACK more may be read */
    size_t size;
    int64_t first_line;   /* number of the first line, from 1: for messages */
    int64_t first_record; /* number of the first record, from 0 */
    int64_t sequence;     /* number of the block, from 0 */
} cob_block;

/* Looks at new bytes: returns how many of `size` belong to whole records (0: none ends here), and
 * adds the number of their records and lines. `final`: the bytes end the file, so all belong. */
typedef size_t (*cob_cut_fn)(const char *text, size_t size, int final, int64_t *records,
                             int64_t *lines);

/* The usual cut: a record is a line. */
size_t cob_cut_lines(const char *text, size_t size, int final, int64_t *records, int64_t *lines);

/* For cuts whose records are the lines that are neither blank nor start with `comment` ('\0':
 * none): the number of these lines. */
int64_t cob_count_filled_lines(const char *text, size_t size, char comment);

/* Parses one block. `lane` is below the number of threads: use it to pick the builder's lane. */
typedef cobloc_status (*cob_block_fn)(void *context, int lane, const cob_block *block,
                                      cobloc_error *err);

typedef struct cob_blocks {
    cob_source *source;
    cob_cut_fn cut;     /* NULL: cob_cut_lines */
    size_t piece;       /* bytes that are read at a time */
    size_t longest;     /* the longest record, in bytes, that is still believed */
    const char *record; /* what messages call it; NULL: a line */
    int threads;
    cobloc_progress progress;
    int64_t first_line; /* what the source's next byte is in: set by the caller, kept up to date */
    int64_t first_record;

    /* Bytes that were read but belong to the next block; start NULL and 0. Released by the run. */
    char *rest;
    size_t rest_start;
    size_t rest_size;
    size_t rest_capacity;
} cob_blocks;

enum {
    COB_SHORT_RECORD = 1 << 16, /* longest: a line of a few numbers */
    COB_LONG_RECORD = 1 << 28   /* longest: a line that is a row of the matrix */
};

/* Prepares to read a source from its current place on. */
cob_blocks cob_blocks_of(cob_source *source, const cobloc_io_options *options);

/* Reads one line (without its end) from the source into `line`, growing it; *got = 0 at the end of
 * the file. For headers, before cob_blocks_run. */
cobloc_status cob_blocks_line(cob_blocks *blocks, char **line, size_t *capacity, int *got,
                              cobloc_error *err);

/* Bytes that grow; zero-initialised. Release with cob_free(buffer.text). */
typedef struct cob_buffer {
    char *text;
    size_t size;
    size_t capacity;
} cob_buffer;

/* Fills `to` with the next block; an empty one at the end of the file. For those who bring threads
 * of their own: one at a time. */
cobloc_status cob_blocks_next(cob_blocks *blocks, cob_buffer *to, cob_block *block,
                              cobloc_error *err);

/* Parses all that is left. Of several failures, the one earliest in the file is reported. */
cobloc_status cob_blocks_run(cob_blocks *blocks, cob_block_fn parse, void *context,
                             cobloc_error *err);

void cob_blocks_free(cob_blocks *blocks);

/* Puts "PATH:LINE: " before what *err says, unless that starts with the path; returns `code`. */
cobloc_status cob_fail_line(cobloc_error *err, cobloc_status code, const char *path, int64_t line);

#endif
