/* What the files of this folder know of matrices that a device holds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DEVICE_HOLDING_H
#define COB_DEVICE_HOLDING_H

#include "device/held.h"
#include "device/slices.h"

/* The lines that are summed in pieces. */
typedef struct cob_cut {
    cob_address slots, pieces;
    int64_t slot_count, piece_count, longest;
} cob_cut;

typedef struct cob_held_side {
    cob_held_lines lines;
    cob_address offsets, indices, values; /* line after line, where they are needed; else 0 */
    cob_address quad_indices, quad_values;
    cob_address slices, slice_lines; /* of whole lines, and which lines these are; */
    cob_address jobs, cut_slices;    /* of lines that are cut */
    int64_t job_count;
    cob_cut cut[2]; /* for a run that is alone: of the kept side all; and for teams: long ones */
    cob_address effects, fixed;
    int64_t packed_end[COB_PACKINGS]; /* of slices: those of whole lines that can be packed first */
} cob_held_side;

struct cob_held {
    cob_device *device;
    int layers;
    bool teams; /* it has what these need */
    int kept;   /* the side whose sums are kept, from which the blocks are added up: all are cut */
    cob_held_side side[2];
    /* The entries of the other side, as they are added to sums of the kept one, whose lines have
     * these places; and how many threads take a line. */
    cob_address codes, code_values; /* values are joined to the codes, if these are 0 */
    cob_near_places places;
    int group_bits;
    bool laid_out;     /* all that runs need which are alone is there */
    uint32_t *wide[2]; /* counts of which some lines have more than 32 bits; else NULL */
};

/* What runs that are alone need of the matrix; made when the first of them needs it, where all may
 * as well go together. */
cobloc_status cob_held_lay_out(cob_held *held, cobloc_error *err);

/* An array of the processor's as one of the device's; none of NULL. */
cobloc_status cob_upload(cob_device *device, const void *array, int64_t count, size_t size,
                         cob_address *out, cobloc_error *err);

/* ---- passes ---------------------------------------------------------------------------------- */

/* The labels of one run, or of several side by side, and the room for their passes. */
typedef struct cob_labelled {
    cob_held *held;
    cob_queue queue;
    int clusters[2], lanes;
    int places; /* for the runs that take part in the next pass */
    bool few;   /* labels are bytes */
    struct {
        cob_address labels, before; /* as they are, and as they were before the last pass */
        cob_address sums;           /* of the lines that are cut */
    } side[2];
    cob_address room;         /* all of these, and what follows, are parts of it */
    cob_address active, rule; /* which run has each place, and behind it the rules, run after run */
    cob_address table;        /* for each run, the table of the kept side and the counts */
    cob_address list, starts; /* of the lines of one run, by their clusters */
    int64_t moved;            /* lines of the side that is not kept, in the last pass over it */
    int32_t *active_here;     /* -1: none; then, for each run, whether its moves are followed. The
                                 processor has all three as the device does, in one */
    double *rule_here;        /* array */
    int64_t *table_here;
} cob_labelled;

cobloc_status cob_labelled_new(cob_held *held, const int clusters[2], int lanes, cob_labelled **out,
                               cobloc_error *err);
void cob_labelled_free(cob_labelled *labelled);

static inline size_t cob_label_bytes(const cob_labelled *labelled)
{
    return labelled->few ? 1 : sizeof(int32_t);
}

/* Which of the kernels are for it. */
static inline cob_variant cob_variant_of(const cob_labelled *labelled, int packed)
{
    return (cob_variant){labelled->held->side[0].lines.view.kind, labelled->few, packed};
}

/* All labels of one side of a run: one copy a layer. */
static inline int64_t cob_label_count(const cob_held *held, int side)
{
    return held->layers * held->side[side].lines.view.major;
}

static inline const cob_cut *cob_cut_of(const cob_labelled *labelled, int side)
{
    return &labelled->held->side[side].cut[labelled->lanes > 1];
}

/* Clusters of the other side that lines are summed over. */
static inline int cob_from_of(const cob_labelled *labelled, int side)
{
    return labelled->held->layers * labelled->clusters[1 - side];
}

/* What all runs of a pass have in common. */
typedef struct cob_there {
    int side;
    double mass_scale;
    bool diagonal, keep, anew, has_masses;
    bool summed;  /* the kept sums of a run are those of its labels as they stand; of a team, those
                   * of labels as they were before some moved, */
    bool follows; /* which are still to be followed */
    cob_drawing drawing;
} cob_there;

/* Decides what the blocks of a kernel have near them, and how many warps they are; false: not even
 * the least has room. `labels`: of the other side, that a block would look up. */
bool cob_plan_blocks(const cob_device *device, cob_lines_args *args, cob_launch *launch,
                     int64_t labels);

/* The rule of a run to where the next pass takes it from. */
void cob_write_rule(cob_labelled *labelled, int place, const struct cob_hard *hard);

/* A pass of those that have places; when it returns, the table is here. */
cobloc_status cob_pass_there(cob_labelled *labelled, const cob_there *how, cobloc_error *err);

/* How many lines of a side moved in the last pass, of the run that had a place in it. */
int64_t cob_moved_in_pass(const cob_labelled *labelled, int place, int side);

/* What a pass gave for one run, as a desk takes it. */
void cob_take_pass(const cob_labelled *labelled, int place, int side, bool anew,
                   const struct cob_pass *pass, struct cob_desk *desk);

/* Labels of one run, one after the other, to or from those of all. */
cobloc_status cob_move_labels(cob_labelled *labelled, int side, cob_address all, int lane,
                              cob_address one, bool back, cobloc_error *err);

/* Random labels of all runs; the stream is that of the first, the next restarts are the others. */
cobloc_status cob_draw_labels(cob_labelled *labelled, int side, cob_stream stream,
                              cobloc_error *err);

/* Those of a run that is in no team, after its first pass: for benchmarks. */
cob_labelled *cob_held_labelled(const cob_held_run *run);

/* The label of one line of a run that is alone becomes another; and those of lines of a team that
 * are listed there, each a cob_moved. */
cobloc_status cob_put_label(cob_labelled *labelled, int side, int64_t line, int label,
                            cobloc_error *err);
cobloc_status cob_put_labels(cob_labelled *labelled, int side, cob_address list, int64_t count,
                             cobloc_error *err);

/* How the sizes of clusters changed in the last pass, of the run that had a place in it. */
const int64_t *cob_counts_of(const cob_labelled *labelled, int place);

/* ---- keepers --------------------------------------------------------------------------------- */

/* Whether a pass left any cluster without members (see cob_pass_run). Keepers are then wanted of
 * the thin ones: at most one line goes back to each cluster, which may empty others, if they are
 * thin. `before`: sizes before the pass, NULL if these are 0. */
bool cob_find_thin(int to, const double *before, const int64_t *changes, bool *thin);

/* Those of a team are found on the device. */
typedef struct cob_keepers cob_keepers;
cobloc_status cob_keepers_new(cob_labelled *labelled, cob_keepers **out, cobloc_error *err);
void cob_keepers_free(cob_keepers *keepers);

/* After a pass, where each run had clusters of these sizes before. */
cobloc_status cob_keepers_find(cob_keepers *keepers, const cob_there *how,
                               const double *const *sizes, int runs, cobloc_error *err);
cobloc_status cob_look_for_keepers(cob_labelled *labelled, const cob_there *how, cob_address thin,
                                   cob_address found, cob_address sums, cobloc_error *err);

/* That of cluster k of a run, whose line is -1 if there is none; its cluster by now, and its sums;
 * and that it goes back, as all do together before anything else is done with labels. */
struct cob_keeper cob_keepers_best(const cob_keepers *keepers, int place, int k);
int cob_keepers_recall(const cob_keepers *keepers, int place, int k, int64_t *sums);
void cob_keepers_put_back(cob_keepers *keepers, int place, int lane, int k);
cobloc_status cob_keepers_settle(cob_keepers *keepers, cobloc_error *err);

/* ---- memberships ----------------------------------------------------------------------------- */

/* The soft memberships of a run, which has labels of its own, and the room for their passes. */
typedef struct cob_memberships cob_memberships;
cobloc_status cob_memberships_new(cob_labelled *labels, cob_memberships **out, cobloc_error *err);
void cob_memberships_free(cob_memberships *memberships);

/* Those of one side, lines by clusters, there and back. */
cobloc_status cob_memberships_send(cob_memberships *memberships, int side, const double *soft,
                                   cobloc_error *err);
cobloc_status cob_memberships_fetch(cob_memberships *memberships, int side, double *soft,
                                    cobloc_error *err);

/* A soft pass; the statistics of all chunks of lines are as cob_soft_pass makes them, and belong to
 * the memberships. */
cobloc_status cob_memberships_pass(cob_memberships *memberships, int side, struct cob_pass *pass,
                                   const double *units, const double **chunks, cobloc_error *err);

/* ---- sums across ----------------------------------------------------------------------------- */

/* What the sums of the kept side are made of; its lines are in this order. */
cobloc_status cob_across_hold(cob_held *held, const cob_slices *kept, cobloc_error *err);

/* Sums by the labels of the other side, to which `args` belong: of all lines, if the sums are 0; or
 * of those that moved in the last pass, if they are the sums of before. */
cobloc_status cob_across_room(cob_labelled *labelled, cobloc_error *err);
cobloc_status cob_across_sum(cob_labelled *labelled, cob_lines_args args, bool moves,
                             cobloc_error *err);

/* ---- teams ----------------------------------------------------------------------------------- */

cob_labelled *cob_team_labelled(cob_team *team);
cob_keepers *cob_team_keepers(cob_team *team);

/* The labels of a lane are others than those of its last pass. */
void cob_team_forget(cob_team *team, int lane);

/* Room on the device for the labels of a run, one after the other. */
cob_address cob_team_desk(const cob_team *team, int lane);

/* What a run wants of the next pass, at this place; all of them want the same of it. */
void cob_team_announce(cob_team *team, int place, int lane, const cob_there *how,
                       const struct cob_hard *hard);

#endif
