/* Results that are kept: in memory, in folders, as reports and pictures. And the list of models.
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"

static PyObject *kept(cobloc_status status, cobloc_saved *made, const cobloc_error *err)
{
    return status == COBLOC_OK ? object_new(SAVED, made) : raise_status(status, err);
}

static PyObject *saved_of(PyObject *self, PyObject *args)
{
    PyObject *result_object, *matrix_object, *options_object;
    const cobloc_result *result;
    const cobloc_matrix *matrix;
    const cobloc_fit_options *options;
    cobloc_saved *made = NULL;
    cobloc_error err;
    cobloc_status status;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOO", &result_object, &matrix_object, &options_object) ||
        !(result = object_pointer(result_object, RESULT)) ||
        !(matrix = object_pointer(matrix_object, MATRIX)) ||
        !(options = object_pointer(options_object, FIT_OPTIONS)))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = cobloc_saved_of(result, matrix, options, &made, &err);
    Py_END_ALLOW_THREADS return kept(status, made, &err);
}

static PyObject *saved_read(PyObject *self, PyObject *args)
{
    const char *folder;
    cobloc_saved *made = NULL;
    cobloc_error err;
    cobloc_status status;
    (void)self;
    if (!PyArg_ParseTuple(args, "y", &folder))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = cobloc_saved_read(folder, &made, &err);
    Py_END_ALLOW_THREADS return kept(status, made, &err);
}

static PyObject *pack(PyObject *self, PyObject *args)
{
    PyObject *object;
    const cobloc_saved *saved;
    void *bytes = NULL;
    size_t count = 0;
    cobloc_error err;
    cobloc_status status;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &object) || !(saved = object_pointer(object, SAVED)))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = cobloc_saved_pack(saved, &bytes, &count, &err);
    Py_END_ALLOW_THREADS if (status != COBLOC_OK) return raise_status(status, &err);
    PyObject *made = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)count);
    cobloc_bytes_free(bytes);
    return made;
}

static PyObject *unpack(PyObject *self, PyObject *args)
{
    const char *bytes;
    Py_ssize_t count;
    cobloc_saved *made = NULL;
    cobloc_error err;
    cobloc_status status;
    (void)self;
    if (!PyArg_ParseTuple(args, "y#", &bytes, &count))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = cobloc_saved_unpack(bytes, (size_t)count, &made, &err);
    Py_END_ALLOW_THREADS return kept(status, made, &err);
}

typedef const char *(*name_fn)(const cobloc_saved *, int64_t);

/* The names of rows or columns that were fitted; None where there were none. */
static PyObject *saved_names(PyObject *self, PyObject *args)
{
    PyObject *object;
    const char *which;
    const cobloc_saved *saved;
    (void)self;
    if (!PyArg_ParseTuple(args, "Os", &object, &which) || !(saved = object_pointer(object, SAVED)))
        return NULL;
    name_fn get = *which == 'r' ? cobloc_saved_row_name : cobloc_saved_col_name;
    int64_t count = cobloc_int(saved, *which == 'r' ? "result.n" : "result.d");
    if (!get(saved, 0))
        Py_RETURN_NONE;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *text = text_of(get(saved, i));
        if (!text || PyList_SetItem(list, (Py_ssize_t)i, text) != 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject *write_result(PyObject *self, PyObject *args)
{
    PyObject *result_object, *matrix_object, *options_object;
    const char *folder;
    const cobloc_result *result;
    const cobloc_matrix *matrix;
    const cobloc_fit_options *options;
    cobloc_error err;
    cobloc_status status;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOy", &result_object, &matrix_object, &options_object, &folder) ||
        !(result = object_pointer(result_object, RESULT)) ||
        !(matrix = object_pointer(matrix_object, MATRIX)) ||
        !(options = object_pointer(options_object, FIT_OPTIONS)))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = cobloc_result_write(result, matrix, options, folder, &err);
    Py_END_ALLOW_THREADS if (status != COBLOC_OK) return raise_status(status, &err);
    Py_RETURN_NONE;
}

/* A page where no picture is named, else the picture. */
static PyObject *write_report(PyObject *self, PyObject *args)
{
    PyObject *object;
    const char *path, *picture;
    const cobloc_report *report;
    cobloc_error err;
    cobloc_status status = COBLOC_OK;
    int which = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "Oyz", &object, &path, &picture) ||
        !(report = object_pointer(object, REPORT)))
        return NULL;
    while (picture && which < cobloc_picture_count() &&
           strcmp(picture, cobloc_picture_name((cobloc_picture)which)) != 0)
        which++;
    if (picture && which == cobloc_picture_count()) {
        PyErr_Format(PyExc_ValueError, "there is no picture '%s'", picture);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS status =
        picture ? cobloc_plot_result(path, report, (cobloc_picture)which, &err)
                : cobloc_report_write(report, path, &err);
    Py_END_ALLOW_THREADS if (status != COBLOC_OK) return raise_status(status, &err);
    Py_RETURN_NONE;
}

static PyObject *list_models(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < cobloc_model_count(); i++) {
        PyObject *model = Py_BuildValue(
            "{sssssssssssNsNsNsNsNsi}", "name", cobloc_model_name(i), "title",
            cobloc_model_title(i), "criterion", cobloc_model_criterion(i), "inference",
            cobloc_inference_name(cobloc_model_inference(i)), "weight",
            cobloc_weight_name(cobloc_model_weight(i)), "minimised",
            PyBool_FromLong(cobloc_model_is_minimised(i)), "diagonal",
            PyBool_FromLong(cobloc_model_is_diagonal(i)), "one_sided",
            PyBool_FromLong(cobloc_model_is_one_sided(i)), "probabilities",
            PyBool_FromLong(cobloc_model_has_probabilities(i)), "predicts",
            PyBool_FromLong(cobloc_model_predicts(i)), "restarts", cobloc_model_restarts(i));
        if (!model || PyList_Append(list, model) != 0)
            Py_CLEAR(list);
        Py_XDECREF(model);
    }
    return list;
}

PyMethodDef result_functions[] = {
    {"saved_of", saved_of, METH_VARARGS, "What a folder would hold, in memory."},
    {"saved_read", saved_read, METH_VARARGS, "Reads the folder of a result."},
    {"saved_names", saved_names, METH_VARARGS, "Names of the rows or cols that were fitted."},
    {"pack", pack, METH_VARARGS, "A saved result as bytes."},
    {"unpack", unpack, METH_VARARGS, "A saved result from bytes."},
    {"write_result", write_result, METH_VARARGS, "Writes a result into a folder."},
    {"write_report", write_report, METH_VARARGS, "Writes a page or a picture."},
    {"models", list_models, METH_NOARGS, "All that can be fitted."},
    {NULL, NULL, 0, NULL},
};
