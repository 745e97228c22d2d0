/*
 * unseen - functions of the runner that leave no trace in a traceback.
 *
 * Libraries' functions are replaced by ones of the runner (sandbox/python/
 * libraries and others). An exception that leaves one would carry an entry for
 * its frame, and a program that prints it would show the runner. Python adds
 * that entry when the frame ends, so no statement of the function can remove
 * it. A caller in C can.
 */
#ifndef TERRARIUM_UNSEEN_H
#define TERRARIUM_UNSEEN_H

/* Python.h comes first; only interpreter.c includes this file. */

/* Python's unseen(function): a callable object that stands for FUNCTION, and
 * has its attributes. Exceptions that leave it, and those in their chain, lose
 * the entries of frames that have FUNCTION's builtins. Returns a new reference,
 * or NULL with an exception. */
PyObject *unseen_make(PyObject *self, PyObject *function);

/* Python's heard(function, listener): the same for FUNCTION, which is written
 * in C and has no frame. LISTENER is called with each exception that leaves it,
 * and can change it. */
PyObject *unseen_heard(PyObject *self, PyObject *args);

#endif
