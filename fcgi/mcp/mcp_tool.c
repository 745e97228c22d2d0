/* mcp_tool - see mcp_tool.h. */
#include "mcp_tool.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sandbox/text/fields.h"
#include "sandbox/text/text.h"
#include "fcgi/api/input_files.h"

#define MCP_TOOL_SESSION "session"
#define MCP_TOOL_TIMEOUT "timeout_ms"

/* ---- description ----------------------------------------------------- */

/* Packages that a model may know and ask for, by the names of their
 * distributions. Those that are installed are named in the description; a list
 * of all would be long, and is at GET /packages. */
static const char *const mcp_tool_known[] = {
	"numpy", "pandas", "scipy", "sympy", "matplotlib", "seaborn", "plotly",
	"scikit-learn", "statsmodels", "networkx", "xarray", "Pillow",
	"scikit-image", "opencv-python", "opencv", "openpyxl", "XlsxWriter",
	"python-docx", "pypdf", "reportlab", "beautifulsoup4", "lxml",
	"shapely", "geopandas", "nltk", "numba", "xgboost", "PuLP",
};

static bool mcp_tool_has(struct json_span rows, const char *name)
{
	struct json_walk walk = json_walk(rows);
	struct json_span found;

	while (json_next(&walk))
		if (json_member(walk.value, "name", &found) &&
		    found.size == strlen(name) + 2 &&
		    strncasecmp(found.data + 1, name, found.size - 2) == 0)
			return true;
	return false;
}

void mcp_tool_add_packages(const struct bytes *packages, struct text *text)
{
	const char *glue = " Installed, among others: ";
	struct json_span rows;

	if (!packages->size ||
	    !json_member(json_whole(packages->data, packages->size),
			 "packages", &rows))
		return;
	for (size_t i = 0; i < ARRAY_LEN(mcp_tool_known); i++)
		if (mcp_tool_has(rows, mcp_tool_known[i])) {
			text_format(text, "%s%s", glue, mcp_tool_known[i]);
			glue = ", ";
		}
	if (*glue == ',')
		text_format(text, ".");
}

static void mcp_tool_add_limits(const struct limits *limits, struct text *text)
{
	text_format(text,
		    " Limits: %.1f s, %u MB of memory, %u MB of files, %u "
		    "threads, %u KB of output, %u KB of the value, %u figures; "
		    "more output is cut.", limits->timeout_ms / 1000.0,
		    limits->memory_mb, limits->home_mb, limits->threads,
		    limits->output_kb, limits->value_kb, limits->displays);
}

static void mcp_tool_add_files(const struct mcp_facts *facts,
			       struct text *text)
{
	const struct limits *limits = facts->limits;
	const char *aliases = facts->most->home_aliases;
	const char *glue = " (also called ";

	text_format(text, " The working directory is the home directory "
		    "/home/user");
	for (size_t size; aliases && *aliases; aliases += size) {
		aliases += strspn(aliases, ":");
		size = strcspn(aliases, ":");
		text_format(text, "%s%.*s", glue, (int)size, aliases);
		glue = ", ";
	}
	text_format(text,
		    "%s: files that are passed (at most %u) lie there, and "
		    "each file that the program writes there is returned (at "
		    "most %u files, %u MB). /tmp can be written to, too. "
		    "Figures of matplotlib that are open at the end or shown "
		    "are returned as images.", *glue == ',' ? ")" : "",
		    limits->files_in, limits->files_out,
		    limits->files_out_mb);
}

/* Each sentence tells a model of something that it need not try. */
static void mcp_tool_add_refused(bool sessions, struct text *text)
{
	text_format(text,
		    " Refused: there is no network, no package can be "
		    "installed, and no other program or shell can be "
		    "started. %s",
		    sessions ? "Nothing is kept from call to call, except in a "
			       "session: calls with the same session share "
			       "variables and files, and its output files are "
			       "resources that can be read until it ends."
			     : "Nothing is kept from call to call.");
}

void mcp_tool_describe(const struct mcp_facts *facts, struct reply *reply)
{
	struct text text = {0};

	text_format(&text,
		    "Runs a Python %s program in a sandbox and returns what it "
		    "printed, the value of its last expression, figures and "
		    "files.", facts->python);
	mcp_tool_add_packages(facts->packages, &text);
	mcp_tool_add_limits(facts->limits, &text);
	mcp_tool_add_files(facts, &text);
	mcp_tool_add_refused(facts->most->sessions, &text);
	reply_json_string(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

static const char mcp_tool_output[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"success\":{\"type\":\"boolean\"},"
	"\"final_expression\":{\"description\":"
	"\"The value of the last expression, if it has one.\"},"
	"\"error\":{\"type\":\"object\",\"properties\":{"
	"\"type\":{\"type\":\"string\"},\"message\":{\"type\":\"string\"}}},"
	"\"std_out\":{\"type\":\"string\"},"
	"\"std_err\":{\"type\":\"string\"},"
	"\"code_runtime\":{\"type\":\"integer\",\"description\":"
	"\"Milliseconds.\"},"
	"\"truncated\":{\"type\":\"object\"},"
	"\"usage\":{\"type\":\"object\"},"
	"\"exit_code\":{\"type\":\"integer\"},"
	"\"warnings\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
	"\"session\":{\"type\":\"object\"},"
	"\"output_files\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
	"\"properties\":{\"uri\":{\"type\":\"string\"},"
	"\"size\":{\"type\":\"integer\"}}}},"
	"\"id\":{\"type\":\"string\"}},"
	"\"required\":[\"success\",\"std_out\",\"std_err\",\"code_runtime\","
	"\"exit_code\",\"output_files\",\"id\"]}";

/* ---- arguments ------------------------------------------------------- */

struct mcp_tool_request {
	const struct door_limits *limits;
	struct job *job;
	struct refusal *why;
};

static int mcp_tool_take_code(void *context, struct json_span span)
{
	struct mcp_tool_request *request = context;
	struct bytes *code = &request->job->code;
	int rc = span.data ? fields_string(request->job, span, code) : 0;

	if (rc)
		return rc;
	if (fields_blank(code))
		return refuse(request->why, 400, "missing",
			      "no code provided");
	return 0;
}

static int mcp_tool_take_files(void *context, struct json_span span)
{
	struct mcp_tool_request *request = context;
	struct input_files_limits limits = {request->limits->files,
					    request->limits->home_bytes,
					    request->limits->home_aliases};

	return input_files_read(span, &limits, request->job, request->why);
}

static int mcp_tool_take_timeout(void *context, struct json_span span)
{
	struct mcp_tool_request *request = context;

	return fields_limit(span, "timeout_ms", request->limits->timeout_ms,
			    &request->job->timeout_ms, request->why);
}

static int mcp_tool_take_session(void *context, struct json_span span)
{
	struct mcp_tool_request *request = context;

	if (!request->limits->sessions)
		return refuse(request->why, 403, "sessions_off",
			      "sessions are switched off on this server");
	return fields_string(request->job, span, &request->job->session);
}

static int mcp_tool_warn(void *context, struct json_span key)
{
	struct mcp_tool_request *request = context;
	char shown[TEXT_SHOW_SIZE];

	text_show(shown, key.data + 1, key.size - 2);
	return warnings_format(&request->job->warnings,
			       "the argument \"%s\" is unknown and has no "
			       "effect", shown);
}

static const struct field mcp_tool_rows[] = {
	{MCP_TOOL_SESSION, JSON_STRING, false, mcp_tool_take_session, "string 1..128",
	 "The name of a session, which is begun if there is none: later "
	 "calls with this name find its variables and files."},
	{MCP_TOOL_TIMEOUT, JSON_NUMBER, false, mcp_tool_take_timeout, "integer 1..",
	 "A lower limit of time."},
	{"code", JSON_STRING, true, mcp_tool_take_code, "string",
	 "The program. The value of its last expression is returned."},
	{"files", JSON_ARRAY, false, mcp_tool_take_files, "[InputFile]",
	 "Files to write below the home directory first."},
};

static const struct fields mcp_tool_fields = {
	mcp_tool_rows, ARRAY_LEN(mcp_tool_rows), .bad_type = 400,
	.unknown = mcp_tool_warn
};

/* ---- the tool -------------------------------------------------------- */

static const struct shape_row mcp_tool_file[] = {
	{"filename", true, "string", NULL},
	{"b64_data", true, "string", "The content in base64."},
};

static const struct shape_type mcp_tool_types[] = {
	{"InputFile", NULL, SHAPE_ROWS(mcp_tool_file), false},
};

/* The schema of the arguments: of the fields that are read, those that this
 * server takes, with its limit. */
static void mcp_tool_put_input(const struct door_limits *most,
			       struct reply *reply)
{
	const struct shape_types types = {mcp_tool_types,
					  ARRAY_LEN(mcp_tool_types)};
	struct shape_row all[FIELDS_MAX], rows[FIELDS_MAX];
	struct shape_type type = {.rows = {rows, 0}};
	char timeout[32];
	struct text text = {0};

	snprintf(timeout, sizeof(timeout), "integer 1..%u", most->timeout_ms);
	fields_describe(&mcp_tool_fields, all);
	for (size_t i = 0; i < mcp_tool_fields.count; i++) {
		if (strcmp(all[i].name, MCP_TOOL_TIMEOUT) == 0)
			all[i].shape = timeout;
		if (most->sessions ||
		    strcmp(all[i].name, MCP_TOOL_SESSION) != 0)
			rows[type.rows.count++] = all[i];
	}
	shape_add_object(&text, &type, &types, true);
	reply_bytes(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

void mcp_tool_put(const struct mcp_facts *facts, struct reply *reply)
{
	reply_text(reply, "{\"name\":\"" MCP_TOOL "\","
			  "\"title\":\"Run Python\",\"description\":");
	mcp_tool_describe(facts, reply);
	reply_text(reply, ",\"inputSchema\":");
	mcp_tool_put_input(facts->most, reply);
	reply_text(reply, ",\"outputSchema\":");
	reply_text(reply, mcp_tool_output);
	reply_text(reply,
		   ",\"annotations\":{\"readOnlyHint\":false,"
		   "\"destructiveHint\":false,\"idempotentHint\":false,"
		   "\"openWorldHint\":false}}");
}

int mcp_tool_read(const struct door_limits *limits,
		  struct json_span arguments, struct job *job,
		  struct refusal *why)
{
	struct mcp_tool_request request = {limits, job, why};

	job->displays = true;
	return fields_read_object(arguments, &mcp_tool_fields, &request, why);
}
