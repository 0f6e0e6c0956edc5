/* Objects of the library as Python objects, and its errors as exceptions.
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"

typedef struct engine_object {
    PyObject ob_base;
    object_kind kind;
    void *pointer;
    PyObject *owner; /* of which it is a part; NULL: it owns what it points to */
    PyObject *kept;  /* a list; or NULL */
} engine_object;

static PyObject *object_type;

/* ---- releasing ------------------------------------------------------------------------------- */

#define RELEASE(its_kind, name)                                                                    \
    case its_kind:                                                                                 \
        cobloc_##name##_free(pointer);                                                             \
        break;

static void release(object_kind kind, void *pointer)
{
    switch (kind) {
        RELEASE(MATRIX, matrix)
        RELEASE(IO_OPTIONS, io_options)
        RELEASE(TEXT_OPTIONS, text_options)
        RELEASE(FIT_OPTIONS, fit_options)
        RELEASE(PREDICT_OPTIONS, predict_options)
        RELEASE(DESCRIBE_OPTIONS, describe_options)
        RELEASE(SELECT_OPTIONS, select_options)
        RELEASE(ENSEMBLE_OPTIONS, ensemble_options)
        RELEASE(COMPARE_OPTIONS, compare_options)
        RELEASE(REPORT, report)
        RELEASE(SIMULATION, simulation)
        RELEASE(TEXT_INFO, text_info)
        RELEASE(RESULT, result)
        RELEASE(SAVED, saved)
        RELEASE(PREDICTION, prediction)
        RELEASE(DESCRIPTION, description)
        RELEASE(SELECTION, selection)
        RELEASE(CONSENSUS, consensus)
        RELEASE(COMPARISON, comparison)
        RELEASE(CURVE, curve)
        RELEASE(SCORES, scores)
        RELEASE(COSCORES, coscores)
        RELEASE(CONFUSION, confusion)
        RELEASE(TRUTH, truth)
        RELEASE(LABELS, labels)
        RELEASE(NEED, fit_need)
    case ANY:
        break;
    }
}

static void object_dealloc(PyObject *self)
{
    engine_object *object = (engine_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release_self = (freefunc)PyType_GetSlot(type, Py_tp_free);
    if (!object->owner && object->pointer)
        release(object->kind, object->pointer);
    Py_XDECREF(object->owner);
    Py_XDECREF(object->kept);
    release_self(self);
    Py_DECREF(type);
}

/* ---- making ---------------------------------------------------------------------------------- */

static engine_object *allocate(object_kind kind, void *pointer)
{
    PyTypeObject *type = (PyTypeObject *)object_type;
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    engine_object *object = (engine_object *)make(type, 0);
    if (object) {
        object->kind = kind;
        object->pointer = pointer;
    }
    return object;
}

PyObject *object_new(object_kind kind, void *pointer)
{
    engine_object *object = allocate(kind, pointer);
    if (!object)
        release(kind, pointer);
    return (PyObject *)object;
}

PyObject *object_part(object_kind kind, const void *pointer, PyObject *owner)
{
    engine_object *object = allocate(kind, (void *)(uintptr_t)pointer);
    if (object) {
        Py_INCREF(owner);
        object->owner = owner;
    }
    return (PyObject *)object;
}

static const char *kind_name(object_kind kind)
{
    static const char *const names[] = {"options or a result",
                                        "a matrix",
                                        "io options",
                                        "text options",
                                        "fit options",
                                        "predict options",
                                        "describe options",
                                        "select options",
                                        "ensemble options",
                                        "compare options",
                                        "a report",
                                        "a simulation",
                                        "text info",
                                        "a result",
                                        "a saved result",
                                        "a prediction",
                                        "a description",
                                        "a selection",
                                        "a consensus",
                                        "a comparison",
                                        "a curve",
                                        "scores",
                                        "scores",
                                        "a confusion table",
                                        "a truth",
                                        "labels",
                                        "a need"};
    return names[kind];
}

void *object_pointer(PyObject *object, object_kind kind)
{
    const engine_object *own = (const engine_object *)object;
    if (PyObject_TypeCheck(object, (PyTypeObject *)object_type) &&
        (own->kind == kind || (kind == ANY && own->kind != MATRIX)))
        return own->pointer;
    PyErr_Format(PyExc_TypeError, "expected %s of cobloc's engine", kind_name(kind));
    return NULL;
}

int object_optional(PyObject *object, object_kind kind, void *pointer_at)
{
    void *pointer = object == Py_None ? NULL : object_pointer(object, kind);
    memcpy(pointer_at, &pointer, sizeof pointer);
    return pointer || object == Py_None;
}

int object_keep(PyObject *object, PyObject *what)
{
    engine_object *own = (engine_object *)object;
    if (!own->kept && !(own->kept = PyList_New(0)))
        return 0;
    return PyList_Append(own->kept, what) == 0;
}

/* Only this module makes them. */
static PyObject *refuse_new(PyTypeObject *type, PyObject *args, PyObject *words)
{
    (void)type;
    (void)args;
    (void)words;
    PyErr_SetString(PyExc_TypeError, "objects of cobloc's engine are made by its functions");
    return NULL;
}

static PyType_Slot object_slots[] = {
    {Py_tp_new, refuse_new},
    {Py_tp_dealloc, object_dealloc},
    {Py_tp_doc, "Something that belongs to the C library."},
    {0, NULL},
};

static PyType_Spec object_spec = {
    .name = "cobloc._engine.Object",
    .basicsize = sizeof(engine_object),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = object_slots,
};

int objects_ready(PyObject *module)
{
    object_type = PyType_FromSpec(&object_spec);
    if (!object_type)
        return 0;
    Py_INCREF(object_type); /* the module's, and ours */
    return PyModule_AddObject(module, "Object", object_type) == 0;
}

/* ---- errors and texts ------------------------------------------------------------------------ */

PyObject *text_of(const char *text)
{
    if (!text)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

PyObject *raise_status(cobloc_status status, const cobloc_error *err)
{
    PyObject *type = PyExc_ValueError, *message = text_of(err->message);
    switch (status) {
    case COBLOC_IO:
        type = PyExc_OSError;
        break;
    case COBLOC_NO_MEMORY:
        type = PyExc_MemoryError;
        break;
    case COBLOC_CANCELLED:
        type = PyExc_KeyboardInterrupt;
        break;
    default:
        break;
    }
    if (message)
        PyErr_SetObject(type, message);
    Py_XDECREF(message);
    return NULL;
}

const char **texts_of(PyObject *list, Py_ssize_t *count)
{
    const char **texts = NULL;
    *count = PyList_Check(list) ? PyList_Size(list) : -1;
    if (*count < 0) {
        PyErr_SetString(PyExc_TypeError, "expected a list of texts");
        return NULL;
    }
    texts = PyMem_Malloc(((size_t)*count + 1) * sizeof *texts);
    if (!texts)
        return (const char **)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < *count; i++) {
        PyObject *bytes = PyList_GetItem(list, i);
        char *text = NULL;
        if (!PyBytes_Check(bytes) || PyBytes_AsStringAndSize(bytes, &text, NULL) != 0) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "expected a list of bytes");
            PyMem_Free(texts);
            return NULL;
        }
        texts[i] = text;
    }
    return texts;
}
