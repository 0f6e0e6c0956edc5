/* MATLAB files of version 5 to 7: arrays, which variable is what, names and labels.
 * SPDX-License-Identifier: MIT
 */
#include "matlab_blob.h"

#include <math.h>

/* ---- arrays ---------------------------------------------------------------------------------- */

static void sparse_matrices(void **state)
{
    static const uint32_t types[] = {MI_DOUBLE, MI_SINGLE, MI_UINT8,  MI_INT8,  MI_UINT16,
                                     MI_INT16,  MI_INT32,  MI_UINT32, MI_INT64, MI_UINT64};
    static blob b;
    (void)state;
    for (int big = 0; big < 2; big++)
        for (int packed = 0; packed < 2; packed++)
            for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
                add_sparse(start(&b, big), 0, types[t], "Q");
                if (packed)
                    compress_all(&b);
                assert_reads(&b);
            }
}

static void full_matrices(void **state)
{
    static const uint32_t types[] = {MI_DOUBLE, MI_SINGLE, MI_INT8,   MI_UINT8, MI_INT16,
                                     MI_UINT16, MI_INT32,  MI_UINT32, MI_INT64, MI_UINT64};
    static blob b;
    (void)state;
    for (uint32_t class = DOUBLE; class <= 15; class ++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            add_full(start(&b, class % 2), class, types[t], 3, 4, "some_table", by_column);
            if (t % 2)
                compress_all(&b);
            assert_reads(&b);
        }
    double flags[12];
    for (int i = 0; i < 12; i++)
        flags[i] = dense[i] > 0;
    add_full(start(&b, 0), UINT8 | LOGICAL, MI_UINT8, 4, 3, "seen", flags);
    cobloc_matrix *matrix = must_read(saved(&b), NULL);
    assert_int_equal(matrix->kind, COBLOC_ONES);
    assert_int_equal(matrix->nnz, 5);
    cobloc_matrix_free(matrix);
}

/* MATLAB stores the values of a sparse logical matrix as bytes and says that they are doubles. */
static void sparse_logical(void **state)
{
    static blob b;
    (void)state;
    add_sparse(start(&b, 0), LOGICAL, MI_UINT8, "Q");
    size_t tag = b.size - 16;
    assert_int_equal(b.bytes[tag], MI_UINT8);
    b.bytes[tag] = MI_DOUBLE;
    assert_reads(&b);
}

/* ---- which variable -------------------------------------------------------------------------- */

static cobloc_status read_variable(const blob *b, const char *variable, cobloc_matrix **matrix,
                                   cobloc_error *err)
{
    cobloc_io_options options;
    cob_io_options_default(&options);
    options.variable = variable;
    return cobloc_matrix_read(saved(b), &options, matrix, err);
}

static void the_named_variable(void **state)
{
    static blob b;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    (void)state;
    add_sparse(start(&b, 0), 0, MI_DOUBLE, "first");
    add_full(&b, DOUBLE, MI_UINT8, 2, 2, "second", (double[]){1, 2, 3, 4});
    add_full(&b, DOUBLE | COMPLEX, MI_UINT8, 2, 2, "third", (double[]){1, 2, 3, 4});
    add_cells(&b, 1, 2, "fourth", (const char *const[]){"a", "b"});
    assert_ok(read_variable(&b, "second", &matrix, &err), err);
    assert_dense(matrix, 2, 2, (double[]){1, 3, 2, 4});
    cobloc_matrix_free(matrix);
    assert_int_equal(read_variable(&b, "fifth", &matrix, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message,
                           "there is no variable 'fifth'; the file has: first (sparse, 3 "
                           "by 4), second (full, 2 by 2), third (complex, 2 by 2), "
                           "fourth (cell, 1 by 2)"));
    assert_int_equal(read_variable(&b, "third", &matrix, &err), COBLOC_UNSUPPORTED);
    assert_int_equal(read_variable(&b, "fourth", &matrix, &err), COBLOC_UNSUPPORTED);
    assert_non_null(strstr(err.message, "made.mat: the variable 'fourth' is cell"));
}

static void the_obvious_variable(void **state)
{
    static const double other[] = {9, 9, 9, 9};
    static blob b;
    (void)state;
    add_full(start(&b, 0), DOUBLE, MI_UINT8, 2, 2, "X", other);
    add_sparse(&b, 0, MI_DOUBLE, "Q"); /* the only sparse one */
    assert_reads(&b);
    add_sparse(&b, LOGICAL, MI_UINT8, "R");
    assert_refused(saved(&b), NULL, COBLOC_BAD_ARGUMENT, "--variable");
    add_sparse(&b, 0, MI_DOUBLE, "A"); /* of several, the one with a usual name */
    assert_reads(&b);

    add_full(start(&b, 0), DOUBLE, MI_UINT8, 2, 2, "other", other);
    add_full(&b, DOUBLE, MI_UINT8, 1, 1, "M", other); /* a usual name, but no table */
    add_full(&b, DOUBLE, MI_UINT8, 3, 4, "fea", by_column);
    assert_reads(&b);
    add_full(&b, DOUBLE, MI_UINT8, 2, 2, "data", other);
    assert_refused(
        saved(&b), NULL, COBLOC_BAD_ARGUMENT,
        "several matrices; choose one with --variable NAME (options.variable): other (full, "
        "2 by 2), M (full, 1 by 1), fea (full, 3 by 4), data (full, 2 by 2)");

    add_full(start(&b, 0), DOUBLE, MI_UINT8, 4, 1, "k", other);
    add_full(&b, DOUBLE, MI_UINT8, 3, 4, "strange", by_column); /* the only table */
    assert_reads(&b);

    close_array(&b, open_array(start(&b, 0), STRUCT, 1, 1, "s"));
    assert_refused(
        saved(&b), NULL, COBLOC_BAD_DATA,
        "holds no matrix of real numbers; the variables in it: s (structure or object, 1 by "
        "1)");
    assert_refused(saved(start(&b, 0)), NULL, COBLOC_BAD_DATA, "the variables in it: none");
}

static int cancel(void *user, const char *what, double done)
{
    assert_string_equal(what, "reading");
    assert_true(done >= 0 && done <= 1);
    return ++*(int *)user > 0;
}

static void cancelled(void **state)
{
    static blob b;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    cobloc_io_options options;
    int calls = 0;
    (void)state;
    add_sparse(start(&b, 0), 0, MI_DOUBLE, "A");
    cob_io_options_default(&options);
    options.progress = (cobloc_progress){cancel, &calls};
    assert_int_equal(cobloc_matrix_read(saved(&b), &options, &matrix, &err), COBLOC_CANCELLED);
    assert_null(matrix);
    assert_int_equal(calls, 1);
}

/* ---- names and labels ------------------------------------------------------------------------ */

static void assert_strings(const cob_names *names, int count, const char *const *expected)
{
    assert_int_equal(names->count, count);
    for (int i = 0; i < count; i++)
        assert_string_equal(cob_names_get(names, i), expected[i]);
}

static void names_and_labels(void **state)
{
    static blob b;
    static const char *const terms[] = {"a", "bc", "", "d e "}, *const rows[] = {"x", "y", "z"};
    (void)state;
    add_sparse(start(&b, 1), 0, MI_DOUBLE, "A");
    add_cells(&b, 1, 4, "ms", terms);
    add_cells(&b, 3, 1, "ts", rows);
    add_full(&b, DOUBLE, MI_DOUBLE, 1, 3, "labels", (double[]){1, -2, 2.5});
    compress_all(&b); /* all of them in one element: only the first counts */
    cobloc_matrix *matrix = must_read(saved(&b), NULL);
    assert_int_equal(matrix->col_names.count, 0);
    cobloc_matrix_free(matrix);

    add_sparse(start(&b, 1), 0, MI_DOUBLE, "A");
    add_cells(&b, 1, 4, "ms", terms);
    add_cells(&b, 3, 1, "ts", rows);
    add_full(&b, DOUBLE, MI_DOUBLE, 1, 3, "labels", (double[]){1, -2, 2.5});
    matrix = must_read(saved(&b), NULL);
    assert_strings(&matrix->col_names, 4, terms);
    assert_strings(&matrix->row_names, 3, rows);
    assert_strings(&matrix->row_labels, 3, (const char *const[]){"1", "-2", "2.5"});
    cobloc_matrix_free(matrix);
}

static void names_by_length(void **state)
{
    static blob b;
    static const char *const terms[] = {"a", "b", "c", "d"}, *const rows[] = {"x", "y", "z"};
    (void)state;
    add_sparse(start(&b, 0), 0, MI_DOUBLE, "A");
    add_cells(&b, 4, 1, "blabla", terms); /* no usual name, but the only one of this length */
    add_cells(&b, 3, 1, "these", rows);
    add_cells(&b, 3, 1, "those", rows); /* two of this length: not clear */
    add_cells(&b, 3, 1, "GND", rows);
    cobloc_matrix *matrix = must_read(saved(&b), NULL);
    assert_strings(&matrix->col_names, 4, terms);
    assert_int_equal(matrix->row_names.count, 0);
    assert_strings(&matrix->row_labels, 3, rows);
    cobloc_matrix_free(matrix);

    add_full(start(&b, 0), DOUBLE, MI_UINT8, 3, 3, "A", by_column); /* square: only by name */
    add_cells(&b, 3, 1, "blabla", rows);
    add_cells(&b, 3, 1, "words", (const char *const[]){"1", "2", "3"});
    matrix = must_read(saved(&b), NULL);
    assert_strings(&matrix->col_names, 3, (const char *const[]){"1", "2", "3"});
    assert_int_equal(matrix->row_names.count, 0);
    cobloc_matrix_free(matrix);
}

/* Cells that are empty, hold a number, or hold what is no string. */
static void strange_cells(void **state)
{
    static blob b;
    (void)state;
    for (int strange = 0; strange < 2; strange++) {
        add_sparse(start(&b, 0), 0, MI_DOUBLE, "A");
        size_t from = open_array(&b, CELL, 1, 3, "labels");
        put(&b, MI_MATRIX, 4); /* MATLAB's way to say [] */
        put(&b, 0, 4);
        add_full(&b, DOUBLE, MI_DOUBLE, 1, 1, "", (double[]){-NAN});
        if (strange)
            add_full(&b, DOUBLE, MI_UINT8, 1, 2, "", (double[]){7, 8});
        else
            add_full(&b, DOUBLE, MI_UINT8, 0, 0, "", NULL);
        close_array(&b, from);
        cobloc_matrix *matrix = must_read(saved(&b), NULL);
        assert_strings(&matrix->row_labels, strange ? 0 : 3, (const char *const[]){"", "NaN", ""});
        cobloc_matrix_free(matrix);
    }
}

static void text_of_all_kinds(void **state)
{
    static const struct {
        uint32_t type;
        int cols;
        size_t count;
        double units[24]; /* three rows, column after column */
        const char *expected[3];
    } table[] = {
        {MI_UINT16, 2, 6, {'a', 'b', 'c', 0xE9, ' ', 0}, {"aé", "b", "c"}},
        {MI_UTF16, 2, 6, {0xD83D, 0xD83D, 0xDE00, 0xDE00, 'x', 'y'}, {"😀", "\uFFFDx", "\uFFFDy"}},
        {MI_UTF8, 2, 6, {0xC3, 'x', 'y', 0xA9, ' ', 'z'}, {"é", "x", "yz"}}, /* counts bytes */
        {MI_UTF8,
         2,
         8,
         {0xC3, 0xA9, 'x', 'y', 0xC3, 0xA9, ' ', 'z'},
         {"éé", "x", "yz"}},                                                  /* chars */
        {MI_INT8, 2, 6, {0xE9, 'x', 'y', 'a', 0xFF, ' '}, {"éa", "xÿ", "y"}}, /* Latin-1 */
        {MI_UINT8, 1, 3, {'1', '2', '3'}, {"1", "2", "3"}},
        {MI_UTF32, 1, 3, {0x1F600, 0x20AC, 0x110000}, {"😀", "€", "\uFFFD"}},
        {MI_UTF16, 3, 9, {'a', 'b', 'c', 0, 0, ' ', 'd', 'e', 0}, {"a\uFFFDd", "b\uFFFDe", "c"}},
    };
    static blob b;
    (void)state;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++)
        for (int big = 0; big < 2; big++) {
            add_sparse(start(&b, big), 0, MI_DOUBLE, "A");
            add_chars(&b, table[t].type, 3, table[t].cols, "names", table[t].count, table[t].units);
            cobloc_matrix *matrix = must_read(saved(&b), NULL);
            assert_strings(&matrix->row_names, 3, table[t].expected);
            cobloc_matrix_free(matrix);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_matrices),      cmocka_unit_test(full_matrices),
        cmocka_unit_test(sparse_logical),       cmocka_unit_test(the_named_variable),
        cmocka_unit_test(the_obvious_variable), cmocka_unit_test(cancelled),
        cmocka_unit_test(names_and_labels),     cmocka_unit_test(names_by_length),
        cmocka_unit_test(strange_cells),        cmocka_unit_test(text_of_all_kinds),
    };
    return cmocka_run_group_tests_name("matlab", tests, NULL, NULL);
}
