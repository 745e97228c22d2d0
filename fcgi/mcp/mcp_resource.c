/* mcp_resource - see mcp_resource.h. */
#include "mcp_resource.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "fcgi/http/query.h"
#include "sandbox/text/text.h"

#define MCP_RESOURCE_HOME "file:///home/user/"
#define MCP_RESOURCE_SESSION "session"
#define MCP_RESOURCE_TEXT_MAX (1u << 20) /* bytes; more are sent in base64 */

/* ---- addresses ------------------------------------------------------- */

static const struct {
	const char *suffix, *media;
	bool text; /* sent as text, if it is UTF-8 */
} mcp_resource_media[] = {
	{".csv", "text/csv", true},
	{".json", "application/json", true},
	{".png", "image/png", false},
	{".jpg", "image/jpeg", false},
	{".jpeg", "image/jpeg", false},
	{".gif", "image/gif", false},
	{".svg", "image/svg+xml", true},
	{".pdf", "application/pdf", false},
	{".html", "text/html", true},
	{".txt", "text/plain", true},
	{".md", "text/markdown", true},
	{".zip", "application/zip", false},
	{".xml", "application/xml", true},
};

/* The row of NAME's media type; ARRAY_LEN: there is none. */
static size_t mcp_resource_find(const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t i = 0;

	while (i < ARRAY_LEN(mcp_resource_media) &&
	       (!dot || strcasecmp(mcp_resource_media[i].suffix, dot) != 0))
		i++;
	return i;
}

static void mcp_resource_put_media(struct reply *reply, const char *name)
{
	size_t row = mcp_resource_find(name);

	reply_format(reply, "\"mimeType\":\"%s\"",
		     row < ARRAY_LEN(mcp_resource_media)
			     ? mcp_resource_media[row].media
			     : "application/octet-stream");
}

/* Each byte of a hostile name that could be misread is encoded. So an address
 * is valid JSON, and two files never have the same. */
static void mcp_resource_encode(struct reply *reply, const char *name,
				const char *more)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789-._~";

	for (; *name; name++)
		if (strchr(plain, *name) || strchr(more, *name))
			reply_bytes(reply, name, 1);
		else
			reply_format(reply, "%%%02X", (unsigned char)*name);
}

void mcp_resource_put_uri(struct reply *reply, const char *name,
			  const struct bytes *session)
{
	reply_text(reply, "\"uri\":\"" MCP_RESOURCE_HOME);
	mcp_resource_encode(reply, name, "/");
	if (session && session->data) {
		reply_text(reply, "?" MCP_RESOURCE_SESSION "=");
		mcp_resource_encode(reply, session->data, "");
	}
	reply_text(reply, "\"");
}

void mcp_resource_put_place(struct reply *reply, const char *name,
			    const struct bytes *session)
{
	mcp_resource_put_uri(reply, name, session);
	reply_text(reply, ",");
	mcp_resource_put_media(reply, name);
}

void mcp_resource_put_templates(struct reply *reply)
{
	reply_text(reply,
		   "[{\"uriTemplate\":\"" MCP_RESOURCE_HOME
		   "{+path}{?" MCP_RESOURCE_SESSION "}\","
		   "\"name\":\"session_file\","
		   "\"title\":\"A file of a session\","
		   "\"description\":\"A file in the home directory of a "
		   "session: path is its path there, session the session's "
		   "name.\"}]");
}

/* ---- reading --------------------------------------------------------- */

static int mcp_resource_refuse(struct refusal *why, const char *words)
{
	return refuse(why, 404, "not_found", "params.uri: %s", words);
}

static int mcp_resource_no_memory(struct refusal *why)
{
	return refuse(why, 500, "internal_error",
		      "the server ran out of memory");
}

/* Read the SIZE bytes of PATH into the only file of JOB. */
static int mcp_resource_read_path(const char *path, size_t size,
				  struct job *job, struct refusal *why)
{
	struct job_file *file = job_add_file(job);

	if (file)
		file->name = malloc(size + 1);
	if (!file || !file->name)
		return mcp_resource_no_memory(why);
	size_t used = query_decode(path, size, false, file->name);

	file->name[used] = '\0';
	if (strlen(file->name) != used || job_file_name_fault(file->name))
		return mcp_resource_refuse(why, "there is no such file");
	return 0;
}

static int mcp_resource_read_session(const char *query, struct job *job,
				     struct refusal *why)
{
	int found = query_find(query, MCP_RESOURCE_SESSION, &job->session);

	if (found == -ENOMEM)
		return mcp_resource_no_memory(why);
	if (found != 1 || strlen(job->session.data) != job->session.size)
		return mcp_resource_refuse(
			why, "it must name one session, as ?session=NAME: "
			     "other files are not kept after their call");
	return 0;
}

int mcp_resource_read(struct json_span uri, struct job *job,
		      struct refusal *why)
{
	const size_t home = strlen(MCP_RESOURCE_HOME);
	struct bytes text = {0};

	if (mcp_fixture_resource)
		mcp_fixture_resource(&uri);
	int rc = json_string(uri, &text);
	owned_free char *address = text.data;

	if (rc < 0)
		return mcp_resource_no_memory(why);
	if (strncmp(address, MCP_RESOURCE_HOME, home) != 0)
		return mcp_resource_refuse(why, "it must begin with "
						MCP_RESOURCE_HOME);
	const char *path = address + home;
	size_t size = strcspn(path, "?");

	rc = mcp_resource_read_session(path + size + (path[size] == '?'), job,
				       why);
	return rc < 0 ? rc : mcp_resource_read_path(path, size, job, why);
}

/* The content of FILE if it is text, to be freed; else NULL. */
static char *mcp_resource_text(const struct outcome_file *file)
{
	size_t row = mcp_resource_find(file->name);

	if (row == ARRAY_LEN(mcp_resource_media) ||
	    !mcp_resource_media[row].text || file->size > MCP_RESOURCE_TEXT_MAX)
		return NULL;
	const size_t size = (size_t)file->size;
	char *text = malloc(size + 1);

	if (!text)
		return NULL;
	if (pread(file->fd, text, size, 0) != (ssize_t)size ||
	    text_utf8_bad(text, size) < size)
		base_release_ptr(&text);
	return text;
}

void mcp_resource_put(struct reply *reply, const struct bytes *uri,
		      const struct outcome_file *file)
{
	owned_free char *text = mcp_resource_text(file);

	reply_text(reply, "\"contents\":[{\"uri\":");
	reply_json(reply, uri);
	reply_text(reply, ",");
	mcp_resource_put_media(reply, file->name);
	if (text) {
		reply_text(reply, ",\"text\":");
		reply_json_string(reply, text, (size_t)file->size);
	} else {
		reply_text(reply, ",\"blob\":");
		reply_base64_file(reply, file->fd, file->size);
	}
	reply_text(reply, "}]");
}
