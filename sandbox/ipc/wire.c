/* wire - see wire.h. */
#include "wire.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "sandbox/base/io.h"

#define WIRE_SMALL 4096 /* bytes of a frame that one write sends */
#define WIRE_TOGETHER (256u << 10) /* a job up to this size is one part */
#define WIRE_JOB_MAX (1u << 30) /* bytes of a section of a job, at most */

/*
 * Frames and their limits. To add a frame, add a row here and a handler in
 * watch_frames.c. MAX is in bytes. 0 means that the limits set it.
 */
static const struct wire_row {
	size_t max;
	unsigned times; /* in one run; 0: the limits set it */
} wire_rows[WIRE_TYPES] = {
	[WIRE_ARMED] = {.max = 0, .times = 1},
	[WIRE_DISPLAY] = {.max = 0, .times = 0},
	[WIRE_VALUE] = {.max = 0, .times = 1},
	[WIRE_ERROR] = {.max = 256 * 1024, .times = 1},
	[WIRE_DROPPED] = {.max = 20, .times = 1},
	[WIRE_END] = {.max = sizeof(struct wire_end), .times = 1},
	[WIRE_FAILED] = {.max = 200, .times = 1},
	[WIRE_STARTED] = {.max = 0, .times = 1},
	[WIRE_REFUSED] = {.max = 80, .times = 1},
	[WIRE_WARNING] = {.max = WARNINGS_BYTES, .times = WARNINGS_MAX},
	[WIRE_WHERE] = {.max = 4096, .times = 10},
};

void wire_reader_init(struct wire_reader *reader, const struct limits *limits)
{
	*reader = (struct wire_reader){
		.value_max = (size_t)limits->value_kb << 10,
		.displays_left = (size_t)limits->displays_mb << 20,
		.displays_max = limits->displays,
	};
}

void wire_reader_free(struct wire_reader *reader)
{
	free(reader->payload.data);
	*reader = (struct wire_reader){0};
}

static size_t wire_max(const struct wire_reader *reader, uint32_t type)
{
	if (type == WIRE_VALUE)
		return reader->value_max;
	if (type == WIRE_DISPLAY)
		return reader->displays_left;
	return wire_rows[type].max;
}

static unsigned wire_times(const struct wire_reader *reader, uint32_t type)
{
	return type == WIRE_DISPLAY ? reader->displays_max
				    : wire_rows[type].times;
}

/* A header is complete: check that this frame may come, and allocate its
 * payload. */
static int wire_admit(struct wire_reader *reader)
{
	const struct wire_header *header = &reader->header;

	if (header->type >= WIRE_TYPES)
		return -EPROTO;
	if (reader->seen[header->type] >= wire_times(reader, header->type))
		return -EPROTO;
	if (header->size > wire_max(reader, header->type))
		return -EPROTO;
	if (header->type == WIRE_DISPLAY)
		reader->displays_left -= header->size;
	reader->seen[header->type]++;
	free(reader->payload.data);
	reader->payload = (struct bytes){
		.data = malloc((size_t)header->size + 1)};
	return reader->payload.data ? 0 : -ENOMEM;
}

/* Read towards WANT bytes at AT. 1: complete, 0: not yet. */
static int wire_fill(int fd, char *at, size_t *have, size_t want)
{
	while (*have < want) {
		ssize_t n = read(fd, at + *have, want - *have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (n == 0)
			return -EPIPE;
		*have += (size_t)n;
	}
	return 1;
}

int wire_read(struct wire_reader *reader, int fd)
{
	bool fresh = reader->header_have < sizeof(reader->header);
	int rc = wire_fill(fd, (char *)&reader->header, &reader->header_have,
			   sizeof(reader->header));

	if (rc <= 0)
		return rc;
	if (fresh && (rc = wire_admit(reader)) < 0)
		return rc;
	rc = wire_fill(fd, reader->payload.data, &reader->payload.size,
		       reader->header.size);
	if (rc > 0) {
		reader->payload.data[reader->payload.size] = '\0';
		reader->header_have = 0;
	}
	return rc;
}

/* A small frame takes one write(2), because a guest has no writev(2). */
int wire_write(int fd, enum wire_type type, const void *data, size_t size)
{
	struct wire_header header = {.type = type, .size = (uint32_t)size};
	char frame[WIRE_SMALL];
	size_t first = size < sizeof(frame) - sizeof(header)
			       ? size : sizeof(frame) - sizeof(header);

	if (size > UINT32_MAX)
		return -EMSGSIZE;
	memcpy(frame, &header, sizeof(header));
	if (first > 0)
		memcpy(frame + sizeof(header), data, first);
	int rc = io_write_full(fd, frame, sizeof(header) + first);

	if (rc < 0 || first == size)
		return rc;
	return io_write_full(fd, (const char *)data + first, size - first);
}

static size_t wire_env_size(const struct job *job)
{
	size_t size = 0;

	for (size_t i = 0; i < job->env_count; i++)
		size += strlen(job->env[i].assignment) + 1;
	return size;
}

static int wire_job_header(const struct job *job, size_t env_size,
			   struct wire_job *header)
{
	if (job->code.size > WIRE_JOB_MAX || env_size > WIRE_JOB_MAX ||
	    job->arguments.size > WIRE_JOB_MAX ||
	    job->args.size > WIRE_JOB_MAX || job->name.size > WIRE_JOB_MAX)
		return -EMSGSIZE;
	*header = (struct wire_job){
		.name_size = (uint32_t)job->name.size,
		.args_size = (uint32_t)job->args.size,
		.code_size = (uint32_t)job->code.size,
		.arguments_size = (uint32_t)job->arguments.size,
		.env_size = (uint32_t)env_size,
		.imported = job->imported,
		.call_main = job->call_main,
		.task = job->task,
		.value = job->value,
		.merge_output = job->merge_output,
		.timeout_ms = job->timeout_ms,
		.memory_mb = job->memory_mb,
		.displays = job->displays,
		.forms = job->forms,
		.habits = job->habits,
	};
	return 0;
}

static char *wire_put(char *at, const struct bytes *bytes)
{
	return bytes->size ? mempcpy(at, bytes->data, bytes->size) : at;
}

static char *wire_put_env(const struct job *job, char *at)
{
	for (size_t i = 0; i < job->env_count; i++)
		at = mempcpy(at, job->env[i].assignment,
			     strlen(job->env[i].assignment) + 1);
	return at;
}

/* Are the assignments adjacent in memory, as they are on the pipe? */
static bool wire_env_is_one(const struct job *job)
{
	for (size_t i = 1; i < job->env_count; i++) {
		const char *last = job->env[i - 1].assignment;

		if (job->env[i].assignment != last + strlen(last) + 1)
			return false;
	}
	return job->env_count > 0;
}

static int wire_feed_large(const struct job *job, size_t env_size,
			   struct wire_feed *feed)
{
	bool one = wire_env_is_one(job);
	struct wire_job header;
	int rc = wire_job_header(job, env_size, &header);

	if (rc < 0)
		return rc;
	feed->own = malloc(sizeof(header) + job->name.size +
			   (one ? 0 : env_size));
	if (!feed->own)
		return -ENOMEM;
	char *head = mempcpy(feed->own, &header, sizeof(header));
	char *env = wire_put(head, &job->name);

	feed->parts[0] = (struct bytes){feed->own, (size_t)(env - feed->own)};
	if (one)
		env = job->env[0].assignment;
	else
		wire_put_env(job, env);
	feed->parts[1] = job->args;
	feed->parts[2] = job->code;
	feed->parts[3] = job->arguments;
	feed->parts[4] = (struct bytes){env, env_size};
	return 0;
}

int wire_feed_job(const struct job *job, struct wire_feed *feed)
{
	size_t env_size = wire_env_size(job);
	int rc;

	*feed = (struct wire_feed){0};
	feed->parts[WIRE_PARTS - 1] = job->input;
	if (job->args.size + job->code.size + job->arguments.size + env_size >
	    WIRE_TOGETHER)
		return wire_feed_large(job, env_size, feed);
	rc = wire_pack_job(job, &feed->parts[0]);
	feed->own = feed->parts[0].data;
	return rc;
}

int wire_pack_job(const struct job *job, struct bytes *out)
{
	size_t env_size = wire_env_size(job);
	struct wire_job header;
	int rc = wire_job_header(job, env_size, &header);

	if (rc < 0)
		return rc;
	out->size = sizeof(header) + job->name.size + job->args.size +
		    job->code.size + job->arguments.size + env_size;
	out->data = malloc(out->size);
	if (!out->data)
		return -ENOMEM;
	char *at = mempcpy(out->data, &header, sizeof(header));

	at = wire_put(at, &job->name);
	at = wire_put(at, &job->args);
	at = wire_put(at, &job->code);
	at = wire_put(at, &job->arguments);
	wire_put_env(job, at);
	return 0;
}

int wire_pack_call(const struct job *job, const struct limits *limits,
		   struct bytes *out)
{
	struct wire_call head = {.input_size = (uint32_t)job->input.size,
				 .value_kb = limits->value_kb,
				 .timeout_ms = limits->timeout_ms,
				 .displays = limits->displays,
				 .displays_mb = limits->displays_mb};
	struct bytes rest = {0};

	if (job->input.size > WIRE_JOB_MAX)
		return -EMSGSIZE;
	int rc = wire_pack_job(job, &rest);

	if (rc < 0)
		return rc;
	out->size = sizeof(head) + job->input.size + rest.size;
	out->data = malloc(out->size);
	if (out->data) {
		char *at = mempcpy(out->data, &head, sizeof(head));

		at = wire_put(at, &job->input);
		memcpy(at, rest.data, rest.size);
	}
	free(rest.data);
	return out->data ? 0 : -ENOMEM;
}

int wire_read_section(int fd, size_t size, struct bytes *out)
{
	if (size > WIRE_JOB_MAX)
		return -EMSGSIZE;
	out->data = malloc(size + 1);
	if (!out->data)
		return -ENOMEM;
	out->size = size;
	out->data[size] = '\0';
	return io_read_full(fd, out->data, size);
}

int wire_read_job(int fd, struct job *job, struct bytes *env)
{
	struct wire_job header;
	int rc = io_read_full(fd, &header, sizeof(header));

	if (rc < 0)
		return rc;
	job->imported = header.imported;
	job->call_main = header.call_main;
	job->task = (enum job_task)header.task;
	job->value = (enum job_value)header.value;
	job->merge_output = header.merge_output;
	job->timeout_ms = header.timeout_ms;
	job->memory_mb = header.memory_mb;
	job->displays = header.displays;
	job->forms = header.forms;
	job->habits = header.habits;
	const struct {
		size_t size;
		struct bytes *out;
	} sections[] = {{header.name_size, &job->name},
			{header.args_size, &job->args},
			{header.code_size, &job->code},
			{header.arguments_size, &job->arguments},
			{header.env_size, env}};

	for (size_t i = 0; i < ARRAY_LEN(sections) && rc >= 0; i++)
		rc = wire_read_section(fd, sections[i].size, sections[i].out);
	return rc;
}
