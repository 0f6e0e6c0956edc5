/* Dense tables: CSV, TSV, semicolons.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

/* Lists of names are joined by '|', and NULL where there must be none. */
typedef struct expectation {
    const char *text;
    int64_t rows, cols;
    double cells[12];
    const char *row_names, *col_names, *labels;
} expectation;

static void assert_list(const cob_names *names, const char *expected, const char *what,
                        const char *text)
{
    char joined[256] = "";
    for (int64_t i = 0; i < names->count; i++) {
        if (i > 0)
            strcat(joined, "|");
        strcat(joined, cob_names_get(names, i));
    }
    if ((names->count > 0) != (expected != NULL) || (expected && strcmp(joined, expected) != 0))
        fail_msg("%s of \"%s\": got %d, \"%s\", expected \"%s\"", what, text, (int)names->count,
                 joined, expected ? expected : "none");
}

static void check(const char *file, const expectation *e)
{
    cobloc_matrix *matrix = must_read(test_text(file, e->text), "csv");
    assert_dense(matrix, e->rows, e->cols, e->cells);
    assert_list(&matrix->row_names, e->row_names, "row names", e->text);
    assert_list(&matrix->col_names, e->col_names, "column names", e->text);
    assert_list(&matrix->row_labels, e->labels, "labels", e->text);
    cobloc_matrix_free(matrix);
}

#define CHECK_ALL(cases)                                                                           \
    for (size_t c = 0; c < sizeof(cases) / sizeof *(cases); c++)                                   \
    check("case.csv", &(cases)[c])

#define MARK "\xEF\xBB\xBF"

static void values_and_delimiters(void **state)
{
    (void)state;
    static const expectation cases[] = {
        {"1,0,2\n0,3,4\n", 2, 3, {1, 0, 2, 0, 3, 4}, NULL, NULL, NULL},
        {"1,0,2\n0,3,4", 2, 3, {1, 0, 2, 0, 3, 4}, NULL, NULL, NULL},
        {"1\t0\t2\n0\t3\t4\n", 2, 3, {1, 0, 2, 0, 3, 4}, NULL, NULL, NULL},
        {"1;0;2\n0;3;4\n", 2, 3, {1, 0, 2, 0, 3, 4}, NULL, NULL, NULL},
        {"1,0,2\r\n0,3,4\r\n", 2, 3, {1, 0, 2, 0, 3, 4}, NULL, NULL, NULL},
        {"\n1,0,2\n\n  \r\n0,3,4\n\n", 2, 3, {1, 0, 2, 0, 3, 4}, NULL, NULL, NULL},
        {MARK "1,0\n0,3\n", 2, 2, {1, 0, 0, 3}, NULL, NULL, NULL},
        {" 1 , 0.5 \n1e2 ,+4\n", 2, 2, {1, 0.5, 100, 4}, NULL, NULL, NULL},
        {".5,12345678901234567890\n", 1, 2, {0.5, 12345678901234567890.0}, NULL, NULL, NULL},
        {"\"1\",\"2\"\n\"3\",\"4\"\n", 2, 2, {1, 2, 3, 4}, NULL, NULL, NULL},
        {"1,NA,?\n.,nan,\n", 2, 3, {1, 0, 0, 0, 0, 0}, NULL, NULL, NULL},
        {"y,n,?\nY,NO,Yes\ntrue,F,t\n", 3, 3, {1, 0, 0, 1, 0, 1, 1, 0, 1}, NULL, NULL, NULL},
        {"\t\t3\n\t\t\n4\t\t\n", 3, 3, {0, 0, 3, 0, 0, 0, 4, 0, 0}, NULL, NULL, NULL},
        {"5\n0\n7\n", 3, 1, {5, 0, 7}, NULL, NULL, NULL},
        {"5,6\n", 1, 2, {5, 6}, NULL, NULL, NULL},
    };
    CHECK_ALL(cases);
}

static void headers(void **state)
{
    (void)state;
    static const expectation cases[] = {
        {"a,b\n1,0\n", 1, 2, {1, 0}, NULL, "a|b", NULL},
        {"a, b c ,\" d\"\n1,0,1\n", 1, 3, {1, 0, 1}, NULL, "a|b c| d", NULL},
        {"\"a\",\"b \"\"x\"\", y\"\n1,0\n", 1, 2, {1, 0}, NULL, "a|b \"x\", y", NULL},
        {"\"two\nlines\",\"b\"\n1,0\n", 1, 2, {1, 0}, NULL, "two\nlines|b", NULL},
        {"\"7\",\"8\"\n1,0\n", 1, 2, {1, 0}, NULL, "7|8", NULL},
        {"n,t,y\n1,0,2\n", 1, 3, {1, 0, 2}, NULL, "n|t|y", NULL},
        {"5' pipe,6\" pipe\n1,0\n", 1, 2, {1, 0}, NULL, "5' pipe|6\" pipe", NULL},
        {"name,\"a\t\"\n\"\tb\",3\n", 1, 1, {3}, "\tb", "a\t", NULL}, /* no tabs between fields */
        /* names that only count */
        {"V1,V2\n1,0\n", 1, 2, {1, 0}, NULL, NULL, NULL},
        {"\"V1\",\"V2\"\n1,0\n", 1, 2, {1, 0}, NULL, "V1|V2", NULL},
        {"0,1,2,3\n5,0,0,1\n", 1, 4, {5, 0, 0, 1}, NULL, NULL, NULL},
        {"1,2,3\n5,0,0\n", 2, 3, {1, 2, 3, 5, 0, 0}, NULL, NULL, NULL}, /* too short to tell */
        {",0,1\n0,5,6\n1,7,8\n", 2, 2, {5, 6, 7, 8}, "0|1", NULL, NULL},
        {"name,1,2\nx,5,6\n", 1, 2, {5, 6}, "x", NULL, NULL},
        {"land,90,95\nCuba,5,6\nFiji,7,8\n", 2, 2, {5, 6, 7, 8}, "Cuba|Fiji", "90|95", NULL},
        /* a corner that is not there */
        {"a,b\nx,5,6\ny,7,8\n", 2, 2, {5, 6, 7, 8}, "x|y", "a|b", NULL},
        {"a,b\n1,5,6\n1,7,8\n", 2, 2, {5, 6, 7, 8}, "1|1", "a|b", NULL},
        {"\"a\",\"b\"\n\"1\",5,6\n", 1, 2, {5, 6}, "1", "a|b", NULL},
    };
    CHECK_ALL(cases);
}

static void text_columns(void **state)
{
    (void)state;
    static const expectation cases[] = {
        {"x,1,0\nz,0,1\n", 2, 2, {1, 0, 0, 1}, "x|z", NULL, NULL},
        {"x,1,0\ny,0,1\nx,1,1\n", 3, 2, {1, 0, 0, 1, 1, 1}, NULL, NULL, "x|y|x"},
        {"dem,y,n\nrep,n,y\n", 2, 2, {1, 0, 0, 1}, "dem|rep", NULL, NULL},
        {"party,a,b\ndem,y,n\ndem,n,y\n", 2, 2, {1, 0, 0, 1}, NULL, "a|b", "dem|dem"},
        {"Class,a,b\nx,1,0\ny,0,1\n", 2, 2, {1, 0, 0, 1}, NULL, "a|b", "x|y"},
        {"names,a,b\nx,1,0\nx,0,1\n", 2, 2, {1, 0, 0, 1}, "x|x", "a|b", NULL},
        {"\"1990\",1,0\n\"1991\",0,1\n", 2, 2, {1, 0, 0, 1}, "1990|1991", NULL, NULL},
        {"id,a,b\n7,1,0\n8,0,1\n", 2, 2, {1, 0, 0, 1}, "7|8", "a|b", NULL},
        {",a,b\n7,1,0\n8,0,1\n", 2, 2, {1, 0, 0, 1}, "7|8", "a|b", NULL},
        {"label,a,b\n7,1,0\n8,0,1\n", 2, 2, {1, 0, 0, 1}, NULL, "a|b", "7|8"},
        {"id,class,a\n7,2,1\n8,2,3\n", 2, 1, {1, 3}, "7|8", "a", "2|2"},
        {"\"id\",\"b\"\n7,1\n8,0\n", 2, 2, {7, 1, 8, 0}, NULL, "id|b", NULL},
        {"doc,topic,a\nx,s,1\ny,s,3\n", 2, 1, {1, 3}, "x|y", "a", "s|s"},
        {"topic,doc,a\ns,x,1\ns,y,3\n", 2, 1, {1, 3}, "x|y", "a", "s|s"},
        {"label,doc,a\ns,x,1\nt,x,3\n", 2, 1, {1, 3}, "x|x", "a", "s|t"},
        {"u,v,a\ns,x,1\ns,x,3\n", 2, 1, {1, 3}, "s|s", "a", "x|x"},
        {"name,label,\"a\"\n\"\",\"?\",1\n\" x\",\"y\",3\n", 2, 1, {1, 3}, "| x", "a", "?|y"},
        {"name;\"a\"\n\"x;\r\ny\";1\n\"\"\"\";2\n", 2, 1, {1, 2}, "x;\r\ny|\"", "a", NULL},
    };
    CHECK_ALL(cases);
}

static void broken(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", ":1: the file is empty"},
        {"\n \n", ":1: the file is empty"},
        {"a,b\n", ":1: found a header and nothing after it"},
        {"1,2\n3,4,5\n", ":2: found 3 fields, expected 2"},
        {"1,2\n3,4\n\n5\n", ":4: found 1 fields, expected 2"},
        {"a,b,c\n1,2,3\n1,2,3,4\n", ":3: found 4 fields, expected 3"},
        {"a,b,c\n1\n1,2,3\n", ":2: found 1 fields, expected 3"},
        {"name,\"a\nb\",c\nx,1,2\ny,1,zwei\n", ":4: found 'zwei' in column 3 (c), expected a"},
        {"1,2\n1,zwei\n", ":2: found 'zwei' in column 2, expected a number"},
        {"a,b\n1,2\n1,1;5\n", ":3: found '1;5' in column 2 (b)"},
        {"a,b\n1,inf\n", ":2: the value is infinite"},
        {"a,b\n1,1e999\n", ":2: the value is infinite"},
        {"a,b\n1,0x10\n", ":2: found '0x10' in column 2 (b)"},
        {"a,b\n1,2\n\"x,3\n", ":3: found a quote that is never closed"},
        {"\"a,b\n1,2\n", ":1: found a quote that is never closed"},
        {"a,b\n1,2\n\"x\"y,3\n", ":3: found text after a closing quote"},
        {"a,b,c,d\n1,2,3,4\nx,1,1,1\n1,1,1,x\n", ":4: found 'x' in column 4 (d)"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        assert_refused(test_text("broken.csv", cases[c].text), "csv", COBLOC_BAD_DATA,
                       cases[c].part);
    static const char nul[] = "a,b\n1,2\n3,\0004\n";
    assert_refused(test_file("nul.csv", nul, sizeof nul - 1), "csv", COBLOC_BAD_DATA,
                   ":3: found a NUL byte");
    static const char early[] = "a,b\0\n1,2\n";
    assert_refused(test_file("nul.csv", early, sizeof early - 1), "csv", COBLOC_BAD_DATA,
                   ":1: found a NUL byte");
    assert_refused(test_text("count.csv", "1,2,3\n1,2\n1\n"), NULL, COBLOC_BAD_DATA, ":2: found 2");
}

/* Recognition by content, whatever the name of the file. */
static void recognised(void **state)
{
    (void)state;
    static const char *const tables[] = {"a,b\n1,0\n", "1\t0\n0\t1\n", "x;1;2\ny;2;3\n",
                                         MARK "a,b\n1,0\n", "1,0\n"};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        cobloc_matrix_free(must_read(test_text("table.data", tables[t]), NULL));
    static const char *const others[] = {"", "words\nand words\n", "a,b\n1\n", "a,b\n1,2,3\n1,2\n"};
    for (size_t t = 0; t < sizeof others / sizeof *others; t++)
        assert_refused(test_text("other.data", others[t]), NULL, COBLOC_BAD_DATA,
                       "other.data: the");
}

static void a_wide_table_is_recognised(void **state)
{
    (void)state;
    enum { COLS = 30000 };
    char *text = malloc(COLS * 8 + COLS * 2 + 1), *p = text;
    assert_non_null(text);
    for (int j = 0; j < COLS; j++)
        p += sprintf(p, "c%d%c", j, j < COLS - 1 ? ',' : '\n');
    for (int j = 0; j < COLS; j++)
        p += sprintf(p, "%d%c", j % 7 == 0, j < COLS - 1 ? ',' : '\n');
    cobloc_matrix *matrix = must_read(test_file("wide.data", text, (size_t)(p - text)), NULL);
    assert_int_equal(cobloc_matrix_rows(matrix), 1);
    assert_int_equal(cobloc_matrix_cols(matrix), COLS);
    assert_int_equal(cobloc_matrix_nnz(matrix), (COLS + 6) / 7);
    assert_string_equal(cobloc_matrix_col_name(matrix, COLS - 1), "c29999");
    cobloc_matrix_free(matrix);
    free(text);
}

static void round_trips(void **state)
{
    (void)state;
    check_round_trip("a.csv", COBLOC_F64, NAMES_NASTY);
    check_round_trip("b.csv.gz", COBLOC_F64, NAMES_NASTY);
    check_round_trip("c.tsv", COBLOC_F64, NAMES_NASTY);
    check_round_trip("d.tsv.gz", COBLOC_F64, NAMES_NASTY);
}

/* Every choice of row names, column names and labels, with names that look like something else. */
static void round_trips_of_some_names(void **state)
{
    (void)state;
    static const char *const rows[] = {"name\r\n", "1\n2"}, *const cols[] = {"label", "", "1,\"\n"};
    static const char *const same[] = {"id", "id"};
    static const int32_t row[] = {0, 1}, col[] = {0, 2};
    cobloc_error err;
    for (int with = 0; with < 8; with++) {
        cobloc_matrix *made = NULL;
        assert_ok(cobloc_matrix_from_triples(2, 3, 2, row, col, NULL, &made, &err), err);
        if (with & 1)
            assert_ok(cobloc_matrix_set_row_names(made, rows, &err), err);
        if (with & 2)
            assert_ok(cobloc_matrix_set_col_names(made, cols, &err), err);
        if (with & 4)
            assert_ok(cobloc_matrix_set_row_labels(made, same, &err), err);
        const char *path = test_path(with % 2 ? "some.csv" : "some.tsv");
        assert_ok(cobloc_matrix_write(made, path, NULL, &err), err);
        cobloc_matrix *back = must_read(path, NULL);
        assert_same_matrix(made, back);
        cobloc_matrix_free(made);
        cobloc_matrix_free(back);
    }
}

/* Several blocks on two threads, with line breaks in names: rows and names keep their order. */
static void many_blocks(void **state)
{
    (void)state;
    cobloc_error err;
    enum { ROWS = 30000, COLS = 80 };
    cobloc_matrix *made = random_matrix(7, ROWS, COLS, 0.1, COBLOC_U16, NAMES_NONE);
    for (int i = 0; i < ROWS; i++) {
        char name[64];
        int length = sprintf(name, i % 3 ? "row %d" : "row\n\n %d, \"%d\"", i, i);
        assert_ok(cob_names_add(&made->row_names, name, (size_t)length, &err), err);
        assert_ok(cob_names_add(&made->row_labels, i % 2 ? "odd" : "even", 3 + (i % 2 == 0), &err),
                  err);
    }
    assert_ok(cobloc_matrix_write(made, test_path("many.csv"), NULL, &err), err);
    cobloc_matrix *back = must_read(test_path("many.csv"), NULL);
    assert_same_matrix(made, back);
    cobloc_matrix_free(made);
    cobloc_matrix_free(back);
}

static void the_line_of_a_late_fault(void **state)
{
    (void)state;
    enum { LINES = 400000 };
    FILE *file = fopen(test_path("late.csv"), "wb");
    assert_non_null(file);
    fputs("name,a,b\n", file);
    for (int i = 2; i <= LINES; i++)
        fputs(i == LINES - 3 ? "\"x\",1,zwei\n" : "\"x\",10,20\n", file);
    assert_int_equal(fclose(file), 0);
    assert_refused(test_path("late.csv"), NULL, COBLOC_BAD_DATA,
                   ":399997: found 'zwei' in column 3 (b)");
}

static void too_large_to_write(void **state)
{
    (void)state;
    static const int32_t row[] = {99999}, col[] = {10000};
    cobloc_error err;
    cobloc_matrix *made = NULL;
    assert_ok(cobloc_matrix_from_triples(100000, 10001, 1, row, col, NULL, &made, &err), err);
    assert_int_equal(cobloc_matrix_write(made, test_path("huge.csv"), NULL, &err),
                     COBLOC_UNSUPPORTED);
    assert_non_null(strstr(err.message, ".mtx"));
    cobloc_matrix_free(made);
}

static void votes(void **state)
{
    (void)state;
    char table[512];
    const char *path = test_data("votes.csv");
    if (!path)
        skip();
    snprintf(table, sizeof table, "%s", path);
    path = test_data("votes.mtx.gz");
    if (!path)
        skip();
    cobloc_matrix *expected = must_read(path, NULL), *matrix = must_read(table, NULL);
    assert_int_equal(cobloc_matrix_rows(matrix), 435);
    assert_int_equal(cobloc_matrix_cols(matrix), 16);
    assert_true(same_entries(expected, matrix));
    assert_int_equal(matrix->row_names.count, 0);
    assert_string_equal(cobloc_matrix_col_name(matrix, 14), "duty-free-exports");
    assert_string_equal(cobloc_matrix_row_label(matrix, 0), "republican");
    assert_string_equal(cobloc_matrix_row_label(matrix, 434), "republican");
    assert_string_equal(cobloc_matrix_row_label(matrix, 2), "democrat");
    cobloc_matrix_free(expected);
    cobloc_matrix_free(matrix);
}

static void nations(void **state)
{
    (void)state;
    char path[512];
    size_t root = strlen(__FILE__) - strlen("tests/unit/test_csv.c");
    snprintf(path, sizeof path, "%.*sexamples/nations/nations.csv", (int)root, __FILE__);
    cobloc_matrix *matrix = must_read(path, NULL);
    assert_int_equal(cobloc_matrix_rows(matrix), 196);
    assert_int_equal(cobloc_matrix_cols(matrix), 48);
    assert_int_equal(cobloc_matrix_kind(matrix), COBLOC_ONES);
    assert_string_equal(cobloc_matrix_row_name(matrix, 0), "Afghanistan");
    assert_string_equal(cobloc_matrix_col_name(matrix, 0), "Andean");
    assert_string_equal(cobloc_matrix_col_name(matrix, 47), "UEMOA");
    cobloc_matrix_free(matrix);
}

static void failing_allocations(void **state)
{
    (void)state;
    check_failing_allocations(
        test_text("small.csv", "doc,topic,\"a \"\"b\"\"\",c\nx,s,1,0\n\"y \"\"z\"\"\",s,3,2.5\n"),
        NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_delimiters),
        cmocka_unit_test(headers),
        cmocka_unit_test(text_columns),
        cmocka_unit_test(broken),
        cmocka_unit_test(recognised),
        cmocka_unit_test(a_wide_table_is_recognised),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(round_trips_of_some_names),
        cmocka_unit_test(many_blocks),
        cmocka_unit_test(the_line_of_a_late_fault),
        cmocka_unit_test(too_large_to_write),
        cmocka_unit_test(votes),
        cmocka_unit_test(nations),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
