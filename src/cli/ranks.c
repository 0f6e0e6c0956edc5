/* Several processes of the command line that do one thing together: under mpirun or srun, a library
 * that knows MPI is loaded. One that does not run there depends on none.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* readlink */
#include "cli.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    cobloc_communicator to, group;
    int (*divide)(int groups, cobloc_communicator *group);
    void (*end)(void);   /* NULL: there is one process */
    bool shares;         /* the command is one that ranks share */
    bool elsewhere;      /* another rank has failed */
    char sentence[2048]; /* of a rank that is not the first: what it has to complain about */
} ranks;

int cli_rank(void)
{
    return ranks.to.rank;
}

bool cli_is_shared(void)
{
    return ranks.end && ranks.shares && ranks.to.size > 1;
}

/* --groups; 0: it is not given. */
static int read_groups(const cli_args *args)
{
    const char *given = cli_value(args, "groups");
    char *end = NULL;
    long groups = given ? strtol(given, &end, 10) : 0;
    int most = ranks.to.size > 1 ? ranks.to.size : INT_MAX;
    if (given && (*end != '\0' || groups < 1 || groups > most))
        cli_stop_usage(args->command,
                       "--groups is '%s', expected a number from 1 to that of the "
                       "processes",
                       given);
    return (int)groups;
}

void cli_share(const cli_args *args, void *options)
{
    static const char *const shares[] = {"share", "fit.share"};
    int groups = read_groups(args);
    if (!cli_is_shared())
        return;
    cobloc_set_communicator(options, &ranks.to);
    for (int i = 0; i < 2; i++) {
        if (cobloc_field_kind(options, shares[i]) == COBLOC_NONE)
            continue;
        if (ranks.group.size == 0 && ranks.divide(groups, &ranks.group) != 0)
            cli_stop("MPI could not make groups of the processes");
        cobloc_set_group(options, &ranks.group);
        if (groups > 0)
            cli_must(cobloc_set_text(options, shares[i], "groups", &cli_error));
    }
}

void cli_keep_sentence(const char *sentence)
{
    snprintf(ranks.sentence, sizeof ranks.sentence, "%s", sentence);
}

void cli_failed_elsewhere(void)
{
    ranks.elsewhere = true;
}

/* ---- loading --------------------------------------------------------------------------------- */

/* Whether a launcher of MPI has started this process beside others. Those that it starts by itself
 * inherit its variables: COBLOC_MPI=0 says that they are not meant. */
static bool is_launched(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    static const char *const others[] = {"PMIX_RANK", "PMI_RANK"};
    const char *wanted = getenv("COBLOC_MPI");
    if (wanted && strcmp(wanted, "0") == 0)
        return false;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *size = getenv(sizes[i]);
        if (size)
            return atoi(size) > 1;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (getenv(others[i]))
            return true;
    return false;
}

/* From where the program is, where libraries are installed, or wherever the system finds it. */
static void *open_library(void)
{
    static const char name[] = "libcobloc-mpi.so.1";
    static const char *const places[] = {"", COBLOC_LIBRARIES "/"};
    char program[PATH_MAX], path[PATH_MAX + sizeof COBLOC_LIBRARIES + sizeof name];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    void *library = NULL;
    for (size_t i = 0; !library && length > 0 && i < sizeof places / sizeof *places; i++) {
        program[length] = '\0';
        *(strrchr(program, '/') + 1) = '\0';
        snprintf(path, sizeof path, "%s%s%s", program, places[i], name);
        library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    }
    return library ? library : dlopen(name, RTLD_NOW | RTLD_GLOBAL);
}

void cli_ranks_begin(bool shares)
{
    int (*begin)(cobloc_communicator * communicator) = NULL;
    if (!is_launched())
        return;
    void *library = open_library();
    void *found[] = {library ? dlsym(library, "cobloc_mpi_begin") : NULL,
                     library ? dlsym(library, "cobloc_mpi_group") : NULL,
                     library ? dlsym(library, "cobloc_mpi_end") : NULL};
    if (!found[0] || !found[1] || !found[2])
        cli_stop("is one of several processes that MPI has started, but its library for that "
                 "cannot be loaded: %s; COBLOC_MPI=0 lets each work for itself",
                 dlerror());
    memcpy(&begin, &found[0], sizeof begin);
    if (begin(&ranks.to) != 0)
        cli_stop("MPI could not be started");
    memcpy(&ranks.divide, &found[1], sizeof ranks.divide);
    memcpy(&ranks.end, &found[2], sizeof ranks.end);
    ranks.shares = shares;
    if (ranks.to.rank > 0 && !freopen("/dev/null", "w", stdout))
        cli_complain("standard output could not be closed");
}

/* ---- the end --------------------------------------------------------------------------------- */

int cli_ranks_end(int code)
{
    cobloc_error err;
    if (!ranks.end)
        return code;
    cobloc_status own = code == CLI_DONE || code == CLI_INTERRUPTED ? COBLOC_OK
                        : ranks.elsewhere                           ? COBLOC_ELSEWHERE
                                                                    : COBLOC_IO;
    cobloc_status all = cobloc_ranks_end(&ranks.to, own, &err);
    if (all == COBLOC_IO && ranks.to.rank > 0)
        fprintf(stderr, "cobloc: rank %d: %s\n", ranks.to.rank, ranks.sentence);
    ranks.end();
    return code == CLI_DONE && all != COBLOC_OK ? CLI_FAILED : code;
}
