/* A program of somebody else's: it knows cobloc by the installed header alone. In C and in C++.
 *
 * SPDX-License-Identifier: MIT
 */
#include <cobloc.h>

#include <stdio.h>
#include <string.h>

/* Options and results by name. */
static int fit(const cobloc_matrix *matrix)
{
    cobloc_fit_options *options = NULL;
    cobloc_result *result = NULL;
    cobloc_error err;
    int64_t count = 0;
    int failed = cobloc_fit_options_new(&options, &err) != COBLOC_OK ||
                 cobloc_set_int(options, "k", 2, &err) != COBLOC_OK ||
                 cobloc_fit(matrix, options, &result, &err) != COBLOC_OK ||
                 !cobloc_ints(result, &count, "row_labels") ||
                 count != cobloc_matrix_rows(matrix) || cobloc_int(result, "k") != 2;
    if (failed)
        fprintf(stderr, "the fit failed\n");
    cobloc_result_free(result);
    cobloc_fit_options_free(options);
    return failed;
}

int main(int argc, char **argv)
{
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", COBLOC_VERSION_MAJOR, COBLOC_VERSION_MINOR,
             COBLOC_VERSION_PATCH);
    if (strcmp(version, cobloc_version()) != 0) {
        fprintf(stderr, "the header is of %s, the library of %s\n", version, cobloc_version());
        return 1;
    }
    if (argc != 2 || cobloc_matrix_read(argv[1], NULL, &matrix, &err) != COBLOC_OK) {
        fprintf(stderr, "%s\n", argc != 2 ? "expected one file" : err.message);
        return 1;
    }
    printf("%s: %lld rows, %lld columns, %lld entries\n", version,
           (long long)cobloc_matrix_rows(matrix), (long long)cobloc_matrix_cols(matrix),
           (long long)cobloc_matrix_nnz(matrix));
    int failed = fit(matrix);
    cobloc_matrix_free(matrix);
    return failed;
}
