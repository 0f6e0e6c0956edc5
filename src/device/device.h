/* A device beside the processor: its memory, and kernels that run on it. CUDA's is made by
 * cob_cuda_open; tests have one that runs the same kernels as C.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DEVICE_DEVICE_H
#define COB_DEVICE_DEVICE_H

#include "base/error.h"
#include "device/kernels.h"

#include <stdbool.h>

typedef struct cob_device cob_device;

typedef enum cob_kernel {
    COB_LAY_SLICES,
    COB_PLACE_LINES,
    COB_SUM_PIECES,
    COB_PLACE_SLOTS,
    COB_CLEAR_RUNS,
    COB_SUM_RUNS,
    COB_PLACE_RUNS,
    COB_PLACE_KEPT,
    COB_FOLLOW_RUNS,
    COB_MOVE_RUN,
    COB_DRAW_RUNS,
    COB_LOOK_FOR_KEEPERS,
    COB_DESCRIBE_KEEPERS,
    COB_PUT_LABELS,
    COB_COUNT_LISTS,
    COB_BEGIN_LISTS,
    COB_LIST_LINES,
    COB_SUM_LISTS,
    COB_CODE_ENTRIES,
    COB_SUM_SHARES,
    COB_PLACE_SOFT,
    COB_FIND_SINGLE,
    COB_ADD_CHUNKS,
    COB_KERNELS
} cob_kernel;

/* The functions of lines.cu, runs.cu, kept.cu, keepers.cu, across.cu and soft.cu. */
#define COB_KERNEL_NAMES(of)                                                                       \
    of(cob_lay_slices), of(cob_place_lines), of(cob_sum_pieces), of(cob_place_slots),              \
        of(cob_clear_runs), of(cob_sum_runs), of(cob_place_runs), of(cob_place_kept),              \
        of(cob_follow_runs), of(cob_move_run), of(cob_draw_runs), of(cob_look_for_keepers),        \
        of(cob_describe_keepers), of(cob_put_labels), of(cob_count_lists), of(cob_begin_lists),    \
        of(cob_list_lines), of(cob_sum_lists), of(cob_code_entries), of(cob_sum_shares),           \
        of(cob_place_soft), of(cob_find_single), of(cob_add_chunks)

/* What passes are for. Kernels of each are compiled on their own, when they are first needed. */
typedef enum cob_way {
    COB_HARD_WAY,  /* all kernels up to COB_CODE_ENTRIES */
    COB_DRAWN_WAY, /* COB_PLACE_LINES and COB_PLACE_SLOTS, with labels that may be drawn */
    COB_SOFT_WAY,  /* those from COB_SUM_SHARES on */
    COB_WAYS
} cob_way;

/* What kernels are compiled for. */
typedef struct cob_variant {
    cobloc_value_kind kind; /* never COBLOC_F32: entries are integers (matrix/grid.h) */
    bool few;               /* labels are bytes, else int32_t */
    int packed;             /* sums that share 32 bits: 1, 2 or 4 */
} cob_variant;

enum { COB_VARIANTS = 8 * (COBLOC_F64 + 1) };

static inline int cob_variant_number(cob_variant variant)
{
    return 8 * (int)variant.kind + 2 * (variant.packed / 2) + variant.few;
}

/* How a kernel is started. */
typedef struct cob_launch {
    cob_kernel kernel;
    cob_way way;
    cob_variant variant;
    int blocks, warps;
    size_t near; /* bytes of memory of each block */
} cob_launch;

typedef void *cob_queue; /* what is put there is done in its order */

struct cob_device {
    char name[256];
    int processors;     /* blocks that run at the same time */
    size_t most_near;   /* bytes of its own memory that a block can have */
    double free_memory; /* bytes, when it was opened */

    /* Everything that can fail leaves a sentence. Writes and reads may still be on their way until
     * `wait`. */
    cobloc_status (*alloc)(cob_device *device, size_t bytes, cob_address *out, cobloc_error *err);
    void (*release)(cob_device *device, cob_address address);
    /* Memory of the processor that writes and reads of the device are fastest from. */
    cobloc_status (*alloc_here)(cob_device *device, size_t bytes, void **out, cobloc_error *err);
    void (*release_here)(cob_device *device, void *memory);
    cobloc_status (*open_queue)(cob_device *device, cob_queue *out, cobloc_error *err);
    void (*close_queue)(cob_device *device, cob_queue queue);
    cobloc_status (*write)(cob_device *device, cob_queue queue, cob_address to, const void *from,
                           size_t bytes, cobloc_error *err);
    cobloc_status (*read)(cob_device *device, cob_queue queue, void *to, cob_address from,
                          size_t bytes, cobloc_error *err);
    cobloc_status (*clear)(cob_device *device, cob_queue queue, cob_address at, size_t bytes,
                           cobloc_error *err);
    /* Compiles the kernels of a variant; others are compiled when they are first started. */
    cobloc_status (*prepare)(cob_device *device, cob_variant variant, cobloc_error *err);
    cobloc_status (*start)(cob_device *device, cob_queue queue, const cob_launch *launch,
                           const cob_lines_args *args, cobloc_error *err);
    cobloc_status (*wait)(cob_device *device, cob_queue queue, cobloc_error *err);
    void (*close)(cob_device *device);
};

/* The bytes of a sum of entries within a piece of a line; several may share them. */
static inline int cob_sum_bytes(cobloc_value_kind kind)
{
    return kind <= COBLOC_U16 ? 4 : 8;
}

/* The bytes of a sum of entries of a whole line. Counts of a line that need more are held as a
 * wider kind. */
static inline int cob_kept_bytes(cobloc_value_kind kind)
{
    return cob_sum_bytes(kind);
}

/* Device number `number` of those that CUDA finds. */
cobloc_status cob_cuda_open(int number, cob_device **out, cobloc_error *err);

/* How many there are; 0 as well where CUDA is not installed. */
int cob_cuda_count(void);

/* `choice`: auto, cpu, gpu, or gpu:N. Whether it is one of these. */
cobloc_status cob_check_device(const char *choice, cobloc_error *err);

/* Opens what was chosen; *out is NULL for the processor. With auto, that is so if there is little
 * `work`, the entries times the starts of a fit for each thread, or no device. Of several devices,
 * each rank takes another, unless the choice has a number. */
cobloc_status cob_device_open(const char *choice, double work, int rank, cob_device **out,
                              cobloc_error *err);

static inline void cob_device_close(cob_device *device)
{
    if (device)
        device->close(device);
}

#endif
