/* The progress bar, and Ctrl-C.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* sigaction, clock_gettime */
#include "cli.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 30 };

static volatile sig_atomic_t interrupted;
static bool shown;
static double last_time;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int show(void *user, const char *what, double done)
{
    static const char full[BAR + 1] = "##############################";
    (void)user;
    if (interrupted)
        return 1;
    double time = now();
    if (!isatty(STDERR_FILENO) || time - last_time < 0.1)
        return 0;
    last_time = time;
    shown = true;
    int filled = (int)(done * BAR);
    fprintf(stderr, "\r%-12s [%-*.*s] %3.0f %%", what, BAR, filled, full, done * 100);
    fflush(stderr);
    return 0;
}

void cli_watch(void *options)
{
    struct sigaction action;
    if (cobloc_field_kind(options, "progress") != COBLOC_PROGRESS &&
        cobloc_field_kind(options, "fit.progress") != COBLOC_PROGRESS)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)SA_RESETHAND; /* a second Ctrl-C ends the program at once */
    sigaction(SIGINT, &action, NULL);
    last_time = now();
    cobloc_set_progress(options, show, NULL);
}

/* A mapped file was cut short, and what was mapped is gone: nothing can go on. */
static void on_lost_file(int signal)
{
    static const char why[] =
        "cobloc: a .cbm file was cut short by another program while it was in "
        "use; '--no-map' reads it into memory\n";
    (void)signal;
    _exit(write(STDERR_FILENO, why, sizeof why - 1) < 0 ? CLI_FAILED + 1 : CLI_FAILED);
}

void cli_watch_files(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_lost_file;
    sigaction(SIGBUS, &action, NULL);
}

bool cli_interrupted(void)
{
    return interrupted;
}

void cli_progress_end(void)
{
    if (shown)
        fprintf(stderr, "\r%*s\r", BAR + 24, "");
    shown = false;
}
