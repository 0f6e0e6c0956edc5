/* Reads a table, finds its blocs and prints them: the shortest useful program with cobloc.
 *
 *     cc fit_nations.c $(pkg-config --cflags --libs cobloc) -o fit_nations
 *     ./fit_nations nations/nations.csv 6
 *
 * SPDX-License-Identifier: MIT
 */
#include <cobloc.h>

#include <stdio.h>
#include <stdlib.h>

/* Prints the names of the lines with a label; lines without a name are numbered. */
static void print_members(const char *title, const cobloc_matrix *matrix, const int32_t *labels,
                          int64_t count, int32_t label,
                          const char *(*name_of)(const cobloc_matrix *, int64_t))
{
    const char *before = " ";
    printf("  %s:", title);
    for (int64_t i = 0; i < count; i++) {
        if (labels[i] != label)
            continue;
        if (name_of(matrix, i))
            printf("%s%s", before, name_of(matrix, i));
        else
            printf("%s%lld", before, (long long)i);
        before = ", ";
    }
    printf("\n");
}

static void print_blocs(const cobloc_matrix *matrix, const cobloc_result *result)
{
    int64_t rows, cols, k = cobloc_int(result, "k");
    const int32_t *row_labels = cobloc_ints(result, &rows, "row_labels");
    const int32_t *col_labels = cobloc_ints(result, &cols, "col_labels");
    printf("%s %.4f after %lld iterations\n", cobloc_text(result, "criterion_name"),
           cobloc_real(result, "criterion"), (long long)cobloc_int(result, "iterations"));
    for (int32_t b = 0; b < k; b++) {
        printf("\nbloc %d: %lld rows, %lld columns\n", (int)b,
               (long long)cobloc_int(result, "row_sizes[%d]", (int)b),
               (long long)cobloc_int(result, "col_sizes[%d]", (int)b));
        print_members("rows", matrix, row_labels, rows, b, cobloc_matrix_row_name);
        print_members("columns", matrix, col_labels, cols, b, cobloc_matrix_col_name);
    }
}

int main(int argc, char **argv)
{
    cobloc_matrix *matrix = NULL;
    cobloc_result *result = NULL;
    cobloc_fit_options *options = NULL;
    cobloc_error err;

    if (argc != 3) {
        fprintf(stderr, "usage: fit_nations FILE K\n");
        return 2;
    }
    /* coclus maximises modularity. Without a model, several are fitted, and one is chosen. */
    int done = cobloc_fit_options_new(&options, &err) == COBLOC_OK &&
               cobloc_set_text(options, "model", "coclus", &err) == COBLOC_OK &&
               cobloc_set_text(options, "k", argv[2], &err) == COBLOC_OK &&
               cobloc_matrix_read(argv[1], NULL, &matrix, &err) == COBLOC_OK &&
               cobloc_fit(matrix, options, &result, &err) == COBLOC_OK;
    if (done)
        print_blocs(matrix, result);
    else
        fprintf(stderr, "fit_nations: %s\n", err.message);

    cobloc_result_free(result); /* NULL is fine */
    cobloc_matrix_free(matrix);
    cobloc_fit_options_free(options);
    return done ? 0 : 1;
}
