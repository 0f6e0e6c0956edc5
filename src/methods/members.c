/* The members of an ensemble: pairing their clusters and measuring their relevance.
 * SPDX-License-Identifier: MIT
 */
#include "methods/ensemble.h"

#include "base/alloc.h"
#include "engine/engine.h"
#include "engine/modularity.h"
#include "engine/starts.h"

#include <math.h>

static void member_free(cob_member *member)
{
    cob_free(member->rows);
    cob_free(member->cols);
    cob_free(member->relevance);
    *member = (cob_member){0};
}

void cob_members_free(cob_member *members, int count)
{
    for (int i = 0; members && i < count; i++)
        member_free(&members[i]);
    cob_free(members);
}

/* ---- pairing --------------------------------------------------------------------------------- */

/* The largest label plus 1. */
static int count_clusters(const int32_t *labels, int64_t count)
{
    int32_t most = -1;
    for (int64_t i = 0; i < count; i++)
        if (labels[i] > most)
            most = labels[i];
    return most + 1;
}

/* Kernels do not accept -1: lines without a cluster go to an extra one. */
static cobloc_status copy_labels(const int32_t *labels, int64_t count, int none, int32_t **out,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(*out, count);
    for (int64_t i = 0; i < count; i++)
        (*out)[i] = labels[i] < 0 ? none : labels[i];
done:
    return status;
}

/* The relevance of a co-cluster: the geometric mean of its shares of its rows' sum and of its
 * columns' sum. */
static cobloc_status measure_relevance(const cob_stats *s, const int *partner, double **relevance,
                                       cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int g = s->g - 1;
    double *held = NULL, *cols = NULL;
    COB_NEW_ZERO(held, g);
    COB_NEW_ZERO(cols, g);
    for (int l = 0; l < s->m - 1; l++)
        if (partner[l] >= 0) {
            held[partner[l]] += cob_block(s, partner[l], l);
            cols[partner[l]] += s->C[l];
        }
    for (int k = 0; k < g; k++)
        held[k] = held[k] > 0 ? held[k] / sqrt(s->R[k] * cols[k]) : 0;
    *relevance = held;
    held = NULL;
done:
    cob_free(held);
    cob_free(cols);
    return status;
}

static cobloc_status make_member(const cobloc_matrix *x, const cobloc_copartition *given,
                                 int threads, cob_member *member, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int g = count_clusters(given->row_labels, x->rows),
        m = count_clusters(given->col_labels, x->cols);
    cob_stats stats = {0};
    cob_member made = {.clusters = g};
    int *partner = NULL;
    COB_CHECK(g > 0 && m > 0, COBLOC_BAD_DATA, "a co-clustering has no clusters of %s",
              g > 0 ? "columns" : "rows");
    COB_TRY(copy_labels(given->row_labels, x->rows, g, &made.rows, err));
    COB_TRY(copy_labels(given->col_labels, x->cols, m, &made.cols, err));
    COB_TRY(cob_stats_alloc(&stats, g + 1, m + 1, err));
    COB_TRY(cob_measure_labels(x, made.rows, made.cols, threads, &stats, err));
    COB_NEW(partner, m + 1);
    for (int l = 0; l <= m; l++) /* the last one is for columns without a cluster */
        partner[l] = l < g && l < m ? l : -1;
    if (!given->paired)
        COB_TRY(cob_pair_clusters(&stats, g, m, partner, err));
    made.modularity = cob_modularity(&stats, partner);
    COB_TRY(measure_relevance(&stats, partner, &made.relevance, err));
    for (int64_t i = 0; i < x->rows; i++)
        made.rows[i] = given->row_labels[i];
    for (int64_t j = 0; j < x->cols; j++)
        made.cols[j] = partner[made.cols[j]];
    *member = made;
    made = (cob_member){0};
done:
    member_free(&made);
    cob_stats_free(&stats);
    cob_free(partner);
    return status;
}

/* Assigns columns to the row cluster with their largest share. */
static cobloc_status place_columns(const cobloc_matrix *x, const int32_t *rows, int threads,
                                   int32_t **cols, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view view = cobloc_matrix_by_cols(x);
    int g = count_clusters(rows, x->rows), room = g + 1;
    int32_t *labels = NULL;
    double *sums = NULL, *mass = NULL;
    COB_TRY(copy_labels(rows, x->rows, g, &labels, err));
    COB_TRY(cob_sum_columns(&view, cobloc_matrix_row_sums(x), labels, room, threads, &sums, &mass,
                            err));
    COB_NEW(*cols, x->cols);
    for (int64_t j = 0; j < x->cols; j++)
        (*cols)[j] = g > 0 ? cob_largest_share(g, sums + j * room, mass) : -1;
done:
    cob_free(labels);
    cob_free(sums);
    cob_free(mass);
    return status;
}

cobloc_status cob_member_make(const cobloc_matrix *x, const cobloc_copartition *given, int threads,
                              cob_member *member, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_copartition both = *given;
    int32_t *cols = NULL;
    if (!given->col_labels) {
        COB_TRY(place_columns(x, given->row_labels, threads, &cols, err));
        both.col_labels = cols;
        both.paired = 1;
    }
    COB_TRY(make_member(x, &both, threads, member, err));
done:
    cob_free(cols);
    return status;
}

void cob_members_keep(cob_member *members, int count, double share)
{
    double best = 0;
    int first = -1;
    for (int i = 0; i < count; i++)
        if (members[i].rows && (first < 0 || members[i].modularity > best)) {
            best = members[i].modularity;
            first = i;
        }
    for (int i = 0; i < count; i++)
        if (share > 0 && members[i].rows && i != first && members[i].modularity < share * best)
            member_free(&members[i]);
}
