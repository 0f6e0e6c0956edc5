/* Numbers are written and read the same in every locale that a program may have set: one with a
 * comma (German), and one whose decimal point takes two bytes (Pashto). Made by localedef, where
 * that and its sources are installed; else skipped. SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include "saved_folders.h"

#include "cobloc/report.h"

#include <ctype.h>
#include <locale.h>

/* Makes a locale in the folder of the test and sets it; false if that is not possible here. */
static bool set_locale(const char *name, const char *letters)
{
    char command[1024];
    snprintf(command, sizeof command, "localedef -i %s -f %s %s/%s.%s 2>&1 | grep -v '^' ", name,
             letters, test_folder(), name, letters);
    (void)!system(command);
    setenv("LOCPATH", test_folder(), 1);
    snprintf(command, sizeof command, "%s.%s", name, letters);
    if (!setlocale(LC_ALL, command))
        return false;
    assert_string_not_equal(localeconv()->decimal_point, ".");
    return true;
}

static char *bytes_of(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = calloc(1, 1 << 20);
    size_t got = fread(bytes, 1, (1 << 20) - 1, file);
    assert_true(got > 0);
    fclose(file);
    return bytes;
}

/* cairo numbers the surfaces of a process; the numbers go. */
static char *without_numbers_of_surfaces(char *text)
{
    char *to = text;
    for (const char *p = text; *p; p++) {
        *to++ = *p;
        if (to - text >= 7 && memcmp(to - 7, "surface", 7) == 0)
            p += strspn(p + 1, "0123456789");
    }
    *to = '\0';
    return text;
}

static void write_picture(const cobloc_matrix *matrix, const cobloc_result *result,
                          const char *folder)
{
    char path[4096];
    cobloc_error err;
    cobloc_report *report = NULL;
    assert_ok(cobloc_report_new(&report, &err), err);
    assert_ok(cobloc_set_object(report, "matrix", matrix, &err), err);
    assert_ok(cobloc_set_object(report, "result", result, &err), err);
    for (int p = 0; p < 4; p++) {
        snprintf(path, sizeof path, "%s/%s.svg", folder, cobloc_picture_name((cobloc_picture)p));
        assert_ok(cobloc_plot_result(path, report, (cobloc_picture)p, &err), err);
    }
    snprintf(path, sizeof path, "%s/page.html", folder);
    assert_ok(cobloc_report_write(report, path, &err), err);
    cobloc_report_free(report);
}

/* All that writes numbers, into a folder. */
static void write_all(const char *folder)
{
    char path[4096];
    cobloc_error err;
    cobloc_fit_options o = options_for("splbm");
    o.inference = COBLOC_SOFT;
    o.tolerance = 1e-7;
    cobloc_matrix *matrix = planted(0), *weighted = NULL;
    cobloc_result *result = must_fit(matrix, &o);
    result->seconds = 0;
    must_write(result, matrix, &o, folder);
    write_picture(matrix, result, folder);
    assert_ok(cobloc_matrix_weighted(matrix, COBLOC_WEIGHT_TFIDF, &weighted, &err), err);
    snprintf(path, sizeof path, "%s/weighted.mtx", folder);
    assert_ok(cobloc_matrix_write(weighted, path, NULL, &err), err);
    cobloc_matrix *read = must_read(path, NULL);
    assert_same_matrix(read, weighted);
    cobloc_saved *saved = must_open(folder);
    assert_true(cobloc_real(saved, "result.criterion") == result->criterion);
    cobloc_saved_free(saved);
    cobloc_matrix_free(read);
    cobloc_matrix_free(weighted);
    cobloc_matrix_free(matrix);
    cobloc_result_free(result);
}

static void read_all(void)
{
    cobloc_error err;
    cobloc_simulation *simulation = NULL;
    cobloc_labels *labels = NULL;
    cobloc_fit_options *o = NULL;
    const char *spec = test_text("spec.json", "{\"model\": \"bernoulli\", \"n\": 9, \"d\": 9, "
                                              "\"parameters\": [[0.25, 0.5], [0.125, 0.75]]}");
    assert_ok(cobloc_simulation_read(spec, &simulation, &err), err);
    assert_true(cobloc_real(simulation, "parameters[2]") == 0.125);
    cobloc_simulation_free(simulation);
    assert_ok(cobloc_labels_read(test_text("labels.txt", "0.5\n-1.0\n0.25\n"), &labels, &err), err);
    assert_string_equal(cobloc_text(labels, "class_names[0]"), "0.25");
    assert_int_equal(cobloc_int(labels, "labels[1]"), -1);
    cobloc_labels_free(labels);
    assert_ok(cobloc_fit_options_new(&o, &err), err);
    assert_ok(cobloc_set_text(o, "tolerance", "1.5e-3", &err), err);
    assert_true(cobloc_real(o, "tolerance") == 1.5e-3);
    assert_int_equal(cobloc_set_real(o, "tolerance", -0.5, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "'-0.5'"));
    cobloc_fit_options_free(o);
}

static void numbers_are_the_same_in_every_locale(void **state)
{
    static const char *const locales[] = {"de_DE", "ps_AF"};
    static const char *const files[] = {"rows.tsv",   "cols.tsv",     "rows.probabilities.tsv",
                                        "model.json", "weighted.mtx", "page.html",
                                        "matrix.svg", "blocks.svg",   "convergence.svg"};
    (void)state;
    int tried = 0;
    write_all(test_path("plain"));
    read_all();
    for (int i = 0; i < 2; i++) {
        if (!set_locale(locales[i], "UTF-8"))
            continue;
        tried++;
        write_all(test_path(locales[i]));
        read_all();
        assert_string_not_equal(localeconv()->decimal_point, "."); /* it is the program's still */
        setlocale(LC_ALL, "C");
        for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
            char *plain = without_numbers_of_surfaces(bytes_of(test_path("plain"), files[f]));
            char *other = without_numbers_of_surfaces(bytes_of(test_path(locales[i]), files[f]));
            if (strcmp(plain, other) != 0)
                fail_msg("%s differs in the locale %s", files[f], locales[i]);
            free(plain);
            free(other);
        }
    }
    if (tried == 0)
        skip();
}

/* In Turkish, I is the capital of a letter that is not i. */
static void words_are_the_same_in_turkish(void **state)
{
    static const char text[] = "%%MATRIXMARKET MATRIX COORDINATE INTEGER GENERAL\n2 2 1\n1 1 3\n";
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    (void)state;
    const char *path = test_file("CAPITALS.MTX", text, sizeof text - 1);
    if (!set_locale("tr_TR", "ISO-8859-9"))
        skip();
    assert_int_not_equal(tolower('I'), 'i');
    cobloc_status status = cobloc_matrix_read(path, NULL, &matrix, &err);
    setlocale(LC_ALL, "C");
    assert_ok(status, err);
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_the_same_in_every_locale),
                                       cmocka_unit_test(words_are_the_same_in_turkish)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
