/* transfer - see transfer.h: the stream, and the job. The outcome is in
 * transfer_outcome.c. */
#include "transfer.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>

#include "sandbox/base/io.h"
#include "fcgi/api/input_files.h"

#define TRANSFER_ENV_MAX 100000 /* variables of one job */

void transfer_begin(struct transfer *transfer)
{
	transfer->end = io_now_ms() + TRANSFER_MS;
}

static bool transfer_fail(struct transfer *transfer, int error)
{
	if (transfer->error == 0)
		transfer->error = error;
	return false;
}

/* Wait for EVENTS of the stream until END; false with an error. */
static bool transfer_poll(struct transfer *transfer, short events, int64_t end)
{
	struct pollfd polled[] = {
		{.fd = transfer->fd, .events = events},
		{.fd = transfer->client, .events = POLLRDHUP},
	};

	for (;;) {
		int64_t left = end - io_now_ms();
		int n = poll(polled, 2, left < 0	 ? 0
					: left > INT_MAX ? INT_MAX
							 : (int)left);

		if (n < 0 && errno != EINTR)
			return transfer_fail(transfer, -errno);
		if (n == 0)
			return transfer_fail(transfer, -ETIMEDOUT);
		if (n > 0 && polled[1].revents)
			return transfer_fail(transfer, -ECANCELED);
		if (n > 0)
			return true;
	}
}

bool transfer_wait(struct transfer *transfer, int timeout_ms)
{
	return !transfer->error &&
	       transfer_poll(transfer, POLLIN,
			     timeout_ms < 0 ? INT64_MAX
					    : io_now_ms() + timeout_ms);
}

bool transfer_put(struct transfer *transfer, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0 && !transfer->error) {
		ssize_t n = write(transfer->fd, at, size);

		if (n > 0) {
			at += n;
			size -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			transfer_poll(transfer, POLLOUT, transfer->end);
		} else if (n == 0 || errno != EINTR) {
			transfer_fail(transfer, n == 0 ? -EIO : -errno);
		}
	}
	return !transfer->error;
}

bool transfer_take(struct transfer *transfer, void *data, size_t size)
{
	char *at = data;

	while (size > 0 && !transfer->error) {
		ssize_t n = read(transfer->fd, at, size);

		if (n > 0) {
			at += n;
			size -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			transfer_poll(transfer, POLLIN, transfer->end);
		} else if (n == 0 || errno != EINTR) {
			transfer_fail(transfer, n == 0 || errno == ECONNRESET
							? -EPIPE
							: -errno);
		}
	}
	return !transfer->error;
}

/* ---- sections -------------------------------------------------------- */

/* Take SIZE bytes, and put a NUL behind them. */
static bool transfer_take_bytes(struct transfer *transfer, uint64_t size,
				struct bytes *out)
{
	out->data = malloc(size + 1);
	if (!out->data)
		return transfer_fail(transfer, -ENOMEM);
	out->size = size;
	out->data[size] = '\0';
	return transfer_take(transfer, out->data, size);
}

/* ---- job ------------------------------------------------------------- */

struct transfer_job {
	uint64_t code, arguments, input;
	uint32_t env_count, files_count;
	uint32_t call_main, timeout_ms;
	uint32_t task, value, merge_output;
	uint32_t none; /* or the compiler would leave a hole */
};

/* A variable is "NAME=value" in DATA; a file is NAME, then DATA. */
struct transfer_item {
	uint64_t name, data;
};

static void transfer_put_item(struct transfer *transfer, const char *name,
			      const struct bytes *data)
{
	struct transfer_item item = {.name = strlen(name), .data = data->size};

	transfer_put(transfer, &item, sizeof(item));
	transfer_put(transfer, name, item.name);
	transfer_put(transfer, data->data, data->size);
}

int transfer_put_job(struct transfer *transfer, const struct job *job)
{
	struct transfer_job head = {.code = job->code.size,
				    .arguments = job->arguments.size,
				    .input = job->input.size,
				    .env_count = (uint32_t)job->env_count,
				    .files_count = (uint32_t)job->files_count,
				    .call_main = job->call_main,
				    .timeout_ms = job->timeout_ms,
				    .task = job->task,
				    .value = job->value,
				    .merge_output = job->merge_output};
	const struct bytes none = {0};

	transfer_begin(transfer);
	transfer_put(transfer, &head, sizeof(head));
	transfer_put(transfer, job->code.data, job->code.size);
	transfer_put(transfer, job->arguments.data, job->arguments.size);
	transfer_put(transfer, job->input.data, job->input.size);
	for (size_t i = 0; i < job->env_count; i++)
		transfer_put_item(transfer, job->env[i].assignment, &none);
	for (size_t i = 0; i < job->files_count; i++)
		transfer_put_item(transfer, job->files[i].name,
				  &job->files[i].content);
	return transfer->error;
}

static uint64_t transfer_env_size(const struct job *job)
{
	uint64_t size = 0;

	for (size_t i = 0; i < job->env_count; i++)
		size += strlen(job->env[i].assignment);
	return size;
}

static uint64_t transfer_files_size(const struct job *job)
{
	uint64_t size = 0;

	for (size_t i = 0; i < job->files_count; i++)
		size += strlen(job->files[i].name) +
			job->files[i].content.size;
	return size;
}

int transfer_check_job(const struct job *job,
		       const struct transfer_terms *terms, struct refusal *why)
{
	const struct {
		const char *field;
		uint64_t size;
	} parts[] = {{"code", job->code.size},
		     {"arguments", job->arguments.size},
		     {"stdin", job->input.size},
		     {"env", transfer_env_size(job)},
		     {"files", transfer_files_size(job)}};
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
static bool transfer_spend(struct transfer *transfer, uint64_t *left,
			   uint64_t size)
{
	if (size > *left)
		return transfer_fail(transfer, -EPROTO);
	*left -= size;
	return true;
}

static bool transfer_take_item(struct transfer *transfer, uint64_t *left,
			       char **name, struct bytes *data)
{
	struct transfer_item item;
	struct bytes text = {0};

	if (!transfer_take(transfer, &item, sizeof(item)) ||
	    !transfer_spend(transfer, left, item.name) ||
	    !transfer_spend(transfer, left, item.data))
		return false;
	transfer_take_bytes(transfer, item.name, &text);
	*name = text.data;
	if (!transfer->error && strlen(text.data) != text.size)
		return transfer_fail(transfer, -EPROTO);
	return !transfer->error &&
	       transfer_take_bytes(transfer, item.data, data);
}

static void transfer_take_env(struct transfer *transfer, uint64_t *left,
			      size_t count, struct job *job)
{
	job->env = calloc(count + 1, sizeof(*job->env));
	if (!job->env)
		transfer_fail(transfer, -ENOMEM);
	while (!transfer->error && job->env_count < count) {
		struct bytes none = {0};

		transfer_take_item(transfer, left,
				   &job->env[job->env_count++].assignment,
				   &none);
		free(none.data);
	}
}

static void transfer_take_files(struct transfer *transfer, uint64_t *left,
				size_t count, struct job *job)
{
	job->files = calloc(count + 1, sizeof(*job->files));
	if (!job->files)
		transfer_fail(transfer, -ENOMEM);
	while (!transfer->error && job->files_count < count) {
		struct job_file *file = &job->files[job->files_count++];

		file->once = true;
		if (transfer_take_item(transfer, left, &file->name,
				       &file->content) &&
		    input_files_name_fault(file->name))
			transfer_fail(transfer, -EPROTO);
	}
}

int transfer_take_job(struct transfer *transfer, uint64_t bytes, size_t files,
		      struct job *job)
{
	struct transfer_job head;

	*job = (struct job){0};
	transfer_begin(transfer);
	if (!transfer_take(transfer, &head, sizeof(head)))
		return transfer->error;
	if (head.files_count > files || head.env_count > TRANSFER_ENV_MAX ||
	    head.task >= JOB_TASKS || head.value >= JOB_VALUES)
		return transfer->error = -EPROTO;
	*job = (struct job){
		.call_main = head.call_main != 0,
		.timeout_ms = head.timeout_ms, .task = head.task,
		.value = head.value, .merge_output = head.merge_output != 0};
	if (transfer_spend(transfer, &bytes, head.code) &&
	    transfer_spend(transfer, &bytes, head.arguments) &&
	    transfer_spend(transfer, &bytes, head.input)) {
		transfer_take_bytes(transfer, head.code, &job->code);
		transfer_take_bytes(transfer, head.arguments, &job->arguments);
		transfer_take_bytes(transfer, head.input, &job->input);
	}
	if (!transfer->error)
		transfer_take_env(transfer, &bytes, head.env_count, job);
	if (!transfer->error)
		transfer_take_files(transfer, &bytes, head.files_count, job);
	return transfer->error;
}
