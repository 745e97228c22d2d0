/* outbox - see outbox.h. */
#include "outbox.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "io.h"

#define OUTBOX_KEEP (256u << 10) /* an empty one keeps this much memory */

void outbox_free(struct outbox *outbox)
{
	free(outbox->data);
	outbox->data = NULL;
	outbox->at = outbox->size = outbox->room = 0;
}

size_t outbox_left(const struct outbox *outbox)
{
	return outbox->size - outbox->at;
}

bool outbox_is_full(const struct outbox *outbox, bool full)
{
	return outbox_left(outbox) >= (full ? OUTBOX_LOW : OUTBOX_FULL);
}

/* Make room for MORE bytes: move those that wait to the front, then grow. */
static bool outbox_reserve(struct outbox *outbox, size_t more)
{
	size_t left = outbox_left(outbox), room = outbox->room;

	if (more <= room - outbox->size)
		return true;
	if (outbox->at > 0)
		memmove(outbox->data, outbox->data + outbox->at, left);
	outbox->at = 0;
	outbox->size = left;
	if (more <= room - left)
		return true;
	if (room == 0)
		room = 4096;
	while (room - left < more && room < SIZE_MAX / 2)
		room *= 2;
	char *data = room - left < more ? NULL : realloc(outbox->data, room);

	if (!data) {
		outbox->error = -ENOMEM;
		return false;
	}
	outbox->data = data;
	outbox->room = room;
	return true;
}

void outbox_add(struct outbox *outbox, const void *data, size_t size)
{
	if (outbox->error || size == 0 || !outbox_reserve(outbox, size))
		return;
	if (outbox_left(outbox) == 0)
		outbox->moved = io_now_ms();
	memcpy(outbox->data + outbox->size, data, size);
	outbox->size += size;
}

void outbox_push(struct outbox *outbox)
{
	while (outbox_left(outbox) > 0 && !outbox->error) {
		ssize_t n = send(outbox->fd, outbox->data + outbox->at,
				 outbox_left(outbox),
				 MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0) {
			outbox->error = -errno;
			return;
		}
		outbox->at += (size_t)n;
		outbox->sent += (uint64_t)n;
		outbox->moved = io_now_ms();
	}
	if (outbox->room > OUTBOX_KEEP)
		outbox_free(outbox);
	else
		outbox->at = outbox->size = 0;
}
