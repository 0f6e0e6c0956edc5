/* The options of the library: each can be made, and takes by name what its table says.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include <math.h>

/* All options of the library can be made, every field has a name and a sentence, and takes what its
 * table says. */
static void check_type(const void *object, const char *path, int depth)
{
    for (int i = 0; i < cobloc_field_count(object, path); i++) {
        char inside[256];
        const char *name = cobloc_field_name(object, path, i);
        snprintf(inside, sizeof inside, "%s%s%s", path, *path ? "." : "", name);
        const char *help = cobloc_field_help(object, inside);
        if (!help || strlen(help) < 5 || help[strlen(help) - 1] != '.')
            fail_msg("%s has the help '%s'", inside, help ? help : "NULL");
        if (cobloc_field_kind(object, inside) == COBLOC_LIST)
            strcat(inside, "[]");
        if (cobloc_field_count(object, inside) > 0 && depth < 4)
            check_type(object, inside, depth + 1);
    }
}

static void must_refuse_real(void *object, const char *path, double value)
{
    cobloc_error err;
    double before = cobloc_real(object, "%s", path);
    if (cobloc_set_real(object, path, value, &err) != COBLOC_BAD_ARGUMENT ||
        strncmp(err.message, path, strlen(path)) != 0)
        fail_msg("%s took %g, or does not say what is wrong", path, value);
    double after = cobloc_real(object, "%s", path);
    assert_true(after == before || (isnan(after) && isnan(before)));
}

static void check_number(void *object, const char *path, bool whole)
{
    cobloc_error err;
    double limits[2], usual = cobloc_real(object, "%s", path);
    if (!cobloc_field_range(object, path, &limits[0], &limits[1])) {
        assert_ok(cobloc_set_real(object, path, -3, &err), err);
        return;
    }
    for (int i = 0; i < 2; i++)
        if (isfinite(limits[i])) {
            assert_ok(cobloc_set_real(object, path, limits[i], &err), err);
            assert_true(cobloc_real(object, "%s", path) == limits[i]);
            must_refuse_real(object, path, limits[i] + (i ? 2 : -2));
        }
    must_refuse_real(object, path, NAN);
    if (whole)
        must_refuse_real(object, path, limits[0] + 0.5);
    assert_int_equal(cobloc_set_text(object, path, "some", &err), COBLOC_BAD_ARGUMENT);
    assert_ok(cobloc_set_text(object, path, NULL, &err), err);
    assert_true(cobloc_real(object, "%s", path) == usual);
}

static void check_choices(void *object, const char *path)
{
    cobloc_error err;
    int count = 0;
    for (const char *name; (name = cobloc_field_choice(object, path, count)); count++) {
        assert_ok(cobloc_set_text(object, path, name, &err), err);
        assert_int_equal(cobloc_int(object, "%s", path), count);
        assert_ok(cobloc_set_int(object, path, count, &err), err);
        assert_string_equal(cobloc_text(object, "%s", path), name);
    }
    assert_true(count > 1);
    assert_int_equal(cobloc_set_int(object, path, count, &err), COBLOC_BAD_ARGUMENT);
    assert_int_equal(cobloc_set_int(object, path, -1, &err), COBLOC_BAD_ARGUMENT);
    assert_int_equal(cobloc_set_text(object, path, "none of them", &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, cobloc_field_choice(object, path, count - 1)));
}

/* Every choice, and both limits of every number, are taken; what lies beyond is refused. */
static void walk(void *object, const char *path)
{
    for (int i = 0; i < cobloc_field_count(object, path); i++) {
        char inside[256];
        snprintf(inside, sizeof inside, "%s%s%s", path, *path ? "." : "",
                 cobloc_field_name(object, path, i));
        cobloc_error err;
        switch (cobloc_field_kind(object, inside)) {
        case COBLOC_INT:
            check_number(object, inside, true);
            break;
        case COBLOC_REAL:
            check_number(object, inside, false);
            break;
        case COBLOC_CHOICE:
            check_choices(object, inside);
            break;
        case COBLOC_FLAG:
            assert_ok(cobloc_set_int(object, inside, 1, &err), err);
            assert_ok(cobloc_set_text(object, inside, "no", &err), err);
            must_refuse_real(object, inside, 2);
            break;
        case COBLOC_LIST:
            assert_ok(cobloc_append(object, inside, &err), err);
            strcat(inside, "[-1]");
            walk(object, inside);
            break;
        case COBLOC_GROUP:
            walk(object, inside);
            break;
        default:
            break;
        }
    }
}

#define CHECK_OPTIONS(name)                                                                        \
    do {                                                                                           \
        cobloc_##name *made = NULL;                                                                \
        cobloc_error err;                                                                          \
        assert_ok(cobloc_##name##_new(&made, &err), err);                                          \
        check_type(made, "", 0);                                                                   \
        walk(made, "");                                                                            \
        cobloc_##name##_free(made);                                                                \
        cobloc_##name##_free(NULL);                                                                \
    } while (0)

static void all_options_hold_what_they_say(void **state)
{
    (void)state;
    CHECK_OPTIONS(io_options);
    CHECK_OPTIONS(text_options);
    CHECK_OPTIONS(fit_options);
    CHECK_OPTIONS(predict_options);
    CHECK_OPTIONS(describe_options);
    CHECK_OPTIONS(select_options);
    CHECK_OPTIONS(ensemble_options);
    CHECK_OPTIONS(compare_options);
    CHECK_OPTIONS(curves);
    CHECK_OPTIONS(boxes);
    CHECK_OPTIONS(report);
    CHECK_OPTIONS(simulation);
}

/* A fit as a caller makes it, checked against the same one with plain structs. */
static void a_fit_by_name(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_fit_options plain, *o = NULL;
    cobloc_result *expected = NULL, *result = NULL;
    cobloc_matrix *x = random_matrix(5, 40, 30, 0.3, COBLOC_U8, NAMES_NONE);
    const int32_t few[] = {0, 1};
    cob_fit_options_default(&plain);
    plain.model = "splbm";
    plain.k = 3;
    plain.inference = COBLOC_SOFT;
    assert_ok(cobloc_fit(x, &plain, &expected, &err), err);
    assert_ok(cobloc_fit_options_new(&o, &err), err);
    assert_ok(cobloc_set_text(o, "model", "splbm", &err), err);
    assert_ok(cobloc_set_text(o, "inference", "soft", &err), err);
    assert_ok(cobloc_set_int(o, "k", 3, &err), err);
    assert_ok(cobloc_fit(x, o, &result, &err), err);
    assert_memory_equal(cobloc_ints(result, NULL, "row_labels"), expected->row_labels,
                        40 * sizeof(int32_t));
    assert_true(cobloc_real(result, "criterion") == expected->criterion);
    assert_int_equal(cobloc_count(result, "row_rule"), 3 * 5);
    assert_int_equal(cobloc_count(result, "merges"), 4);
    assert_string_equal(cobloc_text(result, "inference"), "soft");
    cobloc_result_free(result);
    assert_ok(cobloc_set_ints(o, "fix_rows", few, 2, &err), err);
    assert_int_equal(cobloc_fit(x, o, &result, &err), COBLOC_BAD_DATA);
    assert_string_equal(err.message, "fix_rows has 2 elements, but the matrix has 40 such lines");
    assert_ok(cobloc_set_text(o, "checkpoint", test_path("kept"), &err), err);
    assert_int_equal(cobloc_fit(x, o, &result, &err), COBLOC_BAD_DATA); /* before any digest */
    assert_string_equal(err.message, "fix_rows has 2 elements, but the matrix has 40 such lines");
    cobloc_fit_options_free(o);
    cobloc_result_free(expected);
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_options_hold_what_they_say),
        cmocka_unit_test(a_fit_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
