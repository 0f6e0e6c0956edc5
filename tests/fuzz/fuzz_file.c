/* One target for each other kind of file that people give (TARGET, set by the build): labels,
 * numbers (of effects, of known labels), a vocabulary, a simulation. Any bytes must end in an
 * object that can be used or in a sentence.
 *
 * SPDX-License-Identifier: MIT
 */
#include "target.h"

enum { ROWS = 6, COLS = 4 };

/* Made once. */
static const cobloc_matrix *small_matrix(void)
{
    static const int32_t rows[] = {0, 0, 1, 2, 3, 4, 5, 5}, cols[] = {0, 1, 0, 1, 2, 3, 2, 3};
    static const double values[] = {1, 2, 3, 1, 4, 1, 2, 5};
    static cobloc_matrix *matrix;
    cobloc_error err;
    demand(matrix || cobloc_matrix_from_triples(ROWS, COLS, 8, rows, cols, values, &matrix, &err) ==
                         COBLOC_OK,
           "a matrix");
    return matrix;
}

static void read_labels(const char *path)
{
    cobloc_labels *labels = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_status status = cobloc_labels_read(path, &labels, &err);
    demand_sentence(status, labels, &err);
    if (status != COBLOC_OK)
        return;
    int64_t count, classes = cobloc_count(labels, "class_names");
    const int32_t *label = cobloc_ints(labels, &count, "labels");
    for (int64_t i = 0; i < count; i++)
        demand(label[i] >= -1 && label[i] < classes, "a label");
    if (cobloc_labels_match_rows(labels, small_matrix(), &err) == COBLOC_OK)
        demand(cobloc_count(labels, "labels") == ROWS, "as many labels as rows");
    cobloc_labels_free(labels);
}

/* A fit takes what the file gives, or says why not. */
static void fit_with(const char *path, const char *field)
{
    cobloc_fit_options *options = NULL;
    cobloc_result *result = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    demand(cobloc_fit_options_new(&options, &err) == COBLOC_OK, "options");
    cobloc_set_text(options, "model", "splbm", NULL);
    cobloc_set_int(options, "k", 2, NULL);
    cobloc_set_int(options, "restarts", 1, NULL);
    cobloc_set_int(options, "threads", 1, NULL);
    if (cobloc_set_file(options, field, path, &err) == COBLOC_OK) {
        cobloc_status status = cobloc_fit(small_matrix(), options, &result, &err);
        demand_sentence(status, result, &err);
    } else {
        demand(err.message[0], "a failure without a sentence");
    }
    cobloc_result_free(result);
    cobloc_fit_options_free(options);
}

static void read_numbers(const char *path)
{
    fit_with(path, "row_effects");
    fit_with(path, "fix_rows");
}

static void read_vocabulary(const char *path)
{
    cobloc_text_options *options = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    demand(cobloc_text_options_new(&options, &err) == COBLOC_OK, "options");
    if (cobloc_set_file(options, "vocabulary", path, &err) == COBLOC_OK) {
        cobloc_matrix *matrix = NULL;
        cobloc_set_int(options, "threads", 1, NULL);
        cobloc_set_text(options, "language", "none", NULL); /* to guess it would take longest */
        cobloc_status status = cobloc_text_read(path, options, &matrix, NULL, &err);
        demand_sentence(status, matrix, &err);
        cobloc_matrix_free(matrix);
    }
    cobloc_text_options_free(options);
}

/* Only small tables are drawn: large ones are allowed, but would take long. */
static void read_simulation(const char *path)
{
    cobloc_simulation *simulation = NULL;
    cobloc_matrix *matrix = NULL;
    cobloc_truth *truth = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_status status = cobloc_simulation_read(path, &simulation, &err);
    demand_sentence(status, simulation, &err);
    if (status != COBLOC_OK)
        return;
    if (cobloc_int(simulation, "rows") <= 100 && cobloc_int(simulation, "cols") <= 100) {
        status = cobloc_simulate(simulation, &matrix, &truth, &err);
        demand_sentence(status, matrix, &err);
    }
    cobloc_truth_free(truth);
    cobloc_matrix_free(matrix);
    cobloc_simulation_free(simulation);
}

void read_input(const input *given)
{
    static const struct {
        const char *name;
        void (*read)(const char *path);
    } all[] = {{"labels", read_labels},
               {"numbers", read_numbers},
               {"vocabulary", read_vocabulary},
               {"simulation", read_simulation}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(TARGET, all[i].name) == 0)
            all[i].read(given->path);
}
