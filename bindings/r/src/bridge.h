/* What the files of this folder share: calls from R, values by name, matrices, interruption.
 *
 * Everything here goes through the public headers. A call holds the library's objects in a scope,
 * so that they are released also where R jumps past the end of the call (no memory, say).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_R_BRIDGE_H
#define COBLOC_R_BRIDGE_H

#define R_NO_REMAP
#define STRICT_R_HEADERS

#include <R.h>
#include <Rinternals.h>

#include <cobloc.h>

#include <pthread.h>

/* ---- calls
 * --------------------------------------------------------------------------------------- */

typedef void (*release_fn)(void *object);

enum { MOST_HELD = 16 };

/* The objects of a call, released in the reverse order. */
typedef struct scope {
    int count;
    void *objects[MOST_HELD];
    release_fn releases[MOST_HELD];
} scope;

/* One call from R. */
typedef struct call {
    SEXP guard; /* keeps the scope alive, and releases what it holds at the latest with itself */
    scope *held;
    cobloc_error err;
    SEXP progress; /* a function(what, done), or NULL */
    pthread_t thread;
    double asked; /* when R was asked last, in seconds */
    int interrupted;
} call;

/* PROTECTs one object; call_return releases what the call holds and UNPROTECTs it. */
void call_begin(call *c);
SEXP call_return(call *c, SEXP out);
void call_hold(call *c, void *object, release_fn release);

/* What R turns into a condition: the status and the sentence. */
SEXP call_failure(const call *c);

/* Sets the options' callback: R's own check for interrupts, and progress where that is asked for.
 */
void call_watch(call *c, void *options, SEXP progress);

/* Jumps to the label `done` where a function of the library failed; `out` is then the failure. */
#define TRY(function_call)                                                                         \
    do {                                                                                           \
        if ((function_call) != COBLOC_OK) {                                                        \
            out = call_failure(&c);                                                                \
            goto done;                                                                             \
        }                                                                                          \
    } while (0)

/* Makes an object by a function TYPE_new and holds it. */
#define MAKE(type, name)                                                                           \
    do {                                                                                           \
        TRY(cobloc_##type##_new(&(name), &c.err));                                                 \
        call_hold(&c, name, release_##type);                                                       \
    } while (0)

/* Releases that take any pointer. */
void release_matrix(void *object);
void release_io_options(void *object);
void release_text_options(void *object);
void release_text_info(void *object);
void release_fit_options(void *object);
void release_result(void *object);
void release_saved(void *object);
void release_predict_options(void *object);
void release_prediction(void *object);
void release_describe_options(void *object);
void release_description(void *object);
void release_select_options(void *object);
void release_selection(void *object);
void release_ensemble_options(void *object);
void release_consensus(void *object);
void release_scores(void *object);
void release_coscores(void *object);
void release_confusion(void *object);
void release_compare_options(void *object);
void release_comparison(void *object);
void release_report(void *object);
void release_simulation(void *object);
void release_truth(void *object);

/* ---- values by name
 * -------------------------------------------------------------------------------- */

/* Sets options from a named list; NULL elements are passed over, lists are groups or lists of
 * groups. */
cobloc_status set_options(void *options, SEXP values, cobloc_error *err);

/* All names of an object, a group or an element as a named list; "" is the object itself. Objects
 * within it are left out. */
SEXP read_values(const void *object, const char *path);

/* A vector of strings in UTF-8; NULL where `text` yields NULL for the first. */
SEXP texts_to_r(const char *(*text)(const cobloc_matrix *, int64_t), const cobloc_matrix *matrix,
                int64_t count);
SEXP text_to_r(const char *text);

/* ---- matrices
 * -------------------------------------------------------------------------------------- */

/* Makes a matrix from what R's cobloc_table() made, and holds it. Arrays are borrowed: the matrix
 * must not outlive the call. */
cobloc_status matrix_from_r(call *c, SEXP table, cobloc_matrix **out);

/* Compressed columns, names, labels, categories. */
SEXP matrix_to_r(const cobloc_matrix *matrix);

#endif
