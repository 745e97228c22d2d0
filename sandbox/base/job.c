/*
 * job - what is asked: its release, and how a request is refused.
 */
#include "job.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool job_holds(const struct job *job, const void *data)
{
	uintptr_t at = (uintptr_t)data, body = (uintptr_t)job->body.data;

	return body && at >= body && at - body <= job->body.size;
}

/* What lies in the body goes with it. */
static void job_release(const struct job *job, void *data)
{
	if (!job_holds(job, data))
		free(data);
}

static void free_list(struct job *job)
{
	for (size_t i = 0; i < job->files_count; i++) {
		job_release(job, job->files[i].name);
		job_release(job, job->files[i].content.data);
	}
	for (size_t i = 0; i < job->env_count; i++)
		job_release(job, job->env[i].assignment);
	free(job->files);
	free(job->env);
}

void job_free(struct job *job)
{
	free_list(job);
	job_release(job, job->code.data);
	job_release(job, job->arguments.data);
	job_release(job, job->input.data);
	job_release(job, job->session.data);
	job_release(job, job->marker.data);
	job_release(job, job->note.data);
	free(job->body.data);
	*job = (struct job){ 0 };
}

/* Lists double at the powers of two: no field for the room. */
static bool is_full(size_t count)
{
	return (count & (count - 1)) == 0;
}

struct job_file *job_add_file(struct job *job)
{
	size_t count = job->files_count;

	if (is_full(count)) {
		struct job_file *files = reallocarray(
			job->files, count ? count * 2 : 1, sizeof(*files));

		if (!files)
			return NULL;
		job->files = files;
	}
	job->files[count] = (struct job_file){ 0 };
	job->files_count++;
	return &job->files[count];
}

int job_add_env(struct job *job, const struct bytes *name,
		const struct bytes *value)
{
	owned_free char *text = malloc(name->size + value->size + 2);

	if (!text)
		return -ENOMEM;
	memcpy(text, name->data, name->size);
	text[name->size] = '=';
	memcpy(text + name->size + 1, value->data, value->size);
	text[name->size + 1 + value->size] = '\0';
	int rc = job_add_assignment(job, text);

	if (rc == 0)
		(void)take_ptr(&text);
	return rc;
}

int job_add_assignment(struct job *job, char *assignment)
{
	size_t count = job->env_count;

	if (is_full(count)) {
		struct job_env *env = reallocarray(
			job->env, count ? count * 2 : 1, sizeof(*env));

		if (!env)
			return -ENOMEM;
		job->env = env;
	}
	job->env[count].assignment = assignment;
	job->env_count++;
	return 0;
}

int refuse(struct refusal *why, int status, const char *code,
	   const char *fmt, ...)
{
	va_list args;

	why->status = status;
	why->code = code;
	why->offset = 0;
	why->has_offset = false;
	va_start(args, fmt);
	vsnprintf(why->message, sizeof(why->message), fmt, args);
	va_end(args);
	return -EINVAL;
}
