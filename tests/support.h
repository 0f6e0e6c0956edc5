/* What the unit tests share: a folder of their own, files made of text, random matrices, and the
 * failing of every allocation in turn.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_SUPPORT_H
#define COB_TESTS_SUPPORT_H

/* cmocka wants these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "compare/compare.h"
#include "ensemble/ensemble.h"
#include "io/options.h"
#include "matrix/matrix.h"
#include "report/charts.h"
#include "simulate/simulate.h"
#include "text/options.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where every access to memory is checked, all takes longer. */
#if defined(__SANITIZE_ADDRESS__)
#define TEST_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_SANITIZED true
#endif
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED false
#endif

/* A temporary folder for this test program; removed with all it holds at exit. */
const char *test_folder(void);

/* The path of a name inside it. Up to 16 such paths are valid at a time. */
const char *test_path(const char *name);

/* Writes bytes to a file in the folder and returns its path. */
const char *test_file(const char *name, const void *bytes, size_t size);
const char *test_text(const char *name, const char *text);

/* Compresses text into a gzip file, with a mode of gzopen: "wb", or "ab" for another member. */
const char *gzip_file(const char *name, const char *text, size_t size, const char *mode);

/* The folder of the benchmark data ($COBLOC_DATA, else the one beside the project); NULL where
 * there is none, after saying so: then the test calls skip(). */
const char *test_data(const char *name);

/* Fails the test with the error's own sentence unless a call returns COBLOC_OK. */
#define assert_ok(call, err)                                                                       \
    do {                                                                                           \
        cobloc_status assert_ok_status = (call);                                                   \
        if (assert_ok_status != COBLOC_OK)                                                         \
            fail_msg("%s: %s", #call, (err).message);                                              \
    } while (0)

/* Reads a file that must be refused with `status` and a sentence that contains `part`. */
void assert_refused(const char *path, const char *format, cobloc_status status, const char *part);

/* Reads a file that must be right. `format` may be NULL. */
cobloc_matrix *must_read(const char *path, const char *format);

/* Reads a file on 8, 3, 2 and 1 threads; every time it must be this table. In a test program, tests
 * on several threads come first: a team of OpenMP threads that grows later looks like a leak to the
 * sanitizers. */
void check_any_threads(const char *path, const char *format, int64_t rows, int64_t cols,
                       const double *expected);

/* The same for a file with several faults: each time the message must start with `start`. */
void check_earliest_error(const char *path, const char *format, const char *start);

/* Whether the content of a file alone makes it one of this format: read by content, it must give
 * the same matrix or the same error as when the format is named. */
bool recognised_as(const char *format, const char *text);

/* A dense table of the matrix: rows * cols doubles; free() it. */
double *dense_of(const cobloc_matrix *matrix);

/* Compares the matrix with a dense table, row after row. */
void assert_dense(const cobloc_matrix *matrix, int64_t rows, int64_t cols, const double *expected);

/* A random matrix: about density * rows * cols entries of `kind` (every kind is hit tightly, the
 * last row and column are never empty). `names`: with row and column names and labels that try hard
 * to break things: spaces, tabs, quotes, commas, '#', '%', non-ASCII, digits only, empty. */
enum { NAMES_NONE = 0, NAMES_NASTY = 1 };
cobloc_matrix *random_matrix(uint64_t seed, int64_t rows, int64_t cols, double density,
                             cobloc_value_kind kind, int names);

/* Entries, names and labels all equal, or the test fails. */
void assert_same_matrix(const cobloc_matrix *a, const cobloc_matrix *b);

/* Whether two matrices have the same shape, entries and missing cells. Names are not compared. */
bool same_entries(const cobloc_matrix *a, const cobloc_matrix *b);

/* Writes random matrices of many shapes and kinds to `file` (a name with the format's ending) and
 * reads them back: every one must come back the same. `largest`: the last kind the format can hold.
 */
void check_round_trip(const char *file, cobloc_value_kind largest, int names);

/* For loops in which the first, second, ... allocation fails until one round gets by without: call
 * it after cob_alloc_fail_at(k) and what is tested, with its status. True if the allocation failed.
 * A failure must be COBLOC_NO_MEMORY; the round without one must succeed, and after more than
 * `least` others.
 *
 *     for (long k = 0, failed = 1; failed; k++) {
 *         cob_alloc_fail_at(k);
 *         cobloc_status status = ...
 *         failed = allocation_failed(k, status, &err, 20);
 *     } */
bool allocation_failed(long k, cobloc_status status, const cobloc_error *err, long least);

/* Reads `path` again and again, failing the first, second, ... allocation, until one read succeeds;
 * each failure must be COBLOC_NO_MEMORY. (The leak checker of the sanitized build sees to the
 * rest.) */
void check_failing_allocations(const char *path, const char *format);

#endif
