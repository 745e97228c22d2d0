/* opensandbox_operations - see operations.h: the paths of OpenSandbox's
 * clients. */
#include "operations.h"

#include "fcgi/opensandbox/opensandbox.h"

#define OPENSANDBOX_JSON "application/json"

/* ---- types ------------------------------------------------------------- */

static const struct shape_row opensandbox_status[] = {
	{"state", true, "'Running'", NULL},
};

static const struct shape_row opensandbox_image[] = {
	{"uri", true, "string", "As it was given."},
};

static const struct shape_row opensandbox_created[] = {
	{"id", true, "string", NULL},
	{"status", true, "OpenSandboxStatus", NULL},
	{"metadata", true, "{string}", NULL},
	{"entrypoint", true, "[string]", NULL},
	{"createdAt", true, "string", "The time, as RFC 3339."},
	{"expiresAt", true, "string",
	 "It ends then, if it is not used before."},
};

static const struct shape_row opensandbox_detail[] = {
	{"id", true, "string", NULL},
	{"status", true, "OpenSandboxStatus", NULL},
	{"metadata", true, "{string}", NULL},
	{"entrypoint", true, "[string]", NULL},
	{"createdAt", true, "string", "The time, as RFC 3339."},
	{"expiresAt", true, "string",
	 "It ends then, if it is not used before."},
	{"image", true, "OpenSandboxImage", NULL},
};

static const struct shape_row opensandbox_pages[] = {
	{"page", true, "integer 1..", NULL},
	{"pageSize", true, "integer 1..", NULL},
	{"totalItems", true, "integer 0..", NULL},
	{"totalPages", true, "integer 0..", NULL},
	{"hasNextPage", true, "boolean", NULL},
};

static const struct shape_row opensandbox_page[] = {
	{"items", true, "[OpenSandboxDetail]", NULL},
	{"pagination", true, "OpenSandboxPages", NULL},
};

static const struct shape_row opensandbox_renewed[] = {
	{"id", true, "string", NULL},
	{"expiresAt", true, "string", "The time, as RFC 3339."},
};

static const struct shape_row opensandbox_endpoint[] = {
	{"endpoint", true, "string",
	 "The address of the sandbox's calls, without a scheme."},
	{"headers", true, "{string}", "The headers that they need."},
};

static const struct shape_row opensandbox_context[] = {
	{"id", true, "string", "The first one has the sandbox's."},
	{"language", true, "'python'", NULL},
	{"cwd", false, "string", "The directory in which it began."},
};

static const struct shape_row opensandbox_event[] = {
	{"type", true,
	 "'init'|'execution_count'|'stdout'|'stderr'|'result'|'error'|'ping'|"
	 "'execution_complete'",
	 NULL},
	{"timestamp", true, "integer 0..", "Milliseconds since 1970."},
};

static const struct shape_row opensandbox_file[] = {
	{"path", true, "string", "Its absolute path."},
	{"type", true, "'file'|'directory'|'symlink'", NULL},
	{"size", true, "integer 0..", "Bytes."},
	{"mode", true, "integer 0..", "The octal digits, as 644."},
	{"owner", true, "string", NULL},
	{"group", true, "string", NULL},
	{"modified_at", true, "string", "The time, as RFC 3339."},
	{"created_at", true, "string", "The same."},
};

static const struct shape_row opensandbox_error[] = {
	{"code", true, "string", "A word for programs."},
	{"message", true, "string", "A sentence."},
};

static const struct shape_type opensandbox_type_rows[] = {
	{"OpenSandboxStatus", NULL, SHAPE_ROWS(opensandbox_status), false},
	{"OpenSandboxImage", NULL, SHAPE_ROWS(opensandbox_image), false},
	{"OpenSandboxCreated", NULL, SHAPE_ROWS(opensandbox_created), false},
	{"OpenSandboxDetail", NULL, SHAPE_ROWS(opensandbox_detail), false},
	{"OpenSandboxPages", NULL, SHAPE_ROWS(opensandbox_pages), false},
	{"OpenSandboxPage", NULL, SHAPE_ROWS(opensandbox_page), false},
	{"OpenSandboxRenewed", NULL, SHAPE_ROWS(opensandbox_renewed), false},
	{"OpenSandboxEndpoint", NULL, SHAPE_ROWS(opensandbox_endpoint), false},
	{"OpenSandboxContext", NULL, SHAPE_ROWS(opensandbox_context), false},
	{"OpenSandboxEvent", "One event of a run.",
	 SHAPE_ROWS(opensandbox_event), true},
	{"OpenSandboxFile", NULL, SHAPE_ROWS(opensandbox_file), false},
	{"OpenSandboxError", "The call failed.",
	 SHAPE_ROWS(opensandbox_error), false},
};

static const struct shape_types opensandbox_types = {
	opensandbox_type_rows, ARRAY_LEN(opensandbox_type_rows)};

/* ---- errors ------------------------------------------------------------ */

static const struct operation_answer opensandbox_error_rows[] = {
	{400, OPENSANDBOX_JSON, "OpenSandboxError", "A field is wrong."},
	{401, OPENSANDBOX_JSON, "OpenSandboxError",
	 "There is no valid token."},
	{404, OPENSANDBOX_JSON, "OpenSandboxError",
	 "There is no such sandbox."},
	{429, OPENSANDBOX_JSON, "OpenSandboxError",
	 "The client has too many sandboxes, or sends too much."},
	{501, OPENSANDBOX_JSON, "OpenSandboxError",
	 "Sandboxes here do not have that."},
	{503, OPENSANDBOX_JSON, "OpenSandboxError",
	 "There is no room; see Retry-After."},
	{0, OPENSANDBOX_JSON, "OpenSandboxError", "The call failed."},
};

static const struct operation_answers opensandbox_errors =
	OPERATION_ANSWERS(opensandbox_error_rows);

/* ---- the lifecycle ----------------------------------------------------- */

static const struct shape_row opensandbox_id_path[] = {
	{"sandboxID", true, "string 1..", "The sandbox's id."},
};

static const struct operation_answer opensandbox_create_answers[] = {
	{202, OPENSANDBOX_JSON, "OpenSandboxCreated", "The sandbox lives."},
};

const struct operation opensandbox_create_operation = {
	.id = "create_opensandbox",
	.summary = "Begin a sandbox, as OpenSandbox's clients do",
	.about = "Begins a sandbox, which keeps variables, imports and files "
		 "from program to program, and answers with its id.",
	.fields = &opensandbox_create_fields,
	.answers = OPERATION_ANSWERS(opensandbox_create_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

static const struct shape_row opensandbox_list_query[] = {
	{"state", false, "string",
	 "A state, several times if there are several; only Running counts."},
	{"metadata", false, "string",
	 "Pairs NAME=VALUE with & between them, each of which must be there."},
	{"page", false, "integer 1..100000 = 1", "The page's number."},
	{"pageSize", false, "integer 1..200 = 20", "Sandboxes of a page."},
};

static const struct operation_answer opensandbox_list_answers[] = {
	{200, OPENSANDBOX_JSON, "OpenSandboxPage", "One page of the list."},
};

const struct operation opensandbox_list_operation = {
	.id = "list_opensandboxes",
	.summary = "List the client's sandboxes in pages",
	.about = "Returns the sandboxes of the client that live, the newest "
		 "first.",
	.query = SHAPE_ROWS(opensandbox_list_query),
	.answers = OPERATION_ANSWERS(opensandbox_list_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

static const struct operation_answer opensandbox_detail_answers[] = {
	{200, OPENSANDBOX_JSON, "OpenSandboxDetail", "The sandbox."},
};

const struct operation opensandbox_detail_operation = {
	.id = "get_opensandbox",
	.summary = "Describe a sandbox of OpenSandbox's clients",
	.about = "Returns when a sandbox began, when it will end if it is not "
		 "used, and its metadata.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.answers = OPERATION_ANSWERS(opensandbox_detail_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

static const struct operation_answer opensandbox_delete_answers[] = {
	{204, NULL, NULL, "It is done."},
};

const struct operation opensandbox_delete_operation = {
	.id = "delete_opensandbox",
	.summary = "End a sandbox of OpenSandbox's clients",
	.about = "Ends a sandbox with its contexts, variables and files.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.answers = OPERATION_ANSWERS(opensandbox_delete_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

static const struct operation_answer opensandbox_renew_answers[] = {
	{200, OPENSANDBOX_JSON, "OpenSandboxRenewed", "Its new end."},
};

const struct operation opensandbox_renew_operation = {
	.id = "renew_opensandbox",
	.summary = "Let a sandbox live for longer",
	.about = "Sets the time until which a sandbox lives without a call, "
		 "as far as sessions.idle_s allows. It is never lowered.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.fields = &opensandbox_renew_fields,
	.answers = OPERATION_ANSWERS(opensandbox_renew_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

static const struct shape_row opensandbox_port_path[] = {
	{"sandboxID", true, "string 1..", "The sandbox's id."},
	{"port", true, "string 1..", "44772; on others nothing listens."},
};

static const struct shape_row opensandbox_port_query[] = {
	{"use_server_proxy", false, "string", "It has no effect."},
	{"expires", false, "string",
	 "Refused: there are no signed addresses."},
};

static const struct operation_answer opensandbox_endpoint_answers[] = {
	{200, OPENSANDBOX_JSON, "OpenSandboxEndpoint", "The address."},
};

const struct operation opensandbox_endpoint_operation = {
	.id = "get_opensandbox_endpoint",
	.summary = "Get the address of a sandbox's calls",
	.about = "Returns the address at which programs run in a sandbox, and "
		 "the header that its calls need.",
	.path = SHAPE_ROWS(opensandbox_port_path),
	.query = SHAPE_ROWS(opensandbox_port_query),
	.answers = OPERATION_ANSWERS(opensandbox_endpoint_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

/* ---- one sandbox ------------------------------------------------------- */

static const struct operation_answer opensandbox_done_answers[] = {
	{200, NULL, NULL, "It is so."},
};

const struct operation opensandbox_ping_operation = {
	.id = "ping_opensandbox",
	.summary = "Check whether a sandbox of OpenSandbox's clients lives",
	.about = "Answers 200 while a sandbox lives, and 404 when it does "
		 "not.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.answers = OPERATION_ANSWERS(opensandbox_done_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

static const struct operation_answer opensandbox_code_answers[] = {
	{200, "text/event-stream", "OpenSandboxEvent",
	 "The program's results, event by event; the last one is "
	 "execution_complete."},
};

const struct operation opensandbox_code_operation = {
	.id = "run_code_in_opensandbox",
	.summary = "Run Python code in a sandbox of OpenSandbox's clients",
	.about = "Runs a Python program in a sandbox and sends its output, "
		 "its rich values and its exception as they come.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.fields = &opensandbox_run_fields,
	.answers = OPERATION_ANSWERS(opensandbox_code_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

/* The paths that are refused, whatever their bodies are. */
static const struct operation_answer opensandbox_refused_answers[] = {
	{501, OPENSANDBOX_JSON, "OpenSandboxError", "It is refused."},
};

#define OPENSANDBOX_REFUSED(name, words, sentence)                           \
	{.id = (name), .summary = (words), .about = (sentence),              \
	 .path = SHAPE_ROWS(opensandbox_id_path),                            \
	 .answers = OPERATION_ANSWERS(opensandbox_refused_answers),          \
	 .errors = &opensandbox_errors, .types = &opensandbox_types}

const struct operation opensandbox_interrupt_operation = OPENSANDBOX_REFUSED(
	"interrupt_opensandbox", "Interrupt a program: refused",
	"Answers that a run ends when its client hangs up.");
const struct operation opensandbox_command_operation = OPENSANDBOX_REFUSED(
	"run_command_in_opensandbox", "Run a command: refused",
	"Answers that there is no shell.");
const struct operation opensandbox_session_operation = OPENSANDBOX_REFUSED(
	"begin_shell_in_opensandbox", "Begin a shell: refused",
	"Answers that there is no shell.");

/* ---- contexts ---------------------------------------------------------- */

static const struct operation_answer opensandbox_context_answers[] = {
	{200, OPENSANDBOX_JSON, "OpenSandboxContext", "The context."},
};

const struct operation opensandbox_context_create_operation = {
	.id = "create_opensandbox_context",
	.summary = "Make a context in a sandbox of OpenSandbox's clients",
	.about = "Makes a context that begins as the sandbox did. It shares "
		 "the sandbox's files, and no variables.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.fields = &opensandbox_context_fields,
	.answers = OPERATION_ANSWERS(opensandbox_context_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

static const struct shape_row opensandbox_contexts_query[] = {
	{"language", false, "string",
	 "Contexts of this language; there are none but of python."},
};

static const struct operation_answer opensandbox_contexts_answers[] = {
	{200, OPENSANDBOX_JSON, "[OpenSandboxContext]", "The contexts."},
};

const struct operation opensandbox_contexts_operation = {
	.id = "list_opensandbox_contexts",
	.summary = "List the contexts of a sandbox of OpenSandbox's clients",
	.about = "Returns the contexts of a sandbox, with its first one.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.query = SHAPE_ROWS(opensandbox_contexts_query),
	.answers = OPERATION_ANSWERS(opensandbox_contexts_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

const struct operation opensandbox_contexts_remove_operation = {
	.id = "remove_opensandbox_contexts",
	.summary = "Remove all contexts of a sandbox but its first",
	.about = "Ends all contexts of a sandbox with their variables, but its "
		 "first one.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.query = SHAPE_ROWS(opensandbox_contexts_query),
	.answers = OPERATION_ANSWERS(opensandbox_done_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

static const struct shape_row opensandbox_context_path[] = {
	{"sandboxID", true, "string 1..", "The sandbox's id."},
	{"contextID", true, "string 1..", "The context's id."},
};

const struct operation opensandbox_context_operation = {
	.id = "get_opensandbox_context",
	.summary = "Describe a context",
	.about = "Returns the id and the language of a context.",
	.path = SHAPE_ROWS(opensandbox_context_path),
	.answers = OPERATION_ANSWERS(opensandbox_context_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

const struct operation opensandbox_context_remove_operation = {
	.id = "remove_opensandbox_context",
	.summary = "Remove a context of OpenSandbox's clients",
	.about = "Ends a context with its variables. The first one cannot be "
		 "removed.",
	.path = SHAPE_ROWS(opensandbox_context_path),
	.answers = OPERATION_ANSWERS(opensandbox_done_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

/* ---- files ------------------------------------------------------------- */

static const struct shape_row opensandbox_path_query[] = {
	{"path", true, "string 1..", "Absolute, or relative to home."},
};

static const struct shape_row opensandbox_paths_query[] = {
	{"path", true, "string 1..",
	 "Absolute, or relative to home. It may be there several times."},
};

static const struct operation_answer opensandbox_download_answers[] = {
	{200, "application/octet-stream", "bytes", "The file's bytes."},
};

const struct operation opensandbox_download_operation = {
	.id = "download_opensandbox_file",
	.summary = "Read a file of a sandbox of OpenSandbox's clients",
	.about = "Returns the bytes of a file below home or /tmp.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.query = SHAPE_ROWS(opensandbox_path_query),
	.answers = OPERATION_ANSWERS(opensandbox_download_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

const struct operation opensandbox_upload_operation = {
	.id = "upload_opensandbox_files",
	.summary = "Write files into a sandbox of OpenSandbox's clients",
	.about = "Writes files: a part with the name metadata, a JSON object "
		 "with the path, comes before each part with the name file. "
		 "All are written, or none.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.shape = "bytes",
	.media = "multipart/form-data",
	.answers = OPERATION_ANSWERS(opensandbox_done_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

static const struct operation_answer opensandbox_info_answers[] = {
	{200, OPENSANDBOX_JSON, "{OpenSandboxFile}", "By the paths."},
};

const struct operation opensandbox_info_operation = {
	.id = "describe_opensandbox_files",
	.summary = "Describe files of a sandbox",
	.about = "Returns size, mode and time of files or directories.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.query = SHAPE_ROWS(opensandbox_paths_query),
	.answers = OPERATION_ANSWERS(opensandbox_info_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

#define OPENSANDBOX_REMOVE(name, words, sentence)                            \
	{.id = (name), .summary = (words), .about = (sentence),              \
	 .path = SHAPE_ROWS(opensandbox_id_path),                            \
	 .query = SHAPE_ROWS(opensandbox_paths_query),                       \
	 .answers = OPERATION_ANSWERS(opensandbox_done_answers),             \
	 .errors = &opensandbox_errors, .types = &opensandbox_types}

const struct operation opensandbox_remove_files_operation =
	OPENSANDBOX_REMOVE("remove_opensandbox_files",
			   "Remove files of a sandbox",
			   "Removes files, and no directories.");
const struct operation opensandbox_remove_directories_operation =
	OPENSANDBOX_REMOVE("remove_opensandbox_directories",
			   "Remove directories of a sandbox",
			   "Removes directories with all below them.");

static const struct operation_answer opensandbox_directory_answers[] = {
	{200, OPENSANDBOX_JSON, "[OpenSandboxFile]", "The entries."},
};

static const struct shape_row opensandbox_directory_query[] = {
	{"path", true, "string 1..", "Absolute, or relative to home."},
	{"depth", false, "integer 0..1000 = 1",
	 "Levels of directories that are listed; 0 is 1."},
};

const struct operation opensandbox_directory_operation = {
	.id = "list_opensandbox_directory",
	.summary = "List a directory of a sandbox of OpenSandbox's clients",
	.about = "Returns at most 1,000 entries of a directory, each directory "
		 "before its own.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.query = SHAPE_ROWS(opensandbox_directory_query),
	.answers = OPERATION_ANSWERS(opensandbox_directory_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

const struct operation opensandbox_make_operation = {
	.id = "make_opensandbox_directories",
	.summary = "Make directories in a sandbox of OpenSandbox's clients",
	.about = "Makes a directory for each name of the body's object, and "
		 "those above it. It is no error if one is there.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.shape = "{object}",
	.answers = OPERATION_ANSWERS(opensandbox_done_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};

const struct operation opensandbox_move_operation = {
	.id = "move_opensandbox_files",
	.summary = "Move files of a sandbox of OpenSandbox's clients",
	.about = "Moves each file or directory from src to dest, and makes the "
		 "directories above its new path.",
	.path = SHAPE_ROWS(opensandbox_id_path),
	.shape = "[object]",
	.answers = OPERATION_ANSWERS(opensandbox_done_answers),
	.errors = &opensandbox_errors,
	.types = &opensandbox_types,
};
