/* transfer_outcome - the second half of transfer.c: what a session keeper
 * answers. */
#include "transfer.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "sandbox/filesystem/home.h"

#define TRANSFER_TEXT_MAX (512u << 10) /* of an error's name or message */
#define TRANSFER_CHUNK 65536

enum transfer_section {
	SECTION_TYPE,
	SECTION_MESSAGE,
	SECTION_REFUSED,
	SECTION_VALUE,
	SECTION_OUT,
	SECTION_ERR,
	SECTIONS
};

struct transfer_outcome {
	uint32_t fate, verdict;
	int32_t detail, exit_code;
	uint32_t phase, refused_file, value_present;
	uint32_t displays_count, files_count;
	uint32_t told; /* one bit for each section that is there */
	uint64_t size[SECTIONS];
	uint64_t out_dropped, err_dropped, displays_dropped, files_dropped;
	uint64_t runtime_ms, cpu_ms, memory_peak_kb;
};

struct transfer_file {
	uint64_t name, size;
};

static bool transfer_bad(struct transfer *transfer, int error)
{
	if (transfer->error == 0)
		transfer->error = error;
	return false;
}

/* ---- keeper ---------------------------------------------------------- */

static struct bytes transfer_text(const char *text)
{
	return (struct bytes){(char *)text, text ? strlen(text) : 0};
}

/* What was a file of that size is sent as one: what has become of it since
 * does not matter, but there must be as many bytes. One that cannot be read is
 * an error. */
static void transfer_put_file(struct transfer *transfer,
			      const struct outcome_file *file)
{
	struct transfer_file head = {.name = strlen(file->name),
				     .size = file->size};
	char chunk[TRANSFER_CHUNK];

	transfer_put(transfer, &head, sizeof(head));
	transfer_put(transfer, file->name, head.name);
	for (uint64_t at = 0; at < file->size && !transfer->error;) {
		uint64_t left = file->size - at;
		size_t want = left < sizeof(chunk) ? left : sizeof(chunk);
		ssize_t n = pread(file->fd, chunk, want, (off_t)at);

		if (n < 0) {
			transfer_bad(transfer, -errno);
			return;
		}
		memset(chunk + n, 0, want - (size_t)n);
		transfer_put(transfer, chunk, want);
		at += want;
	}
}

static void transfer_put_head(struct transfer *transfer,
			      const struct outcome *outcome, uint32_t fate,
			      const struct bytes sections[SECTIONS])
{
	struct transfer_outcome head = {
		.fate = fate,
		.verdict = outcome->verdict,
		.detail = outcome->detail,
		.exit_code = outcome->exit_code,
		.phase = outcome->phase,
		.refused_file = outcome->refused_file,
		.value_present = outcome->value_present,
		.displays_count = (uint32_t)outcome->displays_count,
		.files_count = (uint32_t)outcome->files_count,
		.out_dropped = outcome->out.dropped,
		.err_dropped = outcome->err.dropped,
		.displays_dropped = outcome->displays_dropped,
		.files_dropped = outcome->files_dropped,
		.runtime_ms = outcome->runtime_ms,
		.cpu_ms = outcome->cpu_ms,
		.memory_peak_kb = outcome->memory_peak_kb};

	for (size_t i = 0; i < SECTIONS; i++) {
		head.size[i] = sections[i].size;
		head.told |= sections[i].data ? 1u << i : 0;
	}
	transfer_put(transfer, &head, sizeof(head));
}

int transfer_put_outcome(struct transfer *transfer,
			 const struct outcome *outcome, uint32_t fate)
{
	const struct bytes sections[SECTIONS] = {
		[SECTION_TYPE] = transfer_text(outcome->error_type),
		[SECTION_MESSAGE] = transfer_text(outcome->error_message),
		[SECTION_REFUSED] = transfer_text(outcome->refused),
		[SECTION_VALUE] = outcome->value,
		[SECTION_OUT] = outcome->out.kept,
		[SECTION_ERR] = outcome->err.kept};

	transfer_begin(transfer);
	transfer_put_head(transfer, outcome, fate, sections);
	for (size_t i = 0; i < SECTIONS; i++)
		transfer_put(transfer, sections[i].data, sections[i].size);
	for (size_t i = 0; i < outcome->displays_count; i++) {
		uint64_t size = outcome->displays[i].size;

		transfer_put(transfer, &size, sizeof(size));
		transfer_put(transfer, outcome->displays[i].data, size);
	}
	for (size_t i = 0; i < outcome->files_count; i++)
		transfer_put_file(transfer, &outcome->files[i]);
	return transfer->error;
}

/* ---- worker ---------------------------------------------------------- */

/* SIZE bytes with a NUL behind them; taken off LEFT. */
static char *transfer_take_some(struct transfer *transfer, uint64_t size,
				uint64_t *left)
{
	if (transfer->error || size > *left) {
		transfer_bad(transfer, -EPROTO);
		return NULL;
	}
	*left -= size;
	char *data = malloc(size + 1);

	if (!data) {
		transfer_bad(transfer, -ENOMEM);
		return NULL;
	}
	data[size] = '\0';
	if (!transfer_take(transfer, data, size))
		base_release_ptr(&data);
	return data;
}

static void transfer_take_sections(struct transfer *transfer,
				   const struct limits *limits,
				   const struct transfer_outcome *head,
				   struct outcome *outcome)
{
	const uint64_t output = (uint64_t)limits->output_kb << 10;
	uint64_t most[SECTIONS] = {TRANSFER_TEXT_MAX,
				   TRANSFER_TEXT_MAX,
				   TRANSFER_TEXT_MAX,
				   (uint64_t)limits->value_kb << 10,
				   output,
				   output};
	char **const to[SECTIONS] = {
		&outcome->error_type, &outcome->error_message,
		&outcome->refused, &outcome->value.data,
		&outcome->out.kept.data, &outcome->err.kept.data};
	size_t *const sizes[SECTIONS] = {
		[SECTION_VALUE] = &outcome->value.size,
		[SECTION_OUT] = &outcome->out.kept.size,
		[SECTION_ERR] = &outcome->err.kept.size};

	for (size_t i = 0; i < SECTIONS && !transfer->error; i++) {
		if (!(head->told & 1u << i)) {
			if (head->size[i] > 0)
				transfer_bad(transfer, -EPROTO);
			continue;
		}
		*to[i] = transfer_take_some(transfer, head->size[i], &most[i]);
		if (sizes[i] && *to[i])
			*sizes[i] = head->size[i];
	}
}

static void transfer_take_displays(struct transfer *transfer,
				   const struct limits *limits, size_t count,
				   struct outcome *outcome)
{
	uint64_t left = (uint64_t)limits->displays_mb << 20;

	if (transfer->error || count == 0)
		return;
	outcome->displays = calloc(count, sizeof(*outcome->displays));
	if (!outcome->displays)
		transfer_bad(transfer, -ENOMEM);
	while (!transfer->error && outcome->displays_count < count) {
		uint64_t size = 0;

		transfer_take(transfer, &size, sizeof(size));
		char *data = transfer_take_some(transfer, size, &left);

		if (data)
			outcome->displays[outcome->displays_count++] =
				(struct bytes){data, size};
	}
}

static bool transfer_is_zero(const char *data, size_t size)
{
	return data[0] == '\0' && memcmp(data, data + 1, size - 1) == 0;
}

/* Write SIZE bytes of FD at AT. What was a hole in the guest's file stays one,
 * or a file that cost its program nothing would cost us memory; but for the
 * last byte, which gives the file its size. */
static int transfer_write(int fd, const char *data, size_t size, uint64_t at,
			  bool last)
{
	if (transfer_is_zero(data, size)) {
		at += last ? size - 1 : size;
		size = last;
	}
	while (size > 0) {
		ssize_t n = pwrite(fd, data, size, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		data += n;
		size -= (size_t)n;
		at += (uint64_t)n;
	}
	return 0;
}

/* SIZE bytes into a file in memory. */
static int transfer_take_content(struct transfer *transfer, uint64_t size)
{
	owned_fd int fd = memfd_create("output", MFD_CLOEXEC);
	char chunk[TRANSFER_CHUNK];

	if (fd < 0)
		return -errno;
	for (uint64_t at = 0; at < size;) {
		size_t want = size - at < sizeof(chunk) ? size - at
							: sizeof(chunk);

		if (!transfer_take(transfer, chunk, want))
			return transfer->error;
		int rc = transfer_write(fd, chunk, want, at, at + want == size);

		if (rc < 0)
			return rc;
		at += want;
	}
	return take_fd(&fd);
}

static void transfer_take_file(struct transfer *transfer, uint64_t *left,
			       struct outcome *outcome)
{
	struct transfer_file head = {0};
	uint64_t name_left = HOME_NAME_MAX;

	transfer_take(transfer, &head, sizeof(head));
	char *name = transfer_take_some(transfer, head.name, &name_left);

	if (!name)
		return;
	struct outcome_file *file = &outcome->files[outcome->files_count++];

	*file = (struct outcome_file){.name = name, .size = head.size,
				      .fd = -1};
	if (head.size > *left || strlen(name) != head.name || !*name) {
		transfer_bad(transfer, -EPROTO);
		return;
	}
	*left -= head.size;
	file->fd = transfer_take_content(transfer, head.size);
	if (file->fd < 0)
		transfer_bad(transfer, file->fd);
}

static void transfer_take_files(struct transfer *transfer,
				const struct limits *limits, size_t count,
				struct outcome *outcome)
{
	uint64_t left = (uint64_t)limits->files_out_mb << 20;

	if (transfer->error || count == 0)
		return;
	outcome->files = calloc(count, sizeof(*outcome->files));
	if (!outcome->files)
		transfer_bad(transfer, -ENOMEM);
	while (!transfer->error && outcome->files_count < count)
		transfer_take_file(transfer, &left, outcome);
}

static void transfer_copy_numbers(const struct transfer_outcome *head,
				  struct outcome *outcome)
{
	outcome->verdict = head->verdict;
	outcome->detail = head->detail;
	outcome->exit_code = head->exit_code;
	outcome->phase = head->phase;
	outcome->refused_file = head->refused_file != 0;
	outcome->value_present = head->value_present != 0;
	outcome->out.dropped = head->out_dropped;
	outcome->err.dropped = head->err_dropped;
	outcome->displays_dropped = head->displays_dropped;
	outcome->files_dropped = head->files_dropped;
	outcome->runtime_ms = head->runtime_ms;
	outcome->cpu_ms = head->cpu_ms;
	outcome->memory_peak_kb = head->memory_peak_kb;
}

int transfer_take_outcome(struct transfer *transfer,
			  const struct limits *limits, struct outcome *outcome,
			  uint32_t *fate)
{
	struct transfer_outcome head;

	*outcome = (struct outcome){.verdict = OUTCOME_INTERNAL};
	transfer_begin(transfer);
	if (!transfer_take(transfer, &head, sizeof(head)))
		return transfer->error;
	if (head.verdict >= OUTCOME_VERDICTS ||
	    head.phase > OUTCOME_FINISHED ||
	    head.displays_count > limits->displays ||
	    head.files_count > limits->files_out)
		return transfer->error = -EPROTO;
	*fate = head.fate;
	transfer_copy_numbers(&head, outcome);
	transfer_take_sections(transfer, limits, &head, outcome);
	transfer_take_displays(transfer, limits, head.displays_count, outcome);
	transfer_take_files(transfer, limits, head.files_count, outcome);
	return transfer->error;
}
