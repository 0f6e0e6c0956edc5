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
    printf("%s %.4f after %d iterations\n", result->criterion_name, result->criterion,
           result->iterations);
    for (int k = 0; k < result->k; k++) {
        printf("\nbloc %d: %lld rows, %lld columns\n", k, (long long)result->row_sizes[k],
               (long long)result->col_sizes[k]);
        print_members("rows", matrix, result->row_labels, result->n, k, cobloc_matrix_row_name);
        print_members("columns", matrix, result->col_labels, result->d, k, cobloc_matrix_col_name);
    }
}

int main(int argc, char **argv)
{
    cobloc_matrix *matrix = NULL;
    cobloc_result *result = NULL;
    cobloc_fit_options options;
    cobloc_error err;

    if (argc != 3) {
        fprintf(stderr, "usage: fit_nations FILE K\n");
        return 2;
    }
    /* The default model is coclus, which maximises modularity. */
    cobloc_fit_options_default(&options);
    options.k = atoi(argv[2]);

    int done = cobloc_matrix_read(argv[1], NULL, &matrix, &err) == COBLOC_OK &&
               cobloc_fit(matrix, &options, &result, &err) == COBLOC_OK;
    if (done)
        print_blocs(matrix, result);
    else
        fprintf(stderr, "fit_nations: %s\n", err.message);

    cobloc_result_free(result); /* NULL is fine */
    cobloc_matrix_free(matrix);
    return done ? 0 : 1;
}
