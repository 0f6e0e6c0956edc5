/* The table of file formats: how each is recognised, read and written. A format is one file and one
 * line in formats.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_FORMATS_H
#define COB_IO_FORMATS_H

#include "base/file.h"
#include "base/names.h"
#include "io/blocks.h"
#include "io/options.h"
#include "matrix/builder.h"

#include <stdbool.h>

/* The first bytes of a file (decompressed), for recognition; text[size] is '\0'. */
typedef struct cob_head {
    const char *text;
    size_t size;
    int complete; /* this is the whole file */
} cob_head;

enum { COB_HEAD_BYTES = 1 << 16 };

/* The input of a reader. `source` is at the first byte; readers with their own library may use the
 * path instead. */
typedef struct cob_reading {
    cob_source *source;
    const char *path;
    const cobloc_io_options *options;
} cob_reading;

/* What a format's own file stores besides the entries; other names go to files beside it. COB_NAN:
 * missing cells are stored as entries that are NaN. */
enum {
    COB_ROW_NAMES = 1,
    COB_COL_NAMES = 2,
    COB_ROW_LABELS = 4,
    COB_CATEGORIES = 8,
    COB_MISSING = 16,
    COB_NAN = 32
};

typedef struct cob_format {
    const char *name;
    const char *title;
    const char *extension; /* the usual one; output formats are chosen by it */
    unsigned carries;
    int gzip;        /* gzip-compressed files are read and written */
    int label_field; /* the known classes may be any of several fields */
    int (*recognise)(const cob_head *head);
    /* Messages need not name the file. *out is released by the caller, also after a failure. */
    cobloc_status (*read)(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err);
    cobloc_status (*write)(const cobloc_matrix *matrix, cob_file *file, const char *path,
                           cobloc_error *err);
} cob_format;

/* Reads the matrix of a file that is open, whatever its format. */
cobloc_status cob_matrix_read(cob_source *source, const cobloc_io_options *options,
                              cobloc_matrix **out, cobloc_error *err);

extern const cob_format cob_format_cbm;
extern const cob_format cob_format_npz;
extern const cob_format cob_format_matlab;
extern const cob_format cob_format_anndata;
extern const cob_format cob_format_mtx;
extern const cob_format cob_format_docword;
extern const cob_format cob_format_ldac;
extern const cob_format cob_format_svmlight;
extern const cob_format cob_format_cluto;
extern const cob_format cob_format_triples;
extern const cob_format cob_format_csv;

/* cobloc_matrix_write with further files that appear together with the matrix: they are committed
 * after it is written, but before it gets its name. */
cobloc_status cob_matrix_write_with(const cobloc_matrix *matrix, const char *path,
                                    const cobloc_io_options *options, cob_file *const *others,
                                    int other_count, cobloc_error *err);

/* ---- files beside the matrix (sidecar.c) ----------------------------------------------------- */

/* The path of a file beside the matrix: the matrix's path without ".gz" (and without its last
 * extension if `strip`), then `suffix`. The caller frees it with cob_free. NULL: out of memory. */
char *cob_sidecar_path(const char *path, int strip, const char *suffix);

/* Reads a list, one name per line, from the file at `path`. If there is no such file, *names stays
 * empty. A list whose length is not `expected` is an error; -1 accepts any length. */
cobloc_status cob_list_read(const char *path, int64_t expected, cob_names *names,
                            cobloc_error *err);

/* Reads the list at cob_sidecar_path, unless *names already holds names. */
cobloc_status cob_sidecar_read(const char *path, int strip, const char *suffix, int64_t expected,
                               cob_names *names, cobloc_error *err);

/* Gives `matrix` the names that its format does not store: from NAME.rows.txt, NAME.terms.txt,
 * NAME.labels.txt, where NAME is the path without ".gz" and without its last extension. A table of
 * `categories` must hold whole numbers from 0 on; their names are in NAME.categories.txt. */
cobloc_status cob_sidecars_attach(const char *path, bool categories, cobloc_matrix *matrix,
                                  cobloc_error *err);

/* Creates the file NAME + `suffix`. The caller writes and commits it. *out stays NULL if the matrix
 * goes to a pipe or a device: nothing can stand beside these. */
cobloc_status cob_sidecar_create(const char *path, const char *suffix, cob_file **out,
                                 cobloc_error *err);

/* Writes a list to NAME + `suffix`, one name per line; the caller commits it. *out stays NULL if
 * there are no names, or as above. */
cobloc_status cob_sidecar_write(const char *path, const char *suffix, const cob_names *names,
                                cob_file **out, cobloc_error *err);

/* ---- folders --------------------------------------------------------------------------------- */

/* Whether a path is a folder that holds a matrix, and reading it. */
bool cob_is_matrix_folder(const char *path);
cobloc_status cob_matrix_folder_read(const char *path, const cobloc_io_options *options,
                                     cobloc_matrix **out, cobloc_error *err);

/* Folders of shards (shards.c). */
enum { COB_MOST_SHARDS = 512 }; /* that one process has all open */
bool cob_is_shards(const char *path);
cobloc_status cob_shards_read(const char *path, const cobloc_io_options *options,
                              cobloc_matrix **out, cobloc_error *err);
cobloc_status cob_shards_write(const cobloc_matrix *matrix, const char *path, int count,
                               cobloc_error *err);

/* ---- folders of 10x Genomics (tenx.c) -------------------------------------------------------- */

bool cob_is_tenx(const char *path);

/* Reads such a folder: a row a cell, a column a gene, named by its symbol. A symbol that several
 * genes have is followed by their ids, after the first. */
cobloc_status cob_tenx_read(const char *path, const cobloc_io_options *options, cobloc_matrix **out,
                            cobloc_error *err);

/* The names of genes from their ids and symbols, of which there are as many, by the same rule. */
cobloc_status cob_tenx_names(const cob_names *ids, const cob_names *symbols, cob_names *names,
                             cobloc_error *err);

#endif
