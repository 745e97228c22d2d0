/* snekbox_reply - see snekbox_reply.h. */
#include "snekbox_reply.h"

#include <errno.h>
#include <string.h>

#include "sandbox/text/message.h"
#include "sandbox/text/text.h"

/* ---- the exit code --------------------------------------------------- */

#define SNEKBOX_REPLY_KILLED 137 /* by SIGKILL */
#define SNEKBOX_REPLY_ENDED 143  /* by SIGTERM */

/* The exit code of a verdict; 0: the outcome's own. */
static const int snekbox_reply_codes[OUTCOME_VERDICTS] = {
	[OUTCOME_TIMEOUT] = SNEKBOX_REPLY_KILLED,
	[OUTCOME_MEMORY] = SNEKBOX_REPLY_KILLED,
	[OUTCOME_OUTPUT] = SNEKBOX_REPLY_ENDED,
};

/* Output past the limit counts as its flood does, because clients are told of
 * neither in another way. */
static int snekbox_reply_code(const struct outcome *outcome)
{
	int code = snekbox_reply_codes[outcome->verdict];

	if (code == 0 && outcome->out.dropped > 0)
		code = SNEKBOX_REPLY_ENDED;
	return code ? code : outcome->exit_code;
}

/* ---- files ----------------------------------------------------------- */

/* A file whose name begins with "_" is left out, and one that is hidden or lies
 * in a hidden directory, and one whose name is no text. */
static bool snekbox_reply_wants(const struct outcome_file *file)
{
	const char *name = file->name, *slash = strrchr(name, '/');

	return (slash ? slash[1] : *name) != '_' && *name != '.' &&
	       !strstr(name, "/.") &&
	       text_utf8_bad(name, strlen(name)) == strlen(name);
}

struct snekbox_reply_entry {
	const struct outcome_file *file;
};

/* By components, so a slash sorts below all others. */
static int snekbox_reply_compare(const void *left, const void *right)
{
	const struct snekbox_reply_entry *a = left, *b = right;
	const unsigned char *x = (const unsigned char *)a->file->name;
	const unsigned char *y = (const unsigned char *)b->file->name;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	if (*x == *y)
		return 0;
	if (!*x || !*y)
		return *x ? 1 : -1;
	if (*x == '/' || *y == '/')
		return *y == '/' ? 1 : -1;
	return *x < *y ? -1 : 1;
}

/* The files of an answer, by their paths. */
struct snekbox_reply_files {
	struct snekbox_reply_entry *list;
	size_t count;
	uint64_t dropped;
};

static void snekbox_reply_choose(const struct outcome *outcome,
				 struct snekbox_reply_files *files,
				 struct reply *reply)
{
	*files = (struct snekbox_reply_files){
		.list = reallocarray(NULL, outcome->files_count + 1,
				     sizeof(*files->list)),
		.dropped = outcome->files_dropped};
	if (!files->list) {
		reply->error = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < outcome->files_count; i++)
		if (snekbox_reply_wants(&outcome->files[i]))
			files->list[files->count++].file = &outcome->files[i];
	qsort(files->list, files->count, sizeof(*files->list),
	      snekbox_reply_compare);
	if (files->count <= SNEKBOX_REPLY_FILES_MAX)
		return;
	files->dropped += files->count - SNEKBOX_REPLY_FILES_MAX;
	files->count = SNEKBOX_REPLY_FILES_MAX;
}

static void snekbox_reply_put_files(const struct snekbox_reply_files *files,
				    struct reply *reply)
{
	reply_text(reply, ",\"files\":[");
	for (size_t i = 0; i < files->count; i++) {
		const struct outcome_file *file = files->list[i].file;

		reply_text(reply, i ? ",{\"path\":" : "{\"path\":");
		reply_string(reply, file->name);
		reply_format(reply, ",\"size\":%ju,\"content\":",
			     (uintmax_t)file->size);
		reply_base64_file(reply, file->fd, file->size);
		reply_text(reply, "}");
	}
	reply_text(reply, "]}\n");
}

/* ---- output ---------------------------------------------------------- */

static void snekbox_reply_end_line(struct text *text)
{
	if (text->size > 0 && text->data[text->size - 1] != '\n')
		text_add(text, "\n", 1);
}

/* The output, the traceback, and a line for each thing that was cut. */
static void snekbox_reply_put_output(const struct outcome *outcome,
				     uint64_t files_dropped,
				     struct reply *reply)
{
	const struct bytes *out = &outcome->out.kept;
	const char *more = outcome->error_message;
	struct text text = {0};

	text_add(&text, out->data, out->size);
	if (outcome->out.dropped > 0) {
		snekbox_reply_end_line(&text);
		text_format(&text, "[output was cut: %ju bytes are missing]\n",
			    (uintmax_t)outcome->out.dropped);
	}
	if (outcome->verdict == OUTCOME_RAISED && more && *more) {
		snekbox_reply_end_line(&text);
		text_format(&text, "%s\n", more);
	}
	if (files_dropped > 0) {
		snekbox_reply_end_line(&text);
		text_format(&text, "[%ju files were left out]\n",
			    (uintmax_t)files_dropped);
	}
	reply_json_string(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

static void snekbox_reply_put_none(struct reply *reply, const char *words)
{
	reply_text(reply, "{\"stdout\":");
	reply_string(reply, words);
	reply_text(reply, ",\"returncode\":null,\"files\":[]}\n");
}

void snekbox_reply_render(const struct door_answer *answer,
			  struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	struct snekbox_reply_files files;

	reply->id = answer->id;
	if (!outcome_rows[outcome->verdict].started) {
		struct text text = {0};

		message_add(&text, outcome, answer->limits);
		text_add(&text, "", 1);
		snekbox_reply_put_none(reply, text.error ? "" : text.data);
		text_free(&text);
		return;
	}
	snekbox_reply_choose(outcome, &files, reply);
	reply_text(reply, "{\"stdout\":");
	snekbox_reply_put_output(outcome, files.dropped, reply);
	reply_format(reply, ",\"returncode\":%d", snekbox_reply_code(outcome));
	snekbox_reply_put_files(&files, reply);
	free(files.list);
}

/* ---- refusals -------------------------------------------------------- */

/* The title of a refusal, by its status and code. "": any code. */
static const struct {
	int status;
	const char *code, *title;
} snekbox_reply_titles[] = {
	{400, "invalid", "Request data failed validation"},
	{400, "bad_file", "Request file is invalid"},
	{400, "no_executable", "executable_path does not exist"},
	{400, "bad_json", "Invalid JSON"},
	{400, "", "400 Bad Request"},
	{401, "", "401 Unauthorized"},
	{403, "", "403 Forbidden"},
	{404, "", "404 Not Found"},
	{405, "", "405 Method Not Allowed"},
	{413, "", "413 Payload Too Large"},
	{415, "", "415 Unsupported Media Type"},
	{503, "", "503 Service Unavailable"},
	{500, "", "500 Internal Server Error"},
};

void snekbox_reply_refuse(const struct refusal *why, const char *id,
			  struct reply *reply)
{
	const char *title = "Error";

	reply->id = id;
	reply->status = why->status;
	if (why->status == SNEKBOX_REPLY_NOT_RUN) {
		snekbox_reply_put_none(reply, why->message);
		return;
	}
	for (size_t i = ARRAY_LEN(snekbox_reply_titles); i-- > 0;) {
		const char *code = snekbox_reply_titles[i].code;

		if (snekbox_reply_titles[i].status == why->status &&
		    (!*code || strcmp(code, why->code) == 0))
			title = snekbox_reply_titles[i].title;
	}
	reply_text(reply, "{\"title\":");
	reply_string(reply, title);
	reply_text(reply, ",\"description\":");
	reply_string(reply, why->message);
	reply_text(reply, "}\n");
}
