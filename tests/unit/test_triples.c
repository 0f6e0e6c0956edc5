/* Triples: indices, names, edge lists.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

/* Lists of names are joined by '|', and NULL where there must be none. */
typedef struct expectation {
    const char *text;
    int64_t rows, cols;
    double cells[12];
    const char *row_names, *col_names;
} expectation;

static void assert_list(const cob_names *names, const char *expected, const char *text)
{
    char joined[256] = "";
    for (int64_t i = 0; i < names->count; i++) {
        if (i > 0)
            strcat(joined, "|");
        strcat(joined, cob_names_get(names, i));
    }
    if ((names->count > 0) != (expected != NULL) || (expected && strcmp(joined, expected) != 0))
        fail_msg("names of \"%s\": got %d, \"%s\", expected \"%s\"", text, (int)names->count,
                 joined, expected ? expected : "none");
}

static void check(const char *format, const expectation *e)
{
    cobloc_matrix *matrix = must_read(test_text("case.csv", e->text), format);
    assert_dense(matrix, e->rows, e->cols, e->cells);
    assert_list(&matrix->row_names, e->row_names, e->text);
    assert_list(&matrix->col_names, e->col_names, e->text);
    cobloc_matrix_free(matrix);
}

static void indices(void **state)
{
    (void)state;
    static const expectation cases[] = {
        {"2,3\n0,0,1\n1,2,5\n", 2, 3, {1, 0, 0, 0, 0, 5}, NULL, NULL},
        {"3,3\n0,0,1\n1,1,5\n", 3, 3, {1, 0, 0, 0, 5, 0, 0, 0, 0}, NULL, NULL},
        {"0,0,1\n1,2,5\n", 2, 3, {1, 0, 0, 0, 0, 5}, NULL, NULL},
        {"1,1,1\n2,3,5\n", 2, 3, {1, 0, 0, 0, 0, 5}, NULL, NULL},
        {"1,0,1\n2,2,5\n", 3, 3, {0, 0, 0, 1, 0, 0, 0, 0, 5}, NULL, NULL},
        {"1,1,1\r\n2,3,5\r\n\r\n", 2, 3, {1, 0, 0, 0, 0, 5}, NULL, NULL},
        {"1\t1\t1\n2\t3\t5", 2, 3, {1, 0, 0, 0, 0, 5}, NULL, NULL},
        {"1; 1 ;1\n2;3;0.5\n", 2, 3, {1, 0, 0, 0, 0, 0.5}, NULL, NULL},
        {"  1 1   1\n\t2\t3 5 \n", 2, 3, {1, 0, 0, 0, 0, 5}, NULL, NULL},
        {"1 1\n2 3\n2 3\n", 2, 3, {1, 0, 0, 0, 0, 2}, NULL, NULL},
        {"i,j,x\n1,1,1\n2,3,5\n", 2, 3, {1, 0, 0, 0, 0, 5}, NULL, NULL},
        {"source\ttarget\n1\t1\n2\t3\n", 2, 3, {1, 0, 0, 0, 0, 1}, NULL, NULL},
        {"\xEF\xBB\xBFuser;item;rating\n1;1;1\n2;3;5\n", 2, 3, {1, 0, 0, 0, 0, 5}, NULL, NULL},
        {"1,1,2\n1,1,3\n2,3,0\n", 2, 3, {5, 0, 0, 0, 0, 0}, NULL, NULL},
        {"4,1,2\n", 4, 1, {0, 0, 0, 2}, NULL, NULL},
        {"3,2\n", 3, 2, {0, 0, 0, 0, 0, 1}, NULL, NULL}, /* one pair, not a shape */
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        check("triples", &cases[c]);
}

static void names(void **state)
{
    (void)state;
    static const expectation cases[] = {
        {"b,x,1\na,y,2\nb,y,3\n", 2, 2, {1, 3, 0, 2}, "b|a", "x|y"},
        {"row,col,value\nb,x,1\na,y,2\n", 2, 2, {1, 0, 0, 2}, "b|a", "x|y"},
        {"b,x\na,y\n", 2, 2, {1, 0, 0, 1}, "b|a", "x|y"},
        {"from to\nb x\na y\n", 2, 2, {1, 0, 0, 1}, "b|a", "x|y"},
        {"b x 2\na y 3\n", 2, 2, {2, 0, 0, 3}, "b|a", "x|y"},
        {"New York,big apple\nb,y\n", 2, 2, {1, 0, 0, 1}, "New York|b", "big apple|y"},
        {"b,1,1\na,3,2\n", 2, 3, {1, 0, 0, 0, 0, 2}, "b|a", NULL},
        {"b,0,1\na,2,2\n", 2, 3, {1, 0, 0, 0, 0, 2}, "b|a", NULL},
        {"1,b,1\n2,a,2\n", 2, 2, {1, 0, 0, 2}, NULL, "b|a"},
        {"\"1\",1,1\n2,1,2\n1,1,3\n", 2, 1, {4, 2}, "1|2", NULL},
        {"9,x,1\n8,y,2\nb,y,3\n", 3, 2, {1, 0, 0, 2, 0, 3}, "9|8|b", "x|y"},
        {"12345678901,x,1\n3,x,2\n", 2, 1, {1, 2}, "12345678901|3", "x"},
        {"\"a\"\"\n c\",\"x,\",1\n\"\",\" y\",2\n", 2, 2, {1, 0, 0, 2}, "a\"\n c|", "x,| y"},
        {"\"a b\" \"x\ty\" 1\n", 1, 1, {1}, "a b", "x\ty"},
        {"b,x,0\na,y,2\n", 2, 2, {0, 0, 0, 2}, "b|a", "x|y"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        check("triples", &cases[c]);
}

/* Recognised by content alone, though the name of the file says nothing more than CSV. */
static void recognised(void **state)
{
    (void)state;
    static const expectation triples[] = {
        {"2,3\n0,0,1\n1,2,5\n", 2, 3, {1, 0, 0, 0, 0, 5}, NULL, NULL},
        {"i,j,x\n1,1,1\n2,3,5\n", 2, 3, {1, 0, 0, 0, 0, 5}, NULL, NULL},
        {"doc,term,COUNT\nb,x,1\na,y,2\n", 2, 2, {1, 0, 0, 2}, "b|a", "x|y"},
        {"source,target,anything\nb,x,1\na,y,2\n", 2, 2, {1, 0, 0, 2}, "b|a", "x|y"},
        {"\"row\",\"col\",\"value\"\nb,x,1\na,y,2\n", 2, 2, {1, 0, 0, 2}, "b|a", "x|y"},
        {"1,1,1\n2,2,2\n3,3,3\n", 3, 3, {1, 0, 0, 0, 2, 0, 0, 0, 3}, NULL, NULL},
        {"1 1 1\n2 2 2\n3 3 3\n", 3, 3, {1, 0, 0, 0, 2, 0, 0, 0, 3}, NULL, NULL},
    };
    for (size_t c = 0; c < sizeof triples / sizeof *triples; c++)
        check(NULL, &triples[c]);
    static const expectation dense[] = {
        {"1,0,1\n0,1,0\n", 2, 3, {1, 0, 1, 0, 1, 0}, NULL, NULL},                 /* too few */
        {"1,1,1\n2,2,2\n1,1,3\n", 3, 3, {1, 1, 1, 2, 2, 2, 1, 1, 3}, NULL, NULL}, /* a pair twice */
        {"1,1,1\n2,2,2\n3,3,0\n", 3, 3, {1, 1, 1, 2, 2, 2, 3, 3, 0}, NULL, NULL}, /* a zero */
        {"1,1,1\n1,2,2\n2,1,3\n", 3, 3, {1, 1, 1, 1, 2, 2, 2, 1, 3}, NULL, NULL}, /* too dense */
        {"2,2\n0,0,1\n1,2,5\n", 0, 0, {0}, NULL, NULL}, /* outside the shape */
        {"b,x,1\na,z,2\n", 2, 1, {1, 2}, "b|a", NULL},  /* names without a header */
        {"\"a\",\"b\",\"n\"\n1,1,1\n2,2,2\n", 2, 3, {1, 1, 1, 2, 2, 2}, NULL, "a|b|n"},
        {"\"i\",\"j\",\"x\"\n1,1,1\n2,3,5\n", 2, 3, {1, 1, 1, 2, 3, 5}, NULL, "i|j|x"},
        {"a,b,c\n1,1,1\n2,2,2\n", 2, 3, {1, 1, 1, 2, 2, 2}, NULL, "a|b|c"},
    };
    for (size_t c = 0; c < sizeof dense / sizeof *dense; c++)
        if (dense[c].rows > 0)
            check(NULL, &dense[c]);
        else
            assert_refused(test_text("case.data", dense[c].text), NULL, COBLOC_BAD_DATA,
                           "case.data");
    cobloc_matrix *matrix = must_read(test_text("edges.triples.csv", "a,b\na,c\n"), NULL);
    assert_int_equal(cobloc_matrix_rows(matrix), 1);
    assert_int_equal(cobloc_matrix_cols(matrix), 2);
    cobloc_matrix_free(matrix);
}

static void broken(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "found no entries"},
        {"row,col,value\n", "found no entries"},
        {"1,1,1\n1,1\n", ":2: found 2 fields, expected 3"},
        {"1,1\n1,1\n1,1,1\n", ":3: found 3 fields, expected 2"},
        {"1,1,1,1\n", ":1: found 4 fields, expected 3"},
        {"1,1,1\n\n1,2,x\n", ":3: found 'x' as the value, expected a number"},
        {"1,1,1\n1,2,\n", ":2: found '' as the value"},
        {"1,1,1\n1,2,inf\n", ":2: the value is infinite"},
        {"1,1,1\n-1,2,3\n", ":2: found '-1' as the row"},
        {"a,1,1\n-1,2,3\n", ":2: found '-1' as the row"},
        {"1,1,1\n2,,3\n", ":2: found '' as the column"},
        {"2,2\n0,0,1\n2,0,1\n", ":3: row 2 is out of range, expected 0 to 1"},
        {"2,2\n0,0,1\na,0,1\n", ":3: found 'a' as the row"},
        {"0,2\n0,0,1\n", "the matrix is 0 by 2"},
        {"1,1,1\n2,\"b,1\n", ":2: found a quote that is never closed"},
        {"1,1,1\n2,\"b\"c,1\n", ":2: found text after a closing quote"},
        {"1,1,1\n2000000000,1,1\n", "implausible"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        assert_refused(test_text("broken.csv", cases[c].text), "triples", COBLOC_BAD_DATA,
                       cases[c].part);
    static const char nul[] = "1,1,1\n1,2,3\0\n";
    assert_refused(test_file("nul.csv", nul, sizeof nul - 1), "triples", COBLOC_BAD_DATA,
                   ":2: found a NUL byte");
    assert_refused(test_text("huge.csv", "3000000000,2\n0,0,1\n"), "triples", COBLOC_UNSUPPORTED,
                   "3000000000 by 2");
}

/* What the first records promise and a late one breaks: all is read again. */
static void late_surprises(void **state)
{
    (void)state;
    enum { COUNT = 300000 };
    static const char *const last[] = {"\n", "0,5,1\n", "x,5,1\n", "5,x,1\n0,5,1\n"};
    for (int c = 0; c < 4; c++) {
        FILE *file = fopen(test_path("late.csv"), "wb");
        assert_non_null(file);
        for (int i = 0; i < COUNT; i++)
            fprintf(file, "%d,%d,2\n", i / 1000 + 1, i % 1000 + 1);
        fputs(last[c], file);
        assert_int_equal(fclose(file), 0);
        cobloc_matrix *matrix = must_read(test_path("late.csv"), "triples");
        static const int64_t rows[] = {300, 301, 301, 301}, cols[] = {1000, 1001, 1000, 1001};
        assert_int_equal(cobloc_matrix_rows(matrix), rows[c]);
        assert_int_equal(cobloc_matrix_cols(matrix), cols[c]);
        assert_int_equal(cobloc_matrix_nnz(matrix), COUNT + (c == 3 ? 2 : c > 0));
        assert_int_equal(matrix->row_names.count, c == 2 ? 301 : 0);
        assert_int_equal(matrix->col_names.count, c == 3 ? 1001 : 0);
        if (c == 2)
            assert_string_equal(cobloc_matrix_row_name(matrix, 300), "x");
        cobloc_matrix_free(matrix);
    }
}

static void round_trips(void **state)
{
    (void)state;
    check_round_trip("a.triples.csv", COBLOC_F64, NAMES_NASTY);
    check_round_trip("b.triples.csv.gz", COBLOC_F64, NAMES_NASTY);
}

/* Names on one axis, empty rows and columns, and no entry at all. */
static void round_trips_of_some_names(void **state)
{
    (void)state;
    static const char *const rows[] = {"b", "12", "row"}, *const cols[] = {"", "a\r\nb", "\"", "x"};
    static const int32_t row[] = {1, 1}, col[] = {1, 2};
    cobloc_error err;
    for (int with = 0; with < 8; with++) {
        cobloc_matrix *made = NULL;
        int count = with & 4 ? 0 : 2;
        assert_ok(cobloc_matrix_from_triples(3, 4, count, row, col, NULL, &made, &err), err);
        if (with & 1)
            assert_ok(cobloc_matrix_set_row_names(made, rows, &err), err);
        if (with & 2)
            assert_ok(cobloc_matrix_set_col_names(made, cols, &err), err);
        assert_ok(cobloc_matrix_write(made, test_path("some.triples.csv"), NULL, &err), err);
        cobloc_matrix *back = must_read(test_path("some.triples.csv"), NULL);
        assert_same_matrix(made, back);
        cobloc_matrix_free(made);
        cobloc_matrix_free(back);
    }
}

static void repeated_names_are_not_written(void **state)
{
    (void)state;
    static const char *const twice[] = {"same", "same"};
    static const int32_t row[] = {0, 1}, col[] = {0, 1};
    cobloc_error err;
    cobloc_matrix *made = NULL;
    assert_ok(cobloc_matrix_from_triples(2, 2, 2, row, col, NULL, &made, &err), err);
    assert_ok(cobloc_matrix_set_col_names(made, twice, &err), err);
    assert_int_equal(cobloc_matrix_write(made, test_path("twice.triples.csv"), NULL, &err),
                     COBLOC_UNSUPPORTED);
    assert_non_null(strstr(err.message, "the name 'same' of column 1 occurs twice"));
    cobloc_matrix_free(made);
}

static void failing_allocations(void **state)
{
    (void)state;
    check_failing_allocations(test_text("small.csv", "2,2\n0,0,1\n1,1,2.5\n"), NULL);
    check_failing_allocations(test_text("named.csv", "row,col,value\n\"a \"\"b\"\"\",x,1\nc,y,2\n"),
                              NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices),
        cmocka_unit_test(names),
        cmocka_unit_test(recognised),
        cmocka_unit_test(broken),
        cmocka_unit_test(late_surprises),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(round_trips_of_some_names),
        cmocka_unit_test(repeated_names_are_not_written),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("triples", tests, NULL, NULL);
}
