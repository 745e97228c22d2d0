/*
 * fuzz_doors - any bytes as a request to each door but the native one, and as
 * what a guest left behind.
 *
 * Besides memory errors: a job keeps the promises of job.h and of its door, a
 * refusal has words, and every answer is one line of valid JSON as long as it
 * says.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fcgi/api/dify.h"
#include "fcgi/api/ragflow.h"
#include "fcgi/api/solver_api.h"
#include "fcgi/code_interpreter/code_interpreter.h"
#include "fcgi/code_interpreter/code_interpreter_files.h"
#include "fcgi/e2b/e2b.h"
#include "fcgi/e2b/e2b_files.h"
#include "fcgi/e2b/e2b_list.h"
#include "fcgi/opensandbox/opensandbox.h"
#include "fcgi/opensandbox/opensandbox_files.h"
#include "fcgi/opensandbox/opensandbox_list.h"
#include "fcgi/opensandbox/opensandbox_reply.h"
#include "fcgi/piston/piston.h"
#include "fcgi/piston/semver.h"
#include "fcgi/snekbox/snekbox.h"
#include "replies.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte of a corpus file is an index here. */
static const struct door *const doors[] = {
	&ragflow_door, &solver_api_execute_door, &solver_api_syntax_door,
	&solver_api_ast_door, &code_interpreter_door,
	&code_interpreter_v1_door, &dify_door, &snekbox_door, &piston_door,
	&e2b_port_door, &opensandbox_run_door};
enum { RAGFLOW, EXECUTE, SYNTAX, AST, INTERPRETER, INTERPRETER_V1, DIFY,
       SNEKBOX, PISTON, E2B, OPENSANDBOX };

static void fuzz_job(unsigned which, const struct job *job)
{
	if (which == RAGFLOW) {
		want(job->call_main && job->value == JOB_VALUE_STRICT);
		want(job->imported);
		want(json_kind(json_whole(job->arguments.data,
					  job->arguments.size)) ==
		     JSON_OBJECT);
		want(text_utf8_bad(job->code.data, job->code.size) ==
		     job->code.size);
		want(job->files_count == 1);
		return;
	}
	if (which == SNEKBOX) {
		want(job->merge_output && job->habits & JOB_SCRIPT);
		want(job->code.data || job->habits & JOB_MODULE);
		want(!job->args.size ||
		     job->args.data[job->args.size - 1] == '\0');
		for (size_t i = 0; i < job->files_count; i++)
			want(!job_file_name_fault(job->files[i].name));
		return;
	}
	if (which == PISTON) {
		want(job->code.data && job->name.size > 0);
		want(text_utf8_bad(job->code.data, job->code.size) ==
		     job->code.size);
		want(job->input.size > 0 &&
		     job->input.data[job->input.size - 1] == '\n');
		want(job->timeout_ms <= 1000 && job->memory_mb <= 100);
		want(!job->args.size ||
		     job->args.data[job->args.size - 1] == '\0');
		for (size_t i = 0; i < job->files_count; i++)
			want(!job_file_name_fault(job->files[i].name));
		return;
	}
	if (which == DIFY) {
		want(job->code.size > 0 && job->timeout_ms == 0);
		want(job->habits == (JOB_SCRIPT | JOB_BOUND));
		want(text_utf8_bad(job->code.data, job->code.size) ==
		     job->code.size);
		return;
	}
	if (which == E2B) {
		want(job->code.data && job->session_must_exist);
		want(job->forms & JOB_FORM_MAIN &&
		     job->habits == (JOB_ERROR_VALUE | JOB_ENV_ONCE));
		return;
	}
	if (which == OPENSANDBOX) {
		want(job->code.data && job->session_must_exist);
		want(job->habits == JOB_ERROR_VALUE);
		return;
	}
	if (which >= INTERPRETER) {
		want(job->session.data && job->code.data &&
		     job->value == JOB_VALUE_REPR && job->merge_output);
		return;
	}
	want(job->code.size > 0 && !job->call_main);
	want(job->task == (which == EXECUTE ? JOB_RUN
			   : which == AST   ? JOB_PARSE : JOB_COMPILE));
	if (which == EXECUTE) {
		want(job->timeout_ms >= 1 && job->timeout_ms <= 1000);
		want(job->threads >= 1 && job->threads <= 5);
		want(job->env_count == 4 && job->files_count == 2);
	}
	if (job->files_count)
		want(json_check_value(job->files[0].content.data,
				      job->files[0].content.size) == 0);
}

static void fuzz_request(unsigned which, const uint8_t *data, size_t size)
{
	const struct door_limits limits = {
		.timeout_ms = 1000, .memory_mb = 100, .files = 5,
		.home_bytes = 100, .threads = 5, .cores = 3,
		.sessions = true,
		.python = "3.11.2",
		.content_type = size % 2 || which >= SNEKBOX
					 ? "application/json"
					 : "application/x-www-form-urlencoded",
		.query = "user_uuid=0d9b4f0a-0000-4000-8000-00000000000a"};
	struct refusal why = {0};
	struct reply reply;
	struct job job = {.body = {malloc(size + 1), size}};

	want(job.body.data);
	memcpy(job.body.data, data, size);
	job.body.data[size] = '\0';
	int rc = doors[which]->parse(&limits, &job, &why);

	if (rc == 0) {
		fuzz_job(which, &job);
	} else {
		want((why.status >= 400 && why.status < 500) ||
		     (which == SNEKBOX && why.status == 200));
		want(why.message[0]);
		reply_init(&reply);
		doors[which]->refuse(&why, "id", &reply);
		want(reply.status == why.status ||
		     (which == DIFY && reply.status == 200) ||
		     (which == RAGFLOW &&
		      (reply.status == 422 || reply.status == 200)) ||
		     (which == INTERPRETER && why.status == 400 &&
		      reply.status == 422));
		if (which != E2B) /* whose refusals are plain text */
			fuzz_reply(&reply, false);
		reply_free(&reply);
	}
	free(why.list);
	job_free(&job);
}

/* The input as a body about a sandbox, and as a sandbox's note. */
static void fuzz_sandbox(const uint8_t *data, size_t size)
{
	static int (*const reads[])(struct e2b_request *, struct refusal *) = {
		e2b_read_create, e2b_read_connect, e2b_read_timeout};
	struct text note = {0};

	for (size_t i = 0; i < ARRAY_LEN(reads); i++) {
		struct e2b_request request = {
			.job.body = {malloc(size + 1), size}};
		struct refusal why = {0};

		want(request.job.body.data);
		memcpy(request.job.body.data, data, size);
		request.job.body.data[size] = '\0';
		if (reads[i](&request, &why) < 0) {
			want(why.status == 400 && why.message[0]);
		} else if (i == 0) {
			e2b_note(&request, &note);
			want(!note.error && note.size <= E2B_NOTE_MAX);
			want(json_check_value(note.data, note.size - 1) == 0);
			text_free(&note);
		}
		e2b_free(&request);
	}
}

/* The input as a body about files, and as a path. */
static void fuzz_tree(const uint8_t *data, size_t size)
{
	owned_free char *path = calloc(1, size + 1);
	char name[E2B_PATH_MAX];

	want(path);
	memcpy(path, data, size);
	for (unsigned kind = 0; kind < E2B_FILES_KINDS; kind++) {
		struct e2b_files files = {
			.job.body = {malloc(size + 1), size},
			.aliases = "/mnt/data:/home/other",
			.query = size % 2 ? "path=a" : "",
			.content_type = "multipart/form-data; boundary=b"};
		struct refusal why = {0};

		want(files.job.body.data);
		memcpy(files.job.body.data, data, size);
		files.job.body.data[size] = '\0';
		int rc = e2b_files_read(kind, &files, &why);

		want(rc == 0 || (why.status >= 400 && why.status < 500));
		for (size_t i = 0; rc == 0 && i < files.job.files_count; i++)
			want(strncmp(files.job.files[i].name, "user", 4) == 0 ||
			     strncmp(files.job.files[i].name, "tmp", 3) == 0);
		e2b_files_free(&files);
	}
	if (e2b_path("/mnt/data", path, strlen(path), name) == E2B_PATH_FILE &&
	    strchr(name, '/')) {
		want(!strstr(name, "/../") && !strstr(name, "//"));
		want(name[strlen(name) - 1] != '/');
	}
}

/* The input as a query of a list, and as a note of a sandbox in it. */
static void fuzz_list(const uint8_t *data, size_t size)
{
	owned_free char *query = calloc(1, size + 1);
	const struct limits limits = {.memory_mb = 1, .home_mb = 1};
	struct e2b_list list = {0};
	struct refusal why = {0};
	struct reply reply;

	want(query);
	memcpy(query, data, size);
	const struct e2b_sandbox sandbox = {
		.id = "id", .note = query, .domain = query, .request = "id",
		.limits = &limits};

	if (e2b_list_read(&list, query, &why) == 0) {
		want(e2b_list_add(&list, &sandbox) == 0);
		reply_init(&reply);
		e2b_list_reply(&list, &reply);
		fuzz_reply(&reply, false);
		reply_free(&reply);
	} else {
		want(why.status == 400);
	}
	e2b_list_free(&list);
	reply_init(&reply);
	e2b_reply_created(&reply, &sandbox);
	fuzz_reply(&reply, false);
	reply_free(&reply);
}

/* The input as a body about a sandbox, as a time, and as a language. */
static void fuzz_opensandbox(const uint8_t *data, size_t size)
{
	owned_free char *text = calloc(1, size + 1);
	int64_t when;
	struct reply reply;

	want(text);
	memcpy(text, data, size);
	(void)opensandbox_time(text, &when);
	reply_init(&reply);
	opensandbox_reply_language(&reply, text);
	want(reply.error == 0);
	reply_free(&reply);
	for (unsigned i = 0; i < 3; i++) {
		struct e2b_request request = {
			.job.body = {malloc(size + 1), size}};
		struct e2b_context context = {.why = NULL};
		struct refusal why = {0};
		int rc;

		want(request.job.body.data);
		memcpy(request.job.body.data, text, size + 1);
		if (i == 2) {
			context.job.body = request.job.body;
			request.job.body = (struct bytes){0};
			rc = opensandbox_read_context(&context, &why);
		} else {
			rc = i ? opensandbox_read_renew(&request, 1, &why)
			       : opensandbox_read_create(&request, &why);
		}
		want(rc == 0 || ((why.status == 400 || why.status == 501) &&
				 why.message[0]));
		job_free(&context.job);
		e2b_free(&request);
	}
}

/* The input as a query of a list, and as a note and a host. */
static void fuzz_opensandbox_list(const uint8_t *data, size_t size)
{
	owned_free char *query = calloc(1, size + 1);
	const struct limits limits = {.memory_mb = 1, .home_mb = 1};
	struct e2b_list list = {0};
	struct refusal why = {0};
	struct reply reply;

	want(query);
	memcpy(query, data, size);
	const struct e2b_sandbox sandbox = {
		.id = "id", .note = query, .domain = query, .request = "id",
		.limits = &limits};

	if (opensandbox_list_read(&list, query, &why) == 0) {
		want(e2b_list_add(&list, &sandbox) == 0);
		reply_init(&reply);
		opensandbox_list_reply(&list, &reply);
		fuzz_reply(&reply, false);
		reply_free(&reply);
	} else {
		want(why.status == 400);
	}
	e2b_list_free(&list);
	reply_init(&reply);
	opensandbox_reply_created(&reply, &sandbox);
	fuzz_reply(&reply, false);
	reply_free(&reply);
	reply_init(&reply);
	opensandbox_reply_endpoint(&reply, &sandbox);
	fuzz_reply(&reply, false);
	reply_free(&reply);
}

/* The input as a body, and as a query, of the calls for files. */
static void fuzz_opensandbox_files(const uint8_t *data, size_t size)
{
	static int (*const reads[])(struct opensandbox_files *,
				    struct refusal *) = {
		opensandbox_files_download, opensandbox_files_upload,
		opensandbox_files_info, opensandbox_files_remove,
		opensandbox_files_list, opensandbox_files_make,
		opensandbox_files_move};
	owned_free char *query = calloc(1, size + 1);

	want(query);
	memcpy(query, data, size);
	for (size_t i = 0; i < ARRAY_LEN(reads); i++) {
		struct opensandbox_files files = {
			.body = {malloc(size + 1), size},
			.aliases = "/mnt/data:/home/other",
			.query = query,
			.content_type = "multipart/form-data; boundary=b"};
		struct refusal why = {0};

		want(files.body.data);
		memcpy(files.body.data, query, size + 1);
		int rc = reads[i](&files, &why);

		want(rc == 0 || (why.status >= 400 && why.message[0]));
		want(files.count <= OPENSANDBOX_FILES_MOST);
		for (size_t j = 0; rc == 0 && j < files.count; j++)
			want(files.list[j].request.job.files_count > 0);
		opensandbox_files_free(&files);
	}
}

/* The input as a body and as a query of the calls for files. */
static void fuzz_files(const uint8_t *data, size_t size)
{
	static const char given[] =
		"user_uuid=0d9b4f0a-0000-4000-8000-00000000000a&";
	owned_free char *query = calloc(1, sizeof(given) + size);

	want(query);
	memcpy(query, given, sizeof(given) - 1);
	memcpy(query + sizeof(given) - 1, data, size);
	for (unsigned kind = 0; kind < CODE_INTERPRETER_FILES_KINDS; kind++) {
		struct code_interpreter_files files = {
			.job.body = {malloc(size + 1), size}};
		struct refusal why = {0};

		want(files.job.body.data);
		memcpy(files.job.body.data, data, size);
		files.job.body.data[size] = '\0';
		int rc = code_interpreter_files_read(kind, query, &files, &why);

		want(rc == 0 || why.status == 422 || why.status == 501);
		want((rc < 0 && why.status == 422) == (why.list != NULL));
		for (size_t i = 0; rc == 0 && i < files.job.files_count; i++)
			want(!job_file_name_fault(files.job.files[i].name));
		free(why.list);
		code_interpreter_files_free(&files);
	}
}

/* Each line of a stream's end is valid JSON. */
static void fuzz_lines(const struct reply *reply)
{
	const char *at, *end;

	want(reply->error == 0 && reply->parts_count == 1);
	at = reply->parts[0].text;
	for (const char *stop = at + reply->parts[0].size; at < stop;
	     at = end + 1) {
		end = memchr(at, '\n', (size_t)(stop - at));
		want(end && end > at);
		want(json_check_value(at, (size_t)(end - at)) == 0);
	}
}

static int fuzz_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	want(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	return fd;
}

/* The input as a range of versions, and as a request about packages. */
static void fuzz_package(const uint8_t *data, size_t size)
{
	owned_free char *text = calloc(1, size + 1);
	struct refusal why = {0};

	want(text);
	memcpy(text, data, size);
	const struct semver found = semver_read(text, "3.11.2");
	const struct bytes body = {text, size};

	want(found.valid || !(found.matches || found.exact));
	want(found.named <= 3);
	want(piston_find_package(&body, "3.11.2", &why) == 0 ||
	     ((why.status == 400 || why.status == 404) && why.message[0]));
}

/* The input as output, traceback, refused call, value if it can be one, as
 * input.json, as result.json, and as names. */
static void fuzz_outcome(unsigned which, const uint8_t *data, size_t size)
{
	const struct limits limits = {.timeout_ms = 1, .value_kb = 64};
	owned_free char *text = calloc(1, size + 1);
	owned_free char *name = calloc(1, size + 16);
	owned_fd int fd = fuzz_file(data, size);
	struct outcome_file files[] = {
		{(char *)(uintptr_t)"result.json", size, fd},
		{name, size, fd}};
	struct outcome outcome = {.files = files,
				  .files_count = ARRAY_LEN(files)};
	struct job_file input = {.name = (char *)(uintptr_t)"input.json",
				 .content = {text, size}};
	struct job job = {.task = which == EXECUTE ? JOB_RUN : JOB_PARSE,
			  .files = &input,
			  .files_count = which == EXECUTE};
	struct reply reply;

	want(text && name);
	memcpy(text, data, size);
	memcpy(mempcpy(name, "artifacts/", 10), text, size);
	outcome.verdict = size ? data[size - 1] % OUTCOME_VERDICTS : 0;
	outcome.detail = size > 1 ? (signed char)data[1] : 0;
	outcome.probe.phase = size > 2 ? data[2] % OUTCOME_PHASES : 0;
	outcome.exit_code = size > 3 ? data[3] : 0;
	outcome.out.kept = outcome.err.kept = (struct bytes){text, size};
	owned_free uint32_t *sizes = calloc(size + 1, sizeof(*sizes));

	want(sizes);
	for (size_t i = 0; i < size; i++)
		sizes[i] = data[i];
	outcome.order = (struct outcome_order){sizes, size};
	if (json_check_value(text, size) == 0) {
		outcome.value = outcome.out.kept;
		outcome.value_present = true;
	}
	/* Only objects are shown, because route.c refuses all else. */
	struct bytes shown = outcome.value;

	if (outcome.value_present &&
	    json_kind(json_whole(text, size)) == JSON_OBJECT) {
		outcome.displays = &shown;
		outcome.displays_count = 1;
	}
	outcome.error_type = outcome.error_message = text;
	outcome.refused = size % 2 ? text : NULL;
	reply_init(&reply);
	doors[which]->render(&(struct door_answer){.outcome = &outcome,
						   .job = &job,
						   .limits = &limits,
						   .python = "3.11.2",
						   .query = "files=1",
						   .id = "id"},
			     &reply);
	if (which == E2B || which == OPENSANDBOX)
		fuzz_lines(&reply);
	else
		fuzz_reply(&reply, false);
	reply_free(&reply);
}

/* The first byte is the door. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	unsigned which = data[0] % ARRAY_LEN(doors);

	fuzz_request(which, data + 1, size - 1);
	fuzz_outcome(which, data + 1, size - 1);
	if (which == INTERPRETER_V1)
		fuzz_files(data + 1, size - 1);
	if (which == PISTON)
		fuzz_package(data + 1, size - 1);
	if (which == E2B) {
		fuzz_sandbox(data + 1, size - 1);
		fuzz_list(data + 1, size - 1);
		fuzz_tree(data + 1, size - 1);
	}
	if (which == OPENSANDBOX) {
		fuzz_opensandbox(data + 1, size - 1);
		fuzz_opensandbox_list(data + 1, size - 1);
		fuzz_opensandbox_files(data + 1, size - 1);
	}
	return 0;
}
