/* bmm: a mixture of Bernoulli vectors. A row of cluster k has column j with probability alpha_kj,
 * independently of its other columns.
 *
 * Hard inference is classification EM (Celeux and Govaert 1992), soft inference EM. Zeros are never
 * visited: log p(x_i | k) = the sum over the entries of logit alpha_kj, plus a constant of cluster
 * k. A Beta prior on every alpha, as in scikit-learn's BernoulliNB, keeps it away from 0 and 1;
 * without it, a row that is the only one with some column could never leave its cluster.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "engine/means.h"
#include "engine/starts.h"
#include "methods/registry.h"
#include "models/common.h"

enum { PURPOSE_SEED = 33, SEED_ITERATIONS = 10 };

/* Prior counts: every cluster starts with this many rows with a column, and as many without it. */
static const double PRIOR = 1;

/* The estimate for a column in a cluster of `size` rows, `with` of which have it. */
typedef struct cell {
    double logit, log_without, value;
} cell;

static cell cell_of(double with, double size)
{
    double without = size - with > 0 ? size - with : 0; /* rounding */
    double all = log(size + 2 * PRIOR), yes = log(with + PRIOR) - all,
           no = log(without + PRIOR) - all;
    return (cell){yes - no, no, (with + PRIOR) * yes + (without + PRIOR) * no};
}

typedef struct mixture {
    const cob_method_problem *p;
    int k;
    int32_t *labels;
    double *soft;   /* rows by k; NULL: labels are hard */
    double *sizes;  /* k */
    double *masses; /* k, not used */
    double *sums;   /* columns by k: rows of the cluster with this column; later the logits */
    double *ones, *zeros;
    double *e; /* log pi_k + sum over columns of log(1 - alpha_kj) */
    double entropy, value;
    int kept;
    cob_pass_room *room;
} mixture;

static void mixture_free(mixture *m)
{
    void *const arrays[] = {m->sizes, m->masses, m->sums, m->ones, m->zeros, m->e};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        cob_free(arrays[i]);
    cob_pass_room_free(m->room);
}

static cobloc_status mixture_alloc(mixture *m, const cob_method_problem *p, cob_outcome *out,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *m = (mixture){.p = p, .k = p->k, .labels = out->row_labels};
    if (p->inference == COBLOC_SOFT)
        COB_NEW_ZERO(out->row_soft, (size_t)p->rows.major * (size_t)p->k);
    m->soft = out->row_soft;
    COB_NEW_ZERO(m->sizes, p->k);
    COB_NEW(m->masses, p->k);
    COB_NEW(m->sums, (size_t)p->cols.major * (size_t)p->k);
    COB_NEW(m->ones, p->k);
    COB_NEW_ZERO(m->zeros, p->k);
    COB_NEW(m->e, p->k);
    for (int k = 0; k < p->k; k++)
        m->ones[k] = 1;
    COB_TRY(cob_pass_room_new(&p->rows, p->k, p->k, p->threads, 0, &m->room, err));
done:
    return status;
}

/* ---- the steps of EM ------------------------------------------------------------------------- */

/* Parameters from the current memberships, and the criterion. */
static void maximise(mixture *m)
{
    const cob_method_problem *p = m->p;
    int64_t d = p->cols.major, n = p->rows.major;
    if (m->soft)
        cob_multiply(&p->cols, m->soft, m->k, p->threads, m->sums);
    else
        cob_reduce(&p->cols, m->labels, m->k, p->threads, m->sums);
    m->value = m->entropy;
    for (int k = 0; k < m->k; k++) {
        cell never = cell_of(0, m->sizes[k]); /* by far the most frequent case */
        m->e[k] = cob_log(m->sizes[k] / (double)n);
        m->value += m->sizes[k] * m->e[k];
        for (int64_t j = 0; j < d; j++) {
            double *at = &m->sums[j * m->k + k];
            cell c = *at > 0 ? cell_of(*at, m->sizes[k]) : never;
            *at = c.logit;
            m->e[k] += c.log_without;
            m->value += c.value;
        }
    }
}

/* Memberships from the parameters; returns how many labels changed. */
static int64_t expect(mixture *m)
{
    const cob_method_problem *p = m->p;
    cob_rule rule = {
        .to = m->k, .from = m->k, .diagonal = true, .A = m->ones, .b = m->zeros, .e = m->e};
    cob_pass pass = {.view = &p->rows,
                     .effects = cobloc_matrix_row_sums(p->x),
                     .to = m->k,
                     .from = m->k,
                     .other_soft = m->sums,
                     .assign = m->soft ? COB_ASSIGN_SOFT : COB_ASSIGN_HARD,
                     .rule = &rule,
                     .labels = m->labels,
                     .soft = m->soft,
                     .sizes = m->sizes,
                     .masses = m->masses};
    cob_pass_run(&pass, m->room);
    m->entropy = pass.entropy;
    m->kept = pass.kept;
    return pass.moved;
}

/* ---- one start ------------------------------------------------------------------------------- */

/* Starts alternate: directions suit sparse rows, distances dense ones. */
static cobloc_status start(mixture *m, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_method_problem *p = m->p;
    cob_weighed rows = {.view = p->rows, .turned = p->cols, .deadline = p->watch->deadline};
    if (p->start == COBLOC_START_AUTO)
        COB_TRY(cob_means_start(&rows, p->k, p->restart % 2 == 0, SEED_ITERATIONS,
                                cob_stream_at(p->seed, p->restart, 0, PURPOSE_SEED), p->threads,
                                m->labels, err));
    else
        COB_TRY(cob_method_labels(p, m->labels, err));
    for (int64_t i = 0; i < p->rows.major; i++) {
        m->sizes[m->labels[i]] += 1;
        if (m->soft)
            m->soft[i * m->k + m->labels[i]] = 1;
    }
done:
    return status;
}

static cobloc_status fit(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    mixture m = {0};
    bool ends = false;
    COB_TRY(mixture_alloc(&m, p, out, err));
    COB_TRY(start(&m, err));
    maximise(&m);
    while (!ends) {
        double before = m.value;
        int64_t moved = expect(&m);
        maximise(&m);
        COB_TRY(cob_method_note(p, m.value, &ends, out, err));
        if ((moved == 0 && !m.soft) || fabs(m.value - before) <= p->tolerance * fabs(before)) {
            out->stop = COBLOC_STOP_CONVERGED;
            break;
        }
    }
    out->kept = m.kept;
    cob_shares shares = {m.soft, m.labels, p->k};
    if (m.soft)
        COB_TRY(cob_repair_empty(m.labels, p->rows.major, p->k, NULL, cob_loss_by_share, &shares,
                                 &out->kept, err));
done:
    mixture_free(&m);
    return status;
}

/* ---- new rows -------------------------------------------------------------------------------- */

/* The most probable cluster; columns are independent within a cluster. */
static cobloc_status open_bayes(cob_placer *placer, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_fitted *f = placer->fitted;
    COB_TRY(cob_open_table(placer, err));
    for (int k = 0; k < f->k; k++) {
        double size = cob_fitted_size(f, k);
        placer->plus[k] = cob_log(size / (double)f->n);
        for (int64_t j = 0; j < f->d; j++) {
            cell c = cell_of(f->centres[j * f->k + k], size);
            placer->table[j * f->k + k] = c.logit;
            placer->plus[k] += c.log_without;
        }
    }
done:
    return status;
}

static const cob_placement by_bayes = {
    .centres = true, .probable = true, .open = open_bayes, .score = cob_score_by_table};

const cob_method cob_method_bmm = {
    .name = "bmm",
    .title = "mixture of Bernoullis (rows only)",
    .criterion = "log-posterior",
    .one_sided = true,
    .zeros_matter = true,
    .binary = true,
    .soft = true,
    .starts = COB_METHOD_STARTS,
    .placement = &by_bayes,
    .fit = fit,
};
