/* The folder of a result that was damaged or mixed up: reading it ends in a sentence.
 *
 * SPDX-License-Identifier: MIT
 */
#include "saved_folders.h"

#include <unistd.h>

/* The text with the first `from` replaced by `to`; free() it. */
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("there is no %s", from);
    char *made = malloc(strlen(text) + strlen(to) + 1);
    sprintf(made, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return made;
}

typedef struct damage {
    const char *file, *from, *to, *part;
} damage;

static void damaged_folders_are_refused(void **state)
{
    static const damage list[] = {
        {"model.json", "\"columns\"", "\"pillars\"", "this version"},
        {"model.json", "\"k\": 3", "\"k\": -3", "'k' is not a whole number"},
        {"model.json", "\"k\": 3", "\"k\": \"3\"", "'k' is not a whole number"},
        {"model.json", "\"n\": 42", "\"n\": 43", "rows.tsv: holds 42 rows"},
        {"model.json", "\"n\": 42", "\"n\": 99999999999", "'n' is not"},
        {"model.json", "\"d\": 30", "\"d\": 31", "not a list of 31 names"},
        {"model.json", "\"inference\": \"soft\"", "\"inference\": \"firm\"", "'inference'"},
        {"model.json", "\"model\": \"plbm\"", "\"model\": \"plum\"", "'model'"},
        {"model.json", "\"row_sizes\": [", "\"row_sizes\": [4, ", "'row_proportions'"},
        {"model.json", "\"row_sizes\": [", "\"row_sizes\": [\"x\", ", "'row_sizes' holds"},
        {"model.json", "\"col_sizes\": [", "\"col_sizes\": [1], \"x\": [", "'col_proportions'"},
        {"model.json", "\"trace\": [", "\"trace\": [{}, ", "'trace' holds something other"},
        {"model.json", "\"clusters\": [", "\"clusters\": [7], \"x\": [", "'clusters'"},
        {"model.json", "\"best_restart\": ", "\"best_restart\": 9", "'best_restart'"},
        {"model.json", "\"row_rule\": [", "\"row_rule\": [[1]], \"x\": [", "'row_rule'"},
        {"model.json", "\"merges\": [", "\"merges\": [[2, 1, 0], [0, 1, 0]], \"x\": [", "merges"},
        {"model.json", "{", "[", "model.json:"},
        {"rows.tsv", "name\tcluster", "cluster\tname", "rows.tsv:1: the header"},
        {"rows.tsv", "\t0\t0.9", "\t3\t0.9", "expected -1 to 2"},
        {"rows.tsv", "\t0\t0.9", "\t1\t0.9", "not of one fit"},
        {"rows.tsv", "\t0\t0.9", " 0 0.9", "rows.tsv:"},
        {"rows.probabilities.tsv", "name\t0", "0\tname", "rows.probabilities.tsv:1"},
        {"rows.probabilities.tsv", "\n", "\nx\t2\t0\t0\n", "expected 3 probabilities"},
        {"rows.probabilities.tsv", "\n", "\nx\t0\t0\n", "expected 3 probabilities"},
        {"rows.probabilities.tsv", "\n", "\nx\t1\t0\t0\t0\n", "more than 3"},
        {"rows.probabilities.tsv", "\n", "\nx\t1\t0\t0\n", "holds 43 rows"},
    };
    const char *folder = test_path("damaged");
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        size_t size;
        char *text = soft_folder(folder, list[i].file, &size), path[256];
        char *broken = replaced(text, list[i].from, list[i].to);
        snprintf(path, sizeof path, "%s/%s", folder, list[i].file);
        put_text(path, broken, strlen(broken));
        must_refuse(folder, COBLOC_BAD_DATA, list[i].part);
        free(text);
        free(broken);
    }
}

static void missing_files_are_named(void **state)
{
    static const char *const files[] = {"model.json", "rows.tsv", "rows.probabilities.tsv"};
    (void)state;
    must_refuse(test_path("nowhere"), COBLOC_IO, "nowhere: No such file");
    for (int i = 0; i < 3; i++) {
        size_t size;
        const char *folder = test_path("missing");
        char path[256];
        free(soft_folder(folder, "rows.tsv", &size));
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
        must_refuse(folder, COBLOC_IO, files[i]);
    }
}

/* A file that ends too early is refused wherever that is, save for its last line end. */
static void short_files_are_refused(void **state)
{
    static const char *const files[] = {"model.json", "rows.tsv", "rows.probabilities.tsv"};
    (void)state;
    for (int f = 0; f < 3; f++) {
        const char *folder = test_path("short");
        size_t size;
        char *text = soft_folder(folder, files[f], &size), path[256];
        snprintf(path, sizeof path, "%s/%s", folder, files[f]);
        for (size_t kept = 0; kept + 30 < size; kept += 1 + size / 150) {
            put_text(path, text, kept);
            must_refuse(folder, COBLOC_BAD_DATA, files[f]);
        }
        free(text);
    }
}

/* Any byte may be any other: that ends in a sentence, or changes nothing that matters. */
static void any_byte_may_be_wrong(void **state)
{
    static const char *const files[] = {"model.json", "rows.tsv", "rows.probabilities.tsv"};
    cob_stream stream = cob_stream_at(11, 0, 0, 0);
    (void)state;
    for (int f = 0; f < 3; f++) {
        const char *folder = test_path("bytes");
        size_t size;
        char *text = soft_folder(folder, files[f], &size), path[256];
        snprintf(path, sizeof path, "%s/%s", folder, files[f]);
        for (uint64_t i = 0; i < 150; i++) {
            size_t at = (size_t)(cob_random_uniform(&stream, 4 * i) * (double)size);
            char was = text[at];
            text[at] = (char)(int)(cob_random_uniform(&stream, 4 * i + 1) * 256 - 128);
            put_text(path, text, size);
            cobloc_error err = {COBLOC_OK, ""};
            cobloc_saved *saved = NULL;
            if (cobloc_saved_read(folder, &saved, &err) != COBLOC_OK)
                assert_true(strlen(err.message) > 10);
            cobloc_saved_free(saved);
            text[at] = was;
        }
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_folders_are_refused),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(short_files_are_refused),
        cmocka_unit_test(any_byte_may_be_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
