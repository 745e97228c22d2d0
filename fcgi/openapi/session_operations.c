/* session_operations - see operations.h: the code interpreter's paths. */
#include "operations.h"

#include "fcgi/code_interpreter/code_interpreter.h"

#define SESSION_JSON "application/json"
#define SESSION_BYTES "application/octet-stream"

/* ---- types ------------------------------------------------------------- */

static const struct shape_row session_result[] = {
	{"result_text", true, "string|null",
	 "Both output streams, then the final value; null for a picture."},
	{"result_base64", true, "base64|null", "The last picture, as PNG."},
};

static const struct shape_row session_done[] = {
	{"status", true, "'ok'", NULL},
	{"detail", true, "string", "A sentence."},
};

static const struct shape_row session_numbers[] = {
	{"max", true, "integer 0..", NULL},
	{"open", true, "integer 0..", NULL},
	{"busy", true, "integer 0..", NULL},
	{"waiting", true, "integer 0..", "Calls that wait."},
	{"ending", true, "integer 0..", NULL},
};

static const struct shape_row session_status[] = {
	{"total_workers", true, "integer 0..", NULL},
	{"busy_workers", true, "integer 0..", NULL},
	{"is_initializing", true, "boolean", "Whether the server starts."},
	{"sessions", false, "SessionNumbers", NULL},
};

static const struct shape_row session_detail[] = {
	{"detail", true, "string", "A sentence."},
};

static const struct shape_row session_fault[] = {
	{"type", true, "string", "A word for programs."},
	{"loc", true, "[string|integer]", "The place in the request."},
	{"msg", true, "string", "A sentence."},
};

static const struct shape_row session_faults[] = {
	{"detail", true, "[Fault]", NULL},
};

static const struct shape_row session_code[] = {
	{"code", true, "string",
	 "The Python program. It finds the variables and files of earlier "
	 "calls."},
};

static const struct shape_row session_input_upload[] = {
	{"path", true, "string 1..", "The directory, such as /sandbox."},
	{"name", true, "string 1..", "The file's name."},
	{"download_url", true, "string 1..",
	 "The content, as data:;base64,CONTENT."},
};

static const struct shape_row session_input_place[] = {
	{"path", true, "string 1..", "The directory, such as /sandbox."},
	{"name", true, "string 1..", "The file's name."},
};

static const struct shape_row session_uploads[] = {
	{"files", true, "[InputUpload]", "The files to write."},
};

static const struct shape_row session_places[] = {
	{"files", true, "[InputPlace]", "The files."},
};

static const struct shape_row session_written[] = {
	{"full_path", true, "string", NULL},
	{"size", true, "integer 0..", "Bytes."},
};

static const struct shape_row session_written_list[] = {
	{"success", true, "boolean", "True."},
	{"results", true, "[WrittenFile]", NULL},
};

static const struct shape_row session_exported[] = {
	{"path", true, "string", "Its directory."},
	{"name", true, "string", NULL},
	{"size", true, "integer 0..", "Bytes."},
	{"b64_data", true, "base64", "The content in base64."},
};

static const struct shape_row session_exported_list[] = {
	{"success", true, "boolean", "True."},
	{"results", true, "[ExportedFile]", NULL},
};

static const struct shape_row session_listed[] = {
	{"path", true, "string", "Its directory."},
	{"name", true, "string", NULL},
	{"size", true, "integer 0..", "Bytes."},
	{"modified", true, "string", "The time, as ISO 8601."},
};

static const struct shape_row session_list[] = {
	{"files", true, "[ListedFile]", NULL},
	{"truncated", false, "boolean", "True if there are more."},
};

static const struct shape_type session_type_rows[] = {
	{"SessionResult", NULL, SHAPE_ROWS(session_result), false},
	{"SessionDone", NULL, SHAPE_ROWS(session_done), false},
	{"SessionNumbers", "Numbers of sessions.", SHAPE_ROWS(session_numbers),
	 false},
	{"SessionStatus", NULL, SHAPE_ROWS(session_status), false},
	{"Detail", "The call failed.", SHAPE_ROWS(session_detail), false},
	{"Fault", NULL, SHAPE_ROWS(session_fault), false},
	{"Faults", "Fields of the request are wrong.",
	 SHAPE_ROWS(session_faults), false},
	{"InputUpload", NULL, SHAPE_ROWS(session_input_upload), false},
	{"InputPlace", NULL, SHAPE_ROWS(session_input_place), false},
	{"WrittenFile", NULL, SHAPE_ROWS(session_written), false},
	{"WrittenFiles", NULL, SHAPE_ROWS(session_written_list), false},
	{"ExportedFile", NULL, SHAPE_ROWS(session_exported), false},
	{"ExportedFiles", NULL, SHAPE_ROWS(session_exported_list), false},
	{"ListedFile", NULL, SHAPE_ROWS(session_listed), false},
	{"ListedFiles", NULL, SHAPE_ROWS(session_list), false},
};

static const struct shape_types session_types = {session_type_rows,
						 ARRAY_LEN(session_type_rows)};

/* ---- errors ------------------------------------------------------------ */

static const struct operation_answer session_error_rows[] = {
	{400, SESSION_JSON, "Detail",
	 "The program raised an exception, or a path leads nowhere."},
	{401, SESSION_JSON, "Detail", "There is no valid token."},
	{403, SESSION_JSON, "Detail",
	 "Sessions are off, or the token is not valid here."},
	{404, SESSION_JSON, "Detail", "There is no such session or file."},
	{413, SESSION_JSON, "Detail", "The body or a file is too large."},
	{422, SESSION_JSON, "Faults", "Fields of the request are wrong."},
	{429, SESSION_JSON, "Detail", "Too many requests; see Retry-After."},
	{503, SESSION_JSON, "Detail",
	 "A crash or a limit; with Retry-After, there is no room."},
	{504, SESSION_JSON, "Detail", "The program ran out of time."},
	{0, SESSION_JSON, "Detail", "The call failed."},
};

static const struct operation_answers session_errors = {
	session_error_rows, ARRAY_LEN(session_error_rows)};

/* ---- operations -------------------------------------------------------- */

static const struct shape_row session_execute_headers[] = {
	{"Session-Must-Exist", false, "'true'",
	 "Run nothing, and answer 410, if there is no such session."},
};

static const struct operation_answer session_execute_answers[] = {
	{200, SESSION_JSON, "SessionResult", "The program ended well."},
};

const struct operation session_execute_operation = {
	.id = "execute_in_session",
	.summary = "Run Python code in a session",
	.about = "Runs Python code in a session, which keeps variables, "
		 "imports and files from call to call and is begun by its "
		 "first call. Returns the output and the final value as one "
		 "text, or the last picture.",
	.headers = SHAPE_ROWS(session_execute_headers),
	.fields = &code_interpreter_execute_fields,
	.answers = OPERATION_ANSWERS(session_execute_answers),
	.errors = &session_errors,
	.types = &session_types,
};

static const struct operation_answer session_done_answers[] = {
	{200, SESSION_JSON, "SessionDone", "It is done."},
};

const struct operation session_release_operation = {
	.id = "release_session",
	.summary = "End a session",
	.about = "Ends a session with all its variables and files. It is no "
		 "error if there is none.",
	.fields = &code_interpreter_release_fields,
	.answers = OPERATION_ANSWERS(session_done_answers),
	.errors = &session_errors,
	.types = &session_types,
};

static const struct operation_answer session_fork_answers[] = {
	{200, SESSION_JSON, "SessionDone", "The new session lives."},
	{409, SESSION_JSON, "Detail", "The new name is taken."},
};

const struct operation session_fork_operation = {
	.id = "fork_session",
	.summary = "Branch a session",
	.about = "Makes a second session that begins with the present state "
		 "of the first. Variables are its own from then on; files are "
		 "shared.",
	.fields = &code_interpreter_fork_fields,
	.answers = OPERATION_ANSWERS(session_fork_answers),
	.errors = &session_errors,
	.types = &session_types,
};

static const struct operation_answer session_status_answers[] = {
	{200, SESSION_JSON, "SessionStatus", "The numbers."},
};

const struct operation session_status_operation = {
	.id = "get_pool_status",
	.summary = "Get the numbers of workers and sessions",
	.about = "Returns how many workers there are, how many are busy, and "
		 "the numbers of sessions.",
	.answers = OPERATION_ANSWERS(session_status_answers),
	.errors = &session_errors,
	.types = &session_types,
};

/* ---- /api/v1 ----------------------------------------------------------- */

static const struct shape_row session_v1_query[] = {
	{CODE_INTERPRETER_NAME, true, "string 1..", "The session: a UUID."},
};

static const struct shape_row session_v1_folder_query[] = {
	{CODE_INTERPRETER_NAME, true, "string 1..", "The session: a UUID."},
	{"path", false, "string", "The directory; home if it is absent."},
};

static const struct shape_row session_v1_file_query[] = {
	{CODE_INTERPRETER_NAME, true, "string 1..", "The session: a UUID."},
	{"path", true, "string 1..", "The directory, such as /sandbox."},
	{"name", true, "string 1..", "The file's name."},
};

static const struct operation_answer session_v1_execute_answers[] = {
	{200, SESSION_JSON, "SessionResult",
	 "The program ran; an exception is told in result_text."},
};

const struct operation session_v1_execute_operation = {
	.id = "execute_in_session_v1",
	.summary = "Run Python code in a session named by a UUID",
	.about = "The same as execute_in_session. An exception is an ordinary "
		 "answer here.",
	.query = SHAPE_ROWS(session_v1_query),
	.rows = SHAPE_ROWS(session_code),
	.answers = OPERATION_ANSWERS(session_v1_execute_answers),
	.errors = &session_errors,
	.types = &session_types,
};

static const struct operation_answer session_v1_none_answers[] = {
	{204, NULL, NULL, "It is done."},
};

const struct operation session_v1_release_operation = {
	.id = "release_session_v1",
	.summary = "End a session named by a UUID",
	.about = "Ends a session with all its variables and files.",
	.query = SHAPE_ROWS(session_v1_query),
	.answers = OPERATION_ANSWERS(session_v1_none_answers),
	.errors = &session_errors,
	.types = &session_types,
};

static const struct operation_answer session_v1_list_answers[] = {
	{200, SESSION_JSON, "ListedFiles", "The files."},
};

const struct operation session_v1_list_operation = {
	.id = "list_session_files",
	.summary = "List a session's files",
	.about = "Returns all files below a directory of a session, at most "
		 "1,000.",
	.query = SHAPE_ROWS(session_v1_folder_query),
	.answers = OPERATION_ANSWERS(session_v1_list_answers),
	.errors = &session_errors,
	.types = &session_types,
};

static const struct operation_answer session_v1_written_answers[] = {
	{201, SESSION_JSON, "WrittenFiles", "The files are written."},
	{501, SESSION_JSON, "Detail", "A file is named by a URL of a network."},
};

const struct operation session_v1_upload_operation = {
	.id = "write_session_files",
	.summary = "Write files into a session",
	.about = "Writes files into a session, which is begun if there is "
		 "none. All of them are written, or none.",
	.query = SHAPE_ROWS(session_v1_query),
	.rows = SHAPE_ROWS(session_uploads),
	.answers = OPERATION_ANSWERS(session_v1_written_answers),
	.errors = &session_errors,
	.types = &session_types,
};

const struct operation session_v1_remove_operation = {
	.id = "remove_session_files",
	.summary = "Remove files of a session",
	.about = "Removes files of a session. A missing file is no error.",
	.query = SHAPE_ROWS(session_v1_query),
	.rows = SHAPE_ROWS(session_places),
	.answers = OPERATION_ANSWERS(session_v1_none_answers),
	.errors = &session_errors,
	.types = &session_types,
};

static const struct operation_answer session_v1_export_answers[] = {
	{200, SESSION_JSON, "ExportedFiles", "The files."},
	{501, SESSION_JSON, "Detail", "A file shall go to a URL."},
};

const struct operation session_v1_export_operation = {
	.id = "read_session_files",
	.summary = "Read files of a session",
	.about = "Returns files of a session in base64.",
	.query = SHAPE_ROWS(session_v1_query),
	.rows = SHAPE_ROWS(session_places),
	.answers = OPERATION_ANSWERS(session_v1_export_answers),
	.errors = &session_errors,
	.types = &session_types,
};

static const struct operation_answer session_v1_fetch_answers[] = {
	{200, SESSION_BYTES, "bytes", "The file's bytes."},
};

const struct operation session_v1_fetch_operation = {
	.id = "read_session_file",
	.summary = "Read one file of a session as it is",
	.about = "Returns the bytes of one file of a session.",
	.query = SHAPE_ROWS(session_v1_file_query),
	.answers = OPERATION_ANSWERS(session_v1_fetch_answers),
	.errors = &session_errors,
	.types = &session_types,
};

const struct operation session_v1_replace_operation = {
	.id = "write_session_file",
	.summary = "Write one file of a session as it is",
	.about = "Writes the body as one file of a session, which is begun if "
		 "there is none.",
	.query = SHAPE_ROWS(session_v1_file_query),
	.shape = "bytes",
	.media = SESSION_BYTES,
	.answers = OPERATION_ANSWERS(session_v1_written_answers),
	.errors = &session_errors,
	.types = &session_types,
};

const struct operation session_v1_status_operation = {
	.id = "get_session_status",
	.summary = "Get the number of open sessions",
	.about = "Returns how many sessions there may be, and how many are "
		 "open.",
	.answers = OPERATION_ANSWERS(session_status_answers),
	.errors = &session_errors,
	.types = &session_types,
};
