/* The module cobloc._engine: the C library for Python, as thin as it can be. It knows objects,
 * names and addresses; what arrays and frames are is known to the Python code beside it alone, so
 * that this needs neither NumPy's headers nor more than Python's stable interface.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_PYTHON_ENGINE_H
#define COBLOC_PYTHON_ENGINE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cobloc.h>

/* ---- objects.c ------------------------------------------------------------------------------- */

typedef enum object_kind {
    ANY = 0,
    MATRIX,
    IO_OPTIONS,
    TEXT_OPTIONS,
    FIT_OPTIONS,
    PREDICT_OPTIONS,
    DESCRIBE_OPTIONS,
    SELECT_OPTIONS,
    ENSEMBLE_OPTIONS,
    COMPARE_OPTIONS,
    REPORT,
    SIMULATION,
    TEXT_INFO,
    RESULT,
    SAVED,
    PREDICTION,
    DESCRIPTION,
    SELECTION,
    CONSENSUS,
    COMPARISON,
    CURVE,
    SCORES,
    COSCORES,
    CONFUSION,
    TRUTH,
    LABELS,
    NEED
} object_kind;

/* A new Python object that owns what `pointer` points to; releases it if there is no memory. */
PyObject *object_new(object_kind kind, void *pointer);
/* One that is a part of another, which it keeps alive. */
PyObject *object_part(object_kind kind, const void *pointer, PyObject *owner);
/* What it points to; NULL, with a TypeError, where it is of another kind. ANY takes every kind but
 * a matrix, which has no names. */
void *object_pointer(PyObject *object, object_kind kind);
/* NULL, without an error, for None. */
int object_optional(PyObject *object, object_kind kind, void *pointer_at);
/* Keeps `what` alive as long as the object. */
int object_keep(PyObject *object, PyObject *what);
int objects_ready(PyObject *module);

/* Sets the exception for a failed call; always NULL. */
PyObject *raise_status(cobloc_status status, const cobloc_error *err);
/* UTF-8 that may be broken; None for NULL. */
PyObject *text_of(const char *text);

/* ---- watch.c --------------------------------------------------------------------------------- */

/* What goes on while a long call runs without the lock of the interpreter. */
typedef struct watch {
    PyObject *report;               /* called with (what, done), or NULL */
    double last;                    /* when it was called last */
    int failed;                     /* it raised: */
    PyObject *type, *value, *trace; /* this */
    int listens;                    /* Ctrl-C stops the call, and raises nothing by itself */
    void *options;                  /* whose callback this is, or NULL */
    PyThreadState *state;
} watch;

/* `report`: a callable or None. `listens`: this is the main thread, and Ctrl-C has its usual
 * meaning. Between the two calls no Python object may be touched. */
void watch_begin(watch *w, PyObject *report, int listens, void *options);
/* False, with the exception, if the callable raised. */
int watch_end(watch *w, int *interrupted);

/* ---- the functions of the module ------------------------------------------------------------- */

extern PyMethodDef value_functions[], matrix_functions[], fit_functions[], result_functions[];

/* An argument that is an address. */
static inline void *address(unsigned long long number)
{
    return (void *)(uintptr_t)number;
}

/* The texts of a Python list, in new memory that PyMem_Free releases; they live as long as the
 * list. */
const char **texts_of(PyObject *list, Py_ssize_t *count);

#endif
