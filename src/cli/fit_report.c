/* Showing a fit as blocs in the terminal.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"
#include "fit_options.h"

#include <math.h>
#include <stdlib.h>

enum { INDENT = 10, MOST_NAMES = 12 };

void cli_fit_warn(const cobloc_result *r)
{
    long long rows = cobloc_int(r, "empty_rows"), cols = cobloc_int(r, "empty_cols");
    int64_t stop = cobloc_int(r, "stop");
    if (rows > 0 && cols > 0)
        cli_note("%lld row%s and %lld column%s without entries: no cluster (-1)", rows,
                 cli_plural(rows), cols, cli_plural(cols));
    else if (rows + cols > 0)
        cli_note("%lld %s%s without entries: no cluster (-1)", rows + cols,
                 rows > 0 ? "row" : "column", cli_plural(rows + cols));
    if (stop == COBLOC_STOP_CANCELLED || stop == COBLOC_STOP_TIME)
        cli_note("stopped early (%s): this is the best so far", cobloc_text(r, "stop"));
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

enum { WORTH_THREADS = 1000000 }; /* entries: a fit of so many has had its threads */

/* How much a line tells about its cluster: what it holds there, times the share of it that this is.
 * Where row and column clusters do not go together, all that it holds. Pages of a large file are
 * given back on the way: a rank has no room for all of them. */
static void weigh_lines(const cobloc_matrix *matrix, const cobloc_view *view, const double *sums,
                        const int32_t *own, const int32_t *other, bool together, double *weights)
{
    enum { AT_ONCE = 1 << 23 }; /* entries */
    for (int64_t first = 0, last = 0; first < view->major; first = last) {
        while (last < view->major && view->offsets[last] - view->offsets[first] < AT_ONCE)
            last++;
#pragma omp parallel for schedule(dynamic, 1024) if (view->nnz > WORTH_THREADS)
        for (int64_t i = first; i < last; i++) {
            double inside = together ? 0 : sums[i];
            for (int64_t e = view->offsets[i]; together && e < view->offsets[i + 1]; e++)
                if (other[view->indices[e]] == own[i])
                    inside += cobloc_view_value(view, e);
            weights[i] = sums[i] > 0 ? inside * inside / sums[i] : 0;
        }
        if (view->nnz > AT_ONCE)
            cobloc_matrix_give_back(matrix);
    }
}

/* The heaviest members of a cluster, in order. While they are looked for, there is room for twice
 * as many as are shown: when it is full, the lighter half goes. */
typedef struct top {
    member *members;
    int64_t found;
    double least; /* lighter ones are not among them */
} top;

static void keep_heaviest(top *t, int64_t most)
{
    qsort(t->members, (size_t)t->found, sizeof *t->members, heavier);
    if (t->found >= most) {
        t->found = most;
        t->least = t->members[most - 1].weight;
    }
}

/* The tops of all clusters, `most` members each, in one block of memory. */
static top *find_members(const int32_t *labels, int64_t count, const int64_t *sizes,
                         int64_t clusters, const double *weights, int64_t most)
{
    top *tops =
        cli_memory(calloc(1, (size_t)clusters * sizeof *tops + (size_t)count * sizeof(member)));
    member *room = (member *)(tops + clusters);
    for (int64_t k = 0; k < clusters; room += sizes[k++])
        tops[k] = (top){.members = room, .least = -1};
    for (int64_t i = 0; i < count; i++) {
        top *t = labels[i] < 0 ? NULL : &tops[labels[i]];
        if (!t || !t->members || weights[i] < t->least)
            continue;
        t->members[t->found++] = (member){i, weights[i]};
        if (t->found == 2 * most)
            keep_heaviest(t, most);
    }
    for (int64_t k = 0; k < clusters; k++)
        keep_heaviest(&tops[k], most);
    return tops;
}

/* Prints the names of members, out of `count`. */
static void print_members(const char *title, const top *shown, int64_t count,
                          const cobloc_matrix *matrix,
                          const char *(*name_of)(const cobloc_matrix *, int64_t, char *number))
{
    cli_words words = cli_words_begin(title, INDENT);
    for (int64_t i = 0; i < shown->found; i++) {
        char number[CLI_NUMBER_ROOM];
        cli_words_add(&words, name_of(matrix, shown->members[i].line, number),
                      i + 1 < count ? "," : "");
    }
    if (count > shown->found)
        printf("%s%lld more", shown->found ? " and " : "", (long long)(count - shown->found));
    putchar('\n');
}

/* ---- the report ------------------------------------------------------------------------------ */

/* What is shown of a result. */
typedef struct shown {
    const cobloc_result *result;
    const cobloc_matrix *matrix;
    bool together; /* row and column clusters go together, as blocs */
    int64_t k, l, n, d;
    const int32_t *row_labels, *col_labels;
    const int64_t *row_sizes, *col_sizes;
    top *row_tops, *col_tops;
} shown;

static int starts_run(const cobloc_result *r)
{
    int64_t starts;
    int count = 0;
    const double *criteria = cobloc_reals(r, &starts, "restart_criteria");
    for (int64_t i = 0; i < starts; i++)
        count += !isnan(criteria[i]);
    return count;
}

static const char *early_end(const cobloc_result *r)
{
    int64_t stop = cobloc_int(r, "stop");
    return stop == COBLOC_STOP_TIME        ? " (stopped by --max-seconds)"
           : stop == COBLOC_STOP_CANCELLED ? " (stopped by Ctrl-C)"
                                           : "";
}

/* What model auto chose, and why. About a single cluster all agree. */
static void print_choice(const cobloc_result *r)
{
    int64_t count = cobloc_count(r, "candidates");
    double agreement = cobloc_real(r, "agreement");
    const char *model = cobloc_text(r, "model"), *weight = cobloc_text(r, "weight");
    const char *meaning = agreement >= 0.75  ? "clear blocs"
                          : agreement >= 0.5 ? "other blocs are possible"
                                             : "no clear blocs";
    if (count == 1)
        printf("%s is the model for such a table\n", model);
    else if (count == 2 && cobloc_int(r, "k") > 1)
        printf("chosen of 2: %s, weight %s (they agree by %.2f: %s)\n", model, weight, agreement,
               meaning);
    else if (count > 2 && cobloc_int(r, "k") > 1)
        printf("chosen of %lld: the others agree most with %s, weight %s (%.2f: %s)\n",
               (long long)count, model, weight, agreement, meaning);
}

/* Clusters that hold next to nothing. */
static void print_dust(const shown *s)
{
    long long dust = cobloc_int(s->result, "dust"), k = (long long)s->k;
    if (dust == 0 || cobloc_int(s->result, "repaired") > 0)
        return;
    printf("%lld row cluster%s only %lld to %lld of %lld rows", dust,
           dust == 1 ? " holds" : "s hold", (long long)s->row_sizes[k - 1],
           (long long)s->row_sizes[k - dust], (long long)s->n);
    if (cobloc_count(s->result, "candidates") > 0)
        printf(": a smaller k, such as -k %lld, may fit better\n", k - dust);
    else
        printf(": -m auto, -m splbm --exact -w bm25idf, or -k %lld may fit better\n", k - dust);
}

static void print_summary(const shown *s, const cobloc_scores *scores)
{
    const cobloc_result *r = s->result;
    long long repaired = cobloc_int(r, "repaired"), at_bound = cobloc_int(r, "at_bound");
    if (s->together)
        printf("%lld bloc%s", (long long)s->k, cli_plural(s->k));
    else
        printf("%lld row cluster%s and %lld column cluster%s", (long long)s->k, cli_plural(s->k),
               (long long)s->l, cli_plural(s->l));
    printf(" in %lld rows and %lld columns (%s, %s)\n", (long long)s->n, (long long)s->d,
           cobloc_text(r, "model"), cobloc_text(r, "inference"));
    print_choice(r);
    printf("%s %.6g, the best of %d start%s, %.2f s%s\n", cobloc_text(r, "criterion_name"),
           cobloc_real(r, "criterion"), starts_run(r), cli_plural(starts_run(r)),
           cobloc_real(r, "seconds"), early_end(r));
    if (cobloc_text(r, "size_rule"))
        printf("%s\n", cobloc_text(r, "size_summary"));
    if (repaired)
        printf("%lld cluster%s only because none may become empty: a smaller k may fit better\n",
               repaired, repaired == 1 ? " holds" : "s hold");
    print_dust(s);
    if (at_bound)
        printf("%lld parameter%s at the bound that %s sets: it assumes blocs of ones, and zeros "
               "elsewhere, which does not hold here\n",
               at_bound, at_bound == 1 ? " is" : "s are", cobloc_text(r, "model"));
    if (scores)
        printf("against the truth: accuracy %.3f, NMI %.3f, ARI %.3f\n", cobloc_real(scores, "acc"),
               cobloc_real(scores, "nmi"), cobloc_real(scores, "ari"));
}

static void print_rows(const shown *s, int k)
{
    print_members("rows", &s->row_tops[k], s->row_sizes[k], s->matrix, cli_row_name);
}

static void print_cols(const shown *s, int l)
{
    print_members("columns", &s->col_tops[l], s->col_sizes[l], s->matrix, cli_col_name);
}

/* The columns come first: they say what a bloc is about. */
static void print_clusters(const shown *s)
{
    for (int k = 0; k < s->k; k++) {
        printf("\n%s%s %d: %lld row%s", cli_bold(stdout), s->together ? "bloc" : "row cluster", k,
               (long long)s->row_sizes[k], cli_plural(s->row_sizes[k]));
        if (s->together)
            printf(", %lld column%s", (long long)s->col_sizes[k], cli_plural(s->col_sizes[k]));
        printf("%s\n", cli_plain(stdout));
        if (s->together)
            print_cols(s, k);
        print_rows(s, k);
    }
    for (int l = 0; !s->together && l < s->l; l++) {
        const char *name = cobloc_text(s->result, "col_names[%d]", l);
        printf("\n%scolumn cluster %d%s%s: %lld column%s%s\n", cli_bold(stdout), l,
               name ? ", " : "", name ? name : "", (long long)s->col_sizes[l],
               cli_plural(s->col_sizes[l]), cli_plain(stdout));
        print_cols(s, l);
    }
}

void cli_say_written(const char *folder, const char *more, const cobloc_matrix *matrix)
{
    putchar('\n');
    cli_say(stdout, "written to %s: rows.tsv, cols.tsv, model.json%s%s", folder, more,
            cobloc_matrix_text(matrix) ? ", matrix.cbm" : "");
}

/* ---- a screen -------------------------------------------------------------------------------- */

/* So many clusters are shown with all their members; more have a line each. */
enum { FEW = 8 };

/* As many of the telling columns of a row cluster as fit behind `used` columns of the line. */
static void put_terms(const cobloc_description *d, const cobloc_matrix *matrix, int k, int used)
{
    int64_t count = cobloc_count(d, "blocs[%d].telling", k);
    int room = cli_width(stdout) - used;
    for (int t = 0; t < count; t++) {
        char number[CLI_NUMBER_ROOM];
        int64_t col = cobloc_int(d, "blocs[%d].telling[%d].col", k, t);
        char *name = cli_harmless(cli_col_name(matrix, col, number));
        room -= cli_text_width(name) + 2;
        if (room >= 0 || t == 0)
            printf("%s%s", t ? ", " : "", name);
        free(name);
    }
    putchar('\n');
}

/* One line for each row cluster: its sizes, and what it is about. */
static void print_lines(const shown *s)
{
    cobloc_description *d = cli_describe_few(s->result, s->matrix);
    int used = 0;
    printf("%s%4s %7s %7s  most telling columns (--full: all of them, and the rows)%s\n",
           cli_bold(stdout), s->together ? "bloc" : "row", "rows", s->together ? "columns" : "",
           cli_plain(stdout));
    for (int k = 0; k < s->k; k++) {
        used = printf("%4d %7lld ", k, (long long)s->row_sizes[k]);
        used += s->together ? printf("%7lld  ", (long long)s->col_sizes[k]) : printf("%9s", "");
        put_terms(d, s->matrix, k, used);
    }
    cobloc_description_free(d);
}

/* A small table with names is shown whole, a large one by its most telling members. */
static void print_members_of_all(shown *s)
{
    const cobloc_matrix *matrix = s->matrix;
    cobloc_view rows = cobloc_matrix_by_rows(matrix), cols = cobloc_matrix_by_cols(matrix);
    int64_t larger = s->n > s->d ? s->n : s->d;
    int64_t most = s->n > 250 || !cobloc_matrix_row_name(matrix, 0) ? MOST_NAMES : larger;
    double *weights = cli_memory(malloc((size_t)larger * sizeof *weights));
    weigh_lines(matrix, &rows, cobloc_matrix_row_sums(matrix), s->row_labels, s->col_labels,
                s->together, weights);
    s->row_tops = find_members(s->row_labels, s->n, s->row_sizes, s->k, weights, most);
    weigh_lines(matrix, &cols, cobloc_matrix_col_sums(matrix), s->col_labels, s->row_labels,
                s->together, weights);
    s->col_tops = find_members(s->col_labels, s->d, s->col_sizes, s->l, weights, most);
    print_clusters(s);
    free(weights);
    free(s->row_tops);
    free(s->col_tops);
}

void cli_fit_print(const cobloc_result *r, const cobloc_matrix *matrix, const cobloc_scores *scores,
                   const char *folder, bool full)
{
    shown s = {.result = r, .matrix = matrix};
    s.together = cobloc_model_is_diagonal(cobloc_model_find(cobloc_text(r, "model")));
    s.row_labels = cobloc_ints(r, &s.n, "row_labels");
    s.col_labels = cobloc_ints(r, &s.d, "col_labels");
    s.row_sizes = cobloc_int64s(r, &s.k, "row_sizes");
    s.col_sizes = cobloc_int64s(r, &s.l, "col_sizes");
    print_summary(&s, scores);
    if (!full && (s.together ? s.k : s.k + s.l) > (s.together ? FEW : 2 * FEW))
        print_lines(&s);
    else
        print_members_of_all(&s);
    if (folder)
        cli_say_written(folder, "", matrix);
}

void cli_fit_memory(const cobloc_matrix *matrix, const cobloc_fit_options *o)
{
    const double mib = 1048576, program = 13 * mib;
    cobloc_fit_need *need = NULL;
    cli_must(cobloc_fit_memory(matrix, o, &need, &cli_error));
    printf("about %.1f MiB: %.1f for the matrix, %.1f for copies, ",
           (program + cobloc_real(need, "total")) / mib, cobloc_real(need, "matrix") / mib,
           cobloc_real(need, "copies") / mib);
    if (cobloc_real(need, "similarities") > 0)
        printf("%.1f for similarities, ", cobloc_real(need, "similarities") / mib);
    int64_t starts = cobloc_int(need, "starts");
    printf("the rest for %lld start%s at a time\n", (long long)starts, cli_plural(starts));
    cobloc_fit_need_free(need);
}
