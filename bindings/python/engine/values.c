/* Options and results by name.
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"

/* ---- making options -------------------------------------------------------------------------- */

#define MAKE(text, its_kind, name)                                                                 \
    if (strcmp(what, text) == 0) {                                                                 \
        cobloc_##name *made = NULL;                                                                \
        cobloc_status status = cobloc_##name##_new(&made, &err);                                   \
        return status == COBLOC_OK ? object_new(its_kind, made) : raise_status(status, &err);      \
    }

static PyObject *make_options(PyObject *self, PyObject *args)
{
    const char *what;
    cobloc_error err;
    (void)self;
    if (!PyArg_ParseTuple(args, "s", &what))
        return NULL;
    MAKE("io", IO_OPTIONS, io_options)
    MAKE("text", TEXT_OPTIONS, text_options)
    MAKE("fit", FIT_OPTIONS, fit_options)
    MAKE("predict", PREDICT_OPTIONS, predict_options)
    MAKE("describe", DESCRIBE_OPTIONS, describe_options)
    MAKE("select", SELECT_OPTIONS, select_options)
    MAKE("ensemble", ENSEMBLE_OPTIONS, ensemble_options)
    MAKE("compare", COMPARE_OPTIONS, compare_options)
    MAKE("report", REPORT, report)
    MAKE("simulation", SIMULATION, simulation)
    PyErr_Format(PyExc_ValueError, "there are no options of '%s'", what);
    return NULL;
}

static PyObject *text_options_of(PyObject *self, PyObject *args)
{
    const char *json;
    cobloc_text_options *made = NULL;
    cobloc_error err;
    (void)self;
    if (!PyArg_ParseTuple(args, "s", &json))
        return NULL;
    cobloc_status status = cobloc_text_options_from_json(json, &made, &err);
    return status == COBLOC_OK ? object_new(TEXT_OPTIONS, made) : raise_status(status, &err);
}

/* ---- setting --------------------------------------------------------------------------------- */

static cobloc_status set_plain(void *options, const char *path, PyObject *value, cobloc_error *err)
{
    if (value == Py_None)
        return cobloc_set_text(options, path, NULL, err);
    if (PyBool_Check(value))
        return cobloc_set_flag(options, path, value == Py_True, err);
    if (PyFloat_Check(value))
        return cobloc_set_real(options, path, PyFloat_AsDouble(value), err);
    if (PyBytes_Check(value))
        return cobloc_set_text(options, path, PyBytes_AsString(value), err);
    return cobloc_set_int(options, path, PyLong_AsLongLong(value), err);
}

static PyObject *set_value(PyObject *self, PyObject *args)
{
    PyObject *object, *value;
    const char *path;
    cobloc_error err;
    void *options;
    (void)self;
    if (!PyArg_ParseTuple(args, "OsO", &object, &path, &value) ||
        !(options = object_pointer(object, ANY)))
        return NULL;
    if (value != Py_None && !PyBool_Check(value) && !PyFloat_Check(value) &&
        !PyBytes_Check(value) && !PyLong_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s cannot be set to this", path);
        return NULL;
    }
    cobloc_status status = set_plain(options, path, value, &err);
    if (PyErr_Occurred()) /* a number that is too large */
        return NULL;
    if (status != COBLOC_OK)
        return raise_status(status, &err);
    Py_RETURN_NONE;
}

/* An array at an address, of int32 or of double. */
static PyObject *set_array(PyObject *self, PyObject *args)
{
    PyObject *object;
    const char *path, *type;
    unsigned long long at;
    long long count;
    cobloc_error err;
    void *options;
    (void)self;
    if (!PyArg_ParseTuple(args, "OssKL", &object, &path, &type, &at, &count) ||
        !(options = object_pointer(object, ANY)))
        return NULL;
    cobloc_status status = strcmp(type, "i4") == 0
                               ? cobloc_set_ints(options, path, address(at), count, &err)
                               : cobloc_set_reals(options, path, address(at), count, &err);
    if (status != COBLOC_OK)
        return raise_status(status, &err);
    Py_RETURN_NONE;
}

static PyObject *set_texts(PyObject *self, PyObject *args)
{
    PyObject *object, *list;
    const char *path, **texts;
    Py_ssize_t count;
    cobloc_error err;
    void *options;
    (void)self;
    if (!PyArg_ParseTuple(args, "OsO", &object, &path, &list) ||
        !(options = object_pointer(object, ANY)) || !(texts = texts_of(list, &count)))
        return NULL;
    cobloc_status status = cobloc_set_texts(options, path, texts, count, &err);
    PyMem_Free((void *)texts);
    if (status != COBLOC_OK)
        return raise_status(status, &err);
    Py_RETURN_NONE;
}

static PyObject *set_object(PyObject *self, PyObject *args)
{
    PyObject *object, *value;
    const char *path;
    cobloc_error err;
    void *options, *what;
    (void)self;
    if (!PyArg_ParseTuple(args, "OsO", &object, &path, &value) ||
        !(options = object_pointer(object, ANY)))
        return NULL;
    if (!(what = object_pointer(value, MATRIX))) {
        PyErr_Clear();
        if (!(what = object_pointer(value, ANY)))
            return NULL;
    }
    cobloc_status status = cobloc_set_object(options, path, what, &err);
    if (status != COBLOC_OK)
        return raise_status(status, &err);
    if (!object_keep(object, value))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *append(PyObject *self, PyObject *args)
{
    PyObject *object;
    const char *path;
    cobloc_error err;
    void *options;
    (void)self;
    if (!PyArg_ParseTuple(args, "Os", &object, &path) || !(options = object_pointer(object, ANY)))
        return NULL;
    cobloc_status status = cobloc_append(options, path, &err);
    if (status != COBLOC_OK)
        return raise_status(status, &err);
    Py_RETURN_NONE;
}

/* ---- getting --------------------------------------------------------------------------------- */

static PyObject *texts_list(const void *from, const char *path)
{
    int64_t count;
    const char *const *texts = cobloc_texts(from, &count, "%s", path);
    if (!texts)
        Py_RETURN_NONE;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *text = text_of(texts[i]);
        if (!text || PyList_SetItem(list, (Py_ssize_t)i, text) != 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/* (type, address, shape): the array lives as long as the object. None where there is none. */
static PyObject *array_place(const void *from, const char *path, cobloc_kind kind)
{
    int64_t count, shape[2] = {0, 0};
    const void *at = kind == COBLOC_INTS     ? (const void *)cobloc_ints(from, &count, "%s", path)
                     : kind == COBLOC_INT64S ? (const void *)cobloc_int64s(from, &count, "%s", path)
                                             : (const void *)cobloc_reals(from, &count, "%s", path);
    const char *type = kind == COBLOC_INTS ? "<i4" : kind == COBLOC_INT64S ? "<i8" : "<f8";
    if (!at)
        Py_RETURN_NONE;
    unsigned long long place = (uintptr_t)at;
    if (cobloc_shape(from, shape, "%s", path) == 2 && shape[0] * shape[1] == count)
        return Py_BuildValue("(sK(LL))", type, place, (long long)shape[0], (long long)shape[1]);
    return Py_BuildValue("(sK(L))", type, place, (long long)count);
}

static PyObject *get_value(PyObject *self, PyObject *args)
{
    PyObject *object;
    const char *path;
    const void *from;
    (void)self;
    if (!PyArg_ParseTuple(args, "Os", &object, &path) || !(from = object_pointer(object, ANY)))
        return NULL;
    cobloc_kind kind = cobloc_field_kind(from, path);
    switch (kind) {
    case COBLOC_INT:
        return PyLong_FromLongLong(cobloc_int(from, "%s", path));
    case COBLOC_FLAG:
        return PyBool_FromLong((long)cobloc_int(from, "%s", path));
    case COBLOC_REAL:
        return PyFloat_FromDouble(cobloc_real(from, "%s", path));
    case COBLOC_TEXT:
    case COBLOC_CHOICE:
        return text_of(cobloc_text(from, "%s", path));
    case COBLOC_TEXTS:
        return texts_list(from, path);
    case COBLOC_LIST:
        return PyLong_FromLongLong(cobloc_count(from, "%s", path));
    case COBLOC_INTS:
    case COBLOC_INT64S:
    case COBLOC_REALS:
        return array_place(from, path, kind);
    default:
        PyErr_Format(PyExc_KeyError, "%s", path);
        return NULL;
    }
}

/* A result, description, ... inside another object; None where it is not there. */
static PyObject *get_part(PyObject *self, PyObject *args)
{
    PyObject *object;
    const char *path, *name;
    const void *from;
    (void)self;
    if (!PyArg_ParseTuple(args, "Oss", &object, &path, &name) ||
        !(from = object_pointer(object, ANY)))
        return NULL;
    const void *part = cobloc_object(from, "%s", path);
    if (!part)
        Py_RETURN_NONE;
    object_kind kind = strcmp(name, "result") == 0        ? RESULT
                       : strcmp(name, "selection") == 0   ? SELECTION
                       : strcmp(name, "fit options") == 0 ? FIT_OPTIONS
                                                          : ANY;
    return object_part(kind, part, object);
}

/* [(name, kind, help), ...] of an object, a group or the elements of a list. */
static PyObject *list_fields(PyObject *self, PyObject *args)
{
    PyObject *object;
    const char *path;
    const void *from;
    char full[256];
    (void)self;
    if (!PyArg_ParseTuple(args, "Os", &object, &path) || !(from = object_pointer(object, ANY)))
        return NULL;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < cobloc_field_count(from, path); i++) {
        const char *name = cobloc_field_name(from, path, i);
        snprintf(full, sizeof full, "%s%s%s", path, *path ? "." : "", name);
        PyObject *field = Py_BuildValue("(sis)", name, (int)cobloc_field_kind(from, full),
                                        cobloc_field_help(from, full));
        if (!field || PyList_Append(list, field) != 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(field);
    }
    return list;
}

PyMethodDef value_functions[] = {
    {"options", make_options, METH_VARARGS, "New options of a kind, with their defaults."},
    {"text_options_of", text_options_of, METH_VARARGS, "Text options from a matrix's JSON."},
    {"set", set_value, METH_VARARGS, "Sets a number, flag, choice or text; None: its default."},
    {"set_array", set_array, METH_VARARGS, "Copies an array at an address."},
    {"set_texts", set_texts, METH_VARARGS, "Copies a list of texts."},
    {"set_object", set_object, METH_VARARGS, "Points options at an object, which they keep."},
    {"append", append, METH_VARARGS, "Adds an element to a list."},
    {"get", get_value, METH_VARARGS, "A value by its path; an array as (type, address, shape)."},
    {"part", get_part, METH_VARARGS, "An object inside another."},
    {"fields", list_fields, METH_VARARGS, "Names, kinds and help."},
    {NULL, NULL, 0, NULL},
};
