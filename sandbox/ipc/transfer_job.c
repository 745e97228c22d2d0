/* transfer_job - a job as it passes: a head of one size, the sections, the
 * variables, the files. See transfer.h. */
#include "transfer.h"

#include <errno.h>
#include <string.h>

#define TRANSFER_JOB_ENV_MAX 100000 /* variables of one job */

struct transfer_job {
	uint32_t task, value;
	uint32_t merge_output, displays, forms, habits, imported, call_main;
	uint32_t timeout_ms, memory_mb, threads;
	uint32_t env_count, files_count;
};

int transfer_job_send(struct transfer *transfer, const struct job *job)
{
	const struct transfer_job head = {
		.task = job->task,
		.value = job->value,
		.merge_output = job->merge_output,
		.displays = job->displays,
		.forms = job->forms,
		.imported = job->imported,
		.habits = job->habits,
		.call_main = job->call_main,
		.timeout_ms = job->timeout_ms,
		.memory_mb = job->memory_mb,
		.threads = job->threads,
		.env_count = (uint32_t)job->env_count,
		.files_count = (uint32_t)job->files_count,
	};

	transfer_begin(transfer);
	transfer_send(transfer, &head, sizeof(head));
	transfer_send_bytes(transfer, &job->name);
	transfer_send_bytes(transfer, &job->args);
	transfer_send_bytes(transfer, &job->code);
	transfer_send_bytes(transfer, &job->arguments);
	transfer_send_bytes(transfer, &job->input);
	transfer_send_bytes(transfer, &job->probe.marker);
	for (size_t i = 0; i < job->env_count; i++)
		transfer_send_text(transfer, job->env[i].assignment);
	for (size_t i = 0; i < job->files_count; i++) {
		transfer_send_text(transfer, job->files[i].name);
		transfer_send_bytes(transfer, &job->files[i].content);
	}
	transfer_flush(transfer);
	return transfer->error;
}

static void transfer_job_receive_env(struct transfer *transfer, uint64_t *left,
				     struct job *job)
{
	owned_free char *assignment = NULL;

	if (!transfer_receive_text(transfer, left, &assignment))
		return;
	if (!assignment || !strchr(assignment, '='))
		transfer_fail(transfer, -EPROTO);
	else if (job_add_assignment(job, assignment) < 0)
		transfer_fail(transfer, -ENOMEM);
	else
		(void)take_ptr(&assignment);
}

static void transfer_job_receive_file(struct transfer *transfer, uint64_t *left,
				      struct job *job)
{
	struct job_file *file = job_add_file(job);

	if (!file) {
		transfer_fail(transfer, -ENOMEM);
		return;
	}
	file->once = true;
	if (!transfer_receive_text(transfer, left, &file->name))
		return;
	if (!file->name || job_file_name_fault(file->name))
		transfer_fail(transfer, -EPROTO);
	else
		transfer_receive_bytes(transfer, left, &file->content);
}

int transfer_job_receive(struct transfer *transfer,
			 const struct transfer_limits *limits, struct job *job)
{
	uint64_t left = limits->bytes;
	struct transfer_job head;

	*job = (struct job){0};
	transfer_begin(transfer);
	if (!transfer_receive(transfer, &head, sizeof(head)))
		return transfer->error;
	if (head.files_count > limits->files ||
	    head.env_count > TRANSFER_JOB_ENV_MAX || head.task >= JOB_TASKS ||
	    head.value >= JOB_VALUES)
		return transfer->error = -EPROTO;
	job->task = head.task;
	job->value = head.value;
	job->merge_output = head.merge_output != 0;
	job->displays = head.displays != 0;
	job->forms = head.forms;
	job->imported = head.imported != 0;
	job->habits = head.habits;
	job->call_main = head.call_main != 0;
	job->timeout_ms = head.timeout_ms;
	job->memory_mb = head.memory_mb;
	job->threads = head.threads;
	transfer_receive_bytes(transfer, &left, &job->name);
	transfer_receive_bytes(transfer, &left, &job->args);
	transfer_receive_bytes(transfer, &left, &job->code);
	transfer_receive_bytes(transfer, &left, &job->arguments);
	transfer_receive_bytes(transfer, &left, &job->input);
	transfer_receive_bytes(transfer, &left, &job->probe.marker);
	while (!transfer->error && job->env_count < head.env_count)
		transfer_job_receive_env(transfer, &left, job);
	while (!transfer->error && job->files_count < head.files_count)
		transfer_job_receive_file(transfer, &left, job);
	return transfer->error;
}

/* ---- the check before ------------------------------------------------ */

static uint64_t transfer_job_env_size(const struct job *job)
{
	uint64_t size = 0;

	for (size_t i = 0; i < job->env_count; i++)
		size += strlen(job->env[i].assignment);
	return size;
}

static uint64_t transfer_job_files_size(const struct job *job)
{
	uint64_t size = 0;

	for (size_t i = 0; i < job->files_count; i++)
		size += strlen(job->files[i].name) + job->files[i].content.size;
	return size;
}

int transfer_job_check(const struct job *job,
		       const struct transfer_limits *limits,
		       struct refusal *why)
{
	const struct {
		const char *field;
		uint64_t size;
	} parts[] = {{"name", job->name.size},
		     {"args", job->args.size},
		     {"code", job->code.size},
		     {"arguments", job->arguments.size},
		     {"stdin", job->input.size},
		     {"marker", job->probe.marker.size},
		     {"env", transfer_job_env_size(job)},
		     {"files", transfer_job_files_size(job)}};
	uint64_t left = limits->bytes;

	if (job->files_count > limits->files)
		return refuse(why, 413, "too_many_files",
			      "files: there are more than %zu, the limit of "
			      "this session",
			      limits->files);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (parts[i].size > left)
			return refuse(why, 413, "too_large",
				      "%s: the request holds more than %ju "
				      "bytes, the limit of this session",
				      parts[i].field, (uintmax_t)limits->bytes);
		left -= parts[i].size;
	}
	return 0;
}
