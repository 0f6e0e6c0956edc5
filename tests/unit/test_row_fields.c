/* What else is known of documents: the fields that stay with the matrix.
 * SPDX-License-Identifier: MIT
 */
#include "text_counts.h"

/* "date=2024,2025,;source=a,b,c;": the fields and the values of all rows. */
static const char *fields_of(const cobloc_matrix *m)
{
    static char all[4096];
    all[0] = '\0';
    for (int64_t f = 0; f < cobloc_matrix_field_count(m); f++) {
        sprintf(all + strlen(all), "%s=", cobloc_matrix_field_name(m, f));
        for (int64_t i = 0; i < cobloc_matrix_rows(m); i++)
            sprintf(all + strlen(all), "%s%s", i ? "," : "", cobloc_matrix_row_field(m, i, f));
        strcat(all, ";");
    }
    return all;
}

static void check_fields(const char *name, const char *text, const char *wanted,
                         const char *name_field, const char *expected)
{
    cobloc_text_options o = all_words();
    o.fields = wanted;
    o.name_field = name_field;
    for (o.threads = 1; o.threads <= 3; o.threads++) {
        cobloc_matrix *m = must_count(test_file(name, text, strlen(text)), &o, NULL);
        assert_string_equal(fields_of(m), expected);
        cobloc_matrix_free(m);
    }
}

static const char json[] =
    "{\"text\": \"one two\", \"id\": 7, \"date\": \"2024-05-31\", \"good\": true, \"list\": [1]}\n"
    "{\"text\": \"two\", \"id\": 8, \"date\": \"2025\", \"good\": null, \"lang\": \"en\"}\n"
    "{\"text\": \"three\", \"id\": 9, \"date\": \"a\\u001fb\\nc\", \"lang\": \"en\"}\n";

static void json_lines(void **state)
{
    (void)state;
    check_fields("a.jsonl", json, NULL, NULL, "id=7,8,9;date=2024-05-31,2025,a b c;");
    check_fields("a.jsonl", json, NULL, "id", "date=2024-05-31,2025,a b c;");
    check_fields("a.jsonl", json, "good, date", NULL, "date=2024-05-31,2025,a b c;good=true,,;");
    check_fields("a.jsonl", json, "none", NULL, "");
}

static void a_field_that_is_not_there(void **state)
{
    (void)state;
    cobloc_text_options o = all_words();
    cobloc_matrix *m = NULL;
    cobloc_error err;
    o.fields = "date,sorce";
    assert_int_equal(cob_text_read(test_file("a.jsonl", json, strlen(json)), &o, &m, NULL, &err),
                     COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "no document has a field 'sorce'"));
}

static void columns_of_a_table(void **state)
{
    (void)state;
    static const char table[] =
        "year,text,from,long\n1999,one two,\"a, \"\"b\"\"\","
        "0123456789012345678901234567890123456789012345678901234567890123456789\n"
        "2001,two,c,\n";
    check_fields("t.csv", table, NULL, NULL, "year=1999,2001;from=a, \"b\",c;");
    check_fields("t.csv", table, "from", NULL, "from=a, \"b\",c;");
    check_fields("t.csv", table, NULL, "year", "from=a, \"b\",c;");
    check_fields("t.csv", table, "long", NULL,
                 "long=0123456789012345678901234567890123456789012345678901234567890123456789,;");
}

static void dates_of_mail(void **state)
{
    (void)state;
    static const char mail[] = "From a@b Tue Apr  6 00:00:00 1993\nFrom: a@b\nSubject: one\n"
                               "Date: Tue, 6 Apr 1993 14:00:00 GMT\n\nwords here\n\n"
                               "From c@d Tue Apr  6 00:00:00 1993\nFrom: c@d\nSubject: two\n"
                               "Date: 7 Apr 93\n\nother words\n";
    check_fields("m.mbox", mail, NULL, NULL, "date=Tue, 6 Apr 1993 14:00:00 GMT,7 Apr 93;");
}

static void folders(void **state)
{
    (void)state;
    cobloc_text_options o = all_words();
    const char *const texts[] = {"one\n", "two\n",
                                 "From: a@b\nSubject: x\nDate: 5 May 2001\n\nthree\n"};
    mkdir(test_path("corpus"), 0777);
    mkdir(test_path("corpus/x"), 0777);
    mkdir(test_path("corpus/y"), 0777);
    test_file("corpus/x/1.txt", texts[0], strlen(texts[0]));
    test_file("corpus/y/2.txt", texts[1], strlen(texts[1]));
    test_file("corpus/y/3.txt", texts[2], strlen(texts[2]));
    cobloc_matrix *m = must_count(test_path("corpus"), &o, NULL);
    assert_string_equal(fields_of(m), "folder=x,y,y;");
    cobloc_matrix_free(m);
    o.fields = "date";
    m = must_count(test_path("corpus"), &o, NULL);
    assert_string_equal(fields_of(m), "date=,,5 May 2001;");
    cobloc_matrix_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_lines),
        cmocka_unit_test(a_field_that_is_not_there),
        cmocka_unit_test(columns_of_a_table),
        cmocka_unit_test(dates_of_mail),
        cmocka_unit_test(folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
