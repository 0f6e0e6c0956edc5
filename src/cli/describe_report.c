/* Showing a description: for people, and as a table.
 * SPDX-License-Identifier: MIT
 */
#include "describe_report.h"

#include <math.h>
#include <string.h>

enum { INDENT = 13, WIDEST_TABLE = 12 };

/* ---- for people ------------------------------------------------------------------------------ */

static void print_terms(const cli_described *d, const char *title, const cobloc_term *terms,
                        int count)
{
    char number[CLI_NUMBER_ROOM];
    if (count == 0)
        return;
    cli_words words = cli_words_begin(title, INDENT);
    for (int i = 0; i < count; i++)
        cli_words_add(&words, cli_col_name(d->matrix, terms[i].col, number),
                      i + 1 < count ? "," : "");
    putchar('\n');
}

/* With the cluster that each would be in else, where that is of interest. */
static void print_rows(const cli_described *d, const char *title, const cobloc_described_row *rows,
                       int count, bool next)
{
    char number[CLI_NUMBER_ROOM];
    if (count == 0)
        return;
    cli_words words = cli_words_begin(title, INDENT);
    for (int i = 0; i < count; i++) {
        char after[32] = "";
        if (next && rows[i].next >= 0)
            snprintf(after, sizeof after, " (%d)", rows[i].next);
        strcat(after, i + 1 < count ? "," : "");
        cli_words_add(&words, cli_row_name(d->matrix, rows[i].row, number), after);
    }
    putchar('\n');
}

static void print_coherence(double jaccard, double npmi)
{
    if (!isnan(jaccard))
        printf("; Jaccard %.2f", jaccard);
    if (!isnan(npmi))
        printf(", NPMI %.2f", npmi);
    putchar('\n');
}

static void print_partners(const cobloc_bloc *b, const char *what)
{
    enum { MOST = 6 };
    char title[32];
    snprintf(title, sizeof title, "%s", what);
    cli_words words = cli_words_begin(title, INDENT);
    for (int i = 0; i < b->partner_count && i < MOST; i++) {
        char text[48];
        snprintf(text, sizeof text, "%d (%.1f times)", b->partners[i].cluster, b->partners[i].lift);
        cli_words_add(&words, text, i + 1 < b->partner_count ? "," : "");
    }
    if (b->partner_count > MOST)
        printf(" and %d more", b->partner_count - MOST);
    putchar('\n');
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_title(const char *what, int cluster, const cobloc_bloc *b)
{
    char title[96];
    snprintf(title, sizeof title, "%s %d%s%s:", what, cluster, b->section ? ", " : "",
             b->section ? b->section : "");
    printf("\n%s ", title);
    for (const char *c = b->name; *c; c++)
        putchar((unsigned char)*c < ' ' || *c == 127 ? '?' : *c);
    putchar('\n');
}

/* A bloc of a diagonal model, a row cluster or a column cluster of another. */
static void print_bloc(const cli_described *d, int cluster, const cobloc_bloc *b, bool of_rows)
{
    bool diagonal = d->description->diagonal;
    print_title(diagonal ? "bloc" : of_rows ? "row cluster" : "column cluster", cluster, b);
    if (diagonal)
        printf("  %lld row%s, %lld column%s, density %.3g", (long long)b->rows, plural(b->rows),
               (long long)b->cols, plural(b->cols), b->density);
    else
        printf("  %lld %s%s", (long long)(of_rows ? b->rows : b->cols), of_rows ? "row" : "column",
               plural(of_rows ? b->rows : b->cols));
    print_coherence(diagonal || !of_rows ? b->jaccard : NAN, diagonal || !of_rows ? b->npmi : NAN);
    if (!diagonal)
        print_partners(b, of_rows ? "columns of" : "in rows of");
    print_terms(d, "frequent", b->frequent, b->frequent_count);
    print_terms(d, "telling", b->telling, b->telling_count);
    print_terms(d, "coherent", b->coherent, b->coherent_count);
    print_rows(d, "typical", b->typical, b->typical_count, false);
    print_rows(d, "borderline", b->borderline, b->borderline_count, true);
}

/* How many times more a block holds than its margins would give it. */
static void print_blocks(const cobloc_description *d)
{
    char alignment[WIDEST_TABLE + 2];
    if (d->l > WIDEST_TABLE)
        return;
    memset(alignment, 'r', sizeof alignment);
    alignment[d->l + 1] = '\0';
    printf("\nblocks: what they hold over what chance would give them (rows by columns)\n\n");
    cli_table *table = cli_table_new(alignment);
    cli_table_cell(table, " ");
    for (int l = 0; l < d->l; l++)
        cli_table_cell(table, "%d", l);
    for (int k = 0; k < d->k; k++) {
        cli_table_cell(table, "%d", k);
        for (int l = 0; l < d->l; l++)
            cli_table_cell(table, "%.2f", d->lifts[k * d->l + l]);
    }
    cli_table_print(table, stdout);
}

void cli_describe_print(const cli_described *d)
{
    const cobloc_description *of = d->description;
    const cobloc_result *r = d->result;
    if (of->diagonal)
        printf("%d bloc%s", of->k, plural(of->k));
    else
        printf("%d row cluster%s and %d column cluster%s", of->k, plural(of->k), of->l,
               plural(of->l));
    printf(" in %lld rows and %lld columns (%s, %s)\n", (long long)r->n, (long long)r->d, r->model,
           cobloc_inference_name(r->inference));
    if (!isnan(of->jaccard))
        printf("coherence of their frequent terms: Jaccard %.3f, NPMI %.3f\n", of->jaccard,
               of->npmi);
    for (int k = 0; k < of->k; k++)
        print_bloc(d, k, &of->blocs[k], true);
    for (int l = 0; of->topics && l < of->l; l++)
        print_bloc(d, l, &of->topics[l], false);
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

static void put_terms(const cli_described *d, const char *side, int cluster, const char *list,
                      const cobloc_term *terms, int count)
{
    char number[CLI_NUMBER_ROOM];
    for (int i = 0; i < count; i++) {
        printf("%s\t%d\t%s\t%d\t", side, cluster, list, i + 1);
        cli_put_name(stdout, cli_col_name(d->matrix, terms[i].col, number));
        put_value(terms[i].sum);
        printf("\t%lld", (long long)terms[i].rows);
        put_value(terms[i].share);
        put_value(terms[i].weight);
        put_value(terms[i].npmi);
        printf("\t\t\t\n");
    }
}

static void put_rows(const cli_described *d, int cluster, const char *list,
                     const cobloc_described_row *rows, int count)
{
    char number[CLI_NUMBER_ROOM];
    for (int i = 0; i < count; i++) {
        printf("rows\t%d\t%s\t%d\t", cluster, list, i + 1);
        cli_put_name(stdout, cli_row_name(d->matrix, rows[i].row, number));
        printf("\t\t\t\t\t");
        put_value(rows[i].margin);
        put_value(rows[i].probability);
        printf("\t%d\n", rows[i].next);
    }
}

static void put_bloc(const cli_described *d, const char *side, int cluster, const cobloc_bloc *b)
{
    put_terms(d, side, cluster, "frequent", b->frequent, b->frequent_count);
    put_terms(d, side, cluster, "telling", b->telling, b->telling_count);
    put_terms(d, side, cluster, "coherent", b->coherent, b->coherent_count);
    put_rows(d, cluster, "typical", b->typical, b->typical_count);
    put_rows(d, cluster, "borderline", b->borderline, b->borderline_count);
}

void cli_describe_tsv(const cli_described *d)
{
    const cobloc_description *of = d->description;
    printf("side\tcluster\tlist\trank\tname\tsum\trows\tshare\tweight\tnpmi\tmargin\tprobability"
           "\tnext\n");
    for (int k = 0; k < of->k; k++)
        put_bloc(d, "rows", k, &of->blocs[k]);
    for (int l = 0; of->topics && l < of->l; l++)
        put_bloc(d, "cols", l, &of->topics[l]);
}
