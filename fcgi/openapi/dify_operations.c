/* dify_operations - see operations.h: Dify's code sandbox. */
#include "operations.h"

#include "fcgi/api/dify.h"

#define DIFY_JSON "application/json"

static const struct shape_row dify_run[] = {
	{"stdout", true, "string", NULL},
	{"stderr", true, "string", NULL},
	{"error", true, "string", "Empty if the exit code is 0."},
	{"exit_code", true, "integer", NULL},
};

static const struct shape_row dify_answer[] = {
	{"code", true, "integer", "0 if the program ran; else negative."},
	{"message", true, "string", "success, or a sentence."},
	{"data", true, "DifyRun|null", NULL},
};

static const struct shape_row dify_package[] = {
	{"name", true, "string", NULL},
	{"version", true, "string", NULL},
};

static const struct shape_row dify_packages[] = {
	{"dependencies", true, "[DifyPackage]", NULL},
};

static const struct shape_row dify_packages_answer[] = {
	{"code", true, "integer", NULL},
	{"message", true, "string", NULL},
	{"data", true, "DifyPackages|null", NULL},
};

static const struct shape_row dify_update_answer[] = {
	{"code", true, "integer", NULL},
	{"message", true, "string", NULL},
	{"data", true, "object|null", "Empty."},
};

static const struct shape_row dify_error[] = {
	{"code", true, "integer", "A negative number."},
	{"message", true, "string", "A sentence."},
	{"data", true, "null", NULL},
};

static const struct shape_type dify_type_rows[] = {
	{"DifyRun", NULL, SHAPE_ROWS(dify_run), false},
	{"DifyAnswer", NULL, SHAPE_ROWS(dify_answer), false},
	{"DifyPackage", NULL, SHAPE_ROWS(dify_package), false},
	{"DifyPackages", NULL, SHAPE_ROWS(dify_packages), false},
	{"DifyPackagesAnswer", NULL, SHAPE_ROWS(dify_packages_answer), false},
	{"DifyUpdateAnswer", NULL, SHAPE_ROWS(dify_update_answer), false},
	{"DifyError", NULL, SHAPE_ROWS(dify_error), false},
};

static const struct shape_types dify_types = {dify_type_rows,
					      ARRAY_LEN(dify_type_rows)};

static const struct operation_answer dify_error_rows[] = {
	{401, DIFY_JSON, "DifyError", "There is no valid token."},
	{403, DIFY_JSON, "DifyError", "The token is not valid here."},
	{503, DIFY_JSON, "DifyError", "There is no room; see Retry-After."},
	{0, DIFY_JSON, "DifyError", "The request was not run."},
};

static const struct operation_answers dify_errors = {
	dify_error_rows, ARRAY_LEN(dify_error_rows)};

static const struct operation_answer dify_run_answers[] = {
	{200, DIFY_JSON, "DifyAnswer",
	 "The program ran, however it ended; or, with a negative code, the "
	 "request is wrong."},
};

const struct operation dify_run_operation = {
	.id = "run_dify_code",
	.summary = "Run a node's code for Dify",
	.about = "Runs a Python program and returns both output streams, the "
		 "error and the exit code.",
	.fields = &dify_run_fields,
	.answers = OPERATION_ANSWERS(dify_run_answers),
	.errors = &dify_errors,
	.types = &dify_types,
};

static const struct shape_row dify_query[] = {
	{"language", true, "'python3'", "The language, which is Python 3."},
};

static const struct operation_answer dify_packages_answers[] = {
	{200, DIFY_JSON, "DifyPackagesAnswer", "The packages."},
};

const struct operation dify_packages_operation = {
	.id = "list_dify_dependencies",
	.summary = "List installed packages for Dify",
	.about = "Returns the Python packages that programs can import, with "
		 "their versions.",
	.query = SHAPE_ROWS(dify_query),
	.answers = OPERATION_ANSWERS(dify_packages_answers),
	.errors = &dify_errors,
	.types = &dify_types,
};

const struct operation dify_refresh_operation = {
	.id = "refresh_dify_dependencies",
	.summary = "List installed packages for Dify again",
	.about = "The same as list_dify_dependencies.",
	.query = SHAPE_ROWS(dify_query),
	.answers = OPERATION_ANSWERS(dify_packages_answers),
	.errors = &dify_errors,
	.types = &dify_types,
};

static const struct operation_answer dify_update_answers[] = {
	{200, DIFY_JSON, "DifyUpdateAnswer", "Nothing was changed."},
};

const struct operation dify_update_operation = {
	.id = "update_dify_dependencies",
	.summary = "Accept a request to update; no effect",
	.about = "For Dify. The operator installs packages, so this changes "
		 "nothing.",
	.fields = &dify_update_fields,
	.answers = OPERATION_ANSWERS(dify_update_answers),
	.errors = &dify_errors,
	.types = &dify_types,
};
