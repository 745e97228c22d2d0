/* transfer - see transfer.h: the stream. */
#include "transfer.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>

#include "sandbox/base/io.h"

#define TRANSFER_NO_DATA UINT64_MAX /* the size of bytes that are NULL */

void transfer_begin(struct transfer *transfer)
{
	transfer->end = io_now_ms() + TRANSFER_MS;
}

bool transfer_fail(struct transfer *transfer, int error)
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
		int n = poll(polled, ARRAY_LEN(polled),
			     left < 0         ? 0
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

static bool transfer_write(struct transfer *transfer, const char *data,
			   size_t size)
{
	while (size > 0 && !transfer->error) {
		ssize_t n = write(transfer->fd, data, size);

		if (n > 0) {
			data += n;
			size -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			transfer_poll(transfer, POLLOUT, transfer->end);
		} else if (n == 0 || errno != EINTR) {
			transfer_fail(transfer, n == 0 ? -EIO : -errno);
		}
	}
	return !transfer->error;
}

bool transfer_flush(struct transfer *transfer)
{
	size_t size = transfer->used;

	transfer->used = 0;
	return transfer_write(transfer, transfer->buffer, size);
}

/* Small pieces go out together, because each write may wake the receiver. */
bool transfer_send(struct transfer *transfer, const void *data, size_t size)
{
	if (size > sizeof(transfer->buffer) - transfer->used)
		transfer_flush(transfer);
	if (size > sizeof(transfer->buffer))
		return transfer_write(transfer, data, size);
	if (size > 0)
		memcpy(transfer->buffer + transfer->used, data, size);
	transfer->used += size;
	return !transfer->error;
}

bool transfer_receive(struct transfer *transfer, void *data, size_t size)
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

/* ---- bytes with their size ------------------------------------------- */

void transfer_send_bytes(struct transfer *transfer, const struct bytes *bytes)
{
	const uint64_t size = bytes->data ? bytes->size : TRANSFER_NO_DATA;

	transfer_send(transfer, &size, sizeof(size));
	if (bytes->data)
		transfer_send(transfer, bytes->data, bytes->size);
}

void transfer_send_text(struct transfer *transfer, const char *text)
{
	const struct bytes bytes = {(char *)(uintptr_t)text,
				    text ? strlen(text) : 0};

	transfer_send_bytes(transfer, &bytes);
}

bool transfer_receive_bytes(struct transfer *transfer, uint64_t *left,
			    struct bytes *out)
{
	uint64_t size;

	if (!transfer_receive(transfer, &size, sizeof(size)))
		return false;
	if (size == TRANSFER_NO_DATA)
		return true;
	if (size > *left)
		return transfer_fail(transfer, -EPROTO);
	*left -= size;
	out->data = malloc(size + 1);
	if (!out->data)
		return transfer_fail(transfer, -ENOMEM);
	out->size = size;
	out->data[size] = '\0';
	return transfer_receive(transfer, out->data, size);
}

bool transfer_receive_text(struct transfer *transfer, uint64_t *left,
			   char **out)
{
	struct bytes text = {0};
	bool received = transfer_receive_bytes(transfer, left, &text);

	*out = text.data;
	if (received && text.data && strlen(text.data) != text.size)
		return transfer_fail(transfer, -EPROTO);
	return received;
}
