/* Folding rows into a factorisation.
 *
 * Both losses are convex in the coefficients, so any update that converges finds the minimum: for
 * squares coordinate descent, as nmf does for its rows; for divergence multiplicative updates.
 *
 * SPDX-License-Identifier: MIT
 */
#include "methods/placement.h"

#include "base/alloc.h"
#include "matrix/kernels.h"
#include "matrix/scores.h"
#include "models/common.h"

enum { MOST_ROUNDS = 1000 };
static const double SETTLED = 1e-12; /* change of all coefficients, relative to their sum */

static void take_shares(double *scores, int k)
{
    cob_to_shares(scores, k);
    for (int c = 0; c < k; c++)
        scores[c] = cob_log(scores[c]);
}

/* ---- squares --------------------------------------------------------------------------------- */

static cobloc_status open_squares(cob_placer *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const double *h = p->fitted->centres;
    int k = p->fitted->k;
    COB_NEW_ZERO(p->gram, (size_t)k * (size_t)k);
    for (int64_t j = 0; j < p->fitted->d; j++)
        for (int a = 0; a < k; a++)
            for (int b = 0; b < k; b++)
                p->gram[(int64_t)a * k + b] += h[j * k + a] * h[j * k + b];
done:
    return status;
}

static void score_by_squares(const cob_placer *p, const cobloc_view *rows, int64_t row,
                             double *products, double *scores)
{
    int k = p->fitted->k;
    double moved = 1, sum = 0;
    cob_line_times(rows, row, p->fitted->centres, k, products);
    for (int c = 0; c < k; c++)
        scores[c] = 0;
    for (int round = 0; moved > SETTLED * sum && round < MOST_ROUNDS; round++) {
        moved = sum = 0;
        for (int c = 0; c < k; c++) {
            const double *gram = p->gram + (int64_t)c * k;
            double better =
                scores[c] + cob_ratio(products[c] - cob_inner(gram, scores, k), gram[c]);
            better = better > 0 ? better : 0;
            moved += fabs(better - scores[c]);
            sum += better;
            scores[c] = better;
        }
    }
    take_shares(scores, k);
}

const cob_placement cob_fold_by_squares = {
    .centres = true, .probable = true, .open = open_squares, .score = score_by_squares};

/* ---- divergence ------------------------------------------------------------------------------ */

/* The components sum to 1, so each update distributes the row's entries among them. */
static void score_by_divergence(const cob_placer *p, const cobloc_view *rows, int64_t row,
                                double *next, double *scores)
{
    int k = p->fitted->k;
    double moved = 1, sum = 0;
    for (int c = 0; c < k; c++)
        scores[c] = 1;
    for (int round = 0; moved > SETTLED * sum && round < MOST_ROUNDS; round++) {
        for (int c = 0; c < k; c++)
            next[c] = 0;
        for (int64_t e = rows->offsets[row]; e < rows->offsets[row + 1]; e++) {
            const double *column = p->fitted->centres + (int64_t)rows->indices[e] * k;
            double quotient = cob_ratio(cobloc_view_value(rows, e), cob_inner(column, scores, k));
            for (int c = 0; c < k; c++)
                next[c] += quotient * scores[c] * column[c];
        }
        moved = sum = 0;
        for (int c = 0; c < k; c++) {
            moved += fabs(next[c] - scores[c]);
            sum += next[c];
            scores[c] = next[c];
        }
    }
    take_shares(scores, k);
}

const cob_placement cob_fold_by_divergence = {
    .centres = true, .probable = true, .score = score_by_divergence};
