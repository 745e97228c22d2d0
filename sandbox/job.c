/*
 * job - what is asked: its release, and how a request is refused.
 */
#include "job.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static void free_list(struct job *job)
{
	for (size_t i = 0; i < job->files_count; i++) {
		free(job->files[i].name);
		free(job->files[i].content.data);
	}
	for (size_t i = 0; i < job->env_count; i++)
		free(job->env[i].assignment);
	free(job->files);
	free(job->env);
}

void job_free(struct job *job)
{
	free_list(job);
	free(job->code.data);
	free(job->arguments.data);
	free(job->input.data);
	free(job->note.data);
	*job = (struct job){ 0 };
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
