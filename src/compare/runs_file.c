/* The file that keeps finished runs.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* ftruncate */
#include "compare/compare.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/scan.h"
#include "fit/algorithm.h"
#include "matrix/matrix.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST = 1024, KEYS = 9, FIELDS = 18 };

struct cob_runs_file {
    const char *path; /* borrowed */
    int fd;
};

static const char columns[] =
    "model\tinference\tweight\tk\tl\tinit\trestarts\tmax_iter\ttol\tseed\tacc\tnmi\tari\t"
    "sdcs\tcriterion\titerations\trepaired\tseconds\n";

/* ---- the first line -------------------------------------------------------------------------- */

static uint64_t fingerprint(const cobloc_matrix *matrix, const int32_t *truth)
{
    cobloc_view rows = cobloc_matrix_by_rows(matrix);
    uint64_t hash = (uint64_t)rows.major * 1099511628211u ^ (uint64_t)rows.minor;
    for (int64_t i = 0; i < rows.major; i++) {
        hash = (hash ^ cob_hash_line(&rows, i)) * 1099511628211u;
        hash = (hash ^ (uint64_t)(uint32_t)truth[i]) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}

static void first_line(const cobloc_matrix *matrix, const int32_t *truth, char line[LONGEST])
{
    snprintf(line, LONGEST, "# cobloc %s, runs on data %016" PRIx64 "\n", cobloc_version(),
             fingerprint(matrix, truth));
}

static cobloc_status make_file(const char *path, const char *first, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_file *file = NULL;
    COB_TRY(cob_file_create(path, &file, err));
    cob_file_text(file, first);
    cob_file_text(file, columns);
    COB_TRY(cob_file_commit(file, err));
done:
    cob_file_close(file);
    return status;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Everything the run depends on except the data and the seed. */
static int write_key(const cobloc_fit_options *asked, cobloc_weight weight, char text[LONGEST])
{
    cob_algorithm algorithm;
    cobloc_fit_options own = *asked, *o = &own;
    char tolerance[32];
    if (cob_algorithm_named(asked->model, &algorithm))
        own = cob_algorithm_options(&algorithm, asked);
    cob_format_number(tolerance, o->tolerance);
    return snprintf(text, LONGEST, "%s\t%s\t%s\t%d\t%d\t%s\t%d\t%d\t%s\t", o->model,
                    cobloc_inference_name(o->inference), cobloc_weight_name(weight), o->k, o->l,
                    cobloc_start_name(o->start), o->restarts, o->max_iterations, tolerance);
}

enum { NUMBERS = 8 };

static void run_numbers(const cobloc_compared_run *run, double numbers[NUMBERS])
{
    const double all[NUMBERS] = {run->acc,       run->nmi,        run->ari,      run->sdcs,
                                 run->criterion, run->iterations, run->repaired, run->seconds};
    memcpy(numbers, all, sizeof all);
}

/* Parses the part after the key; false if it is not in our format. */
static bool read_run(const char *text, cobloc_compared_run *run)
{
    double n[NUMBERS];
    char *end;
    uint64_t seed = strtoull(text, &end, 10);
    const char *p = end;
    for (int i = 0; i < NUMBERS; i++)
        if (*p++ != '\t' || !cob_scan_number(&p, &n[i]) || !isfinite(n[i]))
            return false;
    if (*p != '\n' || fabs(n[5]) > INT_MAX || fabs(n[6]) > INT_MAX)
        return false;
    *run = (cobloc_compared_run){1, seed, n[0], n[1], n[2], n[3], n[4], n[7], (int)n[5], (int)n[6]};
    return true;
}

static int count_tabs(const char *line)
{
    int tabs = 0;
    for (; *line; line++)
        tabs += *line == '\t';
    return tabs;
}

/* Uses the run on this line if it is one of those requested. */
static cobloc_status take_line(const cobloc_compare_options *o, const char *line, int number,
                               cobloc_comparison *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *values = line;
    COB_CHECK(count_tabs(line) == FIELDS - 1, COBLOC_BAD_DATA, "%s:%d: is not a line of %d fields",
              o->runs_file, number, FIELDS);
    for (int t = 0; t < KEYS; t++)
        values = strchr(values, '\t') + 1;
    cobloc_compared_run run = {0};
    COB_CHECK(read_run(values, &run), COBLOC_BAD_DATA, "%s:%d: is not a finished run", o->runs_file,
              number);
    for (int i = 0; i < c->count; i++) {
        char key[LONGEST];
        int length = write_key(&o->contenders[i].options, c->methods[i].weight, key);
        uint64_t r = run.seed - o->seed;
        if (length != values - line || strncmp(line, key, (size_t)length) != 0 ||
            r >= (uint64_t)c->runs || c->methods[i].runs[r].done)
            continue;
        c->methods[i].runs[r] = run;
        c->kept++;
    }
done:
    return status;
}

/* Reads all complete lines; *whole is where they end, because the last one may have been cut off.
 */
static cobloc_status read_lines(FILE *file, const char *first, const cobloc_compare_options *o,
                                cobloc_comparison *c, long *whole, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char line[LONGEST];
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        size_t length = strlen(line);
        if (length == 0 || line[length - 1] != '\n') {
            COB_CHECK(number > 2 && feof(file), COBLOC_BAD_DATA, "%s:%d: is not a line of runs",
                      o->runs_file, number);
            break;
        }
        if (number == 1)
            COB_CHECK(strncmp(line, "# cobloc ", 9) == 0, COBLOC_BAD_DATA,
                      "%s: is not a file of runs and was left unchanged", o->runs_file);
        if (number == 1)
            COB_CHECK(strcmp(line, first) == 0, COBLOC_BAD_DATA,
                      "%s: holds runs on other data, another truth or by another version of "
                      "cobloc: use another folder, or remove it",
                      o->runs_file);
        else if (number == 2)
            COB_CHECK(strcmp(line, columns) == 0, COBLOC_BAD_DATA,
                      "%s:2: is not the header of a file of runs", o->runs_file);
        else
            COB_TRY(take_line(o, line, number, c, err));
        *whole = ftell(file);
    }
    COB_CHECK(!ferror(file), COBLOC_IO, "%s: cannot be read: %s", o->runs_file, strerror(errno));
    COB_CHECK(*whole > 0, COBLOC_BAD_DATA, "%s: is not a file of runs and was left unchanged",
              o->runs_file);
done:
    return status;
}

/* ---- opening, adding, closing ---------------------------------------------------------------- */

/* Labels and effects are not in the file, so runs that depend on them could not be distinguished.
 */
static cobloc_status check_contenders(const cobloc_compare_options *o, cobloc_error *err)
{
    for (int i = 0; i < o->count; i++) {
        const cobloc_fit_options *f = &o->contenders[i].options;
        if (f->start_rows || f->start_cols || f->fix_rows || f->fix_cols || f->row_effects ||
            f->col_effects)
            return cob_fail(err, COBLOC_BAD_ARGUMENT,
                            "runs with known labels, labels to start from or effects cannot be "
                            "kept in a file");
    }
    return COBLOC_OK;
}

/* Opens the file, if there is one; it must be a plain one. */
static cobloc_status open_old(const char *path, FILE **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    struct stat about;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return COBLOC_OK;
    COB_CHECK(fd >= 0 && fstat(fd, &about) == 0, COBLOC_IO, "%s: cannot be read: %s", path,
              strerror(errno));
    COB_CHECK(S_ISREG(about.st_mode), COBLOC_IO, "%s: cannot be read: it is not a plain file",
              path);
    *out = fdopen(fd, "rb");
    COB_CHECK(*out, COBLOC_NO_MEMORY, "out of memory");
    fd = -1;
done:
    if (fd >= 0)
        close(fd);
    return status;
}

cobloc_status cob_runs_open(const cobloc_matrix *matrix, const int32_t *truth,
                            const cobloc_compare_options *o, cobloc_comparison *c,
                            cob_runs_file **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_runs_file *made = NULL;
    FILE *old = NULL;
    char first[LONGEST];
    long whole = 0;
    COB_TRY(check_contenders(o, err));
    first_line(matrix, truth, first);
    COB_TRY(open_old(o->runs_file, &old, err));
    if (old)
        COB_TRY(read_lines(old, first, o, c, &whole, err));
    else
        COB_TRY(make_file(o->runs_file, first, err));
    COB_NEW_ZERO(made, 1);
    made->path = o->runs_file;
    made->fd = open(o->runs_file, O_WRONLY | O_APPEND | O_CLOEXEC);
    COB_CHECK(made->fd >= 0 && (!old || ftruncate(made->fd, whole) == 0), COBLOC_IO,
              "%s: cannot be written: %s", o->runs_file, strerror(errno));
    *out = made;
    made = NULL;
done:
    if (old)
        fclose(old);
    cob_runs_close(made);
    return status;
}

cobloc_status cob_runs_add(cob_runs_file *file, const cobloc_contender *contender,
                           cobloc_weight weight, const cobloc_compared_run *run, cobloc_error *err)
{
    double numbers[NUMBERS];
    char line[LONGEST], number[32];
    int at = write_key(&contender->options, weight, line);
    at += snprintf(line + at, (size_t)(LONGEST - at), "%" PRIu64, run->seed);
    run_numbers(run, numbers);
    for (int i = 0; i < NUMBERS; i++) {
        cob_format_number(number, numbers[i]);
        at += snprintf(line + at, (size_t)(LONGEST - at), "\t%s", number);
    }
    line[at++] = '\n';
    ssize_t written = write(file->fd, line, (size_t)at);
    if (written == at)
        return COBLOC_OK;
    return cob_fail(err, COBLOC_IO, "%s: cannot be written: %s", file->path,
                    written < 0 ? strerror(errno) : "the disk is full");
}

void cob_runs_close(cob_runs_file *file)
{
    if (!file)
        return;
    if (file->fd >= 0)
        close(file->fd);
    cob_free(file);
}
