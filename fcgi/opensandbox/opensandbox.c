/* opensandbox - see opensandbox.h. */
#include "opensandbox.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>

#include "opensandbox_events.h"
#include "opensandbox_reply.h"

/* ---- a sandbox to be made ---------------------------------------------- */

/* A member that means nothing here. */
static int opensandbox_take_nothing(void *context, struct json_span span)
{
	(void)context;
	(void)span;
	return 0;
}

static int opensandbox_take_image(void *context, struct json_span span)
{
	struct e2b_request *request = context;
	struct json_span uri;

	if (!json_member(span, "uri", &uri) || json_kind(uri) != JSON_STRING)
		return refuse(request->why, 400, "bad_type",
			      "image.uri must be a string");
	return e2b_template(request, uri, "image.uri");
}

static int opensandbox_take_snapshot(void *context, struct json_span span)
{
	struct e2b_request *request = context;

	(void)span;
	return refuse(request->why, 501, "not_implemented",
		      "snapshotId: this server keeps no snapshots");
}

static int opensandbox_take_volumes(void *context, struct json_span span)
{
	struct e2b_request *request = context;
	struct json_walk walk = json_walk(span);

	if (!json_next(&walk))
		return 0;
	return refuse(request->why, 501, "not_implemented",
		      "volumes: nothing can be mounted in a sandbox here");
}

static int opensandbox_take_env(void *context, struct json_span span)
{
	struct e2b_request *request = context;

	return e2b_variables(&request->job, span, "env", request->why);
}

static const struct field opensandbox_create_rows[] = {
	{"image", JSON_OBJECT, false, opensandbox_take_image, NULL,
	 "The member uri has any name. Each sandbox is the same."},
	{"timeout", JSON_NUMBER, false, e2b_take_first_timeout, "integer 1..",
	 "Seconds without a call after which the sandbox ends. Without it, as "
	 "late as the server allows."},
	{"metadata", JSON_OBJECT, false, e2b_take_metadata, "{string}",
	 "Words to find the sandbox by, 4096 bytes in all."},
	{"env", JSON_OBJECT, false, opensandbox_take_env, "{string}",
	 "Environment variables of its programs. Names that steer Python, the "
	 "loader or libc are refused."},
	{"snapshotId", JSON_STRING, false, opensandbox_take_snapshot, NULL,
	 "Refused: there are no snapshots."},
	{"volumes", JSON_ARRAY, false, opensandbox_take_volumes, NULL,
	 "Refused unless it is empty: nothing is mounted."},
	{"entrypoint", JSON_ARRAY, false, opensandbox_take_nothing, NULL,
	 "It is not run: a sandbox runs Python programs alone."},
	{"resourceLimits", JSON_OBJECT, false, opensandbox_take_nothing, NULL,
	 "It has no effect: the server's own limits hold."},
	{"resourceRequests", JSON_OBJECT, false, opensandbox_take_nothing,
	 NULL, "It has no effect."},
	{"networkPolicy", JSON_OBJECT, false, opensandbox_take_nothing, NULL,
	 "It has no effect: a sandbox has no network."},
	{"secureAccess", JSON_BOOL, false, opensandbox_take_nothing, NULL,
	 "Whether the sandbox's calls need a credential. They always do."},
	{"platform", JSON_OBJECT, false, opensandbox_take_nothing, NULL,
	 "It has no effect."},
	{"extensions", JSON_OBJECT, false, opensandbox_take_nothing, NULL,
	 "It has no effect."},
};

const struct fields opensandbox_create_fields = {
	opensandbox_create_rows, ARRAY_LEN(opensandbox_create_rows),
	.bad_type = 400};

int opensandbox_read_create(struct e2b_request *request, struct refusal *why)
{
	request->job.habits = JOB_SETUP;
	request->timeout_s = INT_MAX;
	request->why = why;
	return fields_read(request->job.body.data, request->job.body.size,
			   &opensandbox_create_fields, request, why);
}

/* ---- its end ----------------------------------------------------------- */

/* The seconds east of Greenwich that TEXT says, the end of a time: Z or +HH:MM.
 * 0 or -EINVAL. */
static int opensandbox_zone(const char *text, int64_t *out)
{
	static const char form[] = "+00:00";

	*out = 0;
	if (strcmp(text, "Z") == 0 || strcmp(text, "z") == 0)
		return 0;
	if (strlen(text) != strlen(form) || text[3] != ':' ||
	    (*text != '+' && *text != '-'))
		return -EINVAL;
	for (size_t i = 1; form[i]; i++)
		if (form[i] == '0' && !isdigit((unsigned char)text[i]))
			return -EINVAL;
	*out = ((text[1] - '0') * 10 + text[2] - '0') * 3600 +
	       ((text[4] - '0') * 10 + text[5] - '0') * 60;
	if (*text == '-')
		*out = -*out;
	return 0;
}

int opensandbox_time(const char *text, int64_t *out)
{
	static const char form[] = "0000-00-00T00:00:00";
	struct tm parts = {0};
	int64_t zone;

	for (size_t i = 0; form[i]; i++)
		if (form[i] == '0' ? !isdigit((unsigned char)text[i])
				   : form[i] != text[i])
			return -EINVAL;
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &parts);

	if (!rest)
		return -EINVAL;
	if (*rest == '.' && isdigit((unsigned char)rest[1]))
		rest += 1 + strspn(rest + 1, "0123456789");
	if (opensandbox_zone(rest, &zone) < 0)
		return -EINVAL;
	*out = timegm(&parts) - zone;
	return 0;
}

/* A new end, while it is read. */
struct opensandbox_renewal {
	struct e2b_request *request;
	int64_t now;
};

static int opensandbox_take_end(void *context, struct json_span span)
{
	struct opensandbox_renewal *renewal = context;
	struct e2b_request *request = renewal->request;
	struct bytes text = {0};
	int64_t end = 0;

	if (!span.data)
		return refuse(request->why, 400, "missing",
			      "expiresAt is required");
	int rc = fields_string(&request->job, span, &text);

	if (rc < 0)
		return rc;
	if (strlen(text.data) != text.size ||
	    opensandbox_time(text.data, &end) < 0)
		return refuse(request->why, 400, "bad_type",
			      "expiresAt must be a time such as "
			      "2026-01-31T12:00:00Z");
	if (end <= renewal->now)
		return refuse(request->why, 400, "out_of_range",
			      "expiresAt must be in the future");
	end -= renewal->now;
	request->timeout_s = end < INT_MAX ? (unsigned)end : INT_MAX;
	return 0;
}

static const struct field opensandbox_renew_rows[] = {
	{"expiresAt", JSON_STRING, true, opensandbox_take_end, "string 1..",
	 "A time, as RFC 3339. The sandbox lives until then, if the server "
	 "allows, and never shorter than before."},
};

const struct fields opensandbox_renew_fields = {
	opensandbox_renew_rows, ARRAY_LEN(opensandbox_renew_rows),
	.bad_type = 400};

int opensandbox_read_renew(struct e2b_request *request, int64_t now,
			   struct refusal *why)
{
	struct opensandbox_renewal renewal = {request, now};

	request->why = why;
	return fields_read(request->job.body.data, request->job.body.size,
			   &opensandbox_renew_fields, &renewal, why);
}

/* ---- programs ---------------------------------------------------------- */

static const struct field opensandbox_in_rows[] = {
	{"id", JSON_STRING, false, e2b_take_context, NULL, NULL},
	{"language", JSON_STRING, false, e2b_take_language, NULL, NULL},
};

static const struct fields opensandbox_in_fields = {
	opensandbox_in_rows, ARRAY_LEN(opensandbox_in_rows), .bad_type = 400};

static int opensandbox_take_context(void *context, struct json_span span)
{
	struct e2b_run *run = context;

	return fields_read_object(span, &opensandbox_in_fields, run, run->why);
}

static const struct field opensandbox_run_rows[] = {
	{"context", JSON_OBJECT, false, opensandbox_take_context, NULL,
	 "The context to run it in: its id, and its language, which is "
	 "python. Without it, the sandbox's first context."},
	{"code", JSON_STRING, true, e2b_take_code, "string",
	 "The Python program."},
};

const struct fields opensandbox_run_fields = {
	opensandbox_run_rows, ARRAY_LEN(opensandbox_run_rows),
	.bad_type = 400};

int opensandbox_read_run(struct e2b_run *run, struct refusal *why)
{
	struct job *job = run->job;

	run->why = why;
	job->value = JOB_VALUE_REPR;
	job->displays = true;
	job->forms = (JOB_FORM_ALL | JOB_FORM_MAIN) &
		     ~(unsigned)(JOB_FORM_DATA | JOB_FORM_CHART);
	job->habits = JOB_ERROR_VALUE;
	job->session_must_exist = true;
	return fields_read(job->body.data, job->body.size,
			   &opensandbox_run_fields, run, why);
}

static int opensandbox_take_context_language(void *context,
					     struct json_span span)
{
	struct e2b_context *request = context;

	return fields_string(&request->job, span, &request->language);
}

static const struct field opensandbox_context_rows[] = {
	{"language", JSON_STRING, false, opensandbox_take_context_language,
	 "string", "Nothing but python is served."},
};

const struct fields opensandbox_context_fields = {
	opensandbox_context_rows, ARRAY_LEN(opensandbox_context_rows),
	.bad_type = 400};

int opensandbox_read_context(struct e2b_context *context, struct refusal *why)
{
	const struct bytes *body = &context->job.body;
	int rc;

	context->why = why;
	rc = body->size ? fields_read(body->data, body->size,
				      &opensandbox_context_fields, context,
				      why)
			: 0;
	if (rc == 0 && context->language.size > 0 &&
	    strcmp(context->language.data, "python") != 0)
		return refuse(why, 400, "bad_language",
			      "language: this server runs Python programs");
	return rc;
}

/* ---- the doors --------------------------------------------------------- */

static int opensandbox_parse(const struct door_limits *limits,
			     struct job *job, struct refusal *why)
{
	struct e2b_run run = {.job = job};

	(void)limits;
	return opensandbox_read_run(&run, why);
}

const struct door opensandbox_door = {
	opensandbox_parse, opensandbox_reply_lines, opensandbox_reply_refusal,
	"id", "opensandbox"};
const struct door opensandbox_run_door = {
	opensandbox_parse, opensandbox_reply_lines, opensandbox_reply_refusal,
	"id", "opensandbox"};
const struct door_stream opensandbox_stream = {
	&opensandbox_events, opensandbox_reply_lines,
	opensandbox_reply_stream_refusal};
