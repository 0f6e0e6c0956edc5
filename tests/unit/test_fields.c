/* Options set and results read by name: every kind of field, paths, limits, sentences, memory. The
 * struct below is this test's own, so that what is expected is in sight.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/owned.h"
#include "support.h"

#include <math.h>

typedef struct leaf {
    char name[8];
    double weight;
    const int32_t *numbers;
    int number_count;
} leaf;

typedef struct inner {
    cob_object head;
    int depth;
    cobloc_progress progress;
} inner;

typedef struct tree {
    cob_object head;
    int small;
    int64_t wide;
    uint64_t seed;
    double share;
    int flag;
    int colour;
    const char *text;
    const int32_t *ints;
    int64_t int_count;
    const double *x, *y;
    int point_count;
    const char *const *words;
    int word_count;
    int k, l;
    const double *table;
    inner nested;
    const leaf *leaves;
    int leaf_count;
    const inner *other;
    const cobloc_matrix *matrix;
} tree;

static const char *const COLOURS[] = {"red", "green", "blue", NULL};

#define S leaf
static const cob_named_field leaf_fields[] = {
    COB_CHARS(name, "Short."),
    COB_REAL(weight, "Heavy.", COB_FROM_0(2.5)),
    COB_INTS(numbers, number_count, "Some."),
};
static const cob_type leaf_type = COB_TYPE("a leaf", COB_PART, leaf_fields);
#undef S
#define S inner
static const cob_named_field inner_fields[] = {
    COB_INT(depth, "Deep.", COB_RANGE(-5, 5, 3)),
    COB_PROGRESS(progress),
};
static const cob_type inner_type = COB_TYPE("an inner", COB_OPTIONS, inner_fields);
#undef S
#define S tree
static const cob_named_field tree_fields[] = {
    COB_INT(small, "Small.", COB_RANGE(1, 100, 7)),
    COB_INT(wide, "Wide.", COB_FROM_0(0)),
    COB_INT(seed, "Seed.", COB_ANY_SEED),
    COB_REAL(share, "Share.", COB_RANGE(0, 1, 0.25)),
    COB_FLAG(flag, "Flag.", COB_USUAL(1)),
    COB_CHOICE(colour, COLOURS, "Colour.", COB_USUAL(1)),
    COB_TEXT(text, "Text.", COB_USUAL_TEXT("usual")),
    COB_INTS(ints, int_count, "Integers."),
    COB_REALS(x, point_count, "Points."),
    COB_REALS(y, point_count, "As many."),
    COB_TEXTS(words, word_count, "Words."),
    COB_INT(k, "Rows.", COB_FROM_0(2)),
    COB_INT(l, "Columns.", COB_FROM_0(3)),
    COB_REALS(table, k, "k by (l + 1).", COB_BY(l, 1), .fixed = true),
    COB_GROUP(nested, inner_type, "Nested."),
    COB_LIST(leaves, leaf_count, leaf_type, "Leaves."),
    COB_OBJECT(other, &inner_type, "Another."),
    COB_OBJECT(matrix, NULL, "A matrix."),
};
static const cob_type tree_type = COB_TYPE("the tree", COB_OPTIONS, tree_fields);
#undef S

static tree *new_tree(void)
{
    tree *t = cob_new(&tree_type, NULL);
    assert_non_null(t);
    return t;
}

/* The call, which fills `err`, must be refused as a bad argument with exactly this sentence. */
#define REFUSED(sentence, call)                                                                    \
    do {                                                                                           \
        assert_int_equal((call), COBLOC_BAD_ARGUMENT);                                             \
        assert_int_equal(err.status, COBLOC_BAD_ARGUMENT);                                         \
        assert_string_equal(err.message, sentence);                                                \
    } while (0)

static void defaults_are_those_of_the_table(void **state)
{
    (void)state;
    tree *t = new_tree();
    assert_int_equal(t->small, 7);
    assert_int_equal(t->seed, 1);
    assert_true(t->share == 0.25);
    assert_true(t->flag == 1 && t->colour == 1);
    assert_string_equal(t->text, "usual");
    assert_int_equal(t->nested.depth, 3);
    assert_ptr_equal(t->nested.head.type, &inner_type);
    assert_null(t->ints);
    cob_release(t);
    cob_release(NULL);
}

static void numbers_are_set_and_read(void **state)
{
    (void)state;
    cobloc_error err;
    tree *t = new_tree();
    assert_ok(cobloc_set_int(t, "small", 100, &err), err);
    assert_ok(cobloc_set_real(t, "wide", 4e12, &err), err);
    assert_ok(cobloc_set_text(t, "seed", "123456789012", &err), err);
    assert_ok(cobloc_set_text(t, "share", "0.5", &err), err);
    assert_ok(cobloc_set_flag(t, "flag", 0, &err), err);
    assert_ok(cobloc_set_text(t, "colour", "blue", &err), err);
    assert_ok(cobloc_set_int(t, "nested.depth", -5, &err), err);
    assert_true(t->small == 100 && t->wide == 4000000000000 && t->seed == 123456789012u);
    assert_true(t->share == 0.5 && t->flag == 0 && t->colour == 2 && t->nested.depth == -5);
    assert_int_equal(cobloc_int(t, "wide"), 4000000000000);
    assert_true(cobloc_real(t, "share") == 0.5 && cobloc_real(t, "small") == 100);
    assert_int_equal(cobloc_int(t, "colour"), 2);
    assert_string_equal(cobloc_text(t, "colour"), "blue");
    assert_int_equal(cobloc_int(t, "%s.dep%s", "nested", "th"), -5);
    assert_ok(cobloc_set_int(t, "colour", 0, &err), err);
    assert_ok(cobloc_set_text(t, "flag", "yes", &err), err);
    assert_true(t->colour == 0 && t->flag == 1);
    cob_release(t);
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    cobloc_error err;
    tree *t = new_tree();
    REFUSED("small is '0', expected a whole number from 1 to 100",
            cobloc_set_int(t, "small", 0, &err));
    REFUSED("small is '12x', expected a whole number from 1 to 100",
            cobloc_set_text(t, "small", "12x", &err));
    REFUSED("small is '1.5', expected a whole number from 1 to 100",
            cobloc_set_real(t, "small", 1.5, &err));
    REFUSED("small is '', expected a whole number from 1 to 100",
            cobloc_set_text(t, "small", "", &err));
    REFUSED("wide is '-1', expected a whole number from 0", cobloc_set_int(t, "wide", -1, &err));
    REFUSED("share is 'nan', expected a number from 0 to 1",
            cobloc_set_text(t, "share", "nan", &err));
    REFUSED("flag is '2', expected 0 or 1", cobloc_set_int(t, "flag", 2, &err));
    REFUSED("colour is 'pink', expected one of: red, green, blue",
            cobloc_set_text(t, "colour", "pink", &err));
    REFUSED("colour is '3', expected one of: red, green, blue",
            cobloc_set_int(t, "colour", 3, &err));
    REFUSED("text takes a text, not a number", cobloc_set_int(t, "text", 1, &err));
    REFUSED("small takes a whole number, not some integers",
            cobloc_set_ints(t, "small", NULL, 0, &err));
    REFUSED("ints takes some integers, not a text", cobloc_set_text(t, "ints", "1", &err));
    REFUSED("share takes a number, not a flag", cobloc_set_flag(t, "share", 1, &err));
    REFUSED("text takes a text, not an object", cobloc_set_object(t, "text", t, &err));
    REFUSED("ints takes some integers, not a new element", cobloc_append(t, "ints", &err));
    assert_true(t->small == 7 && t->share == 0.25 && t->colour == 1 && t->flag == 1);
    cob_release(t);
}

static void unknown_names_are_refused(void **state)
{
    (void)state;
    cobloc_error err;
    tree *t = new_tree();
    REFUSED("there is no 'smal' in the tree; did you mean 'small'?",
            cobloc_set_int(t, "smal", 1, &err));
    REFUSED("there is no 'dept' in an inner; did you mean 'depth'?",
            cobloc_set_int(t, "nested.dept", 1, &err));
    REFUSED("there is no 'somethingelse' in the tree", cobloc_set_int(t, "somethingelse", 1, &err));
    REFUSED("small is not a list", cobloc_set_int(t, "small[1]", 1, &err));
    REFUSED("small has no names of its own", cobloc_set_int(t, "small.x", 1, &err));
    REFUSED("leaves has 0 elements, not one with number 0",
            cobloc_set_real(t, "leaves[0].weight", 1, &err));
    REFUSED("leaves[ is not followed by a whole number and ]",
            cobloc_set_real(t, "leaves[x].weight", 1, &err));
    REFUSED("'leaves[]' is not one option", cobloc_set_int(t, "leaves[]", 1, &err));
    REFUSED("nested takes names of its own, not a number", cobloc_set_int(t, "nested", 1, &err));
    REFUSED("there is no object", cobloc_set_int(NULL, "small", 1, &err));
    cob_release(t);
}

static void missing_values_read_as_nothing(void **state)
{
    (void)state;
    int64_t count = 5;
    tree *t = new_tree();
    assert_int_equal(cobloc_int(t, "nothing"), 0);
    assert_int_equal(cobloc_int(t, "text"), 0);
    assert_true(isnan(cobloc_real(t, "nothing")) && isnan(cobloc_real(t, "text")));
    assert_null(cobloc_text(t, "small"));
    assert_null(cobloc_ints(t, &count, "x"));
    assert_int_equal(count, -1);
    assert_null(cobloc_ints(t, &count, "ints"));
    assert_int_equal(count, 0);
    assert_int_equal(cobloc_count(t, "small"), -1);
    assert_int_equal(cobloc_count(t, "leaves"), 0);
    assert_int_equal(cobloc_count(NULL, "leaves"), -1);
    assert_null(cobloc_object(t, "small"));
    assert_null(cobloc_text(t, "leaves[0].name"));
    cob_release(t);
}

static void texts_and_arrays_are_copied(void **state)
{
    (void)state;
    cobloc_error err;
    int64_t count;
    char text[] = "mine";
    int32_t ints[] = {3, -1, 4};
    const char *words[] = {"one", "", "three"};
    tree *t = new_tree();
    assert_ok(cobloc_set_text(t, "text", text, &err), err);
    assert_ok(cobloc_set_ints(t, "ints", ints, 3, &err), err);
    assert_ok(cobloc_set_texts(t, "words", words, 3, &err), err);
    text[0] = 'M';
    ints[0] = 0;
    words[0] = NULL;
    assert_string_equal(cobloc_text(t, "text"), "mine");
    assert_int_equal(cobloc_ints(t, &count, "ints")[0], 3);
    assert_int_equal(count, 3);
    assert_int_equal(cobloc_int(t, "ints[-1]"), 4);
    assert_true(cobloc_real(t, "ints[1]") == -1);
    assert_int_equal(cobloc_count(t, "words"), 3);
    assert_string_equal(cobloc_text(t, "words[0]"), "one");
    assert_string_equal(cobloc_text(t, "words[1]"), "");
    assert_ok(cobloc_set_text(t, "words", "a,b,,c", &err), err);
    assert_int_equal(t->word_count, 4);
    assert_string_equal(t->words[3], "c");
    assert_ok(cobloc_set_text(t, "words", "", &err), err);
    assert_int_equal(t->word_count, 0);
    assert_ok(cobloc_set_text(t, "text", NULL, &err), err);
    assert_string_equal(t->text, "usual");
    assert_ok(cobloc_set_ints(t, "ints", NULL, 0, &err), err);
    assert_true(!t->ints && t->int_count == 0);
    cob_release(t);
}

static void lengths_must_agree(void **state)
{
    (void)state;
    cobloc_error err;
    const double values[9] = {0};
    tree *t = new_tree();
    REFUSED("x cannot have -1 elements", cobloc_set_reals(t, "x", values, -1, &err));
    assert_ok(cobloc_set_reals(t, "x", values, 4, &err), err);
    REFUSED("y has 3 elements, expected 4", cobloc_set_reals(t, "y", values, 3, &err));
    assert_ok(cobloc_set_reals(t, "y", values, 4, &err), err);
    assert_ok(cobloc_set_reals(t, "y", NULL, 0, &err), err);
    assert_int_equal(cobloc_count(t, "x"), 4);
    assert_ok(cobloc_set_reals(t, "x", values, 5, &err), err);
    REFUSED("table has 6 elements, expected 8", cobloc_set_reals(t, "table", values, 6, &err));
    assert_ok(cobloc_set_reals(t, "table", values, 8, &err), err);
    assert_true(t->k == 2 && t->l == 3 && cobloc_count(t, "table") == 8);
    cob_release(t);
}

static void lists_grow(void **state)
{
    (void)state;
    cobloc_error err;
    const int32_t numbers[] = {1, 2};
    tree *t = new_tree();
    for (int i = 0; i < 20; i++) {
        char name[8];
        snprintf(name, sizeof name, "leaf %d", i);
        assert_ok(cobloc_append(t, "leaves", &err), err);
        assert_ok(cobloc_set_text(t, "leaves[-1].name", name, &err), err);
        assert_ok(cobloc_set_ints(t, "leaves[-1].numbers", numbers, 2, &err), err);
    }
    REFUSED("leaves[0].name is longer than 7 bytes",
            cobloc_set_text(t, "leaves[0].name", "12345678", &err));
    assert_int_equal(cobloc_count(t, "leaves"), 20);
    assert_string_equal(cobloc_text(t, "leaves[%d].name", 7), "leaf 7");
    assert_true(cobloc_real(t, "leaves[19].weight") == 2.5);
    assert_int_equal(cobloc_int(t, "leaves[3].numbers[1]"), 2);
    assert_null(cobloc_text(t, "leaves[20].name"));
    cob_release(t);
}

static int report(void *user, const char *what, double done)
{
    (void)user;
    (void)what;
    return done > 1;
}

static void objects_and_callbacks_are_borrowed(void **state)
{
    (void)state;
    cobloc_error err;
    tree *t = new_tree(), *another = new_tree();
    inner *in = cob_new(&inner_type, NULL);
    REFUSED("other is not an inner", cobloc_set_object(t, "other", another, &err));
    assert_ok(cobloc_set_object(t, "other", in, &err), err);
    in->depth = 4;
    assert_int_equal(cobloc_int(t, "other.depth"), 4);
    assert_ptr_equal(cobloc_object(t, "other"), in);
    assert_ptr_equal(cobloc_object(t, "nested"), &t->nested);
    assert_int_equal(cobloc_int(cobloc_object(t, "nested"), "depth"), 3);
    assert_ok(cobloc_set_object(t, "other", NULL, &err), err);
    assert_null(cobloc_object(t, "other"));
    cobloc_set_progress(t, report, another);
    assert_true(t->nested.progress.report == report && t->nested.progress.user == another);
    cobloc_set_progress(NULL, report, NULL);
    cob_release(in);
    cob_release(another);
    cob_release(t);
}

static void names_are_listed(void **state)
{
    (void)state;
    double least, most;
    tree *t = new_tree();
    assert_int_equal(cobloc_field_count(t, ""), tree_type.count);
    assert_int_equal(cobloc_field_count(t, "nested"), 2);
    assert_int_equal(cobloc_field_count(t, "leaves[]"), 3);
    assert_int_equal(cobloc_field_count(t, "small"), -1);
    assert_string_equal(cobloc_field_name(t, "", 0), "small");
    assert_string_equal(cobloc_field_name(t, "leaves[]", 2), "numbers");
    assert_null(cobloc_field_name(t, "", tree_type.count));
    assert_null(cobloc_field_name(t, "", -1));
    assert_int_equal(cobloc_field_kind(t, "leaves[].weight"), COBLOC_REAL);
    assert_int_equal(cobloc_field_kind(t, "no"), COBLOC_NONE);
    assert_string_equal(cobloc_field_help(t, "nested.depth"), "Deep.");
    assert_string_equal(cobloc_field_choice(t, "colour", 2), "blue");
    assert_null(cobloc_field_choice(t, "colour", 3));
    assert_null(cobloc_field_choice(t, "small", 0));
    assert_true(cobloc_field_range(t, "nested.depth", &least, &most));
    assert_true(least == -5 && most == 5);
    assert_false(cobloc_field_range(t, "flag", &least, &most));
    cob_release(t);
}

static void results_cannot_be_set(void **state)
{
    (void)state;
    cobloc_scores *scores = NULL;
    const int32_t labels[] = {0, 0, 1};
    cobloc_error err;
    assert_ok(cobloc_score(labels, labels, 3, &scores, &err), err);
    assert_true(cobloc_real(scores, "acc") == 1 && cobloc_int(scores, "lines") == 3);
    REFUSED("the scores cannot be changed", cobloc_set_real(scores, "acc", 0, &err));
    cobloc_scores_free(scores);
}

static cobloc_status fill(tree *t, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const int32_t ints[] = {1, 2, 3};
    COB_TRY(cobloc_set_text(t, "text", "another", err));
    COB_TRY(cobloc_set_text(t, "text", "once more", err));
    COB_TRY(cobloc_set_ints(t, "ints", ints, 3, err));
    COB_TRY(cobloc_set_text(t, "words", "a,b", err));
    COB_TRY(cobloc_append(t, "leaves", err));
    COB_TRY(cobloc_append(t, "leaves", err));
    COB_TRY(cobloc_set_ints(t, "leaves[1].numbers", ints, 2, err));
done:
    return status;
}

static void allocations_may_fail(void **state)
{
    (void)state;
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err;
        tree *t = new_tree();
        cob_alloc_fail_at(k);
        cobloc_status status = fill(t, &err);
        failed = allocation_failed(k, status, &err, 8);
        cob_alloc_fail_at(-1);
        assert_string_equal(status == COBLOC_OK ? t->text : "usual",
                            status == COBLOC_OK ? "once more" : "usual");
        cob_release(t);
    }
}

/* A program that knows fewer names than the library: it was compiled once, and runs with options
 * that gained a field in front of those it sets. */
typedef struct grown {
    cob_object head;
    double added;
    int small;
    const char *text;
} grown;

#define S grown
static const cob_named_field grown_fields[] = {
    COB_REAL(added, "New.", COB_USUAL(4)),
    COB_INT(small, "Small.", COB_RANGE(1, 100, 7)),
    COB_TEXT(text, "Text."),
};
static const cob_type grown_type = COB_TYPE("the grown tree", COB_OPTIONS, grown_fields);
#undef S

static void use(void *options)
{
    cobloc_error err;
    assert_ok(cobloc_set_int(options, "small", 9, &err), err);
    assert_ok(cobloc_set_text(options, "text", "as ever", &err), err);
    assert_int_equal(cobloc_int(options, "small"), 9);
    assert_string_equal(cobloc_text(options, "text"), "as ever");
}

static void older_programs_run(void **state)
{
    (void)state;
    tree *old = new_tree();
    grown *new = cob_new(&grown_type, NULL);
    use(old);
    use(new);
    assert_true(new->added == 4 && new->small == 9);
    cob_release(old);
    cob_release(new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_table),
        cmocka_unit_test(numbers_are_set_and_read),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(missing_values_read_as_nothing),
        cmocka_unit_test(texts_and_arrays_are_copied),
        cmocka_unit_test(lengths_must_agree),
        cmocka_unit_test(lists_grow),
        cmocka_unit_test(objects_and_callbacks_are_borrowed),
        cmocka_unit_test(names_are_listed),
        cmocka_unit_test(results_cannot_be_set),
        cmocka_unit_test(allocations_may_fail),
        cmocka_unit_test(older_programs_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
