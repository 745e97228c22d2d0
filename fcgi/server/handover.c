/* handover - see handover.h, memfd_create(2), execve(2). */
#include "handover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "fcgi/route/archive.h"
#include "fcgi/pool/queue.h"
#include "fcgi/sessions/session_order.h"
#include "sandbox/base/io.h"
#include "service_variables.h"

#define HANDOVER_TEXT_MAX (4 << 20) /* of a configuration */

/* Two programs with other sizes have another format, even if HANDOVER_FORMAT
 * was forgotten. */
static uint64_t handover_format(void)
{
	static const size_t sizes[] = {
		sizeof(struct handover),
		sizeof(struct session_order),
		sizeof(struct session_order_task),
		sizeof(struct session_order_news),
		sizeof(struct session_order_answer),
		sizeof(struct session_order_terms),
		sizeof(struct session_order_stream),
		sizeof(struct queue_call),
		sizeof(struct client_share),
		sizeof(struct archive_piece),
	};
	uint64_t format = HANDOVER_FORMAT;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		format = format * UINT64_C(1000003) + sizes[i];
	return format;
}

static void handover_flag(const int *fds, size_t count, int flag)
{
	for (size_t i = 0; i < count; i++)
		if (fds[i] >= 0)
			fcntl(fds[i], F_SETFD, flag);
}

/* Set the close-on-exec flag of all descriptors that live on. */
static void handover_flag_all(const struct handover *kept, int flag)
{
	const struct setup_kept *setup = &kept->setup;
	const int fds[] = {kept->former,        setup->listener,
			   setup->status_listener, setup->claim,
			   setup->streams_listener, setup->streams_in,
			   setup->streams_out,
			   setup->queue_in,     setup->queue_out,
			   setup->shares,       setup->archive_in,
			   setup->archive_out,  setup->log_in,
			   setup->log_started_with, kept->registry.ours,
			   kept->registry.theirs};

	handover_flag(fds, ARRAY_LEN(fds), flag);
	handover_flag(setup->tcp, ARRAY_LEN(setup->tcp), flag);
	for (size_t i = 0; i < GENERATIONS_MAX; i++) {
		const struct generation_handle *handle =
			&kept->generations.handles[i];
		const int ends[] = {handle->leave, handle->life,
				    handle->events, handle->orders,
				    handle->serve};

		handover_flag(ends, ARRAY_LEN(ends), flag);
	}
	for (size_t i = 0; i < SESSION_TABLE_MAX; i++) {
		const struct family *family =
			&kept->registry.table.families[i];
		const int ends[] = {family->control, family->pidfd};

		handover_flag(ends, ARRAY_LEN(ends), flag);
	}
}

struct handover *handover_make(void)
{
	struct handover *kept = calloc(1, sizeof(*kept));

	if (!kept)
		return NULL;
	kept->former = kept->registry.ours = kept->registry.theirs = -1;
	for (size_t i = 0; i < GENERATIONS_MAX; i++)
		generation_handle_init(&kept->generations.handles[i]);
	for (size_t i = 0; i < SESSION_TABLE_MAX; i++)
		kept->registry.table.families[i] =
			(struct family){.control = -1, .pidfd = -1};
	return kept;
}

static int handover_write_all(int fd, const struct handover *kept)
{
	int rc = io_write_full(fd, kept, sizeof(*kept));

	if (rc == 0)
		rc = io_write_full(fd, kept->start.data, kept->start_size);
	if (rc == 0)
		rc = io_write_full(fd, kept->present.data, kept->present_size);
	return rc < 0 ? rc : io_write_full(fd, kept->registry.notes.data,
					   kept->registry.notes_size);
}

int handover_write(struct handover *kept)
{
	owned_fd int fd = memfd_create("handover", 0);
	char number[16];

	if (fd < 0)
		return -errno;
	kept->format = handover_format();
	kept->start_size = kept->start.size;
	kept->present_size = kept->present.size;
	int rc = handover_write_all(fd, kept);

	snprintf(number, sizeof(number), "%d", fd);
	if (rc == 0 && setenv(HANDOVER_VARIABLE, number, 1) < 0)
		rc = -errno;
	return rc < 0 ? rc : take_fd(&fd);
}

void handover_keep_open(const struct handover *kept)
{
	handover_flag_all(kept, 0);
}

void handover_undo(const struct handover *kept, int fd)
{
	unsetenv(HANDOVER_VARIABLE);
	handover_flag_all(kept, FD_CLOEXEC);
	close(fd);
}

/* ---- the other program ----------------------------------------------- */

/* Read a text of SIZE bytes, at most MOST, at *FROM, and move *FROM behind
 * it. */
static int handover_read_text(int fd, size_t size, size_t most, off_t *from,
			      struct bytes *text)
{
	if (size > most)
		return -EFBIG;
	text->data = malloc(size + 1);
	if (!text->data)
		return -ENOMEM;
	if (pread(fd, text->data, size, *from) != (ssize_t)size)
		return -EPROTO;
	*from += (off_t)size;
	text->data[size] = '\0';
	text->size = size;
	return 0;
}

/* The trial has the same file, so its position is left alone. */
static int handover_read_all(int fd, struct handover *kept)
{
	off_t at = (off_t)sizeof(*kept);
	const ssize_t n = pread(fd, kept, sizeof(*kept), 0);

	/* The other program's pointers. */
	kept->start = kept->present = kept->registry.notes = (struct bytes){0};
	if (n != (ssize_t)sizeof(*kept) || kept->format != handover_format())
		return -EPROTO;
	int rc = handover_read_text(fd, kept->start_size, HANDOVER_TEXT_MAX,
				    &at, &kept->start);

	if (rc == 0)
		rc = handover_read_text(fd, kept->present_size,
					HANDOVER_TEXT_MAX, &at,
					&kept->present);
	return rc < 0 ? rc
		      : handover_read_text(fd, kept->registry.notes_size,
					   REGISTRY_NOTES_MAX, &at,
					   &kept->registry.notes);
}

int handover_read(struct handover **out, char error[HANDOVER_ERROR_MAX])
{
	uint64_t number = 0;
	int rc = service_variables_number(HANDOVER_VARIABLE, &number);

	*out = NULL;
	if (rc == -ENOENT)
		return 0;
	owned_fd int fd = rc < 0 || number > INT_MAX ? -1 : (int)number;
	struct handover *kept = calloc(1, sizeof(*kept));

	rc = !kept ? -ENOMEM : fd < 0 ? -EBADF : handover_read_all(fd, kept);
	if (rc == 0) {
		handover_flag_all(kept, FD_CLOEXEC);
		*out = kept;
		return 1;
	}
	snprintf(error, HANDOVER_ERROR_MAX,
		 rc == -EPROTO ? "this program cannot take over from the "
				 "running one, because their processes "
				 "exchange other messages: restart the server"
			       : "read what the running program leaves: %s",
		 log_errno(rc));
	handover_free(&kept);
	return rc;
}

void handover_free(struct handover **slot)
{
	struct handover *kept = *slot;

	if (!kept)
		return;
	free(kept->start.data);
	free(kept->present.data);
	free(kept->registry.notes.data);
	free(kept);
	*slot = NULL;
}
