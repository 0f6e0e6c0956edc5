/* Reports: what the page holds is what there was, names cannot break out of it, and errors are
 * sentences.
 * SPDX-License-Identifier: MIT
 */
#include "fitted.h"

#include "report/entries.h"
#include "report/data.h"
#include "report/page_json.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const int32_t LABELS[] = {1, 0, -1, 1, 2, 0, 1};

static char *slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    char *text = malloc(size + 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, size, file), size);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* ---- order ----------------------------------------------------------------------------------- */

static void test_order(void **state)
{
    (void)state;
    static const int32_t at[] = {1, 5, 0, 3, 6, 4, 2};
    cobloc_error err;
    cob_order order;
    assert_ok(cob_order_of(LABELS, 7, 4, &order, &err), err);
    for (int p = 0; p < 7; p++) {
        assert_int_equal(order.at[p], at[p]);
        assert_int_equal(order.place[at[p]], p);
    }
    static const int64_t starts[] = {0, 2, 5, 6, 6, 7};
    for (int c = 0; c < 6; c++)
        assert_int_equal(order.starts[c], starts[c]);
    cob_order_free(&order);
}

/* ---- packed ---------------------------------------------------------------------------------- */

static uint64_t next_varint(const cob_bytes *bytes, size_t *at)
{
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        assert_true(*at < bytes->size);
        unsigned char byte = bytes->data[(*at)++];
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

static void test_varints_and_deflate(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0, 1, 127, 128, 300, 16383, 16384, 4294967295u, UINT64_MAX};
    cob_bytes bytes = {0}, packed = {0};
    cobloc_error err;
    unsigned char back[64];
    uLongf size = sizeof back;
    size_t at = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        cob_bytes_varint(&bytes, numbers[i]);
    assert_ok(cob_bytes_deflate(&bytes, &packed, &err), err);
    assert_null(bytes.data);
    assert_int_equal(uncompress(back, &size, packed.data, (uLong)packed.size), Z_OK);
    cob_bytes whole = {back, size, size, false};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_int_equal(next_varint(&whole, &at), numbers[i]);
    assert_int_equal(at, size);
    cob_bytes_free(&packed);
}

/* RFC 4648, section 10. */
static void test_base64(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *text;
    } cases[] = {{"", ""},
                 {"f", "Zg=="},
                 {"fo", "Zm8="},
                 {"foo", "Zm9v"},
                 {"foob", "Zm9vYg=="},
                 {"fooba", "Zm9vYmE="},
                 {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cobloc_error err;
        cob_file *file = NULL;
        cob_bytes bytes = {0};
        cob_bytes_add(&bytes, cases[i].bytes, strlen(cases[i].bytes));
        assert_ok(cob_file_create(test_path("base64"), &file, &err), err);
        cob_write_base64(file, &bytes);
        assert_ok(cob_file_commit(file, &err), err);
        cob_file_close(file);
        cob_bytes_free(&bytes);
        char *text = slurp(test_path("base64"));
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

static void test_page_json(void **state)
{
    (void)state;
    cobloc_error err;
    cob_file *file = NULL;
    assert_ok(cob_file_create(test_path("page.json"), &file, &err), err);
    cob_page_json json = {file, false};
    cob_page_open(&json, NULL, '{');
    cob_page_text(&json, "a", "</script>\"\\&'\n\x01 \xc3\xa9 \xe2\x80\xa8\xe2\x80\xa9");
    cob_page_text(&json, "b", "\xff\xc3(\xed\xa0\x80\xf0\x9f\x98\x80\xc0\xaf");
    cob_page_text(&json, "c", NULL);
    cob_page_numbers(&json, "d", (double[]){1, NAN, -2.5, INFINITY}, 4);
    cob_page_integers(&json, "e", (int64_t[]){-1, 1LL << 40}, 2);
    cob_page_bool(&json, "f", true);
    cob_page_close(&json, '}');
    assert_ok(cob_file_commit(file, &err), err);
    cob_file_close(file);
    char *text = slurp(test_path("page.json"));
    assert_string_equal(
        text, "{\"a\":\"\\u003C/script\\u003E\\u0022\\u005C\\u0026\\u0027\\u000A\\u0001 \xc3\xa9 "
              "\\u2028\\u2029\",\"b\":\"\\uFFFD\\uFFFD(\\uFFFD\\uFFFD\\uFFFD\xf0\x9f\x98\x80"
              "\\uFFFD\\uFFFD\",\"c\":null,\"d\":[1,null,-2.5,null],\"e\":[-1,1099511627776],"
              "\"f\":true}");
    free(text);
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Unpacked by hand, they are the dense table in its new order. */
static void check_entries(cobloc_value_kind kind, cob_value_code code)
{
    enum { ROWS = 23, COLS = 17 };
    const char *model = code == COB_VALUES_REALS ? "lbm" : "coclus"; /* their range is too wide */
    fitted f = some_fit(random_matrix(3, ROWS, COLS, 0.3, kind, NAMES_NONE), model, 3);
    double *dense = dense_of(f.matrix);
    cob_order rows, cols;
    cob_packed_entries packed = {0};
    cobloc_error err;
    assert_ok(cob_order_of(f.result->row_labels, ROWS, 3, &rows, &err), err);
    assert_ok(cob_order_of(f.result->col_labels, COLS, 3, &cols, &err), err);
    assert_ok(cob_pack_entries(f.matrix, &rows, &cols, &packed, &err), err);
    assert_int_equal(packed.code, code);
    size_t at = 0, value_at = 0;
    double precision = code == COB_VALUES_REALS ? ldexp(1, -21) : 0;
    for (int r = 0; r < ROWS; r++) {
        double line[COLS] = {0};
        uint64_t count = next_varint(&packed.places, &at), last = 0;
        for (uint64_t e = 0; e < count; e++) {
            last += next_varint(&packed.places, &at) + (e > 0);
            double value = 1;
            if (code == COB_VALUES_COUNTS)
                value = (double)next_varint(&packed.values, &value_at);
            if (code == COB_VALUES_REALS) {
                uint64_t bits = 0;
                for (int b = 0; b < 4; b++)
                    bits |= (uint64_t)packed.values.data[value_at++] << (32 + 8 * b);
                memcpy(&value, &bits, sizeof value);
            }
            assert_true(last < COLS);
            line[last] = value;
        }
        for (int c = 0; c < COLS; c++) {
            double expected = dense[rows.at[r] * COLS + cols.at[c]];
            assert_true(fabs(line[c] - expected) <= precision * fabs(expected));
        }
    }
    assert_int_equal(at, packed.places.size);
    assert_int_equal(value_at, packed.values.size);
    free(dense);
    cob_packed_entries_free(&packed);
    cob_order_free(&rows);
    cob_order_free(&cols);
    fitted_free(&f);
}

static void test_entries(void **state)
{
    (void)state;
    check_entries(COBLOC_ONES, COB_VALUES_ONES);
    check_entries(COBLOC_U16, COB_VALUES_COUNTS);
    check_entries(COBLOC_F64, COB_VALUES_REALS);
}

static void test_grid(void **state)
{
    (void)state;
    enum { ROWS = 23, COLS = 17, R = 5, C = 4 };
    fitted f = some_fit(random_matrix(4, ROWS, COLS, 0.4, COBLOC_U8, NAMES_NONE), "coclus", 3);
    double *dense = dense_of(f.matrix);
    cob_order rows, cols;
    cob_grid grid;
    cobloc_error err;
    assert_ok(cob_order_of(f.result->row_labels, ROWS, 3, &rows, &err), err);
    assert_ok(cob_order_of(f.result->col_labels, COLS, 3, &cols, &err), err);
    for (int in_order = 0; in_order < 2; in_order++) {
        int64_t expected[R][C] = {{0}}, from = in_order ? 3 : 0, to = in_order ? 14 : COLS;
        for (int r = 0; r < ROWS; r++)
            for (int64_t c = from; c < to; c++)
                if (dense[in_order ? rows.at[r] * COLS + cols.at[c] : r * COLS + c] > 0)
                    expected[r * R / ROWS][(c - from) * C / (to - from)]++;
        assert_ok(cob_grid_of(f.matrix, in_order ? &rows : NULL, in_order ? &cols : NULL, from, to,
                              R, C, &grid, &err),
                  err);
        for (int i = 0; i < R * C; i++)
            assert_int_equal(grid.counts[i], expected[i / C][i % C]);
        cob_grid_free(&grid);
    }
    int64_t *counts, total = 0;
    assert_ok(cob_count_blocks(f.matrix, f.result, &counts, &err), err);
    for (int b = 0; b < 9; b++)
        total += counts[b];
    assert_int_equal(total, cobloc_matrix_nnz(f.matrix));
    cob_free(counts);
    free(dense);
    cob_order_free(&rows);
    cob_order_free(&cols);
    fitted_free(&f);
}

/* ---- pages ----------------------------------------------------------------------------------- */

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *p = text; (p = strstr(p, part)); p += strlen(part))
        count++;
    return count;
}

/* Names can neither open nor close an element: there are as many as the page itself has. */
static void test_page(void **state)
{
    (void)state;
    static const char *const models[] = {"coclus", "socc", "plbm", "kmeans"};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        fitted f = some_fit(random_matrix(5, 40, 30, 0.3, COBLOC_U8, NAMES_NASTY), models[m], 3);
        int32_t truth[40];
        const char *classes[] = {"</script><script>", "b & \"c\""};
        cobloc_error err;
        for (int i = 0; i < 40; i++)
            truth[i] = i % 3 - 1;
        f.report.truth = truth;
        f.report.class_names = classes;
        f.report.title = "</title><script>alert(1)</script>";
        f.report.row_word = "<b>";
        assert_ok(cobloc_report_write(&f.report, test_path("page.html"), &err), err);
        char *text = slurp(test_path("page.html"));
        assert_int_equal(count_of(text, "<script"), count_of(text, "</script>"));
        assert_int_equal(count_of(text, "alert(1)"), 2); /* the title, and what is told of it */
        assert_int_equal(count_of(text, "<script>alert"), 0);
        assert_int_equal(count_of(text, "</title>"), 1);
        assert_int_equal(count_of(text, "default-src 'none'"), 1);
        assert_int_equal(count_of(text, "http://"), count_of(text, "http://www.w3.org/2000/svg"));
        assert_int_equal(count_of(text, "https://"), 0);
        free(text);
        f.report.density_only = 1;
        assert_ok(cobloc_report_write(&f.report, test_path("page.html"), &err), err);
        fitted_free(&f);
    }
}

static void test_page_failures(void **state)
{
    (void)state;
    fitted f = some_fit(random_matrix(6, 12, 9, 0.5, COBLOC_ONES, NAMES_NASTY), "coclus", 2);
    fitted other = some_fit(random_matrix(6, 13, 9, 0.5, COBLOC_ONES, NAMES_NONE), "coclus", 2);
    cobloc_error err;
    assert_int_equal(cobloc_report_write(&f.report, test_path("no/page.html"), &err), COBLOC_IO);
    assert_non_null(strstr(err.message, "no/page.html"));
    f.report.result = other.result;
    assert_int_equal(cobloc_report_write(&f.report, test_path("page.html"), &err),
                     COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "the result is for a matrix of"));
    fitted_free(&other);
    fitted_free(&f);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    fitted f = some_fit(random_matrix(7, 12, 9, 0.5, COBLOC_U8, NAMES_NASTY), "coclus", 2);
    int32_t truth[12] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    f.report.truth = truth;
    for (int picture = -2; picture < cobloc_picture_count(); picture++) {
        const char *path = test_path(picture < 0 ? "memory.html" : "memory.svg");
        f.report.density_only = picture == -2;
        if (picture == COBLOC_PICTURE_CURVE || picture == COBLOC_PICTURE_SECTIONS)
            continue;
        for (long k = 0, failed = 1; failed; k++) {
            cobloc_error err = {COBLOC_OK, ""};
            unlink(path);
            cob_alloc_fail_at(k);
            cobloc_status status =
                picture < 0 ? cobloc_report_write(&f.report, path, &err)
                            : cobloc_plot_result(path, &f.report, (cobloc_picture)picture, &err);
            failed = allocation_failed(k, status, &err, 5);
            assert_int_equal(access(path, F_OK) == 0, !failed);
        }
    }
    fitted_free(&f);
}

/* ---- the curve of a folder ------------------------------------------------------------------- */

static const char HEADER[] = "model\tk\tl\tvalue\tcriterion\ticl\tmodularity\tspread\tsmallest"
                             "\torigin\tas_good\tchosen\tseconds\n";

static void write_curve(const char *header, const char *lines)
{
    char text[2048];
    mkdir(test_path("folder"), 0777);
    snprintf(text, sizeof text, "%s%s", header, lines);
    test_text("folder/curve.tsv", text);
}

static void test_curve(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_curve *curve;
    assert_ok(cobloc_curve_read(test_path("nothing"), &curve, &err), err);
    assert_int_equal(curve->count, 0);
    cobloc_curve_free(curve);
    write_curve(HEADER, "lbm\t2\t3\t-5.5\t-4\t-5.5\t\t\t10\tstarts\t0\t0\t0.1\n"
                        "lbm\t3\t3\t-4.5\t-4\t-4.5\t0.25\t1\t9\tsplit\t1\t1\t0.1\n");
    assert_ok(cobloc_curve_read(test_path("folder"), &curve, &err), err);
    const cobloc_curve_point *points = curve->points;
    assert_int_equal(curve->count, 2);
    assert_string_equal(points[0].model, "lbm");
    assert_int_equal(points[0].k, 2);
    assert_int_equal(points[0].l, 3);
    assert_true(points[0].value == -5.5 && points[0].icl == -5.5 && isnan(points[0].modularity));
    assert_true(!points[0].chosen && !points[0].as_good);
    assert_true(points[1].modularity == 0.25 && points[1].chosen && points[1].as_good);
    cobloc_curve_free(curve);
}

static void test_broken_curves(void **state)
{
    (void)state;
    static const struct {
        const char *header, *lines, *part;
    } cases[] = {
        {"name\tcluster\n", "", "curve.tsv:1: the header"},
        {HEADER, "lbm\t2\t3\n", "curve.tsv:2: expected 13 values"},
        {HEADER, "lbm\tx\t3\t-5.5\t-4\t-5.5\t\t\t10\tstarts\t0\t0\t0.1\n", "curve.tsv:2"},
        {HEADER, "lbm\t2\t-3\t-5.5\t-4\t-5.5\t\t\t10\tstarts\t0\t0\t0.1\n", "curve.tsv:2"},
        {HEADER, "\n", "curve.tsv:2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cobloc_error err;
        cobloc_curve *curve;
        write_curve(cases[i].header, cases[i].lines);
        assert_int_equal(cobloc_curve_read(test_path("folder"), &curve, &err), COBLOC_BAD_DATA);
        if (!strstr(err.message, cases[i].part))
            fail_msg("\"%s\" does not say \"%s\"", err.message, cases[i].part);
    }
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* Two triangles with a bridge: what is joined is nearer than what is not. */
static void test_layout(void **state)
{
    (void)state;
    static const cobloc_edge edges[] = {{0, 1, 1}, {0, 2, 1}, {1, 2, 1},  {3, 4, 1},
                                        {3, 5, 1}, {4, 5, 1}, {2, 3, 0.5}};
    double x[6], y[6], again_x[6], again_y[6], joined = 0, apart = 0;
    cobloc_error err;
    assert_ok(cob_layout_graph(6, edges, 7, x, y, &err), err);
    assert_ok(cob_layout_graph(6, edges, 7, again_x, again_y, &err), err);
    assert_memory_equal(x, again_x, sizeof x);
    assert_memory_equal(y, again_y, sizeof y);
    for (int a = 0; a < 6; a++) {
        assert_true(x[a] >= 0 && x[a] <= 1 && y[a] >= 0 && y[a] <= 1);
        for (int b = 0; b < a; b++)
            *(a / 3 == b / 3 ? &joined : &apart) += hypot(x[a] - x[b], y[a] - y[b]);
    }
    assert_true(joined / 6 < 0.7 * apart / 9);
}

/* No edges, one node, none at all. */
static void test_layout_of_little(void **state)
{
    (void)state;
    double x[4], y[4];
    cobloc_error err;
    for (int nodes = 0; nodes < 5; nodes++) {
        assert_ok(cob_layout_graph(nodes, NULL, 0, x, y, &err), err);
        for (int a = 0; a < nodes; a++)
            assert_true(x[a] >= 0 && x[a] <= 1 && y[a] >= 0 && y[a] <= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_varints_and_deflate),
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_page_json),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_page_failures),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_curve),
        cmocka_unit_test(test_broken_curves),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_layout_of_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
