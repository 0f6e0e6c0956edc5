/* Calls from R: what they hold, how they fail, and how they are interrupted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bridge.h"

#include <string.h>
#include <time.h>

/* ---- scopes
 * ---------------------------------------------------------------------------------------- */

static void release_all(SEXP guard)
{
    scope *held = R_ExternalPtrAddr(guard);
    while (held && held->count > 0) {
        held->count--;
        held->releases[held->count](held->objects[held->count]);
    }
}

void call_begin(call *c)
{
    memset(c, 0, sizeof *c);
    SEXP room = PROTECT(Rf_allocVector(RAWSXP, sizeof(scope)));
    c->held = (scope *)(void *)RAW(room);
    c->held->count = 0;
    c->guard = R_MakeExternalPtr(c->held, R_NilValue, room);
    UNPROTECT(1);
    PROTECT(c->guard);
    R_RegisterCFinalizer(c->guard, release_all);
    c->progress = R_NilValue;
}

SEXP call_return(call *c, SEXP out)
{
    PROTECT(out);
    release_all(c->guard);
    UNPROTECT(2); /* and the guard */
    return out;
}

void call_hold(call *c, void *object, release_fn release)
{
    if (!object)
        return;
    if (c->held->count == MOST_HELD) {
        release(object);
        Rf_error("a call holds too many objects");
    }
    c->held->objects[c->held->count] = object;
    c->held->releases[c->held->count] = release;
    c->held->count++;
}

#define DEFINE_RELEASE(type)                                                                       \
    void release_##type(void *object)                                                              \
    {                                                                                              \
        cobloc_##type##_free(object);                                                              \
    }

DEFINE_RELEASE(matrix)
DEFINE_RELEASE(io_options)
DEFINE_RELEASE(text_options)
DEFINE_RELEASE(text_info)
DEFINE_RELEASE(fit_options)
DEFINE_RELEASE(result)
DEFINE_RELEASE(saved)
DEFINE_RELEASE(predict_options)
DEFINE_RELEASE(prediction)
DEFINE_RELEASE(describe_options)
DEFINE_RELEASE(description)
DEFINE_RELEASE(select_options)
DEFINE_RELEASE(selection)
DEFINE_RELEASE(ensemble_options)
DEFINE_RELEASE(consensus)
DEFINE_RELEASE(scores)
DEFINE_RELEASE(coscores)
DEFINE_RELEASE(confusion)
DEFINE_RELEASE(compare_options)
DEFINE_RELEASE(comparison)
DEFINE_RELEASE(report)
DEFINE_RELEASE(simulation)
DEFINE_RELEASE(truth)

/* ---- failures
 * -------------------------------------------------------------------------------------- */

SEXP call_failure(const call *c)
{
    SEXP failure = PROTECT(Rf_allocVector(VECSXP, 2));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, 2));
    SET_STRING_ELT(names, 0, Rf_mkChar("status"));
    SET_STRING_ELT(names, 1, Rf_mkChar("message"));
    SET_VECTOR_ELT(failure, 0, text_to_r(cobloc_status_name(c->err.status)));
    SET_VECTOR_ELT(failure, 1, text_to_r(c->err.message));
    Rf_setAttrib(failure, R_NamesSymbol, names);
    Rf_setAttrib(failure, R_ClassSymbol, Rf_mkString("cobloc_failure"));
    UNPROTECT(2);
    return failure;
}

/* ---- interruption
 * ---------------------------------------------------------------------------------- */

static const double ASK_EVERY =
    0.05; /* seconds: asking R costs more than an iteration of a small fit */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check_interrupt(void *unused)
{
    (void)unused;
    R_CheckUserInterrupt();
}

static void show_progress(const call *c, const char *what, double done)
{
    int failed;
    SEXP words = PROTECT(text_to_r(what));
    SEXP share = PROTECT(Rf_ScalarReal(done));
    SEXP expression = PROTECT(Rf_lang3(c->progress, words, share));
    R_tryEvalSilent(expression, R_GlobalEnv, &failed);
    UNPROTECT(3);
}

/* R may only be asked from its own thread; others learn what that one found. */
static int watch(void *user, const char *what, double done)
{
    call *c = user;
    if (c->interrupted || !pthread_equal(pthread_self(), c->thread))
        return c->interrupted;
    double time = now();
    if (time - c->asked < ASK_EVERY && done < 1)
        return 0;
    c->asked = time;
    if (!R_ToplevelExec(check_interrupt, NULL))
        c->interrupted = 1;
    else if (c->progress != R_NilValue)
        show_progress(c, what, done);
    return c->interrupted;
}

void call_watch(call *c, void *options, SEXP progress)
{
    c->thread = pthread_self();
    c->progress = progress;
    cobloc_set_progress(options, watch, c);
}
