/* transfer_outcome - an outcome as it passes: a head of one size, the
 * sections, the displays, the files. See transfer.h. */
#include "transfer.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define TRANSFER_OUTCOME_TEXT_MAX (512u << 10) /* of one text, bytes */
#define TRANSFER_OUTCOME_CHUNK 65536

struct transfer_outcome {
	uint32_t verdict;
	int32_t detail, exit_code;
	uint32_t value_present, phase, refused_file;
	uint32_t displays_count, files_count, warnings_count;
	uint64_t marked, out_dropped, err_dropped;
	uint64_t displays_dropped, files_dropped;
	uint64_t runtime_ms, cpu_ms, memory_peak_kb;
};

/* ---- sender ---------------------------------------------------------- */

/* Send as many bytes as the file had when it was collected. It is padded with
 * zero bytes if it is shorter now. A file that cannot be read is an error. */
static void transfer_outcome_send_file(struct transfer *transfer,
				       const struct outcome_file *file)
{
	char chunk[TRANSFER_OUTCOME_CHUNK];

	transfer_send_text(transfer, file->name);
	transfer_send(transfer, &file->size, sizeof(file->size));
	for (uint64_t at = 0; at < file->size && !transfer->error;) {
		uint64_t left = file->size - at;
		size_t want = left < sizeof(chunk) ? left : sizeof(chunk);
		ssize_t n = pread(file->fd, chunk, want, (off_t)at);

		if (n < 0) {
			transfer_fail(transfer, -errno);
			return;
		}
		memset(chunk + n, 0, want - (size_t)n);
		transfer_send(transfer, chunk, want);
		at += want;
	}
}

static void transfer_outcome_send_head(struct transfer *transfer,
				       const struct outcome *outcome)
{
	const struct transfer_outcome head = {
		.verdict = outcome->verdict,
		.detail = outcome->detail,
		.exit_code = outcome->exit_code,
		.value_present = outcome->value_present,
		.phase = outcome->probe.phase,
		.refused_file = outcome->probe.refused_file,
		.displays_count = (uint32_t)outcome->displays_count,
		.files_count = (uint32_t)outcome->files_count,
		.warnings_count = outcome->warnings.count,
		.marked = outcome->probe.marked,
		.out_dropped = outcome->out.dropped,
		.err_dropped = outcome->err.dropped,
		.displays_dropped = outcome->displays_dropped,
		.files_dropped = outcome->files_dropped,
		.runtime_ms = outcome->runtime_ms,
		.cpu_ms = outcome->cpu_ms,
		.memory_peak_kb = outcome->memory_peak_kb,
	};

	transfer_send(transfer, &head, sizeof(head));
}

static void transfer_outcome_send_warnings(struct transfer *transfer,
					   const struct warnings *warnings)
{
	const char *text = NULL;

	while ((text = warnings_next(warnings, text)))
		transfer_send_text(transfer, text);
}

static void transfer_outcome_send_order(struct transfer *transfer,
					const struct outcome_order *order)
{
	const struct bytes bytes = {(char *)order->sizes,
				    order->count * sizeof(*order->sizes)};

	transfer_send_bytes(transfer, &bytes);
}

int transfer_outcome_send(struct transfer *transfer,
			  const struct outcome *outcome)
{
	transfer_begin(transfer);
	transfer_outcome_send_head(transfer, outcome);
	transfer_send_text(transfer, outcome->error_type);
	transfer_send_text(transfer, outcome->error_message);
	transfer_send_text(transfer, outcome->refused);
	transfer_outcome_send_warnings(transfer, &outcome->warnings);
	transfer_send_bytes(transfer, &outcome->value);
	transfer_send_bytes(transfer, &outcome->out.kept);
	transfer_send_bytes(transfer, &outcome->err.kept);
	transfer_outcome_send_order(transfer, &outcome->order);
	for (size_t i = 0; i < outcome->displays_count; i++)
		transfer_send_bytes(transfer, &outcome->displays[i]);
	for (size_t i = 0; i < outcome->files_count; i++)
		transfer_outcome_send_file(transfer, &outcome->files[i]);
	transfer_flush(transfer);
	return transfer->error;
}

/* ---- receiver -------------------------------------------------------- */

static void transfer_outcome_text(struct transfer *transfer, char **out)
{
	uint64_t left = TRANSFER_OUTCOME_TEXT_MAX;

	transfer_receive_text(transfer, &left, out);
}

static void transfer_outcome_warnings(struct transfer *transfer, unsigned count,
				      struct warnings *warnings)
{
	while (!transfer->error && warnings->count < count) {
		uint64_t left = WARNINGS_BYTES;
		owned_free char *text = NULL;

		if (!transfer_receive_text(transfer, &left, &text))
			return;
		if (!text)
			transfer_fail(transfer, -EPROTO);
		else if (warnings_add(warnings, text, strlen(text)) < 0)
			transfer_fail(transfer, -ENOMEM);
	}
}

static void transfer_outcome_bytes(struct transfer *transfer, unsigned max_kb,
				   struct bytes *out)
{
	uint64_t left = (uint64_t)max_kb << 10;

	transfer_receive_bytes(transfer, &left, out);
}

static void transfer_outcome_order(struct transfer *transfer,
				   struct outcome_order *order)
{
	uint64_t left = OUTCOME_TURNS_MAX * sizeof(*order->sizes);
	struct bytes bytes = {0};

	transfer_receive_bytes(transfer, &left, &bytes);
	order->sizes = (uint32_t *)(void *)bytes.data;
	order->count = bytes.size / sizeof(*order->sizes);
	if (bytes.size % sizeof(*order->sizes))
		transfer_fail(transfer, -EPROTO);
}

static void transfer_outcome_displays(struct transfer *transfer,
				      const struct limits *limits, size_t count,
				      struct outcome *outcome)
{
	uint64_t left = (uint64_t)limits->displays_mb << 20;

	if (transfer->error || count == 0)
		return;
	outcome->displays = calloc(count, sizeof(*outcome->displays));
	if (!outcome->displays) {
		transfer_fail(transfer, -ENOMEM);
		return;
	}
	while (!transfer->error && outcome->displays_count < count) {
		struct bytes *display =
			&outcome->displays[outcome->displays_count++];

		if (transfer_receive_bytes(transfer, &left, display) &&
		    !display->data)
			transfer_fail(transfer, -EPROTO);
	}
}

static bool transfer_outcome_is_zero(const char *data, size_t size)
{
	return data[0] == '\0' && memcmp(data, data + 1, size - 1) == 0;
}

/* Write SIZE bytes of FD at AT. A hole of the guest's file stays a hole,
 * because else a file that cost its program nothing would cost us memory. The
 * last byte is written in any case: it gives the file its size. */
static int transfer_outcome_write(int fd, const char *data, size_t size,
				  uint64_t at, bool last)
{
	if (transfer_outcome_is_zero(data, size)) {
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

/* Receive SIZE bytes into a file in memory. A descriptor, or a negative errno
 * value. */
static int transfer_outcome_content(struct transfer *transfer, uint64_t size)
{
	owned_fd int fd = memfd_create("output", MFD_CLOEXEC);
	char chunk[TRANSFER_OUTCOME_CHUNK];

	if (fd < 0)
		return -errno;
	for (uint64_t at = 0; at < size;) {
		size_t want = size - at < sizeof(chunk) ? size - at
							: sizeof(chunk);

		if (!transfer_receive(transfer, chunk, want))
			return transfer->error;
		int rc = transfer_outcome_write(fd, chunk, want, at,
						at + want == size);

		if (rc < 0)
			return rc;
		at += want;
	}
	return take_fd(&fd);
}

static void transfer_outcome_file(struct transfer *transfer, uint64_t *left,
				  struct outcome *outcome)
{
	struct outcome_file *file = &outcome->files[outcome->files_count++];
	uint64_t name_left = OUTCOME_FILE_NAME_MAX, size;

	file->fd = -1;
	transfer_receive_text(transfer, &name_left, &file->name);
	if (!transfer_receive(transfer, &size, sizeof(size)))
		return;
	if (!file->name || !*file->name || size > *left) {
		transfer_fail(transfer, -EPROTO);
		return;
	}
	*left -= size;
	file->size = size;
	file->fd = transfer_outcome_content(transfer, size);
	if (file->fd < 0)
		transfer_fail(transfer, file->fd);
}

static void transfer_outcome_files(struct transfer *transfer,
				   const struct limits *limits, size_t count,
				   struct outcome *outcome)
{
	uint64_t left = (uint64_t)limits->files_out_mb << 20;

	if (transfer->error || count == 0)
		return;
	outcome->files = calloc(count, sizeof(*outcome->files));
	if (!outcome->files) {
		transfer_fail(transfer, -ENOMEM);
		return;
	}
	while (!transfer->error && outcome->files_count < count)
		transfer_outcome_file(transfer, &left, outcome);
}

static void transfer_outcome_take_head(const struct transfer_outcome *head,
				       struct outcome *outcome)
{
	outcome->verdict = head->verdict;
	outcome->detail = head->detail;
	outcome->exit_code = head->exit_code;
	outcome->value_present = head->value_present != 0;
	outcome->probe.phase = head->phase;
	outcome->probe.refused_file = head->refused_file != 0;
	outcome->probe.marked = head->marked;
	outcome->out.dropped = head->out_dropped;
	outcome->err.dropped = head->err_dropped;
	outcome->displays_dropped = head->displays_dropped;
	outcome->files_dropped = head->files_dropped;
	outcome->runtime_ms = head->runtime_ms;
	outcome->cpu_ms = head->cpu_ms;
	outcome->memory_peak_kb = head->memory_peak_kb;
}

int transfer_outcome_receive(struct transfer *transfer,
			     const struct limits *limits,
			     struct outcome *outcome)
{
	struct transfer_outcome head;

	*outcome = (struct outcome){.verdict = OUTCOME_INTERNAL};
	transfer_begin(transfer);
	if (!transfer_receive(transfer, &head, sizeof(head)))
		return transfer->error;
	if (head.verdict >= OUTCOME_VERDICTS || head.phase >= OUTCOME_PHASES ||
	    head.displays_count > limits->displays ||
	    head.files_count > limits->files_out ||
	    head.warnings_count > WARNINGS_MAX)
		return transfer->error = -EPROTO;
	transfer_outcome_take_head(&head, outcome);
	transfer_outcome_text(transfer, &outcome->error_type);
	transfer_outcome_text(transfer, &outcome->error_message);
	transfer_outcome_text(transfer, &outcome->refused);
	transfer_outcome_warnings(transfer, head.warnings_count,
				  &outcome->warnings);
	transfer_outcome_bytes(transfer, limits->value_kb, &outcome->value);
	transfer_outcome_bytes(transfer, limits->output_kb, &outcome->out.kept);
	transfer_outcome_bytes(transfer, limits->output_kb, &outcome->err.kept);
	transfer_outcome_order(transfer, &outcome->order);
	transfer_outcome_displays(transfer, limits, head.displays_count,
				  outcome);
	transfer_outcome_files(transfer, limits, head.files_count, outcome);
	return transfer->error;
}
