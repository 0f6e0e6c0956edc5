/* Options of a description, and what it consists of.
 * SPDX-License-Identifier: MIT
 */
#include "describe/description.h"

#define S cobloc_describe_options
static const cob_named_field describe_options[] = {
    COB_INT(terms, "Number of terms in each list.", COB_RANGE(1, 1000, 10)),
    COB_INT(rows, "Number of typical and borderline rows of each cluster.", COB_RANGE(0, 1000, 5)),
    COB_INT(pool, "Number of the most frequent terms that are ordered by NPMI.",
            COB_RANGE(1, 64, 30)),
    COB_INT(neighbours, "Number of nearest terms, for NPMI and for graphs.", COB_RANGE(1, 64, 5)),
    COB_INT(graph_terms, "Number of terms in the graph of each cluster.", COB_RANGE(1, 64, 8)),
    COB_INT(samples, "Samples of the rows that are fitted for the stability of blocs; 0: none.",
            COB_RANGE(0, 1000, 0)),
    COB_FLAG(quality,
             "Measure coherence and similarity, and make graphs; else names and lists alone.",
             COB_USUAL(1)),
    COB_INT(threads, "Number of threads. By default those of the fit.", COB_SOME_THREADS),
    COB_OBJECT(reference, NULL,
               "Matrix in which NPMI is measured; its columns are matched by "
               "name. By default the matrix itself."),
};
const cob_type cob_describe_options_type =
    COB_TYPE("the describe options", COB_OPTIONS, describe_options);
#undef S

#define S cobloc_term
static const cob_named_field term[] = {
    COB_INT(col, "The column."),
    COB_REAL(sum, "Sum of its entries in the cluster's rows."),
    COB_INT(rows, "How many of these rows have it."),
    COB_REAL(share, "These entries as a share of all its entries, 0 to 1."),
    COB_REAL(weight, "How well it tells these rows from the others: log-likelihood ratio (Dunning "
                     "1993), negative where they have less of it."),
    COB_REAL(npmi, "Mean normalised pointwise mutual information with its nearest neighbours "
                   "among the most frequent terms (Affeldt, Labiod, Nadif 2020, Eq. 13), -1 to 1; "
                   "NaN where it was not measured."),
};
static const cob_type term_type = COB_TYPE("a term", COB_PART, term);
#undef S

#define S cobloc_described_row
static const cob_named_field described_row[] = {
    COB_INT(row, "The row."),
    COB_INT(next, "The cluster that it would otherwise join; -1: there is no other."),
    COB_REAL(margin, "By how much its score, the model's own, is above that of the next cluster."),
    COB_REAL(probability, "Of its own cluster; NaN where the model has none."),
};
static const cob_type described_row_type = COB_TYPE("a described row", COB_PART, described_row);
#undef S

#define S cobloc_partner
static const cob_named_field partner[] = {
    COB_INT(cluster, "A cluster of the other side."),
    COB_REAL(lift, "What the block holds over what its margins would give it."),
};
static const cob_type partner_type = COB_TYPE("a partner", COB_PART, partner);
#undef S

#define S cobloc_edge
static const cob_named_field edge[] = {
    COB_INT(a, "Place of a term in the graph."),
    COB_INT(b, "Place of another term, b > a."),
    COB_REAL(cosine, "Their cosine similarity in the cluster's rows."),
};
static const cob_type edge_type = COB_TYPE("an edge", COB_PART, edge);
#undef S

#define S cobloc_bloc
static const cob_named_field bloc[] = {
    COB_OWN_TEXT(name, "Suggested name: its three most telling terms."),
    COB_TEXT(section, "socc: the meaning of a column cluster, such as \"main 2\"; else NULL."),
    COB_INT(rows, "How many rows."),
    COB_INT(cols, "How many columns."),
    COB_REAL(sum, "Sum of the entries in these rows and columns."),
    COB_REAL(density, "Share of these cells that have an entry."),
    COB_LIST(partners, partner_count, partner_type,
             "Clusters of the other side, strongest first. The terms below are of all of them."),
    COB_LIST(frequent, frequent_count, term_type, "Terms by their sum."),
    COB_LIST(telling, telling_count, term_type, "Terms by their weight."),
    COB_LIST(coherent, coherent_count, term_type, "The most frequent terms by their NPMI."),
    COB_REAL(jaccard, "Mean Jaccard similarity of the rows of the frequent terms, in pairs "
                      "(Selosse, Jacques, Biernacki 2019); NaN for fewer than two."),
    COB_REAL(npmi, "The same of their normalised pointwise mutual information."),
    COB_REAL(isim,
             "Mean cosine similarity of its rows in pairs, by TF-IDF; NaN for fewer than two, "
             "and for column clusters."),
    COB_REAL(esim, "The same of its rows with all others."),
    COB_REAL(stability, "How well it is found again: mean Jaccard similarity with the most similar "
                        "cluster of fits of samples, four fifths of the rows each (Hennig 2007); "
                        "NaN without samples."),
    COB_INT64S(graph, graph_count, "The most telling terms: columns."),
    COB_LIST(edges, edge_count, edge_type, "Each of them with those nearest by cosine."),
    COB_LIST(typical, typical_count, described_row_type, "Rows of this cluster that are surest."),
    COB_LIST(borderline, borderline_count, described_row_type, "Rows that are least sure."),
};
static const cob_type bloc_type = COB_TYPE("a bloc", COB_PART, bloc);
#undef S

#define S cobloc_description
static const cob_named_field description[] = {
    COB_INT(k, "Row clusters."),
    COB_INT(l, "Column clusters."),
    COB_FLAG(diagonal, "Blocs have rows and columns of their own."),
    COB_LIST(blocs, k, bloc_type, "A bloc for each row cluster."),
    COB_LIST(topics, l, bloc_type, "One for each column cluster; empty where these are the blocs."),
    COB_REALS(lifts, k,
              "k by l: what each block holds over what its margins would give it; NaN in tables "
              "with negative values.",
              COB_BY(l, 0)),
    COB_REALS(densities, k, "k by l: share of the cells that have an entry.", COB_BY(l, 0)),
    COB_REALS(means, k, "k by l: mean of the cells that are not missing.", COB_BY(l, 0)),
    COB_REAL(jaccard, "Mean over the column clusters that have it."),
    COB_REAL(npmi, "Mean over the column clusters that have it."),
    COB_INT(unknown, "Terms that were looked for in the reference and are not there."),
};
const cob_type cob_description_type = COB_TYPE("the description", COB_RESULT, description);
#undef S

COB_DEFINE_OPTIONS(describe_options)
COB_DEFINE_FREE(description)
