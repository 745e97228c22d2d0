/* native_operations - see operations.h. */
#include "operations.h"

#include "fcgi/api/native.h"

#define NATIVE_JSON "application/json"

/* ---- types ------------------------------------------------------------- */

static const struct shape_row native_input_file[] = {
	{"filename", true, "string 1..",
	 "Its path below the working directory, such as data/table.csv."},
	{"b64_data", true, "base64", "Its content in base64."},
};

static const struct shape_row native_output_file[] = {
	{"filename", true, "string", "Its path below the working directory."},
	{"b64_data", true, "base64", "Its content in base64."},
};

static const struct shape_row native_run_error[] = {
	{"type", true, "string",
	 "The exception's class, or timeout, memory, output, killed, exited, "
	 "parsing."},
	{"message", true, "string",
	 "The traceback, and the lines around the failing one."},
	{"code", false, "string", "The type again, if nothing was run."},
	{"offset", false, "integer 0..", "The place of a mistake in the body."},
};

static const struct shape_row native_truncated[] = {
	{"std_out", true, "integer 0..", "Bytes of std_out that are missing."},
	{"std_err", true, "integer 0..", "Bytes of std_err that are missing."},
	{"output_files", true, "integer 0..", "Files that are missing."},
	{"results", true, "integer 0..", "Rich values that are missing."},
};

static const struct shape_row native_usage[] = {
	{"cpu_ms", true, "integer 0..", "Processor time."},
	{"memory_peak_kb", true, "integer 0..", NULL},
	{"queue_ms", true, "integer 0..", "Time before the run."},
	{"armed", true, "boolean", "Whether a guest was ready."},
};

static const struct shape_row native_session[] = {
	{"state", true, "'new'|'kept'|'rolled_back'|'ended'",
	 "The session after the call."},
	{"reason", false, "string", "Why an earlier one of this name ended."},
	{"message", false, "string", "A sentence, after a failure."},
};

static const struct shape_row native_answer[] = {
	{"success", true, "boolean",
	 "False for an exception, a limit, or if nothing was run."},
	{"output_files", true, "[OutputFile]",
	 "Files that the program made or changed."},
	{"final_expression", false, "any",
	 "The value of the last statement, if it is an expression and not "
	 "None."},
	{"error", false, "RunError", "Present if success is false."},
	{"std_out", true, "string", "Standard output."},
	{"std_err", true, "string", "Standard error."},
	{"code_runtime", false, "integer 0..", "Milliseconds."},
	{"results", false, "[{any}]",
	 "Figures and rich values: objects of media types."},
	{"truncated", false, "Truncated", "Present if anything was cut."},
	{"warnings", false, "[string]", "Sentences about the request."},
	{"session", false, "SessionState", "Present for a call of a session."},
	{"usage", false, "Usage", NULL},
	{"exit_code", false, "integer 0..255", NULL},
	{"id", true, "string", "The name of the request in the logs."},
};

static const struct shape_row native_line[] = {
	{"type", true,
	 "'stdout'|'stderr'|'result'|'keepalive'|'error'|'file'|'end'",
	 "The last line is end."},
};

static const struct shape_row native_refusal_error[] = {
	{"type", true, "string", "The same as code."},
	{"message", true, "string", "A sentence that names the field."},
	{"code", true, "string", "A word for programs."},
	{"offset", false, "integer 0..", "The place of a mistake in the body."},
};

static const struct shape_row native_refusal[] = {
	{"success", true, "boolean", "False."},
	{"error", true, "RefusalError", NULL},
	{"output_files", true, "[any]", "Empty."},
	{"std_out", true, "string", "Empty."},
	{"std_err", true, "string", "Empty."},
	{"id", false, "string", "The name of the request in the logs."},
};

static const struct shape_row native_discovery[] = {
	{"status", true, "'ok'", NULL},
	{"server", false, "'terrarium'", NULL},
	{"version", false, "string", "Of the server."},
	{"python", false, "string", "The version of programs' Python."},
	{"doors", false, "{[string]}", "The APIs, and the paths of each."},
	{"limits", false, "{integer}", "Those in force."},
	{"packages", false, "string", "The path of the list of packages."},
	{"openapi", false, "string", "The path of this description."},
	{"sessions", false, "boolean", "Whether they are on."},
	{"streaming", false, "boolean", "Whether answers can be streamed."},
};

static const struct shape_row native_package[] = {
	{"name", true, "string", NULL},
	{"version", true, "string", NULL},
	{"preloaded", true, "boolean", "Whether its import takes no time."},
};

static const struct shape_row native_packages[] = {
	{"packages", true, "[Package]", NULL},
};

static const struct shape_row native_names[] = {
	{"packages", true, "[string]", "Names of packages."},
};

static const struct shape_row native_health[] = {
	{"status", true, "'ok'", NULL},
	{"warning", false, "string", "Why a reload fails."},
};

static const struct shape_type native_type_rows[] = {
	{"InputFile", NULL, SHAPE_ROWS(native_input_file), false},
	{"OutputFile", NULL, SHAPE_ROWS(native_output_file), false},
	{"RunError", NULL, SHAPE_ROWS(native_run_error), false},
	{"Truncated", "Numbers of what was cut.", SHAPE_ROWS(native_truncated),
	 false},
	{"Usage", NULL, SHAPE_ROWS(native_usage), false},
	{"SessionState", NULL, SHAPE_ROWS(native_session), false},
	{"RunAnswer", "The end of a run, good or bad.",
	 SHAPE_ROWS(native_answer), false},
	{"RunLine", "A line of a stream. Its other members depend on the type.",
	 SHAPE_ROWS(native_line), true},
	{"RefusalError", NULL, SHAPE_ROWS(native_refusal_error), false},
	{"Refusal", "The request was not run.", SHAPE_ROWS(native_refusal),
	 false},
	{"Discovery", NULL, SHAPE_ROWS(native_discovery), false},
	{"Package", NULL, SHAPE_ROWS(native_package), false},
	{"PackageList", NULL, SHAPE_ROWS(native_packages), false},
	{"PackageNames", NULL, SHAPE_ROWS(native_names), false},
	{"Health", NULL, SHAPE_ROWS(native_health), false},
};

static const struct shape_types native_types = {native_type_rows,
						ARRAY_LEN(native_type_rows)};

/* ---- errors ------------------------------------------------------------ */

static const struct operation_answer native_error_rows[] = {
	{400, NATIVE_JSON, "Refusal", "The body or a field is malformed."},
	{401, NATIVE_JSON, "Refusal", "There is no valid token."},
	{403, NATIVE_JSON, "Refusal",
	 "Sessions are off, or the token is not valid here."},
	{413, NATIVE_JSON, "Refusal", "The body or a file is too large."},
	{429, NATIVE_JSON, "Refusal", "Too many requests; see Retry-After."},
	{503, NATIVE_JSON, "Refusal", "There is no room; see Retry-After."},
	{0, NATIVE_JSON, "Refusal", "The request was not run."},
};

static const struct operation_answers native_errors = {
	native_error_rows, ARRAY_LEN(native_error_rows)};

/* ---- operations -------------------------------------------------------- */

static const struct operation_answer native_run_answers[] = {
	{200, NATIVE_JSON, "RunAnswer",
	 "The program ran, or is not one; success tells whether it ended "
	 "well. With Accept: application/x-ndjson or text/event-stream, lines "
	 "while it runs."},
	{200, "application/x-ndjson", "RunLine", "The same as lines."},
	{200, "text/event-stream", "RunLine", "The same as events."},
	{410, NATIVE_JSON, "Refusal",
	 "There is no such session, and the request demands it."},
};

const struct operation native_run_operation = {
	.id = "run_python",
	.summary = "Run a Python program",
	.about = "Runs a Python program in a locked guest and returns the "
		 "output, the value of the last expression, the error with "
		 "its traceback, and the files that the program wrote below "
		 "its working directory. The program has no network and no "
		 "subprocesses. Common libraries are installed: list_packages "
		 "names them. Nothing is kept from call to call unless session "
		 "is given.",
	.fields = &native_fields,
	.answers = OPERATION_ANSWERS(native_run_answers),
	.errors = &native_errors,
	.types = &native_types,
};

static const struct operation_answer native_discovery_answers[] = {
	{200, NATIVE_JSON, "Discovery",
	 "With Accept: application/json the list; with any other header the "
	 "status alone, or a page for people."},
	{200, "text/html", "string", "A page for people."},
};

const struct operation native_discovery_operation = {
	.id = "describe_server",
	.summary = "List the server's APIs and limits",
	.about = "Returns the server's version, the version of Python, the "
		 "paths of each API and the limits of a run.",
	.answers = OPERATION_ANSWERS(native_discovery_answers),
	.errors = &native_errors,
	.types = &native_types,
};

static const struct operation_answer native_packages_answers[] = {
	{200, NATIVE_JSON, "PackageList", "The packages, sorted by name."},
};

const struct operation native_packages_operation = {
	.id = "list_packages",
	.summary = "List installed packages with versions",
	.about = "Returns the Python packages that programs can import, with "
		 "their versions.",
	.answers = OPERATION_ANSWERS(native_packages_answers),
	.errors = &native_errors,
	.types = &native_types,
};

static const struct operation_answer native_names_answers[] = {
	{200, NATIVE_JSON, "PackageNames", "The names."},
};

const struct operation native_names_operation = {
	.id = "list_package_names",
	.summary = "List the names of installed packages",
	.about = "Returns the names of the Python packages that programs can "
		 "import.",
	.answers = OPERATION_ANSWERS(native_names_answers),
	.errors = &native_errors,
	.types = &native_types,
};

const struct operation native_forbidden_operation = {
	.id = "forbid_packages",
	.summary = "Accept a list of packages; no effect",
	.about = "For clients of an older server. Returns the list that was "
		 "sent, and changes nothing.",
	.rows = SHAPE_ROWS(native_names),
	.answers = OPERATION_ANSWERS(native_names_answers),
	.errors = &native_errors,
	.types = &native_types,
};

static const struct operation_answer native_stop_answers[] = {
	{200, NATIVE_JSON, "Health", "Nothing was done."},
};

const struct operation native_stop_operation = {
	.id = "stop",
	.summary = "Accept a request to stop; no effect",
	.about = "For clients of an older server. Changes nothing: a run ends "
		 "when its client hangs up.",
	.answers = OPERATION_ANSWERS(native_stop_answers),
	.errors = &native_errors,
	.types = &native_types,
};

static const struct operation_answer native_health_answers[] = {
	{200, "text/plain", "string", "The server can run programs."},
};

const struct operation native_health_operation = {
	.id = "check_health",
	.summary = "Ask whether programs can be run",
	.about = "Answers 200 while the server can run programs, and 503 with "
		 "the reason otherwise. Never waits for a run.",
	.answers = OPERATION_ANSWERS(native_health_answers),
	.errors = &native_errors,
	.types = &native_types,
	.open = true,
};

static const struct operation_answer native_healthz_answers[] = {
	{200, NATIVE_JSON, "Health", "The server can run programs."},
};

const struct operation native_healthz_operation = {
	.id = "check_health_json",
	.summary = "Ask whether programs can be run, as JSON",
	.about = "The same as check_health, with JSON as its answer.",
	.answers = OPERATION_ANSWERS(native_healthz_answers),
	.errors = &native_errors,
	.types = &native_types,
	.open = true,
};

static const struct operation_answer native_openapi_answers[] = {
	{200, NATIVE_JSON, "object", "This document."},
};

const struct operation native_openapi_operation = {
	.id = "describe_api",
	.summary = "Get this description of the API",
	.about = "Returns the OpenAPI description of all paths.",
	.answers = OPERATION_ANSWERS(native_openapi_answers),
	.errors = &native_errors,
	.types = &native_types,
	.open = true,
};
