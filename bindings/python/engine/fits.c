/* What takes long: fits, selections, ensembles, comparisons, predictions.
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"

/* (object, interrupted), or the exception. */
static PyObject *finished(watch *w, cobloc_status status, const cobloc_error *err, object_kind kind,
                          void *made)
{
    int interrupted;
    if (!watch_end(w, &interrupted)) {
        Py_XDECREF(made ? object_new(kind, made) : NULL);
        return NULL;
    }
    if (status != COBLOC_OK)
        return raise_status(status, err);
    PyObject *object = object_new(kind, made);
    return object ? Py_BuildValue("(Ni)", object, interrupted) : NULL;
}

typedef struct job {
    cobloc_matrix *matrix;
    void *options;
    PyObject *report;
    int listens;
} job;

static int parse_job(PyObject *args, object_kind options, job *j)
{
    PyObject *matrix_object, *options_object;
    return PyArg_ParseTuple(args, "OOOp", &matrix_object, &options_object, &j->report,
                            &j->listens) &&
           (j->matrix = object_pointer(matrix_object, MATRIX)) &&
           (j->options = object_pointer(options_object, options));
}

#define JOB(name, options_kind, result_kind, result_type, call)                                    \
    static PyObject *name(PyObject *self, PyObject *args)                                          \
    {                                                                                              \
        job j;                                                                                     \
        watch w;                                                                                   \
        cobloc_error err;                                                                          \
        result_type *made = NULL;                                                                  \
        (void)self;                                                                                \
        if (!parse_job(args, options_kind, &j))                                                    \
            return NULL;                                                                           \
        watch_begin(&w, j.report, j.listens, j.options);                                           \
        cobloc_status status = call(j.matrix, j.options, &made, &err);                             \
        return finished(&w, status, &err, result_kind, made);                                      \
    }

JOB(fit, FIT_OPTIONS, RESULT, cobloc_result, cobloc_fit)
JOB(select_size, SELECT_OPTIONS, SELECTION, cobloc_selection, cobloc_select)
JOB(ensemble, ENSEMBLE_OPTIONS, CONSENSUS, cobloc_consensus, cobloc_ensemble)
JOB(need, FIT_OPTIONS, NEED, cobloc_fit_need, cobloc_fit_memory)

static PyObject *describe(PyObject *self, PyObject *args)
{
    PyObject *result_object, *matrix_object, *options_object;
    const cobloc_result *result;
    const cobloc_matrix *matrix;
    const cobloc_describe_options *options;
    cobloc_description *made = NULL;
    cobloc_error err;
    cobloc_status status;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOO", &result_object, &matrix_object, &options_object) ||
        !(result = object_pointer(result_object, RESULT)) ||
        !(matrix = object_pointer(matrix_object, MATRIX)) ||
        !(options = object_pointer(options_object, DESCRIBE_OPTIONS)))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = cobloc_describe(result, matrix, options, &made, &err);
    Py_END_ALLOW_THREADS return status == COBLOC_OK ? object_new(DESCRIPTION, made)
                                                    : raise_status(status, &err);
}

static PyObject *predict(PyObject *self, PyObject *args)
{
    PyObject *saved_object, *matrix_object, *options_object;
    const cobloc_saved *saved;
    const cobloc_matrix *matrix;
    const cobloc_predict_options *options;
    cobloc_prediction *made = NULL;
    cobloc_error err;
    cobloc_status status;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOO", &saved_object, &matrix_object, &options_object) ||
        !(saved = object_pointer(saved_object, SAVED)) ||
        !(matrix = object_pointer(matrix_object, MATRIX)) ||
        !(options = object_pointer(options_object, PREDICT_OPTIONS)))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = cobloc_predict(saved, matrix, options, &made, &err);
    Py_END_ALLOW_THREADS return status == COBLOC_OK ? object_new(PREDICTION, made)
                                                    : raise_status(status, &err);
}

static PyObject *compare_add(PyObject *self, PyObject *args)
{
    PyObject *options_object, *fit_object;
    const char *method;
    cobloc_compare_options *options;
    const cobloc_fit_options *fit_options;
    cobloc_error err;
    (void)self;
    if (!PyArg_ParseTuple(args, "OsO", &options_object, &method, &fit_object) ||
        !(options = object_pointer(options_object, COMPARE_OPTIONS)) ||
        !(fit_options = object_pointer(fit_object, FIT_OPTIONS)) ||
        !object_keep(options_object, fit_object))
        return NULL;
    cobloc_status status = cobloc_compare_add(options, method, fit_options, &err);
    if (status != COBLOC_OK)
        return raise_status(status, &err);
    Py_RETURN_NONE;
}

static PyObject *compare(PyObject *self, PyObject *args)
{
    PyObject *matrix_object, *options_object, *report;
    unsigned long long truth;
    int listens;
    const cobloc_matrix *matrix;
    cobloc_compare_options *options;
    cobloc_comparison *made = NULL;
    cobloc_error err;
    watch w;
    (void)self;
    if (!PyArg_ParseTuple(args, "OKOOp", &matrix_object, &truth, &options_object, &report,
                          &listens) ||
        !(matrix = object_pointer(matrix_object, MATRIX)) ||
        !(options = object_pointer(options_object, COMPARE_OPTIONS)))
        return NULL;
    watch_begin(&w, report, listens, options);
    cobloc_status status = cobloc_compare(matrix, address(truth), options, &made, &err);
    return finished(&w, status, &err, COMPARISON, made);
}

/* ---- scores ---------------------------------------------------------------------------------- */

static PyObject *score(PyObject *self, PyObject *args)
{
    unsigned long long labels, truth;
    long long count;
    cobloc_scores *made = NULL;
    cobloc_error err;
    (void)self;
    if (!PyArg_ParseTuple(args, "KKL", &labels, &truth, &count))
        return NULL;
    cobloc_status status = cobloc_score(address(labels), address(truth), count, &made, &err);
    return status == COBLOC_OK ? object_new(SCORES, made) : raise_status(status, &err);
}

static PyObject *coscore(PyObject *self, PyObject *args)
{
    unsigned long long row_labels, row_truth, col_labels, col_truth;
    long long rows, cols;
    cobloc_coscores *made = NULL;
    cobloc_error err;
    (void)self;
    if (!PyArg_ParseTuple(args, "KKLKKL", &row_labels, &row_truth, &rows, &col_labels, &col_truth,
                          &cols))
        return NULL;
    cobloc_status status =
        cobloc_coscore(address(row_labels), address(row_truth), rows, address(col_labels),
                       address(col_truth), cols, &made, &err);
    return status == COBLOC_OK ? object_new(COSCORES, made) : raise_status(status, &err);
}

static PyObject *confusion(PyObject *self, PyObject *args)
{
    unsigned long long labels, truth;
    long long count;
    cobloc_confusion *made = NULL;
    cobloc_error err;
    (void)self;
    if (!PyArg_ParseTuple(args, "KKL", &labels, &truth, &count))
        return NULL;
    cobloc_status status = cobloc_confusion_of(address(labels), address(truth), count, &made, &err);
    return status == COBLOC_OK ? object_new(CONFUSION, made) : raise_status(status, &err);
}

PyMethodDef fit_functions[] = {
    {"fit", fit, METH_VARARGS, "Co-clusters a matrix: (result, interrupted)."},
    {"select", select_size, METH_VARARGS, "Chooses a size: (selection, interrupted)."},
    {"ensemble", ensemble, METH_VARARGS, "Joins co-clusterings: (consensus, interrupted)."},
    {"need", need, METH_VARARGS, "The memory that a fit takes: (need, interrupted)."},
    {"describe", describe, METH_VARARGS, "What clusters are about."},
    {"predict", predict, METH_VARARGS, "Places new rows."},
    {"compare_add", compare_add, METH_VARARGS, "Adds a method to a comparison."},
    {"compare", compare, METH_VARARGS, "Runs methods side by side: (comparison, interrupted)."},
    {"score", score, METH_VARARGS, "Labels against the truth."},
    {"coscore", coscore, METH_VARARGS, "Two co-clusterings."},
    {"confusion", confusion, METH_VARARGS, "Classes by clusters."},
    {NULL, NULL, 0, NULL},
};
