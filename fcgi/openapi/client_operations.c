/* client_operations - see operations.h: APIs of one path each, for clients of
 * RAGFlow, of Snekbox and of the Model Context Protocol. */
#include "operations.h"

#include "fcgi/api/ragflow.h"

#define CLIENT_JSON "application/json"

/* ---- RAGFlow ----------------------------------------------------------- */

static const struct shape_row ragflow_artifact[] = {
	{"name", true, "string", NULL},
	{"mime_type", true, "string", NULL},
	{"size", true, "integer 0..", "Bytes."},
	{"content_b64", true, "base64", NULL},
};

static const struct shape_row ragflow_result[] = {
	{"present", true, "boolean", "True."},
	{"value", true, "any", "The value of main."},
	{"type", true, "'json'", NULL},
};

static const struct shape_row ragflow_answer[] = {
	{"status", true,
	 "'success'|'program_runner_error'|'program_error'|"
	 "'resource_limit_exceeded'|'unauthorized_access'",
	 NULL},
	{"stdout", true, "string", "Empty after a failure."},
	{"stderr", true, "string", "Has the reason of a failure."},
	{"exit_code", true, "integer", NULL},
	{"detail", true, "string|null", NULL},
	{"time_used_ms", true, "integer 0..|null", NULL},
	{"memory_used_kb", true, "integer 0..|null", NULL},
	{"resource_limit_type", true, "'time'|'memory'|'output'|null", NULL},
	{"unauthorized_access_type", true,
	 "'file_access'|'disallowed_syscall'|null", NULL},
	{"runtime_error_type", true, "'nonzero_exit'|'signaled'|null", NULL},
	{"artifacts", true, "[RagflowArtifact]",
	 "Files that the program saved in artifacts/."},
	{"result", true, "RagflowResult|null", NULL},
};

static const struct shape_row ragflow_error[] = {
	{"detail", true, "string", "A sentence."},
};

static const struct shape_type ragflow_type_rows[] = {
	{"RagflowArtifact", NULL, SHAPE_ROWS(ragflow_artifact), false},
	{"RagflowResult", NULL, SHAPE_ROWS(ragflow_result), false},
	{"RagflowAnswer", NULL, SHAPE_ROWS(ragflow_answer), false},
	{"RagflowError", NULL, SHAPE_ROWS(ragflow_error), false},
};

static const struct shape_types ragflow_types = {ragflow_type_rows,
						 ARRAY_LEN(ragflow_type_rows)};

static const struct operation_answer ragflow_answers[] = {
	{200, CLIENT_JSON, "RagflowAnswer",
	 "The program ran, however it ended, or there was no room."},
	{401, CLIENT_JSON, "RagflowError", "There is no valid token."},
	{422, CLIENT_JSON, "RagflowError", "A field is wrong."},
	{0, CLIENT_JSON, "RagflowError", "The request was not run."},
};

const struct operation ragflow_run_operation = {
	.id = "run_main",
	.summary = "Run the function main of a program",
	.about = "Runs a program in base64, calls its function main with the "
		 "arguments, and returns its value, the output and the files "
		 "in artifacts/.",
	.fields = &ragflow_fields,
	.answers = OPERATION_ANSWERS(ragflow_answers),
	.types = &ragflow_types,
};

/* ---- Snekbox ----------------------------------------------------------- */

static const struct shape_row snekbox_input_file[] = {
	{"path", true, "string 1..", "Its path below the home directory."},
	{"content", false, "base64 = \"\"", "Its content in base64."},
};

/* What snekbox_read_fields() reads. */
static const struct shape_row snekbox_body[] = {
	{"args", false, "[string] = [\"-c\"]",
	 "Arguments of python3. One of args and input is needed."},
	{"input", false, "string", "One more argument, the last: the program."},
	{"files", false, "[InputSnekboxFile]",
	 "Files to write before the run."},
	{"executable_path", false, "string",
	 "The path of any Python; it is always this server's."},
};

static const struct shape_row snekbox_file[] = {
	{"path", true, "string", NULL},
	{"size", true, "integer 0..", "Bytes."},
	{"content", true, "base64", NULL},
};

static const struct shape_row snekbox_answer[] = {
	{"stdout", true, "string", "Both streams, then the traceback."},
	{"returncode", true, "integer|null", "Null if nothing was run."},
	{"files", true, "[SnekboxFile]", "New and changed files."},
};

static const struct shape_row snekbox_error[] = {
	{"title", true, "string", NULL},
	{"description", true, "string", "A sentence."},
};

static const struct shape_type snekbox_type_rows[] = {
	{"InputSnekboxFile", NULL, SHAPE_ROWS(snekbox_input_file), false},
	{"SnekboxFile", NULL, SHAPE_ROWS(snekbox_file), false},
	{"SnekboxAnswer", NULL, SHAPE_ROWS(snekbox_answer), false},
	{"SnekboxError", NULL, SHAPE_ROWS(snekbox_error), false},
};

static const struct shape_types snekbox_types = {snekbox_type_rows,
						 ARRAY_LEN(snekbox_type_rows)};

static const struct operation_answer snekbox_answers[] = {
	{200, CLIENT_JSON, "SnekboxAnswer", "The program ran."},
	{400, CLIENT_JSON, "SnekboxError", "The body or a field is malformed."},
	{401, CLIENT_JSON, "SnekboxError", "There is no valid token."},
	{415, CLIENT_JSON, "SnekboxError", "The body is no JSON."},
	{0, CLIENT_JSON, "SnekboxError", "The request was not run."},
};

const struct operation snekbox_eval_operation = {
	.id = "eval_python",
	.summary = "Run python3 with arguments",
	.about = "Runs python3 as from a command line: the program is input, "
		 "or an argument behind -c, or a file. Returns both output "
		 "streams in one text, the exit code and new files.",
	.rows = SHAPE_ROWS(snekbox_body),
	.answers = OPERATION_ANSWERS(snekbox_answers),
	.types = &snekbox_types,
};

/* ---- Model Context Protocol -------------------------------------------- */

static const struct shape_row mcp_input[] = {
	{"jsonrpc", true, "'2.0'", "The version of JSON-RPC."},
	{"id", false, "string|number", "Absent in a notification."},
	{"method", false, "string", "Absent in a response."},
	{"params", false, "object", "Parameters of the method."},
	{"result", false, "any", "Of a response."},
	{"error", false, "any", "Of a response."},
};

static const struct shape_row mcp_error[] = {
	{"code", true, "integer", NULL},
	{"message", true, "string", "A sentence."},
	{"data", false, "any", NULL},
};

static const struct shape_row mcp_answer[] = {
	{"jsonrpc", true, "'2.0'", NULL},
	{"id", true, "string|number|null", "That of the request."},
	{"result", false, "object", NULL},
	{"error", false, "McpError", NULL},
};

static const struct shape_row mcp_progress[] = {
	{"jsonrpc", true, "'2.0'", NULL},
	{"method", true, "'notifications/progress'", NULL},
	{"params", true, "object",
	 "progressToken, progress and, with output, message."},
};

static const struct shape_type mcp_type_rows[] = {
	{"InputMessage", NULL, SHAPE_ROWS(mcp_input), false},
	{"McpError", NULL, SHAPE_ROWS(mcp_error), false},
	{"McpAnswer", "A response of JSON-RPC.", SHAPE_ROWS(mcp_answer), false},
	{"McpProgress", "A notification during a call.",
	 SHAPE_ROWS(mcp_progress), false},
};

static const struct shape_types mcp_types = {mcp_type_rows,
					     ARRAY_LEN(mcp_type_rows)};

static const struct operation_answer mcp_answers[] = {
	{200, CLIENT_JSON, "McpAnswer|[McpAnswer]",
	 "The response, or a list of them for a batch. For a call with a "
	 "progressToken from a client that accepts text/event-stream, "
	 "notifications come first, as events."},
	{200, "text/event-stream", "McpProgress|McpAnswer",
	 "Progress, then the response."},
	{202, NULL, NULL, "A notification was taken."},
	{400, CLIENT_JSON, "McpAnswer|[McpAnswer]", "It is no message."},
	{401, CLIENT_JSON, "McpAnswer", "There is no valid token."},
	{404, CLIENT_JSON, "McpAnswer", "The method is unknown."},
	{0, CLIENT_JSON, "McpAnswer", "The request was not served."},
};

const struct operation mcp_operation = {
	.id = "send_mcp_message",
	.summary = "Send a message of the Model Context Protocol",
	.about = "Takes JSON-RPC messages of the Model Context Protocol. Its "
		 "tool run_python does the same as the operation run_python.",
	.shape = "InputMessage|[InputMessage]",
	.answers = OPERATION_ANSWERS(mcp_answers),
	.types = &mcp_types,
};

/* The old transport. */
static const struct shape_row mcp_messages_query[] = {
	{"stream", true, "string 32..32",
	 "That of the event endpoint of GET /sse."},
};

static const struct operation_answer mcp_messages_answers[] = {
	{202, NULL, NULL,
	 "The message was taken; a response comes as an event of the stream."},
	{400, CLIENT_JSON, "McpAnswer", "It is no message."},
	{401, CLIENT_JSON, "McpAnswer", "There is no valid token."},
	{404, CLIENT_JSON, "McpAnswer", "The client has no such stream."},
	{0, CLIENT_JSON, "McpAnswer", "The message was not taken."},
};

const struct operation mcp_messages_operation = {
	.id = "send_mcp_message_to_stream",
	.summary = "Send a message of a stream of the Model Context Protocol",
	.about = "Takes a JSON-RPC message of the transport HTTP+SSE of the "
		 "Model Context Protocol's version 2024-11-05. Its tool python "
		 "returns one text.",
	.query = SHAPE_ROWS(mcp_messages_query),
	.rows = SHAPE_ROWS(mcp_input),
	.answers = OPERATION_ANSWERS(mcp_messages_answers),
	.types = &mcp_types,
};

static const struct operation_answer mcp_sse_answers[] = {
	{200, "text/event-stream", "string|McpAnswer",
	 "The event endpoint has the path for messages; each event message "
	 "has a response."},
	{401, CLIENT_JSON, "McpAnswer", "There is no valid token."},
	{503, CLIENT_JSON, "McpAnswer",
	 "The client, or the server, has too many streams."},
	{0, CLIENT_JSON, "McpAnswer", "No stream was begun."},
};

const struct operation mcp_sse_operation = {
	.id = "begin_mcp_stream",
	.summary = "Begin a stream of the Model Context Protocol",
	.about = "Begins a stream of the transport HTTP+SSE of the Model "
		 "Context Protocol's version 2024-11-05.",
	.answers = OPERATION_ANSWERS(mcp_sse_answers),
	.types = &mcp_types,
};
