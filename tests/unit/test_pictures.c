/* Pictures of results show what they should, in every format, and errors are sentences.
 * SPDX-License-Identifier: MIT
 */
#include "fitted.h"

#include <cairo.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two blocks of ones, rows and columns mixed: 30 by 20. */
static fitted two_blocks(void)
{
    int32_t row[300], col[300];
    int count = 0;
    cobloc_matrix *matrix;
    cobloc_error err;
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 20; j++)
            if (i % 2 == j % 2) {
                row[count] = i;
                col[count++] = j;
            }
    assert_ok(cobloc_matrix_from_triples(30, 20, count, row, col, NULL, &matrix, &err), err);
    return some_fit(matrix, "coclus", 2);
}

/* The shares of a picture's pixels, right of `from` (a share of its width), that have a colour and
 * that are dark. */
static void look(const char *path, double from, double *coloured, double *dark)
{
    cairo_surface_t *image = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
    int width = cairo_image_surface_get_width(image),
        height = cairo_image_surface_get_height(image);
    int64_t all = 0, with_colour = 0, without = 0;
    for (int y = 0; y < height; y++) {
        const unsigned char *line = cairo_image_surface_get_data(image) +
                                    (size_t)y * (size_t)cairo_image_surface_get_stride(image);
        for (int x = (int)(from * width); x < width; x++) {
            int blue = line[4 * x], green = line[4 * x + 1], red = line[4 * x + 2];
            int most = red > green ? red : green, least = red < green ? red : green;
            most = most > blue ? most : blue;
            least = least < blue ? least : blue;
            with_colour += most - least > 40;
            without += most < 60;
            all++;
        }
    }
    *coloured = (double)with_colour / (double)all;
    *dark = (double)without / (double)all;
    cairo_surface_destroy(image);
}

/* On the left black and white, half and half; on the right two coloured blocks, half of all. */
static void test_matrix_picture(void **state)
{
    (void)state;
    fitted f = two_blocks();
    cobloc_error err;
    double coloured, dark, all_coloured, all_dark;
    const char *path = test_path("matrix.png");
    assert_ok(cobloc_plot_result(path, &f.report, COBLOC_PICTURE_MATRIX, &err), err);
    look(path, 0, &all_coloured, &all_dark);
    look(path, 0.52, &coloured, &dark);
    assert_true(coloured > 0.3 && coloured < 0.5);
    assert_true(dark < 0.02);
    assert_true(all_coloured > 0.4 * coloured && all_coloured < 0.55 * coloured);
    assert_true(all_dark > 0.12 && all_dark < 0.25);
    fitted_free(&f);
}

/* Two of four fields are full. */
static void test_blocks_picture(void **state)
{
    (void)state;
    fitted f = two_blocks();
    cobloc_error err;
    double coloured, dark;
    const char *path = test_path("blocks.png");
    assert_ok(cobloc_plot_result(path, &f.report, COBLOC_PICTURE_BLOCKS, &err), err);
    look(path, 0, &coloured, &dark);
    assert_true(coloured > 0.1 && coloured < 0.4);
    fitted_free(&f);
}

/* Many entries are drawn by their density: the same shares of ink. */
static void test_dense_picture(void **state)
{
    (void)state;
    enum { N = 260, D = 240 };
    static int32_t row[N * D / 2], col[N * D / 2];
    int count = 0;
    cobloc_matrix *matrix;
    cobloc_error err;
    double coloured, dark;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++)
            if (i % 2 == j % 2) {
                row[count] = i;
                col[count++] = j;
            }
    assert_ok(cobloc_matrix_from_triples(N, D, count, row, col, NULL, &matrix, &err), err);
    fitted f = some_fit(matrix, "coclus", 2);
    assert_ok(cobloc_plot_result(test_path("dense.png"), &f.report, COBLOC_PICTURE_MATRIX, &err),
              err);
    look(test_path("dense.png"), 0.52, &coloured, &dark);
    assert_true(coloured > 0.3 && coloured < 0.5);
    fitted_free(&f);
}

static void test_all_pictures(void **state)
{
    (void)state;
    static const char *const endings[] = {"svg", "pdf", "png"};
    fitted f = some_fit(random_matrix(8, 60, 40, 0.3, COBLOC_U8, NAMES_NASTY), "socc", 3);
    int32_t truth[60];
    cobloc_curve_point points[] = {{"socc", 2, 4, -3, -3, NAN, 0, 0},
                                   {"socc", 3, 7, -2, -2, NAN, 1, 1},
                                   {"lbm", 2, 2, -4, -4, NAN, 0, 0}};
    for (int i = 0; i < 60; i++)
        truth[i] = i % 4;
    f.report.truth = truth;
    cobloc_curve curve = {.count = 3, .points = points};
    f.report.curve = &curve;
    f.report.title = "a <title> & more";
    for (int p = 0; p < cobloc_picture_count(); p++)
        for (int e = 0; e < 3; e++) {
            char name[64];
            cobloc_error err;
            struct stat about;
            snprintf(name, sizeof name, "%s.%s", cobloc_picture_name((cobloc_picture)p),
                     endings[e]);
            assert_ok(cobloc_plot_result(test_path(name), &f.report, (cobloc_picture)p, &err), err);
            assert_int_equal(stat(test_path(name), &about), 0);
            assert_true(about.st_size > 1000);
        }
    fitted_free(&f);
}

static void test_picture_failures(void **state)
{
    (void)state;
    static const struct {
        cobloc_picture picture;
        const char *name, *part;
    } cases[] = {
        {COBLOC_PICTURE_SECTIONS, "a.svg", "have no sections"},
        {COBLOC_PICTURE_CURVE, "a.svg", "cobloc select"},
        {COBLOC_PICTURE_CONFUSION, "a.svg", "not known"},
        {COBLOC_PICTURE_MATRIX, "a.gif", ".svg, .pdf or .png"},
        {COBLOC_PICTURE_BLOCKS, "no/a.svg", "no/a.svg"},
        {(cobloc_picture)99, "a.svg", "no picture number 99"},
    };
    fitted f = two_blocks();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cobloc_error err;
        assert_int_not_equal(
            cobloc_plot_result(test_path(cases[i].name), &f.report, cases[i].picture, &err),
            COBLOC_OK);
        if (!strstr(err.message, cases[i].part))
            fail_msg("\"%s\" does not say \"%s\"", err.message, cases[i].part);
        assert_int_not_equal(access(test_path(cases[i].name), F_OK), 0);
    }
    assert_string_equal(cobloc_picture_name((cobloc_picture)99), "?");
    fitted_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_picture),   cmocka_unit_test(test_blocks_picture),
        cmocka_unit_test(test_dense_picture),    cmocka_unit_test(test_all_pictures),
        cmocka_unit_test(test_picture_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
