/* HDF5 files of cells by genes: those of tests/fuzz/corpus/anndata, which h5py wrote, as they are
 * and damaged. tests/scipy/test_anndata.py compares many more with what anndata reads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include <stdio.h>
#include <string.h>

static const double dense[] = {2, 0, 1, 0, 3, 0, 1, 0, 4, 0, 5, 0};

static const struct {
    const char *file, *row, *col, *label; /* of row 2 and column 1 */
} corpus[] = {
    {"chunked.h5ad", NULL, NULL, NULL},
    {"old_groups.h5ad", "c", NULL, NULL},
    {"new_groups.h5ad", "cé", "v", ""},
    {"tenx.h5", "c", "u (y)", NULL},
};
enum { FILES = sizeof corpus / sizeof *corpus };

static const char *path_of(int file)
{
    static const char here[] = __FILE__;
    static char path[1024];
    snprintf(path, sizeof path, "%.*s../fuzz/corpus/anndata/%s",
             (int)(strrchr(here, '/') + 1 - here), here, corpus[file].file);
    return path;
}

static void the_corpus(void **state)
{
    (void)state;
    for (int f = 0; f < FILES; f++) {
        cobloc_matrix *matrix = must_read(path_of(f), NULL);
        assert_dense(matrix, 4, 3, dense);
        const char *got[] = {cobloc_matrix_row_name(matrix, 2), cobloc_matrix_col_name(matrix, 1),
                             cobloc_matrix_row_label(matrix, 2)};
        const char *expected[] = {corpus[f].row, corpus[f].col, corpus[f].label};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(!got[i], !expected[i]);
            if (got[i])
                assert_string_equal(got[i], expected[i]);
        }
        cobloc_matrix_free(matrix);
        check_failing_allocations(path_of(f), NULL);
    }
}

/* Cut anywhere, or with any byte changed, a file is read or refused with a sentence. */
static void damaged_anywhere(void **state)
{
    static unsigned char bytes[1 << 13];
    static const unsigned char change[] = {0x01, 0xFF, 0};
    cobloc_error err;
    (void)state;
    for (int f = 0; f < FILES; f++) {
        FILE *file = fopen(path_of(f), "rb");
        assert_non_null(file);
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        for (size_t at = 8; at < size; at++)
            if (bytes[at] || at % 16 == 0) { /* most bytes are mere room */
                unsigned char old = bytes[at];
                cobloc_matrix *matrix = NULL;
                bytes[at] ^= change[at % 3];
                const char *path = test_file("damaged.h5ad", bytes, change[at % 3] ? size : at);
                bytes[at] = old;
                if (cobloc_matrix_read(path, NULL, &matrix, &err) != COBLOC_OK)
                    assert_non_null(strstr(err.message, "damaged.h5ad: "));
                cobloc_matrix_free(matrix);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corpus),
        cmocka_unit_test(damaged_anywhere),
    };
    return cmocka_run_group_tests_name("anndata", tests, NULL, NULL);
}
