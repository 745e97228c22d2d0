/* solver_operations - see operations.h: pipelines that run solvers. */
#include "operations.h"

#include "fcgi/api/solver_api.h"

#define SOLVER_JSON "application/json"

static const struct shape_row solver_summary[] = {
	{"scheduledCount", true, "integer 0..", "The length of schedule."},
	{"unscheduledAssignments", true, "[string]",
	 "Ids in assignments that are not in schedule."},
};

static const struct shape_row solver_result[] = {
	{"phase", true, "'compile'|'run'|'parse'", "How far the program came."},
	{"ok", true, "boolean", "Whether there is a solution."},
	{"status", true,
	 "'optimal'|'feasible'|'infeasible'|'unknown'|'timeout'|"
	 "'timeout_with_solution'|'crashed'",
	 "That of result.json, or of the run."},
	{"durationMs", true, "integer 0..", NULL},
	{"errorDigest", true, "string", "The last lines of an error."},
	{"stdout", true, "string", "Its first 100 lines."},
	{"stderr", true, "string", "Its first 100 lines."},
	{"resultData", true, "any", "The content of result.json, or null."},
	{"resultSummary", true, "SolverSummary", NULL},
	{"resultPath", true, "string|null", "Its path, if the run is kept."},
};

static const struct shape_row solver_answer[] = {
	{"ok", true, "boolean", "True."},
	{"result", true, "SolverResult", NULL},
};

static const struct shape_row solver_check[] = {
	{"ok", true, "boolean", "Whether the program passes."},
	{"error", false, "string", "Each finding with its line."},
};

static const struct shape_row solver_check_answer[] = {
	{"ok", true, "boolean", "True."},
	{"result", true, "SolverCheck", NULL},
};

static const struct shape_row solver_failure[] = {
	{"ok", true, "boolean", "False."},
	{"error", true, "string", "A sentence."},
};

static const struct shape_type solver_type_rows[] = {
	{"SolverSummary", NULL, SHAPE_ROWS(solver_summary), false},
	{"SolverResult", NULL, SHAPE_ROWS(solver_result), false},
	{"SolverAnswer", NULL, SHAPE_ROWS(solver_answer), false},
	{"SolverCheck", NULL, SHAPE_ROWS(solver_check), false},
	{"SolverCheckAnswer", NULL, SHAPE_ROWS(solver_check_answer), false},
	{"SolverFailure", "The request was not run.",
	 SHAPE_ROWS(solver_failure), false},
};

static const struct shape_types solver_types = {solver_type_rows,
						ARRAY_LEN(solver_type_rows)};

static const struct operation_answer solver_error_rows[] = {
	{400, SOLVER_JSON, "SolverFailure", "A field is missing or wrong."},
	{401, SOLVER_JSON, "SolverFailure", "There is no valid token."},
	{413, SOLVER_JSON, "SolverFailure", "The body is too large."},
	{503, SOLVER_JSON, "SolverFailure",
	 "There is no room; see Retry-After."},
	{0, SOLVER_JSON, "SolverFailure", "The request was not run."},
};

static const struct operation_answers solver_errors = {
	solver_error_rows, ARRAY_LEN(solver_error_rows)};

static const struct operation_answer solver_execute_answers[] = {
	{200, SOLVER_JSON, "SolverAnswer", "The program ran, however it ended."},
};

const struct operation solver_execute_operation = {
	.id = "run_solver",
	.summary = "Run a solver",
	.about = "Runs a program that reads input.json and writes result.json "
		 "with a status and a schedule, and returns a verdict.",
	.fields = &solver_api_door_fields[JOB_RUN],
	.answers = OPERATION_ANSWERS(solver_execute_answers),
	.errors = &solver_errors,
	.types = &solver_types,
};

static const struct operation_answer solver_check_answers[] = {
	{200, SOLVER_JSON, "SolverCheckAnswer", "The findings."},
};

const struct operation solver_syntax_operation = {
	.id = "check_syntax",
	.summary = "Check the syntax of a Python program",
	.about = "Compiles a program without running it, and returns its "
		 "syntax error, if it has one.",
	.fields = &solver_api_door_fields[JOB_COMPILE],
	.answers = OPERATION_ANSWERS(solver_check_answers),
	.errors = &solver_errors,
	.types = &solver_types,
};

const struct operation solver_ast_operation = {
	.id = "check_snippet",
	.summary = "Check a snippet for forbidden names",
	.about = "Parses a snippet without running it, and returns each "
		 "import, call, attribute and name that a solver's snippet may "
		 "not have.",
	.fields = &solver_api_door_fields[JOB_PARSE],
	.answers = OPERATION_ANSWERS(solver_check_answers),
	.errors = &solver_errors,
	.types = &solver_types,
};
