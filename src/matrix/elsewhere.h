/* Entries of lines that other ranks have. When labels of such lines change, a rank needs those of
 * their entries that are in its own lines. They are in the file only, and are read from it into a
 * small buffer, some at a time: of a mapped file the system may map 2 MiB for one entry, and each
 * time a page is missing costs more than reading some kilobytes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_ELSEWHERE_H
#define COB_MATRIX_ELSEWHERE_H

#include "matrix/kept.h"
#include "matrix/kernels.h"
#include "matrix/matrix.h"

/* How entries as they are in a file become those of passes. */
typedef struct cob_remade {
    const cob_weigher *weigher; /* NULL: they are not weighed */
    cob_value_grid grid;        /* a scale of 0: they are those of passes already */
    bool words;                 /* 32 bits hold them */
    bool columns;               /* the lines are columns */
    const int64_t *offsets;     /* of the lines in the file, */
    int64_t lines;              /* and their number */
} cob_remade;

/* Entries that follow each other, and where the buffer has them. */
typedef struct cob_run_of_entries {
    int64_t first, last, at;
} cob_run_of_entries;

struct cob_elsewhere {
    const cobloc_matrix *file;
    cobloc_view lines;      /* all lines, with the entries of the file; */
    cob_between here;       /* those whose entries this rank has in memory */
    const int32_t *numbers; /* of their indices among the lines of passes; NULL: these numbers */
    cob_remade remade;

    cobloc_view buffer; /* entries as passes have them; those of lines are not told apart */
    int32_t *indices;   /* the arrays of the buffer, */
    char *values, *raw; /* and values before they are remade; NULL: there are none */
    int64_t used, top;  /* entries of the buffer that are read, and where kept ones begin */
    cob_run_of_entries *runs;
    int run_count;
    cob_kept kept;
};

/* `with` says where the entries are; `kind` is that of passes. */
cobloc_status cob_elsewhere_new(const cob_elsewhere *with, cobloc_value_kind kind,
                                cob_elsewhere **out, cobloc_error *err);
void cob_elsewhere_free(cob_elsewhere *x);

/* Leaves out, of a line with many entries, most of those that are not in `own` lines. */
cob_between cob_elsewhere_narrow(const cob_elsewhere *x, cob_between entries, cob_between own);

/* Empties the buffer. */
void cob_elsewhere_clear(cob_elsewhere *x);

/* Makes room for some entries, behind those before, or for the first of them; *at receives where
 * that is. Returns how many have room. */
int64_t cob_elsewhere_add(cob_elsewhere *x, cob_between entries, int64_t *at);

/* Reads a run into its room. */
void cob_elsewhere_read(const cob_elsewhere *x, int run);

/* Makes entries of the buffer those of passes, of which `entry` is one of the same line in the
 * file. Returns the ones in `own` lines; the others stay as they are. */
cob_between cob_elsewhere_remake(const cob_elsewhere *x, int64_t entry, cob_between entries,
                                 cob_between own);

/* Keeps the own entries of a line, which are those of the buffer. */
void cob_elsewhere_keep(cob_elsewhere *x, int64_t line, cob_between entries, cob_between own);

/* Makes room for those of a line that is kept; they are the whole of it. False: there is none. */
bool cob_elsewhere_recall(cob_elsewhere *x, int64_t line, cob_between *entries);

/* Puts them there. */
void cob_elsewhere_take(const cob_elsewhere *x, int64_t line, cob_between entries, cob_between own);

#endif
