/* Pictures: whole files of the right kind or none, errors as statuses, round numbers at the axes.
 * SPDX-License-Identifier: MIT
 */
#define _XOPEN_SOURCE 700 /* fork, setrlimit */
#include "support.h"

#include "report/axes.h"

#include <dirent.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

static const char *const ENDINGS[] = {"svg", "pdf", "png", "PNG"};

static const double X[] = {2, 3, 4, 5}, Y[] = {-5e6, -4.9e6, -4.7e6, -4.8e6},
                    E[] = {1e4, 0, NAN, 2e4};
static const cobloc_series SERIES[] = {{"a <curve> & \"more\" é 日本", 4, X, Y, E, 0},
                                       {"runs", 4, X, Y, NULL, 1},
                                       {NULL, 0, NULL, NULL, NULL, 0}};

static cobloc_curves some_curves(void)
{
    cobloc_curves curves;
    cob_curves_default(&curves);
    curves.count = 3;
    curves.series = SERIES;
    curves.title = "title";
    curves.x_title = "k";
    curves.y_title = "ICL";
    curves.marked_x = 4;
    curves.marked_label = "k = 4";
    return curves;
}

static const double VALUES[] = {0.5, 0.6, 0.7, NAN, 0.1, 0.2, 5, INFINITY};
static const cobloc_box_group GROUPS[] = {{"coclus", 0, 4, VALUES, 0},
                                          {"coclus", 1, 4, VALUES, 0},
                                          {NULL, -1, 0, NULL, 0},
                                          {"", 99, 1, VALUES, 0}};
static const char *const PANELS[] = {"NMI", "ARI"}, *const COLOURS[] = {"none", "tfidf"};

static cobloc_boxes some_boxes(void)
{
    cobloc_boxes boxes;
    cob_boxes_default(&boxes);
    boxes.count = 4;
    boxes.groups = GROUPS;
    boxes.panels = 2;
    boxes.panel_names = PANELS;
    boxes.colour_count = 2;
    boxes.colour_names = COLOURS;
    return boxes;
}

/* ---- whole files ----------------------------------------------------------------------------- */

static size_t slurp(const char *path, unsigned char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    assert_true(size > 100 && size < room);
    return size;
}

static uint32_t big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Every chunk has its checksum, the last is the end and nothing follows. */
static void assert_png(const unsigned char *bytes, size_t size, double width, double height)
{
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(big_endian(bytes + 16), (int)ceil(width * 3));
    assert_int_equal(big_endian(bytes + 20), (int)ceil(height * 3));
    size_t at = 8;
    int last = 0;
    while (at < size) {
        size_t length = big_endian(bytes + at);
        assert_false(last);
        assert_true(at + length + 12 <= size);
        assert_int_equal(crc32(0, bytes + at + 4, (uInt)length + 4),
                         big_endian(bytes + at + 8 + length));
        last = memcmp(bytes + at + 4, "IEND", 4) == 0;
        at += length + 12;
    }
    assert_true(last);
}

static void assert_end(const unsigned char *bytes, size_t size, const char *end)
{
    assert_memory_equal(bytes + size - strlen(end), end, strlen(end));
}

static void assert_picture(const char *path, const char *ending, double width, double height)
{
    static unsigned char bytes[1 << 20];
    size_t size = slurp(path, bytes, sizeof bytes);
    if (strcmp(ending, "svg") == 0) {
        assert_memory_equal(bytes, "<?xml ", 6);
        assert_end(bytes, size, "</svg>\n<!-- drawn by cobloc -->\n");
    } else if (strcmp(ending, "pdf") == 0) {
        assert_memory_equal(bytes, "%PDF-", 5);
        assert_end(bytes, size, "%%EOF\n% drawn by cobloc\n");
    } else {
        assert_png(bytes, size, width, height);
    }
}

static int files_in_folder(void)
{
    DIR *folder = opendir(test_folder());
    int count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static void test_kinds(void **state)
{
    (void)state;
    for (int e = 0; e < 4; e++) {
        cobloc_error err;
        char name[32];
        cobloc_curves curves = some_curves();
        cobloc_boxes boxes = some_boxes();
        boxes.width = 400;
        boxes.height = 200;
        snprintf(name, sizeof name, "picture.%s", ENDINGS[e]);
        const char *path = test_path(name);
        int before = files_in_folder();
        assert_ok(cobloc_plot_curves(path, &curves, &err), err);
        assert_picture(path, ENDINGS[e], 360, 240);
        assert_ok(cobloc_plot_boxes(path, &boxes, &err), err);
        assert_picture(path, ENDINGS[e], 400, 200);
        assert_int_equal(files_in_folder(), before + 1);
        assert_int_equal(remove(path), 0);
    }
}

static void test_same_bytes(void **state)
{
    (void)state;
    static unsigned char first[1 << 20], second[1 << 20];
    for (int e = 1; e < 3; e++) {
        cobloc_error err;
        char name[32];
        cobloc_boxes boxes = some_boxes();
        snprintf(name, sizeof name, "same.%s", ENDINGS[e]);
        const char *path = test_path(name);
        assert_ok(cobloc_plot_boxes(path, &boxes, &err), err);
        size_t size = slurp(path, first, sizeof first);
        assert_ok(cobloc_plot_boxes(path, &boxes, &err), err);
        assert_int_equal(slurp(path, second, sizeof second), size);
        assert_memory_equal(first, second, size);
    }
}

/* A chart grows with its groups; odd numbers and sizes are drawn all the same. */
static void test_odd_values(void **state)
{
    (void)state;
    static const double odd[][2] = {
        {0, 0},          {5, 5},     {1e-320, 0},      {-1e-320, 1e-320},
        {1e299, -1e299}, {1e300, 3}, {1e-200, 2e-200}, {1, 1 + 1e-15},
        {-1e15, 1e15},   {0.1, 0.3}, {1e9, 1e9 + 1}};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        cobloc_error err;
        cobloc_curves curves = some_curves();
        cobloc_series series = {"odd", 2, odd[i], odd[i], odd[i], 0};
        curves.series = &series;
        curves.count = 1;
        curves.marked_x = odd[i][0];
        assert_ok(cobloc_plot_curves(test_path("odd.png"), &curves, &err), err);
        cobloc_boxes boxes = some_boxes();
        cobloc_box_group group = {"odd", 0, 2, odd[i], 0};
        boxes.groups = &group;
        boxes.count = boxes.panels = 1;
        assert_ok(cobloc_plot_boxes(test_path("odd.png"), &boxes, &err), err);
    }
}

/* ---- failures -------------------------------------------------------------------------------- */

static void assert_not_drawn(const char *path, const cobloc_curves *curves, cobloc_status status,
                             const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    int before = files_in_folder();
    assert_int_equal(cobloc_plot_curves(path, curves, &err), status);
    if (!strstr(err.message, part))
        fail_msg("\"%s\" does not say \"%s\"", err.message, part);
    assert_int_equal(files_in_folder(), before);
}

static void test_failures(void **state)
{
    (void)state;
    cobloc_curves curves = some_curves();
    assert_not_drawn(test_path("none/a.svg"), &curves, COBLOC_IO, "none/a.svg");
    assert_not_drawn(test_path("a.jpeg"), &curves, COBLOC_BAD_ARGUMENT, ".svg, .pdf or .png");
    assert_not_drawn("svg", &curves, COBLOC_BAD_ARGUMENT, ".svg, .pdf or .png");
    assert_int_equal(mkdir(test_path("taken.svg"), 0777), 0);
    assert_not_drawn(test_path("taken.svg"), &curves, COBLOC_IO, "taken.svg");
    curves.width = 1e6;
    assert_not_drawn(test_path("a.png"), &curves, COBLOC_BAD_ARGUMENT, "1e+06 by 240");
    curves.width = NAN;
    assert_not_drawn(test_path("a.png"), &curves, COBLOC_BAD_ARGUMENT, "points");
    curves = some_curves();
    curves.title = "broken \xff\xfe";
    for (int e = 0; e < 3; e++) {
        char name[32];
        snprintf(name, sizeof name, "utf8.%s", ENDINGS[e]);
        assert_not_drawn(test_path(name), &curves, COBLOC_BAD_ARGUMENT, "not UTF-8");
    }
    curves = some_curves();
    curves.series = &SERIES[2];
    curves.count = 1;
    assert_not_drawn(test_path("a.svg"), &curves, COBLOC_BAD_ARGUMENT, "no point");
    cobloc_boxes boxes = some_boxes();
    cobloc_error err;
    boxes.groups = &GROUPS[2];
    boxes.count = 1;
    assert_int_equal(cobloc_plot_boxes(test_path("a.svg"), &boxes, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "no value"));
}

static void test_failing_allocations(void **state)
{
    (void)state;
    cobloc_boxes boxes = some_boxes();
    const char *path = test_path("allocation.svg");
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_plot_boxes(path, &boxes, &err);
        failed = allocation_failed(k, status, &err, 3);
        assert_int_equal(access(path, F_OK) == 0, !failed);
    }
}

/* cairo's own lack of memory: a picture of hundreds of megabytes, in a process that may not have
 * them. */
static void test_cairo_without_memory(void **state)
{
    (void)state;
    if (TEST_SANITIZED)
        skip();
    cobloc_curves curves = some_curves();
    curves.width = curves.height = 5000;
    const char *path = test_path("large.png");
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {300 << 20, 300 << 20};
        cobloc_error err;
        setrlimit(RLIMIT_AS, &limit);
        _exit((int)cobloc_plot_curves(path, &curves, &err));
    }
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_true(WIFEXITED(code));
    assert_int_equal(WEXITSTATUS(code), COBLOC_NO_MEMORY);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* ---- round numbers --------------------------------------------------------------------------- */

static void test_ticks(void **state)
{
    (void)state;
    static const struct {
        cob_range range;
        int most, whole;
        double first, step;
        int ticks, decimals, exponent;
    } cases[] = {
        {{0, 1}, 6, 0, 0, 0.2, 6, 1, 0},          {{2, 12}, 14, 1, 2, 1, 11, 0, 0},
        {{4, 4}, 14, 1, 4, 1, 1, 0, 0},           {{-5e6, -4.7e6}, 6, 0, -5e6, 1e5, 4, 1, 6},
        {{0, 0.0004}, 5, 0, 0, 0.0001, 5, 0, -4}, {{10, 20}, 5, 0, 10, 2.5, 5, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cob_scale s = cob_scale_for(cases[i].range, cases[i].most, cases[i].whole);
        assert_true(fabs(s.first - cases[i].first) <= 1e-12 * fabs(cases[i].first) + 1e-18);
        assert_true(fabs(s.step - cases[i].step) <= 1e-12 * cases[i].step);
        assert_int_equal(s.ticks, cases[i].ticks);
        assert_int_equal(s.decimals, cases[i].decimals);
        assert_int_equal(s.exponent, cases[i].exponent);
    }
}

/* Whatever the range: a few ticks, all of them inside. */
static void test_ticks_everywhere(void **state)
{
    (void)state;
    for (int e = -290; e < 290; e += 7)
        for (int m = 1; m < 60; m++) {
            double low = -pow(10, e) * (m % 7), high = pow(10, e) * m;
            cob_scale s = cob_scale_for((cob_range){low, high}, 6, false);
            assert_true(s.ticks >= 2 && s.ticks <= 7);
            assert_true(s.low < low && s.high > high);
            assert_true(s.first >= s.low - 1e-6 * s.step);
            assert_true(s.first + (s.ticks - 1) * s.step <= s.high + 1e-6 * s.step);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_odd_values),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_cairo_without_memory),
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_ticks_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
