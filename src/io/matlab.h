/* What the two kinds of MATLAB files share. Versions 5 to 7 (matlab_v5.c) and 7.3 (matlab_v73.c)
 * each list the variables of a file and read the numbers or strings of one; matlab.c chooses the
 * matrix, its names and its labels.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_MATLAB_H
#define COB_IO_MATLAB_H

#include "base/file.h"
#include "base/names.h"
#include "io/binary.h"

typedef enum cob_mat_kind {
    COB_MAT_FULL, /* an array of numbers or logicals */
    COB_MAT_SPARSE,
    COB_MAT_CHAR,
    COB_MAT_CELL,
    COB_MAT_OTHER /* structures, objects, functions */
} cob_mat_kind;

typedef struct cob_mat_variable {
    char name[128]; /* MATLAB's own limit is 63 bytes */
    cob_mat_kind kind;
    bool complex;
    bool logical;
    bool solid; /* more than two dimensions; `cols` is the product of all but the first */
    int64_t rows;
    int64_t cols;
    int64_t place; /* where its reader finds it */
} cob_mat_variable;

typedef struct cob_mat cob_mat;

/* Receives the numbers of an array, in any order, including the zeros of a full one. */
typedef cobloc_status (*cob_mat_sink)(void *context, int64_t row, int64_t col, double value,
                                      cobloc_error *err);

typedef struct cob_mat_reader {
    cobloc_status (*open)(cob_mat *mat, cobloc_error *err); /* lists the variables */
    void (*close)(cob_mat *mat);
    /* The numbers of a variable that is sparse or full, real and two-dimensional. */
    cobloc_status (*numbers)(cob_mat *mat, const cob_mat_variable *variable, cob_mat_sink sink,
                             void *context, cobloc_error *err);
    /* The rows of a char array, or the strings of a cell array (numbers become text). *usable is 0
     * if it contains anything else. */
    cobloc_status (*strings)(cob_mat *mat, const cob_mat_variable *variable, cob_names *names,
                             int *usable, cobloc_error *err);
} cob_mat_reader;

extern const cob_mat_reader cob_mat_v5;
extern const cob_mat_reader cob_mat_v73;

struct cob_mat {
    cob_binary file;
    bool big; /* version 5: big-endian */
    const cob_mat_reader *reader;
    void *state; /* the reader's own */
    cob_mat_variable *variables;
    size_t count;
    size_t capacity;
};

enum { COB_MAT_HEADER = 128, COB_MAT_VERSION_5 = 0x0100, COB_MAT_VERSION_73 = 0x0200 };

/* Hands a stored number to a sink; fails if the double may have been rounded. */
cobloc_status cob_mat_send(cob_number_type type, double value, int64_t row, int64_t col,
                           cob_mat_sink sink, void *context, cobloc_error *err);

/* A new variable at the end of the list, zeroed; NULL: out of memory. */
cob_mat_variable *cob_mat_add(cob_mat *mat);

/* ---- text (matlab_text.c) -------------------------------------------------------------------- */

/* A char array as it is stored: column by column, in units of 1 byte (UTF-8 or Latin-1), 2 (UTF-16)
 * or 4 (code points). */
typedef struct cob_mat_chars {
    int64_t rows;
    int64_t cols;
    int width;
    uint32_t *units;
    size_t count;
    size_t capacity;
    char *text; /* buffer for a row of UTF-8 */
    size_t text_capacity;
} cob_mat_chars;

void cob_mat_chars_free(cob_mat_chars *chars);

/* Adds every row as a string, without padding (trailing NULs and, if `strip`, blanks). Invalid text
 * (half a UTF-16 pair, an embedded NUL) becomes U+FFFD. *usable is 0, and nothing is added, if the
 * size does not fit the shape. An empty array is one empty string. */
cobloc_status cob_mat_chars_add(cob_mat_chars *chars, bool strip, cob_names *names, int *usable,
                                cobloc_error *err);

/* ---- writing (matlab_write.c) ---------------------------------------------------------------- */

cobloc_status cob_mat_write(const cobloc_matrix *matrix, cob_file *file, const char *path,
                            cobloc_error *err);

#endif
