/* interpreter - see interpreter.h. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <marshal.h>

#include "embedded.h"
#include "interpreter.h"
#include "interpreter_arena.h"
#include "unseen.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "sandbox/ipc/wire.h"

/* Stack for nested calls in C, in bytes. Python 3.12 and 3.13 count 10,000 of
 * them before they raise RecursionError, or postpone freeing deeper objects.
 * Those of json.dumps() take more than 2 MB. */
#if PY_VERSION_HEX >= 0x030C0000
#define INTERPRETER_STACK (4u << 20)
#else
#define INTERPRETER_STACK (2u << 20)
#endif

/* Called when a phase of the start begins, or NULL. */
static bool (*interpreter_phase_watcher)(void);

/* The last module and two of its functions. Looking up a name from C makes a
 * new string each time, so the functions are kept. They live as long as the
 * process. */
static PyObject *interpreter_runner, *interpreter_after_fork_function,
	*interpreter_run_function;

/* Describe the current exception in ERROR and clear it. */
static int interpreter_exception(char error[INTERPRETER_ERROR_MAX])
{
	PyObject *type, *value, *trace;

	PyErr_Fetch(&type, &value, &trace);
	PyErr_NormalizeException(&type, &value, &trace);
	PyObject *words = value ? PyObject_Str(value) : NULL;
	const char *text = words ? PyUnicode_AsUTF8(words) : NULL;

	snprintf(error, INTERPRETER_ERROR_MAX, "%s: %s",
		 type ? ((PyTypeObject *)type)->tp_name : "no exception",
		 text ? text : "");
	Py_XDECREF(words);
	Py_XDECREF(type);
	Py_XDECREF(value);
	Py_XDECREF(trace);
	PyErr_Clear();
	return -EINVAL;
}

static int interpreter_status(PyStatus status,
			      char error[INTERPRETER_ERROR_MAX])
{
	if (!PyStatus_Exception(status))
		return 0;
	snprintf(error, INTERPRETER_ERROR_MAX, "%s",
		 status.err_msg ? status.err_msg : "the interpreter exited");
	return -EINVAL;
}

/* emit(kind, payload): send one frame to the worker. */
static PyObject *interpreter_emit(PyObject *self, PyObject *args)
{
	int kind;
	const char *data;
	Py_ssize_t size;

	(void)self;
	if (!PyArg_ParseTuple(args, "iy#", &kind, &data, &size))
		return NULL;
	int rc = wire_write(WIRE_FD_RESULT, (enum wire_type)kind, data,
			    (size_t)size);

	if (rc < 0) {
		errno = -rc;
		return PyErr_SetFromErrno(PyExc_OSError);
	}
	Py_INCREF(Py_None);
	return Py_None;
}

void interpreter_watch_phases(bool (*watcher)(void))
{
	interpreter_phase_watcher = watcher;
}

static bool interpreter_enter_phase(void)
{
	return interpreter_phase_watcher && interpreter_phase_watcher();
}

/* phase(): the next phase of the start begins. Returns the watcher's answer. */
static PyObject *interpreter_phase(PyObject *self, PyObject *none)
{
	(void)self;
	(void)none;
	return PyBool_FromLong(interpreter_enter_phase());
}

/* The innermost frame of a thread. */
#if PY_VERSION_HEX >= 0x030D0000
#define INTERPRETER_FRAME(state) (&(state)->current_frame)
#else
#define INTERPRETER_FRAME(state) (&(state)->cframe->current_frame)
#endif

/* apart(function, *args, **named): call FUNCTION as if its frame were the
 * thread's first. So a program that looks at its callers sees none of the
 * runner's: traceback.print_stack(), inspect.stack(), a warning's stacklevel.
 */
static PyObject *interpreter_apart(PyObject *self, PyObject *args,
				   PyObject *named)
{
	struct _PyInterpreterFrame **frame =
		INTERPRETER_FRAME(PyThreadState_Get());
	struct _PyInterpreterFrame *kept = *frame;
	PyObject *function = PyTuple_GetItem(args, 0); /* borrowed */
	PyObject *rest = function ? PyTuple_GetSlice(args, 1, PY_SSIZE_T_MAX)
				  : NULL;

	(void)self;
	if (!rest)
		return NULL;
	*frame = NULL;
	PyObject *done = PyObject_Call(function, rest, named);

	*frame = kept;
	Py_DECREF(rest);
	return done;
}

/* Functions that the package's modules import from C. */
static PyMethodDef interpreter_calls[] = {
	{"emit", interpreter_emit, METH_VARARGS,
	 "Send one frame to the worker."},
	{"phase", interpreter_phase, METH_NOARGS,
	 "Begin the next phase of the start."},
	{"apart", (PyCFunction)(void (*)(void))interpreter_apart,
	 METH_VARARGS | METH_KEYWORDS,
	 "Call a function without its callers' frames."},
	{"unseen", unseen_make, METH_O,
	 "A function without a frame in tracebacks."},
	{"heard", unseen_heard, METH_VARARGS,
	 "A function of C's, with a listener to its exceptions."},
};

static bool interpreter_add_call(PyObject *package, PyMethodDef *call)
{
	PyObject *function = PyCFunction_New(call, NULL);
	bool added = function && PyObject_SetAttrString(
		package, call->ml_name, function) == 0;

	Py_XDECREF(function);
	return added;
}

/* Make the package. Its empty path means that nothing of it is searched on a
 * disk. */
static PyObject *interpreter_make_package(void)
{
	PyObject *package = PyImport_AddModule("_terrarium"); /* borrowed */
	PyObject *path = PyList_New(0);
	bool made = package && path &&
		    PyObject_SetAttrString(package, "__path__", path) == 0;

	for (size_t i = 0; made && i < ARRAY_LEN(interpreter_calls); i++)
		made = interpreter_add_call(package, &interpreter_calls[i]);
	Py_XDECREF(path);
	return made ? package : NULL;
}

/* Make the runner's module NAME of its code. Returns it, borrowed from
 * PACKAGE. */
static PyObject *interpreter_load_module(PyObject *package, PyObject *codes,
					 const char *name)
{
	char whole[64];

	snprintf(whole, sizeof(whole), "_terrarium.%s", name);
	PyObject *code = PyDict_GetItemString(codes, name); /* borrowed */

	if (!code) {
		PyErr_Format(PyExc_ImportError, "no code of %s", whole);
		return NULL;
	}
	PyObject *module = PyImport_ExecCodeModule(whole, code);

	if (module && PyObject_SetAttrString(package, name, module) < 0)
		Py_CLEAR(module);
	Py_XDECREF(module);
	return module;
}

/* Load the runner of FILES (embedded.h). The package's attribute `adapters` is
 * the dictionary of those. */
static bool interpreter_load_files(PyObject *package, PyObject *files)
{
	/* Both are borrowed. */
	PyObject *codes = PyDict_GetItemString(files, "runner");
	PyObject *adapters = PyDict_GetItemString(files, "adapters");
	bool loaded = codes && adapters &&
		      PyObject_SetAttrString(package, "adapters",
					     adapters) == 0;

	for (size_t i = 0; loaded && i < embedded_runner_count; i++) {
		interpreter_runner = interpreter_load_module(
			package, codes, embedded_runner[i]);
		loaded = interpreter_runner != NULL;
	}
	return loaded;
}

static int interpreter_load_runner(char error[INTERPRETER_ERROR_MAX])
{
	PyObject *package = interpreter_make_package();
	PyObject *files = package ? PyMarshal_ReadObjectFromString(
		embedded_python, (Py_ssize_t)embedded_python_size) : NULL;
	bool loaded = files && interpreter_load_files(package, files);

	Py_XDECREF(files);
	if (!loaded)
		return interpreter_exception(error);
	Py_INCREF(interpreter_runner);
	return 0;
}

static PyStatus interpreter_configure(PyConfig *config, bool random_hashes)
{
	wchar_t *argv[] = {(wchar_t[]){L'\0'}};

	config->install_signal_handlers = 1;
	config->site_import = 1;
	config->write_bytecode = 0;
	config->parse_argv = 0;
	config->use_hash_seed = !random_hashes;
	config->hash_seed = 0;
	PyStatus status = PyConfig_SetString(config, &config->program_name,
					     L"/usr/bin/python3");

	if (!PyStatus_Exception(status))
		status = PyConfig_SetArgv(config, 1, argv);
	return status;
}

/* Lower a guest's cost of a thread, because its limit is on address space. By
 * default glibc gives each thread 8 MB of stack and 64 MB of heap. */
static void interpreter_shrink_threads(void)
{
	pthread_attr_t attr;

	mallopt(M_ARENA_MAX, 1);
	if (pthread_attr_init(&attr) != 0)
		return;
	if (pthread_attr_setstacksize(&attr, INTERPRETER_STACK) == 0)
		pthread_setattr_default_np(&attr);
	pthread_attr_destroy(&attr);
}

/* Grow the main thread's stack to its full size now; its pages are taken when
 * they are used. Once the address space is used up, the kernel refuses to grow
 * a stack and sends SIGSEGV. A program that filled its memory could then not
 * even free a nested list. */
static void interpreter_grow_stack(void)
{
	volatile char *here = __builtin_frame_address(0);
	struct rlimit most;

	if (getrlimit(RLIMIT_STACK, &most) == 0 &&
	    most.rlim_cur >= 2 * (rlim_t)INTERPRETER_STACK)
		*(here - INTERPRETER_STACK) = 0;
}

int interpreter_start(bool random_hashes, char error[INTERPRETER_ERROR_MAX])
{
	PyPreConfig before;
	PyConfig config;

	interpreter_shrink_threads();
	interpreter_grow_stack();
	PyPreConfig_InitIsolatedConfig(&before);
	before.utf8_mode = 1;
	int rc = interpreter_status(Py_PreInitialize(&before), error);

	if (rc < 0)
		return rc;
	interpreter_enter_phase();
	PyConfig_InitIsolatedConfig(&config);
	PyStatus status = interpreter_configure(&config, random_hashes);

	if (!PyStatus_Exception(status))
		status = Py_InitializeFromConfig(&config);
	PyConfig_Clear(&config);
	rc = interpreter_status(status, error);
	interpreter_enter_phase();
	return rc < 0 ? rc : interpreter_load_runner(error);
}

bool interpreter_has(const char *module)
{
	PyObject *modules = PyImport_GetModuleDict(); /* borrowed */

	return PyDict_GetItemString(modules, module) != NULL;
}

int interpreter_preload(const char *words, const char *path,
			char error[INTERPRETER_ERROR_MAX])
{
	interpreter_enter_phase();
	PyObject *done = PyObject_CallMethod(interpreter_runner, "preload",
					     "ss", words, path);

	Py_XDECREF(done);
	return done ? 0 : interpreter_exception(error);
}

/* Call the runner's function NAME, which takes and returns bytes. GIVEN may be
 * NULL: it takes none. Release OUT->data. */
static int interpreter_call_bytes(const char *name, const struct bytes *given,
				  struct bytes *out,
				  char error[INTERPRETER_ERROR_MAX])
{
	char *data;
	Py_ssize_t size;
	PyObject *text =
		given ? PyObject_CallMethod(interpreter_runner, name, "y#",
					    given->data ? given->data : "",
					    given->data
						    ? (Py_ssize_t)given->size
						    : 0)
		      : PyObject_CallMethod(interpreter_runner, name, NULL);

	*out = (struct bytes){0};
	if (!text || PyBytes_AsStringAndSize(text, &data, &size) < 0) {
		Py_XDECREF(text);
		return interpreter_exception(error);
	}
	out->data = malloc((size_t)size + 1);
	if (out->data) {
		memcpy(out->data, data, (size_t)size);
		out->data[size] = '\0';
		out->size = (size_t)size;
	}
	Py_DECREF(text);
	return out->data ? 0 : -ENOMEM;
}

const char *interpreter_version(void)
{
	static char version[32];
	const char *all = Py_GetVersion(); /* more stands behind a blank */

	snprintf(version, sizeof(version), "%.*s", (int)strcspn(all, " "),
		 all);
	return version;
}

int interpreter_absent(const char *words, const char *path, struct bytes *out,
		       char error[INTERPRETER_ERROR_MAX])
{
	const size_t size = strlen(words) + 1 + strlen(path);
	struct bytes given = {.data = malloc(size + 1), .size = size};

	if (!given.data)
		return -ENOMEM;
	memcpy(given.data, words, strlen(words) + 1);
	memcpy(given.data + strlen(words) + 1, path, strlen(path) + 1);
	int rc = interpreter_call_bytes("absent", &given, out, error);

	free(given.data);
	return rc;
}

int interpreter_packages(const struct bytes *versions, struct bytes *out,
			 char error[INTERPRETER_ERROR_MAX])
{
	interpreter_enter_phase();
	return interpreter_call_bytes("packages", versions, out, error);
}

int interpreter_sources(struct bytes *out)
{
	char error[INTERPRETER_ERROR_MAX];

	return interpreter_call_bytes("sources", NULL, out, error);
}

int interpreter_get_ready(char error[INTERPRETER_ERROR_MAX])
{
	interpreter_enter_phase();
	PyObject *done = PyObject_CallMethod(interpreter_runner, "get_ready",
					     NULL);

	if (!done)
		return interpreter_exception(error);
	Py_DECREF(done);
	interpreter_after_fork_function = PyObject_GetAttrString(
		interpreter_runner, "after_fork");
	interpreter_run_function = PyObject_GetAttrString(interpreter_runner,
							  "run");
	return interpreter_after_fork_function && interpreter_run_function
		       ? 0
		       : interpreter_exception(error);
}

void interpreter_before_forks(void)
{
	PyOS_BeforeFork();
	interpreter_arena_settle();
}

static int interpreter_done(PyObject *done)
{
	if (!done)
		PyErr_Clear();
	Py_XDECREF(done);
	return done ? 0 : -EINVAL;
}

int interpreter_after_fork(void)
{
	PyOS_AfterFork_Child();
	return interpreter_done(
		PyObject_CallNoArgs(interpreter_after_fork_function));
}

/* Texts of UTF-8, each NUL terminated, one behind the other. */
static PyObject *interpreter_list(const struct bytes *texts)
{
	PyObject *list = PyList_New(0);

	for (size_t at = 0; list && at < texts->size;
	     at += strlen(texts->data + at) + 1) {
		PyObject *row = PyUnicode_DecodeUTF8(
			texts->data + at, (Py_ssize_t)strlen(texts->data + at),
			"replace");

		if (!row || PyList_Append(list, row) < 0)
			Py_CLEAR(list);
		Py_XDECREF(row);
	}
	return list;
}

void interpreter_send_no_memory(void)
{
	static const char words[] =
		"MemoryError\0MemoryError: there is no room for the job";

	wire_write(WIRE_FD_RESULT, WIRE_ERROR, words, sizeof(words) - 1);
}

/* The lower of a pool's limit and that of a job; 0: it has none. */
static unsigned interpreter_lower(unsigned limit, unsigned of_job)
{
	return of_job && of_job < limit ? of_job : limit;
}

/* The job's flags and limits, as run() takes them. */
static PyObject *interpreter_options(const struct job *job,
				     const struct limits *limits)
{
	return Py_BuildValue(
		"{s:O,s:O,s:i,s:i,s:O,s:O,s:I,s:I,s:s#,s:N,s:k,s:I,s:k,s:k,s:I,s:I,"
		"s:I,s:I}",
		"imported", job->imported ? Py_True : Py_False,
		"call_main", job->call_main ? Py_True : Py_False,
		"task", (int)job->task,
		"value", (int)job->value,
		"merge_output", job->merge_output ? Py_True : Py_False,
		"shows", job->displays ? Py_True : Py_False,
		"forms", job->forms,
		"habits", job->habits,
		"name", job->name.data, (Py_ssize_t)job->name.size,
		"args", interpreter_list(&job->args),
		"value_bytes", (unsigned long)limits->value_kb << 10,
		"displays", limits->displays,
		"displays_bytes", (unsigned long)limits->displays_mb << 20,
		"home_bytes", (unsigned long)limits->home_mb << 20,
		"home_inodes", limits->home_inodes,
		"memory_mb", interpreter_lower(limits->memory_mb,
					       job->memory_mb),
		"threads", interpreter_lower(limits->threads, job->threads),
		"timeout_ms", interpreter_lower(limits->timeout_ms,
						job->timeout_ms));
}

/* Release the objects and return the exit code. run() reports errors by a
 * frame, but is not even entered when its arguments do not fit into memory. */
static unsigned interpreter_finish(PyObject *done, PyObject *list,
				   PyObject *options)
{
	long exit_code = done ? PyLong_AsLong(done) : 1;

	if (!done)
		interpreter_send_no_memory();
	PyErr_Clear();
	Py_XDECREF(done);
	Py_XDECREF(list);
	Py_XDECREF(options);
	return (unsigned)exit_code & 0xff;
}

unsigned interpreter_run(const struct job *job, const struct bytes *env,
			 const struct limits *limits)
{
	PyObject *list = interpreter_list(env);
	PyObject *options = interpreter_options(job, limits);
	PyObject *done = list && options
				 ? PyObject_CallFunction(
					   interpreter_run_function, "y#y#OO",
					   job->code.data,
					   (Py_ssize_t)job->code.size,
					   job->arguments.data,
					   (Py_ssize_t)job->arguments.size,
					   list, options)
				 : NULL;

	return interpreter_finish(done, list, options);
}

int interpreter_fork(int (*wait)(void))
{
	PyOS_BeforeFork();
	pid_t pid = fork();
	int rc = pid < 0 ? -errno : pid == 0;

	if (pid == 0) {
		wait();
		PyOS_AfterFork_Child();
		interpreter_done(PyObject_CallMethod(interpreter_runner,
						     "after_copy", NULL));
	} else {
		PyOS_AfterFork_Parent();
	}
	return rc;
}

unsigned interpreter_session_run(const struct job *job, const struct bytes *env,
				 const struct limits *limits)
{
	PyObject *list = interpreter_list(env);
	PyObject *options = interpreter_options(job, limits);

	/* Discard signals of the call before, and of the end of its stop. They
	 * do not belong to this call, whatever the program's handler does. */
	while (list && options && PyErr_CheckSignals() < 0)
		PyErr_Clear();
	PyObject *done = list && options
				 ? PyObject_CallMethod(
					   interpreter_runner, "session_run",
					   "y#y#OOy#", job->code.data,
					   (Py_ssize_t)job->code.size,
					   job->arguments.data,
					   (Py_ssize_t)job->arguments.size,
					   list, options, job->input.data,
					   (Py_ssize_t)job->input.size)
				 : NULL;

	return interpreter_finish(done, list, options);
}
