/* Samples where the main thread of a program is, a thousand times a second: a library to preload.
 * When the program ends, the file that COBLOC_TIMELINE names holds a line for every sample: the
 * seconds since the start, and the addresses of the call stack, innermost first, as
 * object+offset. bench/cores reads it.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SAMPLES = 200000, DEPTH = 24, SKIPPED = 2 /* the handler and the signal's frame */ };

typedef struct sample {
    double time;
    int depth;
    void *frames[DEPTH];
} sample;

static sample *samples;
static volatile int sample_count;
static pthread_t main_thread;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void take_sample(int signal)
{
    (void)signal;
    if (sample_count < MOST_SAMPLES) {
        sample *s = &samples[sample_count];
        s->time = now();
        s->depth = backtrace(s->frames, DEPTH);
        sample_count++;
    }
}

static void *sample_forever(void *unused)
{
    const struct timespec pause = {0, 1000000};
    for (;;) {
        nanosleep(&pause, NULL);
        pthread_kill(main_thread, SIGPROF);
    }
    return unused;
}

__attribute__((constructor)) static void begin(void)
{
    void *first[1];
    pthread_t sampler;
    if (!getenv("COBLOC_TIMELINE"))
        return;
    samples = calloc(MOST_SAMPLES, sizeof *samples);
    backtrace(first, 1); /* loads what it needs: not in the handler */
    main_thread = pthread_self();
    signal(SIGPROF, take_sample);
    if (samples)
        pthread_create(&sampler, NULL, sample_forever, NULL);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("COBLOC_TIMELINE");
    signal(SIGPROF, SIG_IGN);
    FILE *file = path && samples ? fopen(path, "w") : NULL;
    for (int i = 0; file && i < sample_count; i++) {
        fprintf(file, "%.6f", samples[i].time - samples[0].time);
        for (int f = SKIPPED; f < samples[i].depth; f++) {
            Dl_info info;
            if (dladdr(samples[i].frames[f], &info) && info.dli_fname)
                fprintf(file, " %s+%zx", info.dli_fname,
                        (size_t)((uintptr_t)samples[i].frames[f] - (uintptr_t)info.dli_fbase));
        }
        fputc('\n', file);
    }
    if (file)
        fclose(file);
}
