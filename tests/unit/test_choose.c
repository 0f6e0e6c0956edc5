/* The choice of cobloc_select: which model, and a sentence that says what the numbers do.
 *
 * SPDX-License-Identifier: MIT
 */
#include "selecting.h"

/* ---- the model ------------------------------------------------------------------------------- */

/* Ones in blocks that are all alike: one dispersion is enough. */
static void test_models(void **state)
{
    static const char *const models[] = {"dlbm1", "dlbm2", "dlbm3", "lbm"};
    dice dc = dice_of(75);
    table t = planted_table(&dc, 60, 60, 3, 0.9, 0.1);
    (void)state;
    cobloc_select_options o = options_for("nobody looks at this", 2, 4);
    o.models = models;
    o.model_count = 4;
    cobloc_selection *s = must_select(&t, &o);
    assert_int_equal(s->count, 12);
    assert_string_equal(s->curve[s->chosen].model, "dlbm3");
    assert_int_equal(s->curve[s->chosen].k, 3);
    for (int i = 0; i < s->count; i++)
        assert_true(s->curve[i].value <= s->curve[s->chosen].value);
    assert_non_null(strstr(s->summary, "ICL is largest for dlbm3 with 3"));
    cobloc_selection_free(s);
}

/* Blocs with fewer ones than zeros, which dlbm1 does not allow: its likelihood is far larger than
 * that of dlbm3, but it is not chosen unless it is alone. */
static void test_assumptions(void **state)
{
    static const char *const models[] = {"dlbm1", "dlbm3"};
    dice dc = dice_of(76);
    table t = planted_table(&dc, 60, 60, 3, 0.4, 0.02);
    (void)state;
    cobloc_select_options o = options_for("dlbm1", 3, 3);
    o.by = COBLOC_BY_ICL;
    cobloc_selection *alone = must_select(&t, &o);
    const cobloc_result *r = alone->curve[0].result;
    assert_int_equal(r->at_bound, 3);
    for (int k = 0; k < 3; k++) {
        assert_true(r->blocks[4 * k] < 0.5 * (double)(r->row_sizes[k] * r->col_sizes[k]));
        assert_true(r->parameters[4 * k] == 0.5);
    }
    assert_true(!alone->curve[0].set_aside && alone->curve[0].as_good);
    o.models = models;
    o.model_count = 2;
    cobloc_selection *s = must_select(&t, &o);
    assert_string_equal(s->curve[s->chosen].model, "dlbm3");
    assert_int_equal(s->curve[s->chosen].result->at_bound, 0);
    assert_true(s->curve[0].set_aside && !s->curve[0].as_good && !s->curve[1].set_aside);
    assert_true(s->curve[0].value > s->curve[1].value);
    assert_string_equal(s->summary,
                        "ICL is largest for dlbm3 with 3. Set aside: dlbm1, because its "
                        "assumptions do not hold here.");
    cobloc_selection_free(alone);
    cobloc_selection_free(s);
}

/* ---- the sentence ---------------------------------------------------------------------------- */

enum { MOST_SIZES = 8 };

/* A selection made by hand: values of sizes 2, 3, ...; two starts each, `spread` apart. */
static void check_sentence(cobloc_choice by, int count, const double *values, double spread,
                           int chosen, const char *sentence)
{
    cobloc_result results[MOST_SIZES] = {{.k = 0}};
    cobloc_size curve[MOST_SIZES];
    double criteria[MOST_SIZES][2];
    int64_t sizes[MOST_SIZES + 2] = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    cobloc_selection s = {.by = by, .count = count, .curve = curve};
    for (int i = 0; i < count; i++) {
        criteria[i][0] = values[i] - spread;
        criteria[i][1] = values[i];
        results[i] = (cobloc_result){.icl = values[i],
                                     .modularity = values[i],
                                     .row_sizes = sizes,
                                     .restarts = 2,
                                     .restart_criteria = criteria[i]};
        curve[i] = (cobloc_size){.model = by == COBLOC_BY_ICL ? "splbm" : "coclus",
                                 .k = i + 2,
                                 .l = i + 2,
                                 .value = values[i],
                                 .spread = spread,
                                 .result = &results[i]};
    }
    cob_choose(&s, 0.02);
    assert_string_equal(s.summary, sentence);
    assert_int_equal(curve[s.chosen].k, chosen);
}

static void test_sentences(void **state)
{
#define VALUES(...) sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__}
    (void)state;
    check_sentence(COBLOC_BY_ICL, VALUES(-90, -70, -80), 5, 3, "ICL is largest for 3.");
    check_sentence(
        COBLOC_BY_ICL, VALUES(-90, -70, -71, -72, -90), 3, 3,
        "ICL is largest for 3, but 4 and 5 are as good within the spread of the starts.");
    check_sentence(COBLOC_BY_ICL, VALUES(-90, -72, -71, -70, -72, -90), 2, 5,
                   "ICL is largest for 5, but 3 to 6 are as good within the spread of the starts.");
    check_sentence(COBLOC_BY_ICL, VALUES(-90, -80, -70), 0, 4,
                   "ICL is largest for 4. It is the largest size tried: larger ones may be "
                   "better.");
    check_sentence(COBLOC_BY_ICL, VALUES(-90), 0, 2, "ICL is largest for 2.");
    check_sentence(COBLOC_BY_MODULARITY, VALUES(.3, .4, .3), 5, 3, "Modularity is largest for 3.");
    check_sentence(COBLOC_BY_MODULARITY, VALUES(.3, .4, .399), 0, 3,
                   "Modularity is largest for 3; 4 is within 2 % of it.");
    check_sentence(COBLOC_BY_MODULARITY, VALUES(.3, .396, .399, .4, .2), 0, 3,
                   "3 is the smallest size within 2 % of the largest modularity, 0.4000 for 5; "
                   "4 and 5 are as good.");
    check_sentence(COBLOC_BY_MODULARITY, VALUES(.3, .396, .397, .398, .4), 0, 3,
                   "3 is the smallest size within 2 % of the largest modularity, 0.4000 for 6; "
                   "4 to 6 are as good.");
    check_sentence(COBLOC_BY_MODULARITY, VALUES(.396, .4, .3, .399, .399), 0, 2,
                   "2 is the smallest size within 2 % of the largest modularity, 0.4000 for 3; "
                   "3 other sizes are as good.");
    check_sentence(COBLOC_BY_AGREEMENT, VALUES(.60, .47, .59, .66, .67, .63), .09, 2,
                   "2 is the size which several models agree most on, within a standard error of "
                   "6.");
    check_sentence(COBLOC_BY_AGREEMENT, VALUES(.57, .47, .59, .66, .67, .63), .09, 4,
                   "4 is the size which several models agree most on, within a standard error of "
                   "6.");
#undef VALUES
}

static void test_spread(void **state)
{
    (void)state;
    assert_true(cob_spread((double[]){1, 7, 3, NAN, 5}, 5, false) == 2);
    assert_true(cob_spread((double[]){1, 7, 3, NAN, 5}, 5, true) == 2);
    assert_true(cob_spread((double[]){4, 4, 2}, 3, false) == 0);
    assert_true(cob_spread((double[]){4, 2, 2}, 3, true) == 0);
    assert_true(isnan(cob_spread((double[]){4, NAN}, 2, true)));
    assert_true(isnan(cob_spread((double[]){NAN, NAN}, 2, true)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_assumptions),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_spread),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
