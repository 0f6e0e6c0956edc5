/* What a result is about; describe/fields.c says what each field means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DESCRIBE_DESCRIPTION_H
#define COB_DESCRIBE_DESCRIPTION_H

#include "fit/result.h"

typedef struct cobloc_term {
    int64_t col;
    double sum;
    int64_t rows;
    double share, weight, npmi;
} cobloc_term;

typedef struct cobloc_described_row {
    int64_t row;
    int next;
    double margin, probability;
} cobloc_described_row;

typedef struct cobloc_partner {
    int cluster;
    double lift;
} cobloc_partner;

typedef struct cobloc_edge {
    int a, b;
    double cosine;
} cobloc_edge;

typedef struct cobloc_bloc {
    char *name;
    const char *section;
    int64_t rows, cols;
    double sum, density;
    int partner_count;
    cobloc_partner *partners;
    int frequent_count, telling_count, coherent_count;
    cobloc_term *frequent, *telling, *coherent;
    double jaccard, npmi, isim, esim, stability;
    int graph_count, edge_count;
    int64_t *graph;
    cobloc_edge *edges;
    int typical_count, borderline_count;
    cobloc_described_row *typical, *borderline;
} cobloc_bloc;

struct cobloc_describe_options {
    cob_object head;
    int terms, rows, pool, neighbours, graph_terms, samples, threads;
    int quality;
    const cobloc_matrix *reference;
};

struct cobloc_description {
    cob_object head;
    int k, l;
    int diagonal;
    cobloc_bloc *blocs, *topics;
    double *lifts, *densities, *means;
    double jaccard, npmi;
    int64_t unknown;
};

extern const cob_type cob_describe_options_type, cob_description_type;

void cob_describe_options_default(cobloc_describe_options *options);

#endif
