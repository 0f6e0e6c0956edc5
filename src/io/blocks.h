/* Text in blocks of whole records, parsed by several threads.
 *
 * One thread at a time reads the next block into its own buffer, cuts it after the last whole
 * record and counts the records, so that every block knows the numbers of its first line and
 * record. It parses the block while the next thread reads. Memory use is one buffer per thread,
 * whatever the size of the file.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_BLOCKS_H
#define COB_IO_BLOCKS_H

#include "base/names.h"
#include "base/source.h"
#include "io/options.h"

typedef struct cob_text_block {
    char *text; /* whole records; text[size] is '\0', and COB_SCAN_SLACK more bytes may be read */
    size_t size;
    int64_t first_line;   /* number of the first line, from 1: for messages */
    int64_t first_record; /* number of the first record, from 0 */
    int64_t sequence;     /* number of the block, from 0 */
} cob_text_block;

/* Returns how many of `size` bytes belong to whole records (0 if none ends here), and adds the
 * numbers of their records and lines. If `final`, the bytes end the file, so all belong. */
typedef size_t (*cob_cut_fn)(const char *text, size_t size, int final, int64_t *records,
                             int64_t *lines);

/* The default: a record is a line. */
size_t cob_cut_lines(const char *text, size_t size, int final, int64_t *records, int64_t *lines);

/* Counts the lines that are neither blank nor start with `comment` ('\0': no comments), for cuts
 * whose records these are. */
int64_t cob_count_filled_lines(const char *text, size_t size, char comment);

/* Parses one block. `lane` is the thread's number, for choosing the builder's lane. */
typedef cobloc_status (*cob_block_fn)(void *context, int lane, const cob_text_block *block,
                                      cobloc_error *err);

typedef struct cob_blocks {
    cob_source *source;
    cob_cut_fn cut;     /* NULL: cob_cut_lines */
    size_t piece;       /* bytes to read at a time */
    size_t longest;     /* the longest record accepted, in bytes */
    const char *record; /* what messages call a record; NULL: "the line" */
    int threads;
    cobloc_progress progress;
    int64_t first_line; /* of the source's next byte: set by the caller, then kept up to date */
    int64_t first_record;

    /* Bytes read that belong to the next block; NULL and 0 at the start. Freed by the run. */
    char *rest;
    size_t rest_start;
    size_t rest_size;
    size_t rest_capacity;
} cob_blocks;

enum {
    COB_SHORT_RECORD = 1 << 16, /* longest: a line of a few numbers */
    COB_LONG_RECORD = 1 << 28   /* longest: a line that is a row of the matrix */
};

/* Prepares to read a source from its current position. */
cob_blocks cob_blocks_of(cob_source *source, const cobloc_io_options *options);

/* Reads one line, without its line end, into `line`, which grows as needed; *got is 0 at the end of
 * the file. For headers, before cob_blocks_run. */
cobloc_status cob_blocks_line(cob_blocks *blocks, char **line, size_t *capacity, int *got,
                              cobloc_error *err);

/* A growing buffer; zero-initialised. Free with cob_free(buffer.text). */
typedef struct cob_buffer {
    char *text;
    size_t size;
    size_t capacity;
} cob_buffer;

/* Fills `to` with the next block, which is empty at the end of the file. For callers with their own
 * threads: one at a time. */
cobloc_status cob_blocks_next(cob_blocks *blocks, cob_buffer *to, cob_text_block *block,
                              cobloc_error *err);

/* Parses the rest of the source. If several blocks fail, the first failure in the file is reported.
 */
cobloc_status cob_blocks_run(cob_blocks *blocks, cob_block_fn parse, void *context,
                             cobloc_error *err);

void cob_blocks_free(cob_blocks *blocks);

/* Puts "PATH: " or "PATH:LINE: " before the message in *err, unless it already starts with the
 * path, or with that of a file beside it; returns `code`. */
cobloc_status cob_fail_in(cobloc_error *err, cobloc_status code, const char *path);
cobloc_status cob_fail_line(cobloc_error *err, cobloc_status code, const char *path, int64_t line);

/* ---- lines ----------------------------------------------------------------------------------- */

/* Parses record number `record`, starting at its first byte that is not blank; moves *text to its
 * end, or to a comment behind it. */
typedef cobloc_status (*cob_line_parse_fn)(void *context, int64_t record, const char **text,
                                           cobloc_error *err);

/* Parses a block whose records are lines; those whose first byte is in `skipped` are none. */
cobloc_status cob_parse_lines(const cob_text_block *block, const char *path, const char *skipped,
                              cob_line_parse_fn parse, void *context, cobloc_error *err);

/* ---- names ----------------------------------------------------------------------------------- */

/* Names that blocks hold: a list for each, since blocks finish in any order. Zero-initialised. */
typedef struct cob_name_lists {
    cob_names *lists;
    size_t count, capacity;
    int64_t names, most; /* of all lists; how many are accepted, 0: any number */
} cob_name_lists;

/* Moves the names of block number `sequence` to their place. Threads may call this at once. */
cobloc_status cob_name_lists_keep(cob_name_lists *all, int64_t sequence, cob_names *names,
                                  cobloc_error *err);
/* Appends all names, in the order of the blocks, and releases the lists. */
cobloc_status cob_name_lists_join(cob_name_lists *all, cob_names *names, cobloc_error *err);
void cob_name_lists_free(cob_name_lists *all);

#endif
