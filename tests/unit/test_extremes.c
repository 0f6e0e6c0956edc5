/* Numbers at the ends of what a double holds, through every model and inference: a fit either ends
 * in time with finite numbers, or says what is wrong with the data.
 *
 * COBLOC_EXTREMES=5000 fits so many tables; the default is a few hundred.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* alarm */
#include "brute.h"

#include <signal.h>
#include <unistd.h>

static const double VALUES[] = {0,      5e-324, 1e-300, 1e-150, 1,    0x1p31,
                                0x1p63, 1e100,  1e152,  1e154,  1e300};
enum { VALUE_COUNT = sizeof VALUES / sizeof *VALUES, WEIGHTS = COBLOC_WEIGHT_ROWNORM + 1 };

/* What runs, for the message when it does not end. */
static char running[200];

static void too_long(int signal)
{
    static const char what[] = "does not end: ";
    (void)signal;
    ssize_t written = write(2, what, sizeof what - 1);
    written += write(2, running, strlen(running));
    _exit(written < 0 ? 2 : 1);
}

/* A small table of a few of the values, some of them negative if `signs`. */
static table extreme_table(dice *dc, bool signs)
{
    table t = {.n = 1 + roll_below(dc, 6), .d = 1 + roll_below(dc, 6)};
    double few[3];
    for (int i = 0; i < 3; i++)
        few[i] = VALUES[roll_below(dc, VALUE_COUNT)];
    for (int c = 0; c < t.n * t.d; c++)
        t.x[c] = few[roll_below(dc, 3)] * (signs && roll(dc) < 0.3 ? -1 : 1);
    return t;
}

static cobloc_matrix *extreme_matrix(const table *t)
{
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    int32_t row[36], col[36];
    for (int c = 0; c < t->n * t->d; c++) {
        row[c] = c / t->d;
        col[c] = c % t->d;
    }
    if (cobloc_matrix_from_triples(t->n, t->d, (int64_t)t->n * t->d, row, col, t->x, &matrix,
                                   &err) != COBLOC_OK)
        assert_true(strlen(err.message) > 0);
    return matrix;
}

static int faults; /* one model does not hide another */

static void must_be_finite(double value, const char *what)
{
    if (!isfinite(value)) {
        print_error("%s: the %s is %g\n", running, what, value);
        faults++;
    }
}

static void check_numbers(const cobloc_result *r)
{
    must_be_finite(r->criterion, "criterion");
    bool positive = strstr(r->criterion_name, "error") || strstr(r->criterion_name, "information");
    if (positive && r->criterion < 0) {
        print_error("%s: the %s is %g\n", running, r->criterion_name, r->criterion);
        faults++;
    }
    for (int i = 0; i < r->trace_count; i++)
        must_be_finite(r->trace[i], "trace");
    for (int c = 0; c < r->k * r->l; c++)
        must_be_finite(r->blocks[c], "sum of a block");
    for (int c = 0; c < r->k * r->l * r->parameter_count; c++)
        must_be_finite(r->parameters[c], "parameter of a block");
    for (int64_t c = 0; r->row_probabilities && c < r->n * r->k; c++)
        if (r->row_labels[c / r->k] >= 0)
            must_be_finite(r->row_probabilities[c], "probability");
    must_be_finite(isnan(r->icl) ? 0 : r->icl, "ICL"); /* NaN: it has none */
    must_be_finite(isnan(r->modularity) ? 0 : r->modularity, "modularity");
    must_be_finite(isnan(r->explained_information) ? 0 : r->explained_information, "information");
}

static int fit_extreme(const cobloc_matrix *x, const cobloc_fit_options *o, int number)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_result *result = NULL;
    snprintf(running, sizeof running, "table %d, %s, %s, weight %d, k %d", number, o->model,
             cobloc_inference_name(o->inference), (int)o->weight, o->k);
    alarm(20);
    cobloc_status status = cobloc_fit(x, o, &result, &err);
    alarm(0);
    if (status == COBLOC_OK)
        check_numbers(result);
    if (status != COBLOC_OK && (strlen(err.message) == 0 || status == COBLOC_NO_MEMORY)) {
        print_error("%s: %s, '%s'\n", running, cobloc_status_name(status), err.message);
        faults++;
    }
    cobloc_result_free(result);
    return status == COBLOC_OK;
}

static int tables(void)
{
    const char *asked = getenv("COBLOC_EXTREMES");
    return asked ? atoi(asked) : rounds_of(300);
}

/* Every model on every table; the inference, the weight and the size go round. */
static void test_extremes(void **state)
{
    int fitted = 0, all = 0;
    (void)state;
    signal(SIGALRM, too_long);
    for (int number = 0; number < tables(); number++) {
        dice dc = dice_of((uint64_t)number + 1);
        table t = extreme_table(&dc, number % 4 == 3);
        cobloc_matrix *x = extreme_matrix(&t);
        for (int m = 0; x && m < cobloc_model_count(); m++) {
            cobloc_fit_options o;
            cob_fit_options_default(&o);
            o.model = cobloc_model_name(m);
            o.k = 1 + roll_below(&dc, 3);
            o.threads = 1;
            o.restarts = 2;
            o.max_seconds = 2;
            o.weight = (cobloc_weight)roll_below(&dc, WEIGHTS);
            do
                o.inference = (cobloc_inference)roll_below(&dc, COBLOC_SVEM + 1);
            while (o.inference && !cobloc_model_takes_inference(m, o.inference));
            fitted += fit_extreme(x, &o, number);
            all++;
        }
        cobloc_matrix_free(x);
    }
    if (getenv("COBLOC_EXTREMES"))
        print_message("%d of %d fits had an answer\n", fitted, all);
    assert_int_equal(faults, 0);
    assert_true(fitted > all / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_extremes)};
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
