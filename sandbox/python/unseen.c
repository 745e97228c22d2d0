/* unseen - see unseen.h. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "unseen.h"

#include <stddef.h>

#include "sandbox/base/base.h"

#define UNSEEN_CAUSES 20 /* exceptions of a chain, followed at most */

struct unseen {
	PyObject_HEAD
	PyObject *function, *weak;
	PyObject *listener; /* NULL: FUNCTION is one of Python's */
	vectorcallfunc call;
};

static PyObject *unseen_function(PyObject *self)
{
	return ((struct unseen *)self)->function;
}

static bool unseen_is_ours(const PyTracebackObject *entry,
			   const PyObject *builtins)
{
	PyObject *found = PyFrame_GetBuiltins(entry->tb_frame);
	bool ours = found == builtins;

	Py_XDECREF(found);
	return ours;
}

static PyTracebackObject *unseen_entry(PyObject *trace)
{
	return trace && PyTraceBack_Check(trace) ? (PyTracebackObject *)trace
						 : NULL;
}

/* Remove the entries of our frames from a list of entries. Takes the reference
 * to the first, and returns one to the first that is left, or NULL. */
static PyObject *unseen_drop(PyObject *trace, const PyObject *builtins)
{
	PyTracebackObject *kept = NULL, *entry = unseen_entry(trace);

	while (entry) {
		PyTracebackObject *next = entry->tb_next;

		if (!unseen_is_ours(entry, builtins)) {
			kept = entry;
		} else {
			Py_XINCREF(next);
			if (kept)
				kept->tb_next = next;
			else
				trace = (PyObject *)next;
			Py_DECREF(entry);
		}
		entry = next;
	}
	return trace;
}

/* The exception that EXC has as its cause or context: a new reference. */
static PyObject *unseen_cause(PyObject *exc)
{
	PyObject *cause = PyException_GetCause(exc);

	return cause ? cause : PyException_GetContext(exc);
}

/* The same for the exceptions that led to EXC. */
static void unseen_drop_causes(PyObject *exc, const PyObject *builtins)
{
	PyObject *at = unseen_cause(exc);

	for (unsigned i = 0; at && i < UNSEEN_CAUSES; i++) {
		PyObject *trace = unseen_drop(PyException_GetTraceback(at),
					      builtins);
		PyObject *next = unseen_cause(at);

		PyException_SetTraceback(at, trace ? trace : Py_None);
		Py_XDECREF(trace);
		Py_DECREF(at);
		at = next;
	}
	Py_XDECREF(at);
}

/* The exception that FUNCTION raised has none of our frames. */
static void unseen_clean(PyObject *function)
{
	PyObject *type, *value, *trace;

	PyErr_Fetch(&type, &value, &trace);
	PyObject *builtins = ((PyFunctionObject *)function)->func_builtins;

	trace = unseen_drop(trace, builtins);
	if (value && PyExceptionInstance_Check(value))
		unseen_drop_causes(value, builtins);
	PyErr_Restore(type, value, trace);
}

/* Call LISTENER with the exception that was raised. The exception stays, and
 * one of LISTENER's own is dropped. */
static void unseen_tell(PyObject *listener)
{
	PyObject *type, *value, *trace;

	PyErr_Fetch(&type, &value, &trace);
	PyErr_NormalizeException(&type, &value, &trace);
	PyObject *done = value ? PyObject_CallOneArg(listener, value) : NULL;

	if (!done)
		PyErr_Clear();
	Py_XDECREF(done);
	PyErr_Restore(type, value, trace);
}

static PyObject *unseen_call(PyObject *self, PyObject *const *args,
			     size_t count, PyObject *names)
{
	PyObject *function = unseen_function(self);
	PyObject *listener = ((struct unseen *)self)->listener;
	PyObject *done = PyObject_Vectorcall(function, args, count, names);

	if (!done && listener)
		unseen_tell(listener);
	else if (!done)
		unseen_clean(function);
	return done;
}

/* A method of an object, as a function is. */
static PyObject *unseen_bind(PyObject *self, PyObject *object, PyObject *class)
{
	(void)class;
	if (object && object != Py_None)
		return PyMethod_New(self, object);
	Py_INCREF(self);
	return self;
}

/* All attributes are the function's, its class among them; but not how it is
 * pickled. */
static PyObject *unseen_get(PyObject *self, PyObject *name)
{
	if (PyUnicode_CompareWithASCIIString(name, "__reduce_ex__") == 0)
		return PyObject_GenericGetAttr(self, name);
	return PyObject_GetAttr(unseen_function(self), name);
}

static int unseen_set(PyObject *self, PyObject *name, PyObject *value)
{
	return PyObject_SetAttr(unseen_function(self), name, value);
}

static PyObject *unseen_repr(PyObject *self)
{
	return PyObject_Repr(unseen_function(self));
}

/* Pickled by its name, as a function is. */
static PyObject *unseen_reduce(PyObject *self, PyObject *version)
{
	(void)version;
	return PyObject_GetAttrString(unseen_function(self), "__qualname__");
}

static int unseen_traverse(PyObject *self, visitproc visit, void *arg)
{
	Py_VISIT(unseen_function(self));
	Py_VISIT(((struct unseen *)self)->listener);
	return 0;
}

static int unseen_clear(PyObject *self)
{
	Py_CLEAR(((struct unseen *)self)->function);
	Py_CLEAR(((struct unseen *)self)->listener);
	return 0;
}

static void unseen_free(PyObject *self)
{
	PyObject_GC_UnTrack(self);
	if (((struct unseen *)self)->weak)
		PyObject_ClearWeakRefs(self);
	unseen_clear(self);
	PyObject_GC_Del(self);
}

static PyMethodDef unseen_methods[] = {
	{"__reduce_ex__", unseen_reduce, METH_O, NULL},
	{NULL, NULL, 0, NULL},
};

/* What both types have in common. */
#define UNSEEN_SLOTS \
	.tp_basicsize = sizeof(struct unseen), \
	.tp_vectorcall_offset = offsetof(struct unseen, call), \
	.tp_call = PyVectorcall_Call, .tp_getattro = unseen_get, \
	.tp_setattro = unseen_set, .tp_repr = unseen_repr, \
	.tp_traverse = unseen_traverse, .tp_clear = unseen_clear, \
	.tp_dealloc = unseen_free, .tp_methods = unseen_methods, \
	.tp_weaklistoffset = offsetof(struct unseen, weak)
#define UNSEEN_FLAGS \
	(Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | \
	 Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION)

/* The names are what type() shows. In a class the first becomes a method, and
 * the second does not. */
static PyTypeObject unseen_type = {
	PyVarObject_HEAD_INIT(NULL, 0)
	.tp_name = "function",
	.tp_flags = UNSEEN_FLAGS | Py_TPFLAGS_METHOD_DESCRIPTOR,
	.tp_descr_get = unseen_bind,
	UNSEEN_SLOTS,
};
static PyTypeObject unseen_builtin_type = {
	PyVarObject_HEAD_INIT(NULL, 0)
	.tp_name = "builtin_function_or_method",
	.tp_flags = UNSEEN_FLAGS,
	UNSEEN_SLOTS,
};

static PyObject *unseen_new(PyTypeObject *type, PyObject *function,
			    PyObject *listener)
{
	if (PyType_Ready(type) < 0)
		return NULL;
	struct unseen *made = PyObject_GC_New(struct unseen, type);

	if (!made)
		return NULL;
	Py_INCREF(function);
	Py_XINCREF(listener);
	made->function = function;
	made->listener = listener;
	made->weak = NULL;
	made->call = unseen_call;
	PyObject_GC_Track(made);
	return (PyObject *)made;
}

PyObject *unseen_make(PyObject *self, PyObject *function)
{
	(void)self;
	if (PyFunction_Check(function))
		return unseen_new(&unseen_type, function, NULL);
	PyErr_SetString(PyExc_TypeError, "expected a function");
	return NULL;
}

PyObject *unseen_heard(PyObject *self, PyObject *args)
{
	PyObject *function, *listener;

	(void)self;
	if (!PyArg_ParseTuple(args, "O!O", &PyCFunction_Type, &function,
			      &listener))
		return NULL;
	return unseen_new(&unseen_builtin_type, function, listener);
}
