/* The progress line, Ctrl-C, and files that are cut short.
 *
 * The line is drawn by a thread of its own, several times a second: the work reports when it can,
 * and a clock that stands still looks like a program that hangs.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* sigaction, clock_gettime */
#include "cli.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

/* What the work last reported; guarded by the lock. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t artist;
    bool drawing; /* the artist is at work */
    bool shown;   /* there is a line to remove */
    char what[160];
    double done;
    double began, stage_began; /* of the command, and of what it does now */
    double stage_done;         /* how much was done when this stage began */
} line = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* "7 s", "3:07", "1:02:03" */
static void put_time(double seconds, char *text, size_t room)
{
    long whole = (long)seconds;
    if (whole < 60)
        snprintf(text, room, "%ld s", whole);
    else if (whole < 3600)
        snprintf(text, room, "%ld:%02ld", whole / 60, whole % 60);
    else
        snprintf(text, room, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
}

/* Seconds left if the rest goes on as the stage did; negative: too early to say. */
static double time_left(double time)
{
    double share = line.done - line.stage_done, spent = time - line.stage_began;
    return spent < 1 || share < 0.02 || line.done >= 1 ? -1 : spent * (1 - line.done) / share;
}

/* "fitting splbm, start 3 of 6, best so far 0.43  [####------] 43 %  0:12, about 0:16 left". What
 * is not finished is never shown as 100 %. */
static void draw(void)
{
    enum { BAR = 20 };
    static const char full[] = "####################", rest[] = "--------------------";
    char spent[24], left[24] = "", tail[128], text[512];
    double time = now(), wait = time_left(time);
    int width = cli_width(stderr), filled = (int)(line.done * BAR);
    int percent = line.done < 0.99 ? (int)(line.done * 100) : 99;
    put_time(time - line.began, spent, sizeof spent);
    if (wait >= 0)
        put_time(wait + 1, left, sizeof left);
    filled = filled < BAR ? filled : BAR - 1;
    if (line.done >= 1)
        snprintf(tail, sizeof tail, "  finishing  %s", spent);
    else
        snprintf(tail, sizeof tail, "  [%.*s%.*s] %2d %%  %s%s%s%s", filled, full, BAR - filled,
                 rest, percent, spent, *left ? ", about " : "", left, *left ? " left" : "");
    if ((int)strlen(line.what) + (int)strlen(tail) > width) /* it is worth more than a bar */
        snprintf(tail, sizeof tail, "  %2d %%  %s%s%s", percent, spent, *left ? ", left " : "",
                 left);
    int room = width - (int)strlen(tail);
    int length =
        snprintf(text, sizeof text, "\r%.*s%s\033[K", room > 0 ? room : 0, line.what, tail);
    line.shown = write(STDERR_FILENO, text, (size_t)length) >= 0;
}

static void *run_artist(void *unused)
{
    const double first = 0.4, between = 0.2; /* seconds: what is soon done needs no line */
    (void)unused;
    pthread_mutex_lock(&line.lock);
    while (line.drawing) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += (long)(between * 1e9);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&line.changed, &line.lock, &until);
        if (line.drawing && now() - line.began >= first)
            draw();
    }
    pthread_mutex_unlock(&line.lock);
    return NULL;
}

/* ---- reports --------------------------------------------------------------------------------- */

static bool same_stage(const char *a, const char *b)
{
    size_t length = strcspn(a, " ,:");
    return strcspn(b, " ,:") == length && strncmp(a, b, length) == 0;
}

static void take_report(const char *what, double done)
{
    pthread_mutex_lock(&line.lock);
    double time = now();
    if (line.began == 0)
        line.began = time;
    if (!same_stage(line.what, what) || done < line.done) {
        line.stage_began = time;
        line.stage_done = done;
    }
    snprintf(line.what, sizeof line.what, "%s", what);
    line.done = done;
    if (!line.drawing) {
        line.drawing = true; /* before it starts, because it looks */
        if (pthread_create(&line.artist, NULL, run_artist, NULL) != 0)
            line.drawing = false;
    }
    pthread_mutex_unlock(&line.lock);
}

static int show(void *user, const char *what, double done)
{
    (void)user;
    if (interrupted)
        return 1;
    cli_stage(what, done);
    return 0;
}

void cli_stage(const char *what, double done)
{
    static enum { UNKNOWN, TERMINAL, OTHER } errors; /* the system is asked once */
    if (errors == UNKNOWN)
        errors = cli_is_terminal(stderr) ? TERMINAL : OTHER;
    if (errors == TERMINAL && !cli_is_quiet())
        take_report(what, done);
}

void cli_progress_end(void)
{
    pthread_mutex_lock(&line.lock);
    bool drawing = line.drawing;
    line.drawing = false;
    pthread_cond_signal(&line.changed);
    pthread_mutex_unlock(&line.lock);
    if (drawing)
        pthread_join(line.artist, NULL);
    if (line.shown)
        fputs("\r\033[K", stderr);
    line.shown = false;
}

/* ---- signals --------------------------------------------------------------------------------- */

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
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
    cobloc_set_progress(options, show, NULL);
}

bool cli_interrupted(void)
{
    return interrupted;
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
