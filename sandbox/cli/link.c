/* link - see link.h. Writer and reader stand side by side. */
#include "link.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "sandbox/base/io.h"
#include "sandbox/ipc/wire.h"

#define LINK_CHUNK 65536

/* ---- parts ----------------------------------------------------------- */

static int send_part(int fd, const void *data, uint64_t size)
{
	int rc = io_write_full(fd, &size, sizeof(size));

	return rc < 0 || size == 0 ? rc : io_write_full(fd, data, size);
}

/* A NULL text is one that is not there: its size is said to be beyond all. */
static int send_text(int fd, const char *text)
{
	uint64_t none = UINT64_MAX;

	return text ? send_part(fd, text, strlen(text))
		    : io_write_full(fd, &none, sizeof(none));
}

/* Room is taken as bytes come, not as they are announced. */
static int read_sized(int fd, uint64_t size, struct bytes *out)
{
	if (size > LINK_SECTION_MAX)
		return -EMSGSIZE;
	do {
		size_t left = (size_t)size - out->size;
		size_t room = out->size > LINK_CHUNK ? out->size : LINK_CHUNK;
		size_t part = left < room ? left : room;
		char *grown = realloc(out->data, out->size + part + 1);

		if (!grown)
			return -ENOMEM;
		out->data = grown;
		int rc = io_read_full(fd, grown + out->size, part);

		if (rc < 0)
			return rc;
		out->size += part;
		grown[out->size] = '\0';
	} while (out->size < size);
	return 0;
}

static int read_part(int fd, struct bytes *out)
{
	uint64_t size;
	int rc = io_read_full(fd, &size, sizeof(size));

	return rc < 0 ? rc : read_sized(fd, size, out);
}

static int read_text(int fd, char **out)
{
	struct bytes text = {0};
	uint64_t size;
	int rc = io_read_full(fd, &size, sizeof(size));

	if (rc < 0 || size == UINT64_MAX)
		return rc;
	rc = read_sized(fd, size, &text);
	if (rc < 0)
		free(take_ptr(&text.data));
	*out = text.data;
	return rc;
}

/* ---- a job ----------------------------------------------------------- */

struct link_job {
	uint64_t files;
	uint32_t timeout_ms, memory_mb, threads;
};

int link_send_job(int fd, const struct job *job)
{
	const struct link_job head = {
		.files = job->files_count, .timeout_ms = job->timeout_ms,
		.memory_mb = job->memory_mb, .threads = job->threads};
	struct bytes packed;
	int rc = wire_pack_job(job, &packed);

	if (rc == 0)
		rc = io_write_full(fd, &head, sizeof(head));
	if (rc == 0)
		rc = io_write_full(fd, packed.data, packed.size);
	free(packed.data);
	if (rc == 0)
		rc = send_part(fd, job->input.data, job->input.size);
	if (rc == 0)
		rc = send_part(fd, job->marker.data, job->marker.size);
	for (size_t i = 0; i < job->files_count && rc == 0; i++) {
		const struct job_file *file = &job->files[i];

		rc = send_text(fd, file->name);
		if (rc == 0)
			rc = send_part(fd, file->content.data,
				       file->content.size);
	}
	return rc;
}

static int read_env(struct job *job, const struct bytes *env)
{
	int rc = 0;

	for (size_t at = 0; at < env->size && rc == 0;
	     at += strlen(env->data + at) + 1) {
		char *row = env->data + at, *value = strchr(row, '=');

		if (!value)
			return -EPROTO;
		const struct bytes name = {row, (size_t)(value - row)};
		const struct bytes rest = {value + 1, strlen(value + 1)};

		rc = job_add_env(job, &name, &rest);
	}
	return rc;
}

static int read_file(int fd, struct job *job)
{
	struct job_file *file = job_add_file(job);
	int rc = file ? read_text(fd, &file->name) : -ENOMEM;

	if (rc == 0 && !file->name)
		rc = -EPROTO;
	return rc < 0 ? rc : read_part(fd, &file->content);
}

int link_read_job(int fd, struct job *job)
{
	struct bytes env = {0};
	struct link_job head;
	int rc = io_read_full(fd, &head, sizeof(head));

	*job = (struct job){0};
	if (rc < 0)
		return rc;
	job->timeout_ms = head.timeout_ms;
	job->memory_mb = head.memory_mb;
	job->threads = head.threads;
	rc = wire_read_job(fd, job, &env);
	if (rc == 0)
		rc = read_env(job, &env);
	free(env.data);
	if (rc == 0)
		rc = read_part(fd, &job->input);
	if (rc == 0)
		rc = read_part(fd, &job->marker);
	for (uint64_t i = 0; i < head.files && rc == 0; i++)
		rc = read_file(fd, job);
	return rc;
}

/* ---- an outcome ------------------------------------------------------ */

struct link_outcome {
	int32_t verdict, detail, phase, exit_code;
	uint32_t refused_file, value_present;
	uint64_t out_dropped, err_dropped;
	uint64_t displays, displays_dropped, files, files_dropped;
	uint64_t runtime_ms, cpu_ms, memory_peak_kb;
	uint64_t marked;
};

static struct link_outcome outcome_head(const struct outcome *outcome)
{
	return (struct link_outcome){
		.verdict = (int32_t)outcome->verdict,
		.detail = outcome->detail,
		.phase = (int32_t)outcome->phase,
		.exit_code = outcome->exit_code,
		.refused_file = outcome->refused_file,
		.value_present = outcome->value_present,
		.out_dropped = outcome->out.dropped,
		.err_dropped = outcome->err.dropped,
		.displays = outcome->displays_count,
		.displays_dropped = outcome->displays_dropped,
		.files = outcome->files_count,
		.files_dropped = outcome->files_dropped,
		.runtime_ms = outcome->runtime_ms,
		.cpu_ms = outcome->cpu_ms,
		.memory_peak_kb = outcome->memory_peak_kb,
		.marked = outcome->marked};
}

static int take_head(const struct link_outcome *head, struct outcome *outcome)
{
	if (head->verdict < 0 || head->verdict >= OUTCOME_VERDICTS ||
	    head->phase < 0 || head->phase >= OUTCOME_PHASES)
		return -EPROTO;
	*outcome = (struct outcome){
		.verdict = (enum outcome_verdict)head->verdict,
		.detail = head->detail,
		.phase = (enum outcome_phase)head->phase,
		.exit_code = head->exit_code,
		.refused_file = head->refused_file != 0,
		.value_present = head->value_present != 0,
		.out.dropped = head->out_dropped,
		.err.dropped = head->err_dropped,
		.displays_dropped = head->displays_dropped,
		.files_dropped = head->files_dropped,
		.runtime_ms = head->runtime_ms,
		.cpu_ms = head->cpu_ms,
		.memory_peak_kb = head->memory_peak_kb,
		.marked = head->marked};
	return 0;
}

static int send_content(int fd, const struct outcome_file *file)
{
	char chunk[LINK_CHUNK];
	uint64_t at = 0;
	int rc = io_write_full(fd, &file->size, sizeof(file->size));

	while (rc == 0 && at < file->size) {
		uint64_t left = file->size - at;
		ssize_t n = pread(file->fd, chunk,
				  left < sizeof(chunk) ? left : sizeof(chunk),
				  (off_t)at);

		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		rc = io_write_full(fd, chunk, (size_t)n);
		at += (uint64_t)n;
	}
	return rc;
}

static int send_texts(int fd, const struct outcome *outcome)
{
	int rc = send_text(fd, outcome->error_type);

	if (rc == 0)
		rc = send_text(fd, outcome->error_message);
	if (rc == 0)
		rc = send_text(fd, outcome->refused);
	if (rc == 0)
		rc = send_part(fd, outcome->value.data, outcome->value.size);
	if (rc == 0)
		rc = send_part(fd, outcome->out.kept.data,
			       outcome->out.kept.size);
	if (rc == 0)
		rc = send_part(fd, outcome->err.kept.data,
			       outcome->err.kept.size);
	return rc;
}

int link_send_outcome(int fd, const struct outcome *outcome)
{
	const struct link_outcome head = outcome_head(outcome);
	int rc = io_write_full(fd, &head, sizeof(head));

	if (rc == 0)
		rc = send_texts(fd, outcome);
	for (size_t i = 0; i < outcome->displays_count && rc == 0; i++)
		rc = send_part(fd, outcome->displays[i].data,
			       outcome->displays[i].size);
	for (size_t i = 0; i < outcome->files_count && rc == 0; i++) {
		rc = send_text(fd, outcome->files[i].name);
		if (rc == 0)
			rc = send_content(fd, &outcome->files[i]);
	}
	return rc;
}

static int read_texts(int fd, struct outcome *outcome)
{
	int rc = read_text(fd, &outcome->error_type);

	if (rc == 0)
		rc = read_text(fd, &outcome->error_message);
	if (rc == 0)
		rc = read_text(fd, &outcome->refused);
	if (rc == 0)
		rc = read_part(fd, &outcome->value);
	if (rc == 0)
		rc = read_part(fd, &outcome->out.kept);
	if (rc == 0)
		rc = read_part(fd, &outcome->err.kept);
	return rc;
}

static int read_displays(int fd, uint64_t count, struct outcome *outcome)
{
	int rc = 0;

	if (count == 0)
		return 0;
	outcome->displays = calloc(count, sizeof(*outcome->displays));
	if (!outcome->displays)
		return -ENOMEM;
	for (; outcome->displays_count < count && rc == 0;)
		rc = read_part(fd,
			       &outcome->displays[outcome->displays_count++]);
	return rc;
}

static int read_content(int fd, struct outcome_file *file, uint64_t *room)
{
	char chunk[LINK_CHUNK];
	int rc = io_read_full(fd, &file->size, sizeof(file->size));

	if (rc < 0 || file->size > *room)
		return rc < 0 ? rc : -EMSGSIZE;
	*room -= file->size;
	file->fd = memfd_create("output", MFD_CLOEXEC);
	if (file->fd < 0)
		return -errno;
	for (uint64_t left = file->size; left > 0 && rc == 0;) {
		size_t part = left < sizeof(chunk) ? (size_t)left
						   : sizeof(chunk);

		rc = io_read_full(fd, chunk, part);
		if (rc == 0)
			rc = io_write_full(file->fd, chunk, part);
		left -= part;
	}
	return rc;
}

static int read_files(int fd, uint64_t count, uint64_t room,
		      struct outcome *outcome)
{
	int rc = 0;

	if (count == 0)
		return 0;
	outcome->files = calloc(count, sizeof(*outcome->files));
	if (!outcome->files)
		return -ENOMEM;
	while (outcome->files_count < count && rc == 0) {
		struct outcome_file *file =
			&outcome->files[outcome->files_count++];

		file->fd = -1;
		rc = read_text(fd, &file->name);
		if (rc == 0 && !file->name)
			rc = -EPROTO;
		if (rc == 0)
			rc = read_content(fd, file, &room);
	}
	return rc;
}

int link_read_outcome(int fd, const struct limits *limits,
		      struct outcome *outcome)
{
	struct link_outcome head;

	*outcome = (struct outcome){0};
	int rc = io_read_full(fd, &head, sizeof(head));

	if (rc == 0)
		rc = take_head(&head, outcome);
	if (rc == 0 && (head.displays > limits->displays ||
			head.files > limits->files_out))
		rc = -EMSGSIZE;
	if (rc == 0)
		rc = read_texts(fd, outcome);
	if (rc == 0)
		rc = read_displays(fd, head.displays, outcome);
	if (rc == 0)
		rc = read_files(fd, head.files,
				(uint64_t)limits->files_out_mb << 20, outcome);
	return rc;
}
