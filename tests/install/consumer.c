/* A program of somebody else's: it knows cobloc by the installed header alone. In C and in C++.
 *
 * SPDX-License-Identifier: MIT
 */
#include <cobloc.h>

#include <stdio.h>
#include <string.h>

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
    cobloc_matrix_free(matrix);
    return 0;
}
