/* Progress and Ctrl-C while the library works.
 *
 * Python runs its own handlers in the main thread alone, between two of its steps: not while the
 * library works there. So for that time Ctrl-C has a handler of ours, which asks the library to
 * stop. Python hears of it when the best result so far is in safety: the caller raises
 * KeyboardInterrupt then. A second Ctrl-C goes to Python as usual.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* sigaction, clock_gettime */
#include "engine.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t interrupts;
static struct sigaction usual;

static void on_interrupt(int signal)
{
    interrupts++;
    if (interrupts > 1 && usual.sa_handler != SIG_DFL && usual.sa_handler != SIG_IGN)
        usual.sa_handler(signal);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void call_report(watch *w, const char *what, double done)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = PyObject_CallFunction(w->report, "sd", what, done);
    if (!answer) {
        PyErr_Fetch(&w->type, &w->value, &w->trace);
        w->failed = 1;
    }
    Py_XDECREF(answer);
    PyGILState_Release(state);
}

/* From one thread at a time, whichever that is. */
static int progress(void *user, const char *what, double done)
{
    watch *w = user;
    if (w->failed || (w->listens && interrupts > 0))
        return 1;
    if (w->report && now() - w->last > 0.1) {
        w->last = now();
        call_report(w, what, done);
    }
    return w->failed;
}

void watch_begin(watch *w, PyObject *report, int listens, void *options)
{
    *w = (watch){
        .report = report == Py_None ? NULL : report, .listens = listens, .options = options};
    if (options)
        cobloc_set_progress(options, progress, w);
    if (listens) {
        struct sigaction action = {.sa_handler = on_interrupt};
        interrupts = 0;
        sigaction(SIGINT, &action, &usual);
    }
    w->state = PyEval_SaveThread();
}

int watch_end(watch *w, int *interrupted)
{
    if (w->options)
        cobloc_set_progress(w->options, NULL, NULL);
    if (w->listens)
        sigaction(SIGINT, &usual, NULL);
    PyEval_RestoreThread(w->state);
    if (interrupted)
        *interrupted = w->listens && interrupts > 0;
    if (w->failed)
        PyErr_Restore(w->type, w->value, w->trace);
    return !w->failed;
}
