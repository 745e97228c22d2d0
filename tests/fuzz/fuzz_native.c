/*
 * fuzz_native - any bytes as a request to the native door, and as what a
 * guest left behind.
 *
 * Besides memory errors: a job keeps the promises of job.h, a refusal has
 * words, and every answer is one line of valid JSON.
 */
#include <string.h>

#include "fcgi/api/native.h"
#include "fcgi/api/native_reply.h"
#include "replies.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_job(const struct job *job)
{
	want(job->code.size > 0);
	want(job->call_main == (job->arguments.data != NULL));
	if (job->call_main)
		want(json_check_value(job->arguments.data,
				      job->arguments.size) == 0);
	for (size_t i = 0; i < job->files_count; i++) {
		want(!job_file_name_fault(job->files[i].name));
		for (size_t j = 0; j < i; j++)
			want(strcmp(job->files[i].name, job->files[j].name));
	}
	for (size_t i = 0; i < job->env_count; i++) {
		const char *assignment = job->env[i].assignment;

		want(strchr(assignment, '=') > assignment);
		want(strncmp(assignment, "LD_", 3) != 0);
		want(strncmp(assignment, "PYTHON", 6) != 0);
	}
}

static void fuzz_request(const uint8_t *data, size_t size)
{
	const struct door_limits limits = { 1000, 100, 5, 100 };
	struct refusal why = { 0 };
	struct reply reply;
	struct job job = { .body = { malloc(size + 1), size } };

	want(job.body.data);
	memcpy(job.body.data, data, size);
	job.body.data[size] = '\0';
	int rc = native_parse(&limits, &job, &why);

	if (rc == 0) {
		fuzz_job(&job);
	} else {
		want(why.status >= 200 && why.status < 500 && why.message[0]);
		reply_init(&reply);
		native_reply_refuse(&why, "id", &reply);
		fuzz_reply(&reply, false);
		reply_free(&reply);
	}
	job_free(&job);
}

/* The input as output, as a traceback, as a value if it can be one and, cut
 * in pieces, as file names. */
static void fuzz_outcome(const uint8_t *data, size_t size)
{
	const struct limits limits = { .timeout_ms = 1 };
	const struct job job = { .body = { NULL, 0 } };
	owned_free char *text = calloc(1, size + 1);
	struct outcome_file files[8] = { 0 };
	struct outcome outcome = { .files = files };
	struct reply reply;
	size_t used = 0;

	if (!text)
		abort();
	memcpy(text, data, size);
	outcome.verdict = size ? data[size - 1] % OUTCOME_VERDICTS : 0;
	outcome.detail = size > 1 ? (signed char)data[1] : 0;
	outcome.out.kept = (struct bytes){ text, size };
	outcome.err.dropped = size;
	if (json_check_value(text, size) == 0) {
		outcome.value = outcome.out.kept;
		outcome.displays = &outcome.value;
		outcome.displays_count = 1;
	}
	outcome.error_type = outcome.error_message = text;
	while (outcome.files_count < ARRAY_LEN(files) && used < size) {
		files[outcome.files_count++].name = text + used;
		used += 1 + size / ARRAY_LEN(files);
	}
	reply_init(&reply);
	native_reply_render(&(struct door_answer){.outcome = &outcome,
						  .job = &job,
						  .limits = &limits,
						  .id = "id"},
			    &reply);
	fuzz_reply(&reply, false);
	reply_free(&reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_request(data, size);
	fuzz_outcome(data, size);
	return 0;
}
