/* What the object code of compiled functions refers to and never calls: they raise nothing and keep no references.
   Hidden, so that a Python in the same process and this library never see each other's. */

#include <stddef.h>

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN void *PyExc_RuntimeError, *PyExc_StopIteration, *PyExc_SystemError, *PyExc_ValueError, *PyExc_OverflowError,
    *PyExc_ZeroDivisionError, *PyExc_IndexError;
#define EMPTY(name) HIDDEN void *name(void); HIDDEN void *name(void) { return NULL; }
EMPTY(NRT_Free)
EMPTY(NRT_MemInfo_call_dtor)
EMPTY(NRT_decref)
EMPTY(NRT_incref)
EMPTY(PyBytes_FromStringAndSize)
EMPTY(PyErr_Clear)
EMPTY(PyErr_Format)
EMPTY(PyErr_SetNone)
EMPTY(PyErr_SetString)
EMPTY(PyErr_SetObject)
EMPTY(PyErr_WriteUnraisable)
EMPTY(PyUnicode_FromString)
EMPTY(Py_DecRef)
EMPTY(Py_IncRef)
EMPTY(numba_do_raise)
EMPTY(numba_gil_ensure)
EMPTY(numba_gil_release)
EMPTY(numba_runtime_build_excinfo_struct)
EMPTY(numba_unpickle)
