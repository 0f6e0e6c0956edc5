/* Negative values, missing cells and categories, through every reader and writer.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"
#include "fit/algorithm.h"
#include "fit/fit.h"
#include "matrix/builder.h"

#include <math.h>

enum { ROWS = 23, COLS = 17, CELLS = ROWS * COLS };

static cobloc_io_options reading(cobloc_missing missing, cobloc_values values)
{
    cobloc_io_options options;
    cob_io_options_default(&options);
    options.missing = missing;
    options.values = values;
    return options;
}

static cobloc_matrix *read_as(const char *path, cobloc_missing missing, cobloc_values values)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *m = NULL;
    cobloc_io_options options = reading(missing, values);
    assert_ok(cobloc_matrix_read(path, &options, &m, &err), err);
    assert_ok(cobloc_matrix_verify(m, &err), err);
    return m;
}

/* A table of zeros, reals of both signs or counts, and NAN for what is missing. */
static void fill(uint64_t seed, bool negative, bool missing, bool counts, double cells[CELLS])
{
    for (int c = 0; c < CELLS; c++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned roll = (unsigned)(seed >> 40);
        double size = counts ? 1 + roll % 300 : (1 + roll % 1000) / 8.0;
        cells[c] = roll % 7 < 3 ? 0 : negative && roll % 2 ? -size : size;
        if (missing && roll % 11 == 0)
            cells[c] = (double)NAN;
    }
    cells[CELLS - 1] = 1; /* formats that do not store the shape see it all */
}

/* The matrix against the table: entries, missing cells, margins, both orientations. */
static void assert_cells(const cobloc_matrix *m, int64_t rows, int64_t cols, const double *cells)
{
    int64_t missing = 0, negative = 0;
    double known[CELLS];
    const cobloc_matrix *lack = cobloc_matrix_missing(m);
    for (int64_t c = 0; c < rows * cols; c++) {
        missing += isnan(cells[c]);
        negative += cells[c] < 0;
        known[c] = isnan(cells[c]) ? 0 : cells[c];
    }
    assert_dense(m, rows, cols, known);
    assert_int_equal(cobloc_matrix_has_negative(m), negative > 0);
    assert_int_equal(cobloc_matrix_missing_count(m), missing);
    assert_int_equal(lack != NULL, missing > 0);
    if (lack) {
        double ones[CELLS];
        for (int64_t c = 0; c < rows * cols; c++)
            ones[c] = isnan(cells[c]);
        assert_dense(lack, rows, cols, ones);
        assert_int_equal(cobloc_matrix_kind(lack), COBLOC_ONES);
    }
}

static cobloc_matrix *dense(int64_t rows, int64_t cols, const double *cells)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *m = NULL;
    assert_ok(cobloc_matrix_from_dense(rows, cols, cells, COBLOC_ARRAY_F64, &m, &err), err);
    return m;
}

/* ---- reading and writing --------------------------------------------------------------------- */

static const char *const endings[] = {"a.mtx", "a.csv",    "a.tsv",   "a.npz",
                                      "a.mat", "a.cluto",  "a.svm",   "a.triples.csv",
                                      "a.cbm", "a.mtx.gz", "a.csv.gz"};

static void every_format_keeps_them(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof endings / sizeof *endings; f++)
        for (unsigned what = 0; what < 8; what++) {
            cobloc_error err = {COBLOC_OK, ""};
            double cells[CELLS];
            fill(what + 1, what & 1, what & 2, what & 4, cells);
            cobloc_matrix *m = dense(ROWS, COLS, cells);
            assert_cells(m, ROWS, COLS, cells);
            const char *path = test_path(endings[f]);
            assert_ok(cobloc_matrix_write(m, path, NULL, &err), err);
            cobloc_matrix *back = read_as(path, COBLOC_MISSING_IGNORE, COBLOC_VALUES_AUTO);
            assert_cells(back, ROWS, COLS, cells);
            assert_true(same_entries(m, back));
            cobloc_matrix_free(back);
            back = read_as(path, COBLOC_MISSING_ZERO, COBLOC_VALUES_AUTO);
            assert_null(cobloc_matrix_missing(back));
            assert_int_equal(cobloc_matrix_missing_as_zero(back), cobloc_matrix_missing_count(m));
            for (int c = 0; c < CELLS; c++)
                cells[c] = isnan(cells[c]) ? 0 : cells[c];
            assert_cells(back, ROWS, COLS, cells);
            cobloc_matrix_free(back);
            cobloc_matrix_free(m);
        }
}

static void counts_alone_are_refused(void **state)
{
    (void)state;
    static const char *const counts[] = {"a.ldac", "a.docword.txt"};
    static const double minus[] = {1, -2}, lack[] = {1, NAN};
    for (int f = 0; f < 2; f++)
        for (int what = 0; what < 2; what++) {
            cobloc_error err = {COBLOC_OK, ""};
            cobloc_matrix *m = dense(2, 1, what ? lack : minus);
            assert_int_equal(cobloc_matrix_write(m, test_path(counts[f]), NULL, &err),
                             COBLOC_UNSUPPORTED);
            assert_non_null(strstr(err.message, what ? "missing cells" : "-2"));
            cobloc_matrix_free(m);
        }
}

static void what_is_no_number_is_refused_by_default(void **state)
{
    (void)state;
    const char mtx[] = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 nan\n2 2 -1\n";
    static const double cells[] = {NAN, 0, 0, -1};
    assert_refused(test_text("n.mtx", mtx), NULL, COBLOC_BAD_DATA, ":3: the value is not a number");
    assert_refused(test_text("n.triples.csv", "1,1,2\n1,2,NA\n"), NULL, COBLOC_BAD_DATA,
                   "found 'NA' as the value");
    cobloc_matrix *m = read_as(test_path("n.mtx"), COBLOC_MISSING_IGNORE, COBLOC_VALUES_AUTO);
    assert_cells(m, 2, 2, cells);
    cobloc_matrix_free(m);
    assert_refused(test_text("i.csv", "a,b\n1,-inf\n"), NULL, COBLOC_BAD_DATA, "infinite");
}

static void a_cell_is_missing_or_known(void **state)
{
    (void)state;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *m = NULL;
    const char text[] = "%%MatrixMarket matrix coordinate real general\n2 2 3\n"
                        "1 2 nan\n2 1 3\n1 2 nan\n";
    static const double cells[] = {0, NAN, 3, 0};
    static const int32_t row[] = {0, 0}, col[] = {1, 1};
    static const double value[] = {1, NAN};
    m = read_as(test_text("twice.mtx", text), COBLOC_MISSING_IGNORE, COBLOC_VALUES_AUTO);
    assert_cells(m, 2, 2, cells);
    cobloc_matrix_free(m);
    assert_int_equal(cobloc_matrix_from_triples(2, 2, 2, row, col, value, &m, &err),
                     COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "row 1, column 2 has a value and is also missing"));
}

static void sums_that_cancel_are_no_entries(void **state)
{
    (void)state;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *m = NULL;
    static const int32_t row[] = {0, 1, 0, 0}, col[] = {0, 1, 0, 1};
    static const double value[] = {2.5, 1, -2.5, 4}, cells[] = {0, 4, 0, 1};
    assert_ok(cobloc_matrix_from_triples(2, 2, 4, row, col, value, &m, &err), err);
    assert_cells(m, 2, 2, cells);
    assert_int_equal(cobloc_matrix_nnz(m), 2);
    assert_int_equal(cobloc_matrix_kind(m), COBLOC_U8);
    cobloc_matrix_free(m);
}

static void cells_of_a_table(void **state)
{
    (void)state;
    const char *path = test_text("cells.csv", "a,b,c,d\n1,NA,?,-2.5\n.,null,,0\nNaN,y,n,+3\n");
    static const double kept[] = {1, NAN, NAN, -2.5, NAN, NAN, NAN, 0, NAN, 1, 0, 3};
    static const double zero[] = {1, 0, 0, -2.5, 0, 0, 0, 0, 0, 1, 0, 3};
    cobloc_matrix *m = read_as(path, COBLOC_MISSING_IGNORE, COBLOC_VALUES_AUTO);
    assert_cells(m, 3, 4, kept);
    assert_int_equal(cobloc_matrix_missing_as_zero(m), 0);
    cobloc_matrix_free(m);
    m = read_as(path, COBLOC_MISSING_AUTO, COBLOC_VALUES_AUTO);
    assert_cells(m, 3, 4, zero);
    assert_int_equal(cobloc_matrix_missing_as_zero(m), 6);
    cobloc_matrix_free(m);
}

static void allocations_may_fail_when_reading(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        cobloc_values values;
    } files[] = {{"m.csv", "a,b\n1,?\n-2,3\n", COBLOC_VALUES_AUTO},
                 {"w.csv", "a,b,c\nred,?,blue\nblue,red,red\n", COBLOC_VALUES_CATEGORIES},
                 {"m.cbm", NULL, COBLOC_VALUES_AUTO}};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        cobloc_error err = {COBLOC_OK, ""};
        const char *path = test_path(files[f].name);
        if (files[f].text) {
            test_text(files[f].name, files[f].text);
        } else {
            static const double cells[] = {1, NAN, -2, 0};
            cobloc_matrix *m = dense(2, 2, cells);
            assert_ok(cobloc_matrix_write(m, path, NULL, &err), err);
            cobloc_matrix_free(m);
        }
        for (long k = 0, failed = 1; failed; k++) {
            cobloc_matrix *m = NULL;
            cobloc_io_options options = reading(COBLOC_MISSING_IGNORE, files[f].values);
            options.threads = 1;
            cob_alloc_fail_at(k);
            cobloc_status status = cobloc_matrix_read(path, &options, &m, &err);
            failed = allocation_failed(k, status, &err, 5);
            cobloc_matrix_free(m);
        }
    }
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void copies_carry_missing_cells(void **state)
{
    (void)state;
    cobloc_error err = {COBLOC_OK, ""};
    static const double cells[] = {-1, NAN, 0, 0, /**/ 0, NAN, 0, 0, /**/ 2, 0, NAN, 4};
    static const double filled[] = {-1, 0, 2, 4};
    static const double lengths[] = {-1, NAN, 0, 0, /**/ 0, NAN, 0, 0, /**/ 3, 0, NAN, 4};
    static const int32_t row_map[] = {0, -1, 1}, col_map[] = {0, -1, -1, 1};
    int32_t rows[3], cols[4];
    cobloc_matrix *m = dense(3, 4, cells), *made = NULL;
    assert_ok(cobloc_matrix_drop_empty(m, &made, rows, cols, &err), err);
    assert_memory_equal(rows, row_map, sizeof row_map);
    assert_memory_equal(cols, col_map, sizeof col_map);
    assert_cells(made, 2, 2, filled);
    cobloc_matrix_free(made);
    for (cobloc_weight w = COBLOC_WEIGHT_NONE; w < COB_WEIGHTS; w++) {
        assert_ok(cobloc_matrix_weighted(m, w, &made, &err), err);
        assert_int_equal(cobloc_matrix_missing_count(made), 3);
        assert_int_equal(cobloc_matrix_has_negative(made), w != COBLOC_WEIGHT_BINARY);
        cobloc_matrix_free(made);
    }
    cobloc_matrix_free(m);
    m = dense(3, 4, lengths);
    assert_ok(cobloc_matrix_weighted(m, COBLOC_WEIGHT_ROWNORM, &made, &err), err);
    static const double unit[] = {-1, NAN, 0, 0, /**/ 0, NAN, 0, 0, /**/ 0.6, 0, NAN, 0.8};
    assert_cells(made, 3, 4, unit);
    cobloc_matrix_free(made);
    cobloc_matrix_free(m);
}

/* A cell that is missing in a row and column that stay. */
static void kept_missing_cells_are_renumbered(void **state)
{
    (void)state;
    cobloc_error err = {COBLOC_OK, ""};
    static const double cells[] = {0, 0, 0, /**/ 0, 1, NAN, /**/ 0, NAN, 2};
    static const double filled[] = {1, NAN, NAN, 2};
    cobloc_matrix *m = dense(3, 3, cells), *made = NULL;
    for (long k = 0, failed = 1; failed; k++) {
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_matrix_drop_empty(m, &made, NULL, NULL, &err);
        failed = allocation_failed(k, status, &err, 5);
    }
    assert_cells(made, 2, 2, filled);
    cobloc_matrix_free(made);
    cobloc_matrix_free(m);
}

/* ---- categories ------------------------------------------------------------------------------ */

static void assert_categories(const cobloc_matrix *m, int64_t count, const char *const *names)
{
    assert_int_equal(cobloc_matrix_category_count(m), count);
    for (int64_t c = 0; c < count; c++)
        assert_string_equal(cobloc_matrix_category_name(m, c), names[c]);
    assert_null(cobloc_matrix_category_name(m, count));
}

static void words_are_categories(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        cobloc_missing missing;
        int64_t rows, cols;
        double cells[12];
        int64_t count;
        const char *names[4], *row, *col, *label;
    } good[] = {
        {"red,green\nblue,red\nred,blue\n",
         COBLOC_MISSING_AUTO,
         3,
         2,
         {0, 2, 1, 0, 0, 1},
         3,
         {"red", "blue", "green"},
         NULL,
         NULL,
         NULL},
        {"u,v\ny,n\n?,y\nn,y\n",
         COBLOC_MISSING_AUTO,
         3,
         2,
         {0, 1, 2, 0, 1, 0},
         3,
         {"y", "n", "?"},
         NULL,
         "u",
         NULL},
        {"u,v\ny,n\n?,y\nn,y\n",
         COBLOC_MISSING_IGNORE,
         3,
         2,
         {0, 1, NAN, 0, 1, 0},
         2,
         {"y", "n"},
         NULL,
         "u",
         NULL},
        {"name,label,u\nr1,A,\"a, b\"\nr2,B,c\nr3,A,c\n",
         COBLOC_MISSING_AUTO,
         3,
         1,
         {1, 0, 0},
         2,
         {"c", "a, b"},
         "r1",
         "u",
         "A"},
        {"who,p,q,r\nX,y,n,y\nY,n,y,y\nX,y,y,n\n",
         COBLOC_MISSING_AUTO,
         3,
         3,
         {0, 1, 0, 1, 0, 0, 0, 0, 1},
         2,
         {"y", "n"},
         NULL,
         "p",
         "X"},
        {"1,0\n2,1\n1,1\n",
         COBLOC_MISSING_AUTO,
         3,
         2,
         {1, 0, 2, 1, 1, 1},
         0,
         {NULL},
         NULL,
         NULL,
         NULL},
        {"1,0\n2,NA\n1,1\n",
         COBLOC_MISSING_IGNORE,
         3,
         2,
         {1, 0, 2, NAN, 1, 1},
         0,
         {NULL},
         NULL,
         NULL,
         NULL},
        {"\"p\"\"q\";x\nx;x\nx;\"p\"\"q\"\n",
         COBLOC_MISSING_AUTO,
         3,
         2,
         {1, 0, 0, 0, 0, 1},
         2,
         {"x", "p\"q"},
         NULL,
         NULL,
         NULL},
    };
    for (size_t g = 0; g < sizeof good / sizeof *good; g++) {
        cobloc_matrix *m =
            read_as(test_text("c.csv", good[g].text), good[g].missing, COBLOC_VALUES_CATEGORIES);
        assert_cells(m, good[g].rows, good[g].cols, good[g].cells);
        assert_categories(m, good[g].count, good[g].names);
        const char *found[] = {cobloc_matrix_row_name(m, 0), cobloc_matrix_col_name(m, 0),
                               cobloc_matrix_row_label(m, 0)};
        const char *wanted[] = {good[g].row, good[g].col, good[g].label};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(!found[i], !wanted[i]);
            if (wanted[i])
                assert_string_equal(found[i], wanted[i]);
        }
        cobloc_matrix_free(m);
    }
}

/* A large table on several threads: the codes do not depend on them. */
static void many_words_on_many_threads(void **state)
{
    (void)state;
    enum { LINES = 200000 };
    static const char *const words[] = {"left", "right", "none"};
    char *text = malloc((size_t)LINES * 24);
    size_t used = 0;
    assert_non_null(text);
    for (int i = 0; i < LINES; i++)
        used += (size_t)sprintf(text + used, "%s,%s,%s\n", words[i % 3], words[i * 7 / 3 % 3],
                                words[i % 5 == 0]);
    const char *path = test_file("large.csv", text, used);
    cobloc_matrix *of[2] = {NULL, NULL};
    for (int t = 0; t < 2; t++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_io_options options = reading(COBLOC_MISSING_AUTO, COBLOC_VALUES_CATEGORIES);
        options.threads = t ? 4 : 1;
        assert_ok(cobloc_matrix_read(path, &options, &of[t], &err), err);
    }
    assert_true(same_entries(of[0], of[1]));
    assert_true(cob_names_equal(&of[0]->categories, &of[1]->categories));
    assert_string_equal(cobloc_matrix_category_name(of[0], 0), "left");
    assert_int_equal(cobloc_matrix_rows(of[0]), LINES);
    for (int t = 0; t < 2; t++)
        cobloc_matrix_free(of[t]);
    free(text);
}

static void categories_survive_files(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof endings / sizeof *endings; f++) {
        cobloc_error err = {COBLOC_OK, ""};
        const char *path = test_path(endings[f]);
        cobloc_matrix *m = read_as(test_text("w.csv", "u,v,w\nred,NA,\"a \"\"b\"\"\"\n"
                                                      "red,red,grün\ngrün,NA,red\nred,grün,red\n"),
                                   COBLOC_MISSING_IGNORE, COBLOC_VALUES_CATEGORIES);
        assert_ok(cobloc_matrix_write(m, path, NULL, &err), err);
        cobloc_matrix *back = read_as(path, COBLOC_MISSING_IGNORE, COBLOC_VALUES_CATEGORIES);
        assert_true(same_entries(m, back));
        assert_true(cob_names_equal(&m->categories, &back->categories));
        cobloc_matrix_free(back);
        cobloc_matrix_free(m);
        char beside[] = "a.categories.txt";
        remove(test_path(beside));
    }
}

static void what_is_no_category_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *part;
    } bad[] = {
        {"b.mtx", "%%MatrixMarket matrix coordinate real general\n1 2 1\n1 1 1.5\n",
         "whole numbers from 0"},
        {"b.svm", "2 1:-1\n", "whole numbers from 0"},
        {"b.csv", "red,green\nred\n", ":2: found 1 fields, expected 2"},
        {"b.csv", "red,green\nred,\"blue\n", "never closed"},
    };
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_matrix *m = NULL;
        cobloc_io_options options = reading(COBLOC_MISSING_AUTO, COBLOC_VALUES_CATEGORIES);
        assert_int_equal(
            cobloc_matrix_read(test_text(bad[b].name, bad[b].text), &options, &m, &err),
            COBLOC_BAD_DATA);
        if (!strstr(err.message, bad[b].part))
            fail_msg("%s", err.message);
    }
    cobloc_error err = {COBLOC_OK, ""};
    static const double cells[] = {0, 3};
    static const char *const names[] = {"a", "b", "c", "d"};
    cobloc_matrix *m = dense(1, 2, cells);
    assert_int_equal(cobloc_matrix_set_categories(m, names, 3, &err), COBLOC_BAD_DATA);
    assert_ok(cobloc_matrix_set_categories(m, names, 4, &err), err);
    assert_categories(m, 4, names);
    assert_ok(cobloc_matrix_set_categories(m, NULL, 0, &err), err);
    assert_categories(m, 0, NULL);
    cobloc_matrix_free(m);
    test_text("l.categories.txt", "a\nb\n");
    cobloc_io_options options = reading(COBLOC_MISSING_AUTO, COBLOC_VALUES_CATEGORIES);
    const char *path = test_text("l.csv", "0,3\n1,1\n");
    assert_int_equal(cobloc_matrix_read(path, &options, &m, &err), COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "above 1, the last of the 2 categories"));
}

/* ---- who takes them -------------------------------------------------------------------------- */

static void a_fit_says_what_it_does_not_take(void **state)
{
    (void)state;
    static const double minus[] = {1, 2, 0, 3, -4, 1, 0, 1, 5},
                        lack[] = {1, 2, 0, 3, 4, NAN, 0, 1, 5};
    static const char *const rows[] = {"Bonn", "Kiel", "Trier"}, *const cols[] = {"u", "v", "w"};
    cobloc_fit_options options;
    cob_algorithm algorithm;
    cob_fit_options_default(&options);
    options.k = 2;
    for (int i = 0; cob_algorithm_at(i, &algorithm); i++)
        for (int what = 0; what < 2; what++) {
            cobloc_error err = {COBLOC_OK, ""};
            cobloc_result *result = NULL;
            cobloc_matrix *m = dense(3, 3, what ? lack : minus);
            assert_ok(cobloc_matrix_set_row_names(m, rows, &err), err);
            assert_ok(cobloc_matrix_set_col_names(m, cols, &err), err);
            options.model = algorithm.name;
            if (!(what ? algorithm.takes_missing : algorithm.takes_negative)) {
                assert_int_equal(cobloc_fit(m, &options, &result, &err), COBLOC_BAD_DATA);
                if (!strstr(err.message, what ? "row 2 (Kiel), column 3 (w)"
                                              : "-4, stands in row 2 (Kiel), column 2 (v)"))
                    fail_msg("%s: %s", algorithm.name, err.message);
                assert_int_equal(strstr(err.message, "--missing zero") != NULL, what);
            }
            cobloc_matrix_free(m);
        }
}

static void who_takes_them_gets_them(void **state)
{
    (void)state;
    cobloc_error err = {COBLOC_OK, ""};
    static const double cells[] = {1, 2, 0, 3, -4, NAN, 0, 1, 5};
    cobloc_fit_options options;
    cob_algorithm algorithm;
    cob_prepared prepared;
    cob_fit_options_default(&options);
    assert_true(cob_algorithm_named("coclus", &algorithm));
    algorithm.takes_negative = algorithm.takes_missing = true;
    cobloc_matrix *m = dense(3, 3, cells);
    assert_ok(cob_prepare(m, NULL, &options, &algorithm, 2, 2, NULL, &prepared, &err), err);
    assert_int_equal(cobloc_matrix_missing_count(prepared.x), 1);
    cob_prepared_free(&prepared);
    cobloc_matrix_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_keeps_them),
        cmocka_unit_test(counts_alone_are_refused),
        cmocka_unit_test(what_is_no_number_is_refused_by_default),
        cmocka_unit_test(a_cell_is_missing_or_known),
        cmocka_unit_test(sums_that_cancel_are_no_entries),
        cmocka_unit_test(cells_of_a_table),
        cmocka_unit_test(allocations_may_fail_when_reading),
        cmocka_unit_test(copies_carry_missing_cells),
        cmocka_unit_test(kept_missing_cells_are_renumbered),
        cmocka_unit_test(words_are_categories),
        cmocka_unit_test(many_words_on_many_threads),
        cmocka_unit_test(categories_survive_files),
        cmocka_unit_test(what_is_no_category_is_refused),
        cmocka_unit_test(a_fit_says_what_it_does_not_take),
        cmocka_unit_test(who_takes_them_gets_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
