/* Showing a description: for people, and as a table.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"

#include <math.h>
#include <string.h>

enum { INDENT = 13, WIDEST_TABLE = 12 };

/* A bloc, by the path to its values: "blocs[3].". */
typedef struct bloc {
    const cli_described *d;
    const cobloc_description *of;
    char group[32];
    const char *side; /* "rows" or "cols" */
    int cluster;
} bloc;

static bloc bloc_at(const cli_described *d, const char *list, int cluster)
{
    bloc b = {.d = d, .of = d->description, .cluster = cluster};
    b.side = strcmp(list, "blocs") == 0 ? "rows" : "cols";
    snprintf(b.group, sizeof b.group, "%s[%d].", list, cluster);
    return b;
}

static int length(const bloc *b, const char *list)
{
    return (int)cobloc_count(b->of, "%s%s", b->group, list);
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_terms(const bloc *b, const char *list)
{
    char number[CLI_NUMBER_ROOM];
    int count = length(b, list);
    if (count <= 0)
        return;
    cli_words words = cli_words_begin(list, INDENT);
    for (int i = 0; i < count; i++)
        cli_words_add(&words,
                      cli_col_name(b->d->matrix,
                                   cobloc_int(b->of, "%s%s[%d].col", b->group, list, i), number),
                      i + 1 < count ? "," : "");
    putchar('\n');
}

/* With the cluster that each would otherwise join, where that is of interest. */
static void print_rows(const bloc *b, const char *list, bool with_next)
{
    char number[CLI_NUMBER_ROOM];
    int count = length(b, list);
    if (count <= 0)
        return;
    cli_words words = cli_words_begin(list, INDENT);
    for (int i = 0; i < count; i++) {
        const char *comma = i + 1 < count ? "," : "";
        char after[32];
        int64_t next = cobloc_int(b->of, "%s%s[%d].next", b->group, list, i);
        int64_t row = cobloc_int(b->of, "%s%s[%d].row", b->group, list, i);
        snprintf(after, sizeof after, " (%lld)%s", (long long)next, comma);
        cli_words_add(&words, cli_row_name(b->d->matrix, row, number),
                      with_next && next >= 0 ? after : comma);
    }
    putchar('\n');
}

/* What the first typical rows say around the term that tells most, where the rows are text. */
static void print_excerpts(const bloc *b)
{
    enum { MOST = 2 };
    char text[CLI_EXCERPT_ROOM];
    const char *term =
        length(b, "telling") > 0
            ? cobloc_matrix_col_name(b->d->matrix, cobloc_int(b->of, "%stelling[0].col", b->group))
            : NULL;
    for (int i = 0; i < length(b, "typical") && i < MOST; i++) {
        int64_t row = cobloc_int(b->of, "%stypical[%d].row", b->group, i);
        if (cobloc_matrix_excerpt(b->d->matrix, row, term, text, sizeof text) == 0)
            continue;
        cli_words words = cli_words_begin(i == 0 ? "excerpts" : "", INDENT);
        for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
            cli_words_add(&words, word, "");
        putchar('\n');
    }
}

static void print_coherence(const bloc *b)
{
    double jaccard = cobloc_real(b->of, "%sjaccard", b->group);
    double npmi = cobloc_real(b->of, "%snpmi", b->group);
    if (!isnan(jaccard))
        printf("; Jaccard %.2f", jaccard);
    if (!isnan(npmi))
        printf(", NPMI %.2f", npmi);
}

static void print_partners(const bloc *b, const char *title)
{
    enum { MOST = 6 };
    int count = length(b, "partners");
    cli_words words = cli_words_begin(title, INDENT);
    for (int i = 0; i < count && i < MOST; i++) {
        char text[48];
        double lift = cobloc_real(b->of, "%spartners[%d].lift", b->group, i);
        snprintf(text, sizeof text, isnan(lift) ? "%lld" : "%lld (%.1f times)",
                 (long long)cobloc_int(b->of, "%spartners[%d].cluster", b->group, i), lift);
        cli_words_add(&words, text, i + 1 < count ? "," : "");
    }
    if (count > MOST)
        printf(" and %d more", count - MOST);
    putchar('\n');
}

static void print_title(const bloc *b, const char *what)
{
    const char *section = cobloc_text(b->of, "%ssection", b->group);
    putchar('\n');
    cli_say(stdout, "%s %d%s%s: %s", what, b->cluster, section ? ", " : "", section ? section : "",
            cobloc_text(b->of, "%sname", b->group));
}

/* A bloc of a diagonal model, a row cluster or a column cluster of another. */
static void print_bloc(const bloc *b)
{
    bool diagonal = cobloc_int(b->of, "diagonal"), of_rows = strcmp(b->side, "rows") == 0;
    long long rows = cobloc_int(b->of, "%srows", b->group);
    long long cols = cobloc_int(b->of, "%scols", b->group);
    print_title(b, diagonal ? "bloc" : of_rows ? "row cluster" : "column cluster");
    if (diagonal)
        printf("  %lld row%s, %lld column%s, density %.3g", rows, cli_plural(rows), cols,
               cli_plural(cols), cobloc_real(b->of, "%sdensity", b->group));
    else
        printf("  %lld %s%s", of_rows ? rows : cols, of_rows ? "row" : "column",
               cli_plural(of_rows ? rows : cols));
    if (diagonal || !of_rows)
        print_coherence(b);
    putchar('\n');
    if (!diagonal)
        print_partners(b, of_rows ? "columns of" : "in rows of");
    print_terms(b, "frequent");
    print_terms(b, "telling");
    print_terms(b, "coherent");
    print_rows(b, "typical", false);
    if (of_rows)
        print_excerpts(b);
    print_rows(b, "borderline", true);
}

/* How many times more a block holds than its margins would give it; where sums may cancel, its
 * mean.
 */
static void print_blocks(const cobloc_description *d)
{
    bool means = isnan(cobloc_real(d, "lifts[0]"));
    char alignment[WIDEST_TABLE + 2];
    int rows = (int)cobloc_int(d, "k"), cols = (int)cobloc_int(d, "l");
    if (cols > WIDEST_TABLE)
        return;
    memset(alignment, 'r', sizeof alignment);
    alignment[cols + 1] = '\0';
    printf("\nblocks: %s (rows by columns)\n\n",
           means ? "their means" : "what they hold over what chance would give them");
    cli_table *table = cli_table_new(alignment);
    cli_table_cell(table, " ");
    for (int l = 0; l < cols; l++)
        cli_table_cell(table, "%d", l);
    for (int k = 0; k < rows; k++) {
        cli_table_cell(table, "%d", k);
        for (int l = 0; l < cols; l++)
            cli_table_cell(table, means ? "%.4g" : "%.2f",
                           cobloc_real(d, means ? "means[%d]" : "lifts[%d]", k * cols + l));
    }
    cli_table_print(table, stdout);
}

/* Calls `put` for every bloc, then for every column cluster that is none. */
static void for_all(const cli_described *d, void (*put)(const bloc *b))
{
    static const char *const lists[] = {"blocs", "topics"};
    for (int list = 0; list < 2; list++)
        for (int c = 0; c < cobloc_count(d->description, "%s", lists[list]); c++) {
            bloc b = bloc_at(d, lists[list], c);
            put(&b);
        }
}

void cli_describe_print(const cli_described *d)
{
    const cobloc_description *of = d->description;
    const cobloc_result *r = d->result;
    long long k = cobloc_int(of, "k"), l = cobloc_int(of, "l");
    if (cobloc_int(of, "diagonal"))
        printf("%lld bloc%s", k, cli_plural(k));
    else
        printf("%lld row cluster%s and %lld column cluster%s", k, cli_plural(k), l, cli_plural(l));
    printf(" in %lld rows and %lld columns (%s, %s)\n", (long long)cobloc_int(r, "n"),
           (long long)cobloc_int(r, "d"), cobloc_text(r, "model"), cobloc_text(r, "inference"));
    if (!isnan(cobloc_real(of, "jaccard")))
        printf("coherence of their frequent terms: Jaccard %.3f, NPMI %.3f\n",
               cobloc_real(of, "jaccard"), cobloc_real(of, "npmi"));
    for_all(d, print_bloc);
    print_blocks(of);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void put_value(double value)
{
    if (isfinite(value))
        printf("\t%.10g", value);
    else
        putchar('\t');
}

static void put_values(const bloc *b, const char *list, int i, const char *const *names)
{
    for (; *names; names++)
        put_value(cobloc_real(b->of, "%s%s[%d].%s", b->group, list, i, *names));
}

static void put_terms(const bloc *b, const char *list)
{
    static const char *const names[] = {"sum", "rows", "share", "weight", "npmi", NULL};
    char number[CLI_NUMBER_ROOM];
    for (int i = 0; i < length(b, list); i++) {
        int64_t col = cobloc_int(b->of, "%s%s[%d].col", b->group, list, i);
        printf("%s\t%d\t%s\t%d\t", b->side, b->cluster, list, i + 1);
        cli_put_name(stdout, cli_col_name(b->d->matrix, col, number));
        put_values(b, list, i, names);
        printf("\t\t\t\n");
    }
}

static void put_rows(const bloc *b, const char *list)
{
    static const char *const names[] = {"margin", "probability", "next", NULL};
    char number[CLI_NUMBER_ROOM];
    for (int i = 0; i < length(b, list); i++) {
        int64_t row = cobloc_int(b->of, "%s%s[%d].row", b->group, list, i);
        printf("rows\t%d\t%s\t%d\t", b->cluster, list, i + 1);
        cli_put_name(stdout, cli_row_name(b->d->matrix, row, number));
        printf("\t\t\t\t\t");
        put_values(b, list, i, names);
        putchar('\n');
    }
}

static void put_bloc(const bloc *b)
{
    put_terms(b, "frequent");
    put_terms(b, "telling");
    put_terms(b, "coherent");
    put_rows(b, "typical");
    put_rows(b, "borderline");
}

void cli_describe_tsv(const cli_described *d)
{
    printf("side\tcluster\tlist\trank\tname\tsum\trows\tshare\tweight\tnpmi\tmargin\tprobability"
           "\tnext\n");
    for_all(d, put_bloc);
}
