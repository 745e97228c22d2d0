/* e2b_operations - see operations.h: the paths of E2B's SDKs. */
#include "operations.h"

#include "fcgi/e2b/e2b.h"
#include "fcgi/e2b/e2b_files.h"

#define E2B_JSON "application/json"
#define E2B_TEXT "text/plain"

/* ---- types ------------------------------------------------------------- */

static const struct shape_row e2b_created[] = {
	{"sandboxID", true, "string", NULL},
	{"templateID", true, "string", "As it was given."},
	{"clientID", true, "string", NULL},
	{"envdVersion", true, "string", NULL},
	{"envdAccessToken", true, "string", "The token of the request."},
	{"trafficAccessToken", true, "string", "The same."},
	{"domain", true, "string", "The host's name."},
};

static const struct shape_row e2b_detail[] = {
	{"sandboxID", true, "string", NULL},
	{"templateID", true, "string", NULL},
	{"clientID", true, "string", NULL},
	{"envdVersion", true, "string", NULL},
	{"envdAccessToken", false, "string", "Not in a list."},
	{"domain", false, "string", "Not in a list."},
	{"startedAt", true, "string", "The time, as ISO 8601."},
	{"endAt", true, "string", "It ends then, if it is not used before."},
	{"state", true, "'running'", NULL},
	{"cpuCount", true, "integer 1..", NULL},
	{"memoryMB", true, "integer 1..", NULL},
	{"diskSizeMB", true, "integer 1..", NULL},
	{"metadata", true, "{string}", NULL},
};

static const struct shape_row e2b_event[] = {
	{"type", true,
	 "'number_of_executions'|'stdout'|'stderr'|'result'|'error'|"
	 "'keepalive'|'end_of_execution'",
	 NULL},
};

static const struct shape_row e2b_status[] = {
	{"status", true, "'ok'", NULL},
};

static const struct shape_row e2b_context[] = {
	{"id", true, "string", "The default one has the sandbox's."},
	{"language", true, "'python'", NULL},
	{"cwd", true, "string", "The directory in which it began."},
};

static const struct shape_row e2b_fault[] = {
	{"code", true, "string", "A word of the protocol Connect."},
	{"message", true, "string", "A sentence."},
};

static const struct shape_row e2b_written_file[] = {
	{"path", true, "string", "Its absolute path."},
	{"name", true, "string", NULL},
	{"type", true, "'file'", NULL},
};

static const struct shape_row e2b_entry[] = {
	{"name", true, "string", NULL},
	{"type", true, "'FILE_TYPE_FILE'|'FILE_TYPE_DIRECTORY'", NULL},
	{"path", true, "string", "Its absolute path."},
	{"size", true, "string", "Bytes, in digits."},
	{"mode", true, "integer 0..", "The bits of its permissions."},
	{"permissions", true, "string", "The same, as ls shows them."},
	{"owner", true, "string", NULL},
	{"group", true, "string", NULL},
	{"modifiedTime", true, "string", "The time, as ISO 8601."},
	{"symlinkTarget", false, "string",
	 "Of a link: its text, as a program wrote it. It is not followed."},
};

static const struct shape_row e2b_entries[] = {
	{"entries", true, "[SandboxEntry]", NULL},
};

static const struct shape_row e2b_one_entry[] = {
	{"entry", true, "SandboxEntry", NULL},
};

static const struct shape_row e2b_processes[] = {
	{"processes", true, "[any]", "None."},
};

static const struct shape_row e2b_error[] = {
	{"code", true, "integer", "The status."},
	{"message", true, "string", "A sentence."},
};

static const struct shape_type e2b_type_rows[] = {
	{"SandboxCreated", NULL, SHAPE_ROWS(e2b_created), false},
	{"SandboxDetail", NULL, SHAPE_ROWS(e2b_detail), false},
	{"SandboxEvent", "One line of a run.", SHAPE_ROWS(e2b_event), true},
	{"SandboxHealth", NULL, SHAPE_ROWS(e2b_status), false},
	{"SandboxContext", NULL, SHAPE_ROWS(e2b_context), false},
	{"SandboxFile", NULL, SHAPE_ROWS(e2b_written_file), false},
	{"SandboxEntry", NULL, SHAPE_ROWS(e2b_entry), false},
	{"SandboxEntries", NULL, SHAPE_ROWS(e2b_entries), false},
	{"SandboxOneEntry", NULL, SHAPE_ROWS(e2b_one_entry), false},
	{"SandboxNothing", NULL, {NULL, 0}, false},
	{"SandboxFault", "The call failed.", SHAPE_ROWS(e2b_fault), false},
	{"SandboxProcesses", NULL, SHAPE_ROWS(e2b_processes), false},
	{"SandboxError", "The call failed.", SHAPE_ROWS(e2b_error), false},
};

static const struct shape_types e2b_types = {e2b_type_rows,
					     ARRAY_LEN(e2b_type_rows)};

/* ---- errors ------------------------------------------------------------ */

static const struct operation_answer e2b_error_rows[] = {
	{400, E2B_JSON, "SandboxError", "A field is wrong."},
	{401, E2B_JSON, "SandboxError", "There is no valid token."},
	{404, E2B_JSON, "SandboxError", "There is no such sandbox."},
	{429, E2B_JSON, "SandboxError",
	 "The client has too many sandboxes, or sends too much."},
	{503, E2B_JSON, "SandboxError",
	 "There is no room; see Retry-After."},
	{0, E2B_JSON, "SandboxError", "The call failed."},
};

static const struct operation_answers e2b_errors =
	OPERATION_ANSWERS(e2b_error_rows);

/* A sandbox's own ports. nginx's errors are JSON there, too. */
static const struct operation_answer e2b_port_error_rows[] = {
	{502, E2B_TEXT, "string", "There is no such sandbox."},
	{0, E2B_TEXT, "string", "The call failed: a sentence."},
	{0, E2B_JSON, "SandboxError", "The call failed."},
};

static const struct operation_answers e2b_port_errors =
	OPERATION_ANSWERS(e2b_port_error_rows);

/* ---- sandboxes --------------------------------------------------------- */

static const struct shape_row e2b_id_path[] = {
	{"sandboxID", true, "string 1..", "The sandbox's id."},
};

static const struct operation_answer e2b_create_answers[] = {
	{201, E2B_JSON, "SandboxCreated", "The sandbox lives."},
};

#define E2B_CREATE(name)                                                     \
	{.id = (name), .summary = "Begin a sandbox",                         \
	 .about = "Begins a sandbox, which keeps variables, imports and "    \
		  "files from program to program, and answers with its id.", \
	 .fields = &e2b_create_fields,                                       \
	 .answers = OPERATION_ANSWERS(e2b_create_answers),                   \
	 .errors = &e2b_errors, .types = &e2b_types}

const struct operation e2b_create_operation = E2B_CREATE("create_sandbox");
const struct operation e2b_create_v2_operation =
	E2B_CREATE("create_sandbox_v2");

static const struct shape_row e2b_list_query[] = {
	{"state", false, "string", "Words with commas; only running counts."},
	{"metadata", false, "string",
	 "Pairs NAME=VALUE with & between them, each of which must be there."},
	{"template", false, "string", "The template's name."},
	{"startedAfter", false, "string", "A time, as ISO 8601."},
	{"order", false, "string", "asc for the oldest first."},
	{"limit", false, "integer 1..1000 = 100", "The most that are listed."},
	{"nextToken", false, "string",
	 "X-Next-Token of the answer before, to go on."},
};

static const struct operation_answer e2b_list_answers[] = {
	{200, E2B_JSON, "[SandboxDetail]", "The sandboxes."},
};

#define E2B_LIST(name)                                                       \
	{.id = (name), .summary = "List the client's sandboxes",             \
	 .about = "Returns the sandboxes of the client that live, the newest " \
		  "first. The header X-Next-Token tells that there are more.", \
	 .query = SHAPE_ROWS(e2b_list_query),                                \
	 .answers = OPERATION_ANSWERS(e2b_list_answers),                     \
	 .errors = &e2b_errors, .types = &e2b_types}

const struct operation e2b_list_operation = E2B_LIST("list_sandboxes");
const struct operation e2b_list_v2_operation = E2B_LIST("list_sandboxes_v2");

static const struct operation_answer e2b_detail_answers[] = {
	{200, E2B_JSON, "SandboxDetail", "The sandbox."},
};

const struct operation e2b_detail_operation = {
	.id = "get_sandbox",
	.summary = "Describe a sandbox",
	.about = "Returns when a sandbox began, when it will end if it is not "
		 "used, and its metadata.",
	.path = SHAPE_ROWS(e2b_id_path),
	.answers = OPERATION_ANSWERS(e2b_detail_answers),
	.errors = &e2b_errors,
	.types = &e2b_types,
};

static const struct operation_answer e2b_done_answers[] = {
	{204, NULL, NULL, "It is done."},
};

const struct operation e2b_kill_operation = {
	.id = "kill_sandbox",
	.summary = "End a sandbox",
	.about = "Ends a sandbox with its contexts, variables and files.",
	.path = SHAPE_ROWS(e2b_id_path),
	.answers = OPERATION_ANSWERS(e2b_done_answers),
	.errors = &e2b_errors,
	.types = &e2b_types,
};

static const struct operation_answer e2b_connect_answers[] = {
	{200, E2B_JSON, "SandboxCreated", "The sandbox lives."},
};

#define E2B_CONNECT(name)                                                    \
	{.id = (name), .summary = "Use a sandbox again",                     \
	 .about = "Answers as the call that made the sandbox, which counts " \
		  "as used now.",                                            \
	 .path = SHAPE_ROWS(e2b_id_path), .fields = &e2b_connect_fields,     \
	 .answers = OPERATION_ANSWERS(e2b_connect_answers),                  \
	 .errors = &e2b_errors, .types = &e2b_types}

const struct operation e2b_connect_operation =
	E2B_CONNECT("connect_sandbox");
const struct operation e2b_connect_v2_operation =
	E2B_CONNECT("connect_sandbox_v2");

const struct operation e2b_timeout_operation = {
	.id = "set_sandbox_timeout",
	.summary = "Set the idle time of a sandbox",
	.about = "Sets the seconds without a call after which a sandbox ends, "
		 "at most those of sessions.idle_s.",
	.path = SHAPE_ROWS(e2b_id_path),
	.fields = &e2b_timeout_fields,
	.answers = OPERATION_ANSWERS(e2b_done_answers),
	.errors = &e2b_errors,
	.types = &e2b_types,
};

static const struct operation_answer e2b_resume_answers[] = {
	{409, E2B_JSON, "SandboxError", "The sandbox lives."},
};

const struct operation e2b_resume_operation = {
	.id = "resume_sandbox",
	.summary = "Resume a sandbox",
	.about = "Never does anything, because no sandbox is ever paused.",
	.path = SHAPE_ROWS(e2b_id_path),
	.answers = OPERATION_ANSWERS(e2b_resume_answers),
	.errors = &e2b_errors,
	.types = &e2b_types,
};

static const struct operation_answer e2b_metrics_answers[] = {
	{200, E2B_JSON, "[any]", "An empty list."},
};

const struct operation e2b_metrics_operation = {
	.id = "get_sandbox_metrics",
	.summary = "Get the measurements of a sandbox",
	.about = "Returns an empty list, because none are kept.",
	.path = SHAPE_ROWS(e2b_id_path),
	.answers = OPERATION_ANSWERS(e2b_metrics_answers),
	.errors = &e2b_errors,
	.types = &e2b_types,
};

/* ---- a sandbox's ports ------------------------------------------------- */

static const struct shape_row e2b_headers[] = {
	{"E2b-Sandbox-Id", false, "string",
	 "The sandbox, unless the host's name has it."},
};

static const struct operation_answer e2b_health_answers[] = {
	{200, E2B_JSON, "SandboxHealth", "No sandbox was named."},
	{204, NULL, NULL, "The sandbox lives."},
};

const struct operation e2b_health_operation = {
	.id = "check_sandbox",
	.summary = "Check whether a sandbox lives",
	.about = "Answers 204 while a sandbox lives, and 502 when it does "
		 "not.",
	.headers = SHAPE_ROWS(e2b_headers),
	.answers = OPERATION_ANSWERS(e2b_health_answers),
	.errors = &e2b_port_errors,
	.types = &e2b_types,
};

static const struct operation_answer e2b_execute_answers[] = {
	{200, "application/x-ndjson", "SandboxEvent",
	 "The program's results, line by line; the last one is "
	 "end_of_execution."},
};

const struct operation e2b_execute_operation = {
	.id = "execute_in_sandbox",
	.summary = "Run Python code in a sandbox",
	.about = "Runs a Python program in a sandbox and sends its output, "
		 "its rich values and its exception as they come.",
	.headers = SHAPE_ROWS(e2b_headers),
	.fields = &e2b_run_fields,
	.answers = OPERATION_ANSWERS(e2b_execute_answers),
	.errors = &e2b_port_errors,
	.types = &e2b_types,
};

/* ---- contexts ---------------------------------------------------------- */

static const struct shape_row e2b_context_path[] = {
	{"contextID", true, "string 1..", "The context's id."},
};

static const struct operation_answer e2b_contexts_answers[] = {
	{200, E2B_JSON, "[SandboxContext]", "The contexts."},
};

const struct operation e2b_contexts_operation = {
	.id = "list_contexts",
	.summary = "List a sandbox's contexts",
	.about = "Returns the contexts of a sandbox, with its default one.",
	.headers = SHAPE_ROWS(e2b_headers),
	.answers = OPERATION_ANSWERS(e2b_contexts_answers),
	.errors = &e2b_port_errors,
	.types = &e2b_types,
};

static const struct operation_answer e2b_context_answers[] = {
	{200, E2B_JSON, "SandboxContext", "The context."},
};

const struct operation e2b_context_create_operation = {
	.id = "create_context",
	.summary = "Make a context in a sandbox",
	.about = "Makes a context that begins as the sandbox did. It shares "
		 "the sandbox's files, and no variables.",
	.headers = SHAPE_ROWS(e2b_headers),
	.fields = &e2b_context_fields,
	.answers = OPERATION_ANSWERS(e2b_context_answers),
	.errors = &e2b_port_errors,
	.types = &e2b_types,
};

static const struct operation_answer e2b_null_answers[] = {
	{200, E2B_JSON, "null", "It is done."},
};

const struct operation e2b_context_restart_operation = {
	.id = "restart_context",
	.summary = "Begin a context anew",
	.about = "Ends a context, and begins another of the same id and "
		 "directory.",
	.path = SHAPE_ROWS(e2b_context_path),
	.headers = SHAPE_ROWS(e2b_headers),
	.answers = OPERATION_ANSWERS(e2b_null_answers),
	.errors = &e2b_port_errors,
	.types = &e2b_types,
};

const struct operation e2b_context_remove_operation = {
	.id = "remove_context",
	.summary = "Remove a context",
	.about = "Ends a context with its variables. The default one cannot "
		 "be removed.",
	.path = SHAPE_ROWS(e2b_context_path),
	.headers = SHAPE_ROWS(e2b_headers),
	.answers = OPERATION_ANSWERS(e2b_null_answers),
	.errors = &e2b_port_errors,
	.types = &e2b_types,
};

/* ---- processes --------------------------------------------------------- */

static const struct operation_answer e2b_rpc_error_rows[] = {
	{502, E2B_JSON, "SandboxFault", "There is no such sandbox."},
	{0, E2B_JSON, "SandboxFault|SandboxError", "The call failed."},
};

static const struct operation_answers e2b_rpc_errors =
	OPERATION_ANSWERS(e2b_rpc_error_rows);

static const struct operation_answer e2b_no_stream_answers[] = {
	{200, "application/connect+json", "bytes",
	 "One frame with an error that says so."},
};

#define E2B_NO_STREAM(name, words)                                           \
	{.id = (name), .summary = (words),                                   \
	 .about = "Answers that there is no shell and that nothing is "      \
		  "watched.",                                                \
	 .answers = OPERATION_ANSWERS(e2b_no_stream_answers),                \
	 .errors = &e2b_rpc_errors, .types = &e2b_types}

const struct operation e2b_process_start_operation =
	E2B_NO_STREAM("start_process", "Start a process: refused");
const struct operation e2b_process_connect_operation =
	E2B_NO_STREAM("connect_process", "Follow a process: refused");
const struct operation e2b_watch_operation =
	E2B_NO_STREAM("watch_directory", "Watch a directory: refused");

static const struct operation_answer e2b_process_list_answers[] = {
	{200, E2B_JSON, "SandboxProcesses", "There are none."},
};

const struct operation e2b_process_list_operation = {
	.id = "list_processes",
	.summary = "List a sandbox's processes",
	.about = "Returns an empty list, because no process can be started.",
	.answers = OPERATION_ANSWERS(e2b_process_list_answers),
	.errors = &e2b_rpc_errors,
	.types = &e2b_types,
};

static const struct operation_answer e2b_no_process_answers[] = {
	{404, E2B_JSON, "SandboxFault", "There is none."},
};

const struct operation e2b_process_signal_operation = {
	.id = "signal_process",
	.summary = "Signal a process: there is none",
	.about = "Answers that there is no such process.",
	.answers = OPERATION_ANSWERS(e2b_no_process_answers),
	.errors = &e2b_rpc_errors,
	.types = &e2b_types,
};

static const struct shape_row e2b_method_path[] = {
	{"method", true, "string 1..", "Any other method."},
};

static const struct operation_answer e2b_no_method_answers[] = {
	{501, E2B_JSON, "SandboxFault", "There are no processes."},
};

const struct operation e2b_process_other_operation = {
	.id = "use_process",
	.summary = "Use a process: refused",
	.about = "Answers that there is no shell.",
	.path = SHAPE_ROWS(e2b_method_path),
	.answers = OPERATION_ANSWERS(e2b_no_method_answers),
	.errors = &e2b_rpc_errors,
	.types = &e2b_types,
};

/* ---- files ------------------------------------------------------------- */

static const struct operation_answer e2b_files_error_rows[] = {
	{502, E2B_JSON, "SandboxError", "There is no such sandbox."},
	{507, E2B_JSON, "SandboxError", "Home is full."},
	{0, E2B_JSON, "SandboxError", "The call failed."},
};

static const struct operation_answers e2b_files_errors =
	OPERATION_ANSWERS(e2b_files_error_rows);

static const struct shape_row e2b_files_query_rows[] = {
	{"path", true, "string 1..",
	 "The file: absolute, or relative to home."},
};

static const struct operation_answer e2b_files_read_answers[] = {
	{200, "application/octet-stream", "bytes", "The file's bytes."},
};

const struct operation e2b_files_read_operation = {
	.id = "read_sandbox_file",
	.summary = "Read a file of a sandbox",
	.about = "Returns the bytes of a file below home or /tmp.",
	.query = SHAPE_ROWS(e2b_files_query_rows),
	.headers = SHAPE_ROWS(e2b_headers),
	.answers = OPERATION_ANSWERS(e2b_files_read_answers),
	.errors = &e2b_files_errors,
	.types = &e2b_types,
};

static const struct shape_row e2b_files_write_query[] = {
	{"path", false, "string 1..",
	 "The file. Without it each part's filename is its path."},
};

static const struct operation_answer e2b_files_write_answers[] = {
	{200, E2B_JSON, "[SandboxFile]", "The files are written."},
};

const struct operation e2b_files_write_operation = {
	.id = "write_sandbox_files",
	.summary = "Write files into a sandbox",
	.about = "Writes the parts with the name file of a body of the type "
		 "multipart/form-data, or any other body as it is. All are "
		 "written, or none.",
	.query = SHAPE_ROWS(e2b_files_write_query),
	.headers = SHAPE_ROWS(e2b_headers),
	.shape = "bytes",
	.media = "application/octet-stream",
	.answers = OPERATION_ANSWERS(e2b_files_write_answers),
	.errors = &e2b_files_errors,
	.types = &e2b_types,
};

static const struct operation_answer e2b_files_list_answers[] = {
	{200, E2B_JSON, "SandboxEntries", "The entries."},
};

const struct operation e2b_files_list_operation = {
	.id = "list_sandbox_directory",
	.summary = "List a directory of a sandbox",
	.about = "Returns at most 1,000 entries of a directory, each directory "
		 "before its own.",
	.headers = SHAPE_ROWS(e2b_headers),
	.fields = &e2b_files_list_fields,
	.answers = OPERATION_ANSWERS(e2b_files_list_answers),
	.errors = &e2b_rpc_errors,
	.types = &e2b_types,
};

static const struct operation_answer e2b_files_entry_answers[] = {
	{200, E2B_JSON, "SandboxOneEntry", "What is there."},
};

#define E2B_FILES_ENTRY(name, words, sentence, table)                        \
	{.id = (name), .summary = (words), .about = (sentence),              \
	 .headers = SHAPE_ROWS(e2b_headers), .fields = (table),              \
	 .answers = OPERATION_ANSWERS(e2b_files_entry_answers),              \
	 .errors = &e2b_rpc_errors, .types = &e2b_types}

const struct operation e2b_files_stat_operation = E2B_FILES_ENTRY(
	"describe_sandbox_file", "Describe a file of a sandbox",
	"Returns size, mode and time of a file or directory.",
	&e2b_files_path_fields);
const struct operation e2b_files_make_operation = E2B_FILES_ENTRY(
	"make_sandbox_directory", "Make a directory in a sandbox",
	"Makes a directory, and those above it. 409 if it is there.",
	&e2b_files_path_fields);
const struct operation e2b_files_move_operation = E2B_FILES_ENTRY(
	"move_sandbox_file", "Move a file of a sandbox",
	"Moves a file or directory, and makes the directories above its new "
	"path.",
	&e2b_files_move_fields);

static const struct operation_answer e2b_files_remove_answers[] = {
	{200, E2B_JSON, "SandboxNothing", "It is not there any more."},
};

const struct operation e2b_files_remove_operation = {
	.id = "remove_sandbox_file",
	.summary = "Remove a file of a sandbox",
	.about = "Removes a file, or a directory with all below it. It is no "
		 "error if there is none.",
	.headers = SHAPE_ROWS(e2b_headers),
	.fields = &e2b_files_path_fields,
	.answers = OPERATION_ANSWERS(e2b_files_remove_answers),
	.errors = &e2b_rpc_errors,
	.types = &e2b_types,
};
