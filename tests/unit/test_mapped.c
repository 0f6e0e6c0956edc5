/* .cbm files that change while they are in use.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* truncate */
#include "support.h"

#include "fit/fit.h"

#include <fcntl.h>
#include <unistd.h>

/* Files of more than 16 MiB are mapped. */
enum { LARGE_ROWS = 60000, SMALL_ROWS = 600, PER_ROW = 40, COLS = 400 };

static const char *file_of(int rows, const char *name)
{
    const char *path = test_path(name);
    int64_t count = (int64_t)rows * PER_ROW;
    int32_t *row = malloc((size_t)count * sizeof *row), *col = malloc((size_t)count * sizeof *col);
    double *value = malloc((size_t)count * sizeof *value);
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    for (int64_t e = 0; e < count; e++) {
        row[e] = (int32_t)(e / PER_ROW);
        col[e] = (int32_t)((e % PER_ROW) * 10 + e / PER_ROW % 10);
        value[e] = 1 + (double)(e % 7);
    }
    assert_ok(cobloc_matrix_from_triples(rows, COLS, count, row, col, value, &matrix, &err), err);
    assert_ok(cobloc_matrix_write(matrix, path, NULL, &err), err);
    cobloc_matrix_free(matrix);
    free(row);
    free(col);
    free(value);
    return path;
}

static cobloc_matrix *open_file(const char *path, int no_map)
{
    cobloc_io_options o;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    cob_io_options_default(&o);
    o.no_map = no_map;
    assert_ok(cobloc_matrix_read(path, &o, &matrix, &err), err);
    return matrix;
}

/* Changes one byte, a count, in place. */
static void change(const char *path)
{
    int fd = open(path, O_WRONLY);
    const char two = 2;
    assert_true(fd >= 0 && pwrite(fd, &two, 1, lseek(fd, 0, SEEK_END) - 64) == 1);
    close(fd);
}

static cobloc_status fit(const cobloc_matrix *matrix, cobloc_progress progress, cobloc_error *err)
{
    cobloc_fit_options o;
    cobloc_result *result = NULL;
    cob_fit_options_default(&o);
    o.model = "coclus";
    o.k = 3;
    o.restarts = 1;
    o.threads = 1;
    o.start = COBLOC_START_RANDOM;
    o.progress = progress;
    cobloc_status status = cobloc_fit(matrix, &o, &result, err);
    cobloc_result_free(result);
    return status;
}

static void test_changed_before(void **state)
{
    cobloc_error err;
    const char *path = file_of(LARGE_ROWS, "large.cbm");
    cobloc_matrix *mapped = open_file(path, 0), *copied = open_file(path, 1);
    (void)state;
    assert_ok(cobloc_matrix_verify(mapped, &err), err);
    change(path);
    assert_int_equal(cobloc_matrix_verify(mapped, &err), COBLOC_IO);
    assert_non_null(strstr(err.message, "large.cbm: was changed by another program"));
    assert_int_equal(fit(mapped, (cobloc_progress){0}, &err), COBLOC_IO);
    assert_ok(fit(copied, (cobloc_progress){0}, &err), err);
    assert_int_equal(truncate(path, 1000), 0);
    assert_int_equal(cobloc_matrix_verify(mapped, &err), COBLOC_IO);
    assert_ok(cobloc_matrix_verify(copied, &err), err);
    cobloc_matrix_free(mapped);
    cobloc_matrix_free(copied);
}

/* A new file under the old name leaves the old one as it is. */
static void test_replaced(void **state)
{
    cobloc_error err;
    cobloc_matrix *mapped = open_file(file_of(LARGE_ROWS, "large.cbm"), 0);
    (void)state;
    file_of(SMALL_ROWS, "large.cbm");
    assert_ok(fit(mapped, (cobloc_progress){0}, &err), err);
    cobloc_matrix_free(mapped);
}

static int change_once(void *user, const char *what, double done)
{
    const char **path = user;
    (void)what;
    (void)done;
    if (*path)
        change(*path);
    *path = NULL;
    return 0;
}

static void test_changed_during_a_fit(void **state)
{
    cobloc_error err;
    const char *path = file_of(LARGE_ROWS, "large.cbm");
    cobloc_matrix *mapped = open_file(path, 0);
    (void)state;
    assert_int_equal(fit(mapped, (cobloc_progress){change_once, &path}, &err), COBLOC_IO);
    assert_null(path);
    cobloc_matrix_free(mapped);
}

static void test_small_files_are_copied(void **state)
{
    cobloc_error err;
    const char *path = file_of(SMALL_ROWS, "small.cbm");
    cobloc_matrix *matrix = open_file(path, 0);
    (void)state;
    assert_int_equal(truncate(path, 0), 0);
    assert_ok(fit(matrix, (cobloc_progress){0}, &err), err);
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changed_before),
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_changed_during_a_fit),
        cmocka_unit_test(test_small_files_are_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
