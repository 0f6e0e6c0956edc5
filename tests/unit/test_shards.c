/* Folders of shards: they are the .cbm file again, ranks need only their own, and what is missing,
 * mixed or damaged is said.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include "fit/result.h"
#include "ranks.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { SHARDS = 3 };

/* Large enough that shards differ: they hold whole pages of 64 KiB. */
static cobloc_matrix *large_matrix(cobloc_value_kind kind)
{
    return random_matrix(3, 700, 500, 0.5, kind, NAMES_NASTY);
}

static void write_shards(const cobloc_matrix *matrix, const char *name, int count)
{
    cobloc_error err;
    cobloc_io_options options;
    cob_io_options_default(&options);
    options.shards = count;
    assert_ok(cobloc_matrix_write(matrix, test_path(name), &options, &err), err);
}

static const char *shard_path(const char *folder, int number, int count)
{
    char name[100];
    snprintf(name, sizeof name, "%s/shard-%d-of-%d.cbm", folder, number, count);
    return test_path(name);
}

static char *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void put_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void copy_shard(const char *from, const char *to, int number)
{
    size_t size;
    char *bytes = bytes_of(shard_path(from, number, SHARDS), &size);
    mkdir(test_path(to), 0700);
    put_bytes(shard_path(to, number, SHARDS), bytes, size);
    free(bytes);
}

/* ---- the same matrix ------------------------------------------------------------------------- */

static void they_are_the_matrix_again(void **state)
{
    static const int counts[] = {1, 2, 3, 7, 100};
    static const cobloc_value_kind kinds[] = {COBLOC_ONES, COBLOC_U8, COBLOC_F64};
    (void)state;
    for (size_t kind = 0; kind < 3; kind++) {
        cobloc_matrix *made = large_matrix(kinds[kind]);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            cobloc_error err;
            write_shards(made, "again", counts[i]);
            cobloc_matrix *back = must_read(test_path("again"), NULL);
            assert_ok(cobloc_matrix_verify(back, &err), err);
            assert_int_equal(cobloc_matrix_shards_missing(back), 0);
            assert_non_null(strstr(cobloc_matrix_format(back), "shard"));
            assert_same_matrix(made, back);
            cobloc_matrix_free(back);
        }
        cobloc_matrix_free(made);
    }
}

static void small_ones_are_as_well(void **state)
{
    (void)state;
    cobloc_matrix *made = random_matrix(1, 5, 4, 0.5, COBLOC_U8, NAMES_NASTY);
    write_shards(made, "small", 4);
    cobloc_matrix *back = must_read(test_path("small"), NULL);
    assert_same_matrix(made, back);
    cobloc_matrix_free(back);
    cobloc_matrix_free(made);
}

/* Mapped rather than copied, as large ones are: a budget makes all of them large. */
static void mapped_ones_are_as_well(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *made = large_matrix(COBLOC_U8), *back = NULL;
    cobloc_io_options options;
    cob_io_options_default(&options);
    options.max_memory = 1 << 16;
    write_shards(made, "mapped", SHARDS);
    assert_ok(cobloc_matrix_read(test_path("mapped"), &options, &back, &err), err);
    assert_int_equal(back->file_count, SHARDS);
    assert_ok(cobloc_matrix_verify(back, &err), err);
    assert_same_matrix(made, back);
    assert_int_equal(truncate(shard_path("mapped", 2, SHARDS), 1 << 17), 0);
    assert_int_equal(cobloc_matrix_verify(back, &err), COBLOC_IO);
    assert_non_null(strstr(err.message, "was changed"));
    cobloc_matrix_free(back);
    cobloc_matrix_free(made);
}

static void a_folder_is_replaced_as_a_whole(void **state)
{
    (void)state;
    cobloc_matrix *made = large_matrix(COBLOC_ONES);
    write_shards(made, "replaced", 3);
    test_text("replaced/notes.txt", "mine");
    write_shards(made, "replaced", 2);
    assert_int_equal(access(test_path("replaced/shard-3-of-3.cbm"), F_OK), -1);
    assert_int_equal(access(test_path("replaced/notes.txt"), F_OK), 0);
    cobloc_matrix *back = must_read(test_path("replaced"), NULL);
    assert_same_matrix(made, back);
    cobloc_matrix_free(back);
    cobloc_matrix_free(made);
}

static void failing_allocations(void **state)
{
    (void)state;
    cobloc_matrix *made = random_matrix(1, 5, 4, 0.5, COBLOC_U8, NAMES_NASTY);
    cobloc_io_options options;
    cob_io_options_default(&options);
    options.shards = 2;
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_matrix_write(made, test_path("alloc"), &options, &err);
        failed = allocation_failed(k, status, &err, 3);
    }
    check_failing_allocations(test_path("alloc"), NULL);
    cobloc_matrix_free(made);
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* Reads and verifies; a matrix that passes must be the one that was written. */
static cobloc_status read_and_verify(const char *folder, const cobloc_matrix *made,
                                     cobloc_error *err)
{
    cobloc_matrix *back = NULL;
    cobloc_status status = cobloc_matrix_read(test_path(folder), NULL, &back, err);
    if (status == COBLOC_OK)
        status = cobloc_matrix_verify(back, err);
    if (status == COBLOC_OK)
        assert_same_matrix(made, back);
    cobloc_matrix_free(back);
    return status;
}

static void assert_said(const char *folder, const cobloc_matrix *made, const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    assert_int_not_equal(read_and_verify(folder, made, &err), COBLOC_OK);
    if (!strstr(err.message, part) || !strstr(err.message, folder))
        fail_msg("expected '%s': %s", part, err.message);
}

static void faults_of_folders_are_said(void **state)
{
    (void)state;
    size_t size;
    cobloc_matrix *made = large_matrix(COBLOC_U8);
    cobloc_matrix *other = random_matrix(4, 700, 500, 0.5, COBLOC_U8, NAMES_NASTY);
    write_shards(other, "other", SHARDS);
    write_shards(made, "faults", SHARDS);
    char *first = strdup(shard_path("faults", 1, SHARDS));
    char *second = strdup(shard_path("faults", 2, SHARDS));
    char *bytes = bytes_of(second, &size);
    put_bytes(second, bytes, size - 1);
    assert_said("faults", made, "shard-2-of-3.cbm: is truncated");
    put_bytes(second, bytes, 20);
    assert_said("faults", made, "shard-2-of-3.cbm: is truncated");
    put_bytes(second, "COBLOC", 6);
    assert_said("faults", made, "shard-2-of-3.cbm");
    bytes[0] = 'c';
    put_bytes(second, bytes, size);
    assert_said("faults", made, "is not a shard");
    bytes[0] = 'C';
    copy_shard("other", "faults", 2);
    assert_said("faults", made, "is of another matrix than shard 1 beside it");
    put_bytes(first, bytes, size);
    assert_said("faults", made, "is shard 2 of 3, whatever its name is");
    copy_shard("other", "faults", 1);
    put_bytes(second, bytes, size);
    assert_said("faults", made, "is of another matrix");
    unlink(first);
    assert_said("faults", made, "shard 1 of 3 is not there");
    unlink(second);
    assert_said("faults", made, "2 of 3 shards are not there, from shard 1 on");
    put_bytes(shard_path("faults", 1, 2), bytes, size);
    assert_said("faults", made, "several numbers");
    assert_refused(shard_path("other", 1, SHARDS), NULL, COBLOC_BAD_DATA, "give the folder");
    free(first);
    free(second);
    free(bytes);
    cobloc_matrix_free(other);
    cobloc_matrix_free(made);
}

static void changed_bytes_are_noticed(void **state)
{
    (void)state;
    size_t size, step = 2503, noticed = 0;
    cobloc_matrix *made = large_matrix(COBLOC_U8);
    write_shards(made, "flipped", SHARDS);
    char *path = strdup(shard_path("flipped", 2, SHARDS));
    char *bytes = bytes_of(path, &size);
    for (size_t at = 0; at < size; at += at < 240 ? 1 : step) {
        cobloc_error err = {COBLOC_OK, ""};
        bytes[at] ^= 0x41;
        put_bytes(path, bytes, size);
        bytes[at] ^= 0x41;
        if (read_and_verify("flipped", made, &err) == COBLOC_OK)
            continue; /* the rest of the header's page, and pages that are taken from other shards
                       */
        assert_non_null(strstr(err.message, "flipped"));
        noticed++;
    }
    assert_true(noticed > 208 + size / step / 5);
    free(path);
    free(bytes);
    cobloc_matrix_free(made);
}

/* Numbers of the header, with a right checksum. */
static void lies_are_noticed(void **state)
{
    enum { AT_BYTES = 24, AT_PIECES = 40, PIECE = 24, AT_CHECKSUM = AT_PIECES + 7 * PIECE };
    static const struct {
        size_t at;
        uint64_t value;
        size_t width;
    } lies[] = {{8, 0x04030201, 4},
                {12, 2, 4},
                {16, 7, 4},
                {20, 9, 4},
                {AT_BYTES, 1, 8},
                {AT_BYTES, 1ull << 46, 8},
                {AT_BYTES, UINT64_MAX, 8},
                {AT_BYTES + 12, 0, 4},
                {AT_BYTES + 12, 1, 4},
                {AT_BYTES + 12, 1000, 4},
                {AT_PIECES, 65536, 8},
                {AT_PIECES + 8, 0, 8},
                {AT_PIECES + 8, 65535, 8},
                {AT_PIECES + PIECE, 1ull << 60, 8},
                {AT_PIECES + PIECE, 0, 8},
                {AT_PIECES + PIECE + 8, UINT64_MAX - 65535, 8}};
    (void)state;
    size_t size;
    cobloc_matrix *made = large_matrix(COBLOC_U8);
    write_shards(made, "lies", SHARDS);
    for (int number = 1; number <= 2; number++) {
        char *path = strdup(shard_path("lies", number, SHARDS));
        char *bytes = bytes_of(path, &size);
        for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
            char *lie = malloc(size);
            memcpy(lie, bytes, size);
            memcpy(lie + lies[i].at, &lies[i].value, lies[i].width);
            uint32_t sum = (uint32_t)crc32(0, (unsigned char *)lie, AT_CHECKSUM);
            memcpy(lie + AT_CHECKSUM, &sum, sizeof sum);
            put_bytes(path, lie, size);
            assert_said("lies", made, "lies");
            free(lie);
        }
        put_bytes(path, bytes, size);
        free(bytes);
        free(path);
    }
    cobloc_error err;
    assert_ok(read_and_verify("lies", made, &err), err);
    cobloc_matrix_free(made);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

typedef struct job {
    cobloc_fit_options options;
    cobloc_result *results[MOST_TEST_RANKS];
} job;

static cobloc_status fit(const cobloc_communicator *c, void *data, cobloc_error *err)
{
    job *j = data;
    cobloc_fit_options o = j->options;
    cobloc_matrix *own = NULL;
    char name[100];
    snprintf(name, sizeof name, "%s/rank%d", test_folder(), c->rank);
    cobloc_set_communicator(&o, c);
    cobloc_status status = cobloc_matrix_read(name, NULL, &own, err);
    if (status == COBLOC_OK)
        status = cobloc_fit(own, &o, &j->results[c->rank], err);
    cobloc_matrix_free(own);
    return status;
}

static job new_job(const char *model, cobloc_inference inference)
{
    job j = {.results = {NULL}};
    cob_fit_options_default(&j.options);
    j.options.model = model;
    j.options.inference = inference;
    j.options.start = COBLOC_START_RANDOM;
    j.options.share = COBLOC_SHARE_LINES;
    j.options.k = 4;
    j.options.restarts = 2;
    j.options.max_iterations = 10;
    j.options.threads = 1;
    return j;
}

static void give_ranks_their_own(const cobloc_matrix *matrix)
{
    write_shards(matrix, "all", SHARDS);
    for (int rank = 0; rank < SHARDS; rank++) {
        char name[20];
        snprintf(name, sizeof name, "rank%d", rank);
        copy_shard("all", name, rank + 1);
    }
}

/* A matrix whose empty lines make other shares. */
static cobloc_matrix *with_empty_lines(void)
{
    enum { ROWS = 900, COLS = 700 };
    cobloc_error err;
    cobloc_matrix *made = NULL;
    double *cells = calloc(ROWS * COLS, sizeof *cells);
    uint64_t x = 7;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            cells[i * COLS + j] = i > 50 && i < 250 ? 0 : j % 9 == 4 ? 0 : x >> 62 == 0;
        }
    assert_ok(cobloc_matrix_from_dense(ROWS, COLS, cells, COBLOC_ARRAY_F64, &made, &err), err);
    free(cells);
    return made;
}

static void each_rank_needs_only_its_own(void **state)
{
    static const char *const models[] = {"coclus", "plbm", "lbm", "splbm"};
    static const cobloc_inference inferences[] = {COBLOC_HARD, COBLOC_SOFT, COBLOC_STOCHASTIC,
                                                  COBLOC_HARD};
    (void)state;
    for (int empty = 0; empty < 2; empty++) {
        cobloc_matrix *made = empty ? with_empty_lines() : large_matrix(COBLOC_ONES);
        give_ranks_their_own(made);
        for (int m = 0; m < 4; m++) {
            cobloc_error one_err, err[MOST_TEST_RANKS];
            cobloc_status status[MOST_TEST_RANKS];
            cobloc_result *one = NULL;
            job j = new_job(models[m], inferences[m]);
            assert_ok(cobloc_fit(made, &j.options, &one, &one_err), one_err);
            run_ranks(SHARDS, fit, &j, status, err);
            for (int rank = 0; rank < SHARDS; rank++) {
                if (status[rank] != COBLOC_OK)
                    fail_msg("%s: rank %d: %s", models[m], rank, err[rank].message);
                const cobloc_result *r = j.results[rank];
                assert_memory_equal(one->row_labels, r->row_labels, (size_t)r->n * sizeof(int32_t));
                assert_memory_equal(one->col_labels, r->col_labels, (size_t)r->d * sizeof(int32_t));
                assert_memory_equal(&one->criterion, &r->criterion, sizeof r->criterion);
                assert_memory_equal(&one->icl, &r->icl, sizeof r->icl);
                cobloc_result_free(j.results[rank]);
            }
            cobloc_result_free(one);
        }
        cobloc_matrix_free(made);
    }
}

/* What needs all entries, or other shares, is rejected by a sentence on each of them. */
static void more_than_their_own_is_rejected(void **state)
{
    (void)state;
    cobloc_matrix *made = large_matrix(COBLOC_ONES);
    give_ranks_their_own(made);
    for (int which = 0; which < 4; which++) {
        cobloc_error err[MOST_TEST_RANKS];
        cobloc_status status[MOST_TEST_RANKS];
        job j = new_job(which == 1 ? "skmeans" : "plbm", COBLOC_HARD);
        if (which == 2)
            j.options.share = COBLOC_SHARE_STARTS;
        if (which == 3)
            j.options.start = COBLOC_START_AUTO;
        if (which == 1)
            j.options.start = COBLOC_START_AUTO;
        run_ranks(which == 0 ? 2 : SHARDS, fit, &j, status, err);
        bool said = false;
        for (int rank = 0; rank < (which == 0 ? 2 : SHARDS); rank++) {
            assert_int_not_equal(status[rank], COBLOC_OK);
            said = said || strstr(err[rank].message,
                                  which == 0 ? "needs more than" : "all entries are needed");
        }
        if (!said)
            fail_msg("case %d: %s", which, err[0].message);
    }
    cobloc_matrix_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_the_matrix_again),
        cmocka_unit_test(small_ones_are_as_well),
        cmocka_unit_test(mapped_ones_are_as_well),
        cmocka_unit_test(a_folder_is_replaced_as_a_whole),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(faults_of_folders_are_said),
        cmocka_unit_test(changed_bytes_are_noticed),
        cmocka_unit_test(lies_are_noticed),
        cmocka_unit_test(each_rank_needs_only_its_own),
        cmocka_unit_test(more_than_their_own_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
