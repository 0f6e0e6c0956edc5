/* The module and its functions.
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"

#ifdef COBLOC_FAILING_ALLOCATIONS
/* For tests, with the static library alone: not a part of the interface. */
void cob_alloc_fail_at(long k);
int cob_alloc_has_failed(void);

static PyObject *fail_at(PyObject *self, PyObject *args)
{
    long k;
    (void)self;
    if (!PyArg_ParseTuple(args, "l", &k))
        return NULL;
    int failed = cob_alloc_has_failed();
    cob_alloc_fail_at(k);
    return PyBool_FromLong(failed);
}

static PyMethodDef test_functions[] = {
    {"fail_at", fail_at, METH_VARARGS, "Fails an allocation; whether the last one did."},
    {NULL, NULL, 0, NULL},
};
#endif

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "cobloc._engine", "The C library.", -1, NULL, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__engine(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    if (!objects_ready(module) || PyModule_AddFunctions(module, value_functions) != 0 ||
        PyModule_AddFunctions(module, matrix_functions) != 0 ||
        PyModule_AddFunctions(module, fit_functions) != 0 ||
        PyModule_AddFunctions(module, result_functions) != 0 ||
#ifdef COBLOC_FAILING_ALLOCATIONS
        PyModule_AddFunctions(module, test_functions) != 0 ||
#endif
        PyModule_AddStringConstant(module, "version", cobloc_version()) != 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
