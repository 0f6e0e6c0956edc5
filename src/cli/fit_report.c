/* Showing a fit: as JSON, and as blocs in the terminal.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN */
#include "fit_report.h"
#include "fit_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 10, MOST_NAMES = 12 };

void cli_fit_warn(const cobloc_result *r)
{
    if (r->empty_rows + r->empty_cols > 0)
        cli_complain("%lld rows and %lld columns hold nothing: they are in no cluster (-1)",
                     (long long)r->empty_rows, (long long)r->empty_cols);
    if (r->stop == COBLOC_STOP_CANCELLED || r->stop == COBLOC_STOP_TIME)
        cli_complain("stopped early (%s): this is the best so far", cobloc_stop_name(r->stop));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *sizes(const int64_t *values, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_integer(values[i]));
    return list;
}

json_t *cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *cli_fit_json(const cobloc_result *r, const cobloc_scores *scores)
{
    json_t *object = json_pack(
        "{s:s, s:s, s:i, s:i, s:I, s:I, s:I, s:I, s:i, s:s, s:o, s:i, s:b, "
        "s:s, s:f, s:o, s:o, s:i, s:i, s:o, s:o, s:o, s:f, s:f}",
        "model", r->model, "inference", cobloc_inference_name(r->inference), "k", r->k, "l", r->l,
        "n", (json_int_t)r->n, "d", (json_int_t)r->d, "nnz", (json_int_t)r->nnz, "seed",
        (json_int_t)r->seed, "restarts", r->restarts, "criterion_name", r->criterion_name,
        "criterion", cli_json_number(r->criterion), "iterations", r->iterations, "converged",
        r->stop == COBLOC_STOP_CONVERGED, "stop", cobloc_stop_name(r->stop), "seconds", r->seconds,
        "row_sizes", sizes(r->row_sizes, r->k), "col_sizes", sizes(r->col_sizes, r->l), "repaired",
        r->repaired, "at_bound", r->at_bound, "icl", cli_json_number(r->icl), "modularity",
        cli_json_number(r->modularity), "explained_information",
        cli_json_number(r->explained_information), "row_passes", r->row_passes, "col_passes",
        r->col_passes);
    if (object && scores)
        json_object_set_new(object, "scores",
                            json_pack("{s:f, s:f, s:f}", "acc", scores->acc, "nmi", scores->nmi,
                                      "ari", scores->ari));
    return object;
}

/* ---- members of a bloc ----------------------------------------------------------------------- */

typedef struct member {
    int64_t line;
    double weight;
} member;

static int heavier(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* How much a line tells about its cluster: what it holds there, times the share of it that this is.
 * Where row and column clusters do not go together, all that it holds. */
static void weigh_lines(const cobloc_view *view, const double *sums, const int32_t *own,
                        const int32_t *other, bool together, double *weights)
{
#pragma omp parallel for schedule(dynamic, 1024)
    for (int64_t i = 0; i < view->major; i++) {
        double inside = together ? 0 : sums[i];
        for (int64_t e = view->offsets[i]; together && e < view->offsets[i + 1]; e++)
            if (other[view->indices[e]] == own[i])
                inside += cobloc_view_value(view, e);
        weights[i] = sums[i] > 0 ? inside * inside / sums[i] : 0;
    }
}

/* The heaviest members of a cluster, in order; returns how many of them, `most` or fewer. There is
 * room for twice as many: when it is full, the lighter half goes. */
static int64_t list_members(const int32_t *labels, int64_t count, int cluster,
                            const double *weights, int64_t most, member *members)
{
    int64_t found = 0;
    double least = -1; /* lighter ones are not among them */
    for (int64_t i = 0; i < count; i++) {
        if (labels[i] != cluster || weights[i] < least)
            continue;
        members[found++] = (member){i, weights[i]};
        if (found == 2 * most) {
            qsort(members, (size_t)found, sizeof *members, heavier);
            found = most;
            least = members[most - 1].weight;
        }
    }
    qsort(members, (size_t)found, sizeof *members, heavier);
    return found < most ? found : most;
}

/* Prints the names of members, `shown` out of `count`. */
static void print_members(const char *title, const member *members, int64_t shown, int64_t count,
                          const cobloc_matrix *matrix,
                          const char *(*name_of)(const cobloc_matrix *, int64_t))
{
    cli_words words = cli_words_begin(title, INDENT);
    for (int64_t i = 0; i < shown; i++) {
        char number[24];
        const char *name = name_of(matrix, members[i].line);
        snprintf(number, sizeof number, "%lld", (long long)(members[i].line + 1));
        cli_words_add(&words, name ? name : number, i + 1 < count ? "," : "");
    }
    if (count > shown)
        printf("%s%lld more", shown ? " and " : "", (long long)(count - shown));
    putchar('\n');
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- the report ------------------------------------------------------------------------------ */

/* Row and column clusters go together, as blocs. */
static bool has_blocs(const cobloc_result *r)
{
    return cobloc_model_is_diagonal(cobloc_model_find(r->model));
}

static int starts_run(const cobloc_result *r)
{
    int count = 0;
    for (int i = 0; i < r->restarts; i++)
        count += !isnan(r->restart_criteria[i]);
    return count;
}

static void print_summary(const cobloc_result *r, const cobloc_scores *scores)
{
    if (has_blocs(r))
        printf("%d bloc%s in %lld rows and %lld columns", r->k, plural(r->k), (long long)r->n,
               (long long)r->d);
    else
        printf("%d row cluster%s and %d column cluster%s in %lld rows and %lld columns", r->k,
               plural(r->k), r->l, plural(r->l), (long long)r->n, (long long)r->d);
    printf(" (%s, %s)\n", r->model, cobloc_inference_name(r->inference));
    printf("%s %.6g, the best of %d start%s, %.2f s\n", r->criterion_name, r->criterion,
           starts_run(r), plural(starts_run(r)), r->seconds);
    if (r->repaired)
        printf("%d cluster%s only because none may become empty: a smaller k may fit better\n",
               r->repaired, r->repaired == 1 ? " holds" : "s hold");
    if (r->at_bound)
        printf("%d parameter%s at the bound that %s sets: it assumes blocs of ones, and zeros "
               "elsewhere, which does not hold here\n",
               r->at_bound, r->at_bound == 1 ? " is" : "s are", r->model);
    if (scores)
        printf("against the truth: accuracy %.3f, NMI %.3f, ARI %.3f\n", scores->acc, scores->nmi,
               scores->ari);
}

/* The columns come first: they say what a bloc is about. */
static void print_bloc(const cobloc_result *r, const cobloc_matrix *matrix, int k, bool together,
                       const double *row_weights, const double *col_weights, member *members,
                       int64_t most)
{
    printf("\n%s %d: %lld row%s", together ? "bloc" : "row cluster", k, (long long)r->row_sizes[k],
           plural(r->row_sizes[k]));
    if (together)
        printf(", %lld column%s", (long long)r->col_sizes[k], plural(r->col_sizes[k]));
    putchar('\n');
    if (together) {
        int64_t cols = list_members(r->col_labels, r->d, k, col_weights, most, members);
        print_members("columns", members, cols, r->col_sizes[k], matrix, cobloc_matrix_col_name);
    }
    int64_t rows = list_members(r->row_labels, r->n, k, row_weights, most, members);
    print_members("rows", members, rows, r->row_sizes[k], matrix, cobloc_matrix_row_name);
}

void cli_fit_print(const cobloc_result *r, const cobloc_matrix *matrix, const cobloc_scores *scores,
                   const char *folder)
{
    cobloc_view rows = cobloc_matrix_by_rows(matrix), cols = cobloc_matrix_by_cols(matrix);
    int64_t larger = r->n > r->d ? r->n : r->d;
    double *row_weights = malloc((size_t)r->n * sizeof *row_weights);
    double *col_weights = malloc((size_t)r->d * sizeof *col_weights);
    bool together = has_blocs(r);
    /* A small table with names is shown whole, a large one by its most telling members. */
    int64_t most = r->n <= 250 && cobloc_matrix_row_name(matrix, 0) ? larger : MOST_NAMES;
    member *members = malloc(2 * (size_t)most * sizeof *members);
    print_summary(r, scores);
    if (!row_weights || !col_weights || !members) {
        cli_complain("out of memory");
        goto done;
    }
    weigh_lines(&rows, cobloc_matrix_row_sums(matrix), r->row_labels, r->col_labels, together,
                row_weights);
    weigh_lines(&cols, cobloc_matrix_col_sums(matrix), r->col_labels, r->row_labels, together,
                col_weights);
    for (int k = 0; k < r->k; k++)
        print_bloc(r, matrix, k, together, row_weights, col_weights, members, most);
    for (int l = 0; !together && l < r->l; l++) {
        int64_t shown = list_members(r->col_labels, r->d, l, col_weights, most, members);
        printf("\ncolumn cluster %d%s%s: %lld column%s\n", l, r->col_names ? ", " : "",
               r->col_names ? r->col_names[l] : "", (long long)r->col_sizes[l],
               plural(r->col_sizes[l]));
        print_members("columns", members, shown, r->col_sizes[l], matrix, cobloc_matrix_col_name);
    }
    if (folder)
        printf("\nwritten to %s: rows.tsv, cols.tsv, model.json%s\n", folder,
               cobloc_matrix_text(matrix) ? ", matrix.cbm" : "");
done:
    free(row_weights);
    free(col_weights);
    free(members);
}

int cli_fit_memory(const cobloc_matrix *matrix, const cobloc_fit_options *o)
{
    const double mib = 1048576, program = 13 * mib;
    cobloc_fit_need need;
    cobloc_error err;
    if (cob_fit_memory(matrix, o, &need, &err) != COBLOC_OK) {
        cli_complain("%s", err.message);
        return CLI_FAILED;
    }
    printf("about %.1f MiB: %.1f for the matrix, %.1f for copies, ", (program + need.total) / mib,
           need.matrix / mib, need.copies / mib);
    if (need.similarities > 0)
        printf("%.1f for similarities, ", need.similarities / mib);
    printf("the rest for %d start%s at a time\n", need.starts, plural(need.starts));
    return CLI_DONE;
}
