/* Matrices: from arrays, files and texts, and what they hold.
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"

/* ---- from arrays ----------------------------------------------------------------------------- */

/* The matrix is done with the arrays of a Python object; whoever calls may have no lock. */
static void let_go(void *owner)
{
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF((PyObject *)owner);
    PyGILState_Release(state);
}

static PyObject *made_matrix(cobloc_status status, cobloc_matrix *made, const cobloc_error *err)
{
    return status == COBLOC_OK ? object_new(MATRIX, made) : raise_status(status, err);
}

static PyObject *from_compressed(PyObject *self, PyObject *args)
{
    long long rows, cols;
    int by_columns, offset_type, index_type, value_type;
    unsigned long long offsets, indices, values;
    PyObject *owner;
    cobloc_matrix *made = NULL;
    cobloc_error err;
    cobloc_status status;
    (void)self;
    if (!PyArg_ParseTuple(args, "LLpKiKiKiO", &rows, &cols, &by_columns, &offsets, &offset_type,
                          &indices, &index_type, &values, &value_type, &owner))
        return NULL;
    Py_INCREF(owner);
    Py_BEGIN_ALLOW_THREADS status = cobloc_matrix_from_compressed(
        rows, cols, by_columns, address(offsets), (cobloc_array_type)offset_type, address(indices),
        (cobloc_array_type)index_type, address(values), (cobloc_array_type)value_type, let_go,
        owner, &made, &err);
    Py_END_ALLOW_THREADS if (status != COBLOC_OK) Py_DECREF(owner);
    return made_matrix(status, made, &err);
}

static PyObject *from_dense(PyObject *self, PyObject *args)
{
    long long rows, cols;
    unsigned long long values;
    int type;
    cobloc_matrix *made = NULL;
    cobloc_error err;
    cobloc_status status;
    (void)self;
    if (!PyArg_ParseTuple(args, "LLKi", &rows, &cols, &values, &type))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status =
        cobloc_matrix_from_dense(rows, cols, address(values), (cobloc_array_type)type, &made, &err);
    Py_END_ALLOW_THREADS return made_matrix(status, made, &err);
}

/* ---- from files and texts -------------------------------------------------------------------- */

/* (matrix, info or None). */
static PyObject *with_info(cobloc_status status, cobloc_matrix *matrix, cobloc_text_info *info,
                           const cobloc_error *err)
{
    if (status != COBLOC_OK)
        return raise_status(status, err);
    PyObject *first = object_new(MATRIX, matrix), *second = Py_None;
    if (info)
        second = object_new(TEXT_INFO, info);
    else
        Py_INCREF(second);
    if (first && second)
        return Py_BuildValue("(NN)", first, second);
    Py_XDECREF(first);
    Py_XDECREF(second);
    return NULL;
}

static PyObject *read_input(PyObject *self, PyObject *args)
{
    const char *path;
    PyObject *io_object, *text_object, *report;
    cobloc_io_options *io;
    cobloc_text_options *text;
    int listens;
    cobloc_matrix *matrix = NULL;
    cobloc_text_info *info = NULL;
    cobloc_error err;
    watch w;
    (void)self;
    if (!PyArg_ParseTuple(args, "yOOOp", &path, &io_object, &text_object, &report, &listens) ||
        !(io = object_pointer(io_object, IO_OPTIONS)) ||
        !object_optional(text_object, TEXT_OPTIONS, &text))
        return NULL;
    watch_begin(&w, report, listens, io);
    cobloc_status status = cobloc_read(path, io, text, &matrix, &info, &err);
    if (!watch_end(&w, NULL)) {
        cobloc_matrix_free(matrix);
        cobloc_text_info_free(info);
        return NULL;
    }
    return with_info(status, matrix, info, &err);
}

static PyObject *write_matrix(PyObject *self, PyObject *args)
{
    PyObject *object, *options;
    const char *path;
    cobloc_matrix *matrix;
    cobloc_io_options *io;
    cobloc_error err;
    cobloc_status status;
    (void)self;
    if (!PyArg_ParseTuple(args, "OyO", &object, &path, &options) ||
        !(matrix = object_pointer(object, MATRIX)) || !object_optional(options, IO_OPTIONS, &io))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = cobloc_matrix_write(matrix, path, io, &err);
    Py_END_ALLOW_THREADS if (status != COBLOC_OK) return raise_status(status, &err);
    Py_RETURN_NONE;
}

static PyObject *count_words(PyObject *self, PyObject *args)
{
    PyObject *documents, *options, *report;
    cobloc_text_options *o;
    int listens;
    Py_ssize_t count;
    const char **texts;
    cobloc_matrix *matrix = NULL;
    cobloc_text_info *info = NULL;
    cobloc_error err;
    watch w;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOp", &documents, &options, &report, &listens) ||
        !(o = object_pointer(options, TEXT_OPTIONS)) || !(texts = texts_of(documents, &count)))
        return NULL;
    size_t *sizes = PyMem_Malloc(((size_t)count + 1) * sizeof *sizes);
    if (!sizes) {
        PyMem_Free((void *)texts);
        return PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; i < count; i++)
        sizes[i] = (size_t)PyBytes_Size(PyList_GetItem(documents, i));
    watch_begin(&w, report, listens, o);
    cobloc_status status = cobloc_text_count(texts, sizes, count, o, &matrix, &info, &err);
    int went_well = watch_end(&w, NULL);
    PyMem_Free((void *)texts);
    PyMem_Free(sizes);
    if (!went_well) {
        cobloc_matrix_free(matrix);
        cobloc_text_info_free(info);
        return NULL;
    }
    return with_info(status, matrix, info, &err);
}

static PyObject *simulate(PyObject *self, PyObject *args)
{
    PyObject *object;
    cobloc_simulation *simulation;
    cobloc_matrix *matrix = NULL;
    cobloc_truth *truth = NULL;
    cobloc_error err;
    cobloc_status status;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &object) || !(simulation = object_pointer(object, SIMULATION)))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = cobloc_simulate(simulation, &matrix, &truth, &err);
    Py_END_ALLOW_THREADS if (status != COBLOC_OK) return raise_status(status, &err);
    PyObject *first = object_new(MATRIX, matrix), *second = object_new(TRUTH, truth);
    if (first && second)
        return Py_BuildValue("(NN)", first, second);
    Py_XDECREF(first);
    Py_XDECREF(second);
    return NULL;
}

static PyObject *preset(PyObject *self, PyObject *args)
{
    const char *name;
    cobloc_simulation *made = NULL;
    cobloc_error err;
    (void)self;
    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    cobloc_status status = cobloc_simulation_preset(name, &made, &err);
    return status == COBLOC_OK ? object_new(SIMULATION, made) : raise_status(status, &err);
}

/* ---- what it holds --------------------------------------------------------------------------- */

static PyObject *describe_matrix(PyObject *self, PyObject *args)
{
    PyObject *object;
    const cobloc_matrix *m;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &object) || !(m = object_pointer(object, MATRIX)))
        return NULL;
    return Py_BuildValue(
        "{sLsLsLsLsLsssOsdsnsLsLsNsNsN}", "rows", (long long)cobloc_matrix_rows(m), "cols",
        (long long)cobloc_matrix_cols(m), "nnz", (long long)cobloc_matrix_nnz(m), "empty_rows",
        (long long)cobloc_matrix_empty_rows(m), "empty_cols",
        (long long)cobloc_matrix_empty_cols(m), "kind",
        cobloc_value_kind_name(cobloc_matrix_kind(m)), "borrowed",
        cobloc_matrix_is_borrowed(m) ? Py_True : Py_False, "total", cobloc_matrix_total(m), "bytes",
        (Py_ssize_t)cobloc_matrix_bytes(m), "missing", (long long)cobloc_matrix_missing_count(m),
        "categories", (long long)cobloc_matrix_category_count(m), "format",
        text_of(cobloc_matrix_format(m)), "path", text_of(cobloc_matrix_path(m)), "text",
        text_of(cobloc_matrix_text(m)));
}

/* (major, minor, nnz, type, address of offsets, of indices, of values). */
static PyObject *view(PyObject *self, PyObject *args)
{
    static const char *const types[] = {"", "|u1", "<u2", "<u4", "<f4", "<f8"};
    PyObject *object;
    int by_columns;
    const cobloc_matrix *m;
    cobloc_error err;
    (void)self;
    if (!PyArg_ParseTuple(args, "Op", &object, &by_columns) ||
        !(m = object_pointer(object, MATRIX)))
        return NULL;
    cobloc_status status = cobloc_matrix_verify(m, &err);
    if (status != COBLOC_OK)
        return raise_status(status, &err);
    cobloc_view v = by_columns ? cobloc_matrix_by_cols(m) : cobloc_matrix_by_rows(m);
    return Py_BuildValue("(LLLsKKK)", (long long)v.major, (long long)v.minor, (long long)v.nnz,
                         types[v.kind], (unsigned long long)(uintptr_t)v.offsets,
                         (unsigned long long)(uintptr_t)v.indices,
                         (unsigned long long)(uintptr_t)v.values);
}

/* The matrix of ones where cells are missing; None where none is. */
static PyObject *missing(PyObject *self, PyObject *args)
{
    PyObject *object;
    const cobloc_matrix *m;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &object) || !(m = object_pointer(object, MATRIX)))
        return NULL;
    if (!cobloc_matrix_missing(m))
        Py_RETURN_NONE;
    return object_part(MATRIX, cobloc_matrix_missing(m), object);
}

typedef const char *(*name_fn)(const cobloc_matrix *, int64_t);

/* A list, or None where there are no names. */
static PyObject *names(PyObject *self, PyObject *args)
{
    PyObject *object;
    const char *which;
    const cobloc_matrix *m;
    (void)self;
    if (!PyArg_ParseTuple(args, "Os", &object, &which) || !(m = object_pointer(object, MATRIX)))
        return NULL;
    name_fn get = *which == 'r'   ? cobloc_matrix_row_name
                  : *which == 'c' ? cobloc_matrix_col_name
                  : *which == 'l' ? cobloc_matrix_row_label
                                  : cobloc_matrix_category_name;
    int64_t count = *which == 'c'                    ? cobloc_matrix_cols(m)
                    : *which == 'r' || *which == 'l' ? cobloc_matrix_rows(m)
                                                     : cobloc_matrix_category_count(m);
    if (count == 0 || !get(m, 0))
        Py_RETURN_NONE;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *text = text_of(get(m, i));
        if (!text || PyList_SetItem(list, (Py_ssize_t)i, text) != 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject *set_names(PyObject *self, PyObject *args)
{
    PyObject *object, *list;
    const char *which, **texts;
    Py_ssize_t count;
    cobloc_matrix *m;
    cobloc_error err;
    (void)self;
    if (!PyArg_ParseTuple(args, "OsO", &object, &which, &list) ||
        !(m = object_pointer(object, MATRIX)) || !(texts = texts_of(list, &count)))
        return NULL;
    cobloc_status status = COBLOC_OK;
    int64_t expected = *which == 'c' ? cobloc_matrix_cols(m) : cobloc_matrix_rows(m);
    if (*which == 'g')
        status = cobloc_matrix_set_categories(m, texts, count, &err);
    else if (count != expected)
        PyErr_Format(PyExc_ValueError, "there are %zd names for %lld lines", count,
                     (long long)expected);
    else if (*which == 'r')
        status = cobloc_matrix_set_row_names(m, texts, &err);
    else if (*which == 'c')
        status = cobloc_matrix_set_col_names(m, texts, &err);
    else
        status = cobloc_matrix_set_row_labels(m, texts, &err);
    PyMem_Free((void *)texts);
    if (PyErr_Occurred())
        return NULL;
    if (status != COBLOC_OK)
        return raise_status(status, &err);
    Py_RETURN_NONE;
}

PyMethodDef matrix_functions[] = {
    {"compressed", from_compressed, METH_VARARGS, "A matrix on SciPy's arrays."},
    {"dense", from_dense, METH_VARARGS, "A matrix from all its cells."},
    {"read", read_input, METH_VARARGS, "Reads any input: (matrix, text info or None)."},
    {"write", write_matrix, METH_VARARGS, "Writes a matrix."},
    {"count", count_words, METH_VARARGS, "Counts the terms of documents: (matrix, info)."},
    {"simulate", simulate, METH_VARARGS, "Draws a matrix: (matrix, truth)."},
    {"preset", preset, METH_VARARGS, "A simulation by its name."},
    {"matrix", describe_matrix, METH_VARARGS, "What there is to say about a matrix."},
    {"view", view, METH_VARARGS, "Addresses of its entries by rows or by columns."},
    {"missing", missing, METH_VARARGS, "Where cells are missing."},
    {"names", names, METH_VARARGS, "rows, cols, labels or groups."},
    {"set_names", set_names, METH_VARARGS, "Gives such names."},
    {NULL, NULL, 0, NULL},
};
