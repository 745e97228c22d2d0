/* piston_operations - see operations.h: Piston's API, below two base paths. */
#include "operations.h"

#define PISTON_JSON "application/json"

static const struct shape_row piston_file[] = {
	{"name", false, "string|null", "By default file0.code, file1.code..."},
	{"content", true, "string", NULL},
	{"encoding", false, "any", "utf8 (default), base64 or hex."},
};

/* What piston_read() reads. */
static const struct shape_row piston_body[] = {
	{"language", true, "string 1..", "python, python3, py, py3."},
	{"version", true, "string 1..", "A range of versions: *, 3.x."},
	{"files", true, "[InputPistonFile]", "The first one of text is run."},
	{"stdin", false, "string|null", "Standard input."},
	{"args", false, "[string]|null", "sys.argv[1:]."},
	{"run_timeout", false, "number|null", "Wall clock, milliseconds."},
	{"run_cpu_time", false, "number|null", "Checked, without effect."},
	{"run_memory_limit", false, "number|null", "Bytes."},
	{"compile_timeout", false, "number|null", "Without effect."},
	{"compile_cpu_time", false, "number|null", "Without effect."},
	{"compile_memory_limit", false, "number|null", "Without effect."},
};

static const struct shape_row piston_run[] = {
	{"stdout", true, "string", NULL},
	{"stderr", true, "string", "With the traceback."},
	{"output", true, "string", "Both in the order of writing."},
	{"code", true, "integer|null", "The exit code."},
	{"signal", true, "string|null", "Its name."},
	{"message", true, "string|null", "How it ended, in a sentence."},
	{"status", true, "string|null", "The same in two letters."},
	{"cpu_time", true, "integer 0..", "Milliseconds."},
	{"wall_time", true, "integer 0..", "Milliseconds."},
	{"memory", true, "integer 0..", "Bytes."},
};

static const struct shape_row piston_made[] = {
	{"name", true, "string", NULL},
	{"content", true, "base64", NULL},
	{"encoding", true, "'base64'", NULL},
};

static const struct shape_row piston_answer[] = {
	{"run", true, "PistonRun", NULL},
	{"language", true, "string", NULL},
	{"version", true, "string", "The one that ran."},
	{"files", false, "[PistonFile]", "With ?files=1."},
};

static const struct shape_row piston_runtime[] = {
	{"language", true, "string", NULL},
	{"version", true, "string", NULL},
	{"aliases", true, "[string]", NULL},
};

static const struct shape_row piston_package[] = {
	{"language", true, "string", NULL},
	{"language_version", true, "string", NULL},
	{"installed", true, "boolean", NULL},
};

static const struct shape_row piston_named[] = {
	{"language", true, "string 1..", "python, python3, py, py3."},
	{"version", true, "string 1..", "A range of versions: *, 3.x."},
};

static const struct shape_row piston_error[] = {
	{"message", true, "string", "A sentence."},
};

static const struct shape_type piston_type_rows[] = {
	{"InputPistonFile", NULL, SHAPE_ROWS(piston_file), false},
	{"PistonRun", NULL, SHAPE_ROWS(piston_run), false},
	{"PistonFile", NULL, SHAPE_ROWS(piston_made), false},
	{"PistonAnswer", NULL, SHAPE_ROWS(piston_answer), false},
	{"PistonRuntime", NULL, SHAPE_ROWS(piston_runtime), false},
	{"PistonPackage", NULL, SHAPE_ROWS(piston_package), false},
	{"PistonNamed", NULL, SHAPE_ROWS(piston_named), false},
	{"PistonError", NULL, SHAPE_ROWS(piston_error), false},
};

static const struct shape_types piston_types = {piston_type_rows,
						ARRAY_LEN(piston_type_rows)};

static const struct shape_row piston_query[] = {
	{"files", false, "string", "1: the answer has new files."},
};

static const struct operation_answer piston_error_rows[] = {
	{400, PISTON_JSON, "PistonError", "The body or a field is malformed."},
	{401, PISTON_JSON, "PistonError", "There is no valid token."},
	{0, PISTON_JSON, "PistonError", "The request was not run."},
};

static const struct operation_answers piston_errors = {
	piston_error_rows, ARRAY_LEN(piston_error_rows)};

static const struct operation_answer piston_execute_answers[] = {
	{200, PISTON_JSON, "PistonAnswer", "The program ran."},
};

static const struct operation_answer piston_runtimes_answers[] = {
	{200, PISTON_JSON, "[PistonRuntime]", "The one runtime."},
};

static const struct operation_answer piston_packages_answers[] = {
	{200, PISTON_JSON, "[PistonPackage]", "The one package."},
};

static const struct operation_answer piston_install_answers[] = {
	{200, PISTON_JSON, "PistonNamed", "It is installed already."},
};

static const struct operation_answer piston_remove_answers[] = {
	{403, PISTON_JSON, "PistonError", "It stays."},
};

static const struct operation_answer piston_connect_answers[] = {
	{501, PISTON_JSON, "PistonError", "There are no interactive runs."},
};

/* The operations of one base path, each with its own id. */
#define PISTON_REST                                                          \
	.errors = &piston_errors, .types = &piston_types

#define PISTON_OPERATIONS(name, word, of)                                    \
	const struct operation name##_execute_operation = {                  \
		.id = "execute_" word,                                       \
		.summary = "Run a Python program" of,                        \
		.about = "Runs the first file of text with arguments and "   \
			 "standard input.",                                  \
		.query = SHAPE_ROWS(piston_query),                           \
		.rows = SHAPE_ROWS(piston_body),                             \
		.answers = OPERATION_ANSWERS(piston_execute_answers),        \
		PISTON_REST};                                                \
	const struct operation name##_runtimes_operation = {                 \
		.id = "list_" word "_runtimes",                              \
		.summary = "List the one runtime" of,                        \
		.about = "Returns Python with its version and its names.",   \
		.answers = OPERATION_ANSWERS(piston_runtimes_answers),       \
		PISTON_REST};                                                \
	const struct operation name##_packages_operation = {                 \
		.id = "list_" word "_packages",                              \
		.summary = "List the one package" of,                        \
		.about = "Returns Python as an installed package.",          \
		.answers = OPERATION_ANSWERS(piston_packages_answers),       \
		PISTON_REST};                                                \
	const struct operation name##_install_operation = {                  \
		.id = "install_" word "_package",                            \
		.summary = "Accept a request to install; no effect" of,      \
		.about = "The operator installs packages.",                  \
		.rows = SHAPE_ROWS(piston_named),                            \
		.answers = OPERATION_ANSWERS(piston_install_answers),        \
		PISTON_REST};                                                \
	const struct operation name##_remove_operation = {                   \
		.id = "remove_" word "_package",                             \
		.summary = "Refuse to remove a package" of,                  \
		.about = "The operator installs packages.",                  \
		.answers = OPERATION_ANSWERS(piston_remove_answers),         \
		PISTON_REST};                                                \
	const struct operation name##_connect_operation = {                  \
		.id = "connect_" word,                                       \
		.summary = "Refuse an interactive run" of,                   \
		.about = "There is no WebSocket.",                           \
		.answers = OPERATION_ANSWERS(piston_connect_answers),        \
		PISTON_REST}

PISTON_OPERATIONS(piston, "piston", "");
PISTON_OPERATIONS(piston_public, "piston_public", ", by the public path");
