/* MATLAB files: writing, and the benchmark data.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "io/formats.h"

#include <math.h>
#include <matio.h>

/* ---- writing --------------------------------------------------------------------------------- */

static void round_trips(void **state)
{
    (void)state;
    check_round_trip("a.mat", COBLOC_F64, NAMES_NASTY);
}

/* libmatio, which is not ours, reads what we write. */
static void others_read_it(void **state)
{
    cobloc_error err;
    (void)state;
    cobloc_matrix *made = random_matrix(7, 30, 25, 0.2, COBLOC_F64, NAMES_NASTY);
    const char *path = test_path("ours.mat");
    assert_ok(cobloc_matrix_write(made, path, NULL, &err), err);
    mat_t *mat = Mat_Open(path, MAT_ACC_RDONLY);
    assert_non_null(mat);
    matvar_t *x = Mat_VarRead(mat, "X");
    assert_non_null(x);
    assert_int_equal(x->class_type, MAT_C_SPARSE);
    assert_int_equal(x->dims[0], 30);
    assert_int_equal(x->dims[1], 25);
    const mat_sparse_t *sparse = x->data;
    assert_int_equal(sparse->ndata, made->nnz);
    for (int64_t e = 0; e < made->nnz; e++) {
        assert_int_equal(sparse->ir[e], made->by_col.indices[e]);
        assert_true(((const double *)sparse->data)[e] == ((const double *)made->by_col.values)[e]);
    }
    for (int j = 0; j <= 25; j++)
        assert_int_equal(sparse->jc[j], made->by_col.offsets[j]);
    Mat_VarFree(x);
    matvar_t *terms = Mat_VarRead(mat, "terms");
    assert_non_null(terms);
    assert_int_equal(terms->class_type, MAT_C_CELL);
    assert_int_equal(terms->dims[0], 25);
    matvar_t *cell = Mat_VarGetCell(terms, 1);
    assert_int_equal(cell->class_type, MAT_C_CHAR);
    assert_int_equal(cell->dims[1], strlen("two words"));
    assert_memory_equal(cell->data, u"two words", 18);
    Mat_VarFree(terms);
    Mat_Close(mat);
    cobloc_matrix_free(made);
}

static void what_cannot_be_written(void **state)
{
    cobloc_error err;
    cob_file *file = NULL;
    (void)state;
    cobloc_matrix *matrix = random_matrix(1, 2, 2, 0.5, COBLOC_U8, NAMES_NONE);
    assert_ok(cobloc_matrix_set_row_names(matrix, (const char *const[]){"a", "\xFF"}, &err), err);
    assert_int_equal(cobloc_matrix_write(matrix, test_path("no.mat"), NULL, &err),
                     COBLOC_UNSUPPORTED);
    assert_non_null(strstr(err.message, "string 2 of the rows is not UTF-8"));
    cobloc_matrix_free(matrix);

    cobloc_matrix huge = {.rows = 10, .cols = 10, .nnz = 200000000};
    assert_ok(cob_file_create(test_path("huge.mat"), &file, &err), err);
    assert_int_equal(cob_format_matlab.write(&huge, file, "huge.mat", &err), COBLOC_UNSUPPORTED);
    assert_non_null(strstr(err.message, "huge.mat: the variable X would take 2400000"));
    assert_non_null(strstr(err.message, "write .cbm instead"));
    cob_file_close(file);
}

/* ---- the real thing -------------------------------------------------------------------------- */

static void classic3(void **state)
{
    (void)state;
    char path[512];
    const char *data = test_data("classic3.mat");
    if (!data)
        skip();
    snprintf(path, sizeof path, "%s", data);
    cobloc_matrix *a = must_read(path, NULL), *b = must_read(test_data("classic3.mtx.gz"), NULL);
    assert_true(same_entries(a, b));
    assert_true(cob_names_equal(&a->row_labels, &b->row_labels)); /* b's are from files beside it */
    assert_true(cob_names_equal(&a->col_names, &b->col_names));
    assert_string_equal(cobloc_matrix_row_name(a, 3890), "3892:");
    cobloc_matrix_free(a);
    cobloc_matrix_free(b);
}

/* The values of the other file are rounded to ten digits. */
static void cstr(void **state)
{
    (void)state;
    char path[512];
    const char *data = test_data("cstr.mat");
    if (!data)
        skip();
    snprintf(path, sizeof path, "%s", data);
    cobloc_matrix *a = must_read(path, NULL), *b = must_read(test_data("cstr.mtx.gz"), NULL);
    cobloc_view va = cobloc_matrix_by_rows(a), vb = cobloc_matrix_by_rows(b);
    assert_int_equal(va.major, vb.major);
    assert_int_equal(va.minor, vb.minor);
    assert_int_equal(va.nnz, vb.nnz);
    assert_memory_equal(va.offsets, vb.offsets, (size_t)(va.major + 1) * sizeof *va.offsets);
    assert_memory_equal(va.indices, vb.indices, (size_t)va.nnz * sizeof *va.indices);
    for (int64_t e = 0; e < va.nnz; e++) {
        double x = cobloc_view_value(&va, e), y = cobloc_view_value(&vb, e);
        assert_true(fabs(x - y) <= 1e-9 * y);
    }
    assert_true(cob_names_equal(&a->row_labels, &b->row_labels));
    cobloc_matrix_free(a);
    cobloc_matrix_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(others_read_it),
        cmocka_unit_test(what_cannot_be_written),
        cmocka_unit_test(classic3),
        cmocka_unit_test(cstr),
    };
    return cmocka_run_group_tests_name("matlab_write", tests, NULL, NULL);
}
