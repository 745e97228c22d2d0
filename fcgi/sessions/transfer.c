/* parcel - see parcel.h: the stream, and the job. The outcome is in
 * parcel_outcome.c. */
#include "transfer.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>

#include "sandbox/base/io.h"
#include "fcgi/api/input_files.h"

#define PARCEL_ENV_MAX 100000 /* variables of one job */

void parcel_begin(struct parcel *parcel)
{
	parcel->end = io_now_ms() + PARCEL_MS;
}

static bool parcel_fail(struct parcel *parcel, int error)
{
	if (parcel->error == 0)
		parcel->error = error;
	return false;
}

/* Wait for EVENTS of the stream until END; false with an error. */
static bool parcel_poll(struct parcel *parcel, short events, int64_t end)
{
	struct pollfd polled[] = {
		{.fd = parcel->fd, .events = events},
		{.fd = parcel->client, .events = POLLRDHUP},
	};

	for (;;) {
		int64_t left = end - io_now_ms();
		int n = poll(polled, 2, left < 0	 ? 0
					: left > INT_MAX ? INT_MAX
							 : (int)left);

		if (n < 0 && errno != EINTR)
			return parcel_fail(parcel, -errno);
		if (n == 0)
			return parcel_fail(parcel, -ETIMEDOUT);
		if (n > 0 && polled[1].revents)
			return parcel_fail(parcel, -ECANCELED);
		if (n > 0)
			return true;
	}
}

bool parcel_wait(struct parcel *parcel, int timeout_ms)
{
	return !parcel->error &&
	       parcel_poll(parcel, POLLIN,
			   timeout_ms < 0 ? INT64_MAX
					  : io_now_ms() + timeout_ms);
}

bool parcel_put(struct parcel *parcel, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0 && !parcel->error) {
		ssize_t n = write(parcel->fd, at, size);

		if (n > 0) {
			at += n;
			size -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			parcel_poll(parcel, POLLOUT, parcel->end);
		} else if (n == 0 || errno != EINTR) {
			parcel_fail(parcel, n == 0 ? -EIO : -errno);
		}
	}
	return !parcel->error;
}

bool parcel_take(struct parcel *parcel, void *data, size_t size)
{
	char *at = data;

	while (size > 0 && !parcel->error) {
		ssize_t n = read(parcel->fd, at, size);

		if (n > 0) {
			at += n;
			size -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			parcel_poll(parcel, POLLIN, parcel->end);
		} else if (n == 0 || errno != EINTR) {
			parcel_fail(parcel, n == 0 || errno == ECONNRESET
						    ? -EPIPE : -errno);
		}
	}
	return !parcel->error;
}

/* ---- sections -------------------------------------------------------- */

/* Take SIZE bytes, and put a NUL behind them. */
static bool parcel_take_bytes(struct parcel *parcel, uint64_t size,
			      struct bytes *out)
{
	out->data = malloc(size + 1);
	if (!out->data)
		return parcel_fail(parcel, -ENOMEM);
	out->size = size;
	out->data[size] = '\0';
	return parcel_take(parcel, out->data, size);
}

/* ---- job ------------------------------------------------------------- */

struct parcel_job {
	uint64_t code, arguments, input;
	uint32_t env_count, files_count;
	uint32_t call_main, timeout_ms;
	uint32_t task, value, merge_output;
	uint32_t none; /* or the compiler would leave a hole */
};

/* A variable is "NAME=value" in DATA; a file is NAME, then DATA. */
struct parcel_item {
	uint64_t name, data;
};

static void parcel_put_item(struct parcel *parcel, const char *name,
			    const struct bytes *data)
{
	struct parcel_item item = {.name = strlen(name), .data = data->size};

	parcel_put(parcel, &item, sizeof(item));
	parcel_put(parcel, name, item.name);
	parcel_put(parcel, data->data, data->size);
}

int parcel_put_job(struct parcel *parcel, const struct job *job)
{
	struct parcel_job head = {
		.code = job->code.size, .arguments = job->arguments.size,
		.input = job->input.size,
		.env_count = (uint32_t)job->env_count,
		.files_count = (uint32_t)job->files_count,
		.call_main = job->call_main, .timeout_ms = job->timeout_ms,
		.task = job->task, .value = job->value,
		.merge_output = job->merge_output};
	const struct bytes none = {0};

	parcel_begin(parcel);
	parcel_put(parcel, &head, sizeof(head));
	parcel_put(parcel, job->code.data, job->code.size);
	parcel_put(parcel, job->arguments.data, job->arguments.size);
	parcel_put(parcel, job->input.data, job->input.size);
	for (size_t i = 0; i < job->env_count; i++)
		parcel_put_item(parcel, job->env[i].assignment, &none);
	for (size_t i = 0; i < job->files_count; i++)
		parcel_put_item(parcel, job->files[i].name,
				&job->files[i].content);
	return parcel->error;
}

static uint64_t parcel_env_size(const struct job *job)
{
	uint64_t size = 0;

	for (size_t i = 0; i < job->env_count; i++)
		size += strlen(job->env[i].assignment);
	return size;
}

static uint64_t parcel_files_size(const struct job *job)
{
	uint64_t size = 0;

	for (size_t i = 0; i < job->files_count; i++)
		size += strlen(job->files[i].name) +
			job->files[i].content.size;
	return size;
}

int parcel_check_job(const struct job *job, const struct parcel_terms *terms,
		     struct refusal *why)
{
	const struct {
		const char *field;
		uint64_t size;
	} parts[] = {{"code", job->code.size},
		     {"arguments", job->arguments.size},
		     {"stdin", job->input.size},
		     {"env", parcel_env_size(job)},
		     {"files", parcel_files_size(job)}};
	uint64_t left = (uint64_t)terms->body_mb << 20;

	if (job->files_count > terms->limits.files_in)
		return refuse(why, 413, "too_many_files",
			      "files: more than %u files, which is what this "
			      "session takes", terms->limits.files_in);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (parts[i].size > left)
			return refuse(why, 413, "too_large",
				      "%s: with it the request holds more than "
				      "the %u MB that this session takes",
				      parts[i].field, terms->body_mb);
		left -= parts[i].size;
	}
	return 0;
}

/* Take SIZE off what may still come. */
static bool parcel_spend(struct parcel *parcel, uint64_t *left, uint64_t size)
{
	if (size > *left)
		return parcel_fail(parcel, -EPROTO);
	*left -= size;
	return true;
}

static bool parcel_take_item(struct parcel *parcel, uint64_t *left,
			     char **name, struct bytes *data)
{
	struct parcel_item item;
	struct bytes text = {0};

	if (!parcel_take(parcel, &item, sizeof(item)) ||
	    !parcel_spend(parcel, left, item.name) ||
	    !parcel_spend(parcel, left, item.data))
		return false;
	parcel_take_bytes(parcel, item.name, &text);
	*name = text.data;
	if (!parcel->error && strlen(text.data) != text.size)
		return parcel_fail(parcel, -EPROTO);
	return !parcel->error && parcel_take_bytes(parcel, item.data, data);
}

static void parcel_take_env(struct parcel *parcel, uint64_t *left,
			    size_t count, struct job *job)
{
	job->env = calloc(count + 1, sizeof(*job->env));
	if (!job->env)
		parcel_fail(parcel, -ENOMEM);
	while (!parcel->error && job->env_count < count) {
		struct bytes none = {0};

		parcel_take_item(parcel, left,
				 &job->env[job->env_count++].assignment,
				 &none);
		free(none.data);
	}
}

static void parcel_take_files(struct parcel *parcel, uint64_t *left,
			      size_t count, struct job *job)
{
	job->files = calloc(count + 1, sizeof(*job->files));
	if (!job->files)
		parcel_fail(parcel, -ENOMEM);
	while (!parcel->error && job->files_count < count) {
		struct job_file *file = &job->files[job->files_count++];

		file->once = true;
		if (parcel_take_item(parcel, left, &file->name,
				     &file->content) &&
		    files_name_fault(file->name))
			parcel_fail(parcel, -EPROTO);
	}
}

int parcel_take_job(struct parcel *parcel, uint64_t bytes, size_t files,
		    struct job *job)
{
	struct parcel_job head;

	*job = (struct job){0};
	parcel_begin(parcel);
	if (!parcel_take(parcel, &head, sizeof(head)))
		return parcel->error;
	if (head.files_count > files || head.env_count > PARCEL_ENV_MAX ||
	    head.task >= JOB_TASKS || head.value >= JOB_VALUES)
		return parcel->error = -EPROTO;
	*job = (struct job){
		.call_main = head.call_main != 0,
		.timeout_ms = head.timeout_ms, .task = head.task,
		.value = head.value, .merge_output = head.merge_output != 0};
	if (parcel_spend(parcel, &bytes, head.code) &&
	    parcel_spend(parcel, &bytes, head.arguments) &&
	    parcel_spend(parcel, &bytes, head.input)) {
		parcel_take_bytes(parcel, head.code, &job->code);
		parcel_take_bytes(parcel, head.arguments, &job->arguments);
		parcel_take_bytes(parcel, head.input, &job->input);
	}
	if (!parcel->error)
		parcel_take_env(parcel, &bytes, head.env_count, job);
	if (!parcel->error)
		parcel_take_files(parcel, &bytes, head.files_count, job);
	return parcel->error;
}
