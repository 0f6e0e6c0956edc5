/* Several processes that work on one thing.
 * SPDX-License-Identifier: MIT
 */
#include "base/ranks.h"

#include "base/alloc.h"

#include <string.h>

enum { FAILED = -1 }; /* what a rank has to say that has failed */

/* ---- failures -------------------------------------------------------------------------------- */

static bool fail(cob_ranks *r, cobloc_status status, const char *why)
{
    if (!r->failed)
        cob_fail(&r->why, status, "%s", why);
    r->failed = true;
    return false;
}

static bool fail_here(cob_ranks *r)
{
    return fail(r, COBLOC_IO, "the ranks cannot reach each other any more");
}

static bool fail_memory(cob_ranks *r)
{
    return fail(r, COBLOC_NO_MEMORY, "out of memory");
}

cobloc_status cob_ranks_check(const cob_ranks *r, cobloc_error *err)
{
    return r && r->failed ? cob_fail(err, r->why.status, "%s", r->why.message) : COBLOC_OK;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static cobloc_status check_communicator(const cobloc_communicator *c, cobloc_error *err)
{
    if (c->rank >= 0 && c->rank < c->size && c->gather && c->add && c->broadcast)
        return COBLOC_OK;
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "the communicator of rank %d of %d lacks something",
                    c->rank, c->size);
}

cobloc_status cob_ranks_open(const cobloc_communicator *c, cob_ranks **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_ranks *r = NULL;
    *out = NULL;
    if (c->size <= 1)
        return COBLOC_OK;
    COB_TRY(check_communicator(c, err));
    COB_NEW_ZERO(r, 1);
    r->to = *c;
    r->rank = c->rank;
    r->size = c->size;
    COB_NEW_ZERO(r->counts, c->size + 1);
    *out = r;
    r = NULL;
done:
    cob_ranks_close(r);
    return status;
}

void cob_ranks_close(cob_ranks *r)
{
    if (!r)
        return;
    cob_free(r->counts);
    cob_free(r->own);
    cob_free(r->all);
    cob_free(r);
}

/* ---- what travels ---------------------------------------------------------------------------- */

/* Bytes that a rank sends, on average: sums and gathered bytes go round a ring. */
static void count_sum(cob_ranks *r, int64_t bytes)
{
    r->messages++;
    r->bytes += 2 * bytes * (r->size - 1) / r->size;
}

static void count_copies(cob_ranks *r, int64_t bytes)
{
    r->messages++;
    r->bytes += bytes * (r->size - 1);
}

static bool meet_now(cob_ranks *r, int64_t says, int64_t vote)
{
    memset(r->counts, 0, (size_t)(r->size + 1) * sizeof *r->counts);
    r->counts[r->rank] = says;
    r->counts[r->size] = vote;
    if (r->to.add(r->to.user, r->counts, r->size + 1) != 0)
        return fail_here(r);
    count_sum(r, (r->size + 1) * (int64_t)sizeof *r->counts);
    for (int i = 0; i < r->size; i++)
        if (r->counts[i] == FAILED)
            return fail(r, COBLOC_ELSEWHERE, "another rank failed");
    return true;
}

static bool meet(cob_ranks *r, int64_t says, int64_t vote)
{
    return !r->failed && meet_now(r, says, vote);
}

bool cob_ranks_vote(cob_ranks *r, int64_t vote, int64_t *votes)
{
    bool good = meet(r, 0, vote);
    *votes = good ? r->counts[r->size] : 0;
    return good;
}

bool cob_ranks_room(cob_ranks *r, size_t own, size_t all)
{
    if (r->failed)
        return false;
    return (cob_grow(&r->own, &r->own_room, own, 1) && cob_grow(&r->all, &r->all_room, all, 1)) ||
           fail_memory(r);
}

static int64_t sum_counts(const cob_ranks *r)
{
    int64_t sum = 0;
    for (int i = 0; i < r->size; i++)
        sum += r->counts[i];
    return sum;
}

static bool gather_now(cob_ranks *r, const void *own, void *all)
{
    if (sum_counts(r) == 0)
        return true;
    if (r->to.gather(r->to.user, own, all, r->counts) != 0)
        return fail_here(r);
    count_copies(r, r->counts[r->rank]);
    return true;
}

bool cob_ranks_exchange(cob_ranks *r, int64_t *numbers, int64_t count, int64_t bytes)
{
    if (!meet(r, bytes, 0))
        return false;
    if (count > 0 && r->to.add(r->to.user, numbers, count) != 0)
        return fail_here(r);
    if (count > 0)
        count_sum(r, count * (int64_t)sizeof *numbers);
    return gather_now(r, r->own, r->all);
}

bool cob_ranks_gather(cob_ranks *r, const void *own, int64_t bytes)
{
    /* All meet again once they have room: one that has none says so at its next meeting, in its own
     * words, and nobody waits for its bytes. */
    return meet(r, bytes, 0) && cob_ranks_room(r, 0, (size_t)sum_counts(r)) && meet(r, bytes, 0) &&
           gather_now(r, own, r->all);
}

bool cob_ranks_gather_in_place(cob_ranks *r, const void *own, int64_t bytes, void *all)
{
    return meet(r, bytes, 0) && gather_now(r, own, all);
}

bool cob_ranks_largest(cob_ranks *r, double *number)
{
    double one;
    if (!r)
        return true;
    if (!cob_ranks_gather(r, number, sizeof *number))
        return false;
    for (int rank = 0; rank < r->size; rank++) {
        memcpy(&one, r->all + (size_t)rank * sizeof one, sizeof one);
        *number = one > *number ? one : *number;
    }
    return true;
}

bool cob_ranks_broadcast(cob_ranks *r, void *bytes, int64_t count, int from)
{
    if (!meet(r, 0, 0))
        return false;
    if (r->to.broadcast(r->to.user, bytes, count, from) != 0)
        return fail_here(r);
    if (r->rank == from)
        count_copies(r, count);
    return true;
}

/* ---- sums and parts -------------------------------------------------------------------------- */

cob_between cob_ranks_blocks(const cob_ranks *r, int64_t blocks)
{
    return r ? (cob_between){blocks * r->rank / r->size, blocks * (r->rank + 1) / r->size}
             : (cob_between){0, blocks};
}

double cob_ranks_sum_blocks(cob_ranks *r, cob_range_sum *sum, const void *data, int64_t count,
                            int64_t block, int threads)
{
    int64_t blocks = (count + block - 1) / block;
    double total = 0;
    if (!r)
        return cob_sum_blocks(sum, data, count, block, threads);
    if (!cob_ranks_room(r, 0, (size_t)blocks * sizeof total))
        return total;
    double *sums = (double *)(void *)r->all;
    cob_between own = cob_ranks_blocks(r, blocks);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (own.last > own.first + 1)
    for (int64_t b = own.first; b < own.last; b++)
        sums[b] = sum(data, b * block, (b + 1) * block < count ? (b + 1) * block : count);
    int64_t bytes = (own.last - own.first) * (int64_t)sizeof *sums;
    if (!cob_ranks_gather_in_place(r, sums + own.first, bytes, sums))
        return total;
    for (int64_t b = 0; b < blocks; b++)
        total += sums[b];
    return total;
}

cobloc_status cob_part_gather(const cob_part *part, int side, void *all, size_t width,
                              cobloc_error *err)
{
    cob_between own = part->lines[side];
    if (!part->ranks)
        return COBLOC_OK;
    cob_ranks_gather_in_place(part->ranks, (char *)all + (size_t)own.first * width,
                              (own.last - own.first) * (int64_t)width, all);
    return cob_ranks_check(part->ranks, err);
}

/* ---- groups ---------------------------------------------------------------------------------- */

cobloc_status cob_ranks_number(cob_ranks *r, cob_ranks *group, int *groups, int *own,
                               cobloc_error *err)
{
    int before = 0;
    *groups = 1;
    *own = 0;
    if (!r)
        return COBLOC_OK;
    if (meet(r, !group || group->rank == 0, 0)) {
        for (int i = 0; i < r->rank; i++)
            before += (int)r->counts[i];
        *groups = (int)sum_counts(r);
        *own = before;
        if (group && !cob_ranks_broadcast(group, own, sizeof *own, 0))
            return cob_ranks_check(group, err);
    }
    return cob_ranks_check(r, err);
}

cobloc_status cob_group_begin(cob_ranks *r, cobloc_error *err)
{
    int64_t ignored;
    if (r)
        cob_ranks_vote(r, 0, &ignored);
    return cob_ranks_check(r, err);
}

cobloc_status cob_group_end(cob_ranks *r, cob_ranks *group, cobloc_status status, cobloc_error *err)
{
    int64_t ignored;
    if (!group)
        return status;
    if (status == COBLOC_OK)
        status = cob_ranks_check(group, err);
    /* One without memory has told nobody yet. */
    if (!group->failed || group->why.status == COBLOC_NO_MEMORY)
        meet_now(group, status == COBLOC_OK ? 0 : FAILED, 0);
    if (status == COBLOC_OK)
        status = cob_ranks_check(group, err);
    if (status == COBLOC_ELSEWHERE) /* that one tells all ranks next */
        cob_ranks_vote(r, 0, &ignored);
    return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Where a rank has failed, `own` or another: what it ends with. */
static cobloc_status end_failed(const cob_ranks *r, cobloc_status own, cobloc_error *err)
{
    int first = 0;
    while (first < r->size && r->counts[first] != FAILED)
        first++;
    if (own != COBLOC_OK && (first == r->rank || r->why.status != COBLOC_ELSEWHERE))
        return own;
    return cob_ranks_check(r, err);
}

/* One that is out of memory must be able to say so: few ranks need none. */
cobloc_status cobloc_ranks_end(const cobloc_communicator *c, cobloc_status own, cobloc_error *err)
{
    enum { FEW = 1000 };
    int64_t few[FEW + 1], *many = NULL;
    cobloc_error ignored;
    if (own == COBLOC_ELSEWHERE || c->size <= 1)
        return own;
    cobloc_status status = check_communicator(c, own == COBLOC_OK ? err : &ignored);
    if (status == COBLOC_OK && c->size > FEW &&
        !(many = cob_alloc((size_t)c->size + 1, sizeof *many)))
        status =
            cob_fail_memory(own == COBLOC_OK ? err : &ignored, (size_t)c->size + 1, sizeof *many);
    if (status != COBLOC_OK)
        return own == COBLOC_OK ? status : own;
    cob_ranks r = {.to = *c, .rank = c->rank, .size = c->size, .counts = many ? many : few};
    if (!meet(&r, own == COBLOC_OK ? 0 : FAILED, 0))
        status = end_failed(&r, own, err);
    cob_free(many);
    return status;
}
