/* Budgets: large blocks in temporary files, and the thread that gives pages back.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* O_TMPFILE, madvise, mkostemp */
#include "base/budget.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    BETWEEN_LOOKS = 5 * 1000 * 1000, /* nanoseconds; reading a file takes some 10 MB in that time */
    LARGEST_SMALL = 2 << 20,         /* bytes of a block that always comes from malloc, */
    SMALL_SHARE = 256,               /* unless the budget is less than this many times as large */
    BLOCK_SHARE = 8,                 /* a block of more than this share of the budget, */
    MEMORY_SHARE = 2,                /* and blocks beyond this one together, are in files */
    LOOK_SHARE = 64,                 /* whoever visits as much of the budget looks as well, */
    LEAST_LOOK = 1 << 20,            /* or as many bytes, if these are more */
};

struct cob_budget {
    cob_budget *next, **link;
    double bytes;
    pthread_t keeper; /* gives pages back, */
    bool kept;        /* if the system allowed that thread, */
    bool over;        /* until this is set, */
    pthread_cond_t ends;
};

/* The head of a list of blocks; its memory is that of malloc. */
typedef struct block {
    cob_region region;
    struct block *next, **link;
    bool on_disk;
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows: */
static cob_budget *budgets;
static cob_region *regions;
static block *blocks;
static size_t in_memory; /* bytes of blocks that are not in files */

/* Read without the lock, before anything is done that concerns few processes. */
static _Atomic size_t smallest;
static _Atomic size_t visited; /* bytes, since somebody looked */
static atomic_int block_count;

/* ---- giving pages back ----------------------------------------------------------------------- */

/* Bytes of memory that the process holds; the largest number if the system does not say. */
static size_t resident(void)
{
    char text[128];
    unsigned long long all, held = 0;
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    if (sscanf(text, "%llu %llu", &all, &held) != 2)
        return SIZE_MAX;
    return (size_t)held * (size_t)sysconf(_SC_PAGESIZE);
}

/* Nothing is lost: all of it is in files. */
static void give_back(void)
{
    for (const cob_region *r = regions; r; r = r->next)
        (void)madvise(r->start, r->bytes, MADV_DONTNEED);
}

static struct timespec next_look(void)
{
    const long second = 1000L * 1000 * 1000;
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += BETWEEN_LOOKS;
    at.tv_sec += at.tv_nsec / second;
    at.tv_nsec %= second;
    return at;
}

/* What may come between two looks: of a small budget more, since threads and stacks take their part
 * of it. */
static double margin(double bytes)
{
    const double much = 64 << 20;
    return fmax(bytes / 4, fmin(bytes / 2, much));
}

/* With the lock. */
static void look(double bytes)
{
    if ((double)resident() > bytes - margin(bytes))
        give_back();
}

static void *keep(void *its_budget)
{
    cob_budget *budget = its_budget;
    pthread_mutex_lock(&lock);
    while (!budget->over) {
        struct timespec at = next_look();
        pthread_cond_timedwait(&budget->ends, &lock, &at);
        look(budget->bytes);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* On a busy machine the thread that keeps the budget may wait for its turn while others fill the
 * memory: these look themselves. */
void cob_make_room(size_t bytes)
{
    size_t budget = atomic_load_explicit(&smallest, memory_order_relaxed);
    size_t much = budget / LOOK_SHARE > LEAST_LOOK ? budget / LOOK_SHARE : LEAST_LOOK;
    if (budget == 0 || atomic_fetch_add(&visited, bytes) + bytes < much)
        return;
    atomic_store(&visited, 0);
    pthread_mutex_lock(&lock);
    look((double)budget);
    pthread_mutex_unlock(&lock);
}

/* The thread takes no signals: these are for the program. */
static bool start_keeper(cob_budget *budget)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool good = pthread_create(&budget->keeper, NULL, keep, budget) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

/* ---- budgets --------------------------------------------------------------------------------- */

static void find_smallest(void)
{
    double least = 0;
    for (const cob_budget *b = budgets; b; b = b->next)
        least = least == 0 || b->bytes < least ? b->bytes : least;
    atomic_store(&smallest, least < (double)PTRDIFF_MAX ? (size_t)least : PTRDIFF_MAX);
}

cobloc_status cob_budget_begin(double bytes, cob_budget **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_budget *made = NULL;
    *out = NULL;
    if (!(bytes > 0))
        return COBLOC_OK;
    COB_NEW_ZERO(made, 1);
    made->bytes = bytes < 1 ? 1 : bytes;
    pthread_cond_init(&made->ends, NULL);
    pthread_mutex_lock(&lock);
    made->next = budgets;
    made->link = &budgets;
    if (made->next)
        made->next->link = &made->next;
    budgets = made;
    find_smallest();
    made->kept = start_keeper(made);
    pthread_mutex_unlock(&lock);
    *out = made;
done:
    return status;
}

void cob_budget_end(cob_budget *budget)
{
    if (!budget)
        return;
    pthread_mutex_lock(&lock);
    *budget->link = budget->next;
    if (budget->next)
        budget->next->link = budget->link;
    find_smallest();
    budget->over = true;
    pthread_cond_signal(&budget->ends);
    pthread_mutex_unlock(&lock);
    if (budget->kept)
        pthread_join(budget->keeper, NULL);
    pthread_cond_destroy(&budget->ends);
    cob_free(budget);
}

double cob_budget_bytes(const cob_budget *budget)
{
    return budget ? budget->bytes : 0;
}

double cob_budget_now(void)
{
    return (double)atomic_load_explicit(&smallest, memory_order_relaxed);
}

double cob_budget_block(void)
{
    double now = cob_budget_now();
    return now > 0 ? now / BLOCK_SHARE : INFINITY;
}

/* ---- regions --------------------------------------------------------------------------------- */

/* With the lock. */
static void link_region(cob_region *region)
{
    region->next = regions;
    region->link = &regions;
    if (regions)
        regions->link = &region->next;
    regions = region;
}

static void unlink_region(cob_region *region)
{
    *region->link = region->next;
    if (region->next)
        region->next->link = region->link;
}

void cob_region_add(cob_region *region, void *start, size_t bytes)
{
    region->start = start;
    region->bytes = bytes;
    pthread_mutex_lock(&lock);
    link_region(region);
    pthread_mutex_unlock(&lock);
}

void cob_region_remove(cob_region *region)
{
    pthread_mutex_lock(&lock);
    unlink_region(region);
    pthread_mutex_unlock(&lock);
}

/* Only advice: failure does not matter. */
static void advise(const void *start, size_t bytes, int advice)
{
    if (bytes == 0 || cob_budget_now() == 0)
        return;
    cob_make_room(bytes);
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)start / page * page;
    (void)madvise((void *)first, (uintptr_t)start + bytes - first, advice);
}

/* Whole pages only: what else lies on the others may be in use. */
void cob_give_back(const void *start, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)start;
    uintptr_t first = (at + page - 1) / page * page, last = (at + bytes) / page * page;
    pthread_mutex_lock(&lock);
    for (const cob_region *r = regions; r && first < last; r = r->next)
        if (at >= (uintptr_t)r->start && at + bytes <= (uintptr_t)r->start + r->bytes)
            (void)madvise((void *)first, last - first, MADV_DONTNEED);
    pthread_mutex_unlock(&lock);
}

void cob_read_ahead(const void *start, size_t bytes)
{
    advise(start, bytes, MADV_WILLNEED);
}

void cob_read_no_more(const void *start, size_t bytes)
{
    advise(start, bytes, MADV_RANDOM);
}

/* ---- temporary files ------------------------------------------------------------------------- */

static _Thread_local char failure[512];
static _Thread_local bool has_failed;

const char *cob_block_failure(void)
{
    bool now = has_failed;
    has_failed = false;
    return now ? failure : NULL;
}

static const char *temporary_folder(void)
{
    const char *named = getenv("TMPDIR");
    if (named && *named)
        return named;
    return access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp";
}

/* A file without a name; -1, with errno. */
static int open_nameless(const char *folder)
{
    char name[4096];
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file >= 0 || errno == ENOENT || errno == EACCES)
        return file;
    if (snprintf(name, sizeof name, "%s/cobloc-XXXXXX", folder) >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    file = mkostemp(name, O_CLOEXEC); /* where the file system makes none without a name */
    if (file >= 0)
        unlink(name);
    return file;
}

static void *map_file(size_t bytes)
{
    const char *folder = temporary_folder();
    int file = open_nameless(folder), error = file < 0 ? errno : 0;
    if (error) {
        snprintf(failure, sizeof failure,
                 "the folder for temporary files, %.300s, cannot be written to: %s; TMPDIR names "
                 "another",
                 folder, strerror(error));
        has_failed = true;
        return MAP_FAILED;
    }
    error = posix_fallocate(file, 0, (off_t)bytes);
    void *mapped = MAP_FAILED;
    if (!error) {
        mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        error = mapped == MAP_FAILED ? errno : 0;
    }
    close(file); /* what is mapped keeps it */
    has_failed = error != 0;
    if (error)
        snprintf(failure, sizeof failure,
                 "%.0f MiB cannot be kept in the folder for temporary files, %.300s: %s; TMPDIR "
                 "names another",
                 (double)bytes / 1048576, folder, strerror(error));
    return mapped;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static size_t whole_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

bool cob_is_large_block(size_t bytes)
{
    size_t now = atomic_load_explicit(&smallest, memory_order_relaxed);
    if (now == 0)
        return false;
    size_t small = now / SMALL_SHARE, page = 4096;
    small = small < page ? page : small < LARGEST_SMALL ? small : LARGEST_SMALL;
    return bytes >= small;
}

void *cob_block_new(size_t bytes)
{
    block *made = malloc(sizeof *made);
    void *memory = MAP_FAILED;
    has_failed = false;
    if (!made)
        return NULL;
    bytes = whole_pages(bytes);
    pthread_mutex_lock(&lock);
    double now = cob_budget_now();
    made->on_disk = (double)bytes > now / BLOCK_SHARE || //
                    (double)in_memory + (double)bytes > now / MEMORY_SHARE;
    if (!made->on_disk)
        in_memory += bytes;
    pthread_mutex_unlock(&lock);
    if (made->on_disk)
        memory = map_file(bytes);
    else
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!made->on_disk && memory != MAP_FAILED)
        (void)madvise(memory, bytes, MADV_HUGEPAGE); /* only advice: failure does not matter */
    pthread_mutex_lock(&lock);
    if (memory != MAP_FAILED) {
        made->region = (cob_region){.start = memory, .bytes = bytes};
        if (made->on_disk)
            link_region(&made->region);
        made->next = blocks;
        made->link = &blocks;
        if (blocks)
            blocks->link = &made->next;
        blocks = made;
        atomic_fetch_add(&block_count, 1);
    } else if (!made->on_disk) {
        in_memory -= bytes;
    }
    pthread_mutex_unlock(&lock);
    if (memory == MAP_FAILED)
        free(made);
    return memory == MAP_FAILED ? NULL : memory;
}

/* With the lock; blocks begin with a page. */
static block *find_block(const void *pointer)
{
    block *found = blocks;
    while (found && found->region.start != pointer)
        found = found->next;
    return found;
}

static bool may_be_block(const void *pointer)
{
    return pointer && (uintptr_t)pointer % 4096 == 0 &&
           atomic_load_explicit(&block_count, memory_order_relaxed) > 0;
}

size_t cob_block_bytes(const void *pointer)
{
    if (!may_be_block(pointer))
        return 0;
    pthread_mutex_lock(&lock);
    const block *found = find_block(pointer);
    size_t bytes = found ? found->region.bytes : 0;
    pthread_mutex_unlock(&lock);
    return bytes;
}

bool cob_block_free(void *pointer)
{
    if (!may_be_block(pointer))
        return false;
    pthread_mutex_lock(&lock);
    block *found = find_block(pointer);
    if (found) {
        *found->link = found->next;
        if (found->next)
            found->next->link = found->link;
        if (found->on_disk)
            unlink_region(&found->region);
        else
            in_memory -= found->region.bytes;
        atomic_fetch_sub(&block_count, 1);
    }
    pthread_mutex_unlock(&lock);
    if (!found)
        return false;
    munmap(found->region.start, found->region.bytes);
    free(found);
    return true;
}
