/* job - see job.h. */
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

/* Free DATA, unless it points into the body. */
static void job_release(const struct job *job, void *data)
{
	if (!job_holds(job, data))
		free(data);
}

static void job_free_lists(struct job *job)
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
	job_free_lists(job);
	job_release(job, job->code.data);
	job_release(job, job->arguments.data);
	job_release(job, job->args.data);
	job_release(job, job->name.data);
	job_release(job, job->input.data);
	job_release(job, job->session.data);
	job_release(job, job->probe.marker.data);
	warnings_free(&job->warnings);
	free(job->body.data);
	*job = (struct job){ 0 };
}

/* A list's allocation doubles when its count is a power of two, so the list
 * needs no member for its capacity. */
static bool job_is_full(size_t count)
{
	return (count & (count - 1)) == 0;
}

struct job_file *job_add_file(struct job *job)
{
	size_t count = job->files_count;

	if (job_is_full(count)) {
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

void job_drop_file(struct job *job, size_t index)
{
	struct job_file *file = &job->files[index];

	job_release(job, file->name);
	job_release(job, file->content.data);
	*file = (struct job_file){ 0 };
}

void job_close_ranks(struct job *job)
{
	size_t count = 0;

	for (size_t i = 0; i < job->files_count; i++)
		if (job->files[i].name)
			job->files[count++] = job->files[i];
	job->files_count = count;
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

	if (job_is_full(count)) {
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

static const char *job_component_fault(const char *start, size_t size)
{
	if (size == 0)
		return "may not have an empty component";
	if (size > JOB_FILE_COMPONENT_MAX)
		return "has a component longer than 255 bytes";
	if (size == 1 && start[0] == '.')
		return "may not contain '.' as a component";
	if (size == 2 && start[0] == '.' && start[1] == '.')
		return "may not contain '..'";
	return NULL;
}

const char *job_file_name_fault(const char *name)
{
	const char *fault = NULL;
	size_t components = 0;

	if (!*name)
		return "is empty";
	if (*name == '/')
		return "may not be absolute";
	if (strlen(name) > JOB_FILE_NAME_MAX)
		return "is longer than 1024 bytes";
	for (;;) {
		size_t size = strcspn(name, "/");

		fault = job_component_fault(name, size);
		if (fault)
			return fault;
		if (++components > JOB_FILE_COMPONENTS_MAX)
			return "has more than 16 components";
		if (!name[size])
			return NULL;
		name += size + 1;
	}
}

int refuse(struct refusal *why, int status, const char *code,
	   const char *fmt, ...)
{
	va_list args;

	why->status = status;
	why->code = code;
	why->offset = 0;
	why->has_offset = false;
	why->list = NULL;
	va_start(args, fmt);
	vsnprintf(why->message, sizeof(why->message), fmt, args);
	va_end(args);
	return -EINVAL;
}
